// How similar two words are: 1 if they share lemma or stem, else Lin's similarity (see
// lexicon/word_subsumers.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace metaphrase::lexicon {

// Words of a vocabulary by their numbers. Immutable, so any number of threads may share it.
class WordSimilarity {
 public:
  // The smallest IC of a word's senses below a subsumer.
  struct Subsumer {
    std::int32_t number;
    double least;
  };

  // Subsumers as in WordSubsumers; whoever calls has checked them.
  WordSimilarity(std::vector<std::int32_t> lemmas, std::vector<std::int32_t> stems,
                 const std::int64_t* offsets, const std::int32_t* subsumers, const double* least,
                 std::vector<double> contents)
      : lemmas_(std::move(lemmas)),
        stems_(std::move(stems)),
        offsets_(offsets, offsets + lemmas_.size() + 1),
        contents_(std::move(contents)) {
    subsumers_.reserve(offsets_.back());
    for (std::int64_t i = 0; i < offsets_.back(); ++i) subsumers_.push_back({subsumers[i], least[i]});
    smallest_.reserve(lemmas_.size());
    for (std::int32_t word = 0; word < size(); ++word) {
      double smallest = std::numeric_limits<double>::infinity();
      for (const Subsumer& above : this->subsumers(word)) smallest = std::min(smallest, above.least);
      smallest_.push_back(smallest);
    }
  }

  std::int32_t size() const { return static_cast<std::int32_t>(lemmas_.size()); }

  bool same(std::int32_t a, std::int32_t b) const {
    return lemmas_[a] == lemmas_[b] || stems_[a] == stems_[b];
  }
  std::span<const Subsumer> subsumers(std::int32_t word) const {
    return {subsumers_.data() + offsets_[word], subsumers_.data() + offsets_[word + 1]};
  }
  // No subsumer of the word has a smaller least.
  double smallest(std::int32_t word) const { return smallest_[word]; }
  // IC by the number of a subsumer, descending.
  const std::vector<double>& contents() const { return contents_; }

 private:
  std::vector<std::int32_t> lemmas_, stems_;
  std::vector<std::int64_t> offsets_;
  std::vector<Subsumer> subsumers_;
  std::vector<double> smallest_, contents_;
};

// Compares one word with many. Its subsumers are laid out by number, so that another word costs one look at
// each of its own, 60 ns on real text. That is why no similarity is remembered: a table of word pairs saved a
// tenth of the time when a comparison cost twice as much.
class WordComparison {
 public:
  explicit WordComparison(const WordSimilarity& words)
      : words_(words), least_(words.contents().size(), absent) {}

  void hold(std::int32_t word) {
    if (word_ >= 0) {
      for (const auto& above : words_.subsumers(word_)) least_[above.number] = absent;
    }
    word_ = word;
    for (const auto& above : words_.subsumers(word_)) least_[above.number] = above.least;
  }

  double operator()(std::int32_t other) const {
    if (words_.same(word_, other)) return 1.0;
    if (words_.subsumers(word_).empty()) return 0.0;
    // No subsumer can do better than if it were above the most general sense of both words.
    const double bound = words_.smallest(word_) + words_.smallest(other);
    double best = 0.0;
    for (const auto& above : words_.subsumers(other)) {
      const double least = least_[above.number];
      if (least == absent) continue;
      const double content = words_.contents()[above.number];
      if (std::isinf(content)) return 1.0;
      // Those to come have no higher content.
      if (2.0 * content <= best * bound) break;
      const double sum = least + above.least;
      if (sum > 0.0) best = std::max(best, std::min(2.0 * content / sum, 1.0));
    }
    return best;
  }

 private:
  static constexpr double absent = std::numeric_limits<double>::infinity();

  const WordSimilarity& words_;
  std::int32_t word_ = -1;
  std::vector<double> least_;
};

}  // namespace metaphrase::lexicon
