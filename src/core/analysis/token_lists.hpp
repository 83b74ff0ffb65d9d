// Words that the tokeniser must know; all in lower case.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace metaphrase::analysis {

using WordSet = std::unordered_set<std::string_view>;

namespace tokens {

inline const WordSet none{};

// Written with a period that belongs to them, wherever they stand.
inline const WordSet abbreviations{
    "mr",    "mrs",    "ms",   "dr",   "prof", "rev", "gen",    "col",  "lt",   "capt", "sgt",  "gov",
    "sen",   "rep",    "reps", "hon",  "st",   "jr",  "sr",     "inc",  "corp", "ltd",  "co",   "bros",
    "vs",    "etc",    "al",   "cf",   "ca",   "jan", "feb",    "mar",  "apr",  "jun",  "jul",  "aug",
    "sept",  "sep",    "oct",  "nov",  "dec",  "mon", "tue",    "tues", "wed",  "thu",  "thur", "thurs",
    "fri",   "ave",    "blvd", "rd",   "ft",   "mt",  "approx", "dept", "est",  "eds",  "vol",  "vols",
    "pp",    "ph",     "attn", "esp",  "eg",   "ie",  "fla",    "wis",  "conn", "mlle", "mme",  "assoc",
    "univ",  "messrs", "maj",  "cmdr", "supt", "adm", "pres",   "yrs",  "viz",  "incl", "excl", "ext",
    "calif", "pa",     "mich", "tex",  "va",   "op",  "arrv",   "cal",  "pvt",  "cpl",  "brig", "tel",
    "nos",   "fig",    "figs", "sc"};

// EWT splits hyphenated words ("well - known") but not after a prefix ("co-workers").
inline const WordSet bound_prefixes{
    "e",     "non",   "pre",  "mid",    "semi",  "re",     "co",    "anti",  "ex",    "multi",   "pro",
    "sub",   "micro", "mini", "pan",    "post",  "psycho", "inter", "intra", "super", "counter", "neo",
    "de",    "un",    "bi",   "tri",    "quasi", "ultra",  "infra", "trans", "uh",    "hm",      "mm",
    "cross", "macro", "mega", "pseudo", "proto", "socio",  "extra", "hyper", "meta",  "para",    "poly"};

inline const WordSet domain_endings{"com", "org", "net", "edu", "gov", "uk",   "de",   "fr",  "eu",  "info",
                                    "ca",  "ru",  "cn",  "au",  "ch",  "nl",   "io",   "tv",  "mil", "biz",
                                    "jp",  "doc", "pdf", "xls", "txt", "html", "htm",  "jpg", "gif", "png",
                                    "exe", "ppt", "zip", "php", "asp", "docx", "xlsx", "mp3", "py",  "js"};

// Written as one, but two words of the treebank (three in "dunno"): where to cut, 0 is no cut.
inline const std::unordered_map<std::string_view, std::array<std::uint8_t, 2>> fused_words{
    {"cannot", {3, 0}},  {"gonna", {3, 0}},   {"wanna", {3, 0}},    {"gotta", {3, 0}},  {"dunno", {2, 3}},
    {"dont", {2, 0}},    {"cant", {2, 0}},    {"wont", {2, 0}},     {"didnt", {3, 0}},  {"doesnt", {4, 0}},
    {"couldnt", {5, 0}}, {"wouldnt", {5, 0}}, {"shouldnt", {6, 0}}, {"isnt", {2, 0}},   {"arent", {3, 0}},
    {"wasnt", {3, 0}},   {"werent", {4, 0}},  {"hasnt", {3, 0}},    {"havent", {4, 0}}, {"hadnt", {3, 0}},
    {"aint", {2, 0}},    {"im", {1, 0}},      {"ive", {1, 0}},      {"thats", {4, 0}},  {"theres", {5, 0}},
    {"whats", {4, 0}},   {"youre", {3, 0}},   {"theyre", {4, 0}},   {"youve", {3, 0}},  {"lotta", {3, 0}},
    {"outta", {3, 0}},   {"sorta", {4, 0}},   {"oughta", {5, 0}},   {"gimme", {3, 0}},  {"lemme", {3, 0}}};

// "5pm" is two tokens, "5th" one.
inline const WordSet units{"am",  "pm",  "km",      "kg",      "mg",   "cm",  "mm", "ft", "lb",
                           "lbs", "hrs", "hr",      "min",     "mins", "yrs", "yr", "gb", "mb",
                           "kb",  "hz",  "khz",     "mhz",     "ghz",  "mph", "kw", "mw", "oz",
                           "ml",  "cc",  "million", "billion", "bn",   "m",   "k"};

inline const WordSet slashed_words{"w/o", "w/out", "s/he", "b/t", "b/c", "l/c", "i/c", "i/s", "n/a"};

}  // namespace tokens

}  // namespace metaphrase::analysis
