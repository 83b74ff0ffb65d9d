// A small model of every kind, which readers take: what mutations begin with.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis_model.hpp"
#include "analysis/labeller_model.hpp"
#include "analysis/parser_model.hpp"
#include "base/model_file.hpp"
#include "base/parallel_text.hpp"
#include "encoder/pretrained_file.hpp"
#include "language_models/ngram_model_file.hpp"
#include "lexicon/paraphrase_table.hpp"
#include "lexicon/phrase_trie.hpp"
#include "lexicon/wordnet_file.hpp"
#include "models/model_input.hpp"
#include "pivots/table_writer.hpp"

namespace metaphrase::fuzz {

inline analysis::Lexicon small_lexicon(bool inflections) {
  analysis::Lexicon lexicon;
  std::vector<analysis::Lexicon::Classes> classes;
  std::vector<analysis::Lexicon::Usage> usages;
  std::vector<analysis::Lexicon::Inflection> inflected;
  std::uint16_t number = 1;
  for (const std::u32string_view word : {U"the", U"cat", U"sit", U"mat", U"walk"}) {
    const std::uint32_t key = analysis::Lexicon::key(analysis::spell(word).form);
    classes.push_back({key, number, static_cast<std::uint16_t>(number / 2)});
    usages.push_back({key, number, 1});
    inflected.push_back({key, number++});
  }
  lexicon.fill(classes, usages);
  if (inflections) lexicon.fill_inflections(inflected);
  return lexicon;
}

inline std::string small_analyser(bool inflections) {
  std::vector<analysis::Label> labels{{"DT", "DET"}, {"NNS", "NOUN"}, {"VBD", "VERB"}, {"NN", "NOUN"}};
  analysis::AnalysisModel::number_tags(labels);
  const analysis::Lexicon lexicon = small_lexicon(inflections);
  std::vector<analysis::LemmaEntry> entries;
  for (const std::u32string stem : {U"cat", U"mat", U"dog", U"walk", U"house", U"IBM"}) {
    entries.push_back({stem + U"s", 1, stem, 3});
    entries.push_back({stem + U"ed", 2, stem, 2});
  }
  entries.push_back({U"sat", 2, U"sit", 4});
  const auto lemmatiser = analysis::Lemmatiser::train(entries, labels.size(), lexicon);
  std::vector<analysis::FeatureRow> rows;
  for (std::uint32_t key = 1; key < 9; ++key) {
    rows.push_back({key * 0x9E3779B1u, {{static_cast<std::uint16_t>(key % 4), 7}, {0, -3}}});
  }
  return analysis::AnalysisModel::serialise("en", labels, lexicon, rows, lemmatiser);
}

inline std::string small_parser() {
  analysis::ParserShape shape;
  shape.units = shape.arc = shape.label = 16;
  shape.layers = 1;
  shape.relations = 3;
  shape.tags = 2 + 2 + 1;
  shape.affixes = analysis::all_affix_rows();
  const analysis::ParserVocabulary vocabulary{{"root", "nsubj", "dep"}, {"DT", "NN"}, {"NOUN"}, {5, 77}};
  const analysis::ParserLayout layout(shape);
  std::vector<float> parameters(layout.size), words(3 * shape.word_size());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    parameters[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<float>(i * 17 % 31) / 15 - 1;
  return analysis::ParserModel::serialise(shape, vocabulary, parameters, words, {1, 1, 1, 1});
}

inline std::string small_labeller(bool runs) {
  analysis::LabellerModel model;
  model.task = "entity";
  model.runs = runs;
  model.labels = {"O", "B-PERSON", "I-PERSON", "B-LOCATION"};
  model.tags = {"NNP", "TO", "VBD"};
  model.lexicon = small_lexicon(false);
  for (std::uint32_t key = 1; key < 9; ++key) {
    model.rows.push_back({key * 0x85EBCA6Bu, {static_cast<std::int8_t>(key), 0, -4, 5}});
  }
  model.sort_rows();
  model.transitions.assign((model.tags.size() + 1) * model.matrix_size(), 2);
  return model.serialise();
}

inline std::string small_paraphrases() {
  lexicon::ParaphraseTableWriter writer;
  writer.add("big", "large", 0.5f);
  writer.add("large", "big", 0.25f);
  writer.add("in the end", "finally", 0.75f);
  writer.add("in the", "within the", std::nanf(""));
  writer.add("very big", "huge", 0.125f);
  return writer.file();
}

inline std::string small_phrase_trie() {
  const MemoryFile file(small_paraphrases());
  return lexicon::PhraseTrie::file(lexicon::ParaphraseTable::open(file.path()));
}

inline std::string small_language_model(int bits) {
  using namespace language_models;
  NgramModel model;
  model.vocabulary = {"<unk>", "<s>", "</s>", "the", "cat", "sat"};
  model.levels.resize(3);
  NgramLevel& one = model.levels[0];
  one.words = {0, 1, 2, 3, 4, 5};
  one.log_probabilities = {-2, never, -1, -0.5, -0.75, -1.25};
  one.log_back_offs = {0, -0.5, 0, -0.25, -0.125, -0.5};
  one.child_starts = {0, 0, 1, 1, 2, 4, 4};
  NgramLevel& two = model.levels[1];
  two.words = {3, 4, 2, 5};
  two.log_probabilities = {-0.25, -0.5, -1, -0.75};
  two.log_back_offs = {-0.1, -0.2, 0, 0};
  two.child_starts = {0, 1, 2, 2, 2};
  NgramLevel& three = model.levels[2];
  three.words = {4, 5};
  three.log_probabilities = {-0.1, -0.3};
  return NgramFileWriter::write(model, bits, "about");
}

// Weights of any kind, for any shape.
// Sections of drawn numbers.
class DrawnSections {
 public:
  void section(const std::string& bytes) {
    body_.put_string(bytes);
    for (std::size_t i = bytes.size(); i % 4 != 0; ++i) body_.put(std::uint8_t{0});
  }
  void bytes(std::size_t count) {
    std::string drawn_bytes(count, '\0');
    for (char& byte : drawn_bytes) byte = static_cast<char>((drawn_ = drawn_ * 1664525 + 1013904223) >> 24);
    section(drawn_bytes);
  }
  void floats(std::size_t count, float largest) {
    ByteWriter out;
    for (std::size_t i = 0; i < count; ++i) {
      drawn_ = drawn_ * 1664525 + 1013904223;
      out.put(std::bit_cast<std::uint32_t>(static_cast<float>(drawn_ >> 8) * 0x1p-24f * largest));
    }
    section(out.take());
  }
  void integers(std::initializer_list<std::uint32_t> numbers) {
    ByteWriter out;
    for (const std::uint32_t number : numbers) out.put(number);
    section(out.take());
  }
  void matrix(std::size_t rows, std::size_t columns) {
    bytes(rows * columns);
    floats(columns, 0.001f);
    floats(columns, 0.1f);
  }
  std::string take() { return body_.take(); }

 private:
  ByteWriter body_;
  std::uint32_t drawn_ = 1;
};

inline std::string small_pretrained(const encoder::PieceShape& shape) {
  DrawnSections out;
  out.integers({shape.width, shape.layers, shape.heads, shape.inner, shape.positions, shape.unknown,
                shape.begin, shape.end});
  for (const char* text : {"licence", "about"}) out.section(text);
  out.section("\1\1\1\3\3");
  out.section("ucscat##s");
  // Control characters, the space, the full stop; A and a letter with an accent.
  out.integers({0, 1, 0x20, 0x21, 0x2E, 0x2F});
  out.section(std::string("\1\0\2\0\3\0", 6));
  out.integers({0x41, 0xE9});
  out.section("\1\1");
  out.integers({0x61, 0x65});
  out.floats(5, 0.01f);
  out.bytes(5 * std::size_t{shape.width});
  out.floats(std::size_t{shape.positions} * shape.width, 1);
  const auto norm = [&] {
    out.floats(shape.width, 1);
    out.floats(shape.width, 1);
  };
  norm();
  for (std::uint32_t l = 0; l < shape.layers; ++l) {
    out.matrix(shape.width, 3 * std::size_t{shape.width});
    out.matrix(shape.width, shape.width);
    norm();
    out.matrix(shape.width, shape.inner);
    out.matrix(shape.inner, shape.width);
    norm();
  }
  return model_file(encoder::pretrained_magic, encoder::pretrained_version, out.take());
}

inline std::string small_pivots() {
  const std::vector<std::string_view> words{"the", "cat", "sat"}, lemmas{"le", "chat", "assis"},
      tags{"DET", "NOM"};
  const std::vector<std::uint8_t> function{1, 0};
  const std::vector<std::int32_t> unit_lemmas{0, 1, 2}, unit_tags{0, 1, 1};
  const std::vector<std::int64_t> phrase_offsets{0, 1, 3, 6}, pivot_offsets{0, 1, 3};
  const std::vector<std::int32_t> phrases{1, 0, 1, 0, 1, 2}, pivots{1, 0, 2};
  const std::vector<std::int64_t> totals{5, 4, 3}, counts{3, 2, 2, 1};
  const std::vector<std::int32_t> from{0, 1, 1, 2}, to{0, 0, 1, 1};
  return pivots::TableWriter({"en", "fr", "a", "b", words, lemmas, tags, function, unit_lemmas, unit_tags,
                              PackedText{phrase_offsets, phrases}, PackedText{pivot_offsets, pivots}, totals,
                              from, to, counts, 20})
      .file();
}

// Two nouns, one below the other, a verb that has an irregular form, and an adjective.
inline std::string small_wordnet() {
  using Header = lexicon::WordNetHeader;
  const auto words = [](std::initializer_list<std::uint32_t> numbers) {
    std::string bytes;
    for (const std::uint32_t n : numbers) bytes.append(reinterpret_cast<const char*>(&n), 4);
    return bytes;
  };
  std::string sections[Header::section_count];
  sections[Header::lemma_text] = "catdogfelinebe";
  sections[Header::lemma_lengths] = {3, 3, 6, 2};
  sections[Header::sense_counts] = {2, 1, 1, 1};
  sections[Header::senses] = words({0, 2, 1, 1, 2});
  sections[Header::parts] = "nnva";
  sections[Header::hypernym_counts] = {1, 0, 1, 0};
  sections[Header::hypernyms] = words({1, 2});
  sections[Header::corpus_counts] = words({3, 9, 4, 0});
  sections[Header::exception_text] = "vwasndogs";
  sections[Header::exception_lengths] = {4, 5};
  sections[Header::base_text] = "bedog";
  sections[Header::base_lengths] = {2, 3};
  std::string table, body;
  for (const std::string& section : sections) {
    while ((Header::size + body.size()) % 4 != 0) body.push_back('\0');
    table += words(
        {static_cast<std::uint32_t>(Header::size + body.size()), static_cast<std::uint32_t>(section.size())});
    body += section;
  }
  const auto size = static_cast<std::uint32_t>(Header::size + body.size());
  return "MPWORDNT" + std::string(32, '\0') + words({1, 4, 4, 2, 20, 0, 10, 0, size, 0}) + table + body;
}

}  // namespace metaphrase::fuzz
