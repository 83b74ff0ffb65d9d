// METEOR 1.5's choice among matches: the alignment of a hypothesis with a reference.
//
// A beam search goes through the reference word by word. An alignment is better if it matches more words, then
// if it has fewer chunks (runs of matches that are neighbours on both sides), then if its words have moved less.
// As in the program, whose numbers are to be met:
// - a match that is not exact counts for half its words on each side, rounded down, so that a single word
//   counts for nothing, and is only chosen where it costs no chunk;
// - matches that compete with no other are fixed beforehand, whatever they cost;
// - a chunk is counted when it ends;
// - the distance of a match is charged to the alignment without it, and to those that are made after it from
//   the same alignment, not to the one that has it;
// - among equal ones the one made first is preferred.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "meteor_matches.hpp"

namespace metaphrase {

// Keeps its memory from one pair of sentences to the next; one a thread.
class MeteorAligner {
 public:
  static constexpr std::size_t beam_size = 40;

  // The chosen matches in the order of the reference. `matches` must stay as it is as long as they are used.
  std::span<const MeteorMatch> align(const MeteorMatcher& matches, std::size_t hypothesis_words,
                                     std::size_t reference_words) {
    fix_unrivalled(matches, hypothesis_words, reference_words);
    blocks_ = (hypothesis_words + 63) / 64;
    history_.clear();
    beam_.assign(1, Partial{});
    used_.assign(blocks_, 0);
    for (std::size_t at = 0; at < reference_words; ++at) {
      propose(matches, static_cast<std::int32_t>(at));
      keep_best(matches, at);
    }
    finish();
    return chosen_;
  }

 private:
  static constexpr std::int32_t none = -1;

  struct Partial {
    std::int64_t matched = 0;  // words of both sides, with the weights of the search
    std::int64_t distance = 0;
    std::int32_t chunks = 0;
    std::int32_t next = 0;              // the first word of the reference that is not decided on
    std::int32_t hypothesis_end = none;  // where the last chunk ends in the hypothesis, if it still goes on
    std::int32_t history = none;        // the last step of how it came about

  };
  // A way to go on, made of one of the alignments in the beam.
  struct Proposal {
    Partial partial;
    std::int32_t parent, match;  // `match`: which of those that begin here, or none
  };
  // By how good a partial alignment is, and among equal ones by their order; the least is the best. No segment
  // has so many words, or matches, that a part of it could overflow.
  struct Rank {
    std::uint64_t quality, distance_and_order;

    Rank(const Partial& partial, std::size_t order)
        : quality(((std::uint64_t{1} << 31) - partial.matched) << 32 | partial.chunks),
          distance_and_order(static_cast<std::uint64_t>(partial.distance) << 24 | order) {}

    auto operator<=>(const Rank&) const = default;
    std::size_t order() const { return distance_and_order & 0xFFFFFF; }
  };
  struct Step {
    MeteorMatch match;
    std::int32_t before;
  };

  void fix_unrivalled(const MeteorMatcher& matches, std::size_t hypothesis_words,
                      std::size_t reference_words) {
    std::vector<std::int32_t>& left = hypothesis_rivals_;
    std::vector<std::int32_t>& right = reference_rivals_;
    left.assign(hypothesis_words, 0);
    right.assign(reference_words, 0);
    for (std::size_t at = 0; at < reference_words; ++at) {
      for (const MeteorMatch& match : matches.at(at)) {
        for (std::int32_t h = match.hypothesis; h < match.hypothesis_end(); ++h) ++left[h];
        for (std::int32_t r = match.reference; r < match.reference_end(); ++r) ++right[r];
      }
    }
    const auto alone = [](const std::vector<std::int32_t>& rivals, std::int32_t begin, std::int32_t end) {
      return std::all_of(rivals.begin() + begin, rivals.begin() + end, [](std::int32_t n) { return n == 1; });
    };
    fixed_.assign(reference_words, 0);
    for (std::size_t at = 0; at < reference_words; ++at) {
      if (matches.at(at).size() != 1) continue;
      const MeteorMatch& match = matches.at(at).front();
      fixed_[at] = alone(left, match.hypothesis, match.hypothesis_end()) &&
                   alone(right, match.reference, match.reference_end());
    }
  }

  void propose(const MeteorMatcher& matches, std::int32_t at) {
    proposals_.clear();
    ranks_.clear();
    const auto here = matches.at(at);
    for (std::size_t parent = 0; parent < beam_.size(); ++parent) {
      Partial partial = beam_[parent];
      if (at < partial.next) {  // inside a phrase
        add(partial, parent, none);
        continue;
      }
      if (fixed_[at]) {
        Partial longer = extended(partial, here.front());
        longer.distance += distance(here.front());
        add(longer, parent, 0);
        continue;
      }
      for (std::size_t m = 0; m < here.size(); ++m) {
        if (is_used(parent, here[m])) continue;
        add(extended(partial, here[m]), parent, static_cast<std::int32_t>(m));
        partial.distance += distance(here[m]);
      }
      if (partial.hypothesis_end != none) ++partial.chunks;
      partial.hypothesis_end = none;
      ++partial.next;
      add(partial, parent, none);
    }
  }

  void add(const Partial& partial, std::size_t parent, std::int32_t match) {
    ranks_.push_back(Rank(partial, proposals_.size()));
    proposals_.push_back({partial, static_cast<std::int32_t>(parent), match});
  }

