// The compound splitter against all ways to cut a word.
#include "analysis/compound_splitter.hpp"
#include "fuzzing.hpp"

namespace metaphrase::analysis {
namespace {

using fuzz::expect;

struct Dictionary {
  std::vector<std::u32string> words, linking;
  std::vector<std::uint32_t> counts;
  std::size_t shortest;

  // The best reading of a part; -1 if it is no word.
  double reading(std::u32string_view part, bool last) const {
    double best = -1;
    const auto consider = [&](std::u32string_view stem) {
      // Of a word that is there twice, the later count stands.
      for (std::size_t w = words.size(); w-- > 0;) {
        if (words[w] != stem || counts[w] == 0) continue;
        best = std::max(best, std::log(static_cast<double>(counts[w])));
        return;
      }
    };
    consider(part);
    for (const std::u32string& link : linking) {
      if (!last && part.size() >= shortest + link.size() && part.ends_with(link))
        consider(part.substr(0, part.size() - link.size()));
    }
    return best;
  }

  // The largest mean over the cuts of what is left, given what was cut before.
  double best_mean(std::u32string_view rest, double sum, int parts) const {
    if (rest.empty()) return sum / parts;
    double best = -1;
    for (std::size_t size = shortest; size <= rest.size(); ++size) {
      const double value = reading(rest.substr(0, size), size == rest.size());
      if (value >= 0) best = std::max(best, best_mean(rest.substr(size), sum + value, parts + 1));
    }
    return best;
  }
};

void check(fuzz::Bytes& bytes) {
  Dictionary dictionary;
  const auto word = [&](int longest) {
    std::u32string made;
    for (int k = bytes.number(1, longest); k > 0; --k) made.push_back(U"absnä"[bytes.number(0, 4)]);
    return made;
  };
  dictionary.shortest = static_cast<std::size_t>(bytes.number(1, 3));
  for (int w = bytes.number(0, 6); w > 0; --w) {
    dictionary.words.push_back(word(4));
    dictionary.counts.push_back(static_cast<std::uint32_t>(bytes.number(0, 9)));
  }
  for (int k = bytes.number(0, 2); k > 0; --k) dictionary.linking.push_back(word(2));
  const std::u32string compound = bytes.byte() % 16 == 0 ? std::u32string(100, U'a') : word(12);
  const CompoundSplitter splitter(dictionary.words, dictionary.counts, dictionary.shortest,
                                  dictionary.linking);
  const auto parts = splitter.split(compound);
  expect(!parts.empty() && parts.front().start == 0 && parts.back().end == compound.size(), "all is kept");
  for (std::size_t p = 0; p < parts.size(); ++p) {
    expect(parts[p].start < parts[p].stem && parts[p].stem <= parts[p].end, "parts have letters");
    expect(p == 0 || parts[p].start == parts[p - 1].end, "parts follow each other");
  }
  if (compound.size() > 12) return;
  const double best = dictionary.best_mean(compound, 0, 0);
  if (parts.size() == 1) {
    const double whole = dictionary.reading(compound, true);
    expect(best < 0 || compound.size() < 2 * dictionary.shortest || (whole >= 0 && fuzz::close(whole, best)),
           "what stays whole has no better parts");
    return;
  }
  double sum = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::u32string_view part =
        std::u32string_view(compound).substr(parts[p].start, parts[p].end - parts[p].start);
    sum += dictionary.reading(part, p + 1 == parts.size());
  }
  expect(fuzz::close(sum / static_cast<double>(parts.size()), best), "there is no better mean");
}

}  // namespace
}  // namespace metaphrase::analysis

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  metaphrase::analysis::check(bytes);
  return 0;
}
