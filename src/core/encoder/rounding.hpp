// Rows of floats as whole numbers, eight at a time. Rows have a multiple of eight cells.
//
// What is here is elementwise, or a largest number, or a sum of whole numbers: no width of registers and no
// order can change it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/dense.hpp"

namespace metaphrase::encoder {

typedef std::int16_t Shorts __attribute__((vector_size(16)));
constexpr std::size_t lanes = 8;

// As nearest().
METAPHRASE_INLINE void nearest_all(const Floats& values, Integers& rounded) {
  rounded = (Integers)(values + 12582912.0f) - 0x4B400000;
}

METAPHRASE_INLINE void take_largest(const Floats& values, Floats& largest) {
  const Floats size = values < Floats{} ? -values : values;
  largest = size > largest ? size : largest;
}

// The largest magnitude of a row; never 0, so that it can be divided by.
METAPHRASE_INLINE float largest_of(const float* row, std::size_t cells) {
  Floats largest = Floats{} + 1e-20f;
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values;
    load(values, row + i);
    take_largest(values, largest);
  }
  float found = largest[0];
  for (std::size_t i = 1; i < lanes; ++i) found = std::max(found, largest[i]);
  return found;
}

METAPHRASE_INLINE void round_cells(const float* row, std::size_t cells, float factor, std::int16_t* rounded) {
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values;
    load(values, row + i);
    Integers whole;
    nearest_all(values * factor, whole);
    store(rounded + i, __builtin_convertvector(whole, Shorts));
  }
}

// Rounds a row so that its largest cell becomes `bound`; returns what a unit is worth.
METAPHRASE_INLINE float round_row(const float* row, std::size_t cells, float bound, std::int16_t* rounded) {
  const float largest = largest_of(row, cells);
  round_cells(row, cells, bound / largest, rounded);
  return largest / bound;
}

// The same of a row that is divided by the root of its mean square. Squares are those of what was rounded:
// as whole numbers they have an exact sum.
METAPHRASE_INLINE float round_normed_row(const float* row, std::size_t cells, float bound,
                                         std::int16_t* rounded) {
  constexpr double epsilon = 0x1p-23;          // PyTorch's: that of floats
  constexpr std::size_t at_once = 32 * lanes;  // 32 * 8191^2 < 2^31
  const float factor = bound / largest_of(row, cells);
  std::int64_t squares = 0;
  for (std::size_t first = 0; first < cells; first += at_once) {
    Integers sums = {};
    for (std::size_t i = first; i < std::min(cells, first + at_once); i += lanes) {
      Floats values;
      load(values, row + i);
      Integers whole;
      nearest_all(values * factor, whole);
      store(rounded + i, __builtin_convertvector(whole, Shorts));
      sums += whole * whole;
    }
    for (std::size_t i = 0; i < lanes; ++i) squares += sums[i];
  }
  const double up = factor;
  return static_cast<float>(
      1.0 / std::sqrt(static_cast<double>(squares) / static_cast<double>(cells) + epsilon * up * up));
}

}  // namespace metaphrase::encoder
