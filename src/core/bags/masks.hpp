// The n-gram bags of two sentences of at most 64 * Words tokens, matched with bit masks: the linear program
// of TESLA's section 3.3 (METRICS 3.4).
//
// Per token of the row sentence one mask tells which column positions match it fully (gain 2), and one which
// match it at all (gain 1 or 2). The n-gram edges follow by shift and AND: no hashing, no list of edges. The
// occurrences of an n-gram stay apart, which does not change the optimum, as only sums of flow enter it.
//
// The solver is the Hungarian method for transportation problems, started uniformly. Dual: minimise sum cap_x
// u_x + sum cap_y v_y, u_x + v_y >= gain(x, y), u, v >= 0. The invariants, at the level theta:
//   (1) u, v are dual feasible integers; positive flow runs on tight edges (u_x + v_y = gain) only;
//   (2) a row with supply left has u_x = theta, every other row u_x >= theta;
//   (3) a column with demand left has v_y = 0.
// At each level augmenting paths on tight edges are exhausted. Then no column with demand left can be reached
// from a row with supply left, so lowering u and raising v by 1 on all that can be reached keeps (3); edges
// that leave this set have integer slack >= 1, so (1) holds; all rows with supply left are in the set, so (2)
// holds for theta - 1. At theta = 0 complementary slackness is complete: the flow and (u, v) are both
// optimal. There are at most 2n levels, and each augmentation moves at least one unit, so the method
// terminates.
//
// Three observations save most of the work. On a path of tight edges gains telescope to u at its start plus v
// at its end, that is theta + 0, so a unit of flow sent at level theta is worth theta, and the optimum is a
// running sum. A row whose best gain is below theta has no tight edge: it sleeps until theta has come down.
// And when no column has demand left the flow is final; only a certificate needs the last duals.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bags/ngram_bags.hpp"
#include "base/bitmask.hpp"

namespace metaphrase::bags {

template <int Words>
class MaskMatcher {
 public:
  static constexpr int capacity = 64 * Words;

  explicit MaskMatcher(const BagRelations& relations)
      : relations_(relations),
        lemma_at_(relations.senses_are_lemmas ? std::max(relations.lemmas, relations.senses)
                                              : relations.lemmas),
        sense_at_(relations.senses_are_lemmas ? 0 : relations.senses),
        tag_at_(relations.tags) {}

  // Neither sentence may be longer than `capacity`. With `check` every optimum is certified.
  BagTotals match(const TokenView& reference, const TokenView& hypothesis, bool check) {
    // The problem is symmetric; rows cost more than columns, so the shorter sentence gives the rows.
    const bool swapped = reference.size > hypothesis.size;
    const TokenView& rows = swapped ? hypothesis : reference;
    const TokenView& columns = swapped ? reference : hypothesis;
    compare_tokens(rows, columns);
    read_weights(rows, row_factor_);
    read_weights(columns, column_factor_);
    std::fill(supply_, supply_ + rows.size, 1);
    std::fill(demand_, demand_ + columns.size, 1);
    BagTotals totals;
    for (int order = 1; order <= max_order; ++order) {
      const int row_count = std::max(0, rows.size - order + 1);
      const int column_count = std::max(0, columns.size - order + 1);
      const std::int64_t row_weight = extend_weights(supply_, row_factor_ + order - 1, row_count);
      const std::int64_t column_weight = extend_weights(demand_, column_factor_ + order - 1, column_count);
      totals.reference[order - 1] = swapped ? column_weight : row_weight;
      totals.hypothesis[order - 1] = swapped ? row_weight : column_weight;
      totals.tags[order - 1] = match_tags(order, row_count, column_count);
      grade_ngrams(order, row_count);
      totals.graded[order - 1] = solve(order, check);
      if (check) certify(order, row_count, column_count, totals.graded[order - 1]);
    }
    return totals;
  }

 private:
  using Set = Mask<Words>;

