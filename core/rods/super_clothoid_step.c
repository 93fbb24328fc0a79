/* SPDX-License-Identifier: Apache-2.0
 *
 * One implicit step of a super-clothoid. With V the velocity of every material point in the last
 * step, the new velocities v minimise, as those of a super-helix (super_helix_assembly.h),
 *
 *     1/2 int rho |J v + U - V|^2 + h/2 int drag |J v + U - air|^2
 *       + h/2 damping |v|_K^2 + 1/2 |q + h v - natural|_K^2
 *       - h int rho (gravity + field) . J v - h loads . v,
 *
 * and from this kinetic plus elastic energy falls by 1/2 int rho |J v - V|^2 + 1/2 |h v|_K^2 and by
 * what damping takes. Each element adds l [1/3 1/6; 1/6 1/3] times the stiffnesses to K (2.12).
 *
 * A = (rho + h drag) int J^T J + (h damping + h^2) K is built from tip to root, end by end of every
 * element: the momentum that the rate of one end gives its own element and all beyond meets the
 * screws of the ends before it. An inner joint is two ends, so its rows are sums.
 *
 * A thin rod's own inertia against twist is tiny but the only one a straight rod has; each
 * element's turning about its beginning is counted: with theta = int kappa' the integral of
 * rho r^2/2 theta^2 for twist and rho r^2/4 theta^2 for bending, that is l^3 [2/15 3/40; 3/40 1/20]
 * for the rates of both ends. To the turns of a free root all of the rod adds rho L r^2/2.
 */
#include "rods/super_clothoid_integrals.h"

static const double STIFFNESS[2][2] = {{1.0 / 3.0, 1.0 / 6.0}, {1.0 / 6.0, 1.0 / 3.0}};
static const double SECTION[2][2] = {{2.0 / 15.0, 3.0 / 40.0}, {3.0 / 40.0, 1.0 / 20.0}};

typedef struct step {
    clothoid_rod rod;
    const body_input *in;
    double inertia; /* rho + h drag */
    v3 root_v, root_w;
    clothoid_element *elements;
    clothoid_memory *memory;
    double *A, *rhs;
} step;

/* What lies beyond an element: length and its moments about the root, momentum and its moment. */
typedef struct beyond {
    double length;
    v3 r;
    sym3 rr;
    v3 F, rF;
} beyond;

/* Momentum, and its moment about the root. */
typedef struct momentum {
    v3 p, L;
} momentum;

/* The unknown of column i = 3 b + c of element e. */
static size_t unknown(const step *S, size_t e, size_t i) { return S->rod.g->first + 3 * e + i; }

/* A += value at columns of two different ends, and at its mirror image; the lower triangle. */
static void add_pair(const step *S, size_t i, size_t j, double value)
{
    const size_t n = S->rod.g->base.unknowns;
    if (i > j) {
        S->A[i * n + j] += value;
    } else {
        S->A[j * n + i] += i == j ? 2.0 * value : value;
    }
}

/* The momentum that the next velocities shall have, as far as it can be said beforehand. */
static clothoid_momentum find_wanted(const step *S, size_t e)
{
    const clothoid_element *own = &S->elements[e];
    const clothoid_memory *memory = &S->memory[e];
    const double rho = S->rod.material->density, h = S->in->h;
    const clothoid_forcing force = super_clothoid_forcing(&S->rod, S->in, e);
    const v3 root = v3_add(S->root_v, v3_cross(S->root_w, own->r));
    const v3 begin = v3_add_scaled(v3_scale(h, force.begin), -S->inertia, root);
    const v3 end = v3_add_scaled(v3_scale(h, force.end), -S->inertia, root);
    return (clothoid_momentum){
        .begin = v3_add_scaled(m3_tmul_v3(&own->R, begin), rho, memory->velocity),
        .end = v3_add_scaled(m3_tmul_v3(&own->R, end), rho, memory->velocity),
        .spin = v3_scale(-S->inertia, m3_tmul_v3(&own->R, S->root_w)),
        .density = rho,
        .memory = memory,
    };
}

/* Of all beyond an element that moves by a screw. */
static momentum move_beyond(const beyond *all, v3 turn, v3 lift)
{
    const v3 spread = v3_sub(v3_scale(sym3_trace(&all->rr), turn), sym3_mul_v3(&all->rr, turn));
    return (momentum){v3_add_scaled(v3_cross(turn, all->r), all->length, lift),
                      v3_add(v3_cross(all->r, lift), spread)};
}

