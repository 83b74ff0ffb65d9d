// MaxSim's one-to-one matching of n-grams (Chan & Ng 2008): equal lemmas and tags, then equal lemmas, from
// left to right; then what is left so that the sum of similarities is largest.
//
// The similarity of two tokens is 1 if their lemmas are equal, else half of (synonyms + equal tags); that of
// two n-grams is the mean over positions, or 0 if it is 0 anywhere. It is kept times 2n, as an integer, so
// optima are exact. The last stage is a problem of transport whose weights are all 1, and so has an optimum
// that is a matching.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bags/ngram_bags.hpp"
#include "bags/transport.hpp"
#include "base/pair_index.hpp"

namespace metaphrase::bags {

class StagedMatcher {
 public:
  // Two sentences with more pairs of tokens are refused: all of them are looked at, and kept.
  static constexpr std::int64_t most_pairs = std::int64_t{1} << 24;

  // Synonymy is a symmetric relation between lemmas, as an adjacency list.
  StagedMatcher(std::int32_t lemmas, const std::int64_t* synonym_offsets, const std::int32_t* synonyms)
      : synonym_offsets_(synonym_offsets), synonyms_(synonyms), first_place_(lemmas, none) {}

  // What is matched, for n = 1, 2, 3. Of the views only lemmas and tags are read.
  std::array<double, max_order> match(const TokenView& reference, const TokenView& hypothesis) {
    compare_tokens(hypothesis, reference);
    const std::array<const TokenView*, 2> views{&hypothesis, &reference};
    std::array<double, max_order> matched{};
    for (int n = 1; n <= max_order && n <= std::min(hypothesis.size, reference.size); ++n) {
      name_ngrams(views, n);
      std::int64_t certain = 0;
      for (Side& side : sides_) side.left.assign(side.lemmas.size(), 1);
      certain += take_equal(&Side::tagged, tagged_names_);
      certain += take_equal(&Side::lemmas, lemma_names_);
      matched[n - 1] = static_cast<double>(certain) + rest(n) / (2.0 * n);
    }
    return matched;
  }

 private:
  static constexpr std::int32_t none = -1;

  // The n-grams of a sentence: their names, and whether each is left to be matched.
  struct Side {
    std::vector<std::int32_t> tagged, lemmas, token_tagged;
    std::vector<std::uint8_t> left;
  };

  // Twice the similarity of every token of the hypothesis with every one of the reference.
  void compare_tokens(const TokenView& rows, const TokenView& columns) {
    next_place_.resize(columns.size);
    for (int j = columns.size; j-- > 0;) {
      next_place_[j] = first_place_[columns.lemma[j]];
      first_place_[columns.lemma[j]] = j;
    }
    columns_ = static_cast<std::size_t>(columns.size);
    twice_.resize(columns_ * rows.size);
    for (int i = 0; i < rows.size; ++i) {
      std::uint8_t* row = twice_.data() + i * columns_;
      for (int j = 0; j < columns.size; ++j) row[j] = rows.tag[i] == columns.tag[j];
      const std::int32_t lemma = rows.lemma[i];
      for (std::int64_t s = synonym_offsets_[lemma]; s < synonym_offsets_[lemma + 1]; ++s) {
        for (int j = first_place_[synonyms_[s]]; j != none; j = next_place_[j]) {
          row[j] = 1 + (rows.tag[i] == columns.tag[j]);
        }
      }
      for (int j = first_place_[lemma]; j != none; j = next_place_[j]) row[j] = 2;
    }
    for (int j = 0; j < columns.size; ++j) first_place_[columns.lemma[j]] = none;
  }

