// What the sequence labeller looks at: the words and Penn tags of a window of five, and the run of names that
// a token stands in.
//
// Features of one word, or of one tag, at one place of the window depend on nothing else: their weights are
// summed once a batch (word_keys of analysis/tagger_features.hpp, tag_keys). The others are looked up at
// every token.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/tagger_features.hpp"
#include "analysis/tagger_lexicon.hpp"

namespace metaphrase::analysis {

constexpr std::uint32_t unknown_tag = 0;  // the tags of a model count from 1
constexpr std::uint32_t outside_tag = 0xFFFF;

inline bool is_name_tag(std::string_view tag) { return tag == "NNP" || tag == "NNPS"; }

// Where a token stands in a run of tokens with the tag of names.
enum class RunPlace : std::uint8_t { none, only, first, middle, last };

// The bits that a lexicon of names has for a word or for several words: what a gazetteer knows of them (that
// they are the whole name of a person, an organisation or a place; begin or end one; are a common noun), then
// which lists have them.
constexpr std::uint16_t whole_name = 7, starts_name = 8 | 32 | 64, common_noun = 512;
constexpr int gazetteer_bits = 10;
constexpr std::uint16_t gazetteer_mask = (1 << gazetteer_bits) - 1;

inline void separate_lists(LexiconEntry& entry) {
  entry.lists = static_cast<std::uint8_t>(entry.ambiguity >> gazetteer_bits);
  entry.ambiguity &= gazetteer_mask;
}

// A maximal run of names, or one token that is none.
struct NameRun {
  const ContextTraits *first, *last, *before, *after;
  std::uint32_t size = 0;
  LexiconEntry known_as;  // what the lexicon knows of the whole run
};

// The name of a run in the lexicon: the words of "new york", one after the other.
inline std::uint64_t extend_phrase(std::uint64_t phrase, std::uint64_t lower) {
  return mix(phrase + 1, lower);
}

inline std::uint64_t hash_phrase(std::u32string_view text) {
  std::uint64_t phrase = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(U' '), text.size());
    phrase = extend_phrase(phrase, spell(text.substr(0, end)).lower);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return phrase;
}

// One token: what is known of its word type, its tag, and its places in a run and in a known name.
struct LabelledToken {
  const ContextTraits* word;
  std::uint32_t tag = unknown_tag;
  RunPlace place = RunPlace::none;
  std::uint32_t run = 0;
  RunPlace phrase_place = RunPlace::none;  // in the longest name of several words that the lexicon has
  LexiconEntry phrase{};
};

using TokenWindow = std::array<const LabelledToken*, window_size>;

inline void tag_keys(std::uint32_t tag, int place, FeatureKeys& out) { out.add(50u + place, tag); }

// Features of several words and tags.
inline void neighbour_keys(const TokenWindow& window, TextCase text_case, FeatureKeys& out) {
  const ContextTraits &left = *window[1]->word, &word = *window[2]->word, &right = *window[3]->word;
  const std::uint32_t second_left_tag = window[0]->tag, left_tag = window[1]->tag, tag = window[2]->tag;
  const std::uint32_t right_tag = window[3]->tag, second_right_tag = window[4]->tag;
  out.add(1, second_left_tag, left_tag);
  out.add(2, left_tag, tag);
  out.add(3, tag, right_tag);
  out.add(4, right_tag, second_right_tag);
  out.add(5, second_left_tag, left_tag, tag);
  out.add(6, left_tag, tag, right_tag);
  out.add(7, tag, right_tag, second_right_tag);
  out.add(8, word.lower, tag);
  out.add(9, left.lower, tag);
  out.add(10, right.lower, tag);
  out.add(11, left.lower, word.lower);
  out.add(12, word.lower, right.lower);
  out.add(13, left.lexicon.fine, word.lexicon.fine);
  out.add(14, word.lexicon.fine, right.lexicon.fine);
  out.add(15, left_tag, word.lower);
  out.add(16, word.lower, right_tag);
  out.add(17, left.lower, left_tag, tag);
  out.add(18, left.lexicon.coarse, tag, right.lexicon.coarse);
  const std::uint32_t setting = static_cast<std::uint32_t>(text_case) * 2 + left.ends_sentence;
  out.add(19, setting, word.kind, tag);
  out.add(20, setting, word.kind, word.lexicon.capitals);
}

// Features of the run of names that the token stands in, which may reach beyond the window.
inline void run_keys(const TokenWindow& window, const NameRun& run, TextCase text_case, FeatureKeys& out) {
  const ContextTraits &left = *window[1]->word, &word = *window[2]->word, &right = *window[3]->word;
  const auto place = static_cast<std::uint32_t>(window[2]->place);
  out.add(30, place, run.first->lower);
  out.add(31, place, run.last->lower);
  out.add(32, place, run.before->lower);
  out.add(33, place, run.after->lower);
  out.add(34, place, run.known_as.ambiguity);
  out.add(35, place, run.size, static_cast<std::uint32_t>(text_case));
  out.add(36, place, run.before->lexicon.coarse, run.last->lexicon.coarse);
  out.add(37, place, run.last->lexicon.ambiguity, run.first->lexicon.ambiguity);
  out.add(38, left.lexicon.ambiguity, word.lexicon.ambiguity);
  out.add(39, word.lexicon.ambiguity, right.lexicon.ambiguity);
  out.add(40, place, run.last->lexicon.fine);
  out.add(41, place, run.after->lexicon.coarse, run.last->lexicon.coarse);
}

