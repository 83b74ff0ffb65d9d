// Maximum-gain flow from rows through hubs to columns, in integers: the transportation problem of bags whose
// edges are too many to list.
//
// A hub stands for a reason why a row and a column are similar, with the gain of that reason; rows and
// columns are joined to their hubs. gain(x, y) is the largest gain of a hub that both touch. Flow through a
// lesser hub is allowed and never better, so the optimum is that of the transportation problem.
//
// The method is the one of bags/masks.hpp with a price p_h per hub: dual feasibility is u_x + p_h >= gain_h
// and p_h <= v_y. At each level theta a maximum flow on the tight arcs is found by Dinic's blocking flows;
// then the set reached from rows with supply left has u lowered and p, v raised by 1. Gains are integers of
// at most 2n, so there are at most 2n maximum flows.
//
// Within a level, what cannot be reached from supply or cannot reach demand stays so: an augmenting path
// opens arcs between its own nodes only. So each phase searches just what was alive in the phase before,
// which soon is little.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "bags/ngram_bags.hpp"

namespace metaphrase::bags {

// Compressed lists: item i owns values[offsets[i]] to values[offsets[i + 1] - 1].
struct Lists {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> values;

  std::size_t size() const { return offsets.size() - 1; }
  std::pair<std::int64_t, std::int64_t> range(std::int32_t item) const {
    return {offsets[item], offsets[item + 1]};
  }
  void close() { offsets.push_back(static_cast<std::int64_t>(values.size())); }
};

struct HubProblem {
  std::vector<std::int64_t> supply, demand;
  Lists row_hubs, column_hubs;     // the hubs that each row and column touches
  std::vector<std::uint8_t> gain;  // of each hub
};

class HubFlow {
 public:
  explicit HubFlow(const HubProblem& problem) : problem_(problem) {
    rows_ = static_cast<std::int32_t>(problem.supply.size());
    hubs_ = static_cast<std::int32_t>(problem.gain.size());
    columns_ = static_cast<std::int32_t>(problem.demand.size());
    build_arcs();
  }

  // The optimum, sum of gain * flow. With `check` it is certified.
  std::int64_t solve(bool check) {
    int theta = 0;
    dual_.assign(nodes(), 0);
    for (std::int32_t x = 0; x < rows_; ++x) {
      for (std::int64_t e = problem_.row_hubs.offsets[x]; e < problem_.row_hubs.offsets[x + 1]; ++e) {
        dual_[x] = std::max(dual_[x], static_cast<std::int8_t>(problem_.gain[problem_.row_hubs.values[e]]));
      }
      theta = std::max<int>(theta, dual_[x]);
    }
    flow_.assign(problem_.row_hubs.values.size() + problem_.column_hubs.values.size(), 0);
    carrying_.assign(flow_.size() / 64 + 1, 0);
    supply_left_ = problem_.supply;
    demand_left_ = problem_.demand;
    depth_.assign(nodes(), dead);
    reached_.assign(nodes(), 0);
    next_.resize(nodes());
    for (; theta > 0; --theta) {
      reach_everything(theta);
      if (layer()) {
        do {
          block();
          // Narrowing pays while the set shrinks; what was reached before still holds all that is reached
          // now.
          if (4 * alive_.size() < 3 * queue_.size()) reach_among_alive();
        } while (layer());
        reach_everything(theta);
      }
      for (const std::int32_t node : queue_) {
        if (node < rows_) {
          --dual_[node];
        } else {
          ++dual_[node];
        }
        reached_[node] = 0;
      }
    }
    std::int64_t value = 0;
    for (std::int32_t x = 0; x < rows_; ++x) value += problem_.supply[x] * dual_[x];
    for (std::int32_t y = 0; y < columns_; ++y) value += problem_.demand[y] * dual_[first_column() + y];
    if (check) certify(value);
    return value;
  }

 private:
  // Nodes are numbered rows, hubs, columns; an arc leads forward if its end has the larger number, else it
  // takes back the flow of its edge.
  struct Arc {
    std::int32_t to;
    std::int32_t edge;
  };

  static constexpr std::int32_t dead = -2;  // not one less than any depth

  std::int32_t nodes() const { return rows_ + hubs_ + columns_; }
  std::int32_t first_column() const { return rows_ + hubs_; }

