// Maximum matchings of a bipartite graph, and which nodes every one of them needs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace metaphrase::covering {

// Augmenting paths by depth-first search, in phases: within a phase no right node is entered twice, so that a
// phase costs one pass over the edges; the matching is maximum when a phase finds no path.
template <class Graph>
class Matching {
 public:
  // Forgets everything; nodes are matched only after `grow` or `insert` names them.
  void start(const Graph& graph) {
    resize(graph);
    std::fill(left_mate.begin(), left_mate.end(), -1);
    std::fill(right_mate.begin(), right_mate.end(), -1);
    std::fill(free_cursor_.begin(), free_cursor_.end(), 0);
  }

  // The same where only these nodes will be named: what belongs to others may hold anything.
  void start(const Graph& graph, std::span<const std::int32_t> nodes) {
    resize(graph);
    for (const std::int32_t x : nodes) {
      left_mate[x] = -1;
      free_cursor_[x] = 0;
      std::int32_t cursor = 0;
      for (std::int32_t y = graph.next(x, cursor); y >= 0; y = graph.next(x, cursor)) right_mate[y] = -1;
    }
  }

  // A maximum matching of the nodes given and those matched before, which stay matched.
  void grow(std::span<const std::int32_t> nodes) {
    for (bool found = true; found;) {
      found = false;
      ++phase_;
      for (const std::int32_t x : nodes) {
        if (left_mate[x] < 0) found |= augment(x);
      }
    }
  }

  // Matches one node more, if that is possible without losing another. What a failed search has entered leads
  // nowhere for good, so it is only forgotten after a success.
  bool insert(std::int32_t x) {
    if (!augment(x)) return false;
    ++phase_;
    return true;
  }

  std::vector<std::int32_t> left_mate, right_mate;

 private:
  void resize(const Graph& graph) {
    graph_ = &graph;
    left_mate.resize(graph.left());
    free_cursor_.resize(graph.left());
    cursor_.resize(graph.left());
    right_mate.resize(graph.right());
    entered_.resize(graph.right());  // phases go on counting, so that old entries mean nothing
    ++phase_;
  }

  bool augment(std::int32_t root) {
    path_.assign(1, root);
    cursor_[root] = 0;
    while (!path_.empty()) {
      const std::int32_t x = path_.back();
      // Matched right nodes stay matched, so the search for a free one never has to go back.
      std::int32_t y = graph_->next(x, free_cursor_[x]);
      while (y >= 0 && right_mate[y] >= 0) y = graph_->next(x, free_cursor_[x]);
      if (y >= 0) {
        for (; !path_.empty(); path_.pop_back()) {
          std::swap(y, left_mate[path_.back()]);
          right_mate[left_mate[path_.back()]] = path_.back();
        }
        return true;
      }
      y = graph_->next(x, cursor_[x]);
      while (y >= 0 && entered_[y] == phase_) y = graph_->next(x, cursor_[x]);
      if (y < 0) {
        path_.pop_back();
        continue;
      }
      entered_[y] = phase_;
      path_.push_back(right_mate[y]);
      cursor_[path_.back()] = 0;
    }
    return false;
  }

  const Graph* graph_ = nullptr;
  std::vector<std::int32_t> free_cursor_, cursor_, path_;
  std::vector<std::uint64_t> entered_;
  std::uint64_t phase_ = 0;
};

// Marks which of the nodes given some maximum matching leaves out: those reached by alternating paths from a
// node that this one leaves out (Dulmage & Mendelsohn 1958).
template <class Graph>
void mark_dispensable(const Graph& graph, std::span<const std::int32_t> nodes,
                      const std::vector<std::int32_t>& left_mate, const std::vector<std::int32_t>& right_mate,
                      std::vector<std::uint8_t>& dispensable, std::vector<std::int32_t>& waiting) {
  dispensable.resize(graph.left());
  waiting.clear();
  for (const std::int32_t x : nodes) {
    dispensable[x] = left_mate[x] < 0;
    if (dispensable[x]) waiting.push_back(x);
  }
  while (!waiting.empty()) {
    const std::int32_t x = waiting.back();
    waiting.pop_back();
    std::int32_t cursor = 0;
    for (std::int32_t y = graph.next(x, cursor); y >= 0; y = graph.next(x, cursor)) {
      const std::int32_t mate = right_mate[y];
      if (mate < 0 || dispensable[mate]) continue;
      dispensable[mate] = 1;
      waiting.push_back(mate);
    }
  }
}

}  // namespace metaphrase::covering