// What the lexicon of names says, one source at a time, and what capitals say whatever the tag: a rare
// combination of all bits teaches nothing, and a name that the tagger overlooks is in no run.
inline void name_keys(const TokenWindow& window, const NameRun& run, FeatureKeys& out) {
  const LabelledToken& token = *window[2];
  const ContextTraits &left = *window[1]->word, &word = *token.word, &right = *window[3]->word;
  const auto place = static_cast<std::uint32_t>(token.place);
  const auto phrase_place = static_cast<std::uint32_t>(token.phrase_place);
  constexpr std::uint16_t whole = whole_name | common_noun;
  out.add(60, word.lexicon.ambiguity & whole, word.kind);
  out.add(61, place, run.known_as.ambiguity & whole);
  out.add(62, place, word.lexicon.ambiguity & ~whole_name);
  out.add(63, word.lexicon.lists, word.kind);
  out.add(64, place, run.first->lexicon.lists, run.last->lexicon.lists);
  out.add(65, place, run.known_as.lists);
  out.add(66, left.lexicon.lists, word.lexicon.lists, right.lexicon.lists);
  out.add(67, word.kind, left.kind, right.kind);
  out.add(68, word.kind, left.lower);
  out.add(69, word.kind, right.lower);
  out.add(70, phrase_place, token.phrase.ambiguity & whole, token.phrase.lists);
  out.add(71, phrase_place * 5 + place, token.phrase.ambiguity & whole, token.phrase.lists);
}

constexpr std::size_t longest_known_run = 6;

inline LexiconEntry find_phrase(const Lexicon& lexicon, std::uint64_t phrase) {
  WordTraits traits;
  traits.lower = phrase;
  LexiconEntry entry = lexicon.find(traits);
  separate_lists(entry);
  return entry;
}

// Finds the runs of a sentence; at either end of `tokens` stand two tokens of the outside.
inline void find_runs(std::span<LabelledToken> tokens, const std::vector<bool>& name_tags,
                      const Lexicon& lexicon, std::vector<NameRun>& runs) {
  runs.clear();
  const std::size_t end = tokens.size() - window_radius;
  const auto is_name = [&](std::size_t i) {
    return i < end && tokens[i].tag < name_tags.size() && name_tags[tokens[i].tag];
  };
  for (std::size_t begin = window_radius; begin < end;) {
    std::size_t after = begin + 1;
    const bool name = is_name(begin);
    while (name && is_name(after)) ++after;
    const std::size_t size = after - begin;
    NameRun run{tokens[begin].word,
                tokens[after - 1].word,
                tokens[begin - 1].word,
                tokens[after].word,
                static_cast<std::uint32_t>(std::min<std::size_t>(size, longest_known_run + 1)),
                {}};
    if (name && size <= longest_known_run) {
      std::uint64_t phrase = 0;
      for (std::size_t i = begin; i < after; ++i) phrase = extend_phrase(phrase, tokens[i].word->lower);
      run.known_as = find_phrase(lexicon, phrase);
    }
    for (std::size_t i = begin; i < after; ++i) {
      tokens[i].run = static_cast<std::uint32_t>(runs.size());
      tokens[i].place = !name            ? RunPlace::none
                        : size == 1      ? RunPlace::only
                        : i == begin     ? RunPlace::first
                        : i + 1 == after ? RunPlace::last
                                         : RunPlace::middle;
    }
    runs.push_back(run);
    begin = after;
  }
}

constexpr std::size_t longest_known_phrase = 5;

// Finds names of several words that the lexicon has, whatever their tags: from left to right, the longest.
inline void find_phrases(std::span<LabelledToken> tokens, const Lexicon& lexicon) {
  const std::size_t end = tokens.size() - window_radius;
  for (std::size_t begin = window_radius; begin < end;) {
    std::size_t after = begin + 1;
    LexiconEntry known;
    if (tokens[begin].word->lexicon.ambiguity & starts_name) {
      std::uint64_t phrase = extend_phrase(0, tokens[begin].word->lower);
      for (std::size_t i = begin + 1; i < std::min(end, begin + longest_known_phrase); ++i) {
        phrase = extend_phrase(phrase, tokens[i].word->lower);
        const LexiconEntry found = find_phrase(lexicon, phrase);
        if ((found.ambiguity & whole_name) == 0 && found.lists == 0) continue;
        known = found;
        after = i + 1;
      }
    }
    for (std::size_t i = begin; after - begin > 1 && i < after; ++i) {
      tokens[i].phrase = known;
      tokens[i].phrase_place = i == begin       ? RunPlace::first
                               : i + 1 == after ? RunPlace::last
                                                : RunPlace::middle;
    }
    begin = after;
  }
}

}  // namespace metaphrase::analysis
