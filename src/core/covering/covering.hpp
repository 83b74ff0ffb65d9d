// TESLA-CELAB of one pair of sentences: matching spans, and how much of each side they cover (Liu & Ng, ACL
// 2012, section 3; METRICS 4.2 to 4.4).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "covering/span_cover.hpp"
#include "covering/span_edges.hpp"
#include "covering/span_lexicon.hpp"

namespace metaphrase::covering {

// A sentence as the solver sees it.
struct SpanSentence {
  std::span<const std::int32_t> tokens;
  std::span<const SetSpan> sets;
  std::span<const double> weights;  // m(X) by span number; empty: all ones
};

// Sets below `sets` (they are numbered by falling similarity) make their words match in this layer, which
// counts for `share` of the whole: the difference between its similarity and that of the next layer.
struct Layer {
  std::int32_t sets;
  double share;
};

struct CoveringOptions {
  int order = max_span;
  bool released = false;
};

// The layers of a lexicon: one for every similarity, the first (which equality makes, too) being 1.
// Integrating over the threshold that a similarity must reach makes a program with similarities from a few
// without.
inline std::vector<Layer> similarity_layers(std::span<const double> falling) {
  std::vector<Layer> layers{{0, 1.0}};
  for (std::size_t s = 0; s < falling.size(); ++s) {
    const double above = s == 0 ? 1.0 : falling[s - 1];
    if (falling[s] < above) {
      layers.back().share = layers.back().share - falling[s];
      layers.push_back({0, falling[s]});
    }
    layers.back().sets = static_cast<std::int32_t>(s) + 1;
  }
  return layers;
}

// What of either side is covered: weights of spans, added up.
struct Covering {
  double left = 0.0, right = 0.0;
  bool exact = true;
};

// The total weight of all spans of up to `order` tokens: one side of Z (section 3.4; METRICS 4.4).
inline double total_weight(const SpanSentence& sentence, int order) {
  const auto size = static_cast<std::int32_t>(sentence.tokens.size());
  double total = 0.0;
  for (int length = 1; length <= std::min(order, size); ++length) {
    if (sentence.weights.empty()) {
      total += size - length + 1;
    } else {
      for (std::int32_t s = 0; s + length <= size; ++s) total += sentence.weights[span_number(s, length)];
    }
  }
  return total;
}

// Works on one pair at a time and keeps its memory for the next; a thread has one of its own.
class CoveringSolver {
 public:
  // Pairs whose product of lengths is larger are not compared: the table would take more than 64 MB.
  static constexpr std::int64_t largest_table = std::int64_t{1} << 25;

  CoveringSolver(std::int32_t tokens, std::int32_t sets, CoveringOptions options)
      : options_(options), tokens_(tokens), sets_(sets) {}

  Covering solve(const SpanSentence& left, const SpanSentence& right, std::span<const Layer> layers) {
    Covering whole, layer_cover;
    start(left, right);
    bool first = true;
    for (const Layer& layer : layers) {
      // A layer without a match of its own is like the one above it.
      if (add_units(left, layer.sets) || first) layer_cover = cover(left, right);
      first = false;
      whole.left += layer.share * layer_cover.left;
      whole.right += layer.share * layer_cover.right;
      whole.exact &= layer_cover.exact;
    }
    return whole;
  }

  // The same for one layer alone; afterwards `matches` and the two sides tell how.
  Covering solve_layer(const SpanSentence& left, const SpanSentence& right, std::int32_t sets) {
    start(left, right);
    add_units(left, sets);
    units_ = table_;
    left_.tracing = right_.tracing = dense_left_.tracing = dense_right_.tracing = true;
    return cover(left, right);
  }

  const SpanTable& units() const { return units_; }
  const SpanTable& matches() const { return options_.released ? restricted_ : table_; }

  // Of the last pair: how much each span is matched at least, and how much it is covered.
  struct Side {
    std::vector<double> matched, coverage;
  };
  Side left_side() const { return dense_ ? side(dense_left_) : side(left_); }
  Side right_side() const { return dense_ ? side(dense_right_) : side(right_); }

 private:
  // Lists of places, one for each number: of tokens, of sets. Starting anew costs nothing.
  class Places {
   public:
    explicit Places(std::int32_t numbers) : lists_(numbers) {}

