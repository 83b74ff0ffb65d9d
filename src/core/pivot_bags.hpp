// Bags of pivot n-grams of sentences, and what two of them have in common (TESLA, METRICS 3.6).
//
// Weights are rounded to integers of 2^-44 once, for n-grams of units; bags of lemmas and of tags add them up. So
// both weigh exactly the same, a sentence matches itself completely, and nothing depends on the order of sums.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pivot_ngrams.hpp"
#include "pivot_segmentation.hpp"
#include "pivot_table.hpp"

namespace metaphrase::pivots {

inline constexpr double weight_unit = 1.0 / (std::int64_t{1} << 44);
// A weight is at most most_words for each word, so that sums stay below 2^63.
inline constexpr std::size_t longest_sentence = 100'000;

struct BagEntry {
  std::uint64_t key;
  std::int64_t weight;
};

struct Bags {
  std::array<std::vector<BagEntry>, max_order> lemmas, tags;
  std::array<std::int64_t, max_order> total{};
};

// The closed form of the matching: equal n-grams share the lesser of their weights.
inline std::int64_t overlap(const std::vector<BagEntry>& a, const std::vector<BagEntry>& b) {
  std::int64_t shared = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (x->key == y->key) {
      shared += std::min(x++->weight, y++->weight);
    } else if (x->key < y->key) {
      ++x;
    } else {
      ++y;
    }
  }
  return shared;
}

// The words of a batch, looked up once. A word that a sentence must be cut at though the table has no phrase for
// it is read as itself: a unit with the word as its lemma (the table's, if it is one) and a tag of its own.
class Vocabulary {
 public:
  Vocabulary(const Table& table, std::span<const std::string_view> words) : table_(table) {
    word_.reserve(words.size());
    lemma_.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      word_.push_back(table.find_word(words[i]));
      const std::uint32_t lemma = table.find_lemma(words[i]);
      lemma_.push_back(lemma == Table::absent ? static_cast<std::uint32_t>(table.lemma_count() + i) : lemma);
    }
  }

  static bool fits(const Table& table, std::size_t words) {
    return std::max(table.unit_count(), table.lemma_count()) + words < unit_limit;
  }

  std::uint32_t word(std::size_t i) const { return word_[i]; }
  std::uint32_t unknown_unit(std::size_t i) const {
    return static_cast<std::uint32_t>(table_.unit_count() + i);
  }
  bool is_unknown(std::uint32_t unit) const { return unit >= table_.unit_count(); }
  std::size_t unknown_word(std::uint32_t unit) const { return unit - table_.unit_count(); }
  std::uint32_t lemma(std::uint32_t unit) const {
    return is_unknown(unit) ? lemma_[unknown_word(unit)] : table_.unit_lemma(unit);
  }
  std::uint32_t tag(std::uint32_t unit) const {
    return is_unknown(unit) ? static_cast<std::uint32_t>(table_.tag_count()) : table_.unit_tag(unit);
  }
  bool is_function(std::uint32_t unit) const {
    return !is_unknown(unit) && table_.is_function_tag(table_.unit_tag(unit));
  }

 private:
  const Table& table_;
  std::vector<std::uint32_t> word_, lemma_;
};

// Scratch of one thread.
class BagReader {
 public:
  using Ngrams = std::vector<WeightedNgram>;

  BagReader(const Table& table, const Vocabulary& vocabulary, int divisor)
      : table_(table), vocabulary_(vocabulary), segmenter_(table) {
    for (int words = 0; words <= max_order; ++words) discount_[words] = std::pow(divisor, -words);
  }

  // Of a sentence of words of the vocabulary.
  std::span<const Segment> segments(std::span<const std::int32_t> words) {
    words_.clear();
    for (const std::int32_t word : words) words_.push_back(vocabulary_.word(word));
    segmenter_.segment(words_, segments_);
    return segments_;
  }

  std::span<const WeightedNgram> expected(std::span<const std::int32_t> words, int order) {
    read(words);
    return ngrams_[order - 1];
  }

  double discount(std::uint64_t key, int order) const {
    int function_words = 0;
    for (int i = 0; i < order; ++i) function_words += vocabulary_.is_function(unit_at(key, order, i));
    return discount_[function_words];
  }

  void read(std::span<const std::int32_t> words, Bags& bags) {
    read(words);
    for (int n = 0; n < max_order; ++n) {
      const int order = n + 1;
      std::vector<BagEntry>&lemmas = bags.lemmas[n], &tags = bags.tags[n];
      lemmas.reserve(ngrams_[n].size());
      tags.reserve(ngrams_[n].size());
      for (const WeightedNgram& ngram : ngrams_[n]) {
        const std::int64_t weight =
            std::llround(ngram.weight * discount(ngram.key, order) / weight_unit);
        std::uint64_t lemma = 0, tag = 0;
        for (int i = 0; i < order; ++i) {
          const std::uint32_t unit = unit_at(ngram.key, order, i);
          lemma = lemma << unit_bits | vocabulary_.lemma(unit);
          tag = tag << unit_bits | vocabulary_.tag(unit);
        }
        lemmas.push_back({lemma, weight});
        tags.push_back({tag, weight});
        bags.total[n] += weight;
      }
      merge_entries(lemmas);
      merge_entries(tags);
    }
  }

 private:
  static void merge_entries(std::vector<BagEntry>& entries) {
    std::sort(entries.begin(), entries.end(),
              [](const BagEntry& a, const BagEntry& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (const BagEntry& entry : entries) {
      if (kept > 0 && entries[kept - 1].key == entry.key) {
        entries[kept - 1].weight += entry.weight;
      } else {
        entries[kept++] = entry;
      }
    }
    entries.resize(kept);
    entries.shrink_to_fit();
  }

  void read(std::span<const std::int32_t> words) {
    network_.clear();
    for (const Segment& segment : segments(words)) {
      if (segment.node == Table::absent) {
        network_.units.push_back(vocabulary_.unknown_unit(words[segment.begin]));
        network_.end_alternative(1.0);
      } else {
        add_alternatives(segment.node);
      }
      network_.end_slot();
    }
    expectation_.count(network_, ngrams_);
  }

  void add_alternatives(std::uint32_t node) {
    const double count = table_.count(node);
    for (std::uint32_t a = table_.first_alternative(node); a < table_.first_alternative(node + 1); ++a) {
      const std::uint32_t phrase = table_.alternative_phrase(a);
      for (std::uint32_t i = table_.first_unit(phrase); i < table_.first_unit(phrase + 1); ++i) {
        network_.units.push_back(table_.unit(i));
      }
      network_.end_alternative(table_.alternative_count(a) / count);
    }
  }

  const Table& table_;
  const Vocabulary& vocabulary_;
  Segmenter segmenter_;
  std::array<double, max_order + 1> discount_{};
  std::vector<std::uint32_t> words_;
  std::vector<Segment> segments_;
  Network network_;
  NgramExpectation expectation_;
  Ngrams ngrams_[max_order];
};

}  // namespace metaphrase::pivots
