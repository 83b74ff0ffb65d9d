// BLEU and chrF of one row of counts, with sacreBLEU's sums, products and quotients in its order, so that
// numbers are equal to the last bit.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace metaphrase::counts {

enum class Smoothing { none, floor, add_k, exp };

struct BleuOptions {
  Smoothing smoothing;
  double value;
  // Whether orders are left out for which the hypothesis is too short.
  bool effective_order;
};

// exp(1 - r/c) where a hypothesis of c words is shorter than its reference. Lengths are whole numbers, but
// for sums of references that have weights.
inline double brevity_penalty(double length, double reference) {
  if (!(length < reference)) return 1.0;
  return length > 0 ? std::exp(1.0 - reference / length) : 0.0;
}

// Lengths of hypothesis and reference, matches by order, n-grams of the hypothesis by order.
inline double bleu_score(std::span<const double> counts, const BleuOptions& options) {
  const std::size_t orders = (counts.size() - 2) / 2;
  const auto matches = counts.subspan(2, orders), totals = counts.subspan(2 + orders, orders);
  // sacreBLEU's stand-in for the logarithm of 0.
  constexpr double log_of_zero = -9999999999.0;
  double sum = 0.0, halving = 1.0;
  std::size_t present = 0;
  bool matched = false, ended = false;
  for (std::size_t n = 0; n < orders; ++n) {
    matched = matched || matches[n] != 0;
    const double added = options.smoothing == Smoothing::add_k && n > 0 ? options.value : 0.0;
    const double match = matches[n] + added, total = totals[n] + added;
    ended = ended || total == 0;
    double precision = 0.0;
    if (!ended) {
      ++present;
      if (match != 0) {
        precision = 100.0 * match / total;
      } else if (options.smoothing == Smoothing::exp) {
        halving *= 2.0;
        precision = 100.0 / (halving * total);
      } else if (options.smoothing == Smoothing::floor) {
        precision = 100.0 * options.value / total;
      }
    } else if (options.effective_order && present > 0) {
      continue;
    }
    sum += precision != 0 ? std::log(precision) : log_of_zero;
  }
  if (!matched) return 0.0;
  const std::size_t last = options.effective_order && present > 0 ? present : orders;
  return brevity_penalty(counts[0], counts[1]) * std::exp(sum / static_cast<double>(last));
}

// By order: n-grams of the hypothesis, of the reference, and matches. `weight` is the square of beta.
inline double chrf_score(std::span<const double> counts, double weight, bool eps_smoothing) {
  constexpr double tiny = 1e-16;
  const std::size_t orders = counts.size() / 3;
  const auto f_score = [&](double precision, double recall, double otherwise) {
    const double below = weight * precision + recall;
    return below > 0 ? (1 + weight) * precision * recall / below : otherwise;
  };
  double precisions = 0.0, recalls = 0.0, scores = 0.0, used = 0.0;
  for (std::size_t n = 0; n < orders; ++n) {
    const double own = counts[3 * n], other = counts[3 * n + 1], matches = counts[3 * n + 2];
    const double precision = own > 0 ? matches / own : tiny, recall = other > 0 ? matches / other : tiny;
    if (eps_smoothing) {
      scores += f_score(precision, recall, tiny);
    } else if (own > 0 && other > 0) {
      precisions += precision;
      recalls += recall;
      used += 1.0;
    }
  }
  if (eps_smoothing) return 100 * scores / static_cast<double>(orders);
  return used > 0 ? 100 * f_score(precisions / used, recalls / used, 0.0) : 0.0;
}

}  // namespace metaphrase::counts
