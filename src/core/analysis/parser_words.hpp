// What the parser sees of a form: its word, endings, beginning and shape, and its part in the ends of
// sentences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/parser_shape.hpp"
#include "analysis/sentence_ends.hpp"
#include "analysis/word_traits.hpp"
#include "base/hashing.hpp"
#include "base/unicode.hpp"

namespace metaphrase::analysis {

// Rows of the table of affixes are shared by hashing; each kind has a range of its own.
constexpr std::array<std::uint32_t, affix_kinds> affix_rows{4096, 1024, 2048, 256};

constexpr std::uint32_t all_affix_rows() {
  std::uint32_t sum = 0;
  for (const std::uint32_t rows : affix_rows) sum += rows;
  return sum;
}

struct ParserForm {
  std::uint32_t key = 0;  // of the word in lower case, digits read as 0
  std::array<std::int32_t, affix_kinds> affixes{};
  SentencePart part = SentencePart::other;
};

inline ParserForm parser_form(std::string_view bytes) {
  const std::u32string chars = decode_all(bytes);
  const WordTraits traits = spell(chars);
  ParserForm form;
  form.key = static_cast<std::uint32_t>(mix(traits.lower, 0x706172));
  const std::array<std::uint64_t, affix_kinds> hashes{traits.suffix[2], traits.suffix[1], traits.prefix[2],
                                                      traits.shape};
  std::uint32_t first = 0;
  for (std::size_t kind = 0; kind < affix_kinds; ++kind) {
    form.affixes[kind] = static_cast<std::int32_t>(first + mix(hashes[kind], kind) % affix_rows[kind]);
    first += affix_rows[kind];
  }
  form.part = sentence_part(chars);
  return form;
}

}  // namespace metaphrase::analysis
