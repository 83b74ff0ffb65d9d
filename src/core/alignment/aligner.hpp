// Monolingual word alignment in nine stages (METRICS 1.8): that of UPF-Cobalt (Fomicheva et al. 2015, 2.1)
// and that of MWA (Sultan, Bethard & Sumner 2014), from which it descends. Both as released, quirks included,
// but that a word has one partner at most unless the options say otherwise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alignment/common_runs.hpp"
#include "alignment/counted_choice.hpp"
#include "alignment/entities.hpp"
#include "alignment/hyphenated.hpp"
#include "alignment/relations.hpp"
#include "alignment/similarity.hpp"
#include "alignment/state.hpp"

namespace metaphrase::alignment {

struct AlignerOptions {
  Scheme scheme = Scheme::cobalt;
  bool symmetric = false;  // compare children on the left with parents on the right as well
  double theta = 0.9;      // share of similarity, against contextual evidence, in the choice of pairs
  bool one_to_one = true;  // a word has one partner; as released, names and hyphenated words have several
};

// Aligns one pair of sentences after another, reusing its memory.
class WordAligner {
 public:
  WordAligner(const Vocabulary& vocabulary, const LexicalEvidence& evidence, std::span<const Label> labels,
              std::span<const std::string> label_names, const AlignerOptions& options)
      : alignment(left, right, options.one_to_one),
        vocabulary_(vocabulary),
        evidence_(evidence),
        labels_(labels),
        label_names_(label_names),
        options_(options),
        mwa_(options.scheme == Scheme::mwa),
        symmetric_(options.symmetric || mwa_),
        similar_(mwa_ ? Degree::strong_paraphrase : Degree::distributional) {}

  AlignedSentence left, right;
  Alignment alignment;

  void align() {
    alignment.clear();
    similarities_.assign(left.words.size() * right.words.size(), unknown);
    if (left.size() == 0 || right.size() == 0) return;
    align_final_punctuation();
    align_identical_runs();
    align_hyphenated_groups();
    entities_.align();
    for (const Part part : {Part::verb, Part::noun, Part::adjective, Part::adverb})
      align_by_dependencies(part);
    align_by_text();
    align_hyphenated_parts();
    align_stop_words();
    align_function_words();
  }

  // Neighbours of a token as the stop-word stage and the context penalty see them.
  Neighbours full_neighbours(AlignedSentence& sentence, std::int32_t i) const {
    return sentence.neighbourhood.of(i, vocabulary_.text(sentence.words[i].form), labels_, label_names_);
  }

  template <class Found>
  void match_neighbours(Part part, const Neighbours& a, const Neighbours& b, Found&& found) const {
    matching_neighbours(part, a, b, labels_, symmetric_, found);
  }

 private:
  static constexpr std::uint8_t unknown = 255;
  static constexpr std::int32_t window = 3;

  struct Support {
    Degree degree;
    std::int32_t k, l;
  };

  Degree similarity(std::int32_t i, std::int32_t j) {
    std::uint8_t& known = similarities_[static_cast<std::size_t>(i) * right.words.size() + j];
    if (known == unknown) {
      const Word &a = left.words[i], &b = right.words[j];
      known = static_cast<std::uint8_t>(mwa_ ? mwa_similarity(a, b, evidence_)
                                             : cobalt_similarity(a, b, by_form, evidence_));
    }
    return static_cast<Degree>(known);
  }

  Degree lemma_similarity(std::int32_t i, std::int32_t j) const {
    const Word &a = left.words[i], &b = right.words[j];
    return mwa_ ? mwa_spelling_similarity(a, b, by_lemma, false, evidence_)
                : cobalt_similarity(a, b, by_lemma, evidence_);
  }

  double worth(Degree degree, double evidence) const {
    return options_.theta * value(degree) + (1.0 - options_.theta) * evidence;
  }

