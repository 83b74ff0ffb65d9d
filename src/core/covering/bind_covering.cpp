// Python's way to the covering program of TESLA-CELAB.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "covering/covering.hpp"
#include "covering/span_lexicon.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

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
  check_ids(sets, similarities.size(), "sets");
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

// Sentences whose every number has been looked at.
struct CheckedSentences {
  LongVector offsets;
  IntVector tokens;
  Vector<std::uint32_t> characters;
  LongVector character_offsets;
  Vector<double> token_weights;

  void check() const {
    check_offsets(offsets, tokens.size(), "offsets");
    check_characters(characters, "characters");
    check_offsets(character_offsets, characters.size(), "character_offsets");
    check_ids(tokens, character_offsets.size() - 1, "tokens");
    check_amounts(token_weights, "token_weights");
    if (token_weights.size() > 0 && token_weights.size() + 1 != character_offsets.size()) {
      throw RefusedInputError("MP406", "token_weights must hold one for each distinct token.");
    }
  }

  std::size_t size() const { return offsets.size() - 1; }
  std::int32_t distinct() const { return static_cast<std::int32_t>(character_offsets.size()) - 1; }
  TokenTable table() const { return {characters_of(characters), character_offsets.data()}; }

  std::span<const std::int32_t> operator[](std::size_t row) const {
    const std::int64_t first = offsets.data()[row], last = offsets.data()[row + 1];
    return {tokens.data() + first, static_cast<std::size_t>(last - first)};
  }
};

// Sentences with all that depends on one of them alone, made once however many pairs they are in.
class PreparedSentences {
 public:
  PreparedSentences(const SpanLexicon& lexicon, const CheckedSentences& sentences,
                    const std::vector<std::uint8_t>& used, int order, int threads)
      : sentences_(sentences), sets_(used.size()), weights_(used.size()) {
    const TokenTable table = sentences.table();
    const bool weighed = sentences.token_weights.size() > 0;
    RecutSpans recuts(table, sentences.distinct());
    if (recuts.any()) {
      for (std::size_t row = 0; row < used.size(); ++row) {
        if (used[row]) recuts.note(row, sentences[row], order);
      }
      recuts_ = recuts.count();
      recuts.found([&](std::size_t row, SetSpan span) { sets_[row].push_back(span); });
    }
    parallel_blocks(used.size(), 64, threads, [&](std::size_t begin, std::size_t end, int) {
      std::vector<SetSpan> found;
      for (std::size_t row = begin; row < end; ++row) {
        if (!used[row]) continue;
        found.clear();
        lexicon.find(sentences[row], table, order, found);
        for (SetSpan& span : found) span.set += recuts_;
        sets_[row].insert(sets_[row].end(), found.begin(), found.end());
        if (weighed) weigh(sentences[row], sentences.token_weights.data(), order, weights_[row]);
      }
    });
  }

  // How many numbers of sets stand for spellings that were cut in two ways; they come first.
  std::int32_t recuts() const { return recuts_; }
  SpanSentence operator[](std::size_t row) const { return {sentences_[row], sets_[row], weights_[row]}; }

 private:
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

  const CheckedSentences& sentences_;
  std::vector<std::vector<SetSpan>> sets_;
  std::vector<std::vector<double>> weights_;
  std::int32_t recuts_ = 0;
};

// Which sentences the pairs have, all of which can be compared.
std::vector<std::uint8_t> check_pairs(const CheckedSentences& sentences, const IntVector& hypothesis_rows,
                                      const IntVector& reference_rows, int order) {
  check_ids(hypothesis_rows, sentences.size(), "hypothesis_rows");
  check_ids(reference_rows, sentences.size(), "reference_rows");
  if (hypothesis_rows.size() != reference_rows.size()) {
    throw RefusedInputError("MP406", "hypothesis_rows and reference_rows must be equally long.");
  }
  if (order < 1 || order > max_span) throw RefusedInputError("MP404", "order must be 1 to 4.");
  std::vector<std::uint8_t> used(sentences.size(), 0);
  for (std::size_t p = 0; p < hypothesis_rows.size(); ++p) {
    const std::int32_t h = hypothesis_rows.data()[p], r = reference_rows.data()[p];
    used[h] = used[r] = 1;
    const auto reference = static_cast<std::int64_t>(sentences[r].size());
    const auto hypothesis = static_cast<std::int64_t>(sentences[h].size());
    if (reference > 0 && hypothesis > CoveringSolver::largest_table / reference) {
      throw RefusedInputError("MP440", "Segments of " + std::to_string(reference) + " and " +
                                           std::to_string(hypothesis) +
                                           " tokens are too long to be compared span by span.");
    }
  }
  return used;
}

