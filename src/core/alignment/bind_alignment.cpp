// metaphrase._core.alignment: word alignment of sentence pairs and the score that UPF-Cobalt makes of it.
// Whatever an array holds is checked here, before the kernels trust it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
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
#include "alignment/phrase_links.hpp"
#include "alignment/porter2.hpp"
#include "base/parallel.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"
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

// Relations as metaphrase.analysis.relations packs them.
struct Relations {
  LongVector offsets;
  IntVector label, governor, dependent;
  nb::list label_names;
  // As what labels are compared with others, if not as themselves: prep_von as prep_of.
  std::optional<nb::list> read_as;
  std::vector<std::string> names{}, readings{};

  void check() {
    StringTable seen;
    for (const std::string_view name : utf8_views(label_names, "label_names")) {
      if (seen.intern(name) != static_cast<std::int32_t>(names.size())) {
        throw RefusedInputError("MP406", "label_names must differ from each other.");
      }
      names.emplace_back(name);
    }
    readings = names;
    if (read_as) {
      if (read_as->size() != names.size()) {
        throw RefusedInputError("MP406", "read_as must name each label once.");
      }
      const auto views = utf8_views(*read_as, "read_as");
      readings.assign(views.begin(), views.end());
    }
    check_offsets(offsets, label.size(), "relation_offsets");
    if (governor.size() != label.size() || dependent.size() != label.size()) {
      throw RefusedInputError("MP406", "label, governor and dependent must be equally long.");
    }
    check_ids(label, names.size(), "label");
  }
};

// Sentences as metaphrase.analysis packs them.
struct Sentences {
  const Vocabulary& vocabulary;
  LongVector offsets;
  IntVector form, lemma, tag, entity;
  Relations relations;

  void check() const {
    check_offsets(offsets, form.size(), "offsets");
    for (const auto& [ids, name] : {std::pair{&form, "form"}, std::pair{&lemma, "lemma"},
                                    std::pair{&tag, "tag"}, std::pair{&entity, "entity"}}) {
      if (ids->size() != form.size()) throw RefusedInputError("MP406", "columns must be equally long.");
      check_ids(*ids, vocabulary.size(), name);
    }
    if (relations.offsets.size() != offsets.size()) {
      throw RefusedInputError("MP406", "offsets and relation_offsets must be equally long.");
    }
  }

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t tokens(std::int32_t row) const { return offsets.data()[row + 1] - offsets.data()[row]; }

  void read(std::int32_t row, AlignedSentence& sentence) const {
    const std::int64_t first = offsets.data()[row], last = offsets.data()[row + 1];
    const std::int64_t from = relations.offsets.data()[row], to = relations.offsets.data()[row + 1];
    sentence.read(vocabulary,
                  {slice(form, first, last), slice(lemma, first, last), slice(tag, first, last),
                   slice(entity, first, last)},
                  {slice(relations.label, from, to), slice(relations.governor, from, to),
                   slice(relations.dependent, from, to)});
  }
};

// Offsets, and the neighbours of every word.
using Graph = std::pair<LongVector, IntVector>;

WordGraph checked_graph(const Graph& graph, std::size_t words, const char* name) {
  const auto& [offsets, neighbours] = graph;
  if (offsets.size() != words + 1) {
    throw RefusedInputError("MP406", std::string(name) + " must relate " + std::to_string(words) + " words.");
  }
  check_offsets(offsets, neighbours.size(), name);
  check_ids(neighbours, words, name);
  for (std::size_t word = 0; word < words; ++word) {
    const auto list = slice(neighbours, offsets.data()[word], offsets.data()[word + 1]);
    if (!std::is_sorted(list.begin(), list.end())) {
      throw RefusedInputError("MP405", std::string(name) + " of a word must be ascending.");
    }
  }
  return {view(offsets), view(neighbours)};
}

// What is known of the words of a vocabulary; the arrays are kept for as long as the kernel reads them.
struct Evidence {
  const Vocabulary& vocabulary;
  Graph synonyms, paraphrases;
  std::optional<Matrix<float>> vectors;
  LexicalEvidence lexical{};

  void check() {
    lexical = {checked_graph(synonyms, vocabulary.size(), "synonyms"),
               checked_graph(paraphrases, vocabulary.canonical().size(), "paraphrases"),
               {}};
    if (!vectors) return;
    if (vectors->shape(0) != vocabulary.lower().size()) {
      throw RefusedInputError("MP406", "there must be a vector for each lower-case word.");
    }
    lexical.vectors = {vectors->data(), vectors->shape(1)};
  }
};

// Where sentences have phrases of a table, row by row, and which of these paraphrase which.
struct Phrases {
  LongVector offsets;
  IntVector begin, words, phrase;
  Graph paraphrases;
  WordGraph graph{};

  void check() {
    check_offsets(offsets, phrase.size(), "phrase offsets");
    if (begin.size() != phrase.size() || words.size() != phrase.size()) {
      throw RefusedInputError("MP406", "begin, words and phrase must be equally long.");
    }
    const std::size_t count = paraphrases.first.size() - (paraphrases.first.size() > 0);
    graph = checked_graph(paraphrases, count, "paraphrases of phrases");
    check_ids(phrase, count, "phrase");
  }

