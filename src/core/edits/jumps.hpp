// The jumps that a pair allows: which substitutions can begin phase A, which phase B, and which go together
// (Wang & Manning, EMNLP 2012, section 2.2; METRICS 6.4 and 6.5).
//
// Phase A begins with a substitution at the landing, its *base*; phase B's first substitution is its *head*.
// For a jump on the hypothesis's side the base is in cell (i0, l), the head in (i1, c) with c < l <= c + d,
// where c is the word at which the jump starts, and i1 > i0. On the reference's side the head is above the
// base and to its right. Both sides share the phase A of a base: it does not know where the jump came from.
// With F the sums over phase A and what comes before the head (a vector over the ends of phase A), G those
// over phase B from the head to the landing (a vector over the positions of the side that did not jump) and L
// the sum at the start,
//
//     sum at the ends of jumps  +=  (sum over bases of L * F) x G       for every head and landing.
//
// F and G depend on no sum outside jumps, and the outer product costs a few dozen operations for each of its
// few rows; that makes the whole much cheaper than carrying a jump's memory through the grid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "edits/table.hpp"
#include "edits/vectors.hpp"

namespace metaphrase::edits {

enum JumpSide { hypothesis_side, reference_side };

// A cell where substitutions start.
struct JumpCell {
  int at[2];                       // the word of the reference, of the hypothesis
  int edge_begin[2], edge_end[2];  // in the plain and in the transposed table
  int states = 0;                  // a bit for each label
};

// A vector F: the line of its heads and their state, and where it begins.
struct JumpVector {
  int line, state;
  std::size_t begin;
};

// How a cell serves jumps of one side, as a base and as a head.
struct JumpPlace {
  int last_head = -1;     // as a base: the last line of the other side in which one of its heads lies,
  int ends = 0;           // how many ends phase A may have,
  std::size_t heads = 0;  // where the numbers of its vectors F begin, label by label for each such line,
  int vector_begin = 0, vector_end = 0;  // and which they are
  int last_landing = -1;                 // as a head: the last landing that a base of it has,
  std::size_t returns = 0;               // where its vectors G begin, landing by landing,
  int returned = 0;                      // and how many places phase B may come to
};

class JumpPlan {
 public:
  // Several times what two ordinary sentences of 150 words need; sums over more would take many seconds.
  static constexpr std::size_t most_numbers = std::size_t{1} << 24;

  std::vector<JumpCell> cells;        // by line of the plain table
  std::vector<int> order[2];          // cells by line of the plain, of the transposed table
  std::vector<int> first[2];          // where each line begins in `order`
  std::vector<JumpPlace> places[2];   // for each side
  std::vector<JumpVector> vectors;    // those of one base and side are neighbours
  std::vector<std::int32_t> numbers;  // of vectors by line and label, -1 for none
  std::size_t vector_size = 0, return_size = 0;

  // The jumps of a pair, within a window if it is long. Where sentences are so repetitive that the vectors of
  // all jumps would be too many, the window is halved until they are not, in the end until there is no jump.
  void build(const EditTable& plain, const MachineOptions& options, const EditPair& pair) {
    find_cells(plain);
    max_jump_ = options.max_jump;
    const int lengths[2] = {plain.lines, plain.positions};
    limited_ = options.windowed(pair);
    window_ = limited_ ? options.jump_window : no_window;
    while (!find_vectors(lengths)) {
      window_ = limited_ ? window_ / 2 : options.jump_window;
      limited_ = true;
    }
  }

  // Whether some jumps were left out.
  bool limited() const { return limited_; }

  // Whether no pair of these lengths and so many substitutions can have too many vectors. It is rough, and
  // saves most pairs from being planned only to learn that all their jumps are there.
  static bool surely_few(const EditPair& pair, int max_jump) {
    double numbers = 0.0;
    for (const auto& [own, other] :
         {std::pair{pair.reference, pair.hypothesis}, std::pair{pair.hypothesis, pair.reference}}) {
      const double lines = double{substitution_labels} * other;
      const double vectors = std::min<double>(lines, pair.substitution_count) * padded(own);
      const double returns = double{substitution_labels} * std::min(max_jump, own) * padded(other);
      numbers += pair.substitution_count * (lines + vectors + returns);
    }
    return numbers <= static_cast<double>(most_numbers);
  }

  // The dimension of `at` that jumps of a side move along, and the other one.
  static int own(int side) { return side == hypothesis_side ? 1 : 0; }
  static int other(int side) { return side == hypothesis_side ? 0 : 1; }

  // Where the vector F begins of a base and its heads in a line with a label.
  std::size_t vector_of(int side, int base, int line, int label) const {
    const std::size_t heads = places[side][base].heads;
    return vectors[numbers[heads + (line - cells[base].at[other(side)] - 1) * substitution_labels + label]]
        .begin;
  }

  // Calls work(base) for the bases at a landing that a head goes with.
  template <class Work>
  void for_bases(int side, int head, int landing, Work&& work) const {
    const int limit = cells[head].at[other(side)];
    for (int n = first_from(side, landing, limit - window_); n < first[own(side)][landing + 1]; ++n) {
      const int base = order[own(side)][n];
      if (cells[base].at[other(side)] >= limit) break;
      work(base);
    }
  }

