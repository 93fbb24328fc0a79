/* SPDX-License-Identifier: Apache-2.0
 *
 * The coefficients of math/so3.h for angles a <= 2, over `real` (math/real.h).
 *
 *     g2 = sum_{k>0} (-1)^k 2k a^(2k-2) / (2k+2)!        g3 = the same over (2k+3)!
 *
 * Twelve terms leave less than 2^-57 of the sum. The others follow without cancellation from
 *     f1 = 1 - a^2 f3 = 2 f2 + a^2 g2,     f2 = 3 f3 + a^2 g3.
 */
#ifndef MATH_SO3_SERIES_H
#define MATH_SO3_SERIES_H

#include "math/real.h"

enum { SO3_SERIES_TERMS = 12 };

static const double SO3_SERIES_LIMIT = 4.0; /* of a^2 */

static const double so3_g2_terms[SO3_SERIES_TERMS] = {
    -8.33333333333333287e-02, 5.55555555555555577e-03,  -1.48809523809523823e-04,
    2.20458553791887106e-06,  -2.08767569878681002e-08, 1.37648947172756701e-10,
    -6.69126826534233923e-13, 2.49907311497379604e-15,  -7.39857172196189701e-18,
    1.77935827849011459e-20,  -3.54582265641146016e-23, 5.95103103173951364e-26};

static const double so3_g3_terms[SO3_SERIES_TERMS] = {
    -1.66666666666666664e-02, 7.93650793650793650e-04,  -1.65343915343915355e-05,
    2.00416867083533762e-07,  -1.60590438368216149e-09, 9.17659647818377928e-12,
    -3.93604015608372900e-14, 1.31530163945989272e-16,  -3.52312939141042715e-19,
    7.73634034126136778e-22,  -1.41832906256458412e-24, 2.20408556731093095e-27};

typedef struct so3_reals {
    real f1, f2, f3, g2, g3;
} so3_reals;

static inline so3_reals so3_sum_series(real a2)
{
    real g2 = 0.0 * a2 + so3_g2_terms[SO3_SERIES_TERMS - 1];
    real g3 = 0.0 * a2 + so3_g3_terms[SO3_SERIES_TERMS - 1];
    for (size_t k = SO3_SERIES_TERMS - 1; k-- > 0;) {
        g2 = so3_g2_terms[k] + a2 * g2;
        g3 = so3_g3_terms[k] + a2 * g3;
    }
    const real f3 = (1.0 - a2 * (g2 + 2.0 * g3)) / (6.0 + a2);
    return (so3_reals){1.0 - a2 * f3, 3.0 * f3 + a2 * g3, f3, g2, g3};
}

#endif
