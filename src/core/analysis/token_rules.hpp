// How each language cuts words, as its treebanks of Universal Dependencies do.
#pragma once

#include <string_view>
#include <unordered_set>

#include "analysis/token_lists.hpp"

namespace metaphrase::analysis {

using WordSet = std::unordered_set<std::string_view>;

struct TokenRules {
  const WordSet& abbreviations;       // written with a period that belongs to them
  bool english = false;               // 's, n't, "gonna", "5pm", and commas between thousands only
  bool splits_hyphens = false;        // "CDU - Politiker"; otherwise "porte-parole"
  bool joins_periods = true;          // "z.B." and "J. S. Bach"; otherwise every period stands alone
  bool any_initial = false;           // a small letter with a period is an abbreviation too
  bool ordinals = false;              // "3." within a text
  const WordSet& elisions = none();   // cut after the apostrophe: "l'", "qu'"
  const WordSet& enclitics = none();  // cut before the hyphen: "-il"
  const WordSet& fixed = none();      // never cut

  static const WordSet& none() {
    static const WordSet words;
    return words;
  }
};

namespace tokens {

inline const WordSet& german_abbreviations() {
  static const WordSet words{"dr",   "prof", "st",    "nr",   "bzw", "ca",   "etc",  "usw",  "vgl",  "evtl",
                             "ggf",  "inkl", "mio",   "mrd",  "tsd", "hl",   "chr",  "jh",   "jhd",  "jhdt",
                             "str",  "tel",  "abs",   "art",  "bd",  "bspw", "dipl", "ing",  "geb",  "gest",
                             "hrsg", "hr",   "fr",    "jan",  "feb", "febr", "aug",  "sept", "okt",  "nov",
                             "dez",  "max",  "min",   "mind", "med", "phil", "rer",  "nat",  "sog",  "zzgl",
                             "exkl", "ehem", "eigtl", "kath", "ev",  "lt",   "kap",  "jur",  "allg", "az",
                             "bez",  "frl",  "vs",    "op",   "co",  "jr",   "sen",  "std",  "stk"};
  return words;
}

inline const WordSet& french_abbreviations() {
  static const WordSet words{"mm",  "dr",  "mme", "mlle", "pr",  "prof", "etc", "cf",  "av", "apr",
                             "env", "ex",  "vol", "pp",   "art", "fig",  "ed",  "éd",  "st", "ste",
                             "bd",  "tél", "no",  "hab",  "sc",  "chap", "cie", "inc", "vs", "jr"};
  return words;
}

inline const WordSet& spanish_abbreviations() {
  static const WordSet words{"sr",   "sra",   "srta", "dr",  "dra",  "prof", "ud",  "uds",  "etc", "pág",
                             "págs", "núm",   "art",  "av",  "avda", "ing",  "lic", "gral", "tel", "st",
                             "sto",  "sta",   "km",   "kms", "ee",   "uu",   "aa",  "cía",  "ej",  "cf",
                             "vs",   "aprox", "vol",  "ed",  "jr",   "no",   "ca",  "mons", "hnos"};
  return words;
}

inline const WordSet& french_elisions() {
  static const WordSet words{"l", "d", "n",     "s",      "qu",     "j",      "c",     "m",
                             "t", "y", "jusqu", "lorsqu", "puisqu", "quoiqu", "presqu"};
  return words;
}

inline const WordSet& french_enclitics() {
  static const WordSet words{"il", "elle", "ils", "elles", "on",   "je",  "tu",  "nous", "vous", "ce",
                             "le", "la",   "les", "lui",   "leur", "moi", "toi", "y",    "en",   "t"};
  return words;
}

inline const WordSet& french_fixed() {
  static const WordSet words{"c'est-à-dire", "l'on", "rendez-vous", "aujourd'hui"};
  return words;
}

}  // namespace tokens

// The rules of a language by its code; those of English for any other.
inline const TokenRules& token_rules(std::string_view language) {
  static const TokenRules english{
      .abbreviations = tokens::abbreviations(), .english = true, .splits_hyphens = true};
  static const TokenRules german{.abbreviations = tokens::german_abbreviations(),
                                 .splits_hyphens = true,
                                 .any_initial = true,
                                 .ordinals = true};
  static const TokenRules french{.abbreviations = tokens::french_abbreviations(),
                                 .any_initial = true,
                                 .elisions = tokens::french_elisions(),
                                 .enclitics = tokens::french_enclitics(),
                                 .fixed = tokens::french_fixed()};
  static const TokenRules spanish{.abbreviations = tokens::spanish_abbreviations(), .any_initial = true};
  static const TokenRules czech{
      .abbreviations = TokenRules::none(), .splits_hyphens = true, .joins_periods = false};
  if (language == "de") return german;
  if (language == "fr") return french;
  if (language == "es") return spanish;
  if (language == "cs") return czech;
  return english;
}

}  // namespace metaphrase::analysis
