// The way back through the parser's network: the gradients of its loss.
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
#include "training/parser_network.hpp"

namespace metaphrase::training {

template <class Real>
class ParserLearner : public ParserNetwork<Real> {
 public:
  using Network = ParserNetwork<Real>;
  using Network::Network, Network::parameters;

  // Adds the gradient of the mean loss a token to `gradient` and gives the loss; `dropout` is the share of
  // inputs of every part that a sentence goes without (Gal and Ghahramani 2016: the same ones at all of its
  // words).
  double learn(const std::vector<const ParserSentence*>& batch, double dropout, RandomSequence& random,
               std::vector<Real>& gradient) {
    lay_out(batch);
    draw_masks(dropout, random);
    forward(batch);
    output_gradient_.assign(rows_ * 2 * shape_.units, Real(0));
    const double loss = learn_output(batch, gradient);
    learn_encoder(gradient);
    learn_input(batch, gradient);
    return loss;
  }

 private:
  using Network::arcs_, Network::begins_, Network::layers_, Network::layout_, Network::masked_,
      Network::projected_, Network::rows_, Network::scores_, Network::shape_, Network::wanted_,
      Network::zeros_;
  using Network::at, Network::bucket, Network::draw_masks, Network::forward, Network::gate_weights,
      Network::highway, Network::label_hidden, Network::lay_out, Network::mask_rows, Network::mask_size,
      Network::score_arcs;
  using typename Network::LayerState;

  // Turns scores into probabilities minus the truth, times `share`; gives the loss.
  static double learn_choice(Real* scores, std::size_t count, std::size_t gold, std::size_t without,
                             Real share) {
    Real top = scores[gold];
    for (std::size_t i = 0; i < count; ++i) {
      if (i != without) top = std::max(top, scores[i]);
    }
    Real sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      scores[i] = i == without ? Real(0) : exponential(scores[i] - top);
      sum += scores[i];
    }
    const double loss = -std::log(static_cast<double>(scores[gold] / sum) + 1e-30);
    for (std::size_t i = 0; i < count; ++i) scores[i] *= share / sum;
    scores[gold] -= share;
    return loss;
  }

  double learn_output(const std::vector<const ParserSentence*>& batch, std::vector<Real>& gradient) {
    const std::size_t arc = shape_.arc, columns = shape_.projections(), units = shape_.units;
    const Real share = Real(1) / static_cast<Real>(rows_ - batch.size());
    wanted_gradient_.assign(rows_ * arc, Real(0));
    arc_gradient_.assign(rows_ * 2 * arc, Real(0));
    projected_gradient_.assign(rows_ * columns, Real(0));
    double loss = 0;
    for (std::size_t s = 0; s < batch.size(); ++s) {
      const std::size_t first = begins_[s], rows = begins_[s + 1] - first;
      score_arcs(s);
      std::fill_n(scores_.begin(), rows, Real(0));
      for (std::size_t d = 1; d < rows; ++d) {
        loss += learn_choice(scores_.data() + d * rows, rows, batch[s]->heads[d - 1], d, share);
        for (std::size_t h = 0; h < rows; ++h)
          gradient[layout_.distance + bucket(d, h)] += scores_[d * rows + h];
      }
      multiply(by_rows<Real>(scores_.data(), rows),
               by_rows<Real>(arcs_.data() + first * 2 * arc + arc, 2 * arc),
               wanted_gradient_.data() + first * arc, arc, rows, rows, arc, false);
      multiply(transposed<Real>(scores_.data(), rows), by_rows<Real>(wanted_.data() + first * arc, arc),
               arc_gradient_.data() + first * 2 * arc + arc, 2 * arc, rows, rows, arc, false);
    }
    multiply(by_rows<Real>(wanted_gradient_.data(), arc), transposed<Real>(at(layout_.arc), arc),
             arc_gradient_.data(), 2 * arc, rows_, arc, arc, false);
    multiply(transposed<Real>(arcs_.data(), 2 * arc), by_rows<Real>(wanted_gradient_.data(), arc),
             gradient.data() + layout_.arc, arc, arc, rows_, arc, true);
    sum_rows(wanted_gradient_, arc, gradient.data() + layout_.arc_bias);
    mask_rows(arc_gradient_.data(), 2 * arc, 2 * arc, mask_size() - shape_.label - 2 * arc);
    for (std::size_t t = 0; t < rows_; ++t) {
      for (std::size_t j = 0; j < 2 * arc; ++j) {
        const Real slope = projected_[t * columns + j] > Real(0) ? Real(1) : Real(0.1);
        projected_gradient_[t * columns + j] = arc_gradient_[t * 2 * arc + j] * slope;
      }
    }
    loss += learn_labels(batch, gradient, share);
    multiply(transposed<Real>(masked_.data(), 2 * units), by_rows<Real>(projected_gradient_.data(), columns),
             gradient.data() + layout_.projection, columns, 2 * units, rows_, columns, true);
    sum_rows(projected_gradient_, columns, gradient.data() + layout_.projection_bias);
    multiply(by_rows<Real>(projected_gradient_.data(), columns),
             transposed<Real>(at(layout_.projection), columns), output_gradient_.data(), 2 * units, rows_,
             columns, 2 * units, false);
    mask_rows(output_gradient_.data(), 2 * units, 2 * units,
              mask_size() - shape_.label - 2 * arc - 2 * units);
    return loss / static_cast<double>(rows_ - batch.size());
  }

