/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder against a million random problems: W of rank 0 to 3 with eigenvalues spread over up to
 * 16 decades, mu from 0 to 100, b at random, close to take-off, or such that a solution is known; a
 * quarter of them scaled by up to 1e180 both ways. Every answer is judged anew in long double, and
 * must be bit for bit what all builds of the ladder for lanes say.
 */
#include "contact/bodies_lanes.h"
#include "support/random.h"

#include <float.h>
#include <stdio.h>
#include <unity.h>

static const double tolerance = 1e-10;
static random_source source;

typedef struct problem {
    sym3 W;
    v3 b;
    double mu;
    int rank;
    bool planted; /* `solution` is one, to rounding */
    v3 solution;
    double w, v; /* what W and b were scaled by: powers of two */
} problem;

void setUp(void) { source = (random_source){77}; }

void tearDown(void) {}

static double power_between(double low, double high)
{
    return pow(10.0, random_between(&source, low, high));
}

/* Between -3 and 3. */
static double small_integer(void) { return (double)random_below(&source, 7) - 3.0; }

/* One after the other: the order within an initialiser is the compiler's choice. */
static v3 small_integers(void)
{
    const double x = small_integer(), y = small_integer(), z = small_integer();
    return (v3){x, y, z};
}

/* The sum of `rank` products z z^T; with integers it is singular without rounding. */
static sym3 random_operator(int rank)
{
    const bool integers = random_below(&source, 3) == 0;
    const double spread = random_between(&source, 0.0, 8.0);
    sym3 W = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < rank; i++) {
        const double size = power_between(-spread, 0.0);
        const v3 z = integers ? small_integers() : v3_scale(size, random_v3(&source));
        W.xx += z.x * z.x;
        W.xy += z.x * z.y;
        W.xz += z.x * z.z;
        W.yy += z.y * z.y;
        W.yz += z.y * z.z;
        W.zz += z.z * z.z;
    }
    return W;
}

static double random_friction(void)
{
    static const double special[] = {0.0, 100.0, 1.0, 0.3};
    const uint32_t k = random_below(&source, 10);
    return k < 4 ? special[k] : power_between(-3.0, 2.0);
}

static v3 random_velocity(void)
{
    const v3 any = random_v3(&source);
    switch (random_below(&source, 5)) {
    case 0: return (v3){-power_between(-18.0, 0.0), any.y, any.z};
    case 1: return (v3){0.0, any.y, any.z};
    case 2: return (v3){-1.0, random_below(&source, 2) ? any.y : 0.0, 0.0};
    case 3: return small_integers();
    default: return (v3){-fabs(any.x), any.y, any.z};
    }
}

/* b such that a contact sticks inside the cone or on it, or slides. */
static void plant(problem *p)
{
    static const double alphas[] = {0.0, 0.0, 1.0};
    const uint32_t kind = random_below(&source, 3);
    const v3 any = random_v3(&source);
    const double t = coulomb_tangent_norm(any), r_N = fabs(any.x);
    const double part = kind == 0 ? random_between(&source, 0.0, 1.0) : 1.0;
    const double s = part * p->mu * r_N / t, alpha = alphas[kind] * power_between(-6.0, 6.0);
    const v3 r = {r_N, s * any.y, s * any.z};
    const v3 u = {0.0, -alpha * r.y, -alpha * r.z};
    p->b = v3_sub(u, sym3_mul_v3(&p->W, r));
    p->planted = true;
    p->solution = r;
}

static problem random_problem(void)
{
    const uint32_t k = random_below(&source, 8);
    problem p = {.rank = k < 3 ? (int)k : 3, .mu = random_friction(), .w = 1.0, .v = 1.0};
    p.W = random_operator(p.rank);
    if (random_below(&source, 2)) {
        plant(&p);
    } else {
        p.b = random_velocity();
    }
    if (random_below(&source, 4) == 0) {
        p.w = pow(2.0, floor(random_between(&source, -600.0, 600.0)));
        p.v = pow(2.0, floor(random_between(&source, -600.0, 600.0)));
        if (fabs(log2(p.v / p.w)) > 900.0) p.v = p.w;
    }
    return p;
}

typedef struct wide {
    long double N, y, z;
} wide;

static wide wide_velocity(const problem *p, v3 r)
{
    const long double x = r.x, y = r.y, z = r.z;
    const sym3 *W = &p->W;
    return (wide){W->xx * x + W->xy * y + W->xz * z + p->b.x,
                  W->xy * x + W->yy * y + W->yz * z + p->b.y,
                  W->xz * x + W->yz * y + W->zz * z + p->b.z};
}

