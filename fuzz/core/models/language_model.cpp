// Language models: any file that is taken gives every sentence a probability.
#include "language_models/ngram_model_file.hpp"
#include "models/model_input.hpp"

METAPHRASE_MUTATES_MODELS(8)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view content) {
    const fuzz::MemoryFile file(content);
    const auto model = language_models::LanguageModel::open(file.path());
    std::vector<std::int32_t> words;
    for (const std::string_view word : {"the", "cat", "sat", "<s>", "xyzzy", "the", "cat"}) {
      words.push_back(static_cast<std::int32_t>(model.number(word)));
    }
    std::size_t scored = 0;
    model.score(words, [&](const language_models::WordScore& score) {
      fuzz::expect(score.order >= 1 && score.order <= model.order(), "an n-gram has an order of the model");
      fuzz::expect(!std::isnan(score.log_probability), "every word has a probability");
      ++scored;
    });
    fuzz::expect(scored == words.size() + 1, "words and the end of the sentence are scored");
    for (std::size_t i = 0; i < std::min<std::size_t>(model.ngrams(1), 8); ++i) model.word(i);
  });
}
