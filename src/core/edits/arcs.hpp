// How many arcs of a pair's trellis each feature fires on: arcs are (position, previous state, state), met in
// some complete sequence, once in whatever phase of whatever jump.
//
// Insert, delete and substitutions have the same arcs in phases as outside, so only the arcs of jumps need a
// look at phases. These are swept with truth values: what is reached from the start and from the end is on a
// sequence.
#pragma once

#include <cstdint>
#include <vector>

#include "edits/sums.hpp"

namespace metaphrase::edits {

class EditArcs : private EditSums<Reached> {
 public:
  using EditSums<Reached>::EditSums;

  // Adds to `counts`, one for each feature.
  void count(const EditPair& pair, std::int64_t* counts) {
    const int width = pair.hypothesis + 1;
    width_ = width;
    forward(pair);
    next_.assign(static_cast<std::size_t>(pair.reference + 1) * width, {});
    landing_.assign(pair.substitution_count, 0);
    returning_.assign(pair.substitution_count, 0);
    if (jumps_) mark_jumps(pair);
    int edge = 0;
    for (int i = 0; i <= pair.reference; ++i) {
      for (int j = 0; j < width; ++j) {
        unsigned before = 0;
        if (i == 0 && j == 0) before |= 1u << start_state;
        if (j > 0) before |= 1u << insert_state;
        if (i > 0) before |= 1u << delete_state;
        if (jumps_ && grid_.jump(i)[j].yes) before |= 1u << jump_end;
        grid_.for_nodes(i, [&](int state, int k, Reached) {
          if (k == j) before |= 1u << state;
        });
        const Marks& marks = next_[i * width + j];
        if (j + 1 < width) steps(before | marks.inserted, insert_state, counts);
        if (i < pair.reference) steps(before | marks.deleted, delete_state, counts);
        unsigned jumping = marks.launched ? before : 0;
        if (!options_.jump_first) jumping &= ~(1u << start_state);
        if (!options_.jump_after_jump) jumping &= ~(1u << jump_end);
        steps(jumping, jump_forward, counts);
        steps(marks.before_back, jump_back, counts);
        steps(marks.before_end, jump_end, counts);
        const int end = edge_end(edge, i, j);
        substitutions(edge, end, before, counts);
        edge = end;
      }
    }
  }

 private:
  // What the phases of jumps do in a cell: states that come before the second and the third jump; insert and
  // delete after the second; whether a first jump may start.
  struct Marks {
    unsigned before_back = 0, before_end = 0, inserted = 0, deleted = 0;
    bool launched = false;
  };

  int edge_end(int edge, int i, int j) const {
    const auto& edges = tables_[0].edges;
    const int count = static_cast<int>(edges.size());
    while (edge < count && edges[edge].line == i && edges[edge].position == j) ++edge;
    return edge;
  }

  static void step(int before, int state, std::int64_t* counts) {
    ++counts[state_features + state];
    ++counts[before == start_state ? start_features + state : step_features + before * edit_states + state];
  }
  static void steps(unsigned before, int state, std::int64_t* counts) {
    for (int p = 0; p <= edit_states; ++p) {
      if (before >> p & 1) step(p, state, counts);
    }
  }

  // Edges of one cell: those of one state are one arc for each state before; a dependency fires on it once.
  void substitutions(int begin, int end, unsigned before, std::int64_t* counts) const {
    for (int state = first_substitution; state < jump_forward; ++state) {
      for (int p = 0; p <= edit_states; ++p) {
        bool met = false;
        unsigned dependencies = 0;
        for (int n = begin; n < end; ++n) {
          const EditEdge& e = tables_[0].edges[n];
          if (e.state != state) continue;
          if (!((before >> p & 1) || (p == jump_forward && landing_[n]) ||
                (p == jump_back && returning_[n]))) {
            continue;
          }
          met = true;
          dependencies |= 1u << e.inner | 1u << (is_substitution(p) ? e.seam : 0);
        }
        if (met) step(p, state, counts);
        for (int d = 0; d < dependency_labels; ++d) {
          counts[dependency_features + d] += dependencies >> (d + 1) & 1;
        }
      }
    }
  }

  Marks& marks(int side, int own, int other) {
    return side == hypothesis_side ? next_[other * width_ + own] : next_[own * width_ + other];
  }