  void build_arcs() {
    const std::vector<std::int32_t>& row_hubs = problem_.row_hubs.values;
    const std::vector<std::int32_t>& column_hubs = problem_.column_hubs.values;
    start_.assign(nodes() + 1, 0);
    for (std::int32_t x = 0; x < rows_; ++x) {
      start_[x + 1] = problem_.row_hubs.offsets[x + 1] - problem_.row_hubs.offsets[x];
    }
    for (std::int32_t y = 0; y < columns_; ++y) {
      start_[first_column() + y + 1] = problem_.column_hubs.offsets[y + 1] - problem_.column_hubs.offsets[y];
    }
    for (const std::int32_t hub : row_hubs) ++start_[rows_ + hub + 1];
    for (const std::int32_t hub : column_hubs) ++start_[rows_ + hub + 1];
    for (std::int32_t node = 0; node < nodes(); ++node) start_[node + 1] += start_[node];

    arcs_.resize(start_.back());
    next_.assign(start_.begin(), start_.end() - 1);
    // Columns first, so that a hub tries its columns before it takes flow back from rows.
    const auto row_edges = static_cast<std::int32_t>(row_hubs.size());
    for (std::int32_t y = 0; y < columns_; ++y) {
      for (std::int64_t e = problem_.column_hubs.offsets[y]; e < problem_.column_hubs.offsets[y + 1]; ++e) {
        link(rows_ + column_hubs[e], first_column() + y, row_edges + static_cast<std::int32_t>(e));
      }
    }
    for (std::int32_t x = 0; x < rows_; ++x) {
      for (std::int64_t e = problem_.row_hubs.offsets[x]; e < problem_.row_hubs.offsets[x + 1]; ++e) {
        link(x, rows_ + row_hubs[e], static_cast<std::int32_t>(e));
      }
    }
  }

  void link(std::int32_t from, std::int32_t to, std::int32_t edge) {
    arcs_[next_[from]++] = {to, edge};
    arcs_[next_[to]++] = {from, edge};
  }

  bool open(std::int32_t from, const Arc& arc) const {
    if (arc.to < from) return carrying_[arc.edge >> 6] >> (arc.edge & 63) & 1;
    if (from < rows_) return dual_[from] + dual_[arc.to] == problem_.gain[arc.to - rows_];
    return dual_[from] == dual_[arc.to];
  }

  bool is_sink(std::int32_t node) const {
    return node >= first_column() && demand_left_[node - first_column()] > 0;
  }

  // Rows whose best gain is below theta have no tight arc yet; their dual, that gain, tells them apart.
  void reach_everything(int theta) {
    forget();
    for (std::int32_t x = 0; x < rows_; ++x) {
      if (supply_left_[x] > 0 && dual_[x] == theta) queue_.push_back(x);
    }
    reach([](std::int32_t) { return true; });
  }

  void reach_among_alive() {
    forget();
    for (const std::int32_t node : alive_) {
      if (node < rows_ && supply_left_[node] > 0) queue_.push_back(node);
    }
    reach([&](std::int32_t node) { return depth_[node] != dead; });
  }

  void forget() {
    for (const std::int32_t node : queue_) reached_[node] = 0;
    queue_.clear();
  }

  // Completes `queue_`, which starts as the rows with supply left, by all that they reach among the admitted.
  template <class Admit>
  void reach(Admit&& admit) {
    sources_.assign(queue_.begin(), queue_.end());
    for (const std::int32_t node : queue_) reached_[node] = 1;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::int32_t node = queue_[head];
      for (std::int64_t a = start_[node]; a < start_[node + 1]; ++a) {
        const Arc& arc = arcs_[a];
        if (reached_[arc.to] || !admit(arc.to) || !open(node, arc)) continue;
        reached_[arc.to] = 1;
        queue_.push_back(arc.to);
      }
    }
  }

  // Of what was reached, finds all that reaches a column with demand left, and how far it is. True if
  // supply does.
  bool layer() {
    for (const std::int32_t node : alive_) depth_[node] = dead;
    alive_.clear();
    for (const std::int32_t node : queue_) {
      if (!is_sink(node)) continue;
      depth_[node] = 0;
      alive_.push_back(node);
    }
    for (std::size_t head = 0; head < alive_.size(); ++head) {
      const std::int32_t node = alive_[head];
      for (std::int64_t a = start_[node]; a < start_[node + 1]; ++a) {
        const std::int32_t from = arcs_[a].to;
        if (!reached_[from] || depth_[from] != dead || !open(from, {node, arcs_[a].edge})) continue;
        depth_[from] = depth_[node] + 1;
        alive_.push_back(from);
      }
    }
    return std::any_of(sources_.begin(), sources_.end(),
                       [&](std::int32_t x) { return depth_[x] != dead && supply_left_[x] > 0; });
  }

