// What libFuzzer calls: an input goes to the target, and may take as long as its size allows.
#include <ctime>

#include "fuzzing.hpp"

namespace {

// Seconds of the processor, sanitizers included: others may be at work beside it.
double allowed(std::size_t size) { return 1 + static_cast<double>(size) / 4096; }

double processor_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  double start = processor_seconds();
  int kept = examine(data, size);
  if (processor_seconds() - start > allowed(size)) {
    // Once more: what is loaded on first use is not the input's fault.
    start = processor_seconds();
    kept = examine(data, size);
    metaphrase::fuzz::expect(processor_seconds() - start <= allowed(size),
                             "an input takes no longer than its size allows");
  }
  return kept;
}