  // Calls work(head) for the heads that a base goes with.
  template <class Work>
  void for_heads(int side, int base, Work&& work) const {
    const int landing = cells[base].at[own(side)], line = cells[base].at[other(side)];
    for (int start = std::max(0, landing - max_jump_); start < landing; ++start) {
      for (int n = first_from(side, start, line + window_ + 1); n-- > first[own(side)][start];) {
        const int head = order[own(side)][n];
        if (cells[head].at[other(side)] <= line) break;
        work(head);
      }
    }
  }

 private:
  static constexpr int no_window = 1 << 29;

  // Where in `order` the cells of a line begin that lie at a position of the other side or behind it. Windows
  // are searched for, not walked to: a line of repeated words has thousands of cells.
  int first_from(int side, int line, int position) const {
    const auto begin = order[own(side)].begin();
    const auto found =
        std::lower_bound(begin + first[own(side)][line], begin + first[own(side)][line + 1], position,
                         [&](int cell, int wanted) { return cells[cell].at[other(side)] < wanted; });
    return static_cast<int>(found - begin);
  }

  // False if they are too many.
  bool find_vectors(const int* lengths) {
    vectors.clear();
    numbers.clear();
    vector_size = return_size = 0;
    for (int side = 0; side < 2; ++side) {
      places[side].assign(cells.size(), {});
      for (std::size_t c = 0; window_ > 0 && c < cells.size(); ++c) {
        find_heads(side, static_cast<int>(c), lengths);
        find_landings(side, static_cast<int>(c), lengths);
        if (vector_size + return_size + numbers.size() > most_numbers) return false;
      }
    }
    return true;
  }

  void find_cells(const EditTable& plain) {
    cells.clear();
    for (std::size_t n = 0; n < plain.edges.size(); ++n) {
      const EditEdge& e = plain.edges[n];
      const int number = static_cast<int>(n);
      if (cells.empty() || cells.back().at[0] != e.line || cells.back().at[1] != e.position) {
        cells.push_back({{e.line, e.position}, {number, 0}, {number, 0}});
      }
      cells.back().edge_end[0] = number + 1;
      cells.back().states |= 1 << (e.state - first_substitution);
    }
    const int lines[2] = {plain.lines, plain.positions};
    for (int dimension = 0; dimension < 2; ++dimension) {
      auto& begin = first[dimension];
      begin.assign(lines[dimension] + 2, 0);
      for (const JumpCell& cell : cells) ++begin[cell.at[dimension] + 1];
      for (int line = 0; line <= lines[dimension]; ++line) begin[line + 1] += begin[line];
      order[dimension].resize(cells.size());
      next_.assign(begin.begin(), begin.end());
      for (std::size_t c = 0; c < cells.size(); ++c) {
        order[dimension][next_[cells[c].at[dimension]]++] = static_cast<int>(c);
      }
    }
    int edge = 0;
    for (int c : order[1]) {
      JumpCell& cell = cells[c];
      cell.edge_begin[1] = edge;
      edge += cell.edge_end[0] - cell.edge_begin[0];
      cell.edge_end[1] = edge;
    }
  }

  void find_heads(int side, int base, const int* lengths) {
    JumpPlace& place = places[side][base];
    for_heads(side, base,
              [&](int head) { place.last_head = std::max(place.last_head, cells[head].at[other(side)]); });
    if (place.last_head < 0) return;
    const int landing = cells[base].at[own(side)], line = cells[base].at[other(side)];
    place.ends = std::min(lengths[own(side)] - landing, window_);
    place.heads = numbers.size();
    place.vector_begin = static_cast<int>(vectors.size());
    numbers.resize(numbers.size() + static_cast<std::size_t>(place.last_head - line) * substitution_labels,
                   -1);
    for_heads(side, base, [&](int head) {
      const int head_line = cells[head].at[other(side)];
      std::int32_t* row = numbers.data() + place.heads + (head_line - line - 1) * substitution_labels;
      for (int label = 0; label < substitution_labels; ++label) {
        if (!(cells[head].states >> label & 1) || row[label] >= 0) continue;
        row[label] = static_cast<std::int32_t>(vectors.size());
        vectors.push_back({head_line, first_substitution + label, vector_size});
        vector_size += padded(place.ends);
      }
    });
    place.vector_end = static_cast<int>(vectors.size());
  }

  void find_landings(int side, int head, const int* lengths) {
    JumpPlace& place = places[side][head];
    const int start = cells[head].at[own(side)];
    for (int landing = std::min(start + max_jump_, lengths[own(side)] - 1); landing > start; --landing) {
      bool any = false;
      for_bases(side, head, landing, [&](int) { any = true; });
      if (!any) continue;
      place.last_landing = landing;
      break;
    }
    if (place.last_landing < 0) return;
    place.returned = std::min(lengths[other(side)] - cells[head].at[other(side)], window_);
    place.returns = return_size;
    return_size += static_cast<std::size_t>(place.last_landing - start) * padded(place.returned) *
                   __builtin_popcount(cells[head].states);
  }

  int max_jump_ = 0, window_ = 0;
  bool limited_ = false;
  std::vector<int> next_;
};

}  // namespace metaphrase::edits
