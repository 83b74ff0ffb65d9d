// Edit machines: log-sums over edit sequences, expected counts, best edits.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/parallel.hpp"
#include "edits/machine.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"
#include "python/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::edits {
namespace {

// Pairs that no thread gets fewer of: their cost differs by orders of magnitude.
constexpr std::size_t pairs_at_a_time = 4;

[[noreturn]] void refuse(const char* code, std::size_t pair, const std::string& what) {
  throw RefusedInputError(code, "pair", pair, ": " + what);
}

// Pairs whose every number has been looked at.
struct CheckedPairs {
  IntVector reference_lengths, hypothesis_lengths;
  LongVector substitution_offsets;
  IntVector substitutions;
  LongVector dependency_offsets;
  IntVector dependencies;

  void check() const {
    const std::size_t pairs = reference_lengths.size();
    if (hypothesis_lengths.size() != pairs || substitution_offsets.size() != pairs + 1 ||
        dependency_offsets.size() != pairs + 1) {
      throw RefusedInputError("MP410", "every pair needs two lengths and two offsets.");
    }
    check_offsets(substitution_offsets, substitutions.size() / 5, "substitution_offsets");
    check_offsets(dependency_offsets, dependencies.size() / 3, "dependency_offsets");
    for (std::size_t p = 0; p < pairs; ++p) check(p);
  }

  std::size_t size() const { return reference_lengths.size(); }

  EditPair operator[](std::size_t p) const {
    const std::int64_t s = substitution_offsets.data()[p], d = dependency_offsets.data()[p];
    return {reference_lengths.data()[p],
            hypothesis_lengths.data()[p],
            reinterpret_cast<const Substitution*>(substitutions.data()) + s,
            static_cast<int>(substitution_offsets.data()[p + 1] - s),
            reinterpret_cast<const SharedDependency*>(dependencies.data()) + d,
            static_cast<int>(dependency_offsets.data()[p + 1] - d)};
  }

  static auto key(const Substitution& s) {
    return std::tie(s.reference, s.hypothesis, s.reference_words, s.hypothesis_words, s.label);
  }

  void check(std::size_t p) const {
    const EditPair pair = (*this)[p];
    if (pair.reference < 0 || pair.hypothesis < 0) refuse("MP410", p, "a length is negative");
    if ((std::int64_t{pair.reference} + 1) * (std::int64_t{pair.hypothesis} + 1) > most_cells) {
      refuse("MP415", p,
             "the sentences have " + std::to_string(pair.reference) + " and " +
                 std::to_string(pair.hypothesis) + " words, which are too many to compare");
    }
    const Substitution* before = nullptr;
    for (int n = 0; n < pair.substitution_count; ++n) {
      const Substitution& s = pair.substitutions[n];
      if (s.reference_words < 1 || s.reference_words > 2 || s.hypothesis_words < 1 ||
          s.hypothesis_words > 2 || s.label < 0 || s.label >= substitution_labels || s.reference < 0 ||
          s.hypothesis < 0 || s.reference > pair.reference - s.reference_words ||
          s.hypothesis > pair.hypothesis - s.hypothesis_words) {
        refuse("MP411", p,
               "substitution " + std::to_string(n) +
                   " lies outside the sentences, or has no such size or label");
      }
      if (before && !(key(*before) < key(s))) {
        refuse("MP411", p, "substitution " + std::to_string(n) + " is not above the one before it");
      }
      before = &s;
    }
    for (int n = 0; n < pair.dependency_count; ++n) {
      const SharedDependency& d = pair.dependencies[n];
      if (d.reference < 1 || d.reference >= pair.reference || d.hypothesis < 1 ||
          d.hypothesis >= pair.hypothesis || d.label < 0 || d.label >= dependency_labels) {
        refuse("MP412", p,
               "dependency " + std::to_string(n) + " lies outside the sentences, or has no such label");
      }
      if (n > 0) {
        const SharedDependency& b = pair.dependencies[n - 1];
        if (std::tie(b.reference, b.hypothesis) >= std::tie(d.reference, d.hypothesis)) {
          refuse("MP412", p, "dependency " + std::to_string(n) + " is not above the one before it");
        }
      }
    }
  }

