// How well the words of two sentences match by their vectors.
//
// src/metaphrase/matching/soft_matches.py defines the columns.
//
// Similarities are floats, sums are doubles. Every sum runs over words in the order of their sentence, or
// over dimensions in theirs, and never in the order of word numbers, which are different in every batch.
// A sentence and itself have 1.0 in all columns, or 0.0 in those of what is lost, exactly: their quotients
// are of equal sums, and the link of a word is the word itself, as no other is at distance 0. No quotient
// exceeds 1, since rounding is monotone and every term above is at most the one below.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/dense.hpp"

namespace metaphrase::alignment {

// Of every word: `dimensions` numbers of length 1, or zeros if nothing is known of it, and a weight.
struct WeightedVectors {
  const float* vectors;
  const double* rarity;
  std::size_t dimensions;

  const float* of(std::int32_t word) const { return vectors + static_cast<std::size_t>(word) * dimensions; }
};

class SoftMatcher {
 public:
  using Words = std::span<const std::int32_t>;
  static constexpr std::size_t columns = 13;

  explicit SoftMatcher(WeightedVectors table) : table_(table) {}

  void match(Words left_words, Words right_words, double* row) {
    if (left_words.empty() || right_words.empty()) {
      std::fill(row, row + follows + 2, left_words.empty() && right_words.empty() ? 1.0 : 0.0);
      row[lost_recall] = all_lost(right_words);
      row[lost_precision] = all_lost(left_words);
      return;
    }
    read(left_words, left_);
    read(right_words, right_);
    compare();
    summarise(left_, row, 0, 8, lost_precision);
    summarise(right_, row, 1, 7, lost_recall);
    count_steps(row + follows);
    row[6] = left_.sorted_words == right_.sorted_words ? 1.0 : sum_cosine();
  }

 private:
  static constexpr std::size_t follows = 9, lost_recall = 11, lost_precision = 12;
  static constexpr float least_linked = 0.5f;  // similarity of a word to its link
  static constexpr double least_rare = 0.7;    // words must be rarer to be lost

  // One register of any machine: compilers take wider vectors apart where they choose between lanes.
  typedef float Floats __attribute__((vector_size(16), aligned(4), may_alias));
  static constexpr std::size_t lanes = sizeof(Floats) / sizeof(float);
  static constexpr std::int32_t unlinked = -1;
  static constexpr std::size_t most_rows = 96;  // different words of the left that are compared at a time

  struct Side {
    Words words;
    std::vector<std::pair<std::int32_t, std::int32_t>> sorted;  // words and their places
    std::vector<std::int32_t> sorted_words;
    std::vector<std::int32_t> different, starts;  // different words, and where each starts in `sorted`
    std::vector<std::int32_t> number;             // of the word at a place, among different ones
    std::vector<float> vectors;                   // of different words, in rows
    std::vector<float> best;                      // max s of different words
    std::vector<float> place, best_placed;        // of words: i/n, max s (1 - |i/n - j/m| / 2)
    std::vector<double> sum;                      // of the vectors, weighted
    double weight;
  };

  static std::size_t padded(std::size_t n) { return (n + lanes - 1) / lanes * lanes; }

  static Floats& at(std::vector<float>& values, std::size_t k) {
    return *reinterpret_cast<Floats*>(values.data() + k);
  }

