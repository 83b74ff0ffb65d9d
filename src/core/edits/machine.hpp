// An edit machine with its weights: doubles where they hold every number, wide numbers where they might not.
#pragma once

#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "edits/arcs.hpp"
#include "edits/path.hpp"
#include "edits/sums.hpp"

namespace metaphrase::edits {

// The two that take the time are compiled by themselves, as are the sums in wide numbers.
double sum_in_doubles(EditSums<double>& sums, const EditPair& pair);
void count_in_doubles(EditSums<double>& sums, const EditPair& pair, StepCounts<double>& counts);
extern template class EditSums<WideNumber>;

class EditMachine {
 public:
  EditMachine(const double* weights, const MachineOptions& options)
      : weights_(weights),
        options_(options),
        bounds_(weights, options),
        narrow_weights_(weights, options, bounds_.shift()),
        narrow_(narrow_weights_, options) {}

  double log_sum(const EditPair& pair) { return solve(pair, nullptr); }
  double expected_counts(const EditPair& pair, double* counts) { return solve(pair, counts); }

  double best_edits(const EditPair& pair, std::vector<Edit>& edits) {
    if (!best_) best_ = std::make_unique<Best>(weights_, options_);
    return best_->path.find(pair, edits);
  }

 private:
  struct Wide {
    EditWeights<WideNumber> weights;
    EditSums<WideNumber> sums;
    Wide(const double* w, const MachineOptions& options) : weights(w, options, 0.0), sums(weights, options) {}
  };

  struct Best {
    EditWeights<BestScore> weights;
    BestPath path;
    Best(const double* w, const MachineOptions& options) : weights(w, options, 0.0), path(weights, options) {}
  };

  double solve(const EditPair& pair, double* counts) {
    const int words = pair.reference + pair.hypothesis;
    double result = 0.0;
    if (bounds_.fit_doubles(words) && solve_with(narrow_, narrow_weights_, pair, counts, result)) {
      return result - bounds_.shift() * words;
    }
    if (!wide_) wide_ = std::make_unique<Wide>(weights_, options_);
    solve_with(wide_->sums, wide_->weights, pair, counts, result);
    return result;
  }

  // False if a number was too large.
  template <class Number>
  static bool solve_with(EditSums<Number>& sums, const EditWeights<Number>& weights, const EditPair& pair,
                         double* counts, double& result) {
    constexpr bool doubles = std::is_same_v<Number, double>;
    Number total;
    if constexpr (doubles) {
      total = sum_in_doubles(sums, pair);
    } else {
      total = sums.forward(pair);
    }
    result = logarithm(total);
    if (!std::isfinite(result)) return false;
    if (!counts) return true;
    StepCounts<Number> found;
    if constexpr (doubles) {
      count_in_doubles(sums, pair, found);
    } else {
      sums.backward(pair, found);
    }
    double check = 0.0;
    for (int q = 0; q < edit_states; ++q) {
      double all = 0.0;
      for (int p = 0; p <= edit_states; ++p) {
        const double count = share(found.step[p][q] * weights.step[p][q], total);
        counts[p == start_state ? start_features + q : step_features + p * edit_states + q] = count;
        all += count;
      }
      counts[state_features + q] = all;
      check += all;
    }
    for (int d = 0; d < dependency_labels; ++d) {
      counts[dependency_features + d] = share(found.dependency[1 + d], total);
      check += counts[dependency_features + d];
    }
    return std::isfinite(check);
  }

  const double* weights_;
  MachineOptions options_;
  ScoreBounds bounds_;
  EditWeights<double> narrow_weights_;
  EditSums<double> narrow_;
  std::unique_ptr<Wide> wide_;
  std::unique_ptr<Best> best_;
};

}  // namespace metaphrase::edits
