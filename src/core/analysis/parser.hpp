// Tokens and tags to trees: the parser as it is used, on packed columns.
//
// Everything but the recurrence and the scores of arcs is computed in whole numbers, and those two in floats
// whose operations are the same everywhere: the trees do not depend on the machine, the batch or the number
// of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/parser_model.hpp"
#include "analysis/sentence_ends.hpp"
#include "analysis/spanning_tree.hpp"
#include "base/parallel.hpp"

namespace metaphrase::analysis {

// Consecutive tokens that get a tree of their own.
struct Piece {
  std::size_t begin, size;
};

// One thread's way through its pieces. Pieces are taken in groups, so that weights are read once for many
// tokens.
class ParserWorker {
 public:
  explicit ParserWorker(const ParserModel& model) : model_(model), zeros_(model.shape.units) {}

  // `tokens` are those of all pieces, one after the other; so are the results.
  void parse(std::span<const ParserToken> tokens, std::span<const std::size_t> sizes, std::int32_t* heads,
             std::int32_t* relations) {
    const std::size_t rows = tokens.size() + sizes.size();
    embed(tokens, sizes, rows);
    encode(sizes, rows);
    project(rows);
    std::size_t row = 0, token = 0;
    for (const std::size_t size : sizes) {
      find_heads(row, size, heads + token);
      row += size + 1;
      token += size;
    }
    find_relations(sizes, tokens.size(), heads, relations);
  }

 private:
  void embed(std::span<const ParserToken> tokens, std::span<const std::size_t> sizes, std::size_t rows) {
    const ParserShape& shape = model_.shape;
    const std::size_t units = shape.units;
    input_.assign(rows * units, 0.0f);
    float* row = input_.data();
    std::size_t token = 0;
    for (const std::size_t size : sizes) {
      std::copy(model_.root.begin(), model_.root.end(), row);
      row += units;
      for (const std::size_t end = token + size; token < end; ++token, row += units) {
        const ParserToken& cells = tokens[token];
        model_.word_table.add(cells.word, row);
        for (const std::int32_t affix : cells.affixes) model_.affix_table.add(affix, row + shape.word_size());
        float* tags = row + shape.word_size() + shape.affix_size();
        model_.tag_table.add(cells.tag, tags);
        model_.tag_table.add(cells.upos, tags);
      }
    }
  }

  // Leaves the output of the last layer in input_.
  void encode(std::span<const std::size_t> sizes, std::size_t rows) {
    const std::size_t units = model_.shape.units;
    products_.resize(rows * 6 * units);
    cells_.resize(rows * 2 * units);
    output_.resize(rows * 2 * units);
    for (std::size_t l = 0; l < model_.layers.size(); ++l) {
      const ParserModel::Layer& layer = model_.layers[l];
      const std::size_t width = model_.shape.layer_input(l);
      layer.matrix.multiply(input_.data(), width, products_.data(), 6 * units, rows, rounded_);
      std::size_t first = 0;
      for (const std::size_t size : sizes) {
        for (std::size_t way = 0; way < 2; ++way) {
          const std::size_t skip = way * units;
          const GateWeights<float> gates{layer.forget_peep.data() + skip, layer.reset_peep.data() + skip,
                                         layer.forget_bias.data() + skip, layer.reset_bias.data() + skip};
          read_direction(gates, units, size + 1, way == 1, products_.data() + (first * 6 + 3 * way) * units,
                         6 * units, input_.data() + first * width + (l == 0 ? 0 : skip), width,
                         cells_.data() + (first * 2 + way) * units,
                         output_.data() + (first * 2 + way) * units, 2 * units, zeros_.data());
        }
        first += size + 1;
      }
      std::swap(input_, output_);
      output_.resize(rows * 2 * units);
    }
  }

