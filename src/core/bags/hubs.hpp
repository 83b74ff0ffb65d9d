// The n-gram bags of two sentences of any length, matched through hubs (bags/hub_flow.hpp).
//
// A reason for two tokens to be similar is one of four keys: the same lemma (gain 2), the same tag (gain 1),
// the reference token is a synonym of the hypothesis word w (gain 1), or that and the same tag (gain 2). The
// gain of two tokens is the largest of a key that both have. Two n-grams have a gain iff they share a key at
// every position, and the best is the sum of the best keys; so the hubs of order n are sequences of n keys.
// Only hubs touched from both sides matter, and such a sequence has parts that are touched from both sides
// too: the hubs of order n are joined from the surviving ones of order n - 1. Equal n-grams are merged, which
// leaves the optimum as it is.
//
// The number of edges then grows with the length of the text times the synonyms of a word, not with the
// square.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bags/hub_flow.hpp"
#include "bags/ngram_bags.hpp"
#include "base/pair_index.hpp"

namespace metaphrase::bags {

class HubMatcher {
 public:
  explicit HubMatcher(const BagRelations& relations) : relations_(relations) {}

  BagTotals match(const TokenView& reference, const TokenView& hypothesis, bool check) const {
    BagTotals totals;
    match_tags(reference, hypothesis, totals);
    Side rows = tokens_of(reference);
    Side columns = tokens_of(hypothesis);
    Hubs hubs = token_hubs(rows, columns);
    for (int order = 1; order <= max_order; ++order) {
      if (order > 1) {
        extend(rows);
        extend(columns);
        hubs = join(std::move(hubs), rows, columns, order);
      }
      HubProblem& problem = hubs.problem;
      problem.supply = weights(reference, rows, order);
      problem.demand = weights(hypothesis, columns, order);
      for (const std::int64_t weight : problem.supply) totals.reference[order - 1] += weight;
      for (const std::int64_t weight : problem.demand) totals.hypothesis[order - 1] += weight;
      totals.graded[order - 1] = HubFlow(problem).solve(check);
    }
    return totals;
  }

 private:
  // About 2.5 GB of working memory; only a relation with hundreds of synonyms for most words comes near.
  static constexpr std::size_t most_edges = std::size_t{1} << 26;

  // The distinct n-grams of one sentence. Those of order n > 1 are pairs of overlapping ones of order n - 1.
  struct Side {
    std::vector<std::int32_t> at;  // the n-gram that starts at each position
    PairIndex grams;
    std::vector<std::int32_t> token;  // order 1 only: a position where each distinct token occurs
    TokenView sentence;
  };

  // Hubs of one order; `pairs` tells from which two hubs of the order below each was joined.
  struct Hubs {
    HubProblem problem;
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    std::vector<std::uint8_t> last_gain;  // of the last key of each hub
  };

  void match_tags(const TokenView& reference, const TokenView& hypothesis, BagTotals& totals) const {
    std::vector<std::int32_t> row_at(reference.tag, reference.tag + reference.size);
    std::vector<std::int32_t> column_at(hypothesis.tag, hypothesis.tag + hypothesis.size);
    std::int32_t classes = relations_.tags;
    for (int order = 1; order <= max_order; ++order) {
      if (order > 1) {
        PairIndex index;
        row_at = overlap(row_at, index);
        column_at = overlap(column_at, index);
        classes = index.size();
      }
      std::vector<std::int64_t> left(classes, 0);
      each_ngram(reference, relations_, order,
                 [&](int start, std::int64_t weight) { left[row_at[start]] += weight; });
      each_ngram(hypothesis, relations_, order, [&](int start, std::int64_t weight) {
        std::int64_t& rest = left[column_at[start]];
        const std::int64_t matched = std::min(rest, weight);
        rest -= matched;
        totals.tags[order - 1] += matched;
      });
    }
  }

  static std::vector<std::int32_t> overlap(const std::vector<std::int32_t>& at, PairIndex& index) {
    std::vector<std::int32_t> longer;
    longer.reserve(at.size());
    for (std::size_t i = 1; i < at.size(); ++i) longer.push_back(index.insert(at[i - 1], at[i]));
    return longer;
  }

  static Side tokens_of(const TokenView& sentence) {
    Side side;
    side.sentence = sentence;
    PairIndex words;
    side.at.reserve(sentence.size);
    for (int i = 0; i < sentence.size; ++i) {
      const std::int32_t word = words.insert(sentence.lemma[i], sentence.sense[i]);
      side.at.push_back(side.grams.insert(word, sentence.tag[i]));
      if (side.grams.size() > static_cast<std::int32_t>(side.token.size())) side.token.push_back(i);
    }
    return side;
  }

  static void extend(Side& side) {
    PairIndex longer;
    side.at = overlap(side.at, longer);
    side.grams = std::move(longer);
  }

