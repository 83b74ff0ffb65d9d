// Phrases of one language with their translations into another, the pivot language: a file read in place.
//
// Header of base/model_file.hpp, then: two language codes and the names of two analysers, target before
// pivot; the sum of all N(p) (u64); words of the target language; lemmas and tags of the pivot language, a
// byte for each tag that tells whether its words are function words; and columns of numbers, see Columns.
// Strings are in the order of their bytes. Phrases form a tree: node w < words is the word w, and the
// children of a node, one word longer, are neighbours in the order of their last words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_stream.hpp"
#include "base/mapped_file.hpp"
#include "base/model_file.hpp"
#include "base/packed_numbers.hpp"
#include "base/packed_strings.hpp"

namespace metaphrase::pivots {

inline constexpr std::string_view magic = "MPPV";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t most_words = 4;          // of a phrase, and of a pivot phrase
inline constexpr std::size_t most_alternatives = 64;  // three neighbours multiply: 2^18 ways at most
inline constexpr std::size_t most_string = 255;       // bytes
inline constexpr std::uint32_t most_units = 1u << 20;

// Immutable after construction, so any number of threads may ask at once. A unit is a lemma with a tag.
class Table {
 public:
  static constexpr std::uint32_t absent = PackedStrings::absent;

  explicit Table(const std::string& path)
      : file_(path),
        head_(model_content(file_.text(), magic, version, "pivot phrases")),
        words_(read_strings("words")),
        lemmas_(read_strings("lemmas")),
        tags_(read_strings("tags")),
        function_(read_bytes()),
        columns_(head_.reader) {
    require(head_.reader.done());
    check();
  }

  std::string_view target_language() const { return head_.target_language; }
  std::string_view pivot_language() const { return head_.pivot_language; }
  std::string_view target_analyser() const { return head_.target_analyser; }
  std::string_view pivot_analyser() const { return head_.pivot_analyser; }
  std::uint64_t fingerprint() const { return head_.fingerprint; }
  std::uint64_t total() const { return head_.total; }

  std::size_t word_count() const { return words_.count(); }
  std::size_t lemma_count() const { return lemmas_.count(); }
  std::size_t tag_count() const { return tags_.count(); }
  std::size_t unit_count() const { return columns_.unit_lemma.size(); }
  std::size_t node_count() const { return columns_.count.size(); }
  std::size_t alternative_count() const { return columns_.alternative_count.size(); }
  std::size_t phrase_count() const { return phrase_count_; }

  std::uint32_t find_word(std::string_view word) const { return words_.find(word); }
  std::uint32_t find_lemma(std::string_view lemma) const { return lemmas_.find(lemma); }
  std::string_view lemma(std::size_t i) const { return lemmas_[i]; }
  std::string_view tag(std::size_t i) const { return tags_[i]; }
  bool is_function_tag(std::size_t tag) const { return function_[tag] != 0; }

  // The phrase that is `node` and one word more; `absent` if no phrase begins like that.
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const {
    std::uint32_t low = columns_.child[node], high = columns_.child[node + 1];
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (columns_.word[middle - word_count()] < word) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool found = low < columns_.child[node + 1] && columns_.word[low - word_count()] == word;
    return found ? low : absent;
  }

  // N(p); 0 for what is only the beginning of longer phrases.
  std::uint32_t count(std::uint32_t node) const { return columns_.count[node]; }
  std::uint32_t first_alternative(std::uint32_t node) const { return columns_.alternative[node]; }
  std::uint32_t alternative_phrase(std::size_t alternative) const {
    return columns_.alternative_phrase[alternative];
  }
  std::uint32_t alternative_count(std::size_t alternative) const {
    return columns_.alternative_count[alternative];
  }
  // Pivot phrase f is the units from first_unit(f) to first_unit(f + 1).
  std::uint32_t first_unit(std::size_t phrase) const { return columns_.pivot[phrase]; }
  std::uint32_t unit(std::size_t i) const { return columns_.pivot_unit[i]; }
  std::uint32_t unit_lemma(std::size_t unit) const { return columns_.unit_lemma[unit]; }
  std::uint32_t unit_tag(std::size_t unit) const { return columns_.unit_tag[unit]; }

