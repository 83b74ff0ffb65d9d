// Files of WordNet. Their digest is checked by Python, so that this reader sees whatever is in the file.
#include "lexicon/wordnet.hpp"

#include "lexicon/word_subsumers.hpp"
#include "models/model_input.hpp"

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view content) {
    const fuzz::MemoryFile file(content);
    const lexicon::WordNet wordnet(file.path());
    const std::vector<std::string_view> words{"cat", "dog", "Feline", "be", "", "run up"};
    const std::vector<char> parts{'\0', 'n', 'a', 'v', '\0', 'v'};
    std::string key;
    for (const std::string_view word : words) {
      for (const std::uint32_t synset : wordnet.synsets(word, key)) {
        fuzz::expect(synset < wordnet.synset_count(), "synsets of a word exist");
      }
      wordnet.exceptions(word, 'v');
    }
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(wordnet.synset_count(), 8));
    for (std::uint32_t a = 0; a < count; ++a) {
      wordnet.lemmas(a);
      for (std::uint32_t b = 0; b < count; ++b) {
        const double similarity = wordnet.lin(a, b);
        fuzz::expect(similarity >= 0 && similarity <= 1, "Lin's similarity is between 0 and 1");
        fuzz::expect(similarity == wordnet.lin(b, a), "Lin's similarity is symmetric");
      }
    }
    const auto graph = wordnet.synonym_graph(words, parts);
    fuzz::expect(graph.offsets.size() == words.size() + 1, "every word has synonyms, or none");
    const auto above = lexicon::word_subsumers(wordnet, words, parts);
    fuzz::expect(above.offsets.back() == static_cast<std::int64_t>(above.subsumers.size()), "offsets end");
  });
}
