// Text to columns: tokenise, tag and lemmatise a batch of texts in one pass; with a splitter, nouns are cut
// into their parts and the sentence is tagged again.
//
// Every thread has a table of word types of its own; results never depend on what it holds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis_model.hpp"
#include "analysis/compound_splitter.hpp"
#include "analysis/tokeniser.hpp"
#include "analysis/word_cache.hpp"
#include "base/parallel.hpp"
#include "base/string_table.hpp"

namespace metaphrase::analysis {

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

// One thread's way through its texts.
class AnalysisWorker {
 public:
  explicit AnalysisWorker(const AnalysisModel& model)
      : model_(model), cache_(model), scores_(cache_.stride()), tokeniser_(token_rules(model.language)) {
    tag_ids_.resize(model.labels.size());
    upos_ids_.resize(model.labels.size());
  }

  // Everything analysed until the next call goes into one table of strings.
  void begin(const WantedColumns& wanted, const CompoundSplitter* splitter) {
    wanted_ = wanted;
    splitter_ = splitter;
    ++batch_;
    std::fill(tag_ids_.begin(), tag_ids_.end(), -1);
    std::fill(upos_ids_.begin(), upos_ids_.end(), -1);
  }

  void analyse_text(std::string_view text, TokenColumns& out) {
    decoded_.decode(text);
    spans_.clear();
    tokeniser_.tokenise(decoded_, spans_);
    const auto form_at = [&](std::size_t i) { return slice(text, spans_[i]); };
    if (splitter_ && split_nouns(text)) {
      for (const Span& span : spans_) out.form.push_back(out.strings.intern(slice(text, span)));
      const auto reading_at = [&](std::size_t i) -> std::string_view { return readings_[i]; };
      if (wanted_.labels()) label(spans_.size(), reading_at, out);
    } else {
      tag(spans_.size(), form_at, out);
    }
    for (const Span& span : spans_) {
      out.start.push_back(static_cast<std::int32_t>(span.start));
      out.end.push_back(static_cast<std::int32_t>(span.end));
    }
    out.lengths.push_back(static_cast<std::int32_t>(spans_.size()));
  }

  // Tokens given as they are; their spans are not known.
  void analyse_tokens(const std::vector<std::string_view>& forms, TokenColumns& out) {
    out.lengths.push_back(static_cast<std::int32_t>(forms.size()));
    tag(forms.size(), [&](std::size_t i) { return forms[i]; }, out);
  }

 private:
  std::string_view slice(std::string_view text, const Span& span) const {
    const std::uint32_t from = decoded_.bytes[span.start];
    return text.substr(from, decoded_.bytes[span.end] - from);
  }

  auto label_writer(TokenColumns& out) {
    return [this, &out](std::uint32_t word, std::uint32_t label) {
      if (wanted_.lemma) out.lemma.push_back(lemma_id(word, label, out));
      if (wanted_.tag) out.tag.push_back(label_id(tag_ids_, label, model_.labels[label].tag, out));
      if (wanted_.upos) out.upos.push_back(label_id(upos_ids_, label, model_.labels[label].upos, out));
    };
  }

  // All columns of the tokens.
  template <class FormAt>
  void tag(std::size_t size, FormAt&& form_at, TokenColumns& out) {
    const auto visit_form = [&](std::uint32_t word) { out.form.push_back(form_id(word, out)); };
    read(size, form_at, wanted_.labels(), visit_form, label_writer(out));
  }

  // All columns but the forms.
  template <class FormAt>
  void label(std::size_t size, FormAt&& form_at, TokenColumns& out) {
    read(size, form_at, true, [](std::uint32_t) {}, label_writer(out));
  }

  // Reads the tokens from left to right; `visit_form` sees each word, `visit_label` each word with its label.
  template <class FormAt, class VisitForm, class VisitLabel>
  void read(std::size_t size, FormAt&& form_at, bool labels, VisitForm&& visit_form,
            VisitLabel&& visit_label) {
    std::array<std::uint32_t, window_size> window;
    window.fill(WordCache::outside);
    History history;
    if (labels) history.text_case = text_case(size, form_at);
    const std::size_t ahead = labels ? window_radius : 0;
    for (std::size_t step = 0; step < size + ahead; ++step) {
      if (cache_.full()) refill(window, step, size, form_at);
      std::copy(window.begin() + 1, window.end(), window.begin());
      window.back() = step < size ? cache_.find(form_at(step)) : WordCache::outside;
      if (step < size) visit_form(window.back());
      if (!labels) continue;
      cache_.prefetch(window.back());
      if (step < ahead) continue;
      const std::uint32_t label = best_label(window, history);
      history.advance(label);
      visit_label(window[window_radius], label);
    }
  }

  // Cuts the common nouns in spans_ into their parts and fills readings_ with what the tagger is to see:
  // parts without linking elements, each with a capital as a noun of its own would have. False if nothing was
  // cut.
  bool split_nouns(std::string_view text) {
    nouns_.clear();
    const auto form_at = [&](std::size_t i) { return slice(text, spans_[i]); };
    read(
        spans_.size(), form_at, true, [](std::uint32_t) {},
        [&](std::uint32_t, std::uint32_t label) { nouns_.push_back(model_.labels[label].upos == "NOUN"); });
    parts_.clear();
    readings_.clear();
    bool cut = false;
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const Span span = spans_[i];
      const std::u32string_view word(decoded_.chars.data() + span.start, span.end - span.start);
      if (!nouns_[i]) {
        parts_.push_back(span);
        readings_.emplace_back(form_at(i));
        continue;
      }
      const auto found = splitter_->split(word);
      cut |= found.size() > 1;
      for (const CompoundPart& part : found) {
        parts_.push_back({span.start + part.start, span.start + part.end});
        std::u32string reading(word.substr(part.start, part.stem - part.start));
        if (is_upper(word[0])) reading[0] = to_upper(reading[0]);
        readings_.push_back(encode_all(reading));
      }
    }
    if (cut) spans_.swap(parts_);
    return cut;
  }

