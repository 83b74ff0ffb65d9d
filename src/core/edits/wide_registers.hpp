// Compiled twice, once for wider registers, and chosen when the program starts: the derivative takes a
// quarter less time. Both compute the same bits: nothing is fused, and no loop's order depends on the width.
// Sanitizers make one function of all that is called too large to compile.
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define METAPHRASE_WIDE_REGISTERS __attribute__((target_clones("avx2", "default"), flatten))
#else
#define METAPHRASE_WIDE_REGISTERS
#endif
