// Stage 4 of the word aligners: names of people, organisations and places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "alignment/state.hpp"

namespace metaphrase::alignment {

// Adjacent tokens, first to last, that name one thing.
struct Entity {
  std::int32_t first, last, type;
  bool unique = true;    // no other entity of its sentence has the same words
  bool matched = false;  // an entity of the other sentence has

  std::int32_t size() const { return last - first + 1; }
};

class EntityAligner {
 public:
  EntityAligner(const Vocabulary& vocabulary, AlignedSentence& left, AlignedSentence& right,
                Alignment& alignment)
      : vocabulary_(vocabulary), left_(left), right_(right), alignment_(alignment) {}

  void align() {
    find(left_, lefts_);
    find(right_, rights_);
    if (lefts_.empty() && rights_.empty()) return;
    learn(left_, lefts_, right_, rights_);
    learn(right_, rights_, left_, lefts_);
    if (lefts_.empty() || rights_.empty()) return;
    keep_names(left_, lefts_);
    keep_names(right_, rights_);
    pairs_.clear();
    // Equal words before acronyms, for where a word may have one partner only.
    match_whole();
    match_subsets();
    match_acronyms();
    // Added together at the end: the stage's own pairs do not count as aligned before it.
    for (const auto& [i, j] : pairs_) alignment_.add(i, j, 4);
  }

 private:
  using Entities = std::vector<Entity>;

  void find(const AlignedSentence& sentence, Entities& entities) const {
    entities.clear();
    std::int32_t before = -1;
    for (std::int32_t i = 1; i <= sentence.size(); ++i) {
      const std::int32_t type = sentence.words[i].entity;
      if (vocabulary_.entity_type(type) == EntityType::none) {
        before = -1;
      } else if (type == before) {
        entities.back().last = i;
      } else {
        entities.push_back({i, i, type});
        before = type;
      }
    }
  }

  // A capitalised word outside any entity becomes one, or extends one that ends before it, if an entity of
  // the other sentence has the same word or the letters of an acronym.
  void learn(const AlignedSentence& sentence, Entities& own, const AlignedSentence& other_sentence,
             const Entities& others) {
    known_.assign(sentence.words.size(), 0);
    for (const Entity& entity : own) std::fill_n(known_.begin() + entity.first, entity.size(), 1);
    for (std::int32_t i = 1; i <= sentence.size(); ++i) {
      const Word& word = sentence.words[i];
      if (known_[i] || !word.as_form.capitalised) continue;
      bool may_extend = true;
      learnt_.clear();
      for (const Entity& other : others) {
        if (has_form(other_sentence, other, word.form)) {
          // Only the first can extend: afterwards no entity ends before this word.
          if (!may_extend || !extend(own, i)) learn(own, i, other.type);
          may_extend = false;
        } else if (is_acronym(word, other_sentence, other)) {
          learn(own, i, other.type);
        }
      }
    }
  }

  static bool extend(Entities& entities, std::int32_t last) {
    bool extended = false;
    for (Entity& entity : entities) {
      if (entity.last != last - 1) continue;
      entity.last = last;
      extended = true;
    }
    return extended;
  }

  // A word that many entities of the other sentence have becomes as many entities, which only says that none
  // of them is unique. Three say so too, even after one of them is counted as an extension elsewhere, and
  // keep the list from growing with the square of the sentence.
  void learn(Entities& own, std::int32_t i, std::int32_t type) {
    constexpr std::ptrdiff_t most = 3;
    if (std::count(learnt_.begin(), learnt_.end(), type) == most) return;
    learnt_.push_back(type);
    own.push_back({i, i, type});
  }

  static bool has_form(const AlignedSentence& sentence, const Entity& entity, std::int32_t form) {
    return std::any_of(sentence.words.begin() + entity.first, sentence.words.begin() + entity.last + 1,
                       [form](const Word& word) { return word.form == form; });
  }

  bool is_acronym(const Word& word, const AlignedSentence& sentence, const Entity& entity) {
    if (!word.as_form.acronym) return false;
    forms_.clear();
    for (std::int32_t i = entity.first; i <= entity.last; ++i) forms_.push_back(sentence.words[i].form);
    return vocabulary_.stands_for(word.form, forms_);
  }

  bool same_words(const AlignedSentence& a_sentence, const Entity& a, const AlignedSentence& b_sentence,
                  const Entity& b) const {
    if (a.size() != b.size()) return false;
    for (std::int32_t k = 0; k < a.size(); ++k) {
      const std::int32_t x = a_sentence.words[a.first + k].form, y = b_sentence.words[b.first + k].form;
      if (vocabulary_.unhyphenated(x) != vocabulary_.unhyphenated(y)) return false;
    }
    return true;
  }

