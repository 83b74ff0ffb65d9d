// Bags of n-grams: solvers by masks and by hubs prove their optima, and agree; MaxSim's stages keep in
// bounds.
#include "bags/hubs.hpp"
#include "bags/masks.hpp"
#include "bags/staged_ngrams.hpp"
#include "fuzzing.hpp"

namespace metaphrase::bags {
namespace {

using fuzz::expect;

struct Sentence {
  std::vector<std::int32_t> lemma, sense, tag;
  TokenView view() const { return {lemma.data(), sense.data(), tag.data(), static_cast<int>(lemma.size())}; }
};

bool same(const BagTotals& a, const BagTotals& b) {
  return a.graded == b.graded && a.tags == b.tags && a.reference == b.reference &&
         a.hypothesis == b.hypothesis;
}

void check(fuzz::Bytes& bytes) {
  const int lemmas = bytes.number(1, 6), tags = bytes.number(1, 3), divisor = bytes.number(1, 10);
  const bool separate = bytes.flag();
  const int senses = separate ? bytes.number(1, 6) : lemmas;
  std::vector<std::uint8_t> function;
  for (int t = 0; t < tags; ++t) function.push_back(bytes.byte() & 1);
  // A symmetric relation.
  std::vector<std::vector<std::int32_t>> related(static_cast<std::size_t>(senses));
  for (int a = 0; a < senses; ++a) {
    for (int b = 0; b <= a; ++b) {
      if (bytes.byte() % 4 != 1) continue;
      related[static_cast<std::size_t>(a)].push_back(b);
      if (a != b) related[static_cast<std::size_t>(b)].push_back(a);
    }
  }
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> synonyms;
  for (auto& list : related) {
    std::sort(list.begin(), list.end());
    synonyms.insert(synonyms.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::int64_t>(synonyms.size()));
  }
  const auto sentence = [&] {
    Sentence made;
    const auto size = static_cast<std::size_t>(bytes.number(0, 20));
    made.lemma = bytes.numbers(size, 0, lemmas - 1);
    made.sense = separate ? bytes.numbers(size, 0, senses - 1) : made.lemma;
    made.tag = bytes.numbers(size, 0, tags - 1);
    return made;
  };
  const Sentence reference = sentence(), hypothesis = sentence();
  BagRelations relations{};
  relations.lemmas = lemmas;
  relations.senses = senses;
  relations.tags = tags;
  relations.senses_are_lemmas = !separate;
  relations.function = function.data();
  relations.synonym_offsets = offsets.data();
  relations.synonyms = synonyms.data();
  relations.power[0] = 1;
  for (int n = 1; n <= max_order; ++n)
    relations.power[static_cast<std::size_t>(n)] = relations.power[static_cast<std::size_t>(n) - 1] * divisor;
  MaskMatcher<1> one(relations);
  MaskMatcher<2> two(relations);
  const HubMatcher hubs(relations);
  // A certificate that is wrong is an exception, which nobody catches here.
  const BagTotals found = one.match(reference.view(), hypothesis.view(), true);
  expect(same(found, two.match(reference.view(), hypothesis.view(), true)),
         "the width of masks says nothing");
  expect(same(found, hubs.match(reference.view(), hypothesis.view(), true)), "masks and hubs agree");
  expect(same(found, one.match(reference.view(), hypothesis.view(), false)), "a matcher forgets");
  const BagTotals other = hubs.match(hypothesis.view(), reference.view(), true);
  expect(found.graded == other.graded && found.tags == other.tags, "bags are symmetric");
  const BagTotals itself = hubs.match(reference.view(), reference.view(), true);
  for (std::size_t n = 0; n < max_order; ++n) {
    const auto twice = static_cast<std::int64_t>(2 * (n + 1));
    expect(found.graded[n] <= twice * std::min(found.reference[n], found.hypothesis[n]),
           "no more than is there");
    expect(itself.graded[n] == twice * itself.reference[n], "a sentence matches itself");
    expect(itself.tags[n] == itself.reference[n], "and so do its tags");
  }
  if (separate) return;
  StagedMatcher staged(lemmas, offsets.data(), synonyms.data());
  const auto matched = staged.match(reference.view(), hypothesis.view());
  const auto own = staged.match(reference.view(), reference.view());
  for (int n = 1; n <= max_order; ++n) {
    const auto count = [n](const Sentence& s) {
      return std::max(0, static_cast<int>(s.lemma.size()) - n + 1);
    };
    const auto at = static_cast<std::size_t>(n) - 1;
    expect(matched[at] >= 0 && matched[at] <= std::min(count(reference), count(hypothesis)) + 1e-9,
           "one to one");
    expect(fuzz::close(own[at], count(reference)), "a sentence matches itself in stages");
  }
}

}  // namespace
}  // namespace metaphrase::bags

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::bags::check(bytes);
  return 0;
}