  void project(std::size_t rows) {
    const std::size_t columns = model_.shape.projections(), arc = model_.shape.arc;
    projected_.resize(rows * columns);
    model_.projection.multiply(input_.data(), 2 * model_.shape.units, projected_.data(), columns, rows,
                               rounded_);
    for (std::size_t t = 0; t < rows; ++t) {
      float* row = projected_.data() + t * columns;
      for (std::size_t j = 0; j < columns; ++j) row[j] += model_.projection_bias[j];
      for (std::size_t j = 0; j < 2 * arc; ++j) row[j] = leaky(row[j]);
    }
    wanted_.resize(rows * arc);
    model_.arc.multiply(projected_.data(), columns, wanted_.data(), arc, rows, rounded_);
    for (std::size_t t = 0; t < rows; ++t) {
      for (std::size_t j = 0; j < arc; ++j) wanted_[t * arc + j] += model_.arc_bias[j];
    }
  }

  // Scores in steps of a thousandth: as whole numbers their sums are exact.
  void find_heads(std::size_t row, std::size_t size, std::int32_t* heads) {
    const std::size_t columns = model_.shape.projections(), arc = model_.shape.arc, width = size + 1;
    scores_.resize(size * width);
    multiply(by_rows<float>(wanted_.data() + (row + 1) * arc, arc),
             transposed<float>(projected_.data() + row * columns + arc, columns), scores_.data(), width, size,
             arc, width, false);
    steps_.resize(size * width);
    for (std::size_t d = 1; d <= size; ++d) {
      for (std::size_t h = 0; h <= size; ++h) {
        const std::size_t at = (d - 1) * width + h;
        const float score =
            scores_[at] +
            model_.distance[distance_bucket(static_cast<std::int32_t>(d), static_cast<std::int32_t>(h))];
        steps_[at] = nearest(std::clamp(score, -2000.0f, 2000.0f) * 1024.0f);
      }
    }
    trees_.find(steps_.data(), size, heads);
  }

  void find_relations(std::span<const std::size_t> sizes, std::size_t tokens, const std::int32_t* heads,
                      std::int32_t* relations) {
    const std::size_t columns = model_.shape.projections(), arc = model_.shape.arc,
                      label = model_.shape.label;
    const std::size_t choices = model_.relations.size();
    hidden_.resize(tokens * label);
    std::size_t row = 0, token = 0;
    for (const std::size_t size : sizes) {
      for (std::size_t d = 1; d <= size; ++d, ++token) {
        const float* dependent = projected_.data() + (row + d) * columns + 2 * arc;
        const float* head = projected_.data() + (row + heads[token]) * columns + 2 * arc + label;
        for (std::size_t j = 0; j < label; ++j) hidden_[token * label + j] = leaky(dependent[j] + head[j]);
      }
      row += size + 1;
    }
    scores_.resize(tokens * choices);
    model_.label.multiply(hidden_.data(), label, scores_.data(), choices, tokens, rounded_);
    for (token = 0; token < tokens; ++token) {
      float* scores = scores_.data() + token * choices;
      for (std::size_t r = 0; r < choices; ++r) scores[r] += model_.label_bias[r];
      relations[token] = static_cast<std::int32_t>(std::max_element(scores, scores + choices) - scores);
    }
  }

  const ParserModel& model_;
  TreeFinder trees_;
  std::vector<float> zeros_, input_, output_, products_, cells_, projected_, wanted_, scores_, hidden_;
  std::vector<std::int16_t> rounded_;
  std::vector<std::int32_t> steps_;
};

// Columns as analysis.sentence.Batch packs them.
struct ParserColumns {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> form, tag, upos;
  std::span<const std::string_view> strings;
};

class Parser {
 public:
  explicit Parser(std::string_view model) : model_(ParserModel::parse(model)) {}
  const ParserModel& model() const { return model_; }