 private:
  // What comes before the strings; the reader goes on from there.
  struct Head {
    ByteReader reader;
    std::uint64_t fingerprint;
    std::string_view target_language, pivot_language, target_analyser, pivot_analyser;
    std::uint64_t total;

    explicit Head(const ModelContent& content)
        : reader(content.bytes),
          fingerprint(content.fingerprint),
          target_language(reader.get_string()),
          pivot_language(reader.get_string()),
          target_analyser(reader.get_string()),
          pivot_analyser(reader.get_string()),
          total(reader.get<std::uint64_t>()) {}
  };
  // In the order of the file.
  struct Columns {
    PackedNumbers word;                                   // the last word, of nodes of more than one
    PackedNumbers child, count, alternative;              // where children start, N(p), where pairs start
    PackedNumbers alternative_phrase, alternative_count;  // f, N(p, f)
    PackedNumbers pivot, pivot_unit;                      // where the units of a pivot phrase start, units
    PackedNumbers unit_lemma, unit_tag;

    explicit Columns(ByteReader& reader)
        : word(reader),
          child(reader),
          count(reader),
          alternative(reader),
          alternative_phrase(reader),
          alternative_count(reader),
          pivot(reader),
          pivot_unit(reader),
          unit_lemma(reader),
          unit_tag(reader) {}
  };

  std::span<const std::uint8_t> read_bytes() {
    return numbers_in_place<std::uint8_t>(head_.reader.get_string());
  }
  PackedStrings read_strings(const char* what) {
    const auto lengths = read_bytes();
    return PackedStrings(read_bytes(), lengths, what);
  }

  // Everything that an answer relies on.
  void check() {
    const Columns& c = columns_;
    const std::size_t words = word_count(), nodes = node_count(), units = unit_count();
    require(function_.size() == tag_count());
    require(nodes >= words && c.word.size() == nodes - words && c.word.all_below(words));
    require(c.child.size() == nodes + 1 && c.child.rises(words, nodes));
    require(c.alternative.size() == nodes + 1 && c.alternative.rises(0, alternative_count()));
    require(c.alternative_phrase.size() == alternative_count());
    require(c.pivot.size() > 0 && c.alternative_phrase.all_below(c.pivot.size() - 1));
    require(c.pivot.rises(0, c.pivot_unit.size()) && c.pivot_unit.all_below(units));
    require(units <= most_units && c.unit_tag.size() == units);
    require(c.unit_lemma.all_below(lemma_count()) && c.unit_tag.all_below(tag_count()));
    for (std::size_t f = 0; f + 1 < c.pivot.size(); ++f) {
      const std::size_t length = c.pivot[f + 1] - c.pivot[f];
      require(length >= 1 && length <= most_words);
    }
    for (std::size_t node = 0; node < nodes; ++node) check_node(node);
  }

  void check_node(std::size_t node) {
    const Columns& c = columns_;
    const std::size_t words = word_count();
    require(c.child[node] > node);
    for (std::size_t i = c.child[node] + 1; i < c.child[node + 1]; ++i) {
      require(c.word[i - 1 - words] < c.word[i - words]);
    }
    const std::size_t begin = c.alternative[node], end = c.alternative[node + 1];
    require(end - begin <= most_alternatives && (c.count[node] > 0) == (begin < end));
    require(c.count[node] <= head_.total);
    std::uint64_t counted = 0;
    for (std::size_t i = begin; i < end; ++i) {
      require(c.alternative_count[i] > 0);
      counted += c.alternative_count[i];
    }
    require(counted <= c.count[node]);
    phrase_count_ += c.count[node] > 0;
  }

  MappedFile file_;
  Head head_;
  PackedStrings words_, lemmas_, tags_;
  std::span<const std::uint8_t> function_;
  Columns columns_;
  std::size_t phrase_count_ = 0;
};

}  // namespace metaphrase::pivots
