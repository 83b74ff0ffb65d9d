// The sum over all edit sequences of a pair, and its derivative: a sweep over the grid with the jumps of
// edits/jumps.hpp put in where they end.
#pragma once

#include <algorithm>
#include <vector>

#include "edits/jumps.hpp"
#include "edits/sweep.hpp"

namespace metaphrase::edits {

template <class Number>
class EditSums {
 public:
  EditSums(const EditWeights<Number>& weights, const MachineOptions& options)
      : weights_(weights), options_(options) {}

  Number forward(const EditPair& pair) {
    jumps_ = options_.max_jump > 0 && pair.substitution_count > 0;
    tables_[0].build(pair, false);
    if (jumps_) {
      tables_[1].build(pair, true);
      plan_.build(tables_[0], options_, pair);
      jumps_ = plan_.vector_size > 0;
    }
    grid_.open(tables_[0], weights_, {0, pair.reference, 0, pair.hypothesis, pair.reference, pair.hypothesis},
               jumps_, true);
    if (jumps_) {
      stride_ = padded(pair.hypothesis + 1) + 4;
      grow(launches_, static_cast<std::size_t>(pair.reference + 1) * stride_);
      grow(ends_, plan_.vector_size);
      grow(returns_, plan_.return_size);
      grow(joint_, std::max(pair.reference, pair.hypothesis) + 8);
      for_each_phase([&](int base) { phase_a(base); },
                     [&](int side, int head, int label) { phase_b(side, head, label); });
    }
    for (int line = 0; line <= pair.reference; ++line) {
      grid_.forward(line, true);
      if (!jumps_ || line == pair.reference) continue;
      grid_.leave(line, jump_forward, false, launch(line));
      if (line == 0) launch(0)[0] += weights_.step[start_state][jump_forward];
      for_heads_in(line, [&](int side, int head, int label) { join(side, head, label); });
    }
    return total(pair);
  }

  // Counts of the pair that `forward` was called with, to be scaled by its result.
  void backward(const EditPair& pair, StepCounts<Number>& counts) {
    grid_back(pair, counts);
    if (!jumps_) return;
    for_each_phase([&](int base) { phase_a_back(base, counts); },
                   [&](int side, int head, int label) { phase_b_back(side, head, label, counts); });
  }

 protected:
  void grid_back(const EditPair& pair, StepCounts<Number>& counts) {
    grid_.open_back();
    grid_.finish_back();
    if (jumps_) {
      launch_adjoints_.assign(static_cast<std::size_t>(pair.reference + 1) * stride_, Number{});
      end_adjoints_.assign(plan_.vector_size, Number{});
      return_adjoints_.assign(plan_.return_size, Number{});
      grow(joint_adjoints_, joint_.size());
    }
    for (int line = pair.reference; line >= 0; --line) {
      if (jumps_ && line < pair.reference) {
        for_heads_in(line, [&](int side, int head, int label) { join_back(side, head, label); });
        const Number* adjoint = launch_adjoints_.data() + static_cast<std::size_t>(line) * stride_;
        grid_.leave_back(line, jump_forward, false, adjoint, counts);
        if (line == 0) counts.step[start_state][jump_forward] += adjoint[0];
      }
      grid_.backward(line, counts, true);
    }
  }

  static void grow(std::vector<Number>& room, std::size_t size) {
    if (room.size() < size) room.resize(size);
  }

  Number total(const EditPair& pair) {
    const int line = pair.reference, place = pair.hypothesis;
    if (line == 0 && place == 0) return exponential<Number>(0.0);
    Number sum = grid_.along(line)[place] + grid_.cross(line)[place];
    if (jumps_) sum += grid_.jump(line)[place];
    grid_.for_nodes(line, [&](int, int k, Number value) {
      if (k == place) sum += value;
    });
    return sum;
  }

  Number* launch(int line) { return launches_.data() + static_cast<std::size_t>(line) * stride_; }
  Number step(int before, int state) const { return weights_.step[before][state]; }

