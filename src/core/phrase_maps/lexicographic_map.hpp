// The one-to-one map of rows to columns with the greatest sum of similarities and, among all such maps, the
// one that gives row 0 the smallest column, then row 1, and so on; unmatched comes after every column (PBE,
// section 6; METRICS 5.4).
//
// Values are non-negative integers held in doubles, so sums are exact and a tie is an equality; 0 is no edge.
//
// First, shortest augmenting paths give a maximum map and its dual: u, v >= 0, u[i] + v[j] >= value(i, j).
// By complementary slackness the maximum maps are the matchings of tight edges (u[i] + v[j] = value(i, j)) in
// which rows with u > 0 and columns with v > 0 are matched. Then rows are settled in order: a row may move to
// another tight column if the rows after it can make room, along an alternating path that keeps those rows
// and columns matched.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace metaphrase::phrase_maps {

class LexicographicMap {
 public:
  static constexpr std::int32_t unmatched = -1;
  // Sums of up to four values must be exact.
  static constexpr double greatest_value = 2251799813685248.0;  // 2^51

  // The column of each row of the row-major matrix, valid until the next call.
  const std::vector<std::int32_t>& solve(const double* values, std::int32_t rows, std::int32_t columns) {
    values_ = values;
    rows_ = rows;
    columns_ = columns;
    match_greedily();
    for (std::int32_t row = 0; row < rows_; ++row) {
      if (column_of_[row] == unmatched && u_[row] > 0.0) augment(row);
    }
    may_tie_ = mark_tight_edges();
    if (may_tie_) {
      for (std::int32_t row = 0; row < rows_; ++row) settle(row);
    }
    return column_of_;
  }
  const std::vector<std::int32_t>& columns() const { return column_of_; }

 protected:
  static constexpr std::int32_t nobody = -1;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  const double* row_values(std::int32_t row) const {
    return values_ + static_cast<std::size_t>(row) * columns_;
  }
  bool tight(std::int32_t row, std::int32_t column) const {
    return tight_[static_cast<std::size_t>(column) * words_ + row / 64] >> (row % 64) & 1;
  }

  // Every row's u is its greatest value, every v is 0; rows take what is tight and free.
  void match_greedily() {
    u_.assign(rows_, 0.0);
    v_.assign(columns_, 0.0);
    column_of_.assign(rows_, unmatched);
    row_of_.assign(columns_, nobody);
    for (std::int32_t row = 0; row < rows_; ++row) {
      const double* values = row_values(row);
      double greatest = 0.0;
      for (std::int32_t column = 0; column < columns_; ++column)
        greatest = std::max(greatest, values[column]);
      u_[row] = greatest;
      for (std::int32_t column = 0; greatest > 0.0 && column < columns_; ++column) {
        if (values[column] == greatest && row_of_[column] == nobody) {
          column_of_[row] = column;
          row_of_[column] = row;
          break;
        }
      }
    }
  }

  // Dijkstra's search over reduced costs u + v - value from an unmatched row. It ends in a free column, or
  // leaves unmatched the row of its tree for which that costs least. No edge of value 0 is taken: to leave
  // its row unmatched costs no more.
  void augment(std::int32_t root) {
    distance_.assign(columns_, infinity);
    taker_.assign(columns_, root);
    handicap_.resize(columns_);
    // Distances are integers: of two equal ones, that to a free column wins.
    for (std::int32_t column = 0; column < columns_; ++column)
      handicap_[column] = row_of_[column] == nobody ? 0.0 : 0.5;
    closed_.clear();
    double length = 0.0, length_of_leaving = infinity;
    std::int32_t leaver = nobody, end = unmatched;
    for (std::int32_t row = root;; row = row_of_[closed_.back()]) {
      const double so_far = length + u_[row];
      if (so_far < length_of_leaving) {
        length_of_leaving = so_far;
        leaver = row;
      }
      relax(row, so_far);
      double nearest = infinity;
      std::int32_t column = unmatched;
      for (std::int32_t c = 0; c < columns_; ++c) {
        const double distance = distance_[c] + handicap_[c];
        column = distance < nearest ? c : column;
        nearest = std::min(nearest, distance);
      }
      if (length_of_leaving <= nearest) {
        length = length_of_leaving;
        break;
      }
      length = distance_[column];
      if (row_of_[column] == nobody) {
        end = column;
        break;
      }
      handicap_[column] = infinity;
      closed_.push_back(column);
    }
    u_[root] -= length;
    for (const std::int32_t column : closed_) {
      u_[row_of_[column]] -= length - distance_[column];
      v_[column] += length - distance_[column];
    }
    if (end == unmatched) {
      if (leaver == root) return;
      end = column_of_[leaver];
      column_of_[leaver] = unmatched;
    }
    for (std::int32_t column = end, row = nobody; row != root;) {
      row = taker_[column];
      row_of_[column] = row;
      std::swap(column, column_of_[row]);
    }
  }

  // A loop without branches, which compilers vectorise.
  void relax(std::int32_t row, double so_far) {
    const double* values = row_values(row);
    for (std::int32_t column = 0; column < columns_; ++column) {
      const double through = so_far + v_[column] - values[column];
      const bool shorter = through < distance_[column];
      distance_[column] = shorter ? through : distance_[column];
      taker_[column] = shorter ? row : taker_[column];
    }
  }

