// The compiled core: one sub-module per stage of the way from text to score.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_analysis(nb::module_& module);
void bind_meta(nb::module_& module);
void bind_ngrams(nb::module_& module);
void bind_transport(nb::module_& module);
void bind_wordnet(nb::module_& module);

NB_MODULE(_core, module) {
  module.doc() = "Compiled kernels of metaphrase; see src/core.";
  auto analysis = module.def_submodule("analysis", "Tokeniser, tagger, lemmatiser.");
  bind_analysis(analysis);
  auto meta = module.def_submodule("meta", "Resampling and permutation tests.");
  bind_meta(meta);
  auto ngrams = module.def_submodule("ngrams", "Counts of word n-grams.");
  bind_ngrams(ngrams);
  auto transport = module.def_submodule("transport", "Transportation problems of weighted bags.");
  bind_transport(transport);
  auto wordnet = module.def_submodule("wordnet", "WordNet 3.0 in a memory-mapped file.");
  bind_wordnet(wordnet);
}
