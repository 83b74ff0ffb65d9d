// Python's way to counts of n-grams, and of symbols in common.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/parallel_text.hpp"
#include "base/string_table.hpp"
#include "counts/common_subsequence.hpp"
#include "counts/count_scores.hpp"
#include "counts/information.hpp"
#include "counts/ngram_items.hpp"
#include "counts/ngram_matches.hpp"
#include "counts/overlap.hpp"
#include "counts/sacrebleu_tokens.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/text.hpp"
#include "python/without_gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::counts {
namespace {

// Texts with their words between single spaces.
struct TokenisedTexts {
  std::vector<std::string> texts;
};

Tokeniser tokeniser_called(const std::string& name) {
  if (name == "none") return Tokeniser::none;
  if (name == "13a") return Tokeniser::western;
  if (name == "intl") return Tokeniser::international;
  if (name == "zh") return Tokeniser::chinese;
  if (name == "char") return Tokeniser::characters;
  throw std::invalid_argument("there is no tokeniser " + name);
}

TokenisedTexts tokenise_by(const SacrebleuTokens& tokeniser, const nb::list& texts, int threads) {
  const std::vector<std::string_view> views = strict_utf8_list(texts);
  TokenisedTexts tokenised{std::vector<std::string>(views.size())};
  without_gil([&] {
    const auto make = [&] { return tokeniser; };
    parallel_items(views.size(), 64, threads, make, [&](SacrebleuTokens& tokens, std::size_t i) {
      tokenised.texts[i] = tokens.words(views[i]);
    });
  });
  return tokenised;
}

TokenisedTexts taken(const TokenisedTexts& tokenised, IntVector rows) {
  check_ids(rows, tokenised.texts.size(), "rows");
  TokenisedTexts chosen;
  chosen.texts.reserve(rows.size());
  for (const std::int32_t row : view(rows)) chosen.texts.push_back(tokenised.texts[row]);
  return chosen;
}

TokenisedTexts tokenise(const nb::list& texts, const std::string& name, int threads) {
  return tokenise_by(SacrebleuTokens(tokeniser_called(name)), texts, threads);
}

TokenisedTexts tokenise_for_ter(const nb::list& texts, bool normalized, bool asian_support, bool no_punct,
                                int passes, int threads) {
  if (passes < 1) throw std::invalid_argument("there must be a pass");
  return tokenise_by(SacrebleuTokens(Tercom{normalized, asian_support, no_punct, passes}), texts, threads);
}

// Words by their numbers, and where each text begins.
nb::tuple number_words(StringTable& numbers, const TokenisedTexts& tokenised) {
  std::vector<std::int32_t> symbols;
  std::vector<std::int64_t> offsets{0};
  for (const std::string_view text : tokenised.texts) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      symbols.push_back(numbers.intern(text.substr(at, end - at)));
      at = end + 1;
    }
    offsets.push_back(static_cast<std::int64_t>(symbols.size()));
  }
  return as_arrays(symbols, offsets);
}

OwnedArray<double> matches(const TokenisedTexts& hypotheses,
                           const std::vector<const TokenisedTexts*>& references, int orders, int threads) {
  if (orders < 1 || orders > 1000) throw std::invalid_argument("orders must be 1 to 1000");
  if (references.empty()) throw std::invalid_argument("there must be a reference");
  for (const TokenisedTexts* tokenised : references) {
    if (tokenised->texts.size() != hypotheses.texts.size())
      throw std::invalid_argument("texts must be equally many");
  }
  const std::size_t segments = hypotheses.texts.size(), columns = NgramMatcher(orders).columns();
  return filled<double>({segments, columns}, [&](double* rows) {
    parallel_blocks(segments, 64, threads, [&](std::size_t begin, std::size_t end, int) {
      NgramMatcher matcher(orders);
      std::vector<std::string_view> others(references.size());
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t r = 0; r < references.size(); ++r) others[r] = references[r]->texts[i];
        matcher.count(hypotheses.texts[i], others, rows + i * columns);
      }
    });
  });
}

