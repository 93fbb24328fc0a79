/* SPDX-License-Identifier: Apache-2.0 */
#include "io/shot.h"

#include "io/file_info.h"
#include "support/counting_allocator.h"
#include "support/temporary_folder.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

enum { FIRST = 1, LAST = 10, FRAMES = LAST - FIRST + 1 };
enum { NODES = 16, SAMPLE = NODES * 12 };

/* A sheet falls on a turning ball over a floor; a second one is held and carried by two pins. */
static const char scene_text[] =
    "{\"stiction\": 1, \"frames\": [1, 10], \"substeps\": 3, \"threads\": 1, \"objects\": [\n"
    " {\"name\": \"sheet\", \"kind\": \"cloth\", \"grid\": {\"size\": [1, 1], \"cells\": [3, 3]},\n"
    "  \"position\": [0, 0, 1.3], \"velocity\": [0.5, 0, -1]},\n"
    " {\"name\": \"flag\", \"kind\": \"cloth\", \"grid\": {\"size\": [1, 1], \"cells\": [3, 3]},\n"
    "  \"position\": [3, 0, 1], \"pins\": [0, 3],\n"
    "  \"motion\": [{\"frame\": 1}, {\"frame\": 8, \"position\": [3, 0, 2],\n"
    "   \"rotation\": {\"axis\": [1, 0, 0], \"degrees\": 45}}]},\n"
    " {\"name\": \"ball\", \"kind\": \"collider\", \"shape\": \"sphere\", \"radius\": 0.5,\n"
    "  \"position\": [0, 0, 0.6],\n"
    "  \"motion\": [{\"frame\": 1}, {\"frame\": 10, \"position\": [0.2, 0, 0.6],\n"
    "   \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 720}}]},\n"
    " {\"name\": \"floor\", \"kind\": \"collider\", \"shape\": \"plane\"}]}\n";

static counting_allocator memory;
static shot *running;
static scene *stage;
static error err;
static int progress_left; /* calls until the scene is cancelled; 0: never */

void setUp(void)
{
    counting_init(&memory, 0);
    error_clear(&err);
    running = NULL;
    stage = NULL;
    progress_left = 0;
    temporary_make();
    temporary_write_text("a.json", scene_text);
}

static void stop(void)
{
    shot_close(running);
    scene_destroy(stage);
    running = NULL;
    stage = NULL;
}

void tearDown(void)
{
    stop();
    temporary_remove();
    counting_check(&memory);
}

static int32_t on_progress(void *user, double fraction, const char *name)
{
    (void)user;
    (void)fraction;
    (void)name;
    return progress_left > 0 && --progress_left == 0;
}

/* Opens and builds; `folder` is a name in the temporary folder, NULL for the default. */
static status start_threads(const char *folder, uint32_t flags, uint32_t threads)
{
    char scene_path[2048], output[2048];
    snprintf(scene_path, sizeof scene_path, "%s", temporary_path("a.json"));
    snprintf(output, sizeof output, "%s", temporary_path(folder ? folder : ""));
    const shot_config config = {.memory = memory.from,
                                .scene_path = scene_path,
                                .output_folder = folder ? output : NULL,
                                .flags = flags};
    stop();
    status result = shot_open(&config, &running, &err);
    if (result < 0) return result;
    const scene_config made = {.memory = memory.from,
                               .progress = on_progress,
                               .threads = threads ? threads : shot_threads(running),
                               .start_frame = shot_first_frame(running)};
    result = scene_create(&made, &stage, &err);
    return result < 0 ? result : shot_build(running, stage, &err);
}

static status start(const char *folder, uint32_t flags)
{
    return start_threads(folder, flags, 0);
}

static void begin(const char *folder, uint32_t flags)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, start(folder, flags), err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, shot_begin(running, &err), err.text);
}

static double frame_done(void)
{
    shot_info info;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_get_info(running, &info, &err));
    return info.frame;
}

