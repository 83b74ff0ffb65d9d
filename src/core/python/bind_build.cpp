// metaphrase._core.build: how this core was compiled, and what of the processor it uses.
#include <nanobind/nanobind.h>

#include "base/dense.hpp"

#ifndef METAPHRASE_FLAGS
#define METAPHRASE_FLAGS "unknown"
#endif
#if defined(__has_feature)
#define METAPHRASE_HAS_FEATURE(name) __has_feature(name)
#else
#define METAPHRASE_HAS_FEATURE(name) 0
#endif

namespace nb = nanobind;

namespace metaphrase {

namespace {

const char* compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

const char* standard_library() {
#if defined(_LIBCPP_VERSION)
  return "libc++";
#elif defined(__GLIBCXX__)
  return "libstdc++";
#else
  return "unknown";
#endif
}

// Those of the C library and of the standard library.
bool with_assertions() {
#if defined(_GLIBCXX_ASSERTIONS) || defined(_GLIBCXX_DEBUG) || !defined(NDEBUG)
  return true;
#else
  return false;
#endif
}

nb::list sanitizers() {
  nb::list found;
#if defined(__SANITIZE_ADDRESS__) || METAPHRASE_HAS_FEATURE(address_sanitizer)
  found.append("address");
#endif
#if defined(__SANITIZE_THREAD__) || METAPHRASE_HAS_FEATURE(thread_sanitizer)
  found.append("thread");
#endif
  return found;
}

nb::dict build() {
  nb::dict facts;
  facts["compiler"] = compiler();
  facts["standard_library"] = standard_library();
  facts["flags"] = METAPHRASE_FLAGS;
  facts["assertions"] = with_assertions();
  facts["sanitizers"] = sanitizers();
  nb::list features;
  if (has_avx2()) features.append("avx2");
  facts["cpu_features"] = features;
  return facts;
}

}  // namespace

void bind_build(nb::module_ module) {
  module.def("build", &build, "How this core was compiled, and what of the processor it uses.");
}

}  // namespace metaphrase
