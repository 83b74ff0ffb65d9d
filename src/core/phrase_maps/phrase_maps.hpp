// The map between the phrases of a reference and those of a hypothesis, and what a score of the pair adds up.
#pragma once

#include <cstdint>
#include <vector>

#include "phrase_maps/fewest_blocks_map.hpp"
#include "phrase_maps/phrase_similarity.hpp"

namespace metaphrase::phrase_maps {

struct PhrasePair {
  std::int32_t reference, hypothesis;
  double similarity;
};

// Weights of all phrases of a side, and those of mapped phrases times their similarity. A block is a run of
// pairs that are neighbours on both sides.
struct PhraseMapTotals {
  double hypothesis_matched = 0.0, hypothesis_weight = 0.0, reference_matched = 0.0, reference_weight = 0.0;
  std::int32_t pairs = 0, blocks = 0;
};

// Which of the maps with the greatest sum, and whether to count them.
struct MapRule {
  bool fewest_blocks = false, count_ties = false;
};

// How many maps have the greatest sum (FewestBlocksMap says how far they are counted), the blocks of the
// first of them, and those of the one with the fewest, as far as was sought.
struct TiedMaps {
  std::int32_t ties = 0, first_blocks = 0, fewest_blocks = 0;
  bool proven = true;
};

class PhraseMapper {
 public:
  PhraseMapper(const lexicon::WordSimilarity& words, double theta, MapRule rule)
      : similarity_(words, theta), rule_(rule) {}

  // In the order of the reference, valid until the next call. Phrases without any similarity are no pair.
  const std::vector<PhrasePair>& map(const PhraseView& reference, const PhraseView& hypothesis) {
    pairs_.clear();
    similarity_.compare(reference, hypothesis);
    const auto& columns = solver_.solve(similarity_.units().data(), reference.phrases, hypothesis.phrases);
    if (rule_.fewest_blocks || rule_.count_ties) look_at_ties();
    for (std::int32_t r = 0; r < reference.phrases; ++r) {
      const std::int32_t h = columns[r];
      if (h != LexicographicMap::unmatched) pairs_.push_back({r, h, similarity_(r, h)});
    }
    return pairs_;
  }

  // Of the map made last, if the rule asks for it.
  const TiedMaps& tied() const { return tied_; }

  // Of the map made last; a weight for each phrase of either side.
  PhraseMapTotals totals(const PhraseView& reference, const double* reference_weights,
                         const PhraseView& hypothesis, const double* hypothesis_weights) const {
    PhraseMapTotals totals;
    for (std::int32_t r = 0; r < reference.phrases; ++r) totals.reference_weight += reference_weights[r];
    for (std::int32_t h = 0; h < hypothesis.phrases; ++h) totals.hypothesis_weight += hypothesis_weights[h];
    totals.pairs = static_cast<std::int32_t>(pairs_.size());
    PhrasePair before{-2, -2, 0.0};
    for (const PhrasePair& pair : pairs_) {
      totals.reference_matched += reference_weights[pair.reference] * pair.similarity;
      totals.hypothesis_matched += hypothesis_weights[pair.hypothesis] * pair.similarity;
      const bool goes_on = pair.reference == before.reference + 1 && pair.hypothesis == before.hypothesis + 1;
      totals.blocks += goes_on ? 0 : 1;
      before = pair;
    }
    return totals;
  }

 private:
  void look_at_ties() {
    tied_ = {};
    tied_.first_blocks = solver_.count_blocks();
    if (rule_.count_ties) tied_.ties = solver_.count_ties();
    const std::vector<std::int32_t> first = solver_.columns();
    solver_.join_blocks();
    tied_.fewest_blocks = solver_.count_blocks();
    tied_.proven = solver_.proven();
    if (!rule_.fewest_blocks) solver_.restore(first);
  }

  PhraseSimilarity similarity_;
  FewestBlocksMap solver_;
  MapRule rule_;
  TiedMaps tied_;
  std::vector<PhrasePair> pairs_;
};

}  // namespace metaphrase::phrase_maps