static void run_until(double frame)
{
    while (frame_done() < frame) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, shot_next_frame(running, &err), err.text);
    }
}

static void run_whole(const char *folder)
{
    begin(folder, 0);
    run_until(LAST);
    stop();
}

static size_t size_of(const char *name)
{
    size_t size = 0;
    free(temporary_read(name, &size));
    return size;
}

static size_t lines_in(const char *name)
{
    size_t size = 0, lines = 0;
    char *text = temporary_read(name, &size);
    for (const char *c = text; *c; c++) lines += *c == '\n';
    free(text);
    return lines;
}

/* Same caches and meshes; the statistics have times in them and agree in their number. */
static void check_same_output(const char *a, const char *b)
{
    static const char *const names[] = {"sheet.pc2", "flag.pc2", "sheet.obj", "flag.obj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char first[64], second[64];
        snprintf(first, sizeof first, "%s/%s", a, names[i]);
        snprintf(second, sizeof second, "%s/%s", b, names[i]);
        temporary_check_equal(first, second);
    }
    char first[64], second[64];
    snprintf(first, sizeof first, "%s/frames.jsonl", a);
    snprintf(second, sizeof second, "%s/frames.jsonl", b);
    TEST_ASSERT_EQUAL_size_t(lines_in(first), lines_in(second));
}

/* ---- whole runs ---- */

static void test_a_run_writes_a_mesh_a_cache_and_statistics(void)
{
    begin("out/deep/down", 0);
    TEST_ASSERT_EQUAL_size_t(32 + SAMPLE, size_of("out/deep/down/sheet.pc2"));
    run_until(LAST);
    TEST_ASSERT_EQUAL_size_t(32 + FRAMES * SAMPLE, size_of("out/deep/down/sheet.pc2"));
    TEST_ASSERT_EQUAL_size_t(32 + FRAMES * SAMPLE, size_of("out/deep/down/flag.pc2"));
    TEST_ASSERT_EQUAL_size_t(FRAMES, lines_in("out/deep/down/frames.jsonl"));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_next_frame(running, &err));
    TEST_ASSERT_EQUAL_STRING("frame 10 was the last one of the shot", err.text);
    stop();
    TEST_ASSERT_EQUAL_size_t(5, temporary_count("out/deep/down"));
}

static void test_each_line_of_statistics_is_json_about_its_frame(void)
{
    run_whole("out");
    size_t size = 0;
    char *text = temporary_read("out/frames.jsonl", &size);
    double frame = FIRST;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), frame += 1.0) {
        json_t *parsed = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        TEST_ASSERT_NOT_NULL_MESSAGE(parsed, line);
        TEST_ASSERT_TRUE(json_real_value(json_object_get(parsed, "frame")) == frame);
        const json_int_t steps = json_integer_value(json_object_get(parsed, "steps"));
        TEST_ASSERT_EQUAL_INT64(frame == FIRST ? 0 : 3, steps);
        json_decref(parsed);
    }
    free(text);
    TEST_ASSERT_TRUE(frame == LAST + 1.0);
}

static void test_info_tells_what_the_file_says_and_what_is_done(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start(NULL, 0));
    shot_info info;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_get_info(running, &info, &err));
    TEST_ASSERT_EQUAL_STRING("a", info.title);
    TEST_ASSERT_EQUAL_STRING(temporary_path("a.json"), info.scene_path);
    TEST_ASSERT_EQUAL_STRING(temporary_path("out/a"), info.output_folder);
    TEST_ASSERT_TRUE(info.first_frame == FIRST && info.last_frame == LAST && info.frame == FIRST);
    TEST_ASSERT_TRUE(info.frame_rate == 24.0);
    TEST_ASSERT_EQUAL_UINT64(3, info.substeps);
    TEST_ASSERT_EQUAL_size_t(5, info.files);
    TEST_ASSERT_EQUAL_STRING(temporary_path("out/a/sheet.obj"), shot_file_path(running, 0));
    TEST_ASSERT_EQUAL_STRING(temporary_path("out/a/frames.jsonl"), shot_file_path(running, 4));
    TEST_ASSERT_NULL(shot_file_path(running, 5));
    TEST_ASSERT_EQUAL_size_t(1, temporary_count("")); /* nothing was written */
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_next_frame(running, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_checkpoint(running, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_begin(running, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_begin(running, &err));
}

static void test_without_output_nothing_is_written(void)
{
    begin("out", SHOT_NO_OUTPUT);
    run_until(LAST);
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_checkpoint(running, &err));
    TEST_ASSERT_NULL(shot_file_path(running, 0));
    TEST_ASSERT_EQUAL_size_t(1, temporary_count(""));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start("out", SHOT_NO_OUTPUT | SHOT_RESUME));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_begin(running, &err));
}

