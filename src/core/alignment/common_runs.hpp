// Common contiguous runs of two sequences.
#pragma once

#include <algorithm>
#include <cstddef>
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
//
// A run is a square in the plane of positions. One that starts d steps further (d the larger of both
// distances, neither negative) lies within a square of length L if its own length is at most L - d. The
// largest L - d over all squares follows from that of the three neighbours before, so one sweep answers for
// all runs, where comparing each run with each would be cubic or worse in texts that repeat themselves. The
// sweep goes along the longer sequence for each place of the shorter one, so that runs come in their order
// and have but to be sorted by their lengths, of which there are few.
class CommonRuns {
 public:
  using Sequence = std::span<const std::int32_t>;

  std::span<const CommonRun> find(Sequence left, Sequence right, std::int32_t shortest) {
    const bool swapped = right.size() < left.size();
    const Sequence rows = swapped ? right : left, columns = swapped ? left : right;
    found_.clear();
    lengths_.assign(rows.size() + 1, 0);
    sweep(rows, columns, shortest, [&](std::int32_t row, std::int32_t column, std::int32_t length) {
      found_.push_back(swapped ? CommonRun{column, row, length} : CommonRun{row, column, length});
      ++lengths_[static_cast<std::size_t>(length)];
      return false;
    });
    std::size_t start = 0;
    for (std::size_t length = lengths_.size(); length-- > 0;) {
      start += lengths_[length];
      lengths_[length] = start - lengths_[length];
    }
    runs_.resize(found_.size());
    for (const CommonRun& run : found_) runs_[lengths_[static_cast<std::size_t>(run.length)]++] = run;
    return runs_;
  }

  // The first run of one element that `wanted(run)` says yes to, in the order of `find`; a length of 0 says
  // that there is none. Unlike `find` it keeps no runs, and ends with the first.
  template <class Wanted>
  CommonRun first_single(Sequence left, Sequence right, Wanted&& wanted) {
    const bool swapped = right.size() < left.size();
    CommonRun first{0, 0, 0};
    sweep(swapped ? right : left, swapped ? left : right, 1,
          [&](std::int32_t row, std::int32_t column, std::int32_t length) {
            const CommonRun run = swapped ? CommonRun{column, row, length} : CommonRun{row, column, length};
            if (length > 1 || !wanted(run)) return false;
            first = run;
            return true;
          });
    return first;
  }

 private:
  // Calls `take(row, column, length)` for every run, row by row, until it returns true.
  template <class Take>
  void sweep(Sequence rows, Sequence columns, std::int32_t shortest, Take&& take) {
    const auto n = static_cast<std::int32_t>(rows.size()), m = static_cast<std::int32_t>(columns.size());
    reach_.assign(static_cast<std::size_t>(m) + 1, 0);
    for (std::int32_t i = 0; i < n; ++i) {
      std::int32_t diagonal = 0;
      for (std::int32_t j = 0; j < m; ++j) {
        const std::int32_t above = reach_[j + 1];
        std::int32_t reach = std::max({above, reach_[j], diagonal}) - 1;
        if (rows[i] == columns[j] && !(i > 0 && j > 0 && rows[i - 1] == columns[j - 1])) {
          std::int32_t length = 1;
          while (i + length < n && j + length < m && rows[i + length] == columns[j + length]) ++length;
          if (length >= shortest && reach < length) {
            reach = length;
            if (take(i, j, length)) return;
          }
        }
        diagonal = above;
        reach_[j + 1] = std::max(reach, 0);
      }
    }
  }

  std::vector<CommonRun> found_, runs_;
  std::vector<std::size_t> lengths_;  // how many runs of each length, then where the next one goes
  std::vector<std::int32_t> reach_;   // [column + 1]; the entry before the first column stays 0
};

}  // namespace metaphrase::alignment
