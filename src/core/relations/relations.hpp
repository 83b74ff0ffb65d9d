// Collapsed, cc-processed Stanford dependencies of a dependency tree.
//
// Labels are read off the tree that relations/steps.hpp leaves; then what conjuncts share is copied to each
// of them, as Stanford's parser 3.4.1 did, and open complements get their subjects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_table.hpp"
#include "relations/steps.hpp"

namespace metaphrase::relations {

struct Arc {
  std::int32_t label, governor, dependent;
};

class RelationCollapser {
 public:
  RelationCollapser(const RelationTable& table, const std::vector<StringFacts>& facts)
      : tree_(facts), steps_(tree_, table) {
    // So that the label of a plain role is its number.
    for (const std::string_view name : role_names) labels_.intern(name);
  }

  // Appends the relations of one sentence: roots first, then by dependent; of one dependent, the relation of
  // the tree, that of its coordination, then those in which it is a subject from elsewhere, by governor.
  void collapse(const SentenceColumns& sentence, std::vector<Arc>& arcs) {
    tree_.read(sentence);
    steps_.run();
    label_tokens();
    find_landmarks();
    extra_.clear();
    share_among_conjuncts();
    add_controlling_subjects();
    std::stable_sort(extra_.begin(), extra_.end(),
                     [](const Arc& a, const Arc& b) { return a.dependent < b.dependent; });
    for (std::int32_t t = 1; t <= tree_.size(); ++t) {
      if (tree_.head(t) == 0 && label_[t] != kNone) arcs.push_back({label_[t], 0, t});
    }
    auto extra = extra_.begin();
    for (std::int32_t t = 1; t <= tree_.size(); ++t) {
      if (tree_.head(t) != 0 && label_[t] != kNone) arcs.push_back({label_[t], tree_.head(t), t});
      for (; extra != extra_.end() && extra->dependent == t; ++extra) arcs.push_back(*extra);
    }
  }

  const StringTable& labels() const { return labels_; }

 private:
  static constexpr std::int32_t kNone = -1, kUnknown = -2;
  static constexpr RoleSet kClauses = roles(Role::clause, Role::advcl, Role::ccomp, Role::xcomp);

  static constexpr std::int32_t plain(Role role) { return static_cast<std::int32_t>(role); }
  bool labelled(std::int32_t t, RoleSet set) const {
    return label_[t] >= 0 && label_[t] < static_cast<std::int32_t>(role_names.size()) &&
           contains(set, static_cast<Role>(label_[t]));
  }

  std::int32_t compose(std::string_view prefix, const std::vector<std::int32_t>& words) {
    name_.assign(prefix);
    for (const std::int32_t w : words) {
      name_ += '_';
      name_ += tree_.word(w).lower;
    }
    return labels_.intern(name_);
  }

  void label_tokens() {
    const auto tokens = static_cast<std::size_t>(tree_.size()) + 1;
    label_.assign(tokens, kNone);
    opener_.assign(tokens, kUnknown);
    conjunction_.assign(tokens, kUnknown);
    below_.assign(tokens, 0);
    for (std::int32_t t = 1; t <= tree_.size(); ++t) below_[tree_.head(t)] |= bit(tree_.role(t));
    for (std::int32_t t = 1; t <= tree_.size(); ++t) {
      if (tree_.head(t) != 0) {
        label_[t] = label(t);
      } else if (tree_.role(t) != Role::silent) {
        label_[t] = plain(Role::root);
      }
    }
  }

