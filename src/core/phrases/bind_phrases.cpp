// metaphrase._core.phrases: word alignments of parallel text, phrases and paraphrases. Shapes and indices are
// checked here, before the kernels trust them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>
#include <vector>

#include "lexicon/paraphrase_table.hpp"
#include "phrases/diagonal_aligner.hpp"
#include "phrases/phrase_extraction.hpp"
#include "phrases/pivot_paraphrases.hpp"
#include "phrases/symmetrise.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::phrases {
namespace {

ParallelText parallel_text(const LongVector& source_offsets, const IntVector& source,
                           const LongVector& target_offsets, const IntVector& target) {
  return {{view(source_offsets), view(source)}, {view(target_offsets), view(target)}};
}

// Its own copy of the text, since training goes on over several calls.
class Aligner {
 public:
  Aligner(const ParallelText& text, const DiagonalAlignerOptions& options)
      : source_offsets_(copy(text.source.offsets)),
        target_offsets_(copy(text.target.offsets)),
        source_(copy(text.source.words)),
        target_(copy(text.target.words)),
        aligner_({{source_offsets_, source_}, {target_offsets_, target_}}, options) {}
  Aligner(const Aligner&) = delete;

  DiagonalAligner& operator*() { return aligner_; }

 private:
  template <class Number>
  static std::vector<Number> copy(std::span<const Number> numbers) {
    return {numbers.begin(), numbers.end()};
  }

  std::vector<std::int64_t> source_offsets_, target_offsets_;
  std::vector<std::int32_t> source_, target_;
  DiagonalAligner aligner_;
};

Symmetrisation symmetrisation(std::string_view method) {
  if (method == "intersection") return Symmetrisation::intersection;
  if (method == "union") return Symmetrisation::union_;
  if (method == "grow-diag") return Symmetrisation::grow_diag;
  require(method == "grow-diag-final-and", "there is no such method of symmetrisation");
  return Symmetrisation::grow_diag_final_and;
}

// Links of a word must lie in the other sentence, or be -1.
void check_links(std::span<const std::int32_t> links, std::size_t words) {
  for (const std::int32_t link : links) {
    require(link >= -1 && link < static_cast<std::int64_t>(words), "a link leaves its sentence");
  }
}

nb::tuple symmetrise(LongVector source_offsets, IntVector target_of, LongVector target_offsets,
                     IntVector source_of, std::string_view method) {
  Symmetriser symmetriser(symmetrisation(method));
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> sources, targets;
  {
    const nb::gil_scoped_release released;
    const PackedText source{view(source_offsets), view(target_of)};
    const PackedText target{view(target_offsets), view(source_of)};
    check_offsets(source.offsets, source.words.size(), "source");
    check_offsets(target.offsets, target.words.size(), "target");
    require(source.sentences() == target.sentences(), "the directions differ in their number of sentences");
    for (std::size_t k = 0; k < source.sentences(); ++k) {
      const auto forth = source.sentence(k), back = target.sentence(k);
      check_links(forth, back.size());
      check_links(back, forth.size());
      if (!back.empty() && forth.size() > most_cells / back.size())
        throw std::length_error("sentence pair " + std::to_string(k + 1) + " is too long");
      symmetriser.add_links(back, forth, sources, targets);
      offsets.push_back(static_cast<std::int64_t>(sources.size()));
    }
  }
  return as_arrays(offsets, sources, targets);
}

class PhraseCounter {
 public:
  PhraseCounter(std::size_t most_source_words, std::size_t most_target_words, std::size_t limit)
      : extractor_(most_source_words, most_target_words), counts_(limit) {}

  void add(LongVector source_offsets, IntVector source, LongVector target_offsets, IntVector target,
           LongVector link_offsets, IntVector link_sources, IntVector link_targets) {
    const nb::gil_scoped_release released;
    const auto text = parallel_text(source_offsets, source, target_offsets, target);
    check_parallel(text);
    require(link_sources.size() == link_targets.size(), "links have two ends");
    check_offsets(view(link_offsets), link_sources.size(), "links");
    require(link_offsets.size() == source_offsets.size(), "every sentence pair must have its links");
    for (std::size_t k = 0; k < text.sentences(); ++k) {
      const auto begin = link_offsets.data()[k], links = link_offsets.data()[k + 1] - begin;
      add_sentence(text.source.sentence(k), text.target.sentence(k), view(link_sources).subspan(begin, links),
                   view(link_targets).subspan(begin, links));
    }
  }

