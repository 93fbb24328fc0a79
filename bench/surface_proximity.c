/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs to find the contacts of a crumpled sheet with itself: boxes and refit, then the
 * search, in nanoseconds per triangle, for the size of a garment and for a large one. The sheet is
 * a metre wide, a millimetre thick, pushed together into folds of many layers, and moves by about
 * its thickness in the step. The fastest of several rounds is printed, on one thread and on two.
 */
#include "base/clock.h"
#include "collide/proximity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9 };

typedef struct sheet {
    surface s;
    double *rest, *x0, *x1;
} sheet;

static uint32_t *triangulate(uint32_t n)
{
    uint32_t *corner = malloc(6 * (size_t)(n - 1) * (n - 1) * sizeof *corner), *at = corner;
    for (uint32_t i = 0; corner && i + 1 < n; i++) {
        for (uint32_t j = 0; j + 1 < n; j++) {
            const uint32_t a = i * n + j, b = a + n;
            const uint32_t both[6] = {a, a + 1, b + 1, a, b + 1, b};
            for (int k = 0; k < 6; k++) *at++ = both[k];
        }
    }
    return corner;
}

/* Folds along x, pressed to a tenth of their width so that layers lie 4 mm apart and lengths stay
 * about what they were, with ripples across them. */
static void crumple(sheet *t, uint32_t n)
{
    for (uint32_t v = 0; v < n * n; v++) {
        const double x = (double)(v % n) / (n - 1), y = (double)(v / n) / (n - 1);
        v3_store(t->rest + 3 * (size_t)v, (v3){x, y, 0.0});
        const v3 at = {0.1 * x, 0.9 * y + 0.002 * sin(40.0 * x),
                       0.0127 * sin(78.5 * x) + 0.004 * sin(60.0 * y + 9.0 * x)};
        v3_store(t->x0 + 3 * (size_t)v, at);
        v3_store(t->x1 + 3 * (size_t)v, v3_add(at, (v3){0.0, 0.0, -1e-3 * (1.0 - x)}));
    }
}

static bool make(sheet *t, uint32_t n)
{
    error err;
    const size_t vertices = (size_t)n * n, size = 3 * vertices * sizeof(double);
    *t = (sheet){.rest = malloc(size), .x0 = malloc(size), .x1 = malloc(size)};
    uint32_t *corner = triangulate(n);
    if (!corner || !t->rest || !t->x0 || !t->x1) return false;
    crumple(t, n);
    const surface_source source = {
        .vertices = vertices, .faces = 2 * (size_t)(n - 1) * (n - 1), .corner = corner};
    bool done = surface_init(&t->s, &allocator_system, &source, &err) >= 0;
    done = done && surface_build(&t->s, t->rest, &err) >= 0;
    free(corner);
    t->s.radius = 5e-4;
    t->s.rest = t->rest;
    t->s.exempt = 2e-3;
    return done;
}

static void destroy(sheet *t)
{
    surface_destroy(&t->s);
    free(t->rest);
    free(t->x0);
    free(t->x1);
}

static bool measure(sheet *t, uint32_t threads)
{
    error err;
    harvest found;
    double move = 1e9, search = 1e9;
    pool *p = pool_create(&allocator_system, threads, NULL);
    harvest_init(&found, &allocator_system, sizeof(proximity));
    for (int i = 0; i < ROUNDS; i++) {
        const double start = clock_now();
        surface_move(&t->s, t->x0, t->x1, 2.5e-4, p);
        const double middle = clock_now();
        if (proximity_gather(&t->s, &t->s, PROXIMITY_ALL, p, &found, &err) < 0) return false;
        const double end = clock_now();
        if (middle - start < move) move = middle - start;
        if (end - middle < search) search = end - middle;
    }
    const double each = 1e9 / t->s.faces;
    printf("%9u %9u %8u %9zu %10.1f %10.1f %10.1f %9.2f\n", t->s.vertices, t->s.faces, threads,
           found.items.count, each * move, each * search, each * (move + search),
           1e3 * (move + search));
    harvest_destroy(&found);
    pool_destroy(p);
    return true;
}

int main(void)
{
    static const uint32_t sides[] = {78, 317};
    printf("%9s %9s %8s %9s %10s %10s %10s %9s\n", "vertices", "faces", "threads", "contacts",
           "refit ns", "search ns", "both ns", "both ms");
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        sheet t;
        bool done = make(&t, sides[i]);
        for (uint32_t threads = 1; done && threads <= 2; threads++) done = measure(&t, threads);
        destroy(&t);
        if (!done) return 1;
    }
    return 0;
}
