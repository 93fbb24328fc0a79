/* SPDX-License-Identifier: Apache-2.0
 *
 * One node in several contacts at once.
 *
 * Groove: two planes at 45 degrees. Each presses with g / sqrt(2), so a node thrown along the
 * groove stops like v <- max(0, v - sqrt(2) mu g dt).
 * Wall: thrown across a floor against a wall, a node comes to rest, and no nearer than its
 * thickness.
 * Corner: three planes at right angles, their corner straight below. With mu < 1/2 nothing holds a
 * node anywhere else, and it ends at thickness (n1 + n2 + n3).
 *
 * With several contacts the solver stops at its tolerance, a velocity; it is set to 1e-12 m/s here.
 * The normals are orthogonal, so errors of the contacts add up without amplification: a step's
 * velocity is wrong by no more than the number of contacts times it.
 */
#include "cases.h"

static const double THICKNESS = 0.01, TOLERANCE = 1e-12, DT = 0.005;
static const vec Z = {0.0, 0.0, 1.0};

static void corner_open(world *w, lab *l)
{
    world_open(w, l, (vec){0.0, 0.0, -LAB_GRAVITY});
    world_set_parameter(w, STN_SCENE_ID, "tolerance", TOLERANCE);
    l->tolerance = TOLERANCE;
}

/* A plane whose normal is the unit vector n. */
static void add_plane(world *w, vec point, vec n, double mu)
{
    const double angle = acos(fmax(-1.0, fmin(1.0, n.z))), sine = sin(angle);
    const vec axis = sine > 0.0 ? vec_scale(1.0 / sine, vec_cross(Z, n)) : (vec){1.0, 0.0, 0.0};
    world_add_plane(w, point, turn_about(axis, angle), mu);
}

static stn_id add_node(world *w, vec x, vec v, double mu)
{
    const world_nodes nodes = {1, &x, &v, THICKNESS, mu};
    return world_add_nodes(w, &nodes);
}

static void check_groove(lab *l, double mu)
{
    const double half = sqrt(0.5), speed = 2.0;
    world w;
    corner_open(&w, l);
    add_plane(&w, (vec){0}, (vec){0.0, half, half}, mu);
    add_plane(&w, (vec){0}, (vec){0.0, -half, half}, mu);
    const vec start = {0.0, 0.0, THICKNESS / half};
    const stn_id node = add_node(&w, start, (vec){speed, 0.0, 0.0}, mu);
    const double brake = sqrt(2.0) * mu * LAB_GRAVITY * DT;
    const int steps = (int)ceil(1.2 * speed / brake) + 2;
    double x = 0.0, v = speed, worst_x = 0.0, worst_v = 0.0;
    vec at = start, velocity;
    for (int i = 0; i < steps; i++) {
        world_step(&w, DT);
        world_get_positions(&w, node, &at, 1);
        world_get_velocities(&w, node, &velocity, 1);
        v = fmax(0.0, v - brake);
        x += DT * v;
        worst_x = lab_worst(worst_x, vec_distance(at, vec_add(start, (vec){x, 0.0, 0.0})));
        worst_v = lab_worst(worst_v, vec_distance(velocity, (vec){v, 0.0, 0.0}));
    }
    world_close(&w);
    const double bound = steps * (2.0 * TOLERANCE + lab_rounding(speed));
    lab_add(l, at.x, x, worst_x, bound * steps * DT, "groove/mu=%g/distance", mu);
    lab_add(l, worst_v, 0.0, worst_v, bound, "groove/mu=%g/speed", mu);
}

static void check_wall(lab *l, double mu, vec velocity)
{
    world w;
    corner_open(&w, l);
    add_plane(&w, (vec){0}, Z, mu);
    add_plane(&w, (vec){0.5, 0.0, 0.0}, (vec){-1.0, 0.0, 0.0}, mu);
    const stn_id node = add_node(&w, (vec){0.0, 0.0, THICKNESS}, velocity, mu);
    const int steps = (int)ceil(1.2 * vec_norm(velocity) / (mu * LAB_GRAVITY * DT)) + 2;
    double nearest = 1.0;
    vec at, v;
    for (int i = 0; i < steps; i++) {
        world_step(&w, DT);
        world_get_positions(&w, node, &at, 1);
        nearest = -lab_worst(-nearest, -fmin(at.z, 0.5 - at.x));
    }
    world_get_velocities(&w, node, &v, 1);
    world_close(&w);
    const double too_near = fmax(0.0, THICKNESS - nearest), reach = 1.0 + vec_norm(at);
    lab_add(l, vec_norm(v), 0.0, vec_norm(v), 2.0 * TOLERANCE + lab_rounding(reach) / DT,
            "wall/mu=%g/vx=%g/vy=%g/rests", mu, velocity.x, velocity.y);
    lab_add(l, nearest, THICKNESS, too_near, 2.0 * TOLERANCE * DT + lab_rounding(reach),
            "wall/mu=%g/vx=%g/vy=%g/distance", mu, velocity.x, velocity.y);
}

static void check_corner(lab *l, double mu, vec start, vec velocity)
{
    const double lean = acos(sqrt(1.0 / 3.0));
    vec normals[3], rest = {0};
    world w;
    corner_open(&w, l);
    for (int i = 0; i < 3; i++) {
        const double azimuth = 0.3 + SPACE_TURN * i / 3.0;
        normals[i] = (vec){sin(lean) * cos(azimuth), sin(lean) * sin(azimuth), cos(lean)};
        rest = vec_add(rest, vec_scale(THICKNESS, normals[i]));
        add_plane(&w, (vec){0}, normals[i], mu);
    }
    const stn_id node = add_node(&w, start, velocity, mu);
    for (int i = 0; i < 1000; i++) world_step(&w, DT);
    vec at, v;
    world_get_positions(&w, node, &at, 1);
    world_get_velocities(&w, node, &v, 1);
    world_close(&w);
    const double rounding = lab_rounding(1.0);
    lab_add(l, vec_norm(v), 0.0, vec_norm(v), 3.0 * TOLERANCE + rounding / DT,
            "corner/mu=%g/vx=%g/rests", mu, velocity.x);
    lab_add(l, vec_distance(at, rest), 0.0, vec_distance(at, rest), 3.0 * TOLERANCE * DT + rounding,
            "corner/mu=%g/vx=%g/place", mu, velocity.x);
}

static void corner_run(lab *l)
{
    static const double mus[] = {0.1, 0.3, 0.6};
    for (size_t i = 0; i < sizeof mus / sizeof mus[0]; i++) {
        check_groove(l, mus[i]);
        check_wall(l, mus[i], (vec){4.0, 0.0, 0.0});
        check_wall(l, mus[i], (vec){4.0, 1.5, 0.0});
    }
    static const double low_mus[] = {0.0, 0.1, 0.3};
    for (size_t i = 0; i < sizeof low_mus / sizeof low_mus[0]; i++) {
        check_corner(l, low_mus[i], (vec){0.1, 0.05, 0.6}, (vec){0.0, 0.0, 0.0});
        check_corner(l, low_mus[i], (vec){0.0, 0.1, 0.5}, (vec){1.0, -2.0, -5.0});
    }
}

const lab_case validate_corner = {
    "cloth/corner", "a node in two or three contacts at once obeys the law in each", corner_run};
