// Products of whole numbers with a panel: 16 columns of a matrix, in which two rows lie side by side.
//
// Sums are of 32 bits. As long as none of them leaves these, for which whoever calls has the proof, their
// order cannot change them: every width of registers gives the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/dense.hpp"

#if defined(__x86_64__) && !defined(_WIN32)
#define METAPHRASE_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))
#else
#define METAPHRASE_AVX512
#endif

namespace metaphrase {

// Element (i, c) of a panel is panel[i / 2 * 32 + 2 * c + i % 2]; the number of rows, its depth, is even.
constexpr std::size_t panel_columns = 16;

// Whether there are registers of 512 bits that multiply and add in one instruction.
inline bool has_avx512() {
#if defined(__x86_64__) && !defined(_WIN32)
  static const bool found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
  return found;
#else
  return false;
#endif
}

#if defined(__x86_64__)
// sums += input * panel, with what every such processor has.
inline void add_products(const std::int16_t* input, const std::int16_t* panel, std::size_t depth,
                         std::int32_t* sums) {
  __m128i parts[4];
  std::memcpy(parts, sums, sizeof parts);
  for (std::size_t i = 0; i < depth; i += 2) {
    std::int32_t both;
    std::memcpy(&both, input + i, sizeof both);
    const __m128i factor = _mm_set1_epi32(both);
    const auto* pairs = reinterpret_cast<const __m128i*>(panel + i * panel_columns);
    for (int p = 0; p < 4; ++p) {
      parts[p] = _mm_add_epi32(parts[p], _mm_madd_epi16(factor, _mm_loadu_si128(pairs + p)));
    }
  }
  std::memcpy(sums, parts, sizeof parts);
}
#else
inline void add_products(const std::int16_t* input, const std::int16_t* panel, std::size_t depth,
                         std::int32_t* sums) {
  for (std::size_t i = 0; i < depth; i += 2) {
    const std::int16_t* pairs = panel + i * panel_columns;
    for (std::size_t c = 0; c < panel_columns; ++c) {
      sums[c] += input[i] * pairs[2 * c] + input[i + 1] * pairs[2 * c + 1];
    }
  }
}
#endif

#if defined(__x86_64__)
// `rows` rows of input, `input_row` numbers apart: their sums, in registers.
template <int rows>
METAPHRASE_INLINE METAPHRASE_AVX2 void sum_products(const std::int16_t* input, std::size_t input_row,
                                                    const std::int16_t* panel, std::size_t depth,
                                                    __m256i (&sums)[rows][2]) {
  for (auto& row : sums) row[0] = row[1] = _mm256_setzero_si256();
  // Unrolled, or the compiler moves every sum to another register and back (72 instead of 47 billion
  // products/s).
#pragma GCC unroll 4
  for (std::size_t i = 0; i < depth; i += 2) {
    const auto* pair = reinterpret_cast<const __m256i*>(panel + i * panel_columns);
    const __m256i left = _mm256_loadu_si256(pair), right = _mm256_loadu_si256(pair + 1);
    for (int r = 0; r < rows; ++r) {
      std::int32_t both;
      std::memcpy(&both, input + r * input_row + i, sizeof both);
      const __m256i factor = _mm256_set1_epi32(both);
      sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(factor, left));
      sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(factor, right));
    }
  }
}
#endif

// Rows of input times a panel: sums[t * 16 + c] for row t and column c. A type for each kind of registers.
struct AnyRegisters {
  static void sum(const std::int16_t* input, std::size_t input_row, const std::int16_t* panel,
                  std::size_t depth, std::size_t count, std::int32_t* sums) {
    for (std::size_t t = 0; t < count; ++t) {
      std::int32_t* row = sums + t * panel_columns;
      std::memset(row, 0, panel_columns * sizeof *row);
      add_products(input + t * input_row, panel, depth, row);
    }
  }
};

#if defined(__x86_64__)
struct Avx2Registers {
  METAPHRASE_AVX2 static void sum(const std::int16_t* input, std::size_t input_row, const std::int16_t* panel,
                                  std::size_t depth, std::size_t count, std::int32_t* sums) {
    std::size_t t = 0;
    for (; t + most <= count; t += most)
      block<most>(input + t * input_row, input_row, panel, depth, sums + t * panel_columns);
    input += t * input_row;
    sums += t * panel_columns;
    switch (count - t) {
      case 1: block<1>(input, input_row, panel, depth, sums); break;
      case 2: block<2>(input, input_row, panel, depth, sums); break;
      case 3: block<3>(input, input_row, panel, depth, sums); break;
      case 4: block<4>(input, input_row, panel, depth, sums); break;
      case 5: block<5>(input, input_row, panel, depth, sums); break;
      default: break;
    }
  }

 private:
  static constexpr int most = 6;  // twelve sums, two numbers of the panel and a factor: 15 of 16 registers

