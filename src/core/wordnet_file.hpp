// The file that holds WordNet, written by training/build_wordnet.py: its format, and the parts that read it.
//
// Little-endian. Header: magic (8 bytes), SHA-256 of everything after it (32), version, number of lemmas, of
// synsets and of exceptions (u32 each), corpus totals of nouns and of verbs, size of the file (u64 each),
// then offset and length in bytes (u32 each) of every section. Lists are stored as lengths (one byte each, in
// one section) and members (in another): lengths compress well, and the running sums that replace them in
// memory cannot point outside their section once their total is right. Which lemmas a synset has is the
// inverse of which synsets a lemma has, so only the latter is stored.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace metaphrase {

static_assert(std::endian::native == std::endian::little, "the file is read in place");

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

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

// Where each list starts among the members of all lists.
class ListStarts {
 public:
  ListStarts(std::span<const std::uint8_t> lengths, std::size_t members, const char* what)
      : starts_(lengths.size() + 1) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      starts_[i] = static_cast<std::uint32_t>(total);
      total += lengths[i];
    }
    // A section has fewer than 2^32 members, so a total that is right has not been cut short above.
    starts_.back() = static_cast<std::uint32_t>(total);
    if (total != members) throw std::invalid_argument(std::string(what) + ": lengths and content disagree");
  }

  std::size_t count() const { return starts_.size() - 1; }

  template <class Member>
  std::span<const Member> slice(std::span<const Member> members, std::size_t list) const {
    return members.subspan(starts_[list], starts_[list + 1] - starts_[list]);
  }

 private:
  std::vector<std::uint32_t> starts_;
};

// Strings by number and numbers by string. The hash table is built at opening, which is quick, rather than
// stored: numbers in the order of a hash do not compress.
class StringTable {
 public:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  StringTable(std::span<const std::uint8_t> text, std::span<const std::uint8_t> lengths, const char* what)
      : text_(text), starts_(lengths, text.size(), what) {
    // At least two, because a shift by all 64 bits is undefined.
    const std::size_t slots = std::bit_ceil(2 * lengths.size() + 2);
    shift_ = 64 - std::countr_zero(slots);
    slots_.assign(slots, absent);
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
      std::size_t slot = first_slot((*this)[i]);
      // Honest tables need a few dozen probes at worst; one string repeated for ever would take hours.
      for (int probes = 0; slots_[slot] != absent; slot = (slot + 1) & (slots - 1)) {
        if (++probes > 10'000) throw std::invalid_argument(std::string(what) + ": strings are not distinct");
      }
      slots_[slot] = i;
    }
  }

  std::size_t count() const { return starts_.count(); }

  std::string_view operator[](std::size_t index) const {
    const auto string = starts_.slice(text_, index);
    return {reinterpret_cast<const char*>(string.data()), string.size()};
  }

  std::uint32_t find(std::string_view string) const {
    for (std::size_t slot = first_slot(string);; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t index = slots_[slot];
      if (index == absent || (*this)[index] == string) return index;
    }
  }

 private:
  // Eight bytes at a time, the last eight overlapping those before them: a copy of fixed size is one
  // instruction. The multiplier is 2^64 divided by the golden ratio.
  std::size_t first_slot(std::string_view string) const {
    std::uint64_t hash = string.size();
    const auto mix = [&hash](std::uint64_t word) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    };
    const char* const end = string.data() + string.size();
    if (string.size() >= 8) {
      for (const char* next = string.data(); end - next > 8; next += 8) mix(load<std::uint64_t>(next));
      mix(load<std::uint64_t>(end - 8));
    } else if (string.size() >= 4) {
      mix(std::uint64_t{load<std::uint32_t>(string.data())} << 32 | load<std::uint32_t>(end - 4));
    } else {
      std::uint64_t word = 0;
      for (const char c : string) word = word << 8 | static_cast<std::uint8_t>(c);
      mix(word);
    }
    return (hash * 0x9E3779B97F4A7C15) >> shift_;
  }

  template <class Number>
  static Number load(const char* text) {
    Number number;
    std::memcpy(&number, text, sizeof number);
    return number;
  }

  std::span<const std::uint8_t> text_;
  ListStarts starts_;
  std::vector<std::uint32_t> slots_;
  int shift_ = 0;
};

// What the header says, checked against the size of the file; sections lie inside the file from here on.
struct WordNetHeader {
  enum Section {
    lemma_text,
    lemma_lengths,
    sense_counts,
    senses,
    parts,
    hypernym_counts,
    hypernyms,
    corpus_counts,
    exception_text,
    exception_lengths,
    base_text,
    base_lengths,
    section_count,
  };
  static constexpr std::size_t digest_begin = 8, digest_end = 40, table_begin = 80;
  static constexpr std::size_t size = table_begin + 8 * section_count;

  explicit WordNetHeader(std::span<const std::uint8_t> file) : file_(file) {
    if (file.size() < size) throw std::invalid_argument("the file is too short for a header");
    if (std::memcmp(file.data(), "MPWORDNT", 8) != 0)
      throw std::invalid_argument("this is not a WordNet file");
    if (const auto version = read<std::uint32_t>(digest_end); version != 1) {
      throw std::invalid_argument("unknown format version " + std::to_string(version));
    }
    if (const auto stated = read<std::uint64_t>(72); stated != file.size()) {
      throw std::invalid_argument("the file has " + std::to_string(file.size()) +
                                  " bytes where its header says " + std::to_string(stated));
    }
    require(lemma_lengths, lemma_count());
    require(sense_counts, lemma_count());
    require(parts, synset_count());
    require(hypernym_counts, synset_count());
    require(corpus_counts, 4 * synset_count());
    require(exception_lengths, exception_count());
    require(base_lengths, exception_count());
  }

  std::size_t lemma_count() const { return read<std::uint32_t>(44); }
  std::size_t synset_count() const { return read<std::uint32_t>(48); }
  std::size_t exception_count() const { return read<std::uint32_t>(52); }
  std::uint64_t noun_total() const { return read<std::uint64_t>(56); }
  std::uint64_t verb_total() const { return read<std::uint64_t>(64); }

  std::span<const std::uint8_t> bytes(Section section) const {
    const std::size_t begin = read<std::uint32_t>(table_begin + 8 * section);
    const std::size_t length = read<std::uint32_t>(table_begin + 8 * section + 4);
    if (begin < size || begin > file_.size() || length > file_.size() - begin) {
      throw std::invalid_argument("section " + std::to_string(section) + " lies outside the file");
    }
    return file_.subspan(begin, length);
  }

  std::span<const std::uint32_t> words(Section section) const {
    const auto raw = bytes(section);
    if (raw.size() % 4 != 0 || (raw.data() - file_.data()) % 4 != 0) {
      throw std::invalid_argument("section " + std::to_string(section) + " is not aligned");
    }
    return {reinterpret_cast<const std::uint32_t*>(raw.data()), raw.size() / 4};
  }

 private:
  template <class Number>
  Number read(std::size_t position) const {
    Number number;
    std::memcpy(&number, file_.data() + position, sizeof number);
    return number;
  }

  void require(Section section, std::size_t length) const {
    if (bytes(section).size() != length) {
      throw std::invalid_argument("section " + std::to_string(section) + " has the wrong length");
    }
  }

  std::span<const std::uint8_t> file_;
};

}  // namespace metaphrase
