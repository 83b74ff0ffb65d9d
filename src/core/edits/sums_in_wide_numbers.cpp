#include "edits/machine.hpp"

namespace metaphrase::edits {

template class EditSums<WideNumber>;

}  // namespace metaphrase::edits
