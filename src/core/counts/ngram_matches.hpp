// Clipped matches of word n-grams, BLEU's sufficient statistics, from texts of words between single spaces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace metaphrase::counts {

// Counts the n-grams of one segment. n-grams get exact names: that of order n is the pair of the name of its
// first n-1 words and its last word, numbered by sorting, so nothing rests on hashes being unique.
class NgramMatcher {
 public:
  explicit NgramMatcher(int orders) : orders_(orders) {}

  std::size_t columns() const { return 2 + 2 * static_cast<std::size_t>(orders_); }

  // Row: hypothesis length, closest reference length (the shorter of two equally close), matches by order,
  // hypothesis n-grams by order. An n-gram matches as often as in the reference that has it most often.
  void count(std::string_view hypothesis, const std::vector<std::string_view>& references, double* row) {
    words_.clear();
    texts_.clear();
    tokens_.clear();
    add(hypothesis);
    for (const std::string_view reference : references) add(reference);
    std::fill_n(row, columns(), 0.0);
    const std::int64_t length = texts_[0].end;
    row[0] = static_cast<double>(length);
    std::int64_t closest = -1;
    for (std::size_t t = 1; t < texts_.size(); ++t) {
      const std::int64_t other = texts_[t].end - texts_[t].begin;
      const std::int64_t distance = std::abs(length - other), best = std::abs(length - closest);
      if (closest < 0 || distance < best || (distance == best && other < closest)) closest = other;
    }
    row[1] = static_cast<double>(closest);
    names_.assign(tokens_.begin(), tokens_.end());
    for (int n = 1; n <= orders_ && length >= n; ++n) {
      if (n > 1) rename(n);
      row[2 + n - 1] = static_cast<double>(matches(n));
      row[2 + orders_ + n - 1] = static_cast<double>(length - n + 1);
    }
  }

 private:
  struct Text {
    std::int64_t begin, end;
  };

  void add(std::string_view text) {
    const auto begin = static_cast<std::int64_t>(tokens_.size());
    while (!text.empty()) {
      const std::size_t space = std::min(text.find(' '), text.size());
      if (space > 0) {
        const auto name = static_cast<std::uint32_t>(words_.size());
        tokens_.push_back(words_.try_emplace(text.substr(0, space), name).first->second);
      }
      text.remove_prefix(std::min(space + 1, text.size()));
    }
    texts_.push_back({begin, static_cast<std::int64_t>(tokens_.size())});
  }

  // Turns names of (n-1)-grams into names of n-grams at the same first words.
  void rename(int n) {
    keys_.clear();
    for (const Text& text : texts_) {
      for (std::int64_t i = text.begin; i + n <= text.end; ++i) {
        const std::uint64_t prefix = names_[i];
        keys_.push_back({prefix << 32 | tokens_[i + n - 1], static_cast<std::uint32_t>(i)});
      }
    }
    std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) { return a.pair < b.pair; });
    std::uint32_t name = 0;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (k > 0 && keys_[k].pair != keys_[k - 1].pair) ++name;
      names_[keys_[k].place] = name;
    }
  }

  std::int64_t matches(int n) {
    wanted_.assign(tokens_.size() + 1, 0);
    most_.assign(tokens_.size() + 1, 0);
    for (std::int64_t i = 0; i + n <= texts_[0].end; ++i) ++wanted_[names_[i]];
    for (std::size_t t = 1; t < texts_.size(); ++t) {
      counts_.assign(tokens_.size() + 1, 0);
      for (std::int64_t i = texts_[t].begin; i + n <= texts_[t].end; ++i) {
        const std::uint32_t name = names_[i];
        most_[name] = std::max(most_[name], ++counts_[name]);
      }
    }
    std::int64_t sum = 0;
    for (std::size_t name = 0; name < wanted_.size(); ++name) sum += std::min(wanted_[name], most_[name]);
    return sum;
  }

  struct Key {
    std::uint64_t pair;
    std::uint32_t place;
  };

  int orders_;
  std::unordered_map<std::string_view, std::uint32_t> words_;
  std::vector<Text> texts_;
  std::vector<std::uint32_t> tokens_, names_;
  std::vector<Key> keys_;
  std::vector<std::int32_t> wanted_, most_, counts_;
};

}  // namespace metaphrase::counts
