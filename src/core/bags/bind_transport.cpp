// Python's way to the transport kernels. Whatever an array holds is checked here, before the kernels trust
// it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bags/hubs.hpp"
#include "bags/masks.hpp"
#include "bags/ngram_bags.hpp"
#include "bags/staged_ngrams.hpp"
#include "bags/transport.hpp"
#include "base/parallel.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"

namespace nb = nanobind;

namespace metaphrase::bags {
namespace {

using Result = OwnedArray<double>;

std::pair<Result, nb::object> solve(LongVector edge_offsets, IntVector rows, IntVector columns,
                                    Vector<double> similarities, LongVector supply_offsets,
                                    Vector<double> supply, LongVector demand_offsets, Vector<double> demand,
                                    int threads, bool flows) {
  const std::size_t edges = rows.size();
  if (columns.size() != edges || similarities.size() != edges) {
    throw RefusedInputError("MP406", "rows, columns and similarities must be equally long.");
  }
  if (supply_offsets.size() != edge_offsets.size() || demand_offsets.size() != edge_offsets.size()) {
    throw RefusedInputError("MP406", "the three arrays of offsets must be equally long.");
  }
  check_offsets(edge_offsets, edges, "edge_offsets");
  check_offsets(supply_offsets, supply.size(), "supply_offsets");
  check_offsets(demand_offsets, demand.size(), "demand_offsets");
  check_amounts(similarities, "similarities");
  check_amounts(supply, "supply");
  check_amounts(demand, "demand");
  const std::size_t problems = edge_offsets.size() - 1;
  auto values = std::make_unique<double[]>(problems);
  auto flow = flows ? std::make_unique<double[]>(edges) : nullptr;
  const auto problem_at = [&](std::size_t p) {
    const std::int64_t first = edge_offsets.data()[p];
    const std::int64_t* s = supply_offsets.data() + p;
    const std::int64_t* d = demand_offsets.data() + p;
    return TransportProblem{static_cast<std::int32_t>(s[1] - s[0]),
                            static_cast<std::int32_t>(d[1] - d[0]),
                            edge_offsets.data()[p + 1] - first,
                            rows.data() + first,
                            columns.data() + first,
                            similarities.data() + first,
                            supply.data() + s[0],
                            demand.data() + d[0]};
  };
  for (std::size_t p = 0; p < problems; ++p) {
    const TransportProblem problem = problem_at(p);
    check_ids(problem.row, problem.edges, problem.rows, "rows");
    check_ids(problem.column, problem.edges, problem.columns, "columns");
  }
  {
    const nb::gil_scoped_release released;
    parallel_blocks(problems, 16, threads, [&](std::size_t begin, std::size_t end, int) {
      TransportSolver solver;
      for (std::size_t p = begin; p < end; ++p) {
        values[p] = solver.solve(problem_at(p), flow ? flow.get() + edge_offsets.data()[p] : nullptr);
      }
    });
  }
  nb::object plan = flows ? nb::cast(owned(std::move(flow), {edges})) : nb::none();
  return {owned(std::move(values), {problems}), plan};
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

Result ngram_bags(LongVector offsets, IntVector lemma, IntVector sense, IntVector tag,
                  Vector<std::uint8_t> function, LongVector synonym_offsets, IntVector synonyms,
                  IntVector hypothesis_rows, IntVector reference_rows, int divisor, int threads,
                  int mask_limit, bool check) {
  const std::size_t tokens = lemma.size();
  if (sense.size() != tokens || tag.size() != tokens) {
    throw RefusedInputError("MP406", "lemma, sense and tag must be equally long.");
  }
  if (hypothesis_rows.size() != reference_rows.size()) {
    throw RefusedInputError("MP406", "hypothesis_rows and reference_rows must be equally long.");
  }
  check_offsets(offsets, tokens, "offsets");
  check_offsets(synonym_offsets, synonyms.size(), "synonym_offsets");
  if (divisor < 1 || divisor > 100) throw RefusedInputError("MP404", "divisor must be 1 to 100.");
  if (mask_limit < 0 || mask_limit > MaskMatcher<8>::capacity)
    throw RefusedInputError("MP404", "mask_limit must be 0 to 512.");
  const auto senses = static_cast<std::int64_t>(synonym_offsets.size()) - 1;
  const auto sentences = static_cast<std::int64_t>(offsets.size()) - 1;
  check_ids(lemma.data(), tokens, most_ids, "lemma");
  check_ids(sense.data(), tokens, std::min(senses, most_ids), "sense");
  check_ids(tag.data(), tokens, std::min<std::int64_t>(function.size(), most_ids), "tag");
  check_ids(synonyms.data(), synonyms.size(), std::min(senses, most_ids), "synonyms");
  check_ids(hypothesis_rows.data(), hypothesis_rows.size(), sentences, "hypothesis_rows");
  check_ids(reference_rows.data(), reference_rows.size(), sentences, "reference_rows");
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

  const auto view = [&](std::int32_t row) {
    const std::int64_t first = offsets.data()[row];
    return TokenView{lemma.data() + first, sense.data() + first, tag.data() + first,
                     static_cast<int>(offsets.data()[row + 1] - first)};
  };
  const std::size_t pairs = hypothesis_rows.size();
  auto values = std::make_unique<double[]>(pairs * 12);
  {
    const nb::gil_scoped_release released;
    std::vector<std::unique_ptr<BagMatcher>> matchers(std::max(threads, 1));
    parallel_blocks(pairs, 16, threads, [&](std::size_t begin, std::size_t end, int thread) {
      if (!matchers[thread]) matchers[thread] = std::make_unique<BagMatcher>(relations);
      for (std::size_t p = begin; p < end; ++p) {
        const TokenView reference = view(reference_rows.data()[p]);
        const TokenView hypothesis = view(hypothesis_rows.data()[p]);
        const BagTotals totals = matchers[thread]->match(reference, hypothesis, mask_limit, check);
        for (int n = 1; n <= max_order; ++n) {
          double* out = values.get() + p * 12 + n - 1;
          const auto unit = static_cast<double>(relations.power[n]);
          out[0] = static_cast<double>(totals.graded[n - 1]) / (2 * n * unit);
          out[3] = static_cast<double>(totals.tags[n - 1]) / unit;
          out[6] = static_cast<double>(totals.reference[n - 1]) / unit;
          out[9] = static_cast<double>(totals.hypothesis[n - 1]) / unit;
        }
      }
    });
  }
  return owned(std::move(values), {pairs, 12});
}

Result staged_ngrams(LongVector offsets, IntVector lemma, IntVector tag, LongVector synonym_offsets,
                     IntVector synonyms, IntVector hypothesis_rows, IntVector reference_rows, int threads) {
  if (tag.size() != lemma.size()) throw RefusedInputError("MP406", "lemma and tag must be equally long.");
  if (hypothesis_rows.size() != reference_rows.size()) {
    throw RefusedInputError("MP406", "hypothesis_rows and reference_rows must be equally long.");
  }
  check_offsets(offsets, lemma.size(), "offsets");
  check_offsets(synonym_offsets, synonyms.size(), "synonym_offsets");
  const auto lemmas = std::min(static_cast<std::int64_t>(synonym_offsets.size()) - 1, most_ids);
  const auto sentences = static_cast<std::int64_t>(offsets.size()) - 1;
  check_ids(lemma.data(), lemma.size(), lemmas, "lemma");
  check_ids(synonyms.data(), synonyms.size(), lemmas, "synonyms");
  check_ids(hypothesis_rows.data(), hypothesis_rows.size(), sentences, "hypothesis_rows");
  check_ids(reference_rows.data(), reference_rows.size(), sentences, "reference_rows");
  const auto view = [&](std::int32_t row) {
    const std::int64_t first = offsets.data()[row];
    return TokenView{lemma.data() + first, lemma.data() + first, tag.data() + first,
                     static_cast<int>(offsets.data()[row + 1] - first)};
  };
  const std::size_t pairs = hypothesis_rows.size();
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::int64_t one = view(hypothesis_rows.data()[p]).size,
                       other = view(reference_rows.data()[p]).size;
    if (one * other > StagedMatcher::most_pairs) {
      throw RefusedInputError("MP578", "a segment of " + std::to_string(one) + " words and a reference of " +
                                           std::to_string(other) + " are too long to be matched in stages.");
    }
  }
  auto values = std::make_unique<double[]>(pairs * max_order + 1);
  {
    const nb::gil_scoped_release released;
    std::vector<std::unique_ptr<StagedMatcher>> matchers(std::max(threads, 1));
    parallel_blocks(pairs, 16, threads, [&](std::size_t begin, std::size_t end, int thread) {
      std::unique_ptr<StagedMatcher>& matcher = matchers[thread];
      if (!matcher) {
        matcher = std::make_unique<StagedMatcher>(static_cast<std::int32_t>(lemmas), synonym_offsets.data(),
                                                  synonyms.data());
      }
      for (std::size_t p = begin; p < end; ++p) {
        const auto matched = matcher->match(view(reference_rows.data()[p]), view(hypothesis_rows.data()[p]));
        std::copy(matched.begin(), matched.end(), values.get() + p * max_order);
      }
    });
  }
  return owned(std::move(values), {pairs, max_order});
}

}  // namespace

void bind_transport(nb::module_ module) {
  module.attr("most_ids") = most_ids;
  module.def("solve", &solve, nb::arg("edge_offsets"), nb::arg("rows"), nb::arg("columns"),
             nb::arg("similarities"), nb::arg("supply_offsets"), nb::arg("supply"), nb::arg("demand_offsets"),
             nb::arg("demand"), nb::arg("threads"), nb::arg("flows"),
             "Optima of packed transportation problems, and their flows.");
  module.def("ngram_bags", &ngram_bags, nb::arg("offsets"), nb::arg("lemma"), nb::arg("sense"),
             nb::arg("tag"), nb::arg("function"), nb::arg("synonym_offsets"), nb::arg("synonyms"),
             nb::arg("hypothesis_rows"), nb::arg("reference_rows"), nb::arg("divisor"), nb::arg("threads"),
             nb::arg("mask_limit"), nb::arg("check"),
             "Matched and total weights of n-gram bags, (pairs, 12).");
  module.def("staged_ngrams", &staged_ngrams, nb::arg("offsets"), nb::arg("lemma"), nb::arg("tag"),
             nb::arg("synonym_offsets"), nb::arg("synonyms"), nb::arg("hypothesis_rows"),
             nb::arg("reference_rows"), nb::arg("threads"),
             "What is matched one to one in MaxSim's stages, (pairs, 3).");
}

}  // namespace metaphrase::bags
