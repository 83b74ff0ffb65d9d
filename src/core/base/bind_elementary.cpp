// Python's way to elementary functions of arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>

#include "base/elementary.hpp"
#include "python/arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase {
namespace {

template <class Function>
OwnedArray<double> of_each(const Vector<double>& values, Function function) {
  return filled<double>({values.size()}, [&](double* out) {
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = function(values.data()[i]);
  });
}

OwnedArray<double> exp_each(Vector<double> values) { return of_each(values, elementary::exp); }
OwnedArray<double> log_each(Vector<double> values) { return of_each(values, elementary::log); }
OwnedArray<double> log2_each(Vector<double> values) { return of_each(values, elementary::log2); }
OwnedArray<double> power_each(Vector<double> values, double exponent) {
  return of_each(values, [exponent](double value) { return elementary::pow(value, exponent); });
}

}  // namespace

void bind_elementary(nb::module_ module) {
  module.def("exp", &exp_each, "values"_a, "e to the power of each value.");
  module.def("log", &log_each, "values"_a, "The natural logarithm of each value.");
  module.def("log2", &log2_each, "values"_a, "The logarithm to base 2 of each value.");
  module.def("power", &power_each, "values"_a, "exponent"_a, "Each value to the same power.");
}

}  // namespace metaphrase
