// Dense kernels whose results are the same bits on every machine.
//
// Every sum runs over its terms in one fixed order, vector lanes hold different sums and never parts of one,
// and nothing is fused: wider registers change the speed only. For the same reason exp is ours and not the C
// library's.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(_WIN32)
#include <windows.h>
#endif

#if defined(__x86_64__)
#define METAPHRASE_AVX2 __attribute__((target("avx2")))
#else
#define METAPHRASE_AVX2
#endif
#define METAPHRASE_INLINE [[gnu::always_inline]] inline

namespace metaphrase {

inline bool has_avx2() {
#if defined(__x86_64__) && defined(_WIN32)
  return IsProcessorFeaturePresent(PF_AVX2_INSTRUCTIONS_AVAILABLE) != 0;  // the builtin needs a library there
#elif defined(__x86_64__)
  static const bool found = __builtin_cpu_supports("avx2");
  return found;
#else
  return false;
#endif
}

// The nearest integer, ties to even; for magnitudes below 2^22. The sum has no bits left for a fraction.
METAPHRASE_INLINE std::int32_t nearest(float value) {
  return std::bit_cast<std::int32_t>(value + 12582912.0f) - 0x4B400000;
}

// Eight floats at once: one register of AVX2, two of SSE.
typedef float Floats __attribute__((vector_size(32), aligned(4), may_alias));
typedef std::int32_t Integers __attribute__((vector_size(32)));

// A vector from any place of memory, and to it. Copied, since a type that is looked up through a template may
// lose what it says of alignment: clang then takes the place to be that of a register.
template <class Vector, class Real>
METAPHRASE_INLINE void load(Vector& into, const Real* from) {
  std::memcpy(&into, from, sizeof into);
}
template <class Vector, class Real>
METAPHRASE_INLINE void store(Real* to, const Vector& values) {
  std::memcpy(to, &values, sizeof values);
}

// x becomes e^x, wrong by two units in the last place at most (Cody and Waite's reduction, the polynomial of
// Cephes). By reference, since how vectors are passed by value depends on the machine.
METAPHRASE_INLINE void exponentiate(Floats& x) {
  const Floats low = Floats{} - 87.0f, high = Floats{} + 87.0f;
  x = x < low ? low : x;
  x = x > high ? high : x;
  const Floats shifted = x * 1.44269504f + 12582912.0f;   // as in nearest()
  const Integers power = (Integers)shifted - 0x4B400000;  // between vectors, a cast keeps the bits
  const Floats k = shifted - 12582912.0f;
  const Floats r = x - k * 0.693359375f - k * -2.12194440e-4f;
  Floats p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const Integers scale = (power + 127) << 23;
  x = (p * r * r + r + 1.0f) * (Floats)scale;
}
// Only the check of gradients computes in this precision, on one machine.
METAPHRASE_INLINE void exponentiate(double& x) { x = std::exp(x); }

inline float exponential(float x) {
  Floats all = Floats{} + x;
  exponentiate(all);
  return all[0];
}
inline double exponential(double x) { return std::exp(x); }

// What loops over units step by. A type of its own, because a template's argument loses its attributes.
template <class Real>
struct Lanes {
  typedef Real Vector;
};
template <>
struct Lanes<float> {
  typedef Floats Vector;
};

// x becomes 1 / (1 + e^-x). No template, for which Clang would take the vector to be aligned.
METAPHRASE_INLINE void squash(Floats& x) {
  x = -x;
  exponentiate(x);
  x = 1.0f / (1.0f + x);
}
METAPHRASE_INLINE void squash(double& x) {
  x = -x;
  exponentiate(x);
  x = 1.0 / (1.0 + x);
}

// Where a factor of a product lies: element (i, k) at data[i * row + k * step].
template <class Real>
struct Strided {
  const Real* data;
  std::ptrdiff_t row, step;
};

namespace dense {

template <class Real>
constexpr std::size_t panel = 64 / sizeof(Real);  // columns at a time: two registers of AVX2

// `rows` rows of a product with one panel, which lies packed.
template <int rows, class Real>
METAPHRASE_INLINE void multiply_block(Strided<Real> a, const Real* b, std::size_t depth, Real* c,
                                      std::ptrdiff_t c_row, std::size_t width, bool add) {
  typedef Real Vector __attribute__((vector_size(32)));
  constexpr std::size_t lanes = panel<Real> / 2;
  Vector sums[rows][2] = {};
  for (std::size_t k = 0; k < depth; ++k) {
    Vector left, right;
    load(left, b + k * panel<Real>);
    load(right, b + k * panel<Real> + lanes);
    for (int r = 0; r < rows; ++r) {
      const Real factor = a.data[r * a.row + static_cast<std::ptrdiff_t>(k) * a.step];
      sums[r][0] += factor * left;
      sums[r][1] += factor * right;
    }
  }
  for (int r = 0; r < rows; ++r) {
    const Real* sum = reinterpret_cast<const Real*>(sums[r]);
    Real* out = c + r * c_row;
    if (add) {
      for (std::size_t j = 0; j < width; ++j) out[j] += sum[j];
    } else {
      for (std::size_t j = 0; j < width; ++j) out[j] = sum[j];
    }
  }
}

template <class Real>
METAPHRASE_INLINE void multiply_all(Strided<Real> a, Strided<Real> b, Real* c, std::ptrdiff_t c_row,
                                    std::size_t rows, std::size_t depth, std::size_t columns, bool add,
                                    Real* packed) {
  for (std::size_t j = 0; j < columns; j += panel<Real>) {
    const std::size_t width = std::min(panel<Real>, columns - j);
    const Real* from = b.data + static_cast<std::ptrdiff_t>(j) * b.step;
    for (std::size_t k = 0; k < depth; ++k) {
      Real* to = packed + k * panel<Real>;
      for (std::size_t w = 0; w < width; ++w) {
        to[w] = from[static_cast<std::ptrdiff_t>(k) * b.row + static_cast<std::ptrdiff_t>(w) * b.step];
      }
      std::fill(to + width, to + panel<Real>, Real(0));
    }
    for (std::size_t i = 0; i < rows; i += 6) {
      const Strided<Real> block{a.data + static_cast<std::ptrdiff_t>(i) * a.row, a.row, a.step};
      Real* out = c + static_cast<std::ptrdiff_t>(i) * c_row + static_cast<std::ptrdiff_t>(j);
      switch (rows - i) {
        case 1: multiply_block<1>(block, packed, depth, out, c_row, width, add); break;
        case 2: multiply_block<2>(block, packed, depth, out, c_row, width, add); break;
        case 3: multiply_block<3>(block, packed, depth, out, c_row, width, add); break;
        case 4: multiply_block<4>(block, packed, depth, out, c_row, width, add); break;
        case 5: multiply_block<5>(block, packed, depth, out, c_row, width, add); break;
        default: multiply_block<6>(block, packed, depth, out, c_row, width, add);
      }
    }
  }
}

template <class Real>
METAPHRASE_AVX2 void multiply_avx2(Strided<Real> a, Strided<Real> b, Real* c, std::ptrdiff_t c_row,
                                   std::size_t rows, std::size_t depth, std::size_t columns, bool add,
                                   Real* packed) {
  multiply_all(a, b, c, c_row, rows, depth, columns, add, packed);
}

template <class Real>
void multiply_anywhere(Strided<Real> a, Strided<Real> b, Real* c, std::ptrdiff_t c_row, std::size_t rows,
                       std::size_t depth, std::size_t columns, bool add, Real* packed) {
  multiply_all(a, b, c, c_row, rows, depth, columns, add, packed);
}

}  // namespace dense

// c = a b, or c += a b: `a` has rows x depth elements, `b` depth x columns; `c` lies in rows of c_row
// elements.
template <class Real>
void multiply(Strided<Real> a, Strided<Real> b, Real* c, std::size_t c_row, std::size_t rows,
              std::size_t depth, std::size_t columns, bool add) {
  thread_local std::vector<Real> packed;
  packed.resize(depth * dense::panel<Real>);
  const auto run = has_avx2() ? dense::multiply_avx2<Real> : dense::multiply_anywhere<Real>;
  run(a, b, c, static_cast<std::ptrdiff_t>(c_row), rows, depth, columns, add, packed.data());
}

// A matrix in rows, as it lies or transposed.
template <class Real>
Strided<Real> by_rows(const Real* data, std::size_t columns) {
  return {data, static_cast<std::ptrdiff_t>(columns), 1};
}
template <class Real>
Strided<Real> transposed(const Real* data, std::size_t columns) {
  return {data, 1, static_cast<std::ptrdiff_t>(columns)};
}

}  // namespace metaphrase
