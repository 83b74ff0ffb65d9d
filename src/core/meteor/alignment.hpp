// METEOR 1.5's choice among matches: the alignment of a hypothesis with a reference, and what is counted of
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/wide_integer.hpp"
#include "meteor/beam.hpp"
#include "meteor/matches.hpp"

namespace metaphrase::meteor {

// Keeps its memory from one pair of sentences to the next; one a thread.
class MeteorAligner {
 public:
  // The chosen matches in the order of the reference. `matches` must stay as it is as long as they are used.
  std::span<const MeteorMatch> align(const MeteorMatcher& matches, std::size_t hypothesis_words,
                                     std::size_t reference_words) {
    fix_unrivalled(matches, hypothesis_words, reference_words);
    std::size_t distance = 0, matched = 0;
    for (std::size_t at = 0; at < reference_words; ++at) {
      for (const MeteorMatch& match : matches.at(at)) distance += meteor_distance(match);
      matched = std::max(matched, matches.at(at).size());
    }
    // Sentences of usual length have numbers that are small.
    if (hypothesis_words <= 64 && distance < 1 << 16 && matched < 1 << 10) {
      search(usual_, matches, reference_words);
    } else if (hypothesis_words <= 256 && distance < 1 << 16 && matched < 1 << 10) {
      search(long_, matches, reference_words);
    } else {
      search(longest_, matches, reference_words);
    }
    return chosen_;
  }

 private:
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

  template <class Beam>
  void search(Beam& beam, const MeteorMatcher& matches, std::size_t reference_words) {
    beam.start();
    chosen_.clear();
    for (std::size_t at = 0; at < reference_words; ++at) {
      const auto here = matches.at(at);
      if (fixed_[at]) {
        beam.take(here.front());
        chosen_.push_back(here.front());
      } else if (here.empty()) {
        beam.pass(static_cast<std::int32_t>(at));
      } else {
        beam.branch(static_cast<std::int32_t>(at), here);
      }
    }
    const auto fixed = static_cast<std::ptrdiff_t>(chosen_.size());
    beam.finish([this](const MeteorMatch& match) { chosen_.push_back(match); });
    std::reverse(chosen_.begin() + fixed, chosen_.end());
    std::inplace_merge(chosen_.begin(), chosen_.begin() + fixed, chosen_.end(),
                       [](const MeteorMatch& a, const MeteorMatch& b) { return a.reference < b.reference; });
  }

  std::vector<std::int32_t> hypothesis_rivals_, reference_rivals_;
  std::vector<std::uint8_t> fixed_;
  std::vector<MeteorMatch> chosen_;
  MeteorBeam<std::uint64_t, 16, 16, 1> usual_;
  MeteorBeam<std::uint64_t, 16, 16, 4> long_;
  MeteorBeam<WideUnsigned, 64, 32, MeteorMatcher::most_words / 64> longest_;
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
// matched function words; chunks; matched words of hypothesis and reference. All but the last three in
// widths.
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

}  // namespace metaphrase::meteor