  void align_final_punctuation() {
    const std::int32_t n = left.size(), m = right.size();
    if (left.words[n].form == right.words[m].form) return alignment.add(n, m, 1);
    using Place = std::pair<std::int32_t, std::int32_t>;
    for (const auto& [i, j] : {Place(n, m), Place(n - 1, m), Place(n, m - 1), Place(n - 1, m - 1)}) {
      // The program lets a position before the first token wrap round to the last, which it has tried before.
      if (i == 0 || j == 0) continue;
      if (left.words[i].as_form.sentence_end && right.words[j].as_form.sentence_end)
        return alignment.add(i, j, 1);
    }
  }

  void align_identical_runs() {
    for (const CommonRun& run : runs_.find(left.lower, right.lower, 2)) {
      for (std::int32_t k = 1; k <= run.length; ++k) {
        if (alignment.both_free(run.left + k, run.right + k)) alignment.add(run.left + k, run.right + k, 2);
      }
    }
  }

  // A hyphenated word goes with the words of runs that it has in common with the other sentence: with all of
  // them as released, with the first that is free if it may have but one. Positions of words count from 1.
  void align_hyphenated_groups() {
    for (std::int32_t i = 1; i <= left.size(); ++i) {
      if (left.aligned[i] || !left.words[i].as_form.hyphenated) continue;
      align_group(left.words[i].form, right, true, [&](std::int32_t j) { alignment.add(i, j, 3); });
    }
    for (std::int32_t j = 1; j <= right.size(); ++j) {
      if (right.aligned[j] || !right.words[j].as_form.hyphenated) continue;
      align_group(right.words[j].form, left, false, [&](std::int32_t i) { alignment.add(i, j, 3); });
    }
  }

  template <class Add>
  void align_group(std::int32_t form, const AlignedSentence& other, bool on_left, Add&& add) {
    hyphenated_.read(vocabulary_.parts(form), other.lower);
    if (!alignment.one_to_one()) return hyphenated_.for_words_in_runs([&](std::int32_t k) { add(k + 1); });
    const std::int32_t first = hyphenated_.first_free_in_runs(
        parts_first(form, other, on_left), [&](std::int32_t k) { return !other.aligned[k + 1]; });
    if (first >= 0) add(first + 1);
  }

  // Whether runs are ordered by their place among the parts: where those are fewer, or on the left of as
  // many.
  bool parts_first(std::int32_t form, const AlignedSentence& other, bool on_left) const {
    const std::size_t parts = vocabulary_.parts(form).size();
    return on_left ? parts <= other.lower.size() : parts < other.lower.size();
  }

  // Free words of one part of speech. MWA counts pronouns among the nouns; Cobalt looks at them in every pass
  // and never aligns them, so they are left out.
  void find_free(const AlignedSentence& sentence, Part part, std::vector<std::int32_t>& found) const {
    found.clear();
    for (std::int32_t i = 1; i <= sentence.size(); ++i) {
      const Word& word = sentence.words[i];
      const bool pronoun = mwa_ && part == Part::noun && word.tag.pronoun;
      if ((word.tag.part == part || pronoun) && !sentence.aligned[i] && !word.as_lemma.lower_stop_word) {
        found.push_back(i);
      }
    }
  }

  // In content-word stages Cobalt's program passes a sentence in place of the word, so that collapsed words
  // have no neighbours.
  Neighbours neighbours(AlignedSentence& sentence, std::int32_t i) const {
    return mwa_ ? full_neighbours(sentence, i) : sentence.neighbourhood.of(i);
  }

