/* SPDX-License-Identifier: Apache-2.0
 *
 * The shot extension, every entry called through libffi from its declared signature: a small file
 * is run to its end, stopped and resumed, and misused.
 */
#include "check.h"
#include "rows.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_SIZE = 1024, ENTRIES = 12 };

static char folder[PATH_SIZE], scene_path[PATH_SIZE + 16], output[PATH_SIZE + 16];
static const stn_ext_shot *shots;
static const stn_row *called[ENTRIES];
static size_t called_count;

static const char scene_text[] =
    "{\"stiction\": 1, \"title\": \"A test\", \"frames\": [1, 4], \"substeps\": 2, \"objects\": [\n"
    "  {\"name\": \"sheet\", \"kind\": \"cloth\", \"grid\": {\"size\": [1, 1], \"cells\": [4, "
    "4]},\n"
    "   \"position\": [0, 0, 0.01]},\n"
    "  {\"name\": \"floor\", \"kind\": \"collider\", \"shape\": \"plane\"}]}\n";

/* ---- calls through libffi ---- */

static signature_value call(const char *name, const signature_value *arguments, size_t count)
{
    const stn_row *row = rows_find("entry", "stn_ext_shot", name);
    size_t i = 0;
    while (i < called_count && called[i] != row) i++;
    if (i == called_count && called_count < ENTRIES) called[called_count++] = row;
    return row_call(row, arguments, count);
}

#define CALL(name, ...)                                                                            \
    call(name, (const signature_value[]){__VA_ARGS__},                                             \
         sizeof(signature_value[]){__VA_ARGS__} / sizeof(signature_value))

#define CHECK_SHOT(expected, shot, status_)                                                        \
    do {                                                                                           \
        const stn_status got_ = (status_);                                                         \
        TEST_ASSERT_EQUAL_INT_MESSAGE(expected, got_, got_ ? shots->last_error(shot) : "");        \
    } while (0)

static stn_shot *open_shot(uint32_t flags, const stn_host *host)
{
    const stn_shot_desc desc = {.struct_size = sizeof desc,
                                .threads = 1,
                                .scene_path = scene_path,
                                .output_folder = output,
                                .host = host,
                                .flags = flags};
    stn_shot *shot = NULL;
    CHECK_SHOT(STN_OK, NULL, CALL("open", {.pointer = &desc}, {.pointer = &shot}).i32);
    TEST_ASSERT_NOT_NULL(shot);
    return shot;
}

static stn_shot_info info_of(stn_shot *shot)
{
    stn_shot_info info = {.struct_size = sizeof info};
    CHECK_SHOT(STN_OK, shot, CALL("info", {.pointer = shot}, {.pointer = &info}).i32);
    return info;
}

static uint64_t hash_of(stn_shot *shot)
{
    const signature_value scene = CALL("scene", {.pointer = shot});
    return check_hash((stn_scene *)(uintptr_t)scene.pointer);
}

static uint64_t run_to_the_end(stn_shot *shot)
{
    CHECK_SHOT(STN_OK, shot, CALL("begin", {.pointer = shot}).i32);
    while (info_of(shot).frame < info_of(shot).last_frame) {
        CHECK_SHOT(STN_OK, shot, CALL("next_frame", {.pointer = shot}).i32);
    }
    return hash_of(shot);
}

static void close_shot(stn_shot *shot)
{
    CHECK_SHOT(STN_OK, NULL, CALL("close", {.pointer = shot}).i32);
}

/* ---- tests ---- */

