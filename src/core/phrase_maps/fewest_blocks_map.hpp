// Of all maps with the greatest sum the one with the fewest blocks and, among those, the lexicographically
// first (PBE, section 7.3: KM's map beside one that breaks the order less). A block is a run of pairs that
// are neighbours on both sides.
//
// If values are 0 and 1, this is the minimum common string partition, which is NP-hard. So it is a search
// with a limit: for b = the least number of blocks that is conceivable, b + 1, ... rows get their columns in
// lexicographic order, as long as the rows after them can make room (LexicographicMap knows) and b can still
// be kept. The first map found is the one sought. What failed is remembered, so that of two beginnings that
// take the same columns only one is continued. Beyond the limits the lexicographically first map stands, and
// `proven` is false.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "phrase_maps/lexicographic_map.hpp"

namespace metaphrase::phrase_maps {

class FewestBlocksMap : public LexicographicMap {
 public:
  // Phrases of either side, and steps of the search: about a second at most.
  static constexpr std::int32_t most_phrases = 128, most_steps = 1 << 17;
  // So many maps that tie are counted.
  static constexpr std::int32_t most_ties = 1000;

  // Changes the map that `solve` found, if another one has fewer blocks.
  const std::vector<std::int32_t>& join_blocks() {
    proven_ = true;
    if (!may_tie_) return column_of_;
    if (!is_small()) {
      proven_ = false;
      return column_of_;
    }
    prepare();
    const std::vector<std::int32_t> first = column_of_;
    const std::int32_t blocks = count_blocks();
    for (std::int32_t allowed = least_after(0, unmatched); allowed < blocks; ++allowed) {
      if (search(0, unmatched, allowed)) return column_of_;
      if (steps_ > most_steps) {
        proven_ = false;
        break;
      }
    }
    restore(first);
    return column_of_;
  }

  // Whether there is no map with fewer blocks than that of join_blocks.
  bool proven() const { return proven_; }

  // The blocks of the present map.
  std::int32_t count_blocks() const {
    std::int32_t blocks = 0, before = unmatched;
    for (std::int32_t row = 0; row < rows_; ++row) {
      blocks += added(before, column_of_[row]);
      before = column_of_[row];
    }
    return blocks;
  }

  // Goes back to a map that solve or join_blocks found.
  void restore(const std::vector<std::int32_t>& map) {
    column_of_ = map;
    find_rows();
  }

  // How many maps have the greatest sum, at most most_ties; -1 if there are too many phrases to count.
  std::int32_t count_ties() {
    if (!may_tie_) return 1;
    if (!is_small()) return -1;
    const std::vector<std::int32_t> first = column_of_;
    std::int32_t ties = 0;
    count_from(0, ties);
    restore(first);
    return ties;
  }

 private:
  using Columns = std::array<std::uint64_t, most_phrases / 64>;

  // What the rest of a search depends on: the row, the column that goes on a block, and columns that are
  // taken.
  struct State {
    std::int32_t row, next;
    Columns taken;
    bool operator==(const State&) const = default;
  };
  struct Hash {
    std::size_t operator()(const State& state) const {
      std::uint64_t hash = static_cast<std::uint64_t>(state.row) * 1000003U + state.next + 1U;
      for (const std::uint64_t word : state.taken) hash = (hash ^ word ^ (hash >> 29)) * 0x9E3779B97F4A7C15U;
      return hash ^ (hash >> 32);
    }
  };

  bool is_small() const { return rows_ <= most_phrases && columns_ <= most_phrases; }

  static void add(Columns& columns, std::int32_t column) {
    columns[column / 64] |= std::uint64_t{1} << (column % 64);
  }

  // The blocks that begin where a row has `column` and the row before it `before`.
  static std::int32_t added(std::int32_t before, std::int32_t column) {
    return column != unmatched && (before == unmatched || column != before + 1) ? 1 : 0;
  }

