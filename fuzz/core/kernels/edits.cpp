// Edit machines: without jumps against a sum over cells and states; with jumps, what must hold of any sum.
#include "edits/count_in_doubles.cpp"
#include "edits/machine.hpp"
#include "edits/sum_in_doubles.cpp"
#include "edits/sums_in_wide_numbers.cpp"
#include "fuzzing.hpp"

namespace metaphrase::edits {
namespace {

using fuzz::expect;

double add(double a, double b) {
  if (a < b) std::swap(a, b);
  return std::isinf(b) ? a : a + std::log1p(std::exp(b - a));
}

// log of the sum over all edit sequences without jumps: from each cell and last state to the next.
double plain_sum(const EditPair& pair, const std::vector<double>& w, int edit_block) {
  const double none = -std::numeric_limits<double>::infinity();
  const int n = pair.reference, m = pair.hypothesis;
  if (n == 0 && m == 0) return 0;
  std::vector<double> sums(static_cast<std::size_t>((n + 1) * (m + 1) * (edit_states + 1)), none);
  const auto at = [&](int i, int j, int state) -> double& {
    return sums[static_cast<std::size_t>((i * (m + 1) + j) * (edit_states + 1) + state)];
  };
  at(0, 0, start_state) = 0;
  const auto weight = [&](int p, int q) {
    const int step = p == start_state ? start_features + q : step_features + p * edit_states + q;
    return w[static_cast<std::size_t>(state_features + q)] + w[static_cast<std::size_t>(step)];
  };
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= m; ++j) {
      for (int p = 0; p <= edit_states; ++p) {
        const double here = at(i, j, p);
        if (std::isinf(here)) continue;
        const auto go = [&](int to_i, int to_j, int q) {
          if (to_i <= n && to_j <= m) at(to_i, to_j, q) = add(at(to_i, to_j, q), here + weight(p, q));
        };
        for (int size = 1; size <= edit_block; ++size) {
          go(i, j + size, insert_state);
          go(i + size, j, delete_state);
        }
        for (int s = 0; s < pair.substitution_count; ++s) {
          const Substitution& edge = pair.substitutions[s];
          if (edge.reference == i && edge.hypothesis == j)
            go(i + edge.reference_words, j + edge.hypothesis_words, first_substitution + edge.label);
        }
      }
    }
  }
  double total = none;
  for (int p = 0; p < edit_states; ++p) total = add(total, at(n, m, p));
  return total;
}

// A sweep over a small area of two sentences that repeat one word looks at that area, however long they are.
void check_work(int words) {
  std::vector<Substitution> substitutions;
  for (int i = 0; i < words; ++i) {
    for (int j = 0; j < words; ++j) substitutions.push_back({i, j, 1, 1, 0});
  }
  EditTable table;
  table.build({words, words, substitutions.data(), static_cast<int>(substitutions.size()), nullptr, 0},
              false);
  const std::vector<double> none(edit_features);
  const EditWeights<double> weights(none.data(), {}, 0.0);
  Sweep<double> sweep;
  sweep.open(table, weights,
             {words / 2, words / 2 + 5, words / 2, words / 2 + 7, words / 2 + 5, words / 2 + 7}, false, true);
  expect(sweep.looked_at() == 6 * 8, "nothing outside of the area is looked at");
}

void check(fuzz::Bytes& bytes) {
  MachineOptions options;
  options.max_jump = bytes.flag() ? bytes.number(0, 5) : 0;
  options.edit_block = bytes.number(1, 2);
  options.free_jumped = bytes.flag();
  options.jump_first = bytes.flag();
  options.jump_after_jump = bytes.flag();
  options.exact_length = bytes.number(1, 12);
  options.jump_window = bytes.number(1, 6);
  const int n = bytes.number(0, 24), m = bytes.number(0, 24);
  const int density = bytes.number(1, 8);
  std::vector<Substitution> substitutions;
  std::vector<SharedDependency> dependencies;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const int chance = (i * 31 + j * 17 + i * j * 7) % 64 < 8 * density ? bytes.byte() : 0;
      for (int a = 1; a <= 2; ++a) {
        for (int b = 1; b <= 2; ++b) {
          const bool here = chance >> (2 * (a - 1) + b - 1) & 1;
          if (here && i + a <= n && j + b <= m) substitutions.push_back({i, j, a, b, (chance >> 4) % 5});
        }
      }
    }
  }
  const bool depends = bytes.flag();
  for (int i = 1; i < n && depends; ++i) {
    for (int j = 1; j < m; ++j) {
      if ((i * 5 + j * 3) % 8 < 3) dependencies.push_back({i, j, (i + j) % dependency_labels});
    }
  }
  std::vector<double> weights(edit_features);
  const double scale = bytes.byte() % 8 == 7 ? 60 : 1;
  for (double& weight : weights) weight = scale * bytes.number(-8, 8) / 4.0;
  const EditPair pair{n,
                      m,
                      substitutions.data(),
                      static_cast<int>(substitutions.size()),
                      dependencies.data(),
                      static_cast<int>(dependencies.size())};
  EditMachine machine(weights.data(), options);
  const double sum = machine.log_sum(pair);
  expect(!std::isnan(sum), "a sum is a number");
  std::vector<double> counts(edit_features);
  expect(fuzz::close(machine.expected_counts(pair, counts.data()), sum), "counting does not change the sum");
  double consumed = 0;
  for (const double count : counts) expect(count > -1e-6 && std::isfinite(count), "no count is negative");
  for (int q = 0; q < edit_states; ++q) consumed += counts[static_cast<std::size_t>(state_features + q)];
  expect(n + m == 0 || consumed > 0, "there are edits where there are words");
  expect(counts[state_features + jump_forward] <= counts[state_features + jump_end] + 1e-6 &&
             counts[state_features + jump_end] <= counts[state_features + jump_forward] + 1e-6,
         "every jump comes to its end");
  std::vector<Edit> edits;
  const double best = machine.best_edits(pair, edits);
  expect(best <= sum + 1e-6 * std::max(1.0, std::abs(sum)), "no sequence is worth more than all");
  expect(n + m == 0 || !edits.empty(), "the best sequence has edits");
  EditMachine fresh(weights.data(), options);
  expect(fresh.log_sum(pair) == sum, "a machine forgets what came before, to the last bit");
  if (options.max_jump == 0 && !depends) {
    expect(fuzz::close(sum, plain_sum(pair, weights, options.edit_block), 1e-8),
           "the sum over all sequences");
  }
}

}  // namespace
}  // namespace metaphrase::edits

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  for (const int words : {40, 80, 160}) metaphrase::edits::check_work(words);
  return 0;
}

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::edits::check(bytes);
  return 0;
}
