/* SPDX-License-Identifier: Apache-2.0
 *
 * What every cache format owes: it reads back, it goes on where it was cut, it knows when it is not
 * whole, and no damage does more than make an error. Layouts are checked by cache_files_test.py,
 * which was written from their descriptions.
 */
#include "io/cache.h"

#include "support/counting_allocator.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { POINTS = 7, FRAMES = 5, NAME_SIZE = 64 };

static error err;
static const cache_format *format;

void setUp(void)
{
    error_clear(&err);
    temporary_make();
}

void tearDown(void)
{
    temporary_limit_files(-1);
    temporary_remove();
}

/* ---- something to write ---- */

static const uint32_t triangles[] = {0, 1, 2, 2, 1, 3, 4, 5, 6};
static const uint32_t strand_sizes[] = {2, 4, 1};

static cache_shape mesh_shape(void)
{
    return (cache_shape){.name = "sheet",
                         .kind = CACHE_MESH,
                         .parts = CACHE_VELOCITIES | CACHE_STATES | CACHE_STATISTICS,
                         .points = POINTS,
                         .triangles = triangles,
                         .triangle_count = 3,
                         .first_frame = 11.0,
                         .frame_rate = 24.0,
                         .frames = FRAMES};
}

static cache_shape curves_shape(void)
{
    cache_shape s = mesh_shape();
    s.kind = CACHE_CURVES;
    s.parts = CACHE_VELOCITIES;
    s.triangles = NULL;
    s.triangle_count = 0;
    s.strand_sizes = strand_sizes;
    s.strands = 3;
    return s;
}

/* Frame k; numbers of all sizes and signs. */
static cache_frame make_frame(size_t k)
{
    static float x[3 * POINTS], v[3 * POINTS];
    static uint8_t states[POINTS];
    static char statistics[64];
    random_source rng = {77 + k};
    for (size_t i = 0; i < 3 * POINTS; i++) {
        x[i] = (float)(random_between(&rng, -1.0, 1.0) * pow(10.0, (double)(i % 7) - 4.0));
        v[i] = i % 5 ? (float)random_between(&rng, -30.0, 30.0) : 0.0f;
    }
    for (size_t i = 0; i < POINTS; i++) states[i] = (uint8_t)random_below(&rng, 4);
    snprintf(statistics, sizeof statistics, "{\"frame\": %zu, \"contacts\": %zu}", k, 3 * k);
    return (cache_frame){x, v, states, statistics};
}

static const char *file_name(const char *stem)
{
    static char names[4][NAME_SIZE];
    static size_t next;
    char *name = names[next++ % 4];
    snprintf(name, sizeof names[0], "%s%s", stem, cache_format_suffix(format));
    return name;
}

static void write_frames(cache_writer *w, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        const cache_frame f = make_frame(k);
        TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, cache_write(w, k, &f, &err), err.text);
    }
}

/* A file with some frames, and finished if those are all. */
static void write_file(const char *name, const cache_shape *s, size_t frames)
{
    cache_writer *w = NULL;
    const char *path = temporary_path(name);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        STATUS_OK, cache_create(&w, format, &allocator_system, path, s, &err), err.text);
    write_frames(w, 0, frames);
    if (frames == s->frames) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, cache_finish(w, &err), err.text);
    }
    cache_close(w);
}

static void for_each_format(void (*check)(const cache_shape *s))
{
    const cache_shape shapes[] = {mesh_shape(), curves_shape()};
    for (size_t i = 0; (format = cache_format_at(i)); i++) {
        for (size_t k = 0; k < 2; k++) {
            if (!(cache_format_kinds(format) & shapes[k].kind)) continue;
            temporary_remove();
            temporary_make();
            check(&shapes[k]);
        }
    }
}

/* ---- reading back ---- */

/* nCache is in centimetres: what comes back was rounded twice. */
static bool is_scaled(void) { return strncmp(cache_format_name(format), "mc", 2) == 0; }

static void expect_floats(const float *expected, const float *found, const char *what)
{
    for (size_t i = 0; i < 3 * POINTS; i++) {
        const double bound = is_scaled() ? fabs((double)expected[i]) * 0x1p-23 : 0.0;
        TEST_ASSERT_TRUE_MESSAGE(fabs((double)expected[i] - (double)found[i]) <= bound, what);
    }
}

