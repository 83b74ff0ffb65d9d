// Language models as text, line by line; what is read can be written and read again.
#include "language_models/arpa.hpp"

#include "language_models/ngram_model_file.hpp"
#include "models/model_input.hpp"

namespace {

metaphrase::language_models::NgramModel read(std::string_view text) {
  metaphrase::language_models::ArpaReader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.add(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

}  // namespace

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view text) {
    const auto model = read(text);
    const auto asked = language_models::LanguageModel::of(model, "");
    asked.score(std::vector<std::int32_t>{static_cast<std::int32_t>(asked.number("a")), 0},
                [](const language_models::WordScore& score) {
                  fuzz::expect(!std::isnan(score.log_probability), "every word has a probability");
                });
    for (int order = 1; order <= model.order(); ++order) {
      language_models::arpa_lines(model, order, 0, model.levels[static_cast<std::size_t>(order) - 1].size());
    }
  });
}
