/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/surface.h"

#include "support/counting_allocator.h"
#include "support/surfaces.h"

#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static void test_a_sheet_has_the_edges_that_euler_counts(void)
{
    test_surface t;
    test_surface_make(&t, test_mesh_sheet(1.0, 7), &allocator_system);
    TEST_ASSERT_EQUAL_UINT32(t.s.vertices + t.s.faces - 1, t.s.edges); /* a disc: V - E + F = 1 */
    uint32_t borders = 0;
    for (uint32_t e = 0; e < t.s.edges; e++) {
        const uint32_t faces = t.s.faces_of_edge.first[e + 1] - t.s.faces_of_edge.first[e];
        TEST_ASSERT_TRUE(faces == 1 || faces == 2);
        borders += faces == 1;
    }
    TEST_ASSERT_EQUAL_UINT32(28, borders);
    test_surface_free(&t);
}

/* Every vertex and edge is owned once, also of a soup with a strand and a lone vertex beside it. */
static void test_every_feature_has_one_owner(void)
{
    random_source rng = {1};
    test_mesh m = test_mesh_soup(200, 0.1, &rng);
    const uint32_t strand[] = {600, 601, 601, 602, 602, 602, 0, 600};
    const surface_source source = {
        .vertices = 604, .faces = 200, .corner = m.corner, .loose_edges = 4, .loose = strand};
    surface s;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_OK, surface_init(&s, &allocator_system, &source, &err));
    uint8_t vertex[604] = {0}, edge[700] = {0};
    for (uint32_t i = 0; i < s.elements; i++) {
        surface_feature f[3];
        for (uint32_t k = surface_list_owned(&s, i, SURFACE_VERTEX, f); k-- > 0;) {
            vertex[f[k].number]++;
        }
        for (uint32_t k = surface_list_owned(&s, i, SURFACE_EDGE, f); k-- > 0;) {
            edge[f[k].number]++;
        }
    }
    for (uint32_t v = 0; v < s.vertices; v++) TEST_ASSERT_EQUAL_UINT8(1, vertex[v]);
    for (uint32_t e = 0; e < s.edges; e++) TEST_ASSERT_EQUAL_UINT8(1, edge[e]);
    TEST_ASSERT_EQUAL_UINT32(3, s.loose_edges);
    surface_destroy(&s);
    test_mesh_free(&m);
}

static void test_wrong_numbers_and_positions_are_refused(void)
{
    const uint32_t corner[] = {0, 1, 3};
    const surface_source source = {.vertices = 3, .faces = 1, .corner = corner};
    surface s;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, surface_init(&s, &allocator_system, &source, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "expected one below 3"));
    const uint32_t fine[] = {0, 1, 2};
    const surface_source right = {.vertices = 3, .faces = 1, .corner = fine};
    const double x[9] = {0, 0, 0, 1, 0, 0, 0, INFINITY, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, surface_init(&s, &allocator_system, &right, &err));
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, surface_build(&s, x, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "vertex 2"));
    surface_destroy(&s);
}

static void test_the_tree_holds_the_whole_way_on_any_threads(void)
{
    test_surface t;
    test_surface_make(&t, test_mesh_sheet(1.0, 50), &allocator_system);
    random_source rng = {2};
    for (size_t i = 0; i < 3 * t.mesh.vertices; i++) t.x1[i] += random_between(&rng, -0.1, 0.1);
    pool *threads = pool_create(&allocator_system, 4, NULL);
    test_surface_move(&t, 0.01, threads);
    const size_t size = t.s.tree.node_count * sizeof *t.s.tree.nodes;
    bvh_node *parallel = memory_alloc(&allocator_system, size);
    memcpy(parallel, t.s.tree.nodes, size);
    test_surface_move(&t, 0.01, NULL);
    TEST_ASSERT_EQUAL_MEMORY(parallel, t.s.tree.nodes, size);
    bvh_refit(&t.s.tree, t.s.box);
    TEST_ASSERT_EQUAL_MEMORY(parallel, t.s.tree.nodes, size);
    const bvh_box *all = &t.s.tree.nodes[0].box;
    for (size_t v = 0; v < t.mesh.vertices; v++) {
        for (size_t k = 0; k < 3; k++) {
            TEST_ASSERT_TRUE(t.x1[3 * v + k] >= all->min[k] + 0.00999);
            TEST_ASSERT_TRUE(t.x1[3 * v + k] <= all->max[k] - 0.00999);
        }
    }
    memory_free(&allocator_system, parallel, size);
    pool_destroy(threads);
    test_surface_free(&t);
}

static void test_nothing_at_all_is_a_surface(void)
{
    const surface_source source = {0};
    surface s;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_OK, surface_init(&s, &allocator_system, &source, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, surface_build(&s, NULL, &err));
    surface_move(&s, NULL, NULL, 0.1, NULL);
    surface_destroy(&s);
}

static void test_every_failed_allocation_is_survived(void)
{
    test_mesh m = test_mesh_sheet(1.0, 3);
    const surface_source source = {.vertices = 16, .faces = 18, .corner = m.corner};
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        surface s;
        error err = {0};
        status st = surface_init(&s, &memory.from, &source, &err);
        if (st >= 0) st = surface_build(&s, m.x, &err);
        surface_destroy(&s);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_TRUE(k < 40);
    }
    test_mesh_free(&m);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_sheet_has_the_edges_that_euler_counts);
    RUN_TEST(test_every_feature_has_one_owner);
    RUN_TEST(test_wrong_numbers_and_positions_are_refused);
    RUN_TEST(test_the_tree_holds_the_whole_way_on_any_threads);
    RUN_TEST(test_nothing_at_all_is_a_surface);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
