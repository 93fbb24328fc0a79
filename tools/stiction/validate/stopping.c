/* SPDX-License-Identifier: Apache-2.0
 *
 * A sheet thrown along a floor. Implicit Euler with Coulomb's law is, for every node,
 *     v <- max(0, v - mu g dt),   x <- x + dt v,
 * and the simulation must follow these numbers to 1e-10 m and m/s at every step.
 *
 * Energy says v0^2 / (2 mu g). The scheme's way is the right Riemann sum of a speed that falls from
 * v0 to 0, so it stops short by no more than dt v0 / 2 (the triangles under the steps add up to
 * that).
 */
#include "cases.h"

enum { SIDE_NODES = 3, NODES = SIDE_NODES * SIDE_NODES, DIRECTIONS = 12 };
static const double SPEED = 2.0, THICKNESS = 0.002, FOLLOWS = 1e-10;

typedef struct deviation {
    double x, v;     /* worst over all steps, nodes and directions */
    double distance; /* at the end */
    double expected;
} deviation;

static void compare(deviation *d, world *w, stn_id cloth, const vec *start, vec direction, double x,
                    double v)
{
    vec xs[NODES], vs[NODES];
    world_get_positions(w, cloth, xs, NODES);
    world_get_velocities(w, cloth, vs, NODES);
    for (size_t i = 0; i < NODES; i++) {
        const vec way = vec_sub(xs[i], start[i]);
        const double error = vec_distance(way, vec_scale(x, direction));
        d->x = lab_worst(d->x, error);
        d->distance = vec_dot(way, direction);
        d->v = lab_worst(d->v, vec_distance(vs[i], vec_scale(v, direction)));
    }
}

static void throw_sheet(lab *l, double mu, double dt, double angle, deviation *d)
{
    const vec direction = {cos(angle), sin(angle), 0.0};
    vec start[NODES], velocity[NODES];
    lab_fill_sheet(start, SIDE_NODES, 0.5, (vec){0.0, 0.0, THICKNESS}, (vec){1.0, 0.0, 0.0},
                   (vec){0.0, 1.0, 0.0});
    lab_fill_vectors(velocity, NODES, vec_scale(SPEED, direction));
    world w;
    world_open(&w, l, (vec){0.0, 0.0, -LAB_GRAVITY});
    world_add_plane(&w, (vec){0}, turn_none(), mu);
    const world_nodes nodes = {NODES, start, velocity, THICKNESS, mu};
    const stn_id cloth = world_add_nodes(&w, &nodes);

    const int steps = (int)ceil(1.25 * SPEED / (mu * LAB_GRAVITY * dt)) + 2;
    double x = 0.0, v = SPEED;
    for (int i = 0; i < steps; i++) {
        world_step(&w, dt);
        v = fmax(0.0, v - mu * LAB_GRAVITY * dt);
        x += dt * v;
        compare(d, &w, cloth, start, direction, x, v);
    }
    world_close(&w);
    d->expected = x;
}

static void stopping_run(lab *l)
{
    static const double mus[] = {0.1, 0.3, 0.6, 1.0};
    static const int rates[] = {240, 100, 24};
    for (size_t m = 0; m < sizeof mus / sizeof mus[0]; m++) {
        for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
            const double mu = mus[m], dt = 1.0 / rates[r];
            deviation d = {.x = 0.0};
            for (int k = 0; k < DIRECTIONS; k++) {
                throw_sheet(l, mu, dt, 0.1 + SPACE_TURN * k / DIRECTIONS, &d);
            }
            const double energy = SPEED * SPEED / (2.0 * mu * LAB_GRAVITY);
            const double short_by = energy - d.distance;
            lab_add(l, d.distance, d.expected, d.x, FOLLOWS, "mu=%g/dt=1:%d/distance", mu,
                    rates[r]);
            lab_add(l, d.v, 0.0, d.v, FOLLOWS, "mu=%g/dt=1:%d/speed", mu, rates[r]);
            lab_add(l, d.distance, energy, short_by < -FOLLOWS ? INFINITY : short_by,
                    0.5 * SPEED * dt + FOLLOWS, "mu=%g/dt=1:%d/energy", mu, rates[r]);
        }
    }
}

const lab_case validate_stopping = {
    "cloth/stopping", "a sheet thrown along a floor stops where implicit Euler says", stopping_run};
