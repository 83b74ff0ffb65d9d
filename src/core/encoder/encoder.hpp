// Sentences to vectors of their words in context: a transformer of whole numbers.
//
// A word enters with what its word vector, its pieces and its case say. Each layer then adds to it what it
// sees of the other words, and what it makes of itself alone. Products of matrices are sums of whole numbers,
// and whatever else is done to floats is done cell by cell: the results do not depend on the machine, on the
// other sentences or on the number of threads.
//
// Ashish Vaswani et al.: Attention Is All You Need. NIPS 2017. Biao Zhang, Rico Sennrich: Root Mean Square
// Layer Normalization. NeurIPS 2019. Peter Shaw, Jakob Uszkoreit, Ashish Vaswani: Self-Attention with
// Relative Position Representations. NAACL 2018.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dense.hpp"
#include "base/elementary.hpp"
#include "base/panel_sums.hpp"
#include "base/parallel.hpp"
#include "encoder/attention.hpp"
#include "encoder/byte_matrix.hpp"
#include "encoder/encoder_file.hpp"
#include "encoder/rounding.hpp"

namespace metaphrase::encoder {

// Different words in lower case, with their word vectors, which may be all zeros, and the case that they had.
struct WordTypes {
  std::span<const std::string_view> lower;
  const float* vectors;
  std::span<const std::uint8_t> cases;

  std::size_t size() const { return lower.size(); }
};

// Sentence k is types[offsets[k]] to types[offsets[k + 1] - 1].
struct Sentences {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> types;

  std::size_t size() const { return offsets.size() - 1; }
  std::size_t length(std::size_t k) const { return static_cast<std::size_t>(offsets[k + 1] - offsets[k]); }
};

// Where results go: a vector of length 1, an importance in (0, 1] and an oddness for each word.
struct Results {
  float* vectors;
  double *importance, *oddness;
};

// One thread's room.
class EncoderWorker {
 public:
  EncoderWorker(const EncoderFile& model, Bits bits)
      : model_(model), bits_(bits), attention_(model.shape, model.shape.distance, model.near) {}

  // The vectors with which `count` types from `first` on enter.
  void enter(const WordTypes& types, std::size_t first, std::size_t count, float* entries) {
    if (bits_ == Bits::any) {
      enter_anywhere(types, first, count, entries);
    } else {
      enter_avx2(types, first, count, entries);
    }
  }

  // Sentences from `begin` to `end`, as many at a time as make a block.
  void encode(const Sentences& sentences, std::size_t begin, std::size_t end, const float* entries,
              const Results& results) {
    const std::size_t width = model_.shape.width;
    for (std::size_t k = begin; k < end;) {
      const auto first = static_cast<std::size_t>(sentences.offsets[k]);
      std::size_t tokens = 0;
      lengths_.clear();
      for (; k < end && tokens < block_tokens; ++k) {
        lengths_.push_back(sentences.length(k));
        tokens += lengths_.back();
      }
      states_.resize(tokens, width);
      for (std::size_t t = 0; t < tokens; ++t) {
        const float* entry = entries + static_cast<std::size_t>(sentences.types[first + t]) * width;
        std::copy(entry, entry + width, states_[t]);
      }
      const Results here{results.vectors + first * model_.shape.size, results.importance + first,
                         results.oddness + first};
      switch (bits_) {
        case Bits::any: run_anywhere(tokens, here); break;
        case Bits::avx2: run_avx2(tokens, here); break;
        case Bits::avx512: run_avx512(tokens, here); break;
      }
    }
  }

 private:
  // Weights are read once for so many words, whose numbers stay in the cache.
  static constexpr std::size_t block_tokens = 128;

  void enter_anywhere(const WordTypes& types, std::size_t first, std::size_t count, float* entries) {
    enter_all<AnyRegisters>(types, first, count, entries);
  }
  METAPHRASE_AVX2 void enter_avx2(const WordTypes& types, std::size_t first, std::size_t count,
                                  float* entries) {
    enter_all<Avx2Registers>(types, first, count, entries);
  }

  void run_anywhere(std::size_t tokens, const Results& results) { run<AnyRegisters>(tokens, results); }
  METAPHRASE_AVX2 void run_avx2(std::size_t tokens, const Results& results) {
    run<Avx2Registers>(tokens, results);
  }
  METAPHRASE_AVX2 void run_avx512(std::size_t tokens, const Results& results) {
    run<Avx512Registers>(tokens, results);
  }

  template <class Registers>
  METAPHRASE_INLINE void enter_all(const WordTypes& types, std::size_t first, std::size_t count,
                                   float* entries) {
    const std::size_t width = model_.shape.width, dimension = model_.shape.dimension,
                      cells = model_.vectors.rows;
    rounded_.resize(count, cells);
    row_.assign(cells, 0.0f);
    for (std::size_t t = 0; t < count; ++t) {
      const float* vector = types.vectors + (first + t) * dimension;
      std::copy(vector, vector + dimension, row_.data());
      rounded_.units[t] = round_row(row_.data(), cells, largest_input, rounded_[t]);
    }
    multiply<PairProducts<Registers>, Result::kept>(model_.vectors, rounded_, count, room_, entries, width);
    for (std::size_t t = 0; t < count; ++t) {
      const Spelt spelt = model_.spelling->spell(types.lower[first + t], text_);
      const float* of_case = model_.case_rows + types.cases[first + t] * width;
      add_spelling(spelt, of_case, entries + t * width);
    }
  }

