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

// Rows of whole numbers, and what a unit of each is worth.
struct RoundedRows {
  std::vector<std::int16_t> cells;
  std::vector<float> units;

  void resize(std::size_t count, std::size_t width) {
    cells.resize(count * width);
    units.resize(count);
  }
};

// One panel with all its bits, and the sums of rows with it.
struct PanelRoom {
  std::vector<std::int16_t> panel;
  std::vector<std::int32_t> sums;
};

// What becomes of a product: it is written, or written where it is above 0, or added.
enum class Result { kept, above_zero, added };

// out = rounded * matrix + bias, `count` rows; `out` has rows of all padded columns.
template <class Registers, Result result>
METAPHRASE_INLINE void multiply(const ByteMatrix& matrix, const RoundedRows& rounded, std::size_t count,
                                PanelRoom& room, float* out) {
  const std::size_t depth = matrix.rows, out_row = matrix.columns;
  room.panel.resize(std::max(room.panel.size(), depth * panel_columns));
  room.sums.resize(std::max(room.sums.size(), count * panel_columns));
  std::int16_t* const panel = room.panel.data();
  std::int32_t* const sums = room.sums.data();
  for (std::size_t j = 0; j < matrix.columns; j += panel_columns) {
    const std::int8_t* bytes = matrix.panels + j * depth;
    for (std::size_t i = 0; i < depth * panel_columns; ++i) panel[i] = bytes[i];
    Registers::sum(rounded.cells.data(), depth, panel, depth, count, sums);
    for (std::size_t c = 0; c < panel_columns; c += lanes) {
      Floats step, bias;
      load(step, matrix.steps + j + c);
      load(bias, matrix.bias + j + c);
      for (std::size_t t = 0; t < count; ++t) {
        Integers sum;
        load(sum, sums + t * panel_columns + c);
        float* const to = out + t * out_row + j + c;
        Floats value = __builtin_convertvector(sum, Floats) * rounded.units[t] * step + bias;
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
