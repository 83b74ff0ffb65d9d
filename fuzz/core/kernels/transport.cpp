// Transport against a table over all ways to use up what is demanded.
#include "bags/transport.hpp"

#include <map>

#include "fuzzing.hpp"

namespace metaphrase::bags {
namespace {

using fuzz::expect;

// The best use of unit amounts: each unit of supply goes to a column or nowhere.
double plain_optimum(const TransportProblem& problem) {
  std::vector<std::vector<double>> best(static_cast<std::size_t>(problem.rows),
                                        std::vector<double>(static_cast<std::size_t>(problem.columns), -1));
  for (std::int64_t e = 0; e < problem.edges; ++e) {
    double& cell =
        best[static_cast<std::size_t>(problem.row[e])][static_cast<std::size_t>(problem.column[e])];
    cell = std::max(cell, problem.similarity[e]);
  }
  std::map<std::vector<int>, double> states;
  std::vector<int> left;
  for (std::int32_t j = 0; j < problem.columns; ++j) left.push_back(static_cast<int>(problem.demand[j]));
  states[left] = 0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    for (int unit = 0; unit < static_cast<int>(problem.supply[i]); ++unit) {
      std::map<std::vector<int>, double> next = states;
      for (const auto& [demand, value] : states) {
        for (std::size_t j = 0; j < best[i].size(); ++j) {
          if (best[i][j] < 0 || demand[j] == 0) continue;
          std::vector<int> after = demand;
          --after[j];
          const auto [at, fresh] = next.emplace(after, value + best[i][j]);
          if (!fresh) at->second = std::max(at->second, value + best[i][j]);
        }
      }
      states = std::move(next);
    }
  }
  double optimum = 0;
  for (const auto& [demand, value] : states) optimum = std::max(optimum, value);
  return optimum;
}

void check(fuzz::Bytes& bytes) {
  const int rows = bytes.number(1, 4), columns = bytes.number(1, 4);
  const auto edges = static_cast<std::size_t>(bytes.number(0, 12));
  const bool whole = bytes.flag();
  const auto row = bytes.numbers(edges, 0, rows - 1), column = bytes.numbers(edges, 0, columns - 1);
  std::vector<double> similarity(edges), supply(static_cast<std::size_t>(rows)),
      demand(static_cast<std::size_t>(columns));
  const auto amount = [&]() -> double {
    const int value = bytes.byte();
    if (whole) return value % 4;
    // From denormal numbers to large ones, of which no sum of products leaves the range.
    constexpr double scales[] = {1, 1e-300, 1e150, 5e-324, 1e-30, 0, 1e17, 0.1};
    return value / 8 * scales[value % 8];
  };
  for (double& value : similarity) value = whole ? bytes.number(0, 8) / 8.0 : amount() / 1e10;
  for (double& value : supply) value = amount();
  for (double& value : demand) value = amount();
  const TransportProblem problem{rows,          columns,       static_cast<std::int64_t>(edges),
                                 row.data(),    column.data(), similarity.data(),
                                 supply.data(), demand.data()};
  std::vector<double> flow(edges);
  TransportSolver solver;
  const double value = solver.solve(problem, flow.data());
  expect(std::isfinite(value) && value >= 0, "an optimum is a number");
  expect(solver.solve(problem, nullptr) == value, "it does not matter whether flows are asked for");
  std::vector<double> out(supply.size()), in(demand.size());
  double sum = 0;
  for (std::size_t e = 0; e < edges; ++e) {
    expect(flow[e] >= 0, "no flow is negative");
    out[static_cast<std::size_t>(row[e])] += flow[e];
    in[static_cast<std::size_t>(column[e])] += flow[e];
    sum += flow[e] * similarity[e];
  }
  expect(fuzz::close(sum, value), "the optimum is what the flows are worth");
  for (std::size_t i = 0; i < out.size(); ++i) {
    expect(out[i] <= supply[i] * (1 + 1e-12), "no more than the supply flows");
  }
  for (std::size_t j = 0; j < in.size(); ++j) expect(in[j] <= demand[j] * (1 + 1e-12), "nor than the demand");
  if (whole) expect(fuzz::close(value, plain_optimum(problem)), "there is nothing better");
}

}  // namespace
}  // namespace metaphrase::bags

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::bags::check(bytes);
  return 0;
}