// The texts that were counted, which Python keeps, and their items.
struct CountedTexts {
  std::vector<std::int32_t> symbols;
  std::vector<std::int64_t> offsets;
  NgramItems items;

  PackedText texts() const { return {offsets, symbols}; }
};

CountedTexts counted(IntVector symbols, LongVector offsets, int orders) {
  if (orders < 1 || orders > 1000) throw std::invalid_argument("orders must be 1 to 1000");
  check_offsets(offsets, symbols.size(), "offsets");
  const PackedText texts{view(offsets), view(symbols)};
  const nb::gil_scoped_release release;
  return {{texts.words.begin(), texts.words.end()},
          {texts.offsets.begin(), texts.offsets.end()},
          NgramItems(texts, orders)};
}

void check_sides(const CountedTexts& counted, const IntVector& candidates, const IntVector& references) {
  check_ids(candidates, counted.items.texts(), "candidates");
  check_ids(references, counted.items.texts(), "references");
}

OwnedArray<std::int32_t> crossed(const CountedTexts& counted, IntVector candidates, IntVector references,
                                 int threads) {
  check_sides(counted, candidates, references);
  return filled<std::int32_t>(
      {candidates.size(), references.size(), counted.items.orders()},
      [&](std::int32_t* out) { counted.items.matches(view(candidates), view(references), threads, out); });
}

OwnedArray<double> expected(const CountedTexts& counted, IntVector candidates, IntVector references,
                            Vector<double> weights, std::optional<Matrix<double>> values) {
  check_sides(counted, candidates, references);
  check_amounts(weights, "weights");
  if (weights.size() != references.size())
    throw RefusedInputError("MP406", "weights and references must be equally many.");
  const std::size_t orders = counted.items.orders();
  if (values && (values->shape(0) != counted.symbols.size() || values->shape(1) != orders))
    throw RefusedInputError("MP406", "values must have a row for each symbol and a column for each order.");
  return filled<double>({candidates.size(), orders}, [&](double* out) {
    counted.items.expected(view(candidates), view(references), weights.data(), counted.texts(),
                           values ? values->data() : nullptr, out);
  });
}

Smoothing smoothing_called(const std::string& name) {
  if (name == "none") return Smoothing::none;
  if (name == "floor") return Smoothing::floor;
  if (name == "add-k") return Smoothing::add_k;
  if (name == "exp") return Smoothing::exp;
  throw std::invalid_argument("there is no smoothing " + name);
}

// A score for each row of counts.
template <class Score>
OwnedArray<double> scores_of(const Matrix<double>& counts, Score&& score) {
  const std::size_t columns = counts.shape(1);
  return filled<double>({counts.shape(0)}, [&](double* out) {
    for (std::size_t row = 0; row < counts.shape(0); ++row)
      out[row] = score(std::span<const double>(counts.data() + row * columns, columns));
  });
}

OwnedArray<double> bleu_scores(Matrix<double> counts, const std::string& smoothing, double value,
                               bool effective_order) {
  if (counts.shape(1) < 4 || counts.shape(1) % 2)
    throw std::invalid_argument("BLEU has two lengths and two columns for each order");
  const BleuOptions options{smoothing_called(smoothing), value, effective_order};
  return scores_of(counts, [&](std::span<const double> row) { return bleu_score(row, options); });
}

OwnedArray<double> chrf_scores(Matrix<double> counts, double weight, bool eps_smoothing) {
  if (counts.shape(1) < 3 || counts.shape(1) % 3)
    throw std::invalid_argument("chrF has three columns for each order");
  return scores_of(counts,
                   [&](std::span<const double> row) { return chrf_score(row, weight, eps_smoothing); });
}

ParallelText checked_pairs(const IntVector& hypotheses, const LongVector& hypothesis_offsets,
                           const IntVector& references, const LongVector& reference_offsets) {
  check_offsets(hypothesis_offsets, hypotheses.size(), "hypotheses");
  check_offsets(reference_offsets, references.size(), "references");
  if (hypothesis_offsets.size() != reference_offsets.size()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally many.");
  }
  return {{view(hypothesis_offsets), view(hypotheses)}, {view(reference_offsets), view(references)}};
}

