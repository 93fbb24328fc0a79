/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies.h"

#include "linalg/lanes.h"
#include "math/scalar.h"

#include <inttypes.h>
#include <stdatomic.h>
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

typedef struct check_job {
    const bodies_source *s;
    atomic_bool bad;
} check_job;

static void check_contacts(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    check_job *job = user;
    error unimportant = {0};
    for (size_t i = begin; i < end; i++) {
        if (check_contact(job->s, (uint32_t)i, &unimportant) < 0) atomic_store(&job->bad, true);
    }
}

/* If anything is wrong with a contact, the first one is reported, whichever thread saw one first. */
static status check_source(const bodies_source *s, error *err)
{
    if (s->contacts == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "the problem has no contacts");
    }
    status st = STATUS_OK;
    for (uint32_t b = 0; b < s->bodies && st >= 0; b++) st = check_body(&s->body[b], b, err);
    if (st < 0) return st;
    check_job job = {.s = s};
    pool_for(s->threads, s->contacts, check_contacts, &job);
    if (!atomic_load(&job.bad)) return STATUS_OK;
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

static status lay_out_contact(bodies_problem *p, const bodies_source *s, uint32_t visit, error *err)
{
    bodies_record *c = &p->record[visit];
    c->contact = p->plan.order[visit];
    c->Z = (uint32_t)(p->Z_count / BODIES_BLOCK);
    const bodies_contact *given = &s->contact[c->contact];
    for (int k = 0; k < 2; k++) {
        const uint32_t b = given->side[k].body;
        p->touches[visit][k] = b;
        if (k == 1 && (!has_second_side(given) || b == given->side[0].body)) break;
        c->at[k] = p->start[b];
        c->groups[k] = p->start[b + 1] - p->start[b];
        p->Z_count += BODIES_BLOCK * (size_t)c->groups[k];
    }
    if (p->Z_count / BODIES_BLOCK <= UINT32_MAX) return STATUS_OK;
    return error_set(err, STATUS_UNSUPPORTED,
                     "the bodies at the contacts have more than 2^34 unknowns together");
}

static status plan_visits(bodies_problem *p, const bodies_source *s, error *err)
{
    const size_t size = memory_size(p->contacts, 2 * sizeof(uint32_t));
    uint32_t(*touches)[2] = memory_alloc(p->from, size);
    for (uint32_t i = 0; touches && i < p->contacts; i++) {
        for (int k = 0; k < 2; k++) touches[i][k] = s->contact[i].side[k].body;
    }
    const bool done = touches && visit_plan_create(&p->plan, p->from, p->contacts, p->bodies,
                                                   (const uint32_t(*)[2])touches);
    memory_free(p->from, touches, size);
    return done ? STATUS_OK : error_out_of_memory(err, "a problem of bodies");
}

static status allocate(bodies_problem *p, const bodies_source *s, error *err)
{
    p->start = memory_alloc(p->from, memory_size((size_t)p->bodies + 1, sizeof *p->start));
    p->record = memory_alloc(p->from, memory_size(p->contacts, sizeof *p->record));
    p->touches = memory_alloc(p->from, memory_size(p->contacts, sizeof *p->touches));
    if (!p->start || !p->record || !p->touches)
        return error_out_of_memory(err, "a problem of bodies");
    status st = lay_out_bodies(p, s, err);
    if (st >= 0) st = plan_visits(p, s, err);
    for (uint32_t i = 0; i < p->contacts && st >= 0; i++) st = lay_out_contact(p, s, i, err);
    if (st < 0) return st;
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
                         bodies_record *c)
{
    const bodies_contact *given = &s->contact[c->contact];
    double *first = p->Z + BODIES_BLOCK * (size_t)c->Z;
    double *Z[2] = {first, first + BODIES_BLOCK * (size_t)c->groups[0]};
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
                             c->contact, 3.0 * c->d);
        }
        const double size = v3_norm(c->b);
        if (!isfinite(size)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %" PRIu32 ": its free velocity is not finite", c->contact);
        }
        p->scale = scalar_max(p->scale, size);
    }
    return STATUS_OK;
}

typedef struct fill_job {
    const bodies_problem *p;
    const bodies_source *s;
    const double *roots;
} fill_job;

static void fill_contacts(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const fill_job *job = user;
    for (size_t i = begin; i < end; i++) {
        fill_contact(job->p, job->s, job->roots, &job->p->record[i]);
    }
}

static status fill(bodies_problem *p, const bodies_source *s, error *err)
{
    double *roots = make_roots(p, s);
    if (!roots) return error_out_of_memory(err, "a problem of bodies");
    pool_for(s->threads, p->contacts, fill_contacts, &(fill_job){p, s, roots});
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
    memory_free(p->from, p->touches, p->contacts * sizeof *p->touches);
    memory_free(p->from, p->Z, p->Z_count * sizeof *p->Z);
    visit_plan_destroy(&p->plan, p->from);
    memory_free(p->from, p->start, ((size_t)p->bodies + 1) * sizeof *p->start);
    *p = (bodies_problem){.from = p->from};
}

/* ---- use ---- */

void bodies_state(const bodies_problem *p, const double *r, double *w)
{
    memset(w, 0, bodies_state_count(p) * sizeof *w);
    for (size_t i = 0; i < p->contacts; i++) {
        bodies_push(p, &p->record[i], v3_load(&r[3 * (size_t)p->record[i].contact]), w);
    }
}

void bodies_velocity(const bodies_problem *p, const double *w, double *u)
{
    for (size_t i = 0; i < p->contacts; i++) {
        const bodies_record *c = &p->record[i];
        v3_store(&u[3 * (size_t)c->contact], bodies_contact_velocity(p, c, w));
    }
}

double bodies_residual(const bodies_problem *p, const double *r, const double *w)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const bodies_record *c = &p->record[i];
        const v3 impulse = v3_load(&r[3 * (size_t)c->contact]);
        worst = scalar_max(bodies_contact_residual(p, c, impulse, w), worst);
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
