// Texts as word pieces to vectors of the pieces in context, and one of each text: BERT in whole numbers.
//
// Products of matrices are sums of whole numbers, and whatever else is done to floats is done cell by cell or
// in an order that is written down: the results do not depend on the machine, on the other texts or on the
// number of threads.
//
// Ashish Vaswani et al.: Attention Is All You Need. NIPS 2017. Jacob Devlin et al.: BERT. NAACL 2019. Nils
// Reimers, Iryna Gurevych: Sentence-BERT. EMNLP 2019.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/dense.hpp"
#include "base/panel_sums.hpp"
#include "base/parallel.hpp"
#include "encoder/attention.hpp"
#include "encoder/byte_matrix.hpp"
#include "encoder/pretrained_file.hpp"
#include "encoder/rounding.hpp"

namespace metaphrase::encoder {

// Text k is pieces[offsets[k]] to pieces[offsets[k + 1] - 1], without the marks around it.
struct PieceTexts {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> pieces;

  std::size_t size() const { return offsets.size() - 1; }
};

// Where results go: after each of some layers, which rise, a vector of length 1 for each piece; and one for
// each text, of the mean of its last rows.
struct PieceResults {
  std::span<const std::int32_t> layers;
  float *pieces, *texts;
};

// Pieces that are read together. A text with more than there are positions is read in windows that overlap by
// a quarter: each piece has its vector from the window in which it stands further from the ends.
struct Window {
  std::size_t text, first, last;  // pieces that it reads
  std::size_t from, to;           // those whose vectors are taken from it
  bool begins, ends;              // the text

  std::size_t tokens() const { return last - first + 2; }
};

inline std::vector<Window> windows_of(const PieceTexts& texts, std::size_t positions) {
  const std::size_t room = positions - 2, step = room - room / 4;
  std::vector<Window> windows;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const auto begin = static_cast<std::size_t>(texts.offsets[k]),
               end = static_cast<std::size_t>(texts.offsets[k + 1]);
    windows.push_back({k, begin, std::min(end, begin + room), begin, end, true, true});
    while (windows.back().last < end) {
      Window& before = windows.back();
      // The last one is as long as the others.
      const std::size_t last = std::min(end, before.first + step + room), first = last - room;
      before.to = (first + before.last) / 2;
      before.ends = false;
      windows.push_back({k, first, last, before.to, end, false, true});
    }
  }
  return windows;
}

// One thread's room.
class PretrainedWorker {
 public:
  PretrainedWorker(const PretrainedFile& model, Bits bits)
      : model_(model), bits_(bits), attention_(model.shape) {}

  // The windows of a block; `sums` have a row for each, of the last vectors of what is taken from it.
  void encode(std::span<const Window> windows, const PieceTexts& texts, const PieceResults& results,
              float* sums) {
    switch (bits_) {
      case Bits::any: run_anywhere(windows, texts, results, sums); break;
      case Bits::avx2: run_avx2(windows, texts, results, sums); break;
      case Bits::avx512: run_avx512(windows, texts, results, sums); break;
    }
  }

 private:
  // Weights are read once for so many pieces, whose numbers stay in the cache.
  static constexpr std::size_t block_tokens = 128;

  void run_anywhere(std::span<const Window> windows, const PieceTexts& texts, const PieceResults& results,
                    float* sums) {
    run<QuadProducts<AnyRegisters>, AnyRegisters>(words_, windows, texts, results, sums);
  }
  METAPHRASE_AVX2 void run_avx2(std::span<const Window> windows, const PieceTexts& texts,
                                const PieceResults& results, float* sums) {
    run<QuadProducts<Avx2Registers>, Avx2Registers>(words_, windows, texts, results, sums);
  }
  METAPHRASE_AVX512 void run_avx512(std::span<const Window> windows, const PieceTexts& texts,
                                    const PieceResults& results, float* sums) {
    run<ByteProducts, Avx512Registers>(bytes_, windows, texts, results, sums);
  }

  template <class Products, class Registers, class Whole>
  METAPHRASE_INLINE void run(Whole& whole, std::span<const Window> windows, const PieceTexts& texts,
                             const PieceResults& results, float* sums) {
    const std::size_t width = model_.shape.width, inner = model_.shape.inner;
    std::size_t tokens = 0;
    for (const Window& window : windows) tokens += window.tokens();
    states_.resize(tokens, width);
    parts_.resize(tokens, 3 * width);
    seen_.resize(tokens, width);
    enter(windows, texts);
    // Equal blocks, none of which is a small rest.
    const std::size_t blocks = std::max<std::size_t>(tokens / block_tokens, 1),
                      at_once = (tokens + blocks - 1) / blocks, step = states_.step();
    inner_.resize(at_once, inner);
    whole.resize(at_once, inner);
    std::size_t wanted = 0;
    for (std::uint32_t l = 0; l < model_.shape.layers; ++l) {
      const PretrainedLayer& layer = model_.layers[l];
      for (std::size_t t = 0; t < tokens; t += at_once) {
        const std::size_t count = std::min(at_once, tokens - t);
        round<Products>(states_, t, count, width, whole);
        multiply<Products, Result::kept>(layer.parts, whole, count, room_, parts_[t], parts_.step());
      }
      std::size_t first = 0;
      for (const Window& window : windows) {
        attention_.template attend<Registers>(parts_, first, window.tokens(), seen_);
        first += window.tokens();
      }
      for (std::size_t t = 0; t < tokens; t += at_once) {
        const std::size_t count = std::min(at_once, tokens - t);
        round<Products>(seen_, t, count, width, whole);
        multiply<Products, Result::added>(layer.join, whole, count, room_, states_[t], step);
        normalise(t, count, layer.between);
        round<Products>(states_, t, count, width, whole);
        multiply<Products, Result::gaussian>(layer.inner, whole, count, room_, inner_[0], inner_.step());
        round<Products>(inner_, 0, count, inner, whole);
        multiply<Products, Result::added>(layer.outer, whole, count, room_, states_[t], step);
        normalise(t, count, layer.after);
      }
      if (wanted < results.layers.size() && results.layers[wanted] == static_cast<std::int32_t>(l + 1)) {
        float* to = results.pieces + wanted * texts.pieces.size() * width;
        each_row(windows, [&](std::size_t, float* row, std::size_t piece) {
          if (piece != mark) unit_row(row, width, to + piece * width);
        });
        ++wanted;
      }
    }
    each_row(windows, [&](std::size_t window, float* row, std::size_t) {
      float* sum = sums + window * width;
      for (std::size_t i = 0; i < width; ++i) sum[i] += row[i];
    });
  }

