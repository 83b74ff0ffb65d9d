// Weights of an edit machine as factors, and whether doubles hold every product of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "edits/numbers.hpp"
#include "edits/pair.hpp"

namespace metaphrase::edits {

inline constexpr int start_state = edit_states;  // a row of its own in the matrix of steps

// A constant `shift` is added to the score for every consumed word, so that sums stay near 1; the caller
// takes it off again.
template <class Number>
struct EditWeights {
  Number step[edit_states + 1][edit_states];  // previous state (or the start), state
  Number dependency[1 + dependency_labels];   // the first is for none
  Number words[5];                            // the shift of a substitution of so many words
  Number second;                              // and of the second word of an insert or delete
  int edit_block;

  EditWeights(const double* weights, const MachineOptions& options, double shift)
      : edit_block(options.edit_block) {
    for (int q = 0; q < edit_states; ++q) {
      const double own = weights[state_features + q] + (q <= delete_state ? shift : 0.0);
      for (int p = 0; p < edit_states; ++p) {
        step[p][q] = exponential<Number>(own + weights[step_features + p * edit_states + q]);
      }
      step[start_state][q] = exponential<Number>(own + weights[start_features + q]);
    }
    if (!options.jump_first) step[start_state][jump_forward] = Number{};
    if (!options.jump_after_jump) step[jump_end][jump_forward] = Number{};
    dependency[0] = exponential<Number>(0.0);
    for (int d = 0; d < dependency_labels; ++d) {
      dependency[1 + d] = exponential<Number>(weights[dependency_features + d]);
    }
    for (int n = 0; n < 5; ++n) words[n] = exponential<Number>(n * shift);
    second = exponential<Number>(shift);
  }
};

// Bounds of the score of any part of any sequence: at least `low` and at most `high` for every consumed word,
// and `extra` more or less for what is there once (the start, a jump that has not come to its end).
struct ScoreBounds {
  double low = 0.0, high = 0.0, extra = 0.0;

  ScoreBounds(const double* weights, const MachineOptions& options) {
    double dependency_low = 0.0, dependency_high = 0.0;
    for (int d = 0; d < dependency_labels; ++d) {
      dependency_low = std::min(dependency_low, weights[dependency_features + d]);
      dependency_high = std::max(dependency_high, weights[dependency_features + d]);
    }
    double jump_low = 0.0, jump_high = 0.0;
    low = std::numeric_limits<double>::infinity();
    high = -low;
    const int states = options.max_jump > 0 ? edit_states : jump_forward;
    for (int q = 0; q < states; ++q) {
      const double own = weights[state_features + q];
      double least = own, most = own;  // the start adds to `extra`
      for (int p = 0; p < states; ++p) {
        least = std::min(least, own + weights[step_features + p * edit_states + q]);
        most = std::max(most, own + weights[step_features + p * edit_states + q]);
      }
      extra = std::max(extra, std::abs(weights[start_features + q]));
      if (q >= jump_forward) {
        jump_low += std::min(0.0, least);
        jump_high += std::max(0.0, most);
      } else if (is_substitution(q)) {
        // Two to four words; a dependency before it and, in a block of four words, one inside.
        low = std::min({low, (least + dependency_low) / 2, (least + 2 * dependency_low) / 4});
        high = std::max({high, (most + dependency_high) / 2, (most + 2 * dependency_high) / 4});
      } else {
        low = std::min({low, least, least / options.edit_block});
        high = std::max({high, most, most / options.edit_block});
      }
    }
    // Three jumps come with two substitutions, of four words at least.
    low += jump_low / 4;
    high += jump_high / 4;
    extra += std::max(-jump_low, jump_high);
  }

  double shift() const { return -(low + high) / 2; }

  // Whether no sum over parts of sequences of so many words can come near the least double with all its bits.
  // What becomes too large instead is seen in the result.
  bool fit_doubles(int words) const { return (high - low) / 2 * words + extra < 690.0; }
};

}  // namespace metaphrase::edits