  void check_within(const Sentences& sentences) const {
    if (offsets.size() != sentences.offsets.size()) {
      throw RefusedInputError("MP406", "offsets and phrase offsets must be equally long.");
    }
    for (std::int32_t row = 0; row < sentences.size(); ++row) {
      for (std::int64_t at = offsets.data()[row]; at < offsets.data()[row + 1]; ++at) {
        const std::int64_t first = begin.data()[at], count = words.data()[at];
        if (first < 0 || count < 1 || first + count > sentences.tokens(row)) {
          throw RefusedInputError("MP403", "phrase", static_cast<std::size_t>(at),
                                  " is not within its sentence");
        }
      }
    }
  }

  void read(std::int32_t row, std::vector<PhraseSpan>& spans) const {
    spans.clear();
    for (std::int64_t at = offsets.data()[row]; at < offsets.data()[row + 1]; ++at) {
      spans.push_back({begin.data()[at] + 1, words.data()[at], phrase.data()[at]});
    }
  }
};

struct Options {
  RelationOptions relations;
  AlignerOptions aligner;
  ScoreOptions score;

  Options(bool mwa, bool one_to_one, bool symmetric, bool equivalent_types, bool uniform_weights, int penalty,
          int formula, double theta, double alpha, double beta, double delta)
      : relations{mwa ? Scheme::mwa : Scheme::cobalt, equivalent_types, uniform_weights},
        aligner{relations.scheme, symmetric, theta, one_to_one},
        score{static_cast<Penalty>(penalty), static_cast<Formula>(formula), alpha, beta, delta} {}
};

void check_rows(const IntVector& left, const IntVector& right, const Sentences& sentences) {
  if (left.size() != right.size()) throw RefusedInputError("MP406", "left and right must be equally long.");
  check_ids(left, sentences.size(), "left");
  check_ids(right, sentences.size(), "right");
  for (std::size_t p = 0; p < left.size(); ++p) {
    const std::int64_t n = sentences.tokens(left.data()[p]), m = sentences.tokens(right.data()[p]);
    if (n >= most_cells || m >= most_cells || (n + 1) * (m + 1) > most_cells) {
      throw RefusedInputError("MP430", "pair", p,
                              " has " + std::to_string(n) + " and " + std::to_string(m) +
                                  " tokens, too many to be aligned word by word");
    }
  }
}

// Columns of PairScore, in the order in which Python receives them.
constexpr std::size_t score_columns = 5;