  static constexpr std::size_t mark = static_cast<std::size_t>(-1);

  // Calls `visit` with the rows that are taken from each window: of its pieces, and of a mark where the text
  // begins or ends.
  template <class Visit>
  METAPHRASE_INLINE void each_row(std::span<const Window> windows, Visit&& visit) {
    std::size_t row = 0;
    for (std::size_t w = 0; w < windows.size(); ++w) {
      const Window& window = windows[w];
      if (window.begins) visit(w, states_[row], mark);
      for (std::size_t piece = window.from; piece < window.to; ++piece)
        visit(w, states_[row + 1 + piece - window.first], piece);
      row += window.tokens();
      if (window.ends) visit(w, states_[row - 1], mark);
    }
  }

  METAPHRASE_INLINE void enter(std::span<const Window> windows, const PieceTexts& texts) {
    std::size_t row = 0;
    for (const Window& window : windows) {
      std::size_t position = 0;
      enter_piece(model_.shape.begin, position++, states_[row++]);
      for (std::size_t piece = window.first; piece < window.last; ++piece)
        enter_piece(static_cast<std::uint32_t>(texts.pieces[piece]), position++, states_[row++]);
      enter_piece(model_.shape.end, position, states_[row++]);
    }
  }

  METAPHRASE_INLINE void enter_piece(std::uint32_t piece, std::size_t position, float* state) {
    const std::size_t width = model_.shape.width;
    const std::int8_t* bytes = model_.piece_rows + piece * width;
    const float* positions = model_.position_rows + position * width;
    const float step = model_.piece_steps[piece];
    for (std::size_t i = 0; i < width; ++i) state[i] = static_cast<float>(bytes[i]) * step + positions[i];
    normalise_row(state, width, model_.first.gain, model_.first.bias);
  }

  METAPHRASE_INLINE void normalise(std::size_t first, std::size_t count, const Norm& norm) {
    for (std::size_t t = first; t < first + count; ++t)
      normalise_row(states_[t], model_.shape.width, norm.gain, norm.bias);
  }

  template <class Products, class Whole>
  METAPHRASE_INLINE void round(Rows& from, std::size_t first, std::size_t count, std::size_t cells,
                               Whole& whole) {
    whole.resize(count, cells);
    for (std::size_t t = 0; t < count; ++t) {
      const ByteScale scale = round_to_bytes<typename Products::Cells>(from[first + t], cells, whole[t]);
      whole.units[t] = scale.unit;
      whole.zeros[t] = scale.zero;
    }
  }

  const PretrainedFile& model_;
  Bits bits_;
  Attention attention_;
  WholeRows<std::int16_t> words_;
  WholeRows<std::uint8_t> bytes_;
  PanelRoom room_;
  Rows states_, parts_, seen_, inner_;
};

// All texts, on so many threads.
inline void encode(const PretrainedFile& model, const PieceTexts& texts, Bits bits, int threads,
                   const PieceResults& results) {
  const std::size_t width = model.shape.width;
  const std::vector<Window> windows = windows_of(texts, model.shape.positions);
  std::vector<float> sums(windows.size() * width);
  constexpr std::size_t tokens_at_once = 128;
  std::vector<std::size_t> blocks{0};
  std::size_t tokens = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    tokens += windows[w].tokens();
    if (tokens < tokens_at_once && w + 1 < windows.size()) continue;
    blocks.push_back(w + 1);
    tokens = 0;
  }
  parallel_items(
      blocks.size() - 1, 1, threads, [&] { return PretrainedWorker(model, bits); },
      [&](PretrainedWorker& worker, std::size_t block) {
        const std::size_t first = blocks[block];
        worker.encode(std::span(windows).subspan(first, blocks[block + 1] - first), texts, results,
                      sums.data() + first * width);
      });
  // The windows of a text one after the other. A mean has the same direction as a sum.
  for (std::size_t w = 0, before = 0; w < windows.size(); ++w) {
    if (windows[w].begins) before = w;
    float *sum = sums.data() + before * width, *more = sums.data() + w * width;
    for (std::size_t i = 0; w != before && i < width; ++i) sum[i] += more[i];
    if (windows[w].ends) unit_row(sum, width, results.texts + windows[w].text * width);
  }
}

}  // namespace metaphrase::encoder