  void mark_jumps(const EditPair& pair) {
    StepCounts<Reached> unused;
    grid_back(pair, unused);
    for (int i = 0; i < pair.reference; ++i) {
      for (int j = 0; j < pair.hypothesis; ++j) {
        const std::size_t at = static_cast<std::size_t>(i) * stride_ + j;
        next_[i * width_ + j].launched = launch_adjoints_[at].yes;
      }
    }
    for_each_phase(
        [&](int base) {
          phase_a_back(base, unused);
          mark_phase_a(base);
        },
        [&](int side, int head, int label) {
          phase_b_back(side, head, label, unused);
          mark_phase_b(side, head, label);
        });
  }

  // States in a cell of the last sweep.
  template <class Work>
  void for_states(int line, bool only_arrived, Work&& work) {
    const SweepArea& area = phase_.area();
    const EditTable& table = phase_.table();
    if (phase_.dense()) {
      for (int k = 0; k < area.width(line); ++k) {
        if (!only_arrived && phase_.along(line)[k].yes) work(k, table.along);
        if (phase_.cross(line)[k].yes) work(k, table.cross);
      }
    }
    phase_.for_nodes(line, [&](int state, int k, Reached value) {
      if (value.yes) work(k, state);
    });
  }

  void mark_phase_a(int base) {
    const SweepArea& area = phase_.area();
    const JumpCell& cell = plan_.cells[base];
    StepCounts<Reached> unused;
    for (int n = cell.edge_begin[0]; n < cell.edge_end[0]; ++n) {
      if (phase_.entered(tables_[0].edges[n], {true}, unused).yes) landing_[n] = 1;
    }
    for (int line = area.first_line; line <= area.last_line; ++line) {
      for_states(line, false, [&](int k, int state) {
        if (left_adjoint(line)[k].yes)
          next_[line * width_ + area.first_position + k].before_back |= 1u << state;
      });
    }
    // What follows the jump back, head by head: a head is met at once or after a run of deletes (inserts).
    for (int side = 0; side < 2; ++side) {
      plan_.for_heads(side, base, [&](int head) { mark_head(side, base, head); });
    }
  }

  void mark_head(int side, int base, int head) {
    const int own = JumpPlan::own(side), other = JumpPlan::other(side);
    const JumpCell &from = plan_.cells[base], &to = plan_.cells[head];
    if (!launches_[launch_at(side, head, base)].yes) return;
    bool passable = false;
    const bool at_once = leaves_at(side, base, to.at[other]);
    for (int n = to.edge_begin[0]; n < to.edge_end[0]; ++n) {
      const EditEdge& e = tables_[0].edges[n];
      const int ends[2] = {e.to_line, e.to_position};
      if (ends[own] > from.at[own] || ends[other] - to.at[other] > plan_.places[side][head].returned)
        continue;
      passable = true;
      if (at_once) returning_[n] = 1;
    }
    if (!passable) return;
    for (int place = from.at[other] + 1; place < to.at[other]; ++place) {
      if (!leaves_at(side, base, place)) continue;
      Marks& found = marks(side, to.at[own], place);
      (side == hypothesis_side ? found.deleted : found.inserted) |= 1u << jump_back;
    }
  }

  // Whether phase A of the last sweep can end at this place of the side that does not jump.
  bool leaves_at(int side, int base, int place) {
    const JumpPlace& here = plan_.places[side][base];
    const SweepArea& area = phase_.area();
    for (int k = 0; k < here.ends; ++k) {
      if (side == hypothesis_side ? left(place)[k].yes
                                  : left(area.first_line + k)[place - area.first_position].yes) {
        return true;
      }
    }
    return false;
  }

  void mark_phase_b(int side, int head, int label) {
    const SweepArea& area = phase_.area();
    const int width = padded(plan_.places[side][head].returned);
    const Reached* adjoint = return_adjoints_.data() + returns_at(side, head, label);
    for (int line = area.first_line; line <= area.last_line; ++line, adjoint += width) {
      for_states(line, true, [&](int k, int state) {
        if (adjoint[k].yes) marks(side, line, area.first_position + k).before_end |= 1u << state;
      });
    }
  }

  int width_ = 0;
  std::vector<Marks> next_;
  std::vector<char> landing_, returning_;  // edges that follow the first, the second jump
};

}  // namespace metaphrase::edits
