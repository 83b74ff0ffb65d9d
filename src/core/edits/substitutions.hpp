// Which stretches of one or two words an edit machine may substitute for each other, and where both sides
// have the same dependency between neighbouring words (Wang & Manning, EMNLP 2012, section 3; METRICS 6.2
// and 6.3).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace metaphrase::edits::substitutions {

using Ids = std::span<const std::int32_t>;

// For each node the nodes that it may stand for; not asked to be symmetric or ascending.
struct Relation {
  std::span<const std::int64_t> offsets;
  Ids neighbours;

  std::size_t size() const { return offsets.size() - 1; }
  Ids of(std::int32_t node) const {
    return neighbours.subspan(offsets[node], offsets[node + 1] - offsets[node]);
  }
};

// Columns of all tokens. Where -1 is allowed it says that nothing is known of the token.
struct Tokens {
  std::span<const std::int64_t> offsets;      // of sentences
  Ids word;                                   // equal words have equal numbers
  Ids lemma;                                  // or empty: lemmas are not compared
  Ids sense;                                  // nodes of `synonyms`, or -1
  Ids phrase;                                 // nodes of `paraphrases`, or -1: the token by itself,
  Ids bigram;                                 // and together with the next one
  std::span<const std::uint8_t> link;         // how a token is joined to the one before it; 0: not
  std::span<const std::uint8_t> punctuation;  // by word
  Relation synonyms, paraphrases;
  std::size_t words = 0, lemmas = 0;

  Ids slice(Ids column, std::int32_t sentence) const {
    return column.subspan(offsets[sentence], offsets[sentence + 1] - offsets[sentence]);
  }
};

struct Options {
  int max_block;
  bool overlapping;     // all labels that hold, not only the first
  bool same_direction;  // head and modifier must stand in the same order
};

// First word of the reference and of the hypothesis, how many words of each, label.
using Substitution = std::array<std::int32_t, 5>;
// Later word of the reference and of the hypothesis, dependency.
using Dependency = std::array<std::int32_t, 3>;

// More than this of one pair of sentences is an error rather than an exhausted memory.
inline constexpr std::size_t most_substitutions = std::size_t{1} << 24;

// Where in a sentence each number stands.
class Places {
 public:
  explicit Places(std::size_t numbers) : first_(numbers, none) {}

  void reserve(std::size_t places) {
    if (next_.size() < places) next_.resize(places);
  }
  void add(std::int32_t number, std::int32_t place) {
    next_[place] = first_[number];
    first_[number] = place;
  }
  void remove(std::int32_t number) { first_[number] = none; }

  template <class Visit>
  void visit(std::int32_t number, Visit&& visit) const {
    for (std::int32_t place = first_[number]; place != none; place = next_[place]) visit(place);
  }

 private:
  static constexpr std::int32_t none = -1;
  std::vector<std::int32_t> first_, next_;
};

// One for each thread; pairs come one after the other.
class SubstitutionFinder {
 public:
  SubstitutionFinder(const Tokens& tokens, const Options& options)
      : tokens_(tokens),
        options_(options),
        words_(tokens.words),
        lemmas_(tokens.lemmas),
        senses_(tokens.synonyms.size()),
        phrases_(tokens.paraphrases.size()) {}

  // Appends those of one pair, in ascending order.
  void find(std::int32_t reference, std::int32_t hypothesis, std::vector<Substitution>& found) {
    const std::size_t before = found.size();
    index(hypothesis);
    const auto length = static_cast<std::int32_t>(tokens_.slice(tokens_.word, reference).size());
    row_.assign(padded(width_), 0);
    below_.assign(padded(width_), 0);
    if (length > 0) compare(reference, 0, row_);
    for (std::int32_t i = 0; i < length; ++i) {
      if (i + 1 < length) compare(reference, i + 1, below_);
      list_row(i, found);
      if (found.size() - before > most_substitutions) {
        throw std::length_error("more than " + std::to_string(most_substitutions) + " substitutions");
      }
      std::swap(row_, below_);
      std::fill(below_.begin(), below_.end(), 0);
    }
    forget(hypothesis);
  }

  // Appends those of one pair, in ascending order.
  void find(std::int32_t reference, std::int32_t hypothesis, std::vector<Dependency>& found) {
    linked_.clear();
    const auto other = links(hypothesis);
    for (std::size_t j = 1; j < other.size(); ++j) {
      if (other[j] != 0) linked_.push_back(static_cast<std::int32_t>(j));
    }
    const auto own = links(reference);
    for (std::size_t i = 1; i < own.size() && !linked_.empty(); ++i) {
      if (own[i] == 0) continue;
      for (const std::int32_t j : linked_) {
        if (own[i] == other[j] || (!options_.same_direction && dependency(own[i]) == dependency(other[j]))) {
          found.push_back({static_cast<std::int32_t>(i), j, dependency(own[i])});
        }
      }
    }
  }

 private:
  // What holds of a word of the reference and one of the hypothesis that begin a block; the first five are
  // the labels of single words by their numbers, the last three paraphrases of 1 x 2, 2 x 1 and 2 x 2 words.
  using Cell = std::uint8_t;
  static constexpr Cell punctuation = 1, word = 2, lemma = 4, synonym = 8, paraphrase = 16;
  static constexpr Cell single = 31, square = punctuation | word | lemma;
  static constexpr std::int32_t paraphrase_label = 4;
  static constexpr Cell paraphrase_of(int a, int b) {
    return static_cast<Cell>(paraphrase << ((a - 1) * 2 + b - 1));
  }

