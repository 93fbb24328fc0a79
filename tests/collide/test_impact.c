/* SPDX-License-Identifier: Apache-2.0
 *
 * Impacts on the way, crossings at its end, and zones that prevent both.
 */
#include "collide/crossing.h"
#include "collide/impact.h"
#include "collide/impact_zone.h"
#include "support/counting_allocator.h"
#include "support/surfaces.h"

#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static size_t count_crossings(const test_surface *a, const test_surface *b)
{
    harvest found;
    error err = {0};
    harvest_init(&found, &allocator_system, sizeof(crossing));
    TEST_ASSERT_EQUAL(STATUS_OK, crossing_gather(&a->s, &b->s, NULL, &found, &err));
    const size_t count = found.items.count;
    harvest_destroy(&found);
    return count;
}

/* ---- crossings ---- */

static const v3 face[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

static bool crosses(v3 p, v3 q, bool *doubtful)
{
    crossing x;
    const v3 ends[2] = {p, q};
    const bool result = crossing_test(ends, face, &x);
    *doubtful = x.doubtful;
    return result;
}

static void test_clear_crossings_are_told_from_clear_misses(void)
{
    bool doubtful;
    TEST_ASSERT_TRUE(crosses((v3){0.2, 0.3, 1}, (v3){0.3, 0.2, -1}, &doubtful));
    TEST_ASSERT_FALSE(doubtful);
    TEST_ASSERT_TRUE(crosses((v3){0.2, 0.3, -1e-300}, (v3){0.3, 0.2, 1}, &doubtful));
    TEST_ASSERT_FALSE(doubtful);
    TEST_ASSERT_FALSE(crosses((v3){0.2, 0.3, 1e-300}, (v3){0.3, 0.2, 1}, &doubtful));
    TEST_ASSERT_FALSE(crosses((v3){0.6, 0.6, 1}, (v3){0.6, 0.6, -1}, &doubtful));
}

static void test_what_touches_counts_and_what_lies_beside_in_the_plane_does_not(void)
{
    bool doubtful;
    TEST_ASSERT_TRUE(crosses((v3){0.5, 0, 1}, (v3){0.5, 0, -1}, &doubtful)); /* through a side */
    TEST_ASSERT_TRUE(doubtful);
    TEST_ASSERT_TRUE(crosses((v3){0, 0, 1}, (v3){0, 0, 0}, &doubtful));      /* down to a corner */
    TEST_ASSERT_TRUE(crosses((v3){-1, 0.2, 0}, (v3){2, 0.2, 0}, &doubtful)); /* in the plane */
    TEST_ASSERT_TRUE(crosses((v3){0.1, 0.1, 0}, (v3){0.2, 0.1, 0}, &doubtful));
    TEST_ASSERT_FALSE(crosses((v3){-1, -0.1, 0}, (v3){2, -0.1, 0}, &doubtful));
    TEST_ASSERT_FALSE(crosses((v3){2, 2, 0}, (v3){3, 3, 0}, &doubtful));
}

/* A share of the points on both, from the answer. */
static void test_the_point_of_a_crossing_lies_on_both(void)
{
    random_source rng = {1};
    int found = 0;
    for (int i = 0; i < 20000; i++) {
        const v3 p[2] = {random_v3(&rng), random_v3(&rng)};
        const v3 f[3] = {random_v3(&rng), random_v3(&rng), random_v3(&rng)};
        crossing x;
        if (!crossing_test(p, f, &x)) continue;
        const v3 on_edge = v3_lerp(p[0], p[1], x.along);
        const triangle t = {{f[0], f[1], f[2]}};
        TEST_ASSERT_TRUE(x.along > 0.0 && x.along < 1.0);
        /* its volumes have errors of 1e-15, its sine is seldom less than 1e-4 */
        TEST_ASSERT_TRUE(v3_norm(v3_sub(on_edge, triangle_point(&t, x.share))) < 1e-10);
        found++;
    }
    TEST_ASSERT_GREATER_THAN(500, found);
}

static void test_flat_and_folded_sheets_do_not_cross_themselves(void)
{
    test_surface t;
    test_surface_make(&t, test_mesh_sheet(1.0, 12), &allocator_system);
    test_surface_move(&t, 0.0, NULL);
    TEST_ASSERT_EQUAL_size_t(0, count_crossings(&t, &t));
    for (size_t v = 0; v < t.mesh.vertices; v++) t.x1[3 * v + 2] = fabs(t.x1[3 * v]);
    test_surface_move(&t, 0.0, NULL);
    TEST_ASSERT_EQUAL_size_t(0, count_crossings(&t, &t));
    t.x1[2] = 0.2; /* a corner is taken through the middle of the other side */
    t.x1[0] = 1.9;
    t.x1[1] = 0.03;
    test_surface_move(&t, 0.0, NULL);
    TEST_ASSERT_GREATER_THAN_size_t(0, count_crossings(&t, &t));
    test_surface_free(&t);
}

/* ---- impacts ---- */

enum { CELLS = 6, SIDE = (CELLS + 1) * (CELLS + 1), ALL = 2 * SIDE };

typedef struct clash {
    test_surface a, b;
    double x0[3 * ALL], v[3 * ALL], x1[3 * ALL], w[ALL];
} clash;

static clash c;

/* Two bumpy sheets, the upper one thrown down through the lower one at an angle. */
static void make_clash(uint64_t seed)
{
    random_source rng = {seed};
    test_surface_make(&c.a, test_mesh_sheet(0.5, CELLS), &allocator_system);
    test_surface_make(&c.b, test_mesh_sheet(0.4, CELLS), &allocator_system);
    c.b.s.first_vertex = SIDE;
    memcpy(c.x0, c.a.mesh.x, sizeof c.x0 / 2);
    memcpy(c.x0 + 3 * SIDE, c.b.mesh.x, sizeof c.x0 / 2);
    const v3 way = v3_add((v3){0.0, 0.0, -1.5}, v3_scale(0.5, random_v3(&rng)));
    for (size_t i = 0; i < ALL; i++) {
        const bool upper = i >= SIDE;
        c.w[i] = random_between(&rng, 1.0, 5.0);
        c.x0[3 * i + 2] = random_between(&rng, 0.0, 0.08) + (upper ? 0.1 : 0.0);
        v3_store(c.v + 3 * i, v3_add_scaled(upper ? way : (v3){0, 0, 0}, 0.1, random_v3(&rng)));
        for (int k = 0; k < 3; k++)
            c.x1[3 * i + (size_t)k] = c.x0[3 * i + (size_t)k] + c.v[3 * i + (size_t)k];
    }
}

static void move_clash(void)
{
    surface_move(&c.a.s, c.x0, c.x1, 1e-3, NULL);
    surface_move(&c.b.s, c.x0 + 3 * SIDE, c.x1 + 3 * SIDE, 1e-3, NULL);
}

static void free_clash(void)
{
    test_surface_free(&c.a);
    test_surface_free(&c.b);
}

static size_t join_impacts(const surface *a, const surface *b, harvest *found, impact_zones *z)
{
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_OK, impact_gather(a, b, 1e-3, NULL, found, &err));
    const impact *hit = found->items.data;
    for (size_t i = 0; i < found->items.count; i++) impact_zones_join(z, hit[i].vertex, 4);
    return found->items.count;
}

