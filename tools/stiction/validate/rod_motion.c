/* SPDX-License-Identifier: Apache-2.0
 *
 * What moving rods must keep: the upper bound of their energy, the damping they were given, and the
 * laws of mechanics when their clamp moves. Their length is the subject of rod_length.c.
 */
#include <stdlib.h>

#include "cases.h"
#include "rod_draw.h"
#include "rod_lab.h"

/* ---- energy ---------------------------------------------------------------------------------- */

enum { ENERGY_ELEMENTS = 6, ENERGY_STEPS = 500 };
static const double KICKS[] = {1.0, 10.0, 100.0}; /* largest velocities of unknowns */

/* Kicked by random velocities, the rod is left alone. */
static double worst_rise(const rod *a, double kick, double dt)
{
    const stn_rods_input nothing = rod_no_input();
    uint64_t seed = 7;
    double *v = calloc(a->n + 1, sizeof *v), worst = 0.0;
    for (size_t i = 0; v && i < a->n; i++) v[i] = kick * draw(&seed);
    if (v) rod_set_state(a, NULL, v);
    free(v);
    const double first = rod_energy(a);
    double last = first;
    for (int i = 0; i < ENERGY_STEPS; i++) {
        rod_step(a, &nothing, dt);
        const double now = rod_energy(a);
        worst = lab_worst(worst, (now - last) / first);
        last = now;
    }
    return worst;
}

static void check_energy(rod_lab *r, const rod_model *model, double kick)
{
    static const double steps[] = {1e-4, 1e-3, 1e-2, 1e-1};
    const stn_rod_material material = rod_lab_material();
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        rod a = rod_open(r, model, ENERGY_ELEMENTS, &material);
        const double rise = worst_rise(&a, kick, steps[k]);
        lab_add(r->l, rise, 0.0, rise, 1e-11, "%s/kick=%g/dt=%g/largest-rise", model->name, kick,
                steps[k]);
        rod_close(&a);
    }
}

static void energy_run(lab *l)
{
    rod_lab r;
    if (!rod_lab_open(&r, l, 1e-10)) return;
    for (size_t m = 0; m < r.model_count; m++) {
        for (size_t k = 0; k < sizeof KICKS / sizeof *KICKS; k++) {
            check_energy(&r, &r.models[m], KICKS[k]);
        }
    }
}

const lab_case validate_rod_energy = {
    "rods/energy", "the energy of a rod that is left alone never rises", energy_run};

/* ---- damping --------------------------------------------------------------------------------- */

enum { RINGING_ELEMENTS = 16, SETTLING = 3000, SAMPLES = 2000 };
static const double FIRST_MODE = 3.5160152685; /* omega of a cantilever, B, rho and L being 1 */
static const double RINGING_STEP = 1e-3, RATIO = 0.05, NUDGE = 1e-3;

/* A mode of implicit Euler has y_{n+1} = a y_n - b y_{n-1} with
 *     1/b = 1 + h d w^2 + h^2 w^2,    a/b = 2 + h d w^2:
 * both, by least squares over the tip's heights, give the frequency w and the damping time d. The
 * modes above the first have died when the sampling begins. */
typedef struct ringing {
    double omega, damping;
} ringing;

static ringing listen(const rod *a, double h)
{
    const stn_rods_input nothing = rod_no_input();
    double y[3] = {0.0, 0.0, 0.0}, yy = 0.0, yz = 0.0, zz = 0.0, xy = 0.0, xz = 0.0;
    for (int i = 0; i < SETTLING + SAMPLES; i++) {
        rod_step(a, &nothing, h);
        y[0] = y[1], y[1] = y[2], y[2] = rod_point(a, 1.0).z;
        if (i < SETTLING) continue;
        yy += y[1] * y[1], yz += y[1] * y[0], zz += y[0] * y[0];
        xy += y[2] * y[1], xz += y[2] * y[0];
    }
    const double det = yy * zz - yz * yz;
    const double A = (xy * zz - xz * yz) / det, b = (xy * yz - xz * yy) / det;
    const double stiff = 1.0 / b + 1.0 - A / b;
    return (ringing){sqrt(stiff) / h, h * (A / b - 2.0) / stiff};
}