static void expect_frame(cache_reader *r, size_t k)
{
    const uint32_t parts = cache_get_info(r)->shape.parts;
    const cache_frame expected = make_frame(k);
    cache_frame found;
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, cache_read(r, k, &found, &err), err.text);
    expect_floats(expected.positions, found.positions, cache_format_name(format));
    TEST_ASSERT_EQUAL(!!(parts & CACHE_VELOCITIES), !!found.velocities);
    if (found.velocities) {
        expect_floats(expected.velocities, found.velocities, cache_format_name(format));
    }
    if (found.states) TEST_ASSERT_EQUAL_MEMORY(expected.states, found.states, POINTS);
    if (found.statistics) TEST_ASSERT_EQUAL_STRING(expected.statistics, found.statistics);
}

static void expect_shape(const cache_info *info, const cache_shape *s)
{
    const cache_shape *found = &info->shape;
    TEST_ASSERT_EQUAL_PTR(format, info->format);
    TEST_ASSERT_EQUAL_size_t(POINTS, found->points);
    TEST_ASSERT_TRUE(found->first_frame == 11.0);
    TEST_ASSERT_EQUAL_UINT32(s->parts & cache_format_parts(format), found->parts);
    if (found->kind == CACHE_POINTS) return;
    TEST_ASSERT_EQUAL_STRING("sheet", found->name);
    TEST_ASSERT_EQUAL_UINT32(s->kind, found->kind);
    TEST_ASSERT_TRUE(found->frame_rate == 24.0);
    if (s->kind == CACHE_MESH) {
        TEST_ASSERT_EQUAL_MEMORY(triangles, found->triangles, sizeof triangles);
    } else {
        TEST_ASSERT_EQUAL_MEMORY(strand_sizes, found->strand_sizes, sizeof strand_sizes);
    }
}

static cache_reader *open_file(const char *name)
{
    cache_reader *r = NULL;
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        STATUS_OK, cache_open(&r, &allocator_system, temporary_path(name), &err), err.text);
    return r;
}

static void check_reads_back(const cache_shape *s)
{
    write_file(file_name("a"), s, FRAMES);
    cache_reader *r = open_file(file_name("a"));
    expect_shape(cache_get_info(r), s);
    TEST_ASSERT_TRUE(cache_get_info(r)->complete);
    TEST_ASSERT_EQUAL_size_t(FRAMES, cache_get_info(r)->frames);
    static const size_t order[] = {3, 0, 4, 1, 2}; /* any frame at any time */
    for (size_t i = 0; i < FRAMES; i++) expect_frame(r, order[i]);
    cache_frame f;
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, cache_read(r, FRAMES, &f, &err));
    cache_reader_close(r);
    TEST_ASSERT_EQUAL_INT(
        STATUS_OK, cache_verify(&allocator_system, temporary_path(file_name("a")), &r, &err));
    cache_reader_close(r);
}

static void test_what_was_written_reads_back(void) { for_each_format(check_reads_back); }

/* ---- unfinished, and taken up again ---- */

static void check_unfinished(const cache_shape *s)
{
    for (size_t frames = 0; frames < FRAMES; frames += 2) {
        write_file(file_name("a"), s, frames);
        cache_reader *r = open_file(file_name("a"));
        const cache_info *info = cache_get_info(r);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(frames, info->frames, cache_format_name(format));
        const bool grows = strcmp(cache_format_name(format), "pc2") == 0;
        TEST_ASSERT_EQUAL(grows, info->complete); /* a PC2 file does not know of an end */
        TEST_ASSERT_EQUAL(grows, info->note == NULL);
        for (size_t k = 0; k < frames; k++) expect_frame(r, k);
        cache_reader_close(r);
    }
}

static void test_an_unfinished_file_says_so_and_gives_its_whole_frames(void)
{
    for_each_format(check_unfinished);
}

/* Of Maya's formats: aFrame11.mc, a_mcxFrame11.mcx. */
static void frame_name(char out[NAME_SIZE], const char *stem, size_t frame)
{
    const char *name = cache_format_name(format);
    snprintf(out, NAME_SIZE, "%s%sFrame%zu.%s", stem, strcmp(name, "mcx") ? "" : "_mcx", frame,
             name);
}

