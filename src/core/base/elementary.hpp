// exp, log, log2 and powers that are the same bits on every machine.
//
// C libraries round these functions each in its own way, glibc even by what the processor can do: one
// argument in some thousands gets another last bit. Here they are made of additions, multiplications and
// divisions alone, which IEEE 754 rounds in one way only, so whatever comes out is the same everywhere.
// Numbers are unevaluated sums of two doubles (Dekker, Numerische Mathematik 18, 1971), good for 85 bits or
// more: the result is the double nearest to the true value unless that lies within 2^-32 of a unit in the
// last place from the middle of two.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace metaphrase::elementary {

struct Pair {
  double high = 0.0, low = 0.0;
};

// a + b without error, where |a| >= |b|.
constexpr Pair ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b without error (Knuth).
constexpr Pair exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// a * b without error (Veltkamp's halves of 26 bits); neither may be near the largest double.
constexpr Pair exact_product(double a, double b) {
  constexpr double cut = 134217729.0;  // 2^27 + 1
  const double a_cut = cut * a, b_cut = cut * b;
  const double a_high = a_cut - (a_cut - a), b_high = b_cut - (b_cut - b);
  const double a_low = a - a_high, b_low = b - b_high, product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

constexpr Pair operator+(Pair a, Pair b) {
  const Pair high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
  const Pair sum = ordered_sum(high.high, high.low + low.high);
  return ordered_sum(sum.high, sum.low + low.low);
}

constexpr Pair operator*(Pair a, Pair b) {
  const Pair product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

// Exact, if `factor` is a power of two.
constexpr Pair scaled(Pair a, double factor) { return {a.high * factor, a.low * factor}; }

constexpr Pair operator/(Pair a, Pair b) {
  const double first = a.high / b.high;
  const Pair back = exact_product(first, b.high);
  const double rest = ((a.high - back.high) - back.low) + (a.low - first * b.low);
  return ordered_sum(first, rest / b.high);
}

// log 2 in three parts: whole numbers of up to 12 bits times the first two are exact.
inline constexpr double log2_first = 0x1.62e42fefa2p-1, log2_second = 0x1.9ef35793c6p-41,
                        log2_third = 0x1.673007e5ed5e8p-81;
inline constexpr Pair over_log2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

// e^x is (1 + less_one) * 2^power.
struct Exponential {
  Pair less_one;
  int power;
};

// For |x| < 2000. With x = power * log 2 + 256 r the series of e^r - 1 is short; eight times (1 + p)^2 - 1 =
// 2p + p^2 leads back, without losing what p is beside 1.
inline Exponential exponential(Pair x) {
  const double power = std::floor(x.high * over_log2.high + 0.5);
  Pair r = exact_sum(x.high, -power * log2_first) + Pair{x.low, 0.0};
  r = r + exact_sum(-power * log2_second, -power * log2_third);
  r = scaled(r, 0x1p-8);
  const double h = r.high;
  // From r^4 on the terms are so small beside r that doubles do.
  const double rest =
      h * h * h * h * (1 / 24.0 + h * (1 / 120.0 + h * (1 / 720.0 + h * (1 / 5040.0 + h * (1 / 40320.0)))));
  const Pair square = r * r;
  constexpr Pair sixth = Pair{1.0} / Pair{6.0};
  Pair p = r + (scaled(square, 0.5) + (square * r * sixth + Pair{rest}));
  for (int i = 0; i < 8; ++i) p = scaled(p, 2.0) + p * p;
  return {p, static_cast<int>(power)};
}

// log x is exponent * log 2 + rest, the rest within ±log(2) / 2.
struct Logarithm {
  double exponent;
  Pair rest;
};

inline constexpr auto odd_reciprocals = [] {
  std::array<Pair, 18> values{};
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = Pair{1.0} / Pair{2.0 * static_cast<double>(n) + 1.0};
  return values;
}();

// For x > 0. log m = 2 (s + s^3 / 3 + s^5 / 5 + …) with s = (m - 1) / (m + 1), which is at most 0.172.
inline Logarithm logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --exponent;
  }
  const Pair s = Pair{m - 1.0} / exact_sum(m, 1.0);
  const Pair square = s * s;
  // From the seventh term on doubles do.
  double rest = odd_reciprocals.back().high;
  for (std::size_t n = odd_reciprocals.size() - 1; n-- > 6;)
    rest = rest * square.high + odd_reciprocals[n].high;
  Pair sum{rest};
  for (std::size_t n = 6; n-- > 0;) sum = sum * square + odd_reciprocals[n];
  return {static_cast<double>(exponent), scaled(s * sum, 2.0)};
}

inline Pair natural(Logarithm x) {
  return Pair{x.exponent * log2_first} +
         (exact_sum(x.exponent * log2_second, x.exponent * log2_third) + x.rest);
}

inline double raised(Pair x) {
  const Exponential found = exponential(x);
  return std::ldexp((Pair{1.0} + found.less_one).high, found.power);
}

// Beyond these, e^x is infinite or 0.
inline constexpr double largest = 709.79, smallest = -745.14;

inline double exp(double x) {
  // What is no number, infinite, 0 or out of range is the same in every library.
  if (!(x >= smallest && x <= largest)) return std::exp(x);
  return raised(Pair{x});
}

inline double log(double x) {
  if (!(x > 0.0) || std::isinf(x)) return std::log(x);
  return natural(logarithm(x)).high;
}

inline double log2(double x) {
  if (!(x > 0.0) || std::isinf(x)) return std::log2(x);
  const Logarithm found = logarithm(x);
  return (Pair{found.exponent} + found.rest * over_log2).high;
}

inline double pow(double x, double y) {
  if (!(x > 0.0) || x == 1.0 || std::isinf(x) || !std::isfinite(y)) return std::pow(x, y);
  const Pair log_x = natural(logarithm(x));
  if (!(log_x.high * y >= smallest && log_x.high * y <= largest))
    return log_x.high * y > 0.0 ? HUGE_VAL : 0.0;
  return raised(log_x * Pair{y});
}

}  // namespace metaphrase::elementary