static double meet(const clothoid_element *e, size_t i, const momentum *m)
{
    return v3_dot(e->turn[i], m->L) + v3_dot(e->lift[i], m->p);
}

/* Row i of element e, without K. */
static void fill_row(const step *S, size_t e, size_t i, const clothoid_integrals *own,
                     const beyond *all)
{
    const size_t row = unknown(S, e, i), n = S->rod.g->base.unknowns;
    const clothoid_element *element = &S->elements[e];
    momentum m = move_beyond(all, element->turn[i], element->lift[i]);
    S->A[row * n + row] += S->inertia * (own->DD[i][i] + meet(element, i, &m));
    for (size_t j = 0; j < i; j++) {
        add_pair(S, row, unknown(S, e, j), S->inertia * (own->DD[i][j] + meet(element, j, &m)));
    }
    const v3 RD = m3_mul_v3(&element->R, own->D[i]);
    m.p = v3_add(m.p, RD);
    m.L = v3_add(m.L, v3_add(v3_cross(element->r, RD), m3_mul_v3(&element->R, own->xD[i])));
    for (size_t k = 0; k < e; k++) {
        for (size_t j = 0; j < 6; j++) {
            add_pair(S, row, unknown(S, k, j), S->inertia * meet(&S->elements[k], j, &m));
        }
    }
    if (S->rod.g->first == 0) return;
    const double root[6] = {m.p.x, m.p.y, m.p.z, m.L.x, m.L.y, m.L.z};
    for (size_t j = 0; j < 6; j++) add_pair(S, row, j, S->inertia * root[j]);
}

/* Stiffness, damping and the section's inertia of element e. */
static void add_elastic(const step *S, size_t e)
{
    const rod_material *m = S->rod.material;
    const double stiffness[3] = {m->twist, m->bend[0], m->bend[1]};
    const double l = S->rod.lengths[e], h = S->in->h, implicit = h * m->damping + h * h;
    const double thin = 0.25 * m->density * m->radius * m->radius * (l * l * l);
    const size_t n = S->rod.g->base.unknowns, first = S->rod.g->first;
    for (size_t i = 0; i < 6; i++) {
        const size_t row = unknown(S, e, i), c = i % 3;
        for (size_t b = 0; b < 2; b++) {
            const size_t column = unknown(S, e, 3 * b + c);
            const double K = l * stiffness[c] * STIFFNESS[i / 3][b];
            const double section = (c == 0 ? 2.0 : 1.0) * thin * SECTION[i / 3][b];
            const double strain = S->rod.is.q[column] - S->rod.natural[column - first];
            if (column <= row) S->A[row * n + column] += implicit * K + section;
            S->rhs[row] += section * S->rod.is.v[column] - h * K * strain;
        }
    }
}

static void add_element(beyond *all, const clothoid_element *element, const clothoid_integrals *own)
{
    const v3 r = element->r, Rx = m3_mul_v3(&element->R, own->x);
    const v3 RF = m3_mul_v3(&element->R, own->F), RxF = m3_mul_v3(&element->R, own->xF);
    const v3 half = v3_add_scaled(Rx, 0.5 * own->length, r); /* rr += r half^T + half r^T */
    const sym3 xx = sym3_rotate(&own->xx, &element->R);
    all->length += own->length;
    all->r = v3_add(all->r, v3_add_scaled(Rx, own->length, r));
    all->rr.xx += xx.xx + 2.0 * r.x * half.x;
    all->rr.xy += xx.xy + r.x * half.y + half.x * r.y;
    all->rr.xz += xx.xz + r.x * half.z + half.x * r.z;
    all->rr.yy += xx.yy + 2.0 * r.y * half.y;
    all->rr.yz += xx.yz + r.y * half.z + half.y * r.z;
    all->rr.zz += xx.zz + 2.0 * r.z * half.z;
    all->F = v3_add(all->F, RF);
    all->rF = v3_add(all->rF, v3_add(v3_cross(r, RF), RxF));
}

