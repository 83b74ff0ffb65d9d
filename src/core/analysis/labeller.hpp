// The best label sequence of every sentence under a linear-chain model (Lafferty et al. 2001): exact, by
// Viterbi's algorithm, in integers, so that every machine gives the same labels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/labeller_model.hpp"
#include "base/parallel.hpp"

namespace metaphrase::analysis {

// The columns of a batch; sentence i is [offsets[i], offsets[i + 1]), cells are numbers of strings.
struct LabellerInput {
  const std::int64_t* offsets;
  std::size_t sentences;
  const std::int32_t *form, *tag;
  const std::vector<std::string>& strings;
};

constexpr std::int32_t impossible = -1'000'000'000;

// One step of Viterbi: the best score of each label and the label before it. Of equals the first is taken.
METAPHRASE_VECTOR_CLONES inline void best_before(const std::int32_t* before, const std::int32_t* transitions,
                                                 std::size_t labels, std::size_t stride, std::int32_t* best,
                                                 std::int32_t* from) {
  for (std::size_t y = 0; y < stride; ++y) {
    best[y] = before[0] + transitions[y];
    from[y] = 0;
  }
  for (std::size_t p = 1; p < labels; ++p) {
    const std::int32_t* row = transitions + p * stride;
    const auto number = static_cast<std::int32_t>(p);
    for (std::size_t y = 0; y < stride; ++y) {
      const std::int32_t score = before[p] + row[y];
      const bool better = score > best[y];
      best[y] = better ? score : best[y];
      from[y] = better ? number : from[y];
    }
  }
}

class Labeller {
 public:
  explicit Labeller(std::string_view file)
      : model_(LabellerModel::parse(file)), name_tags_(model_.name_tags()) {
    const std::size_t labels = model_.labels.size(), stride = model_.weights.stride();
    start_.assign(stride, impossible);
    transitions_.assign((model_.tags.size() + 1) * labels * stride, impossible);
    for (std::size_t y = 0; y < labels; ++y) {
      if (may_follow("", model_.labels[y])) start_[y] = 0;
      for (std::size_t p = 0; p < labels; ++p) {
        if (!may_follow(model_.labels[p], model_.labels[y])) continue;
        for (std::size_t tag = 0; tag <= model_.tags.size(); ++tag) {
          transitions_[(tag * labels + p) * stride + y] = model_.transitions[(tag * labels + p) * labels + y];
        }
      }
    }
  }

  const LabellerModel& model() const { return model_; }

  // The number of every token's label.
  std::vector<std::int32_t> label(const LabellerInput& input, int threads) const {
    const auto tokens = static_cast<std::size_t>(input.offsets[input.sentences]);
    const StringRows rows = read_strings(input, tokens, threads);
    std::vector<std::int32_t> out(tokens);
    parallel_blocks(input.sentences, block, threads, [&](std::size_t begin, std::size_t end, int) {
      Worker worker;
      for (std::size_t i = begin; i < end; ++i) label_sentence(input, i, rows, worker, out.data());
    });
    return out;
  }

 private:
  static constexpr std::size_t block = 128;
  static constexpr std::int32_t unused = -1;

  // What the batch's strings contribute: a row for each form and each tag that occurs, the outside last.
  struct StringRows {
    std::vector<std::int32_t> form_row, tag_row;  // by number of the string
    std::vector<ContextTraits> traits;
    std::vector<CaseCounts> cases;  // what each form adds to those of its sentence
    std::vector<std::uint32_t> tags;
    std::vector<std::int16_t> form_scores, tag_scores;  // [row][place of the window][label]
  };

  struct Worker {
    std::vector<LabelledToken> tokens;
    std::vector<NameRun> runs;
    std::vector<std::int32_t> form_rows, tag_rows;
    std::vector<std::int16_t> scores;
    std::vector<std::int32_t> before, best, from;
    std::vector<std::uint8_t> back;
    FeatureKeys keys;
  };

  static std::vector<std::int32_t> distinct(const std::int32_t* column, std::size_t tokens,
                                            std::size_t strings, std::vector<std::int32_t>& row) {
    row.assign(strings, unused);
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < tokens; ++i) {
      if (row[column[i]] != unused) continue;
      row[column[i]] = static_cast<std::int32_t>(found.size());
      found.push_back(column[i]);
    }
    return found;
  }

