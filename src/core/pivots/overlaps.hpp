// Many pairs of sentences, compared by their bags of pivot n-grams. Bags are large, so a sentence's are made
// when its first pair comes, and go after its last one; pairs come in an order that keeps those of a segment
// together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "base/parallel.hpp"
#include "base/parallel_text.hpp"
#include "pivots/bags.hpp"

namespace metaphrase::pivots {

// Of every order: matched lemmas, matched tags, weight of the reference, weight of the hypothesis.
inline constexpr std::size_t overlap_columns = 4 * bags::max_order;

class PairComparison {
 public:
  PairComparison(const Table& table, const Vocabulary& vocabulary, const PackedText& sentences, int divisor)
      : table_(table), vocabulary_(vocabulary), sentences_(sentences), divisor_(divisor) {}

  // One row of `overlap_columns` for each pair.
  void compare(std::span<const std::int32_t> hypotheses, std::span<const std::int32_t> references,
               int threads, double* rows) {
    const std::vector<std::uint32_t> order = schedule(hypotheses, references);
    std::vector<std::size_t> last_use(sentences_.sentences(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      last_use[hypotheses[order[i]]] = last_use[references[order[i]]] = i;
    }
    bags_.assign(sentences_.sentences(), {});
    ready_.assign(sentences_.sentences(), 0);
    for (std::size_t begin = 0; begin < order.size(); begin += piece) {
      const std::size_t end = std::min(order.size(), begin + piece);
      const std::span<const std::uint32_t> pairs = std::span(order).subspan(begin, end - begin);
      for (const std::span<const std::int32_t> side : {hypotheses, references}) note_missing(pairs, side);
      read_missing(threads);
      parallel_blocks(pairs.size(), block, threads, [&](std::size_t first, std::size_t last, int) {
        for (const std::uint32_t p : pairs.subspan(first, last - first)) {
          write_row(bags_[references[p]], bags_[hypotheses[p]], rows + p * overlap_columns);
        }
      });
      for (const std::uint32_t p : pairs) {
        for (const std::int32_t row : {hypotheses[p], references[p]}) {
          if (last_use[row] < end) bags_[row] = {};
        }
      }
    }
  }

 private:
  static constexpr std::size_t piece = 256, block = 16;  // pairs at a time, pairs or sentences for a thread

  // Pairs by the first reference that their hypothesis has, so that hypotheses with several references come
  // once.
  std::vector<std::uint32_t> schedule(std::span<const std::int32_t> hypotheses,
                                      std::span<const std::int32_t> references) const {
    std::vector<std::int32_t> first(sentences_.sentences(), std::numeric_limits<std::int32_t>::max());
    for (std::size_t p = 0; p < hypotheses.size(); ++p) {
      first[hypotheses[p]] = std::min(first[hypotheses[p]], references[p]);
    }
    std::vector<std::uint32_t> order(hypotheses.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t p) { return std::tuple(first[hypotheses[p]], references[p], p); };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return order;
  }

  void note_missing(std::span<const std::uint32_t> pairs, std::span<const std::int32_t> side) {
    for (const std::uint32_t p : pairs) {
      if (ready_[side[p]] == 0) missing_.push_back(side[p]);
      ready_[side[p]] = 1;
    }
  }

  void read_missing(int threads) {
    parallel_blocks(missing_.size(), block, threads, [&](std::size_t begin, std::size_t end, int) {
      BagReader reader(table_, vocabulary_, divisor_);
      for (std::size_t i = begin; i < end; ++i) {
        reader.read(sentences_.sentence(missing_[i]), bags_[missing_[i]]);
      }
    });
    missing_.clear();
  }

  static void write_row(const Bags& reference, const Bags& hypothesis, double* row) {
    for (int n = 0; n < bags::max_order; ++n) {
      const Bag &tags = reference.tags[n], &other_tags = hypothesis.tags[n];
      const std::int64_t weights[] = {lemma_overlap(reference, hypothesis, n), overlap(tags, other_tags),
                                      tags.total, other_tags.total};
      for (int k = 0; k < 4; ++k)
        row[k * bags::max_order + n] = static_cast<double>(weights[k]) * weight_unit;
    }
  }

  const Table& table_;
  const Vocabulary& vocabulary_;
  PackedText sentences_;
  int divisor_;
  std::vector<Bags> bags_;
  std::vector<std::uint8_t> ready_;
  std::vector<std::int32_t> missing_;
};

}  // namespace metaphrase::pivots
