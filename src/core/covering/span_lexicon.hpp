// Sets of words, found in a sentence at every span of tokens that spells one of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pair_index.hpp"
#include "base/string_table.hpp"

namespace metaphrase::covering {

// The longest span, in tokens.
inline constexpr int max_span = 4;

// A span of up to max_span tokens (METRICS 4.2: N = 4) is numbered by where it starts and how long it is.
inline std::int32_t span_number(std::int32_t start, int length) { return start * max_span + length - 1; }
inline std::int32_t span_start(std::int32_t span) { return span / max_span; }
inline int span_length(std::int32_t span) { return span % max_span + 1; }

// The spelling of distinct tokens.
struct TokenTable {
  const char32_t* characters;
  const std::int64_t* offsets;

  std::u32string_view operator[](std::int32_t token) const {
    return {characters + offsets[token], static_cast<std::size_t>(offsets[token + 1] - offsets[token])};
  }
};

// A span of a sentence whose text stands in a set.
struct SetSpan {
  std::int32_t span;
  std::int32_t set;
};

// A trie over code points. Sets are numbered by falling similarity: words of one set are as similar as it
// says.
class SpanLexicon {
 public:
  SpanLexicon() = default;

  // Word w is spelt characters[offsets[w]] … and stands in the sets from set_offsets[w] on.
  SpanLexicon(std::size_t words, const char32_t* characters, const std::int64_t* offsets,
              const std::int64_t* set_offsets, const std::int32_t* sets, std::vector<double> similarities)
      : similarities_(std::move(similarities)) {
    std::vector<std::vector<std::int32_t>> sets_of;
    for (std::size_t w = 0; w < words; ++w) {
      std::int32_t node = root;
      for (std::int64_t c = offsets[w]; c < offsets[w + 1]; ++c) {
        filter_.add(node, characters[c]);
        node = nodes_.insert(node, static_cast<std::int32_t>(characters[c]));
        if (c == offsets[w] && characters[c] < first_.size()) first_[characters[c]] = node;
      }
      if (node == root) continue;
      if (sets_of.size() <= static_cast<std::size_t>(node)) sets_of.resize(node + 1);
      sets_of[node].insert(sets_of[node].end(), sets + set_offsets[w], sets + set_offsets[w + 1]);
    }
    sets_of.resize(nodes_.size());
    node_offsets_.assign(1, 0);
    for (const auto& list : sets_of) {
      node_sets_.insert(node_sets_.end(), list.begin(), list.end());
      node_offsets_.push_back(static_cast<std::int64_t>(node_sets_.size()));
    }
  }

  std::int32_t sets() const { return static_cast<std::int32_t>(similarities_.size()); }
  const std::vector<double>& similarities() const { return similarities_; }

  // Appends every span of up to `order` tokens that is a word, with each of its sets, by rising start.
  void find(std::span<const std::int32_t> tokens, const TokenTable& table, int order,
            std::vector<SetSpan>& found) const {
    const auto size = static_cast<std::int32_t>(tokens.size());
    for (std::int32_t start = 0; start < size; ++start) {
      std::int32_t node = root;
      for (int length = 1; length <= order && start + length <= size; ++length) {
        node = step(node, table[tokens[start + length - 1]]);
        if (node == root) break;
        for (std::int64_t s = node_offsets_[node]; s < node_offsets_[node + 1]; ++s) {
          found.push_back({span_number(start, length), node_sets_[s]});
        }
      }
    }
  }

 private:
  static constexpr std::int32_t root = -1;

  // Which steps the trie may have: a bit for each of their hashes. Most steps that text asks for lead
  // nowhere, and finding that out in the index would miss the cache.
  class StepFilter {
   public:
    void add(std::int32_t node, char32_t c) { bits_[place(node, c) >> 6] |= bit(node, c); }
    bool may_have(std::int32_t node, char32_t c) const { return bits_[place(node, c) >> 6] & bit(node, c); }

   private:
    static constexpr int log_size = 20;
    static std::uint32_t place(std::int32_t node, char32_t c) {
      const std::uint64_t step = static_cast<std::uint64_t>(static_cast<std::uint32_t>(node)) << 21 | c;
      return static_cast<std::uint32_t>(step * 0x9E3779B97F4A7C15ull >> (64 - log_size));
    }
    static std::uint64_t bit(std::int32_t node, char32_t c) {
      return std::uint64_t{1} << (place(node, c) & 63);
    }
    std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(std::size_t{1} << (log_size - 6));
  };