  std::int32_t label(std::int32_t t) {
    const Role role = tree_.role(t);
    const std::int32_t gov = tree_.head(t);
    const bool passive = contains(below_[gov], Role::auxpass);
    switch (role) {
      case Role::silent:
      case Role::kase: return kNone;
      case Role::fixed: return is_collapsed(gov) ? kNone : plain(Role::mwe);
      case Role::cc: return is_collapsed(t) ? kNone : plain(Role::cc);
      case Role::mark: return is_collapsed(t) ? kNone : plain(tree_.tag(t).to ? Role::aux : Role::mark);
      case Role::conj: return conjunct(t);
      case Role::oblique: {
        const auto& words = steps_.case_words(t);
        const bool agent = passive && words.size() == 1 && tree_.word(words[0]).oblique_agent;
        return agent ? plain(Role::agent) : phrase(t);
      }
      case Role::nominal:
      case Role::bare: return phrase(t);
      case Role::agent_phrase: {
        const auto& words = steps_.case_words(t);
        const bool by = words.empty() || (words.size() == 1 && tree_.word(words[0]).agent);
        return by ? plain(Role::agent) : compose("prep", words);
      }
      case Role::gerund: {
        const auto& words = steps_.case_words(t);
        return words.empty() ? plain(Role::pcomp) : compose("prepc", words);
      }
      case Role::clause:
      case Role::advcl:
      case Role::ccomp:
      case Role::xcomp: return clause(t);
      case Role::nsubj:
      case Role::outer: return plain(passive ? Role::nsubjpass : Role::nsubj);
      case Role::expl:
        // Stanford's expletive is "there" alone; "it" is a subject, and the clause it announces a complement.
        return plain(tree_.word(t).there ? Role::expl : Role::nsubj);
      case Role::csubj:
        if (contains(below_[gov], Role::expl) && has_expletive_it(gov)) {
          return plain(is_infinitive(t) && (below_[t] & kSubjects) == 0 ? Role::xcomp : Role::ccomp);
        }
        return plain(passive ? Role::csubjpass : Role::csubj);
      case Role::amod: return plain(tree_.tag(t).noun ? Role::nn : Role::amod);
      case Role::advmod: {
        if (tree_.role(gov) == Role::cc && is_collapsed(gov)) return kNone;
        const auto& words = steps_.case_words(t);
        if (!words.empty()) return compose("prep", words);
        if (tree_.word(t).negation) return plain(Role::neg);
        return plain(tree_.tag(gov).cardinal ? Role::quantmod : Role::advmod);
      }
      case Role::det: return plain(tree_.word(t).no ? Role::neg : Role::det);
      case Role::nn:
      case Role::num:
        if (!tree_.tag(t).cardinal) return plain(role);
        return plain(tree_.tag(gov).cardinal ? Role::number : Role::num);
      case Role::flat: return plain(Role::nn);
      case Role::attribute: return plain(Role::xcomp);
      case Role::dative: return plain(Role::iobj);
      case Role::preposition: return plain(Role::prep);
      case Role::object: return plain(Role::pobj);
      case Role::complement: return plain(Role::pcomp);
      case Role::root: return plain(Role::dep);
      default: return plain(role);
    }
  }

  bool has_expletive_it(std::int32_t t) const {
    return tree_.first_where(
               t, [&](std::int32_t e) { return tree_.role(e) == Role::expl && !tree_.word(e).there; }) != 0;
  }
  bool is_infinitive(std::int32_t t) const {
    return tree_.first_where(t, [&](std::int32_t m) {
      return tree_.is(m, roles(Role::mark, Role::aux)) && tree_.tag(m).to;
    }) != 0;
  }

  std::int32_t phrase(std::int32_t t) {
    const auto& words = steps_.case_words(t);
    if (!words.empty()) return compose("prep", words);
    if (tree_.role(t) == Role::nominal) {
      const std::int32_t possessive = tree_.first_where(
          t, [&](std::int32_t c) { return tree_.role(c) == Role::kase && tree_.tag(c).possessive; });
      return plain(possessive != 0 ? Role::poss : tree_.tag(t).noun ? Role::nn : Role::dep);
    }
    // A preposition whose object is elsewhere: "easy to work with".
    if (tree_.role(t) == Role::oblique && (tree_.tag(t).in || tree_.tag(t).to)) return plain(Role::prep);
    // "two years ago", "ten feet tall": a measure, not a time.
    const StringFacts& tag = tree_.tag(tree_.head(t));
    const bool measure = t < tree_.head(t) && (tag.adverb || tag.adjective || tag.in);
    return plain(tree_.lemma(t).time && !measure ? Role::tmod : Role::npadvmod);
  }

