// metaphrase._core.alignment: word alignment of sentence pairs and the score that UPF-Cobalt makes of it.
// Whatever an array holds is checked here, before the kernels trust it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alignment/aligner.hpp"
#include "alignment/context_penalty.hpp"
#include "alignment/porter2.hpp"
#include "base/parallel.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::alignment {
namespace {

// Two bytes a cell are kept for every pair of tokens.
constexpr std::int64_t most_cells = std::int64_t{1} << 28;

std::vector<std::string_view> utf8_views(const nb::list& strings, const char* name) {
  std::vector<std::string_view> views;
  views.reserve(strings.size());
  for (const nb::handle string : strings) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(string.ptr()) ? PyUnicode_AsUTF8AndSize(string.ptr(), &size) : nullptr;
    if (text == nullptr) {
      PyErr_Clear();
      throw RefusedInputError("MP431", std::string(name) + "[" + std::to_string(views.size()) +
                                           "] is not a string that UTF-8 can hold.");
    }
    views.emplace_back(text, static_cast<std::size_t>(size));
  }
  return views;
}

nb::list to_list(const StringTable& table) {
  nb::list strings;
  for (std::size_t i = 0; i < table.size(); ++i) strings.append(nb::str(table[i].data(), table[i].size()));
  return strings;
}

template <class Item, class Field>
auto column(const std::vector<Item>& items, Field&& field) {
  using Number = decltype(field(items.front()));
  std::vector<Number> values;
  values.reserve(items.size());
  for (const Item& item : items) values.push_back(field(item));
  return as_array(std::move(values));
}

template <class T>
std::span<const T> slice(const Vector<T>& array, std::int64_t first, std::int64_t last) {
  return {array.data() + first, array.data() + last};
}

// Sentences as metaphrase.analysis packs them.
struct Sentences {
  LongVector offsets;
  IntVector form, lemma, tag, entity;
  LongVector relation_offsets;
  IntVector label, governor, dependent;

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t tokens(std::int32_t row) const { return offsets.data()[row + 1] - offsets.data()[row]; }

  void check(const Vocabulary& vocabulary, std::size_t labels) const {
    check_offsets(offsets, form.size(), "offsets");
    for (const auto& [ids, name] : {std::pair{&form, "form"}, std::pair{&lemma, "lemma"},
                                    std::pair{&tag, "tag"}, std::pair{&entity, "entity"}}) {
      if (ids->size() != form.size()) throw RefusedInputError("MP406", "columns must be equally long.");
      check_ids(ids->data(), ids->size(), static_cast<std::int64_t>(vocabulary.size()), name);
    }
    check_offsets(relation_offsets, label.size(), "relation_offsets");
    if (relation_offsets.size() != offsets.size()) {
      throw RefusedInputError("MP406", "offsets and relation_offsets must be equally long.");
    }
    if (governor.size() != label.size() || dependent.size() != label.size()) {
      throw RefusedInputError("MP406", "label, governor and dependent must be equally long.");
    }
    check_ids(label.data(), label.size(), static_cast<std::int64_t>(labels), "label");
  }

  void read(std::int32_t row, const Vocabulary& vocabulary, AlignedSentence& sentence) const {
    const std::int64_t first = offsets.data()[row], last = offsets.data()[row + 1];
    const std::int64_t from = relation_offsets.data()[row], to = relation_offsets.data()[row + 1];
    sentence.read(vocabulary,
                  {slice(form, first, last), slice(lemma, first, last), slice(tag, first, last),
                   slice(entity, first, last)},
                  {slice(label, from, to), slice(governor, from, to), slice(dependent, from, to)});
  }
};

WordGraph checked_graph(const LongVector& offsets, const IntVector& neighbours, std::size_t words,
                        const char* name) {
  if (offsets.size() != words + 1) {
    throw RefusedInputError("MP406", std::string(name) + " must relate " + std::to_string(words) + " words.");
  }
  check_offsets(offsets, neighbours.size(), name);
  check_ids(neighbours.data(), neighbours.size(), static_cast<std::int64_t>(words), name);
  for (std::size_t word = 0; word < words; ++word) {
    const auto list = slice(neighbours, offsets.data()[word], offsets.data()[word + 1]);
    if (!std::is_sorted(list.begin(), list.end())) {
      throw RefusedInputError("MP405", std::string(name) + " of a word must be ascending.");
    }
  }
  return {{offsets.data(), offsets.size()}, {neighbours.data(), neighbours.size()}};
}

