// metaphrase._core.parsing: the dependency parser.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_parsing(nb::module_&) {}
