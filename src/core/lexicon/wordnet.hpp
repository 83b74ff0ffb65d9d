// WordNet 3.0: synsets, hypernyms, similarity of synsets and synonyms among many words.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/elementary.hpp"
#include "base/mapped_file.hpp"
#include "base/packed_strings.hpp"
#include "lexicon/wordnet_file.hpp"

namespace metaphrase::lexicon {

struct SynonymGraph {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> neighbours;
};

// Immutable after construction, so any number of threads may ask at once.
class WordNet {
 public:
  explicit WordNet(const std::string& path)
      : file_(path),
        header_(file_.bytes()),
        lemmas_(header_.bytes(header_.lemma_text), header_.bytes(header_.lemma_lengths), "lemmas"),
        senses_(header_.words(header_.senses)),
        sense_starts_(header_.bytes(header_.sense_counts), senses_.size(), "senses"),
        parts_(header_.bytes(header_.parts)),
        hypernyms_(header_.words(header_.hypernyms)),
        hypernym_starts_(header_.bytes(header_.hypernym_counts), hypernyms_.size(), "hypernyms"),
        corpus_counts_(header_.words(header_.corpus_counts)),
        exceptions_(header_.bytes(header_.exception_text), header_.bytes(header_.exception_lengths),
                    "exceptions"),
        base_text_(header_.bytes(header_.base_text)),
        base_starts_(header_.bytes(header_.base_lengths), base_text_.size(), "base forms") {
    require_synsets(senses_, "senses");
    require_synsets(hypernyms_, "hypernyms");
    require_parts();
    require_ascii(header_.bytes(header_.lemma_text));
    require_ascii(base_text_);
  }

  std::size_t lemma_count() const { return lemmas_.count(); }
  std::size_t synset_count() const { return parts_.size(); }

  std::span<const std::uint8_t> digest() const {
    return file_.bytes().subspan(header_.digest_begin, header_.digest_end - header_.digest_begin);
  }

  // The key of a word: ASCII letters in lower case, spaces as underscores, every other byte as it is.
  static void normalise(std::string_view word, std::string& key) {
    key.assign(word);
    for (char& c : key) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      if (c == ' ') c = '_';
    }
  }

  // Synsets of a word in sense order, nouns before verbs, adjectives and adverbs.
  std::span<const std::uint32_t> synsets(std::string_view word, std::string& key) const {
    normalise(word, key);
    const std::uint32_t lemma = lemmas_.find(key);
    return lemma == PackedStrings::absent ? std::span<const std::uint32_t>{}
                                          : sense_starts_.slice(senses_, lemma);
  }

  // Whether a synset counts when `part` is asked for; 0 asks for all, 'a' includes satellites.
  bool has_part(std::uint32_t synset, char part) const {
    const char own = part_of_speech(synset);
    return part == 0 || own == part || (own == 's' && part == 'a');
  }

  char part_of_speech(std::size_t synset) const { return static_cast<char>(parts_[synset]); }

  std::span<const std::uint32_t> hypernyms(std::size_t synset) const {
    return hypernym_starts_.slice(hypernyms_, synset);
  }

  std::vector<std::string_view> lemmas(std::size_t synset) const {
    std::call_once(members_made_, [this] { make_members(); });
    std::vector<std::string_view> result;
    for (std::size_t i = member_starts_[synset]; i < member_starts_[synset + 1]; ++i) {
      result.push_back(lemmas_[members_[i]]);
    }
    return result;
  }

  // -log P(synset), infinite where the corpus has no instance or the part of speech no counts.
  double information_content(std::size_t synset) const {
    const char part = part_of_speech(synset);
    const std::uint64_t total = part == 'n' ? header_.noun_total() : part == 'v' ? header_.verb_total() : 0;
    const std::uint32_t count = corpus_counts_[synset];
    if (total == 0 || count == 0) return std::numeric_limits<double>::infinity();
    // log(1) at the root would otherwise be a negative zero.
    return elementary::log(static_cast<double>(total)) - elementary::log(static_cast<double>(count));
  }

  // Lin (1998): 2 IC(c) / (IC(a) + IC(b)), c the common subsumer with the highest IC; 0 where that is
  // undefined.
  double lin(std::uint32_t a, std::uint32_t b) const {
    const char part = part_of_speech(a);
    if (part != part_of_speech(b) || (part != 'n' && part != 'v')) return 0.0;
    if (a == b) return 1.0;
    const double sum = information_content(a) + information_content(b);
    if (!(sum > 0.0) || std::isinf(sum)) return 0.0;
    const auto above_a = subsumers(a);
    double shared = 0.0;
    for (const std::uint32_t synset : subsumers(b)) {
      const double content = above_a.contains(synset) ? information_content(synset) : 0.0;
      if (std::isfinite(content)) shared = std::max(shared, content);
    }
    return std::min(2.0 * shared / sum, 1.0);
  }

  // Base forms of an irregular form, joined by spaces; empty if the form is not on the list of its part.
  std::string_view exceptions(std::string_view form, char part) const {
    std::string key;
    normalise(form, key);
    key.insert(key.begin(), part);
    const std::uint32_t index = exceptions_.find(key);
    if (index == PackedStrings::absent) return {};
    const auto base = base_starts_.slice(base_text_, index);
    return {reinterpret_cast<const char*>(base.data()), base.size()};
  }

