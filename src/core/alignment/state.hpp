// Two sentences and the pairs of words aligned so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/relations.hpp"
#include "alignment/similarity.hpp"

namespace metaphrase::alignment {

// Columns of one sentence as numbers of strings.
struct TokenColumns {
  std::span<const std::int32_t> form, lemma, tag, entity;
};

// A sentence as the stages read it: words[0] is ROOT, the tokens follow from 1.
struct AlignedSentence {
  std::vector<Word> words;
  std::vector<std::int32_t> lower;  // the tokens' forms in lower case, from 0
  std::vector<char> aligned;        // by position, as words
  Neighbourhood neighbourhood;

  std::int32_t size() const { return static_cast<std::int32_t>(words.size()) - 1; }

  void read(const Vocabulary& vocabulary, const TokenColumns& tokens, const RelationList& relations) {
    const std::size_t count = tokens.form.size();
    words.resize(count + 1);
    lower.resize(count);
    aligned.assign(count + 1, 0);
    for (std::size_t t = 0; t < count; ++t) {
      words[t + 1] = word(vocabulary, tokens.form[t], tokens.lemma[t], tokens.tag[t]);
      words[t + 1].entity = tokens.entity[t];
      lower[t] = words[t + 1].as_form.lower;
    }
    if (count > 0) words[0] = word(vocabulary, vocabulary.root(), tokens.lemma.back(), tokens.tag.back());
    neighbourhood.read(static_cast<std::int32_t>(count), relations);
  }

 private:
  static Word word(const Vocabulary& vocabulary, std::int32_t form, std::int32_t lemma, std::int32_t tag) {
    return {form, lemma, 0, vocabulary.spelling(form), vocabulary.spelling(lemma), vocabulary.tag(tag)};
  }
};

// Which words are aligned, and the stage (1 to 9, 10 for phrases) that aligned them first. One to one, a pair
// is not added if one of its words is aligned already.
class Alignment {
 public:
  Alignment(AlignedSentence& left, AlignedSentence& right, bool one_to_one)
      : left_(left), right_(right), one_to_one_(one_to_one) {}

  void clear() { stages_.assign(static_cast<std::size_t>(left_.words.size()) * right_.words.size(), 0); }

  void add(std::int32_t i, std::int32_t j, std::uint8_t stage) {
    if (one_to_one_ && !both_free(i, j)) return;
    std::uint8_t& cell = stages_[at(i, j)];
    if (cell == 0) cell = stage;
    left_.aligned[i] = right_.aligned[j] = 1;
  }

  // Whatever partners they have: words of linked phrases have several.
  void join(std::int32_t i, std::int32_t j, std::uint8_t stage) {
    stages_[at(i, j)] = stage;
    left_.aligned[i] = right_.aligned[j] = 1;
  }

  bool has(std::int32_t i, std::int32_t j) const { return stages_[at(i, j)] != 0; }
  std::uint8_t stage(std::int32_t i, std::int32_t j) const { return stages_[at(i, j)]; }
  bool both_free(std::int32_t i, std::int32_t j) const { return !left_.aligned[i] && !right_.aligned[j]; }
  bool one_to_one() const { return one_to_one_; }

 private:
  std::size_t at(std::int32_t i, std::int32_t j) const {
    return static_cast<std::size_t>(i) * right_.words.size() + static_cast<std::size_t>(j);
  }

  AlignedSentence &left_, &right_;
  const bool one_to_one_;
  std::vector<std::uint8_t> stages_;
};

}  // namespace metaphrase::alignment
