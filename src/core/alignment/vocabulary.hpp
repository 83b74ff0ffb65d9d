// What the word aligner knows of each distinct string of a batch: spellings, word lists, tags.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "alignment/porter2.hpp"
#include "base/string_table.hpp"
#include "base/unicode.hpp"

namespace metaphrase::alignment {

enum class Part : std::uint8_t { verb, noun, adjective, adverb, other };

// One string read as a form or as a lemma. Numbers stand for strings, each kind with a table of its own.
struct Spelling {
  std::int32_t lower = 0;          // the string in lower case
  std::int32_t canonical = 0;      // without . - , unless it is one character, in lower case
  std::int32_t stem = 0;           // of the canonical form
  std::int32_t contraction = -1;   // canonical form of which it is the contraction, or the other way round
  bool stop_word = false;          // the canonical form is one
  bool punctuation = false;        // the canonical form is
  bool digits = false;             // the canonical form consists of them
  bool lower_stop_word = false;    // the string in lower case is one
  bool lower_punctuation = false;  // the string in lower case is
  bool function_like = false;      // it is either, or a clitic
  bool hyphenated = false;         // and more than a hyphen
  bool sentence_end = false;       // . or !
  bool capitalised = false;        // begins with a capital letter
  bool acronym = false;            // capitals and dots, but neither A nor I
};

// One string read as a part-of-speech tag.
struct Tag {
  char32_t letter = 0;
  Part part = Part::other;
  bool cardinal = false;
  bool pronoun = false;
};

// One string read as the type of an entity.
enum class EntityType : std::uint8_t { none, name, other };

// What the aligner must know of a language besides stems: which words weigh little, and what is the same word
// written in two ways.
struct WordLists {
  using Words = std::unordered_set<std::string>;
  Words stop_words, punctuation;
  Words clitics;  // are function words to the aligner, and content words to the score
  std::vector<std::pair<std::string, std::string>> contractions;  // count as identical
};

// NLTK's English stop words as they were in 2015, and the program's list of punctuation.
inline const WordLists& english_words() {
  static const WordLists english{
      {"i",       "me",      "my",      "myself",   "we",         "our",    "ours",    "ourselves",
       "you",     "your",    "yours",   "yourself", "yourselves", "he",     "him",     "his",
       "himself", "she",     "her",     "hers",     "herself",    "it",     "its",     "itself",
       "they",    "them",    "their",   "theirs",   "themselves", "what",   "which",   "who",
       "whom",    "this",    "that",    "these",    "those",      "am",     "is",      "are",
       "was",     "were",    "be",      "been",     "being",      "have",   "has",     "had",
       "having",  "do",      "does",    "did",      "doing",      "a",      "an",      "the",
       "and",     "but",     "if",      "or",       "because",    "as",     "until",   "while",
       "of",      "at",      "by",      "for",      "with",       "about",  "against", "between",
       "into",    "through", "during",  "before",   "after",      "above",  "below",   "to",
       "from",    "up",      "down",    "in",       "out",        "on",     "off",     "over",
       "under",   "again",   "further", "then",     "once",       "here",   "there",   "when",
       "where",   "why",     "how",     "all",      "any",        "both",   "each",    "few",
       "more",    "most",    "other",   "some",     "such",       "no",     "nor",     "not",
       "only",    "own",     "same",    "so",       "than",       "too",    "very",    "s",
       "t",       "can",     "will",    "just",     "don",        "should", "now"},
      {"(", "-lrb-", ".", ",", "-", "?",   "!",  ";", "_", ":",
       "{", "}",     "[", "/", "]", "...", "\"", "'", ")", "-rrb-"},
      {"'s", "'d", "'ll"},
      {{"is", "'s"},
       {"will", "'ll"},
       {"can", "ca"},
       {"not", "n't"},
       {"have", "'ve"},
       {"are", "'re"},
       {"am", "'m"},
       {"had", "'d"}}};
  return english;
}

class Vocabulary {
 public:
  explicit Vocabulary(std::span<const std::string_view> strings, const WordLists& lists = english_words()) {
    spellings_.reserve(strings.size() + 1);
    for (const std::string_view string : strings) add(string, lists);
    add("ROOT", lists);
    link_contractions(lists);
  }

  std::size_t size() const { return spellings_.size() - 1; }
  // The number of ROOT's form, which follows the batch's own strings.
  std::int32_t root() const { return static_cast<std::int32_t>(size()); }

  const Spelling& spelling(std::int32_t string) const { return spellings_[string]; }
  const Tag& tag(std::int32_t string) const { return tags_[string]; }
  EntityType entity_type(std::int32_t string) const { return entity_types_[string]; }
  // Equal for strings that are equal but for hyphens.
  std::int32_t unhyphenated(std::int32_t string) const { return unhyphenated_[string]; }
  // The parts between hyphens, as numbers of lower-case strings.
  std::span<const std::int32_t> parts(std::int32_t string) const {
    return {parts_.data() + part_starts_[string], parts_.data() + part_starts_[string + 1]};
  }
  std::string_view text(std::int32_t string) const { return texts_[string]; }

  // Takes other stems than English ones: one for each canonical form, in their order.
  void take_stems(std::span<const std::string_view> stems) {
    StringTable table;
    std::vector<std::int32_t> numbers;
    numbers.reserve(stems.size());
    for (const std::string_view stem : stems) numbers.push_back(table.intern(stem));
    for (Spelling& spelling : spellings_) spelling.stem = numbers[spelling.canonical];
  }

