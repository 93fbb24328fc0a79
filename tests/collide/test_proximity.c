/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/proximity.h"

#include "collide/encounter.h"
#include "support/counting_allocator.h"
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static void gather(const test_surface *a, const test_surface *b, pool *threads, harvest *out)
{
    error err = {0};
    const status st = proximity_gather(&a->s, &b->s, PROXIMITY_ALL, threads, out, &err);
    TEST_ASSERT_EQUAL(STATUS_OK, st);
}

static void throw_about(test_surface *t, double speed, random_source *rng)
{
    for (size_t v = 0; v < t->mesh.vertices; v++) {
        const v3 x = v3_load(t->mesh.x + 3 * v);
        v3_store(t->x1 + 3 * v, v3_add_scaled(x, speed, random_v3(rng)));
    }
}

/* ---- against brute force ---- */

/* A candidate that is counted once for each pair of features. */
typedef struct seen {
    uint64_t key;
} seen;

static void note_pair(const void *user, const candidate *c, harvest_row *row)
{
    (void)user;
    seen *out = harvest_add(row);
    const uint64_t a = surface_feature_key(c->of_a), b = surface_feature_key(c->of_b);
    if (out) out->key = c->a == c->b && a > b ? b << 32 | a : a << 32 | b;
}

static bool share_vertices(const surface *s, surface_feature p, surface_feature q)
{
    uint32_t v[3], w[3];
    const uint32_t m = surface_list_vertices(s, p, v), n = surface_list_vertices(s, q, w);
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t k = 0; k < n; k++) {
            if (v[i] == w[k]) return true;
        }
    }
    return false;
}

static uint32_t count_of(const surface *s, surface_kind kind)
{
    return kind == SURFACE_VERTEX ? s->vertices : kind == SURFACE_EDGE ? s->edges : s->faces;
}

/* Pairs of one kind by trying all; each must be in the list, which is sorted. */
static size_t check_kind(const surface *a, const surface *b, surface_kind p, surface_kind q,
                         const harvest *found)
{
    size_t count = 0;
    const seen *list = found->items.data;
    for (uint32_t i = 0; i < count_of(a, p); i++) {
        for (uint32_t k = a == b && p == q ? i + 1 : 0; k < count_of(b, q); k++) {
            const surface_feature f = {p, i}, g = {q, k};
            const bvh_box *x = surface_feature_box(a, f), *y = surface_feature_box(b, g);
            if (!bvh_boxes_meet(x, y) || (a == b && share_vertices(a, f, g))) continue;
            const uint64_t m = surface_feature_key(f), n = surface_feature_key(g);
            const uint64_t key = a == b && m > n ? n << 32 | m : m << 32 | n;
            size_t low = 0, high = found->items.count;
            while (low < high) {
                const size_t middle = (low + high) / 2;
                if (list[middle].key < key)
                    low = middle + 1;
                else
                    high = middle;
            }
            TEST_ASSERT_TRUE(low < found->items.count && list[low].key == key);
            count++;
        }
    }
    return count;
}

static void check_candidates(const surface *a, const surface *b)
{
    static const candidate_kinds kinds[] = {{SURFACE_VERTEX, SURFACE_FACE},
                                            {SURFACE_FACE, SURFACE_VERTEX},
                                            {SURFACE_EDGE, SURFACE_EDGE}};
    harvest found;
    error err = {0};
    harvest_init(&found, &allocator_system, sizeof(seen));
    TEST_ASSERT_EQUAL(STATUS_OK,
                      candidates_gather(a, b, kinds, 3, note_pair, NULL, NULL, &found, &err));
    size_t count = check_kind(a, b, SURFACE_VERTEX, SURFACE_FACE, &found);
    if (a != b) count += check_kind(a, b, SURFACE_FACE, SURFACE_VERTEX, &found);
    count += check_kind(a, b, SURFACE_EDGE, SURFACE_EDGE, &found);
    TEST_ASSERT_EQUAL_size_t(count, found.items.count); /* so each is there once */
    TEST_ASSERT_GREATER_THAN_size_t(100, count);
    harvest_destroy(&found);
}

