// The parser's network as it learns: from a batch of sentences to the scores of arcs and what labels are read
// from.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/parser_shape.hpp"
#include "analysis/recurrent.hpp"
#include "base/dense.hpp"
#include "base/random_sequence.hpp"

namespace metaphrase::training {

struct ParserSentence {
  std::vector<analysis::ParserToken> tokens;
  std::vector<std::int32_t> heads, relations;  // heads count from 1, 0 is the root
};

template <class Real>
class ParserNetwork {
 public:
  std::vector<Real> parameters;
  std::vector<Real> vectors;  // of words, from raw text: shape().word_size() numbers each

  explicit ParserNetwork(const analysis::ParserShape& shape)
      : shape_(shape), layout_(shape), zeros_(shape.units) {
    parameters.resize(layout_.size);
  }

  const analysis::ParserShape& shape() const { return shape_; }
  const analysis::ParserLayout& layout() const { return layout_; }

  // Uniform, with a variance of one over the number of inputs; gates have no bias, words no part of their
  // own.
  void initialise(std::uint64_t seed) {
    RandomSequence random(seed);
    const auto fill = [&](std::size_t at, std::size_t count, double bound) {
      for (std::size_t i = 0; i < count; ++i) {
        parameters[at + i] = static_cast<Real>((2 * random.uniform() - 1) * bound);
      }
    };
    const std::size_t units = shape_.units;
    fill(layout_.affix, shape_.affixes * shape_.affix_size(), 0.3);
    fill(layout_.tag, shape_.tags * shape_.tag_size(), 0.5);
    fill(layout_.root, units, 0.5);
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      const std::size_t input = shape_.layer_input(l);
      fill(layout_.layers[l].matrix, input * 6 * units, std::sqrt(3.0 / static_cast<double>(input)));
    }
    fill(layout_.projection, 2 * units * shape_.projections(),
         std::sqrt(3.0 / (2.0 * static_cast<double>(units))));
    fill(layout_.arc, static_cast<std::size_t>(shape_.arc) * shape_.arc, 0.5 / std::sqrt(shape_.arc));
    fill(layout_.label, static_cast<std::size_t>(shape_.label) * shape_.relations,
         std::sqrt(3.0 / shape_.label));
  }

  // Reads a batch without dropout.
  void read(const std::vector<const ParserSentence*>& batch) {
    lay_out(batch);
    masks_.clear();
    forward(batch);
  }

  // The largest magnitudes that the matrices have read in the last batch: layers, projection, arc, label.
  void observe(std::vector<double>& largest) const {
    largest.resize(shape_.layers + 3);
    const auto look = [](const std::vector<Real>& values, double& best) {
      for (const Real value : values) best = std::max(best, std::abs(static_cast<double>(value)));
    };
    for (std::size_t l = 0; l < shape_.layers; ++l) look(layers_[l].input, largest[l]);
    look(encoded_, largest[shape_.layers]);
    look(arcs_, largest[shape_.layers + 1]);
    const std::size_t columns = shape_.projections();
    for (std::size_t t = 0; t < rows_; ++t) {
      for (std::size_t j = 2 * shape_.arc; j < columns; ++j) {  // either side of a label; their sum is read
        const double both = 2 * std::abs(static_cast<double>(projected_[t * columns + j]));
        largest[shape_.layers + 2] = std::max(largest[shape_.layers + 2], both);
      }
    }
  }

 protected:
  struct LayerState {
    std::vector<Real> input, masked, products, cells;
  };

  const Real* at(std::size_t offset) const { return parameters.data() + offset; }

  void lay_out(const std::vector<const ParserSentence*>& batch) {
    begins_.assign(1, 0);
    for (const ParserSentence* sentence : batch)
      begins_.push_back(begins_.back() + sentence->tokens.size() + 1);
    rows_ = begins_.back();
  }

