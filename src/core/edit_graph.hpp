// Edit machines by their configurations, one by one: mode, positions, memory of the jump and the last edit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "edit_pair.hpp"

namespace metaphrase {

class EditGraph {
 public:
  EditGraph(const double* weights, const MachineOptions& options) : weights_(weights), options_(options) {}

  double log_sum(const EditPair& pair) {
    build(pair);
    return sums_.back();
  }

  double expected_counts(const EditPair& pair, double* counts) {
    const double total = log_sum(pair);
    std::fill(counts, counts + edit_features, 0.0);
    const double nothing = -std::numeric_limits<double>::infinity();
    std::vector<double> reached(nodes_.size(), nothing);
    reached.back() = 0.0;
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      for (std::size_t a = first_[n]; a < first_[n + 1]; ++a) {
        const Arc& arc = arcs_[a];
        const double here = reached[n] + arc.weight;
        const double share = std::exp(here + sums_[arc.target] - total);
        reached[arc.target] = add(reached[arc.target], here);
        for (int f = 0; f < arc.fired; ++f) counts[arc.features[f]] += share;
      }
    }
    return total;
  }

  double best_edits(const EditPair& pair, std::vector<Edit>& edits) {
    build(pair);
    std::vector<double> best(nodes_.size(), -std::numeric_limits<double>::infinity());
    std::vector<std::size_t> choice(nodes_.size(), 0);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (final(nodes_[n])) best[n] = 0.0;
      for (std::size_t a = first_[n]; a < first_[n + 1]; ++a) {
        const double value = arcs_[a].weight + best[arcs_[a].target];
        if (value > best[n]) best[n] = value, choice[n] = a + 1;
      }
    }
    std::size_t n = nodes_.size() - 1;
    while (choice[n]) {
      edits.push_back(arcs_[choice[n] - 1].edit);
      n = arcs_[choice[n] - 1].target;
    }
    return best.back();
  }

  void arc_counts(const EditPair& pair, std::int64_t* counts) {
    build(pair);
    std::set<std::tuple<int, int, int, int, int, int>> seen;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (std::size_t a = first_[n]; a < first_[n + 1]; ++a) {
        const Arc& arc = arcs_[a];
        const Edit& e = arc.edit;
        if (sums_[arc.target] == -std::numeric_limits<double>::infinity()) continue;
        const bool jump = e.state >= jump_forward;
        if (!seen.emplace(nodes_[n].last, e.state, e.reference, e.hypothesis, jump ? -1 : e.to_reference,
                          jump ? -1 : e.to_hypothesis).second) {
          continue;
        }
        for (int f = 0; f < arc.fired; ++f) ++counts[arc.features[f]];
      }
    }
  }

 private:
  enum : std::int16_t { normal, jumped, returned };
  struct Node {
    std::int16_t mode, i, j, side, start, land, end, done, origin, first, last, unused;
    bool operator==(const Node& other) const { return std::memcmp(this, &other, sizeof(Node)) == 0; }
  };
  struct Hash {
    std::size_t operator()(const Node& n) const {
      std::uint64_t words[3], h = 0;
      std::memcpy(words, &n, sizeof(words));
      for (std::uint64_t w : words) h = (h ^ w) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
      return h;
    }
  };
  struct Arc {
    std::int32_t target;
    double weight;
    Edit edit;
    int fired, features[4];
  };

  static double add(double a, double b) {
    const double top = std::max(a, b), low = std::min(a, b);
    return low == -std::numeric_limits<double>::infinity() ? top : top + std::log1p(std::exp(low - top));
  }
  bool final(const Node& n) const {
    return n.mode == normal && n.i == pair_->reference && n.j == pair_->hypothesis;
  }

  void build(const EditPair& pair) {
    pair_ = &pair;
    nodes_.clear(), arcs_.clear(), sums_.clear(), known_.clear();
    first_.assign(1, 0);
    dependency_.clear();
    for (int d = 0; d < pair.dependency_count; ++d) {
      const SharedDependency& s = pair.dependencies[d];
      dependency_[{s.reference, s.hypothesis}] = s.label;
    }
    visit(Node{normal, 0, 0, -1, -1, -1, -1, 0, -1, -1, -1, 0});
  }

  void visit_move(const Node& from, std::vector<Arc>& arcs, int state, int a, int b, Node to) {
    to.last = static_cast<std::int16_t>(state);
    if (options_.windowed(*pair_)) {
      const int own = to.side == 0 ? to.j : to.i, other = to.side == 0 ? to.i : to.j;
      const int w = options_.jump_window;
      if (to.mode == jumped && (own > to.land + w || other > to.origin + w)) return;
      if (to.mode == returned && other > (to.done ? to.first : to.origin) + w) return;
    }
    Arc arc{visit(to), 0.0, {state, from.i, from.j, to.i, to.j}, 0, {}};
    arc.features[arc.fired++] = state_features + state;
    arc.features[arc.fired++] =
        from.last < 0 ? start_features + state : step_features + from.last * edit_states + state;
    const auto seam = [&](int i, int j) {
      if (const auto found = dependency_.find({i, j}); found != dependency_.end()) {
        arc.features[arc.fired++] = dependency_features + found->second;
      }
    };
    if (is_substitution(state) && is_substitution(from.last)) seam(from.i, from.j);
    if (is_substitution(state) && a == 2 && b == 2) seam(from.i + 1, from.j + 1);
    for (int f = 0; f < arc.fired; ++f) arc.weight += weights_[arc.features[f]];
    arcs.push_back(arc);
  }

  std::int32_t visit(const Node& n) {
    if (const auto found = known_.find(n); found != known_.end()) return found->second;
    std::vector<Arc> arcs;
    const int r = pair_->reference, s = pair_->hypothesis;
    const bool back = n.mode == returned;
    if (back && (n.side == 0 ? n.j : n.i) == n.land) {
      Node to{normal, n.i, n.j, -1, -1, -1, -1, 0, -1, -1, 0, 0};
      (n.side == 0 ? to.j : to.i) = n.end;
      visit_move(n, arcs, jump_end, 0, 0, to);
    } else {
      const int last_i = back && n.side == 1 ? n.land : r, last_j = back && n.side == 0 ? n.land : s;
      const bool free = n.mode == normal || (n.done && (back || options_.free_jumped));
      for (const Substitution* e = pair_->substitutions; e != pair_->substitutions + pair_->substitution_count; ++e) {
        if (e->reference != n.i || e->hypothesis != n.j) continue;
        if (n.i + e->reference_words > last_i || n.j + e->hypothesis_words > last_j) continue;
        Node to = n;
        to.i += e->reference_words, to.j += e->hypothesis_words;
        if (n.mode != normal) to.done = 1;
        if (back && !n.done) to.first = n.side == 0 ? n.i : n.j;
        visit_move(n, arcs, first_substitution + e->label, e->reference_words, e->hypothesis_words, to);
      }
      for (int size = 1; size <= options_.edit_block; ++size) {
        Node to = n;
        to.j += size;
        if ((free || (back && n.side == 1)) && to.j <= last_j) visit_move(n, arcs, insert_state, 0, size, to);
        to = n, to.i += size;
        if ((free || (back && n.side == 0)) && to.i <= last_i) visit_move(n, arcs, delete_state, size, 0, to);
      }
      const bool may_jump = n.mode == normal && (n.last >= 0 || options_.jump_first) &&
                            (n.last != jump_end || options_.jump_after_jump);
      for (int side = 0; may_jump && side < 2; ++side) {
        for (int distance = 1; distance <= options_.max_jump; ++distance) {
          Node to{jumped, n.i, n.j, static_cast<std::int16_t>(side), side == 0 ? n.j : n.i, 0, -1, 0,
                  side == 0 ? n.i : n.j, -1, 0, 0};
          to.land = (side == 0 ? to.j : to.i) += distance;
          if (to.i < r && to.j < s) visit_move(n, arcs, jump_forward, 0, 0, to);
        }
      }
      if (n.mode == jumped && n.done) {
        Node to = n;
        to.mode = returned, to.done = 0, to.end = n.side == 0 ? n.j : n.i;
        (n.side == 0 ? to.j : to.i) = n.start;
        visit_move(n, arcs, jump_back, 0, 0, to);
      }
    }
    double sum = final(n) ? 0.0 : -std::numeric_limits<double>::infinity();
    for (const Arc& arc : arcs) sum = add(sum, arc.weight + sums_[arc.target]);
    const auto number = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back(n), sums_.push_back(sum);
    arcs_.insert(arcs_.end(), arcs.begin(), arcs.end());
    first_.push_back(arcs_.size());
    known_.emplace(n, number);
    return number;
  }

  const double* weights_;
  MachineOptions options_;
  const EditPair* pair_ = nullptr;
  std::map<std::pair<int, int>, int> dependency_;
  std::vector<Node> nodes_;
  std::vector<double> sums_;
  std::vector<Arc> arcs_;
  std::vector<std::size_t> first_;
  std::unordered_map<Node, std::int32_t, Hash> known_;
};

}  // namespace metaphrase
