// The score of UPF-Cobalt: similarity of aligned words, less a penalty for differences of their syntactic
// contexts. Fomicheva et al. 2015, Eq. 1 to 3; METRICS 1.9 and 1.10.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "alignment/aligner.hpp"
#include "alignment/phrase_links.hpp"
#include "base/elementary.hpp"

namespace metaphrase::alignment {

enum class Penalty : std::uint8_t { context, none, fragmentation };

// How the context penalty is computed: as by the authors' program, or by Eq. 1 and 2 of the paper as printed.
enum class Formula : std::uint8_t { released, printed };

struct ScoreOptions {
  Penalty penalty = Penalty::context;
  Formula formula = Formula::released;
  double alpha = 0.75;  // weight of recall
  double beta = 4.0;    // weight of the reference's side in the penalty
  double delta = 0.7;   // weight of content words; function words have 1 - delta
};

struct PairScore {
  double score = 0.0, precision = 0.0, recall = 0.0;
  double similarity = 0.0, penalty = 0.0;  // means over the aligned pairs
};

// An aligned pair of words; positions count from 0. `kind` says why the scorer finds them similar. Of phrases
// they are the first words.
struct AlignedPair {
  std::int32_t left, right;
  std::uint8_t stage;
  Kind kind;
  double similarity, penalty;
  std::int32_t left_words = 1, right_words = 1;
};

// A relation in the context of an aligned word: which word, and whether the other side has a counterpart.
struct ContextRelation {
  std::int32_t pair, relation;
  bool on_right, child, matched;
};

// What a caller may want to know beyond the score.
struct AlignmentDetails {
  std::vector<AlignedPair> pairs;
  std::vector<ContextRelation> contexts;
};

class ContextScorer {
 public:
  ContextScorer(WordAligner& aligner, const LexicalEvidence& evidence, std::span<const Label> labels,
                const ScoreOptions& options)
      : aligner_(aligner), evidence_(evidence), labels_(labels), options_(options) {}

  // Scores the sentences that the aligner has aligned last, and the phrases that were linked then.
  PairScore score(AlignmentDetails* details, std::span<const PhraseLink> phrases = {}) {
    const std::int32_t n = aligner_.left.size(), m = aligner_.right.size();
    for (auto& marks : matched_left_) marks.assign(n + 1, 0);
    for (auto& marks : matched_right_) marks.assign(m + 1, 0);
    PairScore result;
    std::int32_t pairs = 0, chunks = 0;
    for (std::int32_t i = 1; i <= n; ++i) {
      if (!aligner_.left.aligned[i]) continue;
      for (std::int32_t j = 1; j <= m; ++j) {
        if (!aligner_.alignment.has(i, j) || aligner_.alignment.stage(i, j) == PhraseLinker::stage) continue;
        const Word &a = aligner_.left.words[i], &b = aligner_.right.words[j];
        const Kind kind = scoring_kind(a, b, evidence_);
        const double similarity = scoring_similarity(kind);
        const double penalty = context_penalty(i, j, pairs, details);
        // Eq. 3's a(h, r): no aligned pair is worth less than 0.01.
        const double worth = std::max(similarity - penalty, 0.01);
        result.precision += weight(a) * worth;
        result.recall += weight(b) * worth;
        result.similarity += similarity;
        result.penalty += penalty;
        chunks += !aligner_.alignment.has(i - 1, j - 1);
        if (details)
          details->pairs.push_back({i - 1, j - 1, aligner_.alignment.stage(i, j), kind, similarity, penalty});
        ++pairs;
      }
    }
    for (const PhraseLink& link : phrases) {
      add_phrases(link, pairs++, result, details);
      chunks += !aligner_.alignment.has(link.left - 1, link.right - 1);
    }
    if (pairs == 0) return result;
    result.similarity /= pairs;
    result.penalty /= pairs;
    result.precision /= total_weight(aligner_.left);
    result.recall /= total_weight(aligner_.right);
    if (!(result.precision > 0.0) || !(result.recall > 0.0)) return result;
    // P and R with the weights of content and function words, and their F mean: METRICS 1.10.
    result.score = 1.0 / ((1.0 - options_.alpha) / result.precision + options_.alpha / result.recall);
    if (options_.penalty == Penalty::fragmentation) {
      // METEOR's, with the values that go with its "adequacy" weights.
      result.penalty = 0.45 * elementary::pow(static_cast<double>(chunks) / pairs, 1.4);
      result.score *= 1.0 - result.penalty;
    }
    return result;
  }

