/* SPDX-License-Identifier: Apache-2.0
 *
 * Sheets that fall on things, and things that hit sheets, at up to 50 m/s. At the end of a step a
 * node may be inside the surface only by rounding: the gap is closed exactly, and a node on the
 * right side of a convex shape's tangent plane is outside the shape. After it has touched a plane
 * it does not rise again. Nothing tunnels: a node that a sphere runs into is never behind the
 * sphere and in its way.
 */
#include <stdio.h>

#include "cases.h"

enum { SIDE_NODES = 7, NODES = SIDE_NODES * SIDE_NODES };
static const double THICKNESS = 0.005, RADIUS = 0.3, MU = 0.4;

/* What is seen over a run. Depths are how far a node is nearer than its thickness. */
typedef struct sight {
    double deepest;
    double risen;   /* most that a node moved away in one step after it had touched */
    double reach;   /* largest coordinate */
    double passed;  /* nodes that a sphere went through */
    size_t pressed; /* nodes that stuck or slid, summed over the steps */
    double last[NODES];
    bool touched[NODES];
} sight;

static void see_distance(sight *s, size_t node, double over)
{
    if (s->touched[node]) s->risen = lab_worst(s->risen, over - s->last[node]);
    s->deepest = lab_worst(s->deepest, -over);
    s->touched[node] = s->touched[node] || over <= lab_rounding(s->reach);
    s->last[node] = over;
}

static void see_step(sight *s, world *w, stn_id cloth, const vec *now, vec place)
{
    s->pressed += world_count_states(w, cloth, NODES, STN_CONTACT_STICK);
    s->pressed += world_count_states(w, cloth, NODES, STN_CONTACT_SLIDE);
    for (size_t i = 0; i < NODES; i++) {
        s->reach = lab_worst(s->reach, vec_norm(place) + vec_norm(now[i]) + RADIUS);
    }
}

static void add_depths(lab *l, const sight *s, const world *w, const char *name)
{
    const double bound = lab_rounding(s->reach);
    lab_add(l, s->deepest, 0.0, s->deepest, bound, "%s/depth", name);
    lab_add(l, w->penetration, 0.0, w->penetration, bound, "%s/reported-depth", name);
    lab_add(l, s->pressed > 0, 1.0, s->pressed == 0, 0.0, "%s/touches", name);
}

/* ---- planes ---------------------------------------------------------------------------------- */

typedef struct plane_drop {
    double fall, rise,
        drift; /* m/s: of the sheet downward, of the plane upward, of the sheet aside */
    int rate;  /* steps per second */
} plane_drop;

static void check_plane(lab *l, const plane_drop *c)
{
    const double dt = 1.0 / c->rate, height = 0.5;
    vec x[NODES], v[NODES];
    lab_fill_sheet(x, SIDE_NODES, 1.0, (vec){0.0, 0.0, height}, (vec){1.0, 0.0, 0.1},
                   (vec){0.0, 1.0, 0.05});
    lab_fill_vectors(v, NODES, (vec){c->drift, 0.5 * c->drift, -c->fall});
    world w;
    world_open(&w, l, (vec){0.0, 0.0, -LAB_GRAVITY});
    const stn_id plane = world_add_plane(&w, (vec){0}, turn_none(), MU);
    const world_nodes nodes = {NODES, x, v, THICKNESS, MU};
    const stn_id cloth = world_add_nodes(&w, &nodes);
    sight s = {.reach = height};
    vec place = {0};
    for (int i = 0; i < c->rate; i++) { /* what is moved before the first step is put there */
        if (i > 0) place.z += c->rise * dt;
        if (i > 0) world_move(&w, plane, place, turn_none());
        world_step(&w, dt);
        world_get_positions(&w, cloth, x, NODES);
        see_step(&s, &w, cloth, x, place);
        for (size_t k = 0; k < NODES; k++) see_distance(&s, k, x[k].z - place.z - THICKNESS);
    }
    world_close(&w);
    char name[96];
    snprintf(name, sizeof name, "plane/fall=%g/rise=%g/drift=%g/dt=1:%d", c->fall, c->rise,
             c->drift, c->rate);
    add_depths(l, &s, &w, name);
    lab_add(l, s.risen, 0.0, s.risen, 2.0 * lab_rounding(s.reach), "%s/risen", name);
}

/* ---- spheres --------------------------------------------------------------------------------- */

typedef struct sphere_hit {
    const char *name;
    vec gravity;
    vec sheet, side_a, side_b, velocity; /* of the sheet */
    vec from, speed;                     /* of the sphere */
    double spin;                         /* rad/s about y */
    int rate, steps;
} sphere_hit;