/* Zones grow until nothing hits on the way: then nothing crosses at its end. */
static void resolve_clash(impact_zones *z, harvest *found)
{
    error err = {0};
    for (int round = 0;; round++) {
        move_clash();
        size_t hits = join_impacts(&c.a.s, &c.a.s, found, z);
        hits += join_impacts(&c.b.s, &c.b.s, found, z);
        hits += join_impacts(&c.a.s, &c.b.s, found, z);
        if (hits == 0) return;
        TEST_ASSERT_TRUE(round < 50);
        TEST_ASSERT_EQUAL(STATUS_OK, impact_zones_list(z, &err));
        impact_zones_make_rigid(z, c.w, c.x0, c.v);
        impact_zones_move(z, c.w, c.x0, c.v, 1.0, c.x1);
    }
}

static void test_sheets_thrown_through_each_other_are_always_caught(void)
{
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(impact));
    impact_zones z;
    error err = {0};
    impact_zones_init(&z, &allocator_system);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make_clash(seed);
        move_clash();
        TEST_ASSERT_EQUAL(STATUS_OK, impact_gather(&c.a.s, &c.b.s, 1e-3, NULL, &found, &err));
        TEST_ASSERT_GREATER_THAN_size_t(20, found.items.count);
        TEST_ASSERT_EQUAL(STATUS_OK, impact_zones_clear(&z, ALL, &err));
        resolve_clash(&z, &found);
        TEST_ASSERT_EQUAL_size_t(0, count_crossings(&c.a, &c.b));
        TEST_ASSERT_EQUAL_size_t(0, count_crossings(&c.a, &c.a));
        TEST_ASSERT_EQUAL_size_t(0, count_crossings(&c.b, &c.b));
        free_clash();
    }
    impact_zones_destroy(&z);
    harvest_destroy(&found);
}

/* ---- zones ---- */

typedef struct momenta {
    v3 P, L;
} momenta;

static momenta sum_momenta(const double *w, const double *x, const double *v, size_t count)
{
    momenta sum = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < count; i++) {
        const v3 p = v3_scale(1.0 / w[i], v3_load(v + 3 * i));
        sum.P = v3_add(sum.P, p);
        sum.L = v3_add(sum.L, v3_cross(v3_load(x + 3 * i), p));
    }
    return sum;
}

