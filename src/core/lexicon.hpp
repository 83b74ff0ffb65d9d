// What is known of words before any sentence is read: classes from raw text, ambiguity from the treebank.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "byte_stream.hpp"
#include "features.hpp"
#include "key_table.hpp"

namespace metaphrase {

// Distributional classes by exact form, else by lower-cased form; how it is used by lower-cased form.
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
  KeyTable<LexiconEntry> class_index_;
  KeyTable<Usage> usage_index_;
};

}  // namespace metaphrase
