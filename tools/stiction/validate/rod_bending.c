/* SPDX-License-Identifier: Apache-2.0
 *
 * Cantilevers under their own weight and under a load at the tip, and the circle that an end moment
 * makes of a straight rod.
 *
 * With n elements a model of second order has its tip at x_n = x + c/n^2 + ..., so that c/n^2 is
 * |x_n - x_{n/2}|/3; a better model is nearer than that. Bounds are twice this of the two finest
 * rods, scaled to n, or twice 4/3 |x_n - x_{2n}| where higher orders make that more, times the
 * slope of the figure over the tip, and the stretch of rods that have one. The order is seen in the
 * tip's distance from theory, because single figures may be right by chance where errors change
 * their sign.
 */
#include "cases.h"
#include "rod_lab.h"
#include "rod_theory.h"

#include <stdio.h>

enum { LEVELS_MOST = 6, COARSEST = 8, LEVELS_SHORT = 3 };
static const double TOLERANCE = 1e-10; /* of equilibria */

/* One rod at growing resolution. */
typedef struct refinement {
    double load;
    elastica expected, tip[LEVELS_MOST];
} refinement;

static uint32_t elements_of(int level) { return (uint32_t)COARSEST << level; }

/* Rods that stretch are polygons, which need more elements. */
static int levels_of(const rod_model *model)
{
    return model->stretches ? LEVELS_MOST : LEVELS_SHORT;
}

static double distance(elastica a, elastica b) { return hypot(a.down - b.down, a.along - b.along); }

/* The order of the two finest, and how far it is from a whole number of two or more. */
static void report_order(lab *l, const char *name, double coarse, double fine)
{
    const double order = log2(coarse / fine), whole = fmax(2.0, round(order));
    lab_add(l, order, whole, fabs(order - whole), 0.3, "%s/order", name);
}

/* ---- cantilevers ----------------------------------------------------------------------------- */

typedef struct table_row {
    double load, value; /* as tables have it, to its last digit */
} table_row;

enum { ROWS_MOST = 4 };

/* Loads grow from row to row, so that each equilibrium begins near its own. */
typedef struct family {
    const char *what;
    size_t rows, drawn; /* which row is the picture */
    table_row row[ROWS_MOST];
    elastica (*theory)(double load);
    double (*measure)(elastica tip);
    double (*steepness)(elastica tip); /* of the measure */
    stn_rods_input (*input)(double load, stn_rod_load *tip);
} family;

static void report(lab *l, const family *f, const rod_model *model, const refinement *r)
{
    const int last = levels_of(model) - 1;
    const double exact = f->measure(r->expected), slope = f->steepness(r->expected);
    const double leading = distance(r->tip[last], r->tip[last - 1]) / 3.0;
    const double stretch = model->stretches ? r->load / rod_lab_material().stretch : 0.0;
    char name[64];
    snprintf(name, sizeof name, "%s/%s=%g", model->name, f->what, r->load);
    for (int k = 0; k <= last; k++) {
        const double value = f->measure(r->tip[k]);
        const double finer = k < last ? 4.0 / 3.0 * distance(r->tip[k], r->tip[k + 1]) : 0.0;
        const double spread = 2.0 * fmax(ldexp(leading, 2 * (last - k)), finer);
        lab_add(l, value, exact, fabs(value - exact), slope * (spread + stretch), "%s/elements=%u",
                name, elements_of(k));
    }
    report_order(l, name, distance(r->tip[last - 1], r->expected),
                 distance(r->tip[last], r->expected));
}

/* The tip's distance from theory, for --plot. */
static void draw(lab_chart *chart, const rod_model *model, const refinement *r)
{
    if (chart->count == LAB_CHART_SERIES) return;
    const size_t i = chart->count++, count = (size_t)levels_of(model);
    for (size_t k = 0; k < count; k++) {
        chart->x[i][k] = elements_of((int)k);
        chart->y[i][k] = distance(r->tip[k], r->expected);
    }
    chart->series[i] = (plot_series){model->name, chart->x[i], chart->y[i], count, true};
}

static void hang(rod_lab *r, const family *f, const rod_model *model, int level, refinement *out)
{
    const stn_rod_material material = rod_lab_material();
    rod a = rod_open(r, model, elements_of(level), &material);
    for (size_t k = 0; k < f->rows; k++) {
        stn_rod_load tip;
        const stn_rods_input input = f->input(f->row[k].load, &tip);
        rod_settle(&a, &input);
        const vec at = rod_point(&a, 1.0);
        out[k].tip[level] = (elastica){-at.z, at.x};
    }
    rod_close(&a);
}

/* Tables are good to half a unit of their last digit. */
static void run_family(lab *l, const family *f)
{
    rod_lab r;
    refinement quantity[ROWS_MOST];
    if (!rod_lab_open(&r, l, TOLERANCE)) return;
    for (size_t k = 0; k < f->rows; k++) {
        const table_row *row = &f->row[k];
        quantity[k] = (refinement){.load = row->load, .expected = f->theory(row->load)};
        const double exact = f->measure(quantity[k].expected);
        lab_add(l, exact, row->value, fabs(exact - row->value), 5.1e-7, "theory/%s=%g", f->what,
                row->load);
    }
    for (size_t m = 0; m < r.model_count; m++) {
        const rod_model *model = &r.models[m];
        for (int i = 0; i < levels_of(model); i++) hang(&r, f, model, i, quantity);
        for (size_t k = 0; k < f->rows; k++) report(l, f, model, &quantity[k]);
        if (l->chart) draw(l->chart, model, &quantity[f->drawn]);
    }
}

