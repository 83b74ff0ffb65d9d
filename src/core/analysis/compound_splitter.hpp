// Splits a compound into the words that it is made of: the split p1…pn, n >= 1, with the largest geometric
// mean of the parts' frequencies (Koehn and Knight 2003, as TESLA uses it in its section 5.2; METRICS 3.1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/elementary.hpp"
#include "base/unicode.hpp"

namespace metaphrase::analysis {

// A part is [start, end) of the compound; the word itself ends at `stem`, before a linking element.
struct CompoundPart {
  std::uint32_t start, stem, end;
};

class CompoundSplitter {
 public:
  static constexpr std::size_t longest_word = 80;  // a longer one stays whole

  // `words` are in lower case. A part has `shortest` characters or more; `linking` lists what may stand
  // between two parts and belongs to neither.
  CompoundSplitter(const std::vector<std::u32string>& words, const std::vector<std::uint32_t>& counts,
                   std::size_t shortest, std::vector<std::u32string> linking)
      : shortest_(std::max<std::size_t>(shortest, 1)), linking_(std::move(linking)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (counts[i] == 0) continue;
      log_frequency_[words[i]] = elementary::log(static_cast<double>(counts[i]));
      longest_ = std::max(longest_, words[i].size());
    }
  }

  // The parts of `word`, in order; one part if nothing better is known. Fewer parts win among equal means,
  // then the split whose last parts are longest.
  std::vector<CompoundPart> split(std::u32string_view word) const {
    const auto size = static_cast<std::uint32_t>(word.size());
    const std::vector<CompoundPart> whole{{0, size, size}};
    if (size > longest_word || size < 2 * shortest_) return whole;
    std::u32string lower(word);
    for (char32_t& c : lower) c = to_lower(c);
    const std::size_t most = size / shortest_;
    // best[n][e]: the largest sum of logarithms of n parts that fill [0, e), and where the last one begins.
    std::vector<std::vector<State>> best(most + 1, std::vector<State>(size + 1));
    std::vector<Reading> readings(static_cast<std::size_t>(size) * (size + 1));  // looked up once each
    best[0][0] = {0, 0, 0, true};
    for (std::size_t n = 1; n <= most; ++n) {
      for (std::uint32_t end = static_cast<std::uint32_t>(n * shortest_); end <= size; ++end) {
        State& state = best[n][end];
        const std::uint32_t first =
            end > longest_ + longest_link ? end - static_cast<std::uint32_t>(longest_ + longest_link) : 0;
        for (std::uint32_t start = first; start + shortest_ <= end; ++start) {
          if (!best[n - 1][start].reached) continue;
          Reading& reading = readings[start * (size + 1) + end];
          if (!reading.sought) reading = read(lower, start, end);
          if (!reading.known) continue;
          const double sum = best[n - 1][start].sum + reading.log_frequency;
          if (!state.reached || sum > state.sum) state = {sum, start, reading.stem, true};
        }
      }
    }
    std::size_t parts = 0;
    double mean = 0;
    for (std::size_t n = 1; n <= most; ++n) {
      const State& state = best[n][size];
      if (state.reached && (parts == 0 || state.sum / static_cast<double>(n) > mean)) {
        parts = n;
        mean = state.sum / static_cast<double>(n);
      }
    }
    if (parts <= 1) return whole;
    std::vector<CompoundPart> split(parts);
    std::uint32_t end = size;
    for (std::size_t n = parts; n > 0; --n) {
      const State& state = best[n][end];
      split[n - 1] = {state.start, state.stem, end};
      end = state.start;
    }
    return split;
  }

 private:
  static constexpr std::size_t longest_link = 4;

  struct State {
    double sum = 0;
    std::uint32_t start = 0, stem = 0;
    bool reached = false;
  };
  struct Reading {
    double log_frequency = 0;
    std::uint32_t stem = 0;
    bool known = false, sought = false;
  };

  // The most frequent word that [start, end) may be; a linking element is never the end of the compound.
  Reading read(std::u32string_view word, std::uint32_t start, std::uint32_t end) const {
    Reading best;
    best.sought = true;
    consider(word, start, end, best);
    if (end == word.size()) return best;
    const std::u32string_view part = word.substr(start, end - start);
    for (const std::u32string& link : linking_) {
      if (link.size() > longest_link || part.size() < shortest_ + link.size() || !part.ends_with(link))
        continue;
      consider(word, start, end - static_cast<std::uint32_t>(link.size()), best);
    }
    return best;
  }

  void consider(std::u32string_view word, std::uint32_t start, std::uint32_t stem, Reading& best) const {
    const auto found = log_frequency_.find(std::u32string(word.substr(start, stem - start)));
    if (found == log_frequency_.end()) return;
    if (!best.known || found->second > best.log_frequency) best = {found->second, stem, true, true};
  }

  std::size_t shortest_, longest_ = 0;
  std::vector<std::u32string> linking_;
  std::unordered_map<std::u32string, double> log_frequency_;
};

}  // namespace metaphrase::analysis
