// The dictionary form of a tagged word: settle its case, look for an exception, else change its ending by the
// rule of the longest ending known; if that gives no word of the vocabulary, by another rule of the tag that
// does.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/tagger_lexicon.hpp"
#include "analysis/word_traits.hpp"
#include "base/byte_stream.hpp"
#include "base/hashing.hpp"
#include "base/key_table.hpp"
#include "base/unicode.hpp"

namespace metaphrase::analysis {

enum class CaseChange : std::uint8_t { lower, keep, title };
enum class CaseShape : std::uint8_t { lower, title, upper, mixed };

inline CaseShape case_shape(std::u32string_view form) {
  std::size_t capitals = 0, letters = 0;
  for (const char32_t c : form) {
    capitals += is_upper(c);
    letters += is_upper(c) || to_upper(c) != c;
  }
  if (capitals == 0) return CaseShape::lower;
  if (capitals == letters && letters > 1) return CaseShape::upper;
  return capitals == 1 && is_upper(form[0]) ? CaseShape::title : CaseShape::mixed;
}

inline std::u32string change_case(std::u32string_view form, CaseChange change) {
  std::u32string out(form);
  if (change == CaseChange::keep) return out;
  for (char32_t& c : out) c = to_lower(c);
  if (change == CaseChange::title && !out.empty()) out[0] = to_upper(out[0]);
  return out;
}

// Replaces one ending by another; a word without that ending is left as it is.
struct EndingRule {
  std::u32string from, to;
  auto operator<=>(const EndingRule&) const = default;

  bool fits(std::u32string_view base) const { return base.size() > from.size() && base.ends_with(from); }
  std::u32string apply(const std::u32string& base) const {
    return fits(base) ? base.substr(0, base.size() - from.size()) + to : base;
  }
};

struct LemmaEntry {
  std::u32string form;
  std::uint32_t tag;
  std::u32string lemma;
  std::uint32_t count;
};

class Lemmatiser {
 public:
  static constexpr std::size_t longest_ending = 7;
  static constexpr std::size_t most_alternatives = 8;

  std::u32string lemma(std::u32string_view form, std::uint32_t tag, const Lexicon& lexicon) const {
    if (const std::u32string* found = exception(form, tag, 0)) return *found;
    const std::u32string base = change_case(form, case_changes_[tag][case_context(form, lexicon)]);
    if (const std::u32string* found = exception(base, tag, 1)) return *found;
    return regular(base, tag, lexicon);
  }

  // Learns from every (form, tag, lemma) of a treebank with its count; for one (form, tag) the most frequent
  // lemma stands, the first in the order of characters among equals.
  static Lemmatiser train(const std::vector<LemmaEntry>& entries, std::size_t tags, const Lexicon& lexicon) {
    Lemmatiser learnt;
    learnt.learn_case(entries, tags, lexicon);
    LemmaVotes by_base, by_form;
    for (const LemmaEntry& entry : entries) {
      const CaseChange change = learnt.case_changes_[entry.tag][case_context(entry.form, lexicon)];
      by_base[{entry.tag, change_case(entry.form, change)}][entry.lemma] += entry.count;
      by_form[{entry.tag, entry.form}][entry.lemma] += entry.count;
    }
    learnt.learn_endings(by_base, tags);
    for (const auto& [key, lemmas] : by_base) {
      const std::u32string& best = most_frequent(lemmas);
      if (learnt.regular(key.second, key.first, lexicon) != best) learnt.add_exception(key, 1, best);
    }
    learnt.index();
    for (const auto& [key, lemmas] : by_form) {
      const std::u32string& best = most_frequent(lemmas);
      if (learnt.lemma(key.second, key.first, lexicon) != best) learnt.add_exception(key, 0, best);
    }
    learnt.index();
    return learnt;
  }

  void write(ByteWriter& out) const {
    out.put(static_cast<std::uint32_t>(rules_.size()));
    for (const EndingRule& rule : rules_) {
      out.put_string(encode_all(rule.from));
      out.put_string(encode_all(rule.to));
    }
    out.put(static_cast<std::uint32_t>(case_changes_.size()));
    for (std::size_t tag = 0; tag < case_changes_.size(); ++tag) {
      for (const CaseChange change : case_changes_[tag]) out.put(static_cast<std::uint8_t>(change));
      out.put(static_cast<std::uint8_t>(alternatives_[tag].size()));
      for (const std::uint16_t rule : alternatives_[tag]) out.put(rule);
    }
    out.put(static_cast<std::uint32_t>(endings_.size()));
    for (const auto& [key, rule] : endings_) {
      out.put(key);
      out.put(rule);
    }
    out.put(static_cast<std::uint32_t>(exceptions_.size()));
    for (const auto& [key, lemma] : exceptions_) {
      out.put(key);
      out.put_string(encode_all(lemma));
    }
  }

