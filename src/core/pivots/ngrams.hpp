// Expected counts of n-grams in a confusion network: slots one after the other, each with alternatives of one
// or more units and their probabilities (TESLA, section 4.3; METRICS 3.6).
//
// An n-gram may lie within an alternative or run on into following slots; it weighs the product of the
// probabilities of the alternatives that it touches. Trigrams touch three slots at most, so they are sums of
// products of what slots end with, begin with, and consist of: alternatives that agree there are added up
// first.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bags/ngram_bags.hpp"

namespace metaphrase::pivots {

// Units have numbers below 2^21, so that three of them fit into one number.
inline constexpr int unit_bits = 21;
inline constexpr std::uint64_t unit_limit = std::uint64_t{1} << unit_bits;

struct WeightedNgram {
  std::uint64_t key;  // its units, the last in the lowest bits
  double weight;
};

inline std::uint32_t unit_at(std::uint64_t key, int order, int position) {
  return static_cast<std::uint32_t>(key >> unit_bits * (order - 1 - position) & (unit_limit - 1));
}

// Sorts by key and adds up equal n-grams, in the order in which they came: the sums do not depend on the
// numbers of units. Products of sorted lists are sorted, so n-grams come in runs, of which neighbours are
// merged.
class NgramMerger {
 public:
  void merge(std::vector<WeightedNgram>& ngrams) {
    const auto before = [](const WeightedNgram& a, const WeightedNgram& b) { return a.key < b.key; };
    ends_.clear();
    for (std::size_t i = 1; i <= ngrams.size(); ++i) {
      if (i == ngrams.size() || before(ngrams[i], ngrams[i - 1])) ends_.push_back(i);
    }
    while (ends_.size() > 1) {
      merged_.resize(ngrams.size());
      std::size_t begin = 0, runs = 0;
      for (std::size_t run = 0; run < ends_.size(); run += 2) {
        const std::size_t middle = ends_[run], end = ends_[std::min(run + 1, ends_.size() - 1)];
        std::merge(ngrams.data() + begin, ngrams.data() + middle, ngrams.data() + middle, ngrams.data() + end,
                   merged_.data() + begin, before);
        begin = ends_[runs++] = end;
      }
      ends_.resize(runs);
      ngrams.swap(merged_);
    }
    add_equal(ngrams);
  }

 private:
  static void add_equal(std::vector<WeightedNgram>& ngrams) {
    std::size_t kept = 0;
    for (const WeightedNgram& ngram : ngrams) {
      if (kept > 0 && ngrams[kept - 1].key == ngram.key) {
        ngrams[kept - 1].weight += ngram.weight;
      } else {
        ngrams[kept++] = ngram;
      }
    }
    ngrams.resize(kept);
  }

  std::vector<std::size_t> ends_;
  std::vector<WeightedNgram> merged_;
};

// Alternative a has units[unit_offsets[a]] … and slot s the alternatives slot_offsets[s] …. Each unit has a
// factor, by which it multiplies the weights of n-grams that it is in.
struct Network {
  std::vector<std::uint32_t> units;
  std::vector<double> factors;
  std::vector<std::uint32_t> unit_offsets{0};
  std::vector<double> probabilities;
  std::vector<std::uint32_t> slot_offsets{0};

  void clear() {
    units.clear();
    factors.clear();
    unit_offsets.assign(1, 0);
    probabilities.clear();
    slot_offsets.assign(1, 0);
  }
  void add_unit(std::uint32_t unit, double factor) {
    units.push_back(unit);
    factors.push_back(factor);
  }
  void end_alternative(double probability) {
    unit_offsets.push_back(static_cast<std::uint32_t>(units.size()));
    probabilities.push_back(probability);
  }
  void end_slot() { slot_offsets.push_back(static_cast<std::uint32_t>(probabilities.size())); }
  std::size_t slots() const { return slot_offsets.size() - 1; }
};

class NgramExpectation {
 public:
  using Ngrams = std::vector<WeightedNgram>;

  // Unigrams, bigrams and trigrams, each once and in the order of their keys.
  void count(const Network& network, Ngrams (&ngrams)[bags::max_order]) {
    for (Ngrams& found : ngrams) found.clear();
    before_.clear();
    last_.clear();
    for (std::size_t s = 0; s < network.slots(); ++s) {
      read_slot(network, s, ngrams);
      multiply(last_.suffix1, slot_.prefix1, 1, ngrams[1]);
      multiply(last_.suffix2, slot_.prefix1, 1, ngrams[2]);
      multiply(last_.suffix1, slot_.prefix2, 2, ngrams[2]);
      joined_.clear();
      multiply(before_.suffix1, last_.whole1, 1, joined_);
      multiply(joined_, slot_.prefix1, 1, ngrams[2]);
      std::swap(before_, last_);
      std::swap(last_, slot_);
    }
    for (Ngrams& found : ngrams) merger_.merge(found);
  }

 private:
  // What a slot looks like to its neighbours: its first and last one or two units, and all of it if it is
  // one.
  struct Edges {
    Ngrams prefix1, prefix2, suffix1, suffix2, whole1;

    std::array<Ngrams*, 5> all() { return {&prefix1, &prefix2, &suffix1, &suffix2, &whole1}; }
    void clear() {
      for (Ngrams* edge : all()) edge->clear();
    }
  };

  // Notes the edges of a slot and adds the n-grams within it.
  void read_slot(const Network& network, std::size_t s, Ngrams (&ngrams)[bags::max_order]) {
    slot_.clear();
    for (std::size_t a = network.slot_offsets[s]; a < network.slot_offsets[s + 1]; ++a) {
      const std::size_t begin = network.unit_offsets[a], size = network.unit_offsets[a + 1] - begin;
      const std::uint32_t* units = network.units.data() + begin;
      const double *factors = network.factors.data() + begin, p = network.probabilities[a];
      for (std::size_t i = 0; i < size; ++i) {
        WeightedNgram ngram{0, p};
        for (std::size_t n = 0; n < bags::max_order && i + n < size; ++n) {
          ngram = {ngram.key << unit_bits | units[i + n], ngram.weight * factors[i + n]};
          ngrams[n].push_back(ngram);
        }
      }
      const std::size_t last = size - 1;
      slot_.prefix1.push_back({units[0], p * factors[0]});
      slot_.suffix1.push_back({units[last], p * factors[last]});
      if (size == 1) {
        slot_.whole1.push_back({units[0], p * factors[0]});
      } else {
        slot_.prefix2.push_back({pair(units[0], units[1]), p * factors[0] * factors[1]});
        slot_.suffix2.push_back({pair(units[last - 1], units[last]), p * factors[last - 1] * factors[last]});
      }
    }
    for (Ngrams* edge : slot_.all()) merger_.merge(*edge);
  }

  static std::uint64_t pair(std::uint64_t first, std::uint64_t second) { return first << unit_bits | second; }

  static void multiply(const Ngrams& left, const Ngrams& right, int units, Ngrams& products) {
    for (const WeightedNgram& l : left) {
      for (const WeightedNgram& r : right) {
        products.push_back({l.key << unit_bits * units | r.key, l.weight * r.weight});
      }
    }
  }

  Edges before_, last_, slot_;  // two slots back, one slot back, and the slot that is read
  Ngrams joined_;
  NgramMerger merger_;
};

}  // namespace metaphrase::pivots
