/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step of cloth without contacts costs: assembly (elements, then rows) and conjugate
 * gradients, in nanoseconds per triangle, on one thread and on two. A square metre of `cotton` and
 * of `tango-red-jet-set`, held at two corners, at 2 ms; the fastest of several steps is printed.
 */
#include "base/clock.h"
#include "cloth/free_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 2, TIMED = 5 };

typedef struct square {
    uint32_t nodes, triangles, *corner;
    double *x, *v, *next, *mass, *still;
    uint8_t *is_held;
} square;

static bool square_make(square *q, uint32_t cells)
{
    const uint32_t n = cells + 1;
    *q = (square){.nodes = n * n, .triangles = 2 * cells * cells};
    q->corner = calloc(3 * (size_t)q->triangles, sizeof *q->corner);
    q->x = calloc(15 * (size_t)q->nodes, sizeof *q->x);
    q->is_held = calloc(q->nodes, 1);
    if (!q->corner || !q->x || !q->is_held) return false;
    q->v = q->x + 3 * (size_t)q->nodes;
    q->next = q->v + 3 * (size_t)q->nodes;
    q->still = q->next + 3 * (size_t)q->nodes;
    q->mass = q->still + 3 * (size_t)q->nodes;
    uint32_t *at = q->corner;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t a = i * n + j;
            q->x[3 * a] = (double)i / cells;
            q->x[3 * a + 1] = (double)j / cells;
            if (i == cells || j == cells) continue;
            const uint32_t six[6] = {a, a + n, a + n + 1, a, a + n + 1, a + 1};
            memcpy(at, six, sizeof six);
            at += 6;
        }
    }
    q->is_held[0] = q->is_held[cells] = 1;
    return true;
}

static void square_free(square *q)
{
    free(q->corner);
    free(q->x);
    free(q->is_held);
}

typedef struct timing {
    double assembly, step;
    uint32_t iterations;
} timing;

static bool time_steps(square *q, cloth_solver *s, double damping, pool *threads, timing *out)
{
    const cloth_step_options options = {1, 0.0, 1e-6, 2000};
    const cloth_forcing f = {.h = 2e-3,
                             .theta = 1.0,
                             .damping = damping,
                             .gravity = {0.0, 0.0, -9.81},
                             .mass = q->mass,
                             .x = q->x,
                             .v = q->v,
                             .is_known = q->is_held,
                             .v_known = q->still};
    *out = (timing){1e30, 1e30, 0};
    for (int k = 0; k < WARM_UP + TIMED; k++) {
        cloth_step_report report;
        error err;
        const double begin = clock_now();
        cloth_system_begin(&s->system, &f, threads);
        cloth_system_assemble(&s->system, NULL, threads);
        const double middle = clock_now();
        if (cloth_free_step(s, &f, &options, threads, q->next, &report, &err) < 0) return false;
        const double end = clock_now();
        cloth_system_move(&s->system, q->next, q->x);
        memcpy(q->v, q->next, 3 * (size_t)q->nodes * sizeof *q->v);
        if (k < WARM_UP) continue;
        out->iterations = report.linear;
        if (middle - begin < out->assembly) out->assembly = middle - begin;
        if (end - middle < out->step) out->step = end - middle;
    }
    return true;
}

static bool show(const char *name, uint32_t cells, uint32_t threads)
{
    const cloth_preset *p = cloth_preset_find(name);
    square q;
    cloth_sheet sheet;
    cloth_solver s;
    error err;
    timing t;
    if (!p || !square_make(&q, cells)) return false;
    const cloth_sheet_source source = {.nodes = q.nodes,
                                       .triangles = q.triangles,
                                       .corner = q.corner,
                                       .rest = {.positions = q.x},
                                       .material = p->material};
    if (cloth_sheet_create(&sheet, &allocator_system, &source, &err) < 0) return false;
    if (cloth_solver_create(&s, &allocator_system, &sheet, &err) < 0) return false;
    cloth_sheet_find_areas(&sheet, q.mass);
    for (uint32_t i = 0; i < q.nodes; i++) q.mass[i] *= p->material.density;
    pool *workers = pool_create(&allocator_system, threads, NULL);
    const bool good = time_steps(&q, &s, p->material.damping, workers, &t);
    if (good) {
        printf("%-20s %8u %8u %8u %10.0f %10.0f %8u\n", name, q.nodes, q.triangles, threads,
               1e9 * t.assembly / q.triangles, 1e9 * t.step / q.triangles, t.iterations);
        fflush(stdout);
    }
    pool_destroy(workers);
    cloth_solver_destroy(&s);
    cloth_sheet_destroy(&sheet);
    square_free(&q);
    return good;
}

int main(void)
{
    const char *names[2] = {"cotton", "tango-red-jet-set"};
    printf("%-20s %8s %8s %8s %10s %10s %8s\n", "preset", "nodes", "faces", "threads", "assembly",
           "step", "PCG");
    printf("%-20s %8s %8s %8s %10s %10s\n", "", "", "", "", "ns/face", "ns/face");
    for (int k = 0; k < 2; k++) {
        for (uint32_t cells = 32; cells <= 200; cells = 2 * cells + cells / 2) {
            for (uint32_t threads = 1; threads <= 2; threads++) {
                if (!show(names[k], cells, threads)) return 1;
            }
        }
    }
    return 0;
}
