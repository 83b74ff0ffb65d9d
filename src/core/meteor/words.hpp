// What METEOR 1.5 knows about single words: by what number it compares them, and which synsets they have.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/unicode.hpp"
#include "lexicon/wordnet.hpp"

namespace metaphrase::meteor {

// METEOR compares words, and stems, by the hash that Java gives to a string: 31 times the hash so far plus
// the next unit of UTF-16, in 32 bits. Words that share it are one word to it.
inline std::int32_t java_hash(std::string_view word) {
  std::uint32_t hash = 0;
  for (const char32_t c : decode_all(word)) {
    if (c >= 0x10000) {
      hash = 31 * hash + (0xD800 + ((c - 0x10000) >> 10));
      hash = 31 * hash + (0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      hash = 31 * hash + c;
    }
  }
  return static_cast<std::int32_t>(hash);
}

// How many units of UTF-16 a word has: the length of a Java string.
inline std::int32_t java_length(std::string_view word) {
  std::int32_t units = 0;
  for (const char32_t c : decode_all(word)) units += c >= 0x10000 ? 2 : 1;
  return units;
}

// Synsets of words through METEOR's own morphology. Unlike WordNet's it does not know parts of speech: the
// rules of nouns, verbs and adjectives form one list, of which the first that leads to a lemma counts, and
// irregular forms have the synsets of all their bases. Synsets are numbered by METEOR with their offset in
// WordNet's files, which a noun can share with a verb: `number` has the smallest synset of the same offset.
class MeteorSynsets {
 public:
  MeteorSynsets(const lexicon::WordNet& wordnet, std::span<const std::int32_t> number)
      : wordnet_(wordnet), number_(number) {}

  // Appends the numbers of the word's synsets, ascending and each once.
  void append(std::string_view word, std::vector<std::int32_t>& synsets) {
    const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    // Lemmas are in lower case, and METEOR looks for words as they are written.
    if (std::any_of(word.begin(), word.end(), capital)) return;
    const auto begin = synsets.size();
    add(word, synsets);
    if (!add_irregular(word, synsets)) add_regular(word, synsets);
    std::sort(synsets.begin() + begin, synsets.end());
    synsets.erase(std::unique(synsets.begin() + begin, synsets.end()), synsets.end());
  }

 private:
  // In the order of the program; a rule with nothing to put back stands as an empty ending.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 20> rules{
      {{"s", ""},    {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"},
       {"ies", "y"}, {"s", ""},    {"ies", "y"}, {"es", "e"},  {"es", ""},     {"ed", "e"},    {"ed", ""},
       {"ing", "e"}, {"ing", ""},  {"er", ""},   {"est", ""},  {"er", "e"},    {"est", "e"}}};

  void add(std::string_view word, std::vector<std::int32_t>& synsets) {
    for (const std::uint32_t synset : wordnet_.synsets(word, key_)) synsets.push_back(number_[synset]);
  }

  bool add_irregular(std::string_view word, std::vector<std::int32_t>& synsets) {
    bool irregular = false;
    for (const char part : {'n', 'v', 'a', 'r'}) {
      std::string_view bases = wordnet_.exceptions(word, part);
      irregular = irregular || !bases.empty();
      while (!bases.empty()) {
        const auto end = std::min(bases.find(' '), bases.size());
        add(bases.substr(0, end), synsets);
        bases.remove_prefix(std::min(end + 1, bases.size()));
      }
    }
    return irregular;
  }

  void add_regular(std::string_view word, std::vector<std::int32_t>& synsets) {
    if (word.ends_with("ss") || java_length(word) <= 2) return;
    for (const auto& [suffix, ending] : rules) {
      if (!word.ends_with(suffix)) continue;
      base_.assign(word.substr(0, word.size() - suffix.size())).append(ending);
      if (wordnet_.synsets(base_, key_).empty()) continue;
      add(base_, synsets);
      return;
    }
  }

  const lexicon::WordNet& wordnet_;
  std::span<const std::int32_t> number_;
  std::string key_, base_;
};

}  // namespace metaphrase::meteor
