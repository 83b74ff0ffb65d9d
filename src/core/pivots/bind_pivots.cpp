// metaphrase._core.pivots: sentences read through the phrases of another language. Whatever an array holds is
// checked here, before the kernels trust it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "pivots/bags.hpp"
#include "pivots/ngrams.hpp"
#include "pivots/overlaps.hpp"
#include "pivots/table.hpp"
#include "pivots/table_writer.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::pivots {
namespace {

void check_longest(std::size_t words, std::size_t row) {
  if (words > longest_sentence) {
    throw RefusedInputError(
        "MP665", "sentence", row,
        " has " + std::to_string(words) + " words, more than " + std::to_string(longest_sentence));
  }
}

void check_vocabulary(const Table& table, std::size_t words) {
  if (!Vocabulary::fits(table, words)) {
    throw RefusedInputError("MP665",
                            std::to_string(words) + " different words are too many to compare at a time.");
  }
}

// Words and what they are made of, as (lemma, tag, function word).
nb::tuple unit_tuple(const Table& table, std::uint32_t unit) {
  const std::uint32_t tag = table.unit_tag(unit);
  return nb::make_tuple(to_str(table.lemma(table.unit_lemma(unit))), to_str(table.tag(tag)),
                        table.is_function_tag(tag));
}

nb::object lookup(const Table& table, nb::list words) {
  std::uint32_t node = Table::absent;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t word = table.find_word(utf8(nb::handle(words[i]).ptr()));
    if (word == Table::absent) return nb::none();
    node = i == 0 ? word : table.child(node, word);
    if (node == Table::absent) return nb::none();
  }
  if (node == Table::absent || table.count(node) == 0) return nb::none();
  nb::list alternatives;
  for (std::uint32_t a = table.first_alternative(node); a < table.first_alternative(node + 1); ++a) {
    nb::list units;
    const std::uint32_t phrase = table.alternative_phrase(a);
    for (std::uint32_t i = table.first_unit(phrase); i < table.first_unit(phrase + 1); ++i) {
      units.append(unit_tuple(table, table.unit(i)));
    }
    alternatives.append(nb::make_tuple(nb::tuple(units), table.alternative_count(a)));
  }
  return nb::make_tuple(table.count(node), alternatives);
}

// A single sentence of words among `strings`.
struct Sentence {
  Sentence(const Table& table, const nb::list& strings, const IntVector& word)
      : vocabulary((check(table, strings, word), Vocabulary(table, utf8_list(strings)))), words(view(word)) {}

  static void check(const Table& table, const nb::list& strings, const IntVector& word) {
    check_longest(word.size(), 0);
    check_vocabulary(table, strings.size());
    check_ids(word, strings.size(), "word");
  }

  Vocabulary vocabulary;
  std::span<const std::int32_t> words;
};

// The first word and the number of words of each phrase, and whether the table has it.
nb::list segment(const Table& table, nb::list strings, IntVector word) {
  const Sentence sentence(table, strings, word);
  BagReader reader(table, sentence.vocabulary, 1);
  nb::list found;
  for (const Segment& segment : reader.segments(sentence.words)) {
    found.append(nb::make_tuple(segment.begin, segment.length, segment.node != Table::absent));
  }
  return found;
}

// Units (a str for an unknown word), expected count and discount of each n-gram.
nb::list sentence_ngrams(const Table& table, nb::list strings, IntVector word, int order, int divisor) {
  if (order < 1 || order > bags::max_order) throw std::invalid_argument("the order of n-grams is not 1 to 3");
  const Sentence sentence(table, strings, word);
  const Vocabulary& vocabulary = sentence.vocabulary;
  BagReader reader(table, vocabulary, divisor);
  nb::list found;
  for (const WeightedNgram& ngram : reader.expected(sentence.words, order)) {
    nb::list units;
    for (int i = 0; i < order; ++i) {
      const std::uint32_t unit = unit_at(ngram.key, order, i);
      if (vocabulary.is_unknown(unit)) {
        units.append(strings[vocabulary.unknown_word(unit)]);
      } else {
        units.append(unit_tuple(table, unit));
      }
    }
    found.append(nb::make_tuple(nb::tuple(units), ngram.weight, reader.discount(ngram.key, order)));
  }
  return found;
}

