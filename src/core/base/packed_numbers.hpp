// Columns of numbers in a file that is read in place: every number takes as many bits as the largest needs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_stream.hpp"

namespace metaphrase {

// Numbers are read eight bytes at a time, so that many must follow the last one.
inline constexpr std::size_t packed_numbers_margin = 8;

inline void put_packed_numbers(ByteWriter& writer, std::span<const std::uint32_t> numbers) {
  std::uint32_t all = 0;
  for (const std::uint32_t number : numbers) all |= number;
  const auto width = static_cast<std::size_t>(std::bit_width(all));
  std::string bytes((numbers.size() * width + 7) / 8 + packed_numbers_margin, '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t bit = i * width;
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + bit / 8, sizeof word);
    word |= std::uint64_t{numbers[i]} << bit % 8;
    std::memcpy(bytes.data() + bit / 8, &word, sizeof word);
  }
  writer.put(static_cast<std::uint32_t>(numbers.size()));
  writer.put(static_cast<std::uint8_t>(width));
  writer.put_string(bytes);
}

// A view: the bytes belong to the file.
class PackedNumbers {
 public:
  PackedNumbers() = default;
  explicit PackedNumbers(ByteReader& reader)
      : size_(reader.get<std::uint32_t>()), width_(reader.get<std::uint8_t>()) {
    const std::string_view section = reader.get_string();
    if (width_ > 32 || section.size() != (size_ * width_ + 7) / 8 + packed_numbers_margin)
      throw ModelError("a column of numbers has another size than it says");
    bytes_ = section.data();
    mask_ = (std::uint64_t{1} << width_) - 1;
  }

  std::size_t size() const { return size_; }
  std::uint32_t operator[](std::size_t i) const {
    const std::size_t bit = i * width_;
    std::uint64_t word;
    std::memcpy(&word, bytes_ + bit / 8, sizeof word);
    return static_cast<std::uint32_t>((word >> bit % 8) & mask_);
  }

  bool all_below(std::size_t bound) const {
    if (all_zero()) return size_ == 0 || bound > 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if ((*this)[i] >= bound) return false;
    }
    return true;
  }
  // Offsets of lists whose members are numbered from `first` up to `last`.
  bool rises(std::size_t first, std::size_t last) const {
    if (all_zero()) return size_ > 0 && first == 0 && last == 0;
    if (size_ == 0 || (*this)[0] != first || (*this)[size_ - 1] != last) return false;
    for (std::size_t i = 1; i < size_; ++i) {
      if ((*this)[i] < (*this)[i - 1]) return false;
    }
    return true;
  }

 private:
  // Numbers of no bits take no room: a few bytes may state four billion of them, which nobody should count.
  bool all_zero() const { return width_ == 0; }

  std::size_t size_ = 0, width_ = 0;
  const char* bytes_ = nullptr;
  std::uint64_t mask_ = 0;
};

}  // namespace metaphrase
