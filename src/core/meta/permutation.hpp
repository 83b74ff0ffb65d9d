// Permutation tests for the difference of two metrics' agreement with people (PERM-BOTH: Deutsch, Dror and
// Roth, TACL 2021). A resample exchanges the scores of two metrics in some units (cells, systems or segments)
// and measures both hybrids again.
//
// Cells are packed group by group, pairs are pairs of cells of one group, and a pair is right if metric and
// human order it alike or both tie it. Rights are weighted by an integer per group, so all sums are exact.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "meta/agreement.hpp"

namespace metaphrase::meta {

// The scores that two metrics and people gave to the same cells, and the unit that each is exchanged with.
struct PairedCells {
  std::size_t count;
  const double *first, *second;
  const std::int32_t* unit;
};

// Random bits, `words` words of 64 units for each resample.
struct UnitBits {
  const std::uint64_t* bits;
  std::size_t words;

  bool exchanged(std::size_t resample, std::int32_t unit) const {
    return bits[resample * words + static_cast<std::size_t>(unit) / 64] >> (unit % 64) & 1;
  }
};

// Consecutive ranges [offsets[i], offsets[i + 1]).
struct Ranges {
  const std::int64_t* offsets;
  std::size_t count;
};

// ---- Any coefficient: measured again for every resample. -------------------------------------------------

struct HybridAgreement {
  Agreement kind;
  double epsilon;
  bool undefined_is_zero;
  // Cells are averaged over these ranges first (into system scores); without ranges they stand for
  // themselves.
  Ranges means;
  Ranges groups;
  const double* human;

  // The mean of the groups' coefficients; those that are undefined are left out or count as 0.
  double measure(const std::vector<double>& scores, AgreementMeter& meter) const {
    double sum = 0;
    std::size_t defined = 0;
    for (std::size_t g = 0; g < groups.count; ++g) {
      const std::int64_t begin = groups.offsets[g];
      const double value = meter.measure(scores.data() + begin, human + begin,
                                         static_cast<std::size_t>(groups.offsets[g + 1] - begin));
      if (!std::isnan(value)) {
        sum += value;
        ++defined;
      } else if (undefined_is_zero) {
        ++defined;
      }
    }
    return defined > 0 ? sum / static_cast<double>(defined) : undefined;
  }

