// Trains a sequence labeller: a linear-chain conditional random field (Lafferty et al. 2001), sentence by
// sentence, by AdaGrad (Duchi et al. 2011) with averaged weights.
//
// The same bytes on every machine: one thread, a fixed order, only additions, multiplications, divisions and
// square roots of IEEE numbers, and an exponential function that is made of those.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/labeller_model.hpp"
#include "base/random_sequence.hpp"

namespace metaphrase::training {

struct LabellerOptions {
  int epochs = 10;
  std::uint64_t seed = 1;
  double rate = 0.1;            // length of AdaGrad's first step
  double shrinkage = 0.0;       // pull of every weight towards 0 at each of its changes
  std::uint32_t min_count = 2;  // features seen less often are left out
  double least_weight = 0.02;   // smaller ones are left out in the end
  int rounds = 1;               // the model is the mean of so many trainings, each in an order of its own
};

// Columns of the training text, one cell a token; sentence i is [offsets[i], offsets[i + 1]).
struct LabelledText {
  std::vector<std::u32string> forms;
  std::vector<std::string> tags, labels;
  std::vector<std::int64_t> offsets;
};

// e^x for x <= 0 to 15 digits; std::exp differs between libraries in the last of them.
inline double decaying_exponential(double x) {
  if (x < -700) return 0;
  const double steps = x * 1.4426950408889634 - 0.5;
  const auto power = static_cast<std::int64_t>(steps);  // towards 0: the nearest whole number, as x <= 0
  const double rest = x - static_cast<double>(power) * 0.6931471805599453;
  double sum = 1;
  for (int term = 14; term > 0; --term) sum = 1 + sum * rest / term;
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + power) << 52);
}

class LabellerTrainer {
 public:
  // `model` has its task, lexicon and `runs`; training adds labels, tags and weights.
  LabellerTrainer(analysis::LabellerModel model, const LabelledText& text, const LabellerOptions& options)
      : model_(std::move(model)), options_(options), offsets_(text.offsets) {
    number_names(text);
    find_features(text);
    const std::size_t labels = model_.labels.size();
    weights_.resize(keys_.size() * labels);
    transitions_.resize((model_.tags.size() + 1) * model_.matrix_size());
    allowed_.resize(model_.matrix_size());
    for (std::size_t p = 0; p < labels; ++p) {
      for (std::size_t y = 0; y < labels; ++y) {
        allowed_[p * labels + y] = analysis::may_follow(model_.labels[p], model_.labels[y]);
      }
    }
  }

  analysis::LabellerModel train() {
    RandomSequence random(options_.seed);
    std::vector<std::uint32_t> order(offsets_.size() - 1);
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (int round = 0; round < options_.rounds; ++round) {
      step_ = 0;
      for (int epoch = 0; epoch < options_.epochs; ++epoch) {
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        for (const std::uint32_t sentence : order) learn(offsets_[sentence], offsets_[sentence + 1]);
      }
      for (Weights* weights : {&weights_, &transitions_}) weights->finish(static_cast<double>(step_) + 1);
    }
    quantise();
    return std::move(model_);
  }

 private:
  // Errors of probability below this are no reason to change a weight.
  static constexpr double least_error = 0.005;
  static constexpr double scale = 40;

  // Weights and, apart from them because only changes need it, what AdaGrad and averaging remember.
  struct Weights {
    struct Memory {
      float squares = 0;
      double moved = 0;  // the sum of all changes, each times the step it was made at
    };
    std::vector<float> values;
    std::vector<Memory> memory;
    std::vector<float> sums;  // of the averages of all rounds that are over

    void resize(std::size_t size) {
      values.resize(size);
      memory.resize(size);
      sums.resize(size);
    }
    void change(std::size_t at, double error, double step, const LabellerOptions& options) {
      Memory& past = memory[at];
      past.squares += static_cast<float>(error * error);
      const double rate = options.rate / std::sqrt(static_cast<double>(past.squares) + 0.01);
      const double pull = options.shrinkage * static_cast<double>(values[at]);
      const auto difference = static_cast<float>(rate * (error - pull));
      values[at] += difference;
      past.moved += static_cast<double>(difference) * step;
    }
    // Keeps the averages over `steps` steps and forgets all else.
    void finish(double steps) {
      for (std::size_t at = 0; at < values.size(); ++at) {
        sums[at] += static_cast<float>(static_cast<double>(values[at]) - memory[at].moved / steps);
        values[at] = 0;
        memory[at] = {};
      }
    }
  };

