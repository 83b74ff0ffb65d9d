// metaphrase._core.edit_rate: translation edit rate. Whatever an array holds is checked here, before the
// kernel trusts it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "counts/edit_rate.hpp"
#include "python/arrays.hpp"
#include "python/refused_input.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::counts {
namespace {

constexpr std::size_t block = 16;  // pairs that a thread takes at a time
constexpr std::size_t kinds = 4;   // insertions, deletions, substitutions, shifts

// The words of many texts one after the other.
struct Side {
  const std::int32_t* words;
  const std::int64_t* offsets;

  EditRate::Words operator[](std::size_t row) const {
    return {words + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
  }
};

Side checked_side(const IntVector& words, const LongVector& offsets, const char* name) {
  check_offsets(offsets, words.size(), name);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets.data()[row + 1] - offsets.data()[row] > EditRate::most_words) {
      throw RefusedInputError(
          "MP567", "row", row,
          std::string(" of ") + name + " has more than " + std::to_string(EditRate::most_words) + " words");
    }
  }
  return {words.data(), offsets.data()};
}

// Both sides, and how many pairs there are.
std::tuple<Side, Side, std::size_t> checked_pairs(const IntVector& hypotheses,
                                                  const LongVector& hypothesis_offsets,
                                                  const IntVector& references,
                                                  const LongVector& reference_offsets) {
  const Side hypothesis = checked_side(hypotheses, hypothesis_offsets, "hypotheses");
  const Side reference = checked_side(references, reference_offsets, "references");
  if (hypothesis_offsets.size() != reference_offsets.size()) {
    throw RefusedInputError("MP406", "hypotheses and references must be equally many.");
  }
  return {hypothesis, reference, hypothesis_offsets.size() - 1};
}

OwnedArray<std::int32_t> count(IntVector hypotheses, LongVector hypothesis_offsets, IntVector references,
                               LongVector reference_offsets, int threads) {
  const auto [hypothesis, reference, pairs] =
      checked_pairs(hypotheses, hypothesis_offsets, references, reference_offsets);
  auto counts = std::make_unique<std::int32_t[]>(pairs * kinds + 1);
  {
    const nb::gil_scoped_release released;
    // Structured bindings cannot be captured.
    parallel_blocks(pairs, block, threads,
                    [&counts, &hyp = hypothesis, &ref = reference](std::size_t begin, std::size_t end, int) {
                      EditRate edits;
                      for (std::size_t p = begin; p < end; ++p) {
                        edits.find(hyp[p], ref[p]);
                        std::int32_t* row = counts.get() + p * kinds;
                        for (const EditOperation operation : edits.operations()) {
                          row[0] += operation == EditOperation::insert;
                          row[1] += operation == EditOperation::erase;
                          row[2] += operation == EditOperation::substitute;
                        }
                        row[3] = static_cast<std::int32_t>(edits.shifts().size());
                      }
                    });
  }
  return owned(std::move(counts), {pairs, kinds});
}

nb::tuple find(IntVector hypotheses, LongVector hypothesis_offsets, IntVector references,
               LongVector reference_offsets) {
  const auto [hypothesis, reference, pairs] =
      checked_pairs(hypotheses, hypothesis_offsets, references, reference_offsets);
  std::vector<std::int64_t> operation_offsets(1, 0), shift_offsets(1, 0);
  std::vector<std::uint8_t> operations;
  std::vector<WordShift> shifts;
  std::unique_ptr<std::int32_t[]> moves;
  {
    const nb::gil_scoped_release released;
    EditRate edits;
    for (std::size_t p = 0; p < pairs; ++p) {
      edits.find(hypothesis[p], reference[p]);
      for (const EditOperation operation : edits.operations()) {
        operations.push_back(static_cast<std::uint8_t>(operation));
      }
      shifts.insert(shifts.end(), edits.shifts().begin(), edits.shifts().end());
      operation_offsets.push_back(static_cast<std::int64_t>(operations.size()));
      shift_offsets.push_back(static_cast<std::int64_t>(shifts.size()));
    }
    moves = std::make_unique<std::int32_t[]>(shifts.size() * 3 + 1);
    std::int32_t* to = moves.get();
    for (const auto& [start, length, target] : shifts) {
      for (const std::int32_t number : {start, length, target}) *to++ = number;
    }
  }
  const std::size_t moved = shifts.size();
  return nb::make_tuple(as_array(std::move(operation_offsets)), as_array(std::move(operations)),
                        as_array(std::move(shift_offsets)), owned(std::move(moves), {moved, std::size_t{3}}));
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
