// Everything learnt about a language: labels, lexicon, tagger weights and lemmatiser, and their file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/feature_weights.hpp"
#include "analysis/lemmatiser.hpp"
#include "analysis/tagger_features.hpp"
#include "analysis/tagger_lexicon.hpp"
#include "base/byte_stream.hpp"
#include "base/model_file.hpp"

namespace metaphrase::analysis {

// A tag of the language's own set and the universal one that goes with it here.
struct Label {
  std::string tag, upos;
  std::uint32_t tag_id = 0;
  auto operator<=>(const Label&) const = default;
};

struct FeatureRow {
  std::uint32_t key;
  std::vector<LabelWeight> weights;
};

struct AnalysisModel {
  // A file begins with "MP" and the language's code in capitals, then the version: 2 if the lexicon has
  // inflections, otherwise 1.
  static constexpr std::uint32_t plain_version = 1, inflected_version = 2;
  static constexpr std::size_t most_labels = 255;

  std::string language;
  std::vector<Label> labels;
  std::vector<std::string> tags;  // by tag_id
  Lexicon lexicon;
  FeatureWeights weights;
  Lemmatiser lemmatiser;
  std::uint64_t fingerprint = 0;

  // The characters of a word as the model reads them. The English treebanks have both apostrophes.
  std::u32string spelling(std::string_view form) const {
    std::u32string chars = decode_all(form);
    if (language != "en") std::replace(chars.begin(), chars.end(), char32_t{0x2019}, U'\'');
    return chars;
  }

  WordTraits traits(std::u32string_view form) const {
    WordTraits word = spell(form);
    word.lexicon = lexicon.find(word);
    return word;
  }

  static std::string serialise(std::string_view language, const std::vector<Label>& labels,
                               const Lexicon& lexicon, const std::vector<FeatureRow>& rows,
                               const Lemmatiser& lemmatiser) {
    ByteWriter body;
    body.put(static_cast<std::uint32_t>(labels.size()));
    for (const Label& label : labels) {
      body.put_string(label.tag);
      body.put_string(label.upos);
    }
    lexicon.write(body);
    if (lexicon.has_inflections()) lexicon.write_inflections(body);
    body.put(static_cast<std::uint32_t>(rows.size()));
    for (const FeatureRow& row : rows) {
      body.put(row.key);
      body.put(static_cast<std::uint8_t>(row.weights.size()));
      for (const LabelWeight& entry : row.weights) {
        body.put(static_cast<std::uint8_t>(entry.label));
        body.put(entry.weight);
      }
    }
    lemmatiser.write(body);
    const std::uint32_t version = lexicon.has_inflections() ? inflected_version : plain_version;
    return model_file(magic(language), version, body.take());
  }

  static AnalysisModel parse(std::string_view file) {
    AnalysisModel model;
    model.language = language_of(file);
    if (model.language.empty()) throw ModelError("this is not a model of an analyser");
    ByteReader header(file.substr(4, 12));
    const auto found = header.get<std::uint32_t>();
    if (found != plain_version && found != inflected_version) {
      throw ModelError("the model has version " + std::to_string(found) + ", this program reads versions " +
                       std::to_string(plain_version) + " and " + std::to_string(inflected_version));
    }
    const auto expected = header.get<std::uint64_t>();
    const std::string_view content = file.substr(16);
    if (checksum(content) != expected) throw ModelError("the model file is damaged: its checksum is wrong");
    model.fingerprint = expected;
    ByteReader in(content);
    model.read_labels(in);
    model.lexicon.read(in);
    if (found == inflected_version) model.lexicon.read_inflections(in);
    model.read_weights(in);
    model.lemmatiser = Lemmatiser::read(in, model.tags.size());
    if (!in.done()) throw ModelError("the model file goes on after its end");
    return model;
  }

  // Gives every label the number of its tag, in order of first appearance.
  static std::vector<std::string> number_tags(std::vector<Label>& labels) {
    std::vector<std::string> tags;
    for (Label& label : labels) {
      const auto at = std::find(tags.begin(), tags.end(), label.tag);
      label.tag_id = static_cast<std::uint32_t>(at - tags.begin());
      if (at == tags.end()) tags.push_back(label.tag);
    }
    return tags;
  }

  // The code in a file's first four bytes, or nothing.
  static std::string language_of(std::string_view file) {
    if (file.size() < 4 || file.substr(0, 2) != "MP") return {};
    std::string code;
    for (const char c : file.substr(2, 2)) {
      if (c < 'A' || c > 'Z') return {};
      code.push_back(static_cast<char>(c | 0x20));
    }
    return code;
  }

 private:
  static std::string magic(std::string_view language) {
    std::string bytes = "MP";
    for (const char c : language) bytes.push_back(static_cast<char>(c & ~0x20));
    return bytes;
  }

  void read_labels(ByteReader& in) {
    labels.resize(in.get_count(8));
    if (labels.empty() || labels.size() > most_labels)
      throw ModelError("the model has an impossible number of labels");
    for (Label& label : labels) {
      label.tag = encode_all(decode_all(in.get_string()));  // whatever the bytes, Python can read them
      label.upos = encode_all(decode_all(in.get_string()));
    }
    tags = number_tags(labels);
  }

  void read_weights(ByteReader& in) {
    const std::uint32_t count = in.get_count(5);
    weights.reserve(count, labels.size());
    std::vector<LabelWeight> row;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto key = in.get<std::uint32_t>();
      row.resize(in.get<std::uint8_t>());
      for (LabelWeight& entry : row) {
        entry.label = in.get<std::uint8_t>();
        entry.weight = in.get<std::int16_t>();
        if (entry.label >= labels.size()) throw ModelError("a feature speaks for a label that is not there");
      }
      weights.insert(key, row);
    }
  }
};

}  // namespace metaphrase::analysis
