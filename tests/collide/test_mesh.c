/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/mesh.h"

#include "math/scalar.h"
#include "support/counting_allocator.h"
#include "support/meshes.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static random_source source;
static counting_allocator memory;
static error err;

void setUp(void)
{
    source = (random_source){11};
    counting_init(&memory, 0);
}

void tearDown(void) { counting_check(&memory); }

static collide_mesh connect(const test_mesh *from)
{
    collide_mesh m;
    TEST_ASSERT_EQUAL(STATUS_OK,
                      collide_mesh_init(&m, &memory.from, from->vertices, from->triangles, &err));
    memcpy(m.corner, from->corner, 3 * from->triangles * sizeof *m.corner);
    TEST_ASSERT_EQUAL(STATUS_OK, collide_mesh_connect(&m, from->x, &err));
    return m;
}

static v3 random_in(double size) { return v3_scale(size, random_v3(&source)); }

static double gap_at(const collide_contact *c, v3 y)
{
    return v3_dot(v3_sub(y, c->moved), c->normal);
}

/* Where a point ends that its contacts hold back: projected out of each plane again and again. */
static v3 hold_back(const mesh_contacts *c, v3 y)
{
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < c->count; i++) {
            const double gap = gap_at(&c->at[i], y);
            if (gap < 0.0) y = v3_add_scaled(y, -gap, c->at[i].normal);
        }
    }
    return y;
}

/* ---- nearest points ---- */

static double brute_distance(const test_mesh *from, const collide_mesh *m, v3 y)
{
    double best2 = INFINITY;
    for (uint32_t i = 0; i < m->triangles; i++) {
        const triangle t = collide_mesh_triangle(m, from->x, i);
        best2 = scalar_min(triangle_find_nearest(&t, y).distance2, best2);
    }
    return sqrt(best2);
}

/* Oosterom and Strackee: the solid angle of every triangle, summed; 4 pi inside, 0 outside. */
static bool brute_inside(const test_mesh *from, const collide_mesh *m, v3 y)
{
    double angle = 0.0;
    for (uint32_t i = 0; i < m->triangles; i++) {
        const triangle t = collide_mesh_triangle(m, from->x, i);
        const v3 a = v3_sub(t.corner[0], y), b = v3_sub(t.corner[1], y), c = v3_sub(t.corner[2], y);
        const double A = v3_norm(a), B = v3_norm(b), C = v3_norm(c);
        angle += 2.0 * atan2(v3_dot(a, v3_cross(b, c)),
                             A * B * C + v3_dot(a, b) * C + v3_dot(b, c) * A + v3_dot(c, a) * B);
    }
    return fabs(angle) > 6.0;
}

