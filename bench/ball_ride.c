/* SPDX-License-Identifier: Apache-2.0 */
#include "ball_ride.h"

#include "collide/segment.h"
#include "contact/bodies.h"
#include "math/frame.h"
#include "rigid/rigid.h"
#include "rods/super_helix.h"

#include <stdlib.h>

enum { RAILS = 2, ELEMENTS = 6, SAMPLES = 600, UNKNOWNS = 6 };

static const double PI = 3.14159265358979323846;
static const double BALL_RADIUS = 0.04, BALL_DENSITY = 1000.0, SPIN = 300.0;
static const double RAIL_RADIUS = 0.004, GAUGE = 0.05;
static const double LOOP_RADIUS = 0.25, LOOP_SHIFT = 0.048; /* aside, per radian */
static const double RUN_IN = 1.0, RUN_OUT = 1.0, START = 0.2;
static const double MARGIN = 0.02; /* contacts are looked for so far ahead */

typedef struct ball_scene {
    const ball_setup *setup;
    body_input in;
    body_group *rails, *ball;
    double *rail_state, *state, *work;
    double length;                  /* of a rail */
    v3 samples[RAILS][SAMPLES + 1]; /* of the centrelines, evenly */
    double start[RAILS];            /* where the ball is on each at first */
    v3 pushed[RAILS];               /* the last impulses, in space: where the solver begins */
    ball_run run;
} ball_scene;

/* ---- making ---- */

/* A helix of radius a that climbs b per radian along its axis, -y, turns by D = (0, -1, 0) / c per
 * length, c^2 = a^2 + b^2, and leaves its lowest point along (a, -b, 0) / c. */
static status make_rails(ball_scene *scene, error *err)
{
    const double a = LOOP_RADIUS, b = LOOP_SHIFT, c = sqrt(a * a + b * b);
    const double half_turn = PI * c;
    const double line[ELEMENTS] = {RUN_IN, half_turn, half_turn, half_turn, half_turn, RUN_OUT};
    double lengths[RAILS * ELEMENTS], natural[RAILS * ELEMENTS * 3] = {0};
    const rod_material steel = {
        .density = 0.4, .bend = {40.0, 40.0}, .twist = 30.0, .stretch = 1e7, .radius = RAIL_RADIUS};
    const rod_material material[RAILS] = {steel, steel};
    for (int k = 0; k < RAILS * ELEMENTS; k++) {
        const int e = k % ELEMENTS;
        lengths[k] = line[e];
        if (e == 0 || e == ELEMENTS - 1) continue;
        natural[3 * k] = b / (c * c);
        natural[3 * k + 1] = -a / (c * c);
    }
    const rods_source source = {.name = "rails",
                                .rods = RAILS,
                                .elements = ELEMENTS,
                                .lengths = lengths,
                                .natural = natural,
                                .material = material};
    const quat heading = quat_from_axis_angle((v3){0.0, 0.0, 1.0}, -atan2(b, a));
    const pose root[RAILS] = {{{0.0, 0.5 * GAUGE, 0.0}, heading},
                              {{0.0, -0.5 * GAUGE, 0.0}, heading}};
    const status st = super_helix_create(&source, &allocator_system, &scene->rails, err);
    if (st < 0) return st;
    scene->rail_state = calloc(RAILS * scene->rails->state_count, sizeof(double));
    if (!scene->rail_state) return error_out_of_memory(err, "the rails");
    super_helix_place(scene->rails, root, NULL, scene->rail_state);
    scene->length = RUN_IN + 4.0 * half_turn + RUN_OUT;
    return STATUS_OK;
}

static body_place rail_at(const ball_scene *scene, uint32_t rail, double s)
{
    return body_find_place(scene->rails, scene->rail_state, rail, (v3){s, 0.0, 0.0});
}

static void sample_rails(ball_scene *scene)
{
    for (uint32_t rail = 0; rail < RAILS; rail++) {
        for (int i = 0; i <= SAMPLES; i++) {
            scene->samples[rail][i] = rail_at(scene, rail, i * scene->length / SAMPLES).position;
        }
    }
}

/* The arc length of the nearest point of a rail: that of the nearest piece of the samples, which
 * the foot of the perpendicular to the curve then replaces. */
