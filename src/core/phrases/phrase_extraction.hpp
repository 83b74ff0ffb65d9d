// Phrase pairs that are consistent with a word alignment (Koehn, Och and Marcu 2003), and their counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/pair_index.hpp"

namespace metaphrase::phrases {

// Calls `visit(first source, last source, first target, last target)` for every phrase pair of a sentence:
// two spans of words with at least one link between them and no link from inside one to outside the other.
// Words without a link at the edges may belong or not, so that one span of the source can have several
// partners.
class PhraseExtractor {
 public:
  PhraseExtractor(std::size_t most_source_words, std::size_t most_target_words)
      : most_source_(most_source_words), most_target_(most_target_words) {}

  template <class Visit>
  void extract(std::size_t source_words, std::size_t target_words, std::span<const std::int32_t> sources,
               std::span<const std::int32_t> targets, Visit&& visit) {
    reach(source_of_, target_words, targets, sources);
    reach(target_of_, source_words, sources, targets);
    const auto most = static_cast<std::int64_t>(most_target_);
    for (std::size_t first = 0; first < source_words; ++first) {
      Reach covered;
      const std::size_t end = std::min(source_words, first + most_source_);
      for (std::size_t last = first; last < end; ++last) {
        covered.extend(target_of_[last]);
        if (covered.empty() || covered.high - covered.low >= most) continue;
        if (!consistent(covered, first, last)) continue;
        for (std::int64_t low = covered.low;; --low) {
          for (std::int64_t high = covered.high; high - low < most; ++high) {
            visit(first, last, static_cast<std::size_t>(low), static_cast<std::size_t>(high));
            if (high + 1 == static_cast<std::int64_t>(target_words) || !source_of_[high + 1].empty()) break;
          }
          if (low == 0 || !source_of_[low - 1].empty()) break;
        }
      }
    }
  }

 private:
  // From the first to the last word that a word is linked to.
  struct Reach {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = -1;

    bool empty() const { return high < 0; }
    void extend(const Reach& other) {
      low = std::min(low, other.low);
      high = std::max(high, other.high);
    }
  };

  static void reach(std::vector<Reach>& reaches, std::size_t words, std::span<const std::int32_t> from,
                    std::span<const std::int32_t> to) {
    reaches.assign(words, {});
    for (std::size_t i = 0; i < from.size(); ++i) reaches[from[i]].extend({to[i], to[i]});
  }

  bool consistent(const Reach& covered, std::size_t first, std::size_t last) const {
    for (std::int64_t t = covered.low; t <= covered.high; ++t) {
      const Reach& back = source_of_[t];
      if (!back.empty() &&
          (back.low < static_cast<std::int64_t>(first) || back.high > static_cast<std::int64_t>(last)))
        return false;
    }
    return true;
  }

  std::size_t most_source_, most_target_;
  std::vector<Reach> source_of_, target_of_;
};

// Phrases by number: a phrase is the phrase without its last word, and that word.
class PhraseIndex {
 public:
  static constexpr std::int32_t none = -1;

  std::int32_t insert(std::span<const std::int32_t> words) {
    std::int32_t phrase = none;
    for (const std::int32_t word : words) phrase = index_.insert(phrase, word);
    return phrase;
  }
  std::int32_t size() const { return index_.size(); }

  // Appends the words of a phrase.
  void spell(std::int32_t phrase, std::vector<std::int32_t>& words) const {
    const std::size_t begin = words.size();
    for (; phrase != none; phrase = index_.first(phrase)) words.push_back(index_.second(phrase));
    std::reverse(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end());
  }

 private:
  PairIndex index_;
};

// How often each pair of numbers occurred, in memory that does not grow with the text: occurrences are
// collected, sorted and merged into a table; when the table exceeds its limit, its rarest pairs go. What went
// is counted anew if it comes back, so counts never exceed the truth and fall short of it by at most
// `lost()`.
class PairCounts {
 public:
  struct Entry {
    std::uint64_t pair;
    std::uint32_t count;
  };

  explicit PairCounts(std::size_t limit) : limit_(std::max<std::size_t>(limit, 1)) {}

  void add(std::int32_t first, std::int32_t second) {
    pending_.push_back(static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32 |
                       static_cast<std::uint32_t>(second));
    if (pending_.size() >= std::min(limit_, most_pending)) merge();
  }

  // Sorted by first number, then second.
  const std::vector<Entry>& table() {
    merge();
    return table_;
  }
  std::uint64_t lost() const { return lost_; }

 private:
  static constexpr std::size_t most_pending = std::size_t{1} << 23;

  void merge() {
    if (pending_.empty()) return;
    std::sort(pending_.begin(), pending_.end());
    std::vector<Entry> merged;
    merged.reserve(table_.size() + pending_.size() / 2);
    auto old = table_.cbegin();
    for (auto next = pending_.cbegin(); next != pending_.cend();) {
      const std::uint64_t pair = *next;
      const auto after = std::find_if(next, pending_.cend(), [pair](std::uint64_t p) { return p != pair; });
      for (; old != table_.cend() && old->pair < pair; ++old) merged.push_back(*old);
      Entry entry{pair, static_cast<std::uint32_t>(after - next)};
      if (old != table_.cend() && old->pair == pair) entry.count += (old++)->count;
      merged.push_back(entry);
      next = after;
    }
    merged.insert(merged.end(), old, table_.cend());
    table_ = std::move(merged);
    pending_.clear();
    shrink();
  }

  // Drops all pairs of one count after another, so that what stays does not depend on the order in the table.
  void shrink() {
    if (table_.size() <= limit_) return;
    std::uint32_t floor = 0;
    while (table_.size() > limit_ / 2) {
      ++floor;
      std::erase_if(table_, [floor](const Entry& entry) { return entry.count <= floor; });
    }
    lost_ += floor;
  }

  std::size_t limit_;
  std::vector<std::uint64_t> pending_;
  std::vector<Entry> table_;
  std::uint64_t lost_ = 0;
};

}  // namespace metaphrase::phrases