static wide wide_project(wide a, long double mu)
{
    const long double t = sqrtl(a.y * a.y + a.z * a.z);
    if (a.N >= 0.0L && t <= mu * a.N) return a;
    if (mu * t <= -a.N) return (wide){0.0L, 0.0L, 0.0L};
    const long double n = (a.N + mu * t) / (1.0L + mu * mu);
    return (wide){n, mu * n / t * a.y, mu * n / t * a.z};
}

/* The residual over |b|. */
static long double wide_residual(const problem *p, v3 r)
{
    const long double mu = p->mu, d = ((long double)p->W.xx + p->W.yy + p->W.zz) / 3.0L;
    const wide u = wide_velocity(p, r), x = {d * r.x, d * r.y, d * r.z};
    const long double slip = sqrtl(u.y * u.y + u.z * u.z);
    const wide q = wide_project((wide){x.N - u.N - mu * slip, x.y - u.y, x.z - u.z}, mu);
    const long double e =
        sqrtl((x.N - q.N) * (x.N - q.N) + (x.y - q.y) * (x.y - q.y) + (x.z - q.z) * (x.z - q.z));
    const double norm = v3_norm(p->b);
    return norm > 0.0 ? e / norm : e;
}

/* By how much rounding r to double moves u~, over |b|. */
static double reach(const problem *p, double norm_r)
{
    return 4.0 * DBL_EPSILON * (1.0 + p->mu) * sym3_trace(&p->W) * norm_r / v3_norm(p->b);
}

/* r_T at alpha, by elimination. */
static double tangent_at(const problem *p, long double alpha, long double *f)
{
    const sym3 *W = &p->W;
    const long double gy = W->xy / (long double)W->xx, gz = W->xz / (long double)W->xx;
    const long double syy = W->yy - gy * W->xy + alpha, syz = W->yz - gy * W->xz,
                      szz = W->zz - gz * W->xz + alpha;
    const long double cy = p->b.y - gy * p->b.x, cz = p->b.z - gz * p->b.x;
    const long double l = syz / syy, z = (l * cy - cz) / (szz - l * syz), y = -cy / syy - l * z;
    const long double t = sqrtl(y * y + z * z),
                      r_N = -p->b.x / (long double)W->xx - gy * y - gz * z;
    *f = t - p->mu * r_N;
    return (double)sqrtl(t * t + r_N * r_N);
}

/* Looks along a fine scale of alpha for sliding solutions; the smallest |r| of those found. */
static double scan_for_solutions(const problem *p)
{
    const long double factor = 1.1L, unit = sym3_trace(&p->W);
    long double last, f, low = 1e-12L * unit;
    double least = INFINITY;
    tangent_at(p, low, &last);
    for (long double high = low * factor; high < 1e12L * unit; high *= factor) {
        tangent_at(p, high, &f);
        if ((f > 0.0L) != (last > 0.0L)) {
            long double a = low, b = high, middle, at;
            for (int i = 0; i < 70; i++) {
                middle = 0.5L * (a + b);
                tangent_at(p, middle, &at);
                if ((at > 0.0L) == (last > 0.0L)) {
                    a = middle;
                } else {
                    b = middle;
                }
            }
            least = fmin(least, tangent_at(p, a, &at));
        }
        low = high;
        last = f;
    }
    return least;
}

/* W - shift I has a pivot that is not positive. */
static bool has_eigenvalue_below(const sym3 *W, long double shift)
{
    const long double d0 = W->xx - shift;
    const long double d1 = W->yy - shift - W->xy / d0 * W->xy;
    const long double yz = W->yz - W->xy / d0 * W->xz;
    const long double d2 = W->zz - shift - W->xz / d0 * W->xz - yz / d1 * yz;
    return !(d0 > 0.0L && d1 > 0.0L && d2 > 0.0L);
}

/* What local_ladder.c says of a failure. With W_NN = 0, u_N = b_N < 0 whatever r. */
static bool failure_is_certified(const problem *p)
{
    if (!(p->b.x < 0.0)) return false;
    if (p->W.xx == 0.0) return true;
    const double shift = 4.0 * DBL_EPSILON * (1.0 + p->mu) / tolerance * sym3_trace(&p->W);
    if (!has_eigenvalue_below(&p->W, shift)) return false;
    return p->mu > 0.0 && reach(p, scan_for_solutions(p)) > tolerance;
}

