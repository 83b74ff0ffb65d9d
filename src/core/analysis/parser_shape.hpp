// The parts of the parser's network and their sizes.
//
//   token  = [ word : affixes : tags ]        sums of learnt rows, one slice each
//   layers = simple recurrent units in both directions, each layer over the one before
//   arc    = (leaky(D d) U + u) . leaky(H h) + distance(h, d)      of head h to dependent d
//   label  = V leaky(A h + B d + b) + v       for the chosen head only
//
// Arcs are those of Dozat and Manning (2017), labels those of Kiperwasser and Goldberg (2016).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace metaphrase::analysis {

constexpr std::int32_t farthest = 16;  // longer distances count as this one
constexpr std::size_t distances = 2 * farthest + 2;

struct ParserShape {
  std::uint32_t words = 0, affixes = 0, tags = 0, relations = 0;  // rows of the tables, number of labels
  std::uint32_t units = 128;                                      // of one direction, and of the input
  std::uint32_t layers = 3;
  std::uint32_t arc = 96, label = 64;

  std::size_t word_size() const { return units / 2; }
  std::size_t affix_size() const { return units / 4; }
  std::size_t tag_size() const { return units / 4; }
  std::size_t layer_input(std::size_t layer) const { return layer == 0 ? units : 2 * units; }
  std::size_t projections() const { return 2 * arc + 2 * label; }
};

// Bucket of the distance from dependent to head; the root, token 0, has one of its own.
inline std::size_t distance_bucket(std::int32_t dependent, std::int32_t head) {
  if (head == 0) return 2 * farthest + 1;
  return static_cast<std::size_t>(std::clamp(head - dependent, -farthest, farthest) + farthest);
}

// Where each tensor begins in one long vector of parameters. Matrices have a row for each input.
struct ParserLayout {
  struct Layer {
    std::size_t matrix;  // input x 6 units: z, f, r, forward then backward
    std::size_t forget_peep, reset_peep, forget_bias, reset_bias;  // 2 units each
  };
  std::size_t word, affix, tag, root;
  std::vector<Layer> layers;
  std::size_t projection, projection_bias;  // of D, H, B and A side by side
  std::size_t arc, arc_bias, distance;
  std::size_t label, label_bias;
  std::size_t size = 0;

  explicit ParserLayout(const ParserShape& shape) {
    const std::size_t units = shape.units;
    word = take(shape.words * shape.word_size());
    affix = take(shape.affixes * shape.affix_size());
    tag = take(shape.tags * shape.tag_size());
    root = take(units);
    for (std::size_t l = 0; l < shape.layers; ++l) {
      const std::size_t matrix = take(shape.layer_input(l) * 6 * units);
      layers.push_back({matrix, take(2 * units), take(2 * units), take(2 * units), take(2 * units)});
    }
    projection = take(2 * units * shape.projections());
    projection_bias = take(shape.projections());
    arc = take(static_cast<std::size_t>(shape.arc) * shape.arc);
    arc_bias = take(shape.arc);
    distance = take(distances);
    label = take(static_cast<std::size_t>(shape.label) * shape.relations);
    label_bias = take(shape.relations);
  }

 private:
  std::size_t take(std::size_t count) {
    size += count;
    return size - count;
  }
};

constexpr std::size_t affix_kinds = 4;

// A token as rows of the tables. The word's vector from raw text stays as it is, its row in `word` is learnt.
struct ParserToken {
  std::int32_t vector = -1, word = 0, tag = 0, upos = 0;
  std::array<std::int32_t, affix_kinds> affixes{};
};

template <class Real>
inline Real leaky(Real x) {
  return x > Real(0) ? x : Real(0.1) * x;
}

}  // namespace metaphrase::analysis
