// The pieces that a word is spelt with.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/packed_strings.hpp"

namespace metaphrase::encoder {

struct Spelt {
  std::array<std::uint32_t, 6> pieces;
  std::size_t count = 0;
};

class Spelling {
 public:
  Spelling(std::span<const std::uint8_t> text, std::span<const std::uint8_t> lengths)
      : pieces_(text, lengths, "pieces") {
    for (const std::uint8_t length : lengths) longest_ = std::max<std::size_t>(longest_, length);
  }

  std::size_t count() const { return pieces_.count(); }

  // The longest piece first, from left to right; characters that no piece begins with are left out. Pieces
  // at the start of a word have a mark, U+2581. The empty word has none.
  Spelt spell(std::string_view word, std::string& room) const {
    Spelt spelt;
    if (word.empty()) return spelt;
    room.assign("\xE2\x96\x81").append(word);
    const std::string_view text(room);
    for (std::size_t start = 0; start < text.size() && spelt.count < spelt.pieces.size();) {
      std::size_t end = std::min(text.size(), start + longest_);
      for (; end > start; --end) {
        if (end < text.size() && inside_character(text[end])) continue;
        const std::uint32_t piece = pieces_.find(text.substr(start, end - start));
        if (piece == PackedStrings::absent) continue;
        spelt.pieces[spelt.count++] = piece;
        break;
      }
      if (end > start) {
        start = end;
      } else {
        do ++start;
        while (start < text.size() && inside_character(text[start]));
      }
    }
    return spelt;
  }

 private:
  static bool inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

  PackedStrings pieces_;
  std::size_t longest_ = 0;  // bytes
};

}  // namespace metaphrase::encoder
