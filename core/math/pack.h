/* SPDX-License-Identifier: Apache-2.0
 *
 * As many doubles as a register holds, one problem per lane.
 *
 * A file that uses this may be built several times, for processors with narrow and wide registers:
 * lanes never mix, each operation rounds as its scalar twin does, and none is fused (-mfma is not
 * given), so that all builds give the same bits.
 */
#ifndef MATH_PACK_H
#define MATH_PACK_H

#include <math.h>
#include <stdint.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifdef __AVX2__
enum { PACK = 4 };
#else
enum { PACK = 2 };
#endif

typedef double pack __attribute__((vector_size(PACK * sizeof(double)), may_alias));
typedef int64_t pack_mask __attribute__((vector_size(PACK * sizeof(int64_t)), may_alias));

static inline pack pack_all(double x) { return x - (pack){0}; }

static inline pack pack_load(const double *x) { return *(const pack *)(const void *)x; }
static inline void pack_store(double *x, pack a) { *(pack *)(void *)x = a; }

/* The lanes of a where the mask is set, those of b elsewhere. */
static inline pack pack_select(pack_mask mask, pack a, pack b)
{
    return (pack)((mask & (pack_mask)a) | (~mask & (pack_mask)b));
}

static inline pack pack_abs(pack a) { return (pack)((pack_mask)a & (INT64_MAX - (pack_mask){0})); }

/* Four sums, x0 to x3 in as many registers as they need, added as linalg/lanes.h does:
 * (x0 + x2) + (x1 + x3). */
enum { PACKS_PER_FOUR = 4 / PACK };

#ifdef __AVX2__
static inline double pack_sum_four(const pack *x)
{
    const __m128d sum =
        _mm256_castpd256_pd128((__m256d)x[0]) + _mm256_extractf128_pd((__m256d)x[0], 1);
    return sum[0] + sum[1];
}
#else
static inline double pack_sum_four(const pack *x)
{
    const pack sum = x[0] + x[1];
    return sum[0] + sum[1];
}
#endif

/* scalar_max and scalar_min in every lane. */
static inline pack pack_max(pack a, pack b) { return pack_select((pack_mask)(a > b), a, b); }
static inline pack pack_min(pack a, pack b) { return pack_select((pack_mask)(a < b), a, b); }

#if defined __AVX2__
static inline pack pack_sqrt(pack a) { return (pack)_mm256_sqrt_pd((__m256d)a); }
static inline int pack_any(pack_mask m) { return _mm256_movemask_pd((__m256d)m) != 0; }
#elif defined __SSE2__
static inline pack pack_sqrt(pack a) { return (pack)_mm_sqrt_pd((__m128d)a); }
static inline int pack_any(pack_mask m) { return _mm_movemask_pd((__m128d)m) != 0; }
#else
static inline pack pack_sqrt(pack a)
{
    for (int k = 0; k < PACK; k++) a[k] = sqrt(a[k]);
    return a;
}

static inline int pack_any(pack_mask m)
{
    int64_t any = 0;
    for (int k = 0; k < PACK; k++) any |= m[k];
    return any != 0;
}
#endif

#endif