  static Lemmatiser read(ByteReader& in, std::size_t tags) {
    Lemmatiser read;
    read.rules_.resize(in.get_count(8));
    for (EndingRule& rule : read.rules_) {
      rule.from = decode_all(in.get_string());
      rule.to = decode_all(in.get_string());
    }
    const auto read_rule = [&] {
      const auto rule = in.get<std::uint16_t>();
      if (rule >= read.rules_.size()) throw ModelError("the lemmatiser points to a rule that is not there");
      return rule;
    };
    read.case_changes_.resize(in.get_count(case_contexts + 1));
    if (read.case_changes_.size() != tags) throw ModelError("the lemmatiser does not know the tagger's tags");
    for (auto& changes : read.case_changes_) {
      for (CaseChange& change : changes) {
        const auto value = in.get<std::uint8_t>();
        if (value > 2) throw ModelError("the lemmatiser holds an unknown change of case");
        change = static_cast<CaseChange>(value);
      }
      auto& alternatives = read.alternatives_.emplace_back();
      for (int left = in.get<std::uint8_t>(); left > 0; --left) alternatives.push_back(read_rule());
    }
    for (std::uint32_t left = in.get_count(6); left > 0; --left) {
      const auto key = in.get<std::uint32_t>();
      read.endings_.emplace_back(key, read_rule());
    }
    for (std::uint32_t left = in.get_count(8); left > 0; --left) {
      const auto key = in.get<std::uint32_t>();
      read.exceptions_.emplace_back(key, decode_all(in.get_string()));
    }
    read.index();
    return read;
  }

 private:
  using Votes = std::map<std::u32string, std::uint32_t>;
  using TaggedForm = std::pair<std::uint32_t, std::u32string>;
  using LemmaVotes = std::map<TaggedForm, Votes>;
  static constexpr std::size_t case_contexts = 8;

  // Four shapes, and whether the word is known in lower case: "IBM" keeps its capitals, "GREAT" does not, and
  // a name written "kerala" gets one.
  static std::size_t case_context(std::u32string_view form, const Lexicon& lexicon) {
    const auto shape = static_cast<std::size_t>(case_shape(form));
    return shape * 2 + lexicon.contains(change_case(form, CaseChange::lower));
  }

  static const std::u32string& most_frequent(const Votes& votes) {
    const auto* best = &*votes.begin();
    for (const auto& vote : votes) {
      if (vote.second > best->second) best = &vote;
    }
    return best->first;
  }

  static std::size_t common_prefix(std::u32string_view a, std::u32string_view b) {
    std::size_t n = 0;
    while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
    return n;
  }

  static std::uint32_t exception_key(std::u32string_view form, std::uint32_t tag, std::uint32_t stage) {
    return static_cast<std::uint32_t>(mix(mix(hash_chars(form), tag), stage));
  }
  static std::uint64_t ending_start(std::uint32_t tag) { return mix(0x656E64ull, tag); }

  const std::u32string* exception(std::u32string_view form, std::uint32_t tag, std::uint32_t stage) const {
    const std::uint32_t* found = exception_index_.find(exception_key(form, tag, stage));
    return found ? &exceptions_[*found].second : nullptr;
  }

  std::u32string regular(const std::u32string& base, std::uint32_t tag, const Lexicon& lexicon) const {
    const EndingRule& rule = best_rule(base, tag);
    std::u32string lemma = rule.apply(base);
    if (rule.from == rule.to || lexicon.contains(lemma)) return lemma;
    for (const std::uint16_t id : alternatives_[tag]) {
      if (!rules_[id].fits(base)) continue;
      std::u32string other = rules_[id].apply(base);
      if (other.size() > 2 && lexicon.contains(other)) return other;
    }
    return lemma;
  }

  const EndingRule& best_rule(std::u32string_view base, std::uint32_t tag) const {
    static const EndingRule unchanged;
    const EndingRule* best = &unchanged;
    std::uint64_t hash = ending_start(tag);
    for (std::size_t n = 0;; ++n) {
      if (const auto* found = ending_index_.find(static_cast<std::uint32_t>(hash))) best = &rules_[*found];
      if (n == longest_ending || n == base.size()) return *best;
      hash = mix(hash, base[base.size() - 1 - n]);
    }
  }