static void test_a_shot_runs_to_its_end_and_writes_its_files(void)
{
    stn_shot *shot = open_shot(0, NULL);
    const stn_shot_info info = info_of(shot);
    TEST_ASSERT_EQUAL_STRING("A test", info.title);
    TEST_ASSERT_TRUE(info.first_frame == 1.0 && info.last_frame == 4.0);
    TEST_ASSERT_EQUAL_UINT64(2, info.substeps);
    TEST_ASSERT_TRUE(access(output, F_OK) != 0); /* open writes nothing */
    run_to_the_end(shot);
    const uint64_t files = info_of(shot).files;
    TEST_ASSERT_TRUE(files > 0);
    for (uint64_t i = 0; i < files; i++) {
        const char *path = CALL("file_path", {.pointer = shot}, {.u64 = i}).pointer;
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, access(path, R_OK), path);
        char json[PATH_SIZE] = "";
        CALL("file_info", {.pointer = path}, {.pointer = json}, {.u64 = sizeof json});
    }
    TEST_ASSERT_NULL(CALL("file_path", {.pointer = shot}, {.u64 = files}).pointer);
    CHECK_SHOT(STN_ERROR_INVALID_ARGUMENT, shot, CALL("next_frame", {.pointer = shot}).i32);
    const char *why = CALL("last_error", {.pointer = shot}).pointer;
    TEST_ASSERT_TRUE_MESSAGE(strstr(why, "frame 4 was the last") != NULL, why);
    close_shot(shot);
}

static void test_a_resumed_shot_ends_with_the_same_bits(void)
{
    stn_shot *whole = open_shot(STN_SHOT_NO_OUTPUT, NULL);
    const uint64_t expected = run_to_the_end(whole);
    close_shot(whole);
    TEST_ASSERT_TRUE(access(output, F_OK) != 0);
    stn_shot *first = open_shot(0, NULL);
    CHECK_SHOT(STN_OK, first, CALL("begin", {.pointer = first}).i32);
    CHECK_SHOT(STN_OK, first, CALL("next_frame", {.pointer = first}).i32);
    CHECK_SHOT(STN_OK, first, CALL("checkpoint", {.pointer = first}).i32);
    close_shot(first);
    stn_shot *second = open_shot(STN_SHOT_RESUME, NULL);
    CHECK_SHOT(STN_OK, second, CALL("begin", {.pointer = second}).i32);
    TEST_ASSERT_TRUE(info_of(second).frame == 2.0);
    for (int i = 0; i < 2; i++) {
        CHECK_SHOT(STN_OK, second, CALL("next_frame", {.pointer = second}).i32);
    }
    TEST_ASSERT_EQUAL_HEX64(expected, hash_of(second));
    close_shot(second);
}

static void test_a_file_tells_what_it_is(void)
{
    char json[PATH_SIZE] = "", little[4];
    const stn_status got =
        CALL("file_info", {.pointer = scene_path}, {.pointer = json}, {.u64 = sizeof json}).i32;
    CHECK_SHOT(STN_OK, NULL, got);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(json, "A test"), json);
    const stn_status small =
        CALL("file_info", {.pointer = scene_path}, {.pointer = little}, {.u64 = sizeof little}).i32;
    CHECK_SHOT(STN_ERROR_BUFFER_TOO_SMALL, NULL, small);
    const stn_status missing =
        CALL("file_info", {.pointer = "nowhere.json"}, {.pointer = json}, {.u64 = sizeof json}).i32;
    CHECK_SHOT(STN_ERROR_IO, NULL, missing);
}

