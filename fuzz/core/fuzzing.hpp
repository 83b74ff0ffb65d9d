// What all targets share: bytes that become a case, and what is said if something that must hold does not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace metaphrase::fuzz {

// Ends the process, so that libFuzzer keeps the input.
inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "DOES NOT HOLD: %s\n", what);
  std::abort();
}

inline bool close(double a, double b, double tolerance = 1e-9) {
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

// Reads an input from its beginning; an input that is over reads as zeros, so that every input is a case.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool over() const { return at_ == end_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint8_t byte() { return over() ? 0 : *at_++; }
  bool flag() { return byte() & 1; }
  // From `low` to `high`, both included, of which there are at most 256 or else 65,536.
  int number(int low, int high) {
    const int choices = high - low + 1;
    const int value = choices > 256 ? byte() << 8 | byte() : byte();
    return low + value % choices;
  }
  double unit() { return byte() / 255.0; }
  std::vector<std::int32_t> numbers(std::size_t count, int low, int high) {
    std::vector<std::int32_t> result(count);
    for (auto& value : result) value = number(low, high);
    return result;
  }
  std::string_view text(std::size_t most) {
    const std::size_t size = std::min(most, left());
    at_ += size;
    return {reinterpret_cast<const char*>(at_ - size), size};
  }
  std::string_view rest() { return text(left()); }

 private:
  const std::uint8_t *at_, *end_;
};

}  // namespace metaphrase::fuzz

// What a target, of which there is one in a program, does with an input (one_input.cpp).
int examine(const std::uint8_t* data, std::size_t size);
