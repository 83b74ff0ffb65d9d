// How much of one sentence can be covered by matched spans: one side of the covering program of TESLA-CELAB
// (Liu & Ng, ACL 2012, sections 3.3 and 3.4, with the m(X) of 5.3; METRICS 4.4).
//
// Spans X of this sentence may be matched with spans of the other, each with a total weight w(X) <= 1; a span
// is covered by the matched spans that contain it, c(X) = min(1, sum of w(X') over X' containing X), and sum
// m(X) c(X) is to be largest. Why the two sides may be solved one after the other: c depends on the sums w of
// each side only, and sums that can be reached on the left (with any on the right) and sums that can be
// reached on the right can be reached together. (Mendelsohn & Dulmage 1958, for matchings; a point of the
// polytope is a mixture of matchings, and mixing them independently keeps both expectations.)
//
// Three reductions leave little of the program:
//
// 1. Augmenting a matching never lowers a w(X). So some optimum is a mixture of maximum matchings, and nodes
// that
//    every maximum matching has, have w = 1: they and all spans within them are covered.
//    The others are only joined to right nodes that are matched with others of their kind, so they may be
//    solved for on their own (Dulmage & Mendelsohn 1958).
// 2. A node whose own span is covered is worth nothing (all within it is covered as well): it is dropped.
// Fewer
//    nodes have a new maximum matching, hence perhaps new ones that are always in it: repeat.
// 3. What is left falls into components that share neither a partner nor an uncovered span. If no two nodes
// of a
//    component share an uncovered span, its value is a sum over nodes, and taking nodes by falling value
//    while they can be matched together is optimal (a transversal matroid). Otherwise the component is a
//    linear program: gain·w - m·excess with sum of w over X' containing X - excess(X) <= 1 for each shared
//    span X. It can have a fractional optimum, so it cannot be done by matching alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <queue>
#include <span>
#include <vector>

#include "covering/bounded_simplex.hpp"
#include "covering/span_lexicon.hpp"
#include "covering/span_matching.hpp"

