// Where sentences have phrases of a table of paraphrases.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pair_index.hpp"
#include "paraphrase_table.hpp"
#include "string_table.hpp"

namespace metaphrase {

// A run of words that is a phrase of the table.
struct PhraseSpan {
  std::int32_t begin, words;
  std::uint32_t phrase;
};

// Walks from word to word through the phrases of a table, as one would through a trie: of a run of words it
// knows whether it is a phrase and which phrases go on after it. Phrases lie in the order of their bytes, so
// that both are found by bisection; every step is remembered, because texts repeat themselves, and translations
// of one text even more so. Threads take turns.
class PhraseFinder {
 public:
  explicit PhraseFinder(const ParaphraseTable& table) : table_(table) { forget(); }

  const ParaphraseTable& table() const { return table_; }

  // Calls `visit(append)` with a function that appends the spans of a sentence to a vector of them; `words` are
  // the words that the numbers in sentences stand for.
  template <class Visit>
  void find(std::span<const std::string_view> words, Visit&& visit) {
    const std::lock_guard guard(lock_);
    if (nodes_.size() > most_nodes || words_.size() > most_nodes) forget();
    numbers_.clear();
    for (const std::string_view word : words) numbers_.push_back(words_.intern(word));
    visit([this](std::span<const std::int32_t> sentence, std::vector<PhraseSpan>& spans) {
      append(sentence, spans);
    });
  }

 private:
  static constexpr std::size_t most_nodes = std::size_t{1} << 21;  // some 100 MB

  void forget() {
    words_ = StringTable();
    steps_ = PairIndex();
    nodes_.assign(1, {0, static_cast<std::uint32_t>(table_.phrase_count()), ParaphraseTable::absent, -1});
  }

  // Appends the spans of a sentence, ordered by where they begin and by their length.
  void append(std::span<const std::int32_t> sentence, std::vector<PhraseSpan>& spans) {
    const auto count = static_cast<std::int32_t>(sentence.size());
    for (std::int32_t begin = 0; begin < count; ++begin) {
      std::int32_t node = root;
      for (std::int32_t end = begin; end < count; ++end) {
        node = step(node, numbers_[sentence[end]]);
        const Node& here = nodes_[node];
        if (here.phrase != ParaphraseTable::absent) spans.push_back({begin, end + 1 - begin, here.phrase});
        if (here.first == here.last) break;
      }
    }
  }

  // The phrases [first, last) go on after the run of words; `phrase` is the run itself, if it is one.
  struct Node {
    std::uint32_t first, last, phrase;
    std::int32_t step;  // the number of the step that leads here; -1 for the root
  };
  static constexpr std::int32_t root = 0;

  std::int32_t step(std::int32_t node, std::int32_t word) {
    const std::int32_t known = steps_.size();
    const std::int32_t number = steps_.insert(node, word);
    if (number < known) return number + 1;  // the node of step i is i + 1
    const Node from = nodes_[node];
    std::string& run = spell(from, word);
    const std::uint32_t found = table_.lower_bound(run, from.first, from.last);
    const bool phrase = found < from.last && table_.phrase(found) == run;
    run.push_back(' ');
    const std::uint32_t first = table_.near_lower_bound(run, found, from.last);
    run.back() = ' ' + 1;  // the first byte that sorts after a space
    const std::uint32_t last = table_.near_lower_bound(run, first, from.last);
    nodes_.push_back({first, last, phrase ? found : ParaphraseTable::absent, number});
    return number + 1;
  }

  // The words from the root to `node`, and one more.
  std::string& spell(const Node& node, std::int32_t word) {
    path_.assign(1, word);
    for (std::int32_t step = node.step; step >= 0; step = nodes_[steps_.first(step)].step) {
      path_.push_back(steps_.second(step));
    }
    run_.clear();
    for (std::size_t i = path_.size(); i-- > 0;) {
      run_.append(words_[path_[i]]);
      if (i > 0) run_.push_back(' ');
    }
    return run_;
  }

  const ParaphraseTable& table_;
  std::mutex lock_;
  StringTable words_;
  std::vector<std::int32_t> numbers_;  // of the words of a batch, among all that were met
  PairIndex steps_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> path_;
  std::string run_;
};

}  // namespace metaphrase
