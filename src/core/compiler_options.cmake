# The options of the compiler, by its kind. Nothing may be fused (fp-contract), so that every machine gets the same bits.
# The second and later arguments are sources whose loops have sqrt and comparisons: these options let them be
# vectorised, and change no result.
function(set_compiler_options extension)
  set(of_loops -fno-math-errno -fno-trapping-math)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "MSVC")
    message(FATAL_ERROR "Microsoft's cl.exe has neither vector types nor integers of 128 bits, which the core "
                        "uses. Build with clang-cl, which comes with Visual Studio: set CXX=clang-cl.")
  elseif(CMAKE_CXX_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
    # -Wall would be all warnings that there are; `make check` has ours.
    target_compile_options(${extension} PRIVATE /O2 /fp:precise /clang:-ffp-contract=off /utf-8 /EHsc)
    target_compile_definitions(${extension} PRIVATE NOMINMAX WIN32_LEAN_AND_MEAN)
    list(TRANSFORM of_loops PREPEND /clang:)
  else()
    # `make check` turns the warnings into errors. Sizes of the standard library are unsigned and our numbers of
    # words are not: -Wsign-conversion would ask for 1,600 casts that say nothing.
    target_compile_options(${extension} PRIVATE -O3 -ffp-contract=off "@${CMAKE_CURRENT_SOURCE_DIR}/warnings.txt")
  endif()
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${of_loops}")
endfunction()
