// Everything that one task of sequence labelling has learnt, and its file: labels, tags, lexicon, weights of
// features and of transitions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/feature_weights.hpp"
#include "analysis/labeller_features.hpp"
#include "analysis/tagger_lexicon.hpp"
#include "base/byte_stream.hpp"
#include "base/model_file.hpp"

namespace metaphrase::analysis {

// Weights of one feature, in the order of labels; 0 where it says nothing.
struct LabelRow {
  std::uint32_t key;
  std::vector<std::int8_t> weights;
};

// Whether IOB2 lets `label` follow `before`; an empty `before` is the start of the sentence.
inline bool may_follow(std::string_view before, std::string_view label) {
  return label.substr(0, 2) != "I-" || (before.size() > 2 && before.substr(2) == label.substr(2));
}

inline bool is_iob_label(std::string_view label) {
  return label == "O" || (label.size() > 2 && (label.substr(0, 2) == "B-" || label.substr(0, 2) == "I-"));
}

struct LabellerModel {
  static constexpr std::string_view magic = "MPSL";
  static constexpr std::uint32_t version = 1;
  static constexpr std::size_t most_labels = 64;
  static constexpr std::size_t most_tags = 1000;

  std::string task;   // the column that it fills
  bool runs = false;  // whether it looks at runs of names and at what the lexicon knows of names
  std::vector<std::string> labels;
  std::vector<std::string> tags;  // numbered from 1; 0 is any other tag
  Lexicon lexicon;
  std::vector<LabelRow> rows;             // only of a model that is being trained
  FeatureWeights weights;                 // what the file says of them
  std::vector<std::int16_t> transitions;  // [tag of the later token][label before][label]
  std::uint64_t fingerprint = 0;

  std::size_t matrix_size() const { return labels.size() * labels.size(); }

  std::uint32_t tag_number(std::string_view tag) const {
    const auto found = std::lower_bound(tags.begin(), tags.end(), tag);
    return found != tags.end() && *found == tag ? static_cast<std::uint32_t>(found - tags.begin() + 1)
                                                : unknown_tag;
  }

  std::vector<bool> name_tags() const {
    std::vector<bool> names(tags.size() + 1, false);
    for (std::size_t i = 0; i < tags.size(); ++i) names[i + 1] = is_name_tag(tags[i]);
    return names;
  }

  WordTraits traits(std::u32string_view form) const {
    WordTraits word = spell(form);
    word.lexicon = lexicon.find(word);
    separate_lists(word.lexicon);
    return word;
  }

  // In the order in which their keys lie in a table of hashes, whose parts are then filled one after the
  // other: a model is read twice as fast.
  void sort_rows() {
    const std::uint32_t mask = static_cast<std::uint32_t>(std::bit_ceil(rows.size() * 2 + 2) - 1);
    std::sort(rows.begin(), rows.end(), [&](const LabelRow& a, const LabelRow& b) {
      return (a.key & mask) != (b.key & mask) ? (a.key & mask) < (b.key & mask) : a.key < b.key;
    });
  }

  std::string serialise() const {
    ByteWriter body;
    body.put_string(task);
    body.put(static_cast<std::uint8_t>(runs));
    for (const auto* names : {&labels, &tags}) {
      body.put(static_cast<std::uint32_t>(names->size()));
      for (const std::string& name : *names) body.put_string(name);
    }
    lexicon.write(body);
    body.put(static_cast<std::uint32_t>(rows.size()));
    for (const LabelRow& row : rows) write_row(row, body);
    for (const std::int16_t weight : transitions) body.put(weight);
    return model_file(magic, version, body.take());
  }

  static LabellerModel parse(std::string_view file) {
    const ModelContent content = model_content(file, magic, version, "a sequence labeller");
    LabellerModel model;
    model.fingerprint = content.fingerprint;
    ByteReader in(content.bytes);
    model.task = printable(in.get_string());
    model.runs = in.get<std::uint8_t>() != 0;
    model.read_names(in);
    model.lexicon.read(in);
    model.read_rows(in);
    const std::size_t count = (model.tags.size() + 1) * model.matrix_size();
    model.transitions.reserve(count);
    for (std::size_t i = 0; i < count; ++i) model.transitions.push_back(in.get<std::int16_t>());
    if (!in.done()) throw ModelError("the model file goes on after its end");
    return model;
  }

  // Throws unless some label may begin a sentence and every label follows IOB2.
  static void check_labels(const std::vector<std::string>& labels) {
    if (labels.empty() || labels.size() > most_labels)
      throw ModelError("the model has an impossible number of labels");
    if (!std::all_of(labels.begin(), labels.end(), is_iob_label)) throw ModelError("a label is not IOB2");
    if (std::find(labels.begin(), labels.end(), "O") == labels.end()) throw ModelError("no label is O");
    for (const std::string& label : labels) {
      if (std::count(labels.begin(), labels.end(), label) > 1) throw ModelError("a label is there twice");
    }
  }

 private:
  // Whatever the bytes, Python can read them.
  static std::string printable(std::string_view bytes) { return encode_all(decode_all(bytes)); }

  // The labels that a feature speaks for as a set of bits, then their weights.
  void write_row(const LabelRow& row, ByteWriter& out) const {
    out.put(row.key);
    for (std::size_t first = 0; first < labels.size(); first += 8) {
      unsigned present = 0;
      for (std::size_t i = first; i < std::min(first + 8, labels.size()); ++i) {
        present |= static_cast<unsigned>(row.weights[i] != 0) << (i - first);
      }
      out.put(static_cast<std::uint8_t>(present));
    }
    for (const std::int8_t weight : row.weights) {
      if (weight != 0) out.put(weight);
    }
  }

  void read_names(ByteReader& in) {
    labels.resize(in.get_count(4));
    for (std::string& label : labels) label = printable(in.get_string());
    check_labels(labels);
    tags.resize(in.get_count(4));
    for (std::string& tag : tags) tag = printable(in.get_string());
    if (tags.size() > most_tags || !std::is_sorted(tags.begin(), tags.end()))
      throw ModelError("the tags of the model are too many or out of order");
  }

  void read_rows(ByteReader& in) {
    const std::size_t set_size = (labels.size() + 7) / 8;
    const std::uint32_t count = in.get_count(4 + set_size);
    weights.reserve(count, labels.size());
    std::vector<LabelWeight> row;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto key = in.get<std::uint32_t>();
      std::uint64_t present = 0;
      for (std::size_t byte = 0; byte < set_size; ++byte) {
        present |= static_cast<std::uint64_t>(in.get<std::uint8_t>()) << (8 * byte);
      }
      if (labels.size() < 64 && present >> labels.size() != 0)
        throw ModelError("a feature speaks for a label that is not there");
      row.clear();
      for (std::uint16_t label = 0; label < labels.size(); ++label) {
        if (present >> label & 1) row.push_back({label, in.get<std::int8_t>()});
      }
      weights.insert(key, row);
    }
  }
};

}  // namespace metaphrase::analysis