  void average(const std::vector<double>& cells, std::vector<double>& scores) const {
    if (means.count == 0) {
      scores = cells;
      return;
    }
    scores.resize(means.count);
    for (std::size_t m = 0; m < means.count; ++m) {
      const std::int64_t begin = means.offsets[m], end = means.offsets[m + 1];
      double sum = 0;
      for (std::int64_t i = begin; i < end; ++i) sum += cells[i];
      scores[m] = sum / static_cast<double>(end - begin);
    }
  }
};

// values[r] = agreement of the first hybrid and of the second one in resample r.
inline void hybrid_agreements(const HybridAgreement& agreement, const PairedCells& cells,
                              const UnitBits& bits, std::size_t resamples, double* values, int threads) {
  parallel_blocks(resamples, 4, threads, [&](std::size_t begin, std::size_t end, int) {
    AgreementMeter meter(agreement.kind, agreement.epsilon);
    std::vector<double> one(cells.count), two(cells.count), scores;
    for (std::size_t r = begin; r < end; ++r) {
      for (std::size_t i = 0; i < cells.count; ++i) {
        const bool exchanged = bits.exchanged(r, cells.unit[i]);
        one[i] = exchanged ? cells.second[i] : cells.first[i];
        two[i] = exchanged ? cells.first[i] : cells.second[i];
      }
      agreement.average(one, scores);
      values[2 * r] = agreement.measure(scores, meter);
      agreement.average(two, scores);
      values[2 * r + 1] = agreement.measure(scores, meter);
    }
  });
}

// ---- Pairwise accuracy with a fixed epsilon: linear in the exchanges. ------------------------------------

// Let c[a][b] say whether a pair (i, j) is right when i has its score from metric a and j from metric b, and
// w = 1 for what is exchanged. The two hybrids together have c[wi][wj] - c[!wi][!wj] rights more in the
// first, which equals
//     (c[0][0] - c[1][1]) (1 - wi - wj) + (c[1][0] - c[0][1]) (wi - wj),
// as the four cases show. So the difference of the hybrids' accuracies is a constant, the observed
// difference, plus an amount for each exchanged unit: pairs are looked at once, not once a resample.
struct LinearDifference {
  std::int64_t first_rights = 0, second_rights = 0;
  std::vector<std::int64_t> unit_amounts;
};

inline LinearDifference linear_difference(const PairedCells& cells, const double* human, const Ranges& groups,
                                          const std::int64_t* weights, double epsilon, std::size_t units) {
  LinearDifference result;
  result.unit_amounts.assign(units, 0);
  for (std::size_t g = 0; g < groups.count; ++g) {
    const std::int64_t weight = weights[g];
    for (std::int64_t i = groups.offsets[g]; i < groups.offsets[g + 1]; ++i) {
      const double first = cells.first[i], second = cells.second[i];
      std::int64_t own = 0;
      for (std::int64_t j = i + 1; j < groups.offsets[g + 1]; ++j) {
        const int wanted = order_of(human[i], human[j], 0.0);
        const int c00 = order_of(first, cells.first[j], epsilon) == wanted;
        const int c01 = order_of(first, cells.second[j], epsilon) == wanted;
        const int c10 = order_of(second, cells.first[j], epsilon) == wanted;
        const int c11 = order_of(second, cells.second[j], epsilon) == wanted;
        result.first_rights += c00 * weight;
        result.second_rights += c11 * weight;
        const int same = c00 - c11, mixed = c10 - c01;
        own += mixed - same;
        result.unit_amounts[cells.unit[j]] -= (mixed + same) * weight;
      }
      result.unit_amounts[cells.unit[i]] += own * weight;
    }
  }
  return result;
}

// sums[r] = Σ amounts of the units that resample r exchanges.
inline void exchanged_amounts(const std::int64_t* amounts, std::size_t units, const UnitBits& bits,
                              std::size_t resamples, std::int64_t* sums, int threads) {
  parallel_blocks(resamples, 64, threads, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t r = begin; r < end; ++r) {
      std::int64_t sum = 0;
      for (std::size_t w = 0; w < bits.words; ++w) {
        const std::uint64_t word = bits.bits[r * bits.words + w];
        const std::size_t first = 64 * w, last = std::min(first + 64, units);
        for (std::size_t u = first; u < last; ++u) {
          sum += amounts[u] & -static_cast<std::int64_t>(word >> (u - first) & 1);
        }
      }
      sums[r] = sum;
    }
  });
}

// ---- Pairwise accuracy with epsilon chosen anew for each hybrid. -----------------------------------------

