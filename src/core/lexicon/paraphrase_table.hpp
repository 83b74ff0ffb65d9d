// Which phrases paraphrase which: the file that holds a table of them, what writes it and what asks it.
//
// Little-endian. Magic (8 bytes), version and a reserved zero (u32 each), checksum of all that follows (u64),
// then five sections, each behind its length in bytes (u32): where the paraphrases of each phrase start (u32,
// one more than there are phrases), the paraphrases (u32, ascending for each phrase), their probabilities
// (f32, NaN where there is none; or nothing at all), the lengths of the phrases (u8), and their text (UTF-8,
// words between single spaces). Phrases are in the order of their bytes, so that the same pairs give the same
// file in whatever order they came.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/mapped_file.hpp"
#include "base/packed_strings.hpp"
#include "base/string_table.hpp"

namespace metaphrase::lexicon {

namespace paraphrase_file {
inline constexpr std::string_view magic = "MPPARAPH";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t checksum_begin = 16, checksum_end = 24;
inline constexpr std::size_t most_bytes = 255;  // of a phrase
}  // namespace paraphrase_file

// Collects pairs, which are directed; a pair that comes again keeps the higher of its probabilities.
class ParaphraseTableWriter {
 public:
  void add(std::string_view phrase, std::string_view paraphrase, float probability) {
    if (phrase.size() > paraphrase_file::most_bytes || paraphrase.size() > paraphrase_file::most_bytes)
      throw std::length_error("a phrase is longer than 255 bytes");
    if (phrase == paraphrase) return;
    const auto from = static_cast<std::uint32_t>(strings_.intern(phrase));
    const auto to = static_cast<std::uint32_t>(strings_.intern(paraphrase));
    pairs_.push_back({from, to, probability});
  }

  std::string file() const {
    std::vector<std::uint32_t> order(strings_.size()), rank(strings_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [this](std::uint32_t a, std::uint32_t b) { return strings_[a] < strings_[b]; });
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    std::vector<Pair> pairs(pairs_);
    for (Pair& pair : pairs) pair = {rank[pair.from], rank[pair.to], pair.probability};
    // The best first among equal pairs, NaN last.
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
      if (a.from != b.from) return a.from < b.from;
      if (a.to != b.to) return a.to < b.to;
      return a.probability > b.probability || (std::isnan(b.probability) && !std::isnan(a.probability));
    });
    pairs.erase(std::unique(pairs.begin(), pairs.end(),
                            [](const Pair& a, const Pair& b) { return a.from == b.from && a.to == b.to; }),
                pairs.end());

    std::vector<std::uint32_t> starts(order.size() + 1, 0), to(pairs.size());
    std::vector<float> probabilities(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ++starts[pairs[i].from + 1];
      to[i] = pairs[i].to;
      probabilities[i] = pairs[i].probability;
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    if (std::all_of(probabilities.begin(), probabilities.end(), [](float p) { return std::isnan(p); }))
      probabilities.clear();
    std::string lengths, text;
    for (const std::uint32_t i : order) {
      lengths.push_back(static_cast<char>(strings_[i].size()));
      text.append(strings_[i]);
    }

    ByteWriter body;
    for (const std::string_view section : {bytes(starts), bytes(to), bytes(probabilities),
                                           std::string_view(lengths), std::string_view(text)}) {
      if (section.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("there are too many pairs for one file");
      body.put_string(section);
    }
    const std::string content = body.take();
    ByteWriter head;
    head.put(paraphrase_file::version);
    head.put(std::uint32_t{0});
    head.put(checksum(content));
    return std::string(paraphrase_file::magic) + head.take() + content;
  }

 private:
  struct Pair {
    std::uint32_t from, to;
    float probability;
  };

  template <class Number>
  static std::string_view bytes(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
  }

  StringTable strings_;
  std::vector<Pair> pairs_;
};

// Neighbours of each word among the words of a batch, ascending, with the probability of each pair.
struct ParaphraseGraph {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> neighbours;
  std::vector<float> probabilities;
};

// Immutable after construction, so any number of threads may ask at once.
class ParaphraseTable {
 public:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  static ParaphraseTable open(const std::string& path) {
    auto file = std::make_unique<MappedFile>(path);
    const Sections sections = read(*file);
    return ParaphraseTable(std::move(file), sections);
  }

