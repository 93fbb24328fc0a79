/* SPDX-License-Identifier: Apache-2.0
 *
 * The one-contact problems that Gauss-Seidel meets. Its sweeps are made here, one contact at a time
 * with the default solver, so that every problem can be written down; after each sweep all solvers
 * get what was written.
 */
#include "locals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../interrupt.h"

/* A sweep of problems, 9, 3, 1 and 3 numbers for each contact; r is the iterate. */
typedef struct sweep {
    const stn_contact_problem *p;
    double *memory;
    double *W, *b, *mu, *guess, *r;
} sweep;

static bool sweep_create(sweep *s, const stn_contact_problem *p)
{
    const size_t n = p->contacts;
    *s = (sweep){.p = p, .memory = calloc(19 * n, sizeof *s->memory)};
    if (!s->memory) return false;
    s->W = s->memory;
    s->b = s->W + 9 * n;
    s->mu = s->b + 3 * n;
    s->guess = s->mu + n;
    s->r = s->guess + 3 * n;
    return true;
}

/* W_ii, and b_i + sum of W_ij r_j over the others. */
static void write_down(sweep *s, uint32_t i)
{
    const stn_contact_problem *p = s->p;
    double *b = s->b + 3 * (size_t)i;
    memcpy(b, p->b + 3 * (size_t)i, 3 * sizeof *b);
    for (uint32_t slot = p->row_start[i]; slot < p->row_start[i + 1]; slot++) {
        const double *block = p->blocks + 9 * (size_t)slot, *r = s->r + 3 * (size_t)p->col[slot];
        if (p->col[slot] == i) {
            memcpy(s->W + 9 * (size_t)i, block, 9 * sizeof *block);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            b[k] += block[3 * k] * r[0] + block[3 * k + 1] * r[1] + block[3 * k + 2] * r[2];
        }
    }
    s->mu[i] = p->mu[i];
    memcpy(s->guess + 3 * (size_t)i, s->r + 3 * (size_t)i, 3 * sizeof *s->r);
}

static stn_local_batch view_of(const sweep *s, size_t first, uint64_t count)
{
    return (stn_local_batch){.struct_size = sizeof(stn_local_batch),
                             .count = count,
                             .W = s->W + 9 * first,
                             .b = s->b + 3 * first,
                             .mu = s->mu + first,
                             .guess = s->guess + 3 * first};
}

/* `moved`: the largest change of r beside the largest r. */
static stn_status make_sweep(const locals_bench *b, sweep *s, double *moved)
{
    double change = 0.0, size = 0.0;
    for (uint32_t i = 0; i < s->p->contacts; i++) {
        write_down(s, i);
        stn_local_batch one = view_of(s, i, 1);
        one.r = s->r + 3 * (size_t)i;
        const stn_status status = b->contact->solve_locals(&one, NULL);
        if (status < 0) return status;
        for (int k = 0; k < 3; k++) {
            change = fmax(change, fabs(one.r[k] - one.guess[k]));
            size = fmax(size, fabs(one.r[k]));
        }
    }
    *moved = size > 0.0 ? change / size : 0.0;
    return STN_OK;
}

static stn_status run_all(locals_bench *b, const sweep *s)
{
    stn_local_batch batch = view_of(s, 0, s->p->contacts);
    for (size_t i = 0; i < b->row_count; i++) {
        local_met *met = &b->rows[i].met;
        stn_local_result result = {.struct_size = sizeof result};
        batch.local = b->rows[i].local.name;
        const stn_status status = b->contact->solve_locals(&batch, &result);
        if (status < 0) return status;
        met->failures += result.failures;
        met->fallbacks += result.fallbacks;
        met->iterations += result.iterations;
        met->seconds += result.seconds;
    }
    for (uint32_t i = 0; i < s->p->contacts; i++) b->met_opening += s->b[3 * (size_t)i] >= 0.0;
    b->met += s->p->contacts;
    return STN_OK;
}

stn_status locals_meet(locals_bench *b, const stn_contact_problem *problem)
{
    sweep s;
    if (!sweep_create(&s, problem)) return STN_ERROR_OUT_OF_MEMORY;
    double moved = INFINITY;
    stn_status status = STN_OK;
    for (int k = 0; k < LOCALS_MET_SWEEPS && moved > LOCALS_TOLERANCE && status == STN_OK; k++) {
        status = make_sweep(b, &s, &moved);
        if (status == STN_OK) status = run_all(b, &s);
        if (status == STN_OK && interrupt_count() > 0) status = STN_CANCELLED;
    }
    free(s.memory);
    return status;
}
