// metaphrase._core.phrase_maps: similar words, similar phrases, and the best one-to-one maps between phrases.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "lexicon/word_similarity.hpp"
#include "phrase_maps/fewest_blocks_map.hpp"
#include "phrase_maps/lexicographic_map.hpp"
#include "phrase_maps/phrase_maps.hpp"
#include "phrase_maps/phrase_similarity.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::phrase_maps {
namespace {

using Numbers = Vector<double>;
using Stack = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Units in a similarity of 1. Decimals of six digits are whole numbers of units, and so is what halves of
// m-ths and n-ths add up to, for m and n up to 12.
constexpr double similarity_unit = 2.0 * 27720.0 * 27720.0 * 10000.0;
static_assert(similarity_unit < LexicographicMap::greatest_value);

// So many words of one sentence times words of the other (128 MB of similarities for each thread), and so
// many phrases times phrases: maps of more would take minutes.
constexpr std::int64_t most_word_pairs = std::int64_t{1} << 24, most_phrase_pairs = std::int64_t{1} << 22;
// Pairs of sentences a thread takes at a time.
constexpr std::size_t block = 64;

void make_similarity(lexicon::WordSimilarity* self, IntVector lemmas, IntVector stems, LongVector offsets,
                     IntVector subsumers, Numbers least, Numbers contents) {
  if (stems.size() != lemmas.size() || offsets.size() != lemmas.size() + 1 ||
      least.size() != subsumers.size()) {
    throw RefusedInputError("MP406", "lemmas, stems and subsumers are not of the same words.");
  }
  if (lemmas.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw RefusedInputError("MP406", "there are too many words.");
  }
  check_offsets(offsets, subsumers.size(), "subsumer offsets");
  check_ids(subsumers, contents.size(), "subsumers");
  check_amounts(least, "least");
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (!(contents.data()[i] >= 0.0) || (i > 0 && contents.data()[i] > contents.data()[i - 1])) {
      throw RefusedInputError("MP402", "the contents of subsumers must descend to 0.");
    }
  }
  for (std::size_t word = 0; word < lemmas.size(); ++word) {
    for (std::int64_t i = offsets(word) + 1; i < offsets(word + 1); ++i) {
      if (subsumers(i - 1) >= subsumers(i)) throw RefusedInputError("MP406", "subsumers must ascend.");
    }
  }
  const nb::gil_scoped_release released;
  const auto all = [](const auto& array) { return std::vector(array.data(), array.data() + array.size()); };
  new (self) lexicon::WordSimilarity(all(lemmas), all(stems), offsets.data(), subsumers.data(), least.data(),
                                     all(contents));
}

OwnedArray<double> word_matrix(const lexicon::WordSimilarity& similarity, IntVector words, IntVector others) {
  check_ids(words, similarity.size(), "words");
  check_ids(others, similarity.size(), "others");
  const std::size_t rows = words.size(), columns = others.size();
  return filled<double>({rows, columns}, [&](double* values) {
    lexicon::WordComparison comparison(similarity);
    for (std::size_t i = 0; i < rows; ++i) {
      comparison.hold(words.data()[i]);
      for (std::size_t j = 0; j < columns; ++j) values[i * columns + j] = comparison(others.data()[j]);
    }
  });
}

// The maps, and for each matrix whether its map surely has the fewest blocks, and the number of maps that
// tie.
nb::tuple maximum_maps(Stack stack, bool fewest_blocks) {
  const std::size_t count = stack.shape(0), rows = stack.shape(1), columns = stack.shape(2);
  constexpr auto most = static_cast<std::size_t>(most_phrase_pairs);
  if (rows > most || columns > most || rows * columns > most) {
    throw RefusedInputError("MP442",
                            "a matrix has more than " + std::to_string(most) + " cells, rows or columns.");
  }
  const std::size_t cells = rows * columns;
  auto about = std::make_unique<std::int32_t[]>(count * 2);
  auto found = filled<std::int32_t>({count, rows}, [&](std::int32_t* maps) {
    bool similarities = true;
    FewestBlocksMap solver;
    std::vector<double> units(cells);
    for (std::size_t m = 0; m < count; ++m) {
      const double* values = stack.data() + m * cells;
      for (std::size_t i = 0; i < cells; ++i) {
        similarities = similarities && values[i] >= 0.0 && values[i] <= 1.0;
        // What is no similarity must not reach the conversion either.
        const double value = similarities ? values[i] : 0.0;
        units[i] = static_cast<double>(static_cast<std::int64_t>(value * similarity_unit + 0.5));
      }
      const auto& map =
          solver.solve(units.data(), static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns));
      if (fewest_blocks) solver.join_blocks();
      about[2 * m] = !fewest_blocks || solver.proven() ? 1 : 0;
      about[2 * m + 1] = fewest_blocks ? solver.count_ties() : 0;
      std::copy(map.begin(), map.end(), maps + m * rows);
    }
    if (!similarities) throw RefusedInputError("MP443", "a similarity is not from 0 to 1.");
  });
  return nb::make_tuple(std::move(found), owned(std::move(about), {count, 2}));
}