  // The weight of an n-gram is the product of its tokens' factors.
  void read_weights(const TokenView& sentence, std::int32_t* factor) const {
    for (int i = 0; i < sentence.size; ++i) {
      factor[i] = static_cast<std::int32_t>(relations_.weight(1, relations_.function[sentence.tag[i]] != 0));
    }
  }

  // From the weights of order n - 1 to those of order n; tells their sum.
  static std::int64_t extend_weights(std::int32_t* weight, const std::int32_t* factor, int count) {
    std::int64_t total = 0;
    for (int i = 0; i < count; ++i) {
      weight[i] *= factor[i];
      total += weight[i];
    }
    return total;
  }

  void compare_tokens(const TokenView& rows, const TokenView& columns) {
    const bool shared = relations_.senses_are_lemmas;
    std::vector<Set>& sense_at = shared ? lemma_at_ : sense_at_;
    for (int j = 0; j < columns.size; ++j) {
      lemma_at_[columns.lemma[j]].add(j);
      tag_at_[columns.tag[j]].add(j);
      if (!shared) sense_at_[columns.sense[j]].add(j);
    }
    for (int i = 0; i < rows.size; ++i) {
      const Set& same_lemma = lemma_at_[rows.lemma[i]];
      const Set& same_tag = tag_at_[rows.tag[i]];
      Set related = sense_at[rows.sense[i]];
      const std::int64_t end = relations_.synonym_offsets[rows.sense[i] + 1];
      for (std::int64_t s = relations_.synonym_offsets[rows.sense[i]]; s < end; ++s) {
        related |= sense_at[relations_.synonyms[s]];
      }
      same_tag_[i] = same_tag;
      full_[i] = same_lemma | (related & same_tag);
      some_[i] = same_lemma | related | same_tag;
    }
    for (int j = 0; j < columns.size; ++j) {
      lemma_at_[columns.lemma[j]] = Set{};
      tag_at_[columns.tag[j]] = Set{};
      if (!shared) sense_at_[columns.sense[j]] = Set{};
    }
  }

  // Equality of tags is an equivalence and equal tags mean equal weights, so taking any free partner is
  // optimal.
  std::int64_t match_tags(int order, int row_count, int column_count) const {
    std::int64_t total = 0;
    Set free = Set::prefix(column_count);
    for (int i = 0; i < row_count; ++i) {
      Set partners = same_tag_[i] & free;
      for (int d = 1; d < order; ++d) partners &= same_tag_[i + d].down(d);
      const int j = partners.first();
      if (j < 0) continue;
      free.remove(j);
      total += supply_[i];
    }
    return total;
  }

  // grade_[k][i]: the columns to which row i has gain order + k; k is the number of positions that match
  // fully. Rows without any stay out; the others are listed by their best grade.
  void grade_ngrams(int order, int row_count) {
    touched_ = Set{};
    for (int k = 0; k <= order; ++k) sleeper_count_[k] = 0;
    for (int i = 0; i < row_count; ++i) {
      Set linked = some_[i];
      for (int d = 1; d < order; ++d) linked &= some_[i + d].down(d);
      if (!linked.any()) continue;
      touched_ |= linked;
      const Set a = full_[i];
      if (order == 1) {
        grade_[1][i] = a;
        grade_[0][i] = linked.without(a);
      } else if (order == 2) {
        const Set b = full_[i + 1].down(1);
        grade_[2][i] = a & b;
        grade_[1][i] = (a ^ b) & linked;
        grade_[0][i] = linked.without(a | b);
      } else {
        const Set b = full_[i + 1].down(1), c = full_[i + 2].down(2);
        const Set three = a & b & c;
        grade_[3][i] = three;
        grade_[2][i] = (((a & b) | (a & c) | (b & c)) & linked).without(three);
        grade_[1][i] = ((a ^ b ^ c) & linked).without(three);
        grade_[0][i] = linked.without(a | b | c);
      }
      int best = order;
      while (!grade_[best][i].any()) --best;
      sleepers_[best][sleeper_count_[best]++] = static_cast<std::int16_t>(i);
    }
  }