  void read(Words words, Side& side) const {
    const std::size_t n = words.size(), d = table_.dimensions;
    side.words = words;
    side.sorted.resize(n);
    for (std::size_t i = 0; i < n; ++i) side.sorted[i] = {words[i], static_cast<std::int32_t>(i)};
    std::sort(side.sorted.begin(), side.sorted.end());
    side.sorted_words.resize(n);
    side.different.clear();
    side.starts.clear();
    side.number.resize(n);
    for (std::size_t t = 0; t < n; ++t) {
      const auto [word, place] = side.sorted[t];
      if (t == 0 || word != side.sorted_words[t - 1]) {
        side.different.push_back(word);
        side.starts.push_back(static_cast<std::int32_t>(t));
      }
      side.sorted_words[t] = word;
      side.number[place] = static_cast<std::int32_t>(side.different.size()) - 1;
    }
    side.starts.push_back(static_cast<std::int32_t>(n));

    side.vectors.resize(side.different.size() * d);
    float* to = side.vectors.data();
    for (const std::int32_t word : side.different) to = std::copy_n(table_.of(word), d, to);
    side.best.assign(padded(side.different.size()), 0.0f);
    side.best_placed.assign(padded(n), 0.0f);
    side.place.assign(padded(n), 0.0f);
    for (std::size_t i = 0; i < n; ++i) side.place[i] = static_cast<float>(i) / static_cast<float>(n);

    side.weight = 0.0;
    side.sum.assign(d, 0.0);
    double* __restrict sum = side.sum.data();
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = table_.rarity[words[i]];
      const float* vector = side.vectors.data() + static_cast<std::size_t>(side.number[i]) * d;
      side.weight += weight;
      for (std::size_t k = 0; k < d; ++k) sum[k] += weight * static_cast<double>(vector[k]);
    }
  }

  // Finds the best match of every word of both sides.
  void compare() {
    const std::size_t rows = left_.different.size(), width = padded(right_.different.size());
    const std::size_t d = table_.dimensions;
    links_.assign(left_.words.size(), unlinked);
    cosines_.assign(std::min(rows, most_rows) * width, 0.0f);
    auto equal = right_.different.begin();
    for (std::size_t begin = 0; begin < rows; begin += most_rows) {
      const std::size_t end = std::min(rows, begin + most_rows);
      multiply(by_rows(left_.vectors.data() + begin * d, d), transposed(right_.vectors.data(), d),
               cosines_.data(), width, end - begin, d, right_.different.size(), false);
      for (std::size_t a = begin; a < end; ++a) {
        float* similar = cosines_.data() + (a - begin) * width;
        equal = std::lower_bound(equal, right_.different.end(), left_.different[a]);
        if (equal != right_.different.end() && *equal == left_.different[a]) {
          similar[equal - right_.different.begin()] = 1.0f;
        }
        compare_word(a, similar, width);
        compare_places(a, similar);
        link(a, similar);
      }
    }
  }

  // The cosines of a left word become similarities.
  void compare_word(std::size_t a, float* similar, std::size_t width) {
    const Floats zero{}, one = zero + 1.0f;
    Floats best{};
    for (std::size_t k = 0; k < width; k += lanes) {
      Floats& s = *reinterpret_cast<Floats*>(similar + k);
      s = s > zero ? s : zero;
      s = s < one ? s : one;
      best = s > best ? s : best;
      Floats& other = at(right_.best, k);
      other = s > other ? s : other;
    }
    left_.best[a] = highest(best);
  }

  void compare_places(std::size_t a, const float* similar) {
    const std::size_t m = right_.words.size();
    by_place_.resize(padded(m));
    for (std::size_t j = 0; j < m; ++j) by_place_[j] = similar[right_.number[j]];
    std::fill(by_place_.begin() + static_cast<std::ptrdiff_t>(m), by_place_.end(), 0.0f);
    for (std::int32_t t = left_.starts[a]; t < left_.starts[a + 1]; ++t) {
      const std::int32_t i = left_.sorted[t].second;
      const float place = left_.place[i];
      Floats best{};
      for (std::size_t j = 0; j < m; j += lanes) {
        Floats distance = at(right_.place, j) - place;
        distance = distance < 0.0f ? -distance : distance;
        const Floats s = at(by_place_, j) * (1.0f - 0.5f * distance);
        best = s > best ? s : best;
        Floats& other = at(right_.best_placed, j);
        other = s > other ? s : other;
      }
      left_.best_placed[i] = highest(best);
    }
  }

