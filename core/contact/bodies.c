/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies.h"

#include "linalg/lanes.h"
#include "math/scalar.h"

#include <inttypes.h>
#include <string.h>

/* ---- what is given ---- */

static bool all_finite(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k])) return false;
    }
    return true;
}

static status check_body(const bodies_body *body, uint32_t b, error *err)
{
    const ldl_shape *shape = &body->shape;
    if (shape->n == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "body %" PRIu32 ": it has no unknowns, expected at least 1", b);
    }
    for (size_t i = 0; i < shape->n; i++) {
        const size_t first = i > shape->width ? i - shape->width : 0;
        const double pivot = body->factors[ldl_index(shape, i, i)];
        if (!(pivot > 0.0 && isfinite(pivot))) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "body %" PRIu32 ": pivot %zu of its inertia is %g, expected a "
                             "positive finite number",
                             b, i, pivot);
        }
        if (!all_finite(&body->factors[ldl_index(shape, i, first)], i - first)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "body %" PRIu32 ": row %zu of its factors has a number that is not "
                             "finite",
                             b, i);
        }
    }
    if (all_finite(body->v_free, shape->n)) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "body %" PRIu32 ": its velocity has a number that is not finite", b);
}

static bool has_second_side(const bodies_contact *c) { return c->side[1].body != BODIES_NONE; }

static status check_side(const bodies_source *s, uint32_t i, int k, error *err)
{
    const bodies_side *side = &s->contact[i].side[k];
    if (side->body >= s->bodies) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": side %d is body %" PRIu32
                         ", expected less than %" PRIu32,
                         i, k, side->body, s->bodies);
    }
    if (all_finite(side->H, 3 * s->body[side->body].shape.n)) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "contact %" PRIu32 ": H of side %d has a number that is not finite", i, k);
}

static status check_contact(const bodies_source *s, uint32_t i, error *err)
{
    const bodies_contact *c = &s->contact[i];
    status st = check_side(s, i, 0, err);
    if (st >= 0 && has_second_side(c)) st = check_side(s, i, 1, err);
    if (st < 0) return st;
    if (!v3_is_finite(c->u_0)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": u_0 has a number that is not finite", i);
    }
    if (!(c->mu >= 0.0 && isfinite(c->mu))) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": mu is %g, expected 0 or more", i, c->mu);
    }
    return STATUS_OK;
}

static status check_source(const bodies_source *s, error *err)
{
    if (s->contacts == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "the problem has no contacts");
    }
    status st = STATUS_OK;
    for (uint32_t b = 0; b < s->bodies && st >= 0; b++) st = check_body(&s->body[b], b, err);
    for (uint32_t i = 0; i < s->contacts && st >= 0; i++) st = check_contact(s, i, err);
    return st;
}

/* ---- where everything goes ---- */

static size_t groups_of(const bodies_body *body)
{
    return (body->shape.n + BODIES_GROUP - 1) / BODIES_GROUP;
}

static status lay_out_bodies(bodies_problem *p, const bodies_source *s, error *err)
{
    size_t groups = 0;
    for (uint32_t b = 0; b < s->bodies; b++) {
        groups += groups_of(&s->body[b]);
        if (groups > UINT32_MAX) {
            return error_set(err, STATUS_UNSUPPORTED,
                             "the bodies up to number %" PRIu32 " have more than 2^34 unknowns", b);
        }
        p->start[b + 1] = (uint32_t)groups;
    }
    return STATUS_OK;
}

static void lay_out_contact(bodies_problem *p, const bodies_contact *given, bodies_record *c)
{
    c->Z = p->Z_count;
    for (int k = 0; k < 2; k++) {
        const uint32_t b = given->side[k].body;
        if (k == 1 && (!has_second_side(given) || b == given->side[0].body)) break;
        c->at[k] = p->start[b];
        c->groups[k] = p->start[b + 1] - p->start[b];
        p->Z_count += 3 * BODIES_GROUP * (size_t)c->groups[k];
    }
}

