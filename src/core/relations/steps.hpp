// From the trees of parsers to the tree that Stanford's labels are read from: steps that change heads.
//
// Afterwards every preposition is a `<case>` child of its object, nouns and adjectives head their copulas,
// names and fixed expressions are headed by their last word, and conjuncts all hang on the first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "relations/tree.hpp"

namespace metaphrase::relations {

inline constexpr RoleSet kSubjects = roles(Role::nsubj, Role::nsubjpass, Role::csubj, Role::csubjpass);
inline constexpr RoleSet kPhrases = roles(Role::oblique, Role::nominal, Role::bare);
// What belongs to the clause and not to its predicate.
inline constexpr RoleSet kClausal =
    kSubjects | roles(Role::outer, Role::aux, Role::auxpass, Role::mark, Role::advcl, Role::cc, Role::silent,
                      Role::parataxis, Role::oblique, Role::bare, Role::expl, Role::discourse, Role::ccomp,
                      Role::xcomp, Role::dep, Role::cop);

class RelationSteps {
 public:
  RelationSteps(RelationTree& tree, const RelationTable& table) : tree_(tree), table_(table) {}

  void run() {
    moved_.assign(static_cast<std::size_t>(tree_.size()) + 1, false);
    head_last(Role::fixed, Role::fixed);
    head_last(Role::flat, Role::nn);
    head_dates_by_months();
    lower_prepositions();
    join_phrasal_prepositions();
    raise_predicates();
    raise_copulas();
    place_conjunctions();
    flatten_coordinations();
    empty_prepositions();
  }

  // Whether a conjunction was moved from the conjunct before it to the one behind it.
  bool moved(std::int32_t t) const { return moved_[t]; }

  // The words of the prepositions on `t` and of what is fixed to them, in order.
  const std::vector<std::int32_t>& case_words(std::int32_t t) {
    words_.clear();
    const auto add = [&](std::int32_t w) {
      if (tree_.word(w).letter) words_.push_back(w);
    };
    tree_.for_children(t, [&](std::int32_t c) {
      if (tree_.role(c) != Role::kase || tree_.tag(c).possessive) return;
      add(c);
      tree_.for_children(c, [&](std::int32_t w) {
        if (tree_.role(w) == Role::fixed) add(w);
      });
    });
    std::sort(words_.begin(), words_.end());
    return words_;
  }

 private:
  bool is_phrasal(std::initializer_list<std::int32_t> before, const std::vector<std::int32_t>& words) {
    phrase_.clear();
    const auto add = [&](std::int32_t w) {
      if (!phrase_.empty()) phrase_ += '_';
      phrase_ += tree_.word(w).lower;
    };
    for (const std::int32_t w : before) add(w);
    for (const std::int32_t w : words) add(w);
    return table_.phrasal_prepositions.contains(phrase_);
  }

  // From the right, so that what moves moves once.
  void head_last(Role role, Role name) {
    for (std::int32_t h = tree_.size(); h > 0; --h) {
      std::int32_t last = 0;
      tree_.for_children(h, [&](std::int32_t t) {
        const bool fit = name == Role::fixed || tree_.tag(t).noun;
        if (tree_.role(t) == role && t > std::max(h, last) && fit) last = t;
      });
      if (last == 0) continue;
      tree_.for_children(h, [&](std::int32_t t) {
        if (tree_.role(t) == role && t > h && t != last) tree_.set_role(t, name);
      });
      tree_.promote(last, name);
    }
  }

  // "May 5, 2003" is headed by the month.
  void head_dates_by_months() {
    for (std::int32_t t = 1; t <= tree_.size(); ++t) {
      if (!tree_.word(t).digit) continue;
      const std::int32_t month = tree_.first_where(t, [&](std::int32_t p) {
        return p < t && tree_.role(p) == Role::bare && tree_.tag(p).proper_noun;
      });
      if (month == 0) continue;
      tree_.for_children(t, [&](std::int32_t p) {
        if (tree_.role(p) == Role::bare && tree_.word(p).digit) tree_.set_role(p, Role::num);
      });
      tree_.promote(month, Role::num);
    }
  }

