// The numbers that sums over edit sequences are made of. A kernel that only adds, multiplies and compares
// runs on any of them: doubles, doubles with a wide exponent, or scores whose sum is the larger one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/elementary.hpp"

namespace metaphrase::edits {

// A number of 0 or more as mantissa * 2^(512 * exponent), the mantissa in [2^-256, 2^256): products and sums
// of any length neither overflow nor vanish, and round as doubles do.
struct WideNumber {
  double mantissa = 0.0;
  std::int64_t exponent = 0;

  friend WideNumber operator*(WideNumber a, WideNumber b) {
    return normal(a.mantissa * b.mantissa, a.exponent + b.exponent);
  }
  friend WideNumber operator+(WideNumber a, WideNumber b) {
    if (a.mantissa == 0.0) return b;
    if (b.mantissa == 0.0) return a;
    if (a.exponent < b.exponent) std::swap(a, b);
    const std::int64_t apart = a.exponent - b.exponent;
    if (apart >= 2) return a;  // less than 2^-500 of it
    return normal(a.mantissa + (apart ? b.mantissa * down : b.mantissa), a.exponent);
  }
  WideNumber& operator+=(WideNumber other) { return *this = *this + other; }
  WideNumber& operator*=(WideNumber other) { return *this = *this * other; }

 private:
  static constexpr double up = 0x1p512, down = 0x1p-512;
  static WideNumber normal(double m, std::int64_t e) {
    if (m == 0.0) return {};
    if (m >= 0x1p256) return {m * down, e + 1};
    if (m < 0x1p-256) return {m * up, e - 1};
    return {m, e};
  }
};

// The best of several scores where a sum is asked for, and their sum where a product is.
struct BestScore {
  double score = -std::numeric_limits<double>::infinity();

  friend BestScore operator*(BestScore a, BestScore b) { return {a.score + b.score}; }
  friend BestScore operator+(BestScore a, BestScore b) { return {std::max(a.score, b.score)}; }
  friend bool operator==(BestScore a, BestScore b) { return a.score == b.score; }
  BestScore& operator+=(BestScore other) { return *this = *this + other; }
  BestScore& operator*=(BestScore other) { return *this = *this * other; }
};

// Whether there is a way at all.
struct Reached {
  bool yes = false;

  friend Reached operator*(Reached a, Reached b) { return {a.yes && b.yes}; }
  friend Reached operator+(Reached a, Reached b) { return {a.yes || b.yes}; }
  Reached& operator+=(Reached other) { return *this = *this + other; }
  Reached& operator*=(Reached other) { return *this = *this * other; }
};

// The logarithm of WideNumber's unit.
inline constexpr double wide_unit = 512.0 * 0.693147180559945309417;

template <class Number>
Number exponential(double x);
template <>
inline double exponential<double>(double x) {
  return elementary::exp(x);
}
template <>
inline WideNumber exponential<WideNumber>(double x) {
  const double whole = std::nearbyint(x / wide_unit);
  return WideNumber{elementary::exp(x - whole * wide_unit), static_cast<std::int64_t>(whole)} *
         WideNumber{1.0, 0};
}
template <>
inline BestScore exponential<BestScore>(double x) {
  return {x};
}

template <>
inline Reached exponential<Reached>(double) {
  return {true};
}

inline double logarithm(double x) { return elementary::log(x); }
inline double logarithm(WideNumber x) {
  return elementary::log(x.mantissa) + static_cast<double>(x.exponent) * wide_unit;
}

// part / whole, where part is at most a small multiple of whole.
inline double share(double part, double whole) { return part / whole; }
inline double share(WideNumber part, WideNumber whole) {
  if (part.mantissa == 0.0) return 0.0;
  const auto apart = static_cast<double>(part.exponent - whole.exponent);
  return part.mantissa / whole.mantissa * std::exp2(512.0 * std::max(apart, -4.0));
}

}  // namespace metaphrase::edits