  std::size_t phrase_count() const { return phrases_.count(); }
  std::size_t pair_count() const { return paraphrases_.size(); }
  std::uint64_t fingerprint() const { return fingerprint_; }
  std::string_view phrase(std::size_t i) const { return phrases_[i]; }
  std::uint32_t find(std::string_view phrase) const {
    const auto count = static_cast<std::uint32_t>(phrase_count());
    const std::uint32_t found = lower_bound(phrase, 0, count);
    return found < count && phrases_[found] == phrase ? found : absent;
  }
  // The first of the phrases [first, last) that does not sort before `text`, which may be any text.
  std::uint32_t lower_bound(std::string_view text, std::uint32_t first, std::uint32_t last) const {
    // Most of the way leads through the samples, which stay in the cache.
    const Beginning sought(text);
    const auto [low, high] = std::equal_range(samples_.begin(), samples_.end(), sought);
    const auto before = static_cast<std::uint32_t>(low - samples_.begin());
    const auto after = static_cast<std::uint32_t>(high - samples_.begin());
    if (before > 0) first = std::clamp((before - 1) * sample_distance, first, last);
    if (after < samples_.size()) last = std::clamp(after * sample_distance, first, last);
    while (first < last) {
      const std::uint32_t middle = first + (last - first) / 2;
      if (phrases_[middle] < text) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }
  void prefetch(std::uint32_t phrase) const { __builtin_prefetch(starts_.data() + phrase); }
  std::span<const std::uint32_t> paraphrases(std::uint32_t phrase) const {
    return paraphrases_.subspan(starts_[phrase], starts_[phrase + 1] - starts_[phrase]);
  }
  // Of the paraphrases of a phrase, in their order.
  float probability(std::uint32_t phrase, std::size_t which) const {
    return probabilities_.empty() ? std::numeric_limits<float>::quiet_NaN()
                                  : probabilities_[starts_[phrase] + which];
  }

  // Two words are neighbours if the table has them in either order; its probability is the higher one.
  ParaphraseGraph graph(std::span<const std::string_view> words) const {
    // Words of the batch that are one phrase form a chain: `first` by phrase, `next` by word.
    constexpr std::int32_t end = -1;
    std::vector<std::int32_t> first(phrase_count(), end), next(words.size(), end);
    std::vector<std::uint32_t> phrase_of(words.size());
    for (std::size_t i = words.size(); i-- > 0;) {
      phrase_of[i] = find(words[i]);
      if (phrase_of[i] == absent) continue;
      next[i] = std::exchange(first[phrase_of[i]], static_cast<std::int32_t>(i));
    }
    struct Edge {
      std::int32_t from, to;
      float probability;
    };
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (phrase_of[i] == absent) continue;
      const auto others = paraphrases(phrase_of[i]);
      for (std::size_t k = 0; k < others.size(); ++k) {
        for (std::int32_t j = first[others[k]]; j != end; j = next[j]) {
          const float p = probability(phrase_of[i], k);
          edges.push_back({static_cast<std::int32_t>(i), j, p});
          edges.push_back({j, static_cast<std::int32_t>(i), p});
        }
      }
    }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
    ParaphraseGraph graph;
    graph.offsets.assign(words.size() + 1, 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (e > 0 && edges[e].from == edges[e - 1].from && edges[e].to == edges[e - 1].to) {
        graph.probabilities.back() = std::fmax(graph.probabilities.back(), edges[e].probability);
        continue;
      }
      ++graph.offsets[edges[e].from + 1];
      graph.neighbours.push_back(edges[e].to);
      graph.probabilities.push_back(edges[e].probability);
    }
    std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
    return graph;
  }

 private:
  static constexpr std::uint32_t sample_distance = 64;

  // The first 16 bytes of a text as two numbers: if they differ, they sort as the texts do.
  struct Beginning {
    std::uint64_t first = 0, second = 0;

    explicit Beginning(std::string_view text) {
      for (std::size_t i = 0; i < 8; ++i) {
        first = first << 8 | (i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0u);
        second = second << 8 | (i + 8 < text.size() ? static_cast<std::uint8_t>(text[i + 8]) : 0u);
      }
    }
    auto operator<=>(const Beginning&) const = default;
  };

  struct Sections {
    std::span<const std::uint32_t> starts, paraphrases;
    std::span<const float> probabilities;
    std::span<const std::uint8_t> lengths, text;
    std::uint64_t fingerprint;
  };

  ParaphraseTable(std::unique_ptr<MappedFile> file, const Sections& sections)
      : file_(std::move(file)),
        starts_(sections.starts),
        paraphrases_(sections.paraphrases),
        probabilities_(sections.probabilities),
        phrases_(sections.text, sections.lengths, "phrases"),
        fingerprint_(sections.fingerprint) {
    require(starts_.size() == phrases_.count() + 1 && starts_.front() == 0 &&
            starts_.back() == paraphrases_.size());
    require(probabilities_.empty() || probabilities_.size() == paraphrases_.size());
    require(std::is_sorted(starts_.begin(), starts_.end()));
    for (const std::uint32_t other : paraphrases_) require(other < phrases_.count());
    for (std::size_t i = 1; i < phrases_.count(); ++i) require(phrases_[i - 1] < phrases_[i]);
    for (std::size_t i = 0; i < phrases_.count(); i += sample_distance) {
      samples_.push_back(Beginning(phrases_[i]));
    }
  }

  static Sections read(const MappedFile& file) {
    const std::string_view bytes = file.text();
    if (bytes.size() < paraphrase_file::checksum_end ||
        bytes.substr(0, paraphrase_file::magic.size()) != paraphrase_file::magic)
      throw ModelError("this is not a compiled table of paraphrases");
    ByteReader head(bytes.substr(paraphrase_file::magic.size()));
    if (const auto version = head.get<std::uint32_t>(); version != paraphrase_file::version)
      throw ModelError("unknown format version " + std::to_string(version));
    head.get<std::uint32_t>();
    const std::string_view content = bytes.substr(paraphrase_file::checksum_end);
    const auto stated = head.get<std::uint64_t>();
    if (checksum(content) != stated)
      throw ModelError("the content does not have the checksum that it states");
    ByteReader body(content);
    Sections sections{};
    sections.starts = numbers_in_place<std::uint32_t>(body.get_string());
    sections.paraphrases = numbers_in_place<std::uint32_t>(body.get_string());
    sections.probabilities = numbers_in_place<float>(body.get_string());
    sections.lengths = numbers_in_place<std::uint8_t>(body.get_string());
    sections.text = numbers_in_place<std::uint8_t>(body.get_string());
    sections.fingerprint = stated;
    require(body.done());
    return sections;
  }

  std::unique_ptr<MappedFile> file_;
  std::span<const std::uint32_t> starts_, paraphrases_;
  std::span<const float> probabilities_;
  StringList phrases_;
  std::vector<Beginning> samples_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace metaphrase::lexicon