typedef struct tally {
    uint32_t states[4], failed; /* of one rank */
    uint32_t wrong;             /* misses the law and does not say so */
    uint32_t uncertified;       /* says that there is no solution, but there may be one */
    uint32_t missed;            /* a planted solution was there */
    long double worst;
} tally;

/* Answers of the ladder, to be compared with those of lanes. */
typedef struct comparison {
    local_batch batch;
    v3 r[VISIT_BATCH];
    uint32_t count;
    uint64_t failures;
} comparison;

static void compare_with(const bodies_lanes *lanes, comparison *c)
{
    TEST_ASSERT_EQUAL_UINT64(c->failures, lanes->solve(&c->batch, c->count));
    for (uint32_t k = 0; k < c->count; k++) {
        const v3 r = {c->batch.r[0][k], c->batch.r[1][k], c->batch.r[2][k]};
        TEST_ASSERT_EQUAL_MEMORY(&c->r[k], &r, sizeof r);
    }
}

static void compare(comparison *c)
{
    compare_with(&bodies_lanes_baseline, c);
    if (bodies_lanes_wide()) compare_with(bodies_lanes_wide(), c);
    c->count = 0;
    c->failures = 0;
}

static void compare_later(comparison *c, const sym3 *W, v3 b, double mu, const local_answer *a)
{
    const double operator[6] = {W->xx, W->xy, W->xz, W->yy, W->yz, W->zz};
    const double velocity[3] = {b.x, b.y, b.z};
    const uint32_t k = c->count++;
    for (int i = 0; i < 6; i++) c->batch.W[i][k] = operator[i];
    for (int i = 0; i < 3; i++) c->batch.b[i][k] = velocity[i];
    c->batch.mu[k] = mu;
    c->r[k] = a->r;
    c->failures += a->failed;
    if (c->count == VISIT_BATCH) compare(c);
}

static local_answer solve_scaled(const local_solver *ladder, const problem *p, comparison *lanes)
{
    const sym3 W = {p->w * p->W.xx, p->w * p->W.xy, p->w * p->W.xz,
                    p->w * p->W.yy, p->w * p->W.yz, p->w * p->W.zz};
    const v3 b = v3_scale(p->v, p->b);
    local_answer a = ladder->solve(&W, b, p->mu, (v3){0.0, 0.0, 0.0});
    compare_later(lanes, &W, b, p->mu, &a);
    a.r = v3_scale(p->w / p->v, a.r);
    return a;
}

static void judge(const problem *p, const local_answer *a, tally *t)
{
    if (a->failed) {
        t->failed++;
        if (!failure_is_certified(p)) t->uncertified++;
        if (p->planted && 16.0 * reach(p, v3_norm(p->solution)) < tolerance) t->missed++;
        return;
    }
    const long double residual = wide_residual(p, a->r);
    const double own_rounding =
        v3_norm(a->r) > 0.0 ? reach(p, v3_norm(a->r)) / DBL_EPSILON * (double)LDBL_EPSILON : 0.0;
    t->states[a->state]++;
    if (!(residual <= tolerance + own_rounding)) t->wrong++;
    if (residual > t->worst) t->worst = residual;
}

static void test_a_million_answers_satisfy_the_law_or_are_certified_to_have_none(void)
{
    const local_solver *ladder = local_find("ladder");
    tally tallies[4] = {0};
    comparison lanes = {.count = 0};
    for (int i = 0; i < 1000000; i++) {
        const problem p = random_problem();
        const local_answer a = solve_scaled(ladder, &p, &lanes);
        judge(&p, &a, &tallies[p.rank]);
    }
    compare(&lanes);
    for (int rank = 0; rank < 4; rank++) {
        const tally *t = &tallies[rank];
        printf(
            "rank %d: %6u take off, %6u stick, %6u slide, %6u failed, worst of the others %.1Le\n",
            rank, t->states[CONTACT_TAKEOFF], t->states[CONTACT_STICK], t->states[CONTACT_SLIDE],
            t->failed, t->worst);
        TEST_ASSERT_EQUAL(0, t->wrong);
        TEST_ASSERT_EQUAL(0, t->uncertified);
        TEST_ASSERT_EQUAL(0, t->missed);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_million_answers_satisfy_the_law_or_are_certified_to_have_none);
    return UNITY_END();
}
