// Everything that the parser has learnt, and its file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/integer_matrix.hpp"
#include "analysis/parser_shape.hpp"
#include "analysis/parser_words.hpp"
#include "analysis/recurrent.hpp"
#include "base/byte_stream.hpp"
#include "base/key_table.hpp"
#include "base/model_file.hpp"

namespace metaphrase::analysis {

// What a model file is written from, beside the parameters of the network.
struct ParserVocabulary {
  std::vector<std::string> relations, tags, upos;  // tags and upos without their unknown, which comes first
  std::vector<std::uint32_t> word_keys;  // ascending; of the rows after the first, the unknown word's
};

struct ParserModel {
  static constexpr std::string_view magic = "MPDP";
  static constexpr std::uint32_t version = 1;

  ParserShape shape;
  std::vector<std::string> relations;
  std::unordered_map<std::string, std::int32_t> tags, upos;  // rows of tag_table
  std::int32_t unknown_upos = 0;
  KeyTable<std::int32_t> words;  // rows of word_table
  ByteTable word_table, affix_table, tag_table;
  std::vector<float> root;
  struct Layer {
    IntegerMatrix matrix;
    std::vector<float> forget_peep, reset_peep, forget_bias, reset_bias;
  };
  std::vector<Layer> layers;
  IntegerMatrix projection, arc, label;
  std::vector<float> projection_bias, arc_bias, distance, label_bias;
  std::uint64_t fingerprint = 0;

  // `word_rows` are the vectors of the vocabulary's words, the unknown one first; `bounds` the largest
  // magnitudes that the matrices read (ParserNetwork::observe).
  static std::string serialise(const ParserShape& shape, const ParserVocabulary& vocabulary,
                               const std::vector<float>& parameters, const std::vector<float>& word_rows,
                               const std::vector<double>& bounds) {
    const ParserLayout layout(shape);
    ByteWriter body;
    for (const std::uint32_t size : {shape.units, shape.layers, shape.arc, shape.label}) body.put(size);
    for (const auto* names : {&vocabulary.relations, &vocabulary.tags, &vocabulary.upos}) {
      body.put(static_cast<std::uint32_t>(names->size()));
      for (const std::string& name : *names) body.put_string(name);
    }
    body.put(static_cast<std::uint32_t>(vocabulary.word_keys.size()));
    for (const std::uint32_t key : vocabulary.word_keys) body.put(key);
    const float* weights = parameters.data();
    const auto put_floats = [&](std::size_t at, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) put_float(body, weights[at + i]);
    };
    ByteTable::write(body, word_rows.data(), vocabulary.word_keys.size() + 1, shape.word_size());
    ByteTable::write(body, weights + layout.affix, shape.affixes, shape.affix_size());
    ByteTable::write(body, weights + layout.tag, shape.tags, shape.tag_size());
    const std::size_t units = shape.units;
    put_floats(layout.root, units);
    for (std::size_t l = 0; l < shape.layers; ++l) {
      const auto& layer = layout.layers[l];
      IntegerMatrix::write(body, weights + layer.matrix, shape.layer_input(l), 6 * units, bounds[l]);
      for (const std::size_t at :
           {layer.forget_peep, layer.reset_peep, layer.forget_bias, layer.reset_bias}) {
        put_floats(at, 2 * units);
      }
    }
    const double* bound = bounds.data() + shape.layers;
    IntegerMatrix::write(body, weights + layout.projection, 2 * units, shape.projections(), bound[0]);
    put_floats(layout.projection_bias, shape.projections());
    IntegerMatrix::write(body, weights + layout.arc, shape.arc, shape.arc, bound[1]);
    put_floats(layout.arc_bias, shape.arc);
    put_floats(layout.distance, distances);
    IntegerMatrix::write(body, weights + layout.label, shape.label, shape.relations, bound[2]);
    put_floats(layout.label_bias, shape.relations);
    return model_file(magic, version, body.take());
  }

  static ParserModel parse(std::string_view file) {
    const ModelContent content = model_content(file, magic, version, "the parser");
    ParserModel model;
    model.fingerprint = content.fingerprint;
    ByteReader in(content.bytes);
    model.read(in);
    if (!in.done()) throw ModelError("the model file goes on after its end");
    return model;
  }

 private:
  static constexpr std::uint32_t most_units = 128, most_layers = 8, most_names = 16384;

  void read(ByteReader& in) {
    read_sizes(in);
    relations = names(in);
    const std::vector<std::string> tag_names = names(in), upos_names = names(in);
    if (relations.empty()) throw ModelError("the model has no relations");
    shape.relations = static_cast<std::uint32_t>(relations.size());
    // Rows: unknown tag, tags, unknown universal tag, universal tags.
    std::int32_t row = 1;
    for (const std::string& name : tag_names) tags.emplace(name, row++);
    unknown_upos = row++;
    for (const std::string& name : upos_names) upos.emplace(name, row++);
    shape.tags = static_cast<std::uint32_t>(row);
    shape.affixes = all_affix_rows();
    const std::uint32_t count = in.get_count(4);
    words.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
      words.insert(in.get<std::uint32_t>(), static_cast<std::int32_t>(i + 1));
    word_table.read(in, count + 1, shape.word_size());
    affix_table.read(in, shape.affixes, shape.affix_size());
    tag_table.read(in, shape.tags, shape.tag_size());
    read_weights(in);
  }

  void read_sizes(ByteReader& in) {
    shape.units = in.get<std::uint32_t>();
    shape.layers = in.get<std::uint32_t>();
    shape.arc = in.get<std::uint32_t>();
    shape.label = in.get<std::uint32_t>();
    const auto possible = [](std::uint32_t size, std::uint32_t most) {
      return size >= 16 && size <= most && size % 16 == 0;
    };
    if (!possible(shape.units, most_units) || shape.layers == 0 || shape.layers > most_layers ||
        !possible(shape.arc, IntegerMatrix::most_rows) || !possible(shape.label, IntegerMatrix::most_rows)) {
      throw ModelError("the model has impossible sizes");
    }
  }

  void read_weights(ByteReader& in) {
    const std::size_t units = shape.units;
    root = floats(in, units);
    layers.resize(shape.layers);
    for (std::size_t l = 0; l < shape.layers; ++l) {
      layers[l].matrix.read(in, shape.layer_input(l), 6 * units);
      for (auto* part :
           {&layers[l].forget_peep, &layers[l].reset_peep, &layers[l].forget_bias, &layers[l].reset_bias}) {
        *part = floats(in, 2 * units);
      }
    }
    projection.read(in, 2 * units, shape.projections());
    projection_bias = floats(in, shape.projections());
    arc.read(in, shape.arc, shape.arc);
    arc_bias = floats(in, shape.arc);
    distance = floats(in, distances);
    label.read(in, shape.label, shape.relations);
    label_bias = floats(in, shape.relations);
  }

  static std::vector<std::string> names(ByteReader& in) {
    std::vector<std::string> result(in.get_count(4));
    if (result.size() > most_names) throw ModelError("the model has an impossible number of labels");
    for (std::string& name : result)
      name = encode_all(decode_all(in.get_string()));  // whatever Python can read
    return result;
  }

  static std::vector<float> floats(ByteReader& in, std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = get_float(in);
    return values;
  }
};

}  // namespace metaphrase::analysis
