// Any heads and labels as collapsed dependencies: cycles, forests and heads outside of the sentence too.
#include "relations/relations.hpp"

#include "fuzzing.hpp"

namespace metaphrase::relations {
namespace {

using fuzz::expect;

constexpr std::string_view words[] = {"the", "of", "and", "or",   "not", "there", "no",    "be",   "to",
                                      "in",  "it", "who", "cat",  "saw", "3",     "today", "that", "é",
                                      "—",   "",   "as",  "well", "NN",  "VBG",   "VB",    "JJ",   "RB",
                                      "NNP", "IN", "TO",  "CD",   "POS", "VBD",   "WRB"};
constexpr int tags_begin = 22;

struct Batch {
  RelationTable table;
  std::vector<StringFacts> facts;
  int labels_begin;

  Batch() {
    for (std::size_t r = 0; r < role_names.size(); ++r) {
      table.roles[std::string(role_names[r])] = static_cast<Role>(r);
    }
    table.phrasal_prepositions = {"as well as", "in to", "of"};
    table.subordinators = {"as", "that"};
    table.complementisers = {"that", "to"};
    table.negations = {"not", "no"};
    table.time_words = {"today"};
    table.negative_determiners = {"no"};
    table.agents = {"of"};
    table.oblique_agents = {"of", "that"};
    table.conjunctions = {{"and", "and"}, {"or", "or"}, {"as", "and"}};
    for (const std::string_view word : words) facts.push_back(facts_of(word, table));
    labels_begin = static_cast<int>(facts.size());
    for (const std::string_view name : role_names) facts.push_back(facts_of(name, table));
  }
};

void check(fuzz::Bytes& bytes) {
  static const Batch* const batch = new Batch;
  RelationCollapser collapser(batch->table, batch->facts);
  for (int sentences = bytes.number(1, 2); sentences > 0; --sentences) {
    const int size = bytes.number(0, 14);
    const auto count = static_cast<std::size_t>(size);
    const auto form = bytes.numbers(count, 0, static_cast<int>(std::size(words)) - 1);
    const auto lemma = bytes.numbers(count, 0, static_cast<int>(std::size(words)) - 1);
    const auto tag = bytes.numbers(count, tags_begin, batch->labels_begin - 1);
    const auto relation =
        bytes.numbers(count, batch->labels_begin, static_cast<int>(batch->facts.size()) - 1);
    const auto head = bytes.numbers(count, -1, size + 1);
    const SentenceColumns sentence{size, form.data(), tag.data(), lemma.data(), head.data(), relation.data()};
    std::vector<Arc> arcs, again;
    collapser.collapse(sentence, arcs);
    for (const Arc& arc : arcs) {
      expect(arc.dependent >= 1 && arc.dependent <= size && arc.governor >= 0 && arc.governor <= size,
             "relations are of tokens");
      expect(arc.label >= 0 && static_cast<std::size_t>(arc.label) < collapser.labels().size(),
             "labels exist");
    }
    collapser.collapse(sentence, again);
    expect(arcs.size() == again.size() && std::equal(arcs.begin(), arcs.end(), again.begin(),
                                                     [](const Arc& a, const Arc& b) {
                                                       return a.label == b.label &&
                                                              a.governor == b.governor &&
                                                              a.dependent == b.dependent;
                                                     }),
           "what was collapsed before says nothing");
  }
}

}  // namespace
}  // namespace metaphrase::relations

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::relations::check(bytes);
  return 0;
}
