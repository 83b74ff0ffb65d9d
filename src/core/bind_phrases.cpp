// metaphrase._core.phrases: word alignments of parallel text, phrases and paraphrases.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_phrases(nb::module_&) {}