static status allocate(bodies_problem *p, const bodies_source *s, error *err)
{
    p->start = memory_alloc(p->from, memory_size((size_t)p->bodies + 1, sizeof *p->start));
    p->record = memory_alloc(p->from, memory_size(p->contacts, sizeof *p->record));
    if (!p->start || !p->record) return error_out_of_memory(err, "a problem of bodies");
    const status st = lay_out_bodies(p, s, err);
    if (st < 0) return st;
    for (uint32_t i = 0; i < p->contacts; i++) lay_out_contact(p, &s->contact[i], &p->record[i]);
    p->Z = memory_alloc(p->from, memory_size(p->Z_count, sizeof *p->Z));
    return p->Z ? STATUS_OK : error_out_of_memory(err, "a problem of bodies");
}

/* ---- whitening ---- */

/* D^-1/2 of all bodies in the places of w. */
static double *make_roots(const bodies_problem *p, const bodies_source *s)
{
    double *roots = memory_alloc(p->from, memory_size(bodies_state_count(p), sizeof *roots));
    for (uint32_t b = 0; roots && b < p->bodies; b++) {
        const bodies_body *body = &s->body[b];
        ldl_inverse_roots(&body->shape, body->factors, roots + BODIES_GROUP * (size_t)p->start[b]);
    }
    return roots;
}

/* Z += H^T, not whitened yet, and b += H v_free. */
static void add_side(const bodies_source *s, const bodies_side *side, bodies_record *c, double *Z)
{
    const bodies_body *body = &s->body[side->body];
    const size_t n = body->shape.n, m = BODIES_GROUP * groups_of(body);
    double change[3];
    for (size_t row = 0; row < 3; row++) {
        const double *h = side->H + row * n;
        for (size_t k = 0; k < n; k++) Z[row * m + k] += h[k];
        change[row] = lanes_dot(h, body->v_free, n);
    }
    c->b = v3_add(c->b, v3_load(change));
}

static void whiten_side(const bodies_body *body, const double *roots, double *Z)
{
    const size_t m = BODIES_GROUP * groups_of(body);
    for (size_t row = 0; row < 3; row++) {
        ldl_whiten(&body->shape, body->factors, roots, Z + row * m);
    }
}

static void add_local_operator(sym3 *W, const double *Z, size_t m)
{
    const double *N = Z, *S = Z + m, *T = Z + 2 * m;
    W->xx += lanes_dot(N, N, m);
    W->xy += lanes_dot(N, S, m);
    W->xz += lanes_dot(N, T, m);
    W->yy += lanes_dot(S, S, m);
    W->yz += lanes_dot(S, T, m);
    W->zz += lanes_dot(T, T, m);
}

static void fill_contact(const bodies_problem *p, const bodies_source *s, const double *roots,
                         uint32_t i)
{
    const bodies_contact *given = &s->contact[i];
    bodies_record *c = &p->record[i];
    double *Z[2] = {p->Z + c->Z, p->Z + c->Z + 3 * BODIES_GROUP * (size_t)c->groups[0]};
    c->b = given->u_0;
    c->mu = given->mu;
    add_side(s, &given->side[0], c, Z[0]);
    if (has_second_side(given)) add_side(s, &given->side[1], c, c->groups[1] ? Z[1] : Z[0]);
    for (int k = 0; k < 2 && c->groups[k]; k++) {
        whiten_side(&s->body[given->side[k].body], roots + BODIES_GROUP * (size_t)c->at[k], Z[k]);
        add_local_operator(&c->W, Z[k], BODIES_GROUP * (size_t)c->groups[k]);
    }
    c->d = sym3_trace(&c->W) / 3.0;
}

static status finish(bodies_problem *p, error *err)
{
    for (uint32_t i = 0; i < p->contacts; i++) {
        const bodies_record *c = &p->record[i];
        if (!(c->d > 0.0 && isfinite(c->d))) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %" PRIu32 ": the diagonal block of W has the trace %g, "
                             "expected a positive finite number",
                             i, 3.0 * c->d);
        }
        const double size = v3_norm(c->b);
        if (!isfinite(size)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %" PRIu32 ": its free velocity is not finite", i);
        }
        p->scale = scalar_max(p->scale, size);
    }
    return STATUS_OK;
}

