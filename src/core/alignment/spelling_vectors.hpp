// Vectors of words by their spelling, so that words that are spelt alike are alike.
//
// src/metaphrase/matching/spelling_vectors.py defines them. The counts are integers, and all that is rounded
// is a root, a quotient and its last bits as a float: every machine gets the same numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hashing.hpp"
#include "base/wide_integer.hpp"

namespace metaphrase::alignment {

class SpellingVectors {
 public:
  static constexpr std::size_t dimensions = 128;

  void spell(std::span<const std::int32_t> word, float* vector) {
    chars_.assign(1, U'<');
    for (const std::int32_t c : word) chars_.push_back(static_cast<char32_t>(c));
    chars_.push_back(U'>');

    std::array<std::int64_t, dimensions> counts{};
    const auto count = [&](std::uint64_t hash) {
      // Once more, as the last character has not reached all bits.
      const std::uint64_t mixed = mix(hash, 0);
      counts[mixed >> 57] += (mixed & 1) == 0 ? 1 : -1;
    };
    for (std::size_t i = 0; i + shortest <= chars_.size(); ++i) {
      std::uint64_t hash = hash_chars(std::u32string_view(chars_).substr(i, shortest));
      count(hash);
      const std::size_t end = std::min(i + longest, chars_.size());
      for (std::size_t k = i + shortest; k < end; ++k) {
        hash = mix(hash, chars_[k]);  // hash_chars of one character more
        count(hash);
      }
    }

    WideInteger square = 0;  // longer words than 2^30 characters may need more than 64 bits
    for (const std::int64_t c : counts) square += WideInteger{c} * c;
    const double length = square == 0 ? 1.0 : std::sqrt(nearest_double(square));
    for (std::size_t k = 0; k < dimensions; ++k) {
      vector[k] = static_cast<float>(static_cast<double>(counts[k]) / length);
    }
  }

 private:
  static constexpr std::size_t shortest = 2, longest = 4;

  std::u32string chars_;
};

}  // namespace metaphrase::alignment