static void test_candidates_of_soups_are_those_of_brute_force(void)
{
    for (uint64_t seed = 1; seed < 5; seed++) {
        random_source rng = {seed};
        test_surface a, b;
        test_surface_make(&a, test_mesh_soup(150, 0.2, &rng), &allocator_system);
        test_surface_make(&b, test_mesh_soup(90, 0.1, &rng), &allocator_system);
        throw_about(&a, 0.1, &rng);
        throw_about(&b, 0.2, &rng);
        test_surface_move(&a, 0.02, NULL);
        test_surface_move(&b, 0.01, NULL);
        check_candidates(&a.s, &a.s);
        check_candidates(&a.s, &b.s);
        test_surface_free(&a);
        test_surface_free(&b);
    }
}

/* ---- what a contact is ---- */

static v3 side_point(const proximity *c, const double *x, bool of_b)
{
    v3 sum = {0.0, 0.0, 0.0};
    const uint32_t begin = of_b ? c->of_a : 0, end = of_b ? c->of_a + c->of_b : c->of_a;
    for (uint32_t k = begin; k < end; k++) {
        sum = v3_add_scaled(sum, c->weight[k], v3_load(x + 3 * (size_t)c->vertex[k]));
    }
    return sum;
}

static void test_gaps_are_those_of_the_weights(void)
{
    random_source rng = {7};
    test_surface a;
    test_surface_make(&a, test_mesh_soup(300, 0.15, &rng), &allocator_system);
    a.s.radius = 0.01;
    throw_about(&a, 0.05, &rng);
    test_surface_move(&a, 0.01, NULL);
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(proximity));
    gather(&a, &a, NULL, &found);
    TEST_ASSERT_GREATER_THAN_size_t(100, found.items.count);
    const proximity *c = found.items.data;
    for (size_t i = 0; i < found.items.count; i++) {
        const v3 before =
            v3_sub(side_point(&c[i], a.mesh.x, false), side_point(&c[i], a.mesh.x, true));
        const v3 after = v3_sub(side_point(&c[i], a.x1, false), side_point(&c[i], a.x1, true));
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, v3_dot(c[i].normal, before) - c[i].distance, c[i].start);
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, v3_dot(c[i].normal, after) - c[i].distance, c[i].end);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, v3_norm(c[i].normal));
        TEST_ASSERT_EQUAL_DOUBLE(0.02, c[i].distance);
        if (i) TEST_ASSERT_TRUE(c[i - 1].key < c[i].key);
    }
    harvest_destroy(&found);
    test_surface_free(&a);
}

/* Two equal sheets, one above the other: one contact for each two vertices. */
static void test_aligned_sheets_have_one_contact_per_vertex(void)
{
    test_surface a, b;
    test_surface_make(&a, test_mesh_sheet(1.0, 6), &allocator_system);
    test_surface_make(&b, test_mesh_sheet(1.0, 6), &allocator_system);
    for (size_t v = 0; v < a.mesh.vertices; v++) {
        a.mesh.x[3 * v + 2] = 0.015;
        a.x1[3 * v + 2] = 0.005;
    }
    a.s.radius = b.s.radius = 0.005;
    b.s.first_vertex = 1000;
    test_surface_move(&a, 0.001, NULL);
    test_surface_move(&b, 0.001, NULL);
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(proximity));
    gather(&a, &b, NULL, &found);
    const proximity *c = found.items.data;
    size_t vertices = 0;
    for (size_t i = 0; i < found.items.count; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, c[i].normal.z);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.005, c[i].start);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.005, c[i].end);
        if (c[i].of_a == 1 && c[i].of_b == 1 && c[i].vertex[1] == c[i].vertex[0] + 1000) vertices++;
    }
    TEST_ASSERT_EQUAL_size_t(a.mesh.vertices, vertices);
    TEST_ASSERT_EQUAL_size_t(a.mesh.vertices, found.items.count);
    harvest_destroy(&found);
    test_surface_free(&a);
    test_surface_free(&b);
}

/* However fast one sheet is thrown through another, every vertex that would end on the other side
 * has a contact whose gap says so. */