  // For each word the other words that share a synset with it; parts[i] restricts the synsets of word i.
  SynonymGraph synonym_graph(std::span<const std::string_view> words, std::span<const char> parts) const {
    std::string key;
    std::vector<std::uint32_t> senses;
    std::vector<std::size_t> sense_ends(words.size());
    std::vector<std::uint32_t> first_word(synset_count() + 1);
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (const std::uint32_t synset : synsets(words[word], key)) {
        if (!has_part(synset, parts[word])) continue;
        senses.push_back(synset);
        ++first_word[synset + 1];
      }
      sense_ends[word] = senses.size();
    }
    for (std::size_t synset = 0; synset < synset_count(); ++synset)
      first_word[synset + 1] += first_word[synset];

    std::vector<std::int32_t> words_of_synset(senses.size());
    std::vector<std::uint32_t> next(first_word.begin(), first_word.end() - 1);
    std::size_t sense = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (; sense < sense_ends[word]; ++sense) {
        words_of_synset[next[senses[sense]]++] = static_cast<std::int32_t>(word);
      }
    }

    SynonymGraph graph;
    graph.offsets.reserve(words.size() + 1);
    graph.offsets.push_back(0);
    sense = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      auto& neighbours = graph.neighbours;
      const auto begin = static_cast<std::ptrdiff_t>(neighbours.size());
      for (; sense < sense_ends[word]; ++sense) {
        for (std::uint32_t i = first_word[senses[sense]]; i < first_word[senses[sense] + 1]; ++i) {
          if (words_of_synset[i] != static_cast<std::int32_t>(word)) neighbours.push_back(words_of_synset[i]);
        }
      }
      std::sort(neighbours.begin() + begin, neighbours.end());
      neighbours.erase(std::unique(neighbours.begin() + begin, neighbours.end()), neighbours.end());
      graph.offsets.push_back(static_cast<std::int64_t>(neighbours.size()));
    }
    return graph;
  }

 private:
  void require_synsets(std::span<const std::uint32_t> ids, const char* what) const {
    // A running maximum instead of an early exit: the compiler vectorises it.
    std::uint32_t highest = 0;
    for (const std::uint32_t id : ids) highest = std::max(highest, id);
    if (!ids.empty() && highest >= synset_count()) {
      throw std::invalid_argument(std::string(what) + " name a synset that does not exist");
    }
  }

  void require_parts() const {
    std::array<bool, 256> known{};
    for (const char part : {'n', 'v', 'a', 's', 'r'}) known[static_cast<std::size_t>(part)] = true;
    bool all_known = true;
    for (const std::uint8_t part : parts_) all_known &= known[part];
    if (!all_known) throw std::invalid_argument("a part of speech is unknown");
  }

  // Text leaves as Python strings, which must not fail to decode.
  void require_ascii(std::span<const std::uint8_t> text) const {
    std::uint8_t bits = 0;
    for (const std::uint8_t byte : text) bits |= byte;
    if (bits >= 0x80) throw std::invalid_argument("text is not ASCII");
  }

  // The synset and everything above it. The set also keeps a cycle in a damaged file from running for ever.
  std::unordered_set<std::uint32_t> subsumers(std::uint32_t synset) const {
    std::unordered_set<std::uint32_t> seen{synset};
    std::vector<std::uint32_t> pending{synset};
    while (!pending.empty()) {
      const std::uint32_t current = pending.back();
      pending.pop_back();
      for (const std::uint32_t hypernym : hypernyms(current)) {
        if (seen.insert(hypernym).second) pending.push_back(hypernym);
      }
    }
    return seen;
  }

  // Inverts lemma -> synsets; only `lemmas` needs it, so opening does not wait for it.
  void make_members() const {
    std::vector<std::uint32_t> starts(synset_count() + 1);
    for (const std::uint32_t synset : senses_) ++starts[synset + 1];
    for (std::size_t synset = 0; synset < synset_count(); ++synset) starts[synset + 1] += starts[synset];
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    members_.resize(senses_.size());
    for (std::uint32_t lemma = 0; lemma < lemma_count(); ++lemma) {
      for (const std::uint32_t synset : sense_starts_.slice(senses_, lemma)) members_[next[synset]++] = lemma;
    }
    member_starts_ = std::move(starts);
  }

  MappedFile file_;
  WordNetHeader header_;
  PackedStrings lemmas_;
  std::span<const std::uint32_t> senses_;
  ListStarts sense_starts_;
  std::span<const std::uint8_t> parts_;
  std::span<const std::uint32_t> hypernyms_;
  ListStarts hypernym_starts_;
  std::span<const std::uint32_t> corpus_counts_;
  PackedStrings exceptions_;
  std::span<const std::uint8_t> base_text_;
  ListStarts base_starts_;
  mutable std::once_flag members_made_;
  mutable std::vector<std::uint32_t> member_starts_;
  mutable std::vector<std::uint32_t> members_;
};

}  // namespace metaphrase::lexicon
