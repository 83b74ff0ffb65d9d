// A file read in place, without copying it into memory.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace metaphrase {

// The file cannot be opened; a file that opens but makes no sense is a std::invalid_argument.
struct UnreadableFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw UnreadableFileError(std::strerror(errno));
    struct stat status{};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<std::size_t>(status.st_size);
    // mmap refuses an empty range; an empty file is left for the reader of the header to reject.
    if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    const int error = errno;
    ::close(file);
    if (data_ == MAP_FAILED) throw UnreadableFileError(std::strerror(error));
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }

  std::span<const std::uint8_t> bytes() const { return {static_cast<const std::uint8_t*>(data_), size_}; }
  std::string_view text() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace metaphrase
