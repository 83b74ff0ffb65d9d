// What is known of the word types met so far: their traits, and the summed weights of their features at each
// place of the tagger's window.
//
// The table has a bounded size and is emptied when full, so that memory does not grow with the corpus.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis_model.hpp"
#include "base/string_table.hpp"

namespace metaphrase::analysis {

// One thread's table of word types.
class WordCache {
 public:
  static constexpr std::size_t capacity = 32768;

  // A lemma under one tag: its text in bytes_, and its number in the batch or -1.
  struct Lemma {
    std::int32_t tag = -1, number = -1;
    std::uint32_t text = 0, size = 0;
  };

  struct Word {
    std::uint64_t hash = 0;
    std::uint32_t text = 0, size = 0;  // in bytes_
    ContextTraits traits;
    bool scored = false;
    std::uint64_t batch = 0;  // the batch for which `form` and the numbers of lemmas hold
    std::int32_t form = -1;
    std::array<Lemma, 2> lemmas;  // under the tags met last
  };

  explicit WordCache(const AnalysisModel& model)
      : model_(model), stride_(model.weights.stride()), slots_(capacity * 4, 0) {
    words_.reserve(capacity);
    scores_ = std::make_unique_for_overwrite<std::int16_t[]>((capacity + 1) * window_size * stride_);
    outside_.traits = outside_word();
    fill_scores(outside_word(), scores_.get() + capacity * window_size * stride_);
    outside_.scored = true;
  }

  std::size_t stride() const { return stride_; }
  bool full() const { return words_.size() == capacity || bytes_.size() > capacity * 64; }
  void clear() {
    words_.clear();
    bytes_.clear();
    if (bytes_.capacity() > capacity * 256) bytes_.shrink_to_fit();  // after one gigantic word
    std::fill(slots_.begin(), slots_.end(), 0);
  }

  static constexpr std::uint32_t outside = capacity;

  Word& operator[](std::uint32_t index) { return index == outside ? outside_ : words_[index]; }
  template <class Text>
  std::string_view text(const Text& of) const {
    return {bytes_.data() + of.text, of.size};
  }

  // The lemma of the word under the tag.
  Lemma& lemma(Word& word, std::int32_t tag) {
    for (Lemma& lemma : word.lemmas) {
      if (lemma.tag == tag) return lemma;
    }
    const std::string found = encode_all(model_.lemmatiser.lemma(
        model_.spelling(text(word)), static_cast<std::uint32_t>(tag), model_.lexicon));
    word.lemmas[1] = word.lemmas[0];
    word.lemmas[0] = {tag, -1, static_cast<std::uint32_t>(bytes_.size()),
                      static_cast<std::uint32_t>(found.size())};
    bytes_.append(found);
    return word.lemmas[0];
  }

  // The number of the word type; the table must not be full.
  std::uint32_t find(std::string_view form) {
    const std::uint64_t hash = hash_bytes(form);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const Word& word = words_[slots_[at] - 1];
      if (word.hash == hash && text(word) == form) return slots_[at] - 1;
    }
    Word word;
    word.hash = hash;
    word.text = static_cast<std::uint32_t>(bytes_.size());
    word.size = static_cast<std::uint32_t>(form.size());
    bytes_.append(form);
    words_.push_back(word);
    slots_[at] = static_cast<std::uint32_t>(words_.size());
    return slots_[at] - 1;
  }

  // Asks for the scores of a word that will be needed soon.
  void prefetch(std::uint32_t index) const {
    const std::int16_t* own = scores_.get() + index * window_size * stride_;
    for (std::size_t i = 0; i < window_size * stride_; i += 32) __builtin_prefetch(own + i);
  }

  const std::int16_t* scores(std::uint32_t index, int place) {
    std::int16_t* own = scores_.get() + index * window_size * stride_;
    if (Word& word = (*this)[index]; !word.scored) {
      const WordTraits traits = model_.traits(model_.spelling(text(word)));
      word.traits = traits;
      fill_scores(traits, own);
      word.scored = true;
    }
    return own + place * stride_;
  }

 private:
  void fill_scores(const WordTraits& traits, std::int16_t* out) {
    std::fill(out, out + window_size * stride_, std::int16_t{0});
    for (int place = 0; place < window_size; ++place, out += stride_) {
      keys_.clear();
      word_keys(traits, place, keys_);
      model_.weights.add_rows(keys_.view(), out);
    }
  }

  const AnalysisModel& model_;
  std::size_t stride_;
  std::vector<Word> words_;
  std::string bytes_;
  std::vector<std::uint32_t> slots_;
  std::unique_ptr<std::int16_t[]> scores_;  // not zeroed: pages come as words do
  Word outside_;
  FeatureKeys keys_;
};

}  // namespace metaphrase::analysis
