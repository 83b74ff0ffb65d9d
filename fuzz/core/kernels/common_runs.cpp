// Common runs of two sequences and of a hyphenated word's parts, against their definitions.
#include "alignment/common_runs.hpp"

#include <tuple>

#include "alignment/hyphenated.hpp"
#include "fuzzing.hpp"

namespace metaphrase::alignment {
namespace {

using fuzz::expect;
using Numbers = std::vector<std::int32_t>;

bool contains(const CommonRun& a, const CommonRun& b) {
  return a.length > b.length && a.left <= b.left && a.right <= b.right &&
         b.left + b.length <= a.left + a.length && b.right + b.length <= a.right + a.length;
}

// Each run compared with each.
std::vector<CommonRun> plain_runs(const Numbers& left, const Numbers& right, std::int32_t shortest) {
  std::vector<CommonRun> all, kept;
  const auto n = static_cast<std::int32_t>(left.size()), m = static_cast<std::int32_t>(right.size());
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t j = 0; j < m; ++j) {
      if (left[i] != right[j] || (i > 0 && j > 0 && left[i - 1] == right[j - 1])) continue;
      std::int32_t length = 1;
      while (i + length < n && j + length < m && left[i + length] == right[j + length]) ++length;
      if (length >= shortest) all.push_back({i, j, length});
    }
  }
  for (const CommonRun& run : all) {
    if (std::none_of(all.begin(), all.end(), [&](const CommonRun& other) { return contains(other, run); }))
      kept.push_back(run);
  }
  std::sort(kept.begin(), kept.end(), [&](const CommonRun& a, const CommonRun& b) {
    const auto key = [&](const CommonRun& run) {
      return n <= m ? std::tuple(-run.length, run.left, run.right)
                    : std::tuple(-run.length, run.right, run.left);
    };
    return key(a) < key(b);
  });
  return kept;
}

void check_runs(const Numbers& left, const Numbers& right) {
  CommonRuns runs;
  for (std::int32_t shortest = 1; shortest <= 2; ++shortest) {
    const auto expected = plain_runs(left, right, shortest);
    const auto found = runs.find(left, right, shortest);
    expect(found.size() == expected.size(), "all runs are found that no longer one contains");
    for (std::size_t r = 0; r < found.size(); ++r) {
      expect(found[r].left == expected[r].left && found[r].right == expected[r].right &&
                 found[r].length == expected[r].length,
             "runs come in their order");
    }
  }
  const auto wanted = [](const CommonRun& run) { return run.left % 3 != 1; };
  CommonRun expected{0, 0, 0};
  for (const CommonRun& run : plain_runs(left, right, 1)) {
    if (run.length > 1 || !wanted(run)) continue;
    expected = run;
    break;
  }
  const CommonRun single = runs.first_single(left, right, wanted);
  expect(single.left == expected.left && single.right == expected.right && single.length == expected.length,
         "the first single run is the first");
}

void check_parts(const Numbers& parts, const Numbers& words, const std::vector<bool>& free) {
  HyphenatedParts hyphenated;
  hyphenated.read(parts, words);
  expect(hyphenated.steps() <= 8 * (parts.size() + words.size()), "the work is in proportion");
  const auto is_free = [&](std::int32_t word) { return bool{free[static_cast<std::size_t>(word)]}; };
  for (const bool on_left : {true, false}) {
    const bool parts_first = on_left ? parts.size() <= words.size() : parts.size() < words.size();
    const auto runs = on_left ? plain_runs(parts, words, 2) : plain_runs(words, parts, 2);
    expect(hyphenated.shares_run() == !runs.empty(), "a run is shared if there is one");
    std::vector<bool> covered(words.size()), found(words.size());
    std::int32_t first = -1;
    for (const CommonRun& run : runs) {
      for (std::int32_t k = 0; k < run.length; ++k) {
        const std::int32_t word = (on_left ? run.right : run.left) + k;
        covered[static_cast<std::size_t>(word)] = true;
        if (first < 0 && is_free(word)) first = word;
      }
    }
    hyphenated.for_words_in_runs([&](std::int32_t word) { found[static_cast<std::size_t>(word)] = true; });
    expect(found == covered, "words of runs are those of runs");
    expect(hyphenated.first_free_in_runs(parts_first, is_free) == first, "the first free word is the first");
    if (first >= 0) continue;
    std::int32_t single = -1;
    for (const CommonRun& run : on_left ? plain_runs(parts, words, 1) : plain_runs(words, parts, 1)) {
      const std::int32_t word = on_left ? run.right : run.left;
      if (single < 0 && run.length == 1 && is_free(word)) single = word;
    }
    expect(hyphenated.first_single(parts_first, is_free) == single, "the first free part is the first");
  }
}

}  // namespace
}  // namespace metaphrase::alignment

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  const int kinds = bytes.number(1, 4);
  const auto left = bytes.numbers(static_cast<std::size_t>(bytes.number(0, 24)), 0, kinds);
  const auto right = bytes.numbers(static_cast<std::size_t>(bytes.number(0, 24)), 0, kinds);
  std::vector<bool> free(right.size());
  for (std::size_t k = 0; k < free.size(); ++k) free[k] = bytes.byte() % 4 == 0;
  metaphrase::alignment::check_runs(left, right);
  metaphrase::alignment::check_parts(left, right, free);
  return 0;
}