static status fill(bodies_problem *p, const bodies_source *s, error *err)
{
    double *roots = make_roots(p, s);
    if (!roots) return error_out_of_memory(err, "a problem of bodies");
    for (uint32_t i = 0; i < p->contacts; i++) fill_contact(p, s, roots, i);
    memory_free(p->from, roots, bodies_state_count(p) * sizeof *roots);
    return finish(p, err);
}

status bodies_problem_create(bodies_problem *p, const allocator *from, const bodies_source *source,
                             error *err)
{
    *p = (bodies_problem){.from = from, .contacts = source->contacts, .bodies = source->bodies};
    status st = check_source(source, err);
    if (st >= 0) st = allocate(p, source, err);
    if (st >= 0) st = fill(p, source, err);
    if (st < 0) bodies_problem_destroy(p);
    return st;
}

void bodies_problem_destroy(bodies_problem *p)
{
    memory_free(p->from, p->record, p->contacts * sizeof *p->record);
    memory_free(p->from, p->Z, p->Z_count * sizeof *p->Z);
    memory_free(p->from, p->start, ((size_t)p->bodies + 1) * sizeof *p->start);
    *p = (bodies_problem){.from = p->from};
}

/* ---- use ---- */

void bodies_state(const bodies_problem *p, const double *r, double *w)
{
    memset(w, 0, bodies_state_count(p) * sizeof *w);
    for (size_t i = 0; i < p->contacts; i++) {
        bodies_push(p, &p->record[i], v3_load(&r[3 * i]), w);
    }
}

void bodies_velocity(const bodies_problem *p, const double *w, double *u)
{
    for (size_t i = 0; i < p->contacts; i++) {
        v3_store(&u[3 * i], bodies_contact_velocity(p, &p->record[i], w));
    }
}

double bodies_residual(const bodies_problem *p, const double *r, const double *w)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const bodies_record *c = &p->record[i];
        const double e =
            coulomb_residual(bodies_contact_velocity(p, c, w), v3_load(&r[3 * i]), c->mu, c->d);
        if (!isfinite(e)) return INFINITY; /* NaN must not get lost in a maximum */
        worst = scalar_max(worst, e);
    }
    return worst;
}

void bodies_body_velocity(const bodies_problem *p, const bodies_body *body, uint32_t k,
                          const double *w, double *v)
{
    const ldl_shape *shape = &body->shape;
    const double *wk = w + BODIES_GROUP * (size_t)p->start[k];
    for (size_t i = 0; i < shape->n; i++) {
        v[i] = wk[i] / sqrt(body->factors[ldl_index(shape, i, i)]);
    }
    ldl_backward(shape, body->factors, v);
    for (size_t i = 0; i < shape->n; i++) v[i] += body->v_free[i];
}

/* ---- the explicit operator ---- */

/* Sides sorted by body: body b has the sides side[start[b]] ..., each 2 contact + which. */
typedef struct side_lists {
    uint32_t *start; /* [groups + 1]: by the body's first group, which names it */
    uint32_t *side;  /* [2 contacts] */
    size_t start_count;
} side_lists;

static void side_lists_destroy(side_lists *l, const bodies_problem *p, const allocator *from)
{
    memory_free(from, l->start, l->start_count * sizeof *l->start);
    memory_free(from, l->side, 2 * (size_t)p->contacts * sizeof *l->side);
}

