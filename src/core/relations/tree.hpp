// A dependency tree whose heads may change, with the children of every token at hand.
#pragma once

#include <cstdint>
#include <vector>

#include "relations/roles.hpp"

namespace metaphrase::relations {

// The columns of one sentence, as numbers of strings.
struct SentenceColumns {
  std::int32_t size = 0;
  const std::int32_t *form = nullptr, *tag = nullptr, *lemma = nullptr, *head = nullptr, *relation = nullptr;
};

// Tokens are numbered from 1; 0 is above all roots. Children stand in no order.
class RelationTree {
 public:
  explicit RelationTree(const std::vector<StringFacts>& facts) : facts_(facts) {}

  void read(const SentenceColumns& sentence) {
    sentence_ = sentence;
    const auto tokens = static_cast<std::size_t>(sentence.size) + 1;
    head_.assign(tokens, 0);
    role_.assign(tokens, Role::root);
    first_.assign(tokens, 0);
    next_.assign(tokens, 0);
    previous_.assign(tokens, 0);
    for (std::int32_t t = 1; t <= sentence.size; ++t) {
      const std::int32_t head = sentence.head[t - 1];
      head_[t] = head < 0 || head > sentence.size || head == t ? 0 : head;
      role_[t] = facts_[sentence.relation[t - 1]].role;
    }
    break_cycles();
    for (std::int32_t t = sentence.size; t > 0; --t) link(t, head_[t]);
  }

  std::int32_t size() const { return sentence_.size; }
  std::int32_t head(std::int32_t t) const { return head_[t]; }
  Role role(std::int32_t t) const { return role_[t]; }
  void set_role(std::int32_t t, Role role) { role_[t] = role; }
  bool is(std::int32_t t, RoleSet set) const { return contains(set, role_[t]); }

  const StringFacts& word(std::int32_t t) const { return facts_[sentence_.form[t - 1]]; }
  const StringFacts& tag(std::int32_t t) const { return facts_[sentence_.tag[t - 1]]; }
  const StringFacts& lemma(std::int32_t t) const { return facts_[sentence_.lemma[t - 1]]; }

  bool is_leaf(std::int32_t t) const { return first_[t] == 0; }

  // `visit` may give the child another head.
  template <class Visit>
  void for_children(std::int32_t head, Visit&& visit) const {
    for (std::int32_t t = first_[head], after; t != 0; t = after) {
      after = next_[t];
      visit(t);
    }
  }

  // The leftmost child that `wanted` accepts, or 0.
  template <class Wanted>
  std::int32_t first_where(std::int32_t head, Wanted&& wanted) const {
    std::int32_t found = 0;
    for_children(head, [&](std::int32_t t) {
      if ((found == 0 || t < found) && wanted(t)) found = t;
    });
    return found;
  }
  std::int32_t first_child(std::int32_t head, RoleSet set) const {
    return first_where(head, [&](std::int32_t t) { return is(t, set); });
  }

  void attach(std::int32_t t, std::int32_t head) {
    unlink(t);
    link(t, head);
  }

  // `child` and its head change places; the old head's other children follow where `move` says so.
  template <class Move>
  void promote(std::int32_t child, Role role, Move&& move) {
    const std::int32_t old = head_[child];
    for_children(old, [&](std::int32_t t) {
      if (t != child && move(t)) attach(t, child);
    });
    attach(child, head_[old]);
    role_[child] = role_[old];
    attach(old, child);
    role_[old] = role;
  }
  void promote(std::int32_t child, Role role) {
    promote(child, role, [](std::int32_t) { return true; });
  }

 private:
  // Where a walk towards the root meets itself, it has found a token to make a root. Tokens bear the number
  // of the walk that came by first.
  void break_cycles() {
    const auto tokens = head_.size();
    walk_.assign(tokens, 0);
    walk_[0] = -1;
    for (std::int32_t t = 1; t < static_cast<std::int32_t>(tokens); ++t) {
      std::int32_t at = t;
      for (; walk_[at] == 0; at = head_[at]) walk_[at] = t;
      if (walk_[at] == t) head_[at] = 0;
    }
  }

  void link(std::int32_t t, std::int32_t head) {
    head_[t] = head;
    previous_[t] = 0;
    next_[t] = first_[head];
    if (next_[t] != 0) previous_[next_[t]] = t;
    first_[head] = t;
  }
  void unlink(std::int32_t t) {
    if (previous_[t] != 0) {
      next_[previous_[t]] = next_[t];
    } else {
      first_[head_[t]] = next_[t];
    }
    if (next_[t] != 0) previous_[next_[t]] = previous_[t];
  }

  const std::vector<StringFacts>& facts_;
  SentenceColumns sentence_;
  std::vector<std::int32_t> head_, first_, next_, previous_, walk_;
  std::vector<Role> role_;
};

}  // namespace metaphrase::relations