  template <class Base, class Head>
  void for_each_phase(Base&& at_base, Head&& at_head) {
    for (int cell = 0; cell < static_cast<int>(plan_.cells.size()); ++cell) {
      if (plan_.places[0][cell].last_head >= 0 || plan_.places[1][cell].last_head >= 0) at_base(cell);
      for_labels(cell, [&](int side, int label) { at_head(side, cell, label); });
    }
  }

  // Calls work(side, label) for every head that a cell is.
  template <class Work>
  void for_labels(int cell, Work&& work) {
    for (int side = 0; side < 2; ++side) {
      if (plan_.places[side][cell].last_landing < 0) continue;
      for (int label = 0; label < substitution_labels; ++label) {
        if (plan_.cells[cell].states >> label & 1) work(side, label);
      }
    }
  }

  template <class Work>
  void for_heads_in(int line, Work&& work) {
    for (int n = plan_.first[0][line]; n < plan_.first[0][line + 1]; ++n) {
      const int cell = plan_.order[0][n];
      for_labels(cell, [&](int side, int label) { work(side, cell, label); });
    }
  }

  // The vectors G of a head, by landing.
  std::size_t returns_at(int side, int head, int label) const {
    const JumpPlace& place = plan_.places[side][head];
    const JumpCell& cell = plan_.cells[head];
    const int before = __builtin_popcount(cell.states & ((1 << label) - 1));
    const int landings = place.last_landing - cell.at[JumpPlan::own(side)];
    return place.returns + static_cast<std::size_t>(before) * landings * padded(place.returned);
  }
  Number* returns(int side, int head, int label) { return returns_.data() + returns_at(side, head, label); }

  // Phase A from a base, to all ends.
  SweepArea area_a(int base) const {
    const JumpPlace &h = plan_.places[hypothesis_side][base], &r = plan_.places[reference_side][base];
    const int line = plan_.cells[base].at[0], position = plan_.cells[base].at[1];
    SweepArea area{line + 1, h.last_head, position + 1, r.last_head, h.last_head, r.last_head};
    if (r.last_head >= 0) area.last_line = line + r.ends;
    if (h.last_head >= 0) area.last_position = position + h.ends;
    if (h.last_head < 0) area.wide_line = area.last_line;
    if (r.last_head < 0) area.narrow_position = area.last_position;
    return area;
  }

  Number* phase_plane(std::vector<Number>& room, int which, int line) {
    return room.data() + which * phase_size_ +
           static_cast<std::size_t>(line - phase_.area().first_line) * phase_stride_;
  }
  // At the jump back; after the deletes that follow it; after the inserts that follow it.
  Number* left(int line) { return phase_plane(phase_values_, 0, line); }
  Number* deleted(int line) { return phase_plane(phase_values_, 1, line); }
  Number* inserted(int line) { return phase_plane(phase_values_, 2, line); }
  Number* left_adjoint(int line) { return phase_plane(phase_adjoints_, 0, line); }
  Number* deleted_adjoint(int line) { return phase_plane(phase_adjoints_, 1, line); }
  Number* inserted_adjoint(int line) { return phase_plane(phase_adjoints_, 2, line); }

  void sweep_a(int base) {
    const JumpCell& cell = plan_.cells[base];
    const SweepArea area = area_a(base);
    phase_.open(tables_[0], weights_, area, false, options_.free_jumped);
    phase_stride_ = padded(area.last_position - area.first_position + 1) + 4;
    phase_size_ = static_cast<std::size_t>(area.last_line - area.first_line + 1) * phase_stride_;
    grow(phase_values_, 3 * phase_size_);
    grow(room_, phase_stride_);
    for (int n = cell.edge_begin[0]; n < cell.edge_end[0]; ++n) {
      phase_.enter(tables_[0].edges[n], step(jump_forward, tables_[0].edges[n].state));
    }
    for (int line = area.first_line; line <= area.last_line; ++line) {
      phase_.forward(line);
      phase_.leave(line, jump_back, false, left(line));
    }
    if (const int last = plan_.places[hypothesis_side][base].last_head; last >= 0) {
      const int width = padded(area.width(last));
      for (int line = area.first_line; line <= last; ++line) {
        clear(deleted(line), width);
        for (int size = 1; size <= options_.edit_block && line - size >= area.first_line; ++size) {
          const Number scale = size == 1 ? weights_.dependency[0] : weights_.second;
          add_sum(deleted(line), left(line - size), step(jump_back, delete_state) * scale,
                  deleted(line - size), step(delete_state, delete_state) * scale, width);
        }
      }
    }
    if (const int last = plan_.places[reference_side][base].last_head; last >= 0) {
      const int width = last - area.first_position + 1;
      for (int line = area.first_line; line <= area.last_line; ++line) {
        set_product(room_.data(), left(line), step(jump_back, insert_state), padded(width));
        run_edits(inserted(line), room_.data(), step(insert_state, insert_state), weights_.second,
                  options_.edit_block, width);
        clear(inserted(line) + width, padded(width) - width);
      }
    }
  }

