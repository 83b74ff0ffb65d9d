# libstdc++'s own checks of indices and iterators, in every build that is tested. The wheel goes without: they cost chrF
# 23 % more instructions, TER 9 %, BLEU 7 % (docs/reliability.md).
option(METAPHRASE_ASSERTIONS "Check indices and iterators of the standard library" OFF)
# `make sanitize` and `make sanitize-threads` compile with these. Whoever loads such an extension preloads the runtime.
set(METAPHRASE_SANITIZE "" CACHE STRING "Compile with sanitizers: address (with undefined behaviour) or thread")
if(METAPHRASE_SANITIZE STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow)
  # Vectors tell AddressSanitizer about their unused capacity; they must do so in nanobind, too.
  add_compile_definitions(_GLIBCXX_SANITIZE_VECTOR)
elseif(METAPHRASE_SANITIZE STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
elseif(METAPHRASE_SANITIZE)
  message(FATAL_ERROR "METAPHRASE_SANITIZE is address or thread, not ${METAPHRASE_SANITIZE}.")
endif()
if(METAPHRASE_ASSERTIONS OR METAPHRASE_SANITIZE)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(METAPHRASE_SANITIZE)
  add_compile_options(${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O1)
  add_link_options(${sanitizers})
  # After the options of the target, which optimise more (SHELL: or else CMake drops the second -O1).
  cmake_language(DEFER CALL target_compile_options ${extension} PRIVATE SHELL:-O1)
endif()
