/* SPDX-License-Identifier: Apache-2.0
 *
 * The step of a tree of helices by the articulated bodies of Featherstone.
 *
 * Of element e let t be the motion of its beginning, k its curvature rates, M the three motions
 * (turn, lift) that they give to all beyond its end. What lies beyond has the articulated inertia I
 * and the wrench p there; both are moved to the beginning. Then
 *
 *     (K + M^T I M) k + Z^T t = f + M^T p         K, f the element's own: inertia, stiffness
 *     Z = C + I M                                 C its momentum per rate
 *
 * are its equations, and with k eliminated, its own rigid inertia I_0 and wrench p_0, it adds
 *
 *     I + I_0 - Z (K + M^T I M)^-1 Z^T   and   p + p_0 - Z (K + M^T I M)^-1 (f + M^T p)
 *
 * to the station where it begins. From root to tips t gives k, and the motion of the end,
 *
 *     t + M k,   moved there.
 *
 * That is A = L D L^T with the unknowns taken from tips to root; as
 * A is positive definite, no pivot needs to be looked for.
 */
#define REAL_LANES 1
#include "rods/helix_tree_parts.h"
#include "rods/super_helix_point.h"

static real33 frame_of(quat q)
{
    const m3 m = quat_to_m3(q);
    const v3 *r = m.row;
    return (real33){{{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}}};
}

static void find_branch(const helix_tree *t, const reduced_rod_state *s, size_t e,
                        const helix_tree_work *w)
{
    const helix_station *from = &w->stations[t->begin[e]];
    helix_branch *b = &w->branches[e];
    const real33 offset = frame_of(t->offset[e]);
    const double length = t->lengths[e];
    helix_station to = {.R = real33_mul(&from->R, &offset), .then = from->then};
    b->end = (real3){0.0, 0.0, 0.0};
    b->joint = helix_pass_element(real3_gather(s->q + t->first + 3 * e, 1), length, &to.R, &b->end);
    to.r = real3_add(from->r, b->end);
    to.then.R = real33_mul(&from->then.R, &offset);
    b->memory = helix_recall_element(real3_gather(s->last + 3 * e, 1),
                                     real3_gather(s->v + t->first + 3 * e, 1), length, &b->joint.R,
                                     &to.then);
    w->stations[e + 1] = to;
}

void helix_tree_find_frames(const helix_tree *t, const double *state, const helix_tree_work *w)
{
    const reduced_rod_state s = helix_tree_view(t, state);
    w->stations[0] = (helix_station){
        .R = frame_of(s.root->rotation),
        .then = {frame_of(s.last_root->rotation), real3_gather(s.root_motion, 1),
                 real3_gather(s.root_motion + 3, 1)},
    };
    for (size_t e = 0; e < t->elements; e++) find_branch(t, &s, e, w);
}

void helix_tree_take_loads(const helix_tree *t, const body_input *in, const helix_tree_work *w)
{
    for (size_t e = 0; e < t->elements; e++) {
        w->branches[e].load = (wrench){0};
        for (size_t c = 0; c < 3; c++) w->branches[e].pull[c] = 0.0;
    }
    for (size_t i = 0; i < in->load_count; i++) {
        double s = in->loads[i].at.x;
        helix_branch *b = &w->branches[helix_tree_find_element(t, &s)];
        b->load = helix_pull(&b->joint, s, &in->loads[i], b->load, b->pull);
    }
}

/* A step on its way. */
typedef struct tree_step {
    const helix_tree *t;
    const body_input *in;
    reduced_rod_state s;
    helix_tree_work w;
} tree_step;

static helix_integrals integrate(const tree_step *step, const helix_matter *m, size_t e)
{
    const helix_branch *b = &step->w.branches[e];
    const helix_ends force = helix_tree_forces(step->t, step->in, m, e);
    const helix_momentum wanted = {
        .constant = real3_add_scaled(real33_tmul_real3(&b->joint.R, force.begin), m->density,
                                     b->memory.velocity),
        .linear = real33_tmul_real3(&b->joint.R, real3_sub(force.end, force.begin)),
        .density = m->density,
        .memory = &b->memory,
    };
    return helix_integrate(b->joint.kappa, step->t->lengths[e], &wanted);
}