  // Pairs of numbers of phrases with their counts; totals of each phrase, of all its pairs; the phrases'
  // words.
  nb::tuple table(std::uint32_t least_count) {
    Side source, target;
    std::vector<std::int32_t> firsts, seconds;
    std::vector<std::int64_t> counts;
    {
      const nb::gil_scoped_release released;
      source.start(sources_);
      target.start(targets_);
      for (const auto& [pair, count] : counts_.table()) {
        const auto first = static_cast<std::int32_t>(pair >> 32), second = static_cast<std::int32_t>(pair);
        source.seen[first] += count;
        target.seen[second] += count;
        if (count < least_count) continue;
        firsts.push_back(source.number(first));
        seconds.push_back(target.number(second));
        counts.push_back(count);
      }
      source.finish(sources_);
      target.finish(targets_);
    }
    return nb::make_tuple(as_array(std::move(firsts)), as_array(std::move(seconds)),
                          as_array(std::move(counts)), source.release(), target.release(), counts_.lost());
  }

 private:
  // The phrases of one side that stand in a table, numbered in its order.
  struct Side {
    std::vector<std::int64_t> seen;
    std::vector<std::int32_t> numbers, phrases, words;
    std::vector<std::int64_t> totals, offsets;

    void start(const PhraseIndex& index) {
      seen.assign(index.size(), 0);
      numbers.assign(index.size(), -1);
    }
    std::int32_t number(std::int32_t phrase) {
      if (numbers[phrase] < 0) {
        numbers[phrase] = static_cast<std::int32_t>(phrases.size());
        phrases.push_back(phrase);
      }
      return numbers[phrase];
    }
    void finish(const PhraseIndex& index) {
      offsets.push_back(0);
      for (const std::int32_t phrase : phrases) {
        totals.push_back(seen[phrase]);
        index.spell(phrase, words);
        offsets.push_back(static_cast<std::int64_t>(words.size()));
      }
    }
    nb::tuple release() { return as_arrays(offsets, words, totals); }
  };

  void add_sentence(std::span<const std::int32_t> source, std::span<const std::int32_t> target,
                    std::span<const std::int32_t> from, std::span<const std::int32_t> to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      require(from[i] >= 0 && static_cast<std::size_t>(from[i]) < source.size() && to[i] >= 0 &&
                  static_cast<std::size_t>(to[i]) < target.size(),
              "a link leaves its sentence");
    }
    extractor_.extract(source.size(), target.size(), from, to,
                       [&](std::size_t s, std::size_t s_last, std::size_t t, std::size_t t_last) {
                         counts_.add(sources_.insert(source.subspan(s, s_last - s + 1)),
                                     targets_.insert(target.subspan(t, t_last - t + 1)));
                       });
    constexpr std::int32_t most_phrases = 1 << 30;
    if (sources_.size() > most_phrases || targets_.size() > most_phrases)
      throw std::length_error("the text has too many different phrases");
  }

  PhraseExtractor extractor_;
  PhraseIndex sources_, targets_;
  PairCounts counts_;
};

// `pairs` are phrases, pivot phrases and their counts.
nb::tuple pivot(const std::tuple<IntVector, IntVector, LongVector>& pairs, LongVector phrase_totals,
                LongVector pivot_totals, Vector<std::uint8_t> wanted, double least_translation,
                double least_paraphrase, int threads) {
  const auto& [phrases, pivots, counts] = pairs;
  Paraphrases found = without_gil([&, &phrases = phrases, &pivots = pivots, &counts = counts] {
    require(phrases.size() == pivots.size() && phrases.size() == counts.size(), "columns differ in length");
    require(wanted.size() == phrase_totals.size(), "every phrase must be wanted or not");
    for (std::size_t row = 0; row < phrases.size(); ++row) {
      const std::int32_t e = phrases.data()[row], f = pivots.data()[row];
      require(e >= 0 && static_cast<std::size_t>(e) < phrase_totals.size() && f >= 0 &&
                  static_cast<std::size_t>(f) < pivot_totals.size(),
              "a phrase has no total");
      const std::int64_t count = counts.data()[row];
      require(count > 0 && count <= phrase_totals.data()[e] && count <= pivot_totals.data()[f],
              "a count is not between 1 and its totals");
    }
    return pivot_paraphrases(
        {view(phrases), view(pivots), view(counts), view(phrase_totals), view(pivot_totals)}, view(wanted),
        {least_translation, least_paraphrase}, threads);
  });
  return as_arrays(found.phrases, found.paraphrases, found.probabilities, found.pivots);
}

