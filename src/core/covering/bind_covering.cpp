// Python's way to the covering program of TESLA-CELAB.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "covering/covering.hpp"
#include "covering/span_lexicon.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"

namespace nb = nanobind;

namespace metaphrase::covering {
namespace {

// Code points arrive as UTF-32, which is what char32_t holds.
const char32_t* characters_of(const Vector<std::uint32_t>& array) {
  static_assert(sizeof(char32_t) == sizeof(std::uint32_t));
  return reinterpret_cast<const char32_t*>(array.data());
}

void check_characters(const Vector<std::uint32_t>& characters, const char* name) {
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (characters.data()[i] > 0x10FFFF) {
      throw RefusedInputError("MP403", std::string(name) + " holds what is no Unicode character.");
    }
  }
}

SpanLexicon make_lexicon(Vector<std::uint32_t> characters, LongVector offsets, LongVector set_offsets,
                         IntVector sets, Vector<double> similarities) {
  check_characters(characters, "characters");
  check_offsets(offsets, characters.size(), "offsets");
  check_offsets(set_offsets, sets.size(), "set_offsets");
  if (offsets.size() != set_offsets.size()) {
    throw RefusedInputError("MP406", "offsets and set_offsets must be equally long.");
  }
  check_ids(sets.data(), sets.size(), static_cast<std::int64_t>(similarities.size()), "sets");
  double above = 1.0;
  for (std::size_t s = 0; s < similarities.size(); ++s) {
    const double similarity = similarities.data()[s];
    if (!(similarity > 0.0 && similarity <= above)) {
      throw RefusedInputError("MP441", "similarities must lie between 0 and 1 and not rise.");
    }
    above = similarity;
  }
  return SpanLexicon(offsets.size() - 1, characters_of(characters), offsets.data(), set_offsets.data(),
                     sets.data(),
                     std::vector<double>(similarities.data(), similarities.data() + similarities.size()));
}

// Sentences with all that depends on one of them alone, made once however many pairs they are in.
class PreparedSentences {
 public:
  PreparedSentences(const SpanLexicon& lexicon, const LongVector& offsets, const IntVector& tokens,
                    const TokenTable& table, std::int32_t distinct, const Vector<double>& token_weights,
                    const std::vector<std::uint8_t>& used, int order, int threads)
      : offsets_(offsets.data()), tokens_(tokens.data()), sets_(used.size()), weights_(used.size()) {
    RecutSpans recuts(table, distinct);
    if (recuts.any()) {
      for (std::size_t row = 0; row < used.size(); ++row) {
        if (used[row]) recuts.note(row, tokens_of(row), order);
      }
      recuts_ = recuts.count();
      recuts.found([&](std::size_t row, SetSpan span) { sets_[row].push_back(span); });
    }
    parallel_blocks(used.size(), 64, threads, [&](std::size_t begin, std::size_t end, int) {
      std::vector<SetSpan> found;
      for (std::size_t row = begin; row < end; ++row) {
        if (!used[row]) continue;
        found.clear();
        lexicon.find(tokens_of(row), table, order, found);
        for (SetSpan& span : found) span.set += recuts_;
        sets_[row].insert(sets_[row].end(), found.begin(), found.end());
        if (token_weights.size() > 0) weigh(tokens_of(row), token_weights.data(), order, weights_[row]);
      }
    });
  }

  // How many numbers of sets stand for spellings that were cut in two ways; they come first.
  std::int32_t recuts() const { return recuts_; }
  SpanSentence operator[](std::size_t row) const { return {tokens_of(row), sets_[row], weights_[row]}; }

 private:
  std::span<const std::int32_t> tokens_of(std::size_t row) const {
    return {tokens_ + offsets_[row], static_cast<std::size_t>(offsets_[row + 1] - offsets_[row])};
  }

  // A span weighs what its tokens weigh on average.
  static void weigh(std::span<const std::int32_t> tokens, const double* token_weights, int order,
                    std::vector<double>& weights) {
    const auto size = static_cast<std::int32_t>(tokens.size());
    weights.assign(static_cast<std::size_t>(size) * max_span, 0.0);
    for (std::int32_t start = 0; start < size; ++start) {
      double sum = 0.0;
      for (int length = 1; length <= order && start + length <= size; ++length) {
        sum += token_weights[tokens[start + length - 1]];
        weights[span_number(start, length)] = sum / length;
      }
    }
  }

