// Which words of two sentences an edit machine may substitute.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_substitutions(nb::module_&) {}
