// How similar two words are, by spelling and by what lexical resources know.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "alignment/vocabulary.hpp"

namespace metaphrase::alignment {

// Why two words are taken to be similar.
enum class Kind : std::uint8_t {
  unrelated,
  identical,
  contraction,
  lemma,
  stem,
  synonym,
  paraphrase,
  distributional
};

// Degrees of similarity in ascending order; `degree_values` are the numbers they stand for.
enum class Degree : std::uint8_t { none, distributional, paraphrase, synonym, strong_paraphrase, same };
inline constexpr double degree_values[] = {0.0, 0.5, 0.6, 0.8, 0.9, 1.0};
inline double value(Degree degree) { return degree_values[static_cast<std::size_t>(degree)]; }

// A symmetric relation: the neighbours of word i are ascending in [offsets[i], offsets[i + 1]).
struct WordGraph {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> neighbours;

  bool related(std::int32_t a, std::int32_t b) const {
    const std::int32_t* first = neighbours.data() + offsets[a];
    const std::int32_t* last = neighbours.data() + offsets[a + 1];
    return first != last && std::binary_search(first, last, b);
  }
};

// Vectors of length 1 (or 0, for unknown words), by the number of a lower-case string.
struct WordVectors {
  const float* values = nullptr;
  std::size_t dimensions = 0;

  bool similar(std::int32_t a, std::int32_t b) const {
    if (values == nullptr) return false;
    const float* x = values + dimensions * static_cast<std::size_t>(a);
    const float* y = values + dimensions * static_cast<std::size_t>(b);
    double cosine = 0.0;
    for (std::size_t d = 0; d < dimensions; ++d)
      cosine += static_cast<double>(x[d]) * static_cast<double>(y[d]);
    return cosine > 0.25;
  }
};

// What lexical resources know: synonyms by lemma, paraphrases by canonical form.
struct LexicalEvidence {
  WordGraph synonyms, paraphrases;
  WordVectors vectors;
};

// One token, with what every stage asks about it; ROOT takes lemma and tag from the sentence's last token.
struct Word {
  std::int32_t form = 0, lemma = 0, entity = 0;  // numbers of strings
  Spelling as_form, as_lemma;
  Tag tag;
};

// Which spelling of a word is compared.
inline constexpr Spelling Word::* by_form = &Word::as_form;
inline constexpr Spelling Word::* by_lemma = &Word::as_lemma;

// Different numerals are different things, however similar they look.
inline bool different_numbers(const Word& a, const Word& b, const Spelling& x, const Spelling& y) {
  if (x.canonical == y.canonical) return false;
  return (x.digits && y.digits) || (a.tag.cardinal && b.tag.cardinal && !x.digits && !y.digits);
}

// simA of METRICS 1.5: the first rule that applies.
inline Degree cobalt_similarity(const Word& a, const Word& b, Spelling Word::* spelling,
                                const LexicalEvidence& evidence) {
  const Spelling &x = a.*spelling, &y = b.*spelling;
  if (different_numbers(a, b, x, y)) return Degree::none;
  if (x.contraction == y.canonical) return Degree::same;
  if (x.stop_word != y.stop_word) return Degree::none;
  if (x.canonical == y.canonical) return Degree::same;
  if (x.punctuation || y.punctuation) return Degree::none;
  if (x.stem == y.stem || a.lemma == b.lemma) return Degree::same;
  if (evidence.synonyms.related(a.lemma, b.lemma)) return Degree::synonym;
  if (evidence.paraphrases.related(x.canonical, y.canonical)) return Degree::paraphrase;
  if ((!x.stop_word || a.tag.letter == b.tag.letter) && evidence.vectors.similar(x.lower, y.lower)) {
    return Degree::distributional;
  }
  return Degree::none;
}

// s of METRICS 2 for one spelling. Numerals are told apart by their tags only where forms are compared.
inline Degree mwa_spelling_similarity(const Word& a, const Word& b, Spelling Word::* spelling,
                                      bool tags_count, const LexicalEvidence& evidence) {
  const Spelling &x = a.*spelling, &y = b.*spelling;
  if (x.canonical == y.canonical || x.stem == y.stem) return Degree::same;
  if (x.digits && y.digits) return Degree::none;
  if (tags_count && different_numbers(a, b, x, y)) return Degree::none;
  if (x.stop_word != y.stop_word || x.punctuation || y.punctuation) return Degree::none;
  return evidence.paraphrases.related(x.canonical, y.canonical) ? Degree::strong_paraphrase : Degree::none;
}

inline Degree mwa_similarity(const Word& a, const Word& b, const LexicalEvidence& evidence) {
  return std::max(mwa_spelling_similarity(a, b, by_form, true, evidence),
                  mwa_spelling_similarity(a, b, by_lemma, true, evidence));
}

// Why two aligned words are similar, and simS of METRICS 1.5, which grades it.
inline Kind scoring_kind(const Word& a, const Word& b, const LexicalEvidence& evidence) {
  const Spelling &x = a.as_form, &y = b.as_form;
  if (x.canonical == y.canonical) return Kind::identical;
  if (x.contraction == y.canonical) return Kind::contraction;
  if (a.lemma == b.lemma) return Kind::lemma;
  if (x.stem == y.stem) return Kind::stem;
  if (evidence.synonyms.related(a.lemma, b.lemma)) return Kind::synonym;
  if (evidence.paraphrases.related(x.canonical, y.canonical)) return Kind::paraphrase;
  return evidence.vectors.similar(x.lower, y.lower) ? Kind::distributional : Kind::unrelated;
}

// The paper's LexSim (section 2.1; METRICS 1.5).
inline double scoring_similarity(Kind kind) {
  switch (kind) {
    case Kind::identical:
    case Kind::contraction: return 1.0;
    case Kind::lemma:
    case Kind::stem: return 0.9;
    case Kind::synonym: return 0.8;
    case Kind::paraphrase: return 0.6;
    default: return 0.5;
  }
}

}  // namespace metaphrase::alignment
