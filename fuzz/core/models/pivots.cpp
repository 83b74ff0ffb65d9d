// Tables of pivot phrases: whatever a table says is in it can be read.
#include "models/model_input.hpp"
#include "pivots/table.hpp"

METAPHRASE_MUTATES_MODELS(8)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  return fuzz::read_damaged(data, size, [](std::string_view content) {
    const fuzz::MemoryFile file(content);
    const pivots::Table table(file.path());
    const auto nodes = static_cast<std::uint32_t>(std::min<std::size_t>(table.node_count(), 64));
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (std::uint32_t i = table.first_alternative(node); i < table.first_alternative(node + 1); ++i) {
        const std::uint32_t phrase = table.alternative_phrase(i);
        for (std::uint32_t u = table.first_unit(phrase); u < table.first_unit(phrase + 1); ++u) {
          table.lemma(table.unit_lemma(table.unit(u)));
          table.tag(table.unit_tag(table.unit(u)));
        }
      }
      for (std::uint32_t word = 0; word < std::min<std::size_t>(table.word_count(), 8); ++word) {
        const std::uint32_t child = table.child(node, word);
        fuzz::expect(child == table.absent || child < table.node_count(), "children exist");
      }
    }
    table.find_word("cat");
    table.find_lemma("chat");
  });
}
