// Python's way to counts of n-grams.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "counts/information.hpp"
#include "counts/mteval_tokens.hpp"
#include "counts/ngram_matches.hpp"
#include "counts/overlap.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"

namespace nb = nanobind;

namespace metaphrase::counts {
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
  return nb::cast(owned(std::move(rows), {hypotheses.size(), columns}));
}

OwnedArray<std::int64_t> overlaps(IntVector hypotheses, LongVector hypothesis_offsets, IntVector references,
                                  LongVector reference_offsets, int orders, int threads) {
  if (orders < 1 || orders > 1000) throw std::invalid_argument("orders must be 1 to 1000");
  check_offsets(hypothesis_offsets, hypotheses.size(), "hypotheses");
  check_offsets(reference_offsets, references.size(), "references");
  if (hypothesis_offsets.size() != reference_offsets.size()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally many.");
  }
  const std::size_t pairs = hypothesis_offsets.size() - 1, columns = NgramOverlap::columns * orders;
  auto rows = std::make_unique<std::int64_t[]>(pairs * columns + 1);
  const auto symbols = [](const IntVector& side, const LongVector& offsets, std::size_t i) {
    const std::int64_t* bounds = offsets.data() + i;
    return NgramOverlap::Symbols(side.data() + bounds[0], static_cast<std::size_t>(bounds[1] - bounds[0]));
  };
  {
    const nb::gil_scoped_release release;
    parallel_blocks(pairs, 64, threads, [&](std::size_t begin, std::size_t end, int) {
      NgramOverlap overlap;
      for (std::size_t i = begin; i < end; ++i) {
        overlap.count(symbols(hypotheses, hypothesis_offsets, i), symbols(references, reference_offsets, i),
                      orders, rows.get() + i * columns);
      }
    });
  }
  return owned(std::move(rows), {pairs, columns});
}

using IdSpan = std::span<const std::int32_t>;

NgramInformation information(IntVector references, LongVector offsets, std::size_t segments, int orders) {
  if (orders < 1 || orders > 1000) throw std::invalid_argument("orders must be 1 to 1000");
  check_offsets(offsets, references.size(), "references");
  const std::size_t rows = offsets.size() - 1;
  if (segments == 0 ? rows != 0 : rows % segments != 0) {
    throw RefusedInputError("MP406", "references must be equally many for each segment.");
  }
  try {
    const nb::gil_scoped_release release;
    return NgramInformation(IdSpan(references.data(), references.size()),
                            std::span(offsets.data(), offsets.size()), segments, orders);
  } catch (const std::length_error&) {
    throw RefusedInputError("MP579", "the references have more n-grams than can be counted.");
  }
}

OwnedArray<double> matched(const NgramInformation& information, IntVector hypotheses, LongVector offsets,
                           int threads) {
  check_offsets(offsets, hypotheses.size(), "hypotheses");
  const std::size_t segments = offsets.size() - 1, orders = information.orders();
  if (segments != information.segments()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally many.");
  }
  auto rows = std::make_unique<double[]>(segments * orders + 1);
  {
    const nb::gil_scoped_release release;
    std::vector<NgramInformation::Scratch> scratch(static_cast<std::size_t>(std::max(threads, 1)));
    parallel_blocks(segments, 64, threads, [&](std::size_t begin, std::size_t end, int thread) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::int64_t* bounds = offsets.data() + i;
        const IdSpan symbols(hypotheses.data() + bounds[0], static_cast<std::size_t>(bounds[1] - bounds[0]));
        information.matched(symbols, i, scratch[thread], rows.get() + i * orders);
      }
    });
  }
  return owned(std::move(rows), {segments, orders});
}

OwnedArray<double> told(const NgramInformation& information, IntVector symbols) {
  auto rows = std::make_unique<double[]>(symbols.size() * information.orders() + 1);
  information.told(IdSpan(symbols.data(), symbols.size()), rows.get());
  return owned(std::move(rows), {symbols.size(), information.orders()});
}

nb::bytes separate(const nb::bytes& text) {
  const std::string_view view(text.c_str(), text.size());
  std::string separated;
  {
    const nb::gil_scoped_release release;
    separated = MtevalTokens::separate(view);
  }
  return nb::bytes(separated.data(), separated.size());
}

}  // namespace

void bind_ngrams(nb::module_ module) {
  module.def("matches", &matches, nb::arg("hypotheses"), nb::arg("references"), nb::arg("orders"),
             nb::arg("threads"),
             "BLEU's statistics of texts whose words stand between single spaces, (segments, 2 + 2 orders).");
  module.def(
      "overlaps", &overlaps, nb::arg("hypotheses"), nb::arg("hypothesis_offsets"), nb::arg("references"),
      nb::arg("reference_offsets"), nb::arg("orders"), nb::arg("threads"),
      "chrF's statistics of rows of symbols: by order n-grams of the hypothesis, of the reference, common.");
  nb::class_<NgramInformation>(module, "Information", "What n-grams of references tell, in bits.")
      .def("matched", &matched, nb::arg("hypotheses"), nb::arg("offsets"), nb::arg("threads"),
           "NIST's statistics of rows of symbols: by order the bits that match, (segments, orders).")
      .def("told", &told, nb::arg("symbols"),
           "What the n-grams that begin at each symbol tell, (symbols, orders); NaN if no reference has "
           "them.");
  module.def("information", &information, nb::arg("references"), nb::arg("offsets"), nb::arg("segments"),
             nb::arg("orders"),
             "Counts n-grams of references; the r-th one of segment i is row r * segments + i.");
  module.def("separate", &separate, nb::arg("text"),
             "UTF-8 with spaces around what mteval-v13a makes a word of its own; a text is what is between "
             "line breaks.");
}

}  // namespace metaphrase::counts
