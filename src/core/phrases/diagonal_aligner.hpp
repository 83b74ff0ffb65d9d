// Word alignment of parallel text by IBM Model 2 with a prior that favours the diagonal (Dyer, Chahuneau and
// Smith, "A Simple, Fast, and Effective Reparameterization of IBM Model 2", NAACL 2013).
//
// A generated word j of m comes from the null word with probability p0, else from word i of the n given ones
// with probability (1 - p0) exp(-lambda |i/n - j/m|) / Z(j). Lexical probabilities have a sparse Dirichlet
// prior (variational Bayes); lambda, the tension, is fitted by gradient steps. Both directions are trained at
// once because they share the table of word pairs that occur together, which is most of the work.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/pair_index.hpp"
#include "base/parallel.hpp"
#include "base/parallel_text.hpp"

namespace metaphrase::phrases {

struct DiagonalAlignerOptions {
  double null_probability = 0.08;
  double concentration = 0.01;  // of the Dirichlet prior
  double tension = 4.0;
};

// The logarithmic derivative of the gamma function, for x > 0: recurrence up to 7, then the asymptotic
// series.
inline double digamma(double x) {
  double value = 0.0;
  for (; x < 7.0; x += 1.0) value -= 1.0 / x;
  const double inverse = 1.0 / x, square = inverse * inverse;
  return value + std::log(x) - 0.5 * inverse -
         square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square / 240)));
}

// exp(-tension |i/n - j/m|) for all i of n, and their sum. Steps away from the diagonal are factors, so that
// two exponentials suffice. Positions count from 1, as in the paper.
inline double diagonal_prior(std::size_t j, std::size_t m, std::size_t n, double tension,
                             std::vector<double>& prior) {
  prior.resize(n);
  const double centre = static_cast<double>(j + 1) * static_cast<double>(n) / static_cast<double>(m);
  const double step = tension / static_cast<double>(n), factor = std::exp(-step);
  const auto below = std::min(static_cast<std::size_t>(centre), n);  // so many words are left of the centre
  double sum = 0.0, value = std::exp(-step * (centre - static_cast<double>(below)));
  for (std::size_t i = below; i > 0; --i, value *= factor) sum += prior[i - 1] = value;
  value = std::exp(-step * (static_cast<double>(below) + 1.0 - centre));
  for (std::size_t i = below; i < n; ++i, value *= factor) sum += prior[i] = value;
  return sum;
}

class DiagonalAligner {
 public:
  DiagonalAligner(const ParallelText& text, const DiagonalAlignerOptions& options)
      : text_(text), options_(options) {
    std::size_t cells = 0;
    for (std::size_t k = 0; k < text.sentences(); ++k) {
      const auto source = text.source.sentence(k), target = text.target.sentence(k);
      if (!source.empty() && !target.empty()) ++sizes_[{source.size(), target.size()}];
      cells += source.size() * target.size();
    }
    pair_of_cell_.reserve(cells);
    for (std::size_t k = 0; k < text.sentences(); ++k) {
      for (const std::int32_t given : text.source.sentence(k)) {
        for (const std::int32_t generated : text.target.sentence(k)) {
          pair_of_cell_.push_back(pairs_.insert(given, generated));
        }
      }
      if (pairs_.size() > most_pairs) throw std::length_error("the text has too many pairs of words");
    }
    directions_[0].reset(pairs_.size(), vocabulary(text.source), vocabulary(text.target), options);
    directions_[1].reset(pairs_.size(), vocabulary(text.target), vocabulary(text.source), options);
  }

  // One step of expectation maximisation in both directions.
  void iterate(int threads) {
    parallel_blocks(2, 1, threads, [this](std::size_t begin, std::size_t end, int) {
      for (std::size_t d = begin; d < end; ++d) {
        expect(d);
        maximise(d);
      }
    });
  }

  // For each generated word the most probable given word of its sentence, -1 if that is the null word; the
  // words of all sentences in one array. Direction 0 generates the target from the source, 1 the reverse.
  std::vector<std::int32_t> links(std::size_t d) const {
    const Direction& direction = directions_[d];
    std::vector<std::int32_t> links;
    links.reserve((d == 0 ? text_.target : text_.source).words.size());
    std::vector<double> prior;
    for_sentences(d, [&](const Sentence& s) {
      for (std::size_t j = 0; j < s.generated.size(); ++j) {
        const double sum = diagonal_prior(j, s.generated.size(), s.given.size(), direction.tension, prior);
        const double share = sum > 0 ? (1 - options_.null_probability) / sum : 0;
        double best = options_.null_probability * direction.null[s.generated[j]].probability;
        std::int32_t link = -1;
        for (std::size_t i = 0; i < s.given.size(); ++i) {
          const double value = share * prior[i] * direction.lexical[s.pair(i, j)].probability;
          if (value > best) {
            best = value;
            link = static_cast<std::int32_t>(i);
          }
        }
        links.push_back(link);
      }
    });
    return links;
  }

 private:
  static constexpr std::int32_t most_pairs = 1 << 30;
  static constexpr float smallest = 1e-30f;  // keeps clear of denormal numbers, which are slow

  // Probability and expected count side by side: they are read and written at the same moment.
  struct Parameter {
    float probability = 1.0f;
    float count = 0.0f;
  };
  struct Direction {
    std::vector<Parameter> lexical;  // by pair of words
    std::vector<Parameter> null;     // by generated word
    std::size_t given_words = 0;
    double tension = 0.0;
    double offset = 0.0;  // expected sum of -|i/n - j/m|
    double tokens = 0.0;  // how many words were generated

