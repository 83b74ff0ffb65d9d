// Links between phrases: runs of words that a table of paraphrases relates, where words alone do not explain
// each other.
//
// A word of a linked phrase has no partner, or only a weak one in the other phrase, whose link the phrases
// take over. Which of the possible links are taken is a problem of weighted set packing: no two may share a
// word, and together they are to give as many words of both sides as can be a partner. It is solved exactly,
// by branch and bound, apart for links that have nothing to do with each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "alignment/similarity.hpp"
#include "alignment/state.hpp"

namespace metaphrase::alignment {

// A run of words that is a phrase of the table; positions count from 1.
struct PhraseSpan {
  std::int32_t begin, words, phrase;
};

// `gain` is how many words of both sides had no partner.
struct PhraseLink {
  std::int32_t left, left_words, right, right_words, gain;
};

// Chooses links that share no word: those that gain most words, of these the fewest, of these the first in
// the order of the text (left before right, longer before shorter).
class PhraseChoice {
 public:
  // Of links that depend on each other so many are looked at, after which the best choice so far counts.
  // Texts need tens; this is for those that repeat a phrase hundreds of times.
  static constexpr std::int64_t most_visits = std::int64_t{1} << 22;

  // Leaves the links that were chosen, in the order of the text.
  void choose(std::vector<PhraseLink>& links, std::int32_t left_size, std::int32_t right_size) {
    std::sort(links.begin(), links.end(), [](const PhraseLink& a, const PhraseLink& b) {
      return std::tuple(a.left, -a.left_words, a.right, -a.right_words) <
             std::tuple(b.left, -b.left_words, b.right, -b.right_words);
    });
    used_left_.assign(left_size + 1, 0);
    used_right_.assign(right_size + 1, 0);
    group(links, left_size, right_size);
    chosen_.clear();
    for (std::size_t first = 0; first < grouped_.size();) {
      std::size_t last = first + 1;
      while (last < grouped_.size() && root(grouped_[last]) == root(grouped_[first])) ++last;
      part_.clear();
      for (std::size_t at = first; at < last; ++at) part_.push_back(links[grouped_[at]]);
      search();
      chosen_.insert(chosen_.end(), best_.begin(), best_.end());
      first = last;
    }
    std::sort(chosen_.begin(), chosen_.end(),
              [](const PhraseLink& a, const PhraseLink& b) { return a.left < b.left; });
    links.swap(chosen_);
  }

 private:
  static std::int64_t worth(const PhraseLink& link) { return (std::int64_t{link.gain} << 32) - 1; }

  std::int32_t root(std::int32_t i) {
    while (group_[i] != i) i = group_[i] = group_[group_[i]];
    return i;
  }

  // Links that share a word belong together, directly or through others.
  void group(std::span<const PhraseLink> links, std::int32_t left_size, std::int32_t right_size) {
    group_.resize(links.size());
    std::iota(group_.begin(), group_.end(), 0);
    std::vector<std::int32_t> left_owner(left_size + 1, -1), right_owner(right_size + 1, -1);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(links.size()); ++i) {
      const auto join = [&](std::vector<std::int32_t>& owners, std::int32_t begin, std::int32_t words) {
        for (std::int32_t at = begin; at < begin + words; ++at) {
          if (owners[at] < 0) owners[at] = i;
          group_[root(i)] = root(owners[at]);
        }
      };
      join(left_owner, links[i].left, links[i].left_words);
      join(right_owner, links[i].right, links[i].right_words);
    }
    grouped_.resize(links.size());
    std::iota(grouped_.begin(), grouped_.end(), 0);
    std::stable_sort(grouped_.begin(), grouped_.end(),
                     [&](std::int32_t a, std::int32_t b) { return root(a) < root(b); });
  }

  // Takes every link that it can, in their order, then goes back to the last that it took and does without
  // it, unless what is left cannot do better than the best choice so far.
  void search() {
    by_right_.resize(part_.size());
    std::iota(by_right_.begin(), by_right_.end(), 0);
    std::stable_sort(by_right_.begin(), by_right_.end(),
                     [&](std::int32_t a, std::int32_t b) { return part_[a].right < part_[b].right; });
    const auto size = static_cast<std::int32_t>(part_.size());
    std::int64_t visits = 0, value = 0, best = 0;
    const std::int64_t most = bound(0);
    best_.clear();
    taken_.clear();
    for (std::int32_t next = 0;;) {
      for (; next < size; ++next) {
        if (!fits(part_[next])) continue;
        use(part_[next], 1);
        value += worth(part_[next]);
        taken_.push_back(next);
      }
      if (value > best) {
        best = value;
        best_.clear();
        for (const std::int32_t i : taken_) best_.push_back(part_[i]);
      }
      bool promising = false;
      while (!promising && best < most && visits < most_visits && !taken_.empty()) {
        next = taken_.back() + 1;
        taken_.pop_back();
        use(part_[next - 1], 0);
        value -= worth(part_[next - 1]);
        visits += size - next + 1;
        promising = value + bound(next) > best;
      }
      if (!promising) break;
    }
    for (const std::int32_t i : taken_) use(part_[i], 0);
  }

  bool fits(const PhraseLink& link) const {
    const auto free = [](const std::vector<char>& used, std::int32_t begin, std::int32_t words) {
      return std::none_of(used.begin() + begin, used.begin() + begin + words, [](char one) { return one; });
    };
    return free(used_left_, link.left, link.left_words) && free(used_right_, link.right, link.right_words);
  }

