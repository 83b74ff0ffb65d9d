// Integers of 128 bits, with the one conversion that compilers leave to a library which clang-cl does not
// link.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace metaphrase {

__extension__ typedef __int128 WideInteger;
__extension__ typedef unsigned __int128 WideUnsigned;

// The nearest double, ties to even, of a number that is not negative. All bits below the highest 64 become
// one that says if there were any: with 11 more bits than a double has, the processor then rounds as if it
// saw all.
inline double nearest_double(WideInteger value) {
  const auto bits = static_cast<WideUnsigned>(value);
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  if (high == 0) return static_cast<double>(static_cast<std::uint64_t>(bits));
  const int below = 64 - std::countl_zero(high);
  const auto kept = static_cast<std::uint64_t>(bits >> below);
  const bool more = (bits & ((WideUnsigned{1} << below) - 1)) != 0;
  return std::ldexp(static_cast<double>(kept | static_cast<std::uint64_t>(more)), below);
}

}  // namespace metaphrase