static void test_a_cache_is_verified_and_converted(void)
{
    char json[PATH_SIZE] = "", to[PATH_SIZE + 16];
    stn_shot *shot = NULL;
    const stn_shot_desc desc = {.struct_size = sizeof desc,
                                .scene_path = scene_path,
                                .output_folder = output,
                                .formats = "stn"};
    CHECK_SHOT(STN_OK, NULL, shots->open(&desc, &shot));
    run_to_the_end(shot);
    const char *from = NULL;
    for (uint64_t i = 0; i < info_of(shot).files; i++) {
        const char *path = shots->file_path(shot, i);
        if (strstr(path, ".stn")) from = path;
    }
    TEST_ASSERT_NOT_NULL(from);
    snprintf(to, sizeof to, "%s/a.mdd", folder);
    CHECK_SHOT(STN_OK, NULL,
               CALL("file_convert", {.pointer = from}, {.pointer = to}, {.pointer = NULL},
                    {.pointer = NULL})
                   .i32);
    CHECK_SHOT(STN_OK, NULL,
               CALL("file_verify", {.pointer = to}, {.pointer = json}, {.u64 = sizeof json}).i32);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(json, "\"frames\": 4"), json);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(json, "\"whole\": true"), json);
    CHECK_SHOT(STN_ERROR_UNKNOWN_NAME, NULL, shots->file_convert(from, to, "tga", NULL));
    CHECK_SHOT(STN_ERROR_INVALID_ARGUMENT, NULL, shots->file_convert(from, NULL, NULL, NULL));
    CHECK_SHOT(STN_ERROR_INVALID_ARGUMENT, NULL, shots->file_verify(NULL, json, sizeof json));
    close_shot(shot);
}

typedef struct prankster {
    stn_shot *shot;
    uint32_t calls;
    stn_status got[6];
} prankster;

/* Calls the shot from inside its own progress callback, then cancels it. */
static int32_t prank(void *user, double fraction, const char *stage)
{
    prankster *p = user;
    stn_shot_info info = {.struct_size = sizeof info};
    (void)fraction, (void)stage;
    if (++p->calls != 4) return 0;
    p->got[0] = shots->begin(p->shot);
    p->got[1] = shots->next_frame(p->shot);
    p->got[2] = shots->checkpoint(p->shot);
    p->got[3] = shots->info(p->shot, &info);
    p->got[4] = shots->close(p->shot);
    p->got[5] = stn_get_api(STN_ABI_VERSION)->step(shots->scene(p->shot), 0.01);
    return 1;
}

static void test_a_frame_can_be_cancelled_and_finished_and_takes_no_calls_meanwhile(void)
{
    stn_shot *plain = open_shot(STN_SHOT_NO_OUTPUT, NULL);
    const uint64_t expected = run_to_the_end(plain);
    close_shot(plain);
    prankster p = {0};
    const stn_host host = {.struct_size = sizeof host, .user = &p, .progress = prank};
    p.shot = open_shot(0, &host);
    CHECK_SHOT(STN_OK, p.shot, CALL("begin", {.pointer = p.shot}).i32);
    CHECK_SHOT(STN_CANCELLED, p.shot, CALL("next_frame", {.pointer = p.shot}).i32);
    TEST_ASSERT_EACH_EQUAL_INT32(STN_ERROR_BUSY, p.got, 6);
    for (int i = 0; i < 3; i++) {
        CHECK_SHOT(STN_OK, p.shot, CALL("next_frame", {.pointer = p.shot}).i32);
    }
    TEST_ASSERT_EQUAL_HEX64(expected, hash_of(p.shot));
    close_shot(p.shot);
}

static void test_null_does_no_harm(void)
{
    stn_shot *shot = open_shot(STN_SHOT_NO_OUTPUT, NULL);
    stn_shot_desc desc = {.struct_size = sizeof desc};
    stn_shot *none = shot;
    char json[64];
    const stn_status invalid = STN_ERROR_INVALID_ARGUMENT;
    CHECK_SHOT(invalid, NULL, CALL("open", {.pointer = NULL}, {.pointer = &none}).i32);
    TEST_ASSERT_NULL(none);
    CHECK_SHOT(invalid, NULL, CALL("open", {.pointer = &desc}, {.pointer = &none}).i32);
    CHECK_SHOT(invalid, NULL, CALL("open", {.pointer = &desc}, {.pointer = NULL}).i32);
    CHECK_SHOT(invalid, shot, CALL("info", {.pointer = shot}, {.pointer = NULL}).i32);
    const char *const on_shot[] = {"begin", "next_frame", "checkpoint"};
    for (int i = 0; i < 3; i++) {
        CHECK_SHOT(invalid, NULL, call(on_shot[i], &(signature_value){.pointer = NULL}, 1).i32);
    }
    CHECK_SHOT(invalid, NULL,
               CALL("file_info", {.pointer = NULL}, {.pointer = json}, {.u64 = 64}).i32);
    CHECK_SHOT(invalid, NULL,
               CALL("file_info", {.pointer = scene_path}, {.pointer = NULL}, {.u64 = 64}).i32);
    TEST_ASSERT_NULL(CALL("scene", {.pointer = NULL}).pointer);
    TEST_ASSERT_NULL(CALL("file_path", {.pointer = NULL}, {.u64 = 0}).pointer);
    TEST_ASSERT_NOT_NULL(CALL("last_error", {.pointer = NULL}).pointer);
    close_shot(NULL);
    close_shot(shot);
}

