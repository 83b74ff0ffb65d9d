#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_analysis(nb::module_& module) { (void)module; }
