// Paraphrases by pivoting (Bannard and Callison-Burch, ACL 2005): two phrases are paraphrases to the degree
// that they share translations, p(e2 | e1) = sum over f of p(f | e1) p(e2 | f).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"

namespace metaphrase::phrases {

// Counts of phrase pairs sorted by phrase, then pivot. The totals are those of all pairs that were ever seen,
// so that pairs which were left out as too rare still weigh in the denominators.
struct PivotTable {
  std::span<const std::int32_t> phrases, pivots;
  std::span<const std::int64_t> counts;
  std::span<const std::int64_t> phrase_totals, pivot_totals;
};

struct PivotOptions {
  double least_translation = 0.001;  // of p(f | e1) and p(e2 | f): what is less probable is taken for noise
  double least_paraphrase = 0.001;   // of p(e2 | e1)
};

struct Paraphrases {
  std::vector<std::int32_t> phrases, paraphrases;
  std::vector<double> probabilities;
  std::vector<std::int32_t> pivots;  // how many pivots the two share
};

// Only phrases that are `wanted` (a flag each) are paraphrased, and only by such; sorted by phrase and
// paraphrase.
inline Paraphrases pivot_paraphrases(const PivotTable& table, std::span<const std::uint8_t> wanted,
                                     const PivotOptions& options, int threads) {
  struct Translation {
    std::int32_t to;
    double probability;
  };
  const std::size_t phrases = table.phrase_totals.size(), pivots = table.pivot_totals.size();
  std::vector<std::int64_t> forth_starts(phrases + 1, 0), back_starts(pivots + 1, 0);
  const auto share = [&](std::size_t row, std::int64_t total) {
    return static_cast<double>(table.counts[row]) / static_cast<double>(total);
  };
  const auto forth = [&](std::size_t row) { return share(row, table.phrase_totals[table.phrases[row]]); };
  const auto back = [&](std::size_t row) { return share(row, table.pivot_totals[table.pivots[row]]); };
  const auto leads_forth = [&](std::size_t row) {
    return wanted[table.phrases[row]] != 0 && forth(row) >= options.least_translation;
  };
  const auto leads_back = [&](std::size_t row) {
    return wanted[table.phrases[row]] != 0 && back(row) >= options.least_translation;
  };
  for (std::size_t row = 0; row < table.counts.size(); ++row) {
    forth_starts[table.phrases[row] + 1] += leads_forth(row);
    back_starts[table.pivots[row] + 1] += leads_back(row);
  }
  for (std::size_t i = 0; i < phrases; ++i) forth_starts[i + 1] += forth_starts[i];
  for (std::size_t i = 0; i < pivots; ++i) back_starts[i + 1] += back_starts[i];
  std::vector<Translation> forths(forth_starts.back()), backs(back_starts.back());
  {
    std::vector<std::int64_t> next_forth(forth_starts), next_back(back_starts);
    for (std::size_t row = 0; row < table.counts.size(); ++row) {
      if (leads_forth(row)) forths[next_forth[table.phrases[row]]++] = {table.pivots[row], forth(row)};
      if (leads_back(row)) backs[next_back[table.pivots[row]]++] = {table.phrases[row], back(row)};
    }
  }

  constexpr std::size_t block = 4096;
  std::vector<Paraphrases> parts((phrases + block - 1) / block);
  parallel_blocks(parts.size(), 1, threads, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> sums(phrases, 0.0);
    std::vector<std::int32_t> shared(phrases, 0), met;
    for (std::size_t b = begin; b < end; ++b) {
      Paraphrases& part = parts[b];
      for (std::size_t e = b * block; e < std::min(phrases, (b + 1) * block); ++e) {
        for (std::int64_t f = forth_starts[e]; f < forth_starts[e + 1]; ++f) {
          const Translation& to = forths[f];
          for (std::int64_t p = back_starts[to.to]; p < back_starts[to.to + 1]; ++p) {
            if (shared[backs[p].to]++ == 0) met.push_back(backs[p].to);
            sums[backs[p].to] += to.probability * backs[p].probability;
          }
        }
        std::sort(met.begin(), met.end());
        for (const std::int32_t other : met) {
          if (other != static_cast<std::int32_t>(e) && sums[other] >= options.least_paraphrase) {
            part.phrases.push_back(static_cast<std::int32_t>(e));
            part.paraphrases.push_back(other);
            part.probabilities.push_back(sums[other]);
            part.pivots.push_back(shared[other]);
          }
          sums[other] = 0.0;
          shared[other] = 0;
        }
        met.clear();
      }
    }
  });
  Paraphrases all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const Paraphrases& part : parts) {
    append(all.phrases, part.phrases);
    append(all.paraphrases, part.paraphrases);
    append(all.probabilities, part.probabilities);
    append(all.pivots, part.pivots);
  }
  return all;
}

}  // namespace metaphrase::phrases
