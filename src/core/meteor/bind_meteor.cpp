// metaphrase._core.meteor: the matches, the alignment and the statistics of METEOR. Shapes and numbers are
// checked here, before the kernels trust them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/string_table.hpp"
#include "lexicon/phrase_trie.hpp"
#include "meteor/alignment.hpp"
#include "meteor/matches.hpp"
#include "meteor/phrases.hpp"
#include "meteor/senses.hpp"
#include "meteor/words.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::meteor {
namespace {

constexpr std::size_t pairs_per_block = 16;

// Texts as words between spaces, each distinct word with a number.
class Sentences {
 public:
  explicit Sentences(const nb::list& texts) {
    const auto views = strict_utf8_list(texts);
    const nb::gil_scoped_release released;
    for (const std::string_view text : views) {
      // What separates words for a StringTokenizer of Java.
      constexpr std::string_view spaces = " \t\n\r\f";
      for (std::size_t at = text.find_first_not_of(spaces); at != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
        words_.push_back(table_.intern(text.substr(at, end - at)));
        at = text.find_first_not_of(spaces, end);
      }
      starts_.push_back(words_.size());
    }
    for (std::size_t i = 0; i < table_.size(); ++i) vocabulary_.push_back(table_[i]);
  }

  std::size_t count() const { return starts_.size() - 1; }
  std::span<const std::string_view> vocabulary() const { return vocabulary_; }
  std::span<const std::int32_t> operator[](std::size_t i) const {
    return std::span(words_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }
  void check(const IntVector& rows, const char* name) const { check_ids(rows, count(), name); }

 private:
  StringTable table_;
  std::vector<std::string_view> vocabulary_;
  std::vector<std::int32_t> words_;
  std::vector<std::size_t> starts_{0};
};

// Sentences with all that relates their words; any number of threads may ask it.
class Matcher {
 public:
  Matcher(const Sentences& sentences, const std::optional<nb::list>& stems, const nb::bytes& function,
          bool characters, const lexicon::WordNet* wordnet, const std::optional<IntVector>& synset_numbers,
          const lexicon::ParaphraseTable* table, const lexicon::PhraseTrie* trie)
      : sentences_(sentences), table_(table) {
    const auto words = sentences.vocabulary();
    if (function.size() != words.size()) throw nb::value_error("every word needs to be told a function word");
    function_.assign(function.c_str(), function.c_str() + function.size());
    std::vector<std::string_view> spelled;
    if (stems) {
      spelled = strict_utf8_list(*stems);
      if (spelled.size() != words.size()) throw nb::value_error("every word needs a stem");
    }
    if (wordnet != nullptr) {
      if (!synset_numbers || synset_numbers->size() != wordnet->synset_count())
        throw nb::value_error("every synset needs a number");
      check_ids(*synset_numbers, wordnet->synset_count(), "synset_numbers");
    }
    if ((table == nullptr) != (trie == nullptr) || (trie != nullptr && !trie->is_of(*table)))
      throw nb::value_error("a table needs its own trie");
    const nb::gil_scoped_release released;
    modules_.push_back(MeteorModule::exact);
    for (const std::string_view word : words) {
      word_.push_back(java_hash(word));
      width_.push_back(characters ? java_length(word) : 1);
    }
    if (stems) {
      modules_.push_back(MeteorModule::stem);
      for (const std::string_view stem : spelled) stem_.push_back(java_hash(stem));
    }
    if (wordnet != nullptr) {
      modules_.push_back(MeteorModule::synonym);
      MeteorSynsets lookup(*wordnet, {synset_numbers->data(), synset_numbers->size()});
      std::vector<std::int32_t> synsets;
      std::vector<std::size_t> starts{0};
      for (const std::string_view word : words) {
        lookup.append(word, synsets);
        starts.push_back(synsets.size());
      }
      senses_ = MeteorSenses(synsets, starts, wordnet->synset_count());
    }
    if (table != nullptr) {
      modules_.push_back(MeteorModule::paraphrase);
      PhraseFinder finder(*trie, words);
      for (std::size_t i = 0; i < sentences.count(); ++i) {
        finder.append(sentences[i], phrases_);
        phrase_starts_.push_back(phrases_.size());
      }
    }
  }

  // A row a pair; one that begins with -1 belongs to a pair with too many words or matches.
  OwnedArray<double> statistics(const IntVector& hypotheses, const IntVector& references, int threads) const {
    check(hypotheses, references);
    const std::size_t pairs = hypotheses.size();
    return filled<double>({pairs, meteor_columns}, [&](double* rows) {
      const MeteorVocabulary known = vocabulary();
      parallel_blocks(pairs, pairs_per_block, threads, [&](std::size_t begin, std::size_t end, int) {
        MeteorMatcher matcher(known, modules_, table_);
        MeteorAligner aligner;
        for (std::size_t i = begin; i < end; ++i) {
          const std::span<double> row{rows + i * meteor_columns, meteor_columns};
          const auto hypothesis = sentence(hypotheses(i)), reference = sentence(references(i));
          if (!matcher.match(hypothesis, reference)) {
            std::fill(row.begin(), row.end(), -1.0);
            continue;
          }
          const auto matches = aligner.align(matcher, hypothesis.words.size(), reference.words.size());
          meteor_statistics(known, hypothesis.words, reference.words, matches, row);
        }
      });
    });
  }

