// The longest common subsequence of two sequences of symbols: 64 cells of the table at a time.
//
// Heikki Hyyrö: Bit-Parallel LCS-length Computation Revisited. AWOCA 2004.
//
// With a bit for each symbol of the left, V has a 0 where the table's row rises from one cell to the next,
// and M_c a 1 where the left has the symbol c. From one symbol of the right to the next, V becomes (V + (V &
// M_c)) | (V & ~M_c), and in the end there are as many zeros as the subsequence is long. The bits are too
// many for one word: here the first 64 of them go through all of the right, leaving what they carry over at
// each symbol to the next 64, so that memory is linear.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/key_table.hpp"

namespace metaphrase::counts {

class CommonSubsequence {
 public:
  using Symbols = std::span<const std::int32_t>;

  std::int64_t length(Symbols left, Symbols right) {
    name(left, right);
    carries_.assign(right_.size(), 0);
    std::int64_t length = 0;
    for (std::size_t begin = 0; begin < left_.size(); begin += 64) {
      const std::size_t end = std::min(left_.size(), begin + 64);
      for (std::size_t i = begin; i < end; ++i) masks_[left_[i]] |= std::uint64_t{1} << (i - begin);
      length += std::popcount(~sweep());
      for (std::size_t i = begin; i < end; ++i) masks_[left_[i]] = 0;
    }
    return length;
  }

 private:
  // Symbols become the numbers of the different ones of the left; what the left lacks is left out of the
  // right.
  void name(Symbols left, Symbols right) {
    names_.reserve(left.size());
    masks_.clear();
    left_.clear();
    right_.clear();
    for (const std::int32_t symbol : left) {
      const std::uint32_t key = scramble(symbol);
      const std::int32_t* known = names_.find(key);
      if (known == nullptr) {
        left_.push_back(static_cast<std::int32_t>(masks_.size()));
        names_.insert(key, left_.back());
        masks_.push_back(0);
      } else {
        left_.push_back(*known);
      }
    }
    for (const std::int32_t symbol : right) {
      if (const std::int32_t* known = names_.find(scramble(symbol))) right_.push_back(*known);
    }
  }

  // V of 64 symbols of the left after all symbols of the right.
  std::uint64_t sweep() {
    std::uint64_t v = ~std::uint64_t{0};
    for (std::size_t j = 0; j < right_.size(); ++j) {
      const std::uint64_t mask = masks_[right_[j]];
      const std::uint64_t sum = v + (v & mask), carried = sum + carries_[j];
      carries_[j] = sum < v || carried < sum;
      v = carried | (v & ~mask);
    }
    return v;
  }

  // One to one, so that keys stand for symbols, and with low bits that depend on all bits: the constants are
  // those of MurmurHash3's last step.
  static std::uint32_t scramble(std::int32_t symbol) {
    auto bits = static_cast<std::uint32_t>(symbol);
    bits = (bits ^ bits >> 16) * 0x85EBCA6Bu;
    bits = (bits ^ bits >> 13) * 0xC2B2AE35u;
    return bits ^ bits >> 16;
  }

  KeyTable<std::int32_t> names_;
  std::vector<std::int32_t> left_, right_;
  std::vector<std::uint64_t> masks_;   // by name: where the 64 symbols of the left have it
  std::vector<std::uint8_t> carries_;  // by symbol of the right: what the 64 symbols before carry over
};

}  // namespace metaphrase::counts