static double nearest_on_rail(const ball_scene *scene, uint32_t rail, v3 x)
{
    const double piece = scene->length / SAMPLES;
    double best = INFINITY, s = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        const v3 p0 = scene->samples[rail][i], p1 = scene->samples[rail][i + 1];
        const double share = segment_nearest_share(p0, p1, x);
        const double distance = v3_norm(v3_sub(x, v3_lerp(p0, p1, share)));
        if (distance < best) best = distance, s = (i + share) * piece;
    }
    for (int k = 0; k < 10; k++) { /* each takes away all but distance / LOOP_RADIUS, a sixth */
        const body_place at = rail_at(scene, rail, s);
        const v3 tangent = quat_rotate(at.rotation, (v3){1.0, 0.0, 0.0});
        s = fmin(fmax(s + v3_dot(v3_sub(x, at.position), tangent), 0.0), scene->length);
    }
    return s;
}

/* On both rails, spinning about the axis across them. */
static status make_ball(ball_scene *scene, error *err)
{
    const rigid_shape shape = {.kind = RIGID_SPHERE, .radius = BALL_RADIUS};
    const rigid_body body = rigid_body_from_density(&shape, BALL_DENSITY, 0.0);
    const rigid_source source = {.name = "ball", .bodies = 1, .body = &body};
    const body_place left = rail_at(scene, 0, START), right = rail_at(scene, 1, START);
    const v3 up = {0.0, 0.0, 1.0}, along = quat_rotate(left.rotation, (v3){1.0, 0.0, 0.0});
    const v3 way = v3_sub(left.position, right.position);
    const double aside = 0.5 * v3_norm(v3_add_scaled(way, -v3_dot(way, along), along));
    const double reach = BALL_RADIUS + RAIL_RADIUS, height = sqrt(reach * reach - aside * aside);
    const v3 middle = v3_scale(0.5, v3_add(left.position, right.position));
    const pose at = {v3_add_scaled(middle, height, up), quat_identity()};
    const v3 omega = v3_scale(SPIN, v3_cross(up, along));
    const double v[UNKNOWNS] = {0.0, 0.0, 0.0, omega.x, omega.y, omega.z};
    for (uint32_t rail = 0; rail < RAILS; rail++) {
        scene->start[rail] = nearest_on_rail(scene, rail, at.position);
    }
    scene->run.end = scene->length - START;
    scene->run.grip = reach / height;
    const status st = rigid_create(&source, &allocator_system, &scene->ball, err);
    if (st < 0) return st;
    scene->state = calloc(scene->ball->state_count, sizeof(double));
    scene->work = calloc(scene->ball->work_count, sizeof(double));
    if (!scene->state || !scene->work) return error_out_of_memory(err, "the ball");
    return rigid_place(scene->ball, "ball", &at, v, scene->state, err);
}

/* ---- touching ---- */

typedef struct touch {
    uint32_t rail;
    double s, gap;
    m3 frame; /* its normal points from the rail to the ball */
    double H[3 * UNKNOWNS];
} touch;

static bool find_touch(const ball_scene *scene, uint32_t rail, touch *t)
{
    const pose ball = rigid_pose(scene->ball, scene->state, 0);
    const double s = nearest_on_rail(scene, rail, ball.position);
    const v3 way = v3_sub(ball.position, rail_at(scene, rail, s).position);
    const double distance = v3_norm(way), gap = distance - BALL_RADIUS - RAIL_RADIUS;
    if (gap > MARGIN) return false;
    *t = (touch){.rail = rail, .s = s, .gap = gap};
    t->frame = frame_from_normal(v3_scale(1.0 / distance, way));
    const v3 surface = v3_scale(-BALL_RADIUS, t->frame.row[0]);
    double linear[3 * UNKNOWNS];
    v3 unused;
    body_jacobian(scene->ball, scene->work, 0, quat_rotate(quat_conjugate(ball.rotation), surface),
                  linear, NULL, &unused, &unused);
    for (int k = 0; k < UNKNOWNS; k++) {
        const v3 column = {linear[k], linear[UNKNOWNS + k], linear[2 * UNKNOWNS + k]};
        const v3 local = m3_mul_v3(&t->frame, column);
        t->H[k] = local.x, t->H[UNKNOWNS + k] = local.y, t->H[2 * UNKNOWNS + k] = local.z;
    }
    return true;
}

/* ---- a step ---- */

static void note_solution(ball_scene *scene, const touch *touches, uint32_t count, const double *r,
                          const solver_report *report)
{
    ball_run *run = &scene->run;
    run->solved++;
    run->missed += !report->converged;
    run->residual = fmax(run->residual, report->residual);
    run->iterations += report->iterations;
    if (report->iterations > run->most) run->most = report->iterations;
    run->above += report->iterations >= 5;
    scene->pushed[0] = scene->pushed[1] = (v3){0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        scene->pushed[touches[i].rail] = m3_tmul_v3(&touches[i].frame, v3_load(r + 3 * i));
        run->deepest = fmax(run->deepest, -touches[i].gap);
        const double way = touches[i].s - scene->start[touches[i].rail];
        if (r[3 * i] > 0.0) run->furthest = fmax(run->furthest, way);
    }
}