  void align_by_dependencies(Part part) {
    find_free(left, part, free_left_);
    if (free_left_.empty()) return;
    find_free(right, part, free_right_);
    candidates_.clear();
    for (const std::int32_t i : free_left_) {
      for (const std::int32_t j : free_right_) {
        const Degree degree = similarity(i, j);
        if (degree < similar_) continue;
        find_support(part, i, j);
        double evidence = mwa_ ? support_sum() : one_to_one_support_sum();
        if (degree == Degree::distributional && value(degree) + evidence <= 1.0) continue;
        if (!mwa_ && evidence < 0.5) evidence = 0.0;
        candidates_.push_back({worth(degree, evidence), i, j, evidence > 0.0});
      }
    }
    sort_candidates(candidates_);
    for (const Candidate& best : candidates_) {
      if (!alignment.both_free(best.i, best.j)) continue;
      if (!mwa_) {
        alignment.add(best.i, best.j, 5);
        continue;
      }
      if (!best.acceptable) return;
      alignment.add(best.i, best.j, 5);
      find_support(part, best.i, best.j);
      for (const Support& pair : support_) {
        if (pair.k > 0 && pair.l > 0 && alignment.both_free(pair.k, pair.l)) alignment.add(pair.k, pair.l, 5);
      }
    }
  }

  // Neighbours that speak for aligning i and j: their relations match and they are similar or aligned
  // themselves.
  void find_support(Part part, std::int32_t i, std::int32_t j) {
    support_.clear();
    match_neighbours(part, neighbours(left, i), neighbours(right, j),
                     [&](Direction, const Neighbour& a, const Neighbour& b) {
                       const Degree degree = similarity(a.index, b.index);
                       const bool aligned = !mwa_ && alignment.has(a.index, b.index);
                       if (aligned || degree >= similar_) support_.push_back({degree, a.index, b.index});
                     });
  }

  double support_sum() const {
    double sum = 0.0;
    for (const Support& pair : support_) sum += value(pair.degree);
    return sum;
  }

  // Best pairs first, each neighbour used once, and only in a pair that is the best for one of the two.
  double one_to_one_support_sum() {
    if (support_.size() > 1) {
      std::sort(support_.begin(), support_.end(), [](const Support& a, const Support& b) {
        if (a.degree != b.degree) return a.degree > b.degree;
        return a.k != b.k ? a.k < b.k : a.l < b.l;
      });
    }
    left_use_.resize(left.words.size());
    right_use_.resize(right.words.size());
    for (const Support& pair : support_) left_use_[pair.k] = right_use_[pair.l] = Use::none;
    double sum = 0.0;
    for (const Support& pair : support_) {
      Use &k = left_use_[pair.k], &l = right_use_[pair.l];
      const bool best = k == Use::none || l == Use::none;
      if (best && k != Use::used && l != Use::used) {
        sum += value(pair.degree);
        k = l = Use::used;
      } else {
        k = std::max(k, Use::seen);
        l = std::max(l, Use::seen);
      }
    }
    return sum;
  }

  void align_by_text() {
    const auto find = [](const AlignedSentence& sentence, std::vector<std::int32_t>& free) {
      free.clear();
      for (std::int32_t i = 1; i <= sentence.size(); ++i) {
        if (!sentence.aligned[i] && !sentence.words[i].as_lemma.function_like) free.push_back(i);
      }
    };
    find(left, free_left_);
    find(right, free_right_);
    if (free_left_.empty() || free_right_.empty()) return;
    find_similar_lemmas();
    start_counting();
    evidence_row_.assign(right.words.size(), 0.0);
    for (const std::int32_t i : free_left_) {
      sum_window_evidence(i);
      for (const std::int32_t j : free_right_) {
        const Degree degree = similarity(i, j);
        const double evidence = evidence_row_[j];
        if (degree == Degree::distributional && value(degree) + evidence <= 1.0) continue;
        consider(i, j, degree, evidence, degree >= similar_);
      }
      std::fill(evidence_row_.begin(), evidence_row_.end(), 0.0);
    }
    choice_.take(alignment, 6);
  }

