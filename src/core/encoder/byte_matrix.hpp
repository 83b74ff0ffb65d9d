// A matrix of bytes that lies in a file, each column with a step of its own, and products with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/dense.hpp"
#include "base/panel_sums.hpp"
#include "encoder/rounding.hpp"

namespace metaphrase::encoder {

// Panels as base/panel_sums.hpp reads them, but of bytes. Rows are padded to a multiple of eight and columns
// to whole panels.
struct ByteMatrix {
  std::size_t rows = 0, columns = 0;
  const std::int8_t* panels = nullptr;
  const float *steps = nullptr, *bias = nullptr;

  static std::size_t padded_rows(std::size_t rows) { return (rows + lanes - 1) / lanes * lanes; }
  static std::size_t padded_columns(std::size_t columns) {
    return (columns + panel_columns - 1) / panel_columns * panel_columns;
  }
};

// How far rows of so many cells lie apart: a line of the cache more than they need, since the same places of
// rows that are a power of two long would all want the same few lines.
template <class Cell>
constexpr std::size_t row_step(std::size_t cells) {
  return cells + 64 / sizeof(Cell);
}

// Rows of floats.
class Rows {
 public:
  void resize(std::size_t count, std::size_t cells) {
    step_ = row_step<float>(cells);
    cells_.resize(count * step_);
  }
  std::size_t step() const { return step_; }
  float* operator[](std::size_t row) { return cells_.data() + row * step_; }

 private:
  std::size_t step_ = 0;
  std::vector<float> cells_;
};

// Rows of whole numbers, and what a unit of each is worth.
class RoundedRows {
 public:
  std::vector<float> units;

  void resize(std::size_t count, std::size_t cells) {
    step_ = row_step<std::int16_t>(cells);
    cells_.resize(count * step_);
    units.resize(count);
  }
  std::size_t step() const { return step_; }
  std::int16_t* operator[](std::size_t row) { return cells_.data() + row * step_; }

 private:
  std::size_t step_ = 0;
  std::vector<std::int16_t> cells_;
};

// One panel with all its bits, and the sums of rows with it.
struct PanelRoom {
  std::vector<std::int16_t> panel;
  std::vector<std::int32_t> sums;
};

// What becomes of a product: it is written, or written where it is above 0, or added.
enum class Result { kept, above_zero, added };

// out = rounded * matrix + bias, `count` rows, which are `out_step` apart and have room for padded columns.
template <class Registers, Result result>
METAPHRASE_INLINE void multiply(const ByteMatrix& matrix, RoundedRows& rounded, std::size_t count,
                                PanelRoom& room, float* out, std::size_t out_step) {
  const std::size_t depth = matrix.rows;
  room.panel.resize(std::max(room.panel.size(), depth * panel_columns));
  room.sums.resize(std::max(room.sums.size(), count * panel_columns));
  std::int16_t* const panel = room.panel.data();
  std::int32_t* const sums = room.sums.data();
  for (std::size_t j = 0; j < matrix.columns; j += panel_columns) {
    const std::int8_t* bytes = matrix.panels + j * depth;
    for (std::size_t i = 0; i < depth * panel_columns; ++i) panel[i] = bytes[i];
    Registers::sum(rounded[0], rounded.step(), panel, depth, count, sums);
    Floats steps[2], bias[2];
    for (std::size_t half = 0; half < 2; ++half) {
      load(steps[half], matrix.steps + j + half * lanes);
      load(bias[half], matrix.bias + j + half * lanes);
    }
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t half = 0; half < 2; ++half) {
        Integers sum;
        load(sum, sums + t * panel_columns + half * lanes);
        float* const to = out + t * out_step + j + half * lanes;
        Floats value = __builtin_convertvector(sum, Floats) * rounded.units[t] * steps[half] + bias[half];
        if constexpr (result == Result::above_zero) value = value > Floats{} ? value : Floats{};
        if constexpr (result == Result::added) {
          Floats before;
          load(before, to);
          value = before + value;
        }
        store(to, value);
      }
    }
  }
}

}  // namespace metaphrase::encoder
