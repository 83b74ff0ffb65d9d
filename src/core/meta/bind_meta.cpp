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
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "meta/agreement.hpp"
#include "meta/permutation.hpp"
#include "meta/resampling.hpp"
#include "python/arrays.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;

namespace metaphrase::meta {
namespace {

void require(bool sound, const char* message) {
  if (!sound) throw std::invalid_argument(message);
}

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

nb::object bootstrap(Matrix<double> statistics, Matrix<std::int64_t> draws, int threads) {
  const std::size_t rows = statistics.shape(0), columns = statistics.shape(1);
  const std::size_t resamples = draws.shape(0), size = draws.shape(1);
  auto sums = std::make_unique<double[]>(resamples * columns);
  {
    const nb::gil_scoped_release release;
    std::int64_t low = 0, high = -1;
    for (std::size_t i = 0; i < resamples * size; ++i) {
      low = std::min(low, draws.data()[i]);
      high = std::max(high, draws.data()[i]);
    }
    require(low >= 0 && high < static_cast<std::int64_t>(rows), "a draw is out of range");
    const StatisticPanels panels(statistics.data(), rows, columns);
    bootstrap_sums(panels, draws.data(), resamples, size, sums.get(), threads);
  }
  return nb::cast(owned(std::move(sums), {resamples, columns}));
}

std::pair<nb::object, nb::object> exchange(Matrix<double> first, Matrix<double> second, Matrix<bool> stay,
                                           int threads) {
  const std::size_t rows = first.shape(0), columns = first.shape(1), resamples = stay.shape(0);
  require(second.shape(0) == rows && second.shape(1) == columns, "the systems must have equal statistics");
  require(stay.shape(1) == rows, "there must be a choice for each segment");
  auto one = std::make_unique<double[]>(resamples * columns);
  auto two = std::make_unique<double[]>(resamples * columns);
  {
    const nb::gil_scoped_release release;
    const StatisticPanels first_panels(first.data(), rows, columns),
        second_panels(second.data(), rows, columns);
    exchanged_sums(first_panels, second_panels, stay.data(), resamples, one.get(), two.get(), threads);
  }
  return {nb::cast(owned(std::move(one), {resamples, columns})),
          nb::cast(owned(std::move(two), {resamples, columns}))};
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

nb::object hybrids(const Measure& how, const CheckedCells& given, Vector<double> human,
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
  auto values = std::make_unique<double[]>(2 * resamples);
  {
    const nb::gil_scoped_release release;
    hybrid_agreements(measure, cells, {bits.data(), bits.shape(1)}, resamples, values.get(), threads);
  }
  return nb::cast(owned(std::move(values), {resamples, 2}));
}

std::tuple<std::int64_t, std::int64_t, nb::object> linear(const CheckedCells& given, Vector<double> human,
                                                          LongVector group_offsets, LongVector weights,
                                                          double epsilon) {
  const std::size_t units = given.units;
  const PairedCells cells = given.view();
  const Ranges groups = ranges(group_offsets, cells.count);
  require(human.size() == cells.count && weights.size() == groups.count, "scores or weights do not fit");
  LinearDifference difference;
  auto amounts = std::make_unique<std::int64_t[]>(units);
  {
    const nb::gil_scoped_release release;
    difference = linear_difference(cells, human.data(), groups, weights.data(), epsilon, units);
    std::copy(difference.unit_amounts.begin(), difference.unit_amounts.end(), amounts.get());
  }
  return {difference.first_rights, difference.second_rights, nb::cast(owned(std::move(amounts), {units}))};
}

nb::object amounts_of(LongVector amounts, Matrix<std::uint64_t> bits, int threads) {
  const std::size_t resamples = bits.shape(0);
  require_bits(bits, amounts.size());
  auto sums = std::make_unique<std::int64_t[]>(resamples);
  {
    const nb::gil_scoped_release release;
    exchanged_amounts(amounts.data(), amounts.size(), {bits.data(), bits.shape(1)}, resamples, sums.get(),
                      threads);
  }
  return nb::cast(owned(std::move(sums), {resamples}));
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

nb::object best_rights(const BoundCalibratedPairs& self, Matrix<std::uint64_t> bits, int threads) {
  require_bits(bits, self.units);
  const std::size_t resamples = bits.shape(0);
  auto best = std::make_unique<std::int64_t[]>(2 * resamples);
  {
    const nb::gil_scoped_release release;
    self.pairs.best_rights({bits.data(), bits.shape(1)}, resamples, best.get(), threads);
  }
  return nb::cast(owned(std::move(best), {resamples, 2}));
}

}  // namespace

void bind_meta(nb::module_ module) {
  module.def("bootstrap_sums", &bootstrap, nb::arg("statistics"), nb::arg("draws"), nb::arg("threads"),
             "Sums of the rows that each resample draws.");
  module.def("exchanged_sums", &exchange, nb::arg("first"), nb::arg("second"), nb::arg("stay"),
             nb::arg("threads"), "Sums of two systems after exchanging the segments that do not stay.");
  nb::class_<CheckedCells>(module, "PairedCells",
                           "Scores of two metrics; those of a unit are exchanged together.")
      .def("__init__", &make_struct<CheckedCells, Vector<double>, Vector<double>, IntVector, std::size_t>,
           nb::arg("first"), nb::arg("second"), nb::arg("unit"), nb::arg("units"));
  nb::class_<Measure>(module, "Measure", "How well metrics agree with people.")
      .def(
          "__init__",
          [](Measure* self, const std::string& agreement, double epsilon, bool undefined_is_zero) {
            new (self) Measure{agreement_named(agreement), epsilon, undefined_is_zero};
          },
          nb::arg("agreement"), nb::arg("epsilon"), nb::arg("undefined_is_zero"));
  module.def("hybrid_agreements", &hybrids, nb::arg("measure"), nb::arg("cells"), nb::arg("human"),
             nb::arg("mean_offsets"), nb::arg("group_offsets"), nb::arg("bits"), nb::arg("threads"),
             "The agreement of both hybrids in each resample.");
  module.def("linear_difference", &linear, nb::arg("cells"), nb::arg("human"), nb::arg("group_offsets"),
             nb::arg("weights"), nb::arg("epsilon"),
             "Weighted right pairs of both metrics, and what exchanging each unit adds.");
  module.def("exchanged_amounts", &amounts_of, nb::arg("amounts"), nb::arg("bits"), nb::arg("threads"),
             "Sums of the amounts of exchanged units.");
  nb::class_<BoundCalibratedPairs>(module, "CalibratedPairs",
                                   "Pairs whose rights are counted with the best epsilon of each hybrid.")
      .def("__init__", &make_calibrated, nb::arg("cells"), nb::arg("human"), nb::arg("group_offsets"),
           nb::arg("weights"))
      .def("best_rights", &best_rights, nb::arg("bits"), nb::arg("threads"),
           "Weighted right pairs of both hybrids in each resample.");
}

}  // namespace metaphrase::meta
