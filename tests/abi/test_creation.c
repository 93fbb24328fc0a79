/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects that cannot be: each refused descriptor gets a text with the object's name, and leaves
 * the scene as it was.
 */
#include "check.h"
#include "small.h"

#include <math.h>

static small_scene small;
static small_sheet sheet;
static const stn_api *api;

static void refused(stn_status expected, stn_status got, stn_id id, uint64_t hash, const char *text)
{
    uint64_t count = 0;
    CHECK_STATUS(expected, small.scene, got);
    CHECK_TEXT(small.scene, text);
    TEST_ASSERT_EQUAL_UINT64(0, id);
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
    CHECK_OK(small.scene, api->object_list(small.scene, NULL, 0, &count));
    TEST_ASSERT_EQUAL_UINT64(3, count);
}

/* ---- cloth ---- */

static stn_cloth_desc good_cloth(void)
{
    return (stn_cloth_desc){.struct_size = sizeof(stn_cloth_desc),
                            .name = "shawl",
                            .positions = &sheet.positions,
                            .triangles = &sheet.triangles};
}

static void refuse_cloth(const stn_cloth_desc *desc, stn_status expected, const char *text)
{
    stn_id id = 1;
    const uint64_t hash = check_hash(small.scene);
    const stn_status got = api->cloth_create(small.scene, desc, &id);
    refused(expected, got, id, hash, text);
}

static void refuse_invalid_cloth(const stn_cloth_desc *desc, const char *text)
{
    refuse_cloth(desc, STN_ERROR_INVALID_ARGUMENT, "shawl");
    refuse_cloth(desc, STN_ERROR_INVALID_ARGUMENT, text);
}

static void test_triangles_name_nodes_that_exist(void)
{
    const stn_cloth_desc desc = good_cloth();
    sheet.triangle[7][1] = SMALL_NODES;
    refuse_invalid_cloth(&desc, "index 16");
    sheet.triangle[7][1] = UINT32_MAX;
    refuse_invalid_cloth(&desc, "4294967295");
    sheet.triangles.format = STN_FORMAT_I32;
    refuse_invalid_cloth(&desc, "-1");
    sheet.triangles.format = STN_FORMAT_F32;
    refuse_invalid_cloth(&desc, "triangles");
    sheet.triangles = INDICES(sheet.triangle, SMALL_TRIANGLES, 4);
    refuse_invalid_cloth(&desc, "triangles");
}

static void test_positions_are_finite(void)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const stn_cloth_desc desc = good_cloth();
    for (int i = 0; i < 3; i++) {
        sheet.position[11][2] = bad[i];
        refuse_invalid_cloth(&desc, "11");
    }
    sheet.position[11][2] = 0.0;
    sheet.positions.components = 2;
    refuse_invalid_cloth(&desc, "positions");
    sheet.positions = REALS(sheet.position, 0, 3);
    refuse_invalid_cloth(&desc, "positions");
    sheet.positions = REALS(sheet.position, UINT64_MAX, 3);
    refuse_cloth(&desc, STN_ERROR_INVALID_ARGUMENT, "positions");
}

static void test_arrays_have_a_value_for_every_node(void)
{
    double values[SMALL_NODES][3] = {{0}};
    const stn_view few = REALS(values, SMALL_NODES - 1, 3), flat = REALS(values, SMALL_NODES, 1);
    stn_cloth_desc desc = good_cloth();
    desc.velocities = &few;
    refuse_invalid_cloth(&desc, "velocities");
    desc.velocities = &flat;
    refuse_invalid_cloth(&desc, "velocities");
    desc = good_cloth();
    desc.rest_positions = &few;
    refuse_invalid_cloth(&desc, "rest");
    desc = good_cloth();
    desc.masses = &few;
    refuse_invalid_cloth(&desc, "masses");
    desc = good_cloth();
    values[3][1] = (double)NAN;
    const stn_view not_finite = REALS(values, SMALL_NODES, 3);
    desc.velocities = &not_finite;
    refuse_invalid_cloth(&desc, "velocities");
}

static void test_masses_are_positive(void)
{
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    double mass[SMALL_NODES];
    const stn_view masses = REALS(mass, SMALL_NODES, 1);
    stn_cloth_desc desc = good_cloth();
    desc.masses = &masses;
    for (int b = 0; b < 4; b++) {
        for (int i = 0; i < SMALL_NODES; i++) mass[i] = i == 9 ? bad[b] : 0.1;
        refuse_invalid_cloth(&desc, "9");
    }
}

static void test_nodes_without_mass_are_refused(void)
{
    stn_cloth_desc desc = good_cloth();
    desc.triangles = NULL;
    refuse_invalid_cloth(&desc, "node 0");
    const uint32_t corner[1][3] = {{0, 1, 2}}; /* on a line: no area */
    const stn_view one = INDICES(corner, 1, 3);
    desc.triangles = &one;
    refuse_invalid_cloth(&desc, "node 0");
    const uint32_t point[1][3] = {{5, 5, 5}};
    const stn_view degenerate = INDICES(point, 1, 3);
    desc.triangles = &degenerate;
    refuse_invalid_cloth(&desc, "node 0");
    desc = good_cloth();
    for (int i = 0; i < 3 * SMALL_TRIANGLES; i++) { /* node 15 loses its triangles */
        uint32_t *node = &sheet.triangle[i / 3][i % 3];
        if (*node == SMALL_NODES - 1) *node = 0;
    }
    refuse_invalid_cloth(&desc, "node 15");
}

