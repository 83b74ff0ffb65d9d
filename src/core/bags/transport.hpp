// The transportation problem with real weights and similarities, sparse (TESLA, section 3.3; METRICS 3.4):
//
//   maximise sum s_e w_e  subject to  w >= 0,  the w_e of row i <= supply_i,  of column j <= demand_j in sum.
//
// Method: rows enter one at a time. The residual supply of a row goes along shortest augmenting paths
// (Dijkstra on reduced costs) either to columns with demand left or to a row whose dual is 0 after the step,
// which then gives up flow; when the row's own dual is 0 the rest of its supply is worthless. Invariants: u_i
// + v_j >= s_ij, u, v >= 0; flow on tight edges only; v_j = 0 where demand is left; u_i = 0 where an entered
// row has supply left. Once all rows have entered this is complementary slackness, that is optimality.
//
// Exactness: weights become fixed-point integers of 2^-100 of the largest, similarities of 2^-60 of the
// largest, and from then on nothing is rounded. So there are no tolerances, and each augmentation moves at
// least one unit of a bounded total: the method terminates on any input. The value is within 2^-60 * max s *
// total flow of the optimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/wide_integer.hpp"

namespace metaphrase::bags {

struct TransportProblem {
  std::int32_t rows, columns;
  std::int64_t edges;
  const std::int32_t* row;  // of each edge, in any order; duplicates are parallel edges
  const std::int32_t* column;
  const double* similarity;
  const double* supply;
  const double* demand;
};

class TransportSolver {
 public:
  // All numbers must be finite and not negative, all indices in range. `flow`, if given, gets w_e per edge.
  double solve(TransportProblem problem, double* flow) {
    if (flow != nullptr) std::fill(flow, flow + problem.edges, 0.0);
    if (problem.rows > problem.columns) {  // the problem is symmetric, and each row costs a search
      std::swap(problem.rows, problem.columns);
      std::swap(problem.row, problem.column);
      std::swap(problem.supply, problem.demand);
    }
    read(problem);
    if (edges_ == 0) return 0.0;
    push_best_edges();
    for (std::int32_t i = 0; i < rows_; ++i) enter(i);

    double value = 0.0;
    for (std::int32_t e = 0; e < edges_; ++e) {
      if (flow_[e] == 0) continue;
      const double amount = std::ldexp(nearest_double(flow_[e]), -weight_shift_);
      value += amount * problem.similarity[source_[e]];
      if (flow != nullptr) flow[source_[e]] = amount;
    }
    return value;
  }

 private:
  using Weight = WideInteger;
  using Score = std::int64_t;
  static constexpr int weight_bits = 100;
  static constexpr int score_bits = 60;
  static constexpr Score never = std::numeric_limits<Score>::max();

