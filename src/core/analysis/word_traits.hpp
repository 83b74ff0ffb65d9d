// What tagger, labellers and parser see of a word: hashes of its spelling, and what a lexicon knows of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hashing.hpp"
#include "base/unicode.hpp"

namespace metaphrase::analysis {

// What a lexicon built from raw text and from the training treebank knows of a word; 0 is unknown.
struct LexiconEntry {
  std::uint16_t fine = 0, coarse = 0;  // distributional classes of two sizes
  std::uint16_t ambiguity = 0;         // which labels the word bears in the treebank, most frequent first
  std::uint16_t inflection = 0;        // how a dictionary comes from the word to its lemma
  std::uint8_t capitals = 0;           // how often raw text capitalises it within sentences, in six steps
  std::uint8_t lists = 0;              // which lists of names have it; only sequence labellers ask
};

// The traits that meet those of neighbours; small, because five of them are read at every token.
struct ContextTraits {
  std::uint64_t lower = 0;   // hash of the word in lower case; every digit reads as 0
  std::uint64_t ending = 0;  // of its last three characters
  LexiconEntry lexicon;
  std::uint8_t kind = 0;
  bool ends_sentence = false;
};

struct WordTraits : ContextTraits {
  std::uint64_t form = 0;                 // like `lower`, with its case
  std::array<std::uint64_t, 4> prefix{};  // of 1 to 4 characters, lower-cased
  std::array<std::uint64_t, 5> suffix{};  // of 1 to 5
  std::uint64_t shape = 0;
};

enum WordKind : std::uint8_t {
  has_digit = 1,
  has_hyphen = 2,
  has_upper = 4,
  starts_upper = 8,
  all_upper = 16,
  has_period = 32,
  no_letter = 64
};

// Traits that follow from the characters alone. No treebank has emoji: they read as the emoticon that it has.
inline WordTraits spell(std::u32string_view chars) {
  WordTraits word;
  std::u32string plain, low, shape;
  bool lower_letter = false, letter = false;
  if (!chars.empty() && std::all_of(chars.begin(), chars.end(), is_pictograph)) chars = U":)";
  for (char32_t c : chars) {
    if (is_ascii_digit(c)) c = '0';
    const bool upper = is_upper(c);
    const bool alphabetic = c != '0' && !is_symbol(c);
    const char32_t sort = c == '0' ? '0' : upper ? 'A' : alphabetic ? 'a' : c;
    if (shape.empty() || shape.back() != sort) shape.push_back(sort);
    if (c == '0') word.kind |= has_digit;
    if (c == '-') word.kind |= has_hyphen;
    if (c == '.') word.kind |= has_period;
    if (upper) word.kind |= has_upper;
    lower_letter |= alphabetic && !upper;
    letter |= alphabetic;
    plain.push_back(c);
    low.push_back(to_lower(c));
  }
  if (!chars.empty() && is_upper(chars[0])) word.kind |= starts_upper;
  if ((word.kind & has_upper) && !lower_letter) word.kind |= all_upper;
  if (!letter) word.kind |= no_letter;
  word.form = hash_chars(plain);
  word.lower = hash_chars(low);
  const std::u32string_view view = low;
  for (std::size_t n = 0; n < word.prefix.size(); ++n) word.prefix[n] = hash_chars(view.substr(0, n + 1));
  for (std::size_t n = 0; n < word.suffix.size(); ++n) {
    word.suffix[n] = hash_chars(view.substr(view.size() > n + 1 ? view.size() - n - 1 : 0));
  }
  word.ending = word.suffix[2];
  word.shape = hash_chars(std::u32string_view(shape).substr(0, 8));
  word.ends_sentence = plain == U"." || plain == U"!" || plain == U"?" || plain == U":";
  return word;
}

// Stands before the first token and after the last.
inline WordTraits outside_word() {
  WordTraits word;
  word.form = word.lower = 1;
  word.ends_sentence = true;
  return word;
}

}  // namespace metaphrase::analysis