  void keep_names(const AlignedSentence& sentence, Entities& entities) const {
    std::erase_if(entities, [&](const Entity& entity) {
      return vocabulary_.entity_type(entity.type) != EntityType::name;
    });
    for (std::size_t a = 0; a < entities.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (same_words(sentence, entities[a], sentence, entities[b])) {
          entities[a].unique = entities[b].unique = false;
        }
      }
    }
  }

  void match_whole() {
    for (Entity& a : lefts_) {
      for (Entity& b : rights_) {
        if (!a.unique || !b.unique || !same_words(left_, a, right_, b)) continue;
        for (std::int32_t k = 0; k < a.size(); ++k) pairs_.emplace_back(a.first + k, b.first + k);
        a.matched = b.matched = true;
      }
    }
  }

  void match_acronyms() {
    for (const Entity& a : lefts_) {
      for (const Entity& b : rights_) {
        if (a.size() == 1 && is_acronym(left_.words[a.first], right_, b)) {
          for (std::int32_t j = b.first; j <= b.last; ++j) pairs_.emplace_back(a.first, j);
        }
        if (b.size() == 1 && is_acronym(right_.words[b.first], left_, a)) {
          for (std::int32_t i = a.first; i <= a.last; ++i) pairs_.emplace_back(i, b.first);
        }
      }
    }
  }

  static bool all_among(const AlignedSentence& sentence, const Entity& entity,
                        const AlignedSentence& other_sentence, const Entity& other) {
    return std::all_of(sentence.words.begin() + entity.first, sentence.words.begin() + entity.last + 1,
                       [&](const Word& word) { return has_form(other_sentence, other, word.form); });
  }

  void match_subsets() {
    for (const Entity& a : lefts_) {
      for (const Entity& b : rights_) {
        if (a.matched || b.matched || a.type != b.type || !a.unique || !b.unique) continue;
        if (all_among(left_, a, right_, b)) {
          pair_subset(left_, lefts_, a, right_, b, false);
        } else if (all_among(right_, b, left_, a)) {
          pair_subset(right_, rights_, b, left_, a, true);
        }
      }
    }
  }

  // Equal words, then each word of the shorter name with each word of the longer that is left; one to one,
  // equal words only, since others could but be partners of a word that is said twice. Where the shorter name
  // is the reference's, the released program looks two conditions up at the k-th word of the longer name, k
  // being the place in the shorter one.
  void pair_subset(const AlignedSentence& shorter_sentence, const Entities& shorter_side,
                   const Entity& shorter, const AlignedSentence& longer_sentence, const Entity& longer,
                   bool reference_is_shorter) {
    const auto add = [&](std::int32_t s, std::int32_t l) {
      reference_is_shorter ? pairs_.emplace_back(l, s) : pairs_.emplace_back(s, l);
    };
    for (std::int32_t s = shorter.first; s <= shorter.last; ++s) {
      for (std::int32_t l = longer.first; l <= longer.last; ++l) {
        if (shorter_sentence.words[s].form == longer_sentence.words[l].form) add(s, l);
      }
    }
    if (alignment_.one_to_one()) return;
    left_over_.clear();
    free_to_pair_.clear();
    for (std::int32_t l = longer.first; l <= longer.last; ++l) {
      const Word& word = longer_sentence.words[l];
      left_over_.push_back(!longer_sentence.aligned[l] && !has_form(shorter_sentence, shorter, word.form));
      const bool named = std::any_of(shorter_side.begin(), shorter_side.end(), [&](const Entity& entity) {
        return has_form(shorter_sentence, entity, word.form);
      });
      free_to_pair_.push_back(!named && !word.as_form.lower_punctuation);
    }
    for (std::int32_t s = shorter.first; s <= shorter.last; ++s) {
      if (shorter_sentence.words[s].as_form.lower_punctuation) continue;
      for (std::int32_t l = longer.first; l <= longer.last; ++l) {
        const std::int32_t looked_up = reference_is_shorter ? longer.first + (s - shorter.first) : l;
        if (left_over_[l - longer.first] && looked_up <= longer.last &&
            free_to_pair_[looked_up - longer.first]) {
          add(s, l);
        }
      }
    }
  }

  const Vocabulary& vocabulary_;
  AlignedSentence &left_, &right_;
  Alignment& alignment_;
  Entities lefts_, rights_;
  std::vector<char> known_, left_over_, free_to_pair_;
  std::vector<std::int32_t> forms_, learnt_;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;
};

}  // namespace metaphrase::alignment
