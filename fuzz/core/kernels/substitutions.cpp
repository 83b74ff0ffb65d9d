// Words that may be substituted for each other: those of the relations, in ascending order, and no others.
#include "edits/substitutions.hpp"

#include <set>

#include "fuzzing.hpp"

namespace metaphrase::edits::substitutions {
namespace {

using fuzz::expect;

struct Graph {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> neighbours;

  Graph(fuzz::Bytes& bytes, int nodes) {
    for (int a = 0; a < nodes; ++a) {
      for (int b = 0; b < nodes; ++b) {
        if (bytes.byte() % 5 == 1) neighbours.push_back(b);
      }
      offsets.push_back(static_cast<std::int64_t>(neighbours.size()));
    }
  }
  bool related(std::int32_t a, std::int32_t b) const {
    return std::find(neighbours.begin() + offsets[static_cast<std::size_t>(a)],
                     neighbours.begin() + offsets[static_cast<std::size_t>(a) + 1],
                     b) != neighbours.begin() + offsets[static_cast<std::size_t>(a) + 1];
  }
};

void check(fuzz::Bytes& bytes) {
  const int kinds = bytes.number(1, 4), senses = bytes.number(0, 3), phrases = bytes.number(0, 3);
  const Options options{bytes.number(1, 2), bytes.flag(), bytes.flag()};
  const bool lemmas = bytes.flag();
  const Graph synonyms(bytes, senses), paraphrases(bytes, phrases);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> word, lemma, sense, phrase, bigram;
  std::vector<std::uint8_t> link, punctuation;
  for (int k = 0; k < kinds; ++k) punctuation.push_back(bytes.byte() & 1);
  for (int s = 0; s < 2; ++s) {
    const int size = bytes.number(0, 12);
    for (int t = 0; t < size; ++t) {
      word.push_back(bytes.number(0, kinds - 1));
      lemma.push_back(bytes.number(0, kinds - 1));
      sense.push_back(bytes.number(-1, senses - 1));
      phrase.push_back(bytes.number(-1, phrases - 1));
      bigram.push_back(t + 1 < size ? bytes.number(-1, phrases - 1) : -1);
      link.push_back(static_cast<std::uint8_t>(bytes.number(0, 6)));
    }
    offsets.push_back(static_cast<std::int64_t>(word.size()));
  }
  if (!lemmas) lemma.clear();
  const Tokens tokens{offsets,
                      word,
                      lemma,
                      sense,
                      phrase,
                      bigram,
                      link,
                      punctuation,
                      {synonyms.offsets, synonyms.neighbours},
                      {paraphrases.offsets, paraphrases.neighbours},
                      static_cast<std::size_t>(kinds),
                      lemmas ? static_cast<std::size_t>(kinds) : 0};
  SubstitutionFinder finder(tokens, options);
  std::vector<Substitution> found, again;
  finder.find(1, 0, found);
  std::vector<Dependency> dependencies;
  finder.find(1, 0, dependencies);
  std::vector<Substitution> swapped;
  finder.find(0, 1, swapped);
  finder.find(1, 0, again);
  expect(found == again, "a finder forgets");
  const auto n = static_cast<std::int32_t>(offsets[2] - offsets[1]),
             m = static_cast<std::int32_t>(offsets[1]);
  expect(std::is_sorted(found.begin(), found.end()) &&
             std::adjacent_find(found.begin(), found.end()) == found.end(),
         "substitutions ascend");
  expect(std::is_sorted(dependencies.begin(), dependencies.end()), "dependencies ascend");
  std::set<std::pair<std::int32_t, std::int32_t>> single;
  for (const auto& [i, j, a, b, label] : found) {
    expect(i >= 0 && j >= 0 && i + a <= n && j + b <= m && label >= 0 && label < 5,
           "they lie in the sentences");
    expect(a <= options.max_block && b <= options.max_block, "blocks are not too long");
    if (a == 1 && b == 1) single.emplace(i, j);
  }
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t j = 0; j < m; ++j) {
      const auto r = static_cast<std::size_t>(m + i), h = static_cast<std::size_t>(j);
      const bool alike = word[r] == word[h] || (lemmas && lemma[r] == lemma[h]) ||
                         (sense[r] >= 0 && sense[h] >= 0 && synonyms.related(sense[r], sense[h])) ||
                         (phrase[r] >= 0 && phrase[h] >= 0 && paraphrases.related(phrase[r], phrase[h]));
      expect(single.contains({i, j}) == alike, "words are substituted that are alike");
    }
  }
}

}  // namespace
}  // namespace metaphrase::edits::substitutions

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::edits::substitutions::check(bytes);
  return 0;
}