/* ---- under its own weight -------------------------------------------------------------------- */

static elastica heavy(double w) { return rod_theory_elastica(w, 0.0); }

static double height_over_width(elastica tip) { return tip.down / tip.along; }

static double height_steepness(elastica tip)
{
    return hypot(1.0, tip.down / tip.along) / tip.along;
}

static stn_rods_input weigh(double w, stn_rod_load *unused)
{
    (void)unused;
    return rod_gravity((vec){0.0, 0.0, -w});
}

static void cantilever_run(lab *l)
{
    static const family f = {
        .what = "gamma",
        .rows = 4,
        .drawn = 2,
        .row = {{1.0, 0.124562}, {5.0, 0.585721}, {10.0, 1.066802}, {100.0, 5.888105}},
        .theory = heavy,
        .measure = height_over_width,
        .steepness = height_steepness,
        .input = weigh};
    run_family(l, &f);
}

const lab_case validate_cantilever = {"rods/cantilever",
                                      "rods bend under their own weight: H/W against the elastica",
                                      cantilever_run};

/* ---- under a load at the tip ----------------------------------------------------------------- */

static elastica loaded(double P) { return rod_theory_elastica(0.0, P); }

static double deflection(elastica tip) { return tip.down; }

static double deflection_steepness(elastica tip)
{
    (void)tip;
    return 1.0;
}

static stn_rods_input pull_down(double P, stn_rod_load *tip)
{
    stn_rods_input input = rod_no_input();
    *tip = rod_tip_load((vec){0.0, 0.0, -P}, (vec){0.0, 0.0, 0.0});
    input.loads = tip;
    input.load_count = 1;
    return input;
}

static void tip_load_run(lab *l)
{
    static const family f = {.what = "load",
                             .rows = 3,
                             .drawn = 2,
                             .row = {{1.0, 0.301721}, {5.0, 0.713792}, {10.0, 0.810609}},
                             .theory = loaded,
                             .measure = deflection,
                             .steepness = deflection_steepness,
                             .input = pull_down};
    run_family(l, &f);
}

const lab_case validate_tip_load = {
    "rods/tip-load", "rods bend under a load at the tip: deflection against the elastica",
    tip_load_run};

/* ---- by an end moment ------------------------------------------------------------------------ */

enum { TURN_LOADS = 8 };

/* The moment grows by eighths of a turn, and a rod as stiff every way would leave the plane. */
static void turn_end(const rod *a)
{
    for (int k = 1; k <= TURN_LOADS; k++) {
        const stn_rod_load load = rod_tip_load(
            (vec){0.0, 0.0, 0.0}, (vec){0.0, 0.0, SPACE_TURN * (double)k / TURN_LOADS});
        stn_rods_input input = rod_no_input();
        input.loads = &load;
        input.load_count = 1;
        rod_settle(a, &input);
    }
}

/* How far the tip is from the root, and by how much the middle of the last element has turned, over
 * what a circle turns there. */
typedef struct closing {
    double gap, turned;
} closing;

static closing close_circle(rod_lab *r, const rod_model *model, uint32_t elements)
{
    stn_rod_material material = rod_lab_material();
    if (model->twists) material.bend[0] = material.twist = 50.0;
    rod a = rod_open(r, model, elements, &material);
    turn_end(&a);
    turn rotation;
    rod_place(&a, 1.0 - 0.5 / elements, NULL, &rotation);
    const vec t = turn_apply(rotation, (vec){1.0, 0.0, 0.0});
    const double missing = 0.5 * SPACE_TURN / elements;
    const closing found = {vec_norm(rod_point(&a, 1.0)), atan2(t.y, t.x) + missing};
    rod_close(&a);
    return found;
}

static void check_circle(rod_lab *r, const rod_model *model)
{
    closing c[LEVELS_SHORT];
    const int last = LEVELS_SHORT - 1;
    for (int k = 0; k <= last; k++) c[k] = close_circle(r, model, elements_of(k + 1));
    const double gap = fabs(c[last].gap - c[last - 1].gap) / 3.0;
    const double turned = fabs(c[last].turned - c[last - 1].turned) / 3.0;
    for (int k = 0; k <= last; k++) {
        const uint32_t n = elements_of(k + 1);
        lab_add(r->l, c[k].gap, 0.0, c[k].gap, 2.0 * ldexp(gap, 2 * (last - k)) + TOLERANCE,
                "%s/elements=%u/gap", model->name, n);
        lab_add(r->l, c[k].turned, 0.0, fabs(c[k].turned),
                2.0 * ldexp(turned, 2 * (last - k)) + TOLERANCE, "%s/elements=%u/turned",
                model->name, n);
    }
    if (c[last].gap > TOLERANCE) report_order(r->l, model->name, c[last - 1].gap, c[last].gap);
}

static void end_moment_run(lab *l)
{
    rod_lab r;
    if (!rod_lab_open(&r, l, TOLERANCE)) return;
    for (size_t m = 0; m < r.model_count; m++) check_circle(&r, &r.models[m]);
}

const lab_case validate_end_moment = {
    "rods/end-moment", "an end moment of 2 pi EI/L bends a rod to a circle", end_moment_run};
