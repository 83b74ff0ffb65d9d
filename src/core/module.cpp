// The compiled core: one sub-module per stage of the way from text to score.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace metaphrase {
void bind_build(nb::module_ module);
void bind_elementary(nb::module_ module);
void bind_refused_input(nb::module_ module);
}  // namespace metaphrase
namespace metaphrase::alignment {
void bind_alignment(nb::module_ module);
void bind_soft_matches(nb::module_ module);
}  // namespace metaphrase::alignment
namespace metaphrase::analysis {
void bind_analysis(nb::module_ module);
void bind_labelling(nb::module_ module);
void bind_parsing(nb::module_ module);
}  // namespace metaphrase::analysis
namespace metaphrase::bags {
void bind_transport(nb::module_ module);
}
namespace metaphrase::counts {
void bind_edit_rate(nb::module_ module);
void bind_ngrams(nb::module_ module);
}  // namespace metaphrase::counts
namespace metaphrase::covering {
void bind_covering(nb::module_ module);
}
namespace metaphrase::edits {
void bind_edits(nb::module_ module);
}
namespace metaphrase::edits::substitutions {
void bind_substitutions(nb::module_ module);
}
namespace metaphrase::encoder {
void bind_pretrained(nb::module_ module);
}
namespace metaphrase::language_models {
void bind_language_models(nb::module_ module);
}
namespace metaphrase::lexicon {
void bind_wordnet(nb::module_ module);
}
namespace metaphrase::meta {
void bind_meta(nb::module_ module);
}
namespace metaphrase::meteor {
void bind_meteor(nb::module_ module);
void bind_meteor_text(nb::module_ module);
}  // namespace metaphrase::meteor
namespace metaphrase::phrase_maps {
void bind_phrase_maps(nb::module_ module);
}
namespace metaphrase::phrases {
void bind_phrases(nb::module_ module);
}
namespace metaphrase::pivots {
void bind_pivots(nb::module_ module);
}
namespace metaphrase::relations {
void bind_relations(nb::module_ module);
}

NB_MODULE(_core, module) {
  using namespace metaphrase;
  module.doc() = "Compiled kernels of metaphrase; see src/core.";
  // Models stay open in caches until the process ends, which is no leak.
  nb::set_leak_warnings(false);
  bind_build(module);
  bind_refused_input(module);
  alignment::bind_alignment(module.def_submodule("alignment", "Monolingual word alignment."));
  analysis::bind_analysis(module.def_submodule("analysis", "Tokeniser, tagger, lemmatiser."));
  covering::bind_covering(module.def_submodule("covering", "Spans of two sentences that cover each other."));
  counts::bind_edit_rate(module.def_submodule("edit_rate", "Translation edit rate: edits and shifts."));
  bind_elementary(module.def_submodule("elementary", "Elementary functions, the same on every machine."));
  edits::bind_edits(
      module.def_submodule("edits", "Edit machines: sums over edit sequences, the best sequence."));
  encoder::bind_pretrained(module.def_submodule("encoder", "Vectors of word pieces in context."));
  analysis::bind_labelling(
      module.def_submodule("labelling", "Labels of token sequences: chunks and entities."));
  language_models::bind_language_models(
      module.def_submodule("language_models", "Language models of n-grams."));
  meta::bind_meta(module.def_submodule("meta", "Resampling and permutation tests."));
  meteor::bind_meteor(module.def_submodule("meteor", "The matches and the alignment of METEOR."));
  meteor::bind_meteor_text(module.def_submodule("meteor_text", "The tokens of METEOR."));
  counts::bind_ngrams(module.def_submodule("ngrams", "Counts of word n-grams."));
  analysis::bind_parsing(module.def_submodule("parsing", "The dependency parser."));
  phrase_maps::bind_phrase_maps(
      module.def_submodule("phrase_maps", "Similar phrases, and the best maps between them."));
  phrases::bind_phrases(
      module.def_submodule("phrases", "Word alignments of parallel text, phrases and paraphrases."));
  pivots::bind_pivots(
      module.def_submodule("pivots", "Sentences read through the phrases of another language."));
  relations::bind_relations(module.def_submodule("relations", "Collapsed dependencies."));
  alignment::bind_soft_matches(
      module.def_submodule("soft_matches", "Words of two sentences that match by their vectors."));
  edits::substitutions::bind_substitutions(
      module.def_submodule("substitutions", "Words that an edit machine may substitute."));
  bags::bind_transport(module.def_submodule("transport", "Transportation problems of weighted bags."));
  lexicon::bind_wordnet(module.def_submodule("wordnet", "WordNet 3.0 in a memory-mapped file."));
}
