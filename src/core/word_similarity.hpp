// How similar two words are: 1 if they share lemma or stem, else Lin's similarity (see word_subsumers.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace metaphrase {

// Immutable, so any number of threads may ask at once.
class WordSimilarity {
 public:
  // Subsumers as in WordSubsumers; whoever calls has checked them.
  WordSimilarity(std::vector<std::int32_t> lemmas, std::vector<std::int32_t> stems,
                 const std::int64_t* offsets, const std::int32_t* subsumers, const double* least,
                 std::vector<double> contents)
      : lemmas_(std::move(lemmas)), stems_(std::move(stems)), contents_(std::move(contents)) {
    starts_.reserve(lemmas_.size() + 1);
    smallest_.reserve(lemmas_.size());
    for (std::size_t word = 0; word < lemmas_.size(); ++word) {
      starts_.push_back(entries_.size());
      double smallest = std::numeric_limits<double>::infinity();
      for (std::int64_t i = offsets[word]; i < offsets[word + 1]; ++i) {
        entries_.push_back({subsumers[i], least[i]});
        if (std::isfinite(contents_[subsumers[i]])) smallest = std::min(smallest, least[i]);
      }
      // Ends every walk without a test for the end of the list.
      entries_.push_back({beyond, 0.0});
      smallest_.push_back(smallest);
    }
    starts_.push_back(entries_.size());
  }

  std::int32_t size() const { return static_cast<std::int32_t>(lemmas_.size()); }

  double operator()(std::int32_t a, std::int32_t b) const {
    if (lemmas_[a] == lemmas_[b] || stems_[a] == stems_[b]) return 1.0;
    return has_subsumers(a) && has_subsumers(b) ? lin(a, b) : 0.0;
  }

 private:
  struct Entry {
    std::int32_t subsumer;
    double least;
  };
  static constexpr std::int32_t beyond = std::numeric_limits<std::int32_t>::max();

  bool has_subsumers(std::int32_t word) const { return starts_[word + 1] - starts_[word] > 1; }

  double lin(std::int32_t a, std::int32_t b) const {
    const Entry* x = entries_.data() + starts_[a];
    const Entry* y = entries_.data() + starts_[b];
    // No subsumer can do better than if it were above the most general sense of both words.
    const double bound = smallest_[a] + smallest_[b];
    double best = 0.0;
    for (;;) {
      if (x->subsumer < y->subsumer) {
        ++x;
      } else if (y->subsumer < x->subsumer) {
        ++y;
      } else {
        if (x->subsumer == beyond) return best;
        const double content = contents_[x->subsumer];
        if (std::isinf(content)) return 1.0;
        // Those to come have no higher content.
        if (2.0 * content <= best * bound) return best;
        const double sum = x->least + y->least;
        if (sum > 0.0) best = std::max(best, std::min(2.0 * content / sum, 1.0));
        ++x;
        ++y;
      }
    }
  }

  std::vector<std::int32_t> lemmas_, stems_;
  std::vector<std::size_t> starts_;
  std::vector<Entry> entries_;
  std::vector<double> smallest_;
  std::vector<double> contents_;
};

}  // namespace metaphrase
