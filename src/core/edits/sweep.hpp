// One sweep over a part of the grid: the sums over all ways to come to each cell with each last edit
// (Wang & Manning, EMNLP 2012, Eq. 1 and 2 without Z; METRICS 6.5).
//
// Three things are sweeps: the edits outside jumps (over the whole grid), phase A (from the cell of its first
// substitution), and phase B from its first substitution on (over a few lines of the transposed grid). Insert
// and delete have a value in every cell; substitutions only where there are nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "edits/table.hpp"
#include "edits/vectors.hpp"
#include "edits/weights.hpp"

namespace metaphrase::edits {

// Expected counts of steps, still to be multiplied by the factor of the step and divided by the whole sum.
template <class Number>
struct StepCounts {
  Number step[edit_states + 1][edit_states] = {};
  Number dependency[1 + dependency_labels] = {};  // these are multiplied already
};

// Lines and positions that a sweep covers: up to `wide_line` all positions to `last_position`, then those to
// `narrow_position`, which is not larger.
struct SweepArea {
  int first_line, last_line, first_position, last_position;
  int wide_line, narrow_position;

  int width(int line) const {
    return (line <= wide_line ? last_position : narrow_position) - first_position + 1;
  }
};

template <class Number>
class Sweep {
  // Nodes and edges that lie in the area, with their place in the line.
  struct LocalNode {
    int place, state, number;
  };
  struct LocalEdge {
    int place, number;
  };

 public:
  // `jumps`: sequences also come in by ends of jumps. `dense`: there are inserts and deletes.
  void open(const EditTable& table, const EditWeights<Number>& weights, const SweepArea& area, bool jumps,
            bool dense) {
    table_ = &table;
    weights_ = &weights;
    area_ = area;
    planes_ = jumps ? 3 : 2;
    dense_ = dense;
    stride_ = padded(area.last_position - area.first_position + 1) + 4;
    const std::size_t need = static_cast<std::size_t>(lines()) * planes_ * stride_;
    if (values_.size() < need) values_.resize(need);
    if (sums_.size() < static_cast<std::size_t>(stride_)) sums_.resize(stride_);
    first_node_ = table.first_node[area.first_line];
    node_count_ = table.first_node[area.last_line + 1] - first_node_;
    gather();
    if (jumps) {
      for (int line = area.first_line; line <= area.last_line; ++line) clear(jump(line), stride_);
    }
  }

  void open_back() {
    const std::size_t need = static_cast<std::size_t>(lines()) * planes_ * stride_;
    if (adjoints_.size() < need) adjoints_.resize(need);
    std::fill_n(adjoints_.begin(), need, Number{});
    if (node_adjoints_.size() < node_values_.size()) node_adjoints_.resize(node_values_.size());
    for (int n = 0; n < node_begin_[lines()]; ++n) node_adjoints_[local_nodes_[n].number] = Number{};
  }

  const SweepArea& area() const { return area_; }
  const EditTable& table() const { return *table_; }
  bool dense() const { return dense_; }
  // Nodes that sweeps have looked at so far, for those who check that they leave out what is far away.
  std::size_t looked_at() const { return looked_at_; }
  Number* along(int line) { return plane(values_, line, 0); }
  Number* cross(int line) { return plane(values_, line, 1); }
  Number* jump(int line) { return plane(values_, line, 2); }
  Number* jump_adjoint(int line) { return plane(adjoints_, line, 2); }
  Number& node(int n) { return node_values_[n - first_node_]; }
  bool holds(const EditEdge& e) const {
    return e.to_line <= area_.last_line && e.to_position - area_.first_position < area_.width(e.to_line);
  }
  Number factor(const EditEdge& e) const {
    return weights_->words[e.words()] * weights_->dependency[e.inner];
  }

  // A first substitution from outside the area, with what comes before it.
  void enter(const EditEdge& e, Number before) {
    if (holds(e)) node(e.node) += before * factor(e);
  }
  // The sum over all that follows that first substitution, itself included.
  Number entered(const EditEdge& e, Number before, StepCounts<Number>& counts) {
    if (!holds(e)) return Number{};
    const Number value = factor(e) * node_adjoint(e.node);
    counts.dependency[e.inner] += before * value;
    return value;
  }

