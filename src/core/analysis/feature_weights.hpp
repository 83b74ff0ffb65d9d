// The rows of a linear model, found by feature key: for each feature the labels it speaks for or against.
//
// A row of many labels is kept as a whole vector, which is added by vector instructions; a row of a few as a
// list.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace metaphrase::analysis {

struct LabelWeight {
  std::uint16_t label;
  std::int16_t weight;
};

// Sixteen scores in one register, or two where registers are short.
using ScoreBlock = std::int16_t __attribute__((vector_size(32)));
constexpr std::size_t block_size = 16;

// musl has nothing that chooses between two versions of a function when a program starts, and
// ThreadSanitizer's runtime is not there yet at that time.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define METAPHRASE_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define METAPHRASE_VECTOR_CLONES
#endif

// Adds `count` vectors of `size` scores to `out`; `size` is a multiple of the block's.
METAPHRASE_VECTOR_CLONES inline void add_vectors(const std::int16_t* const* vectors, std::size_t count,
                                                 std::int16_t* out, std::size_t size) {
  for (std::size_t i = 0; i < size; i += block_size) {
    ScoreBlock sum, more;
    std::memcpy(&sum, out + i, sizeof sum);
    for (std::size_t v = 0; v < count; ++v) {
      std::memcpy(&more, vectors[v] + i, sizeof more);
      sum += more;
    }
    std::memcpy(out + i, &sum, sizeof sum);
  }
}

METAPHRASE_VECTOR_CLONES inline std::int16_t largest(const std::int16_t* scores, std::size_t size) {
  ScoreBlock best, more;
  std::memcpy(&best, scores, sizeof best);
  for (std::size_t i = block_size; i < size; i += block_size) {
    std::memcpy(&more, scores + i, sizeof more);
    best = best > more ? best : more;
  }
  std::int16_t result = best[0];
  for (std::size_t i = 1; i < block_size; ++i) result = std::max(result, best[i]);
  return result;
}

class FeatureWeights {
 public:
  static constexpr std::size_t most_keys = 48;
  static constexpr std::size_t long_row =
      16;  // from here on a vector of a hundred labels is quicker than a list

  FeatureWeights() { reserve(0, 0); }

  void reserve(std::size_t features, std::size_t labels) {
    stride_ = (labels + block_size - 1) / block_size * block_size;
    slots_.assign(std::bit_ceil(features * 2 + 2), Slot{0, 0});
    mask_ = static_cast<std::uint32_t>(slots_.size() - 1);
    lists_.assign(1, LabelWeight{0, 0});  // list 0 is empty: what an unknown feature finds
    lists_.reserve(features * 4);
    vectors_.clear();
  }

  // Numbers in a vector of scores: labels, rounded up.
  std::size_t stride() const { return stride_; }

  // Keys must be given once each, and no more of them than were reserved.
  void insert(std::uint32_t key, std::span<const LabelWeight> row) {
    std::uint32_t at = key & mask_;
    while (slots_[at].row != 0) at = (at + 1) & mask_;
    if (row.size() >= long_row) {
      slots_[at] = {key, vector_bit | static_cast<std::uint32_t>(vectors_.size() / stride_)};
      vectors_.resize(vectors_.size() + stride_, 0);
      for (const LabelWeight& entry : row) vectors_[vectors_.size() - stride_ + entry.label] = entry.weight;
    } else {
      slots_[at] = {key, static_cast<std::uint32_t>(lists_.size())};
      lists_.push_back({static_cast<std::uint16_t>(row.size()), 0});
      lists_.insert(lists_.end(), row.begin(), row.end());
    }
  }

  // Adds the rows of all `keys` to `scores`. The table is larger than the processor's caches, so that all
  // addresses are asked for before any is needed.
  void add_rows(std::span<const std::uint32_t> keys, std::int16_t* scores) const {
    std::array<const LabelWeight*, most_keys> lists;
    std::array<const std::int16_t*, most_keys> vectors;
    std::size_t list_count = 0, vector_count = 0;
    for (const std::uint32_t key : keys) __builtin_prefetch(&slots_[key & mask_]);
    for (const std::uint32_t key : keys) {
      const std::uint32_t row = find(key);
      if (row & vector_bit) {
        const std::int16_t* vector = vectors_.data() + (row ^ vector_bit) * stride_;
        for (std::size_t i = 0; i < stride_; i += 32) __builtin_prefetch(vector + i);
        vectors[vector_count++] = vector;
      } else if (row != 0) {
        __builtin_prefetch(lists_.data() + row);
        lists[list_count++] = lists_.data() + row;
      }
    }
    add_vectors(vectors.data(), vector_count, scores, stride_);
    for (std::size_t i = 0; i < list_count; ++i) {
      const LabelWeight* entry = lists[i] + 1;
      for (const LabelWeight* end = entry + lists[i]->label; entry != end; ++entry) {
        scores[entry->label] = static_cast<std::int16_t>(scores[entry->label] + entry->weight);
      }
    }
  }

 private:
  struct Slot {
    std::uint32_t key, row;
  };
  static constexpr std::uint32_t vector_bit = 0x80000000;

  // Keys are hashes already; their low bits serve as the address.
  std::uint32_t find(std::uint32_t key) const {
    for (std::uint32_t at = key & mask_; slots_[at].row != 0; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return slots_[at].row;
    }
    return 0;
  }

  std::vector<Slot> slots_;
  std::vector<LabelWeight> lists_;
  std::vector<std::int16_t> vectors_;
  std::size_t stride_ = 0;
  std::uint32_t mask_ = 0;
};

}  // namespace metaphrase::analysis
