// Python's way to METEOR's tokens and German stems.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "meteor/german_stemmer.hpp"
#include "meteor/text.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::meteor {
namespace {

MeteorNormaliser::Apostrophes apostrophes_named(std::string_view name) {
  if (name == "clitic after") return MeteorNormaliser::Apostrophes::clitic_after;
  if (name == "clitic before") return MeteorNormaliser::Apostrophes::clitic_before;
  if (name == "apart") return MeteorNormaliser::Apostrophes::apart;
  throw nb::value_error("apostrophes are 'clitic after', 'clitic before' or 'apart'");
}

// The list keeps the texts, and the texts their UTF-8 form, alive; nobody else may change it meanwhile.
nb::list normalise(const MeteorNormaliser& normaliser, const nb::list& texts, bool punctuation, int threads) {
  const auto views = strict_utf8_list(texts);
  std::vector<std::string> lines(views.size());
  {
    const nb::gil_scoped_release released;
    parallel_blocks(views.size(), 64, threads, [&](std::size_t begin, std::size_t end, int) {
      MeteorNormaliser::Workspace work;
      for (std::size_t i = begin; i < end; ++i) lines[i] = normaliser.normalise(views[i], punctuation, work);
    });
  }
  return to_list(lines);
}

nb::list german_stems(const nb::list& words) {
  GermanStemmer stemmer;
  nb::list result;
  for (const std::string_view word : strict_utf8_list(words)) {
    result.append(to_str(stemmer.stem(word)));
  }
  return result;
}

}  // namespace

void bind_meteor_text(nb::module_ module) {
  nb::class_<MeteorNormaliser>(module, "Normaliser")
      .def(
          "__init__",
          [](MeteorNormaliser* self, const std::string& apostrophes, const std::vector<std::string>& always,
             const std::vector<std::string>& before_numbers) {
            new (self) MeteorNormaliser(apostrophes_named(apostrophes), always, before_numbers);
          },
          nb::kw_only(), "apostrophes"_a, "always"_a, "before_numbers"_a)
      .def("normalise", &normalise, "texts"_a, nb::kw_only(), "punctuation"_a, "threads"_a);
  module.def("german_stems", &german_stems, "words"_a);
}

}  // namespace metaphrase::meteor