 private:
  double weight(const Word& word) const {
    const bool function = word.as_form.lower_stop_word || word.as_form.lower_punctuation;
    return function ? 1.0 - options_.delta : options_.delta;
  }

  // A side without weight leaves sums undivided.
  double total_weight(const AlignedSentence& sentence) const {
    double total = 0.0;
    for (std::int32_t i = 1; i <= sentence.size(); ++i) total += weight(sentence.words[i]);
    return total > 0.0 ? total : 1.0;
  }

  using Marks = std::vector<std::int32_t>;

  // Relations of both words are compared with those of the other; a neighbour is matched if it is aligned
  // with one in a matching relation. The penalty grows with the share of unmatched relations and with how
  // many there are.
  double context_penalty(std::int32_t i, std::int32_t j, std::int32_t pair, AlignmentDetails* details) {
    if (options_.penalty != Penalty::context && !details) return 0.0;
    const Neighbours left = aligner_.full_neighbours(aligner_.left, i);
    const Neighbours right = aligner_.full_neighbours(aligner_.right, j);
    aligner_.match_neighbours(aligner_.left.words[i].tag.part, left, right,
                              [&](Direction direction, const Neighbour& a, const Neighbour& b) {
                                match(direction, a, b, pair + 1);
                              });
    return penalty_of(left, right, pair, details);
  }

  // Two phrases are worth what two words are that paraphrase each other, for each word of either: no word has
  // more than one partner. Their context is the relations with words outside. How a phrase is built decides
  // what these are called, so that any two of one direction match.
  void add_phrases(const PhraseLink& link, std::int32_t pair, PairScore& result, AlignmentDetails* details) {
    const auto outside = [](const AlignedSentence& sentence, std::int32_t begin, std::int32_t words,
                            std::vector<Neighbour>(&found)[2]) {
      const auto copy = [&](std::span<const Neighbour> side, std::vector<Neighbour>& kept) {
        std::copy_if(side.begin(), side.end(), std::back_inserter(kept),
                     [&](const Neighbour& one) { return one.index < begin || one.index >= begin + words; });
      };
      for (auto& side : found) side.clear();
      for (std::int32_t i = begin; i < begin + words; ++i) {
        const Neighbours own = sentence.neighbourhood.of(i);
        copy(own.parents, found[0]);
        copy(own.children, found[1]);
      }
      return Neighbours{found[0], found[1]};
    };
    double penalty = 0.0;
    if (options_.penalty == Penalty::context || details) {
      const Neighbours left = outside(aligner_.left, link.left, link.left_words, outside_left_);
      const Neighbours right = outside(aligner_.right, link.right, link.right_words, outside_right_);
      for (const Neighbour& a : left.parents) {
        for (const Neighbour& b : right.parents) match(Direction::parents, a, b, pair + 1);
      }
      for (const Neighbour& a : left.children) {
        for (const Neighbour& b : right.children) match(Direction::children, a, b, pair + 1);
      }
      penalty = penalty_of(left, right, pair, details);
    }
    const double similarity = scoring_similarity(Kind::paraphrase);
    const double worth = std::max(similarity - penalty, 0.01);
    for (std::int32_t i = 0; i < link.left_words; ++i) {
      result.precision += weight(aligner_.left.words[link.left + i]) * worth;
    }
    for (std::int32_t j = 0; j < link.right_words; ++j) {
      result.recall += weight(aligner_.right.words[link.right + j]) * worth;
    }
    result.similarity += similarity;
    result.penalty += penalty;
    if (details) {
      details->pairs.push_back({link.left - 1, link.right - 1, PhraseLinker::stage, Kind::paraphrase,
                                similarity, penalty, link.left_words, link.right_words});
    }
  }