  const std::int64_t* offsets_;
  const std::int32_t* tokens_;
  std::vector<std::vector<SetSpan>> sets_;
  std::vector<std::vector<double>> weights_;
  std::int32_t recuts_ = 0;
};

// What Python gives, checked.
struct Task {
  LongVector offsets;
  IntVector tokens;
  TokenTable table;
  std::int32_t distinct;
  Vector<double> token_weights;
  IntVector hypothesis_rows, reference_rows;
  CoveringOptions options;
  std::vector<std::uint8_t> used;
};

Task check(LongVector offsets, IntVector tokens, Vector<std::uint32_t> characters,
           LongVector character_offsets, Vector<double> token_weights, IntVector hypothesis_rows,
           IntVector reference_rows, int order, bool released) {
  check_offsets(offsets, tokens.size(), "offsets");
  check_characters(characters, "characters");
  check_offsets(character_offsets, characters.size(), "character_offsets");
  const auto distinct = static_cast<std::int64_t>(character_offsets.size()) - 1;
  const auto sentences = static_cast<std::int64_t>(offsets.size()) - 1;
  check_ids(tokens.data(), tokens.size(), distinct, "tokens");
  check_ids(hypothesis_rows.data(), hypothesis_rows.size(), sentences, "hypothesis_rows");
  check_ids(reference_rows.data(), reference_rows.size(), sentences, "reference_rows");
  check_amounts(token_weights, "token_weights");
  if (token_weights.size() > 0 && static_cast<std::int64_t>(token_weights.size()) != distinct) {
    throw RefusedInputError("MP406", "token_weights must hold one for each distinct token.");
  }
  if (hypothesis_rows.size() != reference_rows.size()) {
    throw RefusedInputError("MP406", "hypothesis_rows and reference_rows must be equally long.");
  }
  if (order < 1 || order > max_span) throw RefusedInputError("MP404", "order must be 1 to 4.");
  std::vector<std::uint8_t> used(sentences, 0);
  for (std::size_t p = 0; p < hypothesis_rows.size(); ++p) {
    const std::int32_t h = hypothesis_rows.data()[p], r = reference_rows.data()[p];
    used[h] = used[r] = 1;
    const std::int64_t lengths[] = {offsets.data()[r + 1] - offsets.data()[r],
                                    offsets.data()[h + 1] - offsets.data()[h]};
    if (lengths[0] > 0 && lengths[1] > CoveringSolver::largest_table / lengths[0]) {
      throw RefusedInputError("MP440", "Segments of " + std::to_string(lengths[0]) + " and " +
                                           std::to_string(lengths[1]) +
                                           " tokens are too long to be compared span by span.");
    }
  }
  return {offsets,
          tokens,
          {characters_of(characters), character_offsets.data()},
          static_cast<std::int32_t>(distinct),
          token_weights,
          hypothesis_rows,
          reference_rows,
          {order, released},
          std::move(used)};
}

PreparedSentences prepare(const SpanLexicon& lexicon, const Task& task, int threads) {
  return {lexicon,   task.offsets,       task.tokens, task.table, task.distinct, task.token_weights,
          task.used, task.options.order, threads};
}

OwnedArray<double> cover(const SpanLexicon& lexicon, LongVector offsets, IntVector tokens,
                         Vector<std::uint32_t> characters, LongVector character_offsets,
                         Vector<double> token_weights, IntVector hypothesis_rows, IntVector reference_rows,
                         int order, bool released, int threads) {
  const Task task = check(offsets, tokens, characters, character_offsets, token_weights, hypothesis_rows,
                          reference_rows, order, released);
  const std::size_t pairs = hypothesis_rows.size();
  constexpr std::size_t columns = 5;
  auto values = std::make_unique<double[]>(pairs * columns + 1);
  {
    const nb::gil_scoped_release released_lock;
    const PreparedSentences sentences = prepare(lexicon, task, threads);
    std::vector<Layer> layers = similarity_layers(lexicon.similarities());
    for (Layer& layer : layers) layer.sets += sentences.recuts();
    std::vector<std::unique_ptr<CoveringSolver>> solvers(std::max(threads, 1));
    parallel_blocks(pairs, 16, threads, [&](std::size_t begin, std::size_t end, int thread) {
      auto& solver = solvers[thread];
      if (!solver) {
        solver = std::make_unique<CoveringSolver>(task.distinct, lexicon.sets() + sentences.recuts(),
                                                  task.options);
      }
      for (std::size_t p = begin; p < end; ++p) {
        const SpanSentence reference = sentences[task.reference_rows.data()[p]];
        const SpanSentence hypothesis = sentences[task.hypothesis_rows.data()[p]];
        const Covering covering = solver->solve(reference, hypothesis, layers);
        double* out = values.get() + p * columns;
        out[0] = covering.left;
        out[1] = covering.right;
        out[2] = total_weight(reference, order);
        out[3] = total_weight(hypothesis, order);
        out[4] = covering.exact ? 1.0 : 0.0;
      }
    });
  }
  return owned(std::move(values), {pairs, columns});
}

nb::object side_array(const CoveringSolver::Side& side) {
  const std::size_t spans = side.matched.size();
  auto values = std::make_unique<double[]>(2 * spans + 1);
  std::copy(side.matched.begin(), side.matched.end(), values.get());
  std::copy(side.coverage.begin(), side.coverage.end(), values.get() + spans);
  return nb::cast(owned(std::move(values), {2, spans}));
}

// One pair in one layer, with everything that made its value.
nb::tuple trace(const SpanLexicon& lexicon, LongVector offsets, IntVector tokens,
                Vector<std::uint32_t> characters, LongVector character_offsets, Vector<double> token_weights,
                IntVector hypothesis_rows, IntVector reference_rows, int order, bool released,
                std::size_t layer) {
  const Task task = check(offsets, tokens, characters, character_offsets, token_weights, hypothesis_rows,
                          reference_rows, order, released);
  const std::vector<Layer> layers = similarity_layers(lexicon.similarities());
  if (layer >= layers.size()) throw RefusedInputError("MP403", "there is no such layer.");
  if (hypothesis_rows.size() != 1) throw RefusedInputError("MP406", "one pair can be traced at a time.");
  const PreparedSentences sentences = prepare(lexicon, task, 1);
  CoveringSolver solver(task.distinct, lexicon.sets() + sentences.recuts(), task.options);
  solver.solve_layer(sentences[reference_rows.data()[0]], sentences[hypothesis_rows.data()[0]],
                     layers[layer].sets + sentences.recuts());
  std::vector<std::int32_t> edges;
  const SpanTable& table = solver.matches();
  for (std::int32_t i = 0; i < table.rows(); ++i) {
    table.visit_row(i, [&](std::int32_t j) {
      for (SpanMask mask = table.at(i, j); mask != 0; mask &= mask - 1) {
        const int a = first_a(mask), b = first_b(mask);
        const bool unit = (solver.units().at(i, j) & mask_bit(a, b)) != 0;
        edges.insert(edges.end(), {span_number(i, a), span_number(j, b), unit ? 1 : 0});
      }
    });
  }
  auto rows = std::make_unique<std::int32_t[]>(edges.size() + 1);
  std::copy(edges.begin(), edges.end(), rows.get());
  return nb::make_tuple(owned(std::move(rows), {edges.size() / 3, std::size_t{3}}),
                        side_array(solver.left_side()), side_array(solver.right_side()));
}

}  // namespace

