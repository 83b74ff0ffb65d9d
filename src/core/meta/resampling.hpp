// Sums of resampled rows of statistics: the hot loop of the bootstrap and of approximate randomisation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace metaphrase::meta {

// Rows of k statistics, cut into panels of four columns so that a panel's sums stay in registers. The last
// panel is filled up with zeros.
class StatisticPanels {
 public:
  static constexpr std::size_t width = 4;

  StatisticPanels(const double* rows, std::size_t count, std::size_t columns)
      : count_(count), columns_(columns), values_(panels() * count * width, 0.0) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < columns; ++c) {
        values_[((c / width) * count + i) * width + c % width] = rows[i * columns + c];
      }
    }
  }

  std::size_t count() const { return count_; }
  std::size_t columns() const { return columns_; }
  std::size_t panels() const { return (columns_ + width - 1) / width; }
  const double* panel(std::size_t p) const { return values_.data() + p * count_ * width; }

  // Writes the sums of panel `p`, without those of the filling, to their places in a row of sums.
  void store(std::size_t p, const double (&sums)[width], double* row) const {
    const std::size_t first = p * width;
    std::copy_n(sums, std::min(width, columns_ - first), row + first);
  }

 private:
  std::size_t count_, columns_;
  std::vector<double> values_;
};

// sums[b] = Σ_i rows[draws[b][i]]: each resample adds in the order of its draws, so that a sum does not
// depend on threads. Sums of integers below 2^53 are exact. Draws must be below the number of rows.
inline void bootstrap_sums(const StatisticPanels& rows, const std::int64_t* draws, std::size_t resamples,
                           std::size_t size, double* sums, int threads) {
  parallel_blocks(resamples, 16, threads, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      const std::int64_t* drawn = draws + b * size;
      for (std::size_t p = 0; p < rows.panels(); ++p) {
        const double* panel = rows.panel(p);
        double sum[StatisticPanels::width] = {};
        for (std::size_t i = 0; i < size; ++i) {
          const double* row = panel + static_cast<std::size_t>(drawn[i]) * StatisticPanels::width;
          for (std::size_t c = 0; c < StatisticPanels::width; ++c) sum[c] += row[c];
        }
        rows.store(p, sum, sums + b * rows.columns());
      }
    }
  });
}

// Sums of two systems of which resample b has exchanged the segments that do not `stay` (b, segments).
inline void exchanged_sums(const StatisticPanels& first, const StatisticPanels& second, const bool* stay,
                           std::size_t resamples, double* first_sums, double* second_sums, int threads) {
  const std::size_t size = first.count();
  parallel_blocks(resamples, 16, threads, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      const bool* stays = stay + b * size;
      for (std::size_t p = 0; p < first.panels(); ++p) {
        // Choosing between two addresses instead of branching: the choice is random by design.
        const double* own[2] = {second.panel(p), first.panel(p)};
        double one[StatisticPanels::width] = {}, two[StatisticPanels::width] = {};
        for (std::size_t i = 0; i < size; ++i) {
          const double* row = own[stays[i]] + i * StatisticPanels::width;
          const double* other = own[!stays[i]] + i * StatisticPanels::width;
          for (std::size_t c = 0; c < StatisticPanels::width; ++c) {
            one[c] += row[c];
            two[c] += other[c];
          }
        }
        first.store(p, one, first_sums + b * first.columns());
        second.store(p, two, second_sums + b * first.columns());
      }
    }
  });
}

}  // namespace metaphrase::meta
