// Code points of a text: decoding, the few character classes that tokenising needs, and simple case mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metaphrase {

enum class CharClass : std::uint8_t { space, letter, digit, symbol };

// What Python's str.isspace() accepts, so that both sides agree on where a chunk ends.
inline bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

inline bool is_ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }
inline bool is_ascii_alpha(char32_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// Beyond ASCII everything is a letter but the blocks of punctuation, symbols and pictographs; zero-width
// characters count as letters, so that they stay inside the word that carries them.
inline bool is_symbol(char32_t c) {
  if (c < 0x80) return !is_ascii_alpha(c) && !is_ascii_digit(c) && !is_space(c);
  if (c < 0xC0) return c >= 0xA1 && c != 0xAA && c != 0xAD && c != 0xB5 && c != 0xBA;
  if (c == 0xD7 || c == 0xF7) return true;
  if (c < 0x2010)
    return c == 0x37E || c == 0x387 || c == 0x589 || c == 0x5BE || c == 0x60C || c == 0x61B || c == 0x61F ||
           c == 0x6D4 || c == 0x964 || c == 0x965;
  if (c <= 0x27BF) {
    if (c <= 0x206F) return c <= 0x205E;  // 2060-206F are invisible operators
    if (c < 0x20A0) return c == 0x207A || c == 0x207B || c == 0x207C || c == 0x208A || c == 0x208B;
    if (c < 0x20D0) return true;   // currencies
    if (c < 0x2100) return false;  // combining marks for symbols
    if (c < 0x2150)
      return c == 0x2116 || c == 0x2117 || c == 0x2120 || c == 0x2122 || c == 0x2100 || c == 0x2103;
    return c >= 0x2190;  // number forms are letters, arrows and what follows are not
  }
  if (c < 0x2C00) return true;
  if (c >= 0x2E00 && c < 0x2E80) return true;
  if (c >= 0x3001 && c < 0x3040) return c != 0x3005 && c != 0x3007;
  if (c >= 0xFE10 && c < 0xFE70) return c < 0xFE20 || c >= 0xFE30;
  if (c >= 0xFF01 && c < 0xFF66)
    return !((c >= 0xFF10 && c < 0xFF1A) || (c >= 0xFF21 && c < 0xFF3B) || (c >= 0xFF41 && c < 0xFF5B));
  if (c >= 0xFFE0 && c < 0xFFE7) return true;
  return c == 0xFFFD || (c >= 0x1F000 && c < 0x1FB00);
}

// Emoji with their joiners and selectors.
inline bool is_pictograph(char32_t c) {
  return (c >= 0x1F000 && c < 0x1FB00) || (c >= 0x2600 && c < 0x27C0) || c == 0xFE0F || c == 0x200D;
}

inline CharClass classify(char32_t c) {
  if (is_space(c)) return CharClass::space;
  if (is_ascii_digit(c)) return CharClass::digit;
  return is_symbol(c) ? CharClass::symbol : CharClass::letter;
}

// Capital letters of Latin, Greek and Cyrillic; other scripts have no case that matters to an English tagger.
inline char32_t to_lower(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
  if (c >= 0x100 && c <= 0x137 && c != 0x130) return c | 1;
  if (c >= 0x139 && c <= 0x148) return c + (c & 1);
  if (c >= 0x14A && c <= 0x177) return c | 1;
  if (c == 0x178) return 0xFF;
  if (c >= 0x179 && c <= 0x17E) return c + (c & 1);
  if (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) return c + 32;
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  return c;
}

inline bool is_upper(char32_t c) { return to_lower(c) != c; }

inline char32_t to_upper(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 32 : c;
  if (c >= 0xE0 && c <= 0xFE && c != 0xF7) return c - 32;
  if (c >= 0x100 && c <= 0x17E && to_lower(c - 1) == c) return c - 1;
  if (c >= 0x3B1 && c <= 0x3C9 && c != 0x3C2) return c - 32;
  if (c >= 0x430 && c <= 0x44F) return c - 32;
  if (c >= 0x450 && c <= 0x45F) return c - 80;
  return c;
}

// Next code point of valid UTF-8. A byte that starts nothing valid reads as U+FFFD, one byte long, so that no
// input leads outside the string.
inline char32_t decode_one(const char* text, std::size_t size, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
  if (more == 0 || at + more > size) return 0xFFFD;
  char32_t c = first & (0x3F >> more);
  for (int i = 0; i < more; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0xFFFD;
    c = c << 6 | (byte(at + i) & 0x3F);
  }
  const bool overlong = c < (more == 1 ? 0x80u : more == 2 ? 0x800u : 0x10000u);
  if (overlong || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0xFFFD;
  at += more;
  return c;
}

inline void encode_one(char32_t c, std::string& out) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | c >> 6));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | c >> 12));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xF0 | c >> 18));
    out.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

// A text as code points, with their classes and the byte where each begins (one more entry than characters).
struct DecodedText {
  std::vector<char32_t> chars;
  std::vector<CharClass> classes;
  std::vector<std::uint32_t> bytes;

  void decode(std::string_view text) {
    chars.resize(text.size());
    classes.resize(text.size());
    bytes.resize(text.size() + 1);
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) {
      bytes[count] = static_cast<std::uint32_t>(at);
      const char32_t c = decode_one(text.data(), text.size(), at);
      chars[count] = c;
      classes[count] = c < 0x80 ? ascii_classes()[c] : classify(c);
    }
    bytes[count] = static_cast<std::uint32_t>(text.size());
    chars.resize(count);
    classes.resize(count);
    bytes.resize(count + 1);
  }

  std::size_t size() const { return chars.size(); }

 private:
  struct AsciiClasses {
    CharClass table[128];
    AsciiClasses() {
      for (char32_t c = 0; c < 128; ++c) table[c] = classify(c);
    }
    CharClass operator[](char32_t c) const { return table[c]; }
  };
  static const AsciiClasses& ascii_classes() {
    static const AsciiClasses classes;
    return classes;
  }
};

inline std::u32string decode_all(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) out.push_back(decode_one(text.data(), text.size(), at));
  return out;
}

inline std::string encode_all(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) encode_one(c, out);
  return out;
}

}  // namespace metaphrase
