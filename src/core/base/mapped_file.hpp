// A file read in place, without copying it into memory.
#pragma once

#if defined(_WIN32)
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace metaphrase {

// The file cannot be opened; a file that opens but makes no sense is a std::invalid_argument.
struct UnreadableFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class MappedFile {
 public:
  // The path is in UTF-8 on every system. An empty file cannot be mapped: it has no bytes, and is left for
  // the reader of the header to reject.
  explicit MappedFile(const std::string& path) { map(path); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) unmap();
  }

  std::span<const std::uint8_t> bytes() const { return {static_cast<const std::uint8_t*>(data_), size_}; }
  std::string_view text() const { return {static_cast<const char*>(data_), size_}; }

 private:
#if defined(_WIN32)
  void map(const std::string& path) {
    const HANDLE file = ::CreateFileW(wide(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) refuse(::GetLastError());
    LARGE_INTEGER size{};
    if (::GetFileSizeEx(file, &size)) size_ = static_cast<std::size_t>(size.QuadPart);
    DWORD error = ERROR_SUCCESS;
    if (size_ > 0) {
      // A view keeps the mapping alive, and the mapping the file.
      const HANDLE mapping = ::CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
      if (mapping != nullptr) data_ = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
      if (data_ == nullptr) error = ::GetLastError();
      if (mapping != nullptr) ::CloseHandle(mapping);
    }
    ::CloseHandle(file);
    if (error != ERROR_SUCCESS) refuse(error);
  }

  void unmap() { ::UnmapViewOfFile(data_); }

  static std::wstring wide(const std::string& text) {
    const int length = static_cast<int>(text.size());
    std::wstring result(
        static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0)), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, result.data(), static_cast<int>(result.size()));
    return result;
  }

  [[noreturn]] static void refuse(DWORD error) {
    throw UnreadableFileError(std::system_category().message(static_cast<int>(error)));
  }
#else
  void map(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw UnreadableFileError(std::strerror(errno));
    struct stat status{};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<std::size_t>(status.st_size);
    void* const data = size_ > 0 ? ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
    const int error = errno;
    ::close(file);
    if (data == MAP_FAILED) throw UnreadableFileError(std::strerror(error));
    data_ = data;
  }

  void unmap() { ::munmap(data_, size_); }
#endif

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace metaphrase