static void compare_with_brute_force(test_mesh from, double size)
{
    collide_mesh m = connect(&from);
    TEST_ASSERT_TRUE(m.closed);
    TEST_ASSERT_TRUE(collide_mesh_volume(&m, from.x) > 0.0);
    int inside = 0;
    for (int i = 0; i < 1000; i++) {
        const v3 y = random_in(size);
        mesh_nearest at;
        TEST_ASSERT_TRUE(collide_mesh_find_nearest(&m, from.x, y, INFINITY, &at));
        const bool expected = brute_inside(&from, &m, y);
        TEST_ASSERT_TRUE(fabs(at.distance) == brute_distance(&from, &m, y));
        TEST_ASSERT_EQUAL(expected, at.distance < 0.0);
        inside += expected;
    }
    TEST_ASSERT_GREATER_THAN(50, inside);
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

static void test_nearest_points_and_signs_are_those_of_brute_force(void)
{
    compare_with_brute_force(test_mesh_sphere(8), 1.5);
    compare_with_brute_force(test_mesh_torus(0.4, 16, 10), 1.5);
    compare_with_brute_force(test_mesh_cube(), 1.5);
}

/* A spike: faces that lean over an edge or a corner do not fool the sign. */
static void test_signs_are_right_at_sharp_edges(void)
{
    test_mesh from = test_mesh_cube();
    for (size_t i = 0; i < 8; i++) {
        if (from.x[3 * i + 2] > 0.0) from.x[3 * i] += 6.0;
    }
    collide_mesh m = connect(&from);
    for (int i = 0; i < 2000; i++) {
        const v3 y = v3_add(random_in(2.0), (v3){random_between(&source, 0.0, 6.0), 0.0, 0.0});
        mesh_nearest at;
        TEST_ASSERT_TRUE(collide_mesh_find_nearest(&m, from.x, y, INFINITY, &at));
        TEST_ASSERT_EQUAL(brute_inside(&from, &m, y), at.distance < 0.0);
    }
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

static void test_a_bound_hides_what_is_farther(void)
{
    test_mesh from = test_mesh_cube();
    collide_mesh m = connect(&from);
    mesh_nearest at;
    const v3 y = {0.0, 0.0, 1.5};
    TEST_ASSERT_FALSE(collide_mesh_find_nearest(&m, from.x, y, 0.49, &at));
    TEST_ASSERT_TRUE(collide_mesh_find_nearest(&m, from.x, y, 0.51, &at));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.5, at.distance);
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

/* ---- ways ---- */

/* A point that starts outside and obeys its contacts ends outside. Ways are up to `reach` in each
 * direction. */
static void never_enter(test_mesh from, double thickness, double size, double reach)
{
    collide_mesh m = connect(&from);
    int stopped = 0;
    for (int i = 0; i < 3000; i++) {
        const v3 y0 = random_in(size), y1 = v3_add(y0, random_in(reach));
        mesh_nearest at;
        TEST_ASSERT_TRUE(collide_mesh_find_nearest(&m, from.x, y0, INFINITY, &at));
        if (at.distance < thickness) continue;
        mesh_contacts c;
        const double margin = v3_norm(v3_sub(y1, y0));
        collide_mesh_way(&m, y0, y1, thickness, margin, &c);
        const v3 y = hold_back(&c, y1);
        stopped += !v3_is_equal(y, y1);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, collide_mesh_depth(&m, y, thickness));
    }
    TEST_ASSERT_GREATER_THAN(100, stopped);
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

static void test_fast_points_never_enter_a_closed_mesh(void)
{
    never_enter(test_mesh_sphere(8), 0.0, 1.5, 4.0);
    never_enter(test_mesh_sphere(8), 0.05, 1.5, 4.0);
    never_enter(test_mesh_cube(), 0.0, 1.5, 5.0);
    never_enter(test_mesh_torus(0.4, 16, 10), 0.01, 1.5, 0.4); /* a step of a tube's radius */
}

static void test_fast_points_stay_on_their_side_of_a_sheet(void)
{
    test_mesh from = test_mesh_sheet(10.0, 6);
    collide_mesh m = connect(&from);
    TEST_ASSERT_FALSE(m.closed);
    for (int i = 0; i < 3000; i++) {
        const v3 y0 = random_in(3.0), y1 = random_in(3.0);
        const double thickness = i % 2 ? 0.01 : 0.0;
        if (fabs(y0.z) <= thickness) continue;
        mesh_contacts c;
        collide_mesh_way(&m, y0, y1, thickness, v3_norm(v3_sub(y1, y0)), &c);
        const v3 y = hold_back(&c, y1);
        TEST_ASSERT_EQUAL(y0.z > 0.0, y.z > 0.0);
        TEST_ASSERT_TRUE(fabs(y.z) >= thickness - 1e-12);
        TEST_ASSERT_TRUE(c.count <= 1); /* flat: one plane says all */
    }
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

static void test_a_way_that_misses_a_convex_mesh_is_not_disturbed(void)
{
    test_mesh from = test_mesh_sphere(8);
    collide_mesh m = connect(&from);
    const collide_shape ball = {.kind = COLLIDE_SPHERE, .radius = 1.0};
    int missed = 0;
    for (int i = 0; i < 3000; i++) {
        const v3 y0 = random_in(3.0), y1 = random_in(3.0);
        mesh_contacts c;
        if (collide_way(&ball, y0, y1, 0.0, 1e-12, c.at))
            continue; /* the mesh is inside the ball */
        missed++;
        collide_mesh_way(&m, y0, y1, 0.0, v3_norm(v3_sub(y1, y0)), &c);
        for (size_t k = 0; k < c.count; k++) TEST_ASSERT_TRUE(gap_at(&c.at[k], y1) >= -1e-9);
    }
    TEST_ASSERT_GREATER_THAN(300, missed);
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

/* A sheet that comes up or falls past points at rest takes them along on their side. */
static void test_a_moving_sheet_takes_points_along(void)
{
    test_mesh from = test_mesh_sheet(10.0, 3), to = test_mesh_sheet(10.0, 3);
    collide_mesh m = connect(&from);
    for (int i = 0; i < 1000; i++) {
        const double rise = random_between(&source, -2.0, 2.0);
        const double slope = random_between(&source, -0.05, 0.05);
        for (size_t v = 0; v < to.vertices; v++) to.x[3 * v + 2] = rise + slope * to.x[3 * v];
        collide_mesh_move(&m, from.x, to.x);
        const v3 y = random_in(2.0);
        if (fabs(y.z) < 0.01) continue;
        mesh_contacts c;
        collide_mesh_way(&m, y, y, 0.001, m.reach, &c);
        const v3 end = hold_back(&c, y);
        const double above = end.z - (rise + slope * end.x);
        TEST_ASSERT_EQUAL(y.z > 0.0, above > 0.0);
    }
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
    test_mesh_free(&to);
}

static void test_a_fold_has_two_contacts_and_an_edge_one(void)
{
    const double x[12] = {0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, -1.0, 0.0, 1.0};
    uint32_t corner[6] = {0, 2, 1, 0, 1, 3};
    const test_mesh from = {4, 2, (double *)(uintptr_t)x, corner};
    collide_mesh m = connect(&from);
    mesh_contacts c;
    const v3 above = {0.0, 0.0, 0.15}, below = {0.0, 0.0, -0.05};
    collide_mesh_way(&m, above, above, 0.1, 0.1, &c);
    TEST_ASSERT_EQUAL(2, c.count);
    collide_mesh_way(&m, below, below, 0.1, 0.1, &c);
    TEST_ASSERT_EQUAL(1, c.count);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -1.0, c.at[0].normal.z);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.1, c.at[0].point.z);
    collide_mesh_destroy(&m);
}

static void test_a_point_deep_inside_is_shown_the_nearest_way_out(void)
{
    test_mesh from = test_mesh_cube();
    collide_mesh m = connect(&from);
    mesh_contacts c;
    const v3 y = {0.1, 0.7, -0.2};
    collide_mesh_way(&m, y, y, 0.05, 0.0, &c);
    TEST_ASSERT_EQUAL(1, c.count);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, c.at[0].normal.y);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.05, c.at[0].point.y);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.35, collide_mesh_depth(&m, y, 0.05));
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