static void test_files_that_are_switched_off_are_not_written(void)
{
    char text[sizeof scene_text + 100];
    snprintf(text, sizeof text, "{\"output\": {\"obj\": false, \"statistics\": false}, %s",
             scene_text + 1);
    temporary_write_text("a.json", text);
    run_whole("out");
    TEST_ASSERT_EQUAL_size_t(2, temporary_count("out"));
    TEST_ASSERT_TRUE(temporary_exists("out/sheet.pc2"));
}

static void test_the_number_of_threads_does_not_change_a_byte(void)
{
    run_whole("one");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start_threads("four", 0, 4));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_begin(running, &err));
    run_until(LAST);
    check_same_output("one", "four");
}

/* ---- animation ---- */

static void test_colliders_and_pins_are_where_their_keys_put_them(void)
{
    begin("out", SHOT_NO_OUTPUT);
    uint64_t ball = 0, flag = 0;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_find_object(stage, "ball", &ball, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_find_object(stage, "flag", &flag, &err));
    for (double frame = FIRST; frame <= LAST; frame += 1.0) {
        run_until(frame);
        pose at;
        double x[3 * NODES];
        const mut_view positions = {x, NODES, 3, FORMAT_F64, 0};
        TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_pose(stage, ball, &at, &err));
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.2 * (frame - 1.0) / 9.0, at.position.x);
        TEST_ASSERT_EQUAL_INT(STATUS_OK,
                              scene_get_array(stage, flag, "position", &positions, &err));
        /* Nodes 0 and 3 are the corners y = -1/2 of a sheet that is lifted and turned about x. */
        const double part = frame < 8.0 ? (frame - 1.0) / 7.0 : 1.0;
        const double angle = part * 0.78539816339744831;
        for (int node = 0; node <= 3; node += 3) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-14, -0.5 * cos(angle), x[3 * node + 1]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.0 + part - 0.5 * sin(angle), x[3 * node + 2]);
        }
    }
}

static void test_a_collider_moves_from_the_first_frame_on(void)
{
    temporary_write_text(
        "a.json",
        "{\"stiction\": 1, \"frames\": [1, 5], \"threads\": 1, \"objects\": [\n"
        " {\"name\": \"dust\", \"kind\": \"cloth\", \"points\": [[0, 0, 0.001]], \"mass\": 1,\n"
        "  \"friction\": 100},\n"
        " {\"name\": \"belt\", \"kind\": \"collider\", \"shape\": \"plane\", \"friction\": 100,\n"
        "  \"motion\": [{\"frame\": 1}, {\"frame\": 5, \"position\": [0.4, 0, 0]}]}]}");
    begin("out", SHOT_NO_OUTPUT);
    uint64_t dust = 0;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_find_object(stage, "dust", &dust, &err));
    for (double frame = 1.0; frame <= 5.0; frame += 1.0) {
        run_until(frame);
        double x[3];
        const mut_view position = {x, 1, 3, FORMAT_F64, 0};
        TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_array(stage, dust, "position", &position, &err));
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.1 * (frame - 1.0), x[0]); /* it sticks to the belt */
    }
}

