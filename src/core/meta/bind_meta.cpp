// Python's way to the kernels of significance tests. Shapes and indices are checked here, before the kernels
// trust them; what users can get wrong is reported by metaphrase.meta.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "meta/agreement.hpp"
#include "meta/permutation.hpp"
#include "meta/resampling.hpp"
#include "python/arrays.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::meta {
namespace {

Ranges ranges(const LongVector& offsets, std::size_t total) {
  const std::int64_t* o = offsets.data();
  const std::size_t n = offsets.size();
  bool sound = n > 0 && o[0] == 0 && o[n - 1] == static_cast<std::int64_t>(total);
  for (std::size_t i = 1; sound && i < n; ++i) sound = o[i - 1] <= o[i];
  require(sound, "offsets must rise from 0 to the number of scores");
  return {o, n - 1};
}

// Scores of two metrics, and which of `units` each belongs to; those of a unit are exchanged together.
struct CheckedCells {
  Vector<double> first, second;
  IntVector unit;
  std::size_t units;

  void check() const {
    require(second.size() == first.size() && unit.size() == first.size(),
            "scores and units must be equally many");
    require(first.size() < (std::size_t{1} << 28), "too many scores");
    for (std::size_t i = 0; i < unit.size(); ++i) {
      require(unit.data()[i] >= 0 && static_cast<std::size_t>(unit.data()[i]) < units,
              "a unit is out of range");
    }
  }

  PairedCells view() const { return {first.size(), first.data(), second.data(), unit.data()}; }
};

void require_bits(const Matrix<std::uint64_t>& bits, std::size_t units) {
  require(64 * bits.shape(1) >= units, "there must be a bit for each unit");
}

OwnedArray<double> bootstrap(Matrix<double> statistics, Matrix<std::int64_t> draws, int threads) {
  const std::size_t rows = statistics.shape(0), columns = statistics.shape(1);
  const std::size_t resamples = draws.shape(0), size = draws.shape(1);
  return filled<double>({resamples, columns}, [&](double* sums) {
    std::int64_t low = 0, high = -1;
    for (std::size_t i = 0; i < resamples * size; ++i) {
      low = std::min(low, draws.data()[i]);
      high = std::max(high, draws.data()[i]);
    }
    require(low >= 0 && high < static_cast<std::int64_t>(rows), "a draw is out of range");
    const StatisticPanels panels(statistics.data(), rows, columns);
    bootstrap_sums(panels, draws.data(), resamples, size, sums, threads);
  });
}

std::pair<OwnedArray<double>, OwnedArray<double>> exchange(Matrix<double> first, Matrix<double> second,
                                                           Matrix<bool> stay, int threads) {
  const std::size_t rows = first.shape(0), columns = first.shape(1), resamples = stay.shape(0);
  require(second.shape(0) == rows && second.shape(1) == columns, "the systems must have equal statistics");
  require(stay.shape(1) == rows, "there must be a choice for each segment");
  auto one = std::make_unique<double[]>(resamples * columns);
  auto two = std::make_unique<double[]>(resamples * columns);
  without_gil([&] {
    const StatisticPanels first_panels(first.data(), rows, columns),
        second_panels(second.data(), rows, columns);
    exchanged_sums(first_panels, second_panels, stay.data(), resamples, one.get(), two.get(), threads);
  });
  return {owned(std::move(one), {resamples, columns}), owned(std::move(two), {resamples, columns})};
}

Agreement agreement_named(const std::string& name) {
  if (name == "pearson") return Agreement::pearson;
  if (name == "spearman") return Agreement::spearman;
  if (name == "kendall") return Agreement::kendall;
  require(name == "accuracy", "unknown agreement");
  return Agreement::accuracy;
}

// How well metrics agree with people.
struct Measure {
  Agreement agreement;
  double epsilon;
  bool undefined_is_zero;
};

OwnedArray<double> hybrids(const Measure& how, const CheckedCells& given, Vector<double> human,
                           LongVector mean_offsets, LongVector group_offsets, Matrix<std::uint64_t> bits,
                           int threads) {
  require_bits(bits, given.units);
  const PairedCells cells = given.view();
  const Ranges means = mean_offsets.size() == 0 ? Ranges{nullptr, 0} : ranges(mean_offsets, cells.count);
  require(human.size() == (mean_offsets.size() == 0 ? cells.count : means.count), "human scores do not fit");
  const HybridAgreement measure{
      how.agreement, how.epsilon, how.undefined_is_zero, means, ranges(group_offsets, human.size()),
      human.data()};
  const std::size_t resamples = bits.shape(0);
  return filled<double>({resamples, 2}, [&](double* values) {
    hybrid_agreements(measure, cells, {bits.data(), bits.shape(1)}, resamples, values, threads);
  });
}

std::tuple<std::int64_t, std::int64_t, nb::object> linear(const CheckedCells& given, Vector<double> human,
                                                          LongVector group_offsets, LongVector weights,
                                                          double epsilon) {
  const PairedCells cells = given.view();
  const Ranges groups = ranges(group_offsets, cells.count);
  require(human.size() == cells.count && weights.size() == groups.count, "scores or weights do not fit");
  LinearDifference difference = without_gil(
      [&] { return linear_difference(cells, human.data(), groups, weights.data(), epsilon, given.units); });
  return {difference.first_rights, difference.second_rights,
          nb::cast(as_array(std::move(difference.unit_amounts)))};
}

OwnedArray<std::int64_t> amounts_of(LongVector amounts, Matrix<std::uint64_t> bits, int threads) {
  const std::size_t resamples = bits.shape(0);
  require_bits(bits, amounts.size());
  return filled<std::int64_t>({resamples}, [&](std::int64_t* sums) {
    exchanged_amounts(amounts.data(), amounts.size(), {bits.data(), bits.shape(1)}, resamples, sums, threads);
  });
}

// The kernel's pairs with the number of units that their bits must cover.
struct BoundCalibratedPairs {
  std::size_t units;
  CalibratedPairs pairs;
};

void make_calibrated(BoundCalibratedPairs* place, const CheckedCells& given, Vector<double> human,
                     LongVector group_offsets, LongVector weights) {
  const PairedCells cells = given.view();
  const Ranges groups = ranges(group_offsets, cells.count);
  require(human.size() == cells.count && weights.size() == groups.count, "scores or weights do not fit");
  const nb::gil_scoped_release release;
  new (place) BoundCalibratedPairs{given.units, CalibratedPairs(cells, human.data(), groups, weights.data())};
}

OwnedArray<std::int64_t> best_rights(const BoundCalibratedPairs& self, Matrix<std::uint64_t> bits,
                                     int threads) {
  require_bits(bits, self.units);
  const std::size_t resamples = bits.shape(0);
  return filled<std::int64_t>({resamples, 2}, [&](std::int64_t* best) {
    self.pairs.best_rights({bits.data(), bits.shape(1)}, resamples, best, threads);
  });
}

}  // namespace

