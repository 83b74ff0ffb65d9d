// What a token can be to its governor, and what the words and tags of a batch say about that.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace metaphrase::relations {

// A role without angle brackets in its name is a label; the others are constructions to be taken apart.
// clang-format off: a table, not a list
enum class Role : std::uint8_t {
  root, nsubj, nsubjpass, csubj, csubjpass, dobj, iobj, expl, cop, acomp, ccomp, xcomp, advcl, rcmod, vmod,
  parataxis, tmod, npadvmod, det, predet, amod, appos, poss, nn, num, number, quantmod, aux, auxpass, mark,
  advmod, neg, prt, mwe, goeswith, discourse, cc, preconj, conj, dep, prep, pobj, pcomp, agent, xsubj,
  silent, outer, dative, attribute, clause, kase, oblique, agent_phrase, bare, nominal, preposition, object,
  complement, flat, fixed, gerund,
};
// clang-format on

inline constexpr std::array<std::string_view, 61> role_names = {
    "root",      "nsubj",        "nsubjpass", "csubj",    "csubjpass", "dobj",      "iobj",
    "expl",      "cop",          "acomp",     "ccomp",    "xcomp",     "advcl",     "rcmod",
    "vmod",      "parataxis",    "tmod",      "npadvmod", "det",       "predet",    "amod",
    "appos",     "poss",         "nn",        "num",      "number",    "quantmod",  "aux",
    "auxpass",   "mark",         "advmod",    "neg",      "prt",       "mwe",       "goeswith",
    "discourse", "cc",           "preconj",   "conj",     "dep",       "prep",      "pobj",
    "pcomp",     "agent",        "xsubj",     "<silent>", "<outer>",   "<dative>",  "<attribute>",
    "<clause>",  "<case>",       "<oblique>", "<agent>",  "<bare>",    "<nominal>", "<preposition>",
    "<object>",  "<complement>", "<flat>",    "<fixed>",  "<gerund>"};
static_assert(static_cast<std::size_t>(Role::gerund) + 1 == role_names.size() && role_names.size() <= 64);

// Sets of roles are bits of one word.
using RoleSet = std::uint64_t;
constexpr RoleSet bit(Role role) { return RoleSet{1} << static_cast<int>(role); }
template <class... Roles>
constexpr RoleSet roles(Roles... role) {
  return (bit(role) | ...);
}
constexpr bool contains(RoleSet set, Role role) { return (set & bit(role)) != 0; }

// The table of metaphrase.analysis.relation_table.
struct RelationTable {
  std::unordered_map<std::string, Role> roles;
  std::unordered_set<std::string> phrasal_prepositions, subordinators, complementisers, negations, time_words;
  std::unordered_set<std::string> negative_determiners;
  // Prepositions of the doer of a passive; `oblique_agents` where trees do not tell it from other phrases.
  std::unordered_set<std::string> agents, oblique_agents;
  std::unordered_map<std::string, std::string> conjunctions;

  // An unlisted subtype counts as its type, anything else as `dep`.
  Role role_of(const std::string& label) const {
    auto found = roles.find(label);
    if (found == roles.end()) found = roles.find(label.substr(0, label.find(':')));
    return found == roles.end() ? Role::dep : found->second;
  }
};

// What one string means as a tag, a word, a lemma or a label: each is asked of the column it stands in.
struct StringFacts {
  Role role = Role::dep;
  // as a tag
  bool noun = false, verb = false, adjective = false, adverb = false, predicate_adverb = false;
  bool proper_noun = false, gerund = false, active = false, cardinal = false, in = false, to = false;
  bool possessive = false;
  // as a word or lemma, in lower case
  bool letter = false, digit = false, there = false, no = false, be = false;
  bool agent = false, oblique_agent = false;
  bool negation = false, subordinator = false, complementiser = false, time = false;
  const std::string* conjunction = nullptr;
  std::string lower;
};

inline StringFacts facts_of(std::string_view text, const RelationTable& table) {
  StringFacts facts;
  facts.lower = std::string(text);
  facts.role = table.role_of(facts.lower);
  const std::string_view tag = text;
  facts.noun = tag.starts_with('N');
  facts.verb = tag.starts_with('V');
  facts.adjective = tag.starts_with("JJ");
  facts.adverb = tag.starts_with("RB");
  facts.predicate_adverb = tag == "RB" || tag == "WRB" || tag == "RP";
  facts.proper_noun = tag == "NNP";
  facts.gerund = tag == "VBG";
  facts.active = tag == "VB" || tag == "VBZ" || tag == "VBP" || facts.adjective;
  facts.cardinal = tag == "CD";
  facts.in = tag == "IN";
  facts.to = tag == "TO";
  facts.possessive = tag == "POS";
  for (char& c : facts.lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const std::string& word = facts.lower;
  const char first = word.empty() ? ' ' : word[0];
  // Of what is not ASCII, dashes and quotation marks (U+2000 to U+203F) are no letters.
  const bool foreign = static_cast<unsigned char>(first) >= 0x80 && !word.starts_with("\xE2\x80");
  facts.letter = (first >= 'a' && first <= 'z') || foreign;
  facts.digit = first >= '0' && first <= '9';
  facts.there = word == "there";
  facts.no = table.negative_determiners.contains(word);
  facts.agent = table.agents.contains(word);
  facts.oblique_agent = table.oblique_agents.contains(word);
  facts.be = word == "be";
  facts.negation = table.negations.contains(word);
  facts.subordinator = table.subordinators.contains(word);
  facts.complementiser = table.complementisers.contains(word);
  facts.time = table.time_words.contains(word);
  const auto conjunction = table.conjunctions.find(word);
  if (conjunction != table.conjunctions.end()) facts.conjunction = &conjunction->second;
  return facts;
}

}  // namespace metaphrase::relations