/* ---- resuming ---- */

static void test_a_resumed_run_equals_an_uninterrupted_one(void)
{
    run_whole("whole");
    for (double at = FIRST; at <= LAST; at += 3.0) {
        for (double killed = at; killed <= LAST; killed += 4.0) {
            begin("parts", 0);
            run_until(at);
            TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
            run_until(killed); /* these frames are lost */
            begin("parts", SHOT_RESUME);
            TEST_ASSERT_TRUE(frame_done() == at);
            TEST_ASSERT_EQUAL_size_t(32 + (size_t)(at - FIRST + 1.0) * SAMPLE,
                                     size_of("parts/sheet.pc2"));
            run_until(LAST);
            check_same_output("whole", "parts");
        }
    }
}

static void test_a_cancelled_frame_is_finished_by_the_next_call(void)
{
    run_whole("whole");
    for (int calls = 1; calls < 40; calls += 3) {
        begin("cancelled", 0);
        run_until(3);
        const size_t before = size_of("cancelled/sheet.pc2");
        progress_left = calls;
        const status result = shot_next_frame(running, &err);
        if (result == STATUS_CANCELLED) {
            TEST_ASSERT_TRUE(frame_done() == 3.0);
            TEST_ASSERT_EQUAL_size_t(before, size_of("cancelled/sheet.pc2"));
            TEST_ASSERT_EQUAL_size_t(3, lines_in("cancelled/frames.jsonl"));
        } else {
            TEST_ASSERT_EQUAL_INT(STATUS_OK, result);
            TEST_ASSERT_TRUE(calls > 3 * 5); /* three steps ask at least five times each */
        }
        progress_left = 0;
        run_until(LAST);
        check_same_output("whole", "cancelled");
    }
}

static void test_a_checkpoint_in_the_middle_of_a_frame_resumes_there(void)
{
    run_whole("whole");
    for (int calls = 1; calls <= 15; calls += 2) {
        begin("parts", 0);
        run_until(4);
        progress_left = calls;
        TEST_ASSERT_EQUAL_INT(STATUS_CANCELLED, shot_next_frame(running, &err));
        progress_left = 0;
        TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
        begin("parts", SHOT_RESUME);
        run_until(LAST);
        check_same_output("whole", "parts");
    }
}

static void expect_no_resume(status expected, const char *message)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start("out", SHOT_RESUME));
    const uint64_t before = scene_hash_state(stage);
    TEST_ASSERT_EQUAL_INT(expected, shot_begin(running, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, message), err.text);
    TEST_ASSERT_EQUAL_STRING_LEN("cannot resume: ", err.text, 15);
    TEST_ASSERT_TRUE(before == scene_hash_state(stage));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_next_frame(running, &err));
    stop();
}

static void test_what_cannot_be_resumed_is_refused_and_left_alone(void)
{
    expect_no_resume(STATUS_IO, "/out; run without resume to start from the first frame");
    TEST_ASSERT_FALSE(temporary_exists("out"));
    begin("out", 0);
    run_until(4);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
    run_until(6);
    stop();

    char other[sizeof scene_text];
    memcpy(other, scene_text, sizeof other);
    *strstr(other, "0.5, 0, -1") = '1';
    temporary_write_text("a.json", other);
    expect_no_resume(STATUS_STATE_MISMATCH, "out/checkpoint.state: belongs to another scene");
    temporary_write_text("a.json", scene_text);

    TEST_ASSERT_EQUAL_INT(0, rename(temporary_path("out/flag.pc2"), temporary_path("out/kept")));
    expect_no_resume(STATUS_IO, "out/flag.pc2: cannot open the file");
    TEST_ASSERT_EQUAL_INT(0, rename(temporary_path("out/kept"), temporary_path("out/flag.pc2")));
    TEST_ASSERT_EQUAL_INT(0, truncate(temporary_path("out/frames.jsonl"), 10));
    expect_no_resume(STATUS_STATE_MISMATCH, "out/frames.jsonl: has 0 lines, expected at least 4");
    TEST_ASSERT_EQUAL_size_t(32 + 6 * SAMPLE, size_of("out/sheet.pc2"));
    TEST_ASSERT_EQUAL_size_t(32 + 6 * SAMPLE, size_of("out/flag.pc2"));
}

