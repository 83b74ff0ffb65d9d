// How many n-grams two sequences of symbols have in common: chrF's sufficient statistics.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace metaphrase::counts {

// n-grams of the hypothesis get exact names: that of order n is the number of the pair of the name of its
// first n-1 symbols and its last symbol. An n-gram of the reference whose beginning has no name has none
// either, and is not looked for.
class NgramOverlap {
 public:
  using Symbols = std::span<const std::int32_t>;

  static constexpr std::size_t columns = 3;

  // For each order n-grams of the hypothesis, of the reference, and common ones. As in chrF, those of the
  // hypothesis are not counted where the reference has none.
  void count(Symbols hypothesis, Symbols reference, int orders, std::int64_t* row) {
    std::fill_n(row, columns * static_cast<std::size_t>(orders), 0);
    const std::size_t slots = std::bit_ceil(2 * hypothesis.size() + 1);
    names_.assign(hypothesis.size(), 0);
    reference_names_.assign(reference.size(), 0);
    for (int n = 1; n <= orders; ++n, row += columns) {
      if (reference.size() < static_cast<std::size_t>(n)) return;
      const std::size_t last = static_cast<std::size_t>(n) - 1;
      row[1] = static_cast<std::int64_t>(reference.size() - last);
      if (hypothesis.size() <= last) continue;
      row[0] = static_cast<std::int64_t>(hypothesis.size() - last);
      row[2] = matches(hypothesis, reference, last, slots);
    }
  }

 private:
  static constexpr std::int32_t none = -1;

  struct Slot {
    std::uint64_t key;
    std::int32_t name;
  };

  std::int64_t matches(Symbols hypothesis, Symbols reference, std::size_t last, std::size_t slots) {
    slots_.assign(slots, {0, none});
    counts_.clear();
    for (std::size_t i = 0; i + last < hypothesis.size(); ++i) {
      Slot& slot = find(key(names_[i], hypothesis[i + last]));
      if (slot.name == none) {
        slot = {key(names_[i], hypothesis[i + last]), static_cast<std::int32_t>(counts_.size())};
        counts_.push_back(0);
      }
      names_[i] = slot.name;
      ++counts_[slot.name];
    }
    std::int64_t common = 0;
    for (std::size_t i = 0; i + last < reference.size(); ++i) {
      std::int32_t& name = reference_names_[i];
      if (name == none) continue;
      name = find(key(name, reference[i + last])).name;
      if (name != none && counts_[name] > 0) {
        --counts_[name];
        ++common;
      }
    }
    return common;
  }

  static std::uint64_t key(std::int32_t beginning, std::int32_t symbol) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(beginning)) << 32 |
           static_cast<std::uint32_t>(symbol);
  }

  // The slot that has the key, or the free one where it belongs; at most half of them are taken.
  Slot& find(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = key * 0x9E3779B97F4A7C15ull;
    std::size_t at = (hash ^ hash >> 32) & mask;
    while (slots_[at].name != none && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }

  std::vector<std::int32_t> names_, reference_names_, counts_;
  std::vector<Slot> slots_;
};

}  // namespace metaphrase::counts