/* r: where to begin in, the impulses out. */
static status solve_impulses(const ball_scene *scene, const bodies_problem *p, double *r,
                             solver_report *report, error *err)
{
    contact_problem with_W;
    status st = bodies_make_explicit(p, &allocator_system, &with_W, err);
    if (st < 0) return st;
    const solver_options options = {.tolerance = scene->setup->tolerance / with_W.scale,
                                    .max_iterations = 100,
                                    .local = &local_table[0]};
    st = scene->setup->solver->solve(&with_W, &allocator_system, &options, r, report, err);
    contact_problem_destroy(&with_W, &allocator_system);
    return st;
}

/* v: the ball's velocity with the impulses. */
static status solve_step(const ball_scene *scene, const bodies_source *source, double *r, double *v,
                         solver_report *report, error *err)
{
    _Alignas(MEMORY_ALIGNMENT) double w[2 * BODIES_GROUP]; /* of six unknowns, in whole groups */
    bodies_problem p;
    status st = bodies_problem_create(&p, &allocator_system, source, err);
    if (st < 0) return st;
    st = solve_impulses(scene, &p, r, report, err);
    bodies_state(&p, r, w);
    bodies_body_velocity(&p, &source->body[0], 0, w, v);
    bodies_problem_destroy(&p);
    return st;
}

static status meet_rails(ball_scene *scene, double *v, error *err)
{
    const bodies_body body = {.shape = scene->ball->shape,
                              .factors = body_factors(scene->ball, scene->work, 0),
                              .v_free = body_v_free(scene->ball, scene->work, 0)};
    touch touches[RAILS];
    bodies_contact contacts[RAILS];
    double r[3 * RAILS];
    uint32_t count = 0;
    for (uint32_t rail = 0; rail < RAILS; rail++) {
        touch *t = &touches[count];
        if (!find_touch(scene, rail, t)) continue;
        contacts[count] = (bodies_contact){.side = {{0, t->H}, {BODIES_NONE, NULL}},
                                           .u_0 = {t->gap / scene->in.h, 0.0, 0.0},
                                           .mu = scene->setup->mu};
        v3_store(r + 3 * count++, m3_mul_v3(&t->frame, scene->pushed[rail]));
    }
    for (int k = 0; k < UNKNOWNS; k++) v[k] = body.v_free[k];
    if (count == 0) return STATUS_OK;
    const bodies_source source = {
        .bodies = 1, .contacts = count, .body = &body, .contact = contacts};
    solver_report report = {0};
    const status st = solve_step(scene, &source, r, v, &report, err);
    note_solution(scene, touches, count, r, &report);
    return st;
}

static double whole_energy(const ball_scene *scene)
{
    const body_energy e = body_get_energy(scene->ball, &scene->in, scene->state, 0);
    return e.kinetic + e.gravity;
}

static status step(ball_scene *scene, error *err)
{
    double v[UNKNOWNS];
    body_predict(scene->ball, &scene->in, scene->state, scene->work, 0, 1);
    const status st = meet_rails(scene, v, err);
    if (st < 0) return st;
    body_correct(scene->ball, &scene->in, scene->state, scene->work, v, scene->state, 0, 1);
    scene->run.fastest = fmax(scene->run.fastest, v3_norm(v3_load(v)));
    return STATUS_OK;
}

static status make(ball_scene *scene, error *err)
{
    const status st = make_rails(scene, err);
    if (st < 0) return st;
    sample_rails(scene);
    return make_ball(scene, err);
}

static status watch(ball_scene *scene, error *err)
{
    const double energy = whole_energy(scene);
    const int steps = (int)(scene->setup->seconds / scene->setup->h + 0.5);
    for (int k = 0; k < steps; k++) {
        const status st = step(scene, err);
        if (st < 0) return st;
        scene->run.energy_gain = fmax(scene->run.energy_gain, whole_energy(scene) - energy);
        if (rigid_pose(scene->ball, scene->state, 0).position.z < -LOOP_RADIUS) break; /* it fell */
    }
    return STATUS_OK;
}

status ball_ride_run(const ball_setup *setup, ball_run *run, error *err)
{
    ball_scene scene = {.setup = setup, .in = {.h = setup->h, .gravity = {0.0, 0.0, -9.81}}};
    status st = make(&scene, err);
    if (st >= 0) st = watch(&scene, err);
    body_group_destroy(scene.rails);
    body_group_destroy(scene.ball);
    free(scene.rail_state);
    free(scene.state);
    free(scene.work);
    *run = scene.run;
    return st;
}
