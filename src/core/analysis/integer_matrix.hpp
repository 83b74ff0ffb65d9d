// A matrix of 12-bit whole numbers that stands for one of reals, and products with it that are exact.
//
// Rows of input are rounded to 13 bits, so that no sum over up to 256 terms can leave 32 bits: the order of
// the sums, and with it the width of registers, cannot change the result.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/dense.hpp"
#include "base/panel_sums.hpp"

namespace metaphrase::analysis {

inline void put_float(ByteWriter& out, float value) { out.put(std::bit_cast<std::uint32_t>(value)); }

// No weight is larger; with it no sum of what a network computes can leave the range of floats.
constexpr float largest_number = 1e6f;

inline float get_float(ByteReader& in) {
  const auto value = in.get<float>();
  if (!(std::abs(value) <= largest_number)) throw ModelError("a weight of the model is out of range");
  return value;
}

class IntegerMatrix {
 public:
  static constexpr std::int32_t largest_weight = 2047, largest_input = 4095;
  static constexpr std::size_t most_rows = 256;  // 256 * 2047 * 4095 < 2^31

  // Writes a matrix of `rows` inputs by `columns`; inputs up to `input_bound` in magnitude keep their size.
  static void write(ByteWriter& out, const float* weights, std::size_t rows, std::size_t columns,
                    double input_bound) {
    put_float(out, static_cast<float>(largest_input / std::max(input_bound, 0.01)));
    for (std::size_t j = 0; j < columns; ++j) {
      float largest = 1e-6f;
      for (std::size_t i = 0; i < rows; ++i) largest = std::max(largest, std::abs(weights[i * columns + j]));
      const float step = largest / static_cast<float>(largest_weight);
      put_float(out, step);
      for (std::size_t i = 0; i < rows; ++i) {
        out.put(static_cast<std::int16_t>(nearest(weights[i * columns + j] / step)));
      }
    }
  }

  void read(ByteReader& in, std::size_t rows, std::size_t columns) {
    if (rows > most_rows || rows % 2 != 0) throw ModelError("a matrix of the model has impossible sizes");
    rows_ = rows;
    columns_ = columns;
    input_scale_ = get_float(in);
    if (input_scale_ < 1 / largest_number) throw ModelError("a matrix of the model has no scale");
    const std::size_t panels = (columns + panel - 1) / panel;
    packed_.assign(panels * rows * panel, 0);
    scales_.assign(panels * panel, 0.0f);
    for (std::size_t j = 0; j < columns; ++j) {
      scales_[j] = get_float(in) / input_scale_;
      for (std::size_t i = 0; i < rows; ++i) {
        const auto weight = in.get<std::int16_t>();
        if (std::abs(weight) > largest_weight) throw ModelError("a weight of the model is out of range");
        packed_[(j / panel * rows + i / 2 * 2) * panel + j % panel * 2 + i % 2] = weight;
      }
    }
  }

  std::size_t columns() const { return columns_; }

  // out = rounded(input) * this, `count` rows; rows of `input` and `out` are as long as given.
  void multiply(const float* input, std::size_t input_row, float* out, std::size_t out_row, std::size_t count,
                std::vector<std::int16_t>& rounded) const {
    rounded.resize(count * rows_);
    if (has_avx2()) {
      round_avx2(input, input_row, count, rounded.data());
      multiply_avx2(rounded.data(), out, out_row, count);
    } else {
      round(input, input_row, count, rounded.data());
      multiply_anywhere(rounded.data(), out, out_row, count);
    }
  }

 private:
  static constexpr std::size_t panel = panel_columns;