  // Empties the table and finds the words of the window again; `step` is the token that comes next.
  template <class FormAt>
  void refill(std::array<std::uint32_t, window_size>& window, std::size_t step, std::size_t size,
              FormAt&& form_at) {
    cache_.clear();
    for (std::size_t place = 0; place < window_size; ++place) {
      const std::size_t back = window_size - place;  // how far before `step` the word stands
      const bool inside = window[place] != WordCache::outside && back <= step && step - back < size;
      window[place] = inside ? cache_.find(form_at(step - back)) : WordCache::outside;
    }
  }

  template <class FormAt>
  static TextCase text_case(std::size_t size, FormAt&& form_at) {
    CaseCounts counts;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string_view form = form_at(i);
      std::array<char32_t, 2> first{};  // two characters tell all that is counted
      std::size_t length = 0;
      for (std::size_t at = 0; at < form.size() && length < 2; ++length) {
        first[length] = decode_one(form.data(), form.size(), at);
      }
      counts.add({first.data(), length});
    }
    return counts.text_case();
  }

  std::uint32_t best_label(const std::array<std::uint32_t, window_size>& window, const History& history) {
    std::array<const std::int16_t*, window_size> sources;
    std::array<const ContextTraits*, window_size> traits;
    for (int place = 0; place < window_size; ++place) {
      sources[place] = cache_.scores(window[place], place);
      traits[place] = &cache_[window[place]].traits;
    }
    keys_.clear();
    context_keys(traits, history, keys_);
    std::fill(scores_.begin(), scores_.end(), std::int16_t{0});
    add_vectors(sources.data(), sources.size(), scores_.data(), scores_.size());
    model_.weights.add_rows(keys_.view(), scores_.data());
    std::fill(scores_.begin() + model_.labels.size(), scores_.end(), std::int16_t{-32768});
    const std::int16_t best = largest(scores_.data(), scores_.size());
    return static_cast<std::uint32_t>(std::find(scores_.begin(), scores_.end(), best) - scores_.begin());
  }

  void renew(WordCache::Word& word) {
    if (word.batch == batch_) return;
    word.batch = batch_;
    word.form = -1;
    for (WordCache::Lemma& lemma : word.lemmas) lemma.number = -1;
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
    WordCache::Lemma& lemma = cache_.lemma(word, static_cast<std::int32_t>(model_.labels[label].tag_id));
    if (lemma.number < 0) lemma.number = out.strings.intern(cache_.text(lemma));
    return lemma.number;
  }

  std::int32_t label_id(std::vector<std::int32_t>& ids, std::uint32_t label, std::string_view text,
                        TokenColumns& out) {
    if (ids[label] < 0) ids[label] = out.strings.intern(text);
    return ids[label];
  }

  const AnalysisModel& model_;
  WordCache cache_;
  std::vector<std::int16_t> scores_;
  Tokeniser tokeniser_;
  DecodedText decoded_;
  std::vector<Span> spans_, parts_;
  std::vector<bool> nouns_;
  std::vector<std::string> readings_;
  const CompoundSplitter* splitter_ = nullptr;
  FeatureKeys keys_;
  WantedColumns wanted_;
  std::uint64_t batch_ = 0;
  std::vector<std::int32_t> tag_ids_, upos_ids_;
};

// Analyses batches with any number of threads; may be used by several callers at once.
class TextAnalyser {
 public:
  explicit TextAnalyser(std::string_view file) : model_(AnalysisModel::parse(file)) {}

  const AnalysisModel& model() const { return model_; }

  // `splitter` may be null: nouns stay whole.
  TokenColumns analyse(const std::vector<std::string_view>& texts, const WantedColumns& wanted,
                       const CompoundSplitter* splitter, int threads) {
    return run(texts.size(), wanted, splitter, threads,
               [&](AnalysisWorker& worker, std::size_t i, TokenColumns& out) {
                 worker.analyse_text(texts[i], out);
               });
  }

  TokenColumns analyse_tokens(const std::vector<std::vector<std::string_view>>& sentences,
                              const WantedColumns& wanted, int threads) {
    return run(sentences.size(), wanted, nullptr, threads,
               [&](AnalysisWorker& worker, std::size_t i, TokenColumns& out) {
                 worker.analyse_tokens(sentences[i], out);
               });
  }

 private:
  static constexpr std::size_t block = 512;

  template <class Analyse>
  TokenColumns run(std::size_t count, const WantedColumns& wanted, const CompoundSplitter* splitter,
                   int threads, Analyse&& analyse) {
    std::vector<TokenColumns> blocks(std::max<std::size_t>((count + block - 1) / block, 1));
    parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end, int) {
      auto worker = borrow();
      worker->begin(wanted, splitter);
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

  AnalysisModel model_;
  std::mutex lock_;
  std::vector<std::unique_ptr<AnalysisWorker>> idle_;
};

}  // namespace metaphrase::analysis