/* Nonlinear terms are of the size of the tip's height squared; the frequency has the error of the
 * model's elements, of second order (a beam's stiffness and its lumped mass lose about
 * (w^2 l^2)/12 each). */
static void damping_run(lab *l)
{
    rod_lab r;
    if (!rod_lab_open(&r, l, 1e-10)) return;
    stn_rod_material material = rod_lab_material();
    material.damping = 2.0 * RATIO / FIRST_MODE;
    const stn_rods_input nudge = rod_gravity((vec){0.0, 0.0, NUDGE});
    const double element = 1.0 / RINGING_ELEMENTS;
    const double discrete = FIRST_MODE * FIRST_MODE * element * element / 6.0;
    for (size_t m = 0; m < r.model_count; m++) {
        rod a = rod_open(&r, &r.models[m], RINGING_ELEMENTS, &material);
        rod_settle(&a, &nudge);
        const ringing found = listen(&a, RINGING_STEP);
        const double ratio = 0.5 * found.damping * found.omega;
        lab_add(l, found.omega, FIRST_MODE, fabs(found.omega - FIRST_MODE), discrete * FIRST_MODE,
                "%s/first-mode", r.models[m].name);
        lab_add(l, found.damping, material.damping, fabs(found.damping - material.damping),
                1e-5 * material.damping, "%s/damping-time", r.models[m].name);
        lab_add(l, ratio, RATIO, fabs(ratio - RATIO), (discrete + 1e-5) * RATIO, "%s/ratio",
                r.models[m].name);
        rod_close(&a);
    }
}

const lab_case validate_rod_damping = {
    "rods/damping", "a ringing cantilever has the frequency of theory and the damping it was given",
    damping_run};

/* ---- a moving clamp -------------------------------------------------------------------------- */

enum { CLAMPED_ELEMENTS = 6, JOLTS = 200 };
static const double JOLT_STEP = 1e-3;

/* Random velocities of the clamp, or the gravity that its frame feels; where the tip ends, from the
 * clamp. */
static vec jolt(const rod *a, bool moving)
{
    uint64_t seed = 3;
    vec place = {0.0, 0.0, 0.0}, last = {0.0, 0.0, 0.0};
    const vec down = {0.0, 0.0, -LAB_GRAVITY};
    for (int i = 0; i < JOLTS; i++) {
        const vec velocity = draw_vec(&seed);
        const vec felt = vec_scale(-1.0 / JOLT_STEP, vec_sub(velocity, last));
        stn_rods_input input = rod_gravity(moving ? down : vec_add(felt, down));
        double root[7];
        place = vec_add(place, vec_scale(JOLT_STEP, velocity));
        fill_root(place, turn_none(), root);
        if (moving) input.roots = root;
        rod_step(a, &input, JOLT_STEP);
        last = velocity;
    }
    const vec tip = rod_point(a, 1.0);
    return moving ? vec_sub(tip, place) : tip;
}

/* The clamp turns about z by SWING (1 - cos(t)). */
static const double SWING = 0.5, SWINGING = 2.0; /* radians, s */

typedef struct swing {
    double angle, rate, acceleration;
} swing;

static swing swing_at(double t)
{
    return (swing){SWING * (1.0 - cos(t)), SWING * sin(t), SWING * cos(t)};
}

/* What the frame of the clamp adds to gravity at the joints: Euler's, Coriolis' and the centrifugal
 * acceleration; `before` are the joints a step ago. */
