// The keys of the tagger's features.
//
// A feature is a 32-bit hash of its template and values; nothing but hashes is stored in a model. Features of
// one word at one place of the window depend on nothing else, so that their weights can be summed once a word
// type (word_keys); the others are looked up at every token (context_keys).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/word_traits.hpp"
#include "base/hashing.hpp"
#include "base/unicode.hpp"

namespace metaphrase::analysis {

constexpr int window_radius = 2;
constexpr int window_size = 2 * window_radius + 1;
constexpr std::uint32_t outside_label = 0xFFFF;
constexpr int most_active_features = 72;  // at one token, all templates counted

struct FeatureKeys {
  std::array<std::uint32_t, 48> keys;
  int count = 0;

  void add(std::uint32_t feature_template, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    keys[count++] = static_cast<std::uint32_t>(mix(mix(mix(feature_template, a), b), c));
  }
  void clear() { count = 0; }
  std::span<const std::uint32_t> view() const { return {keys.data(), static_cast<std::size_t>(count)}; }
};

// Features of `word` standing at `place` (0 to 4; 2 is the token to tag).
inline void word_keys(const WordTraits& word, int place, FeatureKeys& out) {
  const std::uint32_t base = 100u * (place + 1);
  out.add(base, word.lower);
  out.add(base + 1, word.lexicon.fine);
  out.add(base + 2, word.lexicon.coarse);
  out.add(base + 3, word.lexicon.ambiguity);
  const int distance = place > window_radius ? place - window_radius : window_radius - place;
  if (distance > 1) return;
  out.add(base + 4, word.suffix[2]);
  out.add(base + 5, word.shape);
  out.add(base + 6, word.suffix[1], word.kind);
  out.add(base + 8, word.lexicon.capitals, word.kind);
  if (word.lexicon.inflection) out.add(base + 9, word.lexicon.inflection);
  if (distance > 0) return;
  out.add(base + 7, word.form);
  for (std::uint32_t n = 0; n < word.prefix.size(); ++n) out.add(base + 10 + n, word.prefix[n]);
  for (std::uint32_t n = 0; n < word.suffix.size(); ++n) out.add(base + 20 + n, word.suffix[n]);
  out.add(base + 30, word.kind);
  out.add(base + 31, word.suffix[2], word.kind);
  out.add(base + 32, word.lexicon.coarse, word.suffix[1]);
  out.add(base + 33, word.lexicon.fine, word.kind);
  out.add(base + 34, 0);
  if (word.lexicon.inflection) out.add(base + 35, word.lexicon.inflection, word.suffix[1], word.kind);
}

// How a text uses capitals, which says what a capital in it is worth.
enum class TextCase : std::uint8_t { usual, none, titles, shouting };

// Counts the words of a text by their case.
struct CaseCounts {
  std::uint32_t words = 0, capitalised = 0, shouted = 0;

  void add(std::u32string_view form) {
    if (form.empty() || is_symbol(form[0]) || is_ascii_digit(form[0])) return;
    ++words;
    capitalised += is_upper(form[0]);
    shouted += is_upper(form[0]) && form.size() > 1 && is_upper(form[1]);
  }
  TextCase text_case() const {
    if (words < 2) return TextCase::usual;
    if (capitalised == 0) return TextCase::none;
    if (shouted * 10 >= words * 7) return TextCase::shouting;
    return capitalised * 10 >= words * 6 ? TextCase::titles : TextCase::usual;
  }
};

// What came before the token, and what text it stands in.
struct History {
  std::uint32_t before = outside_label, second_before = outside_label;
  TextCase text_case = TextCase::usual;

  void advance(std::uint32_t label) {
    second_before = before;
    before = label;
  }
};

// Features of several words or of the labels before; `window` holds the traits at the five places.
inline void context_keys(const std::array<const ContextTraits*, window_size>& window, const History& history,
                         FeatureKeys& out) {
  const std::uint32_t before = history.before, second_before = history.second_before;
  const ContextTraits& left = *window[1];
  const ContextTraits& word = *window[2];
  const ContextTraits& right = *window[3];
  out.add(1, before);
  out.add(2, before, second_before);
  out.add(3, before, word.lower);
  out.add(4, before, right.lexicon.ambiguity);
  out.add(5, left.lower, word.lower);
  out.add(6, word.lower, right.lower);
  out.add(7, left.lexicon.fine, word.lexicon.fine);
  out.add(8, word.lexicon.fine, right.lexicon.fine);
  out.add(9, before, word.lexicon.ambiguity, right.lexicon.ambiguity);
  out.add(10, before, word.ending);
  const std::uint32_t setting = static_cast<std::uint32_t>(history.text_case) * 2 + left.ends_sentence;
  out.add(11, setting, word.kind, word.lexicon.coarse);
  out.add(12, second_before, before, word.lexicon.ambiguity);
  out.add(13, word.lexicon.ambiguity, right.lexicon.ambiguity, window[4]->lexicon.ambiguity);
  out.add(14, before, right.lower);
  out.add(15, setting, word.kind, word.lexicon.ambiguity);
  out.add(16, setting, word.kind, word.lexicon.capitals);
  out.add(17, setting, word.kind, before);
  out.add(18, window[0]->lower, left.lower);
  out.add(19, second_before, word.lower);
  if (word.lexicon.inflection) out.add(20, before, word.lexicon.inflection);
  if (word.lexicon.inflection && right.lexicon.inflection) {
    out.add(21, word.lexicon.inflection, right.lexicon.inflection);
  }
}

}  // namespace metaphrase::analysis
