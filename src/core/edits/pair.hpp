// What an edit machine is given: two lengths, substitutions, dependencies, weights and options.
#pragma once

#include <cstdint>

namespace metaphrase::edits {

// States of an edit, by the numbers of matching/edit_pairs.py.
inline constexpr int insert_state = 0;
inline constexpr int delete_state = 1;
inline constexpr int first_substitution = 2;
inline constexpr int substitution_labels = 5;
inline constexpr int jump_forward = 7;
inline constexpr int jump_back = 8;
inline constexpr int jump_end = 9;
inline constexpr int edit_states = 10;
inline constexpr int dependency_labels = 3;

// Places of features in weights and counts: U|q, B|p|q, S|q, D|label.
inline constexpr int state_features = 0;
inline constexpr int step_features = edit_states;
inline constexpr int start_features = step_features + edit_states * edit_states;
inline constexpr int dependency_features = start_features + edit_states;
inline constexpr int edit_features = dependency_features + dependency_labels;

inline constexpr bool is_substitution(int state) {
  return state >= first_substitution && state < jump_forward;
}

struct Substitution {
  std::int32_t reference, hypothesis, reference_words, hypothesis_words, label;
};
static_assert(sizeof(Substitution) == 5 * sizeof(std::int32_t));

struct SharedDependency {
  std::int32_t reference, hypothesis, label;
};
static_assert(sizeof(SharedDependency) == 3 * sizeof(std::int32_t));

struct EditPair {
  int reference, hypothesis;
  const Substitution* substitutions;
  int substitution_count;
  const SharedDependency* dependencies;
  int dependency_count;
};

struct MachineOptions {
  int max_jump = 0;
  int edit_block = 1;
  bool free_jumped = true;
  bool jump_first = true;
  bool jump_after_jump = true;
  int exact_length = 150;
  int jump_window = 40;

  bool windowed(const EditPair& pair) const {
    return max_jump > 0 && (pair.reference > exact_length || pair.hypothesis > exact_length);
  }
};

// An edit of a sequence: its state, the positions before it and after it.
struct Edit {
  std::int32_t state, reference, hypothesis, to_reference, to_hypothesis;
};
static_assert(sizeof(Edit) == 5 * sizeof(std::int32_t));

}  // namespace metaphrase::edits
