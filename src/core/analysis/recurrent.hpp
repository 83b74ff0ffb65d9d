// A layer of simple recurrent units (Lei et al. 2018), read in both directions.
//
// All products with matrices are made beforehand, for every word at once; what is left to do word after word
// is elementwise: with z, f and r the products of the input x with three matrices,
//   f' = sigmoid(f + p c + q),  r' = sigmoid(r + p' c + q'),  c <- f' c + (1 - f') z,  h = r' c + (1 - r') x.
#pragma once

#include <cstddef>

#include "base/dense.hpp"

namespace metaphrase::analysis {

// Of one direction: p, p', q and q', each as long as there are units.
template <class Real>
struct GateWeights {
  const Real *forget_peep, *reset_peep, *forget_bias, *reset_bias;
};

namespace recurrent {

template <class Real>
METAPHRASE_INLINE void read(const GateWeights<Real>& weights, std::size_t units, std::size_t words,
                            bool backward, Real* products, std::size_t product_row, const Real* input,
                            std::size_t input_row, Real* cells, Real* output, std::size_t output_row,
                            const Real* zeros) {
  typedef typename Lanes<Real>::Vector Vector;
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(Real);
  const Real* before = zeros;
  for (std::size_t step = 0; step < words; ++step) {
    const std::size_t t = backward ? words - 1 - step : step;
    Real* row = products + t * product_row;
    const Real* x = input + t * input_row;
    Real* cell = cells + t * output_row;
    Real* h = output + t * output_row;
    for (std::size_t j = 0; j < units; j += lanes) {
      Vector last, f, r, z, inside, weight;
      load(last, before + j);
      load(f, row + units + j);
      load(weight, weights.forget_peep + j);
      f += weight * last;
      load(weight, weights.forget_bias + j);
      f += weight;
      load(r, row + 2 * units + j);
      load(weight, weights.reset_peep + j);
      r += weight * last;
      load(weight, weights.reset_bias + j);
      r += weight;
      squash(f);
      squash(r);
      load(z, row + j);
      load(inside, x + j);
      const Vector c = f * last + (1.0f - f) * z;
      store(row + units + j, f);
      store(row + 2 * units + j, r);
      store(cell + j, c);
      const Vector h_j = r * c + (1.0f - r) * inside;
      store(h + j, h_j);
    }
    before = cell;
  }
}

template <class Real>
METAPHRASE_AVX2 void read_avx2(const GateWeights<Real>& weights, std::size_t units, std::size_t words,
                               bool backward, Real* products, std::size_t product_row, const Real* input,
                               std::size_t input_row, Real* cells, Real* output, std::size_t output_row,
                               const Real* zeros) {
  read(weights, units, words, backward, products, product_row, input, input_row, cells, output, output_row,
       zeros);
}

template <class Real>
void read_anywhere(const GateWeights<Real>& weights, std::size_t units, std::size_t words, bool backward,
                   Real* products, std::size_t product_row, const Real* input, std::size_t input_row,
                   Real* cells, Real* output, std::size_t output_row, const Real* zeros) {
  read(weights, units, words, backward, products, product_row, input, input_row, cells, output, output_row,
       zeros);
}

}  // namespace recurrent

// Reads `words` words in one direction. Row t of `products` holds z, f and r; the gates take the place of f
// and r, for the way back. `zeros` are as many zeros as units: the cell before the first word.
template <class Real>
void read_direction(const GateWeights<Real>& weights, std::size_t units, std::size_t words, bool backward,
                    Real* products, std::size_t product_row, const Real* input, std::size_t input_row,
                    Real* cells, Real* output, std::size_t output_row, const Real* zeros) {
  const auto run = has_avx2() ? recurrent::read_avx2<Real> : recurrent::read_anywhere<Real>;
  run(weights, units, words, backward, products, product_row, input, input_row, cells, output, output_row,
      zeros);
}

// Where the gradients of the gates' weights are summed.
template <class Real>
struct GateGradients {
  Real *forget_peep, *reset_peep, *forget_bias, *reset_bias;
};

// The way back: `products` holds z and both gates and receives the gradients of all three products; the
// gradient of the input is added to `input_gradient`. `carried` is room for as many numbers as units.
template <class Real>
void learn_direction(const GateWeights<Real>& weights, const GateGradients<Real>& gradients,
                     std::size_t units, std::size_t words, bool backward, Real* products,
                     std::size_t product_row, const Real* input, std::size_t input_row, const Real* cells,
                     std::size_t output_row, const Real* output_gradient, Real* input_gradient,
                     const Real* zeros, Real* carried) {
  std::fill(carried, carried + units, Real(0));
  const Real* __restrict forget_peep = weights.forget_peep;
  const Real* __restrict reset_peep = weights.reset_peep;
  Real* __restrict forget_peep_sum = gradients.forget_peep;
  Real* __restrict reset_peep_sum = gradients.reset_peep;
  Real* __restrict forget_bias_sum = gradients.forget_bias;
  Real* __restrict reset_bias_sum = gradients.reset_bias;
  Real* __restrict carry = carried;
  for (std::size_t step = words; step-- > 0;) {
    const std::size_t t = backward ? words - 1 - step : step;
    const std::size_t earlier = backward ? t + 1 : t - 1;
    const Real* __restrict before = step > 0 ? cells + earlier * output_row : zeros;
    Real* __restrict z = products + t * product_row;
    Real* __restrict forget = z + units;
    Real* __restrict reset = z + 2 * units;
    const Real* __restrict x = input + t * input_row;
    const Real* __restrict cell = cells + t * output_row;
    const Real* __restrict dh = output_gradient + t * output_row;
    Real* __restrict dx = input_gradient + t * input_row;
    for (std::size_t j = 0; j < units; ++j) {
      const Real f = forget[j], r = reset[j];
      const Real dr = dh[j] * (cell[j] - x[j]) * r * (Real(1) - r);
      const Real dc = carry[j] + dh[j] * r;
      const Real df = dc * (before[j] - z[j]) * f * (Real(1) - f);
      dx[j] += dh[j] * (Real(1) - r);
      z[j] = dc * (Real(1) - f);
      forget[j] = df;
      reset[j] = dr;
      carry[j] = dc * f + df * forget_peep[j] + dr * reset_peep[j];
      forget_peep_sum[j] += df * before[j];
      reset_peep_sum[j] += dr * before[j];
      forget_bias_sum[j] += df;
      reset_bias_sum[j] += dr;
    }
  }
}

}  // namespace metaphrase::analysis