  // IntVector of: first word and number of words in the hypothesis, the same in the reference, stage, chunk
  // from 1.
  OwnedArray<std::int32_t> matches(std::int32_t hypothesis_row, std::int32_t reference_row) const {
    const auto rows = static_cast<std::int64_t>(sentences_.count());
    check_ids(&hypothesis_row, 1, rows, "hypothesis");
    check_ids(&reference_row, 1, rows, "reference");
    std::vector<std::int32_t> cells;
    {
      const nb::gil_scoped_release released;
      const MeteorVocabulary known = vocabulary();
      MeteorMatcher matcher(known, modules_, table_);
      MeteorAligner aligner;
      const auto hypothesis = sentence(hypothesis_row), reference = sentence(reference_row);
      if (!matcher.match(hypothesis, reference))
        throw std::length_error("there are too many words or matches");
      count_chunks(aligner.align(matcher, hypothesis.words.size(), reference.words.size()),
                   [&](const MeteorMatch& match, std::int32_t chunk) {
                     cells.insert(cells.end(), {match.hypothesis, match.hypothesis_words, match.reference,
                                                match.reference_words, match.stage, chunk});
                   });
    }
    return as_rows(cells, 6);
  }

 private:
  void check(const IntVector& hypotheses, const IntVector& references) const {
    if (hypotheses.size() != references.size()) throw nb::value_error("every hypothesis needs a reference");
    sentences_.check(hypotheses, "hypotheses");
    sentences_.check(references, "references");
  }

  MeteorVocabulary vocabulary() const { return {word_, stem_, &senses_, function_, width_}; }

  MeteorSentence sentence(std::int32_t i) const {
    if (table_ == nullptr) return {sentences_[i], {}};
    return {sentences_[i],
            std::span(phrases_).subspan(phrase_starts_[i], phrase_starts_[i + 1] - phrase_starts_[i])};
  }

  const Sentences& sentences_;
  const lexicon::ParaphraseTable* table_;
  std::vector<MeteorModule> modules_;
  std::vector<std::int32_t> word_, stem_, width_;
  MeteorSenses senses_;
  std::vector<std::uint8_t> function_;
  std::vector<PhraseSpan> phrases_;
  std::vector<std::size_t> phrase_starts_{0};
};

}  // namespace

void bind_meteor(nb::module_ module) {
  nb::class_<Sentences>(module, "Sentences")
      .def(nb::init<const nb::list&>(), "texts"_a)
      .def("__len__", &Sentences::count)
      .def_prop_ro("vocabulary", [](const Sentences& self) { return to_list(self.vocabulary()); })
      .def(
          "words",
          [](const Sentences& self, std::int32_t row) {
            check_ids(&row, 1, static_cast<std::int64_t>(self.count()), "row");
            nb::list words;
            for (const std::int32_t word : self[row]) words.append(to_str(self.vocabulary()[word]));
            return words;
          },
          "row"_a);
  nb::class_<lexicon::PhraseTrie>(module, "PhraseTrie")
      .def(
          "__init__",
          // Bytes, because a path need not be valid UTF-8.
          [](lexicon::PhraseTrie* self, const lexicon::ParaphraseTable& table,
             const std::optional<nb::bytes>& path) {
            const std::string name = path ? std::string(path->c_str(), path->size()) : std::string();
            const nb::gil_scoped_release released;
            new (self) lexicon::PhraseTrie(path ? lexicon::PhraseTrie::open(name, table)
                                                : lexicon::PhraseTrie::build(table));
          },
          "table"_a, "path"_a.none());
  module.def(
      "phrase_trie_file",
      [](const lexicon::ParaphraseTable& table) {
        return bytes_of([&] { return lexicon::PhraseTrie::file(table); });
      },
      "table"_a);
  nb::class_<Matcher>(module, "Matcher")
      .def(nb::init<const Sentences&, const std::optional<nb::list>&, const nb::bytes&, bool,
                    const lexicon::WordNet*, const std::optional<IntVector>&, const lexicon::ParaphraseTable*,
                    const lexicon::PhraseTrie*>(),
           "sentences"_a, nb::kw_only(), "stems"_a.none(), "function"_a, "characters"_a, "wordnet"_a.none(),
           "synset_numbers"_a.none(), "table"_a.none(), "phrases"_a.none(), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 8>())
      .def("statistics", &Matcher::statistics, "hypotheses"_a, "references"_a, nb::kw_only(), "threads"_a)
      .def("matches", &Matcher::matches, "hypothesis"_a, "reference"_a);
}

}  // namespace metaphrase::meteor
