// How each language cuts words, as its treebanks of Universal Dependencies do.
#pragma once

#include <string_view>

#include "analysis/token_lists.hpp"

namespace metaphrase::analysis {

struct TokenRules {
  const WordSet& abbreviations;             // written with a period that belongs to them
  bool english = false;                     // 's, n't, "gonna", "5pm", and commas between thousands only
  bool splits_hyphens = false;              // "CDU - Politiker"; otherwise "porte-parole"
  bool joins_periods = true;                // "z.B." and "J. S. Bach"; otherwise every period stands alone
  bool any_initial = false;                 // a small letter with a period is an abbreviation too
  bool ordinals = false;                    // "3." within a text
  const WordSet& elisions = tokens::none;   // cut after the apostrophe: "l'", "qu'"
  const WordSet& enclitics = tokens::none;  // cut before the hyphen: "-il"
  const WordSet& fixed = tokens::none;      // never cut
};

namespace tokens {

inline const WordSet german_abbreviations{
    "dr",  "prof", "st",   "nr",   "bzw",   "ca",   "etc",  "usw",  "vgl", "evtl", "ggf",  "inkl",
    "mio", "mrd",  "tsd",  "hl",   "chr",   "jh",   "jhd",  "jhdt", "str", "tel",  "abs",  "art",
    "bd",  "bspw", "dipl", "ing",  "geb",   "gest", "hrsg", "hr",   "fr",  "jan",  "feb",  "febr",
    "aug", "sept", "okt",  "nov",  "dez",   "max",  "min",  "mind", "med", "phil", "rer",  "nat",
    "sog", "zzgl", "exkl", "ehem", "eigtl", "kath", "ev",   "lt",   "kap", "jur",  "allg", "az",
    "bez", "frl",  "vs",   "op",   "co",    "jr",   "sen",  "std",  "stk"};

inline const WordSet french_abbreviations{
    "mm",  "dr", "mme", "mlle", "pr",  "prof", "etc", "cf", "av",  "apr", "env",  "ex",  "vol", "pp", "art",
    "fig", "ed", "éd",  "st",   "ste", "bd",   "tél", "no", "hab", "sc",  "chap", "cie", "inc", "vs", "jr"};

inline const WordSet spanish_abbreviations{
    "sr", "sra",  "srta", "dr",  "dra",  "prof",  "ud",  "uds", "etc", "pág", "págs", "núm",  "art",
    "av", "avda", "ing",  "lic", "gral", "tel",   "st",  "sto", "sta", "km",  "kms",  "ee",   "uu",
    "aa", "cía",  "ej",   "cf",  "vs",   "aprox", "vol", "ed",  "jr",  "no",  "ca",   "mons", "hnos"};

inline const WordSet french_elisions{"l", "d", "n",     "s",      "qu",     "j",      "c",     "m",
                                     "t", "y", "jusqu", "lorsqu", "puisqu", "quoiqu", "presqu"};

inline const WordSet french_enclitics{"il",   "elle", "ils", "elles", "on", "je",  "tu",
                                      "nous", "vous", "ce",  "le",    "la", "les", "lui",
                                      "leur", "moi",  "toi", "y",     "en", "t"};

inline const WordSet french_fixed{"c'est-à-dire", "l'on", "rendez-vous", "aujourd'hui"};

}  // namespace tokens

// The rules of a language by its code; those of English for any other.
inline const TokenRules& token_rules(std::string_view language) {
  static const TokenRules english{
      .abbreviations = tokens::abbreviations, .english = true, .splits_hyphens = true};
  static const TokenRules german{.abbreviations = tokens::german_abbreviations,
                                 .splits_hyphens = true,
                                 .any_initial = true,
                                 .ordinals = true};
  static const TokenRules french{.abbreviations = tokens::french_abbreviations,
                                 .any_initial = true,
                                 .elisions = tokens::french_elisions,
                                 .enclitics = tokens::french_enclitics,
                                 .fixed = tokens::french_fixed};
  static const TokenRules spanish{.abbreviations = tokens::spanish_abbreviations, .any_initial = true};
  static const TokenRules czech{
      .abbreviations = tokens::none, .splits_hyphens = true, .joins_periods = false};
  if (language == "de") return german;
  if (language == "fr") return french;
  if (language == "es") return spanish;
  if (language == "cs") return czech;
  return english;
}

}  // namespace metaphrase::analysis