  // For each column a set of rows. Says whether there are any but those of the map.
  bool mark_tight_edges() {
    words_ = (static_cast<std::size_t>(rows_) + 63) / 64;
    tight_.assign(words_ * columns_, 0);
    std::uint64_t edges = 0, pairs = 0;
    for (std::int32_t row = 0; row < rows_; ++row) {
      const double* values = row_values(row);
      for (std::int32_t column = 0; column < columns_; ++column) {
        const auto tight =
            static_cast<std::uint64_t>((values[column] > 0.0) & (u_[row] + v_[column] == values[column]));
        tight_[static_cast<std::size_t>(column) * words_ + row / 64] |= tight << (row % 64);
        edges += tight;
      }
      pairs += column_of_[row] != unmatched;
    }
    return edges > pairs;
  }

  // Moves the row to the smallest column that a maximum map allows, given the rows before it.
  void settle(std::int32_t row) {
    const std::int32_t own = column_of_[row];
    const std::int32_t bound = own == unmatched ? columns_ : own;
    bool searched = false;
    for (std::int32_t column = 0; column < bound; ++column) {
      const std::int32_t holder = row_of_[column];
      if ((holder != nobody && holder < row) || !tight(row, column)) continue;
      if (!searched) find_exchanges(row);
      searched = true;
      if (holder == nobody ? spare_ : takes_[holder] != stuck) {
        exchange(row, column);
        return;
      }
    }
  }

  // For every row after `mover`: which column it can take if it loses its own, so that a chain of such steps
  // ends in the column that `mover` gives up. `spare_` is a state of the chain in which nobody is without a
  // column that must have one: it is entered when a row takes a free column or a row with u = 0 goes without,
  // and left when a row leaves a column with v = 0, or an unmatched row is called in.
  void find_exchanges(std::int32_t mover) {
    takes_.assign(rows_, stuck);
    waiting_.assign(words_, 0);
    for (std::int32_t row = mover + 1; row < rows_; ++row)
      waiting_[row / 64] |= std::uint64_t{1} << (row % 64);
    offers_.clear();
    spare_ = false;
    const std::int32_t own = column_of_[mover];
    if (own != unmatched) offers_.push_back(own);
    if (own == unmatched || v_[own] == 0.0) enter_spare(mover, nobody);
    for (std::size_t next = 0; next < offers_.size(); ++next) {
      const std::int32_t column = offers_[next];
      for (std::size_t word = 0; word < words_; ++word) {
        const std::uint64_t takers = tight_[static_cast<std::size_t>(column) * words_ + word];
        while ((takers & waiting_[word]) != 0) {
          const auto row = static_cast<std::int32_t>(64 * word) + std::countr_zero(takers & waiting_[word]);
          const std::int32_t left = column_of_[row];
          take(row, column);
          if (!spare_ && (left == unmatched || v_[left] == 0.0)) enter_spare(mover, row);
        }
      }
    }
  }

  // A row that has what to take offers what it has.
  void take(std::int32_t row, std::int32_t column) {
    takes_[row] = column;
    waiting_[row / 64] &= ~(std::uint64_t{1} << (row % 64));
    if (column_of_[row] != unmatched) offers_.push_back(column_of_[row]);
  }

  void enter_spare(std::int32_t mover, std::int32_t continues) {
    spare_ = true;
    after_spare_ = continues;
    for (std::int32_t row = mover + 1; row < rows_; ++row) {
      if (takes_[row] == stuck && u_[row] == 0.0 && column_of_[row] != unmatched) take(row, unmatched);
    }
    for (std::int32_t column = 0; column < columns_; ++column) {
      if (row_of_[column] == nobody) offers_.push_back(column);
    }
  }

  // The mover takes the column, or none, and others take what find_exchanges found for them.
  void exchange(std::int32_t mover, std::int32_t column) {
    const std::int32_t own = column_of_[mover];
    column_of_[mover] = column;
    for (std::int32_t row = column == unmatched ? nobody : row_of_[column];;) {
      if (row == nobody) {
        row = after_spare_;
        if (row == nobody) break;
      }
      const std::int32_t taken = takes_[row];
      column_of_[row] = taken;
      if (taken == own && own != unmatched) break;
      row = taken == unmatched ? nobody : row_of_[taken];
    }
    find_rows();
  }

  void find_rows() {
    std::fill(row_of_.begin(), row_of_.end(), nobody);
    for (std::int32_t row = 0; row < rows_; ++row) {
      if (column_of_[row] != unmatched) row_of_[column_of_[row]] = row;
    }
  }

  static constexpr std::int32_t stuck = -2;

  const double* values_ = nullptr;
  std::int32_t rows_ = 0, columns_ = 0;
  std::vector<double> u_, v_, distance_, handicap_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> tight_, waiting_;
  std::vector<std::int32_t> column_of_, row_of_, taker_, closed_, takes_, offers_;
  bool spare_ = false, may_tie_ = false;
  std::int32_t after_spare_ = nobody;
};

}  // namespace metaphrase::phrase_maps
