// metaphrase._core.encoder: texts to word pieces and to vectors of the pieces in context. Shapes and numbers
// are checked here, before the kernels trust them.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "base/model_file.hpp"
#include "base/parallel.hpp"
#include "encoder/pretrained.hpp"
#include "encoder/pretrained_file.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::encoder {
namespace {

// Pieces of each text, and from which of its characters to which they were read.
nb::tuple cut_texts(const PretrainedFile& self, nb::list texts, int threads) {
  const auto views = strict_utf8_list(texts);
  std::vector<std::int64_t> offsets(views.size() + 1);
  std::vector<std::int32_t> pieces, first, last;
  without_gil([&] {
    std::vector<std::vector<WordPiece>> found(views.size());
    constexpr std::size_t texts_at_once = 256;
    parallel_blocks(views.size(), texts_at_once, threads, [&](std::size_t begin, std::size_t end, int) {
      PieceCutter cutter(*self.pieces);
      for (std::size_t k = begin; k < end; ++k) cutter.cut(views[k], found[k]);
    });
    for (std::size_t k = 0; k < views.size(); ++k) {
      for (const WordPiece& piece : found[k]) {
        pieces.push_back(static_cast<std::int32_t>(piece.piece));
        first.push_back(piece.first);
        last.push_back(piece.last);
      }
      offsets[k + 1] = static_cast<std::int64_t>(pieces.size());
    }
  });
  return as_arrays(offsets, pieces, first, last);
}

nb::tuple encode_pieces(const PretrainedFile& self, LongVector offsets, IntVector pieces, IntVector layers,
                        int threads, int most_bits) {
  const std::size_t width = self.shape.width, texts = offsets.size() - 1;
  check_rows(offsets, pieces.size());
  check_cells({pieces}, pieces.size(), self.pieces->count());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers(i) <= (i == 0 ? 0 : layers(i - 1)) || layers(i) > static_cast<std::int32_t>(self.shape.layers))
      throw nb::value_error("the layers do not rise, or are not there");
  }
  auto vectors = std::make_unique<float[]>(layers.size() * pieces.size() * width),
       means = std::make_unique<float[]>(texts * width);
  without_gil([&] {
    encode(self, {view(offsets), view(pieces)}, registers(most_bits), threads,
           {view(layers), vectors.get(), means.get()});
  });
  return nb::make_tuple(owned(std::move(vectors), {layers.size(), pieces.size(), width}),
                        owned(std::move(means), {texts, width}));
}

nb::tuple shape(const PretrainedFile& self) {
  const PieceShape& sizes = self.shape;
  return nb::make_tuple(sizes.width, sizes.layers, sizes.heads, sizes.inner, sizes.positions, sizes.unknown,
                        sizes.begin, sizes.end);
}

}  // namespace

void bind_pretrained(nb::module_ module) {
  nb::class_<PretrainedFile>(module, "PretrainedEncoder")
      .def("__init__", &open_file<PretrainedFile>, "path"_a)
      .def_prop_ro("shape", &shape)
      .def_prop_ro("fingerprint", [](const PretrainedFile& self) { return self.fingerprint; })
      .def_prop_ro("licence", [](const PretrainedFile& self) { return to_str(self.licence); })
      .def_prop_ro("about", [](const PretrainedFile& self) { return to_str(self.about); })
      .def("cut", &cut_texts, nb::kw_only(), "texts"_a, "threads"_a)
      .def("encode", &encode_pieces, nb::kw_only(), "offsets"_a, "pieces"_a, "layers"_a, "threads"_a,
           "registers"_a = 512);
  module.def(
      "pretrained_file",
      [](nb::bytes content) {
        const std::string_view body(content.c_str(), content.size());
        return bytes_of([&] { return model_file(pretrained_magic, pretrained_version, body); });
      },
      "content"_a);
  module.def(
      "computable",
      [](std::uint32_t width, std::uint32_t layers, std::uint32_t heads, std::uint32_t inner,
         std::uint32_t positions) {
        return PieceShape{width, layers, heads, inner, positions, 0, 0, 0}.possible();
      },
      nb::kw_only(), "width"_a, "layers"_a, "heads"_a, "inner"_a, "positions"_a);
}

}  // namespace metaphrase::encoder
