// Sentences read through the phrases of another language.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_pivots(nb::module_&) {}