  // Calls work(line or position of the heads, their state, where F begins).
  template <class Work>
  void for_vectors(int side, int base, Work&& work) const {
    const JumpPlace& place = plan_.places[side][base];
    for (int n = place.vector_begin; n < place.vector_end; ++n) {
      work(plan_.vectors[n].line, plan_.vectors[n].state, plan_.vectors[n].begin);
    }
  }

  void phase_a(int base) {
    sweep_a(base);
    const SweepArea& area = phase_.area();
    for_vectors(hypothesis_side, base, [&](int line, int state, std::size_t begin) {
      set_sum(ends_.data() + begin, left(line), step(jump_back, state), deleted(line),
              step(delete_state, state), padded(area.width(line)));
    });
    for_vectors(reference_side, base, [&](int position, int state, std::size_t begin) {
      const int k = position - area.first_position;
      const int lines = area.last_line - area.first_line + 1;
      const Number *l = left(area.first_line) + k, *i = inserted(area.first_line) + k;
      const Number from_jump = step(jump_back, state), from_insert = step(insert_state, state);
      Number* to = ends_.data() + begin;
      for (int n = 0; n < lines; ++n, l += phase_stride_, i += phase_stride_) {
        to[n] = *l * from_jump + *i * from_insert;
      }
      clear(to + lines, padded(lines) - lines);
    });
  }

  void phase_a_back(int base, StepCounts<Number>& counts) {
    sweep_a(base);
    phase_.open_back();
    const SweepArea& area = phase_.area();
    phase_adjoints_.assign(3 * phase_size_, Number{});
    for_vectors(hypothesis_side, base, [&](int line, int state, std::size_t begin) {
      const int width = padded(area.width(line));
      const Number* from = end_adjoints_.data() + begin;
      step_back(jump_back, state, from, left(line), left_adjoint(line), width, counts);
      step_back(delete_state, state, from, deleted(line), deleted_adjoint(line), width, counts);
    });
    for (int line = plan_.places[hypothesis_side][base].last_head; line > area.first_line; --line) {
      const int width = padded(area.width(line));
      for (int size = 1; size <= options_.edit_block && line - size >= area.first_line; ++size) {
        const Number* from = deleted_adjoint(line);
        if (size == 2) {
          set_product(room_.data(), from, weights_.second, width);
          from = room_.data();
        }
        const int above = line - size;
        step_back(jump_back, delete_state, from, left(above), left_adjoint(above), width, counts);
        step_back(delete_state, delete_state, from, deleted(above), deleted_adjoint(above), width, counts);
      }
    }
    if (const int last = plan_.places[reference_side][base].last_head; last >= 0) {
      for_vectors(reference_side, base, [&](int position, int state, std::size_t begin) {
        const int k = position - area.first_position;
        const int lines = area.last_line - area.first_line + 1;
        const Number *l = left(area.first_line) + k, *i = inserted(area.first_line) + k;
        Number *la = left_adjoint(area.first_line) + k, *ia = inserted_adjoint(area.first_line) + k;
        const Number from_jump = step(jump_back, state), from_insert = step(insert_state, state);
        const Number* from = end_adjoints_.data() + begin;
        Number jumped{}, inserts{};
        for (int n = 0, at = 0; n < lines; ++n, at += phase_stride_) {
          jumped += l[at] * from[n];
          inserts += i[at] * from[n];
          la[at] += from[n] * from_jump;
          ia[at] += from[n] * from_insert;
        }
        counts.step[jump_back][state] += jumped;
        counts.step[insert_state][state] += inserts;
      });
      const int width = last - area.first_position + 1;
      for (int line = area.first_line; line <= area.last_line; ++line) {
        const Number* from = run_edits_back(inserted_adjoint(line), step(insert_state, insert_state),
                                            weights_.second, options_.edit_block, width, room_.data());
        counts.step[insert_state][insert_state] += dot(inserted(line), from, padded(width));
        step_back(jump_back, insert_state, from, left(line), left_adjoint(line), padded(width), counts);
      }
    }
    for (int line = area.last_line; line >= area.first_line; --line) {
      phase_.leave_back(line, jump_back, false, left_adjoint(line), counts);
      phase_.backward(line, counts);
    }
    const JumpCell& cell = plan_.cells[base];
    for (int n = cell.edge_begin[0]; n < cell.edge_end[0]; ++n) {
      const EditEdge& e = tables_[0].edges[n];
      counts.step[jump_forward][e.state] += phase_.entered(e, step(jump_forward, e.state), counts);
    }
  }

