// The beam search of METEOR 1.5's alignment, which goes through the reference word by word.
//
// An alignment is better if it matches more words, then if it has fewer chunks (runs of matches that are
// neighbours on both sides), then if its words have moved less. As in the program, whose numbers are to be
// met:
// - a match that is not exact counts for half its words on each side, rounded down, so that a single word
//   counts for nothing, and is only chosen where it costs no chunk;
// - matches that compete with no other are fixed beforehand, whatever they cost;
// - a chunk is counted when it ends;
// - the distance of a match is charged to the alignment without it, and to those that are made after it from
//   the same alignment, not to the one that has it;
// - among equal ones the one made first is preferred.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "meteor/matches.hpp"

namespace metaphrase::meteor {

inline std::int64_t meteor_distance(const MeteorMatch& match) {
  return std::abs(match.reference - match.hypothesis);
}

// How good an alignment is stands in one number, the least being the best: from the top, what it lacks of
// words (16 bits), its chunks (16), its distance and its place among equal ones. `Blocks` is the number of
// times that 64 words of the hypothesis fit. Whoever chooses the sizes knows that nothing overflows.
template <class Key, int distance_bits, int order_bits, std::size_t Blocks>
class MeteorBeam {
 public:
  static constexpr std::size_t size = 40;
  static_assert(sizeof(Key) * 8 == 32 + distance_bits + order_bits);

  // The first steps: an empty alignment.
  void start() {
    history_.clear();
    beam_.assign(1, Partial{});
  }

  // The next word of the reference, where no match begins.
  void pass(std::int32_t at) {
    for (Partial& partial : beam_) {
      if (at < partial.next) continue;  // inside a phrase
      if (partial.hypothesis_end != none) partial.key += chunk;
      partial.hypothesis_end = none;
    }
    restore_order();
  }

  // The next word, where one match without a rival begins. It is taken, but not noted: it is known anyway.
  void take(const MeteorMatch& match) {
    const Key better = gain(match), farther = distance(match);
    for (Partial& partial : beam_) {
      if (breaks(partial, match)) partial.key += chunk;
      partial.key += farther - better;
      partial.next = match.reference_end();
      partial.hypothesis_end = match.hypothesis_end();
    }
    restore_order();
  }

  // The next word, where each alignment goes on without any of these matches, and with each that it can have.
  void branch(std::int32_t at, std::span<const MeteorMatch> here) {
    choices_.clear();
    for (const MeteorMatch& match : here) {
      choices_.push_back({gain(match), distance(match), match.hypothesis, match.hypothesis_words});
    }
    const std::size_t most = beam_.size() * (here.size() + 1);
    keys_.resize(std::max(keys_.size(), most));
    origins_.resize(std::max(origins_.size(), most));
    proposals_ = 0;
    for (std::size_t parent = 0; parent < beam_.size(); ++parent) {
      const Partial& partial = beam_[parent];
      Key key = partial.key;
      if (at < partial.next) {  // inside a phrase
        propose(key, parent, none);
        continue;
      }
      const bool open = partial.hypothesis_end != none;
      for (std::size_t m = 0; m < choices_.size(); ++m) {
        const Choice& choice = choices_[m];
        if (uses(partial, choice.hypothesis, choice.hypothesis_words)) continue;
        const bool breaks = open && partial.hypothesis_end != choice.hypothesis;
        propose(key - choice.gain + (breaks ? chunk : 0), parent, static_cast<std::int32_t>(m));
        key += choice.distance;
      }
      propose(key + (open ? chunk : 0), parent, none);
    }
    keep_best(at, here);
  }

  // Calls `visit` with the matches of the best alignment that were not fixed, the last one first.
  template <class Visit>
  void finish(Visit&& visit) const {
    const auto value = [](const Partial& partial) {
      return partial.key + (partial.hypothesis_end != none ? chunk : 0);
    };
    const auto best = std::min_element(
        beam_.begin(), beam_.end(), [&](const Partial& a, const Partial& b) { return value(a) < value(b); });
    for (std::int32_t step = best->history; step != none; step = history_[step].before) {
      visit(*history_[step].match);
    }
  }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr Key distance_unit = Key{1} << order_bits;
  static constexpr Key chunk = distance_unit << distance_bits;
  static constexpr Key word = chunk << 16;
  static constexpr Key order_mask = distance_unit - 1;

