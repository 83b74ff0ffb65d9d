// Tokens as the treebanks of each language write them (English: Penn-style, after the English Web Treebank),
// with their spans in code points.
//
// A text is cut at white space; each chunk is then read once from left to right, so that the time is linear
// in the text whatever it contains. Only the chunk itself, and whether it ends the text, decides its tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/token_lists.hpp"
#include "analysis/token_rules.hpp"
#include "base/unicode.hpp"

namespace metaphrase::analysis {

struct Span {
  std::uint32_t start, end;
};

class Tokeniser {
 public:
  explicit Tokeniser(const TokenRules& rules) : rules_(rules) {}

  // Appends the tokens of `text` to `out`.
  void tokenise(const DecodedText& text, std::vector<Span>& out) {
    text_ = &text;
    out_ = &out;
    const std::uint32_t size = static_cast<std::uint32_t>(text.size());
    for (std::uint32_t at = 0; at < size;) {
      if (text.classes[at] == CharClass::space) {
        ++at;
        continue;
      }
      std::uint32_t end = at;
      bool plain = true, address = false;
      for (; end < size && text.classes[end] != CharClass::space; ++end) {
        plain &= text.classes[end] == CharClass::letter;
        const char32_t c = text.chars[end];
        address |= c == '@' || (c == '/' && end > at && text.chars[end - 1] == ':') ||
                   (c == '.' && end == at + 3 && is_www(at));
      }
      if (plain) {
        emit_letters(at, end);
      } else if (!address || !emit_address(at, end)) {
        emit_chunk(at, end);
      }
      at = end;
    }
  }

 private:
  static constexpr std::uint32_t longest_listed_word = 12;

  char32_t at(std::uint32_t i) const { return text_->chars[i]; }
  bool is_word(std::uint32_t i) const {
    return text_->classes[i] == CharClass::letter || text_->classes[i] == CharClass::digit;
  }
  bool is_letter(std::uint32_t i) const { return text_->classes[i] == CharClass::letter; }
  bool is_digit(std::uint32_t i) const { return text_->classes[i] == CharClass::digit; }
  static bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019 || c == '`'; }
  static bool is_hyphen(char32_t c) { return c == '-' || c == 0x2010 || c == 0x2011; }
  void emit(std::uint32_t start, std::uint32_t end) {
    if (start < end) out_->push_back({start, end});
  }

  // The lower-cased characters [start, end) if short enough to be in a list, else the empty string.
  std::string_view listed(std::uint32_t start, std::uint32_t end) {
    key_.clear();
    if (end - start > longest_listed_word) return key_;
    for (std::uint32_t i = start; i < end; ++i) encode_one(to_lower(at(i)), key_);
    return key_;
  }

  bool is_www(std::uint32_t start) const {
    for (std::uint32_t i = start; i < start + 3; ++i)
      if (to_lower(at(i)) != 'w') return false;
    return true;
  }

  void emit_letters(std::uint32_t start, std::uint32_t end) {
    const bool acronym = end - start == 2 && is_upper(at(start + 1));  // "IM" is no "I'm"
    if (rules_.english && end - start <= 8 && !acronym) {
      const auto& fused = tokens::fused_words;
      if (const auto found = fused.find(listed(start, end)); found != fused.end()) {
        std::uint32_t from = start;
        for (const std::uint32_t cut : found->second) {
          if (cut == 0) continue;
          emit(from, start + cut);
          from = start + cut;
        }
        emit(from, end);
        return;
      }
    }
    emit(start, end);
  }

  // URLs and e-mail addresses are one token; what stands around them is not part of them.
  bool emit_address(std::uint32_t start, std::uint32_t end) {
    std::uint32_t first = start, last = end;
    while (first < last && !is_word(first) && at(first) != '@') ++first;
    const std::u32string_view closing = U".,;:!?)]}>\"'\u2019\u201d";
    while (last > first && closing.find(at(last - 1)) != std::u32string_view::npos) --last;
    bool address = false, sign = false;
    for (std::uint32_t i = first; i < last; ++i) {
      if (at(i) == '/' && i + 1 < last && at(i + 1) == '/' && i > first && at(i - 1) == ':') address = true;
      if (at(i) == '@' && i > first && i + 1 < last && is_word(i + 1)) sign = true;
      if (at(i) == '<' || at(i) == '>' || at(i) == '(' || at(i) == '"') return false;
    }
    const bool www = last - first > 4 && is_www(first) && at(first + 3) == '.';
    if (!address && !sign && !www) return false;
    emit_chunk(start, first);
    emit(first, last);
    emit_chunk(last, end);
    return true;
  }

