// Text to word pieces, as BERT reads it: control characters are dropped, accents and capitals taken off,
// ideographs and punctuation stand alone, and each word is spelled with the longest pieces from left to
// right.
//
// Jacob Devlin, Ming-Wei Chang, Kenton Lee, Kristina Toutanova: BERT. NAACL 2019. Yonghui Wu et al.: Google's
// Neural Machine Translation System. arXiv 1609.08144.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/packed_strings.hpp"
#include "base/unicode.hpp"

namespace metaphrase::encoder {

// What becomes of characters, sorted by code point: from `starts[i]` on they are of the kind `kinds[i]`, and
// those in `from` are replaced by as many characters of `to` as `lengths` says.
struct CharacterTable {
  enum Kind : std::uint8_t { part, dropped, space, alone };

  std::span<const std::uint32_t> starts, from, to;
  std::span<const std::uint8_t> kinds, lengths;
};

// Which characters of a text a piece was read from: [first, last).
struct WordPiece {
  std::uint32_t piece;
  std::int32_t first, last;
};

// Immutable, so that any number of threads may share it.
class WordPieces {
 public:
  static constexpr std::size_t most_letters = 100;  // longer words are one unknown piece

  WordPieces(std::span<const std::uint8_t> text, std::span<const std::uint8_t> lengths,
             const CharacterTable& characters, std::uint32_t unknown)
      : pieces_(text, lengths, "pieces"),
        characters_(characters),
        replacements_(characters.lengths, characters.to.size(), "characters"),
        unknown_(unknown) {
    const auto rising = [](std::span<const std::uint32_t> numbers) {
      return std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end();
    };
    const auto within = [](auto numbers, std::uint32_t bound) {
      return std::all_of(numbers.begin(), numbers.end(),
                         [=](std::uint32_t number) { return number < bound; });
    };
    constexpr std::uint32_t code_points = 0x110000;
    require(!characters.starts.empty() && characters.starts[0] == 0 && rising(characters.starts) &&
            characters.kinds.size() == characters.starts.size() && within(characters.kinds, 4) &&
            characters.lengths.size() == characters.from.size() && rising(characters.from) &&
            within(characters.to, code_points));
    for (const std::uint8_t length : lengths) longest_ = std::max<std::size_t>(longest_, length);
  }

  std::size_t count() const { return pieces_.count(); }
  std::size_t longest() const { return longest_; }
  std::uint32_t unknown() const { return unknown_; }
  std::uint32_t find(std::string_view piece) const { return pieces_.find(piece); }

  CharacterTable::Kind kind(char32_t c) const {
    const auto& starts = characters_.starts;
    const auto after = std::upper_bound(starts.begin(), starts.end(), static_cast<std::uint32_t>(c));
    return static_cast<CharacterTable::Kind>(
        characters_.kinds[static_cast<std::size_t>(after - starts.begin()) - 1]);
  }

  // Calls `put` with each character that stands for this one.
  template <class Put>
  void replace(char32_t c, Put&& put) const {
    constexpr char32_t syllables = 0xAC00, last_syllable = 0xD7A3, vowels = 21, finals = 28;
    if (c >= syllables && c <= last_syllable) {  // of Hangul, which come apart by counting
      const char32_t n = c - syllables;
      put(0x1100 + n / (vowels * finals));
      put(0x1161 + n / finals % vowels);
      if (n % finals != 0) put(0x11A7 + n % finals);
      return;
    }
    const auto& from = characters_.from;
    const auto found = std::lower_bound(from.begin(), from.end(), static_cast<std::uint32_t>(c));
    if (found == from.end() || *found != c) {
      put(c);
    } else {
      const auto list = static_cast<std::size_t>(found - from.begin());
      for (const std::uint32_t letter : replacements_.slice(characters_.to, list)) put(letter);
    }
  }

 private:
  PackedStrings pieces_;
  CharacterTable characters_;
  ListStarts replacements_;
  std::uint32_t unknown_;
  std::size_t longest_ = 0;  // bytes
};

// One thread's room.
class PieceCutter {
 public:
  explicit PieceCutter(const WordPieces& pieces) : pieces_(pieces) {}

  // Adds the pieces of a text.
  void cut(std::string_view text, std::vector<WordPiece>& found) {
    word_.clear();
    std::int32_t place = 0;
    for (std::size_t at = 0; at < text.size(); ++place) {
      const char32_t c = decode_one(text.data(), text.size(), at);
      switch (pieces_.kind(c)) {
        case CharacterTable::part: add(c, place); break;
        case CharacterTable::dropped: break;
        case CharacterTable::space: spell(found); break;
        case CharacterTable::alone:
          spell(found);
          add(c, place);
          spell(found);
      }
    }
    spell(found);
  }

 private:
  // A character of the word, where it begins in `letters_`, and which of the text's it comes from.
  struct Letter {
    std::size_t begin;
    std::int32_t place;
  };
  static constexpr std::string_view mark = "##";  // before pieces that go on

  void add(char32_t c, std::int32_t place) {
    if (word_.empty()) letters_.clear();
    pieces_.replace(c, [&](char32_t letter) {
      word_.push_back({letters_.size(), place});
      encode_one(letter, letters_);
    });
  }

  // The word so far, which is then over.
  void spell(std::vector<WordPiece>& found) {
    if (word_.empty()) return;
    const std::size_t before = found.size();
    const std::size_t longest = pieces_.longest();
    bool known = word_.size() <= WordPieces::most_letters;
    for (std::size_t first = 0; known && first < word_.size();) {
      const std::size_t begin = word_[first].begin, prefix = first == 0 ? 0 : mark.size();
      part_.assign(mark, 0, prefix);
      part_.append(letters_, begin, longest - std::min(prefix, longest));
      std::size_t last = word_.size();
      std::uint32_t piece = PackedStrings::absent;
      for (; last > first; --last) {
        const std::size_t size = end(last - 1) - begin + prefix;
        if (size > part_.size()) continue;
        piece = pieces_.find(std::string_view(part_).substr(0, size));
        if (piece != PackedStrings::absent) break;
      }
      known = piece != PackedStrings::absent;
      if (known) found.push_back({piece, word_[first].place, word_[last - 1].place + 1});
      first = last;
    }
    if (!known) {
      found.resize(before);
      found.push_back({pieces_.unknown(), word_.front().place, word_.back().place + 1});
    }
    word_.clear();
  }

  std::size_t end(std::size_t letter) const {
    return letter + 1 < word_.size() ? word_[letter + 1].begin : letters_.size();
  }

  const WordPieces& pieces_;
  std::vector<Letter> word_;
  std::string letters_, part_;
};

}  // namespace metaphrase::encoder
