// Loops over lines of a sweep. Every loop has one order of operations, whatever the width of the machine's
// registers. Lengths are multiples of four where vectors are padded.
#pragma once

#include <cstring>
#include <type_traits>

#include "edits/numbers.hpp"

namespace metaphrase::edits {

inline constexpr int padded(int n) { return (n + 3) & ~3; }

template <class Number>
void clear(Number* __restrict to, int n) {
  for (int k = 0; k < n; ++k) to[k] = Number{};
}

template <class Number>
void set_sum(Number* __restrict to, const Number* x, Number wx, const Number* y, Number wy, int n) {
  n &= ~3;
  for (int k = 0; k < n; ++k) to[k] = x[k] * wx + y[k] * wy;
}

template <class Number>
void set_product(Number* __restrict to, const Number* x, Number wx, int n) {
  n &= ~3;
  for (int k = 0; k < n; ++k) to[k] = x[k] * wx;
}

template <class Number>
void add_product(Number* __restrict to, const Number* x, Number wx, int n) {
  n &= ~3;
  for (int k = 0; k < n; ++k) to[k] += x[k] * wx;
}

template <class Number>
void add_sum(Number* __restrict to, const Number* x, Number wx, const Number* y, Number wy, int n) {
  n &= ~3;
  for (int k = 0; k < n; ++k) to[k] += x[k] * wx + y[k] * wy;
}

// The sum of x[k] * y[k], in four partial sums.
template <class Number>
Number dot(const Number* x, const Number* y, int n) {
  Number s0{}, s1{}, s2{}, s3{};
  for (int k = 0; k < n; k += 4) {
    s0 += x[k] * y[k];
    s1 += x[k + 1] * y[k + 1];
    s2 += x[k + 2] * y[k + 2];
    s3 += x[k + 3] * y[k + 3];
  }
  return (s0 + s1) + (s2 + s3);
}

#if defined(__GNUC__)
template <>
inline double dot<double>(const double* x, const double* y, int n) {
  typedef double Four __attribute__((vector_size(32)));
  Four sum{};
  for (int k = 0; k < n; k += 4) {
    Four a, b;
    std::memcpy(&a, x + k, sizeof a);
    std::memcpy(&b, y + k, sizeof b);
    sum += a * b;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
#endif

// to[0] = 0, to[k + 1] = add[k] + w * to[k] for the first n places. Four steps at a time, of which only one
// waits for the four before.
template <class Number>
void run(Number* __restrict to, const Number* __restrict add, Number w, int n) {
  Number carry{};
  int k = 0;
  if constexpr (!std::is_same_v<Number, BestScore>) {  // a best path is followed back step by step
    const Number w2 = w * w, w3 = w2 * w, w4 = w2 * w2;
    for (; k + 4 <= n; k += 4) {
      const Number b2 = add[k + 1] + w * add[k];
      const Number b3 = add[k + 2] + w * b2;
      const Number b4 = add[k + 3] + w * b3;
      to[k] = carry;
      to[k + 1] = add[k] + w * carry;
      to[k + 2] = b2 + w2 * carry;
      to[k + 3] = b3 + w3 * carry;
      carry = b4 + w4 * carry;
    }
  }
  for (; k < n; ++k) {
    to[k] = carry;
    carry = add[k] + carry * w;
  }
}

// The transpose: at[k] += w * at[k + 1], from the last of n places to the first.
template <class Number>
void run_back(Number* at, Number w, int n) {
  Number carry{};
  const Number w2 = w * w, w3 = w2 * w, w4 = w2 * w2;
  int k = n;
  for (; k >= 4; k -= 4) {
    Number* a = at + k - 4;
    const Number b2 = a[2] + w * a[3];
    const Number b1 = a[1] + w * b2;
    const Number b0 = a[0] + w * b1;
    a[3] = a[3] + w * carry;
    a[2] = b2 + w2 * carry;
    a[1] = b1 + w3 * carry;
    carry = a[0] = b0 + w4 * carry;
  }
  while (k-- > 0) carry = at[k] = at[k] + w * carry;
}

// The same for edits of one or two words: to[k] = left[k - 1] + second * left[k - 2], left[k] = add[k] + w *
// to[k].
template <class Number>
void run_edits(Number* __restrict to, const Number* __restrict add, Number w, Number second, int edit_block,
               int n) {
  if (edit_block == 1) return run(to, add, w, n);
  Number last{}, one_before{};
  for (int k = 0; k < n; ++k) {
    to[k] = last + one_before * second;
    one_before = last;
    last = add[k] + to[k] * w;
  }
}

// Its transpose: `at` becomes the adjoint of `to`, and the result is that of `add`, in `at` itself or in
// `room`.
template <class Number>
const Number* run_edits_back(Number* at, Number w, Number second, int edit_block, int n, Number* room) {
  if (edit_block == 1) {
    run_back(at, w, n);
    return at + 1;
  }
  for (int k = n - 2; k >= 0; --k) at[k] += (at[k + 1] + at[k + 2] * second) * w;
  for (int k = 0; k < padded(n); ++k) room[k] = at[k + 1] + at[k + 2] * second;
  return room;
}

}  // namespace metaphrase::edits