// Words of phrases of sentences.
struct Sentences {
  LongVector offsets, phrases;
  IntVector words;

  void check(std::int32_t vocabulary) const {
    if (words.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw RefusedInputError("MP406", "there are too many words.");
    }
    check_offsets(phrases, words.size(), "phrase offsets");
    check_offsets(offsets, phrases.size() - 1, "sentence offsets");
    check_ids(words, vocabulary, "words");
  }
};

// One side of all pairs: their rows, and the weights and cosines of their phrases, pair by pair.
struct SideColumns {
  IntVector rows;
  Numbers weights, topics;
};

// The phrases of one side, pair by pair.
class Side {
 public:
  Side(const char* name, const Sentences& sentences, const SideColumns& columns, bool with_topics)
      : sentences_(sentences.offsets.data()),
        phrases_(sentences.phrases.data()),
        words_(sentences.words.data()),
        rows_(columns.rows.data()),
        weights_(columns.weights.data()),
        topics_(with_topics ? columns.topics.data() : nullptr) {
    const auto& [rows, weights, topics] = columns;
    check_ids(rows, sentences.offsets.size() - 1, name);
    starts_.reserve(rows.size() + 1);
    starts_.push_back(0);
    for (std::size_t p = 0; p < rows.size(); ++p) {
      starts_.push_back(starts_.back() + sentences_[rows_[p] + 1] - sentences_[rows_[p]]);
    }
    const auto expected = static_cast<std::size_t>(starts_.back());
    check(name, "weights", weights, expected);
    if (with_topics) check(name, "topics", topics, expected);
  }

  PhraseView view(std::size_t pair) const {
    const std::int64_t first = sentences_[rows_[pair]], last = sentences_[rows_[pair] + 1];
    return {static_cast<std::int32_t>(last - first), phrases_ + first, words_,
            topics_ ? topics_ + starts_[pair] : nullptr};
  }
  const double* weights(std::size_t pair) const { return weights_ + starts_[pair]; }

 private:
  static void check(const char* name, const char* what, const Numbers& numbers, std::size_t expected) {
    if (numbers.size() != expected) {
      throw RefusedInputError("MP406", "the " + std::string(name) + " have " + std::to_string(expected) +
                                           " phrases, but " + std::to_string(numbers.size()) + " " + what +
                                           ".");
    }
    check_amounts(numbers, what);
  }

  const std::int64_t *sentences_, *phrases_;
  const std::int32_t *words_, *rows_;
  const double *weights_, *topics_;
  std::vector<std::int64_t> starts_;
};

void check_size(std::size_t pair, const PhraseView& reference, const PhraseView& hypothesis) {
  if (std::int64_t{reference.size()} * hypothesis.size() <= most_word_pairs &&
      std::int64_t{reference.phrases} * hypothesis.phrases <= most_phrase_pairs) {
    return;
  }
  const auto described = [](const PhraseView& side) {
    return std::to_string(side.phrases) + " phrases of " + std::to_string(side.size()) + " words";
  };
  throw RefusedInputError("MP442", "in pair", pair,
                          " the hypothesis has " + described(hypothesis) + " and the reference " +
                              described(reference) + ", too many to compare");
}

// The maps of all pairs, one after the other.
struct MapColumns {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> references, hypotheses;
  std::vector<double> similarities;

  void add(const std::vector<PhrasePair>& map) {
    for (const PhrasePair& pair : map) {
      references.push_back(pair.reference);
      hypotheses.push_back(pair.hypothesis);
      similarities.push_back(pair.similarity);
    }
    offsets.push_back(static_cast<std::int64_t>(references.size()));
  }
  void add(const MapColumns& later) {
    const std::int64_t before = offsets.back();
    for (std::size_t i = 1; i < later.offsets.size(); ++i) offsets.push_back(before + later.offsets[i]);
    references.insert(references.end(), later.references.begin(), later.references.end());
    hypotheses.insert(hypotheses.end(), later.hypotheses.begin(), later.hypotheses.end());
    similarities.insert(similarities.end(), later.similarities.begin(), later.similarities.end());
  }
};

