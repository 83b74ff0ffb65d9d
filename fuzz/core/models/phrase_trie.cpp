// Tries of phrases in files, of a table that is whole.
#include "lexicon/phrase_trie.hpp"

#include "lexicon/paraphrase_table.hpp"
#include "models/model_input.hpp"
#include "models/small_models.hpp"

METAPHRASE_MUTATES_MODELS(16)

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  static const fuzz::MemoryFile whole(fuzz::small_paraphrases());
  static const auto table = lexicon::ParaphraseTable::open(whole.path());
  return fuzz::read_damaged(data, size, [](std::string_view content) {
    const fuzz::MemoryFile file(content);
    const auto trie = lexicon::PhraseTrie::open(file.path(), table);
    constexpr std::uint32_t absent = lexicon::PhraseTrie::absent;
    std::vector<std::uint32_t> nodes{absent};
    for (const std::string_view text : {"big", "in", "the", "end", "very", ""}) {
      const std::uint32_t word = trie.word(text);
      if (word == absent) continue;
      for (std::size_t n = 0; n < nodes.size() && nodes.size() < 64; ++n) {
        const std::uint32_t node = trie.find(nodes[n], word, trie.home(nodes[n], word));
        if (node == absent) continue;
        trie[node].may_go_on(word);
        fuzz::expect(trie[node].phrase == absent || trie[node].phrase < table.phrase_count(),
                     "a node is a phrase of the table, or none");
        nodes.push_back(node);
      }
    }
  });
}
