/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the first cloth, nodes without elasticity, in the three states that cost differently:
 * all nodes slide on a plane, all stick to it, all fly above it.
 */
#include <stdlib.h>

#include "bench.h"

typedef struct situation {
    const char *name;
    double height; /* over the plane, beyond the thickness */
    double speed;  /* along the plane */
    double mu;
} situation;

static const situation situations[] = {
    {"cloth_first/slide", 0.0, 1000.0, 0.1},
    {"cloth_first/stick", 0.0, 0.0, 0.5},
    {"cloth_first/flight", 1e6, 10.0, 0.5},
};

typedef struct size {
    uint32_t rows, columns;
} size;

static const size sizes[] = {{25, 40}, {100, 100}, {250, 400}};

static const double THICKNESS = 0.001, SPACING = 0.01, DT = 1.0 / 240.0;

/* Positions, velocities and masses of the sheet in one block; NULL: out of memory. */
static double *make_sheet(const situation *s, const size *n)
{
    const size_t count = (size_t)n->rows * n->columns;
    double *block = malloc(7 * count * sizeof *block);
    if (!block) return NULL;
    double *x = block, *v = block + 3 * count, *m = block + 6 * count;
    for (size_t i = 0; i < count; i++) {
        x[3 * i] = SPACING * (double)(i / n->columns);
        x[3 * i + 1] = SPACING * (double)(i % n->columns);
        x[3 * i + 2] = THICKNESS + s->height;
        v[3 * i] = s->speed;
        v[3 * i + 1] = 0.5 * s->speed;
        v[3 * i + 2] = 0.0;
        m[i] = 1e-5;
    }
    return block;
}

static stn_view view_of(const double *data, size_t count, uint32_t components)
{
    return (stn_view){.struct_size = sizeof(stn_view),
                      .format = STN_FORMAT_F64,
                      .data = data,
                      .count = count,
                      .components = components};
}

static bool fill_scene(bench *b, stn_scene *scene, const situation *s, const size *n)
{
    const size_t count = (size_t)n->rows * n->columns;
    double *block = make_sheet(s, n);
    if (!block) return !bench_failed(b, NULL, STN_ERROR_OUT_OF_MEMORY);
    const stn_view x = view_of(block, count, 3), v = view_of(block + 3 * count, count, 3);
    const stn_view m = view_of(block + 6 * count, count, 1);
    const stn_cloth_desc cloth = {
        .struct_size = sizeof cloth, .positions = &x, .velocities = &v, .masses = &m};
    const stn_collider_desc plane = {.struct_size = sizeof plane, .shape = STN_SHAPE_PLANE};
    stn_id cloth_id = 0, plane_id = 0;
    bench_failed(b, scene, b->api->cloth_create(scene, &cloth, &cloth_id));
    free(block);
    bench_failed(b, scene, b->api->collider_create(scene, &plane, &plane_id));
    const stn_api *api = b->api;
    bench_failed(b, scene, api->parameter_set(scene, cloth_id, "thickness", &THICKNESS, 1));
    bench_failed(b, scene, api->parameter_set(scene, cloth_id, "friction", &s->mu, 1));
    return !bench_failed(b, scene, api->parameter_set(scene, plane_id, "friction", &s->mu, 1));
}

static void measure(bench *b, const situation *s, const size *n, uint32_t threads)
{
    const stn_scene_desc desc = {.struct_size = sizeof desc, .threads = threads};
    stn_scene *scene = NULL;
    if (bench_failed(b, NULL, b->api->scene_create(&desc, &scene))) return;
    if (fill_scene(b, scene, s, n)) {
        const uint32_t nodes = n->rows * n->columns, per_repetition = 200000;
        bench_measure(b, s->name, scene, DT, threads, per_repetition / nodes);
    }
    b->api->scene_destroy(scene);
}

static void cloth_first_run(bench *b)
{
    for (size_t s = 0; s < sizeof situations / sizeof situations[0]; s++) {
        if (!bench_wants(b, situations[s].name)) continue;
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
            const uint32_t first = b->threads ? b->threads : 1, last = b->threads ? b->threads : 2;
            for (uint32_t t = first; t <= last; t++) measure(b, &situations[s], &sizes[n], t);
        }
    }
}

const bench_suite bench_cloth_first = {
    "cloth_first", "steps of cloth without elasticity: sliding, sticking, in flight",
    cloth_first_run};