  double learn_labels(const std::vector<const ParserSentence*>& batch, std::vector<Real>& gradient,
                      Real share) {
    const std::size_t label = shape_.label, relations = shape_.relations, columns = shape_.projections();
    label_input_.assign(rows_ * label, Real(0));
    for (std::size_t s = 0; s < batch.size(); ++s) {
      for (std::size_t t = 0; t < batch[s]->tokens.size(); ++t) {
        const std::size_t row = begins_[s] + 1 + t;
        label_hidden(begins_[s] + batch[s]->heads[t], row, label_input_.data() + row * label);
      }
    }
    mask_rows(label_input_.data(), label, label, mask_size() - label);
    label_scores_.resize(rows_ * relations);
    multiply(by_rows<Real>(label_input_.data(), label), by_rows<Real>(at(layout_.label), relations),
             label_scores_.data(), relations, rows_, label, relations, false);
    double loss = 0;
    for (std::size_t s = 0; s < batch.size(); ++s) {
      std::fill_n(label_scores_.begin() + begins_[s] * relations, relations, Real(0));
      for (std::size_t t = 0; t < batch[s]->tokens.size(); ++t) {
        Real* scores = label_scores_.data() + (begins_[s] + 1 + t) * relations;
        for (std::size_t r = 0; r < relations; ++r) scores[r] += parameters[layout_.label_bias + r];
        loss += learn_choice(scores, relations, batch[s]->relations[t], relations, share);
      }
    }
    multiply(transposed<Real>(label_input_.data(), label), by_rows<Real>(label_scores_.data(), relations),
             gradient.data() + layout_.label, relations, label, rows_, relations, true);
    sum_rows(label_scores_, relations, gradient.data() + layout_.label_bias);
    label_gradient_.resize(rows_ * label);
    multiply(by_rows<Real>(label_scores_.data(), relations), transposed<Real>(at(layout_.label), relations),
             label_gradient_.data(), label, rows_, relations, label, false);
    mask_rows(label_gradient_.data(), label, label, mask_size() - label);
    hidden_.resize(label);
    for (std::size_t s = 0; s < batch.size(); ++s) {
      for (std::size_t t = 0; t < batch[s]->tokens.size(); ++t) {
        const std::size_t row = begins_[s] + 1 + t, head_row = begins_[s] + batch[s]->heads[t];
        label_hidden(head_row, row, hidden_.data());
        Real* dependent = projected_gradient_.data() + row * columns + 2 * shape_.arc;
        Real* head = projected_gradient_.data() + head_row * columns + 2 * shape_.arc + label;
        for (std::size_t j = 0; j < label; ++j) {
          const Real change = label_gradient_[row * label + j] * (hidden_[j] > Real(0) ? Real(1) : Real(0.1));
          dependent[j] += change;
          head[j] += change;
        }
      }
    }
    return loss;
  }

