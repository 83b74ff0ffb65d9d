// metaphrase._core.alignment: monolingual word alignment.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_alignment(nb::module_&) {}
