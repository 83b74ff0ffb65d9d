// All words and phrases of a hypothesis that METEOR 1.5 could match with some of a reference.
//
// Four modules look for matches, each on its own: equal words, equal stems, a common synset, and paraphrases,
// where a pair of the table counts in both directions. What one finds does not keep another from finding the
// same: an alignment chooses among all of them later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lexicon/paraphrase_table.hpp"
#include "meteor/phrases.hpp"
#include "meteor/senses.hpp"

namespace metaphrase::meteor {

enum class MeteorModule : std::uint8_t { exact, stem, synonym, paraphrase };

// What is known of each word of a vocabulary. Stems and synsets may be missing if no module asks for them.
struct MeteorVocabulary {
  std::span<const std::int32_t> word;  // equal numbers are equal words
  std::span<const std::int32_t> stem;
  const MeteorSenses* senses = nullptr;
  std::span<const std::uint8_t> function;  // whether it is a function word
  std::span<const std::int32_t> width;     // what a word counts for: 1, or its characters
};

struct MeteorSentence {
  std::span<const std::int32_t> words;  // of the vocabulary
  std::span<const PhraseSpan> phrases;  // of the table
};

// Words [reference, reference + reference_words) of the reference with those of the hypothesis.
struct MeteorMatch {
  std::int32_t reference, reference_words, hypothesis, hypothesis_words;
  std::uint8_t stage;  // the place of the module in the list of modules
  bool exact;

  std::int32_t reference_end() const { return reference + reference_words; }
  std::int32_t hypothesis_end() const { return hypothesis + hypothesis_words; }
};

// Keeps its memory from one pair of sentences to the next; one a thread.
class MeteorMatcher {
 public:
  // Sentences have fewer: time and memory grow with the product of lengths, and with the number of matches.
  static constexpr std::size_t most_words = std::size_t{1} << 14, most_cells = std::size_t{1} << 26;
  static constexpr std::size_t most_matches = std::size_t{1} << 24;

  MeteorMatcher(const MeteorVocabulary& vocabulary, std::span<const MeteorModule> modules,
                const lexicon::ParaphraseTable* table)
      : vocabulary_(vocabulary), modules_(modules), table_(table) {}

  // False if there are too many words or matches. Matches are in the order in which METEOR meets them: by
  // their first word in the reference, then by module, then as the module found them, which decides between
  // equal alignments.
  bool match(const MeteorSentence& hypothesis, const MeteorSentence& reference) {
    found_.clear();
    const std::size_t left = hypothesis.words.size(), right = reference.words.size();
    if (left > most_words || right > most_words || left * right > most_cells) return false;
    // Equal sentences are matched word by word without asking further.
    const std::size_t stages = equal(hypothesis, reference) ? 1 : modules_.size();
    for (std::size_t stage = 0; stage < stages; ++stage) {
      stage_ = static_cast<std::uint8_t>(stage);
      switch (modules_[stage]) {
        case MeteorModule::exact: match_words(hypothesis, reference); break;
        case MeteorModule::stem: match_stems(hypothesis, reference); break;
        case MeteorModule::synonym: match_synonyms(hypothesis, reference); break;
        case MeteorModule::paraphrase: match_phrases(hypothesis, reference); break;
      }
      if (found_.size() > most_matches) return false;
    }
    group_by_reference(reference.words.size());
    return true;
  }

  // The matches whose first word in the reference is `word`.
  std::span<const MeteorMatch> at(std::size_t word) const {
    return std::span(matches_).subspan(starts_[word], starts_[word + 1] - starts_[word]);
  }

 private:
  static constexpr std::int32_t none = -1;
  struct Sense {
    std::int32_t synset, place, next;
  };

  bool equal(const MeteorSentence& a, const MeteorSentence& b) const {
    return std::equal(a.words.begin(), a.words.end(), b.words.begin(), b.words.end(),
                      [this](auto x, auto y) { return vocabulary_.word[x] == vocabulary_.word[y]; });
  }

  void match_words(const MeteorSentence& hypothesis, const MeteorSentence& reference) {
    gather(vocabulary_.word, hypothesis, words_);
    for (std::size_t r = 0; r < reference.words.size() && found_.size() <= most_matches; ++r) {
      const std::int32_t word = vocabulary_.word[reference.words[r]];
      for (std::size_t h = 0; h < words_.size(); ++h) {
        if (words_[h] == word) add_word(h, r);
      }
    }
  }

  void match_stems(const MeteorSentence& hypothesis, const MeteorSentence& reference) {
    gather(vocabulary_.word, hypothesis, words_);
    gather(vocabulary_.stem, hypothesis, stems_);
    for (std::size_t r = 0; r < reference.words.size() && found_.size() <= most_matches; ++r) {
      const std::int32_t word = vocabulary_.word[reference.words[r]];
      const std::int32_t stem = vocabulary_.stem[reference.words[r]];
      for (std::size_t h = 0; h < stems_.size(); ++h) {
        if (stems_[h] == stem && words_[h] != word) add_word(h, r);
      }
    }
  }

