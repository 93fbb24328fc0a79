/* SPDX-License-Identifier: Apache-2.0 */
#include "rod_theory.h"

#include <math.h>
#include <stdbool.h>

/* ---- elastica: shooting from the tip --------------------------------------------------------- */

enum { STEPS = 2000, HALVINGS = 60 };

typedef struct shot {
    double theta, rate; /* over u = 1 - s */
    double down, along;
} shot;

static shot slope(shot at, double u, double w, double P)
{
    return (shot){at.rate, -(w * u + P) * cos(at.theta), sin(at.theta), cos(at.theta)};
}

static shot add(shot a, double h, shot b)
{
    return (shot){a.theta + h * b.theta, a.rate + h * b.rate, a.down + h * b.down,
                  a.along + h * b.along};
}

/* Runge and Kutta's fourth order, from the tip with the angle `theta` to the clamp. */
static shot shoot(double theta, double w, double P)
{
    const double h = 1.0 / STEPS;
    shot at = {theta, 0.0, 0.0, 0.0};
    for (int i = 0; i < STEPS; i++) {
        const double u = i * h;
        const shot a = slope(at, u, w, P);
        const shot b = slope(add(at, 0.5 * h, a), u + 0.5 * h, w, P);
        const shot c = slope(add(at, 0.5 * h, b), u + 0.5 * h, w, P);
        const shot d = slope(add(at, h, c), u + h, w, P);
        at = add(add(add(add(at, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d);
    }
    return at;
}

/* The angle at the clamp rises with the one at the tip until that is a right one. */
elastica rod_theory_elastica(double w, double P)
{
    double low = 0.0, high = acos(0.0);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (shoot(middle, w, P).theta < 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const shot found = shoot(0.5 * (low + high), w, P);
    return (elastica){found.down, found.along};
}

/* ---- Bessel functions ------------------------------------------------------------------------ */

/* J_nu(x) over its first term: sum of (-x^2/4)^m / (m! (nu + 1) ... (nu + m)). */
static bool is_positive(double nu, double x)
{
    double term = 1.0, sum = 1.0;
    for (int m = 1; m < 40; m++) {
        term *= -0.25 * x * x / (m * (nu + m));
        sum += term;
    }
    return sum > 0.0;
}

/* It lies below the one of J_0, which is 2.405. */
double rod_theory_bessel_zero(double nu)
{
    double low = 0.0, high = 2.405;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (is_positive(nu, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}
