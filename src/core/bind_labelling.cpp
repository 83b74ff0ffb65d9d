// metaphrase._core.labelling: labels of token sequences: chunks and entities.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_labelling(nb::module_&) {}
