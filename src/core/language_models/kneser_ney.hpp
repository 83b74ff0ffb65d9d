// Interpolated modified Kneser-Ney smoothing (Chen and Goodman, "An Empirical Study of Smoothing Techniques
// for Language Modeling", Harvard TR-10-98, 1998), with rare n-grams cut off as KenLM's lmplz does it
// (Heafield, Pouzyrevsky, Clark and Koehn, "Scalable Modified Kneser-Ney Language Model Estimation", ACL
// 2013). TESLA's language models (5.2; METRICS 3.6) are made so.
//
// All places of the text are sorted by the words that end there, read backwards. Places with the same n-gram
// then lie together for every n at once, and so do the different words to the left of it, whose number is the
// count that lower orders go by. Memory is 28 bytes for each word of the text, and what each order's n-grams
// take while the next one is computed: no table of n-grams is ever hashed.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel_text.hpp"
#include "base/string_table.hpp"
#include "language_models/ngram_model.hpp"

namespace metaphrase::language_models {

struct KneserNeyEstimate {
  NgramModel model;
  std::vector<Discounts> discounts;  // by level
  std::uint64_t unknown = 0;         // words of the text that a model cannot hold
};

class KneserNeyEstimator {
 public:
  // `cut_offs` has a number for each order, not falling: n-grams that occur so often or less are left out.
  KneserNeyEstimator(int order, std::vector<std::uint64_t> cut_offs)
      : order_(order), cut_offs_(std::move(cut_offs)) {}

  // Words of `text` are indices into `vocabulary`, in which a word may stand several times or unused.
  KneserNeyEstimate operator()(const PackedText& text, std::span<const std::string_view> vocabulary) {
    KneserNeyEstimate estimate;
    read(text, vocabulary, estimate);
    sort_places();
    Order lower = unigrams(estimate);
    for (int order = 2; order <= order_; ++order) lower = extend(lower, order, estimate);
    drop_words(estimate.model);
    return estimate;
  }

 private:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  // A place in the text: the words that end there as one number, as many as fit, the last one foremost.
  struct Place {
    std::uint64_t key;
    std::uint32_t position;
    std::uint8_t words;   // how many there are back to the begin of the sentence, `order_` at most
    std::uint8_t shared;  // how many it shares with the place sorted before it; all if there is no difference
  };

  // The n-grams of one order, in the order of their words read backwards.
  struct Order {
    std::vector<std::uint32_t> positions;  // where one occurrence ends
    std::vector<std::uint32_t> counts;     // different words to the left; occurrences if there can be none
    std::vector<std::uint32_t> occurrences;
    std::vector<double> probabilities;
    std::vector<std::uint32_t> nodes;  // in the level of the model, or absent
    std::vector<std::uint32_t> of_place;

    std::size_t size() const { return counts.size(); }
  };

  struct Context {
    double total = 0, left = 0;  // counts of all that follows; what of it is given to lower orders
  };

