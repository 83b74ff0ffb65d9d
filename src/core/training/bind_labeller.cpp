// Trains the labellers of token sequences (chunks, entities).
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "python/arrays.hpp"
#include "python/text.hpp"
#include "training/labeller_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::training {
namespace {

using Strings = std::vector<std::string>;

// Classes by exact form; usage and capitals by lower-cased form, or by several words with a blank between.
analysis::Lexicon read_lexicon(const Strings& class_words, const IntVector& fine, const IntVector& coarse,
                               const Strings& usage_words, const IntVector& usage,
                               const IntVector& capitals) {
  if (fine.size() != class_words.size() || coarse.size() != class_words.size())
    throw nb::value_error("every word with classes needs one of either size");
  if (usage.size() != usage_words.size() || capitals.size() != usage_words.size())
    throw nb::value_error("every word with a usage needs its number and that of its capitals");
  std::vector<analysis::Lexicon::Classes> classes;
  for (std::size_t i = 0; i < class_words.size(); ++i) {
    classes.push_back({analysis::Lexicon::key(analysis::spell(decode_all(class_words[i])).form),
                       static_cast<std::uint16_t>(fine(i)), static_cast<std::uint16_t>(coarse(i))});
  }
  std::vector<analysis::Lexicon::Usage> usages;
  for (std::size_t i = 0; i < usage_words.size(); ++i) {
    const std::u32string word = decode_all(usage_words[i]);
    const std::uint64_t hash =
        word.find(U' ') == word.npos ? analysis::spell(word).lower : analysis::hash_phrase(word);
    usages.push_back({analysis::Lexicon::key(hash), static_cast<std::uint16_t>(usage(i)),
                      static_cast<std::uint8_t>(capitals(i))});
  }
  analysis::Lexicon lexicon;
  lexicon.fill(std::move(classes), std::move(usages));
  return lexicon;
}

nb::bytes train_labeller(std::string task, bool runs, const Strings& forms, Strings tags, Strings labels,
                         LongVector offsets, const Strings& class_words, IntVector fine, IntVector coarse,
                         const Strings& usage_words, IntVector usage, IntVector capitals, int epochs,
                         std::uint64_t seed, double rate, double shrinkage, std::uint32_t min_count,
                         double least_weight, int rounds) {
  const std::size_t tokens = forms.size();
  if (tags.size() != tokens || labels.size() != tokens) throw nb::value_error("the columns differ in length");
  check_rows(offsets, tokens);
  if (tokens == 0 || epochs < 1 || rounds < 1) throw nb::value_error("nothing to train on");
  LabelledText text{
      {}, std::move(tags), std::move(labels), {offsets.data(), offsets.data() + offsets.size()}};
  for (const std::string& form : forms) text.forms.push_back(decode_all(form));
  analysis::LabellerModel model;
  model.task = std::move(task);
  model.runs = runs;
  model.lexicon = read_lexicon(class_words, fine, coarse, usage_words, usage, capitals);
  const LabellerOptions options{epochs, seed, rate, shrinkage, min_count, least_weight, rounds};
  return bytes_of([&] { return LabellerTrainer(std::move(model), text, options).train().serialise(); });
}

}  // namespace

void bind_labeller(nb::module_ module) {
  module.def("train_labeller", &train_labeller, nb::kw_only(), "task"_a, "runs"_a, "forms"_a, "tags"_a,
             "labels"_a, "offsets"_a, "class_words"_a, "fine"_a, "coarse"_a, "usage_words"_a, "usage"_a,
             "capitals"_a, "epochs"_a, "seed"_a, "rate"_a, "shrinkage"_a, "min_count"_a, "least_weight"_a,
             "rounds"_a = 1);
}

}  // namespace metaphrase::training
