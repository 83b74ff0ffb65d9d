// Distributional word classes by the exchange algorithm (Martin, Liermann and Ney 1998): every word moves to
// the class that most raises the likelihood of a class bigram model, until few words move.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace metaphrase::training {

class ExchangeClustering {
 public:
  // `tokens` are word numbers below `words`, most frequent words first; a negative number ends a sentence.
  ExchangeClustering(const std::int32_t* tokens, std::size_t size, std::size_t words, std::size_t classes)
      : words_(words), classes_(classes) {
    count_bigrams(tokens, size);
    // The usual start: the most frequent words have a class each, the others share the last one.
    assigned_.resize(words + 1);
    for (std::size_t w = 0; w < words; ++w) assigned_[w] = static_cast<std::int32_t>(w % classes);
    assigned_[words] = static_cast<std::int32_t>(classes);  // the boundary of sentences, which never moves
    total_ = classes + 1;
    pairs_.assign(total_ * total_, 0);
    left_sum_.assign(total_, 0);
    right_sum_.assign(total_, 0);
    for (std::size_t w = 0; w <= words; ++w) {
      for (std::size_t i = next_begin_[w]; i < next_begin_[w + 1]; ++i) {
        pairs_[assigned_[w] * total_ + assigned_[next_[i].word]] += next_[i].count;
        left_sum_[assigned_[w]] += next_[i].count;
        right_sum_[assigned_[next_[i].word]] += next_[i].count;
      }
    }
    logs_.resize(1 << 16);
    for (std::size_t n = 1; n < logs_.size(); ++n) {
      const auto x = static_cast<double>(n);
      logs_[n] = static_cast<float>(x * std::log(x));
    }
  }

  // One pass over all words; the number of words that moved.
  std::size_t pass() {
    std::size_t moved = 0;
    for (std::size_t w = 0; w < words_; ++w) moved += improve(w);
    return moved;
  }

  const std::vector<std::int32_t>& assigned() const { return assigned_; }

 private:
  struct Neighbour {
    std::uint32_t word, count;
  };

  double nlogn(std::int64_t n) const {
    if (n <= 0) return 0;
    const auto x = static_cast<double>(n);
    return n < static_cast<std::int64_t>(logs_.size()) ? logs_[n] : x * std::log(x);
  }

  void count_bigrams(const std::int32_t* tokens, std::size_t size) {
    std::vector<std::uint64_t> bigrams;
    bigrams.reserve(size + 1);
    std::uint64_t previous = words_;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t word = tokens[i] < 0 ? words_ : static_cast<std::uint64_t>(tokens[i]);
      if (word != words_ || previous != words_) bigrams.push_back(previous << 32 | word);
      previous = word;
    }
    build(bigrams, next_, next_begin_);
    for (std::uint64_t& bigram : bigrams) bigram = bigram << 32 | bigram >> 32;
    build(bigrams, before_, before_begin_);
  }

  void build(std::vector<std::uint64_t>& bigrams, std::vector<Neighbour>& list,
             std::vector<std::size_t>& begin) {
    std::sort(bigrams.begin(), bigrams.end());
    begin.assign(words_ + 2, 0);
    for (std::size_t i = 0; i < bigrams.size();) {
      std::size_t j = i;
      while (j < bigrams.size() && bigrams[j] == bigrams[i]) ++j;
      list.push_back({static_cast<std::uint32_t>(bigrams[i]), static_cast<std::uint32_t>(j - i)});
      ++begin[(bigrams[i] >> 32) + 1];
      i = j;
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
  }

  // Counts of the classes beside `w` on one side.
  void beside(const std::vector<Neighbour>& list, std::size_t first, std::size_t last, std::size_t w,
              std::vector<std::int64_t>& counts, std::vector<std::int32_t>& present, std::int64_t& self) {
    for (const std::int32_t c : present) counts[c] = 0;
    present.clear();
    counts.resize(total_);
    self = 0;
    for (std::size_t i = first; i < last; ++i) {
      if (list[i].word == w) {
        self = list[i].count;
        continue;
      }
      const std::int32_t c = assigned_[list[i].word];
      if (counts[c] == 0) present.push_back(c);
      counts[c] += list[i].count;
    }
  }

  void shift(std::int32_t c, int sign) {
    std::int64_t after = 0, before = 0;
    for (const std::int32_t r : right_) {
      pairs_[c * total_ + r] += sign * right_counts_[r];
      after += right_counts_[r];
    }
    for (const std::int32_t l : left_) {
      pairs_[l * total_ + c] += sign * left_counts_[l];
      before += left_counts_[l];
    }
    pairs_[c * total_ + c] += sign * self_;
    left_sum_[c] += sign * (after + self_);
    right_sum_[c] += sign * (before + self_);
    following_ = after + self_;
    preceding_ = before + self_;
  }

  // Gain in log-likelihood of putting the word, now in no class, into class `c`.
  double gain(std::int32_t c) const {
    double sum = 0;
    const std::int64_t own_right = right_counts_[c], own_left = left_counts_[c];
    for (const std::int32_t r : right_) {
      if (r == c) continue;
      const std::int64_t n = pairs_[c * total_ + r];
      sum += nlogn(n + right_counts_[r]) - nlogn(n);
    }
    for (const std::int32_t l : left_) {
      if (l == c) continue;
      const std::int64_t n = pairs_[l * total_ + c];
      sum += nlogn(n + left_counts_[l]) - nlogn(n);
    }
    const std::int64_t own = pairs_[c * total_ + c];
    sum += nlogn(own + own_right + own_left + self_) - nlogn(own);
    sum -= nlogn(left_sum_[c] + following_) - nlogn(left_sum_[c]);
    sum -= nlogn(right_sum_[c] + preceding_) - nlogn(right_sum_[c]);
    return sum;
  }

  bool improve(std::size_t w) {
    const std::int32_t old = assigned_[w];
    beside(next_, next_begin_[w], next_begin_[w + 1], w, right_counts_, right_, self_);
    beside(before_, before_begin_[w], before_begin_[w + 1], w, left_counts_, left_, self_);
    shift(old, -1);
    std::int32_t best = old;
    double most = gain(old) + 1e-6;
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(classes_); ++c) {
      if (c == old) continue;
      if (const double value = gain(c); value > most) most = value, best = c;
    }
    assigned_[w] = best;
    shift(best, +1);
    return best != old;
  }

  std::size_t words_, classes_, total_ = 0;
  std::vector<Neighbour> next_, before_;
  std::vector<std::size_t> next_begin_, before_begin_;
  std::vector<std::int32_t> assigned_;
  std::vector<std::int64_t> pairs_, left_sum_, right_sum_;
  std::vector<float> logs_;
  std::vector<std::int64_t> right_counts_, left_counts_;
  std::vector<std::int32_t> right_, left_;
  std::int64_t self_ = 0, following_ = 0, preceding_ = 0;
};

}  // namespace metaphrase::training
