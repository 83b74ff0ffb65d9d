// What model files have in common: four letters, a version and a checksum before the content.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_stream.hpp"

namespace metaphrase {

inline std::string model_file(std::string_view magic, std::uint32_t version, std::string_view content) {
  ByteWriter header;
  header.put(version);
  header.put(checksum(content));
  return std::string(magic).append(header.take()).append(content);
}

struct ModelContent {
  std::string_view bytes;
  std::uint64_t fingerprint;
};

// The content of an undamaged file of this kind and version; `kind` is named if it is none.
inline ModelContent model_content(std::string_view file, std::string_view magic, std::uint32_t version,
                                  const std::string& kind) {
  if (file.substr(0, magic.size()) != magic) throw ModelError("this is not a model of " + kind);
  constexpr std::size_t header_size = 12;
  ByteReader header(file.substr(magic.size(), header_size));
  const auto found = header.get<std::uint32_t>();
  if (found != version) {
    throw ModelError("the model has version " + std::to_string(found) + ", this program reads version " +
                     std::to_string(version));
  }
  const auto expected = header.get<std::uint64_t>();
  const std::string_view content = file.substr(magic.size() + header_size);
  if (checksum(content) != expected) throw ModelError("the model file is damaged: its checksum is wrong");
  return {content, expected};
}

}  // namespace metaphrase