  static std::int64_t distance(const MeteorMatch& match) {
    return std::abs(match.reference - match.hypothesis);
  }

  static Partial extended(Partial partial, const MeteorMatch& match) {
    const std::int32_t share = match.exact ? 1 : 2;
    partial.matched += match.hypothesis_words / share + match.reference_words / share;
    if (partial.hypothesis_end != none && partial.hypothesis_end != match.hypothesis) ++partial.chunks;
    partial.next = match.reference_end();
    partial.hypothesis_end = match.hypothesis_end();
    return partial;
  }

  bool is_used(std::size_t parent, const MeteorMatch& match) const {
    const std::uint64_t* used = used_.data() + parent * blocks_;
    for (std::int32_t h = match.hypothesis; h < match.hypothesis_end(); ++h) {
      if (used[h / 64] >> h % 64 & 1) return true;
    }
    return false;
  }

  // Only what stays in the beam is made in full.
  void keep_best(const MeteorMatcher& matches, std::size_t at) {
    const std::size_t kept = std::min(beam_size, ranks_.size());
    if (!std::is_sorted(ranks_.begin(), ranks_.end())) {
      if (ranks_.size() > kept) std::nth_element(ranks_.begin(), ranks_.begin() + kept, ranks_.end());
      std::sort(ranks_.begin(), ranks_.begin() + kept);
    }
    beam_.clear();
    next_used_.resize(kept * blocks_);
    for (std::size_t i = 0; i < kept; ++i) {
      const Proposal& proposal = proposals_[ranks_[i].order()];
      beam_.push_back(proposal.partial);
      const std::uint64_t* from = used_.data() + proposal.parent * blocks_;
      std::copy(from, from + blocks_, next_used_.data() + i * blocks_);
      if (proposal.match == none) continue;
      const MeteorMatch& match = matches.at(at)[proposal.match];
      for (std::int32_t h = match.hypothesis; h < match.hypothesis_end(); ++h) {
        next_used_[i * blocks_ + h / 64] |= std::uint64_t{1} << h % 64;
      }
      history_.push_back({match, proposal.partial.history});
      beam_.back().history = static_cast<std::int32_t>(history_.size()) - 1;
    }
    used_.swap(next_used_);
  }

  void finish() {
    ranks_.clear();
    for (Partial& partial : beam_) {
      partial.chunks += partial.hypothesis_end != none;
      ranks_.push_back(Rank(partial, ranks_.size()));
    }
    const Partial& best = beam_[std::min_element(ranks_.begin(), ranks_.end())->order()];
    chosen_.clear();
    for (std::int32_t step = best.history; step != none; step = history_[step].before) {
      chosen_.push_back(history_[step].match);
    }
    std::reverse(chosen_.begin(), chosen_.end());
  }

  std::size_t blocks_ = 0;  // of 64 words, in the hypothesis
  std::vector<std::int32_t> hypothesis_rivals_, reference_rivals_;
  std::vector<std::uint8_t> fixed_;
  std::vector<Partial> beam_;
  std::vector<Proposal> proposals_;
  std::vector<Rank> ranks_;
  std::vector<std::uint64_t> used_, next_used_;  // words of the hypothesis, a row for each in the beam
  std::vector<Step> history_;
  std::vector<MeteorMatch> chosen_;
};

// How many chunks the matches form: runs without a gap in the reference, in the order of the hypothesis.
template <class Visit>
std::int32_t count_chunks(std::span<const MeteorMatch> matches, Visit&& visit) {
  std::int32_t chunks = 0;
  const MeteorMatch* last = nullptr;
  for (const MeteorMatch& match : matches) {
    const bool goes_on = last != nullptr && last->reference_end() == match.reference &&
                         last->hypothesis_end() == match.hypothesis;
    chunks += !goes_on;
    visit(match, chunks);
    last = &match;
  }
  return chunks;
}

// What METEOR counts, in the order of its own lines of statistics: length of hypothesis and reference, their
// function words; for each of four stages the matched content words of hypothesis and reference, then the
// matched function words; chunks; matched words of hypothesis and reference. All but the last three in widths.
inline constexpr std::size_t meteor_columns = 23;

inline void meteor_statistics(const MeteorVocabulary& vocabulary, std::span<const std::int32_t> hypothesis,
                              std::span<const std::int32_t> reference, std::span<const MeteorMatch> matches,
                              std::span<double> row) {
  std::fill(row.begin(), row.end(), 0.0);
  const auto lengths = [&](std::span<const std::int32_t> words, std::size_t side) {
    for (const std::int32_t word : words) {
      row[side] += vocabulary.width[word];
      if (vocabulary.function[word]) row[2 + side] += vocabulary.width[word];
    }
  };
  lengths(hypothesis, 0);
  lengths(reference, 1);
  for (const MeteorMatch& match : matches) {
    const std::size_t stage = 4 + 4 * match.stage;
    for (const std::int32_t word : hypothesis.subspan(match.hypothesis, match.hypothesis_words)) {
      row[stage + (vocabulary.function[word] ? 2 : 0)] += vocabulary.width[word];
    }
    for (const std::int32_t word : reference.subspan(match.reference, match.reference_words)) {
      row[stage + (vocabulary.function[word] ? 3 : 1)] += vocabulary.width[word];
    }
    row[21] += match.hypothesis_words;
    row[22] += match.reference_words;
  }
  row[20] = count_chunks(matches, [](const MeteorMatch&, std::int32_t) {});
}

}  // namespace metaphrase
