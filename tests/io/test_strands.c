/* SPDX-License-Identifier: Apache-2.0
 *
 * Strand files, alone and in scene files.
 */
#include "io/strands.h"

#include "io/scene_file.h"
#include "support/counting_allocator.h"
#include "support/temporary_folder.h"

#include <string.h>
#include <unity.h>

static counting_allocator memory;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    error_clear(&err);
    temporary_make();
}

void tearDown(void)
{
    temporary_remove();
    counting_check(&memory);
}

static status read_text(const char *text, strand_set *set)
{
    temporary_write_text("a.strands", text);
    return strands_read(set, &memory.from, temporary_path("a.strands"), &err);
}

static void test_points_and_sizes_are_read(void)
{
    strand_set set;
    TEST_ASSERT_EQUAL(STATUS_OK, read_text("# two\n\n0 0 0\n# tip\n0 0 1e-1 # here\r\n\n\n"
                                           "1 0 0\n1 0 .5\n1 0 1",
                                           &set));
    TEST_ASSERT_EQUAL(2, set.sizes.count);
    const uint32_t *size = set.sizes.data;
    TEST_ASSERT_EQUAL_UINT32(2, size[0]);
    TEST_ASSERT_EQUAL_UINT32(3, size[1]);
    const double *x = set.points.data;
    TEST_ASSERT_EQUAL_DOUBLE(0.1, x[5]);
    TEST_ASSERT_EQUAL_DOUBLE(0.5, x[11]);
    strand_set_destroy(&set);
}

static void refuse(const char *text, const char *why)
{
    strand_set set;
    TEST_ASSERT_EQUAL(STATUS_PARSE, read_text(text, &set));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, why), err.text);
}

static void test_mistakes_are_refused_with_their_line(void)
{
    refuse("", "has no strands");
    refuse("# nothing\n\n", "has no strands");
    refuse("0 0 0\n", ":1: strand 0 ends after one point");
    refuse("0 0 0\n0 0 1\n\n1 1 1\n\n", ":5: strand 1 ends after one point");
    refuse("0 0 0\n0 0\n", ":2: z is ''");
    refuse("0 0 0\n0 north 0\n", ":2: y is 'north'");
    refuse("0 0 0\n0 0 1 7\n", ":2: a fourth word is '7'");
    refuse("0 0 nan\n", ":1: z is 'nan'");
}

static void test_every_failed_allocation_is_survived(void)
{
    status st = STATUS_OUT_OF_MEMORY;
    for (uint64_t k = 1; st == STATUS_OUT_OF_MEMORY; k++) {
        strand_set set;
        counting_init(&memory, k);
        st = read_text("0 0 0\n0 0 1\n", &set);
        if (st >= 0) strand_set_destroy(&set);
        counting_check(&memory);
    }
    TEST_ASSERT_EQUAL(STATUS_OK, st);
}

/* ---- in scenes ---- */

static status build(const char *hair, scene **out, uint64_t *ids)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"stiction\": 1, \"frames\": [0, 2], \"objects\": [\n"
        " {\"name\": \"ball\", \"kind\": \"collider\", \"shape\": \"sphere\", \"radius\": 0.1,\n"
        "  \"position\": [0, 0, 5]},\n"
        " {\"name\": \"hair\", \"kind\": \"hair\", %s}]}",
        hair);
    temporary_write_text("a.json", text);
    temporary_write_text("a.strands", "0 0 0.1\n0 0 0.2\n\n0.1 0 0\n0.2 0 0\n0.3 0 0\n\n"
                                      "0 0.1 0\n0 0.2 0\n");
    scene_file *file = NULL;
    status st = scene_file_read(&memory.from, temporary_path("a.json"), &file, &err);
    if (st < 0) return st;
    const scene_config config = {.memory = memory.from, .threads = 1};
    st = scene_create(&config, out, &err);
    if (st >= 0) st = scene_file_build(file, *out, ids, &err);
    scene_file_destroy(file);
    return st;
}

static void test_strands_of_a_scene_ride_on_what_they_are_on(void)
{
    scene *s = NULL;
    uint64_t ids[2];
    double x[21];
    const status st = build("\"strands\": \"a.strands\", \"on\": \"ball\", \"guides\": 2", &s, ids);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, err.text);
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, ids[1], &info, &err));
    TEST_ASSERT_EQUAL(3, info.strands);
    const mut_view to = {x, 7, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, ids[1], "position", &to, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5.2, x[5]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.3, x[12]);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, 0.01, &err));
    scene_destroy(s);
}

static void refuse_scene(const char *hair, const char *why)
{
    scene *s = NULL;
    uint64_t ids[2];
    TEST_ASSERT_EQUAL(STATUS_PARSE, build(hair, &s, ids));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, why), err.text);
    scene_destroy(s);
}

static void test_mistakes_of_scenes_are_refused(void)
{
    refuse_scene("\"friction\": 1", "or strands");
    refuse_scene("\"strands\": \"a.strands\", \"on\": \"bal\"", "the name of a collider");
    refuse_scene("\"strands\": \"a.strands\", \"guides\": 4", "from 1 to 3");
    refuse_scene("\"strands\": \"a.strands\", \"grow\": {}", "only one of grow, make, strands");
    refuse_scene("\"grow\": {}, \"on\": \"ball\"", "it inside grow or make");
    refuse_scene("\"strands\": \"a.json\"", "x is '");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_points_and_sizes_are_read);
    RUN_TEST(test_mistakes_are_refused_with_their_line);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_strands_of_a_scene_ride_on_what_they_are_on);
    RUN_TEST(test_mistakes_of_scenes_are_refused);
    return UNITY_END();
}
