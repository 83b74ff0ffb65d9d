// Soft matches by vectors: bounds, a sentence against itself, and both ways round; vectors of any spelling.
#include "alignment/soft_matches.hpp"

#include "alignment/spelling_vectors.hpp"
#include "fuzzing.hpp"

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  using alignment::SoftMatcher, alignment::SpellingVectors;
  fuzz::Bytes bytes(data, size);
  const auto words = static_cast<std::size_t>(bytes.number(1, 8));
  std::vector<float> vectors(words * SpellingVectors::dimensions);
  std::vector<double> rarity(words);
  SpellingVectors spelling;
  for (std::size_t w = 0; w < words; ++w) {
    float* vector = vectors.data() + w * SpellingVectors::dimensions;
    const auto letters = bytes.numbers(static_cast<std::size_t>(bytes.number(0, 9)), 0, 300);
    spelling.spell(letters, vector);
    double square = 0;
    for (std::size_t k = 0; k < SpellingVectors::dimensions; ++k) square += double{vector[k]} * vector[k];
    fuzz::expect(square == 0 || fuzz::close(square, 1, 1e-4), "a vector has length 1, or none");
    rarity[w] = (bytes.byte() + 1) / 256.0;
  }
  const auto sentence = [&] {
    return bytes.numbers(static_cast<std::size_t>(bytes.number(0, 40)), 0, static_cast<int>(words) - 1);
  };
  const auto left = sentence(), right = sentence();
  SoftMatcher matcher({vectors.data(), rarity.data(), SpellingVectors::dimensions});
  double row[SoftMatcher::columns], again[SoftMatcher::columns], swapped[SoftMatcher::columns],
      itself[SoftMatcher::columns];
  matcher.match(left, right, row);
  matcher.match(right, left, swapped);
  matcher.match(left, left, itself);
  matcher.match(left, right, again);
  for (std::size_t c = 0; c < SoftMatcher::columns; ++c) {
    // The last two are sums of what is lost, which long sentences have more of.
    fuzz::expect(std::isfinite(row[c]) && row[c] >= 0 && (c > 10 || row[c] <= 1),
                 "columns keep their bounds");
    fuzz::expect(row[c] == again[c], "a matcher forgets");
  }
  fuzz::expect(row[0] == swapped[1] && row[1] == swapped[0], "precision is recall the other way round");
  fuzz::expect(row[11] == swapped[12] && row[12] == swapped[11], "and so is what is lost");
  fuzz::expect(fuzz::close(itself[6], 1, 1e-6), "a sentence is itself");
  return 0;
}
