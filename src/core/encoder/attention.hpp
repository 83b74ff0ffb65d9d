// Each piece of a window looks at all of them: shares of attention, and the values that they add up to.
//
// Rows of queries are taken a few at a time, so that memory grows with the length of a window and not with
// its square.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/dense.hpp"
#include "base/panel_sums.hpp"
#include "encoder/byte_matrix.hpp"
#include "encoder/rounding.hpp"
#include "encoder/shape.hpp"

namespace metaphrase::encoder {

class Attention {
 public:
  explicit Attention(const PieceShape& shape) : shape_(shape) {}

  // `parts` are rows of queries, keys and values, of which those of a window begin at `start`; rows of `seen`
  // are as wide as one of them.
  template <class Registers>
  METAPHRASE_INLINE void attend(Rows& parts, std::size_t start, std::size_t length, Rows& seen) {
    padded_ = (length + panel_columns - 1) / panel_columns * panel_columns;
    for (std::size_t head = 0; head < shape_.heads; ++head) {
      const float* first = parts[start] + head * shape_.head();
      part_step_ = parts.step();
      round_queries(first, length);
      round_keys(first + shape_.width, length);
      round_values(first + 2 * std::size_t{shape_.width}, length);
      for (std::size_t row = 0; row < length; row += rows_at_once) {
        const std::size_t rows = std::min(rows_at_once, length - row);
        score<Registers>(row, rows, length);
        share_out(rows, length);
        add_values<Registers>(rows, length, seen[start + row] + head * shape_.head(), seen.step());
      }
    }
  }

 private:
  static constexpr std::size_t rows_at_once = 24;
  static constexpr std::size_t sums_at_once = 4096;  // of shares: far from 2^31
  static constexpr float never = -1e30f;  // below all scores, and still a float when they are taken from it

  METAPHRASE_INLINE void round_queries(const float* from, std::size_t length) {
    const std::size_t size = shape_.head();
    queries_.resize(length * size);
    query_units_.resize(length);
    for (std::size_t t = 0; t < length; ++t) {
      query_units_[t] = round_row(from + t * part_step_, size, largest_part, queries_.data() + t * size);
    }
  }

  // Columns of panels.
  METAPHRASE_INLINE void round_keys(const float* from, std::size_t length) {
    const std::size_t size = shape_.head();
    keys_.assign(padded_ * size, 0);
    key_units_.assign(padded_, 0.0f);
    std::int16_t key[most_head];
    for (std::size_t t = 0; t < length; ++t) {
      key_units_[t] = round_row(from + t * part_step_, size, largest_part, key);
      std::int16_t* const panel =
          keys_.data() + t / panel_columns * panel_columns * size + t % panel_columns * 2;
      for (std::size_t i = 0; i < size; i += 2)
        std::memcpy(panel + i * panel_columns, key + i, 2 * sizeof *key);
    }
  }

  // Rows of panels; they are added up, so that a column has one unit for the whole window.
  METAPHRASE_INLINE void round_values(const float* from, std::size_t length) {
    const std::size_t size = shape_.head(), row = part_step_;
    values_.resize(padded_ * size);
    value_units_.resize(size);
    for (std::size_t c = 0; c < size; c += lanes) {
      Floats largest = Floats{} + 1e-20f;
      for (std::size_t t = 0; t < length; ++t) {
        Floats cells;
        load(cells, from + t * row + c);
        take_largest(cells, largest);
      }
      store(value_units_.data() + c, largest / largest_part);
      const Floats factor = largest_part / largest;
      std::int16_t* const panel =
          values_.data() + c / panel_columns * panel_columns * padded_ + c % panel_columns * 2;
      for (std::size_t t = 0; t < length; t += 2) {
        Floats cells;
        Integers one, two = {};
        load(cells, from + t * row + c);
        nearest_all(cells * factor, one);
        if (t + 1 < length) {
          load(cells, from + (t + 1) * row + c);
          nearest_all(cells * factor, two);
        }
        // The first in the low half of 32 bits, the second in the high one.
        store(panel + t * panel_columns, (one & 0xFFFF) | (two << 16));
      }
    }
  }

