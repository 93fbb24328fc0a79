/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/problem.h"

#include "math/scalar.h"

#include <inttypes.h>
#include <string.h>

static status check_rows(const contact_source *s, error *err)
{
    for (uint32_t i = 0; i < s->contacts; i++) {
        if (s->row_start[0] == 0 && s->row_start[i] <= s->row_start[i + 1]) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "W: row_start must begin with 0 and rise; it does not at row %" PRIu32, i);
    }
    return STATUS_OK;
}

static status check_numbers(const contact_source *s, error *err)
{
    for (size_t k = 0; k < 9 * (size_t)s->row_start[s->contacts]; k++) {
        if (isfinite(s->blocks[k])) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "W: block %zu has the entry %g, expected a "
                         "finite number",
                         k / 9, s->blocks[k]);
    }
    for (size_t i = 0; i < s->contacts; i++) {
        if (!v3_is_finite(v3_load(&s->b[3 * i]))) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %zu: b has a number that is not finite", i);
        }
        if (!(s->mu[i] >= 0.0 && isfinite(s->mu[i]))) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %zu: mu is %g, expected 0 or more", i, s->mu[i]);
        }
    }
    return STATUS_OK;
}

/* The blocks that are given, those across the diagonal from them, and the diagonal. */
static status make_pattern(contact_problem *p, const allocator *from, const contact_source *s,
                           error *err)
{
    const size_t given = s->row_start[s->contacts], count = 2 * given + s->contacts;
    bsr3_place *places = memory_alloc(from, memory_size(count, sizeof *places));
    if (!places) return error_out_of_memory(err, "a contact problem");
    for (uint32_t i = 0; i < s->contacts; i++) {
        for (uint32_t k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
            places[2 * (size_t)k] = (bsr3_place){i, s->col[k]};
            places[2 * (size_t)k + 1] = (bsr3_place){s->col[k], i};
        }
        places[2 * given + i] = (bsr3_place){i, i};
    }
    const status st = bsr3_create(&p->W, from, s->contacts, s->contacts, places, count);
    memory_free(from, places, count * sizeof *places);
    if (st == STATUS_OUT_OF_MEMORY) return error_out_of_memory(err, "a contact problem");
    if (st < 0) {
        return error_set(err, st, "W: a block names a contact beyond the %" PRIu32 " there are",
                         s->contacts);
    }
    return STATUS_OK;
}

/* Sorted rows are the rule: then the next block is found where the last one was, or just behind. */
static void fill_row(bsr3 *W, const contact_source *s, uint32_t i)
{
    uint32_t slot = W->row_start[i];
    for (uint32_t k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
        const double *a = &s->blocks[9 * (size_t)k];
        const m3 block = {{v3_load(a), v3_load(a + 3), v3_load(a + 6)}};
        if (slot < W->row_start[i + 1] && W->col[slot] != s->col[k]) slot++;
        if (slot >= W->row_start[i + 1] || W->col[slot] != s->col[k]) {
            slot = bsr3_find_slot(W, i, s->col[k]);
        }
        bsr3_add_to_slot(W, slot, &block);
    }
}

static void fill(contact_problem *p, const contact_source *s)
{
    for (uint32_t i = 0; i < s->contacts; i++) fill_row(&p->W, s, i);
    memcpy(p->b, s->b, 3 * (size_t)s->contacts * sizeof *p->b);
    memcpy(p->mu, s->mu, s->contacts * sizeof *p->mu);
}

static status finish(contact_problem *p, error *err)
{
    p->scale = 0.0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const m3 *D = bsr3_diagonal(&p->W, i);
        p->d[i] = (D->row[0].x + D->row[1].y + D->row[2].z) / 3.0;
        if (!(p->d[i] > 0.0)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %" PRIu32 ": the diagonal block of W has the trace %g, "
                             "expected more than 0",
                             i, 3.0 * p->d[i]);
        }
        p->scale = scalar_max(p->scale, v3_norm(v3_load(&p->b[3 * i])));
    }
    return STATUS_OK;
}

status contact_problem_create(contact_problem *p, const allocator *from,
                              const contact_source *source, error *err)
{
    *p = (contact_problem){.contacts = source->contacts};
    p->W.from = from;
    if (source->contacts == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "the problem has no contacts");
    }
    status st = check_rows(source, err);
    if (st >= 0) st = check_numbers(source, err);
    if (st >= 0) st = make_pattern(p, from, source, err);
    if (st < 0) return st;
    /* b, mu and d in one piece; b is where it begins */
    p->b = memory_alloc(from, 5 * (size_t)p->contacts * sizeof *p->b);
    if (!p->b) {
        contact_problem_destroy(p, from);
        return error_out_of_memory(err, "a contact problem");
    }
    p->mu = p->b + 3 * (size_t)p->contacts;
    p->d = p->mu + p->contacts;
    fill(p, source);
    st = finish(p, err);
    if (st < 0) contact_problem_destroy(p, from);
    return st;
}

void contact_problem_destroy(contact_problem *p, const allocator *from)
{
    bsr3_destroy(&p->W);
    memory_free(from, p->b, 5 * (size_t)p->contacts * sizeof *p->b);
    *p = (contact_problem){.W.from = from};
}

void contact_problem_velocity(const contact_problem *p, pool *threads, const double *r, double *u)
{
    memcpy(u, p->b, 3 * (size_t)p->contacts * sizeof *u);
    bsr3_mul_add(&p->W, threads, r, u);
}

double contact_problem_residual(const contact_problem *p, const double *r, const double *u)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const double e =
            coulomb_residual(v3_load(&u[3 * i]), v3_load(&r[3 * i]), p->mu[i], p->d[i]);
        if (!isfinite(e)) return INFINITY; /* NaN must not get lost in a maximum */
        worst = scalar_max(worst, e);
    }
    return worst;
}

/* Which case of the law an approximate answer is nearest to: what the projection would do. */
contact_state contact_classify(v3 u, v3 r, double mu, double d)
{
    const v3 x = v3_sub(v3_scale(d, r), u);
    if (x.x <= 0.0) return CONTACT_TAKEOFF;
    return coulomb_tangent_norm(x) <= mu * x.x ? CONTACT_STICK : CONTACT_SLIDE;
}

void contact_measure_add(contact_measure *m, v3 u, v3 r, double mu, double d)
{
    const coulomb_errors e = coulomb_measure(u, r, mu, d);
    m->worst.natural = scalar_max(m->worst.natural, e.natural);
    m->worst.fischer_burmeister = scalar_max(m->worst.fischer_burmeister, e.fischer_burmeister);
    m->worst.alart_curnier = scalar_max(m->worst.alart_curnier, e.alart_curnier);
    m->cone_violation = scalar_max(m->cone_violation, coulomb_tangent_norm(r) - mu * r.x);
    m->min_normal_velocity = scalar_min(m->min_normal_velocity, u.x);
    const contact_state state = contact_classify(u, r, mu, d);
    m->takeoff += state == CONTACT_TAKEOFF;
    m->stick += state == CONTACT_STICK;
    m->slide += state == CONTACT_SLIDE;
}

contact_measure contact_problem_measure(const contact_problem *p, const double *r, const double *u)
{
    contact_measure m = contact_measure_none();
    for (size_t i = 0; i < p->contacts; i++) {
        contact_measure_add(&m, v3_load(&u[3 * i]), v3_load(&r[3 * i]), p->mu[i], p->d[i]);
    }
    return m;
}
