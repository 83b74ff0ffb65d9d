#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_wordnet(nb::module_& module) { (void)module; }