  // Heads count from 1 within the row, 0 is the root; without `split` a row is one sentence as long as it is
  // not longer than any.
  void parse(const ParserColumns& columns, bool split, int threads, std::int32_t* heads,
             std::int32_t* relations) const {
    std::vector<ParserToken> known(columns.strings.size());
    std::vector<SentencePart> parts(columns.strings.size());
    std::vector<std::uint8_t> uses(columns.strings.size());
    for (const std::int32_t form : columns.form) uses[form] |= 1;
    for (const std::int32_t tag : columns.tag) uses[tag] |= 2;
    for (const std::int32_t tag : columns.upos) uses[tag] |= 2;
    parallel_blocks(known.size(), 512, threads, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) look_up(columns.strings[i], uses[i], known[i], parts[i]);
    });
    const std::size_t rows = columns.offsets.size() - 1;
    parallel_blocks(rows, 32, threads, [&](std::size_t begin, std::size_t end, int) {
      Group group(model_, columns, known, heads, relations);
      std::vector<SentencePart> row_parts;
      for (std::size_t row = begin; row < end; ++row) {
        const std::size_t first = columns.offsets[row], last = columns.offsets[row + 1];
        row_parts.clear();
        for (std::size_t t = first; t < last; ++t) row_parts.push_back(parts[columns.form[t]]);
        for (std::size_t at = first; at < last;) {
          const std::span<const SentencePart> rest(row_parts.data() + (at - first), last - at);
          const std::size_t size = split || rest.size() > longest_piece ? first_sentence(rest) : rest.size();
          group.add({at, size}, at - first);
          at += size;
        }
      }
      group.flush();
    });
  }

 private:
  static constexpr std::size_t group_tokens = 192;

  // Pieces that are parsed together.
  class Group {
   public:
    Group(const ParserModel& model, const ParserColumns& columns, const std::vector<ParserToken>& known,
          std::int32_t* heads, std::int32_t* relations)
        : worker_(model), columns_(columns), known_(known), heads_(heads), relations_(relations) {}

    void add(Piece piece, std::size_t place) {
      for (std::size_t t = piece.begin; t < piece.begin + piece.size; ++t) {
        ParserToken token = known_[columns_.form[t]];
        token.tag = known_[columns_.tag[t]].tag;
        token.upos = known_[columns_.upos[t]].upos;
        tokens_.push_back(token);
      }
      pieces_.push_back(piece);
      places_.push_back(place);
      sizes_.push_back(piece.size);
      if (tokens_.size() >= group_tokens) flush();
    }

    void flush() {
      if (pieces_.empty()) return;
      found_heads_.resize(tokens_.size());
      found_relations_.resize(tokens_.size());
      worker_.parse(tokens_, sizes_, found_heads_.data(), found_relations_.data());
      std::size_t token = 0;
      for (std::size_t p = 0; p < pieces_.size(); ++p) {
        for (std::size_t t = 0; t < pieces_[p].size; ++t, ++token) {
          const std::int32_t head = found_heads_[token];
          heads_[pieces_[p].begin + t] = head == 0 ? 0 : head + static_cast<std::int32_t>(places_[p]);
          relations_[pieces_[p].begin + t] = found_relations_[token];
        }
      }
      tokens_.clear();
      pieces_.clear();
      places_.clear();
      sizes_.clear();
    }

   private:
    ParserWorker worker_;
    const ParserColumns& columns_;
    const std::vector<ParserToken>& known_;
    std::int32_t *heads_, *relations_;
    std::vector<ParserToken> tokens_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> places_, sizes_;  // tokens of the row before the piece, and of the piece
    std::vector<std::int32_t> found_heads_, found_relations_;
  };

  // A string as the form or the tag that it may be.
  void look_up(std::string_view text, std::uint8_t uses, ParserToken& token, SentencePart& part) const {
    token.tag = 0;
    token.upos = model_.unknown_upos;
    if (uses & 1) {
      const ParserForm form = parser_form(text);
      const std::int32_t* row = model_.words.find(form.key);
      token.word = row ? *row : 0;
      token.affixes = form.affixes;
      part = form.part;
    }
    if (uses & 2) {
      const std::string name(text);
      if (const auto found = model_.tags.find(name); found != model_.tags.end()) token.tag = found->second;
      if (const auto found = model_.upos.find(name); found != model_.upos.end()) token.upos = found->second;
    }
  }

  ParserModel model_;
};

}  // namespace metaphrase::analysis