static void test_a_sheet_thrown_through_another_is_always_caught(void)
{
    random_source rng = {9};
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(proximity));
    for (int round = 0; round < 20; round++) {
        test_surface a, b;
        test_surface_make(&a, test_mesh_sheet(0.3, 5), &allocator_system);
        test_surface_make(&b, test_mesh_sheet(1.0, 9), &allocator_system);
        const v3 shift = v3_scale(0.2, random_v3(&rng));
        for (size_t v = 0; v < a.mesh.vertices; v++) {
            double *x0 = a.mesh.x + 3 * v, *x1 = a.x1 + 3 * v;
            for (int k = 0; k < 2; k++) x1[k] += (k ? shift.y : shift.x);
            x0[2] = random_between(&rng, 0.05, 0.2);
            x1[2] = -random_between(&rng, 0.1, 3.0);
        }
        a.s.radius = b.s.radius = 0.005;
        test_surface_move(&a, 0.0, NULL);
        test_surface_move(&b, 0.0, NULL);
        gather(&a, &b, NULL, &found);
        uint8_t caught[36] = {0};
        const proximity *c = found.items.data;
        for (size_t i = 0; i < found.items.count; i++) {
            if (c[i].of_a != 1 || c[i].end >= 0.0) continue;
            TEST_ASSERT_TRUE(c[i].normal.z > 0.0);
            caught[c[i].vertex[0]] = 1;
        }
        for (size_t v = 0; v < 36; v++) TEST_ASSERT_EQUAL_UINT8(1, caught[v]);
        test_surface_free(&a);
        test_surface_free(&b);
    }
    harvest_destroy(&found);
}

/* A sheet rolled up: neighbours have no contact however thick it is, layers have. */
static void test_neighbours_in_the_rest_shape_do_not_meet(void)
{
    enum { CELLS = 40 };
    test_surface t;
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(proximity));
    test_surface_make(&t, test_mesh_sheet(1.0, CELLS), &allocator_system);
    double *rest = malloc(3 * t.mesh.vertices * sizeof *rest);
    memcpy(rest, t.mesh.x, 3 * t.mesh.vertices * sizeof *rest);
    t.s.rest = rest;
    t.s.radius = 0.06;
    t.s.exempt = 0.12;
    test_surface_move(&t, 0.0, NULL);
    gather(&t, &t, NULL, &found);
    TEST_ASSERT_EQUAL_size_t(0, found.items.count);
    for (size_t v = 0; v < t.mesh.vertices; v++) { /* folded in the middle, 0.1 apart */
        double *x = t.mesh.x + 3 * v;
        if (x[0] > 0.0) x[2] = 0.1;
        x[0] = fabs(x[0]);
    }
    memcpy(t.x1, t.mesh.x, 3 * t.mesh.vertices * sizeof *t.x1);
    test_surface_move(&t, 0.0, NULL);
    gather(&t, &t, NULL, &found);
    TEST_ASSERT_GREATER_THAN_size_t(t.mesh.vertices / 3, found.items.count);
    free(rest);
    harvest_destroy(&found);
    test_surface_free(&t);
}

static void test_layers_holds_and_exclusions_are_left_out(void)
{
    test_surface a, b;
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(proximity));
    test_surface_make(&a, test_mesh_sheet(1.0, 3), &allocator_system);
    test_surface_make(&b, test_mesh_sheet(1.0, 4), &allocator_system);
    test_surface_move(&a, 0.1, NULL);
    test_surface_move(&b, 0.1, NULL);
    gather(&a, &b, NULL, &found);
    TEST_ASSERT_GREATER_THAN_size_t(0, found.items.count);
    a.s.layers = 1;
    b.s.meets = 2;
    gather(&a, &b, NULL, &found);
    TEST_ASSERT_EQUAL_size_t(0, found.items.count);
    a.s.layers = 3;
    uint8_t held[25];
    memset(held, 1, sizeof held);
    a.s.held = b.s.held = held;
    gather(&a, &b, NULL, &found);
    TEST_ASSERT_EQUAL_size_t(0, found.items.count);
    b.s.held = NULL;
    const uint32_t p[25] = {[0] = 5}, q[25] = {[0] = 4, [1] = 4};
    a.s.exclude = p;
    b.s.exclude = q;
    gather(&a, &b, NULL, &found);
    TEST_ASSERT_GREATER_THAN_size_t(0, found.items.count);
    const proximity *c = found.items.data;
    for (size_t i = 0; i < found.items.count; i++) {
        TEST_ASSERT_FALSE(c[i].of_a == 1 && c[i].of_b == 1 && c[i].vertex[0] == 0 &&
                          c[i].vertex[1] <= 1);
    }
    harvest_destroy(&found);
    test_surface_free(&a);
    test_surface_free(&b);
}