  void emit_chunk(std::uint32_t start, std::uint32_t end) {
    for (std::uint32_t i = start; i < end;) {
      if (is_word(i)) {
        const std::uint32_t run = word_end(i, end);
        i = emit_run(i, run, end);
      } else {
        i = emit_symbol(i, start, end);
      }
    }
  }

  // The longest run of word characters and of marks that may join them.
  std::uint32_t word_end(std::uint32_t start, std::uint32_t end) const {
    std::uint32_t i = start + 1;
    for (; i < end; ++i) {
      if (is_word(i)) continue;
      if (i + 1 >= end || !is_word(i + 1) || !is_word(i - 1)) break;
      const char32_t c = at(i);
      if (is_apostrophe(c) || is_hyphen(c) || c == '.' || c == '&' || c == '_') continue;
      const bool digits = is_digit(i - 1) && is_digit(i + 1);
      const bool comma = c == ',' && (!rules_.english || is_thousands(i, end));
      if (digits && (c == ':' || c == '/' || comma)) continue;
      if (c == '*' && is_letter(i - 1) && is_letter(i + 1)) continue;
      if (rules_.english && c == '/' && i - start <= 2 && slashed(start, i, end)) continue;
      break;
    }
    return i;
  }

  // "1,200" but "13,14".
  bool is_thousands(std::uint32_t comma, std::uint32_t end) const {
    std::uint32_t i = comma + 1;
    while (i < end && i < comma + 5 && is_digit(i)) ++i;
    return i == comma + 4;
  }

  bool slashed(std::uint32_t start, std::uint32_t slash, std::uint32_t end) const {
    std::string key;
    std::uint32_t i = start;
    for (; i < end && i < start + 6 && (is_word(i) || i == slash); ++i) encode_one(to_lower(at(i)), key);
    return tokens::slashed_words.contains(key);
  }

  // Splits the run [start, end) at its joining marks; `limit` is the end of the chunk. Returns where reading
  // goes on, which is past a period that belongs to an abbreviation.
  std::uint32_t emit_run(std::uint32_t start, std::uint32_t end, std::uint32_t limit) {
    if (is_fixed(start, end)) {
      emit(start, end);
      return end;
    }
    std::uint32_t token = start;  // where the token being built begins
    std::uint32_t part = start;   // where the part after the last joining mark begins
    const bool domain = has_domain_ending(start, end);
    const bool numeric = is_numeric_code(start, end);
    bool initials = true;  // only single letters and periods since `token`
    bool simple = true;
    for (std::uint32_t i = start; i < end; ++i) {
      if (is_word(i)) continue;
      simple = false;
      const char32_t c = at(i);
      std::uint32_t next = i + 1;
      while (next < end && is_word(next)) ++next;
      if (c == '.') {
        const bool single = i - part == 1 && is_letter(part);
        initials &= single;
        const bool dotted =
            (initials && next - i == 2) || (i - part <= 2 && next - i == 2 && is_upper(at(part)));
        const bool keep = domain || (is_digit(i - 1) && is_digit(i + 1)) || (rules_.joins_periods && dotted);
        if (!keep) {
          if (is_abbreviation(token, part, i)) {
            emit(token, i + 1);
          } else {
            emit_part(token, i);
            emit(i, i + 1);
          }
          token = i + 1;
          initials = true;
        }
      } else if (is_hyphen(c)) {
        initials = false;
        if (!rules_.splits_hyphens) {
          if (is_enclitic(i + 1, next, end)) {
            emit_part(token, i);
            token = i;
            if (to_lower(at(i + 1)) == 't' && next == i + 2) next = end;  // "-t-il"
          }
        } else if (!domain && !numeric && !(token == part && is_prefix(part, i))) {
          emit_part(token, i);
          emit(i, i + 1);
          token = i + 1;
          initials = true;
        }
      } else if (is_apostrophe(c)) {
        initials = false;
        const std::string_view tail = rules_.english ? listed(i + 1, next) : std::string_view();
        if (rules_.elisions.contains(listed_elision(token, i))) {
          emit(token, i + 1);
          token = i + 1;
        } else if (tail == "s" || tail == "m" || tail == "d" || tail == "re" || tail == "ve" ||
                   tail == "ll") {
          if (is_letter(i - 1)) {
            emit_part(token, i);
            token = i;
          }
        } else if (tail == "t" && to_lower(at(i - 1)) == 'n' && i - 1 > token) {
          emit(token, i - 1);
          token = i - 1;
        }
      } else {
        initials = false;
      }
      part = i + 1;
      i = next - 1;
    }
    if (end < limit && at(end) == '.' && !starts_ellipsis(end, limit)) {
      const bool dotted = rules_.joins_periods && initials && !simple && end - part == 1 && token < part;
      // At the end of the text the period ends the sentence: "etc ." but "U.S."
      const bool within = end + 1 < text_->size();
      if (dotted || (within && (is_abbreviation(token, part, end) || is_ordinal(token, end, limit)))) {
        emit(token, end + 1);
        return end + 1;
      }
    }
    if (simple && end - start <= 2 && end + 1 == limit && at(end) == '-' && is_letter(start)) {
      emit(start, limit);  // a word broken off: "th- the"
      return limit;
    }
    emit_part(token, end);
    return end;
  }

