// What BLEU, chrF and NIST count, and common subsequences, against counting by hand.
#include <cstring>
#include <limits>
#include <map>

#include "counts/common_subsequence.hpp"
#include "counts/count_scores.hpp"
#include "counts/information.hpp"
#include "counts/ngram_items.hpp"
#include "counts/ngram_matches.hpp"
#include "counts/overlap.hpp"
#include "fuzzing.hpp"

namespace metaphrase::counts {
namespace {

using fuzz::expect;
using Words = std::vector<std::int32_t>;
using Counts = std::map<Words, std::int64_t>;

Counts ngrams(const Words& words, std::size_t n) {
  Counts counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    ++counts[Words(words.begin() + static_cast<std::ptrdiff_t>(i),
                   words.begin() + static_cast<std::ptrdiff_t>(i + n))];
  }
  return counts;
}

std::int64_t common(const Counts& a, const Counts& b) {
  std::int64_t sum = 0;
  for (const auto& [ngram, count] : a) {
    const auto found = b.find(ngram);
    if (found != b.end()) sum += std::min(count, found->second);
  }
  return sum;
}

std::int64_t longest_common_subsequence(const Words& a, const Words& b) {
  std::vector<std::int64_t> row(b.size() + 1, 0);
  for (const std::int32_t x : a) {
    std::int64_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::int64_t best = x == b[j - 1] ? diagonal + 1 : std::max(row[j], row[j - 1]);
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b.size()];
}

std::string spelled(const Words& words) {
  std::string text;
  for (const std::int32_t word : words) text += "w" + std::to_string(word) + " ";
  return text;
}

void check_bleu(const Words& hypothesis, const std::vector<Words>& references) {
  constexpr int orders = 4;
  NgramMatcher matcher(orders);
  std::vector<std::string> texts;
  for (const Words& words : references) texts.push_back(spelled(words));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<double> row(matcher.columns());
  matcher.count(spelled(hypothesis), views, row.data());
  for (std::size_t n = 1; n <= orders; ++n) {
    Counts most;
    for (const Words& words : references) {
      for (const auto& [ngram, count] : ngrams(words, n)) most[ngram] = std::max(most[ngram], count);
    }
    expect(row[1 + n] == static_cast<double>(common(ngrams(hypothesis, n), most)), "BLEU's matches");
  }
  for (const auto smoothing : {Smoothing::none, Smoothing::floor, Smoothing::add_k, Smoothing::exp}) {
    for (const bool effective : {false, true}) {
      const double score = bleu_score(row, {smoothing, smoothing == Smoothing::floor ? 0.1 : 1, effective});
      expect(score >= 0 && score <= 100 + 1e-9, "BLEU is between 0 and 100");
    }
  }
}

void check_chrf(const Words& hypothesis, const Words& reference) {
  constexpr int orders = 6;
  std::vector<std::int64_t> row(3 * orders);
  NgramOverlap().count(hypothesis, reference, orders, row.data());
  for (std::size_t n = 1; n <= orders; ++n) {
    const auto at = (n - 1) * 3;
    const auto size = [n](const Words& w) {
      return w.size() < n ? 0 : static_cast<std::int64_t>(w.size() - n + 1);
    };
    expect(row[at + 1] == size(reference), "n-grams of the reference");
    expect(row[at] == (size(reference) > 0 ? size(hypothesis) : 0), "and of the hypothesis");
    expect(row[at + 2] == common(ngrams(hypothesis, n), ngrams(reference, n)), "chrF's matches");
  }
  const std::vector<double> counts(row.begin(), row.end());
  for (const bool smoothing : {false, true}) {
    const double score = chrf_score(counts, 4, smoothing);
    expect(score >= 0 && score <= 100 + 1e-9, "chrF is between 0 and 100");
  }
}

void check_items(const std::vector<Words>& texts) {
  constexpr int orders = 3;
  std::vector<std::int64_t> offsets{0};
  Words all, rows;
  for (const Words& text : texts) {
    rows.push_back(static_cast<std::int32_t>(rows.size()));
    all.insert(all.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(all.size()));
  }
  const NgramItems items(PackedText{offsets, all}, orders);
  std::vector<std::int32_t> found(texts.size() * texts.size() * orders);
  items.matches(rows, rows, 1, found.data());
  for (std::size_t a = 0; a < texts.size(); ++a) {
    for (std::size_t b = 0; b < texts.size(); ++b) {
      for (std::size_t n = 1; n <= orders; ++n) {
        expect(found[(a * texts.size() + b) * orders + n - 1] ==
                   common(ngrams(texts[a], n), ngrams(texts[b], n)),
               "items in common are n-grams in common");
      }
    }
  }
}

void check_information(const Words& hypothesis, const std::vector<Words>& references) {
  constexpr int orders = 3;
  std::vector<std::int64_t> offsets{0};
  Words all;
  for (const Words& text : references) {
    all.insert(all.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(all.size()));
  }
  const NgramInformation information(all, offsets, 1, orders);
  NgramInformation::Scratch scratch;
  double row[orders];
  information.matched(hypothesis, 0, scratch, row);
  std::vector<Counts> counts(orders + 1), most(orders + 1);
  for (std::size_t n = 1; n <= orders; ++n) {
    for (const Words& text : references) {
      for (const auto& [ngram, count] : ngrams(text, n)) {
        counts[n][ngram] += count;
        most[n][ngram] = std::max(most[n][ngram], count);
      }
    }
  }
  for (std::size_t n = 1; n <= orders; ++n) {
    double sum = 0;
    for (const auto& [ngram, count] : ngrams(hypothesis, n)) {
      const auto found = most[n].find(ngram);
      if (found == most[n].end()) continue;
      const Words context(ngram.begin(), ngram.end() - 1);
      const double occasions =
          n == 1 ? static_cast<double>(all.size()) : static_cast<double>(counts[n - 1][context]);
      sum += static_cast<double>(std::min(count, found->second)) *
             std::log2(occasions / static_cast<double>(counts[n][ngram]));
    }
    expect(fuzz::close(sum, row[n - 1]), "NIST's information");
  }
}

}  // namespace
}  // namespace metaphrase::counts

int examine(const std::uint8_t* data, std::size_t size) {
  using namespace metaphrase::counts;
  metaphrase::fuzz::Bytes bytes(data, size);
  const int kinds = bytes.number(1, 6);
  std::vector<Words> texts;
  for (int t = bytes.number(2, 4); t > 0; --t) {
    texts.push_back(bytes.numbers(static_cast<std::size_t>(bytes.number(0, t == 1 ? 140 : 20)), 0, kinds));
  }
  const std::vector<Words> references(texts.begin() + 1, texts.end());
  check_bleu(texts[0], references);
  check_chrf(texts[0], texts[1]);
  check_items(texts);
  check_information(texts[0], references);
  CommonSubsequence subsequence;
  const std::int64_t length = subsequence.length(texts[0], texts.back());
  metaphrase::fuzz::expect(length == longest_common_subsequence(texts[0], texts.back()),
                           "longest subsequence");
  metaphrase::fuzz::expect(length == subsequence.length(texts.back(), texts[0]), "it is symmetric");
  return 0;
}
