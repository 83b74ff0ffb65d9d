// How far two lists of scores agree: Pearson, Spearman, Kendall's tau-b and pairwise accuracy with ties.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace metaphrase::meta {

enum class Agreement { pearson, spearman, kendall, accuracy };

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// 1, 0 or -1; two scores are tied if they differ by at most epsilon.
inline int order_of(double a, double b, double epsilon) {
  const double difference = a - b;
  return std::abs(difference) <= epsilon ? 0 : difference > 0 ? 1 : -1;
}

// Computes coefficients; holds the room that they need, so each thread has its own.
class AgreementMeter {
 public:
  AgreementMeter(Agreement kind, double epsilon) : kind_(kind), epsilon_(epsilon) {}

  // NaN where the coefficient is undefined: fewer than two scores, or a constant side.
  double measure(const double* metric, const double* human, std::size_t count) {
    if (count < 2) return undefined;
    switch (kind_) {
      case Agreement::pearson: return pearson(metric, human, count);
      case Agreement::spearman:
        rank(metric, count, metric_ranks_);
        rank(human, count, human_ranks_);
        return pearson(metric_ranks_.data(), human_ranks_.data(), count);
      case Agreement::kendall: return kendall(metric, human, count);
      default: return accuracy(metric, human, count);
    }
  }

 private:
  static double pearson(const double* x, const double* y, std::size_t count) {
    // A constant list may have a variance of rounding errors: only its range says that it is constant.
    const auto [x_low, x_high] = std::minmax_element(x, x + count);
    const auto [y_low, y_high] = std::minmax_element(y, y + count);
    if (*x_low == *x_high || *y_low == *y_high) return undefined;
    const auto size = static_cast<double>(count);
    const double x_mean = std::accumulate(x, x + count, 0.0) / size;
    const double y_mean = std::accumulate(y, y + count, 0.0) / size;
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double dx = x[i] - x_mean, dy = y[i] - y_mean;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0) : undefined;
  }

  // Tied values share the mean of their ranks.
  void rank(const double* values, std::size_t count, std::vector<double>& ranks) {
    sort_by(values, count);
    ranks.resize(count);
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      while (end < count && values[places_[end]] == values[places_[begin]]) ++end;
      const double shared = 0.5 * static_cast<double>(begin + end + 1);
      for (std::size_t i = begin; i < end; ++i) ranks[places_[i]] = shared;
    }
  }

  // Knight's algorithm: sorted by metric then human, the swaps of a merge sort by human are the discordant
  // pairs.
  double kendall(const double* x, const double* y, std::size_t count) {
    places_.resize(count);
    std::iota(places_.begin(), places_.end(), 0u);
    std::sort(places_.begin(), places_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b]; });
    const auto pairs_of = [](std::size_t n) {
      return static_cast<double>(n) * static_cast<double>(n - 1) / 2;
    };
    double x_ties = 0, both_ties = 0, y_ties = 0;
    std::size_t x_run = 0, both_run = 0;
    metric_ranks_.resize(count);
    human_ranks_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t now = places_[i];
      const bool same_x = i > 0 && x[now] == x[places_[i - 1]];
      const bool same_both = same_x && y[now] == y[places_[i - 1]];
      x_run = same_x ? x_run + 1 : 0;
      both_run = same_both ? both_run + 1 : 0;
      x_ties += static_cast<double>(x_run);
      both_ties += static_cast<double>(both_run);
      metric_ranks_[i] = y[now];
    }
    const double discordant = merge_sort(metric_ranks_.data(), human_ranks_.data(), count);
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      while (end < count && metric_ranks_[end] == metric_ranks_[begin]) ++end;
      y_ties += pairs_of(end - begin);
    }
    const double all = pairs_of(count);
    if (x_ties == all || y_ties == all) return undefined;
    const double difference = all - x_ties - y_ties + both_ties - 2 * discordant;
    return std::clamp(difference / std::sqrt(all - x_ties) / std::sqrt(all - y_ties), -1.0, 1.0);
  }

  // Sorts and counts the pairs that were in the wrong order.
  static double merge_sort(double* values, double* room, std::size_t count) {
    double swaps = 0;
    for (std::size_t width = 1; width < count; width *= 2) {
      for (std::size_t begin = 0; begin < count; begin += 2 * width) {
        const std::size_t middle = std::min(begin + width, count), end = std::min(begin + 2 * width, count);
        std::size_t left = begin, right = middle;
        for (std::size_t i = begin; i < end; ++i) {
          if (right == end || (left < middle && values[left] <= values[right])) {
            room[i] = values[left++];
          } else {
            swaps += static_cast<double>(middle - left);
            room[i] = values[right++];
          }
        }
      }
      std::copy_n(room, count, values);
    }
    return swaps;
  }

  double accuracy(const double* x, const double* y, std::size_t count) const {
    std::int64_t right = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        right += order_of(x[i], x[j], epsilon_) == order_of(y[i], y[j], 0.0);
      }
    }
    return static_cast<double>(right) / (static_cast<double>(count) * static_cast<double>(count - 1) / 2);
  }

  void sort_by(const double* values, std::size_t count) {
    places_.resize(count);
    std::iota(places_.begin(), places_.end(), 0u);
    std::sort(places_.begin(), places_.end(),
              [values](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  }

  Agreement kind_;
  double epsilon_;
  std::vector<std::uint32_t> places_;
  std::vector<double> metric_ranks_, human_ranks_;
};

}  // namespace metaphrase::meta
