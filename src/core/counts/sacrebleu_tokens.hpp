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

// As sacreBLEU calls them: none, 13a, intl, zh, char, tercom.
enum class Tokeniser : std::uint8_t { none, western, international, chinese, characters, tercom };

// What TER's tokeniser may be asked for, by sacreBLEU's names.
struct Tercom {
  bool normalized, asian_support, no_punct;
  // sacreBLEU sends references through it twice.
  int passes;
};

// What a thread writes on is kept from text to text.
class SacrebleuTokens {
 public:
  explicit SacrebleuTokens(Tokeniser tokeniser) : tokeniser_(tokeniser) {}
  explicit SacrebleuTokens(const Tercom& options) : tokeniser_(Tokeniser::tercom), options_(options) {}

  // Valid until the next text.
  std::string_view words(std::string_view text) {
    switch (tokeniser_) {
      case Tokeniser::none: return words_between_spaces(text);
      case Tokeniser::western: western(text); break;
      case Tokeniser::international: international(text); break;
      case Tokeniser::chinese: chinese(text); break;
      case Tokeniser::characters: characters(text); break;
      case Tokeniser::tercom: return tercom(text);
    }
    return words_between_spaces(bytes_);
  }

 private:
  void western(std::string_view text) {
    bytes_.assign(1, ' ').append(text);
    replace("<skipped>", "");
    replace("-\n", "");
    read_entities();
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

  // The text is in lower case already if case does not count, which is Python's to do.
  std::string_view tercom(std::string_view text) {
    std::string_view words = text;
    for (int pass = 0; pass < options_.passes; ++pass) {
      bytes_.assign(1, ' ').append(words.substr(0, stripped_end(words))).append(1, ' ');
      if (options_.normalized) normalise();
      if (options_.no_punct) remove_punctuation();
      words = words_between_spaces(bytes_);
    }
    return words;
  }

  void normalise() {
    replace("\n-", "");
    std::replace(bytes_.begin(), bytes_.end(), '\n', ' ');
    read_entities();
    split_possessives();
    mteval_.separate(bytes_);
    if (!options_.asian_support) return;
    words_.swap(bytes_);
    // Tercom's rules for Hiragana and Katakana apply at the start of a text, where there is a space by now.
    split_characters(words_, [](char32_t c) { return is_ideograph(c) || is_asian_punctuation(c); });
  }

  // Before spaces are put around punctuation, which therefore counts as one.
  void split_possessives() {
    words_.clear();
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if (bytes_[i] == '\'' && i + 2 < bytes_.size() && bytes_[i + 1] == 's' &&
          (bytes_[i + 2] == ' ' || MtevalTokens::alone(bytes_[i + 2]))) {
        words_ += ' ';
      }
      words_ += bytes_[i];
    }
    bytes_.swap(words_);
  }

  void remove_punctuation() {
    words_.clear();
    for (std::size_t at = 0; at < bytes_.size();) {
      const std::size_t start = at;
      const char32_t c = decode_one(bytes_.data(), bytes_.size(), at);
      const bool dropped = c < 0x80 ? std::u32string_view(U".,?:;!\"()").find(c) != std::u32string_view::npos
                                    : options_.asian_support && is_asian_punctuation(c);
      if (!dropped) words_.append(bytes_, start, at - start);
    }
    bytes_.swap(words_);
  }

  static bool is_ideograph(char32_t c) {
    if (c < 0x2E80) return false;
    return c <= 0x2EFF || (c >= 0x31C0 && c <= 0x31EF) || (c >= 0x3200 && c <= 0x4DBF) ||
           (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F);
  }

  static bool is_asian_punctuation(char32_t c) {
    if (c < 0x3001) return false;
    return c <= 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) || c == 0x30FB ||
           (c >= 0xFF61 && c <= 0xFF65) ||
           std::u32string_view(U"\uFF0E\uFF0C\uFF1F\uFF1A\uFF1B\uFF01\uFF02\uFF08\uFF09").find(c) !=
               std::u32string_view::npos;
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

  void read_entities() {
    if (bytes_.find('&') == bytes_.npos) return;
    // One after the other: &amp;lt; becomes <.
    for (const auto& [entity, character] : entities) replace(entity, character);
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

  // Where text.rstrip() ends.
  static std::size_t stripped_end(std::string_view text) {
    const std::string_view rest = stripped(text);
    return rest.empty() ? 0 : static_cast<std::size_t>(rest.data() + rest.size() - text.data());
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
  Tercom options_{};
  MtevalTokens mteval_;
  std::string bytes_, words_;
  std::u32string characters_;
};

}  // namespace metaphrase::counts
