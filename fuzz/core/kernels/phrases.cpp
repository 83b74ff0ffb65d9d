// Parallel text to phrases: links stay in their sentences, methods lie between intersection and union, and
// phrase pairs are those of the definition.
#include <set>
#include <tuple>

#include "fuzzing.hpp"
#include "phrases/diagonal_aligner.hpp"
#include "phrases/phrase_extraction.hpp"
#include "phrases/symmetrise.hpp"

namespace metaphrase::phrases {
namespace {

using fuzz::expect;
using Links = std::set<std::pair<std::int32_t, std::int32_t>>;

Links symmetrised(Symmetrisation method, std::span<const std::int32_t> source_of,
                  std::span<const std::int32_t> target_of) {
  std::vector<std::int32_t> sources, targets;
  Symmetriser(method).add_links(source_of, target_of, sources, targets);
  Links links;
  for (std::size_t l = 0; l < sources.size(); ++l) links.emplace(sources[l], targets[l]);
  expect(links.size() == sources.size(), "no link is there twice");
  return links;
}

bool within(const Links& a, const Links& b) { return std::includes(b.begin(), b.end(), a.begin(), a.end()); }

void check_phrases(std::size_t n, std::size_t m, const Links& links, std::size_t most) {
  std::vector<std::int32_t> sources, targets;
  for (const auto& [s, t] : links) {
    sources.push_back(s);
    targets.push_back(t);
  }
  using Pair = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
  std::set<Pair> found, expected;
  PhraseExtractor(most, most)
      .extract(n, m, sources, targets, [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
        expect(found.emplace(a, b, c, d).second, "a pair comes once");
      });
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < std::min(n, a + most); ++b) {
      for (std::size_t c = 0; c < m; ++c) {
        for (std::size_t d = c; d < std::min(m, c + most); ++d) {
          bool any = false, consistent = true;
          for (const auto& [s, t] : links) {
            const bool in = a <= static_cast<std::size_t>(s) && static_cast<std::size_t>(s) <= b;
            const bool out = c <= static_cast<std::size_t>(t) && static_cast<std::size_t>(t) <= d;
            any |= in && out;
            consistent &= in == out;
          }
          if (any && consistent) expected.emplace(a, b, c, d);
        }
      }
    }
  }
  expect(found == expected, "phrase pairs are those of the definition");
}

void check(fuzz::Bytes& bytes) {
  const int kinds = bytes.number(1, 6);
  std::vector<std::int64_t> source_offsets{0}, target_offsets{0};
  std::vector<std::int32_t> source, target;
  for (int s = bytes.number(1, 4); s > 0; --s) {
    for (const auto& [words, offsets] :
         {std::pair(&source, &source_offsets), std::pair(&target, &target_offsets)}) {
      const auto more = bytes.numbers(static_cast<std::size_t>(bytes.number(0, 6)), 0, kinds);
      words->insert(words->end(), more.begin(), more.end());
      offsets->push_back(static_cast<std::int64_t>(words->size()));
    }
  }
  const ParallelText text{{source_offsets, source}, {target_offsets, target}};
  check_parallel(text);
  DiagonalAligner aligner(text, DiagonalAlignerOptions{});
  for (int step = bytes.number(0, 3); step > 0; --step) aligner.iterate(1);
  const auto source_of = aligner.links(0), target_of = aligner.links(1);
  expect(source_of.size() == target.size() && target_of.size() == source.size(),
         "every word is linked, or to none");
  for (std::size_t k = 0; k < text.sentences(); ++k) {
    const std::size_t n = text.source.sentence(k).size(), m = text.target.sentence(k).size();
    const auto part = [](const std::vector<std::int32_t>& all, const std::vector<std::int64_t>& offsets,
                         std::size_t at) {
      return std::span(all).subspan(static_cast<std::size_t>(offsets[at]),
                                    static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
    };
    const auto forth = part(source_of, target_offsets, k), back = part(target_of, source_offsets, k);
    for (const std::int32_t s : forth)
      expect(s >= -1 && s < static_cast<std::int32_t>(n), "links stay inside");
    for (const std::int32_t t : back)
      expect(t >= -1 && t < static_cast<std::int32_t>(m), "links stay inside");
    const Links least = symmetrised(Symmetrisation::intersection, forth, back),
                most = symmetrised(Symmetrisation::union_, forth, back);
    for (const auto method : {Symmetrisation::grow_diag, Symmetrisation::grow_diag_final_and}) {
      const Links links = symmetrised(method, forth, back);
      expect(within(least, links) && within(links, most), "between intersection and union");
      check_phrases(n, m, links, static_cast<std::size_t>(bytes.number(1, 5)));
    }
  }
}

}  // namespace
}  // namespace metaphrase::phrases

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::phrases::check(bytes);
  return 0;
}
