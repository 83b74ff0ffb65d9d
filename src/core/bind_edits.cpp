// Edit machines: log-sums over edit sequences, expected counts, best edits.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_edits(nb::module_&) {}
