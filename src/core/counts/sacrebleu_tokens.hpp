// sacreBLEU's tokenisers but for those that need a model: a text in, its words between single spaces out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/unicode.hpp"
#include "counts/mteval_tokens.hpp"

namespace metaphrase::counts {

// As sacreBLEU calls them: none, 13a, intl, zh, char.
enum class Tokeniser : std::uint8_t { none, western, international, chinese, characters };

// What a thread writes on is kept from text to text.
class SacrebleuTokens {
 public:
  explicit SacrebleuTokens(Tokeniser tokeniser) : tokeniser_(tokeniser) {}

  // Valid until the next text.
  std::string_view words(std::string_view text) {
    switch (tokeniser_) {
      case Tokeniser::none: return words_between_spaces(text);
      case Tokeniser::western: western(text); break;
      case Tokeniser::international: international(text); break;
      case Tokeniser::chinese: chinese(text); break;
      case Tokeniser::characters: characters(text); break;
    }
    return words_between_spaces(bytes_);
  }

 private:
  void western(std::string_view text) {
    bytes_.assign(1, ' ').append(text);
    replace("<skipped>", "");
    replace("-\n", "");
    if (text.find('&') != text.npos) {
      // One after the other: &amp;lt; becomes <.
      for (const auto& [entity, character] : entities) replace(entity, character);
    }
    bytes_ += ' ';
    mteval_.separate(bytes_);
  }

  void international(std::string_view text) {
    characters_.clear();
    for (std::size_t at = 0; at < text.size();) {
      characters_ += decode_one(text.data(), text.size(), at);
    }
    mteval_.separate(characters_);
    bytes_.clear();
    for (const char32_t c : characters_) encode_one(c, bytes_);
  }

  // Unlike 13a it puts no space before the first and after the last character, so that ".5" is a word.
  void chinese(std::string_view text) {
    split_characters(stripped(text), is_chinese);
    mteval_.separate(bytes_);
  }

  void characters(std::string_view text) {
    split_characters(text, [](char32_t) { return true; });
  }

  template <class Alone>
  void split_characters(std::string_view text, Alone alone) {
    bytes_.clear();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t start = at;
      const bool apart = alone(decode_one(text.data(), text.size(), at));
      if (apart) bytes_ += ' ';
      bytes_.append(text.substr(start, at - start));
      if (apart) bytes_ += ' ';
    }
  }

  // sacreBLEU's ranges. It writes two of them as "\u20000" to "\u2a6d6" and "\u2f800" to "\u2fa1d", which
  // Python reads as a character of four digits and one more letter: the characters after U+2000 up to U+2A6D,
  // with quotes and dashes among them, and those after U+2F80 up to U+2FA1.
  static bool is_chinese(char32_t c) {
    if (c <= 0x2000) return false;
    if (c < 0xA000) {
      return c <= 0x2A6D || (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x2FF0 && c <= 0x303F) ||
             (c >= 0x3100 && c <= 0x312F) || (c >= 0x31A0 && c <= 0x31EF) || (c >= 0x3200 && c <= 0x4DB5) ||
             (c >= 0x4E00 && c <= 0x9FBB);
    }
    return (c >= 0xF900 && c <= 0xFA2D) || (c >= 0xFA30 && c <= 0xFA6A) || (c >= 0xFA70 && c <= 0xFAD9) ||
           (c >= 0xFE10 && c <= 0xFE1F) || (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF00 && c <= 0xFFEF);
  }

  void replace(std::string_view old, std::string_view with) {
    std::size_t found = bytes_.find(old);
    if (found == bytes_.npos) return;
    words_.clear();
    std::size_t at = 0;
    for (; found != bytes_.npos; found = bytes_.find(old, at)) {
      words_.append(bytes_, at, found - at).append(with);
      at = found + old.size();
    }
    bytes_.swap(words_.append(bytes_, at));
  }

  static std::string_view stripped(std::string_view text) {
    std::size_t begin = text.size(), end = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t start = at;
      if (is_space(decode_one(text.data(), text.size(), at))) continue;
      begin = std::min(begin, start);
      end = at;
    }
    return begin < end ? text.substr(begin, end - begin) : std::string_view();
  }

  // Python's text.split(), joined again.
  std::string_view words_between_spaces(std::string_view text) {
    words_.clear();
    bool after_space = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t start = at;
      if (is_space(decode_one(text.data(), text.size(), at))) {
        after_space = true;
        continue;
      }
      if (after_space && !words_.empty()) words_ += ' ';
      after_space = false;
      words_.append(text, start, at - start);
    }
    return words_;
  }

  static constexpr std::pair<std::string_view, std::string_view> entities[] = {
      {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};

  Tokeniser tokeniser_;
  MtevalTokens mteval_;
  std::string bytes_, words_;
  std::u32string characters_;
};

}  // namespace metaphrase::counts
