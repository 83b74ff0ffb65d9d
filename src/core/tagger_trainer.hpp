// Averaged perceptron (Collins 2002) for the tagger, left to right with its own labels as history.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "english_model.hpp"
#include "features.hpp"

namespace metaphrase {

struct TaggerOptions {
  int epochs = 8;
  std::uint64_t seed = 1;
  int runs = 1;                  // models of different order of sentences whose weights are averaged
  double lower_share = 0.0;      // sentences read in lower case, drawn anew in every epoch
  double title_share = 0.0;      // sentences read with Every Word Capitalised
  double join_share = 0.0;       // sentences read together with the next: a text may hold several
  int min_updates = 2;           // features that were changed less often are left out
  double min_weight = 0.0;       // averaged weights below this are left out
};

// splitmix64: the same sequence on every platform.
class RandomSequence {
 public:
  explicit RandomSequence(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

struct TrainingSentence {
  std::vector<std::uint32_t> words;   // indices of word types
  std::vector<std::uint16_t> labels;
};

class TaggerTrainer {
 public:
  // `forms` are the word types that the sentences point to.
  TaggerTrainer(const std::vector<std::u32string>& forms, const Lexicon& lexicon, std::size_t labels,
                const TaggerOptions& options)
      : labels_(labels), options_(options) {
    for (const auto& form : forms) add_word(form, lexicon);
    for (std::uint32_t i = 0; i < forms.size(); ++i) {
      lower_.push_back(variant(forms[i], CaseChange::lower, i, lexicon));
      title_.push_back(variant(forms[i], CaseChange::title, i, lexicon));
    }
    outside_ = static_cast<std::uint32_t>(words_.size());
    words_.push_back(outside_word());
    for (const WordTraits& word : words_) resolve(word);
  }

  // The averaged weights as integers, rows by ascending key.
  std::vector<FeatureRow> train(const std::vector<TrainingSentence>& sentences) {
    std::map<std::uint32_t, std::vector<double>> sums;
    for (int run = 0; run < options_.runs; ++run) {
      run_epochs(sentences, options_.seed + run);
      collect(sums);
    }
    return quantise(sums);
  }

 private:
  struct Entry {
    double total = 0;
    float weight = 0;
    std::uint32_t since = 0;
    std::uint16_t label = 0;
  };
  struct Feature {
    std::uint32_t key = 0;
    std::uint32_t updates = 0;
    std::vector<Entry> entries;
  };
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  void add_word(const std::u32string& form, const Lexicon& lexicon) {
    WordTraits word = spell(form);
    word.lexicon = lexicon.find(word);
    words_.push_back(word);
    known_.emplace(form, static_cast<std::uint32_t>(words_.size() - 1));
  }

  std::uint32_t variant(const std::u32string& form, CaseChange change, std::uint32_t same, const Lexicon& lexicon) {
    std::u32string changed = form;
    if (change == CaseChange::lower) changed = change_case(form, change);
    if (change == CaseChange::title && !changed.empty()) changed[0] = to_upper(changed[0]);
    if (changed == form) return same;
    if (const auto found = known_.find(changed); found != known_.end()) return found->second;
    add_word(changed, lexicon);
    return static_cast<std::uint32_t>(words_.size() - 1);
  }

  void resolve(const WordTraits& word) {
    std::array<std::vector<std::uint32_t>, window_size> features;
    FeatureKeys keys;
    for (int place = 0; place < window_size; ++place) {
      keys.clear();
      word_keys(word, place, keys);
      for (int i = 0; i < keys.count; ++i) features[place].push_back(feature(keys.keys[i]));
    }
    word_features_.push_back(std::move(features));
  }

  std::uint32_t feature(std::uint32_t key) {
    const auto [found, added] = index_.emplace(key, static_cast<std::uint32_t>(features_.size()));
    if (added) features_.push_back({key, 0, {}});
    return found->second;
  }

  void run_epochs(const std::vector<TrainingSentence>& sentences, std::uint64_t seed) {
    for (Feature& feature : features_) {
      feature.updates = 0;
      feature.entries.clear();
    }
    step_ = 0;
    RandomSequence random(seed);
    std::vector<std::uint32_t> order(sentences.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (int epoch = 0; epoch < options_.epochs; ++epoch) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      for (const std::uint32_t index : order) {
        text_ = sentences[index];
        if (random.uniform() < options_.join_share && index + 1 < sentences.size()) {
          const TrainingSentence& next = sentences[index + 1];
          text_.words.insert(text_.words.end(), next.words.begin(), next.words.end());
          text_.labels.insert(text_.labels.end(), next.labels.begin(), next.labels.end());
        }
        const double draw = random.uniform();
        if (draw < options_.lower_share) {
          for (auto& word : text_.words) word = lower_[word];
        } else if (draw < options_.lower_share + options_.title_share) {
          for (auto& word : text_.words) word = title_[word];
        }
        learn(text_);
      }
    }
  }

  void learn(const TrainingSentence& text) {
    std::uint32_t before = outside_label, second_before = outside_label;
    const std::size_t size = text.words.size();
    std::vector<float> scores(labels_);
    for (std::size_t i = 0; i < size; ++i) {
      ++step_;
      std::array<const ContextTraits*, window_size> window;
      active_.clear();
      for (int place = 0; place < window_size; ++place) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + place - window_radius;
        const bool inside = at >= 0 && at < static_cast<std::ptrdiff_t>(size);
        const std::uint32_t word = inside ? text.words[at] : outside_;
        window[place] = &words_[word];
        const auto& features = word_features_[word][place];
        active_.insert(active_.end(), features.begin(), features.end());
      }
      keys_.clear();
      context_keys(window, before, second_before, keys_);
      const std::size_t own = active_.size();
      for (int k = 0; k < keys_.count; ++k) {
        const auto found = index_.find(keys_.keys[k]);
        active_.push_back(found == index_.end() ? none : found->second);
      }
      std::fill(scores.begin(), scores.end(), 0.0f);
      for (const std::uint32_t f : active_) {
        if (f == none) continue;
        for (const Entry& entry : features_[f].entries) scores[entry.label] += entry.weight;
      }
      const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
      const auto guess = static_cast<std::uint16_t>(best);
      if (guess != text.labels[i]) {
        for (int k = 0; k < keys_.count; ++k) active_[own + k] = feature(keys_.keys[k]);
        for (const std::uint32_t f : active_) {
          ++features_[f].updates;
          change(features_[f], text.labels[i], 1.0f);
          change(features_[f], guess, -1.0f);
        }
      }
      second_before = before;
      before = guess;
    }
  }

  void change(Feature& feature, std::uint16_t label, float by) {
    for (Entry& entry : feature.entries) {
      if (entry.label != label) continue;
      entry.total += static_cast<double>(entry.weight) * (step_ - entry.since);
      entry.since = step_;
      entry.weight += by;
      return;
    }
    feature.entries.push_back({0.0, by, step_, label});
  }

  void collect(std::map<std::uint32_t, std::vector<double>>& sums) const {
    for (const Feature& feature : features_) {
      if (feature.updates < static_cast<std::uint32_t>(options_.min_updates)) continue;
      auto& sum = sums.try_emplace(feature.key, labels_, 0.0).first->second;
      for (const Entry& entry : feature.entries) {
        const double total = entry.total + static_cast<double>(entry.weight) * (step_ - entry.since);
        sum[entry.label] += total / step_ / options_.runs;
      }
    }
  }

  // One scale for all, such that no sum over the features of a token can leave 16 bits: at most one feature of
  // each template is active, and their number times the largest weight is a bound.
  std::vector<FeatureRow> quantise(const std::map<std::uint32_t, std::vector<double>>& sums) const {
    double largest = 1e-9;
    for (const auto& [key, weights] : sums) {
      for (const double weight : weights) largest = std::max(largest, std::abs(weight));
    }
    const double scale = std::min(64.0, 32000.0 / (largest * most_active_features));
    std::vector<FeatureRow> rows;
    for (const auto& [key, weights] : sums) {
      FeatureRow row{key, {}};
      for (std::size_t label = 0; label < weights.size(); ++label) {
        const long value = std::lround(weights[label] * scale);
        if (value == 0 || std::abs(weights[label]) < options_.min_weight) continue;
        row.weights.push_back({static_cast<std::uint16_t>(label), static_cast<std::int16_t>(value)});
      }
      if (!row.weights.empty()) rows.push_back(std::move(row));
    }
    return rows;
  }
  static constexpr double most_active_features = 64;

  std::size_t labels_;
  TaggerOptions options_;
  std::vector<WordTraits> words_;
  std::unordered_map<std::u32string, std::uint32_t> known_;
  std::vector<std::uint32_t> lower_, title_;
  std::uint32_t outside_ = 0;
  std::vector<std::array<std::vector<std::uint32_t>, window_size>> word_features_;
  std::unordered_map<std::uint32_t, std::uint32_t> index_;
  std::vector<Feature> features_;
  std::uint32_t step_ = 0;
  TrainingSentence text_;
  std::vector<std::uint32_t> active_;
  FeatureKeys keys_;
};

// Columns of a treebank, one cell a token; sentence i is [offsets[i], offsets[i + 1]).
struct Treebank {
  std::vector<std::u32string> forms, lemmas;
  std::vector<std::string> tags, upos;
  std::vector<std::uint32_t> lemma_weights;  // how much a token's lemma counts where treebanks disagree
  std::vector<std::int64_t> offsets;
};

struct WordClasses {
  std::vector<std::u32string> words;
  std::vector<std::uint16_t> fine, coarse;
};

struct LabelOptions {
  std::uint32_t min_label_count = 5;      // rarer pairs of tag and universal tag count as the tag's usual pair
  std::uint32_t min_ambiguity_count = 4;  // words seen less often have no ambiguity class
};

// Trains all parts and gives the content of the model file.
inline std::string train_english(const Treebank& bank, const WordClasses& classes, const TaggerOptions& options,
                                 const LabelOptions& label_options) {
  const std::size_t tokens = bank.forms.size();
  std::map<std::pair<std::string, std::string>, std::uint32_t> pair_counts;
  for (std::size_t i = 0; i < tokens; ++i) ++pair_counts[{bank.tags[i], bank.upos[i]}];
  std::map<std::string, std::pair<std::string, std::uint32_t>> usual;
  for (const auto& [pair, count] : pair_counts) {
    auto& best = usual[pair.first];
    if (count > best.second) best = {pair.second, count};
  }
  std::vector<Label> labels;
  std::map<std::pair<std::string, std::string>, std::uint16_t> label_ids;
  for (const auto& [pair, count] : pair_counts) {
    if (count < label_options.min_label_count && usual[pair.first].first != pair.second) continue;
    label_ids[pair] = static_cast<std::uint16_t>(labels.size());
    labels.push_back({pair.first, pair.second});
  }
  if (labels.size() > EnglishModel::most_labels) throw ModelError("the treebank has too many tags");
  const auto tags = EnglishModel::number_tags(labels);

  std::vector<std::uint16_t> gold(tokens);
  for (std::size_t i = 0; i < tokens; ++i) {
    const auto found = label_ids.find({bank.tags[i], bank.upos[i]});
    gold[i] = found != label_ids.end() ? found->second : label_ids.at({bank.tags[i], usual[bank.tags[i]].first});
  }

  // Ambiguity: up to three labels, each borne in a twentieth of the cases or more, by falling frequency.
  std::map<std::u32string, std::map<std::uint16_t, std::uint32_t>> seen;
  for (std::size_t i = 0; i < tokens; ++i) {
    std::u32string form = change_case(bank.forms[i], CaseChange::lower);
    for (char32_t& c : form) if (is_ascii_digit(c)) c = '0';
    ++seen[form][gold[i]];
  }
  std::map<std::vector<std::uint16_t>, std::uint16_t> ambiguity_ids;
  std::vector<Lexicon::Ambiguity> ambiguities;
  for (const auto& [form, counts] : seen) {
    std::vector<std::pair<std::uint32_t, std::uint16_t>> ranked;
    std::uint32_t total = 0;
    for (const auto& [label, count] : counts) {
      ranked.emplace_back(count, label);
      total += count;
    }
    if (total < label_options.min_ambiguity_count) continue;
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<std::uint16_t> key;
    for (const auto& [count, label] : ranked) {
      if (key.size() < 3 && count * 20 >= total) key.push_back(label);
    }
    const auto id = ambiguity_ids.emplace(key, static_cast<std::uint16_t>(ambiguity_ids.size() + 1)).first->second;
    ambiguities.push_back({Lexicon::key(spell(form).lower), id});
  }
  std::vector<Lexicon::Classes> entries;
  for (std::size_t i = 0; i < classes.words.size(); ++i) {
    entries.push_back({Lexicon::key(spell(classes.words[i]).form), classes.fine[i], classes.coarse[i]});
  }
  Lexicon lexicon;
  lexicon.fill(std::move(entries), std::move(ambiguities));

  std::map<std::u32string, std::uint32_t> types;
  std::vector<std::u32string> forms;
  std::vector<TrainingSentence> sentences;
  std::map<std::tuple<std::u32string, std::uint32_t, std::u32string>, std::uint32_t> lemma_counts;
  for (std::size_t s = 0; s + 1 < bank.offsets.size(); ++s) {
    TrainingSentence sentence;
    for (auto i = bank.offsets[s]; i < bank.offsets[s + 1]; ++i) {
      const auto [found, added] = types.emplace(bank.forms[i], static_cast<std::uint32_t>(forms.size()));
      if (added) forms.push_back(bank.forms[i]);
      sentence.words.push_back(found->second);
      sentence.labels.push_back(gold[i]);
      lemma_counts[{bank.forms[i], labels[gold[i]].tag_id, bank.lemmas[i]}] += bank.lemma_weights[i];
    }
    sentences.push_back(std::move(sentence));
  }
  TaggerTrainer trainer(forms, lexicon, labels.size(), options);
  const auto rows = trainer.train(sentences);
  std::vector<LemmaEntry> lemmas;
  for (const auto& [key, count] : lemma_counts) {
    lemmas.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  }
  return EnglishModel::serialise(labels, lexicon, rows, Lemmatiser::train(lemmas, tags.size(), lexicon));
}

}  // namespace metaphrase