  template <class Registers>
  METAPHRASE_INLINE void score(std::size_t first, std::size_t rows, std::size_t length) {
    const std::size_t size = shape_.head();
    scores_.resize(rows_at_once * padded_);
    sums_.resize(rows_at_once * panel_columns);
    for (std::size_t j = 0; j < padded_; j += panel_columns) {
      Registers::sum(queries_.data() + first * size, size, keys_.data() + j * size, size, rows, sums_.data());
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < panel_columns; c += lanes) {
          Integers sum;
          Floats unit;
          load(sum, sums_.data() + r * panel_columns + c);
          load(unit, key_units_.data() + j + c);
          store(scores_.data() + r * padded_ + j + c,
                __builtin_convertvector(sum, Floats) * query_units_[first + r] * unit);
        }
      }
    }
    for (std::size_t r = 0; r < rows; ++r)
      std::fill(scores_.data() + r * padded_ + length, scores_.data() + (r + 1) * padded_, never);
  }

  // Scores to whole numbers; the share of a piece is its number divided by their sum.
  METAPHRASE_INLINE void share_out(std::size_t rows, std::size_t length) {
    shares_.resize(rows_at_once * padded_);
    totals_.resize(rows_at_once);
    for (std::size_t r = 0; r < rows; ++r) {
      const float* scores = scores_.data() + r * padded_;
      Floats highest = Floats{} + never;
      for (std::size_t j = 0; j < length; j += lanes) {
        Floats some;
        load(some, scores + j);
        highest = some > highest ? some : highest;
      }
      float high = highest[0];
      for (std::size_t i = 1; i < lanes; ++i) high = std::max(high, highest[i]);
      totals_[r] = 0;
      for (std::size_t first = 0; first < padded_; first += sums_at_once) {
        Integers sums = {};
        for (std::size_t j = first; j < std::min(padded_, first + sums_at_once); j += lanes) {
          Floats some;
          load(some, scores + j);
          some -= high;
          exponentiate(some);
          Integers whole;
          nearest_all(some * largest_share, whole);
          store(shares_.data() + r * padded_ + j, __builtin_convertvector(whole, Shorts));
          sums += whole;
        }
        for (std::size_t i = 0; i < lanes; ++i) totals_[r] += sums[i];
      }
    }
  }

  template <class Registers>
  METAPHRASE_INLINE void add_values(std::size_t rows, std::size_t length, float* seen,
                                    std::size_t seen_step) {
    const std::size_t size = shape_.head(), even = (length + 1) / 2 * 2;
    for (std::size_t c = 0; c < size; c += panel_columns) {
      const std::int16_t* const panel = values_.data() + c * padded_;
      Registers::sum(shares_.data(), padded_, panel, std::min<std::size_t>(even, most_keys), rows,
                     sums_.data());
      if (even <= most_keys) {
        for (std::size_t r = 0; r < rows; ++r) {
          const float share = 1.0f / static_cast<float>(totals_[r]);
          for (std::size_t i = 0; i < panel_columns; i += lanes) {
            Integers sum;
            Floats unit;
            load(sum, sums_.data() + r * panel_columns + i);
            load(unit, value_units_.data() + c + i);
            store(seen + r * seen_step + c + i, __builtin_convertvector(sum, Floats) * share * unit);
          }
        }
        continue;
      }
      long_sums_.assign(sums_.begin(), sums_.end());
      for (std::size_t j = most_keys; j < even; j += most_keys) {
        Registers::sum(shares_.data() + j, padded_, panel + j * panel_columns,
                       std::min<std::size_t>(even - j, most_keys), rows, sums_.data());
        for (std::size_t i = 0; i < rows * panel_columns; ++i) long_sums_[i] += sums_[i];
      }
      for (std::size_t r = 0; r < rows; ++r) {
        const float share = 1.0f / static_cast<float>(totals_[r]);
        for (std::size_t i = 0; i < panel_columns; ++i) {
          seen[r * seen_step + c + i] =
              static_cast<float>(long_sums_[r * panel_columns + i]) * share * value_units_[c + i];
        }
      }
    }
  }

  const PieceShape& shape_;
  std::size_t part_step_ = 0;
  std::size_t padded_ = 0;  // pieces of the window, in whole panels
  std::vector<std::int16_t> queries_, keys_, values_, shares_;
  std::vector<float> query_units_, key_units_, value_units_, scores_;
  std::vector<std::int32_t> sums_;
  std::vector<std::int64_t> totals_, long_sums_;
};

}  // namespace metaphrase::encoder
