/* SPDX-License-Identifier: Apache-2.0
 *
 * What the free part of a step costs for super-helices (kinematics, assembly, factorisation), with
 * rods side by side and one at a time, in the same run on one thread: wavy hair of 20 cm in 5
 * elements. The fastest of several steps is printed.
 */
#include "base/clock.h"
#include "rods/super_helix.h"
#include "rods/super_helix_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 5, MOST = 1920, WARM_UP = 20, TIMED = 20 };

typedef struct hair {
    body_group *g;
    double *state, *work, *v;
    body_input in;
} hair;

static double lengths[MOST * ELEMENTS], natural[3 * MOST * ELEMENTS];
static rod_material material[MOST];
static pose root[MOST];

/* Natural curls between a straight line and half a radian in each element. */
static bool grow(hair *out, uint32_t rods)
{
    const rods_source source = {.name = "hair",
                                .rods = rods,
                                .elements = ELEMENTS,
                                .lengths = lengths,
                                .natural = natural,
                                .material = material};
    error err;
    for (uint32_t i = 0; i < rods * ELEMENTS; i++) {
        lengths[i] = 0.04;
        for (uint32_t c = 0; c < 3; c++) natural[3 * i + c] = (double)(i * (7 + c) % 15) - 7.0;
    }
    for (uint32_t i = 0; i < rods; i++) {
        material[i] = (rod_material){.density = 1e-5,
                                     .bend = {1e-9, 1e-9},
                                     .twist = 1e-9,
                                     .stretch = 1.0,
                                     .radius = 4e-5,
                                     .damping = 0.01,
                                     .drag = 1e-5};
        root[i] = pose_identity();
    }
    *out = (hair){.in = {.h = 1e-3, .gravity = {0.0, 0.0, -9.81}}};
    if (super_helix_create(&source, &allocator_system, &out->g, &err) < 0) return false;
    out->state = calloc(rods, out->g->state_count * sizeof(double));
    out->work = calloc(rods, out->g->work_count * sizeof(double));
    out->v = calloc(rods, out->g->unknowns * sizeof(double));
    if (!out->state || !out->work || !out->v) return false;
    super_helix_place(out->g, root, NULL, out->state);
    return true;
}

static void cut(hair *h)
{
    body_group_destroy(h->g);
    free(h->state);
    free(h->work);
    free(h->v);
}

static void step(hair *h)
{
    const body_group *g = h->g;
    body_predict(g, &h->in, h->state, h->work, 0, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        memcpy(h->v + (size_t)i * g->unknowns, body_v_free(g, h->work, i),
               g->unknowns * sizeof(double));
    }
    body_correct(g, &h->in, h->state, h->work, h->v, h->state, 0, g->count);
}

static double time_lanes(hair *h)
{
    const double start = clock_now();
    body_predict(h->g, &h->in, h->state, h->work, 0, h->g->count);
    return clock_now() - start;
}

static double time_one_by_one(hair *h)
{
    const double start = clock_now();
    for (uint32_t i = 0; i < h->g->count; i++) {
        super_helix_predict_one(super_helix_of(h->g), &h->in, h->state, h->work, i);
    }
    return clock_now() - start;
}

int main(void)
{
    printf("%8s %12s %12s %8s %12s\n", "rods", "lanes ms", "plain ms", "ratio", "us per rod");
    for (uint32_t rods = 240; rods <= MOST; rods *= 2) {
        hair h;
        double lanes = 1e9, plain = 1e9;
        if (!grow(&h, rods)) return 1;
        for (int i = 0; i < WARM_UP; i++) step(&h);
        for (int i = 0; i < TIMED; i++) {
            const double wide = time_lanes(&h), narrow = time_one_by_one(&h);
            if (wide < lanes) lanes = wide;
            if (narrow < plain) plain = narrow;
        }
        printf("%8u %12.3f %12.3f %8.2f %12.3f\n", rods, 1e3 * lanes, 1e3 * plain, plain / lanes,
               1e6 * lanes / rods);
        cut(&h);
    }
    return 0;
}
