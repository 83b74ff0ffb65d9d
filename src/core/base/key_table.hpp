// From 32-bit hashes to small values: open addressing, built once, read often.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace metaphrase {

template <class Value>
class KeyTable {
 public:
  KeyTable() { reserve(0); }

  void reserve(std::size_t keys) {
    slots_.assign(std::bit_ceil(keys * 2 + 2), Slot{});
    mask_ = slots_.size() - 1;
  }

  // No more distinct keys than were reserved may be inserted; a key that is there already keeps its value.
  void insert(std::uint32_t key, Value value) {
    std::size_t at = key & mask_;
    for (; slots_[at].used; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return;
    }
    slots_[at] = {key, true, value};
  }

  const Value* find(std::uint32_t key) const {
    for (std::size_t at = key & mask_; slots_[at].used; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return &slots_[at].value;
    }
    return nullptr;
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    bool used = false;
    Value value{};
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

}  // namespace metaphrase
