// A set of up to 64 * Words positions of a sentence, one bit each.
#pragma once

#include <bit>
#include <cstdint>

namespace metaphrase {

// The loops have constant bounds, so the compiler unrolls them; a single-word mask costs what a std::uint64_t
// does.
template <int Words>
struct Mask {
  static constexpr int capacity = 64 * Words;
  std::uint64_t word[Words] = {};

  // The set {0, ..., count - 1}.
  static Mask prefix(int count) {
    Mask mask;
    for (int w = 0; w < Words; ++w) {
      const int bits = count - 64 * w;
      mask.word[w] = bits >= 64 ? ~std::uint64_t{0} : bits <= 0 ? 0 : (std::uint64_t{1} << bits) - 1;
    }
    return mask;
  }

  bool any() const {
    std::uint64_t all = 0;
    for (int w = 0; w < Words; ++w) all |= word[w];
    return all != 0;
  }
  bool has(int bit) const { return word[bit >> 6] >> (bit & 63) & 1; }
  void add(int bit) { word[bit >> 6] |= std::uint64_t{1} << (bit & 63); }
  void remove(int bit) { word[bit >> 6] &= ~(std::uint64_t{1} << (bit & 63)); }

  // The smallest element, -1 of the empty set.
  int first() const {
    for (int w = 0; w < Words; ++w) {
      if (word[w] != 0) return 64 * w + std::countr_zero(word[w]);
    }
    return -1;
  }

  // Every element moved down by `steps` (0 to 63); those that would fall below 0 are dropped.
  Mask down(int steps) const {
    if (steps == 0) return *this;
    Mask moved;
    for (int w = 0; w < Words; ++w) {
      moved.word[w] = word[w] >> steps;
      if (w + 1 < Words) moved.word[w] |= word[w + 1] << (64 - steps);
    }
    return moved;
  }

  Mask without(const Mask& other) const {
    Mask rest;
    for (int w = 0; w < Words; ++w) rest.word[w] = word[w] & ~other.word[w];
    return rest;
  }

  Mask& operator|=(const Mask& other) {
    for (int w = 0; w < Words; ++w) word[w] |= other.word[w];
    return *this;
  }
  Mask& operator&=(const Mask& other) {
    for (int w = 0; w < Words; ++w) word[w] &= other.word[w];
    return *this;
  }
  Mask& operator^=(const Mask& other) {
    for (int w = 0; w < Words; ++w) word[w] ^= other.word[w];
    return *this;
  }
  friend Mask operator|(Mask a, const Mask& b) { return a |= b; }
  friend Mask operator&(Mask a, const Mask& b) { return a &= b; }
  friend Mask operator^(Mask a, const Mask& b) { return a ^= b; }

  // Calls `visit(element)` in ascending order.
  template <class Visit>
  void each(Visit&& visit) const {
    for (int w = 0; w < Words; ++w) {
      for (std::uint64_t rest = word[w]; rest != 0; rest &= rest - 1) visit(64 * w + std::countr_zero(rest));
    }
  }
};

}  // namespace metaphrase