OwnedArray<double> overlaps(const Table& table, nb::list strings, LongVector offsets, IntVector word,
                            IntVector hypotheses, IntVector references, int divisor, int threads) {
  const std::vector<std::string_view> words = utf8_list(strings);  // of the caller's own list
  return filled<double>({hypotheses.size(), overlap_columns}, [&](double* rows) {
    check_offsets(offsets, word.size(), "offsets");
    check_ids(word, words.size(), "word");
    if (hypotheses.size() != references.size())
      throw RefusedInputError("MP406", "hypotheses and references must be equally long.");
    const std::size_t sentences = offsets.size() - 1;
    for (const IntVector* side : {&hypotheses, &references}) {
      check_ids(*side, sentences, "hypotheses or references");
    }
    check_vocabulary(table, words.size());
    const PackedText text{view(offsets), view(word)};
    for (std::size_t row = 0; row < sentences; ++row) check_longest(text.sentence(row).size(), row);
    const Vocabulary vocabulary(table, words);
    PairComparison(table, vocabulary, text, divisor)
        .compare(view(hypotheses), view(references), threads, rows);
  });
}

// Keys of units, one row an n-gram, and their expected counts.
nb::tuple expected_ngrams(LongVector slot_offsets, LongVector unit_offsets, IntVector units,
                          Vector<double> probabilities, int order) {
  std::vector<std::int32_t> keys;
  std::vector<double> weights;
  {
    const nb::gil_scoped_release released;
    check_offsets(slot_offsets, probabilities.size(), "slot_offsets");
    check_offsets(unit_offsets, units.size(), "unit_offsets");
    check_ids(units, unit_limit, "units");
    check_amounts(probabilities, "probabilities");
    if (unit_offsets.size() != probabilities.size() + 1)
      throw RefusedInputError("MP406", "every alternative must have a probability.");
    if (order < 1 || order > bags::max_order)
      throw RefusedInputError("MP404", "the order must be 1, 2 or 3.");
    Network network;
    for (std::size_t s = 0; s + 1 < slot_offsets.size(); ++s) {
      for (std::int64_t a = slot_offsets.data()[s]; a < slot_offsets.data()[s + 1]; ++a) {
        const std::int64_t first = unit_offsets.data()[a], last = unit_offsets.data()[a + 1];
        if (first == last) throw RefusedInputError("MP406", "an alternative has no unit.");
        for (std::int64_t i = first; i < last; ++i) {
          network.add_unit(static_cast<std::uint32_t>(units.data()[i]), 1.0);
        }
        network.end_alternative(probabilities.data()[a]);
      }
      network.end_slot();
    }
    std::vector<WeightedNgram> ngrams[bags::max_order];
    NgramExpectation().count(network, ngrams);
    for (const WeightedNgram& ngram : ngrams[order - 1]) {
      for (int i = 0; i < order; ++i) {
        keys.push_back(static_cast<std::int32_t>(unit_at(ngram.key, order, i)));
      }
      weights.push_back(ngram.weight);
    }
  }
  return as_arrays(keys, weights);
}

void check_phrases(const PackedText& phrases, std::size_t words, const char* name) {
  check_text(phrases, name);
  check_ids(phrases.words, words, name);
  for (std::size_t k = 0; k < phrases.sentences(); ++k) {
    const std::size_t size = phrases.sentence(k).size();
    if (size < 1 || size > most_words)
      throw std::length_error(std::string(name) + ": a phrase does not have one to four words");
  }
}

// Phrases and pivot phrases that are in no pair would have no alternatives.
void check_pairs(const PhrasePairs& pairs) {
  const std::size_t phrases = pairs.phrases.sentences();
  if (pairs.totals.size() != phrases || pairs.to.size() != pairs.from.size() ||
      pairs.counts.size() != pairs.from.size() || pairs.unit_tags.size() != pairs.unit_lemmas.size() ||
      pairs.function.size() != pairs.tags.size())
    throw std::invalid_argument("columns differ in length");
  check_ids(pairs.from, phrases, "pairs");
  check_ids(pairs.to, pairs.pivots.sentences(), "pairs");
  check_ids(pairs.unit_lemmas, pairs.lemmas.size(), "lemmas");
  check_ids(pairs.unit_tags, pairs.tags.size(), "tags");
  std::vector<std::int64_t> counted(phrases, 0), alternatives(phrases, 0);
  for (std::size_t i = 0; i < pairs.from.size(); ++i) {
    const std::int64_t total = pairs.totals[pairs.from[i]], count = pairs.counts[i];
    if (count < 1 || count > total || (counted[pairs.from[i]] += count) > total)
      throw std::invalid_argument("counts of pairs exceed those of their phrases");
    if (++alternatives[pairs.from[i]] > static_cast<std::int64_t>(most_alternatives))
      throw std::length_error("a phrase has more than 64 alternatives");
  }
  for (std::size_t p = 0; p < phrases; ++p) {
    if (alternatives[p] == 0) throw std::invalid_argument("a phrase is in no pair");
    if (static_cast<std::uint64_t>(pairs.totals[p]) > pairs.total)
      throw std::invalid_argument("the total is less than the count of a phrase");
  }
}

