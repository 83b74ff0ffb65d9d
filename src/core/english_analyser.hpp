// Text to columns: tokenise, tag and lemmatise a batch of texts in one pass.
//
// What is known of a word type (its traits, the summed weights of its features at each place of the window) is
// kept in a table of bounded size, one table a thread; it is emptied when full, so that memory does not grow with
// the corpus. Results never depend on what the table holds.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "english_model.hpp"
#include "features.hpp"
#include "parallel.hpp"
#include "tokeniser.hpp"
#include "unicode.hpp"

namespace metaphrase {

inline std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = bytes.size() * 0x9E3779B97F4A7C15ull, word = 0;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::memcpy(&word, bytes.data() + at, 8);
    hash = mix(hash, word);
  }
  word = 0;
  if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  return mix(mix(hash, word), 0);
}

// The strings of a batch, numbered by first appearance.
class StringTable {
 public:
  StringTable() : slots_(256, 0) {}

  std::int32_t intern(std::string_view text, std::uint64_t hash) {
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const Entry& entry = entries_[slots_[at] - 1];
      if (entry.hash == hash && view(entry) == text) return slots_[at] - 1;
    }
    entries_.push_back({hash, bytes_.size(), text.size()});
    bytes_.append(text);
    slots_[at] = static_cast<std::int32_t>(entries_.size());
    if (entries_.size() * 2 > slots_.size()) grow();
    return static_cast<std::int32_t>(entries_.size()) - 1;
  }
  std::int32_t intern(std::string_view text) { return intern(text, hash_bytes(text)); }

  std::size_t size() const { return entries_.size(); }
  std::string_view operator[](std::size_t i) const { return view(entries_[i]); }

 private:
  struct Entry {
    std::uint64_t hash;
    std::size_t begin, size;
  };
  std::string_view view(const Entry& entry) const { return {bytes_.data() + entry.begin, entry.size}; }
  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::size_t at = entries_[i].hash & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<std::int32_t>(i) + 1;
    }
  }

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;
};

struct WantedColumns {
  bool lemma = false, tag = false, upos = false;
  bool labels() const { return lemma || tag || upos; }
};

// Columns of consecutive texts; string cells are numbers in `strings`.
struct TokenColumns {
  std::vector<std::int32_t> form, start, end, lemma, tag, upos;
  std::vector<std::int32_t> lengths;  // tokens of each text
  StringTable strings;
};

// Sums `sources` into `out`, `size` a multiple of 16.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
inline void add_scores(const std::array<const std::int16_t*, window_size>& sources, std::int16_t* __restrict out,
                       std::size_t size) {
  const std::int16_t* __restrict a = sources[0];
  const std::int16_t* __restrict b = sources[1];
  const std::int16_t* __restrict c = sources[2];
  const std::int16_t* __restrict d = sources[3];
  const std::int16_t* __restrict e = sources[4];
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::int16_t>(a[i] + b[i] + c[i] + d[i] + e[i]);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
inline std::int16_t largest_score(const std::int16_t* scores, std::size_t size) {
  std::int16_t best = scores[0];
  for (std::size_t i = 0; i < size; ++i) best = std::max(best, scores[i]);
  return best;
}

// One thread's table of word types.
class WordCache {
 public:
  static constexpr std::size_t capacity = 32768;

  struct Word {
    std::uint64_t hash = 0;
    std::uint32_t text = 0, size = 0;   // in bytes_
    ContextTraits traits;
    bool scored = false;
    std::uint64_t batch = 0;            // the batch for which the following numbers hold
    std::int32_t form = 0;
    std::array<std::int32_t, 2> lemma_label{-1, -1}, lemma{0, 0};
  };

  explicit WordCache(const EnglishModel& model)
      : model_(model), stride_((model.labels.size() + 15) / 16 * 16), slots_(capacity * 4, 0) {
    words_.reserve(capacity);
    scores_ = std::make_unique_for_overwrite<std::int16_t[]>((capacity + 1) * window_size * stride_);
    outside_.traits = outside_word();
    fill_scores(outside_word(), scores_.get() + capacity * window_size * stride_);
    outside_.scored = true;
  }

  std::size_t stride() const { return stride_; }
  bool full() const { return words_.size() == capacity || bytes_.size() > capacity * 64; }
  void clear() {
    words_.clear();
    bytes_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
  }

  static constexpr std::uint32_t outside = capacity;

  Word& operator[](std::uint32_t index) { return index == outside ? outside_ : words_[index]; }
  std::string_view text(const Word& word) const { return {bytes_.data() + word.text, word.size}; }

  // The number of the word type; the table must not be full.
  std::uint32_t find(std::string_view form) {
    const std::uint64_t hash = hash_bytes(form);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const Word& word = words_[slots_[at] - 1];
      if (word.hash == hash && text(word) == form) return slots_[at] - 1;
    }
    Word word;
    word.hash = hash;
    word.text = static_cast<std::uint32_t>(bytes_.size());
    word.size = static_cast<std::uint32_t>(form.size());
    bytes_.append(form);
    words_.push_back(word);
    slots_[at] = static_cast<std::uint32_t>(words_.size());
    return slots_[at] - 1;
  }

  const std::int16_t* scores(std::uint32_t index, int place) {
    std::int16_t* own = scores_.get() + index * window_size * stride_;
    if (Word& word = (*this)[index]; !word.scored) {
      const WordTraits traits = model_.traits(decode_all(text(word)));
      word.traits = traits;
      fill_scores(traits, own);
      word.scored = true;
    }
    return own + place * stride_;
  }

 private:
  void fill_scores(const WordTraits& traits, std::int16_t* out) {
    std::fill(out, out + window_size * stride_, std::int16_t{0});
    for (int place = 0; place < window_size; ++place, out += stride_) {
      keys_.clear();
      word_keys(traits, place, keys_);
      model_.weights.add_rows(keys_.view(), out);
    }
  }

  const EnglishModel& model_;
  std::size_t stride_;
  std::vector<Word> words_;
  std::string bytes_;
  std::vector<std::uint32_t> slots_;
  std::unique_ptr<std::int16_t[]> scores_;
  Word outside_;
  FeatureKeys keys_;
};