  void number_names(const LabelledText& text) {
    const std::set<std::string> labels(text.labels.begin(), text.labels.end());
    const std::set<std::string> tags(text.tags.begin(), text.tags.end());
    model_.labels.assign(labels.begin(), labels.end());
    model_.tags.assign(tags.begin(), tags.end());
    analysis::LabellerModel::check_labels(model_.labels);
    if (model_.tags.size() > analysis::LabellerModel::most_tags)
      throw ModelError("the text has too many tags");
    for (std::size_t i = 0; i < text.labels.size(); ++i) {
      const auto found = std::lower_bound(model_.labels.begin(), model_.labels.end(), text.labels[i]);
      gold_.push_back(static_cast<std::uint8_t>(found - model_.labels.begin()));
      tags_.push_back(model_.tag_number(text.tags[i]));
    }
    for (std::size_t s = 0; s + 1 < offsets_.size(); ++s) {
      for (auto i = offsets_[s]; i < offsets_[s + 1]; ++i) {
        if (!analysis::may_follow(i == offsets_[s] ? "" : text.labels[i - 1], text.labels[i]))
          throw ModelError("the labels of a sentence are not IOB2");
      }
    }
  }

  // Lists the keys of every token's features, then keeps those that are frequent enough, by number.
  void find_features(const LabelledText& text) {
    std::map<std::u32string, analysis::WordTraits> types;
    for (const std::u32string& form : text.forms) {
      if (!types.contains(form)) types.emplace(form, model_.traits(form));
    }
    const std::vector<bool> name_tags = model_.name_tags();
    const analysis::WordTraits outside = analysis::outside_word();
    std::vector<analysis::LabelledToken> tokens;
    std::vector<analysis::NameRun> runs;
    std::vector<const analysis::WordTraits*> words;
    feature_begin_.assign(1, 0);
    for (std::size_t s = 0; s + 1 < offsets_.size(); ++s) {
      const auto size = static_cast<std::size_t>(offsets_[s + 1] - offsets_[s]);
      tokens.assign(size + 2 * analysis::window_radius, {&outside, analysis::outside_tag});
      words.assign(tokens.size(), &outside);
      analysis::CaseCounts counts;
      for (std::size_t i = 0; i < size; ++i) {
        const auto at = static_cast<std::size_t>(offsets_[s]) + i;
        words[i + analysis::window_radius] = &types.at(text.forms[at]);
        tokens[i + analysis::window_radius] = {words[i + analysis::window_radius], tags_[at]};
        counts.add(text.forms[at]);
      }
      if (model_.runs) {
        analysis::find_runs(tokens, name_tags, model_.lexicon, runs);
        analysis::find_phrases(tokens, model_.lexicon);
      }
      for (std::size_t i = 0; i < size; ++i) list_keys(&tokens[i], &words[i], runs, counts.text_case());
    }
    number_features();
  }

  void list_keys(const analysis::LabelledToken* tokens, const analysis::WordTraits* const* words,
                 const std::vector<analysis::NameRun>& runs, analysis::TextCase text_case) {
    analysis::TokenWindow window;
    analysis::FeatureKeys keys;
    const auto keep = [&] {
      features_.insert(features_.end(), keys.view().begin(), keys.view().end());
      keys.clear();
    };
    for (int place = 0; place < analysis::window_size; ++place) {
      window[place] = tokens + place;
      analysis::word_keys(*words[place], place, keys);
      analysis::tag_keys(tokens[place].tag, place, keys);
      keep();
    }
    analysis::neighbour_keys(window, text_case, keys);
    if (model_.runs) {
      const analysis::NameRun& run = runs[window[analysis::window_radius]->run];
      analysis::run_keys(window, run, text_case, keys);
      analysis::name_keys(window, run, keys);
    }
    keep();
    feature_begin_.push_back(features_.size());
  }

