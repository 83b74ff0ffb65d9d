// metaphrase._core.edit_rate: translation edit rate. Whatever an array holds is checked here, before the
// kernel trusts it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/parallel_text.hpp"
#include "counts/edit_rate.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::counts {
namespace {

constexpr std::size_t block = 16;  // pairs that a thread takes at a time
constexpr std::size_t kinds = 4;   // insertions, deletions, substitutions, shifts

PackedText checked_side(const IntVector& words, const LongVector& offsets, const char* name) {
  check_offsets(offsets, words.size(), name);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets.data()[row + 1] - offsets.data()[row] > EditRate::most_words) {
      throw RefusedInputError(
          "MP567", "row", row,
          std::string(" of ") + name + " has more than " + std::to_string(EditRate::most_words) + " words");
    }
  }
  return {view(offsets), view(words)};
}

// Both sides of all pairs.
std::pair<PackedText, PackedText> checked_pairs(const IntVector& hypotheses,
                                                const LongVector& hypothesis_offsets,
                                                const IntVector& references,
                                                const LongVector& reference_offsets) {
  const PackedText hypothesis = checked_side(hypotheses, hypothesis_offsets, "hypotheses");
  const PackedText reference = checked_side(references, reference_offsets, "references");
  if (hypothesis_offsets.size() != reference_offsets.size()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally many.");
  }
  return {hypothesis, reference};
}

OwnedArray<std::int32_t> count(IntVector hypotheses, LongVector hypothesis_offsets, IntVector references,
                               LongVector reference_offsets, int threads) {
  // Structured bindings cannot be captured.
  const auto sides = checked_pairs(hypotheses, hypothesis_offsets, references, reference_offsets);
  const std::size_t pairs = sides.first.sentences();
  return filled<std::int32_t>({pairs, kinds}, [&](std::int32_t* counts) {
    const auto make = [] { return EditRate(); };
    parallel_items(pairs, block, threads, make, [&](EditRate& edits, std::size_t p) {
      edits.find(sides.first.sentence(p), sides.second.sentence(p));
      std::int32_t* row = counts + p * kinds;
      for (const EditOperation operation : edits.operations()) {
        row[0] += operation == EditOperation::insert;
        row[1] += operation == EditOperation::erase;
        row[2] += operation == EditOperation::substitute;
      }
      row[3] = static_cast<std::int32_t>(edits.shifts().size());
    });
  });
}

nb::tuple find(IntVector hypotheses, LongVector hypothesis_offsets, IntVector references,
               LongVector reference_offsets) {
  const auto [hypothesis, reference] =
      checked_pairs(hypotheses, hypothesis_offsets, references, reference_offsets);
  std::vector<std::int64_t> operation_offsets(1, 0), shift_offsets(1, 0);
  std::vector<std::uint8_t> operations;
  std::vector<std::int32_t> shifts;
  {
    const nb::gil_scoped_release released;
    EditRate edits;
    for (std::size_t p = 0; p < hypothesis.sentences(); ++p) {
      edits.find(hypothesis.sentence(p), reference.sentence(p));
      for (const EditOperation operation : edits.operations()) {
        operations.push_back(static_cast<std::uint8_t>(operation));
      }
      for (const auto& [start, length, target] : edits.shifts()) {
        shifts.insert(shifts.end(), {start, length, target});
      }
      operation_offsets.push_back(static_cast<std::int64_t>(operations.size()));
      shift_offsets.push_back(static_cast<std::int64_t>(shifts.size() / 3));
    }
  }
  return nb::make_tuple(as_array(std::move(operation_offsets)), as_array(std::move(operations)),
                        as_array(std::move(shift_offsets)), as_rows(shifts, 3));
}

}  // namespace

void bind_edit_rate(nb::module_ module) {
  module.def("count", &count, "hypotheses"_a, "hypothesis_offsets"_a, "references"_a, "reference_offsets"_a,
             "threads"_a, "Insertions, deletions, substitutions and shifts of each pair, (pairs, 4).");
  module.def(
      "find", &find, "hypotheses"_a, "hypothesis_offsets"_a, "references"_a, "reference_offsets"_a,
      "Offsets and operations of all pairs (0 match, 1 substitute, 2 insert, 3 delete), then offsets and "
      "shifts (start, length, target).");
}

}  // namespace metaphrase::counts
