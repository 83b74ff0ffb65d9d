// Damaged model files: put where a reader expects a file, and mutated in such a way that the parser behind
// the checksum is reached.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/byte_stream.hpp"
#include "base/mapped_file.hpp"
#include "fuzzing.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace metaphrase::fuzz {

// A file without a disk; its path is valid as long as this lives.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(::memfd_create("model", 0)) {
    expect(descriptor_ >= 0, "a file in memory can be made");
    while (!content.empty()) {
      const auto written = ::write(descriptor_, content.data(), content.size());
      expect(written > 0, "a file in memory can be written");
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// Calls `use` on the content of a model. What readers may throw is what the bindings turn into coded errors.
template <class Use>
int read_damaged(const std::uint8_t* data, std::size_t size, Use&& use) {
  try {
    use(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const ModelError&) {
  } catch (const UnreadableFileError&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}

// Where the checksum stands and what it covers: everything behind it.
struct ChecksumPlace {
  std::size_t begin;
  std::size_t end() const { return begin + 8; }
};

// As libFuzzer mutates, with two habits of its own: small steps of a 32-bit number, such as counts and
// offsets are, and a checksum that is right in all but one of sixteen inputs.
inline std::size_t mutate_model(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                                ChecksumPlace place) {
  if (seed % 3 == 0 && size >= 4) {
    const std::size_t at = (seed / 7) % (size - 3);
    std::uint32_t number;
    std::memcpy(&number, data + at, sizeof number);
    constexpr std::uint32_t steps[] = {1, 2, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFF8};
    number += steps[seed / 3 % 8];
    std::memcpy(data + at, &number, sizeof number);
  } else {
    size = LLVMFuzzerMutate(data, size, most);
  }
  if (seed % 16 != 1 && size >= place.end()) {
    const std::string_view content(reinterpret_cast<const char*>(data) + place.end(), size - place.end());
    const std::uint64_t right = checksum(content);
    std::memcpy(data + place.begin, &right, sizeof right);
  }
  return size;
}

}  // namespace metaphrase::fuzz

#define METAPHRASE_MUTATES_MODELS(place)                                                                   \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,   \
                                                 unsigned seed) {                                          \
    return metaphrase::fuzz::mutate_model(data, size, most, seed, metaphrase::fuzz::ChecksumPlace{place}); \
  }
