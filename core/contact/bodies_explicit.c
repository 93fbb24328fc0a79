/* SPDX-License-Identifier: Apache-2.0
 *
 * The operator of a problem of bodies, W_ij = sum Z_i^T Z_j over the bodies that i and j share, for
 * solvers that want it. Everything here is in the caller's order of contacts.
 */
#include "contact/bodies.h"

#include "linalg/lanes.h"

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
        const bodies_record *c = bodies_record_of(p, j / 2);
        if (c->groups[j % 2]) l->start[c->at[j % 2] + 2]++;
    }
    for (size_t g = 2; g < l->start_count; g++) l->start[g] += l->start[g - 1];
    for (uint32_t j = 0; j < 2 * p->contacts; j++) {
        const bodies_record *c = bodies_record_of(p, j / 2);
        if (c->groups[j % 2]) l->side[l->start[c->at[j % 2] + 1]++] = j;
    }
    return true;
}

static const double *side_matrix(const bodies_problem *p, uint32_t j)
{
    const bodies_record *c = bodies_record_of(p, j / 2);
    return bodies_matrix(p, c) + (j % 2 ? BODIES_BLOCK * (size_t)c->groups[0] : 0);
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
        const bodies_record *c = bodies_record_of(p, i);
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
        const bodies_record *c = bodies_record_of(p, i);
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
