// The tokens that METEOR 1.5 makes of a line under `-norm` (Denkowski and Lavie 2014).
//
// The Java program rewrites the line by one regular expression after the other. A rewriting matches from left
// to right and never looks at a character twice, and that shows: of "a,b,c" only the first comma becomes a
// token. The steps below are therefore kept in its order wherever the order can be seen in the result, and
// the rest is done while the text is decoded. One thing is not the same: runs of dots go through the Java
// program as the word DOTMULTI, so that it takes this word, should a text have it, for dots. Here it is a
// word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/unicode.hpp"

namespace metaphrase::meteor {

class MeteorNormaliser {
 public:
  // Where an apostrophe between letters goes: to the letters after it, to those before it, or to neither.
  enum class Apostrophes : std::uint8_t { clitic_after, clitic_before, apart };

  // What a thread writes on, kept from text to text.
  struct Workspace {
    std::u32string text, rewritten;
    std::vector<std::u32string_view> words;
    std::string result;
  };

  // The abbreviations whose full stop is a part of them: `always`, or only `before_numbers`.
  MeteorNormaliser(Apostrophes apostrophes, const std::vector<std::string>& always,
                   const std::vector<std::string>& before_numbers)
      : apostrophes_(apostrophes) {
    for (const auto& prefix : always) prefixes_[decode_all(prefix)] = Prefix::always;
    for (const auto& prefix : before_numbers) prefixes_[decode_all(prefix)] = Prefix::before_numbers;
  }

  // Tokens with a space between them, valid until the workspace is used again. Without `punctuation`
  // everything but letters and digits separates.
  std::string_view normalise(std::string_view text, bool punctuation, Workspace& work) const {
    set_apart(text, work.text);
    part_commas(work);
    part_hyphens(work);
    part_apostrophes(work);
    split(work.text, work.words);
    join(work, punctuation);
    return trimmed(work.result);
  }

 private:
  using Text = std::u32string_view;
  enum class Prefix : std::uint8_t { always, before_numbers };

  // Stands for each dot of a run from when it is known to be one; no character has this number.
  static constexpr char32_t run_dot = 0x110000;

  static bool is_digit(char32_t c) { return is_ascii_digit(c); }
  static bool is_no_digit(char32_t c) { return !is_ascii_digit(c); }

  // Latin but for its rarer letters, and Cyrillic. Other scripts are symbols to METEOR, each letter a token.
  static bool is_letter(char32_t c) {
    if (c < 0x80) return is_ascii_alpha(c);
    if (c < 0x180) return c >= 0xC0 && c != 0xD7 && c != 0xF7 && c != 0x17F;
    return (c >= 0x400 && c <= 0x527) || (c >= 0x1D00 && c <= 0x1D7F) || (c >= 0xA640 && c <= 0xA66E) ||
           (c >= 0xA67E && c <= 0xA697);
  }
  static bool is_no_letter(char32_t c) { return !is_letter(c); }
  static bool is_word_character(char32_t c) { return is_ascii_digit(c) || is_letter(c); }