  // Three or more periods; two after an abbreviation are its own and the sentence's.
  bool starts_ellipsis(std::uint32_t i, std::uint32_t end) const {
    return i + 2 < end && at(i + 1) == '.' && at(i + 2) == '.';
  }

  // German "3." where the chunk ends with the period.
  bool is_ordinal(std::uint32_t start, std::uint32_t end, std::uint32_t limit) const {
    if (!rules_.ordinals || end - start > 2 || end + 1 != limit) return false;
    return is_digit(start) && is_digit(end - 1);
  }

  bool is_fixed(std::uint32_t start, std::uint32_t end) {
    return !rules_.fixed.empty() && end - start <= longest_listed_word &&
           rules_.fixed.contains(listed(start, end));
  }

  // Whether [start, end) is a pronoun that hangs on a verb by a hyphen: the last part of the run, or "t" or
  // another pronoun before it ("donne-le-moi").
  bool is_enclitic(std::uint32_t start, std::uint32_t end, std::uint32_t limit) {
    while (rules_.enclitics.contains(listed(start, end))) {
      if (end == limit) return end != start + 1 || to_lower(at(start)) != 't';
      if (!is_hyphen(at(end))) return false;
      start = ++end;
      while (end < limit && is_word(end)) ++end;
    }
    return false;
  }

  // What stands before an apostrophe, if it may be a word that lost its vowel.
  std::string_view listed_elision(std::uint32_t start, std::uint32_t end) {
    return rules_.elisions.empty() ? std::string_view() : listed(start, end);
  }

  // "Pre-war" but not "UN-led": an acronym is no prefix.
  bool is_prefix(std::uint32_t start, std::uint32_t end) {
    if (!rules_.english) return false;
    if (end - start > 1 && is_upper(at(start + 1))) return false;
    return tokens::bound_prefixes.contains(listed(start, end));
  }

  bool is_abbreviation(std::uint32_t token, std::uint32_t part, std::uint32_t end) {
    if (token != part || !rules_.joins_periods) return false;
    if (end - part == 1) {
      return rules_.any_initial ? is_letter(part) : is_upper(at(part)) && at(part) != 'I';
    }
    return rules_.abbreviations.contains(listed(part, end));
  }

  // A part without joining marks that split: fused words, and numbers with a unit.
  void emit_part(std::uint32_t start, std::uint32_t end) {
    if (start >= end) return;
    if (is_letter(start)) return emit_letters(start, end);
    std::uint32_t i = start;
    while (i < end && !is_letter(i)) ++i;
    if (rules_.english && i < end && is_digit(start) && tokens::units.contains(listed(i, end))) {
      emit(start, i);
      start = i;
    }
    emit(start, end);
  }

  bool has_domain_ending(std::uint32_t start, std::uint32_t end) {
    std::uint32_t i = end;
    while (i > start && is_word(i - 1)) --i;
    return i > start + 2 && at(i - 1) == '.' && tokens::domain_endings.contains(listed(i, end));
  }

  // Telephone numbers, dates and part numbers keep their hyphens; ranges ("10-15", "1990-1995") do not.
  bool is_numeric_code(std::uint32_t start, std::uint32_t end) const {
    std::uint32_t hyphens = 0, first = 0, length = 0;
    for (std::uint32_t i = start; i < end; ++i) {
      if (is_hyphen(at(i))) {
        if (hyphens++ == 0) first = length;
        length = 0;
      } else if (is_digit(i) || at(i) == '/') {
        ++length;
      } else {
        return false;
      }
    }
    return hyphens >= 2 || (hyphens == 1 && first >= 3 && length >= 3 && first != length);
  }

