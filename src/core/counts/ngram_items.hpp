// n-grams that every one of some texts has in common with every other, each text read once.
//
// The k-th time that a text has an n-gram is an item of its own, so that a text is a set of items. Two texts
// have as many n-grams in common, each as often as the one that has it less often, as they have items in
// common: of an n-gram that they have a and b times, the first min(a, b) items. Hence matches are the bits in
// common of two rows of bits; and the matches with many references, each of some weight, add up to the weight
// of the references that have an item, over the items of the candidate.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/pair_index.hpp"
#include "base/parallel.hpp"
#include "base/parallel_text.hpp"

namespace metaphrase::counts {

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define METAPHRASE_COUNTS_BITS __attribute__((target_clones("avx2", "default")))
#else
#define METAPHRASE_COUNTS_BITS
#endif

// Adds to `row`, for each of `count` rows of words of bits and each order, the bits in common with `own`.
// Order n has the words from ends[n - 1] to ends[n].
METAPHRASE_COUNTS_BITS inline void add_common_bits(const std::uint64_t* own, const std::uint64_t* others,
                                                   std::size_t count, const std::size_t* ends,
                                                   std::size_t orders, std::int32_t* row) {
  for (std::size_t other = 0; other < count; ++other, others += ends[orders], row += orders) {
    for (std::size_t n = 0; n < orders; ++n) {
      std::int32_t common = 0;
      for (std::size_t w = ends[n]; w < ends[n + 1]; ++w) common += std::popcount(own[w] & others[w]);
      row[n] += common;
    }
  }
}

class NgramItems {
 public:
  using Rows = std::span<const std::int32_t>;

  // Offsets have been checked.
  NgramItems(const PackedText& texts, int orders) : orders_(static_cast<std::size_t>(orders)) {
    const std::size_t count = texts.sentences();
    begins_.reserve(orders_ * count + 1);
    begins_.push_back(0);
    ends_.push_back(0);
    std::vector<std::int32_t> names(texts.words.size(), none);
    for (std::size_t n = 0; n < orders_; ++n) {
      PairIndex index;
      // Of each n-gram its first item, the one that was used last, and the text that used it.
      struct Use {
        std::int32_t first, last;
        std::size_t text;
      };
      std::vector<Use> uses;
      for (std::size_t t = 0; t < count; ++t) {
        const auto begin = static_cast<std::size_t>(texts.offsets[t]);
        const auto words = texts.sentence(t);
        for (std::size_t i = 0; i + n < words.size(); ++i) {
          const std::int32_t name = index.insert(names[begin + i], words[i + n]);
          names[begin + i] = name;
          if (static_cast<std::size_t>(name) == uses.size()) uses.push_back({new_item(), none, count});
          Use& use = uses[name];
          if (use.text != t) {
            use = {use.first, use.first, t};
          } else {
            if (next_[use.last] == none) next_[use.last] = new_item();
            use.last = next_[use.last];
          }
          items_.push_back(use.last);
        }
        begins_.push_back(items_.size());
      }
      ends_.push_back(static_cast<std::int32_t>(next_.size()));
    }
    texts_ = count;
  }

  std::size_t texts() const { return texts_; }
  std::size_t orders() const { return orders_; }