/* All files of the format named a... and b... are equal. */
static void expect_equal_files(void)
{
    temporary_check_equal(file_name("a"), file_name("b"));
    for (size_t k = 0; k < FRAMES; k++) {
        char a[NAME_SIZE], b[NAME_SIZE];
        frame_name(a, "a", 11 + k);
        frame_name(b, "b", 11 + k);
        if (temporary_exists(a)) temporary_check_equal(a, b);
    }
}

static void resume(const cache_shape *s, size_t written, size_t kept)
{
    cache_writer *w = NULL;
    write_file(file_name("b"), s, written);
    const char *path = temporary_path(file_name("b"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        STATUS_OK, cache_reopen(&w, format, &allocator_system, path, s, kept, &err), err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, cache_cut(w, kept, &err), err.text);
    write_frames(w, kept, FRAMES);
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, cache_finish(w, &err), err.text);
    cache_close(w);
    expect_equal_files();
}

static void check_resumes(const cache_shape *s)
{
    write_file(file_name("a"), s, FRAMES);
    resume(s, 2, 0);
    resume(s, 3, 2);
    resume(s, 3, 3);
    resume(s, FRAMES, 1);
    resume(s, FRAMES, FRAMES);
}

static void test_a_resumed_file_equals_an_uninterrupted_one(void)
{
    for_each_format(check_resumes);
}

static status reopen_as(const cache_shape *s, size_t frames)
{
    cache_writer *w = NULL;
    const char *path = temporary_path(file_name("a"));
    const status result = cache_reopen(&w, format, &allocator_system, path, s, frames, &err);
    cache_close(w);
    return result;
}

static void check_refuses_other(const cache_shape *s)
{
    write_file(file_name("a"), s, 3);
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, reopen_as(s, 3), err.text);
    TEST_ASSERT_EQUAL_INT(STATUS_STATE_MISMATCH, reopen_as(s, 4));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "expected at least 4"));
    cache_shape other = *s;
    other.points = POINTS - 1;
    TEST_ASSERT_EQUAL_INT(STATUS_STATE_MISMATCH, reopen_as(&other, 3));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "has 7 points, expected 6"));
    other = *s;
    other.first_frame = 12.0;
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_STATE_MISMATCH, reopen_as(&other, 3),
                                  cache_format_name(format));
}

static void test_a_file_of_something_else_is_not_continued(void)
{
    for_each_format(check_refuses_other);
}

static void check_wrong_calls(const cache_shape *s)
{
    cache_writer *w = NULL;
    const char *path = temporary_path(file_name("a"));
    cache_shape bad = *s;
    bad.points = 0;
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT,
                          cache_create(&w, format, &allocator_system, path, &bad, &err));
    TEST_ASSERT_NULL(w);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, cache_create(&w, format, &allocator_system, path, s, &err));
    const cache_frame f = make_frame(1), empty = {0};
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, cache_write(w, 1, &f, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, cache_write(w, 0, &empty, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, cache_finish(w, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, cache_cut(w, 1, &err));
    cache_close(w);
}

static void test_frames_must_follow_one_another(void) { for_each_format(check_wrong_calls); }

/* ---- bad disks ---- */

static void check_full_disk(const cache_shape *s)
{
    write_file(file_name("a"), s, FRAMES);
    cache_writer *w = NULL;
    const char *path = temporary_path(file_name("b"));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, cache_create(&w, format, &allocator_system, path, s, &err));
    write_frames(w, 0, 3);
    const cache_frame f = make_frame(3);
    temporary_limit_files(40);
    TEST_ASSERT_EQUAL_INT(STATUS_IO, cache_write(w, 3, &f, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "cannot write"));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "the rest of this file needs up to "));
    temporary_limit_files(-1);
    write_frames(w, 3, FRAMES);
    temporary_limit_files(40);
    if (cache_finish(w, &err) < 0) TEST_ASSERT_EQUAL_INT(STATUS_IO, err.code);
    temporary_limit_files(-1);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, cache_finish(w, &err));
    cache_close(w);
    expect_equal_files();
}

static void test_a_full_disk_is_reported_and_writing_goes_on_when_there_is_room(void)
{
    for_each_format(check_full_disk);
}