static void check_same(v3 expected, v3 actual)
{
    TEST_ASSERT_TRUE(v3_norm(v3_sub(expected, actual)) < 1e-11 * (1.0 + v3_norm(expected)));
}

static void test_zones_keep_momentum_and_angular_momentum(void)
{
    enum { N = 30 };
    random_source rng = {3};
    double x[3 * N], v[3 * N], w[N];
    for (size_t i = 0; i < N; i++) {
        v3_store(x + 3 * i, random_v3(&rng));
        v3_store(v + 3 * i, random_v3(&rng));
        w[i] = random_between(&rng, 0.5, 20.0);
    }
    for (size_t i = 20; i < 24; i++) v3_store(x + 3 * i, (v3){(double)i, 1.0, 2.0}); /* a line */
    memcpy(x + 3 * 26, x + 3 * 25, 3 * sizeof *x);                                   /* one point */
    const uint32_t first[] = {3, 7, 9, 15}, second[] = {7, 1, 2, 4}, line[] = {23, 20, 22, 21};
    const uint32_t point[] = {25, 26};
    impact_zones z;
    error err = {0};
    impact_zones_init(&z, &allocator_system);
    TEST_ASSERT_EQUAL(STATUS_OK, impact_zones_clear(&z, N, &err));
    impact_zones_join(&z, first, 4);
    impact_zones_join(&z, line, 4);
    impact_zones_join(&z, second, 4);
    impact_zones_join(&z, point, 2);
    TEST_ASSERT_EQUAL(STATUS_OK, impact_zones_list(&z, &err));
    TEST_ASSERT_EQUAL_size_t(3, impact_zones_count(&z));
    TEST_ASSERT_EQUAL_size_t(7 + 4 + 2, z.order.count);
    const momenta before = sum_momenta(w, x, v, N);
    impact_zones_make_rigid(&z, w, x, v);
    const momenta after = sum_momenta(w, x, v, N);
    check_same(before.P, after.P);
    check_same(before.L, after.L);
    double x1[3 * N] = {0};
    impact_zones_move(&z, w, x, v, 0.3, x1);
    for (int i = 0; i < 4; i++) { /* as rigid as it says */
        for (int k = 0; k < 4; k++) {
            const double *p = x + 3 * first[i], *q = x + 3 * second[k];
            const double *p1 = x1 + 3 * first[i], *q1 = x1 + 3 * second[k];
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, v3_norm(v3_sub(v3_load(p), v3_load(q))),
                                      v3_norm(v3_sub(v3_load(p1), v3_load(q1))));
        }
    }
    impact_zones_destroy(&z);
}

static void test_a_zone_follows_what_is_held(void)
{
    const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0.1};
    double v[12] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, -5};
    const double w[4] = {0, 0, 0, 1};
    const uint32_t all[] = {0, 1, 2, 3};
    impact_zones z;
    error err = {0};
    impact_zones_init(&z, &allocator_system);
    TEST_ASSERT_EQUAL(STATUS_OK, impact_zones_clear(&z, 4, &err));
    impact_zones_join(&z, all, 4);
    TEST_ASSERT_EQUAL(STATUS_OK, impact_zones_list(&z, &err));
    impact_zones_make_rigid(&z, w, x, v);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, v[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, v[9]); /* heavier by 1e8, three times */
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, v[11]);
    impact_zones_destroy(&z);
}

static void test_every_failed_allocation_is_survived(void)
{
    make_clash(4);
    move_clash();
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        harvest hits, crossings;
        impact_zones z;
        error err = {0};
        harvest_init(&hits, &memory.from, sizeof(impact));
        harvest_init(&crossings, &memory.from, sizeof(crossing));
        impact_zones_init(&z, &memory.from);
        status st = impact_gather(&c.a.s, &c.b.s, 1e-3, NULL, &hits, &err);
        if (st >= 0) st = crossing_gather(&c.a.s, &c.b.s, NULL, &crossings, &err);
        if (st >= 0) st = impact_zones_clear(&z, ALL, &err);
        if (st >= 0) st = impact_zones_list(&z, &err);
        impact_zones_destroy(&z);
        harvest_destroy(&crossings);
        harvest_destroy(&hits);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_TRUE(k < 30);
    }
    free_clash();
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_clear_crossings_are_told_from_clear_misses);
    RUN_TEST(test_what_touches_counts_and_what_lies_beside_in_the_plane_does_not);
    RUN_TEST(test_the_point_of_a_crossing_lies_on_both);
    RUN_TEST(test_flat_and_folded_sheets_do_not_cross_themselves);
    RUN_TEST(test_sheets_thrown_through_each_other_are_always_caught);
    RUN_TEST(test_zones_keep_momentum_and_angular_momentum);
    RUN_TEST(test_a_zone_follows_what_is_held);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