  // Where a preposition heads its object, the object takes its place; from the right, since in "out of the
  // house" the outer preposition comes first.
  void lower_prepositions() {
    raised_.assign(static_cast<std::size_t>(tree_.size()) + 1, false);
    for (std::int32_t p = tree_.size(); p > 0; --p) {
      if (raised_[p]) continue;
      tree_.for_children(p, [&](std::int32_t c) {
        const StringFacts& tag = tree_.tag(c);
        if (tree_.role(c) == Role::complement && (tag.in || tag.to) && tree_.is_leaf(c)) {
          tree_.set_role(c, Role::kase);
        }
      });
      const std::int32_t object = tree_.first_child(p, roles(Role::object, Role::complement));
      if (object != 0) {
        const bool clause = tree_.role(object) == Role::complement;
        tree_.for_children(p, [&](std::int32_t d) {
          if (d == p - 1 && tree_.is_leaf(d) && is_phrasal({d, p}, {})) tree_.set_role(d, Role::kase);
        });
        tree_.promote(object, Role::kase);
        raised_[object] = true;
        if (!tree_.is(object, roles(Role::conj, Role::root, Role::agent_phrase))) {
          tree_.set_role(object, clause ? Role::gerund : Role::oblique);
        }
      } else if (tree_.role(p) == Role::preposition) {
        const std::int32_t inner = tree_.first_where(p, [&](std::int32_t t) {
          return t > p && tree_.is(t, roles(Role::oblique, Role::gerund)) &&
                 tree_.first_child(t, bit(Role::kase)) != 0;
        });
        if (inner != 0) promote_as(inner, tree_.role(inner));
      }
    }
  }

  // The old head becomes a preposition, the new one keeps its own role.
  void promote_as(std::int32_t child, Role role) {
    tree_.promote(child, Role::kase);
    tree_.set_role(child, role);
  }

  // Prepositions of two or three words that the tree has in pieces: "next to", "in front of".
  void join_phrasal_prepositions() {
    for (std::int32_t x = 1; x <= tree_.size(); ++x) {
      if (!tree_.is(x, kPhrases | bit(Role::gerund))) continue;
      const std::vector<std::int32_t> words = case_words(x);
      if (words.empty() || words[0] < 2) continue;
      const std::int32_t before = words[0] - 1;
      if (tree_.role(before) == Role::advmod && is_phrasal({before}, words)) {
        if (tree_.head(x) == before) {
          promote_as(x, tree_.role(x));
        } else if (tree_.head(before) == tree_.head(x) && tree_.is_leaf(before)) {
          tree_.attach(before, x);
          tree_.set_role(before, Role::kase);
        }
      } else if (tree_.head(x) == before) {
        const std::vector<std::int32_t>& outer = case_words(before);
        if (outer.size() == 1 && outer[0] == before - 1 && is_phrasal({before - 1, before}, words)) {
          tree_.promote(x, Role::kase);
        }
      }
    }
  }

  // CLEAR's copula heads its predicate: they change places, but for "there is".
  void raise_predicates() {
    constexpr RoleSet predicates = roles(Role::attribute, Role::acomp);
    raised_.assign(static_cast<std::size_t>(tree_.size()) + 1, false);
    for (std::int32_t b = 1; b <= tree_.size(); ++b) {
      if (!tree_.lemma(b).be || raised_[b]) continue;
      const std::int32_t predicate = tree_.first_child(b, predicates);
      if (predicate == 0) continue;
      const std::int32_t there = tree_.first_where(
          b, [&](std::int32_t t) { return tree_.role(t) == Role::expl && tree_.word(t).there; });
      if (there == 0) {
        tree_.promote(predicate, Role::cop);
        raised_[predicate] = true;
        continue;
      }
      tree_.for_children(b, [&](std::int32_t t) {
        if (tree_.role(t) == Role::attribute) tree_.set_role(t, Role::nsubj);
      });
    }
  }