static void check_unwritable(const cache_shape *s)
{
    cache_writer *w = NULL;
    temporary_write_text("file", "");
    char name[64];
    snprintf(name, sizeof name, "file/%s", file_name("a"));
    TEST_ASSERT_EQUAL_INT(
        STATUS_IO, cache_create(&w, format, &allocator_system, temporary_path(name), s, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "Not a directory"));
    TEST_ASSERT_NULL(w);
}

static void test_an_unwritable_place_is_reported(void) { for_each_format(check_unwritable); }

/* ---- damage ---- */

/* Reads all there is, with little memory; an error names the file. */
static status read_all(const char *name)
{
    cache_reader *r = NULL;
    counting_allocator memory;
    counting_init(&memory, 0);
    error_clear(&err);
    const status result = cache_verify(&memory.from, temporary_path(name), &r, &err);
    cache_reader_close(r);
    counting_check(&memory);
    TEST_ASSERT_TRUE_MESSAGE(memory.most_bytes < 1 << 17, err.text);
    if (result >= 0) return result;
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, name), err.text);
    TEST_ASSERT_TRUE_MESSAGE(result == STATUS_PARSE || result == STATUS_IO, err.text);
    return result;
}

/* Of nCache the file of one frame is damaged as well. */
static size_t damaged_files(const char *names[2])
{
    static char frame[NAME_SIZE];
    names[0] = file_name("a");
    frame_name(frame, "a", 12);
    names[1] = frame;
    return temporary_exists(frame) ? 2 : 1;
}

static void check_cut_files(const cache_shape *s)
{
    const char *names[2];
    write_file(file_name("a"), s, FRAMES);
    for (size_t i = 0, files = damaged_files(names); i < files; i++) {
        size_t size = 0;
        char *bytes = temporary_read(names[i], &size);
        for (size_t n = 0; n < size; n++) {
            temporary_write(names[i], bytes, n);
            cache_reader *r = NULL;
            status result = read_all(names[0]);
            if (result >= 0) { /* recognisably incomplete, then */
                r = open_file(names[0]);
                const bool whole = cache_get_info(r)->complete;
                cache_reader_close(r);
                TEST_ASSERT_FALSE_MESSAGE(whole, cache_format_name(format));
            }
        }
        temporary_write(names[i], bytes, size);
        free(bytes);
        TEST_ASSERT_EQUAL_INT(STATUS_OK, read_all(names[0]));
    }
}

static void test_a_file_cut_anywhere_is_an_error_or_incomplete(void)
{
    for_each_format(check_cut_files);
}

static void check_flipped_files(const cache_shape *s)
{
    random_source rng = {4711};
    const char *names[2];
    write_file(file_name("a"), s, FRAMES);
    for (size_t i = 0, files = damaged_files(names); i < files; i++) {
        size_t size = 0;
        char *bytes = temporary_read(names[i], &size);
        for (size_t n = 0; n < 2 * size; n++) {
            const size_t at = n < size ? n : random_below(&rng, (uint32_t)size);
            const char kept = bytes[at];
            const int mask =
                n < size ? 1 << random_below(&rng, 8) : 1 + (int)random_below(&rng, 255);
            bytes[at] = (char)(kept ^ mask);
            temporary_write(names[i], bytes, size);
            read_all(names[0]);
            bytes[at] = kept;
        }
        temporary_write(names[i], bytes, size);
        free(bytes);
    }
}

static void test_flipped_bytes_do_no_harm(void) { for_each_format(check_flipped_files); }

static void test_every_flipped_byte_of_a_native_file_is_found(void)
{
    const cache_shape s = mesh_shape();
    format = cache_format_by_name("stn");
    write_file("a.stn", &s, FRAMES);
    size_t size = 0;
    char *bytes = temporary_read("a.stn", &size);
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= 4;
        temporary_write("a.stn", bytes, size);
        cache_reader *r = NULL;
        const status result = cache_verify(&allocator_system, temporary_path("a.stn"), &r, &err);
        TEST_ASSERT_TRUE(result < 0 || !cache_get_info(r)->complete);
        cache_reader_close(r);
        bytes[at] ^= 4;
    }
    free(bytes);
}

