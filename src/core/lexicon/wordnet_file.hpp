// The file that holds WordNet, written by training/build_wordnet.py: its format, and the parts that read it.
//
// Little-endian. Header: magic (8 bytes), SHA-256 of everything after it (32), version, number of lemmas, of
// synsets and of exceptions (u32 each), corpus totals of nouns and of verbs, size of the file (u64 each),
// then offset and length in bytes (u32 each) of every section. Lists are stored as lengths (one byte each, in
// one section) and members (in another): lengths compress well, and the running sums that replace them in
// memory cannot point outside their section once their total is right. Which lemmas a synset has is the
// inverse of which synsets a lemma has, so only the latter is stored.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

namespace metaphrase::lexicon {

static_assert(std::endian::native == std::endian::little, "the file is read in place");

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

}  // namespace metaphrase::lexicon
