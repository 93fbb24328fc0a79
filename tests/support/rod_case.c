/* SPDX-License-Identifier: Apache-2.0 */
#include "support/rod_case.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static double *numbers(size_t count)
{
    double *a = calloc(count, sizeof *a);
    TEST_ASSERT_NOT_NULL(a);
    return a;
}

static body_group *make_group(const rod_model *model, const rod_setup *setup)
{
    const size_t elements = (size_t)setup->rods * setup->elements;
    double *lengths = numbers(elements), *natural = numbers(3 * elements);
    rod_material *material = calloc(setup->rods, sizeof *material);
    TEST_ASSERT_NOT_NULL(material);
    for (size_t e = 0; e < elements; e++) {
        lengths[e] = setup->length / setup->elements;
        v3_store(natural + 3 * e, setup->natural);
    }
    for (size_t i = 0; i < setup->rods; i++) material[i] = setup->material;
    const rods_source source = {.name = "case",
                                .rods = setup->rods,
                                .elements = setup->elements,
                                .free_root = setup->free_root,
                                .lengths = lengths,
                                .natural = natural,
                                .material = material};
    body_group *g = NULL;
    error err;
    error_clear(&err);
    const status st = model->create(&source, &allocator_system, &g, &err);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, err.text);
    free(lengths);
    free(natural);
    free(material);
    return g;
}

rod_case rod_case_make(const rod_model *model, const rod_setup *setup)
{
    rod_case c = {.model = model, .g = make_group(model, setup)};
    c.state = numbers(c.g->count * c.g->state_count);
    c.next = numbers(c.g->count * c.g->state_count);
    c.work = numbers(c.g->count * c.g->work_count);
    c.v = numbers((size_t)c.g->count * c.g->unknowns);
    c.gradient = numbers(c.g->unknowns);
    pose *roots = calloc(setup->rods, sizeof *roots);
    TEST_ASSERT_NOT_NULL(roots);
    for (size_t i = 0; i < setup->rods; i++) roots[i] = pose_identity();
    model->place(c.g, roots, NULL, c.state);
    free(roots);
    return c;
}

void rod_case_end(rod_case *c)
{
    body_group_destroy(c->g);
    free(c->state);
    free(c->next);
    free(c->work);
    free(c->v);
    free(c->gradient);
}

void rod_case_step(rod_case *c, const body_input *in)
{
    const body_group *g = c->g;
    body_predict(g, in, c->state, c->work, 0, g->count);
    for (size_t i = 0; i < g->count; i++) {
        memcpy(c->v + i * g->unknowns, body_v_free(g, c->work, i), g->unknowns * sizeof *c->v);
    }
    body_correct(g, in, c->state, c->work, c->v, c->next, 0, g->count);
    double *old = c->state;
    c->state = c->next;
    c->next = old;
}

double rod_case_slope(rod_case *c, const body_input *in)
{
    double largest = 0.0;
    body_gradient(c->g, in, c->state, 0, c->gradient);
    for (size_t i = 0; i < c->g->unknowns; i++) largest = fmax(largest, fabs(c->gradient[i]));
    return largest;
}

int rod_case_settle(rod_case *c, const body_input *in, double tolerance, int most)
{
    for (int k = 1; k <= most; k++) {
        for (size_t i = 0; i < c->g->count; i++) {
            memset(body_v(c->g, c->state, i), 0, c->g->unknowns * sizeof(double));
        }
        rod_case_step(c, in);
        if (rod_case_slope(c, in) <= tolerance) return k;
    }
    return 0;
}
