// Bags of weighted n-grams (TESLA, Liu, Dahlmeier & Ng 2010, sections 3.1 and 3.2; METRICS 3.2, 3.3): the
// terms that every solver for them shares.
//
// Everything is an integer. A function word divides the weight of each n-gram it is in by `divisor`, so
// weights are kept times divisor^n; the similarity of two n-grams is the mean over n positions of 0, 1/2 or
// 1, so it is kept times 2n and called `gain`. Optima are then exact, and equal on every machine, thread and
// batch.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

namespace metaphrase::bags {

inline constexpr int max_order = 3;

// One sentence: equally long columns of ids.
struct TokenView {
  const std::int32_t* lemma;
  const std::int32_t* sense;
  const std::int32_t* tag;
  int size;
};

// What the ids mean. Synonymy is a symmetric relation between senses, as an adjacency list.
struct BagRelations {
  std::int32_t lemmas;  // ids are below these
  std::int32_t senses;
  std::int32_t tags;
  bool senses_are_lemmas;  // the two columns are the same: one look-up serves both
  const std::uint8_t* function;
  const std::int64_t* synonym_offsets;
  const std::int32_t* synonyms;
  std::array<std::int64_t, max_order + 1> power;  // divisor^0 .. divisor^3

  // The weight of an n-gram with this many function words, times divisor^n.
  std::int64_t weight(int order, int function_words) const { return power[order - function_words]; }
};

// Per order n: optima and bag weights, in the integer units named above.
struct BagTotals {
  std::array<std::int64_t, max_order> graded{};  // by lemma, synonym and tag: units of 1 / (2n divisor^n)
  std::array<std::int64_t, max_order> tags{};    // by equal tags: units of 1 / divisor^n, like the two below
  std::array<std::int64_t, max_order> reference{};
  std::array<std::int64_t, max_order> hypothesis{};
};

// Calls `visit(start, weight)` for each n-gram of the sentence.
template <class Visit>
void each_ngram(const TokenView& sentence, const BagRelations& relations, int order, Visit&& visit) {
  int function_words = 0;
  for (int last = 0; last < sentence.size; ++last) {
    function_words += relations.function[sentence.tag[last]] != 0;
    const int start = last - order + 1;
    if (start < 0) continue;
    visit(start, relations.weight(order, function_words));
    function_words -= relations.function[sentence.tag[start]] != 0;
  }
}

// A solver whose primal and dual values differ has a defect; the checked mode reports it this way.
struct CertificateError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace metaphrase::bags
