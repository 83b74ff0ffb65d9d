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

// Bits of the registers that sums are computed in, which change no result.
enum class Bits { any, avx2, avx512 };

inline Bits widest_registers() { return has_avx512() ? Bits::avx512 : has_avx2() ? Bits::avx2 : Bits::any; }

// Those that there are, of at most so many bits.
inline Bits registers(int most) {
  const Bits asked = most >= 512 ? Bits::avx512 : most >= 256 ? Bits::avx2 : Bits::any;
  return std::min(asked, widest_registers());
}

// Panels of bytes as ByteRegisters in base/panel_sums.hpp reads them: rows and columns are multiples of 32.
struct ByteMatrix {
  std::size_t rows = 0, columns = 0;
  const std::int8_t* panels = nullptr;
  const float *steps = nullptr, *bias = nullptr;
  std::vector<std::int32_t> totals;  // of the bytes of each column, where zeros have to be taken off
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
template <class Cell>
class WholeRows {
 public:
  std::vector<float> units;
  std::vector<std::int32_t> zeros;  // what stands for 0 in each row, if it is not 0

  void resize(std::size_t count, std::size_t cells) {
    step_ = row_step<Cell>(cells);
    cells_.resize(count * step_);
    units.resize(count);
    zeros.resize(count);
  }
  std::size_t step() const { return step_; }
  Cell* operator[](std::size_t row) { return cells_.data() + row * step_; }

 private:
  std::size_t step_ = 0;
  std::vector<Cell> cells_;
};

// One panel with all its bits, and the sums of rows with it.
struct PanelRoom {
  std::vector<std::int16_t> panel;
  std::vector<std::int32_t> sums;

  void resize(std::size_t depth, std::size_t sums_of_rows) {
    panel.resize(std::max(panel.size(), depth * panel_columns));
    sums.resize(std::max(sums.size(), sums_of_rows));
  }
};

// How rows are multiplied with some columns of a matrix, whose sums go to `room.sums`, row by row.
//
// Rows of 16 bits, with panels in which four rows of the matrix lie side by side.
template <class Registers>
struct QuadProducts {
  using Cell = std::int16_t;
  using Cells = EightCells;
  static constexpr std::size_t columns = panel_columns;

  METAPHRASE_INLINE static void sum(const ByteMatrix& matrix, std::size_t column, WholeRows<Cell>& rows,
                                    std::size_t count, PanelRoom& room) {
    const std::int8_t* bytes = matrix.panels + column * matrix.rows;
    std::int16_t* const panel = room.panel.data();
    for (std::size_t i = 0; i < matrix.rows; i += 4) {
      std::int16_t* const one = panel + i * panel_columns;
      std::int16_t* const two = one + 2 * panel_columns;
      for (std::size_t c = 0; c < panel_columns; ++c) {
        const std::int8_t* four = bytes + i * panel_columns + 4 * c;
        one[2 * c] = four[0];
        one[2 * c + 1] = four[1];
        two[2 * c] = four[2];
        two[2 * c + 1] = four[3];
      }
    }
    Registers::sum(rows[0], rows.step(), panel, matrix.rows, count, room.sums.data());
  }
};

#if defined(__x86_64__) && !defined(_WIN32)
// The same sums of bytes without a sign, whose zeros count as often as their column adds up to.
struct ByteProducts {
  using Cell = std::uint8_t;
  using Cells = SixteenCells;
  static constexpr std::size_t columns = 2 * panel_columns;

  static void sum(const ByteMatrix& matrix, std::size_t column, WholeRows<Cell>& rows, std::size_t count,
                  PanelRoom& room) {
    ByteRegisters::sum(rows[0], rows.step(), rows.zeros.data(), matrix.panels + column * matrix.rows,
                       matrix.totals.data() + column, matrix.rows, count, room.sums.data());
  }
};
#else
using ByteProducts = QuadProducts<Avx512Registers>;
#endif

// What becomes of a product: it is written, as it is or as GELU has it, or added.
enum class Result { kept, gaussian, added };

// out = rounded * matrix + bias, `count` rows, which are `out_step` apart.
template <class Products, Result result>
METAPHRASE_INLINE void multiply(const ByteMatrix& matrix, WholeRows<typename Products::Cell>& rounded,
                                std::size_t count, PanelRoom& room, float* out, std::size_t out_step) {
  typedef typename Products::Cells Cells;
  typedef typename Cells::Reals Reals;
  room.resize(matrix.rows, count * Products::columns);
  for (std::size_t j = 0; j < matrix.columns; j += Products::columns) {
    Products::sum(matrix, j, rounded, count, room);
    constexpr std::size_t parts = Products::columns / Cells::count;
    Reals steps[parts], bias[parts];
    for (std::size_t part = 0; part < parts; ++part) {
      load(steps[part], matrix.steps + j + part * Cells::count);
      load(bias[part], matrix.bias + j + part * Cells::count);
    }
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t part = 0; part < parts; ++part) {
        typename Cells::Wholes sum;
        load(sum, room.sums.data() + t * Products::columns + part * Cells::count);
        float* const to = out + t * out_step + j + part * Cells::count;
        Reals value = __builtin_convertvector(sum, Reals) * rounded.units[t] * steps[part] + bias[part];
        if constexpr (result == Result::gaussian) gaussian_unit<Cells>(value);
        if constexpr (result == Result::added) {
          Reals before;
          load(before, to);
          value = before + value;
        }
        store(to, value);
      }
    }
  }
}

}  // namespace metaphrase::encoder