  void number_features() {
    std::unordered_map<std::uint32_t, std::uint32_t> counts;
    for (const std::uint32_t key : features_) ++counts[key];
    for (const auto& [key, count] : counts) {
      if (count >= options_.min_count) keys_.push_back(key);
    }
    std::sort(keys_.begin(), keys_.end());
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < keys_.size(); ++i) numbers.emplace(keys_[i], i);
    std::size_t kept = 0;
    for (std::size_t token = 0, at = 0; token + 1 < feature_begin_.size(); ++token) {
      for (const std::size_t end = feature_begin_[token + 1]; at < end; ++at) {
        if (const auto found = numbers.find(features_[at]); found != numbers.end())
          features_[kept++] = found->second;
      }
      feature_begin_[token + 1] = kept;
    }
    features_.resize(kept);
    features_.shrink_to_fit();
  }

  void learn(std::int64_t begin, std::int64_t end) {
    if (begin == end) return;
    ++step_;
    const std::size_t size = static_cast<std::size_t>(end - begin), labels = model_.labels.size();
    emission_.assign(size * labels, 0);
    edges_.assign(size * labels * labels, 0);
    forward_.assign(size * labels, 0);
    backward_.assign(size * labels, 1);
    for (std::size_t i = 0; i < size; ++i) fill_potentials(i, static_cast<std::size_t>(begin) + i);
    pass_forward(size);
    pass_backward(size);
    for (std::size_t i = 0; i < size; ++i) {
      correct_features(i, static_cast<std::size_t>(begin) + i);
      if (i > 0) correct_transitions(i, static_cast<std::size_t>(begin) + i);
    }
  }

  // Exponentials of the scores of labels and of pairs of labels, each scaled to at most 1.
  void fill_potentials(std::size_t i, std::size_t token) {
    const std::size_t labels = model_.labels.size();
    double* scores = &emission_[i * labels];
    for (std::size_t f = feature_begin_[token]; f < feature_begin_[token + 1]; ++f) {
      const float* row = &weights_.values[features_[f] * labels];
      for (std::size_t y = 0; y < labels; ++y) scores[y] += static_cast<double>(row[y]);
    }
    const double top = *std::max_element(scores, scores + labels);
    for (std::size_t y = 0; y < labels; ++y) scores[y] = decaying_exponential(scores[y] - top);
    if (i == 0) {
      for (std::size_t y = 0; y < labels; ++y) {
        if (!analysis::may_follow("", model_.labels[y])) scores[y] = 0;
      }
      return;
    }
    double* edges = &edges_[i * labels * labels];
    const float* general = transitions_.values.data();
    const float* own = general + tags_[token] * labels * labels;
    double most = -1e300;
    for (std::size_t e = 0; e < labels * labels; ++e) {
      edges[e] = static_cast<double>(general[e]) + static_cast<double>(own[e]);
      if (allowed_[e]) most = std::max(most, edges[e]);
    }
    for (std::size_t e = 0; e < labels * labels; ++e)
      edges[e] = allowed_[e] ? decaying_exponential(edges[e] - most) : 0;
  }

  static void normalise(double* values, std::size_t size) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += values[i];
    if (sum <= 0) return;
    for (std::size_t i = 0; i < size; ++i) values[i] /= sum;
  }

  void pass_forward(std::size_t size) {
    const std::size_t labels = model_.labels.size();
    std::copy_n(emission_.begin(), labels, forward_.begin());
    normalise(forward_.data(), labels);
    for (std::size_t i = 1; i < size; ++i) {
      double* now = &forward_[i * labels];
      for (std::size_t p = 0; p < labels; ++p) {
        const double before = forward_[(i - 1) * labels + p];
        const double* edges = &edges_[(i * labels + p) * labels];
        for (std::size_t y = 0; y < labels; ++y) now[y] += before * edges[y];
      }
      for (std::size_t y = 0; y < labels; ++y) now[y] *= emission_[i * labels + y];
      normalise(now, labels);
    }
  }

  void pass_backward(std::size_t size) {
    const std::size_t labels = model_.labels.size();
    std::vector<double> later(labels);
    for (std::size_t i = size - 1; i > 0; --i) {
      for (std::size_t y = 0; y < labels; ++y)
        later[y] = emission_[i * labels + y] * backward_[i * labels + y];
      double* before = &backward_[(i - 1) * labels];
      for (std::size_t p = 0; p < labels; ++p) {
        const double* edges = &edges_[(i * labels + p) * labels];
        double sum = 0;
        for (std::size_t y = 0; y < labels; ++y) sum += edges[y] * later[y];
        before[p] = sum;
      }
      normalise(before, labels);
    }
  }

  void correct_features(std::size_t i, std::size_t token) {
    const std::size_t labels = model_.labels.size();
    errors_.assign(labels, 0);
    for (std::size_t y = 0; y < labels; ++y)
      errors_[y] = forward_[i * labels + y] * backward_[i * labels + y];
    normalise(errors_.data(), labels);
    for (std::size_t y = 0; y < labels; ++y) errors_[y] = (y == gold_[token] ? 1.0 : 0.0) - errors_[y];
    if (std::all_of(errors_.begin(), errors_.end(), [](double e) { return std::abs(e) < least_error; }))
      return;
    for (std::size_t f = feature_begin_[token]; f < feature_begin_[token + 1]; ++f) {
      for (std::size_t y = 0; y < labels; ++y) {
        if (std::abs(errors_[y]) < least_error) continue;
        weights_.change(features_[f] * labels + y, errors_[y], static_cast<double>(step_), options_);
      }
    }
  }

  void correct_transitions(std::size_t i, std::size_t token) {
    const std::size_t labels = model_.labels.size();
    errors_.assign(labels * labels, 0);
    for (std::size_t p = 0; p < labels; ++p) {
      for (std::size_t y = 0; y < labels; ++y) {
        errors_[p * labels + y] = forward_[(i - 1) * labels + p] * edges_[(i * labels + p) * labels + y] *
                                  emission_[i * labels + y] * backward_[i * labels + y];
      }
    }
    normalise(errors_.data(), errors_.size());
    const std::size_t gold = gold_[token - 1] * labels + gold_[token];
    const std::size_t own = tags_[token] * labels * labels;
    for (std::size_t e = 0; e < errors_.size(); ++e) {
      const double error = (e == gold ? 1.0 : 0.0) - errors_[e];
      if (std::abs(error) < least_error) continue;
      transitions_.change(e, error, static_cast<double>(step_), options_);
      transitions_.change(own + e, error, static_cast<double>(step_), options_);
    }
  }

  // One scale for all. A weight has 8 bits, so that no sum over the features of a token can leave 16; the few
  // that are larger lose nothing that matters.
  void quantise() {
    const std::size_t labels = model_.labels.size();
    const auto mean = [&](const Weights& weights, std::size_t at) {
      return static_cast<double>(weights.sums[at]) / options_.rounds;
    };
    for (std::size_t f = 0; f < keys_.size(); ++f) {
      analysis::LabelRow row{keys_[f], std::vector<std::int8_t>(labels, 0)};
      bool silent = true;
      for (std::size_t y = 0; y < labels; ++y) {
        const double weight = mean(weights_, f * labels + y);
        if (std::abs(weight) < options_.least_weight) continue;
        row.weights[y] = static_cast<std::int8_t>(std::lround(std::clamp(weight * scale, -127.0, 127.0)));
        silent &= row.weights[y] == 0;
      }
      if (!silent) model_.rows.push_back(std::move(row));
    }
    model_.sort_rows();
    for (std::size_t at = 0; at < transitions_.values.size(); ++at) {
      double weight = mean(transitions_, at % model_.matrix_size());
      if (at >= model_.matrix_size()) weight += mean(transitions_, at);
      model_.transitions.push_back(
          static_cast<std::int16_t>(std::lround(std::clamp(weight * scale, -8000.0, 8000.0))));
    }
  }

  analysis::LabellerModel model_;
  LabellerOptions options_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::uint8_t> gold_;   // by token
  std::vector<std::uint32_t> tags_;  // by token
  std::vector<std::uint32_t> features_;
  std::vector<std::size_t> feature_begin_;  // by token, in features_
  std::vector<std::uint32_t> keys_;         // by number of the feature
  Weights weights_, transitions_;           // transitions of tag 0 count for all tags
  std::vector<bool> allowed_;
  std::uint64_t step_ = 0;
  // Of the sentence at hand:
  std::vector<double> emission_, edges_, forward_, backward_, errors_;
};

}  // namespace metaphrase::training
