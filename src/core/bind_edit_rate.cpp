// Translation edit rate: edits and shifts.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_edit_rate(nb::module_&) {}