  void step_back(int before, int state, const Number* from, const Number* x, Number* xa, int width,
                 StepCounts<Number>& counts) {
    counts.step[before][state] += dot(x, from, width);
    add_product(xa, from, step(before, state), width);
  }

  // Phase B from its first substitution, to every landing.
  void sweep_b(int side, int head, int label) {
    const JumpCell& cell = plan_.cells[head];
    const JumpPlace& place = plan_.places[side][head];
    const int own = JumpPlan::own(side), first = cell.at[own] + 1,
              position = cell.at[JumpPlan::other(side)] + 1;
    const int last = position + place.returned - 1;
    phase_.open(tables_[own], weights_, {first, place.last_landing, position, last, place.last_landing, last},
                false, true);
    for_entries(side, head, label, [&](const EditEdge& e) { phase_.enter(e, weights_.dependency[0]); });
    for (int line = first; line <= place.last_landing; ++line) phase_.forward(line);
  }

  template <class Work>
  void for_entries(int side, int head, int label, Work&& work) {
    const int own = JumpPlan::own(side);
    const JumpCell& cell = plan_.cells[head];
    for (int n = cell.edge_begin[own]; n < cell.edge_end[own]; ++n) {
      const EditEdge& e = tables_[own].edges[n];
      if (e.state == label + first_substitution) work(e);
    }
  }

  void phase_b(int side, int head, int label) {
    sweep_b(side, head, label);
    Number* to = returns(side, head, label);
    for (int line = phase_.area().first_line; line <= phase_.area().last_line; ++line) {
      phase_.leave(line, jump_end, true, to);
      to += padded(plan_.places[side][head].returned);
    }
  }

  void phase_b_back(int side, int head, int label, StepCounts<Number>& counts) {
    sweep_b(side, head, label);
    phase_.open_back();
    const int width = padded(plan_.places[side][head].returned);
    const Number* from = return_adjoints_.data() + returns_at(side, head, label);
    for (int line = phase_.area().last_line; line >= phase_.area().first_line; --line) {
      phase_.leave_back(line, jump_end, true, from + (line - phase_.area().first_line) * width, counts);
      phase_.backward(line, counts);
    }
    for_entries(side, head, label,
                [&](const EditEdge& e) { phase_.entered(e, weights_.dependency[0], counts); });
  }

  // Where a launch for a base and a head stands: the head's own position, the base's other one.
  std::size_t launch_at(int side, int head, int base) const {
    const int *h = plan_.cells[head].at, *b = plan_.cells[base].at;
    const int line = side == hypothesis_side ? b[0] : h[0], position = side == hypothesis_side ? h[1] : b[1];
    return static_cast<std::size_t>(line) * stride_ + position;
  }

