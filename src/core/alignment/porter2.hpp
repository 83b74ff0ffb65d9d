// The English stemmer of Snowball, "Porter2" (M. F. Porter 2001), in the version that was in use until 2024
// and that UPF-Cobalt, MWA and METEOR were built with.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/unicode.hpp"

namespace metaphrase::alignment {

// Stems lower-case words. Anything but a-z and the apostrophe counts as a consonant.
class Porter2 {
 public:
  std::string stem(std::string_view word) {
    word_ = decode_all(word);
    if (const auto* exception = find(exceptions, word_)) return encode_all(exception->second);
    if (word_.size() <= 2) return std::string(word);
    mark_consonant_y();
    mark_regions();
    strip_plural();
    if (std::find(invariants.begin(), invariants.end(), std::u32string_view(word_)) == invariants.end()) {
      strip_past_and_participle();
      replace_final_y();
      step_2();
      step_3();
      step_4();
      step_5();
    }
    if (marked_) std::replace(word_.begin(), word_.end(), U'Y', U'y');
    return encode_all(word_);
  }

 private:
  using Text = std::u32string_view;
  using Rule = std::pair<Text, Text>;

  // Irregular words, and words that the rules would confuse with others.
  static constexpr std::array<Rule, 18> exceptions{{{U"skis", U"ski"},
                                                    {U"skies", U"sky"},
                                                    {U"dying", U"die"},
                                                    {U"lying", U"lie"},
                                                    {U"tying", U"tie"},
                                                    {U"idly", U"idl"},
                                                    {U"gently", U"gentl"},
                                                    {U"ugly", U"ugli"},
                                                    {U"early", U"earli"},
                                                    {U"only", U"onli"},
                                                    {U"singly", U"singl"},
                                                    {U"sky", U"sky"},
                                                    {U"news", U"news"},
                                                    {U"howe", U"howe"},
                                                    {U"atlas", U"atlas"},
                                                    {U"cosmos", U"cosmos"},
                                                    {U"bias", U"bias"},
                                                    {U"andes", U"andes"}}};
  // Left alone once a plural ending is gone.
  static constexpr std::array<Text, 8> invariants{U"inning",  U"outing",  U"canning", U"herring",
                                                  U"earring", U"proceed", U"exceed",  U"succeed"};
  static constexpr std::array<Text, 3> long_prefixes{U"gener", U"commun", U"arsen"};
  // Longest endings first, because the longest that fits decides.
  static constexpr std::array<Rule, 24> derivations{
      {{U"ational", U"ate"}, {U"fulness", U"ful"}, {U"iveness", U"ive"}, {U"ization", U"ize"},
       {U"ousness", U"ous"}, {U"biliti", U"ble"},  {U"lessli", U"less"}, {U"tional", U"tion"},
       {U"alism", U"al"},    {U"aliti", U"al"},    {U"ation", U"ate"},   {U"entli", U"ent"},
       {U"fulli", U"ful"},   {U"iviti", U"ive"},   {U"ousli", U"ous"},   {U"abli", U"able"},
       {U"alli", U"al"},     {U"anci", U"ance"},   {U"ator", U"ate"},    {U"enci", U"ence"},
       {U"izer", U"ize"},    {U"bli", U"ble"},     {U"ogi", U"og"},      {U"li", U""}}};
  static constexpr std::array<Rule, 9> further_derivations{{{U"ational", U"ate"},
                                                            {U"tional", U"tion"},
                                                            {U"alize", U"al"},
                                                            {U"ative", U""},
                                                            {U"icate", U"ic"},
                                                            {U"iciti", U"ic"},
                                                            {U"ical", U"ic"},
                                                            {U"ness", U""},
                                                            {U"ful", U""}}};
  static constexpr std::array<Text, 18> endings{U"ement", U"able", U"ance", U"ence", U"ible", U"ment",
                                                U"ant",   U"ate",  U"ent",  U"ion",  U"ism",  U"iti",
                                                U"ive",   U"ize",  U"ous",  U"al",   U"er",   U"ic"};

