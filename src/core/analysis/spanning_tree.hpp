// The best dependency tree with one word at the root (Chu and Liu 1965, Edmonds 1967).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace metaphrase::analysis {

// Scores of heads: scores[(dependent - 1) * (words + 1) + head], heads from 0, the root; whole numbers, so
// that sums are exact. Ties go to the lower head. Reuses its memory from call to call.
class TreeFinder {
 public:
  // heads[dependent - 1] of the tree with the largest sum among those with exactly one word at the root.
  void find(const std::int32_t* scores, std::size_t words, std::int32_t* heads) {
    if (words == 0) return;
    const std::size_t width = words + 1;
    for (std::size_t d = 1; d < width; ++d) {
      const std::int32_t* row = scores + (d - 1) * width;
      std::size_t best = d == 1 && words > 1 ? 2 : 1;
      if (words == 1) best = 0;
      for (std::size_t h = 0; h < width; ++h) {
        if (h != d && (row[h] > row[best] || (row[h] == row[best] && h < best))) best = h;
      }
      heads[d - 1] = static_cast<std::int32_t>(best);
    }
    if (!is_tree(heads, words)) contract(scores, words, heads);
  }

  // Whether following heads from every word ends at the root, which has one word.
  bool is_tree(const std::int32_t* heads, std::size_t words) {
    state_.assign(words + 1, 0);  // 0: not seen, 1: on the path, 2: leads to the root
    state_[0] = 2;
    std::size_t roots = 0;
    for (std::size_t d = 1; d <= words; ++d) {
      roots += heads[d - 1] == 0;
      std::size_t at = d;
      while (state_[at] == 0) {
        state_[at] = 1;
        at = heads[at - 1];
      }
      if (state_[at] == 1) return false;
      for (at = d; state_[at] == 1; at = heads[at - 1]) state_[at] = 2;
    }
    return roots == 1;
  }

 private:
  static constexpr std::int64_t never = INT64_MIN / 4;

  // A penalty on arcs from the root that no other scores can outweigh leaves one of them, since all arcs are
  // possible. Then cycles are contracted until none is left, and opened again in reverse order.
  void contract(const std::int32_t* scores, std::size_t words, std::int32_t* heads) {
    const std::size_t width = words + 1, most = 2 * width;
    std::int64_t penalty = 1;
    const auto [low, high] = std::minmax_element(scores, scores + words * width);
    penalty += (static_cast<std::int64_t>(*high) - *low) * static_cast<std::int64_t>(width);
    weight_.assign(width * width,
                   never);        // weight_[dependent * width + head], among the nodes that stand for others
    from_.resize(width * width);  // which arc of the sentence that is: dependent * width + head
    for (std::size_t d = 1; d < width; ++d) {
      for (std::size_t h = 0; h < width; ++h) {
        if (h == d) continue;
        weight_[d * width + h] = scores[(d - 1) * width + h] - (h == 0 ? penalty : 0);
        from_[d * width + h] = static_cast<std::uint32_t>(d * width + h);
      }
    }
    // Every node of the sentence is in a nest of contracted ones; `slot` is the row that stands for a node
    // now.
    parent_.assign(most, 0);
    node_of_slot_.resize(width);
    alive_.assign(width, 1);
    arc_of_node_.assign(most, 0);
    for (std::size_t i = 0; i < width; ++i) node_of_slot_[i] = i;
    std::size_t nodes = width;
    choice_.assign(width, 0);
    for (;;) {
      for (std::size_t d = 1; d < width; ++d) {
        if (!alive_[d]) continue;
        std::size_t best = 0;
        for (std::size_t h = 0; h < width; ++h) {
          if (alive_[h] && h != d && weight_[d * width + h] > weight_[d * width + best]) best = h;
        }
        choice_[d] = best;
        arc_of_node_[node_of_slot_[d]] = from_[d * width + best];
      }
      const std::size_t start = find_cycle(width);
      if (start == 0) break;
      merge(start, width, nodes++);
    }
    expand(width, nodes, heads);
  }

  // A slot on a cycle of choices, or 0.
  std::size_t find_cycle(std::size_t width) {
    state_.assign(width, 0);
    state_[0] = 2;
    for (std::size_t d = 1; d < width; ++d) {
      if (!alive_[d]) continue;
      std::size_t at = d;
      while (state_[at] == 0) {
        state_[at] = 1;
        at = choice_[at];
      }
      if (state_[at] == 1) return at;
      for (at = d; state_[at] == 1; at = choice_[at]) state_[at] = 2;
    }
    return 0;
  }

  // The cycle through `start` becomes one node, which takes that slot. An arc into it costs the arc it
  // breaks.
  void merge(std::size_t start, std::size_t width, std::size_t node) {
    cycle_.clear();
    std::size_t at = start;
    do {
      cycle_.push_back(at);
      at = choice_[at];
    } while (at != start);
    broken_.clear();
    for (const std::size_t slot : cycle_) {
      broken_.push_back(weight_[slot * width + choice_[slot]]);
      parent_[node_of_slot_[slot]] = node;
      alive_[slot] = 0;
    }
    for (std::size_t h = 0; h < width; ++h) {
      if (!alive_[h]) continue;
      std::int64_t into = never, out = never;
      std::uint32_t into_from = 0, out_from = 0;
      for (std::size_t i = 0; i < cycle_.size(); ++i) {
        const std::size_t slot = cycle_[i];
        if (const std::int64_t w = weight_[slot * width + h] - broken_[i]; into_from == 0 || w > into) {
          into = w;
          into_from = from_[slot * width + h];
        }
        if (h > 0 && (out_from == 0 || weight_[h * width + slot] > out)) {
          out = weight_[h * width + slot];
          out_from = from_[h * width + slot];
        }
      }
      weight_[start * width + h] = into;
      from_[start * width + h] = into_from;
      if (h > 0) {
        weight_[h * width + start] = out;
        from_[h * width + start] = out_from;
      }
    }
    alive_[start] = 1;
    node_of_slot_[start] = node;
  }

  // From the last contraction to the first: the arc into a node decides which of its parts is entered there.
  void expand(std::size_t width, std::size_t nodes, std::int32_t* heads) {
    std::fill(heads, heads + width - 1, -1);
    for (std::size_t node = nodes; node-- > 1;) {
      const std::size_t dependent = arc_of_node_[node] / width, head = arc_of_node_[node] % width;
      if (heads[dependent - 1] >= 0) continue;  // entered by the arc of a node around it
      // Of the nodes around the dependent, the one next below this arc's own is entered by this arc as well.
      heads[dependent - 1] = static_cast<std::int32_t>(head);
      for (std::size_t inner = dependent; inner != node && inner != 0; inner = parent_[inner]) {
        arc_of_node_[inner] = arc_of_node_[node];
      }
    }
  }

  std::vector<std::uint8_t> state_, alive_;
  std::vector<std::int64_t> weight_, broken_;
  std::vector<std::uint32_t> from_, arc_of_node_;
  std::vector<std::size_t> parent_, node_of_slot_, choice_, cycle_;
};

}  // namespace metaphrase::analysis