/* A strand that lies across an edge of the sheet, and one whose tip is over a face. */
static void test_strands_meet_sheets(void)
{
    const double x[12] = {-0.3, 0.1, 0.02, 0.35, 0.12, 0.02, 0.9, 0.9, 0.02, 0.85, 0.8, 0.5};
    const uint32_t end[4] = {0, 1, 2, 3};
    const surface_source source = {.vertices = 4, .loose_edges = 2, .loose = end};
    test_surface sheet;
    surface hair;
    error err = {0};
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(proximity));
    test_surface_make(&sheet, test_mesh_sheet(1.0, 1), &allocator_system);
    TEST_ASSERT_EQUAL(STATUS_OK, surface_init(&hair, &allocator_system, &source, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, surface_build(&hair, x, &err));
    hair.radius = 0.01;
    surface_move(&hair, x, x, 0.01, NULL);
    test_surface_move(&sheet, 0.01, NULL);
    TEST_ASSERT_EQUAL(STATUS_OK,
                      proximity_gather(&hair, &sheet.s, PROXIMITY_ALL, NULL, &found, &err));
    size_t edges = 0, faces = 0;
    const proximity *c = found.items.data;
    for (size_t i = 0; i < found.items.count; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.01, c[i].start);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, c[i].normal.z);
        edges += c[i].of_a == 2 && c[i].of_b == 2;
        faces += c[i].of_a == 1 && c[i].of_b == 3;
    }
    TEST_ASSERT_EQUAL_size_t(1, edges); /* over the diagonal */
    TEST_ASSERT_EQUAL_size_t(2, faces); /* both ends of the first; ... */
    TEST_ASSERT_EQUAL_size_t(
        4, found.items.count); /* ... the tip of the second is over the diagonal */
    harvest_destroy(&found);
    surface_destroy(&hair);
    test_surface_free(&sheet);
}

/* A vertex that begins inside a cube is sent out through the face it is under. */
static void test_solids_push_outward(void)
{
    test_surface cube, sheet;
    harvest found;
    harvest_init(&found, &allocator_system, sizeof(proximity));
    test_surface_make(&cube, test_mesh_cube(), &allocator_system);
    test_surface_make(&sheet, test_mesh_sheet(0.3, 2), &allocator_system);
    for (size_t v = 0; v < sheet.mesh.vertices; v++) {
        sheet.mesh.x[3 * v] += 0.1;
        sheet.mesh.x[3 * v + 1] -= 0.07;
        sheet.mesh.x[3 * v + 2] = 0.995;
    }
    memcpy(sheet.x1, sheet.mesh.x, 3 * sheet.mesh.vertices * sizeof *sheet.x1);
    cube.s.solid = true;
    sheet.s.radius = 0.01;
    test_surface_move(&cube, 0.0, NULL);
    test_surface_move(&sheet, 0.0, NULL);
    gather(&sheet, &cube, NULL, &found);
    const proximity *c = found.items.data;
    TEST_ASSERT_GREATER_OR_EQUAL_size_t(sheet.mesh.vertices, found.items.count);
    for (size_t i = 0; i < found.items.count; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, c[i].normal.z);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.015, c[i].start);
    }
    harvest_destroy(&found);
    test_surface_free(&cube);
    test_surface_free(&sheet);
}

/* ---- pruning, threads, memory ---- */

static void test_pruning_keeps_the_nearest_of_like_contacts(void)
{
    random_source rng = {11};
    test_surface a;
    harvest found, scratch;
    error err = {0};
    harvest_init(&found, &allocator_system, sizeof(proximity));
    harvest_init(&scratch, &allocator_system, sizeof(proximity_place));
    test_surface_make(&a, test_mesh_soup(200, 0.3, &rng), &allocator_system);
    test_surface_move(&a, 0.03, NULL);
    gather(&a, &a, NULL, &found);
    const size_t before = found.items.count;
    TEST_ASSERT_EQUAL(STATUS_OK,
                      proximity_prune(&a.s, &a.s, PROXIMITY_TEN_DEGREES, &found, &scratch, &err));
    const size_t after = found.items.count;
    TEST_ASSERT_LESS_THAN_size_t(before, after);
    TEST_ASSERT_GREATER_THAN_size_t(before / 4, after);
    TEST_ASSERT_EQUAL(STATUS_OK,
                      proximity_prune(&a.s, &a.s, PROXIMITY_TEN_DEGREES, &found, &scratch, &err));
    TEST_ASSERT_EQUAL_size_t(after, found.items.count); /* what is left is not alike */
    harvest_destroy(&scratch);
    harvest_destroy(&found);
    test_surface_free(&a);
}

