/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns under a dead load (Euler) and under their own weight (Greenhill), and a strip on edge
 * that topples sideways under its weight (Prandtl, Michell).
 *
 * At second order |v_n - v_{n/2}|/3 is the leading term of the error of v_n; bounds are twice that
 * and what theory leaves out: a stretch of load/(E A), and in the strip the small share B/(strong B)
 * of its own sag.
 */
#include "rod_buckling.h"

#include "cases.h"
#include "rod_theory.h"

stn_rod_material buckling_material(void)
{
    stn_rod_material material = rod_lab_material();
    material.stretch = 1e5;
    return material;
}

/* ---- the critical load ----------------------------------------------------------------------- */

typedef struct side {
    double load, lowest;
} side;

/* Regula falsi of two sides; the one that stays counts half the next time. */
static double close_in(rod_lab *r, const buckling *b, const rod_model *model, uint32_t elements)
{
    side stable = {(1.0 - b->reach) * b->expected, 0.0},
         buckled = {(1.0 + b->reach) * b->expected, 0.0};
    stable.lowest = b->lowest(r, model, elements, stable.load);
    buckled.lowest = b->lowest(r, model, elements, buckled.load);
    if (!(stable.lowest > 0.0 && buckled.lowest < 0.0)) return NAN;
    int last = 0;
    for (int i = 0; i < 40 && buckled.load - stable.load > 1e-7 * b->expected; i++) {
        const double share = stable.lowest / (stable.lowest - buckled.lowest);
        const double load = stable.load + share * (buckled.load - stable.load);
        const double lowest = b->lowest(r, model, elements, load);
        const int now = lowest > 0.0 ? 1 : -1;
        if (now > 0) stable = (side){load, lowest};
        if (now < 0) buckled = (side){load, lowest};
        if (now == last && now > 0) buckled.lowest *= 0.5;
        if (now == last && now < 0) stable.lowest *= 0.5;
        last = now;
    }
    return 0.5 * (stable.load + buckled.load);
}

static void check_model(rod_lab *r, const buckling *b, const rod_model *model)
{
    const uint32_t elements[2] = {b->coarse, 2 * b->coarse};
    double value[2], error[2];
    for (int k = 0; k < 2; k++) {
        value[k] = close_in(r, b, model, elements[k]);
        error[k] = fabs(value[k] - b->expected);
    }
    const double leading = fabs(value[1] - value[0]) / 3.0;
    const double stretch = b->expected / buckling_material().stretch;
    const double slack = (b->slack + (model->stretches ? 4.0 * stretch : 0.0)) * b->expected;
    for (int k = 0; k < 2; k++) {
        lab_add(r->l, value[k], b->expected, error[k], ldexp(2.0 * leading, 2 - 2 * k) + slack,
                "%s/%s/elements=%u", b->what, model->name, elements[k]);
    }
}

void buckling_check(rod_lab *r, const buckling *b)
{
    for (size_t m = 0; m < r->model_count; m++) {
        const rod_model *model = &r->models[m];
        if (model->twists || !b->needs_twist) check_model(r, b, model);
    }
}

/* ---- columns: x is up ------------------------------------------------------------------------ */

static double stand(rod_lab *r, const rod_model *model, uint32_t elements,
                    const stn_rods_input *input)
{
    const stn_rod_material material = buckling_material();
    rod a = rod_open(r, model, elements, &material);
    const double lowest = rod_lowest(&a, input);
    rod_close(&a);
    return lowest;
}

static double stand_under_load(rod_lab *r, const rod_model *model, uint32_t elements, double P)
{
    const stn_rod_load load = rod_tip_load((vec){-P, 0.0, 0.0}, (vec){0.0, 0.0, 0.0});
    stn_rods_input input = rod_no_input();
    input.loads = &load;
    input.load_count = 1;
    return stand(r, model, elements, &input);
}

static double stand_under_weight(rod_lab *r, const rod_model *model, uint32_t elements, double w)
{
    const stn_rods_input input = rod_gravity((vec){-w, 0.0, 0.0});
    return stand(r, model, elements, &input);
}

/* theta'' + w u theta = 0 with u from the tip is Bessel's equation of order -1/3 in 2/3 w^1/2
 * u^3/2. */
static void column_run(lab *l)
{
    rod_lab r;
    if (!rod_lab_open(&r, l, 1e-10)) return;
    const double j = 1.5 * rod_theory_bessel_zero(-1.0 / 3.0), weight = j * j;
    lab_add(l, weight, 7.83735, fabs(weight - 7.83735), 5.1e-6, "theory/own-weight");
    const buckling euler = {.what = "euler",
                            .expected = SPACE_TURN * SPACE_TURN / 16.0,
                            .reach = 0.15,
                            .coarse = 8,
                            .lowest = stand_under_load};
    const buckling own = {.what = "own-weight",
                          .expected = weight,
                          .reach = 0.15,
                          .coarse = 8,
                          .lowest = stand_under_weight};
    buckling_check(&r, &euler);
    buckling_check(&r, &own);
}

const lab_case validate_column = {
    "rods/column", "columns buckle under a load (Euler) and under their own weight", column_run};

/* ---- a strip on edge ------------------------------------------------------------------------- */

static const double STRONG = 1e4; /* its stiffness against gravity; the others are 1 */

static double lie_on_edge(rod_lab *r, const rod_model *model, uint32_t elements, double w)
{
    stn_rod_material material = buckling_material();
    material.bend[0] = STRONG;
    rod a = rod_open(r, model, elements, &material);
    const stn_rods_input input = rod_gravity((vec){0.0, 0.0, -w});
    const double lowest = rod_lowest(&a, &input);
    rod_close(&a);
    return lowest;
}

/* phi'' + w^2 u^4 / (4 B C) phi = 0 is Bessel's equation of order -1/6 in w u^3 / (6 (B C)^1/2). */
static void strip_run(lab *l)
{
    rod_lab r;
    if (!rod_lab_open(&r, l, 1e-10)) return;
    const double weight = 6.0 * rod_theory_bessel_zero(-1.0 / 6.0);
    lab_add(l, weight, 12.85, fabs(weight - 12.85), 5.1e-3, "theory");
    const buckling strip = {.what = "own-weight",
                            .expected = weight,
                            .slack = 2.0 / STRONG,
                            .reach = 0.15,
                            .coarse = 8,
                            .needs_twist = true,
                            .lowest = lie_on_edge};
    buckling_check(&r, &strip);
}

const lab_case validate_strip = {
    "rods/strip", "a strip on edge buckles sideways under its own weight", strip_run};
