// The linear programme of covering spans, and small ones against all of their corners.
#include "covering/covering.hpp"

#include "covering/bounded_simplex.hpp"
#include "fuzzing.hpp"

namespace metaphrase::covering {
namespace {

using fuzz::expect;

// Maximise over two variables: the optimum lies where two of the lines meet that bound them.
void check_simplex(fuzz::Bytes& bytes) {
  const int rows = bytes.number(0, 4);
  BoundedSimplex simplex;
  simplex.start(rows, 2);
  struct Line {
    double a, b, limit;  // a x + b y <= limit
  };
  std::vector<Line> lines{{-1, 0, 0}, {0, -1, 0}};
  for (int column = 0; column < 2; ++column) {
    simplex.cost[static_cast<std::size_t>(column)] = bytes.number(-4, 8) / 4.0;
    simplex.upper[static_cast<std::size_t>(column)] = bytes.number(0, 8) / 2.0;
    lines.push_back(
        {column == 0 ? 1.0 : 0.0, column == 1 ? 1.0 : 0.0, simplex.upper[static_cast<std::size_t>(column)]});
  }
  for (int row = 0; row < rows; ++row) {
    simplex.coefficient(row, 0) = bytes.number(-4, 8) / 4.0;
    simplex.coefficient(row, 1) = bytes.number(-4, 8) / 4.0;
    simplex.limit[static_cast<std::size_t>(row)] = bytes.number(0, 12) / 4.0;
    lines.push_back({simplex.coefficient(row, 0), simplex.coefficient(row, 1),
                     simplex.limit[static_cast<std::size_t>(row)]});
  }
  const double c = simplex.cost[0], d = simplex.cost[1];
  double best = 0;
  for (std::size_t p = 0; p < lines.size(); ++p) {
    for (std::size_t q = 0; q < p; ++q) {
      const Line &l = lines[p], &m = lines[q];
      const double determinant = l.a * m.b - l.b * m.a;
      if (std::abs(determinant) < 1e-12) continue;
      const double x = (l.limit * m.b - l.b * m.limit) / determinant,
                   y = (l.a * m.limit - l.limit * m.a) / determinant;
      const bool feasible = std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
        return line.a * x + line.b * y <= line.limit + 1e-9;
      });
      if (feasible) best = std::max(best, c * x + d * y);
    }
  }
  std::int64_t work = 1'000'000;
  const double value = simplex.solve(work);
  expect(work > 0, "a small programme ends");
  expect(fuzz::close(value, best, 1e-7), "the optimum is a corner");
}

struct Sentence {
  std::vector<std::int32_t> tokens;
  std::vector<SetSpan> sets;
  std::vector<double> weights;
  SpanSentence view() const { return {tokens, sets, weights}; }
};

void check_cover(fuzz::Bytes& bytes) {
  const int kinds = bytes.number(1, 5), sets = bytes.number(0, 3), order = bytes.number(1, max_span);
  const bool released = bytes.flag(), weighed = bytes.flag();
  const auto sentence = [&] {
    Sentence made;
    made.tokens = bytes.numbers(static_cast<std::size_t>(bytes.number(0, 9)), 0, kinds - 1);
    const auto size = static_cast<std::int32_t>(made.tokens.size());
    for (std::int32_t start = 0; start < size && sets > 0; ++start) {
      for (int length = 1; length <= order && start + length <= size; ++length) {
        const int chance = bytes.byte();
        if (chance % 8 == 1) made.sets.push_back({span_number(start, length), chance / 8 % sets});
      }
    }
    if (weighed) {
      made.weights.assign(made.tokens.size() * max_span, 0);
      for (double& weight : made.weights) weight = bytes.number(0, 4) / 2.0;
    }
    return made;
  };
  const Sentence left = sentence(), right = sentence();
  std::vector<Layer> layers{{std::min(sets, 1), 0.5}, {sets, 0.5}};
  CoveringSolver solver(kinds, std::max(sets, 1), {order, released});
  const Covering found = solver.solve(left.view(), right.view(), layers);
  const Covering swapped = solver.solve(right.view(), left.view(), layers);
  const Covering itself = solver.solve(left.view(), left.view(), layers);
  const double slack = 1e-7;
  expect(found.left >= -slack && found.left <= total_weight(left.view(), order) + slack,
         "no more than all of the left");
  expect(found.right >= -slack && found.right <= total_weight(right.view(), order) + slack,
         "nor of the right");
  if (!released && found.exact && swapped.exact) {
    expect(fuzz::close(found.left, swapped.right, 1e-6) && fuzz::close(found.right, swapped.left, 1e-6),
           "left and right may be swapped");
  }
  if (itself.exact) expect(fuzz::close(itself.left, total_weight(left.view(), order), 1e-6), "all of itself");
}

}  // namespace
}  // namespace metaphrase::covering

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  if (bytes.flag()) {
    metaphrase::covering::check_simplex(bytes);
  } else {
    metaphrase::covering::check_cover(bytes);
  }
  return 0;
}
