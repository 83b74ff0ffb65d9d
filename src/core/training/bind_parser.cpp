// Trains the dependency parser, and the vectors of words that it starts from.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "python/arrays.hpp"
#include "python/text.hpp"
#include "training/parser_gradient.hpp"
#include "training/parser_trainer.hpp"
#include "training/word_vectors.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::training {
namespace {

// Options by name, as Python gives them; what is not given stays as it is.
ParserOptions options_of(const nb::dict& given) {
  ParserOptions options;
  const std::map<std::string, std::uint32_t*> sizes{{"units", &options.units},
                                                    {"layers", &options.layers},
                                                    {"arc", &options.arc},
                                                    {"label", &options.label},
                                                    {"batch_tokens", &options.batch_tokens}};
  const std::map<std::string, double*> shares{
      {"dropout", &options.dropout},         {"blank_words", &options.blank_words},
      {"blank_tags", &options.blank_tags},   {"lower_share", &options.lower_share},
      {"noise_share", &options.noise.share}, {"decay", &options.decay}};
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (const auto size = sizes.find(name); size != sizes.end()) {
      *size->second = nb::cast<std::uint32_t>(value);
    } else if (const auto share = shares.find(name); share != shares.end()) {
      *share->second = nb::cast<double>(value);
      if (!(*share->second >= 0 && *share->second < 1)) {
        throw nb::value_error((name + " is a share: at least 0 and below 1").c_str());
      }
    } else if (name == "unknown_words") {
      options.unknown_words = nb::cast<double>(value);
    } else if (name == "seed") {
      options.seed = nb::cast<std::uint64_t>(value);
    } else {
      throw nb::value_error(("the trainer has no option " + name).c_str());
    }
  }
  const auto fits = [](std::uint32_t size, std::uint32_t most) {
    return size >= 16 && size <= most && size % 16 == 0;
  };
  if (!fits(options.units, 128) || !fits(options.arc, 256) || !fits(options.label, 256) ||
      options.layers < 1 || options.layers > 8) {
    throw nb::value_error(
        "sizes are multiples of 16: up to 128 units, up to 256 for arcs and labels; 1 to 8 layers");
  }
  return options;
}

void new_trainer(ParserTrainer* self, const nb::list& forms, const nb::list& tags, const nb::list& upos,
                 IntVector heads, const nb::list& relations, LongVector offsets, const nb::list& vector_words,
                 Matrix<float> vectors, const nb::dict& options) {
  const ParserOptions chosen = options_of(options);
  ParserTreebank bank;
  bank.form = strict_utf8_list(forms);
  bank.tag = strict_utf8_list(tags);
  bank.upos = strict_utf8_list(upos);
  bank.relation = strict_utf8_list(relations);
  const std::size_t tokens = bank.form.size();
  if (bank.tag.size() != tokens || bank.upos.size() != tokens || bank.relation.size() != tokens ||
      heads.size() != tokens || tokens == 0) {
    throw nb::value_error("the columns of the treebank differ in length, or are empty");
  }
  check_rows(offsets, tokens);
  bank.head.assign(heads.data(), heads.data() + tokens);
  bank.offsets.assign(offsets.data(), offsets.data() + offsets.size());
  for (std::size_t s = 0; s + 1 < bank.offsets.size(); ++s) {
    const auto size = static_cast<std::int64_t>(bank.offsets[s + 1] - bank.offsets[s]);
    for (std::size_t t = bank.offsets[s]; t < bank.offsets[s + 1]; ++t) {
      if (bank.head[t] < 0 || bank.head[t] > size ||
          bank.head[t] == static_cast<std::int64_t>(t - bank.offsets[s]) + 1)
        throw nb::value_error("a head is outside its sentence");
    }
  }
  if (vectors.shape(0) != vector_words.size() ||
      (vectors.shape(0) > 0 && vectors.shape(1) != chosen.units / 2)) {
    throw nb::value_error("every vector needs its word, and half as many numbers as there are units");
  }
  const auto words = strict_utf8_list(vector_words);
  std::vector<float> rows(vectors.data(), vectors.data() + vectors.size());
  nb::gil_scoped_release release;
  new (self) ParserTrainer(bank, words, std::move(rows), chosen);
}

nb::object word_vectors(IntVector tokens, std::size_t words, std::size_t size, int window, int negatives,
                        int epochs, double rate, std::uint64_t seed) {
  if (words == 0 || size == 0 || size > 256 || size % 8 != 0 || window < 1) {
    throw nb::value_error("vectors need words, a window, and a size that is a multiple of 8 up to 256");
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens(i) >= static_cast<std::int64_t>(words)) throw nb::value_error("a token is not a word number");
  }
  const VectorOptions options{
      .size = size, .window = window, .negatives = negatives, .epochs = epochs, .rate = rate, .seed = seed};
  return nb::cast(
      as_array(without_gil([&] { return SkipGrams(tokens.data(), tokens.size(), words, options).train(); })));
}

}  // namespace

void bind_parser(nb::module_ module) {
  nb::class_<ParserTrainer>(module, "ParserTrainer")
      .def("__init__", &new_trainer, nb::kw_only(), "forms"_a, "tags"_a, "upos"_a, "heads"_a, "relations"_a,
           "offsets"_a, "vector_words"_a, "vectors"_a, "options"_a)
      .def("epoch", &ParserTrainer::epoch, "first_rate"_a, "last_rate"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("model", [](ParserTrainer& self) { return bytes_of([&] { return self.model(); }); });

  module.def("word_vectors", &word_vectors, "tokens"_a, nb::kw_only(), "words"_a, "size"_a, "window"_a,
             "negatives"_a, "epochs"_a, "rate"_a, "seed"_a);
  module.def("gradient_error", &gradient_error, "seed"_a);
}

}  // namespace metaphrase::training
