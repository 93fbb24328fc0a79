/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg/min_degree.h"

#include <string.h>

#define NONE UINT32_MAX

/* The quotient graph. Unknown v has the neighbours list[row[v] .. row[v] + near[v]) and the
 * elements list[row[v] + near[v] .. row[v] + near[v] + inside[v]). */
typedef struct graph {
    min_degree *m;
    const allocator *from;
    uint32_t *memory;
    size_t size;
    uint32_t *list, *row, *near, *inside;
    uint32_t *element;                     /* rank of an element, NONE for an unknown */
    uint32_t *swallowed;                   /* by rank: 1 if the element is part of a later one */
    uint32_t *mark;                        /* rank at which an unknown was seen last */
    uint32_t *degree, *head, *next, *last; /* unknowns by degree, doubly linked */
    uint32_t least;                        /* no unknown has a smaller degree */
} graph;

static bool graph_create(graph *g, const bsr3 *A)
{
    const size_t n = A->rows, numbers = A->blocks + 10 * n + 1;
    g->size = memory_size(numbers, sizeof *g->memory);
    g->memory = memory_alloc(g->from, g->size);
    if (!g->memory) return false;
    uint32_t *at = g->memory;
    g->list = at, at += A->blocks;
    g->row = at, at += n;
    g->near = at, at += n;
    g->inside = at, at += n;
    g->element = at, at += n;
    g->swallowed = at, at += n;
    g->mark = at, at += n;
    g->degree = at, at += n;
    g->next = at, at += n;
    g->last = at, at += n;
    g->head = at;
    return true;
}

static void degree_insert(graph *g, uint32_t v, uint32_t degree)
{
    g->degree[v] = degree;
    g->next[v] = g->head[degree];
    g->last[v] = NONE;
    if (g->head[degree] != NONE) g->last[g->head[degree]] = v;
    g->head[degree] = v;
    if (degree < g->least) g->least = degree;
}

static void degree_remove(graph *g, uint32_t v)
{
    if (g->last[v] == NONE) {
        g->head[g->degree[v]] = g->next[v];
    } else {
        g->next[g->last[v]] = g->next[v];
    }
    if (g->next[v] != NONE) g->last[g->next[v]] = g->last[v];
}

static void graph_fill(graph *g, const bsr3 *A)
{
    for (uint32_t v = 0; v < A->rows; v++) {
        g->row[v] = A->row_start[v];
        g->near[v] = g->inside[v] = 0;
        g->element[v] = g->mark[v] = g->head[v] = NONE;
        for (uint32_t k = A->row_start[v]; k < A->row_start[v + 1]; k++) {
            if (A->col[k] != v) g->list[g->row[v] + g->near[v]++] = A->col[k];
        }
    }
    g->head[A->rows] = NONE;
    g->least = A->rows;
    for (uint32_t v = A->rows; v-- > 0;) degree_insert(g, v, g->near[v]);
}

static const uint32_t *element_list(const graph *g, uint32_t rank)
{
    return (const uint32_t *)g->m->entries.data + g->m->start[rank];
}

static size_t element_size(const graph *g, uint32_t rank)
{
    return g->m->start[rank + 1] - g->m->start[rank];
}

/* Adds v to the new element if it is an unknown that is not in it yet. */
static bool element_add(graph *g, uint32_t v, uint32_t rank)
{
    if (g->element[v] != NONE || g->mark[v] == rank) return true;
    g->mark[v] = rank;
    uint32_t *entry = array_push(&g->m->entries);
    if (!entry) return false;
    *entry = v;
    return true;
}

/* p becomes the element `rank`: its neighbours, and those in the elements it was part of. */
static bool eliminate(graph *g, uint32_t p, uint32_t rank)
{
    const uint32_t *list = g->list + g->row[p];
    g->element[p] = g->mark[p] = rank;
    for (uint32_t k = 0; k < g->near[p]; k++) {
        if (!element_add(g, list[k], rank)) return false;
    }
    for (uint32_t k = g->near[p]; k < g->near[p] + g->inside[p]; k++) {
        const uint32_t e = list[k];
        g->swallowed[e] = 1;
        for (size_t i = 0; i < element_size(g, e); i++) {
            if (!element_add(g, element_list(g, e)[i], rank)) return false;
        }
    }
    g->m->start[rank + 1] = g->m->entries.count;
    return true;
}

/* Drops from v what the new element covers, adds the element, and bounds v's degree. */
static void update_unknown(graph *g, uint32_t v, uint32_t rank)
{
    uint32_t *list = g->list + g->row[v];
    uint32_t near = 0, inside = 0;
    for (uint32_t k = 0; k < g->near[v]; k++) {
        if (g->element[list[k]] == NONE && g->mark[list[k]] != rank) list[near++] = list[k];
    }
    size_t degree = near;
    for (uint32_t k = g->near[v]; k < g->near[v] + g->inside[v]; k++) {
        const uint32_t e = list[k];
        if (g->swallowed[e]) continue;
        list[near + inside++] = e;
        degree += element_size(g, e) - 1;
    }
    list[near + inside++] = rank;
    degree += element_size(g, rank) - 1;
    g->near[v] = near;
    g->inside[v] = inside;
    const uint32_t most = g->m->n - rank - 2;
    degree_remove(g, v);
    degree_insert(g, v, degree < most ? (uint32_t)degree : most);
}

static status eliminate_all(graph *g, size_t limit)
{
    min_degree *m = g->m;
    for (uint32_t rank = 0; rank < m->n; rank++) {
        while (g->head[g->least] == NONE) g->least++;
        const uint32_t p = g->head[g->least];
        degree_remove(g, p);
        m->order[rank] = p;
        m->rank[p] = rank;
        if (!eliminate(g, p, rank)) return STATUS_OUT_OF_MEMORY;
        if (m->entries.count > limit) return STATUS_UNSUPPORTED;
        for (size_t i = 0; i < element_size(g, rank); i++) {
            update_unknown(g, element_list(g, rank)[i], rank);
        }
    }
    uint32_t *entry = m->entries.data;
    for (size_t k = 0; k < m->entries.count; k++) entry[k] = m->rank[entry[k]];
    return STATUS_OK;
}

/* start, order and rank in one piece; start is where it begins. */
static size_t result_size(uint32_t n)
{
    return ((size_t)n + 1) * sizeof(size_t) + 2 * (size_t)n * sizeof(uint32_t);
}

status min_degree_create(min_degree *m, const allocator *from, const bsr3 *A, size_t limit)
{
    *m = (min_degree){.n = A->rows};
    array_init(&m->entries, from, sizeof(uint32_t));
    graph g = {.m = m, .from = from};
    m->start = memory_alloc(from, result_size(m->n));
    if (!m->start || !graph_create(&g, A)) {
        min_degree_destroy(m);
        return STATUS_OUT_OF_MEMORY;
    }
    m->order = (uint32_t *)(m->start + m->n + 1);
    m->rank = m->order + m->n;
    graph_fill(&g, A);
    const status st = eliminate_all(&g, limit);
    memory_free(from, g.memory, g.size);
    if (st < 0) min_degree_destroy(m);
    return st;
}

void min_degree_destroy(min_degree *m)
{
    memory_free(m->entries.from, m->start, result_size(m->n));
    array_destroy(&m->entries);
    m->start = NULL;
    m->order = m->rank = NULL;
}