  std::int32_t clause(std::int32_t t) {
    const Role role = tree_.role(t);
    const StringFacts& tag = tree_.tag(t);
    const auto& words = steps_.case_words(t);
    if (!words.empty()) return compose(tag.verb ? "prepc" : "prep", words);
    const std::int32_t opener = opening_preposition(t);
    if (opener != 0) {
      gather_fixed(opener);
      return compose("prepc", group_);
    }
    if (role == Role::clause) {
      const std::int32_t complementiser = tree_.first_where(
          t, [&](std::int32_t m) { return tree_.role(m) == Role::mark && tree_.word(m).complementiser; });
      if (complementiser != 0) return plain(Role::ccomp);
      if (tag.verb || is_infinitive(t)) return plain(Role::vmod);
      if ((below_[t] & (kSubjects | bit(Role::cop))) != 0) return plain(Role::ccomp);
      return plain(tag.adjective ? Role::amod : Role::dep);
    }
    if (role == Role::xcomp && tag.adjective) {
      const RoleSet own = below_[t] & roles(Role::cop, Role::aux, Role::auxpass, Role::mark);
      const RoleSet objects = below_[tree_.head(t)] & roles(Role::dobj, Role::nsubjpass, Role::auxpass);
      return plain(own != 0 || objects != 0 ? Role::xcomp : Role::acomp);
    }
    return plain(role);
  }

  // A function word and what is fixed to it, in order.
  void gather_fixed(std::int32_t head) {
    group_.assign(1, head);
    tree_.for_children(head, [&](std::int32_t t) {
      if (tree_.role(t) == Role::fixed) group_.push_back(t);
    });
    std::sort(group_.begin(), group_.end());
  }

  // The mark of clause `t` that is a preposition before a gerund, or 0.
  std::int32_t opening_preposition(std::int32_t t) {
    if (opener_[t] != kUnknown) return opener_[t];
    opener_[t] = 0;
    std::int32_t verb = tree_.first_child(t, roles(Role::aux, Role::auxpass, Role::cop));
    if (tree_.tag(t).verb && (verb == 0 || t < verb)) verb = t;
    if (verb != 0 && tree_.tag(verb).gerund) {
      opener_[t] = tree_.first_where(t, [&](std::int32_t m) {
        if (tree_.role(m) != Role::mark || !(tree_.tag(m).in || tree_.tag(m).to)) return false;
        gather_fixed(m);
        return !tree_.word(group_[0]).subordinator;
      });
    }
    return opener_[t];
  }

  // Whether a function word is part of another word's label.
  bool is_collapsed(std::int32_t t) {
    const std::int32_t head = tree_.head(t);
    if (head == 0) return false;
    switch (tree_.role(t)) {
      case Role::cc: return tree_.role(head) == Role::conj && (t < head || steps_.moved(t));
      case Role::mark:
        return tree_.is(head, kClauses) && tree_.head(head) != 0 && opening_preposition(head) == t &&
               steps_.case_words(head).empty();
      default: return tree_.role(t) == Role::kase;
    }
  }

  // A conjunct bears the conjunction before it in the coordination, or the first one behind it.
  std::int32_t conjunct(std::int32_t t) {
    if (conjunction_[t] == kUnknown) find_conjunctions(tree_.head(t));
    const std::int32_t cc = conjunction_[t];
    if (cc == 0) return plain(Role::conj);
    gather_fixed(cc);
    const std::vector<std::int32_t> fixed = group_;
    // "as well as" is a fixed expression in UD, and a conjunction with two adverbs in CLEAR.
    tree_.for_children(cc, [&](std::int32_t a) {
      if (tree_.role(a) == Role::advmod) group_.push_back(a);
    });
    std::sort(group_.begin(), group_.end());
    for (const std::int32_t w : group_) {
      if (const std::string* known = tree_.word(w).conjunction) return labels_.intern("conj_" + *known);
    }
    return compose("conj", fixed);
  }

  void find_conjunctions(std::int32_t head) {
    siblings_.clear();
    tree_.for_children(head, [&](std::int32_t t) {
      if (tree_.role(t) == Role::conj) siblings_.push_back(t);
    });
    std::sort(siblings_.begin(), siblings_.end());
    std::int32_t last = 0, first = 0;
    for (const std::int32_t t : siblings_) {
      const std::int32_t own =
          tree_.first_where(t, [&](std::int32_t c) { return tree_.role(c) == Role::cc && is_collapsed(c); });
      if (own != 0) last = own;
      if (first == 0) first = own;
      conjunction_[t] = last;
    }
    for (const std::int32_t t : siblings_) {
      if (conjunction_[t] == 0) conjunction_[t] = first;
    }
  }

