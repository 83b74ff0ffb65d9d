// How similar the phrases of two sentences are: in themselves by their words, in context by their topics
// (PBE, section 4; METRICS 5.2).
//
// In themselves: [S(p, q) + S(q, p)] / 2, where S(p, q) is the mean over the words of p of the similarity to
// the most similar word of q. In context: 1 - |cos(p, d) - cos(q, d')|, the cosines being those of each
// phrase with its own document. Their sum is weighed by theta and 1 - theta.
//
// Maps are chosen by sums of such similarities, and ties between maps decide. In real numbers many maps tie:
// two thirds and a third make two halves, phrases recur, cosines change places in (a - b) + (c - d). In
// doubles rounding errors would win such ties. Therefore the matrix for the map holds integers: similarities
// of words and cosines are rounded once, to units, and all that follows is exact; division by the number of
// words too, because 1 is worth a common multiple of the lengths that phrases have. What a score adds up is
// the similarity in doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lexicon/word_similarity.hpp"
#include "phrase_maps/lexicographic_map.hpp"

namespace metaphrase::phrase_maps {

// A sentence as a list of phrases; phrase i has the words [offsets[i], offsets[i + 1]).
struct PhraseView {
  std::int32_t phrases = 0;
  const std::int64_t* offsets = nullptr;
  const std::int32_t* words = nullptr;  // of all sentences
  const double* topics = nullptr;       // cosine of each phrase with its document, if topics count

  std::int64_t first() const { return offsets[0]; }
  std::int32_t size() const { return static_cast<std::int32_t>(offsets[phrases] - offsets[0]); }
  std::int32_t begin(std::int32_t phrase) const {
    return static_cast<std::int32_t>(offsets[phrase] - offsets[0]);
  }
  std::int32_t length(std::int32_t phrase) const { return begin(phrase + 1) - begin(phrase); }
};

class PhraseSimilarity {
 public:
  // A word's similarity is rounded by 1.25e-11 at most, and not at all if it has ten decimals.
  static constexpr double word_unit = 4e10;
  // Phrases of up to 12 words divide it (and of 14, 15, 18, ...); other quotients are rounded.
  static constexpr double multiple = 27720.0;
  static constexpr double whole = 2.0 * multiple * word_unit;
  static_assert(whole < LexicographicMap::greatest_value);

  PhraseSimilarity(const lexicon::WordSimilarity& words, double theta) : compared_(words), theta_(theta) {}

  // Compares all words of two sentences; the other questions are about these two.
  void compare(const PhraseView& reference, const PhraseView& hypothesis) {
    reference_ = reference;
    hypothesis_ = hypothesis;
    const std::size_t width = hypothesis.size();
    similarities_.resize(reference.size() * width);
    for (std::int32_t i = 0; i < reference.size(); ++i) {
      compared_.hold(reference.words[reference.first() + i]);
      double* row = similarities_.data() + i * width;
      for (std::size_t j = 0; j < width; ++j) {
        row[j] = compared_(hypothesis.words[hypothesis.first() + j]);
      }
    }
  }

  // The matrix for the map, row by row of the reference; `whole` stands for 1.
  const std::vector<double>& units() {
    const std::int32_t rows = reference_.phrases, columns = hypothesis_.phrases;
    const std::int32_t width = hypothesis_.size();
    units_.assign(static_cast<std::size_t>(rows) * columns, 0.0);
    best_.resize(width);
    const double scale = theta_ * word_unit;
    for (std::int32_t r = 0; r < rows; ++r) {
      double* cells = units_.data() + static_cast<std::size_t>(r) * columns;
      const double share = multiple / reference_.length(r);
      std::fill(best_.begin(), best_.end(), 0.0);
      for (std::int32_t i = reference_.begin(r); i < reference_.begin(r + 1); ++i) {
        const double* row = similarities_.data() + static_cast<std::size_t>(i) * width;
        for (std::int32_t h = 0; h < columns; ++h) {
          double best = 0.0;
          for (std::int32_t j = hypothesis_.begin(h); j < hypothesis_.begin(h + 1); ++j) {
            best = std::max(best, row[j]);
            best_[j] = std::max(best_[j], row[j]);
          }
          cells[h] += rounded(best * scale);
        }
      }
      for (std::int32_t h = 0; h < columns; ++h) {
        if (cells[h] == 0.0) continue;  // nothing similar here is nothing similar there
        double sum = 0.0;
        for (std::int32_t j = hypothesis_.begin(h); j < hypothesis_.begin(h + 1); ++j) {
          sum += rounded(best_[j] * scale);
        }
        cells[h] = rounded(cells[h] * share) + rounded(sum * (multiple / hypothesis_.length(h)));
      }
    }
    if (reference_.topics) add_topics();
    return units_;
  }

  // The similarity of two phrases in doubles.
  double operator()(std::int32_t r, std::int32_t h) const {
    const double in_itself = by_words(r, h);
    if (!reference_.topics) return theta_ * in_itself;
    return theta_ * in_itself +
           (1.0 - theta_) * (1.0 - std::abs(reference_.topics[r] - hypothesis_.topics[h]));
  }

 private:
  static double rounded(double positive) {
    return static_cast<double>(static_cast<std::int64_t>(positive + 0.5));
  }

  void add_topics() {
    const double scale = (1.0 - theta_) * whole, one = rounded(scale);
    for (std::int32_t r = 0; r < reference_.phrases; ++r) {
      const double own = rounded(reference_.topics[r] * scale);
      double* cells = units_.data() + static_cast<std::size_t>(r) * hypothesis_.phrases;
      for (std::int32_t h = 0; h < hypothesis_.phrases; ++h) {
        cells[h] += one - std::abs(own - rounded(hypothesis_.topics[h] * scale));
      }
    }
  }

  double by_words(std::int32_t r, std::int32_t h) const {
    const std::size_t width = hypothesis_.size();
    const std::int32_t first = hypothesis_.begin(h), last = hypothesis_.begin(h + 1);
    if (first == last || reference_.length(r) == 0) return 0.0;
    double forward = 0.0, backward = 0.0;
    for (std::int32_t i = reference_.begin(r); i < reference_.begin(r + 1); ++i) {
      double best = 0.0;
      for (std::int32_t j = first; j < last; ++j) best = std::max(best, similarities_[i * width + j]);
      forward += best;
    }
    for (std::int32_t j = first; j < last; ++j) {
      double best = 0.0;
      for (std::int32_t i = reference_.begin(r); i < reference_.begin(r + 1); ++i) {
        best = std::max(best, similarities_[i * width + j]);
      }
      backward += best;
    }
    return (forward / reference_.length(r) + backward / (last - first)) / 2.0;
  }

  lexicon::WordComparison compared_;
  const double theta_;
  PhraseView reference_, hypothesis_;
  std::vector<double> similarities_, units_, best_;
};

}  // namespace metaphrase::phrase_maps
