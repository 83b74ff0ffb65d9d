// The best map of rows to columns, and the one of these with the fewest blocks, against all maps.
#include "phrase_maps/lexicographic_map.hpp"

#include "fuzzing.hpp"
#include "phrase_maps/fewest_blocks_map.hpp"

namespace metaphrase::phrase_maps {
namespace {

struct Search {
  const std::vector<double>& values;
  int rows, columns;
  double best = -1;
  int fewest = 0, ties = 0;
  std::vector<std::int32_t> chosen{}, joined{}, current{};

  int blocks() const {
    int count = 0, before = LexicographicMap::unmatched;
    for (const int column : current) {
      if (column != LexicographicMap::unmatched &&
          (before == LexicographicMap::unmatched || column != before + 1)) {
        ++count;
      }
      before = column;
    }
    return count;
  }

  // Columns in their order, unmatched last: of equal maps the first one stands.
  void from(int row, unsigned used, double sum) {
    if (row == rows) {
      const bool greater = sum > best;
      if (greater) {
        best = sum;
        ties = 0;
        chosen = current;
      }
      if (sum == best) {
        ++ties;
        if (greater || blocks() < fewest) {
          fewest = blocks();
          joined = current;
        }
      }
      return;
    }
    for (int column = 0; column < columns; ++column) {
      const double value = values[static_cast<std::size_t>(row * columns + column)];
      if (used >> column & 1 || value == 0) continue;
      current.push_back(column);
      from(row + 1, used | 1u << column, sum + value);
      current.pop_back();
    }
    current.push_back(LexicographicMap::unmatched);
    from(row + 1, used, sum);
    current.pop_back();
  }
};

}  // namespace
}  // namespace metaphrase::phrase_maps

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  fuzz::Bytes bytes(data, size);
  const int rows = bytes.number(0, 5), columns = bytes.number(0, 5);
  const bool large = bytes.flag();
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (double& value : values) {
    value = large ? bytes.number(0, 65'535) * 34'359'738'367.0 : bytes.number(0, 3);
    if (value > phrase_maps::LexicographicMap::greatest_value) value = 0;
  }
  phrase_maps::FewestBlocksMap solver;
  solver.solve(values.data(), rows, columns);
  phrase_maps::Search search{values, rows, columns};
  search.from(0, 0, 0);
  fuzz::expect(solver.solve(values.data(), rows, columns) == search.chosen,
               "the map is the first of the best");
  fuzz::expect(solver.count_ties() == std::min(search.ties, solver.most_ties), "all best maps are counted");
  fuzz::expect(solver.join_blocks() == search.joined && solver.proven(),
               "the map is the first of those with the fewest blocks");
  return 0;
}