// What pivot phrases are made of: units are pairs of a lemma and a tag.
struct Units {
  nb::list lemmas, tags;
  Vector<std::uint8_t> function;  // by tag
  IntVector lemma, tag;
};

// Offsets of phrases, and their words.
using Phrases = std::pair<LongVector, IntVector>;
// Phrases, pivot phrases, and how often they stood for each other.
using Pairs = std::tuple<IntVector, IntVector, LongVector>;

nb::bytes write_table(nb::list names, nb::list words, const Units& units, const Phrases& phrases,
                      LongVector totals, const Phrases& pivots, const Pairs& counted, std::uint64_t total) {
  const auto name_texts = strict_utf8_list(names), word_texts = strict_utf8_list(words);
  const auto lemma_texts = strict_utf8_list(units.lemmas), tag_texts = strict_utf8_list(units.tags);
  if (name_texts.size() != 4) throw std::invalid_argument("there must be two languages and two analysers");
  return bytes_of([&] {
    const auto& [from, to, counts] = counted;
    const PhrasePairs pairs{name_texts[0],
                            name_texts[1],
                            name_texts[2],
                            name_texts[3],
                            word_texts,
                            lemma_texts,
                            tag_texts,
                            view(units.function),
                            view(units.lemma),
                            view(units.tag),
                            {view(phrases.first), view(phrases.second)},
                            {view(pivots.first), view(pivots.second)},
                            view(totals),
                            view(from),
                            view(to),
                            view(counts),
                            total};
    check_phrases(pairs.phrases, word_texts.size(), "phrases");
    check_phrases(pairs.pivots, units.lemma.size(), "pivot phrases");
    check_pairs(pairs);
    return TableWriter(pairs).file();
  });
}

}  // namespace

void bind_pivots(nb::module_ module) {
  module.attr("most_words") = most_words;
  module.attr("most_alternatives") = most_alternatives;
  module.attr("most_string") = most_string;
  nb::class_<Units>(module, "Units")
      .def("__init__", &make_struct<Units, nb::list, nb::list, Vector<std::uint8_t>, IntVector, IntVector>,
           nb::kw_only(), "lemmas"_a, "tags"_a, "function"_a, "lemma"_a, "tag"_a);
  module.def("write_table", &write_table, nb::kw_only(), "names"_a, "words"_a, "units"_a, "phrases"_a,
             "totals"_a, "pivots"_a, "pairs"_a, "total"_a);
  module.def("expected_ngrams", &expected_ngrams, nb::kw_only(), "slot_offsets"_a, "unit_offsets"_a,
             "units"_a, "probabilities"_a, "order"_a);
  nb::class_<Table>(module, "PivotTable")
      .def("__init__", &open_file<Table>, "path"_a)
      .def_prop_ro("languages",
                   [](const Table& t) {
                     return nb::make_tuple(to_str(t.target_language()), to_str(t.pivot_language()));
                   })
      .def_prop_ro("analysers",
                   [](const Table& t) {
                     return nb::make_tuple(to_str(t.target_analyser()), to_str(t.pivot_analyser()));
                   })
      .def_prop_ro("fingerprint", &Table::fingerprint)
      .def_prop_ro("total", &Table::total)
      .def_prop_ro("phrase_count", &Table::phrase_count)
      .def_prop_ro("alternative_count", [](const Table& t) { return t.alternative_count(); })
      .def("lookup", &lookup, "words"_a)
      .def("segment", &segment, "strings"_a, "word"_a)
      .def("ngrams", &sentence_ngrams, "strings"_a, "word"_a, nb::kw_only(), "order"_a, "divisor"_a)
      .def("overlaps", &overlaps, nb::kw_only(), "strings"_a, "offsets"_a, "word"_a, "hypotheses"_a,
           "references"_a, "divisor"_a, "threads"_a);
}

}  // namespace metaphrase::pivots
