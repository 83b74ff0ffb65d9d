// Hashes that are the same on every platform: models and files are made of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace metaphrase {

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ hash >> 32;
}

inline std::uint64_t hash_chars(std::u32string_view chars) {
  std::uint64_t hash = 0x2545F4914F6CDD1Dull;
  for (const char32_t c : chars) hash = mix(hash, c);
  return hash;
}

inline std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = bytes.size() * 0x9E3779B97F4A7C15ull, word = 0;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::memcpy(&word, bytes.data() + at, 8);
    hash = mix(hash, word);
  }
  word = 0;
  if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  return mix(mix(hash, word), 0);
}

}  // namespace metaphrase