  void learn_case(const std::vector<LemmaEntry>& entries, std::size_t tags, const Lexicon& lexicon) {
    std::vector<std::array<std::array<std::uint64_t, 3>, case_contexts>> votes(tags);
    for (const LemmaEntry& entry : entries) {
      std::size_t longest = 0, best = 0;
      for (std::size_t change = 0; change < 3; ++change) {
        const auto base = change_case(entry.form, static_cast<CaseChange>(change));
        if (const std::size_t n = common_prefix(base, entry.lemma); n > longest) longest = n, best = change;
      }
      votes[entry.tag][case_context(entry.form, lexicon)][best] += entry.count;
    }
    case_changes_.assign(tags, {});
    for (std::size_t tag = 0; tag < tags; ++tag) {
      for (std::size_t context = 0; context < case_contexts; ++context) {
        const auto& count = votes[tag][context];
        const auto best = std::max_element(count.begin(), count.end()) - count.begin();
        case_changes_[tag][context] = static_cast<CaseChange>(best);
      }
    }
  }

  // For each ending the rule that most word types with it follow; written down only where it differs from
  // what the next shorter ending says.
  void learn_endings(const LemmaVotes& by_base, std::size_t tags) {
    struct Node {
      std::map<std::uint16_t, std::uint32_t> votes;
      std::uint64_t parent = 0;
    };
    std::array<std::map<std::uint64_t, Node>, longest_ending + 1> nodes;  // by length of the ending
    std::map<EndingRule, std::uint16_t> rule_ids;
    std::vector<std::map<std::uint16_t, std::uint32_t>> tag_votes(tags);
    for (const auto& [key, lemmas] : by_base) {
      const auto& [tag, base] = key;
      const std::u32string& lemma = most_frequent(lemmas);
      const std::size_t same = common_prefix(base, lemma);
      if (base.size() - same > 8 || same == 0 || rule_ids.size() == 0xFFFF)
        continue;  // an exception, not a rule
      const EndingRule rule{base.substr(same), lemma.substr(same)};
      const auto id = rule_ids.emplace(rule, static_cast<std::uint16_t>(rule_ids.size())).first->second;
      if (rule.from != rule.to) ++tag_votes[tag][id];
      std::uint64_t hash = ending_start(tag), parent = 0;
      for (std::size_t n = 0; n <= longest_ending && n <= base.size(); ++n) {
        Node& node = nodes[n][hash];
        ++node.votes[id];
        node.parent = parent;
        parent = hash;
        if (n < base.size()) hash = mix(hash, base[base.size() - 1 - n]);
      }
    }
    rules_.resize(rule_ids.size());
    for (const auto& [rule, id] : rule_ids) rules_[id] = rule;
    std::map<std::uint64_t, std::uint16_t> decided;
    for (std::size_t length = 0; length <= longest_ending; ++length) {
      for (const auto& [hash, node] : nodes[length]) {
        const auto ranked = by_falling_votes(node.votes);
        const std::uint16_t inherited = length == 0 ? 0 : decided.at(node.parent);
        const auto trusted = node.votes.find(inherited);
        const std::uint32_t kept = trusted == node.votes.end() ? 0 : trusted->second;
        const bool better = length == 0 || (ranked[0].first >= 2 && ranked[0].first > kept);
        decided[hash] = better ? ranked[0].second : inherited;
        if (better) endings_.emplace_back(static_cast<std::uint32_t>(hash), ranked[0].second);
      }
    }
    alternatives_.assign(tags, {});
    for (std::size_t tag = 0; tag < tags; ++tag) {
      for (const auto& [count, rule] : by_falling_votes(tag_votes[tag])) {
        if (count >= 5 && alternatives_[tag].size() < most_alternatives) alternatives_[tag].push_back(rule);
      }
    }
    index();
  }

  static std::vector<std::pair<std::uint32_t, std::uint16_t>> by_falling_votes(
      const std::map<std::uint16_t, std::uint32_t>& votes) {
    std::vector<std::pair<std::uint32_t, std::uint16_t>> ranked;
    for (const auto& [rule, count] : votes) ranked.emplace_back(count, rule);
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    return ranked;
  }

  void add_exception(const TaggedForm& form, std::uint32_t stage, const std::u32string& lemma) {
    exceptions_.emplace_back(exception_key(form.second, form.first, stage), lemma);
  }

  void index() {
    ending_index_.reserve(endings_.size());
    for (const auto& [key, rule] : endings_) ending_index_.insert(key, rule);
    exception_index_.reserve(exceptions_.size());
    for (std::uint32_t i = 0; i < exceptions_.size(); ++i) exception_index_.insert(exceptions_[i].first, i);
  }

  std::vector<EndingRule> rules_;
  std::vector<std::array<CaseChange, case_contexts>> case_changes_;  // by tag
  std::vector<std::vector<std::uint16_t>> alternatives_;             // by tag, the most frequent rules
  std::vector<std::pair<std::uint32_t, std::uint16_t>> endings_;
  std::vector<std::pair<std::uint32_t, std::u32string>> exceptions_;
  KeyTable<std::uint16_t> ending_index_;
  KeyTable<std::uint32_t> exception_index_;
};

}  // namespace metaphrase::analysis