static void test_a_torn_tail_of_a_native_file_does_not_count(void)
{
    const cache_shape s = mesh_shape();
    format = cache_format_by_name("stn");
    write_file("a.stn", &s, 3);
    size_t size = 0;
    char *bytes = temporary_read("a.stn", &size);
    char *longer = calloc(size + 100, 1);
    memcpy(longer, bytes, size);
    memset(longer + size, 'x', 100);
    temporary_write("a.stn", longer, size + 100);
    cache_reader *r = open_file("a.stn");
    TEST_ASSERT_EQUAL_size_t(3, cache_get_info(r)->frames);
    TEST_ASSERT_NOT_NULL(strstr(cache_get_info(r)->note, "torn end"));
    cache_reader_close(r);
    memset(longer + size - 40, 0, 40); /* the last frame's data never reached the disk */
    temporary_write("a.stn", longer, size);
    r = open_file("a.stn");
    TEST_ASSERT_EQUAL_size_t(2, cache_get_info(r)->frames);
    cache_reader_close(r);
    free(bytes);
    free(longer);
}

static void check_memory(const cache_shape *s)
{
    write_file(file_name("a"), s, FRAMES);
    const char *path = temporary_path(file_name("a")), *other = temporary_path(file_name("b"));
    status result = STATUS_OUT_OF_MEMORY;
    for (uint64_t k = 1; result == STATUS_OUT_OF_MEMORY; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        result = cache_convert(&memory.from, path, other, format, NULL, &err);
        counting_check(&memory);
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, result, err.text);
    if (!is_scaled()) expect_equal_files();
}

static void test_every_failed_allocation_is_survived(void) { for_each_format(check_memory); }

/* ---- from format to format ---- */

static void convert_and_check(const cache_format *from, const cache_format *to)
{
    const cache_shape s = mesh_shape();
    format = from;
    write_file(file_name("a"), &s, FRAMES);
    const char *path = temporary_path(file_name("a"));
    const bool scaled = is_scaled();
    const bool bare = scaled || strcmp(cache_format_name(from), "pc2") == 0 ||
                      strcmp(cache_format_name(from), "mdd") == 0; /* has no triangles */
    format = to;
    const bool rounds_again = scaled && is_scaled();
    const status result = cache_convert(&allocator_system, path, temporary_path(file_name("b")), to,
                                        bare ? temporary_path("sheet.obj") : NULL, &err);
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, result, err.text);
    cache_reader *r = open_file(file_name("b"));
    TEST_ASSERT_EQUAL_size_t(FRAMES, cache_get_info(r)->frames);
    TEST_ASSERT_TRUE(cache_get_info(r)->complete && cache_get_info(r)->shape.first_frame == 11.0);
    if (scaled) format = from; /* its rounding is in the numbers */
    for (size_t k = 0; k < FRAMES && !rounds_again; k++) expect_frame(r, k);
    cache_reader_close(r);
}

static void test_every_format_converts_to_every_other(void)
{
    temporary_write_text("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 0 0\nv 3 0 0\n"
                                      "v 2 1 0\nf 1 2 3\nf 3 2 4\nf 5 6 7\n");
    for (size_t i = 0; cache_format_at(i); i++) {
        for (size_t k = 0; cache_format_at(k); k++) {
            if (i != k) convert_and_check(cache_format_at(i), cache_format_at(k));
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_was_written_reads_back);
    RUN_TEST(test_an_unfinished_file_says_so_and_gives_its_whole_frames);
    RUN_TEST(test_a_resumed_file_equals_an_uninterrupted_one);
    RUN_TEST(test_a_file_of_something_else_is_not_continued);
    RUN_TEST(test_frames_must_follow_one_another);
    RUN_TEST(test_a_full_disk_is_reported_and_writing_goes_on_when_there_is_room);
    RUN_TEST(test_an_unwritable_place_is_reported);
    RUN_TEST(test_a_file_cut_anywhere_is_an_error_or_incomplete);
    RUN_TEST(test_flipped_bytes_do_no_harm);
    RUN_TEST(test_every_flipped_byte_of_a_native_file_is_found);
    RUN_TEST(test_a_torn_tail_of_a_native_file_does_not_count);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_every_format_converts_to_every_other);
    return UNITY_END();
}
