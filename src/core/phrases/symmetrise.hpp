// One alignment of a sentence pair from the alignments in its two directions (Koehn, Och and Marcu 2003; the
// order of steps is that of Koehn et al., IWSLT 2005, so that results do not depend on chance).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace metaphrase::phrases {

enum class Symmetrisation { intersection, union_, grow_diag, grow_diag_final_and };

class Symmetriser {
 public:
  explicit Symmetriser(Symmetrisation method) : method_(method) {}

  // `source_of` gives a source word for each target word, `target_of` the reverse; -1 is none. Links come
  // sorted, appended to `sources` and `targets`. Entries must lie in their sentence.
  void add_links(std::span<const std::int32_t> source_of, std::span<const std::int32_t> target_of,
                 std::vector<std::int32_t>& sources, std::vector<std::int32_t>& targets) {
    rows_ = target_of.size();
    columns_ = source_of.size();
    cells_.assign(rows_ * columns_, 0);
    row_linked_.assign(rows_, 0);
    column_linked_.assign(columns_, 0);
    for (std::size_t t = 0; t < columns_; ++t) {
      if (source_of[t] >= 0) cells_[source_of[t] * columns_ + t] |= to_target;
    }
    for (std::size_t s = 0; s < rows_; ++s) {
      if (target_of[s] >= 0) cells_[s * columns_ + target_of[s]] |= to_source;
    }
    for (std::size_t s = 0; s < rows_; ++s) {
      for (std::size_t t = 0; t < columns_; ++t) {
        const std::uint8_t votes = at(s, t) & both;
        if (votes == both || (votes != 0 && method_ == Symmetrisation::union_)) link(s, t);
      }
    }
    if (method_ == Symmetrisation::grow_diag || method_ == Symmetrisation::grow_diag_final_and) grow();
    if (method_ == Symmetrisation::grow_diag_final_and) {
      finish(to_target);
      finish(to_source);
    }
    for (std::size_t s = 0; s < rows_; ++s) {
      for (std::size_t t = 0; t < columns_; ++t) {
        if ((at(s, t) & linked) == 0) continue;
        sources.push_back(static_cast<std::int32_t>(s));
        targets.push_back(static_cast<std::int32_t>(t));
      }
    }
  }

 private:
  static constexpr std::uint8_t to_target = 1, to_source = 2, both = 3, linked = 4;

  std::uint8_t& at(std::size_t s, std::size_t t) { return cells_[s * columns_ + t]; }

  void link(std::size_t s, std::size_t t) {
    at(s, t) |= linked;
    row_linked_[s] = column_linked_[t] = 1;
  }

  // Adds neighbours of links, diagonal ones too, that one direction has and that give a bare word a link;
  // again and again until nothing is added.
  void grow() {
    static constexpr std::array<std::pair<int, int>, 8> neighbours{
        {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t s = 0; s < rows_; ++s) {
        if (row_linked_[s] == 0) continue;
        for (std::size_t t = 0; t < columns_; ++t) {
          if ((at(s, t) & linked) == 0) continue;
          for (const auto& [down, right] : neighbours) {
            // Below zero wraps round to a number beyond every sentence.
            const std::size_t row = s + down, column = t + right;
            if (row >= rows_ || column >= columns_ || (at(row, column) & both) == 0) continue;
            if (row_linked_[row] != 0 && column_linked_[column] != 0) continue;
            link(row, column);
            grown = true;
          }
        }
      }
    }
  }

  // Links of one direction between two words that are both still bare.
  void finish(std::uint8_t direction) {
    for (std::size_t s = 0; s < rows_; ++s) {
      for (std::size_t t = 0; t < columns_ && row_linked_[s] == 0; ++t) {
        if ((at(s, t) & direction) != 0 && column_linked_[t] == 0) link(s, t);
      }
    }
  }

  Symmetrisation method_;
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<std::uint8_t> cells_, row_linked_, column_linked_;
};

}  // namespace metaphrase::phrases