/* ---- bad meshes ---- */

static void test_triangles_without_area_are_counted_and_skipped(void)
{
    double x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0};
    uint32_t corner[12] = {0, 1, 3, 0, 1, 2, 4, 4, 2, 1, 3, 4};
    const test_mesh from = {5, 4, x, corner};
    collide_mesh m = connect(&from);
    size_t first = 99;
    TEST_ASSERT_EQUAL(3, collide_mesh_count_degenerate(&m, x, &first));
    TEST_ASSERT_EQUAL(0, first);
    TEST_ASSERT_FALSE(m.closed);
    mesh_nearest at;
    TEST_ASSERT_TRUE(collide_mesh_find_nearest(&m, x, (v3){3.0, 0.0, 0.0}, INFINITY, &at));
    TEST_ASSERT_EQUAL(1, at.triangle);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.0, at.distance);
    collide_mesh_destroy(&m);
}

static void test_duplicate_triangles_are_one_contact(void)
{
    double x[9] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
    uint32_t corner[9] = {0, 1, 2, 0, 1, 2, 0, 2, 1};
    const test_mesh from = {3, 3, x, corner};
    collide_mesh m = connect(&from);
    TEST_ASSERT_FALSE(m.closed);
    mesh_contacts c;
    const v3 above = {0.0, 0.0, 0.01}, below = {0.0, 0.0, -1.0};
    collide_mesh_way(&m, above, below, 0.0, 1.01, &c);
    TEST_ASSERT_EQUAL(1, c.count);
    TEST_ASSERT_TRUE(c.at[0].normal.z == 1.0);
    collide_mesh_destroy(&m);
}

