// Python's way to the transport kernels. Whatever an array holds is checked here, before the kernels trust
// it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bags/hubs.hpp"
#include "bags/masks.hpp"
#include "bags/ngram_bags.hpp"
#include "bags/staged_ngrams.hpp"
#include "bags/transport.hpp"
#include "base/parallel.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::bags {
namespace {

using Result = OwnedArray<double>;

// Problems whose every number has been looked at.
struct CheckedProblems {
  LongVector edge_offsets;
  IntVector rows, columns;
  Vector<double> similarities;
  LongVector supply_offsets;
  Vector<double> supply;
  LongVector demand_offsets;
  Vector<double> demand;

  void check() const {
    if (columns.size() != edges() || similarities.size() != edges()) {
      throw RefusedInputError("MP406", "rows, columns and similarities must be equally long.");
    }
    if (supply_offsets.size() != edge_offsets.size() || demand_offsets.size() != edge_offsets.size()) {
      throw RefusedInputError("MP406", "the three arrays of offsets must be equally long.");
    }
    check_offsets(edge_offsets, edges(), "edge_offsets");
    check_offsets(supply_offsets, supply.size(), "supply_offsets");
    check_offsets(demand_offsets, demand.size(), "demand_offsets");
    check_amounts(similarities, "similarities");
    check_amounts(supply, "supply");
    check_amounts(demand, "demand");
    for (std::size_t p = 0; p < size(); ++p) {
      const TransportProblem problem = (*this)[p];
      check_ids(problem.row, problem.edges, problem.rows, "rows");
      check_ids(problem.column, problem.edges, problem.columns, "columns");
    }
  }

  std::size_t size() const { return edge_offsets.size() - 1; }
  std::size_t edges() const { return rows.size(); }
  std::int64_t first_edge(std::size_t p) const { return edge_offsets.data()[p]; }

  TransportProblem operator[](std::size_t p) const {
    const std::int64_t first = first_edge(p);
    const std::int64_t* s = supply_offsets.data() + p;
    const std::int64_t* d = demand_offsets.data() + p;
    return {static_cast<std::int32_t>(s[1] - s[0]),
            static_cast<std::int32_t>(d[1] - d[0]),
            first_edge(p + 1) - first,
            rows.data() + first,
            columns.data() + first,
            similarities.data() + first,
            supply.data() + s[0],
            demand.data() + d[0]};
  }
};

std::pair<Result, nb::object> solve(const CheckedProblems& problems, int threads, bool flows) {
  auto flow = flows ? std::make_unique<double[]>(problems.edges()) : nullptr;
  Result optima = filled<double>({problems.size()}, [&](double* values) {
    const auto make = [] { return TransportSolver(); };
    parallel_items(problems.size(), 16, threads, make, [&](TransportSolver& solver, std::size_t p) {
      values[p] = solver.solve(problems[p], flow ? flow.get() + problems.first_edge(p) : nullptr);
    });
  });
  return {optima, flows ? nb::cast(owned(std::move(flow), {problems.edges()})) : nb::none()};
}

// One matcher per width of mask, made when first needed: the wide ones are large.
class BagMatcher {
 public:
  explicit BagMatcher(const BagRelations& relations) : relations_(relations), hubs_(relations) {}

  BagTotals match(const TokenView& reference, const TokenView& hypothesis, int mask_limit, bool check) {
    const int longest = std::max(reference.size, hypothesis.size);
    if (longest > mask_limit) return hubs_.match(reference, hypothesis, check);
    if (longest <= 64) return with(one_, reference, hypothesis, check);
    if (longest <= 128) return with(two_, reference, hypothesis, check);
    if (longest <= 256) return with(four_, reference, hypothesis, check);
    return with(eight_, reference, hypothesis, check);
  }

 private:
  template <int Words>
  BagTotals with(std::unique_ptr<MaskMatcher<Words>>& matcher, const TokenView& reference,
                 const TokenView& hypothesis, bool check) {
    if (!matcher) matcher = std::make_unique<MaskMatcher<Words>>(relations_);
    return matcher->match(reference, hypothesis, check);
  }