nb::tuple map_phrases(const lexicon::WordSimilarity& similarity, const Sentences& sentences,
                      const SideColumns& hypotheses, const SideColumns& references, double theta, int threads,
                      bool maps, MapRule rule) {
  sentences.check(similarity.size());
  if (hypotheses.rows.size() != references.rows.size()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally many.");
  }
  if (!(theta >= 0.0 && theta <= 1.0)) throw RefusedInputError("MP404", "theta must be 0 to 1.");
  const bool with_topics = theta < 1.0;
  const Side reference("references", sentences, references, with_topics);
  const Side hypothesis("hypotheses", sentences, hypotheses, with_topics);
  const std::size_t pairs = hypotheses.rows.size();
  for (std::size_t p = 0; p < pairs; ++p) check_size(p, reference.view(p), hypothesis.view(p));

  auto sums = std::make_unique<double[]>(pairs * 4);
  auto counts = std::make_unique<std::int32_t[]>(pairs * 6);
  MapColumns columns;
  {
    const nb::gil_scoped_release released;
    std::vector<MapColumns> found((pairs + block - 1) / block);
    parallel_blocks(found.size(), 1, threads, [&](std::size_t begin, std::size_t end, int) {
      PhraseMapper mapper(similarity, theta, rule);
      for (std::size_t b = begin; b < end; ++b) {
        for (std::size_t p = b * block; p < std::min(pairs, (b + 1) * block); ++p) {
          const PhraseView r = reference.view(p), h = hypothesis.view(p);
          const auto& map = mapper.map(r, h);
          if (maps) found[b].add(map);
          const auto totals = mapper.totals(r, reference.weights(p), h, hypothesis.weights(p));
          sums[p * 4] = totals.hypothesis_matched;
          sums[p * 4 + 1] = totals.hypothesis_weight;
          sums[p * 4 + 2] = totals.reference_matched;
          sums[p * 4 + 3] = totals.reference_weight;
          const TiedMaps& tied = mapper.tied();
          const std::int32_t row[6] = {totals.pairs,      totals.blocks,      tied.ties,
                                       tied.first_blocks, tied.fewest_blocks, tied.proven ? 1 : 0};
          std::copy(std::begin(row), std::end(row), counts.get() + p * 6);
        }
      }
    });
    for (const MapColumns& piece : found) columns.add(piece);
  }
  return nb::make_tuple(owned(std::move(sums), {pairs, 4}), owned(std::move(counts), {pairs, 6}),
                        as_array(std::move(columns.offsets)), as_array(std::move(columns.references)),
                        as_array(std::move(columns.hypotheses)), as_array(std::move(columns.similarities)));
}

}  // namespace

void bind_phrase_maps(nb::module_ module) {
  nb::class_<lexicon::WordSimilarity>(module, "WordSimilarity")
      .def("__init__", &make_similarity, "lemmas"_a, "stems"_a, "offsets"_a, "subsumers"_a, "least"_a,
           "contents"_a)
      .def("__len__", &lexicon::WordSimilarity::size)
      .def("matrix", &word_matrix, "words"_a, "others"_a);
  module.attr("most_ties") = FewestBlocksMap::most_ties;
  module.attr("most_phrases") = FewestBlocksMap::most_phrases;
  module.def("maximum_maps", &maximum_maps, "stack"_a, "fewest_blocks"_a);
  nb::class_<MapRule>(module, "MapRule")
      .def("__init__", &make_struct<MapRule, bool, bool>, "fewest_blocks"_a, "count_ties"_a);
  nb::class_<Sentences>(module, "Sentences")
      .def("__init__", &make_struct<Sentences, LongVector, LongVector, IntVector>, "offsets"_a, "phrases"_a,
           "words"_a);
  nb::class_<SideColumns>(module, "Side")
      .def("__init__", &make_struct<SideColumns, IntVector, Numbers, Numbers>, "rows"_a, "weights"_a,
           "topics"_a);
  module.def("map_phrases", &map_phrases, "similarity"_a, "sentences"_a, "hypotheses"_a, "references"_a,
             "theta"_a, "threads"_a, "maps"_a, "rule"_a);
}

}  // namespace metaphrase::phrase_maps
