// metaphrase._core.substitutions: which words of two sentences an edit machine may substitute. Whatever an
// array holds is checked here, before the kernel trusts it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/pair_index.hpp"
#include "base/parallel.hpp"
#include "edits/substitutions.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::edits::substitutions {
namespace {

using ByteArray = Vector<std::uint8_t>;

constexpr std::size_t block = 64;       // pairs that a thread takes at a time
constexpr std::uint8_t most_links = 6;  // three dependencies in two directions
// Words of the one sentence times words of the other, whose comparison takes about a second at most.
constexpr std::int64_t most_cells = std::int64_t{1} << 30;

template <class T>
void check_length(const Vector<T>& column, std::size_t tokens, const char* name) {
  if (column.size() != tokens) {
    throw RefusedInputError("MP406", std::string(name) + " must be as long as word.");
  }
}

void check_nodes(const IntVector& column, std::size_t tokens, std::size_t nodes, const char* name) {
  check_length(column, tokens, name);
  for (std::size_t t = 0; t < tokens; ++t) {
    const std::int64_t node = column.data()[t];
    if (node < -1 || node >= static_cast<std::int64_t>(nodes)) {
      throw RefusedInputError("MP403", std::string(name) + "[" + std::to_string(t) + "] is " +
                                           std::to_string(node) + ", which is not in -1 to " +
                                           std::to_string(static_cast<std::int64_t>(nodes) - 1) + ".");
    }
  }
}

void check_last_bigrams(const Tokens& tokens) {
  for (std::size_t row = 0; row + 1 < tokens.offsets.size(); ++row) {
    const std::int64_t end = tokens.offsets[row + 1];
    if (end > tokens.offsets[row] && tokens.bigram[end - 1] >= 0) {
      throw RefusedInputError("MP406", "sentence " + std::to_string(row) + " has a bigram beyond its end.");
    }
  }
}

// Offsets, and what every node is related to.
using Graph = std::pair<LongVector, IntVector>;

Relation checked_relation(const Graph& graph, const char* name) {
  const auto& [offsets, neighbours] = graph;
  check_offsets(offsets, neighbours.size(), name);
  check_ids(neighbours, offsets.size() - 1, name);
  return {view(offsets), view(neighbours)};
}

std::size_t count_numbers(const IntVector& ids, const char* name) {
  check_ids(ids, std::numeric_limits<std::int32_t>::max(), name);
  const auto highest = std::max_element(ids.data(), ids.data() + ids.size());
  // Numbers are dense; higher ones would only ask for memory.
  if (ids.size() > 0 && static_cast<std::size_t>(*highest) >= ids.size()) {
    throw RefusedInputError("MP403", std::string(name) + " must be numbered without gaps.");
  }
  return ids.size() == 0 ? 0 : static_cast<std::size_t>(*highest) + 1;
}

void check_pairs(const IntVector& hypotheses, const IntVector& references,
                 std::span<const std::int64_t> offsets) {
  const auto sentences = static_cast<std::int64_t>(offsets.size()) - 1;
  if (hypotheses.size() != references.size()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally long.");
  }
  check_ids(hypotheses, sentences, "hypotheses");
  check_ids(references, sentences, "references");
  const auto tokens = [&](std::int32_t row) { return offsets[row + 1] - offsets[row]; };
  for (std::size_t p = 0; p < hypotheses.size(); ++p) {
    // Neither has 2^31 words, so the product fits.
    const std::int64_t n = tokens(hypotheses.data()[p]), m = tokens(references.data()[p]);
    if (n * m > most_cells) {
      throw RefusedInputError(
          "MP422", "pair", p,
          " has " + std::to_string(n) + " and " + std::to_string(m) + " words, too many to be compared");
    }
  }
}

// Rows that threads found block by block, one after the other.
template <class Row>
class Rows {
 public:
  explicit Rows(std::size_t pairs) : counts_(pairs + 1, 0), blocks_(pairs / block + 1) {}

  std::vector<Row>& of_block(std::size_t first_pair) { return blocks_[first_pair / block]; }
  void count(std::size_t pair, std::size_t rows) { counts_[pair + 1] = static_cast<std::int64_t>(rows); }

  std::pair<std::vector<std::int64_t>, std::unique_ptr<std::int32_t[]>> gather() {
    for (std::size_t p = 1; p < counts_.size(); ++p) counts_[p] += counts_[p - 1];
    std::unique_ptr<std::int32_t[]> all(new std::int32_t[columns * static_cast<std::size_t>(counts_.back())]);
    std::int32_t* to = all.get();
    for (std::vector<Row>& rows : blocks_) {
      for (const Row& row : rows) to = std::copy(row.begin(), row.end(), to);
      std::vector<Row>().swap(rows);
    }
    return {std::move(counts_), std::move(all)};
  }

  static constexpr std::size_t columns = std::tuple_size_v<Row>;