  // The mantissa is shifted as an integer, so that no bit above the unit is lost.
  static Weight fixed_point(double weight, int shift) {
    int exponent = 0;
    const Weight mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(weight, &exponent), 53));
    // Nothing may be shifted further than the number is wide, beside weights that are almost nothing.
    if (mantissa == 0) return 0;
    const int steps = exponent - 53 + shift;
    if (steps >= 0) return mantissa << steps;
    return steps < -64 ? 0 : mantissa >> -steps;
  }

  static int shift_for(double largest, int bits) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    return bits - exponent;
  }

  // Keeps the edges that can carry worth, sorted by row, and turns all numbers into integers.
  void read(const TransportProblem& problem) {
    rows_ = problem.rows;
    columns_ = problem.columns;
    double best = 0.0;
    for (std::int64_t e = 0; e < problem.edges; ++e) {
      if (carries(problem, e)) best = std::max(best, problem.similarity[e]);
    }
    edges_ = 0;
    if (best == 0.0) return;
    const int score_shift = shift_for(best, score_bits);

    row_start_.assign(rows_ + 1, 0);
    column_degree_.assign(columns_, 0);
    scores_.resize(problem.edges);
    for (std::int64_t e = 0; e < problem.edges; ++e) {
      scores_[e] =
          carries(problem, e) ? static_cast<Score>(std::ldexp(problem.similarity[e], score_shift)) : 0;
      if (scores_[e] == 0) continue;
      ++edges_;
      ++row_start_[problem.row[e] + 1];
      ++column_degree_[problem.column[e]];
    }
    for (std::int32_t i = 0; i < rows_; ++i) row_start_[i + 1] += row_start_[i];
    source_.resize(edges_);
    row_.resize(edges_);
    column_.resize(edges_);
    score_.resize(edges_);
    next_.assign(row_start_.begin(), row_start_.end() - 1);
    for (std::int64_t e = 0; e < problem.edges; ++e) {
      if (scores_[e] == 0) continue;
      const std::int32_t place = next_[problem.row[e]]++;
      source_[place] = e;
      row_[place] = problem.row[e];
      column_[place] = problem.column[e];
      score_[place] = scores_[e];
    }
    // As Dijkstra's method has it: for dense graphs a scan of the frontier is cheaper than a heap.
    dense_ = columns_ <= 4 * static_cast<std::int64_t>(rows_) &&
             edges_ >= static_cast<std::int64_t>(rows_) * columns_ / 8;
    if (givers_.size() < static_cast<std::size_t>(columns_)) givers_.resize(columns_);
    for (std::int32_t j = 0; j < columns_; ++j) givers_[j].clear();
    listed_.assign(edges_, 0);

    read_weights(problem);
    flow_.assign(edges_, 0);
    row_dual_.assign(rows_, 0);
    column_dual_.assign(columns_, 0);
    distance_.assign(columns_, never);
    row_distance_.resize(rows_);
    by_edge_.resize(columns_);
    back_edge_.resize(rows_);
    row_seen_.assign(rows_, 0);
    column_seen_.assign(columns_, 0);
  }

  static bool carries(const TransportProblem& problem, std::int64_t e) {
    return problem.supply[problem.row[e]] > 0.0 && problem.demand[problem.column[e]] > 0.0;
  }

  // No weight beyond the other side's total can ever be used; cutting it off keeps the unit fine.
  void read_weights(const TransportProblem& problem) {
    double total_supply = 0.0, total_demand = 0.0;
    for (std::int32_t i = 0; i < rows_; ++i) {
      if (row_start_[i] < row_start_[i + 1]) total_supply += problem.supply[i];
    }
    for (std::int32_t j = 0; j < columns_; ++j) {
      if (column_degree_[j] > 0) total_demand += problem.demand[j];
    }
    const double most = std::min({total_supply, total_demand, std::numeric_limits<double>::max()});
    double largest = 0.0;
    for (std::int32_t i = 0; i < rows_; ++i) largest = std::max(largest, std::min(problem.supply[i], most));
    for (std::int32_t j = 0; j < columns_; ++j)
      largest = std::max(largest, std::min(problem.demand[j], most));
    weight_shift_ = shift_for(largest, weight_bits);
    supply_left_.resize(rows_);
    demand_left_.resize(columns_);
    for (std::int32_t i = 0; i < rows_; ++i) {
      supply_left_[i] = fixed_point(std::min(problem.supply[i], most), weight_shift_);
    }
    for (std::int32_t j = 0; j < columns_; ++j) {
      demand_left_[j] = fixed_point(std::min(problem.demand[j], most), weight_shift_);
    }
  }

  // Most rows find room at one of their best columns; searching is for the others.
  void push_best_edges() {
    for (std::int32_t e = 0; e < edges_; ++e) row_dual_[row_[e]] = std::max(row_dual_[row_[e]], score_[e]);
    for (std::int32_t e = 0; e < edges_; ++e) {
      if (score_[e] != row_dual_[row_[e]]) continue;
      const Weight amount = std::min(supply_left_[row_[e]], demand_left_[column_[e]]);
      if (amount > 0) add_flow(e, amount);
      supply_left_[row_[e]] -= amount;
      demand_left_[column_[e]] -= amount;
    }
  }

  void add_flow(std::int32_t e, Weight amount) {
    flow_[e] += amount;
    if (listed_[e]) return;
    listed_[e] = 1;
    givers_[column_[e]].push_back(e);
  }

  void enter(std::int32_t start) {
    while (supply_left_[start] > 0 && row_dual_[start] > 0) search(start);
  }

  // Dijkstra over columns from one row, sending supply to each column with demand left as it is reached. The
  // search ends when supply is used up, when flow it relies on is, or at a row that can yield; then the duals
  // move.
  void search(std::int32_t start) {
    frontier_.clear();
    touched_.clear();
    seen_rows_.assign(1, start);
    seen_columns_.clear();
    row_seen_[start] = 1;
    row_distance_[start] = 0;
    Score reached = 0, yield_distance = never;
    std::int32_t yielding = start;
    std::size_t scanned = 0;
    for (;;) {
      for (; scanned < seen_rows_.size(); ++scanned) {
        const std::int32_t i = seen_rows_[scanned];
        const Score base = reached + row_dual_[i];
        if (base < yield_distance) {
          yield_distance = base;
          yielding = i;
        }
        relax(i, base);
      }
      const auto [distance, column] = nearest();
      if (yield_distance <= distance) {
        reached = yield_distance;
        if (yielding != start) yield_to(start, yielding);
        break;
      }
      reached = distance;
      column_seen_[column] = 1;
      seen_columns_.push_back(column);
      if (demand_left_[column] > 0 && !send(start, column)) break;
      see_givers(column, reached);
    }
    for (const std::int32_t i : seen_rows_) {
      row_dual_[i] -= reached - row_distance_[i];
      row_seen_[i] = 0;
    }
    for (const std::int32_t j : seen_columns_) {
      column_dual_[j] += reached - distance_[j];
      column_seen_[j] = 0;
    }
    for (const std::int32_t j : touched_) distance_[j] = never;
  }

  // The rows with flow into a column can be turned elsewhere. Edges that have lost their flow leave the list.
  void see_givers(std::int32_t column, Score reached) {
    std::vector<std::int32_t>& edges = givers_[column];
    std::size_t kept = 0;
    for (const std::int32_t e : edges) {
      if (flow_[e] == 0) {
        listed_[e] = 0;
        continue;
      }
      edges[kept++] = e;
      const std::int32_t i = row_[e];
      if (row_seen_[i]) continue;
      row_seen_[i] = 1;
      row_distance_[i] = reached;
      back_edge_[i] = e;
      seen_rows_.push_back(i);
    }
    edges.resize(kept);
  }

  void relax(std::int32_t i, Score base) {
    for (std::int32_t e = row_start_[i]; e < row_start_[i + 1]; ++e) {
      const std::int32_t j = column_[e];
      const Score distance = base + column_dual_[j] - score_[e];
      if (column_seen_[j] || distance >= distance_[j]) continue;
      if (distance_[j] == never) touched_.push_back(j);
      distance_[j] = distance;
      by_edge_[j] = e;
      if (dense_) continue;
      frontier_.emplace_back(distance, j);
      std::push_heap(frontier_.begin(), frontier_.end(), std::greater<>{});
    }
  }

  // Takes the nearest column that has not been seen from the frontier.
  std::pair<Score, std::int32_t> nearest() {
    if (dense_) return nearest_by_scan();
    while (!frontier_.empty()) {
      std::pop_heap(frontier_.begin(), frontier_.end(), std::greater<>{});
      const auto entry = frontier_.back();
      frontier_.pop_back();
      if (!column_seen_[entry.second]) return entry;
    }
    return {never, -1};
  }

  std::pair<Score, std::int32_t> nearest_by_scan() const {
    std::pair<Score, std::int32_t> best{never, -1};
    for (const std::int32_t j : touched_) {
      if (!column_seen_[j] && distance_[j] < best.first) best = {distance_[j], j};
    }
    return best;
  }

  // Augments to a column with demand left. True if the search can go on: there is supply left, the column is
  // full and all flow that the search has gone back along is still there.
  bool send(std::int32_t start, std::int32_t column) {
    const Weight wanted = std::min(supply_left_[start], demand_left_[column]);
    const Weight amount = move_along(start, column, wanted);
    demand_left_[column] -= amount;
    return demand_left_[column] == 0 && supply_left_[start] > 0 && intact_;
  }

  // A row whose dual has come down to 0 gives up flow in favour of the start.
  void yield_to(std::int32_t start, std::int32_t yielding) {
    const std::int32_t given = back_edge_[yielding];
    const Weight amount = move_along(start, column_[given], std::min(supply_left_[start], flow_[given]));
    flow_[given] -= amount;
    supply_left_[yielding] += amount;
  }

  // Moves at most `wanted` from the start to a column by the path that the search found, and tells how much.
  Weight move_along(std::int32_t start, std::int32_t column, Weight wanted) {
    Weight amount = wanted;
    for (std::int32_t j = column; row_[by_edge_[j]] != start;) {
      const std::int32_t back = back_edge_[row_[by_edge_[j]]];
      amount = std::min(amount, flow_[back]);
      j = column_[back];
    }
    supply_left_[start] -= amount;
    intact_ = true;
    for (std::int32_t j = column;;) {
      const std::int32_t e = by_edge_[j];
      add_flow(e, amount);
      if (row_[e] == start) return amount;
      const std::int32_t back = back_edge_[row_[e]];
      flow_[back] -= amount;
      intact_ = intact_ && flow_[back] > 0;
      j = column_[back];
    }
  }

  std::int32_t rows_ = 0, columns_ = 0, edges_ = 0;
  int weight_shift_ = 0;
  bool dense_ = false;
  std::vector<std::int32_t> row_start_, column_degree_, row_, column_, next_;
  std::vector<std::vector<std::int32_t>>
      givers_;                        // of each column: the edges with flow, and some that had it
  std::vector<char> listed_;          // is the edge among them?
  std::vector<std::int64_t> source_;  // of each kept edge: its place in the problem
  std::vector<Score> scores_, score_, row_dual_, column_dual_, distance_, row_distance_;
  std::vector<Weight> flow_, supply_left_, demand_left_;
  std::vector<std::int32_t> by_edge_, back_edge_;  // the edge by which the search came to a column, a row
  std::vector<std::pair<Score, std::int32_t>> frontier_;  // a heap; entries of seen columns are stale
  std::vector<std::int32_t> touched_, seen_rows_, seen_columns_;
  bool intact_ = true;  // no flow of the last path went down to 0
  std::vector<char> row_seen_, column_seen_;
};

}  // namespace metaphrase::bags
