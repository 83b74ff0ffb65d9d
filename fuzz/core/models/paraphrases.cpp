// Tables of paraphrases, and the trie that is made of whatever such a table holds.
#include "lexicon/paraphrase_table.hpp"
#include "lexicon/phrase_trie.hpp"
#include "models/model_input.hpp"

METAPHRASE_MUTATES_MODELS(16)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view content) {
    const fuzz::MemoryFile file(content);
    const auto table = lexicon::ParaphraseTable::open(file.path());
    for (std::uint32_t i = 0; i < table.phrase_count(); ++i) {
      fuzz::expect(table.find(table.phrase(i)) == i, "every phrase is found");
      for (std::size_t k = 0; k < table.paraphrases(i).size(); ++k) table.probability(i, k);
    }
    const std::vector<std::string_view> words{"big", "large", "in the end", "", "large"};
    const auto graph = table.graph(words);
    fuzz::expect(graph.offsets.back() == static_cast<std::int64_t>(graph.neighbours.size()), "offsets end");
    const auto trie = lexicon::PhraseTrie::build(table);
    for (std::uint32_t i = 0; i < table.phrase_count(); ++i) {
      std::uint32_t node = lexicon::PhraseTrie::absent;
      std::string_view rest = table.phrase(i);
      for (bool more = true; more;) {
        const std::size_t space = rest.find(' ');
        const std::uint32_t word = trie.word(rest.substr(0, space));
        fuzz::expect(word != lexicon::PhraseTrie::absent, "the trie knows every word");
        node = trie.find(node, word, trie.home(node, word));
        fuzz::expect(node != lexicon::PhraseTrie::absent, "the trie has every phrase");
        more = space != std::string_view::npos;
        if (more) rest.remove_prefix(space + 1);
      }
      fuzz::expect(trie[node].phrase == i, "the trie leads to the phrase");
    }
  });
}
