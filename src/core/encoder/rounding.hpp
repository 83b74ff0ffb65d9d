// Rows of floats as whole numbers, eight at a time. Rows have a multiple of eight cells.
//
// What is here is elementwise, or a largest number, or a sum in an order that is written down: no width of
// registers can change it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/dense.hpp"
#include "encoder/shape.hpp"

namespace metaphrase::encoder {

typedef std::int16_t Shorts __attribute__((vector_size(16)));
constexpr std::size_t lanes = 8;

// How many cells are computed at once, where it changes no result. As members, since a type that is an
// argument of a template loses what it says of alignment.
struct EightCells {
  typedef Floats Reals;
  typedef Integers Wholes;
  static constexpr std::size_t count = 8;
};
struct SixteenCells {  // a register of AVX-512
  typedef float Reals __attribute__((vector_size(64), aligned(4), may_alias));
  typedef std::int32_t Wholes __attribute__((vector_size(64)));
  static constexpr std::size_t count = 16;
};

// As nearest().
METAPHRASE_INLINE void nearest_all(const Floats& values, Integers& rounded) {
  rounded = (Integers)(values + 12582912.0f) - 0x4B400000;
}

METAPHRASE_INLINE void take_largest(const Floats& values, Floats& largest) {
  const Floats size = (Floats)((Integers)values & 0x7FFFFFFF);  // without the sign
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

// Rounds a row so that its largest cell becomes `bound`; returns what a unit is worth.
METAPHRASE_INLINE float round_row(const float* row, std::size_t cells, float bound, std::int16_t* rounded) {
  const float largest = largest_of(row, cells), factor = bound / largest;
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values;
    load(values, row + i);
    Integers whole;
    nearest_all(values * factor, whole);
    store(rounded + i, __builtin_convertvector(whole, Shorts));
  }
  return largest / bound;
}

// A cell of a row is unit * (byte - zero).
struct ByteScale {
  float unit;
  std::int32_t zero;
};

// Bytes that reach from the smallest cell to the largest, of which 0 is always one. They are written as they
// are, or less `zero` where cells have a sign. Rows have a multiple of 32 cells.
template <class Cells, class Cell>
METAPHRASE_INLINE ByteScale round_to_bytes(const float* row, std::size_t cells, Cell* rounded) {
  typedef typename Cells::Reals Reals;
  typedef typename Cells::Wholes Wholes;
  Reals smallest = {}, largest = {};
  for (std::size_t i = 0; i < cells; i += Cells::count) {
    Reals values;
    load(values, row + i);
    smallest = values < smallest ? values : smallest;
    largest = values > largest ? values : largest;
  }
  float low = smallest[0], high = largest[0];
  for (std::size_t i = 1; i < Cells::count; ++i) {
    low = std::min(low, smallest[i]);
    high = std::max(high, largest[i]);
  }
  const float range = std::max(high - low, 1e-20f), factor = largest_byte / range;
  const std::int32_t zero = nearest(-low * factor), offset = sizeof(Cell) == 1 ? zero : 0;
  const Wholes least = Wholes{} - zero, most = least + static_cast<std::int32_t>(largest_byte);
  constexpr std::size_t at_once = 32;  // a register of bytes
  for (std::size_t first = 0; first < cells; first += at_once) {
    std::int32_t whole_cells[at_once];
    for (std::size_t i = 0; i < at_once; i += Cells::count) {
      Reals values;
      load(values, row + first + i);
      Wholes whole = (Wholes)(values * factor + 12582912.0f) - 0x4B400000;  // as nearest()
      whole = whole < least ? least : whole;
      whole = whole > most ? most : whole;
      store(whole_cells + i, whole + offset);
    }
    for (std::size_t i = 0; i < at_once; ++i) rounded[first + i] = static_cast<Cell>(whole_cells[i]);
  }
  return {range / largest_byte, zero};
}

// Eight running sums, each of every eighth cell, added up from the first to the last.
METAPHRASE_INLINE float total_of(const Floats& sums) {
  float total = sums[0];
  for (std::size_t i = 1; i < lanes; ++i) total += sums[i];
  return total;
}

// Less the mean, divided by the standard deviation, times a gain, and something added.
METAPHRASE_INLINE void normalise_row(float* row, std::size_t cells, const float* gain, const float* bias) {
  constexpr float epsilon = 1e-12f;  // BERT's
  const auto count = static_cast<float>(cells);
  Floats sums = {}, squares = {};
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values;
    load(values, row + i);
    sums += values;
  }
  const float mean = total_of(sums) / count;
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values;
    load(values, row + i);
    values -= mean;
    squares += values * values;
  }
  const float factor = 1.0f / std::sqrt(total_of(squares) / count + epsilon);
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values, gains, added;
    load(values, row + i);
    load(gains, gain + i);
    load(added, bias + i);
    store(row + i, (values - mean) * factor * gains + added);
  }
}

// A row of length 1 in the same direction; one of zeros stays as it is.
METAPHRASE_INLINE void unit_row(const float* row, std::size_t cells, float* unit) {
  Floats squares = {};
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values;
    load(values, row + i);
    squares += values * values;
  }
  const float square = total_of(squares), length = square > 0.0f ? std::sqrt(square) : 1.0f;
  for (std::size_t i = 0; i < cells; i += lanes) {
    Floats values;
    load(values, row + i);
    store(unit + i, values / length);
  }
}

// x becomes x times the share of a normal distribution below x (GELU), 2e-4 from the true value at most:
// bytes of a row of such cells are a hundred times as coarse. The share is 1/2 + x p(x^2), where beyond 4 it
// is 0 or 1; the coefficients have the least largest error of the product.
template <class Cells>
METAPHRASE_INLINE void gaussian_unit(typename Cells::Reals& x) {
  typedef typename Cells::Reals Reals;
  const Reals low = Reals{} - 4.0f, high = Reals{} + 4.0f;
  Reals bounded = x < low ? low : x;
  bounded = bounded > high ? high : bounded;
  const Reals square = bounded * bounded;
  Reals p = square * 2.2588327652783846e-8f - 1.5888330153757124e-6f;
  p = p * square + 4.77639987366274e-5f;
  p = p * square - 8.121886057779193e-4f;
  p = p * square + 8.763697929680347e-3f;
  p = p * square - 6.455443799495697e-2f;
  p = p * square + 3.9787033200263977e-1f;
  x *= p * bounded + 0.5f;
}

}  // namespace metaphrase::encoder