static bool side_lists_create(side_lists *l, const bodies_problem *p, const allocator *from)
{
    *l = (side_lists){.start_count = (size_t)p->start[p->bodies] + 2};
    l->start = memory_alloc(from, memory_size(l->start_count, sizeof *l->start));
    l->side = memory_alloc(from, memory_size(2 * (size_t)p->contacts, sizeof *l->side));
    if (!l->start || !l->side) {
        side_lists_destroy(l, p, from);
        return false;
    }
    for (uint32_t j = 0; j < 2 * p->contacts; j++) { /* count two places on, sum, fill one on */
        const bodies_record *c = &p->record[j / 2];
        if (c->groups[j % 2]) l->start[c->at[j % 2] + 2]++;
    }
    for (size_t g = 2; g < l->start_count; g++) l->start[g] += l->start[g - 1];
    for (uint32_t j = 0; j < 2 * p->contacts; j++) {
        const bodies_record *c = &p->record[j / 2];
        if (c->groups[j % 2]) l->side[l->start[c->at[j % 2] + 1]++] = j;
    }
    return true;
}

static const double *side_matrix(const bodies_problem *p, uint32_t j)
{
    const bodies_record *c = &p->record[j / 2];
    return p->Z + c->Z + (j % 2 ? 3 * BODIES_GROUP * (size_t)c->groups[0] : 0);
}

/* Z_i^T Z_j of two sides at one body. */
static void multiply_sides(const double *Zi, const double *Zj, size_t m, double *block)
{
    for (size_t row = 0; row < 3; row++) {
        for (size_t col = 0; col < 3; col++) {
            block[3 * row + col] = lanes_dot(Zi + row * m, Zj + col * m, m);
        }
    }
}

static size_t count_blocks(const bodies_problem *p, const side_lists *l)
{
    size_t blocks = 0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const bodies_record *c = &p->record[i];
        for (int k = 0; k < 2 && c->groups[k]; k++) {
            blocks += l->start[c->at[k] + 1] - l->start[c->at[k]];
        }
    }
    return blocks;
}

/* All of it in one piece of memory: blocks, b, mu, then the indices. */
static void fill_explicit(const bodies_problem *p, const side_lists *l, double *blocks, double *b,
                          double *mu, uint32_t *row_start, uint32_t *col)
{
    uint32_t slot = 0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const bodies_record *c = &p->record[i];
        for (uint32_t k = 0; k < 2 && c->groups[k]; k++) {
            const size_t m = BODIES_GROUP * (size_t)c->groups[k];
            for (uint32_t at = l->start[c->at[k]]; at < l->start[c->at[k] + 1]; at++, slot++) {
                multiply_sides(side_matrix(p, 2 * i + k), side_matrix(p, l->side[at]), m,
                               blocks + 9 * (size_t)slot);
                col[slot] = l->side[at] / 2;
            }
        }
        row_start[i + 1] = slot;
        v3_store(&b[3 * (size_t)i], c->b);
        mu[i] = c->mu;
    }
}

static status make_explicit(const bodies_problem *p, const side_lists *l, const allocator *from,
                            contact_problem *out, error *err)
{
    const size_t count = count_blocks(p, l), n = p->contacts;
    if (count > UINT32_MAX / 4) {
        return error_set(err, STATUS_UNSUPPORTED, "the operator of %zu contacts has %zu blocks", n,
                         count);
    }
    const size_t doubles = 9 * count + 4 * n, indices = count + n + 1;
    const size_t size = doubles * sizeof(double) + indices * sizeof(uint32_t);
    double *blocks = memory_alloc(from, size);
    if (!blocks) return error_out_of_memory(err, "an explicit operator");
    double *b = blocks + 9 * count, *mu = b + 3 * n;
    uint32_t *row_start = (uint32_t *)(void *)(mu + n), *col = row_start + n + 1;
    fill_explicit(p, l, blocks, b, mu, row_start, col);
    const contact_source source = {p->contacts, row_start, col, blocks, b, mu};
    const status st = contact_problem_create(out, from, &source, err);
    memory_free(from, blocks, size);
    return st;
}

status bodies_make_explicit(const bodies_problem *p, const allocator *from, contact_problem *out,
                            error *err)
{
    side_lists lists;
    if (!side_lists_create(&lists, p, from))
        return error_out_of_memory(err, "an explicit operator");
    const status st = make_explicit(p, &lists, from, out, err);
    side_lists_destroy(&lists, p, from);
    return st;
}
