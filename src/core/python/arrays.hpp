// Arrays from Python, and the checks that kernels rely on; what fails them never reaches a kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "python/python_values.hpp"

namespace metaphrase {

template <class T>
using OwnedArray = nanobind::ndarray<nanobind::numpy, T>;

// An array for Python that frees its memory itself.
template <class T>
OwnedArray<T> owned(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
  T* data = values.get();
  nanobind::capsule owner(values.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return OwnedArray<T>(data, shape, owner);
}

// Input that a kernel must not see; `what()` is a code of errors.py, a space and the message. The sub-module
// `transport` gives it its Python name.
struct RefusedInputError : std::runtime_error {
  RefusedInputError(const char* code, const std::string& message)
      : std::runtime_error(std::string(code) + " " + message) {}
};

inline void check_offsets(const Vector<std::int64_t>& offsets, std::size_t total, const char* name) {
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
