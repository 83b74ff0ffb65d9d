// metaphrase._core.parsing: the dependency parser.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string_view>
#include <vector>

#include "analysis/parser.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::analysis {
namespace {

nb::tuple parse(const Parser& self, LongVector offsets, IntVector form, IntVector tag, IntVector upos,
                const nb::list& strings, bool split, int threads) {
  const std::size_t tokens = form.size();
  check_rows(offsets, tokens);
  const auto views = strict_utf8_list(strings);
  check_cells({form, tag, upos}, tokens, views.size());
  std::vector<std::int32_t> heads(tokens), relations(tokens);
  without_gil([&] {
    const ParserColumns columns{view(offsets), view(form), view(tag), view(upos), views};
    self.parse(columns, split, threads, heads.data(), relations.data());
  });
  return as_arrays(heads, relations);
}

OwnedArray<std::int32_t> maximum_tree(Matrix<std::int32_t> scores) {
  const std::size_t words = scores.shape(0);
  if (scores.shape(1) != words + 1) throw nb::value_error("a word needs a score for the root and every word");
  return filled<std::int32_t>({words},
                              [&](std::int32_t* heads) { TreeFinder().find(scores.data(), words, heads); });
}

std::vector<std::size_t> sentence_sizes(const nb::list& forms) {
  std::vector<SentencePart> parts;
  for (const std::string_view form : strict_utf8_list(forms))
    parts.push_back(sentence_part(decode_all(form)));
  std::vector<std::size_t> sizes;
  for (std::span<const SentencePart> rest = parts; !rest.empty(); rest = rest.subspan(sizes.back())) {
    sizes.push_back(first_sentence(rest));
  }
  return sizes;
}

}  // namespace

void bind_parsing(nb::module_ module) {
  nb::class_<Parser>(module, "Parser")
      .def("__init__", &read_model<Parser>, "model"_a)
      .def_prop_ro("fingerprint", [](const Parser& self) { return self.model().fingerprint; })
      .def_prop_ro("relations", [](const Parser& self) { return self.model().relations; })
      .def("parse", &parse, "offsets"_a, "form"_a, "tag"_a, "upos"_a, "strings"_a, nb::kw_only(),
           "split"_a = true, "threads"_a = 1);

  module.def("maximum_tree", &maximum_tree, "scores"_a);
  module.def("sentence_sizes", &sentence_sizes, "forms"_a);
}

}  // namespace metaphrase::analysis