// A pair can come about in four ways, each with its own difference of scores. All of them are sorted by that
// difference once; a hybrid's accuracy for a growing epsilon is then one walk over the list, stepping only on
// what is present in the hybrid.
class CalibratedPairs {
 public:
  CalibratedPairs(const PairedCells& cells, const double* human, const Ranges& groups,
                  const std::int64_t* weights)
      : units_(cells.unit, cells.unit + cells.count) {
    std::vector<Event> events;
    for (std::size_t g = 0; g < groups.count; ++g) {
      for (std::int64_t i = groups.offsets[g]; i < groups.offsets[g + 1]; ++i) {
        for (std::int64_t j = i + 1; j < groups.offsets[g + 1]; ++j) {
          const int wanted = order_of(human[i], human[j], 0.0);
          for (int way = 0; way < 4; ++way) add(events, cells, i, way >> 1, j, way & 1, wanted, weights[g]);
        }
      }
    }
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.epsilon < b.epsilon; });
    steps_.reserve(events.size());
    for (std::size_t begin = 0, end = 0; begin < events.size(); begin = end) {
      while (end < events.size() && events[end].epsilon == events[begin].epsilon) ++end;
      for (std::size_t e = begin; e < end; ++e) {
        Reading reading = e + 1 == end ? Reading::all : Reading::none;
        // An event that has its epsilon for itself concerns only where it is present, and a loss none.
        if (end - begin == 1) reading = events[e].gain > 0 ? Reading::present : Reading::none;
        steps_.push_back(
            {events[e].i, events[e].j << 2 | static_cast<std::uint32_t>(reading), events[e].gain});
      }
    }
  }

  // best[r] = the most weighted rights that any epsilon gives the first hybrid, and the second one.
  void best_rights(const UnitBits& bits, std::size_t resamples, std::int64_t* best, int threads) const {
    parallel_blocks(resamples, lanes, threads, [&](std::size_t begin, std::size_t end, int) {
      std::vector<std::uint64_t> present(2 * units_.size());
      for (std::size_t first = begin; first < end; first += lanes) {
        const std::size_t count = std::min(lanes, end - first);
        for (std::size_t i = 0; i < units_.size(); ++i) {
          std::uint64_t exchanged = 0;
          for (std::size_t l = 0; l < count; ++l) {
            exchanged |= static_cast<std::uint64_t>(bits.exchanged(first + l, units_[i])) << l;
          }
          present[2 * i] = ~exchanged;
          present[2 * i + 1] = exchanged;
        }
        walk(present, count, best + 2 * first);
      }
    });
  }

 private:
  // From `epsilon` on, the pair of the scores i and j (2 × cell + metric) gains so many weighted rights.
  struct Event {
    double epsilon;
    std::uint32_t i, j;
    std::int64_t gain;
  };
  // In which resamples accuracy may have reached a new height after a step.
  enum class Reading : std::uint32_t { none, present, all };
  struct Step {
    std::uint32_t i, j_and_reading;
    std::int64_t gain;
  };

  // So many resamples are walked through at once, a bit of a word for each.
  static constexpr std::size_t lanes = 64;
  struct Rights {
    std::int64_t now[lanes] = {}, best[lanes] = {};

    void add(std::uint64_t present, std::int64_t gain, Reading reading) {
      const bool read = reading == Reading::present;
      for (; present != 0; present &= present - 1) {
        const int l = std::countr_zero(present);
        now[l] += gain;
        if (read) best[l] = std::max(best[l], now[l]);
      }
      if (reading == Reading::all) {
        for (std::size_t l = 0; l < lanes; ++l) best[l] = std::max(best[l], now[l]);
      }
    }
  };

  // Before any epsilon; accuracy may be read off only after all events of this kind.
  static constexpr double at_once = -1.0;

  static void add(std::vector<Event>& events, const PairedCells& cells, std::int64_t i, int i_metric,
                  std::int64_t j, int j_metric, int wanted, std::int64_t weight) {
    const double a = (i_metric == 0 ? cells.first : cells.second)[i];
    const double b = (j_metric == 0 ? cells.first : cells.second)[j];
    const double difference = std::abs(a - b);
    const auto i_score = static_cast<std::uint32_t>(2 * i + i_metric);
    const auto j_score = static_cast<std::uint32_t>(2 * j + j_metric);
    if (wanted == 0) {
      events.push_back({difference == 0 ? at_once : difference, i_score, j_score, weight});
    } else if (order_of(a, b, 0.0) == wanted) {
      events.push_back({at_once, i_score, j_score, weight});
      events.push_back({difference, i_score, j_score, -weight});
    }
  }

  void walk(const std::vector<std::uint64_t>& present, std::size_t count, std::int64_t* best) const {
    Rights one, two;
    for (const Step& step : steps_) {
      const std::uint32_t i = step.i, j = step.j_and_reading >> 2;
      const auto reading = static_cast<Reading>(step.j_and_reading & 3);
      one.add(present[i] & present[j], step.gain, reading);
      // What is absent from one hybrid by both cells is present in the other.
      two.add(present[i ^ 1] & present[j ^ 1], step.gain, reading);
    }
    for (std::size_t l = 0; l < count; ++l) {
      best[2 * l] = one.best[l];
      best[2 * l + 1] = two.best[l];
    }
  }

  std::vector<std::int32_t> units_;
  std::vector<Step> steps_;
};

}  // namespace metaphrase::meta