  // Bounds and reachable columns, from the last row to the first.
  void prepare() {
    steps_ = 0;
    failed_.clear();
    const auto width = static_cast<std::size_t>(columns_) + 1;
    least_.assign((rows_ + 1) * width, 0);
    reachable_.assign(rows_ + 1, Columns{});
    for (std::int32_t row = rows_ - 1; row >= 0; --row) {
      reachable_[row] = reachable_[row + 1];
      // A row with u > 0 must be matched, and has tight columns.
      std::int32_t least = u_[row] == 0.0 ? least_after(row + 1, unmatched) : rows_ + 1;
      for (std::int32_t column = 0; column < columns_; ++column) {
        if (!tight(row, column)) continue;
        add(reachable_[row], column);
        least = std::min(least, 1 + least_after(row + 1, column));
      }
      for (std::int32_t before = unmatched; before < columns_; ++before) {
        const bool goes_on = before != unmatched && before + 1 < columns_ && tight(row, before + 1);
        least_[row * width + before + 1] =
            goes_on ? std::min(least, least_after(row + 1, before + 1)) : least;
      }
    }
  }

  // No map gives this row and those after it fewer blocks, if the row before it has column `before`.
  std::int32_t least_after(std::int32_t row, std::int32_t before) const {
    return least_[static_cast<std::size_t>(row) * (columns_ + 1) + before + 1];
  }

  // Columns that the row can have in a maximum map which keeps those of the rows before it, ascending;
  // unmatched comes last.
  std::vector<std::int32_t> choices(std::int32_t row) {
    const std::int32_t own = column_of_[row];
    find_exchanges(row);
    std::vector<std::int32_t> found;
    for (std::int32_t column = 0; column < columns_; ++column) {
      const std::int32_t holder = row_of_[column];
      if ((holder != nobody && holder < row) || !tight(row, column)) continue;
      if (holder == row || (holder == nobody ? spare_ : takes_[holder] != stuck)) found.push_back(column);
    }
    if (own == unmatched || (u_[row] == 0.0 && spare_)) found.push_back(unmatched);
    return found;
  }

  // Gives a row one of its choices, starting from `map`.
  void choose(std::int32_t row, std::int32_t column, const std::vector<std::int32_t>& map) {
    if (column_of_ != map) restore(map);
    if (column_of_[row] == column) return;
    find_exchanges(row);
    exchange(row, column);
  }

  // Whether rows from this one on can do with so many blocks; if so, they have their columns.
  bool search(std::int32_t row, std::int32_t before, std::int32_t allowed) {
    if (least_after(row, before) > allowed) return false;
    if (row == rows_) return true;
    if (++steps_ > most_steps) return false;
    const State state = state_at(row, before);
    const auto known = failed_.find(state);
    if (known != failed_.end() && known->second >= allowed) return false;
    const std::vector<std::int32_t> map = column_of_;
    for (const std::int32_t column : choices(row)) {
      const std::int32_t left = allowed - added(before, column);
      if (left < least_after(row + 1, column)) continue;
      choose(row, column, map);
      if (search(row + 1, column, left)) return true;
      if (steps_ > most_steps) return false;
    }
    restore(map);
    failed_[state] = allowed;
    return false;
  }

  State state_at(std::int32_t row, std::int32_t before) const {
    State state{row, unmatched, {}};
    for (std::int32_t earlier = 0; earlier < row; ++earlier) {
      if (column_of_[earlier] != unmatched) add(state.taken, column_of_[earlier]);
    }
    for (std::size_t i = 0; i < state.taken.size(); ++i) state.taken[i] &= reachable_[row][i];
    if (before == unmatched || before + 1 >= columns_ || !tight(row, before + 1)) return state;
    const std::int32_t holder = row_of_[before + 1];
    if (holder == nobody || holder >= row) state.next = before + 1;
    return state;
  }

  // Every choice can be continued, so that no step is in vain.
  void count_from(std::int32_t row, std::int32_t& ties) {
    if (row == rows_) {
      ++ties;
      return;
    }
    const std::vector<std::int32_t> map = column_of_;
    for (const std::int32_t column : choices(row)) {
      if (ties == most_ties) return;
      choose(row, column, map);
      count_from(row + 1, ties);
    }
  }

  bool proven_ = true;
  std::int32_t steps_ = 0;
  std::vector<std::int32_t> least_;
  std::vector<Columns> reachable_;
  std::unordered_map<State, std::int32_t, Hash> failed_;
};

}  // namespace metaphrase::phrase_maps