    void clear() {
      ++now_;
      entries_.clear();
      present_.fill(0);
    }
    void add(std::int32_t number, std::int32_t place) {
      List& list = lists_[number];
      entries_.push_back({place, list.stamp == now_ ? list.head : -1});
      list = {now_, static_cast<std::int32_t>(entries_.size()) - 1};
      present_[number / 64 % present_.size()] |= std::uint64_t{1} << number % 64;
    }
    template <class Visitor>
    void visit(std::int32_t number, Visitor&& visitor) const {
      // Most numbers have no list; these bits say so without reaching for it.
      if ((present_[number / 64 % present_.size()] >> number % 64 & 1) == 0) return;
      const List& list = lists_[number];
      if (list.stamp != now_) return;
      for (std::int32_t e = list.head; e >= 0; e = entries_[e].next) visitor(entries_[e].place);
    }

   private:
    struct Entry {
      std::int32_t place, next;
    };
    struct List {
      std::uint32_t stamp = 0;
      std::int32_t head = -1;
    };
    std::vector<List> lists_;
    std::uint32_t now_ = 0;
    std::vector<Entry> entries_;
    std::array<std::uint64_t, 16> present_{};
  };

  void start(const SpanSentence& left, const SpanSentence& right) {
    table_.reset(static_cast<std::int32_t>(left.tokens.size()),
                 static_cast<std::int32_t>(right.tokens.size()));
    tokens_.clear();
    for (std::size_t j = 0; j < right.tokens.size(); ++j)
      tokens_.add(right.tokens[j], static_cast<std::int32_t>(j));
    for (std::size_t i = 0; i < left.tokens.size(); ++i) {
      tokens_.visit(left.tokens[i],
                    [&](std::int32_t j) { table_.add(static_cast<std::int32_t>(i), j, mask_bit(1, 1)); });
    }
    sets_.clear();
    for (const SetSpan& found : right.sets) sets_.add(found.set, found.span);
    added_ = 0;
  }

  // Matches through sets up to `bound` (section 3.1: synonyms are edges as equal spans are); whether any is
  // new.
  bool add_units(const SpanSentence& left, std::int32_t bound) {
    bool fresh = false;
    for (const SetSpan& found : left.sets) {
      if (found.set < added_ || found.set >= bound) continue;
      sets_.visit(found.set, [&](std::int32_t span) {
        fresh |= table_.add(span_start(found.span), span_start(span),
                            mask_bit(span_length(found.span), span_length(span)));
      });
    }
    added_ = bound;
    return fresh;
  }

  Covering cover(const SpanSentence& left, const SpanSentence& right) {
    table_.close(options_.order);
    if (options_.released) restricted_.restrict_first_piece(table_);
    const SpanTable& table = matches();
    dense_ = table_.dense();
    if (dense_) {
      transposed_.transpose(table);
      return cover(TableGraph(table), TableGraph(transposed_), left, right, dense_matching_, dense_left_,
                   dense_right_);
    }
    ListGraph::build(table, forward_, backward_);
    return cover(forward_, backward_, left, right, matching_, left_, right_);
  }

  template <class Graph>
  Covering cover(const Graph& forward, const Graph& backward, const SpanSentence& left,
                 const SpanSentence& right, Matching<Graph>& matching, SpanCover<Graph>& left_cover,
                 SpanCover<Graph>& right_cover) {
    collect_nodes(forward, left_nodes_);
    collect_nodes(backward, right_nodes_);
    matching.start(forward);
    matching.grow(left_nodes_);
    const Cover on_left =
        left_cover.solve(forward, left_nodes_, left.weights, matching.left_mate, matching.right_mate);
    const Cover on_right =
        right_cover.solve(backward, right_nodes_, right.weights, matching.right_mate, matching.left_mate);
    return {on_left.value, on_right.value, on_left.exact && on_right.exact};
  }

  template <class Graph>
  static void collect_nodes(const Graph& graph, std::vector<std::int32_t>& nodes) {
    nodes.resize(graph.left());
    std::size_t count = 0;
    for (std::int32_t x = 0; x < graph.left(); ++x) {
      nodes[count] = x;
      count += !graph.isolated(x);  // half are, in no order that a branch could foresee
    }
    nodes.resize(count);
  }

  template <class Graph>
  static Side side(const SpanCover<Graph>& cover) {
    return {cover.matched(), cover.coverage()};
  }

  CoveringOptions options_;
  Places tokens_, sets_;
  std::int32_t added_ = 0;
  bool dense_ = false;
  SpanTable table_, restricted_, transposed_, units_;
  ListGraph forward_, backward_;
  Matching<ListGraph> matching_;
  SpanCover<ListGraph> left_, right_;
  Matching<TableGraph> dense_matching_;
  SpanCover<TableGraph> dense_left_, dense_right_;
  std::vector<std::int32_t> left_nodes_, right_nodes_;
};

}  // namespace metaphrase::covering
