// Models of analysers: tokens, tags and lemmas of whatever such a model says.
#include "analysis/text_analyser.hpp"
#include "models/model_input.hpp"

METAPHRASE_MUTATES_MODELS(8)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view file) {
    analysis::TextAnalyser analyser(file);
    const std::vector<std::string_view> texts{"The cats sat on 3 mats.", "Wirklich?", "", "ÉTÉ d'eau",
                                              "can't IBM xyzzy Walking"};
    const auto found = analyser.analyse(texts, {true, true, true}, nullptr, 1);
    fuzz::expect(found.lengths.size() == texts.size(), "every text has a length");
    for (const auto* column : {&found.form, &found.lemma, &found.tag, &found.upos}) {
      fuzz::expect(column->size() == found.form.size(), "columns are equally long");
      for (const std::int32_t cell : *column) {
        fuzz::expect(cell >= 0 && static_cast<std::size_t>(cell) < found.strings.size(), "cells are strings");
      }
    }
  });
}
