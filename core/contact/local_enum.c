/* SPDX-License-Identifier: Apache-2.0
 *
 * All solutions of one contact (paper 001, appendix B).
 *
 * In the notation of local_exact.h and in the eigenvectors of S, with its eigenvalues s_i,
 *     r_i = -c_i / (s_i + alpha),    r_N = n - g . r_T,    n = -b_N / W_NN.
 * Sliding solutions are the alpha > 0 with |r_T| = mu r_N. Times D = (s_0 + alpha)(s_1 + alpha) and
 * squared that is a quartic,
 *     P(alpha) = Q^2 - |x|^2 / mu^2,   x_i = -D r_i,   Q = D r_N,
 * which also has the roots of |r_T| = -mu r_N. Its derivative's zeros cut the axis into pieces on
 * which P is monotone, and so on down to degree 1: no root is missed. Two roots that almost meet
 * may be lost to rounding, so the extrema of P are tried as well.
 *
 * Singular W needs no case of its own: sticking is tried along both eigenvectors of S, along the
 * stronger one, and along none, which is right if c has no part along those left out. The verdict
 * is always the residual.
 */
#include "contact/local_judge.h"
#include "contact/local_methods.h"

typedef struct sliding {
    double s[2]; /* eigenvalues of S, s[0] >= s[1] >= 0 */
    double c[2]; /* c in the eigenvectors (cos, sin), (-sin, cos) */
    double g[2]; /* W_NT / W_NN in the eigenvectors */
    double n, mu;
    double cos, sin;
} sliding;

static sliding sliding_setup(const sym3 *W, v3 b, double mu)
{
    const double gy = W->xy / W->xx, gz = W->xz / W->xx;
    const double syy = W->yy - gy * W->xy, syz = W->yz - gy * W->xz, szz = W->zz - gz * W->xz;
    const double cy = b.y - gy * b.x, cz = b.z - gz * b.x;
    /* The rotation that makes S diagonal, from tan(2 phi) = 2 syz / (syy - szz). */
    const double mean = 0.5 * (syy + szz), half = 0.5 * (syy - szz);
    const double radius = sqrt(half * half + syz * syz);
    double cos_phi = 1.0, sin_phi = 0.0;
    if (radius > 0.0 && half >= 0.0) {
        cos_phi = sqrt(0.5 * (1.0 + half / radius));
        sin_phi = 0.5 * syz / radius / cos_phi;
    } else if (radius > 0.0) {
        sin_phi = sqrt(0.5 * (1.0 - half / radius));
        cos_phi = 0.5 * syz / radius / sin_phi;
    }
    return (sliding){.s = {scalar_max(mean + radius, 0.0), scalar_max(mean - radius, 0.0)},
                     .c = {cos_phi * cy + sin_phi * cz, cos_phi * cz - sin_phi * cy},
                     .g = {cos_phi * gy + sin_phi * gz, cos_phi * gz - sin_phi * gy},
                     .n = -b.x / W->xx,
                     .mu = mu,
                     .cos = cos_phi,
                     .sin = sin_phi};
}

/* Back from the eigenvectors. */
static v3 sliding_impulse(const sliding *q, double r_N, double r_0, double r_1)
{
    return (v3){r_N, q->cos * r_0 - q->sin * r_1, q->sin * r_0 + q->cos * r_1};
}

/* Sticking along the first `kept` eigenvectors. */
static v3 sliding_stick(const sliding *q, int kept)
{
    const double r_0 = kept > 0 ? -q->c[0] / q->s[0] : 0.0;
    const double r_1 = kept > 1 ? -q->c[1] / q->s[1] : 0.0;
    return sliding_impulse(q, q->n - q->g[0] * r_0 - q->g[1] * r_1, r_0, r_1);
}

/* Sticking along the first eigenvector, and an impulse along the second, which moves nothing if W
 * is singular, that puts r on the cone: |r_T| = mu r_N is a r_1^2 + 2 h r_1 + k = 0. */