static void test_a_damaged_checkpoint_is_refused_whatever_byte_it_is(void)
{
    begin("out", 0);
    run_until(2);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
    stop();
    size_t size = 0;
    char *bytes = temporary_read("out/checkpoint.state", &size);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start("out", SHOT_RESUME));
    const uint64_t before = scene_hash_state(stage);
    for (size_t i = 0; i < size; i += i < 64 ? 1 : 37) {
        bytes[i] = (char)(bytes[i] ^ 0x10);
        temporary_write("out/checkpoint.state", bytes, size);
        bytes[i] = (char)(bytes[i] ^ 0x10);
        TEST_ASSERT_TRUE(shot_begin(running, &err) < 0);
        temporary_write("out/checkpoint.state", bytes, i);
        TEST_ASSERT_TRUE(shot_begin(running, &err) < 0);
        TEST_ASSERT_NOT_NULL(strstr(err.text, "checkpoint.state"));
    }
    TEST_ASSERT_TRUE(before == scene_hash_state(stage));
    temporary_write("out/checkpoint.state", bytes, size);
    free(bytes);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_begin(running, &err));
}

static void test_a_new_run_drops_the_checkpoint_of_the_old_one(void)
{
    begin("out", 0);
    run_until(3);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
    begin("out", 0);
    TEST_ASSERT_FALSE(temporary_exists("out/checkpoint.state"));
    TEST_ASSERT_EQUAL_size_t(32 + SAMPLE, size_of("out/sheet.pc2"));
    TEST_ASSERT_EQUAL_size_t(1, lines_in("out/frames.jsonl"));
}

/* ---- trouble ---- */

static void test_a_full_disk_stops_a_frame_that_can_be_written_later(void)
{
    run_whole("whole");
    begin("full", 0);
    run_until(4);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
    temporary_limit_files(32 + 4 * SAMPLE + 10); /* no room in the caches */
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_INT(STATUS_IO, shot_next_frame(running, &err));
        TEST_ASSERT_NOT_NULL(strstr(err.text, "full/sheet.pc2: cannot write 182 bytes: File too"));
    }
    TEST_ASSERT_EQUAL_INT(STATUS_IO, shot_checkpoint(running, &err));
    TEST_ASSERT_FALSE(temporary_exists("full/checkpoint.state.part"));
    temporary_limit_files(-1);
    TEST_ASSERT_TRUE(frame_done() == 4.0);
    temporary_limit_files((long)size_of("full/frames.jsonl") + 20); /* none for the statistics */
    TEST_ASSERT_EQUAL_INT(STATUS_IO, shot_next_frame(running, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "full/frames.jsonl: cannot write"));
    temporary_limit_files(-1);
    TEST_ASSERT_EQUAL_size_t(4, lines_in("full/frames.jsonl"));
    run_until(LAST);
    check_same_output("whole", "full");
    begin("full", SHOT_RESUME); /* the checkpoint from before is whole */
    run_until(LAST);
    check_same_output("whole", "full");
}

static void test_an_unwritable_folder_is_reported(void)
{
    temporary_write_text("file", "not a folder");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start("file/out", 0));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, shot_begin(running, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "file: cannot make the folder: File exists"));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, shot_next_frame(running, &err));
    TEST_ASSERT_EQUAL_size_t(2, temporary_count(""));
}

/* A link to nowhere: making it fails because it exists, looking at it because it does not. */
static void test_a_folder_that_cannot_be_made_gives_the_reason_of_the_making(void)
{
    TEST_ASSERT_EQUAL_INT(0, symlink("nowhere", temporary_path("link")));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start("link/out", 0));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, shot_begin(running, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "link: cannot make the folder: File exists"),
                                 err.text);
}

