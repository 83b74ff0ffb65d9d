// metaphrase._core.encoder: sentences to vectors of their words in context. Shapes and numbers are checked
// here, before the kernels trust them.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "base/model_file.hpp"
#include "encoder/encoder.hpp"
#include "encoder/encoder_file.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::encoder {
namespace {

void check(const EncoderFile& self, const std::vector<std::string_view>& lower, const Matrix<float>& vectors,
           const Vector<std::uint8_t>& word_cases, const LongVector& offsets, const IntVector& types) {
  require(vectors.shape(0) == lower.size() && word_cases.size() == lower.size(),
          "words, vectors and cases are not equally many");
  require(vectors.shape(1) == self.shape.dimension, "word vectors are of another length");
  for (const std::uint8_t number : view(word_cases)) require(number < cases, "there is no such case");
  for (std::size_t i = 0; i < vectors.size(); ++i)
    require(std::abs(vectors.data()[i]) <= largest_number, "a word vector is out of range");
  check_rows(offsets, types.size());
  check_cells({types}, types.size(), lower.size());
}

nb::tuple encode_sentences(const EncoderFile& self, nb::list words, Matrix<float> vectors,
                           Vector<std::uint8_t> word_cases, LongVector offsets, IntVector types, int threads,
                           int most_bits) {
  const auto lower = utf8_list(words);
  const std::size_t tokens = types.size(), size = self.shape.size;
  check(self, lower, vectors, word_cases, offsets, types);
  auto found = std::make_unique<float[]>(tokens * size);
  auto importance = std::make_unique<double[]>(tokens), oddness = std::make_unique<double[]>(tokens);
  without_gil([&] {
    encode(self, {lower, vectors.data(), view(word_cases)}, {view(offsets), view(types)},
           registers(most_bits), threads, {found.get(), importance.get(), oddness.get()});
  });
  return nb::make_tuple(owned(std::move(found), {tokens, size}), owned(std::move(importance), {tokens}),
                        owned(std::move(oddness), {tokens}));
}

nb::tuple shape(const EncoderFile& self) {
  const Shape& sizes = self.shape;
  return nb::make_tuple(sizes.width, sizes.layers, sizes.heads, sizes.inner, sizes.distance, sizes.size,
                        sizes.dimension);
}

}  // namespace

void bind_encoder(nb::module_ module) {
  nb::class_<EncoderFile>(module, "Encoder")
      .def("__init__", &open_file<EncoderFile>, "path"_a)
      .def_prop_ro("shape", &shape)
      .def_prop_ro("fingerprint", [](const EncoderFile& self) { return self.fingerprint; })
      .def_prop_ro("vectors", [](const EncoderFile& self) { return to_str(self.vectors_fingerprint); })
      .def_prop_ro("licence", [](const EncoderFile& self) { return to_str(self.licence); })
      .def_prop_ro("about", [](const EncoderFile& self) { return to_str(self.about); })
      .def("encode", &encode_sentences, nb::kw_only(), "words"_a, "vectors"_a, "cases"_a, "offsets"_a,
           "types"_a, "threads"_a, "registers"_a = 512);
  module.def(
      "file",
      [](nb::bytes content) {
        const std::string_view body(content.c_str(), content.size());
        return bytes_of([&] { return model_file(magic, version, body); });
      },
      "content"_a);
  module.def(
      "possible",
      [](std::uint32_t width, std::uint32_t layers, std::uint32_t heads, std::uint32_t inner,
         std::uint32_t distance, std::uint32_t size, std::uint32_t dimension) {
        return Shape{{width, layers, heads, inner}, distance, size, dimension}.possible();
      },
      nb::kw_only(), "width"_a, "layers"_a, "heads"_a, "inner"_a, "distance"_a, "size"_a, "dimension"_a);
}

}  // namespace metaphrase::encoder