  template <int rows>
  METAPHRASE_AVX2 static void block(const std::int16_t* input, std::size_t input_row,
                                    const std::int16_t* panel, std::size_t depth, std::int32_t* sums) {
    __m256i found[rows][2];
    sum_products<rows>(input, input_row, panel, depth, found);
    for (int r = 0; r < rows; ++r) {
      auto* out = reinterpret_cast<__m256i*>(sums + r * panel_columns);
      _mm256_storeu_si256(out, found[r][0]);
      _mm256_storeu_si256(out + 1, found[r][1]);
    }
  }
};
#else
using Avx2Registers = AnyRegisters;
#endif

#if defined(__x86_64__) && !defined(_WIN32)
struct Avx512Registers {
  METAPHRASE_AVX512 static void sum(const std::int16_t* input, std::size_t input_row,
                                    const std::int16_t* panel, std::size_t depth, std::size_t count,
                                    std::int32_t* sums) {
    std::size_t t = 0;
    for (; t + 12 <= count; t += 12)
      block<12>(input + t * input_row, input_row, panel, depth, sums + t * panel_columns);
    for (; t + 4 <= count; t += 4)
      block<4>(input + t * input_row, input_row, panel, depth, sums + t * panel_columns);
    for (; t < count; ++t) block<1>(input + t * input_row, input_row, panel, depth, sums + t * panel_columns);
  }

 private:
  template <int rows>
  METAPHRASE_AVX512 static void block(const std::int16_t* input, std::size_t input_row,
                                      const std::int16_t* panel, std::size_t depth, std::int32_t* sums) {
    __m512i found[rows];
    for (auto& row : found) row = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (std::size_t i = 0; i < depth; i += 2) {
      const __m512i pair = _mm512_loadu_si512(panel + i * panel_columns);
      for (int r = 0; r < rows; ++r) {
        std::int32_t both;
        std::memcpy(&both, input + r * input_row + i, sizeof both);
        found[r] = _mm512_dpwssd_epi32(found[r], pair, _mm512_set1_epi32(both));
      }
    }
    for (int r = 0; r < rows; ++r) _mm512_storeu_si512(sums + r * panel_columns, found[r]);
  }
};
#else
using Avx512Registers = Avx2Registers;
#endif

#if defined(__x86_64__) && !defined(_WIN32)
// Bytes without a sign times two panels of bytes, which lie one behind the other and in which four rows lie
// side by side: element (i, c) of a panel is panel[i / 4 * 64 + 4 * c + i % 4], and the depth a multiple of
// four. sums[t * 32 + c] is what (input - zero of row t) times column c makes; `totals` are those of the
// columns. Only where has_avx512().
struct ByteRegisters {
  METAPHRASE_AVX512 static void sum(const std::uint8_t* input, std::size_t input_row,
                                    const std::int32_t* zeros, const std::int8_t* panels,
                                    const std::int32_t* totals, std::size_t depth, std::size_t count,
                                    std::int32_t* sums) {
    std::size_t t = 0;
    for (; t + 8 <= count; t += 8)
      block<8>(input + t * input_row, input_row, zeros + t, panels, totals, depth, sums + t * 32);
    for (; t + 4 <= count; t += 4)
      block<4>(input + t * input_row, input_row, zeros + t, panels, totals, depth, sums + t * 32);
    for (; t < count; ++t)
      block<1>(input + t * input_row, input_row, zeros + t, panels, totals, depth, sums + t * 32);
  }

 private:
  template <int rows>
  METAPHRASE_AVX512 static void block(const std::uint8_t* input, std::size_t input_row,
                                      const std::int32_t* zeros, const std::int8_t* panels,
                                      const std::int32_t* totals, std::size_t depth, std::int32_t* sums) {
    __m512i left[rows], right[rows];
    for (int r = 0; r < rows; ++r) {
      const __m512i zero = _mm512_set1_epi32(-zeros[r]);
      left[r] = _mm512_mullo_epi32(zero, _mm512_loadu_si512(totals));
      right[r] = _mm512_mullo_epi32(zero, _mm512_loadu_si512(totals + panel_columns));
    }
    const std::int8_t* const second = panels + depth * panel_columns;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < depth; i += 4) {
      const __m512i one = _mm512_loadu_si512(panels + i * panel_columns),
                    two = _mm512_loadu_si512(second + i * panel_columns);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        std::int32_t four;
        std::memcpy(&four, input + r * input_row + i, sizeof four);
        const __m512i factor = _mm512_set1_epi32(four);
        left[r] = _mm512_dpbusd_epi32(left[r], factor, one);
        right[r] = _mm512_dpbusd_epi32(right[r], factor, two);
      }
    }
    for (int r = 0; r < rows; ++r) {
      _mm512_storeu_si512(sums + r * 32, left[r]);
      _mm512_storeu_si512(sums + r * 32 + panel_columns, right[r]);
    }
  }
};
#endif

}  // namespace metaphrase