  std::vector<std::int64_t> weights(const TokenView& sentence, const Side& side, int order) const {
    std::vector<std::int64_t> weights(side.grams.size(), 0);
    each_ngram(sentence, relations_, order,
               [&](int start, std::int64_t weight) { weights[side.at[start]] += weight; });
    return weights;
  }

  // Keys of one position: pairs (kind, id), where "synonym of w with tag t" is the pair (with_tag + t, w).
  enum Kind : std::int32_t { by_tag, by_lemma, by_sense, with_tag };
  static std::uint8_t gain_of(std::int32_t kind) { return kind == by_tag || kind == by_sense ? 1 : 2; }

  Hubs token_hubs(const Side& rows, const Side& columns) const {
    Hubs hubs;
    Lists& row_hubs = hubs.problem.row_hubs;
    Lists& column_hubs = hubs.problem.column_hubs;
    PairIndex keys, sense_lemmas;
    // How many distinct tokens of the hypothesis have each key, and each (sense, lemma).
    std::vector<std::int32_t> key_types, lemma_types;
    const auto count = [](std::vector<std::int32_t>& counts, std::int32_t id) {
      if (id == static_cast<std::int32_t>(counts.size())) counts.push_back(0);
      ++counts[id];
    };
    PairIndex tagged;  // hypothesis types as ((sense, lemma), tag)
    for (const std::int32_t i : columns.token) {
      const std::int32_t lemma = columns.sentence.lemma[i];
      const std::int32_t sense = columns.sentence.sense[i];
      const std::int32_t tag = columns.sentence.tag[i];
      for (const auto& [kind, id] : {std::pair<std::int32_t, std::int32_t>{by_tag, tag},
                                     {by_lemma, lemma},
                                     {by_sense, sense},
                                     {with_tag + tag, sense}}) {
        const std::int32_t key = keys.insert(kind, id);
        count(key_types, key);
        column_hubs.values.push_back(key);
      }
      column_hubs.close();
      const std::int32_t word = sense_lemmas.insert(sense, lemma);
      count(lemma_types, word);
      tagged.insert(word, tag);
    }
    for (const std::int32_t i : rows.token) {
      const std::int32_t lemma = rows.sentence.lemma[i];
      const std::int32_t sense = rows.sentence.sense[i];
      const std::int32_t tag = rows.sentence.tag[i];
      const auto touch = [&](std::int32_t key) {
        if (key >= 0) row_hubs.values.push_back(key);
      };
      touch(keys.find(by_tag, tag));
      touch(keys.find(by_lemma, lemma));
      // A synonym key is left out where the lemma key, or the one with the tag, covers all it would reach.
      const auto relate = [&](std::int32_t related) {
        const std::int32_t key = keys.find(by_sense, related);
        if (key < 0) return;
        const std::int32_t key_with_tag = keys.find(with_tag + tag, related);
        const std::int32_t word = sense_lemmas.find(related, lemma);
        const std::int32_t same_tag = key_with_tag < 0 ? 0 : key_types[key_with_tag];
        const std::int32_t same_lemma = word < 0 ? 0 : lemma_types[word];
        const std::int32_t same_both = word >= 0 && tagged.find(word, tag) >= 0 ? 1 : 0;
        if (same_tag > same_both) touch(key_with_tag);
        if (key_types[key] - same_tag > same_lemma - same_both) touch(key);
      };
      relate(sense);
      for (std::int64_t s = relations_.synonym_offsets[sense]; s < relations_.synonym_offsets[sense + 1];
           ++s) {
        relate(relations_.synonyms[s]);
      }
      close_gram(row_hubs);
    }
    for (std::int32_t key = 0; key < keys.size(); ++key) {
      hubs.problem.gain.push_back(gain_of(keys.first(key)));
      hubs.pairs.emplace_back(0, key);
    }
    hubs.last_gain = hubs.problem.gain;
    keep_shared(hubs);
    return hubs;
  }

  // The hubs of the next order: pairs of hubs of this one, first those that the hypothesis touches. Of order
  // 3 on, the two parts of a hub overlap and must agree where they do.
  static Hubs join(const Hubs& parts, const Side& rows, const Side& columns, int order) {
    Hubs joined;
    PairIndex index;
    pair_columns(parts, columns.grams, order, index, joined.problem.column_hubs);
    pair_rows(parts, rows.grams, index, joined.problem.row_hubs);
    for (std::int32_t hub = 0; hub < index.size(); ++hub) {
      const std::int32_t first = index.first(hub), second = index.second(hub);
      joined.pairs.emplace_back(first, second);
      joined.last_gain.push_back(parts.last_gain[second]);
      joined.problem.gain.push_back(parts.problem.gain[first] + parts.last_gain[second]);
    }
    keep_shared(joined);
    return joined;
  }

