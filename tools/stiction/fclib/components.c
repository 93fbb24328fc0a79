/* SPDX-License-Identifier: Apache-2.0 */
#include "components.h"

#include <stdlib.h>

/* ---- union-find ------------------------------------------------------------------------------ */

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The lower number becomes the root, so that a component is known by its first unknown. */
static void unite(uint32_t *parent, uint32_t i, uint32_t j)
{
    i = find_root(parent, i);
    j = find_root(parent, j);
    if (i < j) parent[j] = i;
    if (j < i) parent[i] = j;
}

static void find_components(uint32_t *parent, const sparse *a)
{
    for (uint32_t i = 0; i < a->cols; i++) parent[i] = i;
    for (uint32_t j = 0; j < a->cols; j++) {
        for (size_t k = a->start[j]; k < a->start[j + 1]; k++) unite(parent, a->row[k], j);
    }
    for (uint32_t i = 0; i < a->cols; i++) parent[i] = find_root(parent, i);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Components in the order of their roots. A root comes before its other unknowns: when it is met,
 * its component's size is turned into the component's first place. */
static void place_unknowns(components *c, const uint32_t *root, uint32_t *next, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) next[root[i]]++;
    uint32_t begin = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (root[i] == i) {
            const uint32_t size = next[i];
            for (uint32_t k = begin; k < begin + size; k++) c->end[k] = begin + size;
            next[i] = begin;
            begin += size;
        }
        c->place[i] = next[root[i]]++;
    }
}

bool components_find(components *out, const sparse *a)
{
    const size_t n = a->cols;
    *out = (components){malloc(n * sizeof *out->place), malloc(n * sizeof *out->end)};
    uint32_t *root = malloc(n * sizeof *root), *next = calloc(n, sizeof *next);
    const bool good = out->place && out->end && root && next;
    if (good) {
        find_components(root, a);
        place_unknowns(out, root, next, a->cols);
    } else {
        components_free(out);
    }
    free(root);
    free(next);
    return good;
}

void components_free(components *c)
{
    free(c->place);
    free(c->end);
    *c = (components){0};
}
