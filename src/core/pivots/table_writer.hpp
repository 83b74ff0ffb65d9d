// Writes the file of pivots/table.hpp: the same phrases give the same bytes in whatever order they come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel_text.hpp"
#include "pivots/table.hpp"

namespace metaphrase::pivots {

// Counts of phrase pairs that are worth keeping. A unit has a lemma and a tag, by number. Every phrase and
// pivot phrase must occur in a pair, no pair twice.
struct PhrasePairs {
  std::string_view target_language, pivot_language, target_analyser, pivot_analyser;
  std::span<const std::string_view> words, lemmas, tags;
  std::span<const std::uint8_t> function;  // by tag
  std::span<const std::int32_t> unit_lemmas, unit_tags;
  PackedText phrases, pivots;              // in words, in units
  std::span<const std::int64_t> totals;    // N(p) by phrase
  std::span<const std::int32_t> from, to;  // pairs: phrase, pivot phrase
  std::span<const std::int64_t> counts;    // N(p, f)
  std::uint64_t total;                     // of N over all phrases, kept or not
};

class TableWriter {
 public:
  explicit TableWriter(const PhrasePairs& pairs) : pairs_(pairs) {}

  std::string file() {
    ByteWriter writer;
    for (const std::string_view name :
         {pairs_.target_language, pairs_.pivot_language, pairs_.target_analyser, pairs_.pivot_analyser}) {
      writer.put_string(name);
    }
    writer.put(pairs_.total);
    number_strings();
    put_strings(writer, pairs_.words, words_);
    put_strings(writer, pairs_.lemmas, lemmas_);
    put_strings(writer, pairs_.tags, tags_);
    std::string function;
    for (const std::uint32_t tag : tags_.order) function.push_back(pairs_.function[tag] != 0 ? '\1' : '\0');
    writer.put_string(function);
    put_phrases(writer);
    put_pivots(writer);
    return model_file(magic, version, writer.take());
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  // What is used of a list, in its new order, and where each of its members went.
  struct Numbering {
    std::vector<std::uint32_t> order, rank;

    template <class Less>
    void sort(const std::vector<std::uint8_t>& used, Less&& less) {
      for (std::uint32_t i = 0; i < used.size(); ++i) {
        if (used[i] != 0) order.push_back(i);
      }
      std::sort(order.begin(), order.end(), less);
      rank.assign(used.size(), none);
      for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    }
  };

  static std::vector<std::uint8_t> used(std::size_t size, std::span<const std::int32_t> numbers) {
    std::vector<std::uint8_t> flags(size, 0);
    for (const std::int32_t number : numbers) flags[number] = 1;
    return flags;
  }

  static Numbering by_text(std::span<const std::string_view> strings, const std::vector<std::uint8_t>& used) {
    Numbering numbering;
    numbering.sort(used, [&](std::uint32_t a, std::uint32_t b) { return strings[a] < strings[b]; });
    for (std::size_t i = 0; i < numbering.order.size(); ++i) {
      const std::string_view string = strings[numbering.order[i]];
      if (string.size() > most_string) throw std::length_error("a word is longer than 255 bytes");
      if (i > 0 && strings[numbering.order[i - 1]] == string)
        throw std::invalid_argument("a word has two numbers");
    }
    return numbering;
  }

  void number_strings() {
    words_ = by_text(pairs_.words, used(pairs_.words.size(), pairs_.phrases.words));
    const std::vector<std::uint8_t> units = used(pairs_.unit_lemmas.size(), pairs_.pivots.words);
    std::vector<std::uint8_t> lemmas(pairs_.lemmas.size(), 0), tags(pairs_.tags.size(), 0);
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (units[u] == 0) continue;
      lemmas[pairs_.unit_lemmas[u]] = 1;
      tags[pairs_.unit_tags[u]] = 1;
    }
    lemmas_ = by_text(pairs_.lemmas, lemmas);
    tags_ = by_text(pairs_.tags, tags);
    const auto key = [&](std::uint32_t unit) {
      return std::uint64_t{lemmas_.rank[pairs_.unit_lemmas[unit]]} << 32 | tags_.rank[pairs_.unit_tags[unit]];
    };
    units_.sort(units, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    if (units_.order.size() > most_units) throw std::length_error("there are too many different lemmas");
  }

  static void put_strings(ByteWriter& writer, std::span<const std::string_view> strings,
                          const Numbering& numbering) {
    std::string lengths, text;
    for (const std::uint32_t i : numbering.order) {
      lengths.push_back(static_cast<char>(strings[i].size()));
      text.append(strings[i]);
    }
    writer.put_string(lengths);
    writer.put_string(text);
  }

  // Phrases in the order of their renumbered words.
  static Numbering by_words(const PackedText& phrases, const Numbering& words) {
    Numbering numbering;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      const auto first = phrases.sentence(a), second = phrases.sentence(b);
      return std::lexicographical_compare(
          first.begin(), first.end(), second.begin(), second.end(),
          [&](std::int32_t x, std::int32_t y) { return words.rank[x] < words.rank[y]; });
    };
    numbering.sort(std::vector<std::uint8_t>(phrases.sentences(), 1), before);
    for (std::size_t i = 1; i < numbering.order.size(); ++i) {
      if (!before(numbering.order[i - 1], numbering.order[i]))
        throw std::invalid_argument("a phrase has two numbers");
    }
    return numbering;
  }

