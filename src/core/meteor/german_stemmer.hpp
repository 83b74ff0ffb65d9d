// The German stemmer of Snowball (M. F. Porter), as its description stood until 2010: METEOR 1.5 was built
// with it. Later versions shorten "-nisse" as well, and from 2025 on much more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/unicode.hpp"

namespace metaphrase::meteor {

// Stems lower-case words. What is no letter of German counts as a consonant.
class GermanStemmer {
 public:
  std::string stem(std::string_view word) {
    read(word);
    mark_regions();
    strip_inflection();
    strip_comparison();
    strip_derivation();
    for (char32_t& c : word_) c = plain(c);
    return encode_all(word_);
  }

 private:
  using Text = std::u32string_view;
  static constexpr Text before_s = U"bdfghklmnrt", before_st = U"bdfghklmnt";

  static bool vowel(char32_t c) { return Text(U"aeiouyäöü").find(c) != Text::npos; }

  static char32_t plain(char32_t c) {
    const std::size_t at = Text(U"UYäöü").find(c);
    return at == Text::npos ? c : U"uyaou"[at];
  }

  // ß is ss, and a u or y between vowels is a consonant, written as a capital until the end.
  void read(std::string_view word) {
    word_.clear();
    for (const char32_t c : decode_all(word)) {
      if (c == U'ß') {
        word_.append(U"ss");
      } else {
        word_.push_back(c);
      }
    }
    for (std::size_t i = 0; i + 2 < word_.size(); ++i) {
      char32_t& middle = word_[i + 1];
      if (!vowel(word_[i]) || !vowel(word_[i + 2]) || (middle != U'u' && middle != U'y')) continue;
      middle -= U'a' - U'A';
      i += 2;  // a vowel that closed one triple opens no other
    }
  }

  std::size_t after_vowel_and_consonant(std::size_t at) const {
    while (at < word_.size() && !vowel(word_[at])) ++at;
    while (at < word_.size() && vowel(word_[at])) ++at;
    return std::min(at + 1, word_.size());
  }

  // At least three letters stand before R1; R2 is found from where R1 would begin otherwise.
  void mark_regions() {
    const std::size_t first = word_.size() < 3 ? word_.size() : after_vowel_and_consonant(0);
    r1_ = std::max<std::size_t>(first, std::min<std::size_t>(3, word_.size()));
    r2_ = after_vowel_and_consonant(first);
  }

  bool in_r1(std::size_t suffix) const { return word_.size() - suffix >= r1_; }
  bool in_r2(std::size_t suffix) const { return word_.size() - suffix >= r2_; }
  char32_t before(std::size_t suffix) const {
    return word_.size() > suffix ? word_[word_.size() - suffix - 1] : U'\0';
  }
  void drop(std::size_t suffix) { word_.erase(word_.size() - suffix); }

  // The first, and therefore longest, of the suffixes that the word ends in; empty if none.
  Text ending(std::initializer_list<Text> suffixes) const {
    const auto found = std::find_if(suffixes.begin(), suffixes.end(),
                                    [&](Text suffix) { return Text(word_).ends_with(suffix); });
    return found == suffixes.end() ? Text() : *found;
  }

  void strip_inflection() {
    const Text suffix = ending({U"ern", U"em", U"er", U"en", U"es", U"e", U"s"});
    const bool allowed = suffix != U"s" || before_s.find(before(1)) != Text::npos;
    if (allowed && in_r1(suffix.size())) drop(suffix.size());
  }

  void strip_comparison() {
    const Text suffix = ending({U"est", U"en", U"er", U"st"});
    // Three letters and the one that may stand before "st".
    const bool allowed = suffix != U"st" || (word_.size() >= 6 && before_st.find(before(2)) != Text::npos);
    if (allowed && in_r1(suffix.size())) drop(suffix.size());
  }

  void strip_derivation() {
    const Text suffix = ending({U"isch", U"lich", U"heit", U"keit", U"end", U"ung", U"ig", U"ik"});
    if (suffix.empty() || !in_r2(suffix.size())) return;
    if (suffix.starts_with(U'i') && before(suffix.size()) == U'e') return;
    drop(suffix.size());
    if (suffix == U"end" || suffix == U"ung") {
      if (!ending({U"ig"}).empty() && before(2) != U'e' && in_r2(2)) drop(2);
    } else if (suffix == U"lich" || suffix == U"heit") {
      if (!ending({U"er", U"en"}).empty() && in_r1(2)) drop(2);
    } else if (suffix == U"keit") {
      const Text inner = ending({U"lich", U"ig"});
      if (in_r2(inner.size())) drop(inner.size());
    }
  }

  std::u32string word_;
  std::size_t r1_ = 0, r2_ = 0;  // where the regions R1 and R2 begin
};

}  // namespace metaphrase::meteor
