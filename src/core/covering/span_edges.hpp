// Which spans of two sentences match: as units (equal, or of one set) or as phrases composed of units.
//
// A table holds 16 bits for every pair of positions (i, j): bit (a, b) says that the a tokens from i on match
// the b tokens from j on. Two spans match if they can be cut into equally many pieces that match one by one,
// so
//
//     reach(i, j) = union over units (a, b) at (i, j) of  {(a, b)} + (reach(i + a, j + b) moved by (a, b)),
//
// one pass from the last position to the first, a few shifts a unit (Liu & Ng, ACL 2012, section 3.2;
// METRICS 4.3). The units themselves are the edges of its section 3.1.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "covering/span_lexicon.hpp"

namespace metaphrase::covering {

using SpanMask = std::uint16_t;

inline SpanMask mask_bit(int a, int b) { return static_cast<SpanMask>(1u << ((a - 1) * max_span + b - 1)); }
inline int first_a(SpanMask mask) { return std::countr_zero(mask) / max_span + 1; }
inline int first_b(SpanMask mask) { return std::countr_zero(mask) % max_span + 1; }

// Every (p, q) of `mask` as (p + a, q + b); what grows beyond max_span is dropped.
inline SpanMask moved(SpanMask mask, int a, int b) {
  constexpr SpanMask keeps[max_span] = {0xFFFF, 0x7777, 0x3333, 0x1111};
  if (a >= max_span || b >= max_span) return 0;
  return static_cast<SpanMask>((mask & keeps[b]) << (max_span * a + b));
}

class SpanTable {
 public:
  void reset(std::int32_t rows, std::int32_t columns) {
    rows_ = rows;
    columns_ = columns;
    pitch_ =
        (columns + max_span + 3) & ~std::size_t{3};  // whole 64-bit words, and room to look beyond the end
    masks_.assign((rows + max_span) * pitch_, 0);
  }

  std::int32_t rows() const { return rows_; }
  std::int32_t columns() const { return columns_; }
  SpanMask& at(std::int32_t i, std::int32_t j) { return masks_[i * pitch_ + j]; }
  SpanMask at(std::int32_t i, std::int32_t j) const { return masks_[i * pitch_ + j]; }

  // Adds matches; whether any of them is new.
  bool add(std::int32_t i, std::int32_t j, SpanMask matches) {
    SpanMask& mask = at(i, j);
    const bool fresh = (matches & ~mask) != 0;
    mask |= matches;
    return fresh;
  }

  // Calls visitor(j) for the positions of row i that match anything, by falling j.
  template <class Visitor>
  void visit_row(std::int32_t i, Visitor&& visitor) const {
    const SpanMask* row = masks_.data() + i * pitch_;
    for (std::size_t first = pitch_; first > 0; first -= 4) {
      // Four positions at once; the one whose bits weigh most is the last of them.
      static_assert(std::endian::native == std::endian::little);
      std::uint64_t four;
      std::memcpy(&four, row + first - 4, sizeof four);
      while (four != 0) {
        const int lane = (63 - std::countl_zero(four)) / 16;
        four &= ~(std::uint64_t{0xFFFF} << 16 * lane);
        visitor(static_cast<std::int32_t>(first) - 4 + lane);
      }
    }
  }

  // Calls visitor(i, j) for the positions that match anything, by rising i and j. Needs `close` and not
  // `dense`.
  template <class Visitor>
  void visit(Visitor&& visitor) const {
    for (auto cell = cells_.rbegin(); cell != cells_.rend(); ++cell) visitor(cell->first, cell->second);
  }

  std::size_t most_edges() const { return cells_.size() * max_span * max_span; }

  // Whether nearly everything matches, so that a list of matches would need more memory than the table.
  bool dense() const { return cells_.size() == most_cells; }

  // From units to all matches of at most `order` tokens, in place. Closing twice changes nothing, so units
  // may be added to a closed table.
  void close(int order) {
    SpanMask within = 0;
    for (int a = 1; a <= order; ++a) {
      for (int b = 1; b <= order; ++b) within |= mask_bit(a, b);
    }
    cells_.clear();
    for (std::int32_t i = rows_ - 1; i >= 0; --i) {
      visit_row(i, [&](std::int32_t j) {
        if (cells_.size() < most_cells) cells_.push_back({i, j});
        SpanMask reach = at(i, j);
        for (SpanMask units = reach; units != 0; units &= units - 1) {
          const int a = first_a(units), b = first_b(units);
          reach |= moved(at(i + a, j + b), a, b);
        }
        at(i, j) = reach & within;
      });
    }
  }