static void fill_inertia(const rod *a, swing s, double h, vec *before, double *field)
{
    for (uint32_t i = 0; i <= a->elements; i++) {
        const vec x = rod_point(a, (double)i / a->elements);
        const vec v = vec_scale(1.0 / h, vec_sub(x, before[i]));
        field[3 * i] = s.rate * s.rate * x.x + s.acceleration * x.y + 2.0 * s.rate * v.y;
        field[3 * i + 1] = s.rate * s.rate * x.y - s.acceleration * x.x - 2.0 * s.rate * v.x;
        field[3 * i + 2] = 0.0;
        before[i] = x;
    }
}

/* Where the tip ends, in the frame of the clamp. */
static vec swing_clamp(const rod *a, double h)
{
    const int steps = (int)lround(SWINGING / h);
    stn_rods_input input = rod_no_input();
    double root[7];
    input.roots = root;
    for (int i = 1; i <= steps; i++) {
        fill_root((vec){0.0, 0.0, 0.0}, turn_about((vec){0.0, 0.0, 1.0}, swing_at(i * h).angle),
                  root);
        rod_step(a, &input, h);
    }
    const turn back = turn_about((vec){0.0, 0.0, 1.0}, -swing_at(SWINGING).angle);
    return turn_apply(back, rod_point(a, 1.0));
}

static vec swing_frame(const rod *a, double h)
{
    const int steps = (int)lround(SWINGING / h);
    vec before[CLAMPED_ELEMENTS + 1];
    double field[3 * (CLAMPED_ELEMENTS + 1)];
    stn_rods_input input = rod_no_input();
    input.field = field;
    for (uint32_t i = 0; i <= a->elements; i++) before[i] = rod_point(a, (double)i / a->elements);
    for (int i = 1; i <= steps; i++) {
        fill_inertia(a, swing_at((i - 0.5) * h), h, before, field);
        rod_step(a, &input, h);
    }
    return rod_point(a, 1.0);
}

static double swing_difference(rod_lab *r, const rod_model *model, double h)
{
    const stn_rod_material material = rod_lab_material();
    rod a = rod_open(r, model, CLAMPED_ELEMENTS, &material);
    rod b = rod_open(r, model, CLAMPED_ELEMENTS, &material);
    const double off = vec_distance(swing_clamp(&a, h), swing_frame(&b, h));
    rod_close(&a);
    rod_close(&b);
    return off;
}

static void check_jolts(rod_lab *r, const rod_model *model)
{
    const stn_rod_material material = rod_lab_material();
    rod a = rod_open(r, model, CLAMPED_ELEMENTS, &material);
    rod b = rod_open(r, model, CLAMPED_ELEMENTS, &material);
    const double off = vec_distance(jolt(&a, true), jolt(&b, false));
    lab_add(r->l, off, 0.0, off, 1e-9, "%s/jolted/off-its-frame", model->name);
    rod_close(&a);
    rod_close(&b);
}

/* At first order half the step has half the difference. */
static void clamp_run(lab *l)
{
    static const double h = 2e-3;
    rod_lab r;
    if (!rod_lab_open(&r, l, 1e-10)) return;
    for (size_t m = 0; m < r.model_count; m++) {
        const rod_model *model = &r.models[m];
        check_jolts(&r, model);
        const double off[2] = {swing_difference(&r, model, h),
                               swing_difference(&r, model, 0.5 * h)};
        const double leading = 2.0 * fabs(off[0] - off[1]);
        lab_add(l, off[0], 0.0, off[0], 2.0 * leading, "%s/turned/dt=%g/off-its-frame", model->name,
                h);
        lab_add(l, off[1], 0.0, off[1], leading, "%s/turned/dt=%g/off-its-frame", model->name,
                0.5 * h);
        const double order = log2(off[0] / off[1]);
        lab_add(l, order, 1.0, fabs(order - 1.0), 0.3, "%s/turned/order", model->name);
    }
}

const lab_case validate_rod_clamp = {
    "rods/clamp", "a moving clamp is the same as inertial forces in its frame", clamp_run};
