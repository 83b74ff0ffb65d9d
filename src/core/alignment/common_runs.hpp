// Common contiguous runs of two sequences.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace metaphrase::alignment {

struct CommonRun {
  std::int32_t left, right, length;
};

// All common runs of at least `shortest` elements that no longer one contains on both sides, the longest
// first, then by where they start in the shorter sequence (the left one if both are equally long), then in
// the longer.
class CommonRuns {
 public:
  std::span<const CommonRun> find(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                                  std::int32_t shortest) {
    runs_.clear();
    const auto n = static_cast<std::int32_t>(left.size()), m = static_cast<std::int32_t>(right.size());
    for (std::int32_t i = 0; i < n; ++i) {
      for (std::int32_t j = 0; j < m; ++j) {
        if (left[i] != right[j] || (i > 0 && j > 0 && left[i - 1] == right[j - 1])) continue;
        std::int32_t length = 1;
        while (i + length < n && j + length < m && left[i + length] == right[j + length]) ++length;
        if (length >= shortest) runs_.push_back({i, j, length});
      }
    }
    if (runs_.size() > 1) {
      drop_contained(n, m);
      std::sort(runs_.begin(), runs_.end(), [left_first = n <= m](const CommonRun& a, const CommonRun& b) {
        if (a.length != b.length) return a.length > b.length;
        const bool by_left = a.left != b.left && (left_first || a.right == b.right);
        return by_left ? a.left < b.left : a.right < b.right;
      });
    }
    return runs_;
  }

 private:
  // A run is a square in the plane of positions. One that starts d steps further (d the larger of both
  // distances, neither negative) lies within a square of length L if its own length is at most L - d. The
  // largest L - d over all squares follows from that of the three neighbours before, so one sweep answers for
  // all runs, where comparing each run with each would be cubic or worse in texts that repeat themselves.
  void drop_contained(std::int32_t n, std::int32_t m) {
    reach_.assign(static_cast<std::size_t>(m) + 1, 0);
    auto run = runs_.begin();
    auto kept = runs_.begin();
    for (std::int32_t i = 0; i < n && run != runs_.end(); ++i) {
      std::int32_t diagonal = 0;
      for (std::int32_t j = 0; j < m; ++j) {
        const std::int32_t above = reach_[j + 1];
        std::int32_t reach = std::max({above, reach_[j], diagonal}) - 1;
        if (run != runs_.end() && run->left == i && run->right == j) {
          if (reach < run->length) {
            reach = run->length;
            *kept++ = *run;
          }
          ++run;
        }
        diagonal = above;
        reach_[j + 1] = std::max(reach, 0);
      }
    }
    runs_.erase(kept, runs_.end());
  }

  std::vector<CommonRun> runs_;
  std::vector<std::int32_t> reach_;  // [j + 1]; the entry before the first column stays 0
};

}  // namespace metaphrase::alignment