  const BagRelations relations_;
  HubMatcher hubs_;
  std::unique_ptr<MaskMatcher<1>> one_;
  std::unique_ptr<MaskMatcher<2>> two_;
  std::unique_ptr<MaskMatcher<4>> four_;
  std::unique_ptr<MaskMatcher<8>> eight_;
};

// Going through the lists in order, `s` must be the next entry in the list of each of its own entries. That
// holds for ascending lists of a symmetric relation, and for no others.
bool is_symmetric(const LongVector& offsets, const IntVector& synonyms) {
  const auto senses = static_cast<std::int32_t>(offsets.size()) - 1;
  std::vector<std::int64_t> next(offsets.data(), offsets.data() + senses);
  for (std::int32_t s = 0; s < senses; ++s) {
    for (std::int64_t v = offsets.data()[s]; v < offsets.data()[s + 1]; ++v) {
      const std::int32_t other = synonyms.data()[v];
      if (next[other] == offsets.data()[other + 1] || synonyms.data()[next[other]++] != s) return false;
    }
  }
  return true;
}

// Ids index tables; a dense numbering never comes near this, and the tables of the widest masks stay under
// 300 MB.
constexpr std::int64_t most_ids = std::int64_t{1} << 22;

// Token `t` of sentence `i` has the ids at `offsets[i] + t`.
struct Sentences {
  LongVector offsets;
  IntVector lemma, sense, tag;

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  TokenView operator[](std::int32_t row) const {
    const std::int64_t first = offsets.data()[row];
    return {lemma.data() + first, sense.data() + first, tag.data() + first,
            static_cast<int>(offsets.data()[row + 1] - first)};
  }
};

// Rows of hypotheses and of references, pair by pair.
using RowPairs = std::pair<IntVector, IntVector>;

void check_pairs(const RowPairs& rows, const Sentences& sentences) {
  const auto& [hypotheses, references] = rows;
  if (hypotheses.size() != references.size()) {
    throw RefusedInputError("MP406", "hypothesis_rows and reference_rows must be equally long.");
  }
  check_ids(hypotheses, sentences.size(), "hypothesis_rows");
  check_ids(references, sentences.size(), "reference_rows");
}

// Offsets, and the synonyms of every sense.
using Synonymy = std::pair<LongVector, IntVector>;

Result ngram_bags(const Sentences& sentences, Vector<std::uint8_t> function, const Synonymy& synonymy,
                  const RowPairs& rows, int divisor, int mask_limit, bool check, int threads) {
  const auto& [offsets, lemma, sense, tag] = sentences;
  const LongVector& synonym_offsets = synonymy.first;
  const IntVector& synonyms = synonymy.second;
  const std::size_t tokens = lemma.size();
  if (sense.size() != tokens || tag.size() != tokens) {
    throw RefusedInputError("MP406", "lemma, sense and tag must be equally long.");
  }
  check_offsets(offsets, tokens, "offsets");
  check_offsets(synonym_offsets, synonyms.size(), "synonym_offsets");
  if (divisor < 1 || divisor > 100) throw RefusedInputError("MP404", "divisor must be 1 to 100.");
  if (mask_limit < 0 || mask_limit > MaskMatcher<8>::capacity)
    throw RefusedInputError("MP404", "mask_limit must be 0 to 512.");
  const auto senses = static_cast<std::int64_t>(synonym_offsets.size()) - 1;
  check_ids(lemma.data(), tokens, most_ids, "lemma");
  check_ids(sense.data(), tokens, std::min(senses, most_ids), "sense");
  check_ids(tag.data(), tokens, std::min<std::int64_t>(function.size(), most_ids), "tag");
  check_ids(synonyms, std::min(senses, most_ids), "synonyms");
  check_pairs(rows, sentences);
  if (!is_symmetric(synonym_offsets, synonyms)) {
    throw RefusedInputError(
        "MP405", "synonymy must be symmetric (when a lists b, b must list a) and every list ascending.");
  }

  BagRelations relations{};
  relations.lemmas = tokens == 0 ? 0 : *std::max_element(lemma.data(), lemma.data() + tokens) + 1;
  relations.senses = static_cast<std::int32_t>(std::min(senses, most_ids));
  relations.tags = static_cast<std::int32_t>(std::min<std::int64_t>(function.size(), most_ids));
  relations.senses_are_lemmas =
      lemma.data() == sense.data() || std::equal(lemma.data(), lemma.data() + tokens, sense.data());
  relations.function = function.data();
  relations.synonym_offsets = synonym_offsets.data();
  relations.synonyms = synonyms.data();
  relations.power[0] = 1;
  for (int n = 1; n <= max_order; ++n) relations.power[n] = relations.power[n - 1] * divisor;

  const std::size_t pairs = rows.first.size();
  return filled<double>({pairs, 12}, [&](double* values) {
    const auto make = [&] { return BagMatcher(relations); };
    parallel_items(pairs, 16, threads, make, [&](BagMatcher& matcher, std::size_t p) {
      const TokenView reference = sentences[rows.second.data()[p]];
      const TokenView hypothesis = sentences[rows.first.data()[p]];
      const BagTotals totals = matcher.match(reference, hypothesis, mask_limit, check);
      for (int n = 1; n <= max_order; ++n) {
        double* out = values + p * 12 + n - 1;
        const auto unit = static_cast<double>(relations.power[n]);
        out[0] = static_cast<double>(totals.graded[n - 1]) / (2 * n * unit);
        out[3] = static_cast<double>(totals.tags[n - 1]) / unit;
        out[6] = static_cast<double>(totals.reference[n - 1]) / unit;
        out[9] = static_cast<double>(totals.hypothesis[n - 1]) / unit;
      }
    });
  });
}

// Asks about no senses.
Result staged_ngrams(const Sentences& sentences, const Synonymy& synonymy, const RowPairs& rows,
                     int threads) {
  const auto& [offsets, lemma, sense, tag] = sentences;
  const LongVector& synonym_offsets = synonymy.first;
  const IntVector& synonyms = synonymy.second;
  if (tag.size() != lemma.size()) throw RefusedInputError("MP406", "lemma and tag must be equally long.");
  check_offsets(offsets, lemma.size(), "offsets");
  check_offsets(synonym_offsets, synonyms.size(), "synonym_offsets");
  const auto lemmas = std::min(static_cast<std::int64_t>(synonym_offsets.size()) - 1, most_ids);
  check_ids(lemma, lemmas, "lemma");
  check_ids(synonyms, lemmas, "synonyms");
  check_pairs(rows, sentences);
  const std::size_t pairs = rows.first.size();
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::int64_t one = sentences[rows.first.data()[p]].size,
                       other = sentences[rows.second.data()[p]].size;
    if (one * other > StagedMatcher::most_pairs) {
      throw RefusedInputError("MP578", "a segment of " + std::to_string(one) + " words and a reference of " +
                                           std::to_string(other) + " are too long to be matched in stages.");
    }
  }
  return filled<double>({pairs, max_order}, [&](double* values) {
    const auto make = [&] {
      return StagedMatcher(static_cast<std::int32_t>(lemmas), synonym_offsets.data(), synonyms.data());
    };
    parallel_items(pairs, 16, threads, make, [&](StagedMatcher& matcher, std::size_t p) {
      const auto matched = matcher.match(sentences[rows.second.data()[p]], sentences[rows.first.data()[p]]);
      std::copy(matched.begin(), matched.end(), values + p * max_order);
    });
  });
}

}  // namespace