void bind_covering(nb::module_ module) {
  nb::class_<SpanLexicon>(module, "SpanLexicon").def_prop_ro("layers", [](const SpanLexicon& lexicon) {
    std::vector<double> shares;
    for (const Layer& layer : similarity_layers(lexicon.similarities())) shares.push_back(layer.share);
    return shares;
  });
  module.def("make_lexicon", &make_lexicon, nb::arg("characters"), nb::arg("offsets"), nb::arg("set_offsets"),
             nb::arg("sets"), nb::arg("similarities"), "Sets of words, the most similar first.");
  module.def("cover", &cover, nb::arg("lexicon"), nb::arg("offsets"), nb::arg("tokens"),
             nb::arg("characters"), nb::arg("character_offsets"), nb::arg("token_weights"),
             nb::arg("hypothesis_rows"), nb::arg("reference_rows"), nb::arg("order"), nb::arg("released"),
             nb::arg("threads"), "Covered and total weights of pairs, (pairs, 5).");
  module.def("trace", &trace, nb::arg("lexicon"), nb::arg("offsets"), nb::arg("tokens"),
             nb::arg("characters"), nb::arg("character_offsets"), nb::arg("token_weights"),
             nb::arg("hypothesis_rows"), nb::arg("reference_rows"), nb::arg("order"), nb::arg("released"),
             nb::arg("layer"),
             "Matching spans of one pair, and how much the spans of either side are matched and covered.");
}

}  // namespace metaphrase::covering
