// The synsets that words of a vocabulary share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace metaphrase::meteor {

// Synsets that one word alone has are left out, since they are never shared.
class MeteorSenses {
 public:
  MeteorSenses() = default;
  // `synsets` of all words, ascending and each once for a word, which begin at `starts`; all below `count`.
  MeteorSenses(std::span<const std::int32_t> synsets, std::span<const std::size_t> starts,
               std::size_t count) {
    std::vector<std::uint8_t> words(count, 0);  // 2 stands for any number of them
    for (const std::int32_t synset : synsets) words[synset] += words[synset] < 2;
    for (std::size_t word = 0; word + 1 < starts.size(); ++word) {
      for (const std::int32_t synset : synsets.subspan(starts[word], starts[word + 1] - starts[word])) {
        if (words[synset] == 2) synsets_.push_back(synset);
      }
      starts_.push_back(synsets_.size());
    }
  }

  // Ascending.
  std::span<const std::int32_t> of(std::int32_t word) const {
    return std::span(synsets_).subspan(starts_[word], starts_[word + 1] - starts_[word]);
  }

 private:
  std::vector<std::size_t> starts_{0};
  std::vector<std::int32_t> synsets_;
};

}  // namespace metaphrase::meteor