/* A cone of very many triangles around one vertex, and a point at its tip. */
static void test_very_many_triangles_at_one_vertex_take_bounded_time(void)
{
    enum { COUNT = 100000 };
    test_mesh from = {COUNT + 1, COUNT, calloc(3 * (COUNT + 1), sizeof(double)),
                      calloc(3 * COUNT, sizeof(uint32_t))};
    for (uint32_t i = 0; i < COUNT; i++) {
        const double angle = 6.283185307179586 * i / COUNT;
        v3_store(from.x + 3 * (i + 1), (v3){cos(angle), sin(angle), -1.0});
        const uint32_t c[3] = {0, i + 1, (i + 1) % COUNT + 1};
        memcpy(from.corner + 3 * (size_t)i, c, sizeof c);
    }
    collide_mesh m = connect(&from);
    mesh_contacts c;
    const v3 y0 = {0.0, 0.0, 0.02}, y1 = {0.0, 0.0, -0.5};
    collide_mesh_way(&m, y0, y1, 0.01, 0.52, &c);
    TEST_ASSERT_EQUAL(1, c.count);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0, c.at[0].normal.z);
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

static void test_a_large_mesh_answers_as_a_sphere(void)
{
    test_mesh from = test_mesh_sphere(224); /* 200,000 triangles */
    collide_mesh m = connect(&from);
    TEST_ASSERT_GREATER_THAN(199000, m.triangles);
    TEST_ASSERT_TRUE(m.closed);
    const double sag = 1.0 - cos(0.5 * 3.14159265358979 / 224.0 * 1.5); /* of a facet, with room */
    for (int i = 0; i < 20000; i++) {
        const v3 y = random_in(1.2);
        mesh_nearest at;
        TEST_ASSERT_TRUE(collide_mesh_find_nearest(&m, from.x, y, INFINITY, &at));
        TEST_ASSERT_DOUBLE_WITHIN(sag, v3_norm(y) - 1.0, at.distance);
    }
    collide_mesh_destroy(&m);
    test_mesh_free(&from);
}

static void test_every_failed_allocation_is_survived(void)
{
    test_mesh from = test_mesh_cube();
    for (uint64_t k = 1;; k++) {
        counting_init(&memory, k);
        collide_mesh m;
        status st = collide_mesh_init(&m, &memory.from, from.vertices, from.triangles, &err);
        if (st >= 0) {
            memcpy(m.corner, from.corner, 36 * sizeof *m.corner);
            st = collide_mesh_connect(&m, from.x, &err);
            collide_mesh_destroy(&m);
        }
        counting_check(&memory);
        if (st >= 0) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    }
    test_mesh_free(&from);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nearest_points_and_signs_are_those_of_brute_force);
    RUN_TEST(test_signs_are_right_at_sharp_edges);
    RUN_TEST(test_a_bound_hides_what_is_farther);
    RUN_TEST(test_fast_points_never_enter_a_closed_mesh);
    RUN_TEST(test_fast_points_stay_on_their_side_of_a_sheet);
    RUN_TEST(test_a_way_that_misses_a_convex_mesh_is_not_disturbed);
    RUN_TEST(test_a_moving_sheet_takes_points_along);
    RUN_TEST(test_a_fold_has_two_contacts_and_an_edge_one);
    RUN_TEST(test_a_point_deep_inside_is_shown_the_nearest_way_out);
    RUN_TEST(test_triangles_without_area_are_counted_and_skipped);
    RUN_TEST(test_duplicate_triangles_are_one_contact);
    RUN_TEST(test_very_many_triangles_at_one_vertex_take_bounded_time);
    RUN_TEST(test_a_large_mesh_answers_as_a_sphere);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