/* What the loads on element e give to its curvatures and to the wrench. */
static wrench pull_by_loads(const tree_step *step, size_t e, wrench p)
{
    const double h = step->in->h;
    helix_branch *b = &step->w.branches[e];
    for (size_t c = 0; c < 3; c++) b->b[c] += h * b->pull[c];
    return wrench_add_scaled(p, h, b->load);
}

/* K + M^T I M, f + M^T p and Z, for what is beyond the end with I and p about the beginning. */
static void fill_equations(const tree_step *step, size_t e, const helix_matter *m,
                           const helix_integrals *own, const spatial_inertia *I, wrench p)
{
    const helix_tree *t = step->t;
    helix_branch *b = &step->w.branches[e];
    const real DD[3][3] = {
        {own->DD.xx}, {own->DD.xy, own->DD.yy}, {own->DD.xz, own->DD.yz, own->DD.zz}};
    const real DF[3] = {own->DF.x, own->DF.y, own->DF.z};
    const double *q = step->s.q + t->first, *rate = step->s.v + t->first;
    for (size_t c = 0; c < 3; c++) {
        const size_t i = 3 * e + c;
        const twist M = helix_motion_of(&b->joint, c);
        const wrench IM = spatial_multiply(I, M);
        for (size_t j = 0; j <= c; j++) {
            b->LD[3 * c + j] =
                m->inertia * DD[c][j] + wrench_power(IM, helix_motion_of(&b->joint, j));
        }
        b->b[c] = DF[c] + wrench_power(p, M);
        helix_add_elastic(m, c, step->in->h, t->lengths[e], 1.0, q[i] - t->natural[i], rate[i],
                          &b->LD[4 * c], &b->b[c]);
        const wrench C = {real33_mul_real3(&b->joint.R, own->D.column[c]),
                          real33_mul_real3(&b->joint.R, own->xD.column[c])};
        b->Z[c] = wrench_add_scaled(IM, m->inertia, C);
    }
}

/* Replaces the matrix by its factors, b by L^-1 b, Z by L^-1 Z. */
static bool factor(helix_branch *b)
{
    const ldl_shape three = ldl_dense(3);
    if (!ldl_factor(&three, b->LD, NULL)) return false;
    const double *L = b->LD;
    ldl_forward(&three, L, b->b);
    b->Z[1] = wrench_add_scaled(b->Z[1], -L[3], b->Z[0]);
    b->Z[2] = wrench_add_scaled(wrench_add_scaled(b->Z[2], -L[6], b->Z[0]), -L[7], b->Z[1]);
    return true;
}

/* I += I_0, p += p_0 */
static void add_rigid(const helix_matter *m, const helix_joint *joint, const helix_integrals *own,
                      spatial_inertia *I, wrench *p)
{
    helix_beyond all = {0};
    helix_add_element(&all, joint, own);
    const real_sym3 *rr = &all.rr;
    const real3 r = real3_scale(m->inertia, all.r);
    const real mass = m->inertia * all.length;
    const spatial_inertia own_I = {
        .turn = {m->inertia * (rr->yy + rr->zz), -m->inertia * rr->xy, -m->inertia * rr->xz,
                 m->inertia * (rr->xx + rr->zz), -m->inertia * rr->yz,
                 m->inertia * (rr->xx + rr->yy)},
        .mixed = {{{0.0, r.z, -r.y}, {-r.z, 0.0, r.x}, {r.y, -r.x, 0.0}}},
        .lift = {mass, 0.0, 0.0, mass, 0.0, mass},
    };
    spatial_add(I, &own_I);
    *p = wrench_add_scaled(*p, 1.0, (wrench){all.F, all.rF});
}

/* Element e from its end to its beginning. False if a pivot is not positive. */
static bool eliminate(const tree_step *step, size_t e)
{
    helix_branch *b = &step->w.branches[e];
    const helix_station *end = &step->w.stations[e + 1];
    helix_station *begin = &step->w.stations[step->t->begin[e]];
    const helix_matter m = helix_gather_matter(&step->t->material[e], step->in->h);
    const helix_integrals own = integrate(step, &m, e);
    spatial_inertia I = spatial_move(&end->inertia, b->end);
    wrench p = wrench_move(end->force, b->end);
    fill_equations(step, e, &m, &own, &I, p);
    p = pull_by_loads(step, e, p);
    if (!factor(b)) return false;
    add_rigid(&m, &b->joint, &own, &I, &p);
    for (size_t c = 0; c < 3; c++) {
        const double d = b->LD[4 * c];
        spatial_add_square(&I, -1.0 / d, b->Z[c]);
        p = wrench_add_scaled(p, -b->b[c] / d, b->Z[c]);
    }
    spatial_add(&begin->inertia, &I);
    begin->force = wrench_add_scaled(begin->force, 1.0, p);
    return true;
}

