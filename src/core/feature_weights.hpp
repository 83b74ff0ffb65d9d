// The rows of a linear model, found by feature key: for each feature the few labels it speaks for or against.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace metaphrase {

struct LabelWeight {
  std::uint16_t label;
  std::int16_t weight;
};

class FeatureWeights {
 public:
  FeatureWeights() { reserve(0); }

  void reserve(std::size_t features) {
    slots_.assign(std::bit_ceil(features * 2 + 2), Slot{0, 0});
    mask_ = static_cast<std::uint32_t>(slots_.size() - 1);
    rows_.assign(1, LabelWeight{0, 0});  // row 0 is empty: what an unknown feature finds
  }

  // Keys must be given once each, and no more of them than were reserved.
  void insert(std::uint32_t key, std::span<const LabelWeight> row) {
    std::uint32_t at = spread(key);
    while (slots_[at].row != 0) at = (at + 1) & mask_;
    slots_[at] = {key, static_cast<std::uint32_t>(rows_.size())};
    rows_.push_back({static_cast<std::uint16_t>(row.size()), 0});
    rows_.insert(rows_.end(), row.begin(), row.end());
  }

  // Adds the rows of all `keys` to `scores`. The table is larger than the processor's caches, so that all
  // addresses are asked for before any is needed.
  void add_rows(std::span<const std::uint32_t> keys, std::int16_t* scores) const {
    std::array<const LabelWeight*, most_keys> rows;
    for (const std::uint32_t key : keys) __builtin_prefetch(&slots_[spread(key)]);
    std::size_t found = 0;
    for (const std::uint32_t key : keys) {
      const LabelWeight* row = rows_.data() + row_of(key);
      __builtin_prefetch(row);
      rows[found] = row;
      found += row != rows_.data();
    }
    for (std::size_t i = 0; i < found; ++i) {
      const LabelWeight* entry = rows[i] + 1;
      for (const LabelWeight* end = entry + rows[i]->label; entry != end; ++entry) {
        scores[entry->label] = static_cast<std::int16_t>(scores[entry->label] + entry->weight);
      }
    }
  }
  static constexpr std::size_t most_keys = 48;

 private:
  struct Slot {
    std::uint32_t key, row;
  };
  std::uint32_t row_of(std::uint32_t key) const {
    for (std::uint32_t at = spread(key); slots_[at].row != 0; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return slots_[at].row;
    }
    return 0;
  }
  // Keys are hashes already; their low bits serve as the address.
  std::uint32_t spread(std::uint32_t key) const { return key & mask_; }

  std::vector<Slot> slots_;
  std::vector<LabelWeight> rows_;
  std::uint32_t mask_ = 0;
};

}  // namespace metaphrase
