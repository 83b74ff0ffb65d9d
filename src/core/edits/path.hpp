// The best edit sequence of a pair: the sums of edits/sums.hpp with the larger score in place of a sum,
// followed back from the end. Phases of jumps are swept again when the path goes through them.
//
// Of equally good ways to a cell, the one by the first state wins that a substitution (by its label), insert,
// delete, the end of a jump, or the start is; of edits of one state, the shortest.
#pragma once

#include <algorithm>
#include <vector>

#include "edits/sums.hpp"

namespace metaphrase::edits {

class BestPath : private EditSums<BestScore> {
 public:
  using EditSums<BestScore>::EditSums;

  // The score; the edits are appended.
  double find(const EditPair& pair, std::vector<Edit>& edits) {
    const BestScore best = forward(pair);
    edits_.clear();
    Cell at{pair.reference, pair.hypothesis};
    int state = best_state(grid_, at, -1).state;
    while (state != start_state && state >= 0) {
      if (state == jump_end) {
        state = follow_jump(at);
      } else {
        state = follow_edit(grid_, at, state, BestScore{});
      }
    }
    edits.insert(edits.end(), edits_.rbegin(), edits_.rend());
    return best.score;
  }

 private:
  struct Cell {
    int line, position;
  };
  struct Choice {
    int state = -1;
    BestScore score{};
    void offer(int other, BestScore value) {
      if (value.score > score.score) *this = {other, value};
    }
  };
  static constexpr int entered_state = -2;

  BestScore step_to(int before, int state) const {
    return state < 0 ? weights_.dependency[0] : step(before, state);
  }

  // The state that a path to a cell ends with if an edit of state `next` follows, or nothing if that is -1.
  Choice best_state(Sweep<BestScore>& sweep, Cell at, int next, int seam = 0, bool only_arrived = false) {
    Choice choice;
    const SweepArea& area = sweep.area();
    const int k = at.position - area.first_position;
    if (at.line < area.first_line || k < 0) return choice;
    sweep.for_nodes(at.line, [&](int state, int place, BestScore value) {
      if (place == k) choice.offer(state, value * step_to(state, next) * weights_.dependency[seam]);
    });
    const EditTable& table = sweep.table();
    if (sweep.dense()) {
      const BestScore along = sweep.along(at.line)[k], cross = sweep.cross(at.line)[k];
      const bool first = table.along == insert_state;  // inserts before deletes, in either table
      for (const bool inside : {first, !first}) {
        if (inside && only_arrived) continue;
        const int state = inside ? table.along : table.cross;
        choice.offer(state, (inside ? along : cross) * step_to(state, next));
      }
    }
    if (&sweep == &grid_) {
      if (jumps_) choice.offer(jump_end, sweep.jump(at.line)[k] * step_to(jump_end, next));
      if (at.line == 0 && at.position == 0) {
        choice.offer(start_state, next < 0 ? weights_.dependency[0] : step(start_state, next));
      }
    }
    return choice;
  }

  // Takes the last edit, of this state, off the path to a cell; the result is the state before it. `entry` is
  // what the step into a phase's first substitution scores.
  int follow_edit(Sweep<BestScore>& sweep, Cell& at, int state, BestScore entry) {
    const EditTable& table = sweep.table();
    Choice best;
    Cell from = at;
    const auto offer = [&](Cell cell, Choice before, BestScore factor) {
      if (before.score.score + factor.score > best.score.score) {
        best = {before.state, before.score * factor};
        from = cell;
      }
    };
    if (is_substitution(state)) {
      for (int n = table.first_edge[std::max(0, at.line - 2)]; n < table.first_edge[at.line]; ++n) {
        const EditEdge& e = table.edges[n];
        if (e.to_line != at.line || e.to_position != at.position || e.state != state) continue;
        const Cell cell{e.line, e.position};
        const SweepArea& area = sweep.area();
        if (e.line == area.first_line - 1 && e.position == area.first_position - 1) {
          offer(cell, {entered_state, entry}, sweep.factor(e));
        } else {
          offer(cell, best_state(sweep, cell, state, e.seam), sweep.factor(e));
        }
      }
    } else {
      for (int size = 1; size <= options_.edit_block; ++size) {
        const Cell cell =
            state == table.along ? Cell{at.line, at.position - size} : Cell{at.line - size, at.position};
        if (cell.line < sweep.area().first_line || cell.position < sweep.area().first_position) break;
        offer(cell, best_state(sweep, cell, state), size == 1 ? weights_.dependency[0] : weights_.second);
      }
    }
    add(&table == &tables_[1], state, from, at);
    at = from;
    return best.state;
  }