  // Everything in one line, after the lines before it; with `start`, all sequences begin in the first cell.
  void forward(int line, bool start = false) {
    const int width = padded(area_.width(line));
    Number *a = along(line), *c = cross(line);
    if (dense_) {
      if (line == area_.first_line) clear(c, width);
      for (int size = 1; size <= weights_->edit_block && line - size >= area_.first_line; ++size) {
        pull(c, line - size, size, width, start && line == size);
      }
      Number* t = sums_.data();
      set_product(t, c, factor_of(table_->cross, table_->along), width);
      if (planes_ == 3) add_product(t, jump(line), factor_of(jump_end, table_->along), width);
      for_nodes(line, [&](int state, int k, Number x) { t[k] += x * factor_of(state, table_->along); });
      if (start && line == 0) t[0] += factor_of(start_state, table_->along);
      run_edits(a, t, factor_of(table_->along, table_->along), weights_->second, weights_->edit_block,
                area_.width(line));
      clear(a + area_.width(line), width + 4 - area_.width(line));
    }
    for_edges(line, [&](const EditEdge& e, int k) { node(e.node) += before(e, k, a, c, start) * factor(e); });
  }

  // Sums at a jump that leaves this line: at every cell, or only right after edits that came to the line.
  void leave(int line, int state, bool only_arrived, Number* to) {
    const int width = padded(area_.width(line));
    if (dense_) {
      if (only_arrived) {
        set_product(to, cross(line), factor_of(table_->cross, state), width);
      } else {
        set_sum(to, along(line), factor_of(table_->along, state), cross(line),
                factor_of(table_->cross, state), width);
      }
    } else {
      clear(to, width);
    }
    if (planes_ == 3) add_product(to, jump(line), factor_of(jump_end, state), width);
    for_nodes(line, [&](int before, int k, Number x) { to[k] += x * factor_of(before, state); });
  }

  // The transposes of both, from the last line to the first. `leave_back` is called before `backward`.
  void leave_back(int line, int state, bool only_arrived, const Number* from, StepCounts<Number>& counts) {
    const int width = padded(area_.width(line));
    if (dense_) {
      if (!only_arrived) back(table_->along, state, from, along(line), along_adjoint(line), width, counts);
      back(table_->cross, state, from, cross(line), cross_adjoint(line), width, counts);
    }
    if (planes_ == 3) back(jump_end, state, from, jump(line), jump_adjoint(line), width, counts);
    for_nodes_back(line, state, from, counts);
  }

  void backward(int line, StepCounts<Number>& counts, bool start = false) {
    Number *a = along(line), *c = cross(line);
    for_edges(line, [&](const EditEdge& e, int k) { edge_back(e, k, line, start, counts); });
    if (!dense_) return;
    for (int size = 1; size <= weights_->edit_block && line + size <= area_.last_line; ++size) {
      pull_back(line, size, counts, start && line == 0);
    }
    const int width = padded(area_.width(line));
    const int state = table_->along;
    const Number* next = run_edits_back(along_adjoint(line), factor_of(state, state), weights_->second,
                                        weights_->edit_block, area_.width(line), sums_.data());
    counts.step[state][state] += dot(a, next, width);
    back(table_->cross, state, next, c, cross_adjoint(line), width, counts);
    if (planes_ == 3) back(jump_end, state, next, jump(line), jump_adjoint(line), width, counts);
    for_nodes_back(line, state, next, counts);
    if (start && line == 0) counts.step[start_state][state] += next[0];
  }

  // Seeds of the backward pass where sequences end: in the last cell.
  void finish_back() {
    const int line = area_.last_line, k = area_.last_position - area_.first_position;
    const Number one = weights_->dependency[0];
    along_adjoint(line)[k] += one;
    cross_adjoint(line)[k] += one;
    if (planes_ == 3) jump_adjoint(line)[k] += one;
    for (int n = table_->first_node[line]; n < table_->first_node[line + 1]; ++n) {
      if (table_->nodes[n].position == area_.last_position) node_adjoint(n) += one;
    }
  }

  // Calls work(state, place in the line, value) for the nodes of a line that lie in the area.
  template <class Work>
  void for_nodes(int line, Work&& work) {
    const int* first = node_begin_.data() + (line - area_.first_line);
    for (int n = first[0]; n < first[1]; ++n) {
      const LocalNode& at = local_nodes_[n];
      work(at.state, at.place, node_values_[at.number]);
    }
  }

