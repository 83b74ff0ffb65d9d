// Trains the parser's network on a treebank: Adam (Kingma and Ba 2015), variational dropout, words read as
// unknown.
//
// One thread and a fixed order of all sums: the same treebank gives the same model on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/parser_model.hpp"
#include "analysis/parser_words.hpp"
#include "base/random_sequence.hpp"
#include "training/parser_learning.hpp"
#include "training/parser_noise.hpp"

namespace metaphrase::training {

struct ParserOptions {
  std::uint32_t units = 128, layers = 3, arc = 96, label = 64;
  std::uint64_t seed = 1;
  double dropout = 0.25;
  double unknown_words = 1.0;  // w: a word seen c times is read as unknown in w / (w + c) of all cases
  double blank_words = 0.1;    // words read without their vector too
  double blank_tags = 0.05;    // tags read as unknown
  double lower_share = 0.0;    // sentences read in lower case
  NoiseOptions noise;
  std::uint32_t batch_tokens = 700;
  double decay = 0.95;        // of Adam's second moment
  double longest_step = 5.0;  // gradients are clipped to this norm
};

struct ParserTreebank {
  std::vector<std::size_t> offsets;
  std::vector<std::string_view> form, tag, upos, relation;
  std::vector<std::int32_t> head;
};

class ParserTrainer {
 public:
  // `vectors` has a row for each of `vector_words`, which are lower-cased.
  ParserTrainer(const ParserTreebank& bank, const std::vector<std::string_view>& vector_words,
                std::vector<float> vectors, const ParserOptions& options)
      : options_(options), random_(options.seed), network_(shape_of(bank, vector_words)) {
    network_.vectors = std::move(vectors);
    network_.initialise(options.seed);
    add_sentences(bank);
    forms_.clear();  // its keys belong to the treebank
    first_moment_.resize(network_.parameters.size());
    second_moment_.resize(network_.parameters.size());
    gradient_.resize(network_.parameters.size());
  }

