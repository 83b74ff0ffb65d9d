// The compiled core: one sub-module per stage of the way from text to score.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_alignment(nb::module_& module);
void bind_analysis(nb::module_& module);
void bind_covering(nb::module_& module);
void bind_edit_rate(nb::module_& module);
void bind_edits(nb::module_& module);
void bind_labelling(nb::module_& module);
void bind_language_models(nb::module_& module);
void bind_meta(nb::module_& module);
void bind_meteor(nb::module_& module);
void bind_meteor_text(nb::module_& module);
void bind_ngrams(nb::module_& module);
void bind_parsing(nb::module_& module);
void bind_phrase_maps(nb::module_& module);
void bind_phrases(nb::module_& module);
void bind_pivots(nb::module_& module);
void bind_relations(nb::module_& module);
void bind_substitutions(nb::module_& module);
void bind_transport(nb::module_& module);
void bind_wordnet(nb::module_& module);

NB_MODULE(_core, module) {
  module.doc() = "Compiled kernels of metaphrase; see src/core.";
  // Models stay open in caches until the process ends, which is no leak.
  nb::set_leak_warnings(false);
  auto alignment = module.def_submodule("alignment", "Monolingual word alignment.");
  bind_alignment(alignment);
  auto analysis = module.def_submodule("analysis", "Tokeniser, tagger, lemmatiser.");
  bind_analysis(analysis);
  auto covering = module.def_submodule("covering", "Spans of two sentences that cover each other.");
  bind_covering(covering);
  auto edit_rate = module.def_submodule("edit_rate", "Translation edit rate: edits and shifts.");
  bind_edit_rate(edit_rate);
  auto edits = module.def_submodule("edits", "Edit machines: sums over edit sequences, the best sequence.");
  bind_edits(edits);
  auto labelling = module.def_submodule("labelling", "Labels of token sequences: chunks and entities.");
  bind_labelling(labelling);
  auto language_models = module.def_submodule("language_models", "Language models of n-grams.");
  bind_language_models(language_models);
  auto meta = module.def_submodule("meta", "Resampling and permutation tests.");
  bind_meta(meta);
  auto meteor = module.def_submodule("meteor", "The matches and the alignment of METEOR.");
  bind_meteor(meteor);
  auto meteor_text = module.def_submodule("meteor_text", "The tokens of METEOR.");
  bind_meteor_text(meteor_text);
  auto ngrams = module.def_submodule("ngrams", "Counts of word n-grams.");
  bind_ngrams(ngrams);
  auto parsing = module.def_submodule("parsing", "The dependency parser.");
  bind_parsing(parsing);
  auto phrase_maps = module.def_submodule("phrase_maps", "Similar phrases, and the best maps between them.");
  bind_phrase_maps(phrase_maps);
  auto phrases = module.def_submodule("phrases", "Word alignments of parallel text, phrases and paraphrases.");
  bind_phrases(phrases);
  auto pivots = module.def_submodule("pivots", "Sentences read through the phrases of another language.");
  bind_pivots(pivots);
  auto relations = module.def_submodule("relations", "Collapsed dependencies.");
  bind_relations(relations);
  auto substitutions = module.def_submodule("substitutions", "Words that an edit machine may substitute.");
  bind_substitutions(substitutions);
  auto transport = module.def_submodule("transport", "Transportation problems of weighted bags.");
  bind_transport(transport);
  auto wordnet = module.def_submodule("wordnet", "WordNet 3.0 in a memory-mapped file.");
  bind_wordnet(wordnet);
}