  const StringTable& lower() const { return lower_; }
  const StringTable& canonical() const { return canonical_; }

  // Whether `acronym`, which was found to look like one, stands for words that begin with its letters.
  bool stands_for(std::int32_t acronym, std::span<const std::int32_t> words) const {
    const std::string_view letters = text(acronym);
    std::size_t word = 0;
    for (std::size_t at = 0; at < letters.size();) {
      const char32_t letter = decode_one(letters.data(), letters.size(), at);
      if (letter == U'.') continue;
      if (word == words.size()) return false;
      const std::string_view next = text(words[word++]);
      std::size_t start = 0;
      if (next.empty() || decode_one(next.data(), next.size(), start) != letter) return false;
    }
    return word == words.size();
  }

 private:
  void add(std::string_view string, const WordLists& lists) {
    texts_.emplace_back(string);
    const std::u32string characters = decode_all(string);
    std::u32string lower, canonical, unhyphenated;
    for (const char32_t c : characters) {
      const char32_t small = to_lower(c);
      lower.push_back(small);
      if (characters.size() == 1 || (c != U'.' && c != U'-' && c != U',')) canonical.push_back(small);
      if (c != U'-') unhyphenated.push_back(c);
    }
    Spelling spelling;
    const std::string lower_text = encode_all(lower), canonical_text = encode_all(canonical);
    spelling.lower = lower_.intern(lower_text);
    spelling.canonical = canonical_.intern(canonical_text);
    spelling.stem = stems_.intern(stemmer_.stem(canonical_text));
    spelling.stop_word = lists.stop_words.contains(canonical_text);
    spelling.punctuation = lists.punctuation.contains(canonical_text);
    spelling.digits = !canonical.empty() && std::all_of(canonical.begin(), canonical.end(), is_ascii_digit);
    spelling.lower_stop_word = lists.stop_words.contains(lower_text);
    spelling.lower_punctuation = lists.punctuation.contains(lower_text);
    spelling.function_like =
        spelling.lower_stop_word || spelling.lower_punctuation || lists.clitics.contains(lower_text);
    spelling.hyphenated = unhyphenated.size() < characters.size() && string != "-";
    spelling.sentence_end = string == "." || string == "!";
    spelling.capitalised = !characters.empty() && is_upper(characters.front());
    spelling.acronym = looks_like_acronym(characters);
    spellings_.push_back(spelling);
    tags_.push_back(read_tag(string, characters));
    entity_types_.push_back(read_entity_type(string));
    unhyphenated_.push_back(names_.intern(encode_all(unhyphenated)));
    if (spelling.hyphenated) add_parts(lower);
    part_starts_.push_back(parts_.size());
  }

  void add_parts(std::u32string_view lower) {
    for (;;) {
      const std::size_t hyphen = lower.find(U'-');
      parts_.push_back(lower_.intern(encode_all(lower.substr(0, hyphen))));
      if (hyphen == std::u32string_view::npos) return;
      lower.remove_prefix(hyphen + 1);
    }
  }

  static bool looks_like_acronym(std::u32string_view characters) {
    std::size_t letters = 0, capitals = 0;
    for (const char32_t c : characters) {
      if (c == U'.') continue;
      if (to_upper(c) != c) return false;
      ++letters;
      capitals += is_upper(c);
    }
    const auto is_word = [](char32_t c) { return c == U'A' || c == U'I'; };
    const bool word = letters == 1 && std::any_of(characters.begin(), characters.end(), is_word);
    return capitals > 0 && !word;
  }

  static Tag read_tag(std::string_view string, std::u32string_view characters) {
    Tag tag;
    tag.letter = characters.empty() ? 0 : characters.front();
    constexpr std::u32string_view letters = U"vnjr";  // of the parts, in their order
    tag.part = static_cast<Part>(std::min(letters.find(to_lower(tag.letter)), letters.size()));
    tag.cardinal = string == "CD";
    tag.pronoun = string == "PRP";
    return tag;
  }

  static EntityType read_entity_type(std::string_view string) {
    if (string == "O") return EntityType::none;
    const bool name = string == "PERSON" || string == "ORGANIZATION" || string == "LOCATION";
    return name ? EntityType::name : EntityType::other;
  }

  void link_contractions(const WordLists& lists) {
    std::vector<std::int32_t> other(canonical_.size(), -1);
    // Interning both words first makes their numbers valid; the table may grow by some that no string uses.
    for (const auto& [word, contraction] : lists.contractions) {
      const std::int32_t a = canonical_.intern(word), b = canonical_.intern(contraction);
      other.resize(canonical_.size(), -1);
      other[a] = b;
      other[b] = a;
    }
    for (Spelling& spelling : spellings_) spelling.contraction = other[spelling.canonical];
  }

  Porter2 stemmer_;
  StringTable lower_, canonical_, stems_, names_;
  std::vector<std::string> texts_;
  std::vector<Spelling> spellings_;
  std::vector<Tag> tags_;
  std::vector<EntityType> entity_types_;
  std::vector<std::int32_t> unhyphenated_;
  std::vector<std::int32_t> parts_;
  std::vector<std::size_t> part_starts_{0};
};

}  // namespace metaphrase::alignment