static void sliding_stick_on_cone(const sliding *q, v3 r[2])
{
    const double r_0 = -q->c[0] / q->s[0], r_N = q->n - q->g[0] * r_0;
    const double slope = q->mu * q->g[1], radius = q->mu * r_N;
    const double a = 1.0 - slope * slope, h = radius * slope, k = r_0 * r_0 - radius * radius;
    const double root = sqrt(scalar_max(h * h - a * k, 0.0)), sum = h > 0.0 ? h + root : h - root;
    const double near = -k / sum, far = -sum / a;
    r[0] = sliding_impulse(q, r_N - q->g[1] * near, r_0, near);
    r[1] = sliding_impulse(q, r_N - q->g[1] * far, r_0, far);
}

static v3 sliding_slide(const sliding *q, double alpha)
{
    const double r_0 = -q->c[0] / (q->s[0] + alpha), r_1 = -q->c[1] / (q->s[1] + alpha);
    return sliding_impulse(q, sqrt(r_0 * r_0 + r_1 * r_1) / q->mu, r_0, r_1);
}

/* P divided by n^2: a[4] = 1. */
static void sliding_quartic(const sliding *q, double a[5])
{
    const double *s = q->s, *c = q->c;
    const double gc0 = q->g[0] * c[0] / q->n, gc1 = q->g[1] * c[1] / q->n;
    const double Q0 = s[0] * s[1] + gc0 * s[1] + gc1 * s[0], Q1 = s[0] + s[1] + gc0 + gc1;
    const double k = 1.0 / (q->mu * q->n), c0 = k * c[0], c1 = k * c[1];
    const double x0 = c0 * s[1], x1 = c1 * s[0];
    a[0] = Q0 * Q0 - x0 * x0 - x1 * x1;
    a[1] = 2.0 * (Q0 * Q1 - c0 * x0 - c1 * x1);
    a[2] = Q1 * Q1 + 2.0 * Q0 - c0 * c0 - c1 * c1;
    a[3] = 2.0 * Q1;
    a[4] = 1.0;
}

static double polynomial_evaluate(const double *a, int degree, double x)
{
    double value = a[degree];
    for (int i = degree - 1; i >= 0; i--) value = value * x + a[i];
    return value;
}

/* The zero between two points of different sign, by Newton's method inside the bracket. */
static double polynomial_zero(const double *a, const double *slope, int degree, double low,
                              double high)
{
    const bool rising = polynomial_evaluate(a, degree, high) > 0.0;
    double x = 0.5 * (low + high);
    for (int i = 0; i < 300 && high - low > DBL_EPSILON * high; i++) {
        const double value = polynomial_evaluate(a, degree, x);
        if ((value > 0.0) == rising) {
            high = x;
        } else {
            low = x;
        }
        const double next = x - value / polynomial_evaluate(slope, degree - 1, x);
        if (fabs(next - x) <= DBL_EPSILON * x) return next;
        x = next > low && next < high ? next : 0.5 * (low + high);
    }
    return x;
}

/* The zeros in (0, high), in order. `extrema` takes those of the derivative. */
static int polynomial_zeros(const double *a, int degree, double high, double *zeros,
                            double *extrema, int *extrema_count)
{
    double slope[4], unused[3];
    int cuts = 0;
    for (int i = 0; i < degree; i++) slope[i] = (i + 1) * a[i + 1];
    if (degree > 1) cuts = polynomial_zeros(slope, degree - 1, high, extrema, unused, &(int){0});
    *extrema_count = cuts;
    double low = 0.0;
    int count = 0;
    for (int i = 0; i <= cuts; i++) {
        const double end = i < cuts ? extrema[i] : high;
        const double at_low = polynomial_evaluate(a, degree, low);
        const double at_end = polynomial_evaluate(a, degree, end);
        if ((at_low > 0.0) != (at_end > 0.0)) {
            zeros[count++] = polynomial_zero(a, slope, degree, low, end);
        }
        low = end;
    }
    return count;
}

/* No root of x^4 + a[3] x^3 + ... is larger: 2 max |a[4 - k]|^(1/k), with x^(1/3) below the larger
 * of x^(1/2) and x^(1/4). */
static double quartic_bound(const double *a)
{
    const double square = sqrt(fabs(a[2])), third = sqrt(fabs(a[1]));
    const double fourth = sqrt(sqrt(fabs(a[0])));
    return 2.0 * scalar_max(scalar_max(fabs(a[3]), square),
                            scalar_max(scalar_max(third, sqrt(third)), fourth));
}