static void test_files_that_cannot_be_scenes_are_refused(void)
{
    const stn_shot_desc missing = {.struct_size = sizeof missing, .scene_path = "nowhere.json"};
    const stn_shot_desc folder_desc = {.struct_size = sizeof folder_desc, .scene_path = folder};
    const stn_shot_desc flags = {
        .struct_size = sizeof flags, .scene_path = scene_path, .flags = 1u << 31};
    const stn_shot_desc reserved = {
        .struct_size = sizeof reserved, .scene_path = scene_path, .reserved = 1};
    stn_shot *shot = NULL;
    CHECK_SHOT(STN_ERROR_IO, NULL, shots->open(&missing, &shot));
    CHECK_SHOT(STN_ERROR_IO, NULL, shots->open(&folder_desc, &shot));
    CHECK_SHOT(STN_ERROR_INVALID_ARGUMENT, NULL, shots->open(&flags, &shot));
    CHECK_SHOT(STN_ERROR_INVALID_ARGUMENT, NULL, shots->open(&reserved, &shot));
    TEST_ASSERT_NULL(shot);
}

/* The last test: nothing was forgotten above. */
static void test_every_entry_was_called(void)
{
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (!row_is(row, "entry", "stn_ext_shot")) continue;
        size_t i = 0;
        while (i < called_count && called[i] != row) i++;
        TEST_ASSERT_TRUE_MESSAGE(i < called_count, row->name);
    }
    TEST_ASSERT_EQUAL_UINT64(ENTRIES, called_count);
}

/* ---- a folder for each test ---- */

static void remove_folder(const char *path)
{
    char file[2 * PATH_SIZE];
    DIR *listing = opendir(path);
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file);
    }
    if (listing) closedir(listing);
    rmdir(path);
}

void setUp(void)
{
    const char *temporary = getenv("TMPDIR");
    shots = rows_shots();
    snprintf(folder, sizeof folder, "%s/stiction-XXXXXX", temporary ? temporary : "/tmp");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(scene_path, sizeof scene_path, "%s/scene.json", folder);
    snprintf(output, sizeof output, "%s/output", folder);
    FILE *file = fopen(scene_path, "w");
    TEST_ASSERT_NOT_NULL(file);
    TEST_ASSERT_EQUAL_UINT64(strlen(scene_text), fwrite(scene_text, 1, strlen(scene_text), file));
    TEST_ASSERT_EQUAL_INT(0, fclose(file));
}

void tearDown(void)
{
    remove_folder(output);
    remove_folder(folder);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_shot_runs_to_its_end_and_writes_its_files);
    RUN_TEST(test_a_resumed_shot_ends_with_the_same_bits);
    RUN_TEST(test_a_file_tells_what_it_is);
    RUN_TEST(test_a_cache_is_verified_and_converted);
    RUN_TEST(test_a_frame_can_be_cancelled_and_finished_and_takes_no_calls_meanwhile);
    RUN_TEST(test_null_does_no_harm);
    RUN_TEST(test_files_that_cannot_be_scenes_are_refused);
    RUN_TEST(test_every_entry_was_called);
    return UNITY_END();
}