  std::int64_t solve(int order, bool to_the_last_dual) {
    touched_.each([&](int j) {
      demand_left_[j] = demand_[j];
      givers_[j] = Set{};
    });
    free_ = touched_;
    for (int value = 1; value <= 2 * order; ++value) dual_is_[value] = Set{};
    dual_is_[0] = touched_;
    value_ = 0;
    int open_count = 0;
    for (int theta = 2 * order; theta > 0 && (to_the_last_dual || free_.any()); --theta) {
      if (theta >= order) {
        const int best = theta - order;
        for (int t = 0; t < sleeper_count_[best]; ++t) {
          const int i = sleepers_[best][t];
          row_dual_[i] = static_cast<std::int8_t>(theta);
          supply_left_[i] = supply_[i];
          open_[open_count++] = static_cast<std::int16_t>(i);
        }
      }
      dead_rows_ = Set{};
      dead_columns_ = Set{};
      int still_open = 0;
      for (int t = 0; t < open_count; ++t) {
        const int i = open_[t];
        send(order, theta, i);
        if (supply_left_[i] > 0) open_[still_open++] = open_[t];
      }
      open_count = still_open;
      if (open_count > 0) move_duals(order);
    }
    return value_;
  }

  // Free columns have dual 0, so the tight edges from row i to them are those of gain u_i.
  int free_partner(int order, int i) const {
    const int k = row_dual_[i] - order;
    return k < 0 ? -1 : (grade_[k][i] & free_).first();
  }

  // Sends as much of row i's supply as tight edges allow.
  void send(int order, int theta, int i) {
    while (supply_left_[i] > 0) {
      int j = free_partner(order, i);
      if (j >= 0) {
        const std::int32_t amount = std::min(supply_left_[i], demand_left_[j]);
        supply_left_[i] -= amount;
        take_demand(j, amount);
        add_flow(i, j, amount);
        value_ += static_cast<std::int64_t>(theta) * amount;
        continue;
      }
      if (dead_rows_.has(i)) return;
      j = find_path(order, i);
      if (j < 0) return;
      value_ += static_cast<std::int64_t>(theta) * augment(i, j);
    }
  }

  // Breadth-first search for a free column from row i; -1 and a larger dead set when there is none. What a
  // failed search has visited cannot reach a free column for the rest of the level, so no later search enters
  // it.
  int find_path(int order, int start) {
    Set seen_rows = dead_rows_, seen_columns = dead_columns_;
    int head = 0, tail = 0;
    queue_[tail++] = static_cast<std::int16_t>(start);
    seen_rows.add(start);
    came_from_column_[start] = -1;
    while (head < tail) {
      const int i = queue_[head++];
      const int j = free_partner(order, i);
      if (j >= 0) {
        came_from_row_[j] = static_cast<std::int16_t>(i);
        return j;
      }
      Set tight;
      for (int k = 0; k <= order; ++k) {
        const int dual = order + k - row_dual_[i];
        if (dual >= 0) tight |= grade_[k][i] & dual_is_[dual];
      }
      tight = tight.without(seen_columns);
      seen_columns |= tight;
      tight.each([&](int column) {
        came_from_row_[column] = static_cast<std::int16_t>(i);
        const Set fresh = givers_[column].without(seen_rows);
        seen_rows |= fresh;
        fresh.each([&](int row) {
          came_from_column_[row] = static_cast<std::int16_t>(column);
          queue_[tail++] = static_cast<std::int16_t>(row);
        });
      });
    }
    dead_rows_ = seen_rows;
    dead_columns_ = seen_columns;
    return -1;
  }

  std::int32_t augment(int start, int end) {
    std::int32_t amount = std::min(supply_left_[start], demand_left_[end]);
    for (int i = came_from_row_[end]; i != start;) {
      const int j = came_from_column_[i];
      amount = std::min(amount, flow_[j][i]);
      i = came_from_row_[j];
    }
    supply_left_[start] -= amount;
    take_demand(end, amount);
    for (int j = end;;) {
      const int i = came_from_row_[j];
      add_flow(i, j, amount);
      if (i == start) return amount;
      j = came_from_column_[i];
      flow_[j][i] -= amount;
      if (flow_[j][i] == 0) givers_[j].remove(i);
    }
  }

