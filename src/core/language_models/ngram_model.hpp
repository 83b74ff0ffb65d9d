// A back-off language model as a tree: below each n-gram stand the words that may follow it.
//
// Level k holds the n-grams of k words. The children of one n-gram, which are n-grams of one word more, lie
// together in the next level, in the order of their last words' numbers. Numbers 0, 1 and 2 are the unknown
// word and the marks of a sentence's begin and end; the words follow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metaphrase::language_models {

inline constexpr std::uint32_t unknown_word = 0, sentence_begin = 1, sentence_end = 2, first_word = 3;
inline constexpr std::string_view special_words[] = {"<unk>", "<s>", "</s>"};
inline constexpr int highest_order = 5;
inline constexpr std::size_t longest_word = 255;  // bytes
// The logarithm that stands for a probability of zero, as in SRILM's files: nothing predicts <s>.
inline constexpr double never = -99;

// Whether a model can hold a word, which ARPA files separate by blanks; any other is the unknown word.
inline bool holds_word(std::string_view word) {
  if (word.empty() || word.size() > longest_word) return false;
  if (std::find(std::begin(special_words), std::end(special_words), word) != std::end(special_words))
    return false;
  return word.find_first_of(std::string_view(" \t\n\r\v\f\0", 7)) == std::string_view::npos;
}

struct NgramLevel {
  std::vector<std::uint32_t> words;         // the last word of each n-gram
  std::vector<double> log_probabilities;    // to base 10
  std::vector<double> log_back_offs;        // empty in the last level
  std::vector<std::uint32_t> child_starts;  // one more than there are n-grams; empty in the last level

  std::size_t size() const { return words.size(); }
};

struct NgramModel {
  std::vector<std::string> vocabulary;
  std::vector<NgramLevel> levels;

  int order() const { return static_cast<int>(levels.size()); }
};

// How the n-grams of one level have been discounted: what is taken from counts of 1, 2 and more.
struct Discounts {
  double amounts[3] = {0.5, 1, 1.5};
  bool estimated = false;  // from counts of counts, or else the amounts above

  double operator()(std::uint64_t count) const {
    return count == 0 ? 0.0 : amounts[std::min<std::uint64_t>(count, 3) - 1];
  }
};

// The words of consecutive n-grams of a level: each step goes on to the next of them.
class NgramPath {
 public:
  NgramPath(const NgramModel& model, int order, std::size_t first) : model_(model), nodes_(order) {
    nodes_.back() = first;
    for (int level = order - 2; level >= 0; --level) {
      const auto& starts = model.levels[level].child_starts;
      const auto after = std::upper_bound(starts.begin(), starts.end(), nodes_[level + 1]);
      nodes_[level] = static_cast<std::size_t>(after - starts.begin()) - 1;
    }
  }

  std::uint32_t word(int place) const { return model_.levels[place].words[nodes_[place]]; }

  void advance() {
    ++nodes_.back();
    for (std::size_t level = nodes_.size() - 1; level-- > 0;) {
      const auto& starts = model_.levels[level].child_starts;
      while (nodes_[level] + 1 < starts.size() - 1 && starts[nodes_[level] + 1] <= nodes_[level + 1])
        ++nodes_[level];
    }
  }

 private:
  const NgramModel& model_;
  std::vector<std::size_t> nodes_;
};

}  // namespace metaphrase::language_models