  METAPHRASE_INLINE void add_spelling(const Spelt& spelt, const float* of_case, float* entry) {
    const std::size_t width = model_.shape.width;
    const auto pieces = static_cast<float>(std::max<std::size_t>(spelt.count, 1));
    for (std::size_t i = 0; i < width; ++i) {
      float sum = 0;
      for (std::size_t p = 0; p < spelt.count; ++p) {
        sum += static_cast<float>(model_.piece_rows[spelt.pieces[p] * width + i]) *
               model_.piece_steps[spelt.pieces[p]];
      }
      entry[i] = entry[i] + sum / pieces + of_case[i];
    }
  }

  template <class Registers>
  METAPHRASE_INLINE void run(std::size_t tokens, const Results& results) {
    const std::size_t width = model_.shape.width, inner = model_.shape.inner;
    parts_.resize(tokens, 3 * width);
    seen_.resize(tokens, width);
    // Equal blocks, none of which is a small rest.
    const std::size_t blocks = std::max<std::size_t>(tokens / block_tokens, 1),
                      at_once = (tokens + blocks - 1) / blocks;
    inner_.resize(at_once, std::max(inner, model_.outputs.columns));
    for (const Layer& layer : model_.layers) {
      for (std::size_t t = 0; t < tokens; t += at_once) {
        const std::size_t count = std::min(at_once, tokens - t);
        round_normed(states_, t, count, width);
        multiply<PairProducts<Registers>, Result::kept>(layer.parts, rounded_, count, room_, parts_[t],
                                                        parts_.step());
      }
      std::size_t first = 0;
      for (const std::size_t length : lengths_) {
        attention_.template attend<Registers>(parts_, first, length, seen_);
        first += length;
      }
      for (std::size_t t = 0; t < tokens; t += at_once) {
        const std::size_t count = std::min(at_once, tokens - t), step = states_.step();
        round(seen_, t, count, width);
        multiply<PairProducts<Registers>, Result::added>(layer.join, rounded_, count, room_, states_[t],
                                                         step);
        round_normed(states_, t, count, width);
        multiply<PairProducts<Registers>, Result::above_zero>(layer.inner, rounded_, count, room_, inner_[0],
                                                              inner_.step());
        round(inner_, 0, count, inner);
        multiply<PairProducts<Registers>, Result::added>(layer.outer, rounded_, count, room_, states_[t],
                                                         step);
      }
    }
    for (std::size_t t = 0; t < tokens; t += at_once) {
      const std::size_t count = std::min(at_once, tokens - t);
      round_normed(states_, t, count, width);
      multiply<PairProducts<Registers>, Result::kept>(model_.outputs, rounded_, count, room_, inner_[0],
                                                      inner_.step());
      for (std::size_t i = 0; i < count; ++i) finish(inner_[i], t + i, results);
    }
  }

  METAPHRASE_INLINE void round(Rows& from, std::size_t first, std::size_t count, std::size_t cells) {
    rounded_.resize(count, cells);
    for (std::size_t t = 0; t < count; ++t)
      rounded_.units[t] = round_row(from[first + t], cells, largest_input, rounded_[t]);
  }

  METAPHRASE_INLINE void round_normed(Rows& from, std::size_t first, std::size_t count, std::size_t cells) {
    rounded_.resize(count, cells);
    for (std::size_t t = 0; t < count; ++t)
      rounded_.units[t] = round_normed_row(from[first + t], cells, largest_input, rounded_[t]);
  }

  METAPHRASE_INLINE void finish(const float* outputs, std::size_t token, const Results& results) const {
    constexpr double most = 64;  // beyond, 1 / (1 + e^-x) is 1 or as good as 0
    const std::size_t size = model_.shape.size;
    double squares = 0;  // one after the other
    for (std::size_t i = 0; i < size; ++i) {
      const double cell = outputs[i];
      squares += cell * cell;
    }
    const double length = squares > 0 ? std::sqrt(squares) : 1.0;
    for (std::size_t i = 0; i < size; ++i)
      results.vectors[token * size + i] = static_cast<float>(outputs[i] / length);
    results.importance[token] =
        1.0 / (1.0 + elementary::exp(-std::clamp<double>(outputs[size], -most, most)));
    results.oddness[token] = outputs[size + 1];
  }

  const EncoderFile& model_;
  Bits bits_;
  Attention attention_;
  RoundedRows rounded_;
  PanelRoom room_;
  std::vector<std::size_t> lengths_;
  Rows states_, parts_, seen_, inner_;
  std::vector<float> row_;
  std::string text_;
};

// All sentences, on so many threads.
inline void encode(const EncoderFile& model, const WordTypes& types, const Sentences& sentences, Bits bits,
                   int threads, const Results& results) {
  std::vector<float> entries(types.size() * model.shape.width);
  constexpr std::size_t types_at_once = 256, sentences_at_once = 16;
  parallel_blocks(types.size(), types_at_once, threads, [&](std::size_t begin, std::size_t end, int) {
    EncoderWorker worker(model, bits);
    for (; begin < end; begin += std::min(types_at_once, end - begin)) {
      worker.enter(types, begin, std::min(types_at_once, end - begin),
                   entries.data() + begin * model.shape.width);
    }
  });
  parallel_blocks(sentences.size(), sentences_at_once, threads, [&](std::size_t begin, std::size_t end, int) {
    EncoderWorker(model, bits).encode(sentences, begin, end, entries.data(), results);
  });
}

}  // namespace metaphrase::encoder