// One thread's way through its texts.
class AnalysisWorker {
 public:
  explicit AnalysisWorker(const EnglishModel& model) : model_(model), cache_(model), scores_(cache_.stride()) {
    tag_ids_.resize(model.labels.size());
    upos_ids_.resize(model.labels.size());
  }

  // Everything analysed until the next call goes into one table of strings.
  void begin(const WantedColumns& wanted) {
    wanted_ = wanted;
    ++batch_;
    std::fill(tag_ids_.begin(), tag_ids_.end(), -1);
    std::fill(upos_ids_.begin(), upos_ids_.end(), -1);
  }

  void analyse_text(std::string_view text, TokenColumns& out) {
    decoded_.decode(text);
    spans_.clear();
    tokeniser_.tokenise(decoded_, spans_);
    for (const Span& span : spans_) {
      out.start.push_back(static_cast<std::int32_t>(span.start));
      out.end.push_back(static_cast<std::int32_t>(span.end));
    }
    out.lengths.push_back(static_cast<std::int32_t>(spans_.size()));
    tag(spans_.size(), [&](std::size_t i) {
      const std::uint32_t from = decoded_.bytes[spans_[i].start];
      return text.substr(from, decoded_.bytes[spans_[i].end] - from);
    }, out);
  }

  // Tokens given as they are; their spans are not known.
  void analyse_tokens(const std::vector<std::string_view>& forms, TokenColumns& out) {
    out.lengths.push_back(static_cast<std::int32_t>(forms.size()));
    tag(forms.size(), [&](std::size_t i) { return forms[i]; }, out);
  }

 private:
  template <class FormAt>
  void tag(std::size_t size, FormAt&& form_at, TokenColumns& out) {
    std::array<std::uint32_t, window_size> window;
    window.fill(WordCache::outside);
    std::uint32_t before = outside_label, second_before = outside_label;
    const std::size_t ahead = wanted_.labels() ? window_radius : 0;
    for (std::size_t step = 0; step < size + ahead; ++step) {
      if (cache_.full()) refill(window, step, size, form_at);
      std::copy(window.begin() + 1, window.end(), window.begin());
      window.back() = step < size ? cache_.find(form_at(step)) : WordCache::outside;
      if (step < size) out.form.push_back(form_id(window.back(), out));
      if (!wanted_.labels() || step < ahead) continue;
      const std::uint32_t label = best_label(window, before, second_before);
      second_before = before;
      before = label;
      if (wanted_.lemma) out.lemma.push_back(lemma_id(window[window_radius], label, out));
      if (wanted_.tag) out.tag.push_back(label_id(tag_ids_, label, model_.labels[label].tag, out));
      if (wanted_.upos) out.upos.push_back(label_id(upos_ids_, label, model_.labels[label].upos, out));
    }
  }

  // Empties the table and finds the words of the window again; `step` is the token that comes next.
  template <class FormAt>
  void refill(std::array<std::uint32_t, window_size>& window, std::size_t step, std::size_t size, FormAt&& form_at) {
    cache_.clear();
    for (std::size_t place = 0; place < window_size; ++place) {
      const std::size_t back = window_size - place;  // how far before `step` the word stands
      const bool inside = window[place] != WordCache::outside && back <= step && step - back < size;
      window[place] = inside ? cache_.find(form_at(step - back)) : WordCache::outside;
    }
  }

  std::uint32_t best_label(const std::array<std::uint32_t, window_size>& window, std::uint32_t before,
                           std::uint32_t second_before) {
    std::array<const std::int16_t*, window_size> sources;
    std::array<const ContextTraits*, window_size> traits;
    for (int place = 0; place < window_size; ++place) {
      sources[place] = cache_.scores(window[place], place);
      traits[place] = &cache_[window[place]].traits;
    }
    keys_.clear();
    context_keys(traits, before, second_before, keys_);
    add_scores(sources, scores_.data(), cache_.stride());
    model_.weights.add_rows(keys_.view(), scores_.data());
    std::fill(scores_.begin() + model_.labels.size(), scores_.end(), std::int16_t{-32768});
    const std::int16_t best = largest_score(scores_.data(), scores_.size());
    return static_cast<std::uint32_t>(std::find(scores_.begin(), scores_.end(), best) - scores_.begin());
  }

