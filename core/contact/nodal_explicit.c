/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/nodal_explicit.h"

static uint64_t count_blocks(const nodal_problem *p, size_t begin, size_t end)
{
    uint64_t blocks = 0;
    for (size_t i = begin; i < end; i++) {
        const uint64_t count = p->first[i + 1] - p->first[i];
        blocks += count * count;
    }
    return blocks;
}

static status allocate(nodal_explicit *e, size_t blocks, arena *scratch, error *err)
{
    const size_t n = e->contacts;
    e->row_start = arena_push(scratch, (n + 1 + blocks) * sizeof *e->row_start);
    e->blocks = arena_push(scratch, (9 * blocks + 10 * n) * sizeof *e->blocks);
    if (!e->row_start || !e->blocks) return error_out_of_memory(err, "a contact problem");
    e->col = e->row_start + n + 1;
    e->b = e->blocks + 9 * blocks;
    e->r = e->b + 3 * n;
    e->u = e->r + 3 * n;
    e->mu = e->u + 3 * n;
    e->row_start[0] = 0;
    return STATUS_OK;
}

static void put_block(double *block, double w, const m3 *F_i, const m3 *F_j)
{
    const m3 turned = m3_transpose(F_j), W = m3_mul(F_i, &turned);
    for (int row = 0; row < 3; row++) v3_store(block + 3 * row, v3_scale(w, W.row[row]));
}

/* One node's contacts, as the rows from `row` on. */
static void put_node(nodal_explicit *e, uint32_t row, const nodal_contact *c, uint32_t count,
                     double w, v3 v)
{
    const v3 v_free = nodal_add_impulses(c, count, w, -1.0, v);
    for (uint32_t i = 0; i < count; i++) {
        const size_t at = (size_t)row + i;
        const uint32_t slot = e->row_start[at];
        for (uint32_t j = 0; j < count; j++) {
            e->col[slot + j] = row + j;
            put_block(&e->blocks[9 * (size_t)(slot + j)], w, &c[i].F, &c[j].F);
        }
        e->row_start[at + 1] = slot + count;
        v3_store(&e->b[3 * at], nodal_relative_velocity(&c[i], v_free));
        v3_store(&e->r[3 * at], c[i].r);
        v3_store(&e->u[3 * at], nodal_relative_velocity(&c[i], v));
        e->mu[at] = c[i].mu;
    }
}

status nodal_explicit_make(nodal_explicit *e, const nodal_problem *p, size_t begin, size_t end,
                           arena *scratch, error *err)
{
    *e = (nodal_explicit){.contacts = p->first[end] - p->first[begin]};
    const uint64_t blocks = count_blocks(p, begin, end);
    if (blocks > UINT32_MAX) {
        return error_set(err, STATUS_UNSUPPORTED, "a contact problem with more than 2^32 blocks");
    }
    const status st = allocate(e, (size_t)blocks, scratch, err);
    if (st < 0) return st;
    for (size_t i = begin; i < end; i++) {
        const uint32_t count = p->first[i + 1] - p->first[i];
        put_node(e, p->first[i] - p->first[begin], &p->contacts[p->first[i]], count, p->w[i],
                 v3_load(&p->v[3 * i]));
    }
    return STATUS_OK;
}
