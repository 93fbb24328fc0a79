/* SPDX-License-Identifier: Apache-2.0 */
#include "io/pc2.h"

#include "support/temporary_folder.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { POINTS = 2, SAMPLE = POINTS * 3 * sizeof(float), HEADER = 32 };

static pc2_writer writer;
static error err;

void setUp(void)
{
    writer = PC2_CLOSED;
    error_clear(&err);
    temporary_make();
}

void tearDown(void)
{
    pc2_close(&writer);
    temporary_remove();
}

/* Sample k is k, k + 1/8, k + 2/8, ... */
static const float *sample(size_t k)
{
    static float x[3 * POINTS];
    for (size_t i = 0; i < 3 * POINTS; i++) x[i] = (float)k + 0.125f * (float)i;
    return x;
}

static void write_samples(const char *name, size_t count)
{
    static char path[2048];
    strcpy(path, temporary_path(name));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_create(&writer, path, POINTS, 1.0, &err));
    for (size_t k = 0; k < count; k++) {
        TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_write(&writer, k, sample(k), &err));
    }
}

static void expect_samples(const char *name, int32_t count)
{
    size_t size = 0;
    char *bytes = temporary_read(name, &size);
    int32_t counted = 0;
    memcpy(&counted, bytes + 28, sizeof counted);
    TEST_ASSERT_EQUAL_INT32(count, counted);
    TEST_ASSERT_TRUE(size >= HEADER + (size_t)count * SAMPLE);
    for (int32_t k = 0; k < count; k++) {
        TEST_ASSERT_EQUAL_MEMORY(sample((size_t)k), bytes + HEADER + (size_t)k * SAMPLE, SAMPLE);
    }
    free(bytes);
}

/* ---- layout ---- */

static void test_the_bytes_are_those_of_the_format(void)
{
    static const unsigned char expected[HEADER] = {
        'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', 0,  1, 0, 0, 0,
        2,   0,   0,   0,   0,   0,   128, 63,  0,   0,   128, 63, 3, 0, 0, 0};
    write_samples("a.pc2", 3);
    size_t size = 0;
    char *bytes = temporary_read("a.pc2", &size);
    TEST_ASSERT_EQUAL_size_t(HEADER + 3 * SAMPLE, size);
    TEST_ASSERT_EQUAL_MEMORY(expected, bytes, HEADER);
    free(bytes);
    expect_samples("a.pc2", 3);
}

static void test_the_header_reads_back(void)
{
    write_samples("a.pc2", 4);
    pc2_header h;
    uint64_t bytes = 0;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_read_header(temporary_path("a.pc2"), &h, &bytes, &err));
    TEST_ASSERT_EQUAL_INT32(POINTS, h.points);
    TEST_ASSERT_EQUAL_INT32(4, h.samples);
    TEST_ASSERT_TRUE(h.start == 1.0f && h.rate == 1.0f);
    TEST_ASSERT_EQUAL_UINT64(HEADER + 4 * SAMPLE, bytes);
}

/* ---- resuming ---- */

static void test_a_resumed_file_equals_an_uninterrupted_one(void)
{
    write_samples("whole.pc2", 6);
    pc2_close(&writer);
    write_samples("a.pc2", 5);
    pc2_close(&writer);
    const char *path = temporary_path("a.pc2");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_open(&writer, path, POINTS, 1.0, 2, &err));
    expect_samples("a.pc2", 5); /* opening changes nothing */
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_cut(&writer, 2, &err));
    expect_samples("a.pc2", 2);
    for (size_t k = 2; k < 6; k++) {
        TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_write(&writer, k, sample(k), &err));
    }
    temporary_check_equal("whole.pc2", "a.pc2");
}

static void test_half_a_sample_behind_the_last_does_not_count(void)
{
    write_samples("whole.pc2", 3);
    pc2_close(&writer);
    write_samples("a.pc2", 2);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, /* as a kill in the middle of a write leaves it */
                          file_write_at(&writer.out, HEADER + 2 * SAMPLE, sample(9), 7, &err));
    pc2_close(&writer);
    const char *path = temporary_path("a.pc2");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_open(&writer, path, POINTS, 1.0, 2, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_cut(&writer, 2, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_write(&writer, 2, sample(2), &err));
    temporary_check_equal("whole.pc2", "a.pc2");
}