  void use(const PhraseLink& link, char used) {
    std::fill_n(used_left_.begin() + link.left, link.left_words, used);
    std::fill_n(used_right_.begin() + link.right, link.right_words, used);
  }

  // What links from this one on can be worth: as much as if they had to differ in the words of one side only.
  std::int64_t bound(std::int32_t first) {
    const auto number = [](std::int32_t at) { return at; };
    const auto right_number = [&](std::int32_t at) { return by_right_[at]; };
    return std::min(
        relaxed(first, number, used_left_.size(), &PhraseLink::left, &PhraseLink::left_words),
        relaxed(first, right_number, used_right_.size(), &PhraseLink::right, &PhraseLink::right_words));
  }

  template <class Number>
  std::int64_t relaxed(std::int32_t first, Number&& number, std::size_t places,
                       std::int32_t PhraseLink::* begin, std::int32_t PhraseLink::* words) {
    after_.assign(places + 1, 0);  // the best from a position on
    auto place = static_cast<std::int32_t>(places);
    for (auto at = static_cast<std::int32_t>(part_.size()); at-- > 0;) {
      const PhraseLink& link = part_[number(at)];
      if (number(at) < first || !fits(link)) continue;
      for (; place > link.*begin; --place) after_[place - 1] = after_[place];
      after_[place] = std::max(after_[place], worth(link) + after_[link.*begin + link.*words]);
    }
    return after_[place];
  }

  std::vector<char> used_left_, used_right_;
  std::vector<std::int32_t> group_, grouped_, by_right_, taken_;
  std::vector<PhraseLink> part_, best_, chosen_;
  std::vector<std::int64_t> after_;
};

// Finds the links of two sentences that are aligned word by word, and puts them into their alignment.
class PhraseLinker {
 public:
  static constexpr std::uint8_t stage = 10;

  std::vector<PhraseLink> links;

  // The spans of both sentences, and which phrases paraphrase which. Words that paraphrase each other alone
  // are no matter of phrases.
  void link(AlignedSentence& left, AlignedSentence& right, Alignment& alignment,
            std::span<const PhraseSpan> left_spans, std::span<const PhraseSpan> right_spans,
            const WordGraph& paraphrases, const LexicalEvidence& evidence) {
    links.clear();
    by_phrase_.assign(right_spans.begin(), right_spans.end());
    std::stable_sort(by_phrase_.begin(), by_phrase_.end(), before);
    for (const PhraseSpan& span : left_spans) {
      for (auto at = paraphrases.offsets[span.phrase]; at < paraphrases.offsets[span.phrase + 1]; ++at) {
        const PhraseSpan sought{0, 0, paraphrases.neighbours[at]};
        const auto [first, last] = std::equal_range(by_phrase_.begin(), by_phrase_.end(), sought, before);
        for (auto other = first; other != last; ++other) {
          if (span.words == 1 && other->words == 1) continue;
          links.push_back({span.begin, span.words, other->begin, other->words, 0});
        }
      }
    }
    if (links.empty()) return;
    find_partners(left, right, alignment, evidence);
    std::erase_if(links, [&](PhraseLink& one) {
      one.gain = 0;
      const bool apart =
          unexplained(left_partner_, one.left, one.left_words, one.right, one.right_words, one.gain) &&
          unexplained(right_partner_, one.right, one.right_words, one.left, one.left_words, one.gain);
      return !apart || one.gain == 0;
    });
    choice_.choose(links, left.size(), right.size());
    for (const PhraseLink& one : links) {
      for (std::int32_t i = one.left; i < one.left + one.left_words; ++i) {
        for (std::int32_t j = one.right; j < one.right + one.right_words; ++j) alignment.join(i, j, stage);
      }
    }
  }

 private:
  static constexpr std::int32_t none = 0, strong = -1;

  static bool before(const PhraseSpan& a, const PhraseSpan& b) { return a.phrase < b.phrase; }

  // The only partner of each word, if it is worth no more than a phrase's.
  void find_partners(const AlignedSentence& left, const AlignedSentence& right, const Alignment& alignment,
                     const LexicalEvidence& evidence) {
    left_partner_.assign(left.words.size(), none);
    right_partner_.assign(right.words.size(), none);
    for (std::int32_t i = 1; i <= left.size(); ++i) {
      if (!left.aligned[i]) continue;
      for (std::int32_t j = 1; j <= right.size(); ++j) {
        if (!alignment.has(i, j)) continue;
        const Kind kind = scoring_kind(left.words[i], right.words[j], evidence);
        const bool weak = scoring_similarity(kind) <= scoring_similarity(Kind::paraphrase);
        const bool only = left_partner_[i] == none && right_partner_[j] == none;
        left_partner_[i] = weak && only ? j : strong;
        right_partner_[j] = weak && only ? i : strong;
      }
    }
  }

  // Whether no word of a phrase has a partner, but a weak one in the other; counts those that have none.
  static bool unexplained(std::span<const std::int32_t> partners, std::int32_t begin, std::int32_t words,
                          std::int32_t other, std::int32_t other_words, std::int32_t& without) {
    return std::all_of(partners.begin() + begin, partners.begin() + begin + words, [&](std::int32_t partner) {
      without += partner == none;
      return partner == none || (partner >= other && partner < other + other_words);
    });
  }

  PhraseChoice choice_;
  std::vector<PhraseSpan> by_phrase_;
  std::vector<std::int32_t> left_partner_, right_partner_;
};

}  // namespace metaphrase::alignment
