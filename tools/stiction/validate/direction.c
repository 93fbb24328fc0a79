/* SPDX-License-Identifier: Apache-2.0
 *
 * Friction has no preferred direction: turn everything but the surface about its normal, and the
 * result is the turned result. To 1e-10, for paths that are straight, curved, that stop, and on a
 * ball.
 */
#include "cases.h"

typedef struct path {
    const char *name;
    bool ball;   /* else a plane */
    turn tilt;   /* of the plane */
    vec gravity; /* in the plane's own coordinates, like the next */
    vec velocity;
    double mu, dt;
    int steps;
} path;

enum { DIRECTIONS = 36, NODES = 4 };
static const double RADIUS = 0.5, THICKNESS = 0.01, SAME = 1e-10;

/* The case turned by `angle` about the surface's normal; positions and velocities in its
 * coordinates. */
static void run_path(lab *l, const path *p, double angle, vec *x, vec *v)
{
    const turn spin = turn_about((vec){0.0, 0.0, 1.0}, angle);
    const turn all = turn_mul(p->tilt, spin);
    const double height = p->ball ? RADIUS + THICKNESS : THICKNESS;
    vec start[NODES], velocity[NODES];
    for (int i = 0; i < NODES; i++) {
        const double offset = p->ball ? 0.0 : 0.1 * i;
        start[i] = turn_apply(all, (vec){offset, 0.3 * offset, height});
        velocity[i] = turn_apply(all, vec_scale(1.0 + 0.2 * i, p->velocity));
    }
    world w;
    world_open(&w, l, turn_apply(all, p->gravity));
    if (p->ball) {
        world_add_sphere(&w, (vec){0}, RADIUS, p->mu);
    } else {
        world_add_plane(&w, (vec){0}, p->tilt, p->mu);
    }
    const world_nodes nodes = {NODES, start, velocity, THICKNESS, p->mu};
    const stn_id cloth = world_add_nodes(&w, &nodes);
    for (int i = 0; i < p->steps; i++) world_step(&w, p->dt);
    world_get_positions(&w, cloth, x, NODES);
    world_get_velocities(&w, cloth, v, NODES);
    world_close(&w);
    const turn back = {all.w, -all.x, -all.y, -all.z};
    for (int i = 0; i < NODES; i++) {
        x[i] = turn_apply(back, x[i]);
        v[i] = turn_apply(back, v[i]);
    }
}

static void check_path(lab *l, const path *p)
{
    vec x0[NODES], v0[NODES];
    run_path(l, p, 0.0, x0, v0);
    double position = 0.0, velocity = 0.0;
    for (int k = 1; k < DIRECTIONS; k++) {
        vec x[NODES], v[NODES];
        run_path(l, p, SPACE_TURN * k / DIRECTIONS + 0.01 * k, x, v);
        for (int i = 0; i < NODES; i++) {
            position = lab_worst(position, vec_distance(x[i], x0[i]));
            velocity = lab_worst(velocity, vec_distance(v[i], v0[i]));
        }
    }
    lab_add(l, position, 0.0, position, SAME, "%s/position", p->name);
    lab_add(l, velocity, 0.0, velocity, SAME, "%s/velocity", p->name);
}

static void direction_run(lab *l)
{
    const turn tilt =
        turn_mul(turn_about((vec){0.6, 0.8, 0.0}, 0.9), turn_about((vec){1.0, 0.0, 0.0}, -0.4));
    const double g = LAB_GRAVITY;
    const path paths[] = {
        {"floor", false, turn_none(), {0.0, 0.0, -g}, {2.0, 0.0, 0.0}, 0.4, 0.01, 100},
        {"tilted", false, tilt, {0.0, 0.0, -g}, {2.0, 0.0, 0.0}, 0.4, 0.01, 100},
        {"tilted-curved", false, tilt, {0.0, 0.4 * g, -0.8 * g}, {2.0, 0.0, 0.0}, 0.3, 0.01, 100},
        {"tilted-curved-stops",
         false,
         tilt,
         {0.0, 0.2 * g, -0.9 * g},
         {1.0, 0.0, 0.0},
         0.5,
         0.01,
         100},
        {"ball", true, tilt, {0.0, 0.0, -g}, {0.5, 0.0, 0.0}, 0.2, 0.002, 100},
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) check_path(l, &paths[i]);
}

const lab_case validate_direction = {
    "cloth/direction", "a case turned about the normal gives the turned result", direction_run};