 private:
  int lines() const { return area_.last_line - area_.first_line + 1; }
  Number* plane(std::vector<Number>& planes, int line, int which) {
    return planes.data() + (static_cast<std::size_t>(line - area_.first_line) * planes_ + which) * stride_;
  }
  Number* along_adjoint(int line) { return plane(adjoints_, line, 0); }
  Number* cross_adjoint(int line) { return plane(adjoints_, line, 1); }
  Number& node_adjoint(int n) { return node_adjoints_[n - first_node_]; }
  Number factor_of(int before, int state) const { return weights_->step[before][state]; }

  // Nodes and edges of a line are in the order of their positions, and the area is often a small part of a
  // long line of repeated words: what lies outside it is not even looked at.
  void gather() {
    const int last = area_.last_line - area_.first_line;
    node_begin_.resize(last + 2);
    edge_begin_.resize(last + 2);
    if (node_values_.size() < static_cast<std::size_t>(node_count_)) node_values_.resize(node_count_);
    std::size_t nodes = 0, edges = 0;
    for (int line = area_.first_line; line <= area_.last_line; ++line) {
      node_begin_[line - area_.first_line] = static_cast<int>(nodes);
      edge_begin_[line - area_.first_line] = static_cast<int>(edges);
      const int width = area_.width(line);
      const auto [node, node_end] = within(table_->nodes, table_->first_node, line, width);
      make_room(local_nodes_, nodes + (node_end - node) + 1);
      looked_at_ += static_cast<std::size_t>(node_end - node);
      for (int n = node; n < node_end; ++n) {
        const int place = table_->nodes[n].position - area_.first_position;
        node_values_[n - first_node_] = Number{};
        // Each is written and kept only if it lies in the area: a branch would be guessed wrong too often.
        local_nodes_[nodes] = {place, table_->nodes[n].state, n - first_node_};
        nodes += static_cast<unsigned>(place) < static_cast<unsigned>(width);
      }
      const auto [edge, edge_end] = within(table_->edges, table_->first_edge, line, width);
      make_room(local_edges_, edges + (edge_end - edge) + 1);
      for (int n = edge; n < edge_end; ++n) {
        const EditEdge& e = table_->edges[n];
        const int place = e.position - area_.first_position;
        local_edges_[edges] = {place, n};
        edges += static_cast<int>(place >= 0) & static_cast<int>(holds(e));
      }
    }
    node_begin_[last + 1] = static_cast<int>(nodes);
    edge_begin_[last + 1] = static_cast<int>(edges);
  }

  // Where the items of a line begin and end that may lie in the area; all of them if they are few, which are
  // looked at sooner than searched.
  template <class Item>
  std::pair<int, int> within(const std::vector<Item>& items, const std::vector<std::int32_t>& first, int line,
                             int width) const {
    const int begin = first[line], end = first[line + 1];
    if (end - begin <= 16) return {begin, end};
    const auto from = [&](int position) {
      const auto found = std::partition_point(items.begin() + begin, items.begin() + end,
                                              [&](const Item& item) { return item.position < position; });
      return static_cast<int>(found - items.begin());
    };
    return {from(area_.first_position), from(area_.first_position + width)};
  }

  template <class Item>
  static void make_room(std::vector<Item>& items, std::size_t size) {
    if (items.size() < size) items.resize(std::max(size, 2 * items.size()));
  }

  template <class Work>
  void for_edges(int line, Work&& work) {
    const int* first = edge_begin_.data() + (line - area_.first_line);
    for (int n = first[0]; n < first[1]; ++n)
      work(table_->edges[local_edges_[n].number], local_edges_[n].place);
  }

  // What the edges' factor is applied to: all ways to the cell, with the step to the edge's state.
  Number before(const EditEdge& e, int k, const Number* a, const Number* c, bool start) {
    Number value{};
    for (int n = e.before_begin; n < e.before_end; ++n) {
      value += node(n) * factor_of(table_->nodes[n].state, e.state);
    }
    value *= weights_->dependency[e.seam];
    if (dense_) value += a[k] * factor_of(table_->along, e.state) + c[k] * factor_of(table_->cross, e.state);
    if (planes_ == 3) value += jump(e.line)[k] * factor_of(jump_end, e.state);
    if (start && e.line == 0 && k == 0) value += factor_of(start_state, e.state);
    return value;
  }