  // Rows are read eight cells at a time, and one cell beyond the last.
  static std::size_t padded(std::size_t width) { return (width + 8) / 8 * 8; }

  static std::int32_t dependency(std::uint8_t link) { return (link - 1) / 2; }

  std::span<const std::uint8_t> links(std::int32_t sentence) const {
    return tokens_.link.subspan(tokens_.offsets[sentence],
                                tokens_.offsets[sentence + 1] - tokens_.offsets[sentence]);
  }

  template <class Use>
  void each_number(std::int32_t sentence, Use&& use) {
    const Ids words = tokens_.slice(tokens_.word, sentence), senses = tokens_.slice(tokens_.sense, sentence);
    const Ids phrases = tokens_.slice(tokens_.phrase, sentence);
    const Ids bigrams = tokens_.slice(tokens_.bigram, sentence);
    const Ids lemmas = tokens_.lemma.empty() ? Ids{} : tokens_.slice(tokens_.lemma, sentence);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto place = static_cast<std::int32_t>(i);
      use(words_, words[i], place);
      if (!lemmas.empty()) use(lemmas_, lemmas[i], place);
      if (senses[i] >= 0) use(senses_, senses[i], place);
      if (phrases[i] >= 0) use(phrases_, phrases[i], 2 * place);
      if (bigrams[i] >= 0) use(phrases_, bigrams[i], 2 * place + 1);
    }
  }

  void index(std::int32_t sentence) {
    width_ = tokens_.slice(tokens_.word, sentence).size();
    for (Places* places : {&words_, &lemmas_, &senses_}) places->reserve(width_);
    phrases_.reserve(2 * width_);
    each_number(sentence, [](Places& places, std::int32_t n, std::int32_t place) { places.add(n, place); });
  }

  void forget(std::int32_t sentence) {
    each_number(sentence, [](Places& places, std::int32_t n, std::int32_t) { places.remove(n); });
  }

  // What holds of word i of the reference and every word of the hypothesis.
  void compare(std::int32_t reference, std::int32_t i, std::vector<Cell>& row) const {
    const auto at = static_cast<std::size_t>(tokens_.offsets[reference] + i);
    const std::int32_t own = tokens_.word[at];
    const Cell same = tokens_.punctuation[own] ? word | punctuation : word;
    words_.visit(own, [&](std::int32_t j) { row[j] |= same; });
    if (!tokens_.lemma.empty()) {
      lemmas_.visit(tokens_.lemma[at], [&](std::int32_t j) { row[j] |= lemma; });
    }
    if (tokens_.sense[at] >= 0) {
      for (const std::int32_t other : tokens_.synonyms.of(tokens_.sense[at])) {
        senses_.visit(other, [&](std::int32_t j) { row[j] |= synonym; });
      }
    }
    for (const auto& [phrase, length] :
         {std::pair{tokens_.phrase[at], 1}, std::pair{tokens_.bigram[at], 2}}) {
      if (phrase < 0) continue;
      const Cell one = paraphrase_of(length, 1), two = paraphrase_of(length, 2);
      for (const std::int32_t other : tokens_.paraphrases.of(phrase)) {
        phrases_.visit(other, [&](std::int32_t place) { row[place / 2] |= place % 2 == 0 ? one : two; });
      }
    }
  }

  // Substitutions that begin at word i of the reference, of which row_ tells, and below_ of the next word.
  void list_row(std::int32_t i, std::vector<Substitution>& found) const {
    for (std::size_t first = 0; first < width_; first += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, row_.data() + first, sizeof eight);
      if (eight == 0) continue;
      for (std::size_t j = first; j < first + 8; ++j) {
        if (row_[j] != 0) list_cell(i, static_cast<std::int32_t>(j), found);
      }
    }
  }

  void list_cell(std::int32_t i, std::int32_t j, std::vector<Substitution>& found) const {
    const Cell cell = row_[j];
    list_labels(cell & single, {i, j, 1, 1, 0}, found);
    if (options_.max_block < 2) return;
    if (cell & paraphrase_of(1, 2)) found.push_back({i, j, 1, 2, paraphrase_label});
    if (cell & paraphrase_of(2, 1)) found.push_back({i, j, 2, 1, paraphrase_label});
    const Cell table = cell & paraphrase_of(2, 2) ? paraphrase : 0;
    list_labels((cell & below_[j + 1] & square) | table, {i, j, 2, 2, 0}, found);
  }

  void list_labels(unsigned labels, Substitution substitution, std::vector<Substitution>& found) const {
    for (; labels != 0; labels &= labels - 1) {
      substitution[4] = std::countr_zero(labels);
      found.push_back(substitution);
      if (!options_.overlapping) return;
    }
  }

  const Tokens& tokens_;
  Options options_;
  Places words_, lemmas_, senses_, phrases_;
  std::size_t width_ = 0;  // length of the hypothesis
  std::vector<Cell> row_, below_;
  std::vector<std::int32_t> linked_;
};

}  // namespace metaphrase::edits::substitutions