OwnedArray<std::int64_t> overlaps(IntVector hypotheses, LongVector hypothesis_offsets, IntVector references,
                                  LongVector reference_offsets, int orders, int threads) {
  if (orders < 1 || orders > 1000) throw std::invalid_argument("orders must be 1 to 1000");
  const auto text = checked_pairs(hypotheses, hypothesis_offsets, references, reference_offsets);
  const std::size_t pairs = text.sentences(), columns = NgramOverlap::columns * orders;
  return filled<std::int64_t>({pairs, columns}, [&](std::int64_t* rows) {
    const auto make = [] { return NgramOverlap(); };
    parallel_items(pairs, 64, threads, make, [&](NgramOverlap& overlap, std::size_t i) {
      overlap.count(text.source.sentence(i), text.target.sentence(i), orders, rows + i * columns);
    });
  });
}

OwnedArray<std::int64_t> common_subsequences(IntVector hypotheses, LongVector hypothesis_offsets,
                                             IntVector references, LongVector reference_offsets,
                                             int threads) {
  const auto text = checked_pairs(hypotheses, hypothesis_offsets, references, reference_offsets);
  return filled<std::int64_t>({text.sentences()}, [&](std::int64_t* lengths) {
    const auto make = [] { return CommonSubsequence(); };
    parallel_items(text.sentences(), 64, threads, make, [&](CommonSubsequence& common, std::size_t i) {
      lengths[i] = common.length(text.source.sentence(i), text.target.sentence(i));
    });
  });
}

NgramInformation information(IntVector references, LongVector offsets, std::size_t segments, int orders) {
  if (orders < 1 || orders > 1000) throw std::invalid_argument("orders must be 1 to 1000");
  check_offsets(offsets, references.size(), "references");
  const std::size_t rows = offsets.size() - 1;
  if (segments == 0 ? rows != 0 : rows % segments != 0) {
    throw RefusedInputError("MP406", "references must be equally many for each segment.");
  }
  try {
    const nb::gil_scoped_release release;
    return NgramInformation(view(references), view(offsets), segments, orders);
  } catch (const std::length_error&) {
    throw RefusedInputError("MP579", "the references have more n-grams than can be counted.");
  }
}

OwnedArray<double> matched(const NgramInformation& information, IntVector hypotheses, LongVector offsets,
                           int threads) {
  check_offsets(offsets, hypotheses.size(), "hypotheses");
  const PackedText text{view(offsets), view(hypotheses)};
  const std::size_t segments = text.sentences(), orders = information.orders();
  if (segments != information.segments()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally many.");
  }
  return filled<double>({segments, orders}, [&](double* rows) {
    const auto make = [] { return NgramInformation::Scratch(); };
    parallel_items(segments, 64, threads, make, [&](NgramInformation::Scratch& scratch, std::size_t i) {
      information.matched(text.sentence(i), i, scratch, rows + i * orders);
    });
  });
}

nb::tuple ngrams_of(const NgramInformation& information) {
  const auto counts = information.counts();
  std::vector<std::int32_t> contexts(counts.size()), symbols(counts.size());
  for (std::size_t name = 0; name < counts.size(); ++name) {
    contexts[name] = information.names().first(static_cast<std::int32_t>(name));
    symbols[name] = information.names().second(static_cast<std::int32_t>(name));
  }
  std::vector<std::int64_t> copied(counts.begin(), counts.end());
  return as_arrays(contexts, symbols, copied);
}

void weigh(NgramInformation& information, LongVector counts, std::int64_t symbols) {
  if (counts.size() != information.counts().size()) {
    throw RefusedInputError("MP406", "counts must be as many as n-grams.");
  }
  if (std::ranges::any_of(view(counts), [](std::int64_t count) { return count < 1; })) {
    throw RefusedInputError("MP402", "counts of n-grams must be at least 1.");
  }
  information.weigh(view(counts), symbols);
}

OwnedArray<double> exponentials(Vector<double> values) {
  return filled<double>({values.size()}, [&](double* out) {
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = std::exp(values.data()[i]);
  });
}

