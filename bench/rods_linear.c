/* SPDX-License-Identifier: Apache-2.0
 *
 * One free step of a long strand by the composite super-helix (assembly and dense factors) and by
 * the recursive one, in the same run on one thread, against the number of elements: a wavy strand
 * of 2 cm per element that swings from its root. The fastest of several steps is printed,
 * and the exponents p of time ~ elements^p from the row before.
 */
#include "base/clock.h"
#include "rods/helix_tree.h"
#include "rods/super_helix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 500, TIMED = 15 };

static double lengths[MOST], natural[3 * MOST];
static uint32_t parent[MOST];
static rod_material material[MOST];

static void fill(void)
{
    for (uint32_t e = 0; e < MOST; e++) {
        lengths[e] = 0.02;
        parent[e] = e ? e - 1 : HELIX_TREE_ROOT;
        material[e] = (rod_material){.density = 1e-3,
                                     .bend = {1e-5, 1e-5},
                                     .twist = 1e-5,
                                     .stretch = 1.0,
                                     .radius = 5e-4,
                                     .damping = 0.01,
                                     .drag = 1e-3};
        for (uint32_t c = 0; c < 3; c++) natural[3 * e + c] = (double)(e * (7 + c) % 15) - 7.0;
    }
}

/* The same strand in both forms. */
typedef struct strand {
    body_group *composite;
    helix_tree *recursive;
    double *state[2], *work[2];
} strand;

static bool grow(strand *s, uint32_t elements)
{
    const rods_source rod = {.name = "strand",
                             .rods = 1,
                             .elements = elements,
                             .lengths = lengths,
                             .natural = natural,
                             .material = material};
    const helix_tree_source tree = {.name = "strand",
                                    .elements = elements,
                                    .parent = parent,
                                    .lengths = lengths,
                                    .natural = natural,
                                    .material = material};
    const pose root = pose_identity();
    error err;
    *s = (strand){0};
    if (super_helix_create(&rod, &allocator_system, &s->composite, &err) < 0) return false;
    if (helix_tree_create(&tree, &allocator_system, &s->recursive, &err) < 0) return false;
    s->state[0] = calloc(s->composite->state_count, sizeof(double));
    s->work[0] = calloc(s->composite->work_count, sizeof(double));
    s->state[1] = calloc(helix_tree_state_count(s->recursive), sizeof(double));
    s->work[1] = calloc(helix_tree_work_count(s->recursive), sizeof(double));
    if (!s->state[0] || !s->work[0] || !s->state[1] || !s->work[1]) return false;
    super_helix_place(s->composite, &root, NULL, s->state[0]);
    helix_tree_rest(s->recursive, &root, NULL, s->state[1]);
    return true;
}

static void cut(strand *s)
{
    body_group_destroy(s->composite);
    helix_tree_destroy(s->recursive);
    for (int k = 0; k < 2; k++) {
        free(s->state[k]);
        free(s->work[k]);
    }
}

/* Seconds of one step of each form. */
static bool step(strand *s, const body_input *in, double seconds[2])
{
    const body_group *g = s->composite;
    const double start = clock_now();
    body_predict(g, in, s->state[0], s->work[0], 0, 1);
    body_correct(g, in, s->state[0], s->work[0], body_v_free(g, s->work[0], 0), s->state[0], 0, 1);
    const double between = clock_now();
    const bool good = helix_tree_step(s->recursive, in, s->state[1], s->work[1], s->state[1]);
    seconds[0] = between - start;
    seconds[1] = clock_now() - between;
    return good;
}

static bool measure(uint32_t elements, double best[2])
{
    const body_input in = {.h = 1e-3, .gravity = {0.0, 0.0, -9.81}};
    strand s;
    bool good = grow(&s, elements);
    best[0] = best[1] = INFINITY;
    for (int i = 0; good && i < TIMED; i++) {
        double seconds[2];
        good = step(&s, &in, seconds);
        for (int k = 0; k < 2; k++) best[k] = fmin(best[k], seconds[k]);
    }
    cut(&s);
    return good;
}

int main(void)
{
    static const uint32_t elements[] = {10, 20, 50, 100, 200, 500};
    double last[2];
    fill();
    printf("%8s %14s %14s %8s %22s\n", "elements", "composite us", "recursive us", "ratio",
           "growth exponents");
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        double best[2];
        if (!measure(elements[i], best)) return 1;
        printf("%8u %14.1f %14.1f %8.1f", elements[i], 1e6 * best[0], 1e6 * best[1],
               best[0] / best[1]);
        for (int k = 0; i > 0 && k < 2; k++) {
            const double more = (double)elements[i] / elements[i - 1];
            printf(" %10.2f", log(best[k] / last[k]) / log(more));
        }
        printf("\n");
        memcpy(last, best, sizeof last);
    }
    return 0;
}
