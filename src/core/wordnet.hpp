// WordNet 3.0 in one memory-mapped, read-only file, written by training/build_wordnet.py.
//
// Little-endian. Header: magic (8 bytes), SHA-256 of everything after it (32), version, number of lemmas, of
// synsets and of exceptions (u32 each), corpus totals of nouns and of verbs, size of the file (u64 each), then
// offset and length in bytes (u32 each) of every section. Lists are stored as lengths (one byte each, in one
// section) and members (in the next): lengths compress well, and the running sums that replace them in memory
// can never point outside their section once their total is right. Which lemmas a synset has is the inverse of
// which synsets a lemma has, so only the latter is stored.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
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
    struct stat status {};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) size_ = static_cast<std::size_t>(status.st_size);
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

// Strings by number and numbers by string. The hash table is built at opening: it takes less time than
// reading one from the file would take bytes in the wheel.
class StringTable {
 public:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  StringTable(std::span<const std::uint8_t> text, std::span<const std::uint8_t> lengths, const char* what)
      : text_(text), starts_(lengths, text.size(), what) {
    const std::size_t slots = std::bit_ceil(2 * lengths.size() + 1);
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
    if (std::memcmp(file.data(), "MPWORDNT", 8) != 0) throw std::invalid_argument("this is not a WordNet file");
    if (const auto version = read<std::uint32_t>(digest_end); version != 1) {
      throw std::invalid_argument("unknown format version " + std::to_string(version));
    }
    if (const auto stated = read<std::uint64_t>(72); stated != file.size()) {
      throw std::invalid_argument("the file has " + std::to_string(file.size()) + " bytes where its header says " +
                                  std::to_string(stated));
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

struct SynonymGraph {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> neighbours;
};

// Immutable after construction, so any number of threads may ask at once.
class WordNet {
 public:
  explicit WordNet(const std::string& path)
      : file_(path),
        header_(file_.bytes()),
        lemmas_(header_.bytes(header_.lemma_text), header_.bytes(header_.lemma_lengths), "lemmas"),
        senses_(header_.words(header_.senses)),
        sense_starts_(header_.bytes(header_.sense_counts), senses_.size(), "senses"),
        parts_(header_.bytes(header_.parts)),
        hypernyms_(header_.words(header_.hypernyms)),
        hypernym_starts_(header_.bytes(header_.hypernym_counts), hypernyms_.size(), "hypernyms"),
        corpus_counts_(header_.words(header_.corpus_counts)),
        exceptions_(header_.bytes(header_.exception_text), header_.bytes(header_.exception_lengths), "exceptions"),
        base_text_(header_.bytes(header_.base_text)),
        base_starts_(header_.bytes(header_.base_lengths), base_text_.size(), "base forms") {
    require_synsets(senses_, "senses");
    require_synsets(hypernyms_, "hypernyms");
    require_parts();
    require_ascii(header_.bytes(header_.lemma_text));
    require_ascii(base_text_);
  }

  std::size_t lemma_count() const { return lemmas_.count(); }
  std::size_t synset_count() const { return parts_.size(); }

  std::span<const std::uint8_t> digest() const {
    return file_.bytes().subspan(header_.digest_begin, header_.digest_end - header_.digest_begin);
  }

  // The key of a word: ASCII letters in lower case, spaces as underscores, every other byte as it is.
  static void normalise(std::string_view word, std::string& key) {
    key.assign(word);
    for (char& c : key) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      if (c == ' ') c = '_';
    }
  }

  // Synsets of a word in sense order, nouns before verbs, adjectives and adverbs.
  std::span<const std::uint32_t> synsets(std::string_view word, std::string& key) const {
    normalise(word, key);
    const std::uint32_t lemma = lemmas_.find(key);
    return lemma == StringTable::absent ? std::span<const std::uint32_t>{} : sense_starts_.slice(senses_, lemma);
  }

  // Whether a synset counts when `part` is asked for; 0 asks for all, 'a' includes satellites.
  bool has_part(std::uint32_t synset, char part) const {
    const char own = part_of_speech(synset);
    return part == 0 || own == part || (own == 's' && part == 'a');
  }

  char part_of_speech(std::size_t synset) const { return static_cast<char>(parts_[synset]); }

  std::span<const std::uint32_t> hypernyms(std::size_t synset) const {
    return hypernym_starts_.slice(hypernyms_, synset);
  }

  std::vector<std::string_view> lemmas(std::size_t synset) const {
    std::call_once(members_made_, [this] { make_members(); });
    std::vector<std::string_view> result;
    for (std::size_t i = member_starts_[synset]; i < member_starts_[synset + 1]; ++i) {
      result.push_back(lemmas_[members_[i]]);
    }
    return result;
  }

  // -log P(synset), infinite where the corpus has no instance or the part of speech no counts.
  double information_content(std::size_t synset) const {
    const char part = part_of_speech(synset);
    const std::uint64_t total = part == 'n' ? header_.noun_total() : part == 'v' ? header_.verb_total() : 0;
    const std::uint32_t count = corpus_counts_[synset];
    if (total == 0 || count == 0) return std::numeric_limits<double>::infinity();
    // log(1) at the root would otherwise be a negative zero.
    return std::log(static_cast<double>(total)) - std::log(static_cast<double>(count));
  }

  // Lin (1998): 2 IC(c) / (IC(a) + IC(b)), c the common subsumer with the highest IC; 0 where that is undefined.
  double lin(std::uint32_t a, std::uint32_t b) const {
    const char part = part_of_speech(a);
    if (part != part_of_speech(b) || (part != 'n' && part != 'v')) return 0.0;
    if (a == b) return 1.0;
    const double sum = information_content(a) + information_content(b);
    if (!(sum > 0.0) || std::isinf(sum)) return 0.0;
    const auto above_a = subsumers(a);
    double shared = 0.0;
    for (const std::uint32_t synset : subsumers(b)) {
      const double content = above_a.contains(synset) ? information_content(synset) : 0.0;
      if (std::isfinite(content)) shared = std::max(shared, content);
    }
    return std::min(2.0 * shared / sum, 1.0);
  }

  // Base forms of an irregular form, joined by spaces; empty if the form is not on the list of its part.
  std::string_view exceptions(std::string_view form, char part) const {
    std::string key;
    normalise(form, key);
    key.insert(key.begin(), part);
    const std::uint32_t index = exceptions_.find(key);
    if (index == StringTable::absent) return {};
    const auto base = base_starts_.slice(base_text_, index);
    return {reinterpret_cast<const char*>(base.data()), base.size()};
  }

  // For each word the other words that share a synset with it; parts[i] restricts the synsets of word i.
  SynonymGraph synonym_graph(std::span<const std::string_view> words, std::span<const char> parts) const {
    std::string key;
    std::vector<std::uint32_t> senses;
    std::vector<std::size_t> sense_ends(words.size());
    std::vector<std::uint32_t> first_word(synset_count() + 1);
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (const std::uint32_t synset : synsets(words[word], key)) {
        if (!has_part(synset, parts[word])) continue;
        senses.push_back(synset);
        ++first_word[synset + 1];
      }
      sense_ends[word] = senses.size();
    }
    for (std::size_t synset = 0; synset < synset_count(); ++synset) first_word[synset + 1] += first_word[synset];

    std::vector<std::int32_t> words_of_synset(senses.size());
    std::vector<std::uint32_t> next(first_word.begin(), first_word.end() - 1);
    std::size_t sense = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (; sense < sense_ends[word]; ++sense) {
        words_of_synset[next[senses[sense]]++] = static_cast<std::int32_t>(word);
      }
    }

    SynonymGraph graph;
    graph.offsets.reserve(words.size() + 1);
    graph.offsets.push_back(0);
    sense = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      auto& neighbours = graph.neighbours;
      const auto begin = static_cast<std::ptrdiff_t>(neighbours.size());
      for (; sense < sense_ends[word]; ++sense) {
        for (std::uint32_t i = first_word[senses[sense]]; i < first_word[senses[sense] + 1]; ++i) {
          if (words_of_synset[i] != static_cast<std::int32_t>(word)) neighbours.push_back(words_of_synset[i]);
        }
      }
      std::sort(neighbours.begin() + begin, neighbours.end());
      neighbours.erase(std::unique(neighbours.begin() + begin, neighbours.end()), neighbours.end());
      graph.offsets.push_back(static_cast<std::int64_t>(neighbours.size()));
    }
    return graph;
  }

 private:
  void require_synsets(std::span<const std::uint32_t> ids, const char* what) const {
    // A running maximum instead of an early exit: the compiler vectorises it.
    std::uint32_t highest = 0;
    for (const std::uint32_t id : ids) highest = std::max(highest, id);
    if (!ids.empty() && highest >= synset_count()) {
      throw std::invalid_argument(std::string(what) + " name a synset that does not exist");
    }
  }

  void require_parts() const {
    std::array<bool, 256> known{};
    for (const char part : {'n', 'v', 'a', 's', 'r'}) known[static_cast<std::size_t>(part)] = true;
    bool all_known = true;
    for (const std::uint8_t part : parts_) all_known &= known[part];
    if (!all_known) throw std::invalid_argument("a part of speech is unknown");
  }

  // Text leaves as Python strings, which must not fail to decode.
  void require_ascii(std::span<const std::uint8_t> text) const {
    std::uint8_t bits = 0;
    for (const std::uint8_t byte : text) bits |= byte;
    if (bits >= 0x80) throw std::invalid_argument("text is not ASCII");
  }

  // The synset and everything above it. The set also keeps a cycle in a damaged file from running for ever.
  std::unordered_set<std::uint32_t> subsumers(std::uint32_t synset) const {
    std::unordered_set<std::uint32_t> seen{synset};
    std::vector<std::uint32_t> pending{synset};
    while (!pending.empty()) {
      const std::uint32_t current = pending.back();
      pending.pop_back();
      for (const std::uint32_t hypernym : hypernyms(current)) {
        if (seen.insert(hypernym).second) pending.push_back(hypernym);
      }
    }
    return seen;
  }

  // Inverts lemma -> synsets; only `lemmas` needs it, so opening does not wait for it.
  void make_members() const {
    std::vector<std::uint32_t> starts(synset_count() + 1);
    for (const std::uint32_t synset : senses_) ++starts[synset + 1];
    for (std::size_t synset = 0; synset < synset_count(); ++synset) starts[synset + 1] += starts[synset];
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    members_.resize(senses_.size());
    for (std::uint32_t lemma = 0; lemma < lemma_count(); ++lemma) {
      for (const std::uint32_t synset : sense_starts_.slice(senses_, lemma)) members_[next[synset]++] = lemma;
    }
    member_starts_ = std::move(starts);
  }

  MappedFile file_;
  WordNetHeader header_;
  StringTable lemmas_;
  std::span<const std::uint32_t> senses_;
  ListStarts sense_starts_;
  std::span<const std::uint8_t> parts_;
  std::span<const std::uint32_t> hypernyms_;
  ListStarts hypernym_starts_;
  std::span<const std::uint32_t> corpus_counts_;
  StringTable exceptions_;
  std::span<const std::uint8_t> base_text_;
  ListStarts base_starts_;
  mutable std::once_flag members_made_;
  mutable std::vector<std::uint32_t> member_starts_;
  mutable std::vector<std::uint32_t> members_;
};

}  // namespace metaphrase
