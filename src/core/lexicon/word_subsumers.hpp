// What Lin's similarity (1998) of words needs of WordNet, word by word.
//
// The similarity of two words is the best of their senses': max 2 IC(c) / (IC(a) + IC(b)) over senses a and b
// of one part of speech and their common subsumers c. For one c that is 2 IC(c) / (least(c) + least'(c)),
// where least(c) is the smallest IC of a word's senses below c. So a word is a list of subsumers with their
// least, and two words are compared subsumer by subsumer, however many senses they have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lexicon/wordnet.hpp"

namespace metaphrase::lexicon {

struct WordSubsumers {
  std::vector<std::int64_t> offsets;  // of each word's entries
  // Subsumers are numbered by descending IC over all words, and ascend within a word.
  std::vector<std::int32_t> subsumers;
  std::vector<double> least;
  // By number. Infinite stands for a sense without a usable IC: similar to itself only.
  std::vector<double> contents;
};

// Nouns and verbs only; parts[i] restricts the senses of word i.
inline WordSubsumers word_subsumers(const WordNet& wordnet, std::span<const std::string_view> words,
                                    std::span<const char> parts) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  WordSubsumers result;
  result.offsets.push_back(0);
  std::vector<std::uint32_t> synsets;  // of the entries, numbered below
  std::vector<std::int32_t> met_by(wordnet.synset_count(), -1);
  std::vector<double> content(wordnet.synset_count());
  std::vector<std::pair<double, std::uint32_t>> senses;
  std::vector<std::uint32_t> pending;
  std::string key;
  for (std::size_t word = 0; word < words.size(); ++word) {
    senses.clear();
    for (const std::uint32_t synset : wordnet.synsets(words[word], key)) {
      const char part = wordnet.part_of_speech(synset);
      if ((part != 'n' && part != 'v') || !wordnet.has_part(synset, parts[word])) continue;
      senses.emplace_back(wordnet.information_content(synset), synset);
    }
    // The sense with the least IC goes first, so whatever it meets has its least, and so has all above that.
    std::sort(senses.begin(), senses.end());
    senses.erase(std::unique(senses.begin(), senses.end()), senses.end());
    for (const auto& [least, sense] : senses) {
      if (!(least > 0.0 && least < infinity)) {
        synsets.push_back(sense);
        result.least.push_back(0.0);
        content[sense] = infinity;
        if (least != 0.0) continue;
      }
      pending.assign(1, sense);
      while (!pending.empty()) {
        const std::uint32_t synset = pending.back();
        pending.pop_back();
        if (met_by[synset] == static_cast<std::int32_t>(word)) continue;
        met_by[synset] = static_cast<std::int32_t>(word);
        const auto above = wordnet.hypernyms(synset);
        pending.insert(pending.end(), above.begin(), above.end());
        const double own = wordnet.information_content(synset);
        if (!(own > 0.0 && own < infinity)) continue;
        synsets.push_back(synset);
        result.least.push_back(least);
        content[synset] = own;
      }
    }
    result.offsets.push_back(static_cast<std::int64_t>(synsets.size()));
  }

  std::vector<std::uint32_t> ranked(synsets);
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return content[a] > content[b]; });
  std::vector<std::int32_t> number(wordnet.synset_count(), -1);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    number[ranked[i]] = static_cast<std::int32_t>(i);
    result.contents.push_back(content[ranked[i]]);
  }
  result.subsumers.resize(synsets.size());
  std::vector<std::pair<std::int32_t, double>> entries;
  for (std::size_t word = 0; word < words.size(); ++word) {
    const auto begin = static_cast<std::size_t>(result.offsets[word]);
    const auto end = static_cast<std::size_t>(result.offsets[word + 1]);
    entries.clear();
    for (std::size_t i = begin; i < end; ++i) entries.emplace_back(number[synsets[i]], result.least[i]);
    std::sort(entries.begin(), entries.end());
    for (std::size_t i = begin; i < end; ++i) {
      std::tie(result.subsumers[i], result.least[i]) = entries[i - begin];
    }
  }
  return result;
}

}  // namespace metaphrase::lexicon