  // For each pair of a candidate and a reference the n-grams in common, by order.
  void matches(Rows candidates, Rows references, int threads, std::int32_t* out) const {
    const std::size_t pairs = candidates.size() * references.size();
    if (pairs == 0) return;
    std::fill_n(out, pairs * orders_, 0);
    const Plan plan(*this, candidates, references);
    parallel_blocks(candidates.size(), 1, threads, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t c = begin; c < end; ++c) {
        std::int32_t* row = out + c * references.size() * orders_;
        add_common_bits(plan.candidate_bits.data() + c * plan.width(), plan.reference_bits.data(),
                        references.size(), plan.words.data(), orders_, row);
        for (std::size_t n = 0; n < orders_; ++n) {
          for (const std::int32_t item : items(candidates[c], n)) {
            for (const std::int32_t r : plan.having(item)) ++row[static_cast<std::size_t>(r) * orders_ + n];
          }
        }
      }
    });
  }

  // For each candidate, by order, the sum of its matches with every reference times the reference's weight.
  // `values`, if there are any, say what an n-gram counts for that begins at a symbol, `orders` a symbol.
  void expected(Rows candidates, Rows references, const double* weights, const PackedText& texts,
                const double* values, double* out) const {
    std::vector<double> weight(next_.size(), 0.0);
    for (std::size_t r = 0; r < references.size(); ++r) {
      for (std::size_t n = 0; n < orders_; ++n) {
        for (const std::int32_t item : items(references[r], n)) weight[item] += weights[r];
      }
    }
    for (std::size_t c = 0; c < candidates.size(); ++c, out += orders_) {
      const auto begin = static_cast<std::size_t>(texts.offsets[candidates[c]]);
      for (std::size_t n = 0; n < orders_; ++n) {
        const Rows own = items(candidates[c], n);
        double sum = 0.0;
        for (std::size_t i = 0; i < own.size(); ++i) {
          // What no reference has may count for anything, even for what is not a number.
          const double found = weight[own[i]];
          if (found > 0.0) sum += values == nullptr ? found : found * values[(begin + i) * orders_ + n];
        }
        out[n] = sum;
      }
    }
  }

 private:
  static constexpr std::int32_t none = -1;

  // Rows of bits for items that many texts have; for those that few have, the references that have them.
  struct Plan {
    std::vector<std::size_t> words;  // where the words of each order end
    std::vector<std::uint64_t> candidate_bits, reference_bits;
    std::vector<std::int32_t> places;  // of each item in `starts`, or none
    std::vector<std::size_t> starts;
    std::vector<std::int32_t> postings;

    Plan(const NgramItems& all, Rows candidates, Rows references) {
      std::vector<std::int32_t> in_candidates(all.next_.size(), 0), in_references(all.next_.size(), 0);
      const auto count = [&all](Rows rows, std::vector<std::int32_t>& counts) {
        all.each_item(rows, [&counts](std::size_t, std::size_t, std::int32_t item) { ++counts[item]; });
      };
      count(candidates, in_candidates);
      count(references, in_references);
      // A bit costs a 64th of a word for every pair, a posting an addition for every pair that has the item.
      const double worth =
          static_cast<double>(candidates.size()) * static_cast<double>(references.size()) / bit_pairs;
      places.assign(all.next_.size(), none);
      std::vector<std::size_t> bits(all.next_.size(), no_bit);
      words.assign(1, 0);
      starts.assign(1, 0);
      for (std::size_t n = 0; n < all.orders_; ++n) {
        std::size_t next = words.back() * 64;
        for (std::int32_t item = all.ends_[n]; item < all.ends_[n + 1]; ++item) {
          const double both = static_cast<double>(in_candidates[item]) * in_references[item];
          if (both == 0) continue;
          if (both < worth) {
            places[item] = static_cast<std::int32_t>(starts.size() - 1);
            starts.push_back(starts.back() + static_cast<std::size_t>(in_references[item]));
          } else {
            bits[item] = next++;
          }
        }
        words.push_back((next + 63) / 64);
      }
      const auto set = [&](Rows rows, std::vector<std::uint64_t>& out) {
        out.assign(rows.size() * width(), 0);
        all.each_item(rows, [&](std::size_t row, std::size_t, std::int32_t item) {
          const std::size_t bit = bits[item];
          if (bit != no_bit) out[row * width() + bit / 64] |= std::uint64_t{1} << bit % 64;
        });
      };
      set(candidates, candidate_bits);
      set(references, reference_bits);
      postings.resize(starts.back());
      std::vector<std::size_t> free(starts.begin(), starts.end() - 1);
      all.each_item(references, [&](std::size_t row, std::size_t, std::int32_t item) {
        if (places[item] != none) postings[free[places[item]]++] = static_cast<std::int32_t>(row);
      });
    }

    std::size_t width() const { return words.back(); }

    Rows having(std::int32_t item) const {
      const std::int32_t place = places[item];
      if (place == none) return {};
      return Rows(postings).subspan(starts[place], starts[place + 1] - starts[place]);
    }

    static constexpr std::size_t no_bit = std::numeric_limits<std::size_t>::max();
    // How many pairs a bit serves in the time of one addition.
    static constexpr double bit_pairs = 128.0;
  };

  std::int32_t new_item() {
    if (next_.size() == std::numeric_limits<std::int32_t>::max()) throw std::length_error("too many n-grams");
    next_.push_back(none);
    return static_cast<std::int32_t>(next_.size() - 1);
  }

  Rows items(std::int32_t text, std::size_t n) const {
    const std::size_t at = n * texts_ + static_cast<std::size_t>(text);
    return Rows(items_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
  }

  // Calls `visit(row, order, item)` for every item of some texts.
  template <class Visit>
  void each_item(Rows rows, Visit&& visit) const {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t n = 0; n < orders_; ++n) {
        for (const std::int32_t item : items(rows[row], n)) visit(row, n, item);
      }
    }
  }

  std::size_t orders_, texts_ = 0;
  std::vector<std::int32_t> items_;  // by order, text and place
  std::vector<std::size_t> begins_;  // where those of an order and text begin
  std::vector<std::int32_t> next_;   // of each item that of the next time the same text has the n-gram
  std::vector<std::int32_t> ends_;   // where the items of each order end
};

}  // namespace metaphrase::counts
