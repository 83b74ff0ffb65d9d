// metaphrase._core.soft_matches: how well words of two sentences match by their vectors, and vectors of
// words by their spelling.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "alignment/soft_matches.hpp"
#include "alignment/spelling_vectors.hpp"
#include "base/parallel.hpp"
#include "base/parallel_text.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::alignment {
namespace {

// Lengths as far from 1 as this, squared, are no rounding.
constexpr double most_rounding = 1e-4;

struct CheckedVectors {
  Matrix<float> vectors;
  Vector<double> rarity;

  WeightedVectors table() const { return {vectors.data(), rarity.data(), vectors.shape(1)}; }

  void check() const {
    const nb::gil_scoped_release released;
    if (vectors.shape(0) != rarity.size()) {
      throw RefusedInputError("MP406", "vectors and rarity must be equally many.");
    }
    for (std::size_t word = 0; word < rarity.size(); ++word) {
      const double weight = rarity.data()[word];
      if (!(weight > 0.0 && weight <= 1.0)) {
        throw RefusedInputError("MP402", "rarity[" + std::to_string(word) + "] is " + std::to_string(weight) +
                                             ", which is not above 0 and at most 1.");
      }
      double square = 0.0;
      const float* vector = table().of(static_cast<std::int32_t>(word));
      for (std::size_t k = 0; k < vectors.shape(1); ++k) {
        square += static_cast<double>(vector[k]) * static_cast<double>(vector[k]);
      }
      // NaN and infinity have no such length either.
      if (square != 0.0 && !(std::abs(square - 1.0) <= most_rounding)) {
        throw RefusedInputError("MP402",
                                "vectors[" + std::to_string(word) + "] has neither length 1 nor length 0.");
      }
    }
  }
};

OwnedArray<double> match(LongVector offsets, IntVector word, const CheckedVectors& vectors, IntVector left,
                         IntVector right, int threads) {
  check_offsets(offsets, word.size(), "offsets");
  check_ids(word.data(), word.size(), static_cast<std::int64_t>(vectors.rarity.size()), "word");
  if (left.size() != right.size()) {
    throw RefusedInputError("MP406", "left and right must be equally long.");
  }
  const auto sentences = static_cast<std::int64_t>(offsets.size()) - 1;
  check_ids(left.data(), left.size(), sentences, "left");
  check_ids(right.data(), right.size(), sentences, "right");
  const auto words = [&](std::int32_t row) {
    const std::int64_t* bounds = offsets.data() + row;
    return SoftMatcher::Words(word.data() + bounds[0], static_cast<std::size_t>(bounds[1] - bounds[0]));
  };
  auto rows = std::make_unique<double[]>(left.size() * SoftMatcher::columns + 1);
  {
    const nb::gil_scoped_release released;
    parallel_blocks(left.size(), 64, threads, [&](std::size_t begin, std::size_t end, int) {
      SoftMatcher matcher(vectors.table());
      for (std::size_t p = begin; p < end; ++p) {
        matcher.match(words(left.data()[p]), words(right.data()[p]), rows.get() + p * SoftMatcher::columns);
      }
    });
  }
  return owned(std::move(rows), {left.size(), SoftMatcher::columns});
}

OwnedArray<float> spelling_vectors(IntVector chars, LongVector offsets) {
  check_offsets(offsets, chars.size(), "offsets");
  const PackedText words{view(offsets), view(chars)};
  return filled<float>({words.sentences(), SpellingVectors::dimensions}, [&](float* rows) {
    SpellingVectors vectors;
    for (std::size_t k = 0; k < words.sentences(); ++k) {
      vectors.spell(words.sentence(k), rows + k * SpellingVectors::dimensions);
    }
  });
}

}  // namespace

void bind_soft_matches(nb::module_ module) {
  nb::class_<CheckedVectors>(module, "WeightedVectors", "Vectors and weights of words, by their numbers.")
      .def("__init__", &make_struct<CheckedVectors, Matrix<float>, Vector<double>>, nb::kw_only(),
           "vectors"_a, "rarity"_a);
  module.def("match", &match, "offsets"_a, "word"_a, "vectors"_a, "left"_a, "right"_a, "threads"_a,
             "The columns of soft_matches.hpp for every pair of sentences, (pairs, 13).");
  module.def("spelling_vectors", &spelling_vectors, "chars"_a, "offsets"_a,
             "The vectors of spelling_vectors.hpp for every word, (words, 128).");
}

}  // namespace metaphrase::alignment