  // Equal names are equal n-grams: that of order n is the pair of that of its first n-1 tokens and the last
  // token.
  void name_ngrams(const std::array<const TokenView*, 2>& views, int n) {
    tagged_names_ = PairIndex();
    lemma_names_ = PairIndex();
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      const TokenView& view = *views[s];
      Side& side = sides_[s];
      const int count = view.size - n + 1;
      side.tagged.resize(count);
      side.lemmas.resize(count);
      if (n == 1) side.token_tagged.resize(count);
      for (int i = 0; i < count; ++i) {
        if (n == 1) {
          side.tagged[i] = side.token_tagged[i] = tagged_names_.insert(view.lemma[i], view.tag[i]);
          side.lemmas[i] = lemma_names_.insert(none, view.lemma[i]);
        } else {
          side.tagged[i] = tagged_names_.insert(side.tagged[i], side.token_tagged[i + n - 1]);
          side.lemmas[i] = lemma_names_.insert(side.lemmas[i], view.lemma[i + n - 1]);
        }
      }
    }
  }

  // Matches what is left and has equal names; the first ones of each side are taken.
  std::int64_t take_equal(std::vector<std::int32_t> Side::* names, const PairIndex& index) {
    std::array<std::vector<std::int32_t>, 2>& counts = counts_;
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      counts[s].assign(index.size(), 0);
      const Side& side = sides_[s];
      for (std::size_t i = 0; i < side.left.size(); ++i) counts[s][(side.*names)[i]] += side.left[i];
    }
    std::int64_t taken = 0;
    for (std::int32_t name = 0; name < index.size(); ++name) {
      counts[0][name] = counts[1][name] = std::min(counts[0][name], counts[1][name]);
      taken += counts[0][name];
    }
    if (taken == 0) return 0;
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      Side& side = sides_[s];
      for (std::size_t i = 0; i < side.left.size(); ++i) {
        std::int32_t& common = counts[s][(side.*names)[i]];
        if (side.left[i] == 0 || common == 0) continue;
        side.left[i] = 0;
        --common;
      }
    }
    return taken;
  }

  // The optimum of what is left, times 2n.
  double rest(int n) {
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      places_[s].clear();
      for (std::size_t i = 0; i < sides_[s].left.size(); ++i) {
        if (sides_[s].left[i] != 0) places_[s].push_back(static_cast<std::int32_t>(i));
      }
    }
    edge_row_.clear();
    edge_column_.clear();
    edge_similarity_.clear();
    for (std::size_t r = 0; r < places_[0].size(); ++r) {
      const std::uint8_t* row = twice_.data() + places_[0][r] * columns_;
      for (std::size_t c = 0; c < places_[1].size(); ++c) {
        int sum = 0;
        const std::uint8_t* cell = row + places_[1][c];
        for (int k = 0; k < n; ++k, cell += columns_ + 1) {
          if (*cell == 0) {
            sum = 0;
            break;
          }
          sum += *cell;
        }
        if (sum == 0) continue;
        edge_row_.push_back(static_cast<std::int32_t>(r));
        edge_column_.push_back(static_cast<std::int32_t>(c));
        edge_similarity_.push_back(sum);
      }
    }
    if (edge_row_.empty()) return 0.0;
    ones_.resize(std::max({ones_.size(), places_[0].size(), places_[1].size()}), 1.0);
    return solver_.solve(
        {static_cast<std::int32_t>(places_[0].size()), static_cast<std::int32_t>(places_[1].size()),
         static_cast<std::int64_t>(edge_row_.size()), edge_row_.data(), edge_column_.data(),
         edge_similarity_.data(), ones_.data(), ones_.data()},
        nullptr);
  }

  const std::int64_t* synonym_offsets_;
  const std::int32_t* synonyms_;
  std::vector<std::int32_t> first_place_, next_place_;  // of each lemma in the reference
  std::vector<std::uint8_t> twice_;
  std::size_t columns_ = 0;
  std::array<Side, 2> sides_;
  PairIndex tagged_names_, lemma_names_;
  std::array<std::vector<std::int32_t>, 2> counts_, places_;
  std::vector<std::int32_t> edge_row_, edge_column_;
  std::vector<double> edge_similarity_, ones_;
  TransportSolver solver_;
};

}  // namespace metaphrase::bags
