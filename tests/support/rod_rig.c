/* SPDX-License-Identifier: Apache-2.0 */
#include "support/rod_rig.h"

#include "math/so3.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

void rod_rig_fill(rod_rig *rig, random_source *rng, uint32_t rods, uint32_t elements, double turn)
{
    TEST_ASSERT_TRUE(rods * elements <= ROD_RIG_MOST);
    for (uint32_t e = 0; e < rods * elements; e++) {
        rig->lengths[e] = random_between(rng, 0.08, 0.12);
        const v3 direction = random_direction(rng);
        v3_store(rig->natural + 3 * e, v3_scale(turn / rig->lengths[e], direction));
    }
    for (uint32_t i = 0; i < rods; i++) {
        rig->material[i] = (rod_material){
            .density = random_between(rng, 0.05, 0.15),
            .bend = {random_between(rng, 5e-4, 2e-3), random_between(rng, 5e-4, 2e-3)},
            .twist = random_between(rng, 5e-4, 2e-3),
            .stretch = 1e3,
            .radius = 2e-3,
            .damping = 0.0,
            .drag = 0.0,
        };
        rig->root[i] = (pose){random_v3(rng), so3_exp(v3_scale(3.0, random_v3(rng)))};
    }
    rig->source = (rods_source){.name = "wig",
                                .rods = rods,
                                .elements = elements,
                                .lengths = rig->lengths,
                                .natural = rig->natural,
                                .material = rig->material};
}

static double *array(size_t count)
{
    double *a = calloc(count, sizeof *a);
    TEST_ASSERT_NOT_NULL(a);
    return a;
}

void rod_rig_build(rod_rig *rig, const char *model)
{
    error err;
    const rod_model *m = rod_model_find(model);
    TEST_ASSERT_EQUAL(STATUS_OK, m->create(&rig->source, &allocator_system, &rig->g, &err));
    rig->state = array(rig->g->count * rig->g->state_count);
    rig->work = array(rig->g->count * rig->g->work_count);
    rig->v = array((size_t)rig->g->count * rig->g->unknowns);
    m->place(rig->g, rig->root, NULL, rig->state);
}

void rod_rig_free(rod_rig *rig)
{
    body_group_destroy(rig->g);
    free(rig->state);
    free(rig->work);
    free(rig->v);
    *rig = (rod_rig){.in = {.h = 1e-3}};
}

void rod_rig_step(rod_rig *rig)
{
    const body_group *g = rig->g;
    body_predict(g, &rig->in, rig->state, rig->work, 0, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        memcpy(rig->v + (size_t)i * g->unknowns, body_v_free(g, rig->work, i),
               g->unknowns * sizeof(double));
    }
    body_correct(g, &rig->in, rig->state, rig->work, rig->v, rig->state, 0, g->count);
}

void rod_rig_multiply(const rod_rig *rig, uint32_t body, const double *x, double *Ax)
{
    const ldl_shape *shape = &rig->g->shape;
    const double *LD = body_factors(rig->g, rig->work, body);
    for (size_t i = 0; i < shape->n; i++) { /* D L^T x */
        Ax[i] = x[i];
        for (size_t j = i + 1; j < shape->n && j - i <= shape->width; j++) {
            Ax[i] += LD[ldl_index(shape, j, i)] * x[j];
        }
        Ax[i] *= LD[ldl_index(shape, i, i)];
    }
    for (size_t i = shape->n; i-- > 0;) { /* L of that */
        for (size_t j = i > shape->width ? i - shape->width : 0; j < i; j++) {
            Ax[i] += LD[ldl_index(shape, i, j)] * Ax[j];
        }
    }
}
