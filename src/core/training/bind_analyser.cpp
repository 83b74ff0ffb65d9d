// Trains the built-in analysers, and the classes of words that they know.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "python/arrays.hpp"
#include "python/text.hpp"
#include "training/model_trainer.hpp"
#include "training/word_classes.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::training {
namespace {

nb::bytes train_analyser(const nb::list& forms, const nb::list& lemmas, const nb::list& tags,
                         const nb::list& upos, IntVector lemma_weights, LongVector offsets,
                         const nb::list& class_words, IntVector fine, IntVector coarse,
                         const nb::list& case_words, IntVector capitals, const nb::list& known_tags,
                         const nb::list& known_forms, const nb::list& known_lemmas,
                         const std::string& language, const nb::list& dictionary_words,
                         const nb::list& dictionary_inflections, int epochs, std::uint64_t seed, double rate,
                         double lower_share, double title_share, double join_share, double rare_share,
                         int min_updates, std::uint32_t min_label_count, std::uint32_t min_ambiguity_count) {
  const std::size_t tokens = forms.size();
  if (lemmas.size() != tokens || tags.size() != tokens || upos.size() != tokens ||
      lemma_weights.size() != tokens) {
    throw nb::value_error("the columns of the treebank differ in length");
  }
  if (fine.size() != class_words.size() || coarse.size() != class_words.size()) {
    throw nb::value_error("every word with classes needs one of either size");
  }
  if (tokens == 0 || epochs < 1) throw nb::value_error("nothing to train on");
  Treebank bank;
  for (std::size_t i = 0; i < tokens; ++i) {
    bank.forms.push_back(decode_all(strict_utf8(forms[i])));
    bank.lemmas.push_back(decode_all(strict_utf8(lemmas[i])));
    bank.tags.emplace_back(strict_utf8(tags[i]));
    bank.upos.emplace_back(strict_utf8(upos[i]));
    bank.lemma_weights.push_back(static_cast<std::uint32_t>(lemma_weights(i)));
  }
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::int64_t at = offsets(i);
    if (at < (i == 0 ? 0 : offsets(i - 1)) || at > static_cast<std::int64_t>(tokens)) {
      throw nb::value_error("the offsets of the treebank do not rise within its tokens");
    }
    bank.offsets.push_back(at);
  }
  RawTextLexicon raw;
  for (std::size_t i = 0; i < class_words.size(); ++i) {
    raw.words.push_back(decode_all(strict_utf8(class_words[i])));
    raw.fine.push_back(static_cast<std::uint16_t>(fine(i)));
    raw.coarse.push_back(static_cast<std::uint16_t>(coarse(i)));
  }
  if (capitals.size() != case_words.size())
    throw nb::value_error("every word with capitals needs their number");
  for (std::size_t i = 0; i < case_words.size(); ++i) {
    raw.capitals[decode_all(strict_utf8(case_words[i]))] = static_cast<std::uint8_t>(capitals(i));
  }
  if (known_forms.size() != known_tags.size() || known_lemmas.size() != known_tags.size()) {
    throw nb::value_error("every known lemma needs its tag and form");
  }
  std::vector<KnownLemma> known;
  for (std::size_t i = 0; i < known_tags.size(); ++i) {
    known.push_back({std::string(strict_utf8(known_tags[i])), decode_all(strict_utf8(known_forms[i])),
                     decode_all(strict_utf8(known_lemmas[i]))});
  }
  if (dictionary_words.size() != dictionary_inflections.size()) {
    throw nb::value_error("every word of the dictionary needs the number of its inflection");
  }
  DictionaryInflections dictionary;
  for (std::size_t i = 0; i < dictionary_words.size(); ++i) {
    dictionary.words.push_back(decode_all(strict_utf8(dictionary_words[i])));
    dictionary.numbers.push_back(nb::cast<std::uint16_t>(dictionary_inflections[i]));
  }
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  if (language.size() != 2 || !std::all_of(language.begin(), language.end(), is_small)) {
    throw nb::value_error("a language has a code of two small letters");
  }
  const TaggerOptions options{.epochs = epochs,
                              .seed = seed,
                              .rate = rate,
                              .lower_share = lower_share,
                              .title_share = title_share,
                              .join_share = join_share,
                              .rare_share = rare_share,
                              .min_updates = min_updates};
  const LabelOptions label_options{min_label_count, min_ambiguity_count};
  return bytes_of(
      [&] { return train_model(language, bank, raw, dictionary, known, options, label_options); });
}

nb::object word_classes(IntVector tokens, std::size_t words, std::size_t classes, int passes) {
  if (classes == 0 || words == 0) throw nb::value_error("no words or no classes");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens(i) >= static_cast<std::int64_t>(words)) throw nb::value_error("a token is not a word number");
  }
  std::vector<std::int32_t> assigned;
  {
    nb::gil_scoped_release release;
    ExchangeClustering clustering(tokens.data(), tokens.size(), words, classes);
    for (int pass = 0; pass < passes && clustering.pass() > words / 1000; ++pass) {
    }
    assigned = clustering.assigned();
  }
  assigned.resize(words);
  return nb::cast(as_array(std::move(assigned)));
}

}  // namespace

void bind_analyser(nb::module_ module) {
  module.def("train_analyser", &train_analyser, nb::kw_only(), "forms"_a, "lemmas"_a, "tags"_a, "upos"_a,
             "lemma_weights"_a, "offsets"_a, "class_words"_a, "fine"_a, "coarse"_a, "case_words"_a,
             "capitals"_a, "known_tags"_a, "known_forms"_a, "known_lemmas"_a, "language"_a = "en",
             "dictionary_words"_a = nb::list(), "dictionary_inflections"_a = nb::list(), "epochs"_a, "seed"_a,
             "rate"_a, "lower_share"_a, "title_share"_a, "join_share"_a, "rare_share"_a, "min_updates"_a,
             "min_label_count"_a, "min_ambiguity_count"_a);
  module.def("word_classes", &word_classes, "tokens"_a, nb::kw_only(), "words"_a, "classes"_a, "passes"_a);
}

}  // namespace metaphrase::training
