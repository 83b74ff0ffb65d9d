// Checks the gradients of the parser's network against differences of its loss.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "training/parser_learning.hpp"

namespace metaphrase::training {

// The largest relative error among the gradients of a small random network, dropout included. In double
// precision: in single, differences of the loss drown in rounding.
inline double gradient_error(std::uint64_t seed) {
  analysis::ParserShape shape;
  shape.words = 5, shape.affixes = 7, shape.tags = 6, shape.relations = 3;
  shape.units = 8, shape.layers = 2, shape.arc = 6, shape.label = 4;
  ParserLearner<double> network(shape);
  network.initialise(seed);
  RandomSequence random(seed + 1);
  for (double& value : network.parameters) value += 0.4 * random.uniform() - 0.2;
  network.vectors.resize(3 * shape.word_size());
  for (double& value : network.vectors) value = random.uniform() - 0.5;
  std::vector<ParserSentence> sentences(2);
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const std::size_t size = 3 + s;
    for (std::size_t t = 0; t < size; ++t) {
      const auto draw = [&](std::uint64_t bound) { return static_cast<std::int32_t>(random.below(bound)); };
      sentences[s].tokens.push_back(
          {draw(4) - 1, draw(5), draw(6), draw(6), {draw(7), draw(7), draw(7), draw(7)}});
      std::int32_t head = draw(size + 1);
      if (head == static_cast<std::int32_t>(t) + 1) head = 0;
      sentences[s].heads.push_back(head);
      sentences[s].relations.push_back(draw(3));
    }
  }
  const std::vector<const ParserSentence*> batch{&sentences[0], &sentences[1]};
  const auto loss = [&](std::vector<double>& gradient) {
    RandomSequence masks(seed + 2);  // the same masks every time
    return network.learn(batch, 0.3, masks, gradient);
  };
  std::vector<double> gradient(network.parameters.size()), unused(network.parameters.size());
  loss(gradient);
  double worst = 0;
  constexpr double step = 1e-6;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double value = network.parameters[i];
    network.parameters[i] = value + step;
    const double above = loss(unused);
    network.parameters[i] = value - step;
    const double below = loss(unused);
    network.parameters[i] = value;
    const double slope = (above - below) / (2 * step);
    worst = std::max(worst, std::abs(slope - gradient[i]) / (std::abs(slope) + std::abs(gradient[i]) + 1e-3));
  }
  return worst;
}

}  // namespace metaphrase::training
