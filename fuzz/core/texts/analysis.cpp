// Any text through the analysers that ship: tokens, tags, lemmas, compounds, chunks, entities and trees.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "analysis/labeller.hpp"
#include "analysis/parser.hpp"
#include "analysis/text_analyser.hpp"
#include "fuzzing.hpp"

namespace metaphrase {
namespace {

using fuzz::expect;

// Made by the Makefile of where this is compiled.
std::string content(const char* name) {
  std::ifstream file(std::string(METAPHRASE_MODELS) + "/" + name, std::ios::binary);
  expect(file.good(), "the models that ship are there");
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Models {
  analysis::TextAnalyser english{content("english.bin")}, german{content("german.bin")};
  analysis::Parser english_parser{content("english-parser.bin")}, german_parser{content("german-parser.bin")};
  analysis::Labeller chunks{content("english-chunks.bin")}, entities{content("english-entities.bin")};
  analysis::CompoundSplitter compounds{{U"haus", U"tür", U"arbeit", U"amt"}, {9, 8, 7, 6}, 3, {U"s", U"es"}};
};

void check(analysis::TextAnalyser& analyser, const analysis::Parser& parser, std::string_view text,
           const analysis::CompoundSplitter* compounds, const Models& models) {
  const auto found = analyser.analyse({text, text}, {true, true, true}, compounds, 1);
  const auto tokens = static_cast<std::size_t>(found.lengths[0]);
  expect(found.lengths[1] == found.lengths[0] && found.form.size() == 2 * tokens, "a text is itself");
  for (std::size_t t = 0; t < tokens; ++t) {
    expect(found.form[t] == found.form[tokens + t] && found.tag[t] == found.tag[tokens + t] &&
               found.lemma[t] == found.lemma[tokens + t],
           "the same text has the same analysis, whatever came before");
    expect(found.end[t] > found.start[t], "tokens have characters");
    if (compounds == nullptr && t > 0) expect(found.start[t] >= found.end[t - 1], "tokens do not overlap");
  }
  std::vector<std::string_view> strings;
  for (std::size_t i = 0; i < found.strings.size(); ++i) strings.push_back(found.strings[i]);
  const std::vector<std::int64_t> offsets{0, found.lengths[0]};
  const std::span<const std::int32_t> form(found.form.data(), tokens), tag(found.tag.data(), tokens),
      upos(found.upos.data(), tokens);
  std::vector<std::int32_t> heads(tokens), relations(tokens);
  parser.parse({offsets, form, tag, upos, strings}, true, 1, heads.data(), relations.data());
  for (std::size_t t = 0; t < tokens; ++t) {
    std::size_t at = t + 1, steps = 0;
    for (; at != 0; ++steps) {
      expect(at <= tokens && steps <= tokens, "every word has a way to the root");
      at = static_cast<std::size_t>(heads[at - 1]);
    }
  }
  const std::vector<std::string> owned(strings.begin(), strings.end());
  for (const auto* labeller : {&models.chunks, &models.entities}) {
    expect(labeller->label({offsets.data(), 1, form.data(), tag.data(), owned}, 1).size() == tokens,
           "every token has a label");
  }
}

Models* models;

}  // namespace
}  // namespace metaphrase

// Loading them is no part of an input's time.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  metaphrase::models = new metaphrase::Models;
  return 0;
}

int examine(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto models = metaphrase::models;
  metaphrase::check(models->english, models->english_parser, text, nullptr, *models);
  metaphrase::check(models->german, models->german_parser, text, &models->compounds, *models);
  return 0;
}
