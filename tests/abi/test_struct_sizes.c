/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs of older and newer callers: every struct of every entry, found in describe(), with sizes
 * that are too small, shorter, longer and absurd.
 */
#include "check.h"
#include "small.h"

#include <stddef.h>

enum { TAIL = 64, ROOM = 1024 };

/* One struct argument of one entry, copied to where there is room for more. */
typedef struct trial {
    const stn_row *entry;
    signature_value arguments[SIGNATURE_ARGUMENTS];
    uint32_t count;
    uint64_t known; /* bytes of the struct as this test was compiled */
    bool is_input;
    stn_status good; /* what the entry returns if all is well */
    union {
        unsigned char bytes[ROOM];
        uint32_t struct_size;
        max_align_t align;
    } copy;
} trial;

static const stn_row *struct_of(const char *type)
{
    char name[TYPE_SIZE] = "";
    if (strncmp(type, "const ", 6) == 0) type += 6;
    memcpy(name, type, strcspn(type, " "));
    if (strcmp(type + strlen(name), " *") != 0) return NULL;
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (row_is(row, "struct", "") && strcmp(row->name, name) == 0) return row;
    }
    return NULL;
}

static bool is_built(const stn_row *entry)
{
    return strcmp(entry->name, "rigid_create") != 0;
}

static stn_status try_size(trial *t, uint64_t size)
{
    t->copy.struct_size = (uint32_t)size;
    return row_call(t->entry, t->arguments, t->count).i32;
}

static void refuse_absurd_sizes(trial *t, small_scene *small)
{
    const uint32_t absurd[] = {0, 1, 4, 7, 1u << 20, UINT32_MAX};
    const uint64_t hash = check_hash(small->scene);
    for (size_t i = 0; i < sizeof absurd / sizeof absurd[0]; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(STN_ERROR_STRUCT_SIZE, try_size(t, absurd[i]),
                                      t->entry->name);
        const bool has_scene = t->arguments[0].pointer == small->scene;
        CHECK_TEXT(has_scene ? small->scene : NULL, "struct_size");
    }
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small->scene));
}

static void refuse_unknown_tail(trial *t)
{
    t->copy.bytes[t->known + TAIL - 1] = 1;
    TEST_ASSERT_EQUAL_INT_MESSAGE(STN_ERROR_STRUCT_SIZE, try_size(t, t->known + TAIL),
                                  t->entry->name);
    t->copy.bytes[t->known + TAIL - 1] = 0;
}

static void refuse_reserved(trial *t, const char *name)
{
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (strcmp(row->owner, name) != 0 || strcmp(row->name, "reserved") != 0) continue;
        t->copy.bytes[row->offset] = 1;
        TEST_ASSERT_EQUAL_INT_MESSAGE(STN_ERROR_INVALID_ARGUMENT, try_size(t, t->known),
                                      t->entry->name);
        t->copy.bytes[row->offset] = 0;
    }
}

/* Writing stays inside the size that the caller gave. */
static void fill_no_more_than_asked(trial *t)
{
    for (uint64_t size = 8; size < t->known; size += 8) {
        memset(t->copy.bytes, 0xa5, sizeof t->copy.bytes);
        TEST_ASSERT_EQUAL_INT_MESSAGE(t->good, try_size(t, size), t->entry->name);
        TEST_ASSERT_EACH_EQUAL_HEX8_MESSAGE(0xa5, t->copy.bytes + size, ROOM - size,
                                            t->entry->name);
    }
}

static void take_a_longer_one(trial *t)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(t->good, try_size(t, t->known + TAIL), t->entry->name);
    TEST_ASSERT_EACH_EQUAL_HEX8_MESSAGE(0, t->copy.bytes + t->known, TAIL, t->entry->name);
}

static bool trial_prepare(trial *t, small_scene *small, const stn_row *entry, uint32_t argument)
{
    char types[SIGNATURE_ARGUMENTS][TYPE_SIZE];
    if (argument >= row_argument_types(entry, types)) return false;
    const stn_row *described = struct_of(types[argument]);
    if (!described || !is_built(entry)) return false;
    *t = (trial){.entry = entry, .known = described->size, .good = STN_OK};
    t->count = small_arguments(small, entry, t->arguments);
    t->is_input = strncmp(types[argument], "const ", 6) == 0;
    memcpy(t->copy.bytes, t->arguments[argument].pointer, described->size);
    t->arguments[argument].pointer = &t->copy;
    return true;
}