/* The section's inertia against turns of a free root, as a super-helix has it. */
static double root_section(const helix_tree *t)
{
    double sum = 0.0;
    for (size_t e = 0; e < t->elements; e++) {
        const rod_material *m = &t->material[e];
        sum += 0.5 * m->density * (m->radius * m->radius) * t->lengths[e];
    }
    return sum;
}

/* inertia v = force for the velocities of a free root, linear then angular. */
static bool solve_root(const helix_tree *t, const helix_station *root, const double *last,
                       double *v)
{
    const ldl_shape six = ldl_dense(6);
    const real_sym3 *u = &root->inertia.lift, *w = &root->inertia.turn;
    const real3 *mixed = root->inertia.mixed.column, f = root->force.force;
    const real3 moment = root->force.moment;
    const double section = root_section(t);
    double A[36] = {
        u->xx,           0.0, 0.0,        0.0,        0.0,        0.0,        u->xy,
        u->yy,           0.0, 0.0,        0.0,        0.0,        u->xz,      u->yz,
        u->zz,           0.0, 0.0,        0.0,        mixed[0].x, mixed[1].x, mixed[2].x,
        w->xx + section, 0.0, 0.0,        mixed[0].y, mixed[1].y, mixed[2].y, w->xy,
        w->yy + section, 0.0, mixed[0].z, mixed[1].z, mixed[2].z, w->xz,      w->yz,
        w->zz + section,
    };
    v[0] = f.x, v[1] = f.y, v[2] = f.z;
    v[3] = moment.x, v[4] = moment.y, v[5] = moment.z;
    for (size_t i = 3; i < 6; i++) v[i] += section * last[i];
    if (!ldl_factor(&six, A, NULL)) return false;
    ldl_solve(&six, A, v);
    return true;
}

/* The motion of the root: its own, or the clamp's. */
static bool move_root(const tree_step *step)
{
    helix_station *root = &step->w.stations[0];
    double *v = step->w.v_free;
    if (step->t->first == 0) {
        const reduced_rod_root clamp = helix_tree_move_root(step->t, step->in, step->s.root);
        root->motion = (twist){real3_gather(&clamp.spin.x, 1), real3_gather(&clamp.velocity.x, 1)};
        return true;
    }
    if (!solve_root(step->t, root, step->s.v, v)) return false;
    root->motion = (twist){real3_gather(v + 3, 1), real3_gather(v, 1)};
    return true;
}

/* The rates of element e from the motion of its beginning, and the motion of its end. */
static void substitute(const helix_tree *t, size_t e, const helix_tree_work *w)
{
    const ldl_shape three = ldl_dense(3);
    const helix_branch *b = &w->branches[e];
    twist motion = w->stations[t->begin[e]].motion;
    double *rate = w->v_free + t->first + 3 * e;
    for (size_t c = 0; c < 3; c++) {
        rate[c] = (b->b[c] - wrench_power(b->Z[c], motion)) / b->LD[4 * c];
    }
    ldl_backward(&three, b->LD, rate);
    for (size_t c = 0; c < 3; c++) {
        const twist M = helix_motion_of(&b->joint, c);
        motion.turn = real3_add_scaled(motion.turn, rate[c], M.turn);
        motion.lift = real3_add_scaled(motion.lift, rate[c], M.lift);
    }
    w->stations[e + 1].motion = twist_move(motion, b->end);
}

static bool is_finite(const double *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(v[i])) return false;
    }
    return true;
}

bool helix_tree_predict(const helix_tree *t, const body_input *in, const double *state,
                        double *work)
{
    const tree_step step = {t, in, helix_tree_view(t, state), helix_tree_split_work(t, work)};
    helix_tree_find_frames(t, state, &step.w);
    helix_tree_take_loads(t, in, &step.w);
    for (size_t e = t->elements; e-- > 0;) {
        if (!eliminate(&step, e)) return false;
    }
    if (!move_root(&step)) return false;
    for (size_t e = 0; e < t->elements; e++) substitute(t, e, &step.w);
    return is_finite(step.w.v_free, t->first + 3 * t->elements);
}