static void test_rest_shapes_without_area_are_refused(void)
{
    const double nowhere[SMALL_NODES][3] = {{0}};
    const stn_view rest = REALS(nowhere, SMALL_NODES, 3);
    stn_cloth_desc desc = good_cloth();
    desc.rest_positions = &rest;
    refuse_invalid_cloth(&desc, "node 0");
}

static void test_what_cloth_does_not_have_yet_is_said(void)
{
    double uv[SMALL_NODES][2] = {{0}};
    const uint32_t pair[1][2] = {{0, 1}};
    const stn_view uvs = REALS(uv, SMALL_NODES, 2), seams = INDICES(pair, 1, 2);
    stn_cloth_desc desc = good_cloth();
    desc.uvs = &uvs;
    refuse_cloth(&desc, STN_ERROR_UNSUPPORTED, "uvs");
    desc = good_cloth();
    desc.seams = &seams;
    refuse_cloth(&desc, STN_ERROR_UNSUPPORTED, "seams");
    desc = good_cloth();
    desc.flags = 1;
    refuse_cloth(&desc, STN_ERROR_INVALID_ARGUMENT, "flags");
}

/* ---- colliders ---- */

static void refuse_collider(uint32_t shape, double size, stn_status expected, const char *text)
{
    stn_id id = 1;
    const stn_collider_desc desc = {
        .struct_size = sizeof desc, .shape = shape, .name = "stone", .size = {size, 1.0, 1.0}};
    const uint64_t hash = check_hash(small.scene);
    const stn_status got = api->collider_create(small.scene, &desc, &id);
    CHECK_TEXT(small.scene, "stone");
    refused(expected, got, id, hash, text);
}

static void test_shapes_exist(void)
{
    refuse_collider(0, 1.0, STN_ERROR_INVALID_ARGUMENT, "shape 0");
    refuse_collider(99, 1.0, STN_ERROR_INVALID_ARGUMENT, "shape 99");
    refuse_collider(STN_SHAPE_CAPSULE, 0.0, STN_ERROR_INVALID_ARGUMENT, "radius");
    refuse_collider(STN_SHAPE_BOX, -1.0, STN_ERROR_INVALID_ARGUMENT, "half extent");
    refuse_collider(STN_SHAPE_MESH, 1.0, STN_ERROR_INVALID_ARGUMENT, "0 triangles");
}

static void test_spheres_have_a_radius(void)
{
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 1e300};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refuse_collider(STN_SHAPE_SPHERE, bad[i], STN_ERROR_INVALID_ARGUMENT, "radius");
    }
}

/* ---- what is declared but not there ---- */

static void test_kinds_that_are_not_there_yet_say_so(void)
{
    const stn_rigid_desc rigid = {.struct_size = sizeof rigid};
    const uint64_t hash = check_hash(small.scene);
    stn_id id = 1;
    const stn_status got = api->rigid_create(small.scene, &rigid, &id);
    refused(STN_ERROR_UNSUPPORTED, got, id, hash, "rigid");
}

static void refuse_hair(const stn_hair_desc *desc, stn_status expected, const char *text)
{
    const uint64_t hash = check_hash(small.scene);
    stn_id id = 1;
    const stn_status got = api->hair_create(small.scene, desc, &id);
    refused(expected, got, id, hash, text);
}

static void test_fields_of_hair_that_do_not_fit_say_so(void)
{
    const uint32_t size = SMALL_SIDE;
    const stn_view points = REALS(sheet.position, SMALL_SIDE, 3), sizes = INDICES(&size, 1, 1);
    const stn_hair_desc good = {
        .struct_size = sizeof good, .points = &points, .strand_sizes = &sizes};
    stn_hair_desc desc = good;
    desc.model = 1;
    refuse_hair(&desc, STN_ERROR_UNSUPPORTED, "model");
    desc = good;
    desc.guides = &sizes;
    refuse_hair(&desc, STN_ERROR_INVALID_ARGUMENT, "guides");
    desc = good;
    desc.root_triangles = &sizes;
    refuse_hair(&desc, STN_ERROR_INVALID_ARGUMENT, "root triangles");
    desc = good;
    desc.surface = small.sheet;
    refuse_hair(&desc, STN_ERROR_WRONG_KIND, "surface");
    desc = good;
    desc.points = NULL;
    refuse_hair(&desc, STN_ERROR_INVALID_ARGUMENT, "points");
}

static void test_soft_pins_are_not_there_yet(void)
{
    const double half = 0.5;
    const uint32_t index = 2;
    const stn_view at = INDICES(&index, 1, 1), value = REALS(&half, 1, 1);
    const uint64_t hash = check_hash(small.scene);
    const stn_status got = api->array_set_at(small.scene, small.sheet, "pin", &at, &value);
    refused(STN_ERROR_UNSUPPORTED, got, 0, hash, "node 2");
}

void setUp(void)
{
    api = rows_api();
    small_create(&small, NULL);
    small_sheet_fill(&sheet, 1.0);
}

void tearDown(void) { small_destroy(&small); }

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_triangles_name_nodes_that_exist);
    RUN_TEST(test_positions_are_finite);
    RUN_TEST(test_arrays_have_a_value_for_every_node);
    RUN_TEST(test_masses_are_positive);
    RUN_TEST(test_nodes_without_mass_are_refused);
    RUN_TEST(test_rest_shapes_without_area_are_refused);
    RUN_TEST(test_what_cloth_does_not_have_yet_is_said);
    RUN_TEST(test_shapes_exist);
    RUN_TEST(test_spheres_have_a_radius);
    RUN_TEST(test_kinds_that_are_not_there_yet_say_so);
    RUN_TEST(test_fields_of_hair_that_do_not_fit_say_so);
    RUN_TEST(test_soft_pins_are_not_there_yet);
    return UNITY_END();
}
