/* SPDX-License-Identifier: Apache-2.0 */
#include "io/obj.h"

#include "support/counting_allocator.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static counting_allocator memory;
static obj_mesh mesh;
static bool is_read;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    error_clear(&err);
    is_read = false;
    temporary_make();
}

static void drop_mesh(void)
{
    if (is_read) obj_mesh_destroy(&mesh);
    is_read = false;
}

void tearDown(void)
{
    drop_mesh();
    temporary_remove();
    counting_check(&memory);
}

static status read_path(const char *path)
{
    drop_mesh();
    const status result = obj_read(&mesh, &memory.from, path, &err);
    is_read = result >= 0;
    return result;
}

static status read_text(const char *text)
{
    temporary_write_text("a.obj", text);
    return read_path(temporary_path("a.obj"));
}

static void expect_triangle(size_t i, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t *t = array_at(&mesh.triangles, i);
    TEST_ASSERT_EQUAL_UINT32(a, t[0]);
    TEST_ASSERT_EQUAL_UINT32(b, t[1]);
    TEST_ASSERT_EQUAL_UINT32(c, t[2]);
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

/* ---- reading ---- */

static void test_all_forms_of_corners_are_read(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_text("# a comment\nmtllib x.mtl\no square\n" SQUARE
                                               "vt 0 0\nvn 0 0 1\nusemtl m\ns off\n"
                                               "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n"
                                               "f 1/1/1 2/1/1 3/1/1\nf -4 -3/1 -2//1\nl 1 2\n"));
    TEST_ASSERT_EQUAL_size_t(4, mesh.positions.count);
    TEST_ASSERT_EQUAL_size_t(5, mesh.triangles.count);
    for (size_t i = 0; i < 5; i++) expect_triangle(i, 0, 1, 2);
}

static void test_polygons_become_fans(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_text(SQUARE "v 0 0.5 0\nf 1 2 3 4 5\n"));
    TEST_ASSERT_EQUAL_size_t(3, mesh.triangles.count);
    expect_triangle(0, 0, 1, 2);
    expect_triangle(1, 0, 2, 3);
    expect_triangle(2, 0, 3, 4);
}

static void test_spaces_tabs_and_line_ends_do_not_matter(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK,
                          read_text("  v\t1.5e1 -.25 +3 1.0\r\n\r\nv 1 2 3 0.5 0.5 0.5\r\n"
                                    "v 0 0 0\r\n\tf 1  2 3 \r\nf 3 2 1"));
    const double *x = array_at(&mesh.positions, 0);
    TEST_ASSERT_TRUE(x[0] == 15.0 && x[1] == -0.25 && x[2] == 3.0);
    TEST_ASSERT_EQUAL_size_t(2, mesh.triangles.count);
    expect_triangle(1, 2, 1, 0);
}

static void test_bad_files_are_refused_with_their_line(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ": has no vertices, expected a Wavefront OBJ mesh"},
        {"f 1 2 3\n", ":1: a corner is '1', expected an index of one of the 0 vertices before this "
                      "line"},
        {"# nothing\nvn 0 0 1\n", ": has no vertices, expected a Wavefront OBJ mesh"},
        {"v 0 0\n", ":1: z is missing, expected a finite number"},
        {"v 0 0 0\nv 0 up 0\n", ":2: y is 'up', expected a finite number"},
        {"v nan 0 0\n", ":1: x is 'nan', expected a finite number"},
        {"v 0 0 -inf\n", ":1: z is '-inf', expected a finite number"},
        {"v 1e999 0 0\n", ":1: x is '1e999', expected a finite number"},
        {"v 0x10 0 0\n", ":1: x is '0x10', expected a finite number"},
        {"v 1,5 0 0\n", ":1: x is '1,5', expected a finite number"},
        {"v 1.5.2 0 0\n", ":1: x is '1.5.2', expected a finite number"},
        {SQUARE "f 1 2\n", ":5: a corner is missing, expected at least 3 in a face"},
        {SQUARE "f\n", ":5: a corner is missing, expected at least 3 in a face"},
        {SQUARE "f 1 2 5\n", ":5: a corner is '5', expected an index of one of the 4 vertices "
                             "before this line"},
        {SQUARE "f 0 1 2\n", ":5: a corner is '0', expected an index of one of the 4 vertices "
                             "before this line"},
        {SQUARE "f -5 1 2\n", ":5: a corner is '-5', expected an index of one of the 4 vertices "
                              "before this line"},
        {SQUARE "\nf 1 2 x\n", ":6: a corner is 'x', expected an index like 7 or 7/1/3"},
        {SQUARE "f 1 2 3.5\n", ":5: a corner is '3.5', expected an index like 7 or 7/1/3"},
        {SQUARE "f 1 2 /3\n", ":5: a corner is '/3', expected an index like 7 or 7/1/3"},
        {SQUARE "f 1 2 99999999999999999999\n",
         ":5: a corner is '99999999999999999999', expected an index like 7 or 7/1/3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_PARSE, read_text(cases[i].text), cases[i].text);
        const char *path = temporary_path("a.obj");
        TEST_ASSERT_EQUAL_STRING_LEN(path, err.text, strlen(path));
        TEST_ASSERT_EQUAL_STRING(cases[i].message, err.text + strlen(path));
    }
}

static void test_a_binary_file_is_refused(void)
{
    char bytes[4096];
    random_source random = {7};
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)random_below(&random, 256);
    temporary_write("a.obj", bytes, sizeof bytes);
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, read_path(temporary_path("a.obj")));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, read_path(temporary_path("missing.obj")));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, read_path(temporary_path("")));
}

