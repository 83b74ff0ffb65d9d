// How much the n-grams tell that a hypothesis has in common with its references: NIST's sufficient
// statistics.
//
// An n-gram tells log2(count of its first n-1 symbols / count of all n) bits, counted in the references of
// all segments; the context of a single symbol is the number of all symbols (Doddington 2002, mteval-v13a).
//
// n-grams get exact names: that of order n is the number of the pair of the name of its first n-1 symbols and
// its last symbol. The names of the references' n-grams are kept, those of hypotheses are looked up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/elementary.hpp"
#include "base/pair_index.hpp"

namespace metaphrase::counts {

class NgramInformation {
 public:
  using Symbols = std::span<const std::int32_t>;

  // What a thread needs to count; it can be used again.
  struct Scratch {
    std::vector<std::int32_t> most, here;
  };

  // The r-th reference of segment i is row r * segments + i. Offsets have been checked.
  NgramInformation(Symbols symbols, std::span<const std::int64_t> offsets, std::size_t segments, int orders)
      : orders_(static_cast<std::size_t>(orders)),
        segments_(segments),
        offsets_(offsets.begin(), offsets.end()) {
    names_.assign(symbols.size() * orders_, none);
    for (std::size_t row = 0; row + 1 < offsets_.size(); ++row) {
      const Symbols words = symbols.subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
      // The empty n-gram has the name -1, too, but as a beginning: no pair of it is mistaken for another.
      for (std::size_t i = 0; i < words.size(); ++i) {
        std::int32_t name = none;
        std::int32_t* names = names_.data() + (offsets_[row] + i) * orders_;
        for (std::size_t n = 0; n < orders_ && i + n < words.size(); ++n) {
          if (index_.size() == std::numeric_limits<std::int32_t>::max())
            throw std::length_error("too many n-grams");
          names[n] = name = index_.insert(name, words[i + n]);
          if (static_cast<std::size_t>(name) == counts_.size()) counts_.push_back(0);
          ++counts_[name];
        }
      }
    }
    weigh(counts_, static_cast<std::int64_t>(symbols.size()));
  }

  std::size_t orders() const { return orders_; }
  std::size_t segments() const { return segments_; }

  // The n-grams by name, each after the one of its first n-1 symbols, which a single symbol has not (-1).
  const PairIndex& names() const { return index_; }
  std::span<const std::int64_t> counts() const { return counts_; }

  // Lets n-grams tell what they do where they are so frequent, among so many symbols: these references may
  // be a part of all.
  void weigh(std::span<const std::int64_t> counts, std::int64_t symbols) {
    bits_.resize(counts_.size());
    for (std::int32_t name = 0; name < index_.size(); ++name) {
      const std::int32_t context = index_.first(name);
      const double occasions = static_cast<double>(context == none ? symbols : counts[context]);
      bits_[name] = elementary::log2(occasions / static_cast<double>(counts[name]));
    }
  }

  // For each order the bits of the n-grams that match: each as often as in the reference of the segment that
  // has it most often. `row` has room for `orders` sums.
  void matched(Symbols hypothesis, std::size_t segment, Scratch& scratch, double* row) const {
    scratch.most.resize(counts_.size(), 0);
    scratch.here.resize(counts_.size(), 0);
    std::fill_n(row, orders_, 0.0);
    for (std::size_t r = segment; r + 1 < offsets_.size(); r += segments_) {
      for (const std::int32_t name : names_of(r)) {
        if (name != none) scratch.most[name] = std::max(scratch.most[name], ++scratch.here[name]);
      }
      forget(r, scratch.here);
    }
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      each_known(hypothesis.subspan(i), [&](std::size_t n, std::int32_t name) {
        if (scratch.most[name] == 0) return;
        --scratch.most[name];
        row[n] += bits_[name];
      });
    }
    for (std::size_t r = segment; r + 1 < offsets_.size(); r += segments_) forget(r, scratch.most);
  }

  // What the n-grams tell that begin at each symbol, for each order; not a number if no reference has them.
  void told(Symbols symbols, double* rows) const {
    std::fill_n(rows, symbols.size() * orders_, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < symbols.size(); ++i, rows += orders_) {
      each_known(symbols.subspan(i), [&](std::size_t n, std::int32_t name) { rows[n] = bits_[name]; });
    }
  }

 private:
  static constexpr std::int32_t none = -1;

  // Calls `visit(n - 1, name)` for the n-grams at the beginning of `symbols` that a reference has.
  template <class Visit>
  void each_known(Symbols symbols, Visit&& visit) const {
    std::int32_t name = none;
    for (std::size_t n = 0; n < orders_ && n < symbols.size(); ++n) {
      name = index_.find(name, symbols[n]);
      if (name == none) return;
      visit(n, name);
    }
  }

  std::span<const std::int32_t> names_of(std::size_t row) const {
    return std::span(names_).subspan(offsets_[row] * orders_, (offsets_[row + 1] - offsets_[row]) * orders_);
  }

  void forget(std::size_t row, std::vector<std::int32_t>& counts) const {
    for (const std::int32_t name : names_of(row)) {
      if (name != none) counts[name] = 0;
    }
  }

  std::size_t orders_, segments_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> names_;  // orders a symbol of the references: the n-grams that begin there
  PairIndex index_;
  std::vector<std::int64_t> counts_;
  std::vector<double> bits_;
};

}  // namespace metaphrase::counts
