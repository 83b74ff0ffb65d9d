// Arrays from Python and for Python, and the checks that kernels rely on: what fails them never reaches a
// kernel.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/refused_input.hpp"
#include "python/without_gil.hpp"

namespace metaphrase {

template <class Number>
using Vector = nanobind::ndarray<const Number, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class Number>
using Matrix = nanobind::ndarray<const Number, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using IntVector = Vector<std::int32_t>;
using LongVector = Vector<std::int64_t>;

template <class Number>
std::span<const Number> view(const Vector<Number>& array) {
  return {array.data(), array.size()};
}

template <class T>
using OwnedArray = nanobind::ndarray<nanobind::numpy, T>;

// An array for Python that frees its memory itself.
template <class T>
OwnedArray<T> owned(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
  T* data = values.get();
  nanobind::capsule owner(values.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return OwnedArray<T>(data, shape, owner);
}

// Gives the numbers away to a numpy array, without copying them.
template <class Number>
nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<1>> as_array(std::vector<Number>&& numbers) {
  auto* owned = new std::vector<Number>(std::move(numbers));
  nanobind::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return {owned->data(), {owned->size()}, owner};
}

// Gives away the numbers of each column.
template <class... Numbers>
nanobind::tuple as_arrays(std::vector<Numbers>&... columns) {
  return nanobind::make_tuple(as_array(std::move(columns))...);
}

// An array of zeros that `fill` writes to, while other threads may run Python.
template <class T, class Fill>
OwnedArray<T> filled(std::initializer_list<std::size_t> shape, Fill&& fill) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  auto values = std::make_unique<T[]>(size);
  without_gil([&] { fill(values.get()); });
  return owned(std::move(values), shape);
}

// Rows of so many numbers each, one after the other.
template <class T>
OwnedArray<T> as_rows(const std::vector<T>& numbers, std::size_t columns) {
  return filled<T>({numbers.size() / columns, columns},
                   [&](T* values) { std::copy(numbers.begin(), numbers.end(), values); });
}

// Row i of packed columns is [offsets[i], offsets[i + 1]).
inline void check_rows(const LongVector& offsets, std::size_t tokens) {
  const std::size_t rows = offsets.size();
  bool rise = rows > 0 && offsets(0) == 0 && offsets(rows - 1) == static_cast<std::int64_t>(tokens);
  for (std::size_t i = 1; rise && i < rows; ++i) {
    rise = offsets(i) >= offsets(i - 1) &&
           offsets(i) - offsets(i - 1) <= std::numeric_limits<std::int32_t>::max();
  }
  if (!rise) throw nanobind::value_error("the offsets do not rise from 0 to the number of tokens");
}

// Every cell of a column is the number of a string.
inline void check_cells(std::initializer_list<IntVector> columns, std::size_t tokens, std::size_t strings) {
  for (const IntVector& column : columns) {
    if (column.size() != tokens) throw nanobind::value_error("the columns differ in length");
    for (std::size_t i = 0; i < tokens; ++i) {
      if (column(i) < 0 || static_cast<std::size_t>(column(i)) >= strings) {
        throw nanobind::value_error("a cell is not the number of a string");
      }
    }
  }
}

inline void check_offsets(const LongVector& offsets, std::size_t total, const char* name) {
  const std::int64_t* o = offsets.data();
  const std::size_t n = offsets.size();
  bool sound = n > 0 && o[0] == 0 && o[n - 1] == static_cast<std::int64_t>(total);
  for (std::size_t i = 1; sound && i < n; ++i) {
    sound = o[i - 1] <= o[i] && o[i] - o[i - 1] < std::numeric_limits<std::int32_t>::max();
  }
  if (!sound) {
    throw RefusedInputError("MP406",
                            std::string(name) + " must rise from 0 to " + std::to_string(total) + ".");
  }
}

inline void check_ids(const std::int32_t* ids, std::size_t count, std::int64_t bound, const char* name) {
  std::int32_t low = 0, high = 0;  // a reduction without branches: ids are many and nearly always right
  for (std::size_t i = 0; i < count; ++i) {
    low = std::min(low, ids[i]);
    high = std::max(high, ids[i]);
  }
  if (low >= 0 && (high < bound || count == 0)) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (ids[i] < 0 || ids[i] >= bound) {
      throw RefusedInputError("MP403", std::string(name) + "[" + std::to_string(i) + "] is " +
                                           std::to_string(ids[i]) + ", which is not in 0 to " +
                                           std::to_string(bound - 1) + ".");
    }
  }
}

template <class Ids>
void check_ids(const Ids& ids, std::integral auto bound, const char* name) {
  check_ids(ids.data(), ids.size(), static_cast<std::int64_t>(bound), name);
}

inline void check_amounts(const Vector<double>& amounts, const char* name) {
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const double amount = amounts.data()[i];
    if (!(amount >= 0.0) || std::isinf(amount)) {
      throw RefusedInputError("MP402", std::string(name) + "[" + std::to_string(i) + "] is " +
                                           std::to_string(amount) +
                                           ", which is not a finite number of at least 0.");
    }
  }
}

}  // namespace metaphrase
