/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/newton_system.h"

#include "base/clock.h"

static const size_t MOST_FILL = 4000000; /* blocks */

static status allocate(newton_system *s, const allocator *from)
{
    const contact_problem *p = s->p;
    const status st = block_lu_create(&s->lu, from, &p->W, MOST_FILL);
    if (st < 0) return st;
    s->J = p->W;
    s->J.block = memory_alloc(from, memory_size(p->W.blocks, sizeof *s->J.block));
    s->idle = memory_alloc(from, p->contacts * sizeof *s->idle);
    return s->J.block && s->idle ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

status newton_system_create(newton_system *s, const allocator *from, const contact_problem *p,
                            contact_function function, error *err)
{
    const double start = clock_now();
    *s = (newton_system){.p = p, .function = function};
    const status st = allocate(s, from);
    s->seconds = clock_now() - start;
    if (st == STATUS_UNSUPPORTED) {
        return error_set(err, st, "the factors of this problem would fill more than %zu blocks",
                         MOST_FILL);
    }
    return st < 0 ? error_out_of_memory(err, "Newton's method") : st;
}

void newton_system_destroy(newton_system *s, const allocator *from)
{
    memory_free(from, s->idle, s->p->contacts * sizeof *s->idle);
    memory_free(from, s->J.block, s->p->W.blocks * sizeof *s->J.block);
    block_lu_destroy(&s->lu);
}

void newton_system_account(const newton_system *s, double total, solver_seconds *seconds)
{
    seconds->linear += s->seconds;
    seconds->newton += total - s->seconds;
}

static contact_value value_at(const newton_system *s, size_t i, const double *r, const double *u)
{
    return s->function(v3_load(u + 3 * i), v3_load(r + 3 * i), s->p->mu[i], s->p->d[i]);
}

double newton_system_merit(const newton_system *s, const double *r, const double *u)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->p->contacts; i++) {
        const v3 f = value_at(s, i, r, u).f;
        sum += v3_dot(f, f);
    }
    return sum;
}

static void set_row(newton_system *s, uint32_t i, const contact_value *at, double shift)
{
    const bsr3 *W = &s->p->W;
    for (uint32_t slot = W->row_start[i]; slot < W->row_start[i + 1]; slot++) {
        m3 block = W->block[slot];
        if (W->col[slot] == i) {
            const m3 extra = m3_diagonal(shift * s->p->d[i]);
            block = m3_add(&block, &extra);
        }
        block = m3_mul(&at->by_u, &block);
        s->J.block[slot] = W->col[slot] == i ? m3_add(&block, &at->by_r) : block;
    }
}

static bool find_direction(newton_system *s, const double *r, const double *u, double shift,
                           double *dr)
{
    for (uint32_t i = 0; i < s->p->contacts; i++) {
        const contact_value at = value_at(s, i, r, u);
        s->idle[i] = at.idle;
        set_row(s, i, &at, shift);
        v3_store(dr + 3 * (size_t)i, v3_neg(at.f));
    }
    if (!block_lu_factor(&s->lu, &s->J, s->idle)) return false;
    block_lu_solve(&s->lu, dr);
    for (size_t k = 0; k < 3 * (size_t)s->p->contacts; k++) {
        if (!isfinite(dr[k])) return false;
    }
    return true;
}

bool newton_system_direction(newton_system *s, const double *r, const double *u, double shift,
                             double *dr)
{
    const double start = clock_now();
    const bool found = find_direction(s, r, u, shift, dr);
    s->seconds += clock_now() - start;
    return found;
}

double newton_system_slope(const newton_system *s, const double *r, const double *u,
                           const double *dr, const double *du)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->p->contacts; i++) {
        const contact_value at = value_at(s, i, r, u);
        const v3 df = v3_add(m3_mul_v3(&at.by_r, v3_load(dr + 3 * i)),
                             m3_mul_v3(&at.by_u, v3_load(du + 3 * i)));
        sum += 2.0 * v3_dot(at.f, df);
    }
    return sum;
}