void check_rows(const IntVector& left, const IntVector& right, const Sentences& sentences) {
  if (left.size() != right.size()) throw RefusedInputError("MP406", "left and right must be equally long.");
  check_ids(left.data(), left.size(), sentences.size(), "left");
  check_ids(right.data(), right.size(), sentences.size(), "right");
  for (std::size_t p = 0; p < left.size(); ++p) {
    const std::int64_t n = sentences.tokens(left.data()[p]), m = sentences.tokens(right.data()[p]);
    if (n >= most_cells || m >= most_cells || (n + 1) * (m + 1) > most_cells) {
      throw RefusedInputError("MP430", "sentences of " + std::to_string(n) + " and " + std::to_string(m) +
                                           " tokens are too long to be aligned word by word.");
    }
  }
}

// Columns of PairScore, in the order in which Python receives them.
constexpr std::size_t score_columns = 5;

nb::tuple align(const Vocabulary& vocabulary, LongVector offsets, IntVector form, IntVector lemma,
                IntVector tag, IntVector entity, LongVector relation_offsets, IntVector label,
                IntVector governor, IntVector dependent, const nb::list& label_names,
                LongVector synonym_offsets, IntVector synonyms, LongVector paraphrase_offsets,
                IntVector paraphrases, std::optional<Matrix<float>> vectors, IntVector left, IntVector right,
                bool mwa, bool symmetric, bool equivalent_types, bool uniform_weights, int penalty,
                double theta, double alpha, double beta, double delta, int threads, bool details) {
  const Sentences sentences{offsets, form, lemma, tag, entity, relation_offsets, label, governor, dependent};
  const RelationOptions relation_options{mwa ? Scheme::mwa : Scheme::cobalt, equivalent_types,
                                         uniform_weights};
  std::vector<std::string> names;
  std::vector<Label> labels;
  StringTable seen;
  for (const std::string_view name : utf8_views(label_names, "label_names")) {
    if (seen.intern(name) != static_cast<std::int32_t>(names.size())) {
      throw RefusedInputError("MP406", "label_names must differ from each other.");
    }
    names.emplace_back(name);
    labels.push_back(read_label(name, relation_options));
  }
  sentences.check(vocabulary, labels.size());
  check_rows(left, right, sentences);
  LexicalEvidence evidence{
      checked_graph(synonym_offsets, synonyms, vocabulary.size(), "synonyms"),
      checked_graph(paraphrase_offsets, paraphrases, vocabulary.canonical().size(), "paraphrases"),
      {}};
  if (vectors) {
    if (vectors->shape(0) != vocabulary.lower().size()) {
      throw RefusedInputError("MP406", "there must be a vector for each lower-case word.");
    }
    evidence.vectors = {vectors->data(), vectors->shape(1)};
  }
  const AlignerOptions aligner_options{relation_options.scheme, symmetric, theta};
  const ScoreOptions score_options{static_cast<Penalty>(penalty), alpha, beta, delta};

  const std::size_t pairs = left.size();
  std::vector<double> scores(pairs * score_columns);
  std::vector<AlignmentDetails> found(details ? pairs : 0);
  {
    const nb::gil_scoped_release released;
    parallel_blocks(pairs, 64, threads, [&](std::size_t begin, std::size_t end, int) {
      const auto aligner =
          std::make_unique<WordAligner>(vocabulary, evidence, labels, names, aligner_options);
      ContextScorer scorer(*aligner, evidence, labels, score_options);
      for (std::size_t p = begin; p < end; ++p) {
        sentences.read(left.data()[p], vocabulary, aligner->left);
        sentences.read(right.data()[p], vocabulary, aligner->right);
        aligner->align();
        const PairScore score = scorer.score(details ? &found[p] : nullptr);
        double* row = scores.data() + p * score_columns;
        row[0] = score.score;
        row[1] = score.precision;
        row[2] = score.recall;
        row[3] = score.similarity;
        row[4] = score.penalty;
      }
    });
  }
  auto score_array = as_array(std::move(scores));
  if (!details) return nb::make_tuple(score_array, nb::none());

  AlignmentDetails all;
  std::vector<std::int64_t> pair_offsets{0}, context_offsets{0};
  for (const AlignmentDetails& one : found) {
    all.pairs.insert(all.pairs.end(), one.pairs.begin(), one.pairs.end());
    all.contexts.insert(all.contexts.end(), one.contexts.begin(), one.contexts.end());
    pair_offsets.push_back(static_cast<std::int64_t>(all.pairs.size()));
    context_offsets.push_back(static_cast<std::int64_t>(all.contexts.size()));
  }
  nb::dict columns;
  columns["pair_offsets"] = as_array(std::move(pair_offsets));
  columns["left"] = column(all.pairs, [](const AlignedPair& pair) { return pair.left; });
  columns["right"] = column(all.pairs, [](const AlignedPair& pair) { return pair.right; });
  columns["stage"] = column(all.pairs, [](const AlignedPair& pair) { return pair.stage; });
  columns["kind"] =
      column(all.pairs, [](const AlignedPair& pair) { return static_cast<std::uint8_t>(pair.kind); });
  columns["similarity"] = column(all.pairs, [](const AlignedPair& pair) { return pair.similarity; });
  columns["penalty"] = column(all.pairs, [](const AlignedPair& pair) { return pair.penalty; });
  columns["context_offsets"] = as_array(std::move(context_offsets));
  columns["context_pair"] = column(all.contexts, [](const ContextRelation& c) { return c.pair; });
  columns["context_relation"] = column(all.contexts, [](const ContextRelation& c) { return c.relation; });
  const auto flag = [](bool value) { return static_cast<std::uint8_t>(value); };
  columns["context_on_right"] =
      column(all.contexts, [&](const ContextRelation& c) { return flag(c.on_right); });
  columns["context_child"] = column(all.contexts, [&](const ContextRelation& c) { return flag(c.child); });
  columns["context_matched"] =
      column(all.contexts, [&](const ContextRelation& c) { return flag(c.matched); });
  return nb::make_tuple(score_array, columns);
}

