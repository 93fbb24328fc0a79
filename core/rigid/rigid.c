/* SPDX-License-Identifier: Apache-2.0 */
#include "rigid/rigid.h"

#include "math/so3.h"
#include "rigid/check.h"
#include "rigid/top.h"

#include <string.h>

enum { UNKNOWNS = 6, POSE = sizeof(pose) / sizeof(double), TURN = sizeof(quat) / sizeof(double) };

typedef struct rigid {
    body_group base;
    const allocator *from;
    size_t size; /* of this block: the array follows the struct */
    rigid_body *body;
} rigid;

static const rigid_body *body_of(const body_group *g, size_t body)
{
    return &((const rigid *)g)->body[body];
}

/* A state is q, v and the pose; a work is the factors, v_free and the rotation at t. */

static pose *pose_in(const body_group *g, const double *state, size_t body)
{
    return (pose *)((double *)state + body * g->state_count + 2 * (size_t)UNKNOWNS);
}

static quat *turn_in(const body_group *g, const double *work, size_t body)
{
    return (quat *)(body_v_free(g, work, body) + UNKNOWNS);
}

pose rigid_pose(const body_group *g, const double *state, size_t body)
{
    return *pose_in(g, state, body);
}

/* ---- a step ---- */

typedef struct wrench {
    v3 force, moment; /* about the centre of mass */
} wrench;

/* Weight, field and loads. */
static wrench find_forces(const body_group *g, const body_input *in, const double *state,
                          size_t body)
{
    const pose *at = pose_in(g, state, body);
    v3 pull = in->gravity;
    if (in->field) pull = v3_add(pull, v3_load(in->field + 3 * body));
    wrench sum = {v3_scale(body_of(g, body)->mass, pull), {0.0, 0.0, 0.0}};
    for (size_t i = body_first_load(in, body); i < in->load_count && in->loads[i].body == body;
         i++) {
        const body_load *load = &in->loads[i];
        const v3 arm = quat_rotate(at->rotation, load->at);
        sum.force = v3_add(sum.force, load->force);
        sum.moment = v3_add(sum.moment, v3_add(v3_cross(arm, load->force), load->moment));
    }
    return sum;
}

static sym3 sym3_in_space(const sym3 *A, quat rotation)
{
    const m3 R = quat_to_m3(rotation);
    return sym3_rotate(A, &R);
}

/* A = diag(m + h c, J + h C): two blocks of the dense square, below its diagonal. */
static void fill_inertia(const rigid_body *b, const sym3 *J, const sym3 *C, double h, double *A)
{
    memset(A, 0, UNKNOWNS * UNKNOWNS * sizeof *A);
    for (size_t i = 0; i < 3; i++) A[i * UNKNOWNS + i] = b->mass + h * b->drag;
    double *row = A + 3 * UNKNOWNS + 3;
    row[0] = J->xx + h * C->xx;
    row += UNKNOWNS;
    row[0] = J->xy + h * C->xy, row[1] = J->yy + h * C->yy;
    row += UNKNOWNS;
    row[0] = J->xz + h * C->xz, row[1] = J->yz + h * C->yz, row[2] = J->zz + h * C->zz;
}

static void predict_one(const body_group *g, const body_input *in, const double *state,
                        double *work, size_t body)
{
    const rigid_body *b = body_of(g, body);
    const double *v = body_v(g, (double *)state, body);
    const pose *at = pose_in(g, state, body);
    const sym3 J = sym3_in_space(&b->inertia, at->rotation);
    const sym3 C = sym3_in_space(&b->turn_drag, at->rotation);
    wrench sum = find_forces(g, in, state, body);
    if (in->air) sum.force = v3_add_scaled(sum.force, b->drag, v3_load(in->air + 3 * body));

    double *A = (double *)body_factors(g, work, body), *v_free = A + ldl_count(&g->shape);
    const v3 omega = rigid_top_step(&J, v3_load(v + 3), in->h);
    v3_store(v_free, v3_add_scaled(v3_scale(b->mass, v3_load(v)), in->h, sum.force));
    v3_store(v_free + 3, v3_add_scaled(sym3_mul_v3(&J, omega), in->h, sum.moment));
    fill_inertia(b, &J, &C, in->h, A);
    if (ldl_factor(&g->shape, A, NULL)) {
        ldl_solve(&g->shape, A, v_free);
    } else {
        for (size_t i = 0; i < UNKNOWNS; i++) v_free[i] = NAN;
    }
    *turn_in(g, work, body) = at->rotation;
}

static void predict(const body_group *g, const body_input *in, const double *state, double *work,
                    size_t begin, size_t end)
{
    for (size_t body = begin; body < end; body++) predict_one(g, in, state, work, body);
}

static void correct(const body_group *g, const body_input *in, const double *state,
                    const double *work, const double *v, double *next, size_t begin, size_t end)
{
    (void)work;
    for (size_t body = begin; body < end; body++) {
        const double *move = v + UNKNOWNS * body;
        const pose now = *pose_in(g, state, body); /* next may be the state itself */
        const quat turn = so3_exp(v3_scale(in->h, v3_load(move + 3)));
        memset(body_q(g, next, body), 0, UNKNOWNS * sizeof(double));
        memcpy(body_v(g, next, body), move, UNKNOWNS * sizeof(double));
        *pose_in(g, next, body) = (pose){v3_add_scaled(now.position, in->h, v3_load(move)),
                                         quat_normalize(quat_mul(turn, now.rotation))};
    }
}

