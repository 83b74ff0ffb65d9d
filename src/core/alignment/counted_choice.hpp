// Choosing pairs of words, the best one first, as stages 6, 8 and 9 of the word aligners do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "alignment/state.hpp"

namespace metaphrase::alignment {

// A pair that might be aligned; `acceptable` if it is good enough.
struct Candidate {
  double worth;
  std::int32_t i, j;
  bool acceptable;
};

// Best first; equals in the order of the text.
inline void sort_candidates(std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.worth != b.worth) return a.worth > b.worth;
    return a.i != b.i ? a.i < b.i : a.j < b.j;
  });
}

// The programs choose the best pair again and again. A chosen pair uses up one copy of each of its words, of
// which there are as many as pairs were considered, whether or not it is good enough to be aligned: a word
// may be exhausted by pairs that never come to anything. Cobalt's also stops after as many choices as there
// are words on the left, MWA's after as many as there are pairs.
class CountedChoice {
 public:
  explicit CountedChoice(bool round_per_pair) : round_per_pair_(round_per_pair) {}

  void start(std::size_t left_words, std::size_t right_words) {
    candidates_.clear();
    left_copies_.assign(left_words, 0);
    right_copies_.assign(right_words, 0);
    rounds_ = 0;
  }

  void consider(const Candidate& candidate) {
    rounds_ += round_per_pair_ || left_copies_[candidate.i] == 0;
    ++left_copies_[candidate.i];
    ++right_copies_[candidate.j];
    if (candidate.worth > 0.0) candidates_.push_back(candidate);
  }

  void take(Alignment& alignment, std::uint8_t stage) {
    sort_candidates(candidates_);
    for (const Candidate& best : candidates_) {
      if (rounds_ == 0) return;
      std::int32_t &left_copies = left_copies_[best.i], &right_copies = right_copies_[best.j];
      if (!alignment.both_free(best.i, best.j) || left_copies == 0 || right_copies == 0) continue;
      if (best.acceptable) {
        alignment.add(best.i, best.j, stage);
        --rounds_;
        continue;
      }
      // Nothing changes until one of the two is exhausted, so the same pair is chosen until then.
      const std::int64_t times = std::min<std::int64_t>(std::min(left_copies, right_copies), rounds_);
      left_copies -= static_cast<std::int32_t>(times);
      right_copies -= static_cast<std::int32_t>(times);
      rounds_ -= times;
    }
  }

 private:
  const bool round_per_pair_;
  std::vector<Candidate> candidates_;
  std::vector<std::int32_t> left_copies_, right_copies_;
  std::int64_t rounds_ = 0;
};

}  // namespace metaphrase::alignment