  void edge_back(const EditEdge& e, int k, int line, bool start, StepCounts<Number>& counts) {
    const Number adjoint = node_adjoint(e.node) * factor(e);
    const int q = e.state;
    if (e.inner) counts.dependency[e.inner] += before(e, k, along(line), cross(line), start) * adjoint;
    const Number seam = adjoint * weights_->dependency[e.seam];
    for (int n = e.before_begin; n < e.before_end; ++n) {
      const int p = table_->nodes[n].state;
      const Number count = node(n) * seam;
      node_adjoint(n) += seam * factor_of(p, q);
      counts.step[p][q] += count;
      if (e.seam) counts.dependency[e.seam] += count * factor_of(p, q);
    }
    const auto one = [&](int p, const Number* x, Number* xa) {
      xa[k] += adjoint * factor_of(p, q);
      counts.step[p][q] += x[k] * adjoint;
    };
    if (dense_) {
      one(table_->along, along(line), along_adjoint(line));
      one(table_->cross, cross(line), cross_adjoint(line));
    }
    if (planes_ == 3) one(jump_end, jump(line), jump_adjoint(line));
    if (start && line == 0 && k == 0) counts.step[start_state][q] += adjoint;
  }

  // What one edit that crosses a line brings from `line`; one that crosses two is added.
  void pull(Number* to, int line, int size, int width, bool start) {
    const int state = table_->cross;
    const Number scale = size == 1 ? weights_->dependency[0] : weights_->second;
    if (size == 1) {
      set_sum(to, along(line), factor_of(table_->along, state), cross(line), factor_of(state, state), width);
    } else {
      add_sum(to, along(line), factor_of(table_->along, state) * scale, cross(line),
              factor_of(state, state) * scale, width);
    }
    if (planes_ == 3) add_product(to, jump(line), factor_of(jump_end, state) * scale, width);
    for_nodes(line, [&](int before, int k, Number x) {
      if (k < width) to[k] += x * (factor_of(before, state) * scale);
    });
    if (start) to[0] += factor_of(start_state, state) * scale;
  }

  void pull_back(int line, int size, StepCounts<Number>& counts, bool start) {
    const int state = table_->cross;
    const int width = padded(area_.width(line + size));
    const Number* from = cross_adjoint(line + size);
    if (size == 2) {
      set_product(sums_.data(), from, weights_->second, width);
      from = sums_.data();
    }
    back(table_->along, state, from, along(line), along_adjoint(line), width, counts);
    back(state, state, from, cross(line), cross_adjoint(line), width, counts);
    if (planes_ == 3) back(jump_end, state, from, jump(line), jump_adjoint(line), width, counts);
    for_nodes_back(line, state, from, counts, area_.width(line + size));
    if (start) counts.step[start_state][state] += from[0];
  }

  void back(int before, int state, const Number* from, const Number* x, Number* xa, int width,
            StepCounts<Number>& counts) {
    counts.step[before][state] += dot(x, from, width);
    add_product(xa, from, factor_of(before, state), width);
  }

  void for_nodes_back(int line, int state, const Number* from, StepCounts<Number>& counts) {
    for_nodes_back(line, state, from, counts, area_.width(line));
  }
  void for_nodes_back(int line, int state, const Number* from, StepCounts<Number>& counts, int width) {
    const int* first = node_begin_.data() + (line - area_.first_line);
    for (int n = first[0]; n < first[1]; ++n) {
      const LocalNode& at = local_nodes_[n];
      if (at.place >= width) break;
      node_adjoints_[at.number] += from[at.place] * factor_of(at.state, state);
      counts.step[at.state][state] += node_values_[at.number] * from[at.place];
    }
  }

  const EditTable* table_ = nullptr;
  const EditWeights<Number>* weights_ = nullptr;
  SweepArea area_{};
  int planes_ = 2, stride_ = 0, first_node_ = 0, node_count_ = 0;
  bool dense_ = true;
  std::size_t looked_at_ = 0;
  std::vector<Number> values_, adjoints_, node_values_, node_adjoints_, sums_;
  std::vector<LocalNode> local_nodes_;
  std::vector<LocalEdge> local_edges_;
  std::vector<int> node_begin_, edge_begin_;
};

}  // namespace metaphrase::edits
