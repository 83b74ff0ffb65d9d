// Vectors of words from raw text: structured skip-grams (Ling et al. 2015) with negative samples.
//
// A word predicts its neighbours, with a table of outputs for each place of the window: what stands left of a
// word and what stands right of it tell different things of its syntax. One thread, sums in a fixed order:
// the same text gives the same bits everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/dense.hpp"
#include "base/random_sequence.hpp"

namespace metaphrase::training {

struct VectorOptions {
  std::size_t size = 64;  // a multiple of 8
  int window = 2;         // places on either side
  int negatives = 5;
  int epochs = 5;
  double rate = 0.05;
  double frequent = 1e-4;  // words with a larger share of the text are read less often
  std::uint64_t seed = 1;
};

class SkipGrams {
 public:
  // `tokens` are word numbers below `words`; a negative number ends a sentence.
  SkipGrams(const std::int32_t* tokens, std::size_t size, std::size_t words, const VectorOptions& options)
      : tokens_(tokens), size_(size), options_(options), random_(options.seed) {
    inputs_.resize(words * options.size);
    for (float& value : inputs_)
      value = static_cast<float>((random_.uniform() - 0.5) / static_cast<double>(options.size));
    outputs_.assign(2 * options.window * words * options.size, 0.0f);
    std::vector<std::uint64_t> counts(words);
    for (std::size_t i = 0; i < size; ++i) {
      if (tokens[i] >= 0) ++counts[tokens[i]], ++total_;
    }
    kept_.resize(words);
    double weight = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const double ratio = static_cast<double>(counts[w]) / (options.frequent * static_cast<double>(total_));
      kept_[w] = ratio > 1 ? static_cast<float>(1 / std::sqrt(ratio)) : 1.0f;
      const double root = std::sqrt(static_cast<double>(counts[w]));
      weight += root * std::sqrt(root);  // to the power of 3/4, as Mikolov et al. (2013) sample
      bounds_.push_back(weight);
    }
    draws_.resize(std::size_t{1} << 20);
    std::size_t word = 0;
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      const double at = weight * (static_cast<double>(i) + 0.5) / static_cast<double>(draws_.size());
      while (word + 1 < words && bounds_[word] < at) ++word;
      draws_[i] = static_cast<std::int32_t>(word);
    }
  }

  // The vectors, scaled to a mean square of a quarter.
  std::vector<float> train() {
    const double all = static_cast<double>(size_) * options_.epochs;
    std::size_t done = 0;
    for (int epoch = 0; epoch < options_.epochs; ++epoch) {
      for (std::size_t begin = 0; begin < size_;) {
        std::size_t end = begin;
        while (end < size_ && tokens_[end] >= 0) ++end;
        const double left = 1 - static_cast<double>(done) / all;
        learn_sentence(begin, end, static_cast<float>(options_.rate * std::max(left, 1e-3)));
        done += end + 1 - begin;
        begin = end + 1;
      }
    }
    double squares = 0;
    for (const float value : inputs_) squares += static_cast<double>(value) * value;
    const auto scale =
        static_cast<float>(0.5 / std::sqrt(squares / static_cast<double>(inputs_.size()) + 1e-12));
    for (float& value : inputs_) value *= scale;
    return inputs_;
  }

 private:
  static constexpr std::size_t lanes = 8;

  void learn_sentence(std::size_t begin, std::size_t end, float rate) {
    sentence_.clear();
    for (std::size_t i = begin; i < end; ++i) {
      // The sentence keeps its places: a frequent word is no centre and no target, but still in the way.
      sentence_.push_back(random_.uniform() < kept_[tokens_[i]] ? tokens_[i] : -1);
    }
    const auto length = static_cast<std::ptrdiff_t>(sentence_.size());
    for (std::ptrdiff_t i = 0; i < length; ++i) {
      if (sentence_[i] < 0) continue;
      change_.fill(0.0f);
      float* centre = inputs_.data() + sentence_[i] * options_.size;
      for (int place = -options_.window; place <= options_.window; ++place) {
        const std::ptrdiff_t at = i + place;
        if (place == 0 || at < 0 || at >= length) continue;
        const int table = place < 0 ? place + options_.window : place + options_.window - 1;
        learn_pair(centre, table, tokens_[begin + at], 1.0f, rate);
        for (int n = 0; n < options_.negatives; ++n) {
          const std::int32_t other = draws_[random_.next() & (draws_.size() - 1)];
          if (other != tokens_[begin + at]) learn_pair(centre, table, other, 0.0f, rate);
        }
      }
      for (std::size_t j = 0; j < options_.size; ++j) centre[j] += change_[j];
    }
  }

  void learn_pair(const float* centre, int table, std::int32_t word, float truth, float rate) {
    float* target = outputs_.data() + (table * kept_.size() + word) * options_.size;
    std::array<float, lanes> sums{};
    for (std::size_t j = 0; j < options_.size; j += lanes) {
      for (std::size_t k = 0; k < lanes; ++k) sums[k] += centre[j + k] * target[j + k];
    }
    const float score =
        ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    const float step = rate * (truth - 1.0f / (1.0f + exponential(-score)));
    for (std::size_t j = 0; j < options_.size; ++j) {
      change_[j] += step * target[j];
      target[j] += step * centre[j];
    }
  }

  const std::int32_t* tokens_;
  std::size_t size_, total_ = 0;
  VectorOptions options_;
  RandomSequence random_;
  std::vector<float> inputs_, outputs_, kept_;
  std::vector<double> bounds_;
  std::vector<std::int32_t> draws_, sentence_;
  std::array<float, 256> change_{};
};

}  // namespace metaphrase::training
