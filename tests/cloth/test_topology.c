/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/topology.h"
#include "support/counting_allocator.h"
#include "support/meshes.h"

#include <string.h>
#include <unity.h>

static counting_allocator memory;
static cloth_topology t;
static error err;

void setUp(void) { counting_init(&memory, 0); }

void tearDown(void)
{
    cloth_topology_destroy(&t);
    counting_check(&memory);
}

static void make(size_t nodes, size_t triangles, const uint32_t *corner)
{
    TEST_ASSERT_EQUAL(STATUS_OK,
                      cloth_topology_create(&t, &memory.from, nodes, triangles, corner, &err));
}

static void test_two_triangles_share_a_hinge(void)
{
    const uint32_t corner[6] = {0, 1, 2, 0, 2, 3};
    make(5, 2, corner);
    TEST_ASSERT_EQUAL(5, t.edges);
    TEST_ASSERT_EQUAL(4, t.border_edges);
    TEST_ASSERT_EQUAL(1, t.loose_nodes);
    TEST_ASSERT_EQUAL(1, t.hinges);
    const cloth_hinge *h = &t.hinge[0];
    const uint32_t node[4] = {2, 0, 1, 3}; /* the first triangle runs from 2 to 0 */
    for (int k = 0; k < 4; k++) TEST_ASSERT_EQUAL(node[k], h->node[k]);
    TEST_ASSERT_EQUAL(0, h->is_turned);
    TEST_ASSERT_EQUAL(0, t.face_hinge[1]);
    TEST_ASSERT_EQUAL(0, t.face_hinge[3 + 2]);
    TEST_ASSERT_EQUAL(CLOTH_NO_HINGE, t.face_hinge[0]);
}

static void test_a_triangle_that_faces_the_other_way_is_seen(void)
{
    const uint32_t corner[6] = {0, 1, 2, 0, 3, 2};
    make(4, 2, corner);
    TEST_ASSERT_EQUAL(1, t.hinge[0].is_turned);
}

static void test_closed_meshes_obey_eulers_formula(void)
{
    test_mesh m = test_mesh_sphere(7);
    make(m.vertices, m.triangles, m.corner);
    TEST_ASSERT_EQUAL(2, (int)t.nodes - (int)t.edges + (int)t.triangles);
    TEST_ASSERT_EQUAL(t.edges, t.hinges);
    TEST_ASSERT_EQUAL(0, t.border_edges);
    test_mesh_free(&m);
}

static void test_three_triangles_at_an_edge_have_no_hinge_there(void)
{
    const uint32_t corner[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    make(5, 3, corner);
    TEST_ASSERT_EQUAL(1, t.crowded_edges);
    TEST_ASSERT_EQUAL(6, t.border_edges);
    TEST_ASSERT_EQUAL(0, t.hinges);
}

static void test_twin_triangles_have_no_hinges_between_them(void)
{
    const uint32_t corner[6] = {0, 1, 2, 2, 1, 0};
    make(3, 2, corner);
    TEST_ASSERT_EQUAL(3, t.doubled_edges);
    TEST_ASSERT_EQUAL(0, t.hinges);
}

static void test_a_mesh_may_be_empty(void)
{
    make(3, 0, NULL);
    TEST_ASSERT_EQUAL(0, t.edges);
    TEST_ASSERT_EQUAL(3, t.loose_nodes);
}

static void test_bad_corners_are_refused_with_their_numbers(void)
{
    const uint32_t outside[6] = {0, 1, 2, 1, 2, 3}, twice[3] = {1, 2, 1};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_topology_create(&t, &memory.from, 3, 2, outside, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "triangle 1 has the corner 3"));
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_topology_create(&t, &memory.from, 3, 1, twice, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "1, 2, 1"));
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_topology_create(&t, &memory.from, 3, UINT32_MAX, twice, &err));
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_topology_create(&t, &memory.from, 0, 0, NULL, &err));
}

static void test_a_fan_around_one_node_takes_no_time(void)
{
    enum { BLADES = 100000 };
    static uint32_t corner[3 * BLADES];
    for (uint32_t f = 0; f < BLADES; f++) {
        corner[3 * f + 1] = f + 1;
        corner[3 * f + 2] = (f + 1) % BLADES + 1;
    }
    make(BLADES + 1, BLADES, corner);
    TEST_ASSERT_EQUAL(BLADES, t.hinges);
    TEST_ASSERT_EQUAL(BLADES, t.border_edges);
}

static void test_every_failed_allocation_leaves_nothing(void)
{
    const uint32_t corner[6] = {0, 1, 2, 0, 2, 3};
    for (uint64_t k = 1; k <= 5; k++) {
        counting_allocator scarce;
        cloth_topology other;
        counting_init(&scarce, k);
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY,
                          cloth_topology_create(&other, &scarce.from, 4, 2, corner, &err));
        counting_check(&scarce);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_two_triangles_share_a_hinge);
    RUN_TEST(test_a_triangle_that_faces_the_other_way_is_seen);
    RUN_TEST(test_closed_meshes_obey_eulers_formula);
    RUN_TEST(test_three_triangles_at_an_edge_have_no_hinge_there);
    RUN_TEST(test_twin_triangles_have_no_hinges_between_them);
    RUN_TEST(test_a_mesh_may_be_empty);
    RUN_TEST(test_bad_corners_are_refused_with_their_numbers);
    RUN_TEST(test_a_fan_around_one_node_takes_no_time);
    RUN_TEST(test_every_failed_allocation_leaves_nothing);
    return UNITY_END();
}