  // Java's StringTokenizer does not split at a vertical tab, though its regular expressions call that a
  // space.
  static bool separates(char32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
  // Set apart like symbols, and dropped at the end.
  static bool is_wide_space(char32_t c) {
    return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
  }
  static bool is_single_quote(char32_t c) { return c == '\'' || c == '`' || c == 0x2018 || c == 0x2019; }
  static bool is_double_quote(char32_t c) { return c == 0x201C || c == 0x201D; }

  // Sets symbols and runs of dots apart and writes quotes and dashes in one way. Two single quotes in a row
  // are a double one. A space before and after the text gives its first and last character neighbours.
  static void set_apart(std::string_view bytes, std::u32string& out) {
    const auto apart = [&out](char32_t c, std::size_t times = 1) {
      out.push_back(U' ');
      out.append(times, c);
      out.push_back(U' ');
    };
    out.assign(1, U' ');
    for (std::size_t at = 0; at < bytes.size();) {
      const char32_t c = decode_one(bytes.data(), bytes.size(), at);
      if (is_word_character(c) || c == ' ') {  // nearly all
        out.push_back(c);
      } else if (c == '.') {
        const std::size_t first = at - 1;
        at = std::min(bytes.find_first_not_of('.', at), bytes.size());
        if (at - first > 1) {
          apart(run_dot, at - first);
        } else {
          out.push_back(c);
        }
      } else if (is_single_quote(c)) {
        if (out.back() == U'\'') {
          out.pop_back();
          apart(U'"');
        } else {
          out.push_back(U'\'');
        }
      } else if (separates(c) || c == ',' || c == '-' || c == '\v') {
        out.push_back(c);
      } else {
        apart(is_double_quote(c) ? U'"' : c == 0x2013 ? U'-' : c);
      }
    }
    out.push_back(U' ');
  }

  // Writes `replacement` for `mark` wherever it stands between such characters. The character after a mark
  // that was replaced is not looked at again as the one before the next.
  template <class Before, class After>
  static void replace_between(char32_t mark, Before before, After after, Text replacement, Workspace& work) {
    const std::u32string& text = work.text;
    std::size_t copied = 0;
    std::size_t at = text.find(mark, 1);
    if (at == Text::npos) return;
    work.rewritten.clear();
    while (at != Text::npos && at + 1 < text.size()) {
      if (!before(text[at - 1]) || !after(text[at + 1])) {
        at = text.find(mark, at + 1);
        continue;
      }
      work.rewritten.append(text, copied, at - copied).append(replacement).push_back(text[at + 1]);
      copied = at + 2;
      at = text.find(mark, copied + 1);
    }
    work.rewritten.append(text, copied);
    work.text.swap(work.rewritten);
  }

  static void part_commas(Workspace& work) {
    replace_between(U',', is_no_digit, is_no_digit, U" , ", work);
    replace_between(U',', is_digit, is_no_digit, U" , ", work);
    replace_between(U',', is_no_digit, is_digit, U" , ", work);
  }

  // A hyphen within a compound is dropped, two hyphens count as one.
  static void part_hyphens(Workspace& work) {
    if (work.text.find(U"--") != Text::npos) {
      work.rewritten.clear();
      for (std::size_t at = 0; at < work.text.size(); ++at) {
        work.rewritten.push_back(work.text[at]);
        if (work.text[at] == U'-' && at + 1 < work.text.size() && work.text[at + 1] == U'-') ++at;
      }
      work.text.swap(work.rewritten);
    }
    const auto before = [](char32_t c) { return c == '.' || is_word_character(c); };
    replace_between(U'-', before, is_word_character, U" ", work);
  }

  static void set_apart_all(char32_t mark, Workspace& work) {
    if (work.text.find(mark) == Text::npos) return;
    work.rewritten.clear();
    for (const char32_t c : work.text) {
      if (c == mark) work.rewritten.push_back(U' ');
      work.rewritten.push_back(c);
      if (c == mark) work.rewritten.push_back(U' ');
    }
    work.text.swap(work.rewritten);
  }

  void part_apostrophes(Workspace& work) const {
    constexpr char32_t mark = U'\'';
    if (apostrophes_ == Apostrophes::apart) {
      set_apart_all(mark, work);
      return;
    }
    const bool after = apostrophes_ == Apostrophes::clitic_after;
    // English leaves an apostrophe between a digit and a letter, as in "1980's", to its last rule.
    const auto opening = [after](char32_t c) { return !is_letter(c) && !(after && is_digit(c)); };
    replace_between(mark, is_no_letter, is_no_letter, U" ' ", work);
    replace_between(mark, opening, is_letter, U" ' ", work);
    replace_between(mark, is_letter, is_no_letter, U" ' ", work);
    replace_between(mark, is_letter, is_letter, after ? U" '" : U"' ", work);
    if (after) replace_between(mark, is_digit, [](char32_t c) { return c == 's'; }, U" '", work);
  }

  static void split(Text text, std::vector<Text>& words) {
    words.clear();
    for (std::size_t at = 0; at < text.size();) {
      if (separates(text[at])) {
        ++at;
        continue;
      }
      const std::size_t first = at;
      while (at < text.size() && !separates(text[at])) ++at;
      words.push_back(text.substr(first, at - first));
    }
  }

  enum class FullStop : std::uint8_t { none, of_acronym, of_abbreviation, of_sentence };

  // What the dot at the end of a word is there for.
  FullStop full_stop(const std::vector<Text>& words, std::size_t i) const {
    if (words[i].size() < 2 || words[i].back() != U'.') return FullStop::none;
    const Text stem = words[i].substr(0, words[i].size() - 1);
    if (stem.find(U'.') != Text::npos && std::any_of(stem.begin(), stem.end(), is_letter)) {
      return FullStop::of_acronym;
    }
    const auto found = prefixes_.find(std::u32string(stem));
    if (found != prefixes_.end() && found->second == Prefix::always) return FullStop::of_abbreviation;
    if (i + 1 == words.size()) return FullStop::of_sentence;
    const char32_t next = words[i + 1].front();
    if (next >= 'a' && next <= 'z') return FullStop::of_abbreviation;
    return found != prefixes_.end() && is_digit(next) ? FullStop::of_abbreviation : FullStop::of_sentence;
  }

  // An acronym loses its dots; the full stop of a sentence becomes a token.
  void join(Workspace& work, bool punctuation) const {
    work.result.clear();
    const auto space = [&work] {
      if (!work.result.empty() && work.result.back() != ' ') work.result.push_back(' ');
    };
    const auto put = [&](char32_t c) {
      if (!punctuation && !is_word_character(c)) {
        space();
      } else {
        encode_one(c == run_dot ? U'.' : c, work.result);
      }
    };
    for (std::size_t i = 0; i < work.words.size(); ++i) {
      const Text word = work.words[i];
      if (is_wide_space(word.front())) continue;
      const FullStop stop = full_stop(work.words, i);
      space();
      for (const char32_t c : word.substr(0, word.size() - (stop == FullStop::of_sentence))) {
        if (c != U'.' || stop != FullStop::of_acronym) put(c);
      }
      if (stop == FullStop::of_sentence) {
        space();
        put(U'.');
      }
    }
  }

  // As Java trims: control characters go too.
  static std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    return text;
  }

  Apostrophes apostrophes_;
  std::unordered_map<std::u32string, Prefix> prefixes_;
};

}  // namespace metaphrase::meteor
