#include "edits/machine.hpp"
#include "edits/wide_registers.hpp"

namespace metaphrase::edits {

METAPHRASE_WIDE_REGISTERS static double sum(EditSums<double>& sums, const EditPair& pair) {
  return sums.forward(pair);
}

double sum_in_doubles(EditSums<double>& sums, const EditPair& pair) { return sum(sums, pair); }

}  // namespace metaphrase::edits
