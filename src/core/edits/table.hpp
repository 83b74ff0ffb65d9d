// The substitutions of a pair in the order in which a sweep meets them.
//
// A sweep goes over the grid of positions line by line. In the plain table a line is a number of consumed
// words of the reference; in the transposed table, of the hypothesis. Substitutions are *edges* between two
// cells; all edges of one state that end in one cell lead to one *node*, because what follows depends on no
// more than that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "edits/pair.hpp"

namespace metaphrase::edits {

struct EditEdge {
  std::int32_t line, position, to_line, to_position;
  std::int32_t state;
  std::int32_t node = 0;                          // where it leads
  std::int32_t before_begin = 0, before_end = 0;  // nodes in the cell where it starts
  std::int32_t seam = 0;                          // 1 + the dependency shared across that cell, or 0
  std::int32_t inner = 0;                         // 1 + the one shared inside a block of two by two, or 0

  int words() const { return to_line - line + to_position - position; }
};

struct EditNode {
  std::int32_t line, position, state;
};

class EditTable {
 public:
  int lines = 0, positions = 0;  // words of either side: the grid has one more of each
  int along = insert_state;      // the edit that consumes a word inside a line
  int cross = delete_state;      // the edit that leads to the next line

  std::vector<EditEdge> edges;                       // by the cell where they start
  std::vector<EditNode> nodes;                       // by their cell, then state
  std::vector<std::int32_t> first_edge, first_node;  // of each line

  void build(const EditPair& pair, bool transposed) {
    lines = transposed ? pair.hypothesis : pair.reference;
    positions = transposed ? pair.reference : pair.hypothesis;
    along = transposed ? delete_state : insert_state;
    cross = transposed ? insert_state : delete_state;
    edges.resize(pair.substitution_count);
    for (int n = 0; n < pair.substitution_count; ++n) {
      const Substitution& s = pair.substitutions[n];
      const int to_reference = s.reference + s.reference_words;
      const int to_hypothesis = s.hypothesis + s.hypothesis_words;
      const int state = first_substitution + s.label;
      edges[n] = transposed ? EditEdge{s.hypothesis, s.reference, to_hypothesis, to_reference, state}
                            : EditEdge{s.reference, s.hypothesis, to_reference, to_hypothesis, state};
    }
    if (transposed) {
      // Stable, so that edges of one cell stay in their order by size and label.
      std::stable_sort(edges.begin(), edges.end(), [](const EditEdge& a, const EditEdge& b) {
        return cell(a.line, a.position) < cell(b.line, b.position);
      });
    }
    make_nodes();
    find_dependencies(pair, transposed);
    index(edges, first_edge);
    index(nodes, first_node);
  }

 private:
  static std::uint64_t cell(int line, int position) {
    return static_cast<std::uint64_t>(line) << 24 | static_cast<std::uint64_t>(position);
  }

  void make_nodes() {
    order_.resize(edges.size());
    for (std::size_t n = 0; n < edges.size(); ++n) {
      const EditEdge& e = edges[n];
      order_[n] = {cell(e.to_line, e.to_position) << 8 | static_cast<std::uint64_t>(e.state),
                   static_cast<std::int32_t>(n)};
    }
    std::sort(order_.begin(), order_.end());
    nodes.clear();
    std::uint64_t last = ~std::uint64_t{0};
    for (const auto& [key, n] : order_) {
      EditEdge& e = edges[n];
      if (key != last) nodes.push_back({e.to_line, e.to_position, e.state});
      last = key;
      e.node = static_cast<std::int32_t>(nodes.size()) - 1;
    }
    std::int32_t begin = 0, end = 0;
    for (EditEdge& e : edges) {
      const std::uint64_t here = cell(e.line, e.position);
      const auto count = static_cast<std::int32_t>(nodes.size());
      while (begin < count && cell(nodes[begin].line, nodes[begin].position) < here) ++begin;
      end = std::max(end, begin);
      while (end < count && cell(nodes[end].line, nodes[end].position) == here) ++end;
      e.before_begin = begin;
      e.before_end = end;
    }
  }

  void find_dependencies(const EditPair& pair, bool transposed) {
    if (pair.dependency_count == 0) return;
    dependencies_.assign(pair.dependencies, pair.dependencies + pair.dependency_count);
    const auto before = [](const SharedDependency& a, const SharedDependency& b) {
      return cell(a.reference, a.hypothesis) < cell(b.reference, b.hypothesis);
    };
    if (transposed) {
      for (SharedDependency& d : dependencies_) std::swap(d.reference, d.hypothesis);
      std::sort(dependencies_.begin(), dependencies_.end(), before);
    }
    const auto at = [&](int line, int position) {
      const SharedDependency wanted{line, position, 0};
      const auto found = std::lower_bound(dependencies_.begin(), dependencies_.end(), wanted, before);
      return found != dependencies_.end() && !before(wanted, *found) ? found->label + 1 : 0;
    };
    for (EditEdge& e : edges) {
      if (e.before_begin < e.before_end) e.seam = at(e.line, e.position);
      if (e.to_line - e.line == 2 && e.to_position - e.position == 2)
        e.inner = at(e.line + 1, e.position + 1);
    }
  }

  template <class Item>
  void index(const std::vector<Item>& items, std::vector<std::int32_t>& first) const {
    first.resize(lines + 2);
    std::int32_t n = 0;
    for (int line = 0; line <= lines + 1; ++line) {
      while (n < static_cast<std::int32_t>(items.size()) && items[n].line < line) ++n;
      first[line] = n;
    }
  }

  std::vector<std::pair<std::uint64_t, std::int32_t>> order_;
  std::vector<SharedDependency> dependencies_;
};

}  // namespace metaphrase::edits