  // The other way round where UD has a prepositional phrase, an adverb or a clause head its copula.
  void raise_copulas() {
    raised_.assign(static_cast<std::size_t>(tree_.size()) + 1, false);
    for (std::int32_t p = 1; p <= tree_.size(); ++p) {
      const std::int32_t copula = tree_.first_child(p, bit(Role::cop));
      if (copula == 0 || raised_[p]) continue;
      raised_[copula] = true;
      if (tree_.first_child(p, bit(Role::outer)) != 0) {
        const std::int32_t infinitive = tree_.first_where(
            p, [&](std::int32_t t) { return tree_.is(t, roles(Role::mark, Role::aux)) && tree_.tag(t).to; });
        const bool open = (infinitive != 0 || tree_.tag(p).gerund) && tree_.first_child(p, kSubjects) == 0;
        tree_.promote(copula, open ? Role::xcomp : Role::ccomp, [&](std::int32_t t) {
          return t < copula || tree_.is(t, roles(Role::outer, Role::silent));
        });
        continue;
      }
      const std::vector<std::int32_t>& words = case_words(p);
      if (words.empty() && !tree_.tag(p).predicate_adverb) continue;
      const std::int32_t limit = words.empty() ? p : words[0];
      tree_.promote(copula, words.empty() ? Role::advmod : Role::oblique, [&](std::int32_t t) {
        if (tree_.role(t) == Role::conj) {
          return tree_.tag(t).verb || tree_.first_child(t, bit(Role::cop)) != 0;
        }
        return tree_.is(t, kClausal) || (tree_.is(t, roles(Role::advmod, Role::neg)) && t < limit);
      });
    }
  }

  // CLEAR hangs a conjunction on the conjunct before it, UD on the one behind it: as UD.
  void place_conjunctions() {
    for (std::int32_t h = 1; h <= tree_.size(); ++h) {
      conjuncts_.clear();
      conjunctions_.clear();
      tree_.for_children(h, [&](std::int32_t t) {
        if (tree_.role(t) == Role::conj) conjuncts_.push_back(t);
        if (tree_.role(t) == Role::cc && t > h) conjunctions_.push_back(t);
      });
      if (conjuncts_.empty()) continue;
      std::sort(conjuncts_.begin(), conjuncts_.end());
      for (const std::int32_t c : conjunctions_) {
        const auto later = std::upper_bound(conjuncts_.begin(), conjuncts_.end(), c);
        if (moved_[c] || later == conjuncts_.end()) continue;
        tree_.attach(c, *later);
        moved_[c] = true;
      }
    }
  }

  // CLEAR hangs each conjunct on the one before it. A conjunct with a conjunction of its own in UD's manner
  // belongs to an inner coordination: "[A] and [B or C]".
  void flatten_coordinations() {
    for (std::int32_t c = 1; c <= tree_.size(); ++c) {
      const std::int32_t before = tree_.head(c);
      if (tree_.role(c) != Role::conj || before == 0 || tree_.role(before) != Role::conj) continue;
      const std::int32_t own = tree_.first_where(
          c, [&](std::int32_t t) { return tree_.role(t) == Role::cc && t < c && !moved_[t]; });
      if (own == 0) tree_.attach(c, tree_.head(before));
    }
  }

  // What hung on a collapsed preposition hangs on its object; coordinated prepositions fall silent.
  void empty_prepositions() {
    const std::int32_t size = tree_.size();
    anchor_.assign(static_cast<std::size_t>(size) + 1, -1);
    for (std::int32_t t = 1; t <= size; ++t) {
      path_.clear();
      std::int32_t at = t;
      while (anchor_[at] < 0 && tree_.role(at) == Role::kase && tree_.head(at) != 0) {
        path_.push_back(at);
        at = tree_.head(at);
      }
      const std::int32_t anchor = anchor_[at] < 0 ? at : anchor_[at];
      anchor_[at] = anchor;
      for (const std::int32_t p : path_) anchor_[p] = anchor;
    }
    for (std::int32_t t = 1; t <= size; ++t) {
      const std::int32_t head = tree_.head(t);
      if (head == 0 || anchor_[head] == head || tree_.role(t) == Role::fixed) continue;
      tree_.attach(t, anchor_[head]);
      if (tree_.is(t, roles(Role::conj, Role::cc))) tree_.set_role(t, Role::silent);
    }
  }

  RelationTree& tree_;
  const RelationTable& table_;
  std::vector<bool> moved_, raised_;
  std::vector<std::int32_t> words_, conjuncts_, conjunctions_, anchor_, path_;
  std::string phrase_;
};

}  // namespace metaphrase::relations