  // Neighbours whose relations match are marked if they are aligned; what was marked for another pair does
  // not count.
  void match(Direction direction, const Neighbour& a, const Neighbour& b, std::int32_t mark) {
    const bool roots = a.index == 0 && b.index == 0;
    if (!roots && !aligner_.alignment.has(a.index, b.index)) return;
    if (direction != Direction::children) matched_left_[0][a.index] = matched_right_[0][b.index] = mark;
    if (direction != Direction::parents) matched_left_[1][a.index] = matched_right_[1][b.index] = mark;
  }

  double penalty_of(const Neighbours& left, const Neighbours& right, std::int32_t pair,
                    AlignmentDetails* details) const {
    const std::int32_t mark = pair + 1;
    if (details) {
      describe(left, matched_left_, pair, false, *details);
      describe(right, matched_right_, pair, true, *details);
    }
    if (options_.penalty != Penalty::context) return 0.0;
    const ContextWeight left_weight = weigh(left, matched_left_, mark);
    const ContextWeight right_weight = weigh(right, matched_right_, mark);
    return options_.formula == Formula::printed ? printed_penalty(left_weight, right_weight)
                                                : released_penalty(left_weight, right_weight);
  }

  struct ContextWeight {
    double total, unmatched;
    std::size_t count;
  };

  // Eq. 1 and 2 as the authors' program computes them: count(c) is a sum of weights, the sides meet in an
  // F mean, and 1 is taken off, so that it goes from 0 to 1 (METRICS 1.9, steps 5 and 6).
  double released_penalty(const ContextWeight& left, const ContextWeight& right) const {
    if (left.total == 0.0 || right.total == 0.0) return 0.0;
    const double x = left.unmatched / left.total, y = right.unmatched / right.total;
    if (x == 0.0 && y == 0.0) return 0.0;
    const double squared = options_.beta * options_.beta;
    const double mean = x == 0.0 || y == 0.0 ? std::max(x, y) : (1.0 + squared) * x * y / (squared * x + y);
    return 2.0 / (1.0 + elementary::exp(-mean * elementary::log(right.total + 1.0))) - 1.0;
  }

  // Eq. 1 and 2 as printed: count(c) is how many relations there are, the sides are averaged, and nothing is
  // taken off. It goes from 1, for equal contexts, to 2 (METRICS 1.1).
  static double printed_penalty(const ContextWeight& left, const ContextWeight& right) {
    const auto one_sided = [](const ContextWeight& side) {
      if (side.count == 0) return 0.0;
      const auto count = static_cast<double>(side.count);
      return side.unmatched / count * elementary::log(count + 1.0);
    };
    return 2.0 / (1.0 + elementary::exp(-(one_sided(left) + one_sided(right)) / 2.0));
  }

  ContextWeight weigh(const Neighbours& neighbours, const Marks (&matched)[2], std::int32_t mark) const {
    ContextWeight sums{0.0, 0.0, neighbours.parents.size() + neighbours.children.size()};
    const auto add = [&](std::span<const Neighbour> side, const Marks& marks) {
      for (const Neighbour& neighbour : side) {
        const double weight = labels_[neighbour.label].weight;
        sums.total += weight;
        if (marks[neighbour.index] != mark) sums.unmatched += weight;
      }
    };
    add(neighbours.children, matched[1]);
    add(neighbours.parents, matched[0]);
    return sums;
  }

  static void describe(const Neighbours& neighbours, const Marks (&matched)[2], std::int32_t pair,
                       bool on_right, AlignmentDetails& details) {
    for (const Neighbour& child : neighbours.children) {
      details.contexts.push_back({pair, child.relation, on_right, true, matched[1][child.index] == pair + 1});
    }
    for (const Neighbour& parent : neighbours.parents) {
      details.contexts.push_back(
          {pair, parent.relation, on_right, false, matched[0][parent.index] == pair + 1});
    }
  }

  WordAligner& aligner_;
  const LexicalEvidence evidence_;
  const std::span<const Label> labels_;
  const ScoreOptions options_;
  Marks matched_left_[2], matched_right_[2];  // parents, children
  std::vector<Neighbour> outside_left_[2], outside_right_[2];
};

}  // namespace metaphrase::alignment