  // Calls work(landing, number of ends, where G begins) with the sum over bases in joint_.
  template <class Work>
  void for_landings(int side, int head, int label, Work&& work) {
    const JumpPlace& place = plan_.places[side][head];
    const int line = plan_.cells[head].at[JumpPlan::other(side)];
    const int start = plan_.cells[head].at[JumpPlan::own(side)];
    std::size_t at = returns_at(side, head, label);
    for (int landing = start + 1; landing <= place.last_landing; ++landing, at += padded(place.returned)) {
      int ends = 0;
      plan_.for_bases(side, head, landing, [&](int base) {
        if (ends == 0) {
          ends = plan_.places[side][base].ends;
          clear(joint_.data(), padded(ends));
        }
        const std::size_t begin = plan_.vector_of(side, base, line, label);
        add_product(joint_.data(), ends_.data() + begin, launches_[launch_at(side, head, base)],
                    padded(ends));
      });
      if (ends > 0) work(landing, ends, at);
    }
  }

  // Puts the outer products of a head where its jumps end, and takes their derivatives.
  void join(int side, int head, int label) {
    const JumpPlace& place = plan_.places[side][head];
    const int from = plan_.cells[head].at[JumpPlan::other(side)] + 1;
    for_landings(side, head, label, [&](int landing, int ends, std::size_t at) {
      const Number* g = returns_.data() + at;
      if (side == hypothesis_side) {
        for (int k = 0; k < place.returned; ++k) {
          add_product(grid_.jump(from + k) + landing + 1, joint_.data(), g[k], padded(ends));
        }
      } else {
        for (int k = 0; k < ends; ++k) {
          add_product(grid_.jump(landing + 1 + k) + from, g, joint_[k], padded(place.returned));
        }
      }
    });
  }

  void join_back(int side, int head, int label) {
    const JumpPlace& place = plan_.places[side][head];
    const int line = plan_.cells[head].at[JumpPlan::other(side)], from = line + 1;
    for_landings(side, head, label, [&](int landing, int ends, std::size_t at) {
      const Number* g = returns_.data() + at;
      Number *ga = return_adjoints_.data() + at, *ja = joint_adjoints_.data();
      clear(ja, padded(ends));
      if (side == hypothesis_side) {
        for (int k = 0; k < place.returned; ++k) {
          const Number* adjoint = grid_.jump_adjoint(from + k) + landing + 1;
          ga[k] += dot(joint_.data(), adjoint, padded(ends));
          add_product(ja, adjoint, g[k], padded(ends));
        }
        clear(ja + ends, padded(ends) - ends);
      } else {
        for (int k = 0; k < ends; ++k) {
          const Number* adjoint = grid_.jump_adjoint(landing + 1 + k) + from;
          ja[k] += dot(g, adjoint, padded(place.returned));
          add_product(ga, adjoint, joint_[k], padded(place.returned));
        }
        clear(ga + place.returned, padded(place.returned) - place.returned);
      }
      plan_.for_bases(side, head, landing, [&](int base) {
        const std::size_t begin = plan_.vector_of(side, base, line, label);
        const std::size_t start = launch_at(side, head, base);
        launch_adjoints_[start] += dot(ja, ends_.data() + begin, padded(ends));
        add_product(end_adjoints_.data() + begin, ja, launches_[start], padded(ends));
      });
    });
  }

  const EditWeights<Number>& weights_;
  MachineOptions options_;
  bool jumps_ = false;
  EditTable tables_[2];  // plain and transposed
  JumpPlan plan_;
  Sweep<Number> grid_, phase_;
  int stride_ = 0, phase_stride_ = 0;
  std::size_t phase_size_ = 0;
  std::vector<Number> launches_, ends_, returns_, joint_;
  std::vector<Number> launch_adjoints_, end_adjoints_, return_adjoints_, joint_adjoints_;
  std::vector<Number> phase_values_, phase_adjoints_, room_;
};

}  // namespace metaphrase::edits