  // For each content word near a free word on the left, the content words near a free one on the right that
  // have a similar lemma.
  void find_similar_lemmas() {
    const auto near = [](const AlignedSentence& sentence, std::span<const std::int32_t> free,
                         std::vector<std::int32_t>& found) {
      found.clear();
      std::int32_t next = 1;
      for (const std::int32_t i : free) {
        for (std::int32_t k = std::max(next, i - window); k <= std::min(sentence.size(), i + window); ++k) {
          const Spelling& lemma = sentence.words[k].as_lemma;
          if (!lemma.lower_stop_word && !lemma.lower_punctuation) found.push_back(k);
          next = k + 1;
        }
      }
    };
    near(left, free_left_, near_left_);
    near(right, free_right_, near_right_);
    similar_starts_.assign(left.words.size() + 1, 0);
    similar_lemmas_.clear();
    std::size_t filled = 0;
    for (const std::int32_t k : near_left_) {
      while (filled <= static_cast<std::size_t>(k)) similar_starts_[filled++] = similar_lemmas_.size();
      for (const std::int32_t l : near_right_) {
        const Degree degree = lemma_similarity(k, l);
        if (degree >= similar_) similar_lemmas_.push_back({degree, k, l});
      }
    }
    while (filled < similar_starts_.size()) similar_starts_[filled++] = similar_lemmas_.size();
  }

  // Sums in the order of the text, left word before right word, as the oracle does.
  void sum_window_evidence(std::int32_t i) {
    for (std::int32_t k = std::max(1, i - window); k <= std::min(left.size(), i + window); ++k) {
      if (k == i) continue;
      for (std::size_t at = similar_starts_[k]; at < similar_starts_[k + 1]; ++at) {
        const auto [degree, _, l] = similar_lemmas_[at];
        for (std::int32_t j = std::max(1, l - window); j <= std::min(right.size(), l + window); ++j) {
          if (j != l) evidence_row_[j] += value(degree);
        }
      }
    }
  }

  // Runs of one word. Those that are part of a longer run, or beside one, do not count; but had a longer run
  // a free word, the hyphenated word would not have come here unaligned, so that every free word counts.
  void align_hyphenated_parts() {
    for (std::int32_t i = 1; i <= left.size(); ++i) {
      if (left.aligned[i] || !left.words[i].as_form.hyphenated) continue;
      hyphenated_.read(vocabulary_.parts(left.words[i].form), right.lower);
      const auto free = [&](std::int32_t k) {
        return !right.aligned[k + 1] && !right.words[k + 1].as_lemma.lower_stop_word;
      };
      if (alignment.one_to_one()) {
        const std::int32_t k = hyphenated_.first_single(parts_first(left.words[i].form, right, true), free);
        if (k >= 0) alignment.add(i, k + 1, 7);
      } else {
        hyphenated_.for_single_words([&](std::int32_t k) {
          if (free(k)) alignment.add(i, k + 1, 7);
        });
      }
    }
    for (std::int32_t j = 1; j <= right.size(); ++j) {
      if (right.aligned[j] || !right.words[j].as_form.hyphenated) continue;
      const std::int32_t i = first_part_on_left(right.words[j].form);
      if (i > 0) alignment.add(i, j, 7);
    }
  }

  // On this side the program takes the first word, free or not, so that longer runs do matter.
  std::int32_t first_part_on_left(std::int32_t form) {
    const auto content = [&](std::int32_t k) { return !left.words[k + 1].as_lemma.lower_stop_word; };
    const auto parts = vocabulary_.parts(form);
    hyphenated_.read(parts, left.lower);
    if (!hyphenated_.shares_run())
      return hyphenated_.first_single(parts_first(form, left, false), content) + 1;
    const CommonRun run =
        runs_.first_single(left.lower, parts, [&](const CommonRun& single) { return content(single.left); });
    return run.length > 0 ? run.left + 1 : 0;
  }

  void align_stop_words() {
    start_counting();
    for (std::int32_t i = 1; i <= left.size(); ++i) {
      if (left.aligned[i] || !left.words[i].as_lemma.lower_stop_word) continue;
      for (std::int32_t j = 1; j <= right.size(); ++j) {
        if (right.aligned[j] || !right.words[j].as_lemma.lower_stop_word) continue;
        const Degree degree = similarity(i, j);
        if (degree < similar_ && left.words[i].lemma != right.words[j].lemma) continue;
        const int evidence = aligned_neighbours(i, j);
        consider(i, j, degree, evidence, degree >= similar_ && evidence > 0);
      }
    }
    choice_.take(alignment, 8);
  }