static void test_a_file_of_something_else_is_not_continued(void)
{
    write_samples("a.pc2", 3);
    pc2_close(&writer);
    const char *path = temporary_path("a.pc2");
    TEST_ASSERT_EQUAL_INT(STATUS_STATE_MISMATCH, pc2_open(&writer, path, 3, 1.0, 2, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text,
                                "a.pc2: has 2 points and 3 samples from frame 1, expected "
                                "3 points and at least 2 samples from frame 1"));
    TEST_ASSERT_EQUAL_INT(STATUS_STATE_MISMATCH, pc2_open(&writer, path, POINTS, 5.0, 2, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_STATE_MISMATCH, pc2_open(&writer, path, POINTS, 1.0, 4, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_IO,
                          pc2_open(&writer, temporary_path("b.pc2"), POINTS, 1.0, 1, &err));
    expect_samples("a.pc2", 3);
    TEST_ASSERT_EQUAL_size_t(1, temporary_count(""));
}

/* ---- bad files, bad disks ---- */

static status read_header_of(const void *bytes, size_t size)
{
    pc2_header h;
    uint64_t found = 0;
    temporary_write("b.pc2", bytes, size);
    return pc2_read_header(temporary_path("b.pc2"), &h, &found, &err);
}

static void test_damaged_headers_are_refused(void)
{
    write_samples("a.pc2", 2);
    size_t size = 0;
    char *bytes = temporary_read("a.pc2", &size);
    for (size_t n = 0; n < size; n++) {
        TEST_ASSERT_EQUAL_INT(STATUS_PARSE, read_header_of(bytes, n));
        TEST_ASSERT_NOT_NULL(strstr(err.text, "b.pc2: "));
    }
    static const struct {
        size_t at;
        uint32_t value;
    } damage[] = {
        {0, 0},           {12, 2},           {16, 0},          {16, 0xffffffffu},
        {16, 1000000000}, {20, 0x7fc00000},  {24, 0x7f800000}, {24, 0},
        {24, 0xbf800000}, {28, 0xffffffffu}, {28, 3},
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char copy[HEADER + 2 * SAMPLE];
        memcpy(copy, bytes, sizeof copy);
        memcpy(copy + damage[i].at, &damage[i].value, sizeof damage[i].value);
        TEST_ASSERT_EQUAL_INT(STATUS_PARSE, read_header_of(copy, sizeof copy));
    }
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_header_of(bytes, size));
    free(bytes);
}

static void test_a_full_disk_is_reported_and_the_sample_can_be_written_again(void)
{
    write_samples("whole.pc2", 4);
    pc2_close(&writer);
    write_samples("a.pc2", 2);
    for (long room = HEADER + 2 * SAMPLE; room < HEADER + 3 * SAMPLE; room++) {
        temporary_limit_files(room);
        TEST_ASSERT_EQUAL_INT(STATUS_IO, pc2_write(&writer, 2, sample(2), &err));
        TEST_ASSERT_NOT_NULL(strstr(err.text, "a.pc2: cannot write"));
        TEST_ASSERT_NOT_NULL(strstr(err.text, "File too large"));
        expect_samples("a.pc2", 2);
    }
    temporary_limit_files(-1);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_write(&writer, 2, sample(2), &err));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, pc2_write(&writer, 3, sample(3), &err));
    temporary_check_equal("whole.pc2", "a.pc2");
}

static void test_a_device_without_room_is_reported(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_IO, pc2_create(&writer, "/dev/full", POINTS, 1.0, &err));
    TEST_ASSERT_EQUAL_STRING("/dev/full: cannot write 32 bytes: No space left on device", err.text);
}

static void test_an_unwritable_place_is_reported(void)
{
    temporary_write_text("file", "");
    const char *path = temporary_path("file/a.pc2");
    TEST_ASSERT_EQUAL_INT(STATUS_IO, pc2_create(&writer, path, POINTS, 1.0, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "file/a.pc2: cannot write the file: Not a directory"));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, pc2_create(&writer, temporary_path(""), POINTS, 1.0, &err));
}

static void test_a_cache_without_points_is_refused(void)
{
    const char *path = temporary_path("a.pc2");
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, pc2_create(&writer, path, 0, 1.0, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT,
                          pc2_create(&writer, path, (size_t)INT32_MAX + 1, 1.0, &err));
    TEST_ASSERT_FALSE(temporary_exists("a.pc2"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_bytes_are_those_of_the_format);
    RUN_TEST(test_the_header_reads_back);
    RUN_TEST(test_a_resumed_file_equals_an_uninterrupted_one);
    RUN_TEST(test_half_a_sample_behind_the_last_does_not_count);
    RUN_TEST(test_a_file_of_something_else_is_not_continued);
    RUN_TEST(test_damaged_headers_are_refused);
    RUN_TEST(test_a_full_disk_is_reported_and_the_sample_can_be_written_again);
    RUN_TEST(test_a_device_without_room_is_reported);
    RUN_TEST(test_an_unwritable_place_is_reported);
    RUN_TEST(test_a_cache_without_points_is_refused);
    return UNITY_END();
}