  void renew(WordCache::Word& word) {
    if (word.batch == batch_) return;
    word.batch = batch_;
    word.form = -1;
    word.lemma_label = {-1, -1};
  }

  std::int32_t form_id(std::uint32_t index, TokenColumns& out) {
    WordCache::Word& word = cache_[index];
    renew(word);
    if (word.form < 0) word.form = out.strings.intern(cache_.text(word), word.hash);
    return word.form;
  }

  std::int32_t lemma_id(std::uint32_t index, std::uint32_t label, TokenColumns& out) {
    WordCache::Word& word = cache_[index];
    renew(word);
    const auto tag = static_cast<std::int32_t>(model_.labels[label].tag_id);
    for (std::size_t i = 0; i < word.lemma.size(); ++i) {
      if (word.lemma_label[i] == tag) return word.lemma[i];
    }
    const std::u32string lemma = model_.lemmatiser.lemma(decode_all(cache_.text(word)), tag, model_.lexicon);
    std::swap(word.lemma_label[0], word.lemma_label[1]);
    std::swap(word.lemma[0], word.lemma[1]);
    word.lemma_label[0] = tag;
    return word.lemma[0] = out.strings.intern(encode_all(lemma));
  }

  std::int32_t label_id(std::vector<std::int32_t>& ids, std::uint32_t label, std::string_view text, TokenColumns& out) {
    if (ids[label] < 0) ids[label] = out.strings.intern(text);
    return ids[label];
  }

  const EnglishModel& model_;
  WordCache cache_;
  std::vector<std::int16_t> scores_;
  Tokeniser tokeniser_;
  DecodedText decoded_;
  std::vector<Span> spans_;
  FeatureKeys keys_;
  WantedColumns wanted_;
  std::uint64_t batch_ = 0;
  std::vector<std::int32_t> tag_ids_, upos_ids_;
};

// Analyses batches with any number of threads; may be used by several callers at once.
class EnglishAnalyser {
 public:
  explicit EnglishAnalyser(std::string_view file) : model_(EnglishModel::parse(file)) {}

  const EnglishModel& model() const { return model_; }

  TokenColumns analyse(const std::vector<std::string_view>& texts, const WantedColumns& wanted, int threads) {
    return run(texts.size(), wanted, threads,
               [&](AnalysisWorker& worker, std::size_t i, TokenColumns& out) { worker.analyse_text(texts[i], out); });
  }

  TokenColumns analyse_tokens(const std::vector<std::vector<std::string_view>>& sentences, const WantedColumns& wanted,
                              int threads) {
    return run(sentences.size(), wanted, threads, [&](AnalysisWorker& worker, std::size_t i, TokenColumns& out) {
      worker.analyse_tokens(sentences[i], out);
    });
  }

 private:
  static constexpr std::size_t block = 512;

  template <class Analyse>
  TokenColumns run(std::size_t count, const WantedColumns& wanted, int threads, Analyse&& analyse) {
    std::vector<TokenColumns> blocks(std::max<std::size_t>((count + block - 1) / block, 1));
    parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end, int) {
      auto worker = borrow();
      worker->begin(wanted);
      for (std::size_t i = begin; i < end; ++i) analyse(*worker, i, blocks[begin / block]);
      give_back(std::move(worker));
    });
    for (std::size_t i = 1; i < blocks.size(); ++i) append(blocks[0], std::move(blocks[i]));
    return std::move(blocks[0]);
  }

  // Strings keep the order of first appearance, so that the split into blocks leaves no trace.
  static void append(TokenColumns& all, TokenColumns&& more) {
    std::vector<std::int32_t> ids(more.strings.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = all.strings.intern(more.strings[i]);
    for (auto column : {&TokenColumns::form, &TokenColumns::lemma, &TokenColumns::tag, &TokenColumns::upos}) {
      for (const std::int32_t id : more.*column) (all.*column).push_back(ids[id]);
    }
    for (auto column : {&TokenColumns::start, &TokenColumns::end, &TokenColumns::lengths}) {
      (all.*column).insert((all.*column).end(), (more.*column).begin(), (more.*column).end());
    }
  }

  std::unique_ptr<AnalysisWorker> borrow() {
    {
      const std::lock_guard guard(lock_);
      if (!idle_.empty()) {
        auto worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return std::make_unique<AnalysisWorker>(model_);
  }

  void give_back(std::unique_ptr<AnalysisWorker> worker) {
    const std::lock_guard guard(lock_);
    if (idle_.size() < most_idle) idle_.push_back(std::move(worker));
  }

  static constexpr std::size_t most_idle = 16;

  EnglishModel model_;
  std::mutex lock_;
  std::vector<std::unique_ptr<AnalysisWorker>> idle_;
};

}  // namespace metaphrase