  void add(bool transposed, int state, Cell from, Cell to) {
    if (transposed) {
      std::swap(from.line, from.position);
      std::swap(to.line, to.position);
    }
    edits_.push_back({state, from.line, from.position, to.line, to.position});
  }

  struct Jump {
    int side, head, label, landing, base;
  };

  // Takes a whole jump off the path to a cell; the result is the state before it.
  int follow_jump(Cell& at) {
    const Jump jump = best_jump(at);
    const int side = jump.side;
    const bool on_hypothesis = side == hypothesis_side;
    const int *head = plan_.cells[jump.head].at, *base = plan_.cells[jump.base].at;
    const int own = JumpPlan::own(side), other = JumpPlan::other(side);
    const int end[2] = {at.line, at.position};
    // A cell by its places along the side that jumps and along the other.
    const auto cell = [&](int on_own, int on_other) {
      return on_hypothesis ? Cell{on_other, on_own} : Cell{on_own, on_other};
    };
    add(false, jump_end, cell(jump.landing, end[other]), at);

    sweep_b(side, jump.head, jump.label);
    Cell in{jump.landing, end[other]};
    int state = best_state(phase_, in, jump_end, 0, true).state;
    while (state >= 0) state = follow_edit(phase_, in, state, weights_.dependency[0]);

    // Deletes (inserts) between the jump back and the head.
    sweep_a(jump.base);
    const int run = on_hypothesis ? delete_state : insert_state;
    const auto left_at = [&](int on_other) {
      const Cell c = cell(end[own], on_other);
      return left(c.line)[c.position - phase_.area().first_position];
    };
    const auto run_at = [&](int on_other) {
      const Cell c = cell(end[own], on_other);
      return (on_hypothesis ? deleted(c.line) : inserted(c.line))[c.position - phase_.area().first_position];
    };
    int place = head[other];
    bool running = (run_at(place) * step(run, jump.label + first_substitution)).score >
                   (left_at(place) * step(jump_back, jump.label + first_substitution)).score;
    while (running) {
      Choice best;
      int from = place;
      for (int size = 1; size <= options_.edit_block && place - size > base[other]; ++size) {
        const BestScore scale = size == 1 ? weights_.dependency[0] : weights_.second;
        const BestScore before = best.score;
        best.offer(0, left_at(place - size) * step(jump_back, run) * scale);
        best.offer(1, run_at(place - size) * step(run, run) * scale);
        if (best.score.score > before.score) from = place - size;
      }
      add(false, run, cell(head[own], from), cell(head[own], place));
      place = from;
      running = best.state == 1;
    }
    add(false, jump_back, cell(end[own], place), cell(head[own], place));

    in = cell(end[own], place);
    state = best_state(phase_, in, jump_back).state;
    while (state >= 0) {
      state = follow_edit(phase_, in, state, step(jump_forward, state));
    }
    at = cell(head[own], base[other]);
    add(false, jump_forward, at, {base[0], base[1]});
    return best_state(grid_, at, jump_forward).state;
  }

  // The jump that gives the end of jumps in a cell its score.
  Jump best_jump(Cell at) {
    Jump found{};
    BestScore best{};
    const int end[2] = {at.line, at.position};
    for (int head = 0; head < static_cast<int>(plan_.cells.size()); ++head) {
      for_labels(head, [&](int side, int label) {
        const JumpPlace& place = plan_.places[side][head];
        const int own = JumpPlan::own(side), other = JumpPlan::other(side);
        const int line = plan_.cells[head].at[other], returned = end[other] - line - 1;
        if (returned < 0 || returned >= place.returned) return;
        for (int landing = plan_.cells[head].at[own] + 1; landing <= place.last_landing; ++landing) {
          const int ended = end[own] - landing - 1;
          if (ended < 0) break;
          const int before = landing - plan_.cells[head].at[own] - 1;
          const BestScore g = returns(side, head, label)[before * padded(place.returned) + returned];
          plan_.for_bases(side, head, landing, [&](int base) {
            if (ended >= plan_.places[side][base].ends) return;
            const std::size_t begin = plan_.vector_of(side, base, line, label);
            const BestScore score = launches_[launch_at(side, head, base)] * ends_[begin + ended] * g;
            if (score.score > best.score) {
              best = score;
              found = {side, head, label, landing, base};
            }
          });
        }
      });
    }
    return found;
  }

  std::vector<Edit> edits_;  // from the last to the first
};

}  // namespace metaphrase::edits