    void reset(std::size_t pairs, std::size_t given, std::size_t generated,
               const DiagonalAlignerOptions& options) {
      // Every generated word equally probable: the same as no knowledge.
      lexical.assign(pairs, {1.0f, 0.0f});
      null.assign(generated, {1.0f, 0.0f});
      given_words = given;
      tension = options.tension;
    }
  };
  struct Sentence {
    std::span<const std::int32_t> given, generated;
    const std::int32_t* pairs;
    std::size_t given_stride, generated_stride;

    std::int32_t pair(std::size_t i, std::size_t j) const {
      return pairs[i * given_stride + j * generated_stride];
    }
  };

  static std::size_t vocabulary(const PackedText& text) {
    std::int32_t largest = -1;
    for (const std::int32_t word : text.words) largest = std::max(largest, word);
    return static_cast<std::size_t>(largest) + 1;
  }

  template <class Visit>
  void for_sentences(std::size_t d, Visit&& visit) const {
    const std::int32_t* pairs = pair_of_cell_.data();
    for (std::size_t k = 0; k < text_.sentences(); ++k) {
      const auto source = text_.source.sentence(k), target = text_.target.sentence(k);
      if (d == 0) {
        visit(Sentence{source, target, pairs, target.size(), 1});
      } else {
        visit(Sentence{target, source, pairs, 1, target.size()});
      }
      pairs += source.size() * target.size();
    }
  }

  void expect(std::size_t d) {
    Direction& direction = directions_[d];
    direction.offset = direction.tokens = 0.0;
    std::vector<double> prior;
    for_sentences(d, [&](const Sentence& s) {
      const std::size_t n = s.given.size(), m = s.generated.size();
      for (std::size_t j = 0; n > 0 && j < m; ++j) {
        const double sum = diagonal_prior(j, m, n, direction.tension, prior);
        const double share = (1 - options_.null_probability) / sum;
        Parameter& null = direction.null[s.generated[j]];
        const double from_null = options_.null_probability * null.probability;
        double total = from_null;
        for (std::size_t i = 0; i < n; ++i) {
          total += prior[i] *= share * direction.lexical[s.pair(i, j)].probability;
        }
        null.count += static_cast<float>(from_null / total);
        for (std::size_t i = 0; i < n; ++i) {
          const double posterior = prior[i] / total;
          direction.lexical[s.pair(i, j)].count += static_cast<float>(posterior);
          direction.offset -= posterior * distance(i, n, j, m);
        }
        direction.tokens += 1.0;
      }
    });
  }

  void maximise(std::size_t d) {
    Direction& direction = directions_[d];
    const auto given = [&](std::int32_t pair) { return d == 0 ? pairs_.first(pair) : pairs_.second(pair); };
    std::vector<double> totals(direction.given_words, 0.0);
    for (std::int32_t p = 0; p < pairs_.size(); ++p) {
      totals[given(p)] += direction.lexical[p].count + options_.concentration;
    }
    for (double& total : totals) total = total > 0 ? digamma(total) : 0.0;
    for (std::int32_t p = 0; p < pairs_.size(); ++p) update(direction.lexical[p], totals[given(p)]);
    double null_total = 0.0;
    for (const Parameter& word : direction.null) null_total += word.count + options_.concentration;
    const double null_level = null_total > 0 ? digamma(null_total) : 0.0;
    for (Parameter& word : direction.null) update(word, null_level);
    fit_tension(d);
  }

  void update(Parameter& parameter, double level) const {
    const double value = std::exp(digamma(parameter.count + options_.concentration) - level);
    parameter = {std::max(static_cast<float>(value), smallest), 0.0f};
  }

  // Eight steps up the gradient of the likelihood: what the posteriors say the distance from the diagonal is,
  // less what the prior says. Step size and bounds are those of the authors' program.
  void fit_tension(std::size_t d) {
    Direction& direction = directions_[d];
    if (direction.tokens == 0) return;
    std::vector<double> prior;
    for (int step = 0; step < 8; ++step) {
      double expected = 0.0;
      for (const auto& [size, count] : sizes_) {
        const std::size_t n = d == 0 ? size.first : size.second, m = d == 0 ? size.second : size.first;
        for (std::size_t j = 0; j < m; ++j) {
          const double sum = diagonal_prior(j, m, n, direction.tension, prior);
          double offset = 0.0;
          for (std::size_t i = 0; i < n; ++i) offset -= prior[i] * distance(i, n, j, m);
          expected += static_cast<double>(count) * offset / sum;
        }
      }
      direction.tension += 20.0 * (direction.offset - expected) / direction.tokens;
      direction.tension = std::clamp(direction.tension, 0.1, 14.0);
    }
  }

  static double distance(std::size_t i, std::size_t n, std::size_t j, std::size_t m) {
    return std::abs(static_cast<double>(i + 1) / static_cast<double>(n) -
                    static_cast<double>(j + 1) / static_cast<double>(m));
  }

  ParallelText text_;
  DiagonalAlignerOptions options_;
  PairIndex pairs_;
  std::vector<std::int32_t> pair_of_cell_;  // of every sentence pair in turn, source words in rows
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> sizes_;  // how many sentence pairs have a size
  std::array<Direction, 2> directions_;
};

}  // namespace metaphrase::phrases