  METAPHRASE_INLINE void round(const float* input, std::size_t input_row, std::size_t count,
                               std::int16_t* rounded) const {
    constexpr float bound = static_cast<float>(largest_input);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t i = 0; i < rows_; ++i) {
        const float value = input[t * input_row + i] * input_scale_;
        const float clipped = value > bound ? bound : value < -bound ? -bound : value;
        rounded[t * rows_ + i] = static_cast<std::int16_t>(nearest(clipped));
      }
    }
  }
  METAPHRASE_AVX2 void round_avx2(const float* input, std::size_t input_row, std::size_t count,
                                  std::int16_t* rounded) const {
    round(input, input_row, count, rounded);
  }

  void multiply_anywhere(const std::int16_t* input, float* out, std::size_t out_row,
                         std::size_t count) const {
    for (std::size_t j = 0; j < columns_; j += panel) {
      for (std::size_t t = 0; t < count; ++t) {
        std::int32_t sums[panel] = {};
        add_products(input + t * rows_, packed_.data() + j * rows_, rows_, sums);
        for (std::size_t c = 0; c < std::min(panel, columns_ - j); ++c) {
          out[t * out_row + j + c] = static_cast<float>(sums[c]) * scales_[j + c];
        }
      }
    }
  }

#if defined(__x86_64__)
  template <int rows>
  METAPHRASE_AVX2 void multiply_block(const std::int16_t* input, const std::int16_t* weights, float* out,
                                      std::size_t out_row, std::size_t column) const {
    __m256i sums[rows][2];
    sum_products<rows>(input, rows_, weights, rows_, sums);
    const std::size_t width = std::min(panel, columns_ - column);
    for (int r = 0; r < rows; ++r) {
      alignas(32) float scaled[panel];
      for (int half = 0; half < 2; ++half) {
        const __m256 scale = _mm256_loadu_ps(scales_.data() + column + 8 * half);
        _mm256_store_ps(scaled + 8 * half, _mm256_mul_ps(_mm256_cvtepi32_ps(sums[r][half]), scale));
      }
      std::copy_n(scaled, width, out + r * out_row + column);
    }
  }

  METAPHRASE_AVX2 void multiply_avx2(const std::int16_t* input, float* out, std::size_t out_row,
                                     std::size_t count) const {
    for (std::size_t j = 0; j < columns_; j += panel) {
      const std::int16_t* weights = packed_.data() + j * rows_;
      for (std::size_t t = 0; t < count; t += 4) {
        const std::int16_t* block = input + t * rows_;
        switch (count - t) {
          case 1: multiply_block<1>(block, weights, out + t * out_row, out_row, j); break;
          case 2: multiply_block<2>(block, weights, out + t * out_row, out_row, j); break;
          case 3: multiply_block<3>(block, weights, out + t * out_row, out_row, j); break;
          default: multiply_block<4>(block, weights, out + t * out_row, out_row, j);
        }
      }
    }
  }
#else
  void multiply_avx2(const std::int16_t* input, float* out, std::size_t out_row, std::size_t count) const {
    multiply_anywhere(input, out, out_row, count);
  }
#endif

  std::size_t rows_ = 0, columns_ = 0;
  float input_scale_ = 1;
  std::vector<std::int16_t> packed_;
  std::vector<float> scales_;
};

// Rows of small whole numbers, each with a step of its own: tables of learnt vectors.
class ByteTable {
 public:
  static void write(ByteWriter& out, const float* rows, std::size_t count, std::size_t size) {
    for (std::size_t i = 0; i < count; ++i) {
      const float* row = rows + i * size;
      float largest = 1e-6f;
      for (std::size_t j = 0; j < size; ++j) largest = std::max(largest, std::abs(row[j]));
      const float step = largest / 127.0f;
      put_float(out, step);
      for (std::size_t j = 0; j < size; ++j) out.put(static_cast<std::int8_t>(nearest(row[j] / step)));
    }
  }

  void read(ByteReader& in, std::size_t count, std::size_t size) {
    size_ = size;
    steps_.resize(count);
    bytes_.resize(count * size);
    for (std::size_t i = 0; i < count; ++i) {
      steps_[i] = get_float(in);
      for (std::size_t j = 0; j < size; ++j) bytes_[i * size + j] = in.get<std::int8_t>();
    }
  }

  std::size_t count() const { return steps_.size(); }

  void add(std::size_t row, float* to) const {
    const std::int8_t* from = bytes_.data() + row * size_;
    const float step = steps_[row];
    for (std::size_t j = 0; j < size_; ++j) to[j] += static_cast<float>(from[j]) * step;
  }

 private:
  std::size_t size_ = 0;
  std::vector<float> steps_;
  std::vector<std::int8_t> bytes_;
};

}  // namespace metaphrase::analysis
