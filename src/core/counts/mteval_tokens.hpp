// The word boundaries of mteval-v13a, the program of NIST's evaluations and what sacreBLEU calls `13a`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace metaphrase::counts {

// Puts spaces around what mteval makes a word of its own. Its four substitutions are made one after the
// other, as each finds what the one before left. All that they look at is ASCII, so bytes of UTF-8 do for
// characters, and a line break, which is neither digit nor punctuation, ends a text as a space does.
class MtevalTokens {
 public:
  static std::string separate(std::string_view text) {
    std::string spaced = around(text);
    spaced = pairs(spaced, [](char a, char b) { return !digit(a) && point(b); }, "", " ", " ");
    spaced = pairs(spaced, [](char a, char b) { return point(a) && !digit(b); }, " ", " ", "");
    return pairs(spaced, [](char a, char b) { return digit(a) && b == '-'; }, "", " ", " ");
  }

 private:
  static bool digit(char c) { return c >= '0' && c <= '9'; }
  static bool point(char c) { return c == '.' || c == ','; }

  // Punctuation but for apostrophe, hyphen, point and comma.
  static bool alone(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= '!' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
  }

  static std::string around(std::string_view text) {
    std::string spaced = " ";
    spaced.reserve(text.size() + text.size() / 4);
    for (const char c : text) {
      if (alone(c))
        spaced += {' ', c, ' '};
      else
        spaced += c;
    }
    return spaced += ' ';
  }

  // Two neighbours that are `wanted` get something before, between and after them. Pairs do not overlap: the
  // second of one is not the first of the next.
  template <class Wanted>
  static std::string pairs(std::string_view text, Wanted wanted, std::string_view before,
                           std::string_view between, std::string_view after) {
    std::string spaced;
    spaced.reserve(text.size() + text.size() / 8);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i + 1 < text.size() && wanted(text[i], text[i + 1])) {
        spaced.append(before).append(1, text[i]).append(between).append(1, text[i + 1]).append(after);
        ++i;
      } else {
        spaced += text[i];
      }
    }
    return spaced;
  }
};

}  // namespace metaphrase::counts
