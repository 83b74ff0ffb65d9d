// Encoders: any weights give every word a vector of length 1, or of zeros, and the same with any registers.
#include "encoder/encoder.hpp"

#include "models/model_input.hpp"

METAPHRASE_MUTATES_MODELS(8)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view content) {
    const fuzz::MemoryFile file(content);
    const encoder::EncoderFile model(file.path());
    const std::vector<std::string_view> words{"the", "cats", "Ünder", "", "\xE2\x96"};
    const std::vector<std::uint8_t> cases{0, 1, 2, 3, 0};
    std::vector<float> word_vectors(words.size() * model.shape.dimension);
    for (std::size_t i = 0; i < word_vectors.size(); ++i) word_vectors[i] = static_cast<float>(i % 7) - 3;
    const std::vector<std::int64_t> offsets{0, 5, 5, 8};
    const std::vector<std::int32_t> types{0, 1, 2, 3, 4, 4, 1, 1};
    std::vector<float> expected;
    for (const auto bits : {encoder::Bits::any, encoder::widest_registers()}) {
      std::vector<float> vectors(types.size() * model.shape.size);
      std::vector<double> importance(types.size()), oddness(types.size());
      encoder::encode(model, {words, word_vectors.data(), cases}, {offsets, types}, bits, 1,
                      {vectors.data(), importance.data(), oddness.data()});
      for (std::size_t t = 0; t < types.size(); ++t) {
        double squares = 0;
        for (std::size_t i = 0; i < model.shape.size; ++i) {
          const double cell = vectors[t * model.shape.size + i];
          squares += cell * cell;
        }
        fuzz::expect(squares == 0 || fuzz::close(squares, 1, 1e-4), "vectors have length 1");
        fuzz::expect(importance[t] > 0 && importance[t] <= 1, "importance is a share");
        fuzz::expect(std::isfinite(oddness[t]), "oddness is a number");
      }
      if (expected.empty()) expected = vectors;
      fuzz::expect(vectors == expected, "registers change nothing");
    }
  });
}