typedef struct choice {
    const sym3 *W;
    v3 b;
    double mu;
    v3 r;
    double residual; /* of r */
    uint32_t tried;
} choice;

/* Keeps r if it is better; true if it will do. */
static bool choice_offer(choice *best, v3 r)
{
    const double residual = local_residual_certain(best->W, best->b, best->mu, r);
    best->tried++;
    if (residual < best->residual) {
        best->residual = residual;
        best->r = r;
    }
    return residual <= LOCAL_TOLERANCE * v3_norm(best->b);
}

/* All of them: where S is singular to rounding one may be much better than another. */
static bool choice_offer_sticks(choice *best, const sliding *q)
{
    v3 on_cone[2];
    bool sticks = false;
    for (int kept = 2; kept >= 0; kept--) sticks |= choice_offer(best, sliding_stick(q, kept));
    if (sticks) return true;
    sliding_stick_on_cone(q, on_cone);
    return choice_offer(best, on_cone[0]) || choice_offer(best, on_cone[1]);
}

/* Largest alpha first: the least impulse of several. */
static bool choice_offer_slides(choice *best, const sliding *q, const double *alpha, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        if (choice_offer(best, sliding_slide(q, alpha[i]))) return true;
    }
    return false;
}

static void choose(choice *best)
{
    const sliding q = sliding_setup(best->W, best->b, best->mu);
    if (choice_offer_sticks(best, &q) || best->mu == 0.0) return;
    double a[5], zeros[4], extrema[3];
    int extrema_count;
    sliding_quartic(&q, a);
    const int count = polynomial_zeros(a, 4, quartic_bound(a), zeros, extrema, &extrema_count);
    if (choice_offer_slides(best, &q, zeros, count)) return;
    choice_offer_slides(best, &q, extrema, extrema_count);
}

/* A power of two near x > 0. */
static double power_of_two(double x)
{
    static const double steps[] = {0x1p512, 0x1p256, 0x1p128, 0x1p64, 0x1p32, 0x1p16, 0x1p8, 0x1p4};
    double p = 1.0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (p * steps[i] <= x) {
            p *= steps[i];
        } else if (p / steps[i] >= x) {
            p /= steps[i];
        }
    }
    return p;
}

local_answer local_enumerate(const sym3 *W, v3 b, double mu, v3 first)
{
    if (b.x >= 0.0) return (local_answer){.state = CONTACT_TAKEOFF};
    /* To sizes near 1, exactly, so that squares stay within range. */
    const double trace = sym3_trace(W), w = trace > 0.0 ? power_of_two(trace) : 1.0;
    const double v = power_of_two(fabs(b.x) + fabs(b.y) + fabs(b.z));
    const sym3 V = {W->xx / w, W->xy / w, W->xz / w, W->yy / w, W->yz / w, W->zz / w};
    choice best = {.W = &V, .b = {b.x / v, b.y / v, b.z / v}, .mu = mu, .residual = INFINITY};
    choice_offer(&best, (v3){0.0, 0.0, 0.0});
    const bool missed = !choice_offer(&best, v3_scale(w / v, first));
    if (missed && V.xx > 0.0) choose(&best);
    /* Back, which may leave the range of double: the verdict is on what is handed over. */
    const v3 r = v3_scale(v / w, best.r), point = v3_scale(w / v, r);
    local_answer answer = local_judge(&V, best.b, mu, point, best.tried);
    const double residual = local_residual_certain(&V, best.b, mu, answer.r);
    answer.failed = !(residual <= LOCAL_TOLERANCE * v3_norm(best.b) && v3_is_finite(best.b));
    answer.fell_back = missed;
    if (v3_is_finite(point)) answer.r = r;
    return answer;
}

local_answer local_solve_enum(const sym3 *W, v3 b, double mu, v3 guess)
{
    (void)guess;
    local_answer answer = local_enumerate(W, b, mu, (v3){0.0, 0.0, 0.0});
    answer.fell_back = false; /* nothing came before */
    return answer;
}