namespace metaphrase::covering {

struct Cover {
  double value = 0.0;
  bool exact = true;  // false: a component was too large, and value is a lower bound
};

// Numbers that fall together, with the smallest as their name.
class UnionFind {
 public:
  void start(std::int32_t size) {
    parent_.resize(size);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t find(std::int32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(std::int32_t x, std::int32_t y) {
    x = find(x);
    y = find(y);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::int32_t> parent_;
};

template <class Graph>
class SpanCover {
 public:
  // The graph's left side is the one to cover. `weights` are the m(X) by span number, empty for ones. The
  // mates are those of a maximum matching. Nodes are spans that have an edge.
  Cover solve(const Graph& graph, std::span<const std::int32_t> nodes, std::span<const double> weights,
              const std::vector<std::int32_t>& left_mate, const std::vector<std::int32_t>& right_mate) {
    graph_ = &graph;
    weights_ = weights;
    cover_ = {};
    covered_.assign(graph.left(), 0);
    if (tracing) matched_.assign(graph.left(), 0.0);
    work_ = most_work;
    mark_dispensable(graph, nodes, left_mate, right_mate, dispensable_, waiting_);
    rest_.assign(nodes.begin(), nodes.end());
    take_indispensable();
    while (drop_covered()) {
      matching_.start(graph, rest_);
      matching_.grow(rest_);
      mark_dispensable(graph, rest_, matching_.left_mate, matching_.right_mate, dispensable_, waiting_);
      if (!take_indispensable()) break;
    }
    cover_.value = covered_weight();
    if (!rest_.empty()) solve_rest();
    return cover_;
  }

  bool tracing = false;  // whether `matched` and `coverage` will be asked for

  // Of the last solution: how much each span is matched at least, and how much it is covered.
  const std::vector<double>& matched() const { return matched_; }
  std::vector<double> coverage() const {
    std::vector<double> result(matched_.size());
    for (std::size_t x = 0; x < result.size(); ++x) {
      if (matched_[x] <= 0.0) continue;
      visit_within(static_cast<std::int32_t>(x),
                   [&](std::int32_t cell) { result[cell] = std::min(1.0, result[cell] + matched_[x]); });
    }
    return result;
  }

 private:
  // A tableau of 8 MB and, for all components of one side together, a second or so of pivots.
  static constexpr std::int64_t largest_tableau = 1 << 20;
  static constexpr std::int64_t most_work = std::int64_t{1} << 30;

  double weight(std::int32_t span) const { return weights_.empty() ? 1.0 : weights_[span]; }

  template <class Visitor>
  static void visit_within(std::int32_t span, Visitor&& visitor) {
    const std::int32_t start = span_start(span);
    for (int length = span_length(span); length >= 1; --length) {
      for (std::int32_t s = start; s + length <= start + span_length(span); ++s)
        visitor(span_number(s, length));
    }
  }

  double gain(std::int32_t span) const {
    double sum = 0.0;
    visit_within(span, [&](std::int32_t cell) { sum += covered_[cell] ? 0.0 : weight(cell); });
    return sum;
  }

  void take(std::int32_t span) {
    covered_[span] = 1;
    if (tracing) matched_[span] = 1.0;
  }

  bool take_indispensable() {
    for (const std::int32_t x : rest_) {
      if (!dispensable_[x]) take(x);
    }
    if (std::erase_if(rest_, [&](std::int32_t x) { return !dispensable_[x]; }) == 0) return false;
    spread();
    return true;
  }

  // What a covered span contains is covered. The four spans from one start are one word, the longest in its
  // highest byte: it covers those below it, and each of them the span from the next start that is shorter by
  // one.
  void spread() {
    static_assert(max_span == sizeof(std::uint32_t) && std::endian::native == std::endian::little);
    std::uint32_t from_before = 0;
    for (std::size_t start = 0; start < covered_.size(); start += max_span) {
      std::uint32_t word;
      std::memcpy(&word, covered_.data() + start, sizeof word);
      word |= from_before;
      word |= word >> 8;
      word |= word >> 16;
      from_before = word >> 8;
      std::memcpy(covered_.data() + start, &word, sizeof word);
    }
  }

  double covered_weight() const {
    if (weights_.empty()) return static_cast<double>(std::count(covered_.begin(), covered_.end(), 1));
    double sum = 0.0;
    for (std::size_t cell = 0; cell < weights_.size(); ++cell) sum += covered_[cell] ? weights_[cell] : 0.0;
    return sum;
  }

  bool drop_covered() {
    return std::erase_if(rest_, [&](std::int32_t x) { return covered_[x] != 0; }) > 0 && !rest_.empty();
  }

  void solve_rest() {
    const auto count = static_cast<std::int32_t>(rest_.size());
    components_.start(count);
    supplied_.start(count);
    owner_.resize(graph_->right());
    last_user_.resize(graph_->left());
    shared_.resize(graph_->left());
    for (const std::int32_t x : rest_) {
      visit_partners(x, [&](std::int32_t y) { owner_[y] = -1; });
      visit_within(x, [&](std::int32_t cell) { last_user_[cell] = -1, shared_[cell] = 0; });
    }
    for (std::int32_t n = 0; n < count; ++n) {
      visit_partners(rest_[n], [&](std::int32_t y) {
        if (owner_[y] >= 0) supplied_.join(n, owner_[y]), components_.join(n, owner_[y]);
        owner_[y] = n;
      });
    }
    for (std::int32_t n = 0; n < count; ++n) {
      visit_within(rest_[n], [&](std::int32_t cell) {
        if (covered_[cell]) return;
        if (last_user_[cell] >= 0) shared_[cell] = 1, components_.join(n, last_user_[cell]);
        last_user_[cell] = n;
      });
    }
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      const std::int32_t x = components_.find(a), y = components_.find(b);
      if (x != y) return x < y;
      const std::int32_t u = supplied_.find(a), v = supplied_.find(b);
      return u != v ? u < v : a < b;
    });
    bool started = false;
    for (auto first = order_.begin(); first != order_.end();) {
      const std::int32_t name = components_.find(*first);
      const auto last =
          std::find_if(first, order_.end(), [&](std::int32_t n) { return components_.find(n) != name; });
      const std::span<const std::int32_t> component(first, last);
      const bool linear = !overlaps(component);
      if (linear || !solve_program(component)) {
        if (!started) matching_.start(*graph_, rest_);
        started = true;
        take_greedily(component);
        if (!linear) cover_.exact = false;
      }
      first = last;
    }
  }

  template <class Visitor>
  void visit_partners(std::int32_t x, Visitor&& visitor) const {
    std::int32_t cursor = 0;
    for (std::int32_t y = graph_->next(x, cursor); y >= 0; y = graph_->next(x, cursor)) visitor(y);
  }

  bool overlaps(std::span<const std::int32_t> component) const {
    for (const std::int32_t n : component) {
      bool found = false;
      visit_within(rest_[n], [&](std::int32_t cell) { found |= shared_[cell] != 0; });
      if (found) return true;
    }
    return false;
  }

  // By falling gain, as long as all can be matched. Gains only fall while others are taken, so an old one
  // that is still the largest after being brought up to date is the largest of all.
  void take_greedily(std::span<const std::int32_t> component) {
    using Candidate = std::pair<double, std::int32_t>;
    const auto worse = [](const Candidate& a, const Candidate& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(worse)> queue(worse);
    for (const std::int32_t n : component) queue.push({gain(rest_[n]), rest_[n]});
    while (!queue.empty()) {
      const auto [old_gain, x] = queue.top();
      queue.pop();
      const double now = gain(x);
      if (now <= 0.0) continue;
      if (now < old_gain) {
        queue.push({now, x});
      } else if (matching_.insert(x)) {
        take(x);
        cover_.value += now;
        visit_within(x, [&](std::int32_t cell) { covered_[cell] = 1; });
      }
    }
  }

  // Nodes that can be matched with the same partners, all of them, need one row for all; others a variable
  // for every edge. False, and nothing done, if the program is too large.
  bool solve_program(std::span<const std::int32_t> component) {
    node_of_column_.clear();
    row_columns_.clear();
    row_limit_.clear();
    for (auto first = component.begin(); first != component.end();) {
      const std::int32_t name = supplied_.find(*first);
      const auto last =
          std::find_if(first, component.end(), [&](std::int32_t n) { return supplied_.find(n) != name; });
      if (!add_supply({first, last})) return false;
      first = last;
    }
    const int columns = static_cast<int>(node_of_column_.size()), rows = static_cast<int>(row_limit_.size());
    shared_cells_.clear();
    for (const std::int32_t n : component) {
      visit_within(rest_[n], [&](std::int32_t cell) {
        if (shared_[cell] && last_user_[cell] == n) shared_cells_.push_back(cell);
      });
    }
    const int excesses = static_cast<int>(shared_cells_.size());
    if (std::int64_t{rows + excesses} * (columns + excesses) > std::min(largest_tableau, work_)) return false;

    program_.start(rows + excesses, columns + excesses);
    std::fill_n(program_.upper.begin(), columns, 1.0);
    for (int row = 0; row < rows; ++row) program_.limit[row] = row_limit_[row];
    for (const auto& [row, column] : row_columns_) program_.coefficient(row, column) = 1.0;
    row_of_cell_.resize(graph_->left());
    for (int e = 0; e < excesses; ++e) {
      const int row = rows + e;
      row_of_cell_[shared_cells_[e]] = row;
      program_.coefficient(row, columns + e) = -1.0;
      program_.cost[columns + e] = -weight(shared_cells_[e]);
      program_.limit[row] = 1.0;
    }
    for (int column = 0; column < columns; ++column) {
      const std::int32_t x = rest_[node_of_column_[column]];
      program_.cost[column] = gain(x);
      visit_within(x, [&](std::int32_t cell) {
        if (shared_[cell]) program_.coefficient(row_of_cell_[cell], column) = 1.0;
      });
    }
    cover_.value += program_.solve(work_);
    if (work_ < 0) cover_.exact = false;
    for (int column = 0; tracing && column < columns; ++column) {
      matched_[rest_[node_of_column_[column]]] += program_.solution(column);
    }
    return true;
  }

  bool add_supply(std::span<const std::int32_t> group) {
    partners_.clear();
    for (const std::int32_t n : group) {
      visit_partners(rest_[n], [&](std::int32_t y) { partners_.push_back(y); });
      if (static_cast<std::int64_t>(partners_.size()) > largest_tableau) return false;
    }
    const std::size_t edges = partners_.size();
    std::sort(partners_.begin(), partners_.end());
    partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
    const int first_column = static_cast<int>(node_of_column_.size());
    if (edges == partners_.size() * group.size()) {
      const int row = new_row(static_cast<double>(partners_.size()));
      for (std::size_t n = 0; n < group.size(); ++n) {
        row_columns_.push_back({row, first_column + static_cast<int>(n)});
        node_of_column_.push_back(group[n]);
      }
      return true;
    }
    const int partner_row = static_cast<int>(row_limit_.size());
    row_limit_.insert(row_limit_.end(), partners_.size(), 1.0);
    for (const std::int32_t n : group) {
      const int row = new_row(1.0);
      visit_partners(rest_[n], [&](std::int32_t y) {
        const int column = static_cast<int>(node_of_column_.size());
        node_of_column_.push_back(n);
        row_columns_.push_back({row, column});
        const auto place = std::lower_bound(partners_.begin(), partners_.end(), y) - partners_.begin();
        row_columns_.push_back({partner_row + static_cast<int>(place), column});
      });
    }
    return true;
  }

  int new_row(double limit) {
    row_limit_.push_back(limit);
    return static_cast<int>(row_limit_.size()) - 1;
  }

  const Graph* graph_ = nullptr;
  std::span<const double> weights_;
  Cover cover_;
  std::int64_t work_ = 0;
  Matching<Graph> matching_;
  BoundedSimplex program_;
  UnionFind components_, supplied_;
  std::vector<std::uint8_t> covered_, dispensable_, shared_;
  std::vector<double> matched_, row_limit_;
  std::vector<std::int32_t> rest_, waiting_, owner_, last_user_, order_, partners_, shared_cells_,
      row_of_cell_, node_of_column_;
  std::vector<std::pair<int, int>> row_columns_;
};

}  // namespace metaphrase::covering