static void test_a_folder_takes_one_run_at_a_time(void)
{
    begin("out", 0);
    run_until(4);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
    shot *const first = running;
    scene *const first_stage = stage;
    running = NULL;
    stage = NULL;
    const uint32_t flags[] = {0, SHOT_RESUME};
    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_INT(STATUS_OK, start("out", flags[i]));
        TEST_ASSERT_EQUAL_INT(STATUS_IO, shot_begin(running, &err));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "another run is writing into "), err.text);
        TEST_ASSERT_NOT_NULL(strstr(err.text, temporary_path("out")));
    }
    stop();
    TEST_ASSERT_EQUAL_size_t(32 + 4 * SAMPLE, size_of("out/sheet.pc2"));
    running = first;
    stage = first_stage;
    run_until(LAST);
    begin("out", SHOT_RESUME); /* closes the first one before */
    run_until(LAST);
    stop();
    TEST_ASSERT_EQUAL_size_t(6, temporary_count("out")); /* the checkpoint too, no lock */
}

static void test_the_lock_of_a_killed_run_holds_nobody_up(void)
{
    run_whole("out");
    temporary_write_text("out/.stiction.lock", "");
    run_whole("out");
    TEST_ASSERT_EQUAL_size_t(5, temporary_count("out"));
}

static void test_a_mesh_that_the_scene_needs_is_not_overwritten(void)
{
    static const char mesh[] = "v 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\n";
    temporary_write_text("shawl.obj", mesh);
    temporary_write_text("a.json", "{\"stiction\": 1, \"frames\": [1, 2], \"objects\": [{\"name\": "
                                   "\"shawl\", \"kind\": \"cloth\", \"mesh\": \"shawl.obj\"}]}");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, start("", 0));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, shot_begin(running, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "shawl.obj: the scene is read from this file"));
    TEST_ASSERT_EQUAL_size_t(sizeof mesh - 1, size_of("shawl.obj"));
    TEST_ASSERT_EQUAL_size_t(2, temporary_count(""));
}

static status run_all_calls(void)
{
    status result = start("out", 0);
    if (result >= 0) result = shot_begin(running, &err);
    while (result >= 0 && frame_done() < 4.0) result = shot_next_frame(running, &err);
    if (result >= 0) result = shot_checkpoint(running, &err);
    if (result >= 0) result = start("out", SHOT_RESUME);
    if (result >= 0) result = shot_begin(running, &err);
    return result < 0 ? result : shot_next_frame(running, &err);
}

static void test_every_failed_allocation_is_survived(void)
{
    status result = STATUS_OUT_OF_MEMORY;
    for (uint64_t k = 1; result != STATUS_OK; k++) {
        counting_init(&memory, k);
        result = run_all_calls();
        TEST_ASSERT_TRUE(result == STATUS_OK || result == STATUS_OUT_OF_MEMORY);
        stop();
        counting_check(&memory);
    }
    TEST_ASSERT_TRUE(memory.allocations > 50);
}

static void test_a_frame_that_ran_out_of_memory_can_be_tried_again(void)
{
    run_whole("whole");
    for (uint64_t k = 1;; k++) {
        begin("tried", 0);
        memory.fail_at = memory.allocations + k;
        const status result = shot_next_frame(running, &err);
        memory.fail_at = 0;
        TEST_ASSERT_TRUE(result == STATUS_OK || result == STATUS_OUT_OF_MEMORY);
        run_until(LAST);
        check_same_output("whole", "tried");
        if (result == STATUS_OK) break;
    }
}

/* ---- what files are ---- */

