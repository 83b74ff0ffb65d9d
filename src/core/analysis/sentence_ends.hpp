// Cuts a row of tokens into sentences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/unicode.hpp"

namespace metaphrase::analysis {

// How a token can take part in the end of a sentence.
enum class SentencePart : std::uint8_t {
  word,        // can begin a sentence
  lower_word,  // can begin one where nothing closes before it: '"Really?" she asked' is one
  stop,        // ends a sentence
  ellipsis,    // ends one if it does not go on in lower case
  closing,     // belongs to the sentence before
  quote,       // opens or closes: by how many there were
  other        // neither ends nor begins
};

inline SentencePart sentence_part(std::u32string_view form) {
  if (form.empty()) return SentencePart::other;
  bool dots = true, marks = true, loud = false;
  for (const char32_t c : form) {
    const bool dot = c == '.' || c == 0x2026;
    const bool mark = c == '!' || c == '?' || c == 0x203C || c == 0x2047 || c == 0x2049;
    dots &= dot;
    marks &= dot || mark;
    loud |= mark;
  }
  if (form == U"." || (marks && loud)) return SentencePart::stop;
  if (dots) return SentencePart::ellipsis;
  if (form == U"\"") return SentencePart::quote;
  const char32_t first = form[0];
  if (first == ')' || first == ']' || first == 0x201D || first == 0x2019 || form == U"''" || form == U"'") {
    return SentencePart::closing;
  }
  if (first == '(' || first == '[' || first == 0x201C || first == 0x2018 || form == U"``" || form == U"`") {
    return SentencePart::word;
  }
  if (is_symbol(first)) return SentencePart::other;
  return is_upper(first) || is_ascii_digit(first) ? SentencePart::word : SentencePart::lower_word;
}

constexpr std::size_t longest_piece = 256;

// Where the first sentence of `parts` ends. A sentence ends after a full stop, question or exclamation mark
// and what closes with it, if what follows can begin one; a straight quotation mark closes if there was an
// odd number before. Where none ends within `longest_piece` tokens, it is cut after the last token there that
// is no word, or just there: the time of a tree grows with the square of its tokens, and no sentence is that
// long.
inline std::size_t first_sentence(std::span<const SentencePart> parts) {
  const std::size_t most = std::min(parts.size(), longest_piece);
  bool quoting = false;
  for (std::size_t i = 0; i + 1 < most; ++i) {
    if (parts[i] == SentencePart::quote) quoting = !quoting;
    if (parts[i] != SentencePart::stop && parts[i] != SentencePart::ellipsis) continue;
    std::size_t next = i + 1;
    bool open = quoting;
    for (; next < most; ++next) {
      if (parts[next] == SentencePart::quote && open) {
        open = false;
      } else if (parts[next] != SentencePart::closing) {
        break;
      }
    }
    if (next >= most) break;
    const bool directly = next == i + 1 && parts[i] == SentencePart::stop;
    if (parts[next] == SentencePart::word || parts[next] == SentencePart::quote ||
        (parts[next] == SentencePart::lower_word && directly)) {
      return next;
    }
  }
  if (most == parts.size()) return most;
  for (std::size_t i = most; i > most / 2; --i) {
    if (parts[i - 1] != SentencePart::word && parts[i - 1] != SentencePart::lower_word) return i;
  }
  return most;
}

}  // namespace metaphrase::analysis