OwnedArray<double> told(const NgramInformation& information, IntVector symbols) {
  return filled<double>({symbols.size(), information.orders()},
                        [&](double* rows) { information.told(view(symbols), rows); });
}

}  // namespace

void bind_ngrams(nb::module_ module) {
  nb::class_<TokenisedTexts>(module, "TokenisedTexts", "Texts as words.")
      .def(
          "texts", [](const TokenisedTexts& tokenised) { return to_list(tokenised.texts); },
          "Each text with its words between single spaces.")
      .def("take", &taken, "rows"_a, "These texts, each as often as it is named.");
  module.def("tokenise", &tokenise, "texts"_a, "tokeniser"_a, "threads"_a,
             "The words that sacreBLEU's tokeniser of this name finds: none, 13a, intl, zh or char.");
  module.def("tokenise_for_ter", &tokenise_for_ter, "texts"_a, nb::kw_only(), "normalized"_a,
             "asian_support"_a, "no_punct"_a, "passes"_a, "threads"_a,
             "The words that sacreBLEU's tokeniser of TER finds, after so many passes.");
  nb::class_<StringTable>(module, "WordNumbers", "Words with a number each.")
      .def(nb::init<>())
      .def("rows", &number_words, "texts"_a,
           "The words of all texts by their numbers, and where each text begins; a new word gets the next "
           "number.");
  module.def("matches", &matches, "hypotheses"_a, "references"_a, "orders"_a, "threads"_a,
             "BLEU's statistics, (segments, 2 + 2 orders).");
  module.def(
      "overlaps", &overlaps, "hypotheses"_a, "hypothesis_offsets"_a, "references"_a, "reference_offsets"_a,
      "orders"_a, "threads"_a,
      "chrF's statistics of rows of symbols: by order n-grams of the hypothesis, of the reference, common.");
  module.def("common_subsequences", &common_subsequences, "hypotheses"_a, "hypothesis_offsets"_a,
             "references"_a, "reference_offsets"_a, "threads"_a,
             "How long the longest common subsequence of each pair of rows of symbols is.");
  nb::class_<CountedTexts>(module, "CountedTexts", "The n-grams of some texts.")
      .def("matches", &crossed, "candidates"_a, "references"_a, "threads"_a,
           "The n-grams that each candidate has in common with each reference, (candidates, references, "
           "orders).")
      .def("expected", &expected, "candidates"_a, "references"_a, "weights"_a, "values"_a.none(),
           "The sums of the matches with all references, each times its weight, (candidates, orders).");
  module.def("counted", &counted, "symbols"_a, "offsets"_a, "orders"_a, "Counts the n-grams of texts.");
  nb::class_<NgramInformation>(module, "Information", "What n-grams of references tell, in bits.")
      .def("matched", &matched, "hypotheses"_a, "offsets"_a, "threads"_a,
           "NIST's statistics of rows of symbols: by order the bits that match, (segments, orders).")
      .def("told", &told, "symbols"_a,
           "What the n-grams that begin at each symbol tell, (symbols, orders); NaN if no reference has "
           "them.")
      .def("ngrams", &ngrams_of,
           "Of each n-gram the number of the one of its first n-1 symbols, -1 if there are none, its last "
           "symbol, and how often the references have it.")
      .def("weigh", &weigh, "counts"_a, "symbols"_a,
           "Takes these counts of n-grams, and of all symbols, for those of all references.");
  module.def("exponentials", &exponentials, "values"_a,
             "The C library's, which on every machine with it are Python's to the last bit.");
  module.def("bleu_scores", &bleu_scores, "counts"_a, "smoothing"_a, "value"_a, "effective_order"_a,
             "BLEU of rows of lengths, matches by order and n-grams by order.");
  module.def("chrf_scores", &chrf_scores, "counts"_a, "weight"_a, "eps_smoothing"_a,
             "chrF of rows of n-grams of both sides and matches, for each order.");
  module.def("information", &information, "references"_a, "offsets"_a, "segments"_a, "orders"_a,
             "Counts n-grams of references; the r-th one of segment i is row r * segments + i.");
}

}  // namespace metaphrase::counts
