// Pretrained encoders: any weights give every piece and every text a vector of length 1, or of zeros, and the
// same with any registers; any table cuts text into pieces that stand in it one after the other.
#include "encoder/pretrained.hpp"

#include "models/model_input.hpp"

METAPHRASE_MUTATES_MODELS(8)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view content) {
    const fuzz::MemoryFile file(content);
    const encoder::PretrainedFile model(file.path());
    std::vector<encoder::WordPiece> cut;
    std::vector<std::int64_t> offsets{0};
    encoder::PieceCutter cutter(*model.pieces);
    for (const std::string_view text :
         {"Cats. caf\xC3\xA9 \xED\x95\x9C", "", "s s s s s s s s s s s s", "\xE2\x96"}) {
      const std::size_t before = cut.size();
      cutter.cut(text, cut);
      for (std::size_t i = before; i < cut.size(); ++i) {
        fuzz::expect(cut[i].piece < model.pieces->count(), "a piece is in the vocabulary");
        fuzz::expect(0 <= cut[i].first && cut[i].first < cut[i].last, "a piece has characters");
        fuzz::expect(i == before || cut[i - 1].first <= cut[i].first, "pieces follow each other");
      }
      offsets.push_back(static_cast<std::int64_t>(cut.size()));
    }
    std::vector<std::int32_t> pieces;
    for (const encoder::WordPiece& piece : cut) pieces.push_back(static_cast<std::int32_t>(piece.piece));
    const std::vector<std::int32_t> layers{1};
    const std::size_t width = model.shape.width, texts = offsets.size() - 1;
    std::vector<float> expected;
    for (const auto bits : {encoder::Bits::any, encoder::widest_registers()}) {
      std::vector<float> found((pieces.size() + texts) * width);
      encoder::encode(model, {offsets, pieces}, bits, 1,
                      {layers, found.data(), found.data() + pieces.size() * width});
      for (std::size_t row = 0; row < pieces.size() + texts; ++row) {
        double squares = 0;
        for (std::size_t i = 0; i < width; ++i)
          squares += double{found[row * width + i]} * found[row * width + i];
        fuzz::expect(squares == 0 || fuzz::close(squares, 1, 1e-4), "vectors have length 1");
      }
      if (expected.empty()) expected = found;
      fuzz::expect(found == expected, "registers change nothing");
    }
  });
}