nb::list stems(const nb::list& words) {
  Porter2 stemmer;
  nb::list result;
  for (const std::string_view word : utf8_views(words, "words")) {
    const std::string stem = stemmer.stem(word);
    result.append(nb::str(stem.data(), stem.size()));
  }
  return result;
}

}  // namespace

void bind_alignment(nb::module_ module) {
  nb::class_<Vocabulary>(module, "Vocabulary")
      .def(
          "__init__",
          [](Vocabulary* self, const nb::list& strings) {
            // The list keeps the strings, and the strings their UTF-8 text, alive.
            const auto views = utf8_views(strings, "strings");
            const nb::gil_scoped_release released;
            new (self) Vocabulary(views);
          },
          "strings"_a)
      .def_prop_ro("canonical", [](const Vocabulary& self) { return to_list(self.canonical()); })
      .def_prop_ro("lower", [](const Vocabulary& self) { return to_list(self.lower()); });
  module.def("align", &align, "vocabulary"_a, "offsets"_a, "form"_a, "lemma"_a, "tag"_a, "entity"_a,
             "relation_offsets"_a, "label"_a, "governor"_a, "dependent"_a, "label_names"_a,
             "synonym_offsets"_a, "synonyms"_a, "paraphrase_offsets"_a, "paraphrases"_a, "vectors"_a.none(),
             "left"_a, "right"_a, nb::kw_only(), "mwa"_a, "symmetric"_a, "equivalent_types"_a,
             "uniform_weights"_a, "penalty"_a, "theta"_a, "alpha"_a, "beta"_a, "delta"_a, "threads"_a,
             "details"_a);
  module.def("stems", &stems, "words"_a);
  module.def("relation_weight", [](const std::string& label) { return relation_weight(label); }, "label"_a);
  module.def(
      "is_function_word",
      [](nb::str form) {
        const std::string_view text = utf8(form.ptr());
        const Vocabulary vocabulary(std::span(&text, 1));
        return vocabulary.spelling(0).lower_stop_word || vocabulary.spelling(0).lower_punctuation;
      },
      "form"_a);
}

}  // namespace metaphrase::alignment