/* The rows of a free root: momentum and moment of the whole rod by its unit screws. */
static void fill_root(const step *S, const beyond *all)
{
    const rod_material *m = S->rod.material;
    const double thin = 0.5 * m->density * m->radius * m->radius * all->length;
    const double rhs[6] = {all->F.x, all->F.y, all->F.z, all->rF.x, all->rF.y, all->rF.z};
    const v3 zero = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < 6; i++) {
        const v3 axis = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        const momentum by = move_beyond(all, i < 3 ? zero : axis, i < 3 ? axis : zero);
        const double row[6] = {by.p.x, by.p.y, by.p.z, by.L.x, by.L.y, by.L.z};
        double *A = S->A + i * S->rod.g->base.unknowns;
        for (size_t j = 0; j <= i; j++) A[j] = S->inertia * row[j];
        S->rhs[i] += rhs[i];
        if (i >= 3) A[i] += thin, S->rhs[i] += thin * S->rod.is.v[i];
    }
}

/* A, its lower triangle, and the right hand side, which comes with what loads gave. */
static void assemble(const step *S)
{
    const size_t n = S->rod.g->base.unknowns;
    clothoid_integrals own;
    beyond all = {0};
    for (size_t i = 0; i < n * n; i++) S->A[i] = 0.0;
    for (size_t e = S->rod.g->elements; e-- > 0;) {
        const clothoid_element *element = &S->elements[e];
        const clothoid_momentum wanted = find_wanted(S, e);
        const momentum pushed = {all.F, all.rF};
        super_clothoid_integrate(&element->curve, &wanted, &own);
        for (size_t i = 0; i < 6; i++) {
            fill_row(S, e, i, &own, &all);
            S->rhs[unknown(S, e, i)] += own.DF[i] + meet(element, i, &pushed);
        }
        add_elastic(S, e);
        add_element(&all, element, &own);
    }
    if (S->rod.g->first) fill_root(S, &all);
}

/* The elements now and in the last step, and the motion of the root. */
static void find_motion(step *S, double *root)
{
    const super_clothoid *g = S->rod.g;
    const pose *now = S->rod.is.root;
    const pose *to = g->first || !S->in->root ? NULL : &S->in->root[S->rod.body];
    const reduced_rod_root motion = reduced_rod_move_root(now, to, S->in->h);
    S->root_v = motion.velocity;
    S->root_w = motion.spin;
    v3_store(root, now->position);
    v3_store(root + 3, motion.velocity);
    v3_store(root + 6, motion.spin);
    m3 R = quat_to_m3(now->rotation);
    v3 r = {0.0, 0.0, 0.0};
    clothoid_carriage at = super_clothoid_carry_root(&S->rod);
    for (size_t e = 0; e < g->elements; e++) {
        const clothoid curve = super_clothoid_curve(&S->rod, S->rod.is.q + g->first, e);
        S->elements[e] = super_clothoid_pass(&curve, &R, &r);
        S->memory[e] = super_clothoid_recall(&S->rod, e, &S->elements[e].R, &at);
    }
}

static void predict_one(const super_clothoid *g, const body_input *in, const double *state,
                        double *work, size_t body)
{
    const size_t n = g->base.unknowns;
    step S = {.rod = super_clothoid_rod(g, state, body), .in = in};
    S.inertia = S.rod.material->density + in->h * S.rod.material->drag;
    S.A = work + body * g->base.work_count;
    S.rhs = S.A + ldl_count(&g->base.shape);
    S.elements = super_clothoid_work_elements(g, work, body);
    S.memory = (clothoid_memory *)(S.elements + g->elements);
    for (size_t i = 0; i < n; i++) S.rhs[i] = 0.0;
    super_clothoid_add_forces(&S.rod, in, false, S.rhs);
    for (size_t i = 0; i < n; i++) S.rhs[i] *= in->h;
    find_motion(&S, super_clothoid_work_root(g, work, body));
    assemble(&S);
    if (ldl_factor(&g->base.shape, S.A, NULL)) {
        ldl_solve(&g->base.shape, S.A, S.rhs);
    } else {
        for (size_t i = 0; i < n; i++) S.rhs[i] = NAN;
    }
}

void super_clothoid_predict(const body_group *base, const body_input *in, const double *state,
                            double *work, size_t begin, size_t end)
{
    for (size_t body = begin; body < end; body++) {
        predict_one(super_clothoid_of(base), in, state, work, body);
    }
}