  int aligned_neighbours(std::int32_t i, std::int32_t j) {
    const Neighbours a = full_neighbours(left, i), b = full_neighbours(right, j);
    int count = 0;
    for (const Neighbour& k : a.parents) {
      for (const Neighbour& l : b.parents) count += alignment.has(k.index, l.index);
    }
    for (const Neighbour& k : a.children) {
      for (const Neighbour& l : b.children) count += alignment.has(k.index, l.index);
    }
    return count;
  }

  // The nearest words on both sides that are not function words; going right, Cobalt's program stops one
  // short of the last token. MWA asks the immediate neighbours.
  void find_surroundings(const AlignedSentence& sentence, std::vector<std::int32_t>& before,
                         std::vector<std::int32_t>& after) const {
    const std::int32_t n = sentence.size();
    before.resize(n + 1);
    after.resize(n + 1);
    const auto function_like = [&](std::int32_t i) { return sentence.words[i].as_lemma.function_like; };
    std::int32_t nearest = 0;
    for (std::int32_t i = 1; i <= n; ++i) {
      if (!function_like(i)) nearest = i;
      before[i] = mwa_ ? i - 1 : nearest;
    }
    for (std::int32_t i = n; i >= 1; --i) {
      const bool moves = i < n - 1 && function_like(i);
      after[i] = mwa_ ? std::min(i + 1, n) : moves ? after[i + 1] : i;
    }
  }

  void align_function_words() {
    start_counting();
    find_surroundings(left, left_before_, left_after_);
    find_surroundings(right, right_before_, right_after_);
    for (std::int32_t i = 1; i <= left.size(); ++i) {
      if (left.aligned[i] || !left.words[i].as_lemma.function_like) continue;
      for (std::int32_t j = 1; j <= right.size(); ++j) {
        if (right.aligned[j] || !right.words[j].as_lemma.function_like) continue;
        const Degree degree = similarity(i, j);
        if (mwa_ ? degree < similar_ : degree < Degree::distributional) continue;
        const bool at_end = mwa_ && (i == left.size() || j == right.size());
        const int evidence = alignment.has(left_before_[i], right_before_[j]) +
                             (!at_end && alignment.has(left_after_[i], right_after_[j]));
        consider(i, j, degree, evidence, evidence > 0);
      }
    }
    choice_.take(alignment, 9);
  }

  void start_counting() { choice_.start(left.words.size(), right.words.size()); }

  void consider(std::int32_t i, std::int32_t j, Degree degree, double evidence, bool acceptable) {
    choice_.consider({worth(degree, evidence), i, j, acceptable});
  }

  enum class Use : std::uint8_t { none, seen, used };

  const Vocabulary& vocabulary_;
  const LexicalEvidence evidence_;
  const std::span<const Label> labels_;
  const std::span<const std::string> label_names_;
  const AlignerOptions options_;
  const bool mwa_, symmetric_;
  const Degree similar_;

  EntityAligner entities_{vocabulary_, left, right, alignment};
  CommonRuns runs_;
  HyphenatedParts hyphenated_;
  CountedChoice choice_{mwa_};
  std::vector<std::uint8_t> similarities_;
  std::vector<std::int32_t> free_left_, free_right_, near_left_, near_right_;
  std::vector<Candidate> candidates_;
  std::vector<Support> support_, similar_lemmas_;
  std::vector<std::size_t> similar_starts_;
  std::vector<double> evidence_row_;
  std::vector<Use> left_use_, right_use_;
  std::vector<std::int32_t> left_before_, left_after_, right_before_, right_after_;
};

}  // namespace metaphrase::alignment
