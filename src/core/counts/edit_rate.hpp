// Translation edit rate: edits, shifts of words among them, that turn a hypothesis into a reference.
//
// Snover et al., AMTA 2006. The search is sacreBLEU 2's (lib_ter), which follows Tercom: a dynamic programme
// that stays near the diagonal, and the shift that saves most, again and again. Limits, order and ties are
// sacreBLEU's, so the edits are the same; how they are computed is not. A candidate shift permutes the words
// of one stretch and leaves those before and after it alone, so costs of what is before (forward rows) and of
// what comes after (backward rows) are those of the unshifted words, and only the stretch itself is computed
// anew.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace metaphrase::counts {

enum class EditOperation : std::uint8_t { match, substitute, insert, erase };

// Words [start, start + length) of the hypothesis, as the shifts before left it, are moved in front of the
// word that was at `target`; a target inside of them moves them to the right by its distance from `start`.
struct WordShift {
  std::int32_t start, length, target;

  // The stretch [first, last) that changes: words [middle, last) come to stand before [first, middle).
  struct Stretch {
    std::int32_t first, middle, last;
  };
  Stretch stretch(std::int32_t words) const {
    if (target < start) return {target, start, start + length};
    if (target > start + length) return {start, start + length, target};
    return {start, start + length, std::min(words, length + target)};
  }
};

class EditRate {
 public:
  using Words = std::span<const std::int32_t>;

  // Neither side may have more words.
  static constexpr std::int64_t most_words = 1 << 28;

  // Finds the edits of a pair; they stay until the next one.
  void find(Words hypothesis, Words reference) {
    shifts_.clear();
    operations_.clear();
    words_.assign(hypothesis.begin(), hypothesis.end());
    reference_ = reference;
    if (reference.empty()) {
      operations_.assign(words_.size(), EditOperation::erase);
      return;
    }
    lay_out_rows();
    fill_forward(0);
    fill_backward(length());
    trace();
    std::int32_t candidates = 0;
    while (true) {
      align();
      WordShift best{};
      const std::int32_t gain = best_shift(best, candidates);
      // sacreBLEU drops the shift in whose round the limit is met.
      if (candidates >= most_candidates || gain <= 0) return;
      shifts_.push_back(best);
      const auto [first, middle, last] = best.stretch(length());
      std::rotate(words_.begin() + first, words_.begin() + middle, words_.begin() + last);
      fill_forward(first);
      fill_backward(last);
      trace();
    }
  }

  const std::vector<WordShift>& shifts() const { return shifts_; }
  // What is done after the shifts, in the order of the words.
  const std::vector<EditOperation>& operations() const { return operations_; }

 private:
  // Tercom's limits, and sacreBLEU's on the number of candidates of a pair.
  static constexpr std::int32_t beam = 25, longest_shift = 10, farthest_shift = 50, most_candidates = 1000;
  // More than any distance, and two of them, or one and a step per word, do not overflow.
  static constexpr std::int32_t unreachable = 1 << 29;

  // Row i is what i words of the hypothesis may cost; cells [low, high) of it are looked at, for as many
  // words of the reference, and begin at `cells` of a store of rows.
  struct Row {
    std::int32_t low, high;
    std::size_t cells;
  };

  std::int32_t length() const { return static_cast<std::int32_t>(words_.size()); }
  std::int32_t reference_length() const { return static_cast<std::int32_t>(reference_.size()); }