OwnedArray<double> cover(const SpanLexicon& lexicon, const CheckedSentences& given, IntVector hypothesis_rows,
                         IntVector reference_rows, int order, bool released, int threads) {
  const std::vector<std::uint8_t> used = check_pairs(given, hypothesis_rows, reference_rows, order);
  const std::size_t pairs = hypothesis_rows.size();
  constexpr std::size_t columns = 5;
  return filled<double>({pairs, columns}, [&](double* values) {
    const PreparedSentences sentences(lexicon, given, used, order, threads);
    std::vector<Layer> layers = similarity_layers(lexicon.similarities());
    for (Layer& layer : layers) layer.sets += sentences.recuts();
    const auto make = [&] {
      return CoveringSolver(given.distinct(), lexicon.sets() + sentences.recuts(), {order, released});
    };
    parallel_items(pairs, 16, threads, make, [&](CoveringSolver& solver, std::size_t p) {
      const SpanSentence reference = sentences[reference_rows.data()[p]];
      const SpanSentence hypothesis = sentences[hypothesis_rows.data()[p]];
      const Covering covering = solver.solve(reference, hypothesis, layers);
      double* out = values + p * columns;
      out[0] = covering.left;
      out[1] = covering.right;
      out[2] = total_weight(reference, order);
      out[3] = total_weight(hypothesis, order);
      out[4] = covering.exact ? 1.0 : 0.0;
    });
  });
}

OwnedArray<double> side_array(const CoveringSolver::Side& side) {
  const std::size_t spans = side.matched.size();
  return filled<double>({2, spans}, [&](double* values) {
    std::copy(side.matched.begin(), side.matched.end(), values);
    std::copy(side.coverage.begin(), side.coverage.end(), values + spans);
  });
}

// One pair in one layer, with everything that made its value.
nb::tuple trace(const SpanLexicon& lexicon, const CheckedSentences& given, IntVector hypothesis_rows,
                IntVector reference_rows, int order, bool released, std::size_t layer) {
  const std::vector<std::uint8_t> used = check_pairs(given, hypothesis_rows, reference_rows, order);
  const std::vector<Layer> layers = similarity_layers(lexicon.similarities());
  if (layer >= layers.size()) throw RefusedInputError("MP403", "there is no such layer.");
  if (hypothesis_rows.size() != 1) throw RefusedInputError("MP406", "one pair can be traced at a time.");
  const PreparedSentences sentences(lexicon, given, used, order, 1);
  CoveringSolver solver(given.distinct(), lexicon.sets() + sentences.recuts(),
                        CoveringOptions{order, released});
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
  return nb::make_tuple(as_rows(edges, 3), side_array(solver.left_side()), side_array(solver.right_side()));
}

}  // namespace

void bind_covering(nb::module_ module) {
  nb::class_<SpanLexicon>(module, "SpanLexicon").def_prop_ro("layers", [](const SpanLexicon& lexicon) {
    std::vector<double> shares;
    for (const Layer& layer : similarity_layers(lexicon.similarities())) shares.push_back(layer.share);
    return shares;
  });
  module.def("make_lexicon", &make_lexicon, "characters"_a, "offsets"_a, "set_offsets"_a, "sets"_a,
             "similarities"_a, "Sets of words, the most similar first.");
  nb::class_<CheckedSentences>(module, "Sentences")
      .def("__init__",
           &make_struct<CheckedSentences, LongVector, IntVector, Vector<std::uint32_t>, LongVector,
                        Vector<double>>,
           "offsets"_a, "tokens"_a, "characters"_a, "character_offsets"_a, "token_weights"_a);
  module.def("cover", &cover, "lexicon"_a, "sentences"_a, "hypothesis_rows"_a, "reference_rows"_a, "order"_a,
             "released"_a, "threads"_a, "Covered and total weights of pairs, (pairs, 5).");
  module.def("trace", &trace, "lexicon"_a, "sentences"_a, "hypothesis_rows"_a, "reference_rows"_a, "order"_a,
             "released"_a, "layer"_a,
             "Matching spans of one pair, and how much the spans of either side are matched and covered.");
}

}  // namespace metaphrase::covering
