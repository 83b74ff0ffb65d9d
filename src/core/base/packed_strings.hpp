// Strings as they lie in a file: their text in one section, their lengths in another.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace metaphrase {

// Where each list starts among the members of all lists.
class ListStarts {
 public:
  ListStarts(std::span<const std::uint8_t> lengths, std::size_t members, const char* what)
      : starts_(lengths.size() + 1) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      starts_[i] = static_cast<std::uint32_t>(total);
      total += lengths[i];
    }
    // A section has fewer than 2^32 members, so a total that is right has not been cut short above.
    starts_.back() = static_cast<std::uint32_t>(total);
    if (total != members) throw std::invalid_argument(std::string(what) + ": lengths and content disagree");
  }

  std::size_t count() const { return starts_.size() - 1; }

  template <class Member>
  std::span<const Member> slice(std::span<const Member> members, std::size_t list) const {
    return members.subspan(starts_[list], starts_[list + 1] - starts_[list]);
  }

 private:
  std::vector<std::uint32_t> starts_;
};

// Strings by number.
class StringList {
 public:
  StringList(std::span<const std::uint8_t> text, std::span<const std::uint8_t> lengths, const char* what)
      : text_(text), starts_(lengths, text.size(), what) {}

  std::size_t count() const { return starts_.count(); }

  std::string_view operator[](std::size_t index) const {
    const auto string = starts_.slice(text_, index);
    return {reinterpret_cast<const char*>(string.data()), string.size()};
  }

 private:
  std::span<const std::uint8_t> text_;
  ListStarts starts_;
};

// Strings by number and numbers by string. The hash table is built at opening, which is quick, rather than
// stored: numbers in the order of a hash do not compress.
class PackedStrings : public StringList {
 public:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  PackedStrings(std::span<const std::uint8_t> text, std::span<const std::uint8_t> lengths, const char* what)
      : StringList(text, lengths, what) {
    // At least two, because a shift by all 64 bits is undefined.
    const std::size_t slots = std::bit_ceil(2 * lengths.size() + 2);
    shift_ = 64 - std::countr_zero(slots);
    slots_.assign(slots, absent);
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
      std::size_t slot = first_slot((*this)[i]);
      // Honest tables need a few dozen probes at worst; one string repeated for ever would take hours.
      for (int probes = 0; slots_[slot] != absent; slot = (slot + 1) & (slots - 1)) {
        if (++probes > 10'000) throw std::invalid_argument(std::string(what) + ": strings are not distinct");
      }
      slots_[slot] = i;
    }
  }

  std::uint32_t find(std::string_view string) const {
    for (std::size_t slot = first_slot(string);; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t index = slots_[slot];
      if (index == absent || (*this)[index] == string) return index;
    }
  }

 private:
  // Eight bytes at a time, the last eight overlapping those before them: a copy of fixed size is one
  // instruction. The multiplier is 2^64 divided by the golden ratio.
  std::size_t first_slot(std::string_view string) const {
    std::uint64_t hash = string.size();
    const auto mix = [&hash](std::uint64_t word) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    };
    const char* const end = string.data() + string.size();
    if (string.size() >= 8) {
      for (const char* next = string.data(); end - next > 8; next += 8) mix(load<std::uint64_t>(next));
      mix(load<std::uint64_t>(end - 8));
    } else if (string.size() >= 4) {
      mix(std::uint64_t{load<std::uint32_t>(string.data())} << 32 | load<std::uint32_t>(end - 4));
    } else {
      std::uint64_t word = 0;
      for (const char c : string) word = word << 8 | static_cast<std::uint8_t>(c);
      mix(word);
    }
    return (hash * 0x9E3779B97F4A7C15) >> shift_;
  }

  template <class Number>
  static Number load(const char* text) {
    Number number;
    std::memcpy(&number, text, sizeof number);
    return number;
  }

  std::vector<std::uint32_t> slots_;
  int shift_ = 0;
};

}  // namespace metaphrase
