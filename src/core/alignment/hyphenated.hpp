// Where the parts of a hyphenated word stand in a row among the words of the other sentence.
//
// A token may have thousands of parts and the other sentence thousands of words, and with few different ones
// among them nearly every part begins a run in common with nearly every word. All that the aligners ask is
// answered by the longest run of parts that ends with each word, which the suffix automaton of the parts
// gives in one pass (Blumer et al. 1985): steps are in proportion to parts and words, not to their product.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace metaphrase::alignment {

// The longest run of parts that ends with a word, and where it first begins among them. A word that is no
// part has a length of 0.
struct RunOfParts {
  std::int32_t length = 0, first = 0;
};

class HyphenatedParts {
 public:
  using Sequence = std::span<const std::int32_t>;

  void read(Sequence parts, Sequence words) {
    build(parts);
    runs_.clear();
    singles_.clear();
    longest_ = 0;
    std::int32_t state = 0, length = 0;
    for (const std::int32_t word : words) {
      auto next = states_[state].next.find(word);
      for (; next == states_[state].next.end() && state != 0; next = states_[state].next.find(word)) {
        state = states_[state].suffix;
        length = states_[state].length;
        ++steps_;
      }
      if (next == states_[state].next.end()) {
        runs_.push_back({});
        singles_.push_back(-1);
      } else {
        state = next->second;
        ++length;
        runs_.push_back({length, states_[state].first_end - length + 1});
        singles_.push_back(states_[states_[0].next.find(word)->second].first_end);
      }
      longest_ = std::max(longest_, runs_.back().length);
      ++steps_;
    }
  }

  // Whether two words in a row are two parts in a row.
  bool shares_run() const { return longest_ >= 2; }

  // Calls `take(word)` for every word of a common run of two or more.
  template <class Take>
  void for_words_in_runs(Take&& take) const {
    std::int32_t next = 0;
    for (std::int32_t end = 0; end < size(); ++end) {
      if (runs_[end].length < 2) continue;
      for (std::int32_t word = std::max(next, end - runs_[end].length + 1); word <= end; ++word) take(word);
      next = end + 1;
    }
  }

  // Of all common runs of two or more that have a word that is `free(word)`, the first in the order of
  // CommonRuns::find; returns its first such word, or -1. A longer run that has that word as well would come
  // before, so that only the longest that end at each word matter. `parts_first`: where runs are equally
  // long, the one that begins first among the parts comes first, otherwise the one that does among the words.
  template <class Free>
  std::int32_t first_free_in_runs(bool parts_first, Free&& free) const {
    std::int32_t found = -1, last_free = -1, length = 1, first = 0;
    for (std::int32_t end = 0; end < size(); ++end) {
      if (free(end)) last_free = end;
      const std::int32_t begin = end - runs_[end].length + 1;
      if (last_free < begin || runs_[end].length < 2) continue;
      const bool better = runs_[end].length > length ||
                          (runs_[end].length == length && parts_first && runs_[end].first < first);
      if (!better) continue;
      length = runs_[end].length;
      first = runs_[end].first;
      found = begin;
    }
    if (found < 0) return found;
    while (!free(found)) ++found;
    return found;
  }

  // Calls `take(word)` for every word that is a part.
  template <class Take>
  void for_single_words(Take&& take) const {
    for (std::int32_t word = 0; word < size(); ++word) {
      if (singles_[word] >= 0) take(word);
    }
  }

  // Of the words that are a part and `wanted(word)`, the first by its place among the parts or, if not
  // `parts_first`, among the words; -1 if there is none.
  template <class Wanted>
  std::int32_t first_single(bool parts_first, Wanted&& wanted) const {
    std::int32_t found = -1;
    for (std::int32_t word = 0; word < size(); ++word) {
      if (singles_[word] < 0 || !wanted(word)) continue;
      if (found < 0 || (parts_first && singles_[word] < singles_[found])) found = word;
      if (!parts_first) break;
    }
    return found;
  }

  // What has been done since the beginning, for those who check that it does not explode.
  std::size_t steps() const { return steps_; }

 private:
  struct State {
    std::int32_t length = 0, suffix = -1;
    std::int32_t first_end = -1;  // the last part of the first occurrence
    std::map<std::int32_t, std::int32_t> next;
  };

  std::int32_t size() const { return static_cast<std::int32_t>(runs_.size()); }

  void build(Sequence parts) {
    states_.assign(1, State{});
    std::int32_t last = 0;
    for (const std::int32_t part : parts) last = extend(last, part);
  }

  std::int32_t extend(std::int32_t last, std::int32_t part) {
    const std::int32_t added = add({states_[last].length + 1, 0, states_[last].length, {}});
    std::int32_t before = last;
    for (; before >= 0 && states_[before].next.emplace(part, added).second; before = states_[before].suffix) {
      ++steps_;
    }
    if (before < 0) return added;
    const std::int32_t other = states_[before].next.at(part);
    if (states_[other].length == states_[before].length + 1) {
      states_[added].suffix = other;
      return added;
    }
    const std::int32_t copy = add(states_[other]);
    states_[copy].length = states_[before].length + 1;
    states_[added].suffix = states_[other].suffix = copy;
    for (; before >= 0; before = states_[before].suffix) {
      const auto next = states_[before].next.find(part);
      if (next == states_[before].next.end() || next->second != other) break;
      next->second = copy;
      ++steps_;
    }
    return added;
  }

  std::int32_t add(State state) {
    steps_ += 1 + state.next.size();
    states_.push_back(std::move(state));
    return static_cast<std::int32_t>(states_.size()) - 1;
  }

  std::vector<State> states_;
  std::vector<RunOfParts> runs_;       // by word
  std::vector<std::int32_t> singles_;  // by word: where it first stands among the parts, or -1
  std::int32_t longest_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace metaphrase::alignment
