# What is compiled into the core, as CycloneDX in the wheel's metadata (PEP 770). Without a date and a serial number, so
# that the same sources make the same file.
function(read_version header prefix result)
  file(READ "${nanobind_here}/${header}" text)
  foreach(part MAJOR MINOR PATCH)
    if(NOT text MATCHES "#define ${prefix}_${part} ([0-9]+)")
      message(FATAL_ERROR "${header} does not say ${prefix}_${part}, which the bill of materials needs.")
    endif()
    list(APPEND parts ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN parts . version)
  set(${result} ${version} PARENT_SCOPE)
endfunction()

read_version(include/nanobind/nanobind.h NB_VERSION nanobind_version)
read_version(ext/robin_map/include/tsl/robin_growth_policy.h TSL_RH_VERSION robin_map_version)
# In the images of manylinux and musllinux some or all of the compiler's own library is linked statically, too.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND "$ENV{AUDITWHEEL_PLAT}" MATCHES "linux")
  set(libstdcxx ",
    {
      \"type\": \"library\",
      \"bom-ref\": \"libstdc++@${CMAKE_CXX_COMPILER_VERSION}\",
      \"name\": \"libstdc++\",
      \"version\": \"${CMAKE_CXX_COMPILER_VERSION}\",
      \"description\": \"GCC's C++ library: parts of it (manylinux) or all (musllinux) are linked statically\",
      \"licenses\": [{\"expression\": \"GPL-3.0-or-later WITH GCC-exception-3.1\"}]
    }")
  set(libstdcxx_ref ", \"libstdc++@${CMAKE_CXX_COMPILER_VERSION}\"")
endif()
configure_file(sbom.cdx.json.in "${PROJECT_BINARY_DIR}/metaphrase.cdx.json" @ONLY)
if(SKBUILD_METADATA_DIR)
  install(FILES "${PROJECT_BINARY_DIR}/metaphrase.cdx.json" DESTINATION "${SKBUILD_METADATA_DIR}/sboms")
endif()
