/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/nodes_explicit.h"

#include <inttypes.h>
#include <string.h>

static const size_t MOST_FILL = 2000000;   /* blocks of the factors of A */
static const size_t MOST_BLOCKS = 2000000; /* of W: some 150 MB */

/* ---- what it would cost ---- */

enum { SOLVER_SWEEPS = 500 }; /* as much work as solving the explicit problem may take */

status nodes_explicit_work(const nodes_problem *p, const allocator *from, double *flops, error *err)
{
    const double blocks = (double)p->contacts * (double)p->contacts;
    *flops = blocks > (double)MOST_BLOCKS ? INFINITY : 18.0 * SOLVER_SWEEPS * blocks;
    if (p->nodes == 0 || !isfinite(*flops)) return STATUS_OK;
    min_degree m;
    const status st = min_degree_create(&m, from, &p->A, MOST_FILL);
    if (st == STATUS_UNSUPPORTED) {
        *flops = INFINITY;
        return STATUS_OK;
    }
    if (st < 0) return error_out_of_memory(err, "the order of elimination of A");
    for (uint32_t i = 0; i < m.n; i++) {
        const double width = (double)(m.start[i + 1] - m.start[i]);
        *flops += 54.0 * width * width + 108.0 * width * (double)p->contacts;
    }
    min_degree_destroy(&m);
    return STATUS_OK;
}

/* ---- W, one block column after another ---- */

/* The columns of A^-1 H_i^T, and of W. By symmetry they become rows. */
typedef struct columns {
    const nodes_explicit *e;
    double *x[3]; /* [3 nodes] each */
    m3 *block;    /* [contacts] W_ij, j by contact */
    bool *there;
    /* the rows made of them */
    double *blocks, *b, *mu;
    uint32_t *row_start, *col;
    uint32_t count;
} columns;

static void solve_nodes(columns *k, const nodes_record *c)
{
    const nodes_problem *p = k->e->p;
    for (int l = 0; l < 3; l++) {
        memset(k->x[l], 0, 3 * (size_t)p->nodes * sizeof *k->x[l]);
        for (uint32_t t = c->term; t < c->term + c->terms; t++) {
            v3_store(k->x[l] + 3 * (size_t)p->term[t].node, p->term[t].H.row[l]);
        }
        block_lu_solve(&k->e->A, k->x[l]);
    }
}

static bool is_zero(const m3 *B)
{
    for (int l = 0; l < 3; l++) {
        if (B->row[l].x != 0.0 || B->row[l].y != 0.0 || B->row[l].z != 0.0) return false;
    }
    return true;
}

/* W_ij += (H_j x)^T. Nodes that do not hang together give exact zeros, which are left out. */
static void add_nodes(columns *k, const nodes_record *other)
{
    const nodes_problem *p = k->e->p;
    m3 sum = m3_diagonal(0.0);
    for (uint32_t t = other->term; t < other->term + other->terms; t++) {
        const size_t at = 3 * (size_t)p->term[t].node;
        for (int l = 0; l < 3; l++) {
            sum.row[l] = v3_add(sum.row[l], m3_mul_v3(&p->term[t].H, v3_load(k->x[l] + at)));
        }
    }
    if (is_zero(&sum)) return;
    k->block[other->contact] = m3_add(&k->block[other->contact], &sum);
    k->there[other->contact] = true;
}

static void add_bodies(columns *k, const nodes_record *c, const nodes_record *other)
{
    const nodes_problem *p = k->e->p;
    for (uint32_t a = c->pull; a < c->pull + c->pulls; a++) {
        for (uint32_t b = other->pull; b < other->pull + other->pulls; b++) {
            if (p->pull[a].at != p->pull[b].at) continue;
            const m3 product =
                nodes_multiply_pulls(p->Z + p->pull[a].Z, p->Z + p->pull[b].Z, p->pull[a].n);
            k->block[other->contact] = m3_add(&k->block[other->contact], &product);
            k->there[other->contact] = true;
        }
    }
}

static void list_row(columns *k, uint32_t contact)
{
    for (uint32_t j = 0; j < k->e->p->contacts; j++) {
        if (!k->there[j]) continue;
        for (size_t l = 0; l < 3; l++) {
            v3_store(k->blocks + 9 * (size_t)k->count + 3 * l, k->block[j].row[l]);
        }
        k->col[k->count++] = j;
        k->there[j] = false;
        k->block[j] = m3_diagonal(0.0);
    }
    k->row_start[contact + 1] = k->count;
}

static const nodes_record **find_records(const nodes_problem *p, const allocator *from)
{
    const nodes_record **by_contact =
        memory_alloc(from, memory_size(p->contacts, sizeof *by_contact));
    for (uint32_t k = 0; by_contact && k < p->contacts; k++) {
        by_contact[p->record[k].contact] = &p->record[k];
    }
    return by_contact;
}