void bind_transport(nb::module_ module) {
  module.attr("most_ids") = most_ids;
  nb::class_<CheckedProblems>(module, "Problems")
      .def("__init__",
           &make_struct<CheckedProblems, LongVector, IntVector, IntVector, Vector<double>, LongVector,
                        Vector<double>, LongVector, Vector<double>>,
           "edge_offsets"_a, "rows"_a, "columns"_a, "similarities"_a, "supply_offsets"_a, "supply"_a,
           "demand_offsets"_a, "demand"_a);
  nb::class_<Sentences>(module, "Sentences")
      .def("__init__", &make_struct<Sentences, LongVector, IntVector, IntVector, IntVector>, "offsets"_a,
           "lemma"_a, "sense"_a, "tag"_a);
  module.def("solve", &solve, "problems"_a, "threads"_a, "flows"_a,
             "Optima of packed transportation problems, and their flows.");
  module.def("ngram_bags", &ngram_bags, "sentences"_a, "function"_a, "synonymy"_a, "rows"_a, "divisor"_a,
             "mask_limit"_a, "check"_a, "threads"_a,
             "Matched and total weights of n-gram bags, (pairs, 12).");
  module.def("staged_ngrams", &staged_ngrams, "sentences"_a, "synonymy"_a, "rows"_a, "threads"_a,
             "What is matched one to one in MaxSim's stages, (pairs, 3).");
}

}  // namespace metaphrase::bags