  // Sums over sequences of two sentences of 4,000 words take some 800 MB with their derivatives.
  static constexpr std::int64_t most_cells = std::int64_t{1} << 24;
};

// Calls `work(machine, pair, number)` for every pair, with a machine for each thread that `make` makes.
template <class Make, class Work>
void for_each_pair(const CheckedPairs& pairs, int threads, Make&& make, Work&& work) {
  const nb::gil_scoped_release released;
  parallel_items(pairs.size(), pairs_at_a_time, threads, make,
                 [&](auto& machine, std::size_t p) { work(machine, pairs[p], p); });
}

OwnedArray<double> log_sums(const CheckedPairs& pairs, Vector<double> weights, const MachineOptions& options,
                            int threads) {
  auto sums = std::make_unique<double[]>(pairs.size());
  for_each_pair(
      pairs, threads, [&] { return EditMachine(weights.data(), options); },
      [&](EditMachine& machine, const EditPair& pair, std::size_t p) { sums[p] = machine.log_sum(pair); });
  return owned(std::move(sums), {pairs.size()});
}

std::tuple<OwnedArray<double>, OwnedArray<double>> expected_counts(const CheckedPairs& pairs,
                                                                   Vector<double> weights,
                                                                   const MachineOptions& options,
                                                                   int threads) {
  auto sums = std::make_unique<double[]>(pairs.size());
  auto counts = std::make_unique<double[]>(pairs.size() * edit_features);
  for_each_pair(
      pairs, threads, [&] { return EditMachine(weights.data(), options); },
      [&](EditMachine& machine, const EditPair& pair, std::size_t p) {
        sums[p] = machine.expected_counts(pair, counts.get() + p * edit_features);
      });
  return {owned(std::move(sums), {pairs.size()}), owned(std::move(counts), {pairs.size(), edit_features})};
}

// Counts of one thread's pairs.
struct ThreadArcs {
  EditArcs arcs;
  std::int64_t* counts;
};

OwnedArray<std::int64_t> arc_counts(const CheckedPairs& pairs, const MachineOptions& options, int threads) {
  const double none[edit_features] = {};
  const EditWeights<Reached> possible(none, options, 0.0);
  std::vector<std::unique_ptr<std::int64_t[]>> of_thread;
  std::mutex adding;
  for_each_pair(
      pairs, threads,
      [&] {
        const std::lock_guard guard(adding);
        of_thread.push_back(std::make_unique<std::int64_t[]>(edit_features));
        return ThreadArcs{EditArcs(possible, options), of_thread.back().get()};
      },
      [&](ThreadArcs& thread, const EditPair& pair, std::size_t) { thread.arcs.count(pair, thread.counts); });
  auto counts = std::make_unique<std::int64_t[]>(edit_features);
  for (const auto& part : of_thread) {
    for (int f = 0; f < edit_features; ++f) counts[f] += part[f];
  }
  return owned(std::move(counts), {edit_features});
}

std::tuple<OwnedArray<double>, OwnedArray<std::int64_t>, OwnedArray<std::int32_t>> best_edits(
    const CheckedPairs& pairs, Vector<double> weights, const MachineOptions& options, int threads) {
  auto scores = std::make_unique<double[]>(pairs.size());
  auto offsets = std::make_unique<std::int64_t[]>(pairs.size() + 1);
  std::vector<std::vector<Edit>> found(pairs.size());
  for_each_pair(
      pairs, threads, [&] { return EditMachine(weights.data(), options); },
      [&](EditMachine& machine, const EditPair& pair, std::size_t p) {
        scores[p] = machine.best_edits(pair, found[p]);
      });
  for (std::size_t p = 0; p < found.size(); ++p) {
    offsets[p + 1] = offsets[p] + static_cast<std::int64_t>(found[p].size());
  }
  const auto total = static_cast<std::size_t>(offsets[pairs.size()]);
  auto edits = std::make_unique<std::int32_t[]>(total * 5);
  auto* next = reinterpret_cast<Edit*>(edits.get());
  for (const auto& sequence : found) next = std::copy(sequence.begin(), sequence.end(), next);
  return {owned(std::move(scores), {pairs.size()}), owned(std::move(offsets), {pairs.size() + 1}),
          owned(std::move(edits), {total, 5})};
}

// What is planned to see whether jumps are left out.
struct PlannedPair {
  EditTable table;
  JumpPlan plan;
};

OwnedArray<bool> windowed(const CheckedPairs& pairs, const MachineOptions& options, int threads) {
  auto limited = std::make_unique<bool[]>(pairs.size());
  for_each_pair(
      pairs, threads, [] { return PlannedPair(); },
      [&](PlannedPair& planned, const EditPair& pair, std::size_t p) {
        limited[p] = options.windowed(pair);
        if (limited[p] || options.max_jump == 0 || JumpPlan::surely_few(pair, options.max_jump)) return;
        planned.table.build(pair, false);
        planned.plan.build(planned.table, options, pair);
        limited[p] = planned.plan.limited();
      });
  return owned(std::move(limited), {pairs.size()});
}

}  // namespace

void bind_edits(nb::module_ module) {
  nb::class_<CheckedPairs>(module, "Pairs")
      .def("__init__",
           &make_struct<CheckedPairs, IntVector, IntVector, LongVector, IntVector, LongVector, IntVector>,
           "reference_lengths"_a, "hypothesis_lengths"_a, "substitution_offsets"_a, "substitutions"_a,
           "dependency_offsets"_a, "dependencies"_a);
  nb::class_<MachineOptions>(module, "Options")
      .def("__init__", &make_struct<MachineOptions, int, int, bool, bool, bool, int, int>, "max_jump"_a,
           "edit_block"_a, "free_jumped"_a, "jump_first"_a, "jump_after_jump"_a, "exact_length"_a,
           "jump_window"_a);
  module.def("log_sums", &log_sums, "pairs"_a, "weights"_a, "options"_a, "threads"_a);
  module.def("expected_counts", &expected_counts, "pairs"_a, "weights"_a, "options"_a, "threads"_a);
  module.def("arc_counts", &arc_counts, "pairs"_a, "options"_a, "threads"_a);
  module.def("best_edits", &best_edits, "pairs"_a, "weights"_a, "options"_a, "threads"_a);
  module.def("windowed", &windowed, "pairs"_a, "options"_a, "threads"_a);
}

}  // namespace metaphrase::edits
