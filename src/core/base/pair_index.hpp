// Dense numbers for pairs of numbers: how sequences are interned, one element at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace metaphrase {

// An open-addressing hash table; pairs are numbered from 0 in the order of insertion.
class PairIndex {
 public:
  PairIndex() : slots_(16, empty) {}

  std::int32_t size() const { return static_cast<std::int32_t>(pairs_.size()); }
  std::int32_t first(std::int32_t id) const { return static_cast<std::int32_t>(pairs_[id] >> 32); }
  std::int32_t second(std::int32_t id) const { return static_cast<std::int32_t>(pairs_[id]); }

  // The number of the pair, -1 if it was never inserted.
  std::int32_t find(std::int32_t first, std::int32_t second) const {
    return slots_[slot(pack(first, second))];
  }

  std::int32_t insert(std::int32_t first, std::int32_t second) {
    const std::uint64_t pair = pack(first, second);
    const std::size_t s = slot(pair);
    if (slots_[s] != empty) return slots_[s];
    const std::int32_t id = size();
    pairs_.push_back(pair);
    slots_[s] = id;
    if (pairs_.size() * 2 > slots_.size()) grow();
    return id;
  }

 private:
  static constexpr std::int32_t empty = -1;

  static std::uint64_t pack(std::int32_t first, std::int32_t second) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32 |
           static_cast<std::uint32_t>(second);
  }

  std::size_t slot(std::uint64_t pair) const {
    // The finaliser of SplitMix64 (Steele, Lea & Flood 2014): nearby pairs must not share slots.
    std::uint64_t hash = pair;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    std::size_t s = (hash ^ (hash >> 31)) & (slots_.size() - 1);
    while (slots_[s] != empty && pairs_[slots_[s]] != pair) s = (s + 1) & (slots_.size() - 1);
    return s;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, empty);
    for (std::int32_t id = 0; id < size(); ++id) slots_[slot(pairs_[id])] = id;
  }

  std::vector<std::uint64_t> pairs_;
  std::vector<std::int32_t> slots_;
};

}  // namespace metaphrase