  // The first subject and object of every token, and what else the last two steps ask about children.
  void find_landmarks() {
    const auto tokens = static_cast<std::size_t>(tree_.size()) + 1;
    subject_.assign(tokens, {kNone, 0});
    object_.assign(tokens, 0);
    notes_.assign(tokens, 0);
    for (std::int32_t t = 1; t <= tree_.size(); ++t) {
      const std::int32_t gov = tree_.head(t);
      if (labelled(t, kSubjects) && subject_[gov].token == 0) subject_[gov] = {label_[t], t};
      if (labelled(t, roles(Role::dobj, Role::iobj)) && object_[gov] == 0) object_[gov] = t;
      if (labelled(t, bit(Role::rcmod))) notes_[gov] |= kRelative;
      if (labelled(t, bit(Role::auxpass))) notes_[gov] |= kPassive;
      if (labelled(t, bit(Role::aux)) && tree_.tag(t).to) notes_[gov] |= kInfinitive;
    }
    inherited_ = subject_;
  }

  // The governor of the first conjunct governs all; its subject is that of verbs without one. Objects are not
  // shared: Stanford's parser gave that up in 2010, since intransitive verbs took part.
  void share_among_conjuncts() {
    for (std::int32_t d = 1; d <= tree_.size(); ++d) {
      const std::int32_t first = tree_.head(d);
      if (tree_.role(d) != Role::conj || first == 0) continue;
      const bool relatives =
          (notes_[first] & notes_[d] & kRelative) != 0 && labelled(first, roles(Role::dobj, Role::nsubj));
      if (tree_.head(first) != 0 && label_[first] != kNone && !relatives) {
        std::int32_t label = label_[first];
        if (labels_[label].starts_with("prep_")) {
          const auto& words = steps_.case_words(d);
          if (!words.empty()) label = compose("prep", words);
        }
        extra_.push_back({label, tree_.head(first), d});
      }
    }
    for (std::int32_t d = 1; d <= tree_.size(); ++d) {
      const std::int32_t first = tree_.head(d);
      if (tree_.role(d) != Role::conj || first == 0) continue;
      const StringFacts& tag = tree_.tag(d);
      if (subject_[first].token == 0 || subject_[d].token != 0 || !(tag.verb || tag.adjective)) continue;
      std::int32_t label = subject_[first].label;
      const bool clausal = label == plain(Role::csubj) || label == plain(Role::csubjpass);
      if (tag.active) {
        label = plain(clausal ? Role::csubj : Role::nsubj);
      } else if ((notes_[d] & kPassive) != 0) {
        label = plain(clausal ? Role::csubjpass : Role::nsubjpass);
      }
      inherited_[d] = {label, subject_[first].token};
      extra_.push_back({label, d, subject_[first].token});
    }
  }

  // "Tom likes to eat fish": xsubj(eat, Tom); an object controls before a subject does.
  void add_controlling_subjects() {
    for (std::int32_t t = 1; t <= tree_.size(); ++t) {
      const std::int32_t gov = tree_.head(t);
      if (!labelled(t, bit(Role::xcomp)) || gov == 0) continue;
      if ((notes_[t] & kInfinitive) == 0 || subject_[t].token != 0) continue;
      const std::int32_t controller = object_[gov] != 0 ? object_[gov] : inherited_[gov].token;
      if (controller != 0 && controller != t) extra_.push_back({plain(Role::xsubj), t, controller});
    }
  }

  struct Subject {
    std::int32_t label, token;
  };
  static constexpr std::uint8_t kRelative = 1, kPassive = 2, kInfinitive = 4;

  RelationTree tree_;
  RelationSteps steps_;
  StringTable labels_;
  std::vector<std::int32_t> label_, opener_, conjunction_, object_, group_, siblings_;
  std::vector<RoleSet> below_;
  std::vector<Subject> subject_, inherited_;
  std::vector<std::uint8_t> notes_;
  std::vector<Arc> extra_;
  std::string name_;
};

}  // namespace metaphrase::relations