static void crumple(test_surface *t, random_source *rng)
{
    for (size_t v = 0; v < t->mesh.vertices; v++) {
        double *x = t->mesh.x + 3 * v;
        x[0] = 0.1 * x[0];
        x[2] = random_between(rng, -0.05, 0.05);
    }
    throw_about(t, 0.01, rng);
}

static void test_one_two_and_four_threads_give_the_same_bits(void)
{
    random_source rng = {12};
    test_surface t;
    test_surface_make(&t, test_mesh_sheet(1.0, 40), &allocator_system);
    crumple(&t, &rng);
    harvest one, more;
    harvest_init(&one, &allocator_system, sizeof(proximity));
    test_surface_move(&t, 0.002, NULL);
    gather(&t, &t, NULL, &one);
    TEST_ASSERT_GREATER_THAN_size_t(1000, one.items.count);
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        pool *p = pool_create(&allocator_system, threads, NULL);
        harvest_init(&more, &allocator_system, sizeof(proximity));
        test_surface_move(&t, 0.002, p);
        gather(&t, &t, p, &more);
        TEST_ASSERT_EQUAL_size_t(one.items.count, more.items.count);
        TEST_ASSERT_EQUAL_MEMORY(one.items.data, more.items.data,
                                 one.items.count * sizeof(proximity));
        harvest_destroy(&more);
        pool_destroy(p);
    }
    harvest_destroy(&one);
    test_surface_free(&t);
}

static void test_the_second_search_allocates_nothing(void)
{
    random_source rng = {13};
    counting_allocator memory;
    counting_init(&memory, 0);
    test_surface t;
    harvest found;
    harvest_init(&found, &memory.from, sizeof(proximity));
    test_surface_make(&t, test_mesh_sheet(1.0, 20), &memory.from);
    crumple(&t, &rng);
    test_surface_move(&t, 0.002, NULL);
    gather(&t, &t, NULL, &found);
    gather(&t, &t, NULL, &found); /* rows that were too short have room from here on */
    const uint64_t before = memory.allocations;
    test_surface_move(&t, 0.002, NULL);
    gather(&t, &t, NULL, &found);
    TEST_ASSERT_EQUAL_UINT64(before, memory.allocations);
    harvest_destroy(&found);
    test_surface_free(&t);
    counting_check(&memory);
}

static void test_every_failed_allocation_is_survived(void)
{
    random_source rng = {14};
    test_surface t;
    test_surface_make(&t, test_mesh_sheet(1.0, 12), &allocator_system);
    crumple(&t, &rng);
    test_surface_move(&t, 0.002, NULL);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        harvest found, scratch;
        error err = {0};
        harvest_init(&found, &memory.from, sizeof(proximity));
        harvest_init(&scratch, &memory.from, sizeof(proximity_place));
        status st = proximity_gather(&t.s, &t.s, PROXIMITY_ALL, NULL, &found, &err);
        if (st < 0) TEST_ASSERT_EQUAL_size_t(0, found.items.count);
        if (st >= 0)
            st = proximity_prune(&t.s, &t.s, PROXIMITY_TEN_DEGREES, &found, &scratch, &err);
        harvest_destroy(&scratch);
        harvest_destroy(&found);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_TRUE(k < 20);
    }
    test_surface_free(&t);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_candidates_of_soups_are_those_of_brute_force);
    RUN_TEST(test_gaps_are_those_of_the_weights);
    RUN_TEST(test_aligned_sheets_have_one_contact_per_vertex);
    RUN_TEST(test_a_sheet_thrown_through_another_is_always_caught);
    RUN_TEST(test_neighbours_in_the_rest_shape_do_not_meet);
    RUN_TEST(test_layers_holds_and_exclusions_are_left_out);
    RUN_TEST(test_strands_meet_sheets);
    RUN_TEST(test_solids_push_outward);
    RUN_TEST(test_pruning_keeps_the_nearest_of_like_contacts);
    RUN_TEST(test_one_two_and_four_threads_give_the_same_bits);
    RUN_TEST(test_the_second_search_allocates_nothing);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