nb::list lookup(const lexicon::ParaphraseTable& table, nb::str phrase) {
  nb::list found;
  const std::uint32_t number = table.find(utf8(phrase.ptr()));
  if (number == lexicon::ParaphraseTable::absent) return found;
  const auto others = table.paraphrases(number);
  for (std::size_t i = 0; i < others.size(); ++i) {
    found.append(nb::make_tuple(to_str(table.phrase(others[i])), table.probability(number, i)));
  }
  return found;
}

nb::tuple graph(const lexicon::ParaphraseTable& table, nb::tuple words) {
  require(nb::len(words) <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
          "too many words for 32-bit numbers");
  const auto texts = utf8_list(words);
  lexicon::ParaphraseGraph graph = without_gil([&] { return table.graph(texts); });
  return as_arrays(graph.offsets, graph.neighbours, graph.probabilities);
}

}  // namespace

void bind_phrases(nb::module_ module) {
  nb::class_<Aligner>(module, "WordAligner")
      .def(
          "__init__",
          [](Aligner* self, LongVector source_offsets, IntVector source, LongVector target_offsets,
             IntVector target, double null_probability, double concentration, double tension) {
            const nb::gil_scoped_release released;
            const auto text = parallel_text(source_offsets, source, target_offsets, target);
            check_parallel(text);
            require(null_probability > 0 && null_probability < 1, "the null word has a wrong probability");
            require(concentration > 0 && concentration < 1e6, "the concentration is out of range");
            require(tension >= 0 && tension <= 100, "the tension is out of range");
            new (self) Aligner(text, {null_probability, concentration, tension});
          },
          nb::kw_only(), "source_offsets"_a, "source"_a, "target_offsets"_a, "target"_a, "null_probability"_a,
          "concentration"_a, "tension"_a)
      .def(
          "iterate", [](Aligner& self, int threads) { (*self).iterate(threads); }, "threads"_a,
          nb::call_guard<nb::gil_scoped_release>())
      .def("links", [](Aligner& self) {
        std::vector<std::int32_t> source_of = without_gil([&] { return (*self).links(0); });
        std::vector<std::int32_t> target_of = without_gil([&] { return (*self).links(1); });
        return as_arrays(target_of, source_of);
      });
  module.def("symmetrise", &symmetrise, nb::kw_only(), "source_offsets"_a, "target_of"_a, "target_offsets"_a,
             "source_of"_a, "method"_a);
  nb::class_<PhraseCounter>(module, "PhraseCounter")
      .def(nb::init<std::size_t, std::size_t, std::size_t>(), nb::kw_only(), "most_source_words"_a,
           "most_target_words"_a, "limit"_a)
      .def("add", &PhraseCounter::add, nb::kw_only(), "source_offsets"_a, "source"_a, "target_offsets"_a,
           "target"_a, "link_offsets"_a, "link_sources"_a, "link_targets"_a)
      .def("table", &PhraseCounter::table, "least_count"_a);
  module.def("pivot", &pivot, nb::kw_only(), "pairs"_a, "phrase_totals"_a, "pivot_totals"_a, "wanted"_a,
             "least_translation"_a, "least_paraphrase"_a, "threads"_a);
  nb::class_<lexicon::ParaphraseTableWriter>(module, "ParaphraseTableWriter")
      .def(nb::init<>())
      .def(
          "add",
          [](lexicon::ParaphraseTableWriter& self, nb::list phrases, nb::list paraphrases,
             Vector<float> probabilities) {
            require(phrases.size() == paraphrases.size() && phrases.size() == probabilities.size(),
                    "columns differ in length");
            for (std::size_t i = 0; i < phrases.size(); ++i) {
              self.add(utf8(nb::handle(phrases[i]).ptr()), utf8(nb::handle(paraphrases[i]).ptr()),
                       probabilities.data()[i]);
            }
          },
          "phrases"_a, "paraphrases"_a, "probabilities"_a)
      .def("file",
           [](const lexicon::ParaphraseTableWriter& self) { return bytes_of([&] { return self.file(); }); });
  nb::class_<lexicon::ParaphraseTable>(module, "ParaphraseTable")
      .def("__init__", &open_file<lexicon::ParaphraseTable>, "path"_a)
      .def_prop_ro("phrase_count", &lexicon::ParaphraseTable::phrase_count)
      .def_prop_ro("pair_count", &lexicon::ParaphraseTable::pair_count)
      .def_prop_ro("fingerprint", &lexicon::ParaphraseTable::fingerprint)
      .def("phrase",
           [](const lexicon::ParaphraseTable& self, std::size_t i) {
             if (i >= self.phrase_count()) throw nb::index_error("no such phrase");
             return to_str(self.phrase(i));
           })
      .def("lookup", &lookup, "phrase"_a)
      .def("graph", &graph, "words"_a);
}

}  // namespace metaphrase::phrases
