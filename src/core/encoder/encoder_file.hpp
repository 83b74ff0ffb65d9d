// The file of an encoder, which metaphrase.learning.encoder_file writes: used as it lies in memory.
//
// Little-endian. Behind the head of every model file (base/model_file.hpp) there are sections, each behind
// its length in bytes (u32) and padded to a multiple of four: the shape (u32, as Shape has them), the
// fingerprint of the word vectors, the licence, a text about the model; lengths (u8) and letters of the
// pieces, their steps (f32) and rows (i8); rows of the four cases (f32); the matrix of word vectors; what
// distances add to attention (f32); for each layer the matrices of queries, keys and values, of what was
// seen, and both of words alone; and the matrix of the outputs. A matrix is three sections: panels (i8),
// steps and what is added (f32), see ByteMatrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/mapped_file.hpp"
#include "base/model_file.hpp"
#include "encoder/byte_matrix.hpp"
#include "encoder/sections.hpp"
#include "encoder/shape.hpp"
#include "encoder/spelling.hpp"

namespace metaphrase::encoder {

inline constexpr std::string_view magic = "MPEN";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t cases = 4;
// With it nothing that an encoder computes can leave the range of floats: what a matrix makes of a row after
// a norm is below 1024 * 128 * 1e6, a score of two such rows below 1e25, and what a second matrix adds below
// 1e23.
inline constexpr float largest_number = 1e6f;

struct Layer {
  ByteMatrix parts, join, inner, outer;
};

// Immutable after construction, so any number of threads may read it at once.
class EncoderFile {
 public:
  explicit EncoderFile(const std::string& path) : file_(path) {
    const ModelContent found = model_content(file_.text(), magic, version, "an encoder");
    fingerprint = found.fingerprint;
    Sections in(found.bytes);
    read_shape(in);
    vectors_fingerprint = in.text();
    licence = in.text();
    about = in.text();
    const auto lengths = in.numbers<std::uint8_t>(), letters = in.numbers<std::uint8_t>();
    require(lengths.size() <= most_pieces);
    spelling.emplace(letters, lengths);
    piece_steps = in.floats(lengths.size(), largest_number);
    piece_rows = in.bytes(lengths.size() * shape.width);
    case_rows = in.floats(cases * shape.width, largest_number);
    vectors = matrix(in, shape.dimension, shape.width);
    near = in.floats((2 * std::size_t{shape.distance} + 1) * shape.heads, largest_number);
    for (std::uint32_t l = 0; l < shape.layers; ++l) {
      Layer& layer = layers.emplace_back();
      layer.parts = matrix(in, shape.width, 3 * std::size_t{shape.width});
      layer.join = matrix(in, shape.width, shape.width);
      layer.inner = matrix(in, shape.width, shape.inner);
      layer.outer = matrix(in, shape.inner, shape.width);
    }
    outputs = matrix(in, shape.width, shape.outputs());
    require(in.done());
  }

  Shape shape{};
  std::uint64_t fingerprint = 0;
  std::string_view vectors_fingerprint, licence, about;
  std::optional<Spelling> spelling;
  const float *piece_steps = nullptr, *case_rows = nullptr, *near = nullptr;
  const std::int8_t* piece_rows = nullptr;
  ByteMatrix vectors, outputs;
  std::vector<Layer> layers;

 private:
  static constexpr std::size_t most_pieces = 1 << 16;

  void read_shape(Sections& in) {
    const auto sizes = in.numbers<std::uint32_t>();
    require(sizes.size() == 7);
    shape = {{sizes[0], sizes[1], sizes[2], sizes[3]}, sizes[4], sizes[5], sizes[6]};
    if (!shape.possible()) throw ModelError("the model has impossible sizes");
  }

  static ByteMatrix matrix(Sections& in, std::size_t rows, std::size_t columns) {
    ByteMatrix found;
    found.rows = ByteMatrix::padded_rows(rows);
    found.columns = ByteMatrix::padded_columns(columns);
    found.panels = in.bytes(found.rows * found.columns);
    found.steps = in.floats(found.columns, largest_number);
    found.bias = in.floats(found.columns, largest_number);
    return found;
  }

  MappedFile file_;
};

}  // namespace metaphrase::encoder