  template <std::size_t N>
  static const Rule* find(const std::array<Rule, N>& rules, Text word) {
    const auto found =
        std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.first == word; });
    return found == rules.end() ? nullptr : &*found;
  }

  static bool vowel(char32_t c) { return Text(U"aeiouy").find(c) != Text::npos; }

  bool ends(Text suffix) const { return Text(word_).ends_with(suffix); }
  bool in_r1(std::size_t suffix) const { return word_.size() - suffix >= r1_; }
  bool in_r2(std::size_t suffix) const { return word_.size() - suffix >= r2_; }
  char32_t before(std::size_t suffix) const {
    return word_.size() > suffix ? word_[word_.size() - suffix - 1] : U'\0';
  }
  void replace_suffix(std::size_t suffix, Text text) { word_.replace(word_.size() - suffix, suffix, text); }
  bool has_vowel(std::size_t end) const { return std::any_of(word_.begin(), word_.begin() + end, vowel); }

  // Whether the word without its last `suffix` letters ends in a short syllable.
  bool short_syllable(std::size_t suffix) const {
    const std::size_t end = word_.size() - suffix;
    if (end >= 3) {
      const char32_t last = word_[end - 1];
      const bool closed = !vowel(last) && last != U'w' && last != U'x' && last != U'Y';
      if (closed && vowel(word_[end - 2]) && !vowel(word_[end - 3])) return true;
    }
    return end == 2 && !vowel(word_[1]) && vowel(word_[0]);
  }

  // A y that begins the word or follows a vowel is a consonant, written Y until the end.
  void mark_consonant_y() {
    if (word_.front() == U'\'') word_.erase(0, 1);
    marked_ = false;
    for (std::size_t i = 0; i < word_.size(); ++i) {
      if (word_[i] == U'y' && (i == 0 || vowel(word_[i - 1]))) {
        word_[i] = U'Y';
        marked_ = true;
      }
    }
  }

  std::size_t after_vowel_and_consonant(std::size_t at) const {
    while (at < word_.size() && !vowel(word_[at])) ++at;
    while (at < word_.size() && vowel(word_[at])) ++at;
    return std::min(at + 1, word_.size());
  }

  void mark_regions() {
    const auto prefix = std::find_if(long_prefixes.begin(), long_prefixes.end(),
                                     [&](Text start) { return Text(word_).starts_with(start); });
    r1_ = prefix == long_prefixes.end() ? after_vowel_and_consonant(0) : prefix->size();
    r2_ = after_vowel_and_consonant(r1_);
  }

  void strip_plural() {
    for (const Text suffix : {Text(U"'s'"), Text(U"'s"), Text(U"'")}) {
      if (ends(suffix)) {
        replace_suffix(suffix.size(), U"");
        break;
      }
    }
    if (ends(U"sses")) {
      replace_suffix(4, U"ss");
    } else if (ends(U"ied") || ends(U"ies")) {
      replace_suffix(3, word_.size() > 4 ? U"i" : U"ie");
    } else if (ends(U"s") && !ends(U"us") && !ends(U"ss") && word_.size() >= 2 &&
               has_vowel(word_.size() - 2)) {
      word_.pop_back();
    }
  }

  void strip_past_and_participle() {
    for (const Text suffix : {Text(U"eedly"), Text(U"eed")}) {
      if (!ends(suffix)) continue;
      if (in_r1(suffix.size())) replace_suffix(suffix.size(), U"ee");
      return;
    }
    for (const Text suffix : {Text(U"ingly"), Text(U"edly"), Text(U"ing"), Text(U"ed")}) {
      if (!ends(suffix)) continue;
      if (!has_vowel(word_.size() - suffix.size())) return;
      replace_suffix(suffix.size(), U"");
      restore_ending();
      return;
    }
  }

  void restore_ending() {
    const char32_t last = before(0);
    const bool doubled =
        word_.size() >= 2 && last == before(1) && Text(U"bdfgmnprt").find(last) != Text::npos;
    if (ends(U"at") || ends(U"bl") || ends(U"iz")) {
      word_.push_back(U'e');
    } else if (doubled) {
      word_.pop_back();
    } else if (word_.size() == r1_ && short_syllable(0)) {
      word_.push_back(U'e');
    }
  }

  void replace_final_y() {
    const char32_t last = before(0);
    if ((last == U'y' || last == U'Y') && word_.size() > 2 && !vowel(before(1))) word_.back() = U'i';
  }

  void step_2() {
    for (const auto& [suffix, replacement] : derivations) {
      if (!ends(suffix)) continue;
      const char32_t letter = before(suffix.size());
      const bool allowed = suffix == U"ogi"  ? letter == U'l'
                           : suffix == U"li" ? Text(U"cdeghkmnrt").find(letter) != Text::npos
                                             : true;
      if (allowed && in_r1(suffix.size())) replace_suffix(suffix.size(), replacement);
      return;
    }
  }

  void step_3() {
    for (const auto& [suffix, replacement] : further_derivations) {
      if (!ends(suffix)) continue;
      const bool allowed = suffix == U"ative" ? in_r2(suffix.size()) : true;
      if (allowed && in_r1(suffix.size())) replace_suffix(suffix.size(), replacement);
      return;
    }
  }

  void step_4() {
    for (const Text suffix : endings) {
      if (!ends(suffix)) continue;
      const char32_t letter = before(suffix.size());
      const bool allowed = suffix != U"ion" || letter == U's' || letter == U't';
      if (allowed && in_r2(suffix.size())) replace_suffix(suffix.size(), U"");
      return;
    }
  }

  void step_5() {
    if (ends(U"e")) {
      if (in_r2(1) || (in_r1(1) && !short_syllable(1))) word_.pop_back();
    } else if (ends(U"l") && in_r2(1) && before(1) == U'l') {
      word_.pop_back();
    }
  }

  std::u32string word_;
  bool marked_ = false;          // a capital that was there before is left alone unless a y was marked
  std::size_t r1_ = 0, r2_ = 0;  // where the regions R1 and R2 begin
};

}  // namespace metaphrase::alignment