  // A blocking flow down the layers: depth-first, and no arc is looked at again once it has failed.
  void block() {
    for (const std::int32_t node : alive_) next_[node] = start_[node];
    for (const std::int32_t source : sources_) {
      if (depth_[source] == dead) continue;
      while (supply_left_[source] > 0 && advance(source)) push(source);
    }
  }

  // Extends `path_` from the source to a column with demand left, one layer down at each step.
  bool advance(std::int32_t source) {
    path_.clear();
    std::int32_t node = source;
    while (!is_sink(node)) {
      std::int64_t& a = next_[node];
      while (a < start_[node + 1] && !(depth_[arcs_[a].to] == depth_[node] - 1 && open(node, arcs_[a]))) ++a;
      if (a < start_[node + 1]) {
        path_.push_back(a);
        node = arcs_[a].to;
      } else if (path_.empty()) {
        return false;
      } else {
        path_.pop_back();
        node = path_.empty() ? source : arcs_[path_.back()].to;
        ++next_[node];
      }
    }
    return true;
  }

  void push(std::int32_t source) {
    std::int64_t& demand = demand_left_[arcs_[path_.back()].to - first_column()];
    std::int64_t amount = std::min(supply_left_[source], demand);
    std::int32_t node = source;
    for (const std::int64_t a : path_) {
      if (arcs_[a].to < node) amount = std::min(amount, flow_[arcs_[a].edge]);
      node = arcs_[a].to;
    }
    supply_left_[source] -= amount;
    demand -= amount;
    node = source;
    for (const std::int64_t a : path_) {
      const std::int32_t edge = arcs_[a].edge;
      flow_[edge] += arcs_[a].to < node ? -amount : amount;
      const std::uint64_t bit = std::uint64_t{1} << (edge & 63);
      carrying_[edge >> 6] = flow_[edge] > 0 ? carrying_[edge >> 6] | bit : carrying_[edge >> 6] & ~bit;
      node = arcs_[a].to;
    }
  }

  // Checks feasibility of both solutions and that their values agree, all in integers.
  void certify(std::int64_t value) const {
    bool sound = true;
    std::int64_t primal = 0;
    std::vector<std::int64_t> balance(hubs_, 0);
    const std::int64_t row_edges = static_cast<std::int64_t>(problem_.row_hubs.values.size());
    for (std::int32_t x = 0; x < rows_; ++x) {
      std::int64_t sent = 0;
      for (std::int64_t e = problem_.row_hubs.offsets[x]; e < problem_.row_hubs.offsets[x + 1]; ++e) {
        const std::int32_t hub = problem_.row_hubs.values[e];
        sent += flow_[e];
        balance[hub] += flow_[e];
        primal += flow_[e] * problem_.gain[hub];
        sound = sound && flow_[e] >= 0 && dual_[x] + dual_[rows_ + hub] >= problem_.gain[hub];
      }
      sound = sound && sent <= problem_.supply[x] && dual_[x] >= 0;
    }
    for (std::int32_t y = 0; y < columns_; ++y) {
      const std::int8_t dual = dual_[first_column() + y];
      std::int64_t received = 0;
      for (std::int64_t e = problem_.column_hubs.offsets[y]; e < problem_.column_hubs.offsets[y + 1]; ++e) {
        const std::int32_t hub = problem_.column_hubs.values[e];
        const std::int64_t flow = flow_[row_edges + e];
        received += flow;
        balance[hub] -= flow;
        sound = sound && flow >= 0 && dual_[rows_ + hub] <= dual;
      }
      sound = sound && received <= problem_.demand[y] && dual >= 0;
    }
    for (const std::int64_t rest : balance) sound = sound && rest == 0;
    if (!sound || primal != value) throw CertificateError("the hub solver's optimum has no certificate");
  }

  const HubProblem& problem_;
  std::int32_t rows_ = 0, hubs_ = 0, columns_ = 0;
  std::vector<std::int64_t> start_;
  std::vector<Arc> arcs_;
  std::vector<std::int64_t> flow_;       // of each edge: row to hub, then hub to column
  std::vector<std::uint64_t> carrying_;  // a bit per edge: has it flow? The search then stays in cache.
  std::vector<std::int64_t> supply_left_, demand_left_;
  std::vector<std::int8_t> dual_;
  std::vector<std::int32_t> queue_, sources_;  // what supply reaches, and the rows where it starts
  std::vector<std::uint8_t> reached_;
  std::vector<std::int32_t> alive_, depth_;  // what also reaches demand, and in how many arcs
  std::vector<std::int64_t> next_, path_;
};

}  // namespace metaphrase::bags
