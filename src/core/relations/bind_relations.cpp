// metaphrase._core.relations: collapsed dependencies of batches of trees.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"
#include "relations/relations.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::relations {
namespace {

using Words = std::vector<std::string>;

// Sentences a thread takes at a time.
constexpr std::size_t kBlock = 256;

using Names = std::unordered_map<std::string, std::string>;

void make_table(RelationTable* self, const Names& roles, const Words& phrasal_prepositions,
                const Words& subordinators, const Words& complementisers, const Words& negations,
                const Words& time_words, const Words& negative_determiners, const Words& agents,
                const Words& oblique_agents, const Names& conjunctions) {
  RelationTable table;
  for (const auto& [label, name] : roles) {
    const auto role = std::find(role_names.begin(), role_names.end(), name);
    if (role == role_names.end()) throw nb::value_error(("there is no role " + name).c_str());
    table.roles[label] = static_cast<Role>(role - role_names.begin());
  }
  table.phrasal_prepositions.insert(phrasal_prepositions.begin(), phrasal_prepositions.end());
  table.subordinators.insert(subordinators.begin(), subordinators.end());
  table.complementisers.insert(complementisers.begin(), complementisers.end());
  table.negations.insert(negations.begin(), negations.end());
  table.time_words.insert(time_words.begin(), time_words.end());
  table.negative_determiners.insert(negative_determiners.begin(), negative_determiners.end());
  table.agents.insert(agents.begin(), agents.end());
  table.oblique_agents.insert(oblique_agents.begin(), oblique_agents.end());
  table.conjunctions = conjunctions;
  new (self) RelationTable(std::move(table));
}

std::vector<StringFacts> facts_of_all(const nb::list& strings, const RelationTable& table) {
  std::vector<StringFacts> facts;
  facts.reserve(strings.size());
  for (nb::handle text : strings) {
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a string is not a str");
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nb::python_error();
    facts.push_back(facts_of({data, static_cast<std::size_t>(size)}, table));
  }
  return facts;
}

// The relations of one block of sentences, with labels numbered in a table of its own.
struct Block {
  std::vector<Arc> arcs;
  Words names;
};

nb::tuple collapse(const RelationTable& table, LongVector offsets, IntVector form, IntVector tag,
                   IntVector lemma, IntVector head, IntVector relation, const nb::list& strings,
                   int threads) {
  const std::size_t tokens = form.size();
  check_rows(offsets, tokens);
  if (tokens > INT32_MAX / 2) throw nb::value_error("there are too many tokens");
  if (head.size() != tokens) throw nb::value_error("the columns differ in length");
  const auto facts = facts_of_all(strings, table);
  check_cells({form, tag, lemma, relation}, tokens, facts.size());
  const std::size_t rows = offsets.size() - 1;
  std::vector<std::int64_t> row_offsets(rows + 1, 0);
  std::vector<std::int32_t> labels, governors, dependents;
  Words names;
  {
    nb::gil_scoped_release release;
    std::vector<Block> blocks((rows + kBlock - 1) / kBlock);
    parallel_blocks(blocks.size(), 1, threads, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t b = begin; b < end; ++b) {
        RelationCollapser collapser(table, facts);
        for (std::size_t i = b * kBlock; i < std::min(rows, (b + 1) * kBlock); ++i) {
          const std::int64_t at = offsets(i);
          const std::size_t before = blocks[b].arcs.size();
          const auto size = static_cast<std::int32_t>(offsets(i + 1) - at);
          const SentenceColumns row{size,
                                    form.data() + at,
                                    tag.data() + at,
                                    lemma.data() + at,
                                    head.data() + at,
                                    relation.data() + at};
          collapser.collapse(row, blocks[b].arcs);
          row_offsets[i + 1] = static_cast<std::int64_t>(blocks[b].arcs.size() - before);
        }
        const StringTable& used = collapser.labels();
        for (std::size_t n = 0; n < used.size(); ++n) blocks[b].names.emplace_back(used[n]);
      }
    });
    for (std::size_t i = 0; i < rows; ++i) row_offsets[i + 1] += row_offsets[i];
    for (auto* column : {&labels, &governors, &dependents}) column->reserve(row_offsets.back());
    // Numbered by first appearance, so that the threads leave no trace.
    std::unordered_map<std::string, std::int32_t> numbers;
    for (const Block& block : blocks) {
      std::vector<std::int32_t> renumbered(block.names.size(), -1);
      for (const Arc& arc : block.arcs) {
        std::int32_t& number = renumbered[arc.label];
        if (number < 0) {
          const auto [entry, fresh] = numbers.try_emplace(block.names[arc.label], names.size());
          if (fresh) names.push_back(entry->first);
          number = entry->second;
        }
        labels.push_back(number);
        governors.push_back(arc.governor);
        dependents.push_back(arc.dependent);
      }
    }
  }
  return nb::make_tuple(as_array(std::move(row_offsets)), as_array(std::move(labels)),
                        as_array(std::move(governors)), as_array(std::move(dependents)), to_list(names));
}

}  // namespace

void bind_relations(nb::module_ module) {
  nb::class_<RelationTable>(module, "RelationTable")
      .def("__init__", &make_table, nb::kw_only(), "roles"_a, "phrasal_prepositions"_a, "subordinators"_a,
           "complementisers"_a, "negations"_a, "time_words"_a, "negative_determiners"_a, "agents"_a,
           "oblique_agents"_a, "conjunctions"_a)
      .def("collapse", &collapse, nb::kw_only(), "offsets"_a, "form"_a, "tag"_a, "lemma"_a, "head"_a,
           "relation"_a, "strings"_a, "threads"_a);
}

}  // namespace metaphrase::relations
