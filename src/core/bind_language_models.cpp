// Language models of n-grams, estimated from counts.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_language_models(nb::module_&) {}
