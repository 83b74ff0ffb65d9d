// Python's way to counts of n-grams.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ngram_matches.hpp"
#include "parallel.hpp"

namespace nb = nanobind;
using namespace metaphrase;

namespace {

using Texts = std::vector<std::string>;

nb::object matches(const Texts& hypotheses, const std::vector<Texts>& references, int orders, int threads) {
  if (orders < 1 || orders > 1000) throw std::invalid_argument("orders must be 1 to 1000");
  if (references.empty()) throw std::invalid_argument("there must be a reference");
  for (const Texts& texts : references) {
    if (texts.size() != hypotheses.size()) throw std::invalid_argument("texts must be equally many");
  }
  const std::size_t columns = NgramMatcher(orders).columns();
  auto rows = std::make_unique<double[]>(hypotheses.size() * columns + 1);
  {
    const nb::gil_scoped_release release;
    parallel_blocks(hypotheses.size(), 64, threads, [&](std::size_t begin, std::size_t end, int) {
      NgramMatcher matcher(orders);
      std::vector<std::string_view> others(references.size());
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t r = 0; r < references.size(); ++r) others[r] = references[r][i];
        matcher.count(hypotheses[i], others, rows.get() + i * columns);
      }
    });
  }
  double* data = rows.get();
  nb::capsule owner(rows.release(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(data, {hypotheses.size(), columns}, owner));
}

}  // namespace

void bind_ngrams(nb::module_& module) {
  module.def("matches", &matches, nb::arg("hypotheses"), nb::arg("references"), nb::arg("orders"),
             nb::arg("threads"),
             "BLEU's statistics of texts whose words stand between single spaces, (segments, 2 + 2 orders).");
}
