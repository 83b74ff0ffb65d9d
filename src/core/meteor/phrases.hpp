// Where sentences have phrases of a table of paraphrases.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lexicon/paraphrase_table.hpp"
#include "lexicon/phrase_trie.hpp"

namespace metaphrase::meteor {

// A run of words that is a phrase of the table.
struct PhraseSpan {
  std::int32_t begin, words;
  std::uint32_t phrase;
};

// Walks through the trie of a table from every word of a sentence at once, so that memory, which is what it
// waits for, is asked for many nodes at a time. One a thread.
class PhraseFinder {
 public:
  // `words` are the words that the numbers in sentences stand for.
  PhraseFinder(const lexicon::PhraseTrie& trie, std::span<const std::string_view> words) : trie_(trie) {
    firsts_.reserve(words.size());
    for (const std::string_view word : words) {
      const std::uint32_t number = trie.word(word);
      firsts_.push_back({number, number == lexicon::PhraseTrie::absent
                                     ? lexicon::PhraseTrie::absent
                                     : child(lexicon::PhraseTrie::absent, number)});
    }
  }

  // Appends the spans of a sentence, ordered by where they begin and by their length.
  void append(std::span<const std::int32_t> sentence, std::vector<PhraseSpan>& spans) {
    const auto count = static_cast<std::int32_t>(sentence.size());
    starts_.assign(sentence.size() + 1, 0);
    found_.clear();
    walks_.clear();
    for (std::int32_t begin = 0; begin < count; ++begin) {
      const First& first = firsts_[sentence[begin]];
      if (first.node != lexicon::PhraseTrie::absent) arrive(begin, 1, first.node);
    }
    for (std::int32_t words = 1; !walks_.empty(); ++words) {
      steps_.clear();
      for (const Walk& walk : walks_) {
        if (walk.begin + words >= count) break;
        const std::uint32_t word = firsts_[sentence[walk.begin + words]].word;
        if (word == lexicon::PhraseTrie::absent || !walk.node.may_go_on(word)) continue;
        steps_.push_back({walk.begin, walk.number, word, trie_.home(walk.number, word)});
      }
      walks_.clear();
      for (const Step& step : steps_) {
        const std::uint32_t node = trie_.find(step.parent, step.word, step.home);
        if (node != lexicon::PhraseTrie::absent) arrive(step.begin, words + 1, node);
      }
    }
    order(spans);
  }

 private:
  struct First {
    std::uint32_t word, node;  // in the trie
  };
  struct Walk {
    std::int32_t begin;
    std::uint32_t number;
    lexicon::PhraseTrie::Node node;
  };
  struct Step {
    std::int32_t begin;
    std::uint32_t parent, word, home;
  };

  std::uint32_t child(std::uint32_t parent, std::uint32_t word) const {
    return trie_.find(parent, word, trie_.home(parent, word));
  }

  void arrive(std::int32_t begin, std::int32_t words, std::uint32_t number) {
    const lexicon::PhraseTrie::Node& node = trie_[number];
    if (node.phrase != lexicon::PhraseTrie::absent) {
      found_.push_back({begin, words, node.phrase});
      ++starts_[begin + 1];
    }
    if (node.children != 0) walks_.push_back({begin, number, node});
  }

  // They were found by length, so that only where they begin is left to sort by.
  void order(std::vector<PhraseSpan>& spans) {
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    const std::size_t before = spans.size();
    spans.resize(before + found_.size());
    for (const PhraseSpan& span : found_) spans[before + starts_[span.begin]++] = span;
  }

  const lexicon::PhraseTrie& trie_;
  std::vector<First> firsts_;
  std::vector<Walk> walks_;
  std::vector<Step> steps_;
  std::vector<PhraseSpan> found_;
  std::vector<std::size_t> starts_;
};

}  // namespace metaphrase::meteor
