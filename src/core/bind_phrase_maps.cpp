// Similarities of phrases and the best one-to-one maps between them.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_phrase_maps(nb::module_&) {}
