// metaphrase._core.language_models: n-gram models estimated, written, read and asked. Shapes and numbers are
// checked here, before the kernels trust them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "language_models/arpa.hpp"
#include "language_models/kneser_ney.hpp"
#include "language_models/ngram_model_file.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::language_models {
namespace {

void check_words(std::span<const std::int32_t> words, std::size_t vocabulary) {
  for (const std::int32_t word : words) {
    require(word >= 0 && static_cast<std::size_t>(word) < vocabulary, "a word is not in the vocabulary");
  }
}

PackedText checked_text(const LongVector& offsets, const IntVector& words, std::size_t vocabulary) {
  const PackedText text{view(offsets), view(words)};
  check_offsets(text.offsets, text.words.size(), "text");
  check_words(text.words, vocabulary);
  return text;
}

KneserNeyEstimate estimate(LongVector offsets, IntVector words, nb::list vocabulary, int order,
                           std::vector<std::uint64_t> cut_offs) {
  require(order >= 1 && order <= highest_order, "the order is not from 1 to 5");
  require(cut_offs.size() == static_cast<std::size_t>(order), "every order needs a cut-off");
  require(std::is_sorted(cut_offs.begin(), cut_offs.end()), "cut-offs must not fall");
  const auto texts = utf8_list(vocabulary);
  const nb::gil_scoped_release released;
  const PackedText text = checked_text(offsets, words, texts.size());
  require(text.sentences() > 0, "there is no sentence");
  return KneserNeyEstimator(order, std::move(cut_offs))(text, texts);
}

// A model and what it was discounted by, if it was estimated here.
struct Model {
  NgramModel ngrams;
  std::vector<Discounts> discounts;
  std::uint64_t unknown = 0;

  const NgramLevel& level(int order) const {
    if (order < 1 || order > ngrams.order()) throw nb::index_error("no such order");
    return ngrams.levels[order - 1];
  }
};

template <class Number>
auto copied(const std::vector<Number>& numbers) {
  return as_array(std::vector<Number>(numbers));
}

nb::list counts(const Model& self) {
  nb::list counts;
  for (const NgramLevel& level : self.ngrams.levels) counts.append(level.size());
  return counts;
}

nb::list discounts(const Model& self) {
  nb::list found;
  for (const Discounts& d : self.discounts)
    found.append(nb::make_tuple(d.amounts[0], d.amounts[1], d.amounts[2], d.estimated));
  return found;
}

nb::bytes arpa(const Model& self, int order, std::size_t first, std::size_t count) {
  const std::size_t size = self.level(order).size();
  require(first <= size && count <= size - first, "there are not so many n-grams");
  if (count == 0) return nb::bytes("", 0);
  return bytes_of([&] { return arpa_lines(self.ngrams, order, first, count); });
}

OwnedArray<double> score(const LanguageModel& self, LongVector offsets, IntVector words, int threads) {
  const PackedText text = without_gil([&] { return checked_text(offsets, words, self.ngrams(1)); });
  return filled<double>({text.sentences()}, [&](double* sums) {
    parallel_blocks(text.sentences(), 256, threads, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t k = begin; k < end; ++k)
        self.score(text.sentence(k), [&](const WordScore& word) { sums[k] += word.log_probability; });
    });
  });
}

// Of each word and each end of a sentence: sentence k begins at offsets[k] + k of both arrays.
nb::tuple word_scores(const LanguageModel& self, LongVector offsets, IntVector words, int threads) {
  const PackedText text = without_gil([&] { return checked_text(offsets, words, self.ngrams(1)); });
  const std::size_t count = words.size() + text.sentences();
  std::vector<double> log_probabilities(count);
  std::vector<std::int32_t> orders(count);
  {
    const nb::gil_scoped_release released;
    parallel_blocks(text.sentences(), 256, threads, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t k = begin; k < end; ++k) {
        std::size_t place = static_cast<std::size_t>(offsets.data()[k]) + k;
        self.score(text.sentence(k), [&](const WordScore& word) {
          log_probabilities[place] = word.log_probability;
          orders[place++] = word.order;
        });
      }
    });
  }
  return as_arrays(log_probabilities, orders);
}

}  // namespace

void bind_language_models(nb::module_ module) {
  nb::class_<Model>(module, "NgramModel")
      .def_static(
          "estimate",
          [](LongVector offsets, IntVector words, nb::list vocabulary, int order,
             std::vector<std::uint64_t> cut_offs) {
            KneserNeyEstimate found = estimate(offsets, words, vocabulary, order, std::move(cut_offs));
            return Model{std::move(found.model), std::move(found.discounts), found.unknown};
          },
          nb::kw_only(), "offsets"_a, "words"_a, "vocabulary"_a, "order"_a, "cut_offs"_a)
      .def_prop_ro("counts", &counts)
      .def_prop_ro("discounts", &discounts)
      .def_prop_ro("unknown", [](const Model& self) { return self.unknown; })
      .def_prop_ro("vocabulary", [](const Model& self) { return to_list(self.ngrams.vocabulary); })
      .def(
          "level",
          [](const Model& self, int order) {
            const NgramLevel& level = self.level(order);
            return nb::make_tuple(copied(level.words), copied(level.log_probabilities),
                                  copied(level.log_back_offs), copied(level.child_starts));
          },
          "order"_a)
      .def("arpa", &arpa, "order"_a, "first"_a, "count"_a)
      .def(
          "file",
          [](const Model& self, int bits, std::string_view about) {
            require(bits == 16 || bits == 32, "numbers have 16 or 32 bits");
            return bytes_of([&] { return NgramFileWriter::write(self.ngrams, bits, about); });
          },
          "bits"_a, "about"_a);
  nb::class_<ArpaReader>(module, "ArpaReader")
      .def(nb::init<>())
      .def_prop_ro("line", &ArpaReader::line)
      .def(
          "add",
          [](ArpaReader& self, nb::list lines) {
            const auto texts = strict_utf8_list(lines);
            const nb::gil_scoped_release released;
            for (const std::string_view line : texts) self.add(line);
          },
          "lines"_a)
      .def("take", [](ArpaReader& self) { return Model{self.take(), {}, 0}; });
  nb::class_<LanguageModel>(module, "LanguageModel")
      .def("__init__", &open_file<LanguageModel>, "path"_a)
      .def_static(
          "of",
          [](const Model& model, std::string_view about) {
            const nb::gil_scoped_release released;
            return LanguageModel::of(model.ngrams, about);
          },
          "model"_a, "about"_a)
      .def_prop_ro("fingerprint", &LanguageModel::fingerprint)
      .def_prop_ro("about", [](const LanguageModel& self) { return to_bytes(self.about()); })
      .def_prop_ro("counts",
                   [](const LanguageModel& self) {
                     nb::list counts;
                     for (int order = 1; order <= self.order(); ++order) counts.append(self.ngrams(order));
                     return counts;
                   })
      .def(
          "numbers",
          [](const LanguageModel& self, nb::list words) {
            std::vector<std::int32_t> numbers;
            numbers.reserve(words.size());
            for (const nb::handle word : words)
              numbers.push_back(static_cast<std::int32_t>(self.number(utf8(word.ptr()))));
            return as_array(std::move(numbers));
          },
          "words"_a)
      .def("score", &score, nb::kw_only(), "offsets"_a, "words"_a, "threads"_a)
      .def("word_scores", &word_scores, nb::kw_only(), "offsets"_a, "words"_a, "threads"_a);
}

}  // namespace metaphrase::language_models