static void fill_rows(columns *k, const nodes_record *const *by_contact, const double *v)
{
    const nodes_problem *p = k->e->p;
    k->row_start[0] = 0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const nodes_record *c = by_contact[i];
        if (c->terms) solve_nodes(k, c);
        for (uint32_t j = 0; j < p->contacts; j++) {
            if (c->terms && p->record[j].terms) add_nodes(k, &p->record[j]);
            if (c->pulls) add_bodies(k, c, &p->record[j]);
        }
        list_row(k, i);
        v3 b = c->b;
        for (uint32_t t = c->term; t < c->term + c->terms; t++) {
            b = v3_add(b, m3_mul_v3(&p->term[t].H, v3_load(v + 3 * (size_t)p->term[t].node)));
        }
        v3_store(k->b + 3 * (size_t)i, b);
        k->mu[i] = c->mu;
    }
}

/* One piece of memory for all of it; v is the nodes' velocity without contacts. */
static status fill_problem(nodes_explicit *e, const allocator *from, error *err)
{
    const nodes_problem *p = e->p;
    const size_t n = p->contacts, numbers = 3 * (size_t)p->nodes, most = n * n;
    const size_t doubles = 9 * most + 4 * n + 4 * numbers + 9 * n;
    const size_t size =
        doubles * sizeof(double) + (most + n + 1) * sizeof(uint32_t) + n * sizeof(bool);
    double *memory = memory_alloc(from, size);
    const nodes_record **by_contact = find_records(p, from);
    status st = memory && by_contact ? STATUS_OK : error_out_of_memory(err, "an explicit operator");
    if (st >= 0) {
        columns k = {.e = e, .blocks = memory};
        k.b = k.blocks + 9 * most;
        k.mu = k.b + 3 * n;
        double *v = k.mu + n;
        for (size_t l = 0; l < 3; l++) k.x[l] = v + (l + 1) * numbers;
        k.block = (m3 *)(void *)(v + 4 * numbers);
        k.row_start = (uint32_t *)(void *)(k.block + n);
        k.col = k.row_start + n + 1;
        k.there = (bool *)(void *)(k.col + most);
        if (p->nodes) nodes_explicit_velocity(e, p->f, v);
        fill_rows(&k, by_contact, v);
        const contact_source source = {p->contacts, k.row_start, k.col, k.blocks, k.b, k.mu};
        st = contact_problem_create(&e->problem, from, &source, err);
    }
    memory_free(from, by_contact, n * sizeof *by_contact);
    memory_free(from, memory, size);
    return st;
}

/* ---- A ---- */

static status factor(nodes_explicit *e, const allocator *from, error *err)
{
    const nodes_problem *p = e->p;
    if (p->nodes == 0) return STATUS_OK;
    const status st = block_lu_create(&e->A, from, &p->A, MOST_FILL);
    e->has_factors = st >= 0;
    if (st == STATUS_UNSUPPORTED) {
        return error_set(err, st,
                         "the factors of A with its %" PRIu32 " nodes would have more than %zu "
                         "blocks, too many for an explicit operator",
                         p->nodes, MOST_FILL);
    }
    e->rest = memory_alloc(from, memory_size(p->nodes, 3 * sizeof *e->rest));
    if (st < 0 || !e->rest) return error_out_of_memory(err, "the factors of A");
    if (block_lu_factor(&e->A, &p->A, NULL)) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "A is not positive definite: it is singular");
}

status nodes_explicit_create(nodes_explicit *e, const nodes_problem *p, const allocator *from,
                             error *err)
{
    *e = (nodes_explicit){.p = p, .problem.W.from = from, .A.from = from};
    if ((size_t)p->contacts * p->contacts > MOST_BLOCKS) {
        return error_set(err, STATUS_UNSUPPORTED,
                         "%" PRIu32 " contacts are too many for an explicit operator, which may "
                         "have %zu blocks",
                         p->contacts, MOST_BLOCKS);
    }
    status st = factor(e, from, err);
    if (st >= 0) st = fill_problem(e, from, err);
    if (st < 0) nodes_explicit_destroy(e, from);
    return st;
}

void nodes_explicit_destroy(nodes_explicit *e, const allocator *from)
{
    contact_problem_destroy(&e->problem, from);
    if (e->has_factors) block_lu_destroy(&e->A);
    memory_free(from, e->rest, e->p->nodes * 3 * sizeof *e->rest);
    *e = (nodes_explicit){.p = e->p, .problem.W.from = from, .A.from = from};
}

void nodes_explicit_velocity(const nodes_explicit *e, const double *g, double *v)
{
    const size_t numbers = 3 * (size_t)e->p->nodes;
    if (numbers == 0) return;
    memcpy(v, g, numbers * sizeof *v);
    block_lu_solve(&e->A, v);
    bsr3_mul(&e->p->A, NULL, v, e->rest);
    for (size_t k = 0; k < numbers; k++) e->rest[k] = g[k] - e->rest[k];
    block_lu_solve(&e->A, e->rest);
    for (size_t k = 0; k < numbers; k++) v[k] += e->rest[k];
}
