// The word boundaries of NIST's evaluation programs: mteval-v13a and, for all scripts, mteval-v14.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/unicode_categories.hpp"

namespace metaphrase::counts {

// Puts spaces around what mteval makes a word of its own. Its substitutions are made one after the other, as
// each finds what the one before left.
class MtevalTokens {
 public:
  // mteval-v13a. All that it looks at is ASCII, so bytes of UTF-8 do for characters.
  void separate(std::string& text) {
    around(text, alone);
    pairs(text, [](char a, char b) { return !digit(a) && point(b); }, false);
    pairs(text, [](char a, char b) { return point(a) && !digit(b); }, true);
    pairs(text, [](char a, char b) { return digit(a) && b == '-'; }, false);
  }

  // Punctuation but for apostrophe, hyphen, point and comma, which is a word of its own to mteval-v13a.
  static bool alone(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= '!' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
  }

  // mteval-v14: punctuation, unless numbers are on both sides, and symbols.
  void separate(std::u32string& text) {
    pairs(
        text, [](char32_t a, char32_t b) { return !is(a, Category::number) && is(b, Category::punctuation); },
        false);
    pairs(
        text, [](char32_t a, char32_t b) { return is(a, Category::punctuation) && !is(b, Category::number); },
        true);
    around(text, [](char32_t c) { return is(c, Category::symbol); });
  }

 private:
  static bool digit(char c) { return c >= '0' && c <= '9'; }
  static bool point(char c) { return c == '.' || c == ','; }
  static bool is(char32_t c, Category wanted) { return category(c) == wanted; }

  template <class Text, class Wanted>
  void around(Text& text, Wanted wanted) {
    Text& spaced = spare(text);
    for (const auto c : text) {
      if (wanted(c))
        spaced += {' ', c, ' '};
      else
        spaced += c;
    }
    text.swap(spaced);
  }

  // Two neighbours that are `wanted` get a space between them, and one before the first if that is the mark,
  // or else one after the second. Pairs do not overlap: the second of one is not the first of the next.
  template <class Text, class Wanted>
  void pairs(Text& text, Wanted wanted, bool mark_first) {
    Text& spaced = spare(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i + 1 < text.size() && wanted(text[i], text[i + 1])) {
        if (mark_first)
          spaced += {' ', text[i], ' ', text[i + 1]};
        else
          spaced += {text[i], ' ', text[i + 1], ' '};
        ++i;
      } else {
        spaced += text[i];
      }
    }
    text.swap(spaced);
  }

  std::string& spare(const std::string& text) { return emptied(bytes_, text.size()); }
  std::u32string& spare(const std::u32string& text) { return emptied(characters_, text.size()); }

  template <class Text>
  static Text& emptied(Text& text, std::size_t size) {
    text.clear();
    text.reserve(size + size / 4);
    return text;
  }

  std::string bytes_;
  std::u32string characters_;
};

}  // namespace metaphrase::counts