nb::tuple align(const Sentences& sentences, const Evidence& evidence, const Phrases* phrases, IntVector left,
                IntVector right, const Options& options, int threads, bool details) {
  if (&sentences.vocabulary != &evidence.vocabulary) {
    throw RefusedInputError("MP406", "sentences and evidence must be of one vocabulary.");
  }
  check_rows(left, right, sentences);
  if (phrases) phrases->check_within(sentences);
  const std::vector<std::string>& names = sentences.relations.names;
  std::vector<Label> labels;
  labels.reserve(names.size());
  for (std::size_t l = 0; l < names.size(); ++l) {
    labels.push_back(read_label(sentences.relations.readings[l], options.relations));
    labels.back().collapsed = names[l].find('_') != std::string::npos;
  }

  const std::size_t pairs = left.size();
  std::vector<double> scores(pairs * score_columns);
  std::vector<AlignmentDetails> found(details ? pairs : 0);
  {
    const nb::gil_scoped_release released;
    parallel_blocks(pairs, 64, threads, [&](std::size_t begin, std::size_t end, int) {
      const auto aligner = std::make_unique<WordAligner>(sentences.vocabulary, evidence.lexical, labels,
                                                         names, options.aligner);
      ContextScorer scorer(*aligner, evidence.lexical, labels, options.score);
      PhraseLinker linker;
      std::vector<PhraseSpan> left_spans, right_spans;
      for (std::size_t p = begin; p < end; ++p) {
        sentences.read(left.data()[p], aligner->left);
        sentences.read(right.data()[p], aligner->right);
        aligner->align();
        if (phrases) {
          phrases->read(left.data()[p], left_spans);
          phrases->read(right.data()[p], right_spans);
          linker.link(aligner->left, aligner->right, aligner->alignment, left_spans, right_spans,
                      phrases->graph, evidence.lexical);
        }
        const PairScore score = scorer.score(details ? &found[p] : nullptr, linker.links);
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
  columns["left_words"] = column(all.pairs, [](const AlignedPair& pair) { return pair.left_words; });
  columns["right_words"] = column(all.pairs, [](const AlignedPair& pair) { return pair.right_words; });
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

WordLists word_lists(const nb::list& stop_words, const nb::list& punctuation, const nb::list& clitics,
                     const nb::list& contractions) {
  const auto words = [](const nb::list& list, const char* name) {
    WordLists::Words found;
    for (const std::string_view word : utf8_views(list, name)) found.emplace(word);
    return found;
  };
  const auto pairs = utf8_views(contractions, "contractions");
  if (pairs.size() % 2 != 0) throw RefusedInputError("MP406", "contractions are pairs of words.");
  WordLists lists{
      words(stop_words, "stop_words"), words(punctuation, "punctuation"), words(clitics, "clitics"), {}};
  for (std::size_t p = 0; p < pairs.size(); p += 2) lists.contractions.emplace_back(pairs[p], pairs[p + 1]);
  return lists;
}

nb::list stems(const nb::list& words) {
  Porter2 stemmer;
  nb::list result;
  for (const std::string_view word : utf8_views(words, "words")) {
    result.append(to_str(stemmer.stem(word)));
  }
  return result;
}

bool is_function_word(const WordLists& lists, const nb::str& form) {
  const std::string_view text = utf8(form.ptr());
  const Vocabulary vocabulary(std::span(&text, 1), lists);
  return vocabulary.spelling(0).lower_stop_word || vocabulary.spelling(0).lower_punctuation;
}

}  // namespace

void bind_alignment(nb::module_ module) {
  module.attr("most_cells") = most_cells;
  nb::class_<WordLists>(module, "WordLists")
      .def(
          "__init__",
          [](WordLists* self, const nb::list& stop_words, const nb::list& punctuation,
             const nb::list& clitics, const nb::list& contractions) {
            new (self) WordLists(word_lists(stop_words, punctuation, clitics, contractions));
          },
          "stop_words"_a, "punctuation"_a, "clitics"_a, "contractions"_a)
      .def("is_function_word", &is_function_word, "form"_a);
  nb::class_<Vocabulary>(module, "Vocabulary")
      .def(
          "__init__",
          [](Vocabulary* self, const nb::list& strings, const WordLists* lists) {
            // The list keeps the strings, and the strings their UTF-8 text, alive.
            const auto views = utf8_views(strings, "strings");
            const nb::gil_scoped_release released;
            new (self) Vocabulary(views, lists ? *lists : english_words());
          },
          "strings"_a, "lists"_a.none() = nb::none())
      .def(
          "take_stems",
          [](Vocabulary& self, const nb::list& stems) {
            if (stems.size() != self.canonical().size()) {
              throw RefusedInputError("MP406", "there must be a stem for each canonical form.");
            }
            self.take_stems(utf8_views(stems, "stems"));
          },
          "stems"_a)
      .def_prop_ro("canonical", [](const Vocabulary& self) { return to_list(self.canonical()); })
      .def_prop_ro("lower", [](const Vocabulary& self) { return to_list(self.lower()); })
      .def("canonical_numbers", [](const Vocabulary& self) {
        std::vector<std::int32_t> numbers(self.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          numbers[i] = self.spelling(static_cast<std::int32_t>(i)).canonical;
        }
        return as_array(std::move(numbers));
      });
  nb::class_<Relations>(module, "Relations")
      .def("__init__",
           &make_struct<Relations, LongVector, IntVector, IntVector, IntVector, nb::list,
                        std::optional<nb::list>>,
           "offsets"_a, "label"_a, "governor"_a, "dependent"_a, "label_names"_a,
           "read_as"_a.none() = nb::none());
  nb::class_<Sentences>(module, "Sentences")
      .def("__init__",
           &make_struct<Sentences, const Vocabulary&, LongVector, IntVector, IntVector, IntVector, IntVector,
                        Relations>,
           nb::keep_alive<1, 2>(), "vocabulary"_a, "offsets"_a, "form"_a, "lemma"_a, "tag"_a, "entity"_a,
           "relations"_a);
  nb::class_<Evidence>(module, "Evidence")
      .def("__init__", &make_struct<Evidence, const Vocabulary&, Graph, Graph, std::optional<Matrix<float>>>,
           nb::keep_alive<1, 2>(), "vocabulary"_a, "synonyms"_a, "paraphrases"_a, "vectors"_a.none());
  nb::class_<Phrases>(module, "Phrases")
      .def("__init__", &make_struct<Phrases, LongVector, IntVector, IntVector, IntVector, Graph>, "offsets"_a,
           "begin"_a, "words"_a, "phrase"_a, "paraphrases"_a);
  nb::class_<Options>(module, "Options")
      .def(nb::init<bool, bool, bool, bool, bool, int, int, double, double, double, double>(), nb::kw_only(),
           "mwa"_a, "one_to_one"_a, "symmetric"_a, "equivalent_types"_a, "uniform_weights"_a, "penalty"_a,
           "formula"_a, "theta"_a, "alpha"_a, "beta"_a, "delta"_a);
  module.def("align", &align, "sentences"_a, "evidence"_a, "phrases"_a.none(), "left"_a, "right"_a,
             "options"_a, "threads"_a, "details"_a);
  module.def("stems", &stems, "words"_a);
  module.def("relation_weight", [](const std::string& label) { return relation_weight(label); }, "label"_a);
  module.def(
      "is_function_word", [](const nb::str& form) { return is_function_word(english_words(), form); },
      "form"_a);
}

}  // namespace metaphrase::alignment