  // One mask a sentence: inputs of the layers, of the projections, both sides of an arc, hidden of the label.
  std::size_t mask_size() const {
    std::size_t size = 2 * shape_.units + 2 * shape_.arc + shape_.label;
    for (std::size_t l = 0; l < shape_.layers; ++l) size += shape_.layer_input(l);
    return size;
  }

  void draw_masks(double dropout, RandomSequence& random) {
    masks_.clear();
    if (dropout <= 0) return;
    const Real kept = static_cast<Real>(1 / (1 - dropout));
    masks_.resize((begins_.size() - 1) * mask_size());
    for (Real& factor : masks_) factor = random.uniform() < dropout ? Real(0) : kept;
  }

  // Multiplies `columns` columns of all rows by the part of their sentence's mask that begins at `from`.
  void mask_rows(Real* rows, std::size_t row, std::size_t columns, std::size_t from) const {
    if (masks_.empty()) return;
    for (std::size_t s = 0; s + 1 < begins_.size(); ++s) {
      const Real* mask = masks_.data() + s * mask_size() + from;
      for (std::size_t t = begins_[s]; t < begins_[s + 1]; ++t) {
        for (std::size_t j = 0; j < columns; ++j) rows[t * row + j] *= mask[j];
      }
    }
  }

  void forward(const std::vector<const ParserSentence*>& batch) {
    layers_.resize(shape_.layers);
    embed(batch, layers_[0].input);
    const std::size_t units = shape_.units;
    std::size_t mask = 0;
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      LayerState& layer = layers_[l];
      const std::size_t input = shape_.layer_input(l);
      layer.masked = layer.input;
      mask_rows(layer.masked.data(), input, input, mask);
      mask += input;
      layer.products.resize(rows_ * 6 * units);
      multiply(by_rows<Real>(layer.masked.data(), input),
               by_rows<Real>(at(layout_.layers[l].matrix), 6 * units), layer.products.data(), 6 * units,
               rows_, input, 6 * units, false);
      layer.cells.resize(rows_ * 2 * units);
      std::vector<Real>& output = l + 1 < shape_.layers ? layers_[l + 1].input : encoded_;
      output.resize(rows_ * 2 * units);
      for (std::size_t s = 0; s + 1 < begins_.size(); ++s) {
        for (int way = 0; way < 2; ++way) {
          const std::size_t first = begins_[s];
          read_direction(gate_weights(l, way), units, begins_[s + 1] - first, way == 1,
                         layer.products.data() + (first * 6 + 3 * way) * units, 6 * units,
                         layer.input.data() + first * input + highway(l, way), input,
                         layer.cells.data() + (first * 2 + way) * units,
                         output.data() + (first * 2 + way) * units, 2 * units, zeros_.data());
        }
      }
    }
    project(mask);
  }

  // What the highway adds to the output of a direction: the whole input of the first layer, else its own
  // half.
  std::size_t highway(std::size_t layer, int way) const { return layer == 0 ? 0 : way * shape_.units; }

  analysis::GateWeights<Real> gate_weights(std::size_t layer, int way) const {
    const auto& part = layout_.layers[layer];
    const std::size_t skip = way * shape_.units;
    return {at(part.forget_peep + skip), at(part.reset_peep + skip), at(part.forget_bias + skip),
            at(part.reset_bias + skip)};
  }

  void embed(const std::vector<const ParserSentence*>& batch, std::vector<Real>& input) {
    const std::size_t units = shape_.units, words = shape_.word_size(), affixes = shape_.affix_size();
    input.assign(rows_ * units, Real(0));
    for (std::size_t s = 0; s < batch.size(); ++s) {
      std::copy_n(at(layout_.root), units, input.data() + begins_[s] * units);
      for (std::size_t t = 0; t < batch[s]->tokens.size(); ++t) {
        const analysis::ParserToken& token = batch[s]->tokens[t];
        Real* row = input.data() + (begins_[s] + 1 + t) * units;
        const auto add = [](const Real* from, Real* to, std::size_t count) {
          for (std::size_t j = 0; j < count; ++j) to[j] += from[j];
        };
        if (token.vector >= 0) add(vectors.data() + token.vector * words, row, words);
        add(at(layout_.word) + token.word * words, row, words);
        for (const std::int32_t affix : token.affixes) {
          add(at(layout_.affix) + affix * affixes, row + words, affixes);
        }
        add(at(layout_.tag) + token.tag * shape_.tag_size(), row + words + affixes, shape_.tag_size());
        add(at(layout_.tag) + token.upos * shape_.tag_size(), row + words + affixes, shape_.tag_size());
      }
    }
  }

  // From the encoder's output to both sides of an arc (`arcs_`: dependent, head) and of a label
  // (`projected_`).
  void project(std::size_t mask) {
    const std::size_t units = shape_.units, columns = shape_.projections(), arc = shape_.arc;
    masked_ = encoded_;
    mask_rows(masked_.data(), 2 * units, 2 * units, mask);
    projected_.resize(rows_ * columns);
    multiply(by_rows<Real>(masked_.data(), 2 * units), by_rows<Real>(at(layout_.projection), columns),
             projected_.data(), columns, rows_, 2 * units, columns, false);
    arcs_.resize(rows_ * 2 * arc);
    for (std::size_t t = 0; t < rows_; ++t) {
      for (std::size_t j = 0; j < columns; ++j)
        projected_[t * columns + j] += parameters[layout_.projection_bias + j];
      for (std::size_t j = 0; j < 2 * arc; ++j)
        arcs_[t * 2 * arc + j] = analysis::leaky(projected_[t * columns + j]);
    }
    mask_rows(arcs_.data(), 2 * arc, 2 * arc, mask + 2 * units);
    wanted_.resize(rows_ * arc);
    multiply(by_rows<Real>(arcs_.data(), 2 * arc), by_rows<Real>(at(layout_.arc), arc), wanted_.data(), arc,
             rows_, arc, arc, false);
    for (std::size_t t = 0; t < rows_; ++t) {
      for (std::size_t j = 0; j < arc; ++j) wanted_[t * arc + j] += parameters[layout_.arc_bias + j];
    }
  }

  // scores_[dependent][head] of one sentence; the root's row is there but means nothing.
  void score_arcs(std::size_t sentence) {
    const std::size_t first = begins_[sentence], rows = begins_[sentence + 1] - first, arc = shape_.arc;
    scores_.resize(rows * rows);
    multiply(by_rows<Real>(wanted_.data() + first * arc, arc),
             transposed<Real>(arcs_.data() + first * 2 * arc + arc, 2 * arc), scores_.data(), rows, rows, arc,
             rows, false);
    for (std::size_t d = 0; d < rows; ++d) {
      for (std::size_t h = 0; h < rows; ++h) {
        scores_[d * rows + h] += parameters[layout_.distance + bucket(d, h)];
      }
    }
  }

  static std::size_t bucket(std::size_t dependent, std::size_t head) {
    return analysis::distance_bucket(static_cast<std::int32_t>(dependent), static_cast<std::int32_t>(head));
  }

  // Columns of `projected_`: D (arc), H (arc), B (label of the dependent), A (label of the head).
  void label_hidden(std::size_t head_row, std::size_t row, Real* hidden) const {
    const std::size_t columns = shape_.projections(), label = shape_.label;
    const Real* dependent = projected_.data() + row * columns + 2 * shape_.arc;
    const Real* head = projected_.data() + head_row * columns + 2 * shape_.arc + label;
    for (std::size_t j = 0; j < label; ++j) hidden[j] = analysis::leaky(dependent[j] + head[j]);
  }

  analysis::ParserShape shape_;
  analysis::ParserLayout layout_;
  std::vector<Real> zeros_;
  // Of the batch at hand. The first row of every sentence is the root's.
  std::vector<std::size_t> begins_;
  std::size_t rows_ = 0;
  std::vector<Real> masks_;
  std::vector<LayerState> layers_;
  std::vector<Real> encoded_, masked_, projected_, arcs_, wanted_, scores_;
};

}  // namespace metaphrase::training