  static void sum_rows(const std::vector<Real>& rows, std::size_t columns, Real* sums) {
    for (std::size_t at = 0; at < rows.size(); at += columns) {
      for (std::size_t j = 0; j < columns; ++j) sums[j] += rows[at + j];
    }
  }

  // From the gradient of the last layer's output back to that of the first one's input, in output_gradient_.
  void learn_encoder(std::vector<Real>& gradient) {
    const std::size_t units = shape_.units;
    std::size_t mask = mask_size() - shape_.label - 2 * shape_.arc - 2 * units;
    carried_.resize(units);
    for (std::size_t l = shape_.layers; l-- > 0;) {
      LayerState& layer = layers_[l];
      const std::size_t input = shape_.layer_input(l);
      mask -= input;
      const auto& part = layout_.layers[l];
      highway_gradient_.assign(rows_ * input, Real(0));
      for (std::size_t s = 0; s + 1 < begins_.size(); ++s) {
        for (int way = 0; way < 2; ++way) {
          const std::size_t first = begins_[s], skip = way * units;
          const analysis::GateGradients<Real> gates{
              gradient.data() + part.forget_peep + skip, gradient.data() + part.reset_peep + skip,
              gradient.data() + part.forget_bias + skip, gradient.data() + part.reset_bias + skip};
          learn_direction(gate_weights(l, way), gates, units, begins_[s + 1] - first, way == 1,
                          layer.products.data() + (first * 6 + 3 * way) * units, 6 * units,
                          layer.input.data() + first * input + highway(l, way), input,
                          layer.cells.data() + (first * 2 + way) * units, 2 * units,
                          output_gradient_.data() + (first * 2 + way) * units,
                          highway_gradient_.data() + first * input + highway(l, way), zeros_.data(),
                          carried_.data());
        }
      }
      multiply(transposed<Real>(layer.masked.data(), input), by_rows<Real>(layer.products.data(), 6 * units),
               gradient.data() + part.matrix, 6 * units, input, rows_, 6 * units, true);
      output_gradient_.resize(rows_ * input);
      multiply(by_rows<Real>(layer.products.data(), 6 * units), transposed<Real>(at(part.matrix), 6 * units),
               output_gradient_.data(), input, rows_, 6 * units, input, false);
      mask_rows(output_gradient_.data(), input, input, mask);
      for (std::size_t i = 0; i < output_gradient_.size(); ++i) output_gradient_[i] += highway_gradient_[i];
    }
  }

  void learn_input(const std::vector<const ParserSentence*>& batch, std::vector<Real>& gradient) {
    const std::size_t units = shape_.units, words = shape_.word_size(), affixes = shape_.affix_size();
    const auto add = [](const Real* from, Real* to, std::size_t count) {
      for (std::size_t j = 0; j < count; ++j) to[j] += from[j];
    };
    for (std::size_t s = 0; s < batch.size(); ++s) {
      add(output_gradient_.data() + begins_[s] * units, gradient.data() + layout_.root, units);
      for (std::size_t t = 0; t < batch[s]->tokens.size(); ++t) {
        const analysis::ParserToken& token = batch[s]->tokens[t];
        const Real* row = output_gradient_.data() + (begins_[s] + 1 + t) * units;
        add(row, gradient.data() + layout_.word + token.word * words, words);
        for (const std::int32_t affix : token.affixes) {
          add(row + words, gradient.data() + layout_.affix + affix * affixes, affixes);
        }
        for (const std::int32_t tag : {token.tag, token.upos}) {
          add(row + words + affixes, gradient.data() + layout_.tag + tag * shape_.tag_size(),
              shape_.tag_size());
        }
      }
    }
  }

  std::vector<Real> label_input_, label_scores_, hidden_;
  std::vector<Real> output_gradient_, highway_gradient_, carried_, projected_gradient_, arc_gradient_,
      wanted_gradient_, label_gradient_;
};

}  // namespace metaphrase::training
