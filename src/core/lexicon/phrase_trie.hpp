// The phrases of a table as a trie over words, in a file: which phrase a run of words is, and how it goes on.
//
// A node is a slot of one hash table, found by its parent and its word; neither bisection nor spelling is
// needed to go from word to word. Little-endian. Magic (8 bytes), version and a reserved zero (u32 each),
// checksum of all that follows (u64); the fingerprint of the table, the number of slots and a reserved zero
// (u64 each), the slots, then the lengths of the words (u8) and their text (UTF-8), each behind its length in
// bytes (u32).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/hashing.hpp"
#include "base/mapped_file.hpp"
#include "base/packed_strings.hpp"
#include "base/string_table.hpp"
#include "lexicon/paraphrase_table.hpp"

namespace metaphrase::lexicon {

// Immutable after construction, so any number of threads may ask at once.
class PhraseTrie {
 public:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  // A run of words with which phrases begin. An empty slot has no word.
  struct Node {
    std::uint32_t parent = absent, word = absent;
    std::uint32_t phrase = absent;  // what the run is in the table, if it is a phrase itself
    std::uint32_t children = 0;     // a bit for each word that goes on, shared by many

    bool may_go_on(std::uint32_t next) const { return children >> bit(next) & 1; }
    void go_on(std::uint32_t next) { children |= std::uint32_t{1} << bit(next); }

   private:
    static std::uint32_t bit(std::uint32_t next) { return (next * 0x9E3779B1u) >> 27; }
  };

  // The content of the file for a table.
  static std::string file(const ParaphraseTable& table) {
    StringTable words;
    std::vector<Node> slots(most_nodes(table) * 3 / 2 + 2);
    std::vector<std::uint32_t> path,
        next_path;  // of the last phrase, which often begins as the next one does
    std::string_view last;
    for (std::uint32_t phrase = 0; phrase < table.phrase_count(); ++phrase) {
      const std::string_view text = table.phrase(phrase);
      const std::size_t shared = shared_words(last, text);
      path.resize(std::min(path.size(), shared));
      std::size_t number = 0;
      for_each_word(text, [&](std::string_view spelled) {
        if (number++ < path.size()) return;
        const auto word = static_cast<std::uint32_t>(words.intern(spelled));
        const std::uint32_t parent = path.empty() ? absent : path.back();
        std::uint32_t at = home(parent, word, slots.size());
        while (slots[at].word != absent && !(slots[at].parent == parent && slots[at].word == word)) {
          at = at + 1 == slots.size() ? 0 : at + 1;
        }
        slots[at].parent = parent;
        slots[at].word = word;
        if (parent != absent) slots[parent].go_on(word);
        path.push_back(at);
      });
      slots[path.back()].phrase = phrase;
      last = text;
    }
    std::string lengths, text;
    for (std::size_t i = 0; i < words.size(); ++i) {
      lengths.push_back(static_cast<char>(words[i].size()));  // a part of a phrase, of which it is true
      text.append(words[i]);
    }
    ByteWriter head, body, tail;
    body.put(table.fingerprint());
    body.put(static_cast<std::uint64_t>(slots.size()));
    body.put(std::uint64_t{0});
    tail.put_string(lengths);
    tail.put_string(text);
    std::string content = body.take();
    content.append(reinterpret_cast<const char*>(slots.data()), slots.size() * sizeof(Node));
    content.append(tail.take());
    head.put(version);
    head.put(std::uint32_t{0});
    head.put(checksum(content));
    return std::string(magic) + head.take() + content;
  }

  static PhraseTrie open(const std::string& path, const ParaphraseTable& table) {
    auto file = std::make_unique<MappedFile>(path);
    PhraseTrie trie(file->text(), table);
    trie.mapped_ = std::move(file);
    return trie;
  }
  // Without a file.
  static PhraseTrie build(const ParaphraseTable& table) {
    auto content = std::make_unique<const std::string>(file(table));
    PhraseTrie trie(*content, table);
    trie.built_ = std::move(content);
    return trie;
  }

  bool is_of(const ParaphraseTable& table) const {
    return table.fingerprint() == fingerprint_ && table.phrase_count() == phrases_;
  }

  // The number of a word; absent if no phrase has it.
  std::uint32_t word(std::string_view text) const { return words_.find(text); }

