/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/contour.h"

#include "support/counting_allocator.h"
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

typedef struct untangling {
    harvest crossings;
    contour contours;
    double *push_a, *push_b;
} untangling;

static void begin(untangling *u, const test_surface *a, const test_surface *b)
{
    harvest_init(&u->crossings, &allocator_system, sizeof(crossing));
    contour_init(&u->contours, &allocator_system);
    u->push_a = calloc(3 * a->mesh.vertices, sizeof(double));
    u->push_b = a == b ? u->push_a : calloc(3 * b->mesh.vertices, sizeof(double));
    TEST_ASSERT_NOT_NULL(u->push_a);
    TEST_ASSERT_NOT_NULL(u->push_b);
}

static void end(untangling *u)
{
    if (u->push_b != u->push_a) free(u->push_b);
    free(u->push_a);
    contour_destroy(&u->contours);
    harvest_destroy(&u->crossings);
}

/* Moves by one push; returns how many crossings there were before it. */
static size_t push_once(untangling *u, test_surface *a, test_surface *b, double step)
{
    error err = {0};
    test_surface_move(a, 0.0, NULL);
    test_surface_move(b, 0.0, NULL);
    TEST_ASSERT_EQUAL(STATUS_OK, crossing_gather(&a->s, &b->s, NULL, &u->crossings, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, contour_find_push(&u->contours, &a->s, &b->s, &u->crossings, step,
                                                   u->push_a, u->push_b, &err));
    for (size_t i = 0; i < 3 * a->mesh.vertices; i++) a->x1[i] += u->push_a[i];
    for (size_t i = 0; a != b && i < 3 * b->mesh.vertices; i++) b->x1[i] += u->push_b[i];
    return u->crossings.items.count;
}

static int rounds_to_untangle(test_surface *a, test_surface *b, double step, int most)
{
    untangling u;
    int round = 0;
    begin(&u, a, b);
    while (push_once(&u, a, b, step) > 0 && round < most) round++;
    end(&u);
    return round;
}

/* A sheet that stands on a corner, which is `depth` under the other one. */
static void stand_up(test_surface *t, double depth)
{
    for (size_t v = 0; v < t->mesh.vertices; v++) {
        double *x = t->x1 + 3 * v;
        const double across = sqrt(0.5) * (x[0] - x[1]), up = sqrt(0.5) * (x[0] + x[1] + 1.0);
        x[0] = across + 0.007;
        x[1] = 0.013 + 0.05 * across;
        x[2] = up - depth;
    }
}

static void test_a_corner_that_pokes_through_is_drawn_back(void)
{
    test_surface a, b;
    test_surface_make(&a, test_mesh_sheet(0.5, 10), &allocator_system);
    test_surface_make(&b, test_mesh_sheet(1.0, 14), &allocator_system);
    stand_up(&a, 0.06);
    TEST_ASSERT_LESS_THAN(12, rounds_to_untangle(&a, &b, 0.02, 12));
    test_surface_free(&a);
    test_surface_free(&b);
}

static void test_what_is_held_stays(void)
{
    test_surface a, b;
    test_surface_make(&a, test_mesh_sheet(0.5, 10), &allocator_system);
    test_surface_make(&b, test_mesh_sheet(1.0, 14), &allocator_system);
    stand_up(&a, 0.06);
    uint8_t held[225];
    memset(held, 1, sizeof held);
    b.s.held = held;
    TEST_ASSERT_LESS_THAN(12, rounds_to_untangle(&a, &b, 0.02, 12));
    TEST_ASSERT_EQUAL_MEMORY(b.mesh.x, b.x1, 3 * b.mesh.vertices * sizeof *b.x1);
    test_surface_free(&a);
    test_surface_free(&b);
}

/* One sheet folded over, a corner of the upper half pressed through the lower. */
static void test_a_fold_that_crosses_itself_opens(void)
{
    test_surface t;
    test_surface_make(&t, test_mesh_sheet(0.5, 16), &allocator_system);
    for (size_t v = 0; v < t.mesh.vertices; v++) {
        double *x = t.x1 + 3 * v;
        const double corner = x[0] + x[1] - 0.75;
        if (x[0] > 0.0) x[2] = 0.04 - 0.4 * (corner > 0.0 ? corner : 0.0);
        if (x[0] > 0.0) x[0] = -x[0] * 0.83 - 0.004;
    }
    TEST_ASSERT_LESS_THAN(12, rounds_to_untangle(&t, &t, 0.02, 12));
    test_surface_free(&t);
}

static void test_contours_that_are_apart_are_counted(void)
{
    test_surface a, b;
    untangling u;
    test_surface_make(&a, test_mesh_sheet(0.5, 10), &allocator_system);
    test_surface_make(&b, test_mesh_sheet(1.0, 14), &allocator_system);
    for (size_t v = 0; v < b.mesh.vertices; v++) b.x1[3 * v + 2] = 0.1 + 0.001 * b.x1[3 * v];
    a.x1[3 * 24 + 2] = 0.15; /* two peaks go through from below */
    a.x1[3 * 96 + 2] = 0.15;
    begin(&u, &a, &b);
    TEST_ASSERT_GREATER_THAN_size_t(6, push_once(&u, &a, &b, 0.02));
    TEST_ASSERT_EQUAL_size_t(2, u.contours.count);
    TEST_ASSERT_TRUE(u.push_a[3 * 24 + 2] < 0.0);
    TEST_ASSERT_TRUE(u.push_a[3 * 96 + 2] < 0.0);
    for (size_t v = 0; v < a.mesh.vertices; v++) {
        TEST_ASSERT_TRUE(v3_norm(v3_load(u.push_a + 3 * v)) <= 0.02 * (1.0 + 1e-12));
    }
    end(&u);
    test_surface_free(&a);
    test_surface_free(&b);
}

static void test_every_failed_allocation_is_survived(void)
{
    test_surface a, b;
    untangling u;
    test_surface_make(&a, test_mesh_sheet(0.5, 10), &allocator_system);
    test_surface_make(&b, test_mesh_sheet(1.0, 14), &allocator_system);
    stand_up(&a, 0.06);
    begin(&u, &a, &b);
    push_once(&u, &a, &b, 0.0);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        contour c;
        error err = {0};
        contour_init(&c, &memory.from);
        const status st =
            contour_find_push(&c, &a.s, &b.s, &u.crossings, 0.01, u.push_a, u.push_b, &err);
        contour_destroy(&c);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_TRUE(k < 20);
    }
    end(&u);
    test_surface_free(&a);
    test_surface_free(&b);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_corner_that_pokes_through_is_drawn_back);
    RUN_TEST(test_what_is_held_stays);
    RUN_TEST(test_a_fold_that_crosses_itself_opens);
    RUN_TEST(test_contours_that_are_apart_are_counted);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
