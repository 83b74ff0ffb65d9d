// Bags of pivot n-grams of sentences, and what two of them have in common (TESLA, METRICS 3.6).
//
// Weights are rounded to integers of 2^-44, so that nothing depends on the order of sums. Bags of lemmas and
// of tags weigh the same, but for rounding: the tags' weight is taken for both.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pivots/ngrams.hpp"
#include "pivots/segmentation.hpp"
#include "pivots/table.hpp"

namespace metaphrase::pivots {

inline constexpr double weight_unit = 1.0 / (std::int64_t{1} << 44);
// A weight is at most most_words for each word, so that sums stay far below 2^63. The bags of so long a
// sentence take half a gigabyte if every word has sixteen alternatives.
inline constexpr std::size_t longest_sentence = 10'000;

struct BagEntry {
  std::uint64_t key;
  std::int64_t weight;
};

struct Bag {
  std::vector<BagEntry> entries;  // in the order of their keys
  std::int64_t total = 0;
};

// By order.
struct Bags {
  std::array<Bag, bags::max_order> lemmas, tags;
};

// The closed form of the matching: equal n-grams share the lesser of their weights.
inline std::int64_t overlap(const Bag& a, const Bag& b) {
  std::int64_t shared = 0;
  const auto a_end = a.entries.end(), b_end = b.entries.end();
  for (auto x = a.entries.begin(), y = b.entries.begin(); x != a_end && y != b_end;) {
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

// In the tags' measure: a bag that is matched completely is matched by exactly its weight.
inline std::int64_t lemma_overlap(const Bags& a, const Bags& b, int n) {
  const std::int64_t shared = overlap(a.lemmas[n], b.lemmas[n]);
  if (shared == a.lemmas[n].total) return a.tags[n].total;
  if (shared == b.lemmas[n].total) return b.tags[n].total;
  return shared;
}

// The words of a batch, looked up once. A word that a sentence must be cut at though the table has no phrase
// for it is read as itself: a unit with the word as its lemma (the table's, if it is one) and a tag of its
// own.
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
      : table_(table), vocabulary_(vocabulary), segmenter_(table), discount_(1.0 / divisor) {}

  // Of a sentence of words of the vocabulary.
  std::span<const Segment> segments(std::span<const std::int32_t> words) {
    words_.clear();
    for (const std::int32_t word : words) words_.push_back(vocabulary_.word(word));
    segmenter_.segment(words_, segments_);
    return segments_;
  }

  // N-grams of units without a discount.
  std::span<const WeightedNgram> expected(std::span<const std::int32_t> words, int order) {
    read_units(words);
    std::fill(network_.factors.begin(), network_.factors.end(), 1.0);
    expectation_.count(network_, ngrams_);
    return ngrams_[order - 1];
  }

  double discount(std::uint64_t key, int order) const {
    double product = 1.0;
    for (int i = 0; i < order; ++i) product *= factor(unit_at(key, order, i));
    return product;
  }

  void read(std::span<const std::int32_t> words, Bags& bags) {
    read_units(words);
    units_ = network_.units;
    for (std::uint32_t& unit : network_.units) unit = vocabulary_.lemma(unit);
    read_bags(bags.lemmas);
    network_.units.swap(units_);
    for (std::uint32_t& unit : network_.units) unit = vocabulary_.tag(unit);
    read_bags(bags.tags);
  }

 private:
  double factor(std::uint32_t unit) const { return vocabulary_.is_function(unit) ? discount_ : 1.0; }

  void read_units(std::span<const std::int32_t> words) {
    network_.clear();
    for (const Segment& segment : segments(words)) {
      if (segment.node == Table::absent) {
        network_.add_unit(vocabulary_.unknown_unit(words[segment.begin]), 1.0);
        network_.end_alternative(1.0);
      } else {
        add_alternatives(segment.node);
      }
      network_.end_slot();
    }
  }

  void add_alternatives(std::uint32_t node) {
    const double count = table_.count(node);
    for (std::uint32_t a = table_.first_alternative(node); a < table_.first_alternative(node + 1); ++a) {
      const std::uint32_t phrase = table_.alternative_phrase(a);
      for (std::uint32_t i = table_.first_unit(phrase); i < table_.first_unit(phrase + 1); ++i) {
        network_.add_unit(table_.unit(i), factor(table_.unit(i)));
      }
      network_.end_alternative(table_.alternative_count(a) / count);
    }
  }

  void read_bags(std::array<Bag, bags::max_order>& bags) {
    expectation_.count(network_, ngrams_);
    for (int n = 0; n < bags::max_order; ++n) {
      bags[n].entries.reserve(ngrams_[n].size());
      for (const WeightedNgram& ngram : ngrams_[n]) {
        const auto weight = static_cast<std::int64_t>(std::llround(ngram.weight / weight_unit));
        bags[n].entries.push_back({ngram.key, weight});
        bags[n].total += weight;
      }
    }
  }

  const Table& table_;
  const Vocabulary& vocabulary_;
  Segmenter segmenter_;
  double discount_;
  std::vector<std::uint32_t> words_, units_;
  std::vector<Segment> segments_;
  Network network_;
  NgramExpectation expectation_;
  Ngrams ngrams_[bags::max_order];
};

}  // namespace metaphrase::pivots
