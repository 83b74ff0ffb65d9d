// TER: shifts and edits turn the hypothesis into the reference, and cost no more than edits alone.
#include "counts/edit_rate.hpp"

#include "fuzzing.hpp"

namespace metaphrase::counts {
namespace {

using fuzz::expect;
using Words = std::vector<std::int32_t>;

std::size_t distance(const Words& a, const Words& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

void check(const Words& hypothesis, const Words& reference) {
  EditRate rate;
  rate.find(hypothesis, reference);
  Words words = hypothesis;
  for (const WordShift& shift : rate.shifts()) {
    const auto [first, middle, last] = shift.stretch(static_cast<std::int32_t>(words.size()));
    expect(0 <= first && first <= middle && middle <= last && last <= static_cast<std::int32_t>(words.size()),
           "a shift stays among the words");
    std::rotate(words.begin() + first, words.begin() + middle, words.begin() + last);
  }
  std::size_t i = 0, j = 0, edits = 0;
  for (const EditOperation operation : rate.operations()) {
    if (operation == EditOperation::match) {
      expect(i < words.size() && j < reference.size() && words[i] == reference[j], "what matches is equal");
    }
    edits += operation != EditOperation::match;
    i += operation != EditOperation::insert;
    j += operation != EditOperation::erase;
  }
  expect(i == words.size() && j == reference.size(), "every word is edited once");
  if (reference.empty()) return;
  // Within the beam nothing is overlooked.
  if (std::max(words.size(), reference.size()) <= 24) {
    expect(edits == distance(words, reference), "after the shifts edits are as few as they can be");
    expect(edits + rate.shifts().size() <= distance(hypothesis, reference), "shifts do not cost more");
  }
}

}  // namespace
}  // namespace metaphrase::counts

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  const int kinds = bytes.number(1, 8), longest = bytes.flag() ? 24 : 150;
  const auto hypothesis = bytes.numbers(static_cast<std::size_t>(bytes.number(0, longest)), 0, kinds);
  const auto reference = bytes.numbers(static_cast<std::size_t>(bytes.number(0, longest)), 0, kinds);
  metaphrase::counts::check(hypothesis, reference);
  return 0;
}
