// Dependency relations as the word aligners compare them: neighbourhoods, equivalent labels, weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/vocabulary.hpp"

namespace metaphrase::alignment {

// Sets of labels, one bit each; labels are equivalent if they share a set.
using LabelSets = std::uint16_t;

// What is equivalent to a label for words of one part of speech. A relation of a parent and one of a child
// match if a pair of sets holds the first label in its first set and the second in its second.
struct LabelClasses {
  LabelSets parents = 0, children = 0;
  LabelSets above = 0, below = 0;                  // of the table for (parent ; child)
  LabelSets swapped_above = 0, swapped_below = 0;  // of the table for (child ; parent)
};

struct Label {
  std::array<LabelClasses, 5> classes;  // by Part
  double weight = 0.0;
  bool collapsed = false;  // its name holds the word that it stands for, as prep_of does
};

enum class Scheme : std::uint8_t { cobalt, mwa };

// The equivalent types of relations of UPF-Cobalt and of MWA, the tables of METRICS 1.7 and 2, as text: a set
// of labels, or two sets with a semicolon between them.
struct EquivalenceTable {
  Part part;
  enum class Side : std::uint8_t { parents, children, opposite, parent_child_only } side;
  std::string_view sets;
};

inline std::span<const EquivalenceTable> equivalences(Scheme scheme) {
  using enum Part;
  using enum EquivalenceTable::Side;
  static constexpr std::array cobalt{
      EquivalenceTable{noun, parents, "poss nn prep_of prep_in prep_at prep_for"},
      EquivalenceTable{noun, parents, "agent nsubj xsubj"},
      EquivalenceTable{noun, parents, "dobj nsubjpass"},
      EquivalenceTable{noun, parents, "tmod prep_in prep_at prep_on"},
      EquivalenceTable{noun, parents, "iobj prep_to"},
      EquivalenceTable{noun, children, "poss nn prep_of prep_in prep_at prep_for"},
      EquivalenceTable{noun, children, "vmod rcmod"},
      EquivalenceTable{noun, children, "amod rcmod"},
      EquivalenceTable{verb, parents, "vmod rcmod"},
      EquivalenceTable{verb, parents, "advcl xcomp prepc_by"},
      EquivalenceTable{verb, children, "agent nsubj xsubj"},
      EquivalenceTable{verb, children, "dobj nsubjpass"},
      EquivalenceTable{verb, children, "tmod prep_in prep_at prep_on"},
      EquivalenceTable{verb, children, "iobj prep_to"},
      EquivalenceTable{verb, children, "advcl xcomp prepc_by"},
      EquivalenceTable{adjective, parents, "amod rcmod"},
      EquivalenceTable{noun, opposite, "dobj nsubjpass ; vmod rcmod"},
      EquivalenceTable{noun, parent_child_only, "nsubj ; amod rcmod"},
      EquivalenceTable{verb, opposite, "csubj ; csubjpass"},
      EquivalenceTable{verb, opposite, "cop csubj ; acomp"},
      EquivalenceTable{adjective, opposite, "amod rcmod ; nsubj"},
      EquivalenceTable{adjective, opposite, "acomp ; cop csubj"},
  };
  // A comma that is missing in the program glues labels together; these are the sets that remain.
  static constexpr std::array mwa{
      EquivalenceTable{noun, parents, "pos nn prep_of prep_in prep_at prep_for"},
      EquivalenceTable{noun, parents, "agent nsubj xsubj"},
      EquivalenceTable{noun, parents, "ccomp dobj nsubjpass rel partmod"},
      EquivalenceTable{noun, parents, "prep_at prep_on"},
      EquivalenceTable{noun, parents, "iobj prep_to"},
      EquivalenceTable{noun, children, "pos prep_in prep_at prep_for"},
      EquivalenceTable{noun, children, "infmod partmod rcmod"},
      EquivalenceTable{noun, children, "amod rcmod"},
      EquivalenceTable{verb, children, "ccomp rel partmod"},
      EquivalenceTable{verb, children, "tmod prep_in prep_at prep_on"},
      EquivalenceTable{verb, children, "iobj prep_to"},
      EquivalenceTable{verb, children, "purpcl xcomp"},
      EquivalenceTable{verb, parents, "infmod partmod rcmod"},
      EquivalenceTable{verb, parents, "purpcl xcomp"},
      EquivalenceTable{adjective, parents, "amod rcmod"},
      EquivalenceTable{noun, opposite, "nsubj ; amod rcmod"},
      EquivalenceTable{noun, opposite, "ccomp dobj nsubjpass rel partmod ; infmod partmod rcmod"},
      EquivalenceTable{verb, opposite, "cop csubj ; acomp"},
      EquivalenceTable{verb, opposite, "csubj ; csubjpass"},
      EquivalenceTable{adjective, opposite, "amod rcmod ; nsubj"},
      EquivalenceTable{adjective, opposite, "acomp ; cop csubj"},
  };
  return scheme == Scheme::cobalt ? std::span<const EquivalenceTable>(cobalt) : mwa;
}

inline bool lists(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

// The weights in the paper's Eq. 1 (METRICS 1.9): arguments 1, modifiers 0.8, everything else 0.2; what
// follows an underscore does not matter.
inline double relation_weight(std::string_view label) {
  const std::string_view kind = label.substr(0, label.find('_'));
  if (kind.empty()) return 0.2;
  if (lists("agent acomp advcl ccomp xcomp conj csubj csubjpass dobj iobj neg nsubj nsubjpass parataxis "
            "pcomp pobj "
            "preconj rcmod root",
            kind)) {
    return 1.0;
  }
  return lists("advmod amod appos cc nn npadvmod num poss possessive prep prepc tmod vmod", kind) ? 0.8 : 0.2;
}

struct RelationOptions {
  Scheme scheme = Scheme::cobalt;
  bool equivalent_types = true;
  bool uniform_weights = false;
};

inline Label read_label(std::string_view name, const RelationOptions& options) {
  using Side = EquivalenceTable::Side;
  Label label;
  label.weight = options.uniform_weights ? 1.0 : relation_weight(name);
  label.collapsed = name.find('_') != std::string_view::npos;
  if (!options.equivalent_types || name.empty()) return label;
  std::array<LabelSets, 5> next;
  next.fill(1);
  for (const EquivalenceTable& table : equivalences(options.scheme)) {
    LabelClasses& classes = label.classes[static_cast<std::size_t>(table.part)];
    LabelSets& bit = next[static_cast<std::size_t>(table.part)];
    const std::size_t semicolon = table.sets.find(" ; ");
    if (semicolon == std::string_view::npos) {
      if (lists(table.sets, name)) (table.side == Side::parents ? classes.parents : classes.children) |= bit;
    } else {
      const bool both = table.side == Side::opposite;
      if (lists(table.sets.substr(0, semicolon), name)) {
        classes.above |= bit;
        if (both) classes.swapped_above |= bit;
      }
      if (lists(table.sets.substr(semicolon + 3), name)) {
        classes.below |= bit;
        if (both) classes.swapped_below |= bit;
      }
    }
    bit = static_cast<LabelSets>(bit << 1);
  }
  return label;
}

// A parent or child: its position, and the relation by its place in the sentence's list.
struct Neighbour {
  std::int32_t index, relation, label;
};

struct Neighbours {
  std::span<const Neighbour> parents, children;
};

struct RelationList {
  std::span<const std::int32_t> label, governor, dependent;
};

// Who governs whom in one sentence; tokens are numbered from 1, 0 is ROOT.
class Neighbourhood {
 public:
  // Relations with an end that does not exist say nothing.
  void read(std::int32_t tokens, const RelationList& relations) {
    tokens_ = tokens;
    first_.assign(tokens + 1, absent);
    collapsed_.assign(tokens + 1, unknown);
    parent_starts_.assign(tokens + 2, 0);
    child_starts_.assign(tokens + 2, 0);
    sound_.clear();
    for (std::size_t r = 0; r < relations.label.size(); ++r) {
      const std::int32_t governor = relations.governor[r], dependent = relations.dependent[r];
      if (governor < 0 || governor > tokens || dependent < 1 || dependent > tokens) continue;
      if (first_[dependent] == absent) first_[dependent] = static_cast<std::int32_t>(sound_.size());
      sound_.push_back({governor, dependent, static_cast<std::int32_t>(r), relations.label[r]});
      ++parent_starts_[dependent + 1];
      ++child_starts_[governor + 1];
    }
    for (std::int32_t i = 0; i <= tokens; ++i) {
      parent_starts_[i + 1] += parent_starts_[i];
      child_starts_[i + 1] += child_starts_[i];
    }
    parents_.resize(sound_.size());
    children_.resize(sound_.size());
    next_parent_.assign(parent_starts_.begin(), parent_starts_.end());
    next_child_.assign(child_starts_.begin(), child_starts_.end());
    for (const Arc& arc : sound_) {
      parents_[next_parent_[arc.dependent]++] = {arc.governor, arc.relation, arc.label};
      children_[next_child_[arc.governor]++] = {arc.dependent, arc.relation, arc.label};
    }
  }

  // Parents and children of a token that depends on something; none for other tokens.
  Neighbours of(std::int32_t token) const {
    if (first_[token] == absent) return {};
    return {{parents_.data() + parent_starts_[token], parents_.data() + parent_starts_[token + 1]},
            {children_.data() + child_starts_[token], children_.data() + child_starts_[token + 1]}};
  }

  // The same, but a word that was collapsed into a relation has the ends of that relation as neighbours. It
  // is sought from the next token that depends on something.
  Neighbours of(std::int32_t token, std::string_view form, std::span<const Label> labels,
                std::span<const std::string> names) {
    if (first_[token] != absent) return of(token);
    if (collapsed_[token] == unknown) collapsed_[token] = find_collapsed(token, form, labels, names);
    if (collapsed_[token] == absent) return {};
    const Arc& arc = sound_[collapsed_[token]];
    // Where the relation stands among the parents of its dependent and the children of its governor.
    const Neighbour* parent = parents_.data() + parent_starts_[arc.dependent];
    while (parent->relation != arc.relation) ++parent;
    const auto end = children_.begin() + child_starts_[arc.governor + 1];
    const auto child = std::lower_bound(children_.begin() + child_starts_[arc.governor], end, arc.relation,
                                        [](const Neighbour& a, std::int32_t r) { return a.relation < r; });
    return {{parent, 1}, {&*child, 1}};
  }

 private:
  static constexpr std::int32_t absent = -1, unknown = -2;
  struct Arc {
    std::int32_t governor, dependent, relation, label;
  };

  std::int32_t find_collapsed(std::int32_t token, std::string_view form, std::span<const Label> labels,
                              std::span<const std::string> names) const {
    std::int32_t following = token + 1;
    while (following <= tokens_ && first_[following] == absent) ++following;
    if (following > tokens_) return absent;
    for (auto at = static_cast<std::size_t>(first_[following]); at < sound_.size(); ++at) {
      const std::int32_t label = sound_[at].label;
      if (labels[label].collapsed && names[label].find(form) != std::string::npos) {
        return static_cast<std::int32_t>(at);
      }
    }
    return absent;
  }

  std::int32_t tokens_ = 0;
  std::vector<Arc> sound_;
  std::vector<std::int32_t> first_;      // the first relation of each dependent, in sound_
  std::vector<std::int32_t> collapsed_;  // the relation that holds a collapsed word, once it was sought
  std::vector<std::int32_t> parent_starts_, child_starts_, next_parent_, next_child_;
  std::vector<Neighbour> parents_, children_;
};

enum class Direction : std::uint8_t { parents, children, opposite };

// Calls `found(direction, left, right)` for all neighbours of a word on the left and one on the right whose
// relations match, for words of one part of speech. The released program of UPF-Cobalt never compares
// children on the left with parents on the right; `symmetric` does.
template <class Found>
void matching_neighbours(Part part, const Neighbours& left, const Neighbours& right,
                         std::span<const Label> labels, bool symmetric, Found&& found) {
  const auto classes = [&](const Neighbour& neighbour) -> const LabelClasses& {
    return labels[neighbour.label].classes[static_cast<std::size_t>(part)];
  };
  for (const Neighbour& a : left.parents) {
    for (const Neighbour& b : right.parents) {
      if (a.label == b.label || (classes(a).parents & classes(b).parents)) found(Direction::parents, a, b);
    }
  }
  for (const Neighbour& a : left.children) {
    for (const Neighbour& b : right.children) {
      if (a.label == b.label || (classes(a).children & classes(b).children)) found(Direction::children, a, b);
    }
  }
  for (const Neighbour& a : left.parents) {
    for (const Neighbour& b : right.children) {
      const bool swapped = !symmetric && (classes(a).swapped_below & classes(b).swapped_above);
      if (a.label == b.label || (classes(a).above & classes(b).below) || swapped)
        found(Direction::opposite, a, b);
    }
  }
  if (!symmetric) return;
  for (const Neighbour& a : left.children) {
    for (const Neighbour& b : right.parents) {
      if (a.label == b.label || (classes(a).swapped_below & classes(b).swapped_above)) {
        found(Direction::opposite, a, b);
      }
    }
  }
}

}  // namespace metaphrase::alignment