  std::uint32_t emit_symbol(std::uint32_t i, std::uint32_t start, std::uint32_t end) {
    const char32_t c = at(i);
    std::uint32_t last = i + 1;
    if (const std::uint32_t face = emoticon_end(i, start, end); face > i) {
      last = face;
    } else if (c == '!' || c == '?') {
      while (last < end && (at(last) == '!' || at(last) == '?')) ++last;
    } else if (c == '.' && i == start && last < end && is_digit(last)) {
      while (last < end && is_digit(last)) ++last;  // ".265"
    } else if (is_apostrophe(c)) {
      last = apostrophe_end(i, start, end);
    } else if ((c == '#' || c == '@') && last < end && is_letter(last) && (i == start || !is_word(i - 1))) {
      while (last < end && (is_word(last) || at(last) == '_')) ++last;
    } else if (c == '.' || c == '-' || c == '*' || c == '=' || c == '_' || c == '+' || c == '~' || c == '#' ||
               c == '<' || c == '>' || c == 0x2026 || c == '^' || c == '|' || c == '$') {
      while (last < end && at(last) == c) ++last;
    } else if (c >= 0x2190) {
      // Variation selectors, joiners and skin tones belong to the pictograph before them.
      while (last < end &&
             (at(last) == 0xFE0F || at(last) == 0x200D || (at(last) >= 0x1F3FB && at(last) <= 0x1F3FF) ||
              (at(last - 1) == 0x200D && at(last) >= 0x2190))) {
        ++last;
      }
    }
    emit(i, last);
    return last;
  }

  // 's and its kin written apart, 'em, '90s, and doubled quotation marks; otherwise the mark alone.
  std::uint32_t apostrophe_end(std::uint32_t i, std::uint32_t start, std::uint32_t end) {
    if (i + 1 < end && at(i + 1) == at(i)) return i + 2;
    if (i != start && is_word(i - 1)) return i + 1;
    std::uint32_t last = i + 1;
    while (last < end && is_word(last) && last - i <= 6) ++last;
    if (!rules_.english) return elided_end(i, start, end);
    const bool closed = last == end || (!is_word(last) && !is_apostrophe(at(last)));
    static const std::unordered_set<std::string_view> clitics{
        "s", "m", "d", "re", "ve", "ll", "t", "em", "til", "cause", "cuz", "n", "tis", "twas", "bout", "nt"};
    const bool attached = i == start || at(i - 1) == '.' || at(i - 1) == ')' || at(i - 1) == '"';  // "U.S.'s"
    if (closed && attached && clitics.contains(listed(i + 1, last))) return last;
    const bool decade = closed && last - i >= 3 && is_digit(i + 1) && is_digit(i + 2) && last - i <= 4;
    return decade ? last : i + 1;
  }

  // German "'s" and "'n" written apart.
  std::uint32_t elided_end(std::uint32_t i, std::uint32_t start, std::uint32_t end) const {
    return rules_.ordinals && i == start && i + 2 == end && is_letter(i + 1) ? end : i + 1;
  }

  // ":)", ";-(", "=D", "<3", "^_^" where no letter runs on; never the ":" of "Note:(see)".
  std::uint32_t emoticon_end(std::uint32_t i, std::uint32_t start, std::uint32_t end) const {
    const char32_t c = at(i);
    if (c == '<' && i + 1 < end && at(i + 1) == '3' && i + 2 == end) return i + 2;
    if ((c == '^' || c == '-') && i + 3 == end && at(i + 1) == '_' && at(i + 2) == c) return i + 3;
    if (c == '(' && i == start && i + 2 == end && (at(i + 1) == ':' || at(i + 1) == ';')) return i + 2;
    if (c != ':' && c != ';' && c != '=') return i;
    std::uint32_t last = i + 1;
    if (last < end && (at(last) == '-' || at(last) == '\'')) ++last;
    if (last >= end) return i;
    const char32_t mouth = at(last);
    const std::u32string_view mouths = U")(/|\\*DPpOo]";
    if (mouths.find(mouth) == std::u32string_view::npos) return i;
    const std::uint32_t first = last++;
    while (last < end && at(last) == mouth && !is_word(first)) ++last;
    if (last < end && (is_word(last) || at(last) == '/')) return i;
    if (is_word(first) && i != start) return i;
    return last;
  }

  const TokenRules& rules_;
  const DecodedText* text_ = nullptr;
  std::vector<Span>* out_ = nullptr;
  std::string key_;
};

}  // namespace metaphrase::analysis
