// metaphrase._core.analysis: the built-in analysers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/text_analyser.hpp"
#include "python/arrays.hpp"
#include "python/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace metaphrase::analysis {
namespace {

// (offsets, columns, strings) as sentence.Batch keeps them.
nb::tuple to_python(TokenColumns&& tokens, const WantedColumns& wanted, bool spans) {
  std::vector<std::int64_t> offsets(tokens.lengths.size() + 1, 0);
  for (std::size_t i = 0; i < tokens.lengths.size(); ++i) offsets[i + 1] = offsets[i] + tokens.lengths[i];
  nb::dict columns;
  columns["form"] = as_array(std::move(tokens.form));
  if (spans) {
    columns["start"] = as_array(std::move(tokens.start));
    columns["end"] = as_array(std::move(tokens.end));
  }
  if (wanted.lemma) columns["lemma"] = as_array(std::move(tokens.lemma));
  if (wanted.tag) columns["tag"] = as_array(std::move(tokens.tag));
  if (wanted.upos) columns["upos"] = as_array(std::move(tokens.upos));
  return nb::make_tuple(as_array(std::move(offsets)), columns, to_list(tokens.strings));
}

nb::tuple analyse(TextAnalyser& self, const nb::list& texts, const CompoundSplitter* compounds, bool lemma,
                  bool tag, bool upos, int threads) {
  const auto views = strict_utf8_list(texts);
  const WantedColumns wanted{lemma, tag, upos};
  return to_python(without_gil([&] { return self.analyse(views, wanted, compounds, threads); }), wanted,
                   true);
}

nb::tuple analyse_tokens(TextAnalyser& self, const nb::list& sentences, bool lemma, bool tag, bool upos,
                         int threads) {
  std::vector<std::vector<std::string_view>> forms;
  forms.reserve(sentences.size());
  for (nb::handle sentence : sentences) {
    if (!PyList_Check(sentence.ptr())) throw nb::type_error("a sentence is not a list of str");
    forms.push_back(strict_utf8_list(nb::borrow<nb::list>(sentence)));
  }
  const WantedColumns wanted{lemma, tag, upos};
  return to_python(without_gil([&] { return self.analyse_tokens(forms, wanted, threads); }), wanted, false);
}

// Lemmas of words whose tags are given.
nb::list lemmatise(const TextAnalyser& self, const nb::list& forms, const nb::list& tags) {
  if (forms.size() != tags.size()) throw nb::value_error("forms and tags differ in length");
  const AnalysisModel& model = self.model();
  nb::list lemmas;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const auto tag = std::find(model.tags.begin(), model.tags.end(), strict_utf8(tags[i]));
    if (tag == model.tags.end()) throw nb::value_error("the model does not know a tag");
    const auto id = static_cast<std::uint32_t>(tag - model.tags.begin());
    lemmas.append(
        to_str(encode_all(model.lemmatiser.lemma(model.spelling(strict_utf8(forms[i])), id, model.lexicon))));
  }
  return lemmas;
}

// The tokens of each text; needs no model.
nb::list tokenise(const nb::list& texts, const std::string& language) {
  Tokeniser tokeniser(token_rules(language));
  DecodedText decoded;
  std::vector<Span> spans;
  nb::list sentences;
  for (nb::handle text : texts) {
    const std::string_view bytes = strict_utf8(text);
    decoded.decode(bytes);
    spans.clear();
    tokeniser.tokenise(decoded, spans);
    nb::list forms;
    for (const Span& span : spans) {
      const std::uint32_t from = decoded.bytes[span.start];
      forms.append(nb::str(bytes.data() + from, decoded.bytes[span.end] - from));
    }
    sentences.append(forms);
  }
  return sentences;
}

void make_splitter(CompoundSplitter* self, const nb::list& words, IntVector counts, std::uint32_t shortest,
                   const nb::list& linking) {
  if (words.size() != counts.size()) throw nb::value_error("every word needs its frequency");
  std::vector<std::u32string> forms, links;
  std::vector<std::uint32_t> frequencies;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (counts(i) < 0) throw nb::value_error("a frequency is negative");
    forms.push_back(decode_all(strict_utf8(words[i])));
    frequencies.push_back(static_cast<std::uint32_t>(counts(i)));
  }
  for (nb::handle link : linking) links.push_back(decode_all(strict_utf8(link)));
  new (self) CompoundSplitter(forms, frequencies, shortest, std::move(links));
}

nb::list split_compound(const CompoundSplitter& self, nb::handle word) {
  nb::list parts;
  for (const CompoundPart& part : self.split(decode_all(strict_utf8(word)))) {
    parts.append(nb::make_tuple(part.start, part.stem, part.end));
  }
  return parts;
}

}  // namespace

void bind_analysis(nb::module_ module) {
  nb::exception<ModelError>(module, "ModelError", PyExc_ValueError);

  nb::class_<CompoundSplitter>(module, "CompoundSplitter")
      .def("__init__", &make_splitter, "words"_a, "counts"_a, nb::kw_only(), "shortest"_a, "linking"_a)
      .def("split", &split_compound, "word"_a);

  nb::class_<TextAnalyser>(module, "TextAnalyser")
      .def("__init__", &read_model<TextAnalyser>, "model"_a)
      .def_prop_ro("fingerprint", [](const TextAnalyser& self) { return self.model().fingerprint; })
      .def_prop_ro("language", [](const TextAnalyser& self) { return self.model().language; })
      .def_prop_ro("labels",
                   [](const TextAnalyser& self) {
                     nb::list labels;
                     for (const Label& label : self.model().labels)
                       labels.append(nb::make_tuple(label.tag, label.upos));
                     return labels;
                   })
      .def("analyse", &analyse, "texts"_a, "compounds"_a.none() = nb::none(), nb::kw_only(), "lemma"_a,
           "tag"_a, "upos"_a, "threads"_a)
      .def("analyse_tokens", &analyse_tokens, "sentences"_a, nb::kw_only(), "lemma"_a, "tag"_a, "upos"_a,
           "threads"_a)
      .def("lemmatise", &lemmatise, "forms"_a, "tags"_a);

  module.def("tokenise", &tokenise, "texts"_a, "language"_a = "en");
}

}  // namespace metaphrase::analysis