  // One pass over the treebank; the rate of learning falls evenly from `first_rate` to `last_rate`. The mean
  // loss.
  double epoch(double first_rate, double last_rate) {
    std::vector<std::uint32_t> order(sentences_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
    std::vector<ParserSentence> varied;
    double loss = 0;
    std::size_t batches = 0;
    for (std::size_t at = 0; at < order.size(); ++batches) {
      varied.clear();
      const double done = static_cast<double>(at) / static_cast<double>(order.size());
      for (std::size_t tokens = 0; at < order.size() && tokens < options_.batch_tokens; ++at) {
        varied.push_back(vary(sentences_[order[at]]));
        tokens += varied.back().tokens.size();
      }
      std::vector<const ParserSentence*> batch;
      for (const ParserSentence& sentence : varied) batch.push_back(&sentence);
      std::fill(gradient_.begin(), gradient_.end(), 0.0f);
      loss += network_.learn(batch, options_.dropout, random_, gradient_);
      step(static_cast<float>(first_rate + (last_rate - first_rate) * done));
    }
    return batches > 0 ? loss / static_cast<double>(batches) : 0.0;
  }

  // The model file as the network stands.
  std::string model() {
    std::vector<double> bounds;
    for (std::size_t i = 0; i < sentences_.size(); i += std::max<std::size_t>(sentences_.size() / 500, 1)) {
      network_.read({&sentences_[i]});
      network_.observe(bounds);
    }
    for (double& bound : bounds) bound *= 1.25;  // what was not seen may be a little larger
    std::map<std::uint32_t, std::pair<std::int32_t, std::int32_t>> words;  // rows: learnt, vector
    for (const auto& [key, row] : word_rows_) words[key] = {row, -1};
    for (const auto& [key, row] : vector_rows_) words.try_emplace(key, 0, -1).first->second.second = row;
    analysis::ParserVocabulary vocabulary = vocabulary_;
    const std::size_t size = network_.shape().word_size();
    const float* learnt = network_.parameters.data() + network_.layout().word;
    std::vector<float> rows(learnt, learnt + size);
    for (const auto& [key, row] : words) {
      vocabulary.word_keys.push_back(key);
      for (std::size_t j = 0; j < size; ++j) {
        const float fixed = row.second >= 0 ? network_.vectors[row.second * size + j] : 0.0f;
        rows.push_back(fixed + learnt[row.first * size + j]);
      }
    }
    return analysis::ParserModel::serialise(network_.shape(), vocabulary, network_.parameters, rows, bounds);
  }

 private:
  analysis::ParserShape shape_of(const ParserTreebank& bank,
                                 const std::vector<std::string_view>& vector_words) {
    for (std::size_t i = 0; i < vector_words.size(); ++i) {
      vector_rows_.emplace(analysis::parser_form(vector_words[i]).key, static_cast<std::int32_t>(i));
    }
    for (const std::string_view form : bank.form) {
      const auto [found, added] = forms_.try_emplace(form);
      if (added) found->second = analysis::parser_form(form);
      ++counts_[found->second.key];
    }
    std::int32_t row = 1;
    for (const auto& [key, count] : counts_) {
      if (count > 1) word_rows_.emplace(key, row++);
    }
    vocabulary_.relations = distinct(bank.relation);
    vocabulary_.tags = distinct(bank.tag);
    vocabulary_.upos = distinct(bank.upos);
    analysis::ParserShape shape;
    shape.words = static_cast<std::uint32_t>(row);
    shape.affixes = analysis::all_affix_rows();
    shape.tags = static_cast<std::uint32_t>(vocabulary_.tags.size() + vocabulary_.upos.size() + 2);
    shape.relations = static_cast<std::uint32_t>(vocabulary_.relations.size());
    shape.units = options_.units;
    shape.layers = options_.layers;
    shape.arc = options_.arc;
    shape.label = options_.label;
    return shape;
  }

  static std::vector<std::string> distinct(const std::vector<std::string_view>& cells) {
    std::map<std::string_view, bool> seen;
    for (const std::string_view cell : cells) seen[cell] = true;
    std::vector<std::string> names;
    for (const auto& [name, _] : seen) names.emplace_back(name);
    return names;
  }

  static std::int32_t number(const std::vector<std::string>& names, std::string_view name) {
    return static_cast<std::int32_t>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
  }

  void add_sentences(const ParserTreebank& bank) {
    unknown_upos_ = static_cast<std::int32_t>(vocabulary_.tags.size()) + 1;
    for (std::size_t s = 0; s + 1 < bank.offsets.size(); ++s) {
      ParserSentence sentence;
      for (std::size_t t = bank.offsets[s]; t < bank.offsets[s + 1]; ++t) {
        const analysis::ParserForm& form = forms_.at(bank.form[t]);
        analysis::ParserToken token;
        const auto vector = vector_rows_.find(form.key);
        const auto word = word_rows_.find(form.key);
        token.vector = vector == vector_rows_.end() ? -1 : vector->second;
        token.word = word == word_rows_.end() ? 0 : word->second;
        token.tag = number(vocabulary_.tags, bank.tag[t]) + 1;
        token.upos = number(vocabulary_.upos, bank.upos[t]) + 1 + unknown_upos_;
        token.affixes = form.affixes;
        sentence.tokens.push_back(token);
        sentence.heads.push_back(bank.head[t]);
        sentence.relations.push_back(number(vocabulary_.relations, bank.relation[t]));
        if (token.word > 0) unknown_share(token.word, counts_.at(form.key));
        lower_shapes_.try_emplace(form.affixes.back(), lower_shape(bank.form[t]));
      }
      if (!sentence.tokens.empty()) sentences_.push_back(std::move(sentence));
    }
    const auto punctuation = std::find(vocabulary_.relations.begin(), vocabulary_.relations.end(), "punct");
    punctuation_ = static_cast<std::int32_t>(punctuation - vocabulary_.relations.begin());
  }

  void unknown_share(std::int32_t row, std::uint32_t count) {
    unknown_shares_.resize(std::max<std::size_t>(unknown_shares_.size(), row + 1));
    unknown_shares_[row] = options_.unknown_words / (options_.unknown_words + count);
  }

  static std::int32_t lower_shape(std::string_view form) {
    std::u32string chars = decode_all(form);
    for (char32_t& c : chars) c = to_lower(c);
    return analysis::parser_form(encode_all(chars)).affixes.back();
  }

  // The sentence as a pass reads it: with noise, in lower case, with some words and tags unknown.
  ParserSentence vary(const ParserSentence& sentence) {
    ParserSentence result = sentence;
    add_noise(result, options_.noise, punctuation_, random_);
    const bool lower = random_.uniform() < options_.lower_share;
    for (analysis::ParserToken& token : result.tokens) {
      if (lower) token.affixes.back() = lower_shapes_.at(token.affixes.back());
      if (token.word > 0 && random_.uniform() < unknown_shares_[token.word]) token.word = 0;
      if (random_.uniform() < options_.blank_words) token.word = 0, token.vector = -1;
      if (random_.uniform() < options_.blank_tags) token.tag = 0, token.upos = unknown_upos_;
    }
    return result;
  }

  void step(float rate) {
    std::array<double, 8> squares{};
    for (std::size_t i = 0; i < gradient_.size(); ++i)
      squares[i % 8] += static_cast<double>(gradient_[i]) * gradient_[i];
    double norm = 0;
    for (const double part : squares) norm += part;
    norm = std::sqrt(norm);
    const float clip = norm > options_.longest_step ? static_cast<float>(options_.longest_step / norm) : 1.0f;
    const auto keep = 0.9f, decay = static_cast<float>(options_.decay);
    first_left_ *= keep;
    second_left_ *= decay;
    const float first_scale = rate / (1.0f - first_left_), second_scale = 1.0f / (1.0f - second_left_);
    const float* __restrict gradient = gradient_.data();
    float* __restrict first = first_moment_.data();
    float* __restrict second = second_moment_.data();
    float* __restrict parameters = network_.parameters.data();
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      const float slope = gradient[i] * clip;
      first[i] = keep * first[i] + (1.0f - keep) * slope;
      second[i] = decay * second[i] + (1.0f - decay) * slope * slope;
      parameters[i] -= first_scale * first[i] / (std::sqrt(second[i] * second_scale) + 1e-8f);
    }
  }

  ParserOptions options_;
  RandomSequence random_;
  // Filled while the shape is found out, hence before the network.
  std::unordered_map<std::string_view, analysis::ParserForm> forms_;
  std::map<std::uint32_t, std::uint32_t> counts_;  // of words, by key
  std::map<std::uint32_t, std::int32_t> word_rows_, vector_rows_;
  analysis::ParserVocabulary vocabulary_;
  ParserLearner<float> network_;
  std::vector<ParserSentence> sentences_;
  std::vector<double> unknown_shares_;                           // by row of the word
  std::unordered_map<std::int32_t, std::int32_t> lower_shapes_;  // by row of the shape
  std::int32_t unknown_upos_ = 0, punctuation_ = 0;
  std::vector<float> gradient_, first_moment_, second_moment_;
  float first_left_ = 1, second_left_ = 1;
};

}  // namespace metaphrase::training