static void test_random_damage_is_read_or_refused(void)
{
    static const char sample[] = SQUARE "f 1 2 3 4\nf -1/2/3 2//1 1\n";
    random_source random = {3};
    size_t read = 0, refused = 0;
    for (int round = 0; round < 2000; round++) {
        char text[sizeof sample];
        memcpy(text, sample, sizeof sample);
        for (uint32_t n = 1 + random_below(&random, 3); n > 0; n--) {
            static const char spare[] = "vf /-.e0123456789\n\r\t\xff";
            text[random_below(&random, sizeof sample - 1)] =
                spare[random_below(&random, sizeof spare)];
        }
        temporary_write("a.obj", text, sizeof sample - 1);
        if (read_path(temporary_path("a.obj")) == STATUS_OK) {
            read++;
            for (size_t i = 0; i < 3 * mesh.triangles.count; i++) {
                const uint32_t vertex = ((const uint32_t *)mesh.triangles.data)[i];
                TEST_ASSERT_TRUE(vertex < mesh.positions.count);
            }
        } else {
            TEST_ASSERT_EQUAL_INT(STATUS_PARSE, err.code);
            refused++;
        }
    }
    TEST_ASSERT_TRUE(read > 0 && refused > 0);
}

/* ---- writing ---- */

enum { VERTICES = 500 };
static double positions[3 * VERTICES];
static const uint32_t triangles[6] = {0, 1, 2, 2, 1, VERTICES - 1};

static obj_source random_source_mesh(void)
{
    random_source random = {11};
    for (size_t i = 0; i < 3 * VERTICES; i++) {
        const int exponent = (int)random_below(&random, 600) - 300;
        positions[i] = ldexp(random_between(&random, -1.0, 1.0), exponent);
    }
    positions[0] = 0.1;
    positions[1] = -0.0;
    positions[2] = 5e-324;
    return (obj_source){"random", positions, VERTICES, triangles, 2};
}

static void test_written_numbers_read_back_to_the_same_bits(void)
{
    const obj_source source = random_source_mesh();
    TEST_ASSERT_EQUAL_INT(STATUS_OK,
                          obj_write(&source, &memory.from, temporary_path("b.obj"), &err));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_path(temporary_path("b.obj")));
    TEST_ASSERT_EQUAL_size_t(VERTICES, mesh.positions.count);
    TEST_ASSERT_EQUAL_MEMORY(positions, mesh.positions.data, sizeof positions);
    TEST_ASSERT_EQUAL_size_t(2, mesh.triangles.count);
    TEST_ASSERT_EQUAL_MEMORY(triangles, mesh.triangles.data, sizeof triangles);
    TEST_ASSERT_EQUAL_size_t(1, temporary_count(""));
}

static void test_round_numbers_are_written_short(void)
{
    const double square[9] = {0.1, 0.0, 1.0, -2.5, 1e-6, 1234567.0, 0.0, 0.0, 0.3};
    const obj_source source = {"shawl", square, 3, triangles, 1};
    TEST_ASSERT_EQUAL_INT(STATUS_OK,
                          obj_write(&source, &memory.from, temporary_path("b.obj"), &err));
    size_t size = 0;
    char *text = temporary_read("b.obj", &size);
    TEST_ASSERT_EQUAL_STRING("o shawl\nv 0.1 0 1\nv -2.5 1e-06 1234567\nv 0 0 0.3\nf 1 2 3\n",
                             text);
    free(text);
}

static void test_a_failed_write_leaves_the_old_file_and_nothing_else(void)
{
    const obj_source source = random_source_mesh();
    temporary_write_text("b.obj", "the old file");
    temporary_limit_files(1000);
    TEST_ASSERT_EQUAL_INT(STATUS_IO,
                          obj_write(&source, &memory.from, temporary_path("b.obj"), &err));
    temporary_limit_files(-1);
    TEST_ASSERT_NOT_NULL(strstr(err.text, "b.obj"));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "File too large"));
    size_t size = 0;
    char *text = temporary_read("b.obj", &size);
    TEST_ASSERT_EQUAL_STRING("the old file", text);
    free(text);
    TEST_ASSERT_EQUAL_size_t(1, temporary_count(""));
}

static void test_a_folder_that_is_not_there_is_an_error(void)
{
    const obj_source source = random_source_mesh();
    const char *path = temporary_path("nowhere/b.obj");
    TEST_ASSERT_EQUAL_INT(STATUS_IO, obj_write(&source, &memory.from, path, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "nowhere/b.obj"));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "No such file or directory"));
}

static void test_every_failed_allocation_is_survived(void)
{
    const obj_source source = random_source_mesh();
    const char *path = temporary_path("b.obj");
    status result = STATUS_OUT_OF_MEMORY;
    for (uint64_t k = 1; result != STATUS_OK; k++) {
        counting_init(&memory, k);
        result = obj_write(&source, &memory.from, path, &err);
        if (result >= 0) result = read_path(path);
        TEST_ASSERT_TRUE(result == STATUS_OK || result == STATUS_OUT_OF_MEMORY);
        if (result < 0) counting_check(&memory);
    }
    TEST_ASSERT_TRUE(memory.allocations > 3);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_all_forms_of_corners_are_read);
    RUN_TEST(test_polygons_become_fans);
    RUN_TEST(test_spaces_tabs_and_line_ends_do_not_matter);
    RUN_TEST(test_bad_files_are_refused_with_their_line);
    RUN_TEST(test_a_binary_file_is_refused);
    RUN_TEST(test_random_damage_is_read_or_refused);
    RUN_TEST(test_written_numbers_read_back_to_the_same_bits);
    RUN_TEST(test_round_numbers_are_written_short);
    RUN_TEST(test_a_failed_write_leaves_the_old_file_and_nothing_else);
    RUN_TEST(test_a_folder_that_is_not_there_is_an_error);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