  StringRows read_strings(const LabellerInput& input, std::size_t tokens, int threads) const {
    const std::size_t width = window_size * model_.weights.stride();
    StringRows rows;
    const auto forms = distinct(input.form, tokens, input.strings.size(), rows.form_row);
    const auto tags = distinct(input.tag, tokens, input.strings.size(), rows.tag_row);
    rows.traits.resize(forms.size() + 1);
    rows.cases.resize(forms.size() + 1);
    rows.form_scores.assign((forms.size() + 1) * width, 0);
    parallel_blocks(forms.size() + 1, 512, threads, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        WordTraits word = outside_word();
        if (i < forms.size()) {
          const std::u32string form = decode_all(input.strings[forms[i]]);
          word = model_.traits(form);
          rows.cases[i].add(form);
        }
        rows.traits[i] = word;
        add_places(rows.form_scores.data() + i * width,
                   [&](int place, FeatureKeys& keys) { word_keys(word, place, keys); });
      }
    });
    rows.tag_scores.assign((tags.size() + 1) * width, 0);
    for (std::size_t i = 0; i <= tags.size(); ++i) {
      rows.tags.push_back(i < tags.size() ? model_.tag_number(input.strings[tags[i]]) : outside_tag);
      add_places(rows.tag_scores.data() + i * width,
                 [&](int place, FeatureKeys& keys) { tag_keys(rows.tags[i], place, keys); });
    }
    return rows;
  }

  template <class Keys>
  void add_places(std::int16_t* scores, Keys&& keys_at) const {
    FeatureKeys keys;
    for (int place = 0; place < window_size; ++place, scores += model_.weights.stride()) {
      keys.clear();
      keys_at(place, keys);
      model_.weights.add_rows(keys.view(), scores);
    }
  }

  void label_sentence(const LabellerInput& input, std::size_t sentence, const StringRows& rows,
                      Worker& worker, std::int32_t* out) const {
    const std::int64_t first = input.offsets[sentence];
    const auto size = static_cast<std::size_t>(input.offsets[sentence + 1] - first);
    if (size == 0) return;
    const TextCase text_case = read_tokens(input, first, size, rows, worker);
    const std::size_t stride = model_.weights.stride(), labels = model_.labels.size();
    worker.before = start_;
    worker.best.resize(stride);
    worker.from.resize(stride);
    worker.back.resize(size * labels);
    for (std::size_t i = 0; i < size; ++i) {
      emit(i, rows, text_case, worker);
      if (i == 0) {
        worker.best = start_;
      } else {
        const std::uint32_t tag = worker.tokens[i + window_radius].tag;
        best_before(worker.before.data(), transitions_.data() + tag * labels * stride, labels, stride,
                    worker.best.data(), worker.from.data());
        std::copy_n(worker.from.begin(), labels, worker.back.begin() + i * labels);
      }
      // Measured from the best label, so that no sentence is too long for 32 bits.
      std::int32_t top = impossible;
      for (std::size_t y = 0; y < labels; ++y) top = std::max(top, worker.best[y] += worker.scores[y]);
      for (std::size_t y = 0; y < labels; ++y) worker.before[y] = std::max(worker.best[y] - top, impossible);
    }
    auto at = std::max_element(worker.before.begin(), worker.before.begin() + labels) - worker.before.begin();
    for (std::size_t i = size; i-- > 0; at = worker.back[i * labels + at]) {
      out[first + i] = static_cast<std::int32_t>(at);
      if (i == 0) break;
    }
  }

  TextCase read_tokens(const LabellerInput& input, std::int64_t first, std::size_t size,
                       const StringRows& rows, Worker& worker) const {
    const auto outside_form = static_cast<std::int32_t>(rows.traits.size() - 1);
    const auto outside_row = static_cast<std::int32_t>(rows.tags.size() - 1);
    worker.tokens.assign(size + 2 * window_radius, {&rows.traits[outside_form], outside_tag});
    worker.form_rows.assign(worker.tokens.size(), outside_form);
    worker.tag_rows.assign(worker.tokens.size(), outside_row);
    CaseCounts counts;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = i + window_radius;
      worker.form_rows[at] = rows.form_row[input.form[first + i]];
      worker.tag_rows[at] = rows.tag_row[input.tag[first + i]];
      worker.tokens[at].word = &rows.traits[worker.form_rows[at]];
      worker.tokens[at].tag = rows.tags[worker.tag_rows[at]];
      const CaseCounts& own = rows.cases[worker.form_rows[at]];
      counts.words += own.words;
      counts.capitalised += own.capitalised;
      counts.shouted += own.shouted;
    }
    if (model_.runs) {
      find_runs(worker.tokens, name_tags_, model_.lexicon, worker.runs);
      find_phrases(worker.tokens, model_.lexicon);
    }
    return counts.text_case();
  }

  // The scores of all labels at token `i`, but for the transition.
  void emit(std::size_t i, const StringRows& rows, TextCase text_case, Worker& worker) const {
    const std::size_t stride = model_.weights.stride();
    std::array<const std::int16_t*, 2 * window_size> sources;
    TokenWindow window;
    for (int place = 0; place < window_size; ++place) {
      const std::size_t at = i + place;
      window[place] = &worker.tokens[at];
      sources[2 * place] = rows.form_scores.data() + (worker.form_rows[at] * window_size + place) * stride;
      sources[2 * place + 1] = rows.tag_scores.data() + (worker.tag_rows[at] * window_size + place) * stride;
    }
    worker.keys.clear();
    neighbour_keys(window, text_case, worker.keys);
    if (model_.runs) {
      const NameRun& run = worker.runs[window[window_radius]->run];
      run_keys(window, run, text_case, worker.keys);
      name_keys(window, run, worker.keys);
    }
    worker.scores.assign(stride, 0);
    add_vectors(sources.data(), sources.size(), worker.scores.data(), stride);
    model_.weights.add_rows(worker.keys.view(), worker.scores.data());
  }

  LabellerModel model_;
  std::vector<bool> name_tags_;
  std::vector<std::int32_t> start_, transitions_;  // padded to the stride; what IOB2 forbids is impossible
};

}  // namespace metaphrase::analysis
