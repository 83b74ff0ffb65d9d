// What is known of words before any sentence is read: classes from raw text, ambiguity from the treebank,
// inflection from a dictionary.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/word_traits.hpp"
#include "base/byte_stream.hpp"
#include "base/hashing.hpp"
#include "base/key_table.hpp"

namespace metaphrase::analysis {

// Classes and inflection by exact form, else by lower-cased form; how it is used by lower-cased form.
class Lexicon {
 public:
  struct Classes {
    std::uint32_t key;
    std::uint16_t fine, coarse;
  };
  struct Usage {
    std::uint32_t key;
    std::uint16_t ambiguity;
    std::uint8_t capitals;
  };

  struct Inflection {
    std::uint32_t key;
    std::uint16_t number;
    auto operator<=>(const Inflection&) const = default;
  };

  // Keys of inflections may come in any order; of equal ones the smallest number stands.
  void fill_inflections(std::vector<Inflection> inflections) {
    inflections_ = std::move(inflections);
    std::sort(inflections_.begin(), inflections_.end());
    const auto same = [](const Inflection& a, const Inflection& b) { return a.key == b.key; };
    inflections_.erase(std::unique(inflections_.begin(), inflections_.end(), same), inflections_.end());
    inflection_index_.reserve(inflections_.size());
    for (const Inflection& entry : inflections_) inflection_index_.insert(entry.key, entry.number);
  }
  bool has_inflections() const { return !inflections_.empty(); }

  void fill(std::vector<Classes> classes, std::vector<Usage> usages) {
    classes_ = std::move(classes);
    usages_ = std::move(usages);
    class_index_.reserve(classes_.size());
    for (const Classes& entry : classes_) class_index_.insert(entry.key, {entry.fine, entry.coarse});
    usage_index_.reserve(usages_.size());
    for (const Usage& entry : usages_) usage_index_.insert(entry.key, entry);
  }

  // Whether raw text had the word often enough to give it a class.
  bool contains(std::u32string_view word) const {
    return class_index_.find(key(spell(word).form)) != nullptr;
  }

  static std::uint32_t key(std::uint64_t word) { return static_cast<std::uint32_t>(mix(word, 0x6C6578)); }

  LexiconEntry find(const WordTraits& word) const {
    LexiconEntry entry;
    const LexiconEntry* classes = class_index_.find(key(word.form));
    const LexiconEntry* lower = class_index_.find(key(word.lower));
    if (classes || lower) entry = classes ? *classes : *lower;
    if (const Usage* usage = usage_index_.find(key(word.lower))) {
      entry.ambiguity = usage->ambiguity;
      entry.capitals = usage->capitals;
    }
    const std::uint16_t* inflection = inflection_index_.find(key(word.form));
    if (!inflection) inflection = inflection_index_.find(key(word.lower));
    if (inflection) entry.inflection = *inflection;
    return entry;
  }

  void write(ByteWriter& out) const {
    out.put(static_cast<std::uint32_t>(classes_.size()));
    for (const Classes& entry : classes_) {
      out.put(entry.key);
      out.put(entry.fine);
      out.put(entry.coarse);
    }
    out.put(static_cast<std::uint32_t>(usages_.size()));
    for (const Usage& entry : usages_) {
      out.put(entry.key);
      out.put(entry.ambiguity);
      out.put(entry.capitals);
    }
  }

  // Keys as differences to the one before, seven bits a byte: half the size of plain keys.
  void write_inflections(ByteWriter& out) const {
    out.put(static_cast<std::uint32_t>(inflections_.size()));
    std::uint32_t before = 0;
    for (const Inflection& entry : inflections_) {
      std::uint32_t step = entry.key - before;
      for (; step >= 0x80; step >>= 7) out.put(static_cast<std::uint8_t>(step | 0x80));
      out.put(static_cast<std::uint8_t>(step));
      out.put(entry.number);
      before = entry.key;
    }
  }

  void read_inflections(ByteReader& in) {
    std::vector<Inflection> inflections(in.get_count(3));
    std::uint32_t before = 0;
    for (Inflection& entry : inflections) {
      std::uint32_t step = 0;
      for (int shift = 0;; shift += 7) {
        if (shift > 28) throw ModelError("a key of the dictionary is too long");
        const auto byte = in.get<std::uint8_t>();
        step |= static_cast<std::uint32_t>(byte & 0x7F) << shift;
        if (byte < 0x80) break;
      }
      entry.key = before += step;
      entry.number = in.get<std::uint16_t>();
    }
    fill_inflections(std::move(inflections));
  }

  void read(ByteReader& in) {
    std::vector<Classes> classes(in.get_count(8));
    for (Classes& entry : classes) {
      entry.key = in.get<std::uint32_t>();
      entry.fine = in.get<std::uint16_t>();
      entry.coarse = in.get<std::uint16_t>();
    }
    std::vector<Usage> usages(in.get_count(7));
    for (Usage& entry : usages) {
      entry.key = in.get<std::uint32_t>();
      entry.ambiguity = in.get<std::uint16_t>();
      entry.capitals = in.get<std::uint8_t>();
    }
    fill(std::move(classes), std::move(usages));
  }

 private:
  std::vector<Classes> classes_;
  std::vector<Usage> usages_;
  std::vector<Inflection> inflections_;
  KeyTable<std::uint16_t> inflection_index_;
  KeyTable<LexiconEntry> class_index_;
  KeyTable<Usage> usage_index_;
};

}  // namespace metaphrase::analysis