 private:
  std::vector<std::int64_t> counts_;
  std::vector<std::vector<Row>> blocks_;
};

template <class Row>
nb::tuple to_python(std::pair<std::vector<std::int64_t>, std::unique_ptr<std::int32_t[]>> gathered) {
  const auto rows = static_cast<std::size_t>(gathered.first.back());
  return nb::make_tuple(as_array(std::move(gathered.first)),
                        owned(std::move(gathered.second), {rows, Rows<Row>::columns}));
}

// Sentences whose every number has been looked at; the arrays are kept for as long as the kernel reads them.
struct CheckedSentences {
  LongVector offsets;
  IntVector word, lemma, sense, phrase, bigram;
  ByteArray link, punctuation;
  Graph synonyms, paraphrases;
  Tokens tokens{};

  void check() {
    const nb::gil_scoped_release released;
    check_offsets(offsets, word.size(), "offsets");
    tokens = {view(offsets),
              view(word),
              view(lemma),
              view(sense),
              view(phrase),
              view(bigram),
              view(link),
              view(punctuation),
              checked_relation(synonyms, "synonyms"),
              checked_relation(paraphrases, "paraphrases"),
              count_numbers(word, "word"),
              count_numbers(lemma, "lemma")};
    if (lemma.size() > 0) check_length(lemma, word.size(), "lemma");
    check_nodes(sense, word.size(), tokens.synonyms.size(), "sense");
    check_nodes(phrase, word.size(), tokens.paraphrases.size(), "phrase");
    check_nodes(bigram, word.size(), tokens.paraphrases.size(), "bigram");
    check_last_bigrams(tokens);
    check_length(link, word.size(), "link");
    if (std::any_of(tokens.link.begin(), tokens.link.end(), [](auto code) { return code > most_links; })) {
      throw RefusedInputError("MP403", "link has a number that is none of a dependency.");
    }
    if (punctuation.size() < tokens.words) {
      throw RefusedInputError("MP406", "punctuation must tell of every word.");
    }
  }
};

nb::tuple find(const CheckedSentences& sentences, IntVector hypotheses, IntVector references,
               const Options& options, int threads) {
  const Tokens& tokens = sentences.tokens;
  const std::size_t count = hypotheses.size();
  Rows<Substitution> substitutions(count);
  Rows<Dependency> dependencies(count);
  decltype(substitutions.gather()) all_substitutions;
  decltype(dependencies.gather()) all_dependencies;
  {
    const nb::gil_scoped_release released;
    check_pairs(hypotheses, references, tokens.offsets);
    std::vector<std::unique_ptr<SubstitutionFinder>> finders(static_cast<std::size_t>(std::max(threads, 1)));
    parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end, int thread) {
      auto& finder = finders[static_cast<std::size_t>(thread)];
      if (!finder) finder = std::make_unique<SubstitutionFinder>(tokens, options);
      auto& found = substitutions.of_block(begin);
      auto& joined = dependencies.of_block(begin);
      for (std::size_t p = begin; p < end; ++p) {
        const std::int32_t reference = references.data()[p], hypothesis = hypotheses.data()[p];
        const std::size_t found_before = found.size(), joined_before = joined.size();
        try {
          finder->find(reference, hypothesis, found);
          finder->find(reference, hypothesis, joined);
        } catch (const std::length_error& error) {
          throw RefusedInputError("MP422", "pair", p, std::string(" has ") + error.what());
        }
        substitutions.count(p, found.size() - found_before);
        dependencies.count(p, joined.size() - joined_before);
      }
    });
    all_substitutions = substitutions.gather();
    all_dependencies = dependencies.gather();
  }
  return nb::make_tuple(to_python<Substitution>(std::move(all_substitutions)),
                        to_python<Dependency>(std::move(all_dependencies)));
}

// Which two words begin at each token, -1 for the last of a sentence, and the first and the second word of
// each of the two.
nb::tuple bigrams(LongVector offsets, IntVector word) {
  std::vector<std::int32_t> numbers, first, second;
  {
    const nb::gil_scoped_release released;
    check_offsets(offsets, word.size(), "offsets");
    numbers.assign(word.size(), -1);
    PairIndex index;
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      for (std::int64_t t = offsets.data()[row]; t + 1 < offsets.data()[row + 1]; ++t) {
        numbers[t] = index.insert(word.data()[t], word.data()[t + 1]);
      }
    }
    first.resize(index.size());
    second.resize(index.size());
    for (std::int32_t i = 0; i < index.size(); ++i) {
      first[i] = index.first(i);
      second[i] = index.second(i);
    }
  }
  return as_arrays(numbers, first, second);
}

}  // namespace

void bind_substitutions(nb::module_ module) {
  module.def("bigrams", &bigrams, "offsets"_a, "word"_a);
  nb::class_<CheckedSentences>(module, "Sentences")
      .def("__init__",
           &make_struct<CheckedSentences, LongVector, IntVector, IntVector, IntVector, IntVector, IntVector,
                        ByteArray, ByteArray, Graph, Graph>,
           nb::kw_only(), "offsets"_a, "word"_a, "lemma"_a, "sense"_a, "phrase"_a, "bigram"_a, "link"_a,
           "punctuation"_a, "synonyms"_a, "paraphrases"_a);
  nb::class_<Options>(module, "Options")
      .def("__init__", &make_struct<Options, int, bool, bool>, nb::kw_only(), "max_block"_a, "overlapping"_a,
           "same_direction"_a);
  module.def("find", &find, "sentences"_a, "hypotheses"_a, "references"_a, "options"_a, "threads"_a);
}

}  // namespace metaphrase::edits::substitutions