  // Where the search for a node begins; fetched ahead of it, since it is likely to be far away.
  std::uint32_t home(std::uint32_t parent, std::uint32_t word) const {
    const std::uint32_t at = home(parent, word, slots_.size());
    __builtin_prefetch(slots_.data() + at);
    return at;
  }
  // The node for a word after a node (`absent` for the first word), or absent.
  std::uint32_t find(std::uint32_t parent, std::uint32_t word, std::uint32_t at) const {
    for (; slots_[at].word != absent; at = at + 1 == slots_.size() ? 0 : at + 1) {
      if (slots_[at].word == word && slots_[at].parent == parent) return at;
    }
    return absent;
  }
  const Node& operator[](std::uint32_t node) const { return slots_[node]; }

 private:
  static constexpr std::string_view magic = "MPPHRTRI";
  static constexpr std::uint32_t version = 1;
  static constexpr std::size_t checksum_end = 24, slots_begin = checksum_end + 24;

  PhraseTrie(std::string_view bytes, const ParaphraseTable& table)
      : slots_(slots(bytes, table)),
        words_(words(bytes.substr(slots_begin + slots_.size_bytes()))),
        fingerprint_(table.fingerprint()),
        phrases_(table.phrase_count()) {
    bool full = true;
    for (const Node& node : slots_) {
      full = full && node.word != absent;
      require(node.phrase == absent || node.phrase < table.phrase_count());
    }
    require(!full);  // a search ends at an empty slot
  }

  static std::span<const Node> slots(std::string_view bytes, const ParaphraseTable& table) {
    if (bytes.size() < slots_begin || bytes.substr(0, magic.size()) != magic)
      throw ModelError("this is not a compiled trie of phrases");
    ByteReader head(bytes.substr(magic.size()));
    if (const auto found = head.get<std::uint32_t>(); found != version)
      throw ModelError("unknown format version " + std::to_string(found));
    head.get<std::uint32_t>();
    if (checksum(bytes.substr(checksum_end)) != head.get<std::uint64_t>())
      throw ModelError("the content does not have the checksum that it states");
    if (head.get<std::uint64_t>() != table.fingerprint())
      throw ModelError("the trie was made of another table");
    const auto count = head.get<std::uint64_t>();
    require(count < absent && count * sizeof(Node) <= bytes.size() - slots_begin);
    return {reinterpret_cast<const Node*>(bytes.data() + slots_begin), static_cast<std::size_t>(count)};
  }

  static PackedStrings words(std::string_view bytes) {
    ByteReader reader(bytes);
    const auto lengths = numbers_in_place<std::uint8_t>(reader.get_string());
    return PackedStrings(numbers_in_place<std::uint8_t>(reader.get_string()), lengths, "words");
  }

  static std::uint32_t home(std::uint32_t parent, std::uint32_t word, std::size_t slots) {
    const std::uint64_t hash = mix(std::uint64_t{parent} << 32 | word, 0);
    return static_cast<std::uint32_t>(((hash >> 32) * slots) >> 32);
  }

  template <class Visit>
  static void for_each_word(std::string_view text, Visit&& visit) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      visit(text.substr(at, end - at));
      at = end + 1;
    }
  }

  // With how many of the same words both begin.
  static std::size_t shared_words(std::string_view a, std::string_view b) {
    std::size_t at = 0, words = 0;
    for (; at < a.size() && at < b.size() && a[at] == b[at]; ++at) words += a[at] == ' ';
    return words + ((at == a.size() && at < b.size() && b[at] == ' ') && !a.empty());
  }

  // As many as there would be if no run of words came again later.
  static std::size_t most_nodes(const ParaphraseTable& table) {
    std::size_t nodes = 0;
    std::string_view last;
    for (std::size_t phrase = 0; phrase < table.phrase_count(); ++phrase) {
      const std::string_view text = table.phrase(phrase);
      nodes += 1 + std::count(text.begin(), text.end(), ' ') - shared_words(last, text);
      last = text;
    }
    if (nodes > std::size_t{1} << 31) throw std::length_error("there are too many phrases for one trie");
    return nodes;
  }

  std::unique_ptr<MappedFile> mapped_;
  std::unique_ptr<const std::string> built_;
  std::span<const Node> slots_;
  PackedStrings words_;
  std::uint64_t fingerprint_;
  std::size_t phrases_;
};

}  // namespace metaphrase::lexicon
