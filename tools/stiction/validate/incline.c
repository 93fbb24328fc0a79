/* SPDX-License-Identifier: Apache-2.0
 *
 * A sheet on an incline of angle theta. It sticks if tan(theta) <= mu, else it slides down with
 *     a = g (sin(theta) - mu cos(theta)),
 * and implicit Euler gives v_n = n dt a exactly: force and friction do not depend on time.
 *
 * Bounds. Sticking: a node has v = -(gap / dt) N, where the gap is only the rounding of its
 * position, so one step moves it by at most lab_rounding(L), L the size of its coordinates.
 * Sliding: each step rounds the velocity by lab_rounding(g dt + v). The gap of a step adds gap / dt
 * to the normal velocity, thus mu gap / dt to the friction; the next step takes it back, so that of
 * all steps only the last one counts: mu lab_rounding(L) / dt.
 */
#include "cases.h"

/* The incline is made twice: by a plane that is turned, and by gravity that is turned. */
typedef struct incline {
    bool turned_plane;
    double mu, theta;
    double azimuth; /* of the way down */
    double spin;    /* of the sheet, about the normal */
    size_t n;       /* nodes along a side */
    double dt;
} incline;

enum { LARGEST = 9 };
static const double THICKNESS = 0.002, SIDE = 1.0;
/* What coefficients of cloth and plane must multiply to mu^2. */
static const double SHARE = 1.25;

typedef struct setup {
    world w;
    stn_id cloth;
    size_t count;
    vec start[LARGEST * LARGEST];
    vec down; /* unit, along the slope */
} setup;

static void incline_open(setup *s, lab *l, const incline *c)
{
    const vec ahead = {cos(c->azimuth), sin(c->azimuth), 0.0}, z = {0.0, 0.0, 1.0};
    const turn tilt = c->turned_plane ? turn_about(vec_cross(z, ahead), c->theta) : turn_none();
    const double sine = sin(c->theta), cosine = cos(c->theta);
    const vec pull = c->turned_plane ? vec_scale(-1.0, z)
                                     : vec_sub(vec_scale(sine, ahead), vec_scale(cosine, z));
    const double along = cos(c->spin), across = sin(c->spin);
    const vec a = turn_apply(tilt, (vec){along, across, 0.0});
    const vec b = turn_apply(tilt, (vec){-across, along, 0.0});
    const vec center = turn_apply(tilt, (vec){0.0, 0.0, THICKNESS});

    s->down = turn_apply(tilt, ahead);
    s->count = lab_fill_sheet(s->start, c->n, SIDE, center, a, b);
    world_open(&s->w, l, vec_scale(LAB_GRAVITY, pull));
    world_add_plane(&s->w, (vec){0}, tilt, c->mu / SHARE);
    const world_nodes nodes = {s->count, s->start, NULL, THICKNESS, c->mu * SHARE};
    s->cloth = world_add_nodes(&s->w, &nodes);
}

/* ---- just below the angle of friction -------------------------------------------------------- */

static void check_stick(lab *l, const incline *c, double offset)
{
    const int seconds = 60, steps_per_second = (int)lround(1.0 / c->dt);
    setup s;
    incline_open(&s, l, c);
    double moved = 0.0;
    for (int second = 0; second < seconds; second++) {
        for (int i = 0; i < steps_per_second; i++) world_step(&s.w, c->dt);
        vec now[LARGEST * LARGEST];
        world_get_positions(&s.w, s.cloth, now, s.count);
        for (size_t i = 0; i < s.count; i++) {
            moved = lab_worst(moved, vec_distance(now[i], s.start[i]));
        }
    }
    const double sticking = (double)world_count_states(&s.w, s.cloth, s.count, STN_CONTACT_STICK);
    world_close(&s.w);
    const char *made_by = c->turned_plane ? "plane" : "gravity";
    lab_add(l, moved, 0.0, moved, seconds * steps_per_second * lab_rounding(SIDE),
            "%s/mu=%g/below=%g/moved", made_by, c->mu, offset);
    lab_add(l, sticking, (double)s.count, fabs(sticking - (double)s.count), 0.0,
            "%s/mu=%g/below=%g/sticking", made_by, c->mu, offset);
}

/* ---- just above ------------------------------------------------------------------------------ */

typedef struct slide_result {
    double value, error, bound; /* of the acceleration, at the node that is worst */
} slide_result;

static slide_result measure_slide(lab *l, const incline *c, double a)
{
    const int steps = (int)lround(2.0 / c->dt);
    const double duration = steps * c->dt;
    setup s;
    incline_open(&s, l, c);
    for (int i = 0; i < steps; i++) world_step(&s.w, c->dt);
    vec v[LARGEST * LARGEST];
    world_get_velocities(&s.w, s.cloth, v, s.count);
    world_close(&s.w);

    const double speed = a * duration, reach = SIDE + 0.5 * speed * (duration + c->dt);
    slide_result out = {.value = a};
    out.bound =
        (steps * lab_rounding(LAB_GRAVITY * c->dt + speed) + c->mu * lab_rounding(reach) / c->dt) /
        duration;
    for (size_t i = 0; i < s.count; i++) {
        const double error = vec_distance(v[i], vec_scale(speed, s.down)) / duration;
        if (!(error <= out.error)) {
            out.error = error;
            out.value = vec_dot(v[i], s.down) / duration;
        }
    }
    return out;
}

/* The figure is the combination of time step, resolution and orientation that comes nearest its
 * bound. */
static void check_slide(lab *l, const incline *c, double offset)
{
    static const double dts[] = {1.0 / 240.0, 1.0 / 100.0, 1.0 / 24.0};
    static const size_t sizes[] = {2, 5, LARGEST};
    const double a = LAB_GRAVITY * (sin(c->theta) - c->mu * cos(c->theta));
    slide_result worst = {.value = a, .error = 0.0, .bound = 1.0};
    for (int i = 0; i < 9; i++) {
        incline variant = *c;
        variant.dt = dts[i % 3];
        variant.n = sizes[i / 3];
        variant.spin = 0.3 * i;
        variant.azimuth = c->azimuth + 0.7 * i;
        const slide_result r = measure_slide(l, &variant, a);
        if (!(r.error / r.bound <= worst.error / worst.bound)) worst = r;
    }
    lab_add(l, worst.value, a, worst.error, worst.bound, "%s/mu=%g/above=%g/acceleration",
            c->turned_plane ? "plane" : "gravity", c->mu, offset);
}

static void incline_run(lab *l)
{
    static const double mus[] = {0.05, 0.1, 0.3, 0.6, 1.0, 2.0};
    static const double near_offsets[] = {1e-3, 1e-9}, far_offset = 0.5;
    for (int turned_plane = 0; turned_plane < 2; turned_plane++) {
        for (size_t m = 0; m < sizeof mus / sizeof mus[0]; m++) {
            incline c = {.turned_plane = turned_plane, .mu = mus[m], .azimuth = 0.4 + (double)m};
            c.dt = 1.0 / 100.0;
            c.n = 4;
            c.spin = 0.2 * (double)m;
            for (int k = 0; k < 2; k++) {
                c.theta = atan(c.mu * (1.0 - near_offsets[k]));
                check_stick(l, &c, near_offsets[k]);
                c.theta = atan(c.mu * (1.0 + near_offsets[k]));
                check_slide(l, &c, near_offsets[k]);
            }
            c.theta = atan(c.mu * (1.0 + far_offset));
            check_slide(l, &c, far_offset);
        }
    }
}

const lab_case validate_incline = {
    "cloth/incline", "a sheet on an incline sticks below tan(theta) = mu and slides above",
    incline_run};