  // The tree level by level; `nodes` is where each phrase, in their order, ends up.
  void put_phrases(ByteWriter& writer) {
    const Numbering phrases = by_words(pairs_.phrases, words_);
    const auto words = static_cast<std::uint32_t>(words_.order.size());
    std::vector<std::uint32_t> last, node_of(phrases.order.size()), children(words, 0);
    for (std::size_t length = 1; length <= most_words; ++length) {
      std::uint32_t parent = none, word = none;
      for (std::size_t i = 0; i < phrases.order.size(); ++i) {
        const auto phrase = pairs_.phrases.sentence(phrases.order[i]);
        if (phrase.size() < length) continue;
        const std::uint32_t next = words_.rank[phrase[length - 1]];
        if (length == 1) {
          node_of[i] = next;
          continue;
        }
        if (node_of[i] != parent || next != word) {
          parent = node_of[i];
          word = next;
          ++children[parent];
          children.push_back(0);
          last.push_back(word);
        }
        node_of[i] = static_cast<std::uint32_t>(children.size()) - 1;
      }
    }
    std::vector<std::uint32_t> child{words}, count(children.size(), 0);
    for (const std::uint32_t more : children) child.push_back(child.back() + more);
    node_.assign(phrases.order.size(), 0);
    for (std::size_t i = 0; i < phrases.order.size(); ++i) {
      node_[phrases.order[i]] = node_of[i];
      count[node_of[i]] = narrow(pairs_.totals[phrases.order[i]]);
    }
    put_packed_numbers(writer, last);
    put_packed_numbers(writer, child);
    put_packed_numbers(writer, count);
    nodes_ = count.size();
  }

  // Alternatives of a node come with the most frequent first.
  void put_pivots(ByteWriter& writer) {
    const Numbering pivots = by_words(pairs_.pivots, units_);
    std::vector<std::uint32_t> order(pairs_.counts.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t x = node_[pairs_.from[a]], y = node_[pairs_.from[b]];
      if (x != y) return x < y;
      if (pairs_.counts[a] != pairs_.counts[b]) return pairs_.counts[a] > pairs_.counts[b];
      return pivots.rank[pairs_.to[a]] < pivots.rank[pairs_.to[b]];
    });
    std::vector<std::uint32_t> alternative(nodes_ + 1, 0), phrase, count, pivot{0}, pivot_unit, lemma, tag;
    for (const std::uint32_t pair : order) {
      ++alternative[node_[pairs_.from[pair]] + 1];
      phrase.push_back(pivots.rank[pairs_.to[pair]]);
      count.push_back(narrow(pairs_.counts[pair]));
    }
    std::partial_sum(alternative.begin(), alternative.end(), alternative.begin());
    for (const std::uint32_t f : pivots.order) {
      for (const std::int32_t unit : pairs_.pivots.sentence(f)) pivot_unit.push_back(units_.rank[unit]);
      pivot.push_back(static_cast<std::uint32_t>(pivot_unit.size()));
    }
    for (const std::uint32_t unit : units_.order) {
      lemma.push_back(lemmas_.rank[pairs_.unit_lemmas[unit]]);
      tag.push_back(tags_.rank[pairs_.unit_tags[unit]]);
    }
    for (const auto* column : {&alternative, &phrase, &count, &pivot, &pivot_unit, &lemma, &tag}) {
      put_packed_numbers(writer, *column);
    }
  }

  static std::uint32_t narrow(std::int64_t count) {
    if (count > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("a count is too large");
    return static_cast<std::uint32_t>(count);
  }

  PhrasePairs pairs_;
  Numbering words_, lemmas_, tags_, units_;
  std::vector<std::uint32_t> node_;
  std::size_t nodes_ = 0;
};

}  // namespace metaphrase::pivots
