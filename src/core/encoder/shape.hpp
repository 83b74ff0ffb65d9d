// How large an encoder is, and which sizes the kernels can compute with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace metaphrase::encoder {

// Whole numbers that cells of rows are rounded to, and how many products of them 32 bits can hold:
// 2048 * 255 * 128 < 2^31 for a weight of any byte, 512 * 2047 * 2047 < 2^31 for queries and keys, and
// 128 * 8191 * 2047 < 2^31 for shares of attention and values.
constexpr float largest_byte = 255, largest_part = 2047, largest_share = 8191;
constexpr std::uint32_t most_inputs = 2048, most_head = 512, most_keys = 128;

// A transformer of word pieces with a vector for each position.
struct PieceShape {
  std::uint32_t width, layers, heads, inner;
  std::uint32_t positions;            // of a window, with both marks
  std::uint32_t unknown, begin, end;  // pieces: of what cannot be spelled, and around each window

  std::uint32_t head() const { return width / heads; }

  bool possible() const {
    return width >= 32 && width <= 1024 && width % 32 == 0 && layers >= 1 && layers <= 64 && heads >= 1 &&
           heads <= width && width % heads == 0 && head() % 16 == 0 && head() <= most_head && inner >= 32 &&
           inner <= most_inputs && inner % 32 == 0 && positions >= 8 && positions <= 4096;
  }
};

}  // namespace metaphrase::encoder
