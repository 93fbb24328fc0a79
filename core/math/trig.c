/* SPDX-License-Identifier: Apache-2.0
 *
 * sin, cos: subtract the nearest multiple of pi/2 in three parts (Cody and Waite), then minimax
 * polynomials on [-pi/4, pi/4]. atan: reduce to |x| < 7/16 by
 *     atan x = atan c + atan((x - c) / (1 + c x)),   c in {0, 1/2, 1, 3/2, infinity}.
 */
#include "math/trig.h"

#include <math.h>

static const double TWO_OVER_PI = 6.36619772367581382433e-01;
/* pi/2 cut into 33 + 33 + 53 bits: products with small integers are exact in the first two. */
static const double PIO2_1 = 1.57079632673412561417e+00;
static const double PIO2_2 = 6.07710050630396597660e-11;
static const double PIO2_3 = 2.02226624879595063154e-21;

/* sin x - x over x^3, and cos x - 1 + x^2/2 over x^4 */
static double sin_tail(double z)
{
    return -1.66666666666666324348e-01 +
           z * (8.33333333332248946124e-03 +
                z * (-1.98412698298579493134e-04 +
                     z * (2.75573137070700676789e-06 +
                          z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
}

static double cos_tail(double z)
{
    return 4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 +
                z * (2.48015872894767294178e-05 +
                     z * (-2.75573143513906633035e-07 +
                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
}

trig_pair trig_sincos(double angle)
{
    if (!(fabs(angle) <= 1e15)) return (trig_pair){NAN, NAN};
    const double k = floor(angle * TWO_OVER_PI + 0.5);
    const double x = ((angle - k * PIO2_1) - k * PIO2_2) - k * PIO2_3;
    const double z = x * x;
    const double s = x + x * (z * sin_tail(z));
    const double half = 0.5 * z, whole = 1.0 - half;
    const double c = whole + (((1.0 - whole) - half) + z * (z * cos_tail(z)));
    switch ((int)(k - 4.0 * floor(0.25 * k))) {
    case 0: return (trig_pair){s, c};
    case 1: return (trig_pair){c, -s};
    case 2: return (trig_pair){-s, -c};
    default: return (trig_pair){-c, s};
    }
}

/* atan x - x over -x, for |x| < 7/16 */
static double atan_tail(double z)
{
    return z *
           (3.33333333333329318027e-01 +
            z * (-1.99999999998764832476e-01 +
                 z * (1.42857142725034663711e-01 +
                      z * (-1.11111104054623557880e-01 +
                           z * (9.09088713343650656196e-02 +
                                z * (-7.69187620504482999495e-02 +
                                     z * (6.66107313738753120669e-02 +
                                          z * (-5.83357013379057348645e-02 +
                                               z * (4.97687799461593236017e-02 +
                                                    z * (-3.65315727442169155270e-02 +
                                                         z * 1.62858201153657823623e-02))))))))));
}

/* atan(y / x) for y >= 0, x >= 0, not both 0: [0, pi/2] */
static double atan_quadrant(double y, double x)
{
    double high = 0.0, low = 0.0, t;
    const double ratio = y / x; /* may be infinite */
    if (ratio < 0.4375) {
        t = ratio;
    } else if (ratio < 0.6875) {
        high = 4.63647609000806093515e-01, low = 2.26987774529616870924e-17;
        t = (2.0 * ratio - 1.0) / (2.0 + ratio);
    } else if (ratio < 1.1875) {
        high = 7.85398163397448278999e-01, low = 3.06161699786838301793e-17;
        t = (ratio - 1.0) / (ratio + 1.0);
    } else if (ratio < 2.4375) {
        high = 9.82793723247329054082e-01, low = 1.39033110312309984516e-17;
        t = (ratio - 1.5) / (1.0 + 1.5 * ratio);
    } else {
        high = 1.57079632679489655800e+00, low = 6.12323399573676603587e-17;
        t = -x / y;
    }
    return high - ((t * atan_tail(t * t) - low) - t);
}

double trig_atan2(double y, double x)
{
    const double pi = 3.14159265358979311600e+00, pi_low = 1.22464679914735317723e-16;
    if (x == 0.0 && y == 0.0) return 0.0;
    const double a = atan_quadrant(fabs(y), fabs(x));
    const double b = x < 0.0 ? pi - (a - pi_low) : a;
    return y < 0.0 ? -b : b;
}
