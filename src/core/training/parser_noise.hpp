// Training sentences as a machine might have translated them: words missing, doubled or in the wrong order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random_sequence.hpp"
#include "training/parser_network.hpp"

namespace metaphrase::training {

struct NoiseOptions {
  double share = 0.0;       // sentences that get any noise
  double final_mark = 0.3;  // of these, without the final mark of punctuation
  double missing = 0.04;    // words left out, if nothing hangs on them
  double doubled = 0.02;    // words said twice, if nothing hangs on them; both hang on the same head
  double swapped = 0.03;    // words that change places with the next
};

namespace noise {

// The sentence whose i-th token is the order[i]-th of the old one; what is left out must have no dependents.
inline void reorder(ParserSentence& sentence, const std::vector<std::size_t>& order) {
  std::vector<std::int32_t> place(sentence.tokens.size() + 1, 0);
  ParserSentence result;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (place[order[i] + 1] == 0) place[order[i] + 1] = static_cast<std::int32_t>(i + 1);
    result.tokens.push_back(sentence.tokens[order[i]]);
    result.relations.push_back(sentence.relations[order[i]]);
  }
  for (const std::size_t old : order) result.heads.push_back(place[sentence.heads[old]]);
  sentence = std::move(result);
}

}  // namespace noise

// `punctuation` is the number of that relation.
inline void add_noise(ParserSentence& sentence, const NoiseOptions& options, std::int32_t punctuation,
                      RandomSequence& random) {
  if (random.uniform() >= options.share || sentence.tokens.size() < 3) return;
  std::vector<bool> leaf(sentence.tokens.size(), true);
  for (const std::int32_t head : sentence.heads) {
    if (head > 0) leaf[head - 1] = false;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
    const bool free = leaf[i] && sentence.heads[i] != 0;
    const bool final_mark = i + 1 == sentence.tokens.size() && sentence.relations[i] == punctuation;
    if (free && random.uniform() < (final_mark ? options.final_mark : options.missing)) continue;
    order.push_back(i);
    if (free && random.uniform() < options.doubled) order.push_back(i);
  }
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (random.uniform() < options.swapped) std::swap(order[i], order[i + 1]), ++i;
  }
  noise::reorder(sentence, order);
}

}  // namespace metaphrase::training
