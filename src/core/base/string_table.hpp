// The strings of a batch, each once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"

namespace metaphrase {

// The strings of a batch, numbered by first appearance.
class StringTable {
 public:
  StringTable() : slots_(256, 0) {}

  std::int32_t intern(std::string_view text, std::uint64_t hash) {
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const Entry& entry = entries_[slots_[at] - 1];
      if (entry.hash == hash && view(entry) == text) return slots_[at] - 1;
    }
    entries_.push_back({hash, bytes_.size(), text.size()});
    bytes_.append(text);
    slots_[at] = static_cast<std::int32_t>(entries_.size());
    if (entries_.size() * 2 > slots_.size()) grow();
    return static_cast<std::int32_t>(entries_.size()) - 1;
  }
  std::int32_t intern(std::string_view text) { return intern(text, hash_bytes(text)); }

  std::size_t size() const { return entries_.size(); }
  std::string_view operator[](std::size_t i) const { return view(entries_[i]); }

 private:
  struct Entry {
    std::uint64_t hash;
    std::size_t begin, size;
  };
  std::string_view view(const Entry& entry) const { return {bytes_.data() + entry.begin, entry.size}; }
  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::size_t at = entries_[i].hash & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<std::int32_t>(i) + 1;
    }
  }

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;
};

}  // namespace metaphrase
