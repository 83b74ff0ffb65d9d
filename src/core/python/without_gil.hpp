// Work that asks nothing of Python, while other threads may run it.
#pragma once

#include <nanobind/nanobind.h>

namespace metaphrase {

template <class Work>
auto without_gil(Work&& work) {
  const nanobind::gil_scoped_release released;
  return work();
}

}  // namespace metaphrase