  void take_demand(int j, std::int32_t amount) {
    demand_left_[j] -= amount;
    if (demand_left_[j] == 0) free_.remove(j);
  }

  void add_flow(int i, int j, std::int32_t amount) {
    if (givers_[j].has(i)) {
      flow_[j][i] += amount;
    } else {
      givers_[j].add(i);
      flow_[j][i] = amount;
    }
  }

  void move_duals(int order) {
    dead_rows_.each([&](int i) { --row_dual_[i]; });
    for (int value = 2 * order - 1; value >= 0; --value) {
      const Set moved = dual_is_[value] & dead_columns_;
      dual_is_[value] = dual_is_[value].without(moved);
      dual_is_[value + 1] |= moved;
    }
  }

  // Checks feasibility of both solutions and that their values agree, all in integers.
  void certify(int order, int row_count, int column_count, std::int64_t value) const {
    std::vector<std::int64_t> sent(row_count, 0);
    std::vector<int> row_dual(row_count, 0), column_dual(column_count, 0);
    for (int k = 0; k <= order; ++k) {
      for (int t = 0; t < sleeper_count_[k]; ++t) row_dual[sleepers_[k][t]] = row_dual_[sleepers_[k][t]];
    }
    for (int dual = 0; dual <= 2 * order; ++dual) dual_is_[dual].each([&](int j) { column_dual[j] = dual; });
    std::int64_t primal = 0, dual = 0;
    bool sound = true;
    for (int j = 0; j < column_count; ++j) {
      if (!touched_.has(j)) continue;
      std::int64_t received = 0;
      givers_[j].each([&](int i) {
        sent[i] += flow_[j][i];
        received += flow_[j][i];
        sound = sound && flow_[j][i] > 0;
        for (int k = 0; k <= order; ++k) {
          if (grade_[k][i].has(j)) primal += static_cast<std::int64_t>(order + k) * flow_[j][i];
        }
      });
      sound = sound && received <= demand_[j];
      dual += static_cast<std::int64_t>(column_dual[j]) * demand_[j];
    }
    for (int k = 0; k <= order; ++k) {
      for (int best = 0; best <= order; ++best) {
        for (int t = 0; t < sleeper_count_[best]; ++t) {
          const int i = sleepers_[best][t];
          grade_[k][i].each([&](int j) { sound = sound && row_dual[i] + column_dual[j] >= order + k; });
        }
      }
    }
    for (int i = 0; i < row_count; ++i) {
      sound = sound && sent[i] <= supply_[i] && row_dual[i] >= 0;
      dual += static_cast<std::int64_t>(row_dual[i]) * supply_[i];
    }
    if (!sound || primal != value || dual != value)
      throw CertificateError("the mask solver's optimum has no certificate");
  }

  const BagRelations relations_;
  std::vector<Set> lemma_at_, sense_at_, tag_at_;  // column positions of each id; all empty between calls

  Set same_tag_[capacity], full_[capacity], some_[capacity];
  Set grade_[max_order + 1][capacity];
  std::int16_t sleepers_[max_order + 1][capacity];  // rows by their best grade
  int sleeper_count_[max_order + 1];
  std::int32_t row_factor_[capacity], column_factor_[capacity];
  std::int32_t supply_[capacity], demand_[capacity], supply_left_[capacity], demand_left_[capacity];

  std::int8_t row_dual_[capacity];
  Set dual_is_[2 * max_order + 1];  // the columns with each value of the dual
  Set touched_, free_, dead_rows_, dead_columns_;
  Set givers_[capacity];                   // the rows with flow into each column
  std::int32_t flow_[capacity][capacity];  // [column][row], meaningful where givers_ says so
  std::int64_t value_ = 0;

  std::int16_t open_[capacity], queue_[capacity];
  std::int16_t came_from_row_[capacity], came_from_column_[capacity];
};

}  // namespace metaphrase::bags