  // The node behind `text`; `root` if no word goes on like that, or for a token without text.
  std::int32_t step(std::int32_t node, std::u32string_view text) const {
    for (const char32_t c : text) {
      if (node == root && c < first_.size()) {
        node = first_[c];
      } else {
        node = filter_.may_have(node, c) ? nodes_.find(node, static_cast<std::int32_t>(c)) : -1;
      }
      if (node < 0) return root;
    }
    return node;
  }

  PairIndex nodes_;
  StepFilter filter_;
  std::vector<std::int32_t> first_ =
      std::vector<std::int32_t>(0x10000, root);  // nodes of words' first characters
  std::vector<std::int64_t> node_offsets_{0};
  std::vector<std::int32_t> node_sets_;
  std::vector<double> similarities_;
};

// Spans with one spelling and different cuts ("12" "3" and "1" "23") are equal as well, which comparing
// tokens does not show. Such spellings get numbers that are used like those of sets.
class RecutSpans {
 public:
  RecutSpans(const TokenTable& table, std::int32_t tokens) : table_(table) {
    // Only characters of longer tokens can be cut in two ways; ordinary text of single ones ends here.
    std::vector<bool> members(mask + 1);
    for (std::int32_t t = 0; t < tokens; ++t) {
      const std::u32string_view text = table[t];
      if (text.size() < 2) continue;
      any_ = true;
      for (const char32_t c : text) members[c & mask] = true;
    }
    candidate_.resize(tokens);
    token_number_.assign(tokens, -1);
    for (std::int32_t t = 0; any_ && t < tokens; ++t) {
      const std::u32string_view text = table[t];
      candidate_[t] = std::all_of(text.begin(), text.end(), [&](char32_t c) { return members[c & mask]; });
    }
  }

  bool any() const { return any_; }

  // Must be called for every sentence, in any order, before `found`.
  void note(std::size_t row, std::span<const std::int32_t> tokens, int order) {
    const auto size = static_cast<std::int32_t>(tokens.size());
    for (std::int32_t start = 0; start < size; ++start) {
      for (int length = 1; length <= order && start + length <= size; ++length) {
        if (!candidate_[tokens[start + length - 1]]) break;
        const std::int32_t number = number_of(tokens.subspan(start, length));
        if (number >= 0) noted_.push_back({row, {span_number(start, length), number}});
      }
    }
  }

  // Calls visitor(row, span with its number) for spans whose spelling was cut in two ways.
  template <class Visitor>
  void found(Visitor&& visitor) const {
    for (const auto& [row, span] : noted_) {
      if (recut_[span.set]) visitor(row, span);
    }
  }

  std::int32_t count() const { return static_cast<std::int32_t>(recut_.size()); }

 private:
  static constexpr std::size_t mask = 0xFFFF;

  // The number of a spelling of two characters or more.
  std::int32_t number_of(std::span<const std::int32_t> cut) {
    if (cut.size() == 1 && token_number_[cut[0]] >= 0) return token_number_[cut[0]];
    text_.clear();
    for (const std::int32_t token : cut) text_.append(table_[token]);
    if (text_.size() < 2) return -1;
    const std::int32_t number =
        spellings_.intern({reinterpret_cast<const char*>(text_.data()), text_.size() * sizeof(char32_t)});
    if (static_cast<std::size_t>(number) == first_cut_.size()) {
      first_cut_.emplace_back(cut.begin(), cut.end());
      recut_.push_back(0);
    } else if (!std::equal(cut.begin(), cut.end(), first_cut_[number].begin(), first_cut_[number].end())) {
      recut_[number] = 1;
    }
    if (cut.size() == 1) token_number_[cut[0]] = number;
    return number;
  }

  TokenTable table_;
  bool any_ = false;
  std::vector<std::uint8_t> candidate_;     // by token: all its characters occur in longer ones
  std::vector<std::int32_t> token_number_;  // by token, -1 before it is known
  StringTable spellings_;
  std::vector<std::vector<std::int32_t>> first_cut_;
  std::vector<std::uint8_t> recut_;
  std::vector<std::pair<std::size_t, SetSpan>> noted_;
  std::u32string text_;
};

}  // namespace metaphrase::covering