  void read(const PackedText& text, std::span<const std::string_view> vocabulary,
            KneserNeyEstimate& estimate) {
    const std::size_t places = text.words.size() + 2 * text.sentences();
    if (places >= absent) throw std::length_error("the text has more than 4 thousand million words");
    std::vector<bool> used(vocabulary.size(), false);
    for (const std::int32_t word : text.words) used[word] = true;
    StringTable strings;
    std::vector<std::uint32_t> string_of(vocabulary.size(), absent);
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
      if (used[i] && holds_word(vocabulary[i])) string_of[i] = strings.intern(vocabulary[i]);
    }
    // In the order of their bytes, so that the order of sentences does not matter.
    std::vector<std::uint32_t> sorted(strings.size()), number(strings.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return strings[a] < strings[b]; });
    auto& words = estimate.model.vocabulary;
    words.assign(std::begin(special_words), std::end(special_words));
    for (const std::uint32_t string : sorted) {
      number[string] = static_cast<std::uint32_t>(words.size());
      words.emplace_back(strings[string]);
    }
    vocabulary_size_ = words.size();
    text_.reserve(places);
    for (std::size_t k = 0; k < text.sentences(); ++k) {
      text_.push_back(sentence_begin);
      for (const std::int32_t word : text.sentence(k)) {
        const bool known = string_of[word] != absent;
        text_.push_back(known ? number[string_of[word]] : unknown_word);
        estimate.unknown += !known;
      }
      text_.push_back(sentence_end);
    }
  }

  void sort_places() {
    const int bits = static_cast<int>(std::bit_width(vocabulary_size_ - 1));
    const int packed = std::min(order_, 64 / bits);
    std::uint32_t begin = 0;
    places_.reserve(text_.size());
    for (std::uint32_t position = 0; position < text_.size(); ++position) {
      if (text_[position] == sentence_begin) {
        begin = position;
        continue;
      }
      const auto words = static_cast<int>(std::min<std::uint32_t>(order_, position - begin + 1));
      std::uint64_t key = 0;
      for (int back = 0; back < packed; ++back)
        key = key << bits | (back < words ? text_[position - back] : sentence_begin);
      places_.push_back({key, position, static_cast<std::uint8_t>(words), 0});
    }
    std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
      if (a.key != b.key || packed == order_) return a.key < b.key;
      // Words beyond the begin of a sentence are not looked at: it ends both, having been equal.
      for (int back = packed; back < std::min(a.words, b.words); ++back) {
        const std::uint32_t one = text_[a.position - back], other = text_[b.position - back];
        if (one != other) return one < other;
      }
      return false;
    });
    for (std::size_t i = 1; i < places_.size(); ++i) places_[i].shared = shared(places_[i - 1], places_[i]);
  }

  std::uint8_t shared(const Place& a, const Place& b) const {
    for (int back = 0; back < std::min(a.words, b.words); ++back) {
      if (text_[a.position - back] != text_[b.position - back]) return static_cast<std::uint8_t>(back);
    }
    return static_cast<std::uint8_t>(order_);
  }

  // Calls `take(place, is_first)` for every place that `order` words end at.
  template <class Take>
  void each_place(int order, Take&& take) const {
    for (const Place& place : places_) {
      if (place.words >= order) take(place, place.shared < order);
    }
  }

  // A place adds to the count of its n-gram if the word to the left is new, or counts as often as it occurs.
  bool adds(const Place& place, int order) const {
    return order == order_ || place.words == order || place.shared <= order;
  }

  Order unigrams(KneserNeyEstimate& estimate) const {
    Order order;
    order.counts.assign(vocabulary_size_, 0);
    order.occurrences.assign(vocabulary_size_, 0);
    each_place(1, [&](const Place& place, bool) {
      const std::uint32_t word = text_[place.position];
      ++order.occurrences[word];
      order.counts[word] += adds(place, 1);
    });
    const Discounts discounts = discounts_of(order.counts);
    estimate.discounts.push_back(discounts);

    order.nodes.assign(vocabulary_size_, absent);
    Context all;
    NgramLevel level;
    for (std::uint32_t word = 0; word < vocabulary_size_; ++word) {
      const bool kept = word < first_word || order.occurrences[word] > cut_offs_[0];
      all.total += order.counts[word];
      all.left += kept ? discounts(order.counts[word]) : order.counts[word];
      if (!kept) continue;
      order.nodes[word] = static_cast<std::uint32_t>(level.words.size());
      level.words.push_back(word);
    }
    // What is left is spread over all words but <s>, which nothing predicts.
    const double share = all.left / all.total / static_cast<double>(level.size() - 1);
    order.probabilities.assign(vocabulary_size_, 0);
    for (std::uint32_t word = 0; word < vocabulary_size_; ++word) {
      if (order.nodes[word] == absent) continue;
      const double count = order.counts[word];
      order.probabilities[word] = (count - discounts(order.counts[word])) / all.total + share;
      const double logarithm = word == sentence_begin ? never : std::log10(order.probabilities[word]);
      level.log_probabilities.push_back(logarithm);
    }
    estimate.model.levels.push_back(std::move(level));
    return order;
  }

  Order extend(const Order& lower, int order_number, KneserNeyEstimate& estimate) const {
    Order order = counted(order_number);
    const Discounts discounts = discounts_of(order.counts);
    estimate.discounts.push_back(discounts);
    const auto kept = [&](std::size_t i) { return order.occurrences[i] > cut_offs_[order_number - 1]; };
    const auto context = [&](std::size_t i) { return lower_at(lower, order.positions[i] - 1); };

    std::vector<Context> contexts(lower.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      Context& sums = contexts[context(i)];
      sums.total += order.counts[i];
      sums.left += kept(i) ? discounts(order.counts[i]) : order.counts[i];
    }
    order.probabilities.assign(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!kept(i)) continue;
      const Context& sums = contexts[context(i)];
      const double suffix = lower.probabilities[lower_at(lower, order.positions[i])];
      const double rest = order.counts[i] - discounts(order.counts[i]);
      order.probabilities[i] = (rest + sums.left * suffix) / sums.total;
    }

    NgramLevel& parents = estimate.model.levels.back();
    parents.log_back_offs.assign(parents.size(), 0);
    for (std::size_t i = 0; i < lower.size(); ++i) {
      if (lower.nodes[i] != absent && contexts[i].total > 0)
        parents.log_back_offs[lower.nodes[i]] = std::log10(contexts[i].left / contexts[i].total);
    }
    // N-grams are sorted by their last words, and stay so below each parent.
    auto& starts = parents.child_starts;
    starts.assign(parents.size() + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (kept(i)) ++starts[lower.nodes[context(i)] + 1];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    NgramLevel level;
    level.words.resize(starts.back());
    level.log_probabilities.resize(starts.back());
    order.nodes.assign(order.size(), absent);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!kept(i)) continue;
      const std::uint32_t node = order.nodes[i] = next[lower.nodes[context(i)]]++;
      level.words[node] = text_[order.positions[i]];
      level.log_probabilities[node] = std::log10(order.probabilities[i]);
    }
    estimate.model.levels.push_back(std::move(level));
    return order;
  }

  // The n-grams that end at each place, and how often.
  Order counted(int order_number) const {
    Order order;
    const bool has_longer = order_number < order_;
    if (has_longer) order.of_place.assign(text_.size(), absent);
    each_place(order_number, [&](const Place& place, bool is_first) {
      if (is_first) {
        order.positions.push_back(place.position);
        order.counts.push_back(0);
        order.occurrences.push_back(0);
      }
      ++order.occurrences.back();
      order.counts.back() += adds(place, order_number);
      if (has_longer) order.of_place[place.position] = static_cast<std::uint32_t>(order.size() - 1);
    });
    return order;
  }

  // The n-gram of `lower` that ends at a position; unigrams are numbered like their words.
  std::uint32_t lower_at(const Order& lower, std::uint32_t position) const {
    return lower.of_place.empty() ? text_[position] : lower.of_place[position];
  }

  // Chen and Goodman's equation 26. Text that is too small or too regular for it, so that a discount would
  // not lie between nothing and the count it is taken from, gets the fixed ones that lmplz falls back on.
  static Discounts discounts_of(std::span<const std::uint32_t> counts) {
    double n[5] = {};
    for (const std::uint32_t count : counts) {
      if (count < 5) ++n[count];
    }
    Discounts discounts;
    if (n[1] == 0 || n[2] == 0 || n[3] == 0) return discounts;
    const double y = n[1] / (n[1] + 2 * n[2]);
    double amounts[3];
    for (int i = 1; i <= 3; ++i) {
      amounts[i - 1] = i - (i + 1) * y * n[i + 1] / n[i];
      if (!(amounts[i - 1] > 0 && amounts[i - 1] <= i)) return discounts;
    }
    std::copy(std::begin(amounts), std::end(amounts), std::begin(discounts.amounts));
    discounts.estimated = true;
    return discounts;
  }

  // Words that were cut off lose their numbers.
  static void drop_words(NgramModel& model) {
    const std::vector<std::uint32_t> kept = model.levels.front().words;
    if (kept.size() == model.vocabulary.size()) return;
    std::vector<std::uint32_t> number(model.vocabulary.size(), absent);
    std::vector<std::string> vocabulary;
    for (const std::uint32_t word : kept) {
      number[word] = static_cast<std::uint32_t>(vocabulary.size());
      vocabulary.push_back(std::move(model.vocabulary[word]));
    }
    model.vocabulary = std::move(vocabulary);
    for (NgramLevel& level : model.levels) {
      for (std::uint32_t& word : level.words) word = number[word];
    }
  }

  int order_;
  std::vector<std::uint64_t> cut_offs_;
  std::size_t vocabulary_size_ = 0;
  std::vector<std::uint32_t> text_;
  std::vector<Place> places_;
};

}  // namespace metaphrase::language_models
