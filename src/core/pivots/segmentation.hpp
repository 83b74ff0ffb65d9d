// The most probable way to cut a sentence into phrases of a table (TESLA, Eq. 1 and 2; METRICS 3.6).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/elementary.hpp"
#include "pivots/table.hpp"

namespace metaphrase::pivots {

// Words from `begin`; `node` is the phrase, or absent for one word that the table does not have.
struct Segment {
  std::uint32_t begin, length, node;
};

// Maximises the product (Eq. 2) of Pr(p) = N(p) / total (Eq. 1). Logarithms are rounded to 2^-32 and added as
// integers, so that two cuts into the same phrases in another order tie exactly: then the one with fewer
// phrases is taken, and among these the one whose first phrase, else second, … is longer.
class Segmenter {
 public:
  explicit Segmenter(const Table& table)
      : table_(table),
        log_total_(elementary::log2(std::max<double>(1.0, static_cast<double>(table.total())))) {}

  // `words` are numbers of the table's words, or absent.
  void segment(std::span<const std::uint32_t> words, std::vector<Segment>& segments) {
    const std::size_t size = words.size();
    best_.assign(size + 1, {});
    for (std::size_t begin = size; begin-- > 0;) {
      Step& best = best_[begin];
      best = after(begin, 1, Table::absent, unknown);
      std::uint32_t node = words[begin];
      for (std::size_t length = 1; node != Table::absent; ++length) {
        if (const std::uint32_t count = table_.count(node); count > 0) {
          const Step step = after(begin, length, node, count);
          // Longer ones come later and win ties. A word of its own is never unknown as well.
          if (length == 1 || !(best < step)) best = step;
        }
        if (length == most_words || begin + length == size) break;
        const std::uint32_t next = words[begin + length];
        node = next == Table::absent ? Table::absent : table_.child(node, next);
      }
    }
    segments.clear();
    for (std::size_t begin = 0; begin < size; begin += best_[begin].length) {
      segments.push_back({static_cast<std::uint32_t>(begin), best_[begin].length, best_[begin].node});
    }
  }

 private:
  static constexpr double unknown = 0.5;  // N(w) of a word that was never seen
  static constexpr double unit = 4294967296.0;

  struct Step {
    std::int64_t cost = 0;
    std::uint32_t phrases = 0, length = 0, node = Table::absent;

    bool operator<(const Step& other) const {
      return cost != other.cost ? cost < other.cost : phrases < other.phrases;
    }
  };

  Step after(std::size_t begin, std::size_t length, std::uint32_t node, double count) const {
    const Step& rest = best_[begin + length];
    return {rest.cost + std::llround((log_total_ - elementary::log2(count)) * unit), rest.phrases + 1,
            static_cast<std::uint32_t>(length), node};
  }

  const Table& table_;
  double log_total_;
  std::vector<Step> best_;
};

}  // namespace metaphrase::pivots