static void expect_info(const char *name, const char *key, const char *expected)
{
    char text[4096];
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        STATUS_OK, file_info_write(&memory.from, temporary_path(name), text, sizeof text, &err),
        err.text);
    json_t *info = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(info, text);
    char *value = json_dumps(json_object_get(info, key), JSON_ENCODE_ANY | JSON_COMPACT);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, value, key);
    free(value);
    json_decref(info);
}

static void test_files_describe_themselves(void)
{
    begin("out", 0);
    run_until(3);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, shot_checkpoint(running, &err));
    expect_info("out/sheet.pc2", "type", "\"pc2\"");
    expect_info("out/sheet.pc2", "points", "16");
    expect_info("out/sheet.pc2", "samples", "3");
    expect_info("out/checkpoint.state", "type", "\"checkpoint\"");
    expect_info("out/checkpoint.state", "frame", "3.0");
    expect_info("out/sheet.obj", "type", "\"obj\"");
    expect_info("out/sheet.obj", "triangles", "18");
    expect_info("out/sheet.obj", "minimum", "[-0.5,-0.5,1.3]");
    expect_info("a.json", "type", "\"scene\"");
    expect_info("a.json", "last_frame", "10.0");
}

static void test_files_that_are_nothing_known_are_refused(void)
{
    char text[4096];
    temporary_write_text("notes.txt", "dear diary");
    temporary_write_text("empty.state", "");
    const struct {
        const char *name;
        status expected;
    } cases[] = {{"notes.txt", STATUS_PARSE},
                 {"empty.state", STATUS_PARSE},
                 {"gone", STATUS_IO},
                 {"", STATUS_IO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = temporary_path(cases[i].name);
        TEST_ASSERT_EQUAL_INT(cases[i].expected,
                              file_info_write(&memory.from, path, text, sizeof text, &err));
        TEST_ASSERT_EQUAL_STRING_LEN(path, err.text, strlen(path));
    }
    const char *scene_path = temporary_path("a.json");
    for (size_t size = 0; size < 100; size++) {
        TEST_ASSERT_EQUAL_INT(STATUS_BUFFER_TOO_SMALL,
                              file_info_write(&memory.from, scene_path, text, size, &err));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_run_writes_a_mesh_a_cache_and_statistics);
    RUN_TEST(test_each_line_of_statistics_is_json_about_its_frame);
    RUN_TEST(test_info_tells_what_the_file_says_and_what_is_done);
    RUN_TEST(test_without_output_nothing_is_written);
    RUN_TEST(test_files_that_are_switched_off_are_not_written);
    RUN_TEST(test_the_number_of_threads_does_not_change_a_byte);
    RUN_TEST(test_colliders_and_pins_are_where_their_keys_put_them);
    RUN_TEST(test_a_collider_moves_from_the_first_frame_on);
    RUN_TEST(test_a_resumed_run_equals_an_uninterrupted_one);
    RUN_TEST(test_a_cancelled_frame_is_finished_by_the_next_call);
    RUN_TEST(test_a_checkpoint_in_the_middle_of_a_frame_resumes_there);
    RUN_TEST(test_what_cannot_be_resumed_is_refused_and_left_alone);
    RUN_TEST(test_a_damaged_checkpoint_is_refused_whatever_byte_it_is);
    RUN_TEST(test_a_new_run_drops_the_checkpoint_of_the_old_one);
    RUN_TEST(test_a_full_disk_stops_a_frame_that_can_be_written_later);
    RUN_TEST(test_an_unwritable_folder_is_reported);
    RUN_TEST(test_a_folder_that_cannot_be_made_gives_the_reason_of_the_making);
    RUN_TEST(test_a_folder_takes_one_run_at_a_time);
    RUN_TEST(test_the_lock_of_a_killed_run_holds_nobody_up);
    RUN_TEST(test_a_mesh_that_the_scene_needs_is_not_overwritten);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_a_frame_that_ran_out_of_memory_can_be_tried_again);
    RUN_TEST(test_files_describe_themselves);
    RUN_TEST(test_files_that_are_nothing_known_are_refused);
    return UNITY_END();
}
