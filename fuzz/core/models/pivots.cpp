// Tables of pivot phrases: whatever a table says is in it can be read.
#include "models/model_input.hpp"
#include "pivots/overlaps.hpp"

METAPHRASE_MUTATES_MODELS(8)

int examine(const std::uint8_t* data, std::size_t size) {
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
    const std::vector<std::string_view> words{"the", "cat", "sat", "chat", "xyzzy"};
    const pivots::Vocabulary vocabulary(table, words);
    const std::vector<std::int64_t> offsets{0, 3, 3, 9};
    const std::vector<std::int32_t> sentences{0, 1, 2, 0, 1, 2, 4, 3, 1}, hypotheses{0, 2, 1},
        references{2, 2, 0};
    std::vector<double> rows(hypotheses.size() * pivots::overlap_columns);
    pivots::PairComparison(table, vocabulary, {offsets, sentences}, 10)
        .compare(hypotheses, references, 1, rows.data());
    for (std::size_t p = 0; p < hypotheses.size(); ++p) {
      for (std::size_t n = 0; n < bags::max_order; ++n) {
        const double* row = rows.data() + p * pivots::overlap_columns + n;
        const double most = std::min(row[2 * bags::max_order], row[3 * bags::max_order]);
        fuzz::expect(row[0] >= 0 && row[bags::max_order] <= most, "no more is matched than there is");
      }
    }
  });
}
