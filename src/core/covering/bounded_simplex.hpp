// A small dense linear program: maximise c·x subject to A x <= b, 0 <= x <= u, with b >= 0. TESLA-CELAB's
// covering (Liu & Ng, ACL 2012, section 3.4; METRICS 4.4) leaves such to it.
//
// The primal simplex method on a tableau; variables rest at either bound (at the upper one as their
// complement u - x). x = 0 is feasible because b >= 0, so every iterate is, and what is returned when the
// limit of iterations is hit is still a lower bound of the optimum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace metaphrase::covering {

class BoundedSimplex {
 public:
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  void start(int rows, int columns) {
    rows_ = rows;
    columns_ = columns;
    table_.assign(static_cast<std::size_t>(rows) * columns, 0.0);
    limit.assign(rows, 0.0);
    cost.assign(columns, 0.0);
    upper.assign(columns, unbounded);
  }

  double& coefficient(int row, int column) {
    return table_[static_cast<std::size_t>(row) * columns_ + column];
  }

  std::vector<double> limit, cost, upper;  // b, c and u; set between start() and solve()

  // The optimum, or the best value so far once `work` multiplications are spent; `work` is what is left of
  // them.
  double solve(std::int64_t& work) {
    prepare();
    double value = 0.0;
    int idle = 0;  // steps without progress: a degenerate vertex, where only Bland's rule is sure to end
    for (;;) {
      const bool careful = idle > rows_ + columns_;
      const int entering = choose_entering(careful);
      if (entering < 0) break;
      work -= static_cast<std::int64_t>(rows_) * columns_;
      if (work < 0) break;
      const Step step = choose_leaving(entering);
      value += cost[entering] * step.length;
      idle = cost[entering] * step.length > tolerance ? 0 : idle + 1;
      if (step.row < 0) {
        flip(entering, step.length);
      } else {
        if (step.at_upper) complement_row(step.row);
        pivot(step.row, entering);
      }
    }
    return value;
  }

  // The value of variable `column` in the solution found.
  double solution(int column) const {
    double value = 0.0;
    for (int row = 0; row < rows_; ++row) {
      if (basic_[row] == column) value = limit[row];
    }
    return complemented_[column] ? variable_upper(column) - value : value;
  }

 private:
  static constexpr double tolerance = 1e-10;
  struct Step {
    int row;
    double length;
    bool at_upper;
  };

  void prepare() {
    structural_upper_ = upper;
    nonbasic_.resize(columns_);
    basic_.resize(rows_);
    for (int j = 0; j < columns_; ++j) nonbasic_[j] = j;
    for (int i = 0; i < rows_; ++i) basic_[i] = columns_ + i;
    basic_upper_.assign(rows_, unbounded);
    complemented_.assign(rows_ + columns_, 0);
  }

  double variable_upper(int variable) const {
    return variable < columns_ ? structural_upper_[variable] : unbounded;
  }

  int choose_entering(bool careful) const {
    int best = -1;
    for (int j = 0; j < columns_; ++j) {
      if (cost[j] <= tolerance || upper[j] <= tolerance) continue;
      if (best < 0 || (careful ? nonbasic_[j] < nonbasic_[best] : cost[j] > cost[best])) best = j;
    }
    return best;
  }

  Step choose_leaving(int entering) {
    Step step{-1, upper[entering], false};
    for (int i = 0; i < rows_; ++i) {
      const double slope = coefficient(i, entering);
      const bool at_upper = slope < 0.0;
      if (at_upper ? slope > -tolerance || basic_upper_[i] == unbounded : slope < tolerance) continue;
      const double room = at_upper ? basic_upper_[i] - limit[i] : limit[i];
      const double length = std::max(room, 0.0) / (at_upper ? -slope : slope);
      const bool tie = length <= step.length + tolerance * 1e-2;
      if (length < step.length - tolerance * 1e-2 || (tie && step.row >= 0 && basic_[i] < basic_[step.row])) {
        step = {i, length, at_upper};
      }
    }
    return step;
  }

  // The entering variable goes from one of its bounds to the other.
  void flip(int column, double length) {
    for (int i = 0; i < rows_; ++i) {
      double& entry = coefficient(i, column);
      limit[i] -= entry * length;
      entry = -entry;
    }
    cost[column] = -cost[column];
    complemented_[nonbasic_[column]] ^= 1;
  }

  void complement_row(int row) {
    for (int j = 0; j < columns_; ++j) coefficient(row, j) = -coefficient(row, j);
    limit[row] = basic_upper_[row] - limit[row];
    complemented_[basic_[row]] ^= 1;
  }

  void pivot(int row, int column) {
    double* const pivot_row = &coefficient(row, 0);
    const double inverse = 1.0 / pivot_row[column];
    for (int j = 0; j < columns_; ++j) pivot_row[j] *= inverse;
    pivot_row[column] = inverse;
    limit[row] *= inverse;
    for (int i = 0; i < rows_; ++i) {
      if (i != row) eliminate(&coefficient(i, 0), limit[i], pivot_row, limit[row], column, inverse);
    }
    double unused = 0.0;
    eliminate(cost.data(), unused, pivot_row, limit[row], column, inverse);
    std::swap(nonbasic_[column], basic_[row]);
    std::swap(upper[column], basic_upper_[row]);
  }

  void eliminate(double* other, double& other_limit, const double* pivot_row, double pivot_limit, int column,
                 double inverse) const {
    const double factor = other[column];
    if (factor == 0.0) return;
    for (int j = 0; j < columns_; ++j) other[j] -= factor * pivot_row[j];
    other[column] = -factor * inverse;
    other_limit -= factor * pivot_limit;
  }

  int rows_ = 0, columns_ = 0;
  std::vector<double> table_, basic_upper_, structural_upper_;
  std::vector<int> nonbasic_, basic_;
  std::vector<std::uint8_t> complemented_;
};

}  // namespace metaphrase::covering