void bind_meta(nb::module_ module) {
  module.def("bootstrap_sums", &bootstrap, "statistics"_a, "draws"_a, "threads"_a,
             "Sums of the rows that each resample draws.");
  module.def("exchanged_sums", &exchange, "first"_a, "second"_a, "stay"_a, "threads"_a,
             "Sums of two systems after exchanging the segments that do not stay.");
  nb::class_<CheckedCells>(module, "PairedCells",
                           "Scores of two metrics; those of a unit are exchanged together.")
      .def("__init__", &make_struct<CheckedCells, Vector<double>, Vector<double>, IntVector, std::size_t>,
           "first"_a, "second"_a, "unit"_a, "units"_a);
  nb::class_<Measure>(module, "Measure", "How well metrics agree with people.")
      .def(
          "__init__",
          [](Measure* self, const std::string& agreement, double epsilon, bool undefined_is_zero) {
            new (self) Measure{agreement_named(agreement), epsilon, undefined_is_zero};
          },
          "agreement"_a, "epsilon"_a, "undefined_is_zero"_a);
  module.def("hybrid_agreements", &hybrids, "measure"_a, "cells"_a, "human"_a, "mean_offsets"_a,
             "group_offsets"_a, "bits"_a, "threads"_a, "The agreement of both hybrids in each resample.");
  module.def("linear_difference", &linear, "cells"_a, "human"_a, "group_offsets"_a, "weights"_a, "epsilon"_a,
             "Weighted right pairs of both metrics, and what exchanging each unit adds.");
  module.def("exchanged_amounts", &amounts_of, "amounts"_a, "bits"_a, "threads"_a,
             "Sums of the amounts of exchanged units.");
  nb::class_<BoundCalibratedPairs>(module, "CalibratedPairs",
                                   "Pairs whose rights are counted with the best epsilon of each hybrid.")
      .def("__init__", &make_calibrated, "cells"_a, "human"_a, "group_offsets"_a, "weights"_a)
      .def("best_rights", &best_rights, "bits"_a, "threads"_a,
           "Weighted right pairs of both hybrids in each resample.");
}

}  // namespace metaphrase::meta
