// Little-endian numbers and strings in a byte string; reading past the end is an error, never a crash.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/hashing.hpp"

namespace metaphrase {

// The file is not what the reader expects; the text says in what way.
struct ModelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// For those who read a file in place.
inline void require(bool sound) {
  if (!sound) throw ModelError("sections of the file do not fit together");
}

template <class Number>
std::span<const Number> numbers_in_place(std::string_view section) {
  require(section.size() % sizeof(Number) == 0 &&
          reinterpret_cast<std::uintptr_t>(section.data()) % alignof(Number) == 0);
  return {reinterpret_cast<const Number*>(section.data()), section.size() / sizeof(Number)};
}

class ByteWriter {
 public:
  template <class Number>
  void put(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    for (std::size_t i = 0; i < sizeof value; ++i) {
      bytes_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }
  void put_string(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  Number get() {
    static_assert(std::is_arithmetic_v<Number>);
    static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");
    need(sizeof(Number));
    Number value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  // A count of items of at least `size` bytes each: bounded by what is left, so that it is safe to reserve.
  std::uint32_t get_count(std::size_t size) {
    const auto count = get<std::uint32_t>();
    need(count * static_cast<std::uint64_t>(size));
    return count;
  }
  std::string_view get_string() {
    const auto size = get_count(1);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  bool done() const { return at_ == bytes_.size(); }

 private:
  void need(std::uint64_t size) const {
    if (size > bytes_.size() - at_) throw ModelError("the model file ends too early");
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

// A section behind its length, which is padded to a multiple of four bytes.
template <class Number>
std::span<const Number> get_section(ByteReader& in) {
  const std::string_view bytes = in.get_string();
  for (std::size_t i = bytes.size(); i % 4 != 0; ++i) in.get<std::uint8_t>();
  return numbers_in_place<Number>(bytes);
}

// Eight bytes at a time; guards against damage, not against malice.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = mix(0x6D65746170687261ull, bytes.size());
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = mix(hash, word);
  }
  for (; at < bytes.size(); ++at) hash = mix(hash, static_cast<unsigned char>(bytes[at]));
  return hash;
}

}  // namespace metaphrase
