#include "edits/machine.hpp"
#include "edits/wide_registers.hpp"

namespace metaphrase::edits {

METAPHRASE_WIDE_REGISTERS static void count(EditSums<double>& sums, const EditPair& pair,
                                            StepCounts<double>& counts) {
  sums.backward(pair, counts);
}

void count_in_doubles(EditSums<double>& sums, const EditPair& pair, StepCounts<double>& counts) {
  count(sums, pair, counts);
}

}  // namespace metaphrase::edits