  void lay_out_rows() {
    const std::int32_t n = length(), m = reference_length();
    const double ratio = n > 0 ? static_cast<double>(m) / n : 1.0;
    // Where lengths differ so much that rows would not overlap, the beam is wider.
    const std::int32_t width =
        beam < ratio / 2 ? static_cast<std::int32_t>(std::ceil(ratio / 2 + beam)) : beam;
    rows_.resize(static_cast<std::size_t>(n) + 1);
    std::size_t cells = 0;
    for (std::int32_t i = 0; i <= n; ++i) {
      const auto diagonal = static_cast<std::int64_t>(std::floor(i * ratio));
      const std::int64_t low = i == 0 ? 0 : std::max<std::int64_t>(0, diagonal - width);
      const std::int64_t high = i == 0 || i == n ? m + 1 : std::min<std::int64_t>(m + 1, diagonal + width);
      rows_[i] = {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high), cells};
      cells += static_cast<std::size_t>(high - low);
    }
    forward_.resize(cells);
    backward_.resize(cells);
    std::size_t widest = 0;
    for (const Row& row : rows_) widest = std::max(widest, static_cast<std::size_t>(row.high - row.low));
    // Row 0 is whole, and only ever read from the store.
    for (auto& scratch : scratch_) scratch.resize(widest);
  }

  // Costs of reaching the cells of row i, from those of the row before: `here` and `before` point to what
  // would be cell 0. Cells of the row that the row before does not have are reached from the left or from the
  // last of it.
  void step(std::int32_t i, std::int32_t word, const std::int32_t* before, std::int32_t* here) const {
    const Row &row = rows_[i], &previous = rows_[i - 1];
    const std::int32_t* reference = reference_.data() - 1;
    std::int32_t j = row.low, left = unreachable;
    if (j == 0) {
      left = here[j] = before[j] + 1;
      ++j;
    }
    std::int32_t diagonal = j - 1 >= previous.low && j - 1 < previous.high ? before[j - 1] : unreachable;
    for (const std::int32_t end = std::min(row.high, previous.high); j < end; ++j) {
      const std::int32_t above = before[j];
      const std::int32_t replaced = diagonal + (word != reference[j]);
      left = here[j] = std::min(std::min(replaced, above + 1), left + 1);
      diagonal = above;
    }
    if (j == previous.high && j < row.high) {
      left = here[j] = std::min(diagonal + (word != reference[j]), left + 1);
      ++j;
    }
    for (; j < row.high; ++j) left = here[j] = left + 1;
  }

  void fill_forward(std::int32_t first) {
    const std::int32_t n = length();
    if (first == 0) {
      for (std::int32_t j = 0; j <= reference_length(); ++j) forward_[j] = j;
    }
    for (std::int32_t i = first + 1; i <= n; ++i) {
      step(i, words_[i - 1], row_of(forward_, i - 1), row_of(forward_, i));
    }
  }

  // Costs of going on from a cell to the end, for all rows before `last`, and for the last one of all if
  // asked.
  void fill_backward(std::int32_t last) {
    const std::int32_t n = length(), m = reference_length();
    if (last == n) {
      std::int32_t* here = row_of(backward_, n);
      for (std::int32_t j = rows_[n].low; j <= m; ++j) here[j] = m - j;
    }
    for (std::int32_t i = last - 1; i >= 0; --i) {
      const Row &row = rows_[i], &next = rows_[i + 1];
      const std::int32_t* after = row_of(backward_, i + 1);
      std::int32_t* here = row_of(backward_, i);
      const std::int32_t word = words_[i];
      std::int32_t right = unreachable;
      for (std::int32_t j = row.high - 1; j >= row.low; --j) {
        std::int32_t cost = right + 1;
        if (j >= next.low && j < next.high) cost = std::min(cost, after[j] + 1);
        if (j < m && j + 1 >= next.low && j + 1 < next.high) {
          cost = std::min(cost, after[j + 1] + (word != reference_[j]));
        }
        right = here[j] = std::min(cost, unreachable);
      }
    }
  }

  // The edits of the cheapest way. Of equally cheap ones replacing is preferred, then erasing, then
  // inserting.
  void trace() {
    operations_.clear();
    std::int32_t i = length(), j = reference_length();
    distance_ = row_of(forward_, i)[j];
    while (i > 0 || j > 0) {
      operations_.push_back(operation(i, j));
      i -= operations_.back() != EditOperation::insert;
      j -= operations_.back() != EditOperation::erase;
    }
    std::reverse(operations_.begin(), operations_.end());
  }

  EditOperation operation(std::int32_t i, std::int32_t j) {
    if (i == 0) return EditOperation::insert;
    if (j == 0) return EditOperation::erase;
    const std::int32_t cost = row_of(forward_, i)[j];
    const Row& previous = rows_[i - 1];
    const std::int32_t* before = row_of(forward_, i - 1);
    if (j - 1 >= previous.low && j - 1 < previous.high) {
      const bool equal = words_[i - 1] == reference_[j - 1];
      if (cost == before[j - 1] + !equal) return equal ? EditOperation::match : EditOperation::substitute;
    }
    if (j >= previous.low && j < previous.high && cost == before[j] + 1) return EditOperation::erase;
    return EditOperation::insert;
  }

  // For each word of the reference the last word of the hypothesis that was read with or before it, or -1;
  // and how many of the first words of each side are wrong.
  void align() {
    aligned_.clear();
    wrong_.assign(1, 0);
    wrong_reference_.assign(1, 0);
    std::int32_t place = -1;
    for (const EditOperation operation : operations_) {
      const bool wrong = operation != EditOperation::match;
      if (operation != EditOperation::insert) {
        ++place;
        wrong_.push_back(wrong_.back() + wrong);
      }
      if (operation != EditOperation::erase) {
        aligned_.push_back(place);
        wrong_reference_.push_back(wrong_reference_.back() + wrong);
      }
    }
  }

  // The shift that saves most; among equals the longest, then the earliest, then the one to the earliest
  // place. Counts candidates as sacreBLEU does, which tries some twice.
  std::int32_t best_shift(WordShift& best, std::int32_t& candidates) {
    const std::int32_t n = length(), m = reference_length();
    bool found = false;
    std::int32_t best_gain = 0;
    for (std::int32_t start = 0; start < n; ++start) {
      tried_.clear();
      const std::int32_t last = std::min(m - 1, start + farthest_shift);
      for (std::int32_t other = std::max(0, start - farthest_shift); other <= last; ++other) {
        const std::int32_t most = std::min({longest_shift, n - start, m - other});
        for (std::int32_t size = 1; size <= most && words_[start + size - 1] == reference_[other + size - 1];
             ++size) {
          if (!worth_a_try(start, other, size)) continue;
          std::int32_t previous = -1;
          for (std::int32_t offset = -1; offset < size; ++offset) {
            const std::int32_t target = other + offset < 0 ? 0 : aligned_[other + offset] + 1;
            if (target == previous) continue;
            previous = target;
            ++candidates;
            const std::pair<std::int32_t, std::int32_t> key{size, target};
            if (std::find(tried_.begin(), tried_.end(), key) != tried_.end()) continue;
            tried_.push_back(key);
            const WordShift shift{start, size, target};
            const std::int32_t gain = distance_ - shifted_distance(shift);
            if (found && !better(gain, shift, best_gain, best)) continue;
            found = true;
            best_gain = gain;
            best = shift;
          }
          if (candidates >= most_candidates) return best_gain;
        }
      }
    }
    return best_gain;
  }

  // Both sides must be wrong where they are, and the words not stand in their own place.
  bool worth_a_try(std::int32_t start, std::int32_t other, std::int32_t size) const {
    return wrong_[start + size] != wrong_[start] &&
           wrong_reference_[other + size] != wrong_reference_[other] &&
           !(start <= aligned_[other] && aligned_[other] < start + size);
  }

  static bool better(std::int32_t gain, const WordShift& shift, std::int32_t best_gain,
                     const WordShift& best) {
    if (gain != best_gain) return gain > best_gain;
    if (shift.length != best.length) return shift.length > best.length;
    if (shift.start != best.start) return shift.start < best.start;
    return shift.target < best.target;
  }

  std::int32_t shifted_distance(const WordShift& shift) {
    const auto [first, middle, last] = shift.stretch(length());
    if (middle >= last) return distance_;
    const std::int32_t* before = row_of(forward_, first);
    std::int32_t i = first;
    std::size_t turn = 0;
    const auto read = [&](std::int32_t begin, std::int32_t end) {
      for (std::int32_t place = begin; place < end; ++place, ++i, turn ^= 1) {
        std::int32_t* here = scratch_[turn].data() - rows_[i + 1].low;
        step(i + 1, words_[place], before, here);
        before = here;
      }
    };
    read(middle, last);
    read(first, middle);
    const std::int32_t* after = row_of(backward_, last);
    std::int32_t distance = unreachable;
    for (std::int32_t j = rows_[last].low; j < rows_[last].high; ++j) {
      distance = std::min(distance, before[j] + after[j]);
    }
    return distance;
  }

  // Where cell 0 of a row would be.
  std::int32_t* row_of(std::vector<std::int32_t>& store, std::int32_t i) const {
    return store.data() + (static_cast<std::ptrdiff_t>(rows_[i].cells) - rows_[i].low);
  }

  std::vector<std::int32_t> words_;
  Words reference_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> forward_, backward_, scratch_[2];
  std::int32_t distance_ = 0;
  std::vector<std::int32_t> aligned_, wrong_, wrong_reference_;
  std::vector<std::pair<std::int32_t, std::int32_t>> tried_;
  std::vector<WordShift> shifts_;
  std::vector<EditOperation> operations_;
};

}  // namespace metaphrase::counts