static void try_struct(small_scene *small, trial *t, const char *name)
{
    refuse_absurd_sizes(t, small);
    if (t->is_input) {
        refuse_unknown_tail(t);
        refuse_reserved(t, name);
    } else {
        fill_no_more_than_asked(t);
        memset(t->copy.bytes, 0, sizeof t->copy.bytes);
    }
    take_a_longer_one(t);
}

static void test_every_struct_of_every_entry_may_be_of_another_version(void)
{
    uint32_t tried = 0;
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (!row_is(row, "entry", "stn_api")) continue;
        for (uint32_t i = 0; i < SIGNATURE_ARGUMENTS; i++) {
            small_scene small;
            trial t;
            small_create(&small, NULL);
            if (trial_prepare(&t, &small, row, i)) {
                char types[SIGNATURE_ARGUMENTS][TYPE_SIZE];
                row_argument_types(row, types);
                try_struct(&small, &t, struct_of(types[i])->name);
                tried++;
            }
            if (strcmp(row->name, "scene_create") == 0 && i == 0) {
                rows_api()->scene_destroy(*(stn_scene **)(uintptr_t)t.arguments[1].pointer);
            }
            small_destroy(&small);
        }
    }
    TEST_ASSERT_TRUE(tried >= 14);
}

/* ---- what is missing is zero, and zero is the default ---- */

static void test_a_short_scene_desc_starts_at_frame_zero(void)
{
    const stn_scene_desc desc = {
        .struct_size = offsetof(stn_scene_desc, start_frame), .threads = 1, .start_frame = 1000.0};
    stn_scene *scene = NULL;
    CHECK_OK(NULL, rows_api()->scene_create(&desc, &scene));
    stn_time time = {.struct_size = sizeof time};
    CHECK_OK(scene, rows_api()->time_get(scene, &time));
    TEST_ASSERT_TRUE(time.frame == 0.0);
    rows_api()->scene_destroy(scene);
}

static void test_a_short_pose_is_not_turned(void)
{
    small_scene small;
    small_create(&small, NULL);
    const stn_pose pose = {.struct_size = offsetof(stn_pose, rotation),
                           .position = {1.0, 2.0, 3.0},
                           .rotation = {9.0, 9.0, 9.0, 9.0}};
    CHECK_OK(small.scene, rows_api()->pose_set(small.scene, small.floor, &pose, STN_POSE_JUMP));
    stn_pose now = {.struct_size = sizeof now};
    CHECK_OK(small.scene, rows_api()->pose_get(small.scene, small.floor, &now));
    TEST_ASSERT_TRUE(now.position[0] == 1.0 && now.position[1] == 2.0 && now.position[2] == 3.0);
    TEST_ASSERT_TRUE(now.rotation[0] == 1.0 && now.rotation[1] == 0.0);
    small_destroy(&small);
}

static void test_a_short_view_is_packed(void)
{
    small_scene small;
    small_sheet sheet;
    small_create(&small, NULL);
    small_sheet_fill(&sheet, 2.0);
    stn_view view = sheet.positions;
    view.struct_size = offsetof(stn_view, stride);
    view.stride = 1;
    CHECK_OK(small.scene, rows_api()->array_set(small.scene, small.sheet, "position", &view));
    double now[SMALL_NODES][3];
    const stn_mut_view out = REALS_OUT(now, SMALL_NODES, 3);
    CHECK_OK(small.scene, rows_api()->array_get(small.scene, small.sheet, "position", &out));
    TEST_ASSERT_EQUAL_MEMORY(sheet.position, now, sizeof now);
    small_destroy(&small);
}

static void test_a_short_cloth_desc_has_no_velocities(void)
{
    small_scene small;
    small_sheet sheet;
    small_create(&small, NULL);
    small_sheet_fill(&sheet, 2.0);
    const stn_cloth_desc desc = {.struct_size = offsetof(stn_cloth_desc, velocities),
                                 .positions = &sheet.positions,
                                 .triangles = &sheet.triangles,
                                 .velocities = (const stn_view *)(uintptr_t)16};
    stn_id id = 0;
    CHECK_OK(small.scene, rows_api()->cloth_create(small.scene, &desc, &id));
    small_destroy(&small);
}

void setUp(void) {}
void tearDown(void) {}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_struct_of_every_entry_may_be_of_another_version);
    RUN_TEST(test_a_short_scene_desc_starts_at_frame_zero);
    RUN_TEST(test_a_short_pose_is_not_turned);
    RUN_TEST(test_a_short_view_is_packed);
    RUN_TEST(test_a_short_cloth_desc_has_no_velocities);
    return UNITY_END();
}