  // A partial alignment. Its order is its place in the beam, and not in its key.
  struct Partial {
    Key key = word * 0xFFFF;
    std::array<std::uint64_t, Blocks> used{};  // words of the hypothesis
    std::int32_t next = 0;                     // the first word of the reference that is not decided on
    std::int32_t hypothesis_end = none;  // where the last chunk ends in the hypothesis, if it still goes on
    std::int32_t history = none;         // the last step of how it came about
  };
  // A match as far as the search asks it.
  struct Choice {
    Key gain, distance;
    std::int32_t hypothesis, hypothesis_words;
  };
  struct Origin {
    std::int32_t parent, match;  // `match`: which of those that begin here, or none
  };
  struct Step {
    const MeteorMatch* match;
    std::int32_t before;
  };

  static Key gain(const MeteorMatch& match) {
    const int halved = match.exact ? 0 : 1;
    return word * static_cast<Key>((match.hypothesis_words >> halved) + (match.reference_words >> halved));
  }
  static Key distance(const MeteorMatch& match) {
    return distance_unit * static_cast<Key>(meteor_distance(match));
  }
  static bool breaks(const Partial& partial, const MeteorMatch& match) {
    return partial.hypothesis_end != none && partial.hypothesis_end != match.hypothesis;
  }
  static bool uses(const Partial& partial, std::int32_t begin, std::int32_t words) {
    for (std::int32_t h = begin; h < begin + words; ++h) {
      if (partial.used[h / 64] >> h % 64 & 1) return true;
    }
    return false;
  }

  void propose(Key key, std::size_t parent, std::int32_t match) {
    keys_[proposals_] = key | static_cast<Key>(proposals_);
    origins_[proposals_] = {static_cast<std::int32_t>(parent), match};
    ++proposals_;
  }

  // After all have changed in place.
  void restore_order() {
    const auto worse = [](const Partial& a, const Partial& b) { return b.key < a.key; };
    if (std::adjacent_find(beam_.begin(), beam_.end(), worse) == beam_.end()) return;
    keys_.resize(std::max(keys_.size(), beam_.size()));
    for (std::size_t i = 0; i < beam_.size(); ++i) keys_[i] = beam_[i].key | static_cast<Key>(i);
    std::sort(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(beam_.size()));
    next_beam_.clear();
    for (std::size_t i = 0; i < beam_.size(); ++i) next_beam_.push_back(beam_[keys_[i] & order_mask]);
    beam_.swap(next_beam_);
  }

  // Only what stays in the beam is made in full.
  void keep_best(std::int32_t at, std::span<const MeteorMatch> here) {
    const std::size_t kept = std::min(size, proposals_);
    const auto first = keys_.begin(), last = first + static_cast<std::ptrdiff_t>(proposals_);
    const auto middle = first + static_cast<std::ptrdiff_t>(kept);
    if (middle != last) std::nth_element(first, middle, last);
    std::sort(first, middle);
    next_beam_.clear();
    for (std::size_t i = 0; i < kept; ++i) {
      const Origin origin = origins_[keys_[i] & order_mask];
      next_beam_.push_back(beam_[origin.parent]);
      Partial& partial = next_beam_.back();
      partial.key = keys_[i] & ~order_mask;
      if (origin.match != none) {
        const MeteorMatch& match = here[origin.match];
        for (std::int32_t h = match.hypothesis; h < match.hypothesis_end(); ++h) {
          partial.used[h / 64] |= std::uint64_t{1} << h % 64;
        }
        partial.next = match.reference_end();
        partial.hypothesis_end = match.hypothesis_end();
        history_.push_back({&match, partial.history});
        partial.history = static_cast<std::int32_t>(history_.size()) - 1;
      } else if (at >= partial.next) {
        partial.hypothesis_end = none;
      }
    }
    beam_.swap(next_beam_);
  }

  std::vector<Partial> beam_, next_beam_;
  std::vector<Choice> choices_;
  std::vector<Key> keys_;        // of the proposals, and room for more
  std::vector<Origin> origins_;  // likewise
  std::size_t proposals_ = 0;
  std::vector<Step> history_;
};

}  // namespace metaphrase::meteor
