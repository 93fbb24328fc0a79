/* SPDX-License-Identifier: Apache-2.0
 *
 * One contact between a mass and the floor, W = w I, whose answer is known:
 *     b_N >= 0             take-off   r = 0
 *     |b_T| <= -mu b_N     stick      r = -b/w
 *     otherwise            slide      r_N = -b_N/w,   r_T = -mu r_N b_T/|b_T|
 * Every exact solver gets it on both sides of each threshold, in all directions.
 *
 * Bounds. The answer of a solver has a residual e of at most its tolerance times |b|. Sticking, e
 * is |u + mu |u_T| e_N|, so w r is wrong by at most (1 + mu) e. Sliding, the two components of the
 * residual along the cone give w r_N to 2 (1 + mu)^2 e, and w r_T to (1 + mu) times that.
 */
#include "cases.h"
#include "contact_lab.h"

#include <string.h>

static const double COMPLIANCE = 4.0, PRESS = 0.5, TOLERANCE = 1e-13; /* 1/kg, m/s, relative */
static const double NEAR = 1e-6; /* how near the thresholds, relative */
enum { DIRECTIONS = 24 };

typedef struct single {
    vec b; /* x is normal */
    double mu;
} single;

static double tangent(vec a) { return sqrt(a.y * a.y + a.z * a.z); }

static vec closed_form(const single *s)
{
    if (s->b.x >= 0.0) return (vec){0};
    const double b_T = tangent(s->b), most = -s->mu * s->b.x;
    const double share = b_T <= most ? 1.0 : most / b_T;
    return vec_scale(-1.0 / COMPLIANCE, (vec){s->b.x, share * s->b.y, share * s->b.z});
}

/* w |r - closed form|, m/s. */
static double error_of(const contact_lab *c, const char *solver, const single *s)
{
    const uint32_t row_start[] = {0, 1}, col[] = {0};
    const double W[9] = {COMPLIANCE, 0.0, 0.0, 0.0, COMPLIANCE, 0.0, 0.0, 0.0, COMPLIANCE};
    const double b[] = {s->b.x, s->b.y, s->b.z};
    const stn_contact_problem problem = {.struct_size = sizeof problem,
                                         .contacts = 1,
                                         .row_start = row_start,
                                         .col = col,
                                         .blocks = W,
                                         .b = b,
                                         .mu = &s->mu};
    double r[3], u[3];
    if (!contact_lab_solve(c, solver, &problem, r, u)) return NAN;
    return COMPLIANCE * vec_distance((vec){r[0], r[1], r[2]}, closed_form(s));
}

/* The worst of all directions, with b_N and |b_T| given. */
static void check(const contact_lab *c, const char *solver, double mu, double normal, double slip,
                  const char *state)
{
    double worst = 0.0;
    for (int i = 0; i < DIRECTIONS; i++) {
        const double angle = SPACE_TURN * (i + 0.3) / DIRECTIONS;
        const single s = {{normal, slip * cos(angle), slip * sin(angle)}, mu};
        worst = lab_worst(worst, error_of(c, solver, &s));
    }
    const double e = TOLERANCE * (fabs(normal) + slip), growth = 1.0 + mu;
    lab_add(c->l, worst, 0.0, worst, 2.0 * growth * growth * growth * e, "%s/mu=%g/%s", solver, mu,
            state);
}

/* Steps along a gradient are only as long as 1/mu^2 allows: at 100 these solvers miss 1e-13, and
 * say so. */
static double largest_mu(const char *solver)
{
    static const char *const first_order[] = {"projected-gradient", "conjugate-gradient", "cadoux"};
    for (size_t i = 0; i < sizeof first_order / sizeof first_order[0]; i++) {
        if (strcmp(solver, first_order[i]) == 0) return 10.0;
    }
    return 100.0;
}

static void one_contact_run(lab *l)
{
    static const double mus[] = {0.0, 0.3, 1.0, 10.0, 100.0};
    contact_lab c;
    if (!contact_lab_open(&c, l, TOLERANCE)) return;
    for (size_t i = 0; i < c.exact_count; i++) {
        for (size_t m = 0; m < sizeof mus / sizeof mus[0]; m++) {
            if (mus[m] > largest_mu(c.exact[i])) continue;
            const double mu = mus[m], most = mu * PRESS;
            check(&c, c.exact[i], mu, NEAR, 1.0, "take-off");
            check(&c, c.exact[i], mu, -NEAR, 1.0, "pressed-lightly");
            check(&c, c.exact[i], mu, -PRESS, most * (1.0 - NEAR), "stick");
            check(&c, c.exact[i], mu, -PRESS, most * (1.0 + NEAR) + NEAR, "slide");
        }
    }
}

const lab_case validate_one_contact = {
    "contact/one", "one contact on both sides of take-off and of sliding, by every exact solver",
    one_contact_run};