/* ---- looking ---- */

static body_place place(const body_group *g, const double *state, uint32_t body, v3 X)
{
    const pose *at = pose_in(g, state, body);
    return (body_place){pose_apply(at, X), at->rotation};
}

/* [I, -[x]x] and [0, I], with x = R X. */
static void jacobian(const body_group *g, const double *work, uint32_t body, v3 X, double *linear,
                     double *angular, v3 *v_0, v3 *omega_0)
{
    const v3 x = quat_rotate(*turn_in(g, work, body), X);
    const double rows[3 * UNKNOWNS] = {1.0, 0.0, 0.0, 0.0,  x.z,  -x.y, /* */
                                       0.0, 1.0, 0.0, -x.z, 0.0,  x.x,  /* */
                                       0.0, 0.0, 1.0, x.y,  -x.x, 0.0};
    memcpy(linear, rows, sizeof rows);
    if (angular) {
        memset(angular, 0, sizeof rows);
        for (size_t i = 0; i < 3; i++) angular[i * UNKNOWNS + 3 + i] = 1.0;
    }
    *v_0 = *omega_0 = (v3){0.0, 0.0, 0.0};
}

static body_energy energy(const body_group *g, const body_input *in, const double *state,
                          uint32_t body)
{
    const rigid_body *b = body_of(g, body);
    const double *at = body_v(g, (double *)state, body);
    const v3 v = v3_load(at), omega = v3_load(at + 3);
    const pose *now = pose_in(g, state, body);
    const sym3 J = sym3_in_space(&b->inertia, now->rotation);
    v3 pull = in->gravity;
    if (in->field) pull = v3_add(pull, v3_load(in->field + 3 * (size_t)body));
    return (body_energy){
        .kinetic = 0.5 * (b->mass * v3_dot(v, v) + v3_dot(omega, sym3_mul_v3(&J, omega))),
        .gravity = -b->mass * v3_dot(pull, now->position),
    };
}

static void gradient(const body_group *g, const body_input *in, const double *state, uint32_t body,
                     double *out)
{
    const wrench sum = find_forces(g, in, state, body);
    v3_store(out, v3_neg(sum.force));
    v3_store(out + 3, v3_neg(sum.moment));
}

static void destroy(body_group *g)
{
    rigid *r = (rigid *)g;
    memory_free(r->from, r, r->size);
}

static const body_group_ops rigid_ops = {
    .name = "rigid",
    .doc = "rigid bodies",
    .predict = predict,
    .correct = correct,
    .place = place,
    .jacobian = jacobian,
    .energy = energy,
    .gradient = gradient,
    .destroy = destroy,
};

/* ---- making ---- */

static rigid_body make_body(const rigid_shape *shape, double mass, double density, double skin_drag)
{
    const v3 solid = v3_scale(density, rigid_find_solid(shape).inertia);
    const rigid_moments surface = rigid_find_surface(shape);
    const v3 skin = v3_scale(skin_drag, surface.inertia);
    return (rigid_body){.mass = mass,
                        .inertia = {.xx = solid.x, .yy = solid.y, .zz = solid.z},
                        .drag = skin_drag * surface.total,
                        .turn_drag = {.xx = skin.x, .yy = skin.y, .zz = skin.z}};
}

rigid_body rigid_body_from_mass(const rigid_shape *shape, double mass, double skin_drag)
{
    return make_body(shape, mass, mass / rigid_find_solid(shape).total, skin_drag);
}

rigid_body rigid_body_from_density(const rigid_shape *shape, double density, double skin_drag)
{
    return make_body(shape, density * rigid_find_solid(shape).total, density, skin_drag);
}

status rigid_create(const rigid_source *source, const allocator *from, body_group **out, error *err)
{
    const status st = rigid_check_source(source, err);
    if (st < 0) return st;
    const size_t size = sizeof(rigid) + source->bodies * sizeof(rigid_body);
    rigid *r = memory_alloc(from, size);
    if (!r) return error_out_of_memory(err, "rigid bodies");
    *r = (rigid){.base = {.ops = &rigid_ops,
                          .count = source->bodies,
                          .unknowns = UNKNOWNS,
                          .stations = 1,
                          .shape = ldl_dense(UNKNOWNS),
                          .state_count = 2 * UNKNOWNS + POSE,
                          .work_count = UNKNOWNS * UNKNOWNS + UNKNOWNS + TURN},
                 .from = from,
                 .size = size,
                 .body = (rigid_body *)(r + 1)};
    memcpy(r->body, source->body, source->bodies * sizeof(rigid_body));
    *out = &r->base;
    return STATUS_OK;
}

status rigid_place(const body_group *g, const char *name, const pose *at, const double *v,
                   double *state, error *err)
{
    for (size_t body = 0; body < g->count; body++) {
        const double *motion = v ? v + UNKNOWNS * body : NULL;
        const status st = rigid_check_pose(name, body, &at[body], motion, err);
        if (st < 0) return st;
    }
    memset(state, 0, g->count * g->state_count * sizeof(double));
    for (size_t body = 0; body < g->count; body++) {
        *pose_in(g, state, body) = (pose){at[body].position, quat_normalize(at[body].rotation)};
        if (v) {
            memcpy(body_v(g, state, body), v + UNKNOWNS * body, UNKNOWNS * sizeof(double));
        }
    }
    return STATUS_OK;
}
