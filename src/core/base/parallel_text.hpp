// Parallel text as arrays: line k of one side is the translation of line k of the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace metaphrase {

// The sentences of one language: words are numbers, `offsets` has one more entry than there are sentences.
struct PackedText {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> words;

  std::size_t sentences() const { return offsets.size() - 1; }
  std::span<const std::int32_t> sentence(std::size_t k) const {
    return words.subspan(offsets[k], offsets[k + 1] - offsets[k]);
  }
};

struct ParallelText {
  PackedText source, target;

  std::size_t sentences() const { return source.sentences(); }
};

// A sentence pair is treated as a matrix, so that its size must be bounded: 4,096 words on both sides.
inline constexpr std::size_t most_cells = std::size_t{1} << 24;
// Tables have a row for every number up to the largest.
inline constexpr std::int32_t most_different_words = 1 << 26;

inline void check_offsets(std::span<const std::int64_t> offsets, std::size_t items, const char* what) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(items))
    throw std::invalid_argument(std::string(what) + ": offsets do not span the array");
  for (std::size_t k = 1; k < offsets.size(); ++k) {
    if (offsets[k] < offsets[k - 1])
      throw std::invalid_argument(std::string(what) + ": offsets are not ascending");
  }
}

inline void check_text(const PackedText& text, const char* what) {
  check_offsets(text.offsets, text.words.size(), what);
  for (const std::int32_t word : text.words) {
    if (word < 0 || word >= most_different_words)
      throw std::invalid_argument(std::string(what) + ": a word's number is negative or too large");
  }
}

inline void check_parallel(const ParallelText& text) {
  check_text(text.source, "source");
  check_text(text.target, "target");
  if (text.source.sentences() != text.target.sentences())
    throw std::invalid_argument("source and target differ in their number of sentences");
  for (std::size_t k = 0; k < text.sentences(); ++k) {
    const std::size_t rows = text.source.sentence(k).size(), columns = text.target.sentence(k).size();
    if (columns > 0 && rows > most_cells / columns)
      throw std::length_error("sentence pair " + std::to_string(k + 1) + " is too long: " +
                              std::to_string(rows) + " and " + std::to_string(columns) + " words");
  }
}

}  // namespace metaphrase
