// Sections of the file of an encoder, each checked as it is read.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/byte_stream.hpp"

namespace metaphrase::encoder {

class Sections {
 public:
  explicit Sections(std::string_view bytes) : in_(bytes) {}

  template <class Number>
  std::span<const Number> numbers() {
    return get_section<Number>(in_);
  }

  std::string_view text() {
    const auto section = numbers<char>();
    return {section.data(), section.size()};
  }

  const std::int8_t* bytes(std::size_t count) {
    const auto section = numbers<std::int8_t>();
    require(section.size() == count);
    return section.data();
  }

  const float* floats(std::size_t count, float largest) {
    const auto section = numbers<float>();
    require(section.size() == count);
    for (const float value : section) {
      if (!(std::abs(value) <= largest)) throw ModelError("a weight of the model is out of range");
    }
    return section.data();
  }

  bool done() const { return in_.done(); }

 private:
  ByteReader in_;
};

}  // namespace metaphrase::encoder
