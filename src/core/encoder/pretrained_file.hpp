// The file of a pretrained encoder, which metaphrase.learning.pretrained_file writes: used as it lies in
// memory.
//
// Little-endian. Behind the head of every model file (base/model_file.hpp) there are sections, each behind
// its length in bytes (u32) and padded to a multiple of four: the shape (u32, as PieceShape has it), the
// licence, a text about the model; lengths (u8) and letters of the pieces; the characters (CharacterTable:
// starts u32, kinds u8, from u32, lengths u8, to u32); steps (f32) and rows (i8) of the pieces; rows of the
// positions (f32), with what all pieces have in common; the first norm; and for each layer the matrices of
// queries, keys and values and of what was seen, a norm, both matrices of pieces alone, and a norm. A norm is
// two sections, gain and bias (f32); a matrix is three, panels (i8, see ByteRegisters), steps and bias (f32).
#pragma once

#include <algorithm>
#include <cmath>
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
#include "encoder/word_pieces.hpp"

namespace metaphrase::encoder {

inline constexpr std::string_view pretrained_magic = "MPPE";
inline constexpr std::uint32_t pretrained_version = 1;
// With them nothing that an encoder computes can leave the range of floats: a row after a norm is below
// 33,000, what the first matrix makes of it below 255 * 127 * 2048 * 260 = 1.8e10, what the second makes of
// that below 1e16, and the squares of a row of those have a sum below 1e35.
inline constexpr float largest_step = 1, largest_parameter = 1000;

struct Norm {
  const float *gain = nullptr, *bias = nullptr;
};

struct PretrainedLayer {
  ByteMatrix parts, join, inner, outer;
  Norm between, after;
};

// Immutable after construction, so any number of threads may read it at once.
class PretrainedFile {
 public:
  explicit PretrainedFile(const std::string& path) : file_(path) {
    const ModelContent found =
        model_content(file_.text(), pretrained_magic, pretrained_version, "a pretrained encoder");
    fingerprint = found.fingerprint;
    Sections in(found.bytes);
    read_shape(in);
    licence = in.text();
    about = in.text();
    read_pieces(in);
    piece_steps = in.floats(pieces->count(), largest_step);
    piece_rows = in.bytes(pieces->count() * shape.width);
    position_rows = in.floats(std::size_t{shape.positions} * shape.width, largest_parameter);
    first = norm(in);
    for (std::uint32_t l = 0; l < shape.layers; ++l) {
      PretrainedLayer& layer = layers.emplace_back();
      layer.parts = matrix(in, shape.width, 3 * std::size_t{shape.width});
      layer.join = matrix(in, shape.width, shape.width);
      layer.between = norm(in);
      layer.inner = matrix(in, shape.width, shape.inner);
      layer.outer = matrix(in, shape.inner, shape.width);
      layer.after = norm(in);
    }
    require(in.done());
  }

  PieceShape shape{};
  std::uint64_t fingerprint = 0;
  std::string_view licence, about;
  std::optional<WordPieces> pieces;
  const float *piece_steps = nullptr, *position_rows = nullptr;
  const std::int8_t* piece_rows = nullptr;
  Norm first;
  std::vector<PretrainedLayer> layers;

 private:
  static constexpr std::size_t most_pieces = 1 << 20;

  void read_shape(Sections& in) {
    const auto sizes = in.numbers<std::uint32_t>();
    require(sizes.size() == 8);
    shape = {sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6], sizes[7]};
    if (!shape.possible()) throw ModelError("the model has impossible sizes");
  }

  void read_pieces(Sections& in) {
    const auto lengths = in.numbers<std::uint8_t>(), letters = in.numbers<std::uint8_t>();
    require(lengths.size() <= most_pieces &&
            std::max({shape.unknown, shape.begin, shape.end}) < lengths.size());
    CharacterTable characters;
    characters.starts = in.numbers<std::uint32_t>();
    characters.kinds = in.numbers<std::uint8_t>();
    characters.from = in.numbers<std::uint32_t>();
    characters.lengths = in.numbers<std::uint8_t>();
    characters.to = in.numbers<std::uint32_t>();
    pieces.emplace(letters, lengths, characters, shape.unknown);
  }

  Norm norm(Sections& in) {
    const float* gain = in.floats(shape.width, largest_parameter);
    return {gain, in.floats(shape.width, largest_parameter)};
  }

  // Both sizes are multiples of 32, so that nothing is padded.
  static ByteMatrix matrix(Sections& in, std::size_t rows, std::size_t columns) {
    ByteMatrix found;
    found.rows = rows;
    found.columns = columns;
    found.panels = in.bytes(rows * columns);
    found.steps = in.floats(columns, largest_step);
    found.bias = in.floats(columns, largest_parameter);
    found.totals.resize(columns);
    for (std::size_t j = 0; j < columns; j += panel_columns) {
      const std::int8_t* panel = found.panels + j * rows;
      for (std::size_t i = 0; i < rows * panel_columns; ++i)
        found.totals[j + i / 4 % panel_columns] += panel[i];
    }
    return found;
  }

  MappedFile file_;
};

}  // namespace metaphrase::encoder
