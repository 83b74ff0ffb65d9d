#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "lexicon/word_subsumers.hpp"
#include "lexicon/wordnet.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::lexicon {
namespace {

std::uint32_t checked(const WordNet& wordnet, std::int64_t synset) {
  if (synset < 0 || static_cast<std::size_t>(synset) >= wordnet.synset_count()) {
    throw nb::index_error("no such synset");
  }
  return static_cast<std::uint32_t>(synset);
}

template <class Range>
nb::tuple as_tuple(const Range& range) {
  nb::list list;
  for (const auto& item : range) list.append(nb::cast(item));
  return nb::tuple(list);
}

nb::tuple synsets(const WordNet& wordnet, nb::str word, char part) {
  std::string key;
  nb::list result;
  for (const std::uint32_t synset : wordnet.synsets(utf8(word.ptr()), key)) {
    if (wordnet.has_part(synset, part)) result.append(synset);
  }
  return nb::tuple(result);
}

// `parts` has one letter per word, '\0' for a word that is not restricted. The tuple keeps the words, and the
// words their UTF-8 text, alive.
std::vector<std::string_view> checked_words(const nb::tuple& words, const nb::bytes& parts) {
  if (nb::len(words) != parts.size()) throw nb::value_error("one part of speech per word");
  if (nb::len(words) > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw nb::value_error("too many words for 32-bit numbers");
  }
  return utf8_list(words);
}

nb::tuple synonym_graph(const WordNet& wordnet, nb::tuple words, nb::bytes parts) {
  const auto texts = checked_words(words, parts);
  SynonymGraph graph =
      without_gil([&] { return wordnet.synonym_graph(texts, {parts.c_str(), parts.size()}); });
  return as_arrays(graph.offsets, graph.neighbours);
}

nb::tuple subsumers(const WordNet& wordnet, nb::tuple words, nb::bytes parts) {
  const auto texts = checked_words(words, parts);
  WordSubsumers found =
      without_gil([&] { return word_subsumers(wordnet, texts, {parts.c_str(), parts.size()}); });
  return as_arrays(found.offsets, found.subsumers, found.least, found.contents);
}

}  // namespace

void bind_wordnet(nb::module_ module) {
  nb::exception<UnreadableFileError>(module, "UnreadableFileError", PyExc_OSError);
  nb::class_<WordNet>(module, "WordNet")
      .def("__init__", &open_file<WordNet>, "path"_a)
      .def_prop_ro("lemma_count", &WordNet::lemma_count)
      .def_prop_ro("synset_count", &WordNet::synset_count)
      .def_prop_ro("digest",
                   [](const WordNet& self) { return nb::bytes(self.digest().data(), self.digest().size()); })
      .def("synsets", &synsets, "word"_a, "part"_a)
      .def(
          "lemmas",
          [](const WordNet& self, std::int64_t synset) {
            return as_tuple(self.lemmas(checked(self, synset)));
          },
          "synset"_a)
      .def(
          "part_of_speech",
          [](const WordNet& self, std::int64_t synset) {
            return std::string(1, self.part_of_speech(checked(self, synset)));
          },
          "synset"_a)
      .def(
          "hypernyms",
          [](const WordNet& self, std::int64_t synset) {
            return as_tuple(self.hypernyms(checked(self, synset)));
          },
          "synset"_a)
      .def(
          "information_content",
          [](const WordNet& self, std::int64_t synset) {
            return self.information_content(checked(self, synset));
          },
          "synset"_a)
      .def(
          "lin",
          [](const WordNet& self, std::int64_t a, std::int64_t b) {
            const std::uint32_t first = checked(self, a), second = checked(self, b);
            const nb::gil_scoped_release released;
            return self.lin(first, second);
          },
          "a"_a, "b"_a)
      .def(
          "exceptions",
          [](const WordNet& self, nb::str form, char part) {
            return self.exceptions(utf8(form.ptr()), part);
          },
          "form"_a, "part"_a)
      .def("synonym_graph", &synonym_graph, "words"_a, "parts"_a)
      .def("subsumers", &subsumers, "words"_a, "parts"_a);
}

}  // namespace metaphrase::lexicon