/* `ahead` is the direction that the sphere moves in. */
static void see_sphere(sight *s, const vec *now, vec center, vec ahead)
{
    const double R = RADIUS + THICKNESS;
    for (size_t i = 0; i < NODES; i++) {
        const vec from_center = vec_sub(now[i], center);
        see_distance(s, i, vec_norm(from_center) - R);
        const double before = vec_dot(from_center, ahead);
        const double beside = vec_distance(from_center, vec_scale(before, ahead));
        if (before < 0.0 && beside < R - lab_rounding(s->reach)) s->passed += 1.0;
    }
}

static void check_sphere(lab *l, const sphere_hit *c)
{
    const double dt = 1.0 / c->rate, speed = vec_norm(c->speed);
    const vec ahead = speed > 0.0 ? vec_scale(1.0 / speed, c->speed) : (vec){0.0, 0.0, 1.0};
    vec x[NODES], v[NODES];
    lab_fill_sheet(x, SIDE_NODES, 1.0, c->sheet, c->side_a, c->side_b);
    lab_fill_vectors(v, NODES, c->velocity);
    world w;
    world_open(&w, l, c->gravity);
    const stn_id sphere = world_add_sphere(&w, c->from, RADIUS, MU);
    const world_nodes nodes = {NODES, x, v, THICKNESS, MU};
    const stn_id cloth = world_add_nodes(&w, &nodes);
    sight s = {.reach = RADIUS};
    for (int i = 0; i < c->steps; i++) {
        const vec center = vec_add(c->from, vec_scale(i * dt, c->speed));
        if (i > 0)
            world_move(&w, sphere, center, turn_about((vec){0.0, 1.0, 0.0}, c->spin * i * dt));
        world_step(&w, dt);
        world_get_positions(&w, cloth, x, NODES);
        see_step(&s, &w, cloth, x, center);
        see_sphere(&s, x, center, ahead);
    }
    world_close(&w);
    char name[96];
    snprintf(name, sizeof name, "sphere/%s/dt=1:%d", c->name, c->rate);
    add_depths(l, &s, &w, name);
    if (speed > 0.0) lab_add(l, s.passed, 0.0, s.passed, 0.0, "%s/passed-through", name);
}

/* A sphere that crosses a hanging sheet without gravity, so that nothing but the sphere moves
 * nodes, for three metres. */
static void check_crossing(lab *l, double speed, double spin, int rate)
{
    char name[48];
    snprintf(name, sizeof name, "crosses-at=%g/spin=%g", speed, spin);
    const sphere_hit c = {.name = name,
                          .side_a = {0.0, 1.0, 0.0},
                          .side_b = {0.0, 0.0, 1.0},
                          .from = {-1.0, 0.02, 0.01},
                          .speed = {speed, 0.0, 0.0},
                          .spin = spin,
                          .rate = rate,
                          .steps = (int)ceil(3.0 * rate / speed) + 1};
    check_sphere(l, &c);
}

static void check_falling(lab *l, double fall, double spin, int rate)
{
    char name[48];
    snprintf(name, sizeof name, "fall=%g/spin=%g", fall, spin);
    const sphere_hit c = {.name = name,
                          .gravity = {0.0, 0.0, -LAB_GRAVITY},
                          .sheet = {0.03, 0.02, 0.6},
                          .side_a = {1.0, 0.0, 0.0},
                          .side_b = {0.0, 1.0, 0.0},
                          .velocity = {0.3, 0.0, -fall},
                          .spin = spin,
                          .rate = rate,
                          .steps = rate};
    check_sphere(l, &c);
}

static void drop_run(lab *l)
{
    static const plane_drop planes[] = {
        {0.0, 0.0, 0.0, 100}, {10.0, 0.0, 0.0, 24},  {30.0, 0.0, 5.0, 24},  {50.0, 0.0, 20.0, 240},
        {0.0, 1.0, 0.0, 100}, {10.0, 10.0, 2.0, 24}, {0.0, 30.0, 0.0, 240}, {50.0, 50.0, 50.0, 24},
    };
    for (size_t i = 0; i < sizeof planes / sizeof planes[0]; i++) check_plane(l, &planes[i]);
    check_falling(l, 0.0, 0.0, 100);
    check_falling(l, 10.0, 0.0, 24);
    check_falling(l, 50.0, 0.0, 24);
    check_falling(l, 10.0, 5.0, 240);
    check_crossing(l, 5.0, 0.0, 100);
    check_crossing(l, 20.0, 0.0, 24);
    check_crossing(l, 50.0, 0.0, 24);
    check_crossing(l, 50.0, 10.0, 240);
}

const lab_case validate_drop = {
    "cloth/drop", "nothing penetrates, bounces or tunnels, at up to 50 m/s", drop_run};