  void match_synonyms(const MeteorSentence& hypothesis, const MeteorSentence& reference) {
    const MeteorSenses& senses = *vocabulary_.senses;
    // Equal words side by side, for a sentence may have one a thousand times.
    places_.clear();
    for (std::size_t h = 0; h < hypothesis.words.size(); ++h) {
      const auto word = static_cast<std::uint64_t>(hypothesis.words[h]);
      if (!senses.of(hypothesis.words[h]).empty()) places_.push_back(word << 32 | h);
    }
    std::sort(places_.begin(), places_.end());
    // The senses of the hypothesis, those of one hash in a chain.
    senses_.clear();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (i > 0 && places_[i] >> 32 == places_[i - 1] >> 32) continue;
      for (const std::int32_t synset : senses.of(static_cast<std::int32_t>(places_[i] >> 32))) {
        const auto number = static_cast<std::int32_t>(senses_.size());
        senses_.push_back(
            {synset, static_cast<std::int32_t>(i), std::exchange(first_[hash(synset)], number)});
      }
    }
    for (std::size_t r = 0; r < reference.words.size() && found_.size() <= most_matches; ++r) {
      const std::int32_t there = reference.words[r];
      shared_.clear();
      for (const std::int32_t synset : senses.of(there)) {
        for (std::int32_t i = first_[hash(synset)]; i != none; i = senses_[i].next) {
          if (senses_[i].synset == synset) shared_.push_back(senses_[i].place);
        }
      }
      if (!shared_.empty()) add_synonyms(there, r);
    }
    for (const Sense& sense : senses_) first_[hash(sense.synset)] = none;
  }

  // All words that stand at the `shared_` places, in the order of the hypothesis.
  void add_synonyms(std::int32_t there, std::size_t r) {
    std::sort(shared_.begin(), shared_.end());
    shared_.erase(std::unique(shared_.begin(), shared_.end()), shared_.end());
    const std::size_t before = found_.size();
    for (const std::int32_t place : shared_) {
      const std::uint64_t here = places_[place] >> 32;
      if (vocabulary_.word[here] == vocabulary_.word[there]) continue;
      for (std::size_t i = place; i < places_.size() && places_[i] >> 32 == here; ++i) {
        add_word(static_cast<std::uint32_t>(places_[i]), r);
      }
    }
    std::sort(found_.begin() + static_cast<std::ptrdiff_t>(before), found_.end(),
              [](const MeteorMatch& a, const MeteorMatch& b) { return a.hypothesis < b.hypothesis; });
  }

  // Side by side, what is compared with every word of the reference.
  template <class Number>
  static void gather(std::span<const Number> of_word, const MeteorSentence& sentence,
                     std::vector<Number>& values) {
    values.clear();
    for (const std::int32_t word : sentence.words) values.push_back(of_word[word]);
  }

  void add_word(std::size_t h, std::size_t r) {
    found_.push_back({static_cast<std::int32_t>(r), 1, static_cast<std::int32_t>(h), 1, stage_,
                      modules_[stage_] == MeteorModule::exact});
  }

  // Phrases of the reference with paraphrases in the hypothesis, then the other way round.
  void match_phrases(const MeteorSentence& hypothesis, const MeteorSentence& reference) {
    look_up(reference.phrases, hypothesis.phrases, [this](const PhraseSpan& r, const PhraseSpan& h) {
      found_.push_back({r.begin, r.words, h.begin, h.words, stage_, false});
    });
    look_up(hypothesis.phrases, reference.phrases, [this](const PhraseSpan& h, const PhraseSpan& r) {
      found_.push_back({r.begin, r.words, h.begin, h.words, stage_, false});
    });
  }

  template <class Found>
  void look_up(std::span<const PhraseSpan> phrases, std::span<const PhraseSpan> others, Found&& found) {
    // The phrases of the other sentence, those of one hash in a chain in the order of their places.
    next_in_chain_.resize(others.size());
    for (std::size_t i = others.size(); i-- > 0;) {
      next_in_chain_[i] = std::exchange(first_[hash(others[i].phrase)], static_cast<std::int32_t>(i));
    }
    // What the table has lies anywhere in memory: it is asked for all of it before any of it is needed.
    for (const PhraseSpan& span : phrases) table_->prefetch(span.phrase);
    paraphrases_.clear();
    for (const PhraseSpan& span : phrases) {
      paraphrases_.push_back(table_->paraphrases(span.phrase));
      __builtin_prefetch(paraphrases_.back().data());
    }
    for (std::size_t k = 0; k < phrases.size() && found_.size() <= most_matches; ++k) {
      for (const std::uint32_t paraphrase : paraphrases_[k]) {
        for (std::int32_t i = first_[hash(paraphrase)]; i != none; i = next_in_chain_[i]) {
          if (others[i].phrase == paraphrase) found(phrases[k], others[i]);
        }
      }
    }
    for (const PhraseSpan& other : others) first_[hash(other.phrase)] = none;
  }

  static std::uint32_t hash(std::uint32_t number) { return (number * 0x9E3779B1u) >> 20; }

  void group_by_reference(std::size_t words) {
    starts_.assign(words + 1, 0);
    for (const MeteorMatch& match : found_) ++starts_[match.reference + 1];
    for (std::size_t i = 0; i < words; ++i) starts_[i + 1] += starts_[i];
    next_.assign(starts_.begin(), starts_.end());
    matches_.resize(found_.size());
    for (const MeteorMatch& match : found_) matches_[next_[match.reference]++] = match;
  }

  const MeteorVocabulary& vocabulary_;
  std::span<const MeteorModule> modules_;
  const lexicon::ParaphraseTable* table_;
  std::uint8_t stage_ = 0;
  std::vector<MeteorMatch> found_, matches_;
  std::vector<std::size_t> starts_, next_;
  std::vector<std::int32_t> words_, stems_;
  std::vector<Sense> senses_;
  std::vector<std::uint64_t> places_;
  std::vector<std::int32_t> shared_;
  std::vector<std::span<const std::uint32_t>> paraphrases_;
  std::vector<std::int32_t> first_ = std::vector<std::int32_t>(std::size_t{1} << 12, none);  // of each chain
  std::vector<std::int32_t> next_in_chain_;
};

}  // namespace metaphrase::meteor