  // Finds the links of a left word at each of its places.
  void link(std::size_t a, const float* similar) {
    const float best = left_.best[a];
    if (best < least_linked) return;
    candidates_.clear();
    for (std::size_t b = 0; b < right_.different.size(); ++b) {
      if (similar[b] != best) continue;
      for (std::int32_t t = right_.starts[b]; t < right_.starts[b + 1]; ++t) {
        candidates_.push_back(right_.sorted[t].second);
      }
    }
    const auto n = static_cast<std::int64_t>(left_.words.size());
    const auto m = static_cast<std::int64_t>(right_.words.size());
    for (std::int32_t t = left_.starts[a]; t < left_.starts[a + 1]; ++t) {
      const std::int32_t i = left_.sorted[t].second;
      std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
      for (const std::int32_t j : candidates_) {
        const std::int64_t distance = std::abs(i * m - j * n);
        // Candidates are in the order of word numbers first.
        if (distance < nearest || (distance == nearest && j < links_[i])) {
          nearest = distance;
          links_[i] = j;
        }
      }
    }
  }

  // Shares of the steps from linked word to linked word that go to the next word, and that go forward.
  void count_steps(double* shares) const {
    std::int64_t steps = 0, next = 0, forward = 0;
    std::int32_t last = unlinked;
    for (const std::int32_t link : links_) {
      if (link == unlinked) continue;
      if (last != unlinked) {
        ++steps;
        next += link == last + 1;
        forward += link > last;
      }
      last = link;
    }
    shares[0] = steps == 0 ? 1.0 : static_cast<double>(next) / static_cast<double>(steps);
    shares[1] = steps == 0 ? 1.0 : static_cast<double>(forward) / static_cast<double>(steps);
  }

  double all_lost(Words words) const {
    double lost = 0.0;
    for (const std::int32_t word : words)
      lost += table_.rarity[word] > least_rare ? table_.rarity[word] : 0.0;
    return lost;
  }

  static float highest(const Floats& values) {
    float most = values[0];
    for (std::size_t k = 1; k < lanes; ++k) most = std::max(most, values[k]);
    return most;
  }

  // Columns first, first + 2 and first + 4, that of the worst word, and that of what is lost.
  void summarise(const Side& side, double* row, std::size_t first, std::size_t worst,
                 std::size_t lost) const {
    double matched = 0.0, cubed = 0.0, placed = 0.0, lowest = 1.0, missed = 0.0;
    for (std::size_t i = 0; i < side.words.size(); ++i) {
      const double weight = table_.rarity[side.words[i]];
      const double best = static_cast<double>(side.best[side.number[i]]);
      matched += weight * best;
      cubed += weight * (best * best * best);
      placed += weight * static_cast<double>(side.best_placed[i]);
      lowest = std::min(lowest, best + (1.0 - weight));
      missed += weight > least_rare ? weight * (1.0 - best) : 0.0;
    }
    row[first] = matched / side.weight;
    row[first + 2] = cubed / side.weight;
    row[first + 4] = placed / side.weight;
    row[worst] = lowest;
    row[lost] = missed;
  }

  double sum_cosine() const {
    double left = 0.0, right = 0.0, both = 0.0;
    for (std::size_t k = 0; k < table_.dimensions; ++k) {
      left += left_.sum[k] * left_.sum[k];
      right += right_.sum[k] * right_.sum[k];
      both += left_.sum[k] * right_.sum[k];
    }
    const auto is_zero = [](double square, double weight) { return square <= weight * weight * 1e-12; };
    if (is_zero(left, left_.weight) || is_zero(right, right_.weight)) return 0.0;
    return std::clamp(both / std::sqrt(left * right), 0.0, 1.0);
  }

  WeightedVectors table_;
  Side left_, right_;
  std::vector<float> cosines_;            // of different words of the left and of the right, which is padded
  std::vector<float> by_place_;           // similarities of a left word to every word of the right
  std::vector<std::int32_t> candidates_;  // places of the right that are most similar to a left word
  std::vector<std::int32_t> links_;       // of the words of the left
};

}  // namespace metaphrase::alignment
