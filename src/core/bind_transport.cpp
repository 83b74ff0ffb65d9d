#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_transport(nb::module_& module) { (void)module; }
