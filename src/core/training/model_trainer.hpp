// Trains all parts of an analyser from a treebank, a lexicon of raw text and what a dictionary knows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/analysis_model.hpp"
#include "training/tagger_trainer.hpp"

namespace metaphrase::training {

// Columns of a treebank, one cell a token; sentence i is [offsets[i], offsets[i + 1]).
struct Treebank {
  std::vector<std::u32string> forms, lemmas;
  std::vector<std::string> tags, upos;
  std::vector<std::uint32_t> lemma_weights;  // how much a token's lemma counts where treebanks disagree
  std::vector<std::int64_t> offsets;
};

// What raw text says of words: classes of exact forms, and capitals of lower-cased forms.
struct RawTextLexicon {
  std::vector<std::u32string> words;
  std::vector<std::uint16_t> fine, coarse;
  std::map<std::u32string, std::uint8_t> capitals;
};

// How a dictionary comes from words to their lemmas, as a number from 1 for each way.
struct DictionaryInflections {
  std::vector<std::u32string> words;
  std::vector<std::uint16_t> numbers;
};

// Lemmas known from elsewhere; they count where the treebank is silent.
struct KnownLemma {
  std::string tag;
  std::u32string form, lemma;
};

struct LabelOptions {
  std::uint32_t min_label_count = 5;  // rarer pairs of tag and universal tag count as the tag's usual pair
  std::uint32_t min_ambiguity_count = 4;  // words seen less often have no ambiguity class
};

struct LabelledTokens {
  std::vector<analysis::Label> labels;
  std::vector<std::uint16_t> gold;  // by token
};

inline LabelledTokens label_tokens(const Treebank& bank, std::uint32_t min_count) {
  using Pair = std::pair<std::string, std::string>;
  std::map<Pair, std::uint32_t> counts;
  for (std::size_t i = 0; i < bank.tags.size(); ++i) ++counts[{bank.tags[i], bank.upos[i]}];
  std::map<std::string, std::pair<std::uint32_t, Pair>> usual;  // by tag
  for (const auto& [pair, count] : counts) {
    auto& best = usual[pair.first];
    if (count > best.first) best = {count, pair};
  }
  LabelledTokens out;
  std::map<Pair, std::uint16_t> numbers;
  for (const auto& [pair, count] : counts) {
    if (count < min_count && usual[pair.first].second != pair) continue;
    numbers[pair] = static_cast<std::uint16_t>(out.labels.size());
    out.labels.push_back({pair.first, pair.second});
  }
  if (out.labels.size() > analysis::AnalysisModel::most_labels)
    throw ModelError("the treebank has too many tags");
  analysis::AnalysisModel::number_tags(out.labels);
  for (std::size_t i = 0; i < bank.tags.size(); ++i) {
    const auto found = numbers.find({bank.tags[i], bank.upos[i]});
    out.gold.push_back(found != numbers.end() ? found->second : numbers.at(usual[bank.tags[i]].second));
  }
  return out;
}

// Up to three labels of a word, each borne in a twentieth of the cases or more, by falling frequency.
inline std::vector<std::uint16_t> ambiguity(const std::map<std::uint16_t, std::uint32_t>& counts,
                                            std::uint32_t total) {
  std::vector<std::pair<std::uint32_t, std::uint16_t>> ranked;
  for (const auto& [label, count] : counts) {
    if (count * 20 >= total) ranked.emplace_back(count, label);
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::uint16_t> labels;
  for (const auto& [count, label] : ranked) {
    if (labels.size() < 3) labels.push_back(label);
  }
  return labels;
}

inline analysis::Lexicon build_lexicon(const Treebank& bank, const LabelledTokens& tokens,
                                       const RawTextLexicon& raw, const DictionaryInflections& dictionary,
                                       std::uint32_t min_count) {
  std::map<std::u32string, analysis::Lexicon::Usage> usages;
  for (const auto& [form, capitals] : raw.capitals) usages[form] = {0, 0, capitals};
  std::map<std::u32string, std::map<std::uint16_t, std::uint32_t>> seen;
  for (std::size_t i = 0; i < bank.forms.size(); ++i) {
    std::u32string form = analysis::change_case(bank.forms[i], analysis::CaseChange::lower);
    std::replace_if(form.begin(), form.end(), is_ascii_digit, U'0');
    ++seen[form][tokens.gold[i]];
  }
  std::map<std::vector<std::uint16_t>, std::uint16_t> numbers;
  for (const auto& [form, counts] : seen) {
    std::uint32_t total = 0;
    for (const auto& [label, count] : counts) total += count;
    if (total < min_count) continue;
    const auto number = static_cast<std::uint16_t>(numbers.size() + 1);
    usages[form].ambiguity = numbers.emplace(ambiguity(counts, total), number).first->second;
  }
  std::vector<analysis::Lexicon::Usage> usage_list;
  for (auto& [form, usage] : usages) {
    usage.key = analysis::Lexicon::key(analysis::spell(form).lower);
    usage_list.push_back(usage);
  }
  std::vector<analysis::Lexicon::Classes> classes;
  for (std::size_t i = 0; i < raw.words.size(); ++i) {
    classes.push_back(
        {analysis::Lexicon::key(analysis::spell(raw.words[i]).form), raw.fine[i], raw.coarse[i]});
  }
  analysis::Lexicon lexicon;
  lexicon.fill(std::move(classes), std::move(usage_list));
  std::vector<analysis::Lexicon::Inflection> inflections;
  for (std::size_t i = 0; i < dictionary.words.size(); ++i) {
    inflections.push_back(
        {analysis::Lexicon::key(analysis::spell(dictionary.words[i]).form), dictionary.numbers[i]});
  }
  lexicon.fill_inflections(std::move(inflections));
  return lexicon;
}

inline std::vector<analysis::FeatureRow> train_tagger(const Treebank& bank, const LabelledTokens& tokens,
                                                      const analysis::Lexicon& lexicon,
                                                      const TaggerOptions& options) {
  std::map<std::u32string, std::uint32_t> numbers;
  std::vector<WordType> types;
  std::vector<TrainingSentence> sentences;
  for (std::size_t s = 0; s + 1 < bank.offsets.size(); ++s) {
    TrainingSentence& sentence = sentences.emplace_back();
    for (auto i = bank.offsets[s]; i < bank.offsets[s + 1]; ++i) {
      const auto [found, added] = numbers.emplace(bank.forms[i], static_cast<std::uint32_t>(types.size()));
      if (added) types.push_back({bank.forms[i], 0});
      ++types[found->second].count;
      sentence.words.push_back(found->second);
      sentence.labels.push_back(tokens.gold[i]);
    }
  }
  return TaggerTrainer(types, lexicon, tokens.labels.size(), options).train(sentences);
}

inline analysis::Lemmatiser train_lemmatiser(const Treebank& bank, const LabelledTokens& tokens,
                                             const std::vector<KnownLemma>& known,
                                             const analysis::Lexicon& lexicon) {
  std::map<std::tuple<std::u32string, std::uint32_t, std::u32string>, std::uint32_t> counts;
  std::size_t tags = 0;
  for (const analysis::Label& label : tokens.labels) tags = std::max<std::size_t>(tags, label.tag_id + 1);
  for (std::size_t i = 0; i < bank.forms.size(); ++i) {
    const std::uint32_t tag = tokens.labels[tokens.gold[i]].tag_id;
    counts[{bank.forms[i], tag, bank.lemmas[i]}] += bank.lemma_weights[i];
  }
  for (const KnownLemma& entry : known) {
    const auto label = std::find_if(tokens.labels.begin(), tokens.labels.end(),
                                    [&](const analysis::Label& other) { return other.tag == entry.tag; });
    if (label == tokens.labels.end()) continue;
    counts.try_emplace({entry.form, label->tag_id, entry.lemma}, 1);
  }
  std::vector<analysis::LemmaEntry> entries;
  for (const auto& [key, count] : counts) {
    entries.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  }
  return analysis::Lemmatiser::train(entries, tags, lexicon);
}

// The content of the model file.
inline std::string train_model(std::string_view language, const Treebank& bank, const RawTextLexicon& raw,
                               const DictionaryInflections& dictionary, const std::vector<KnownLemma>& known,
                               const TaggerOptions& options, const LabelOptions& label_options) {
  const LabelledTokens tokens = label_tokens(bank, label_options.min_label_count);
  const analysis::Lexicon lexicon =
      build_lexicon(bank, tokens, raw, dictionary, label_options.min_ambiguity_count);
  const std::vector<analysis::FeatureRow> rows = train_tagger(bank, tokens, lexicon, options);
  return analysis::AnalysisModel::serialise(language, tokens.labels, lexicon, rows,
                                            train_lemmatiser(bank, tokens, known, lexicon));
}

}  // namespace metaphrase::training