  // What the authors' program finds of a closed table (METRICS 4.3): there the first piece has one token on
  // one side at least. A composed match is longer than that on both sides, so those of `closed` that are not
  // are units.
  void restrict_first_piece(const SpanTable& closed) {
    reset(closed.rows_, closed.columns_);
    for (std::int32_t i = 0; i < rows_; ++i) {
      closed.visit_row(i, [&](std::int32_t j) {
        SpanMask reach = 0;
        for (SpanMask units = closed.at(i, j); units != 0; units &= units - 1) {
          const int a = first_a(units), b = first_b(units);
          if (a == 1 || b == 1)
            reach = static_cast<SpanMask>(reach | mask_bit(a, b) | moved(closed.at(i + a, j + b), a, b));
        }
        at(i, j) = reach & closed.at(i, j);
      });
    }
    cells_ = closed.cells_;
  }

  void transpose(const SpanTable& other) {
    reset(other.columns_, other.rows_);
    for (std::int32_t i = 0; i < other.rows_; ++i) {
      other.visit_row(i, [&](std::int32_t j) {
        SpanMask turned = 0;
        for (SpanMask mask = other.at(i, j); mask != 0; mask &= mask - 1) {
          turned |= mask_bit(first_b(mask), first_a(mask));
        }
        at(j, i) = turned;
      });
    }
  }

 private:
  static constexpr std::size_t most_cells = std::size_t{1} << 18;

  std::int32_t rows_ = 0, columns_ = 0;
  std::size_t pitch_ = 0;
  std::vector<SpanMask> masks_;
  std::vector<std::pair<std::int32_t, std::int32_t>> cells_;  // that match anything, by falling i and j
};

// Both graphs below join spans of the left sentence to spans of the right one and are read alike: next(x,
// cursor) gives the neighbours of x one by one, then -1.

// The usual one: lists of neighbours.
class ListGraph {
 public:
  // Both directions at once.
  static void build(const SpanTable& table, ListGraph& forward, ListGraph& backward) {
    forward.start(table.rows(), table.columns());
    backward.start(table.columns(), table.rows());
    auto& edges = forward.edges_;
    if (edges.size() < table.most_edges()) edges.resize(table.most_edges());
    std::size_t count = 0;
    table.visit([&](std::int32_t i, std::int32_t j) {
      for (SpanMask mask = table.at(i, j); mask != 0; mask &= mask - 1) {
        const std::int32_t x = span_number(i, first_a(mask)), y = span_number(j, first_b(mask));
        edges[count++] = {x, y};
        ++forward.offsets_[x];
        ++backward.offsets_[y];
      }
    });
    forward.add_up(count);
    backward.add_up(count);
    // Offsets stand at the ends of the lists, and step back to their beginnings as these are filled from
    // behind.
    while (count-- > 0) {
      const auto [x, y] = edges[count];
      forward.neighbours_[--forward.offsets_[x]] = y;
      backward.neighbours_[--backward.offsets_[y]] = x;
    }
  }

  std::int32_t left() const { return static_cast<std::int32_t>(offsets_.size()) - 1; }
  std::int32_t right() const { return right_; }
  bool isolated(std::int32_t x) const { return offsets_[x] == offsets_[x + 1]; }
  std::int32_t next(std::int32_t x, std::int32_t& cursor) const {
    const std::int32_t place = offsets_[x] + cursor;
    if (place == offsets_[x + 1]) return -1;
    ++cursor;
    return neighbours_[place];
  }

 private:
  void start(std::int32_t left, std::int32_t right) {
    offsets_.assign(left * max_span + 1, 0);
    right_ = right * max_span;
  }
  void add_up(std::size_t edges) {
    for (std::size_t x = 1; x < offsets_.size(); ++x) offsets_[x] += offsets_[x - 1];
    if (neighbours_.size() < edges) neighbours_.resize(edges);
  }

  std::int32_t right_ = 0;
  std::vector<std::int32_t> offsets_{0}, neighbours_;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges_;
};

// For sentences that match nearly everywhere, such as one character repeated: the table itself, because lists
// would not fit into memory.
class TableGraph {
 public:
  explicit TableGraph(const SpanTable& table) : table_(table) {}

  std::int32_t left() const { return table_.rows() * max_span; }
  std::int32_t right() const { return table_.columns() * max_span; }
  bool isolated(std::int32_t x) const {
    std::int32_t cursor = 0;
    return next(x, cursor) < 0;
  }
  std::int32_t next(std::int32_t x, std::int32_t& cursor) const {
    const std::int32_t i = span_start(x);
    const int shift = (span_length(x) - 1) * max_span;
    for (std::int32_t j = cursor / max_span; j < table_.columns(); ++j, cursor = j * max_span) {
      const unsigned ahead = (table_.at(i, j) >> shift & 0xFu) >> (cursor % max_span);
      if (ahead != 0) {
        cursor += std::countr_zero(ahead);
        return cursor++;
      }
    }
    cursor = right();
    return -1;
  }

 private:
  const SpanTable& table_;
};

}  // namespace metaphrase::covering
