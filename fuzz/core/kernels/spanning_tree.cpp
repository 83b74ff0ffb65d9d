// The best tree against all trees of a few words.
#include "analysis/spanning_tree.hpp"

#include "fuzzing.hpp"

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase;
  fuzz::Bytes bytes(data, size);
  const auto words = static_cast<std::size_t>(bytes.number(0, 7));
  const bool small = bytes.flag();
  std::vector<std::int32_t> scores(words * (words + 1));
  for (auto& score : scores) {
    score = small ? bytes.number(-2, 2) : bytes.byte() << 16 | bytes.byte() << 8 | bytes.byte();
    if (!small) score -= 2'048'000;
  }
  std::vector<std::int32_t> heads(words);
  analysis::TreeFinder finder;
  finder.find(scores.data(), words, heads.data());
  if (words == 0) return 0;
  fuzz::expect(finder.is_tree(heads.data(), words), "what is found is a tree with one word at its root");
  const auto sum = [&](const std::vector<std::int32_t>& tree) {
    std::int64_t total = 0;
    for (std::size_t d = 0; d < words; ++d)
      total += scores[d * (words + 1) + static_cast<std::size_t>(tree[d])];
    return total;
  };
  if (words > 4) return 0;
  std::int64_t best = INT64_MIN;
  std::vector<std::int32_t> tree(words, 0);
  for (;;) {
    bool possible = true;
    for (std::size_t d = 0; d < words; ++d) possible &= tree[d] != static_cast<std::int32_t>(d + 1);
    if (possible && finder.is_tree(tree.data(), words)) best = std::max(best, sum(tree));
    std::size_t at = 0;
    while (at < words && ++tree[at] > static_cast<std::int32_t>(words)) tree[at++] = 0;
    if (at == words) break;
  }
  fuzz::expect(sum(heads) == best, "there is no better tree");
  return 0;
}