  static void pair_columns(const Hubs& parts, const PairIndex& grams, int order, PairIndex& index,
                           Lists& joined) {
    const Lists& lists = parts.problem.column_hubs;
    for (std::int32_t gram = 0; gram < grams.size(); ++gram) {
      const auto [a_begin, a_end] = lists.range(grams.first(gram));
      const auto [b_begin, b_end] = lists.range(grams.second(gram));
      for (std::int64_t a = a_begin; a < a_end; ++a) {
        for (std::int64_t b = b_begin; b < b_end; ++b) {
          const std::int32_t first = lists.values[a], second = lists.values[b];
          if (order > 2 && parts.pairs[first].second != parts.pairs[second].first) continue;
          joined.values.push_back(index.insert(first, second));
        }
      }
      close_gram(joined);
    }
  }

  // A row may have hundreds of synonyms, so their pairs are not tried one by one: of each first part, either
  // the pairs that exist are looked through or those of the row are looked up, whichever are fewer.
  static void pair_rows(const Hubs& parts, const PairIndex& grams, const PairIndex& index, Lists& joined) {
    const Lists& lists = parts.problem.row_hubs;
    const Lists existing = by_first(index, parts.problem.gain.size());
    // Of each hub, the last n-gram whose second part touches it.
    std::vector<std::int32_t> in_second(parts.problem.gain.size(), -1);
    for (std::int32_t gram = 0; gram < grams.size(); ++gram) {
      const auto [a_begin, a_end] = lists.range(grams.first(gram));
      const auto [b_begin, b_end] = lists.range(grams.second(gram));
      for (std::int64_t b = b_begin; b < b_end; ++b) in_second[lists.values[b]] = gram;
      for (std::int64_t a = a_begin; a < a_end; ++a) {
        const auto [begin, end] = existing.range(lists.values[a]);
        if (end - begin < b_end - b_begin) {
          for (std::int64_t e = begin; e < end; ++e) {
            const std::int32_t hub = existing.values[e];
            if (in_second[index.second(hub)] == gram) joined.values.push_back(hub);
          }
        } else {
          for (std::int64_t b = b_begin; b < b_end; ++b) {
            const std::int32_t hub = index.find(lists.values[a], lists.values[b]);
            if (hub >= 0) joined.values.push_back(hub);
          }
        }
      }
      close_gram(joined);
    }
  }

  // The pairs that begin with each hub.
  static Lists by_first(const PairIndex& index, std::size_t firsts) {
    Lists lists;
    lists.offsets.assign(firsts + 1, 0);
    for (std::int32_t pair = 0; pair < index.size(); ++pair) ++lists.offsets[index.first(pair) + 1];
    for (std::size_t f = 0; f < firsts; ++f) lists.offsets[f + 1] += lists.offsets[f];
    lists.values.resize(index.size());
    std::vector<std::int64_t> next(lists.offsets.begin(), lists.offsets.end() - 1);
    for (std::int32_t pair = 0; pair < index.size(); ++pair) lists.values[next[index.first(pair)]++] = pair;
    return lists;
  }

  static void close_gram(Lists& joined) {
    if (joined.values.size() > most_edges)
      throw std::overflow_error("A segment is too long for so many synonyms");
    joined.close();
  }

  // Drops the hubs that only one side touches and numbers the others anew.
  static void keep_shared(Hubs& hubs) {
    std::vector<std::int32_t> renamed(hubs.problem.gain.size(), -1);
    for (const std::int32_t hub : hubs.problem.row_hubs.values) renamed[hub] = 0;
    std::int32_t kept = 0;
    for (std::size_t hub = 0; hub < renamed.size(); ++hub) {
      if (renamed[hub] < 0) continue;
      hubs.problem.gain[kept] = hubs.problem.gain[hub];
      hubs.last_gain[kept] = hubs.last_gain[hub];
      hubs.pairs[kept] = hubs.pairs[hub];
      renamed[hub] = kept++;
    }
    hubs.problem.gain.resize(kept);
    hubs.last_gain.resize(kept);
    hubs.pairs.resize(kept);
    for (Lists* lists : {&hubs.problem.row_hubs, &hubs.problem.column_hubs}) {
      std::size_t out = 0;
      std::int64_t begin = 0;
      for (std::size_t i = 0; i < lists->size(); ++i) {
        const std::int64_t end = lists->offsets[i + 1];
        for (std::int64_t v = begin; v < end; ++v) {
          if (renamed[lists->values[v]] >= 0) lists->values[out++] = renamed[lists->values[v]];
        }
        begin = end;
        lists->offsets[i + 1] = static_cast<std::int64_t>(out);
      }
      lists->values.resize(out);
    }
  }

  const BagRelations relations_;
};

}  // namespace metaphrase::bags
