/* SPDX-License-Identifier: Apache-2.0
 *
 * What describe() says is what is there: layouts are compared with the compiler's and with
 * libffi's, and every entry of stn_api is called from its declared signature.
 */
#include "check.h"
#include "layout.h"
#include "small.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- layouts ---- */

static const layout_row *layout_find(const char *owner, const char *name)
{
    for (size_t i = 0; i < LAYOUT_ROWS; i++) {
        if (strcmp(layout[i].owner, owner) == 0 && strcmp(layout[i].name, name) == 0) {
            return &layout[i];
        }
    }
    TEST_FAIL_MESSAGE(name);
    return NULL;
}

static void test_every_described_member_lies_where_the_header_has_it(void)
{
    size_t compared = 0;
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        const bool is_struct = row_is(row, "struct", "");
        if (!is_struct && row->owner[0] == '\0') continue;
        const layout_row *expected =
            is_struct ? layout_find(row->name, "") : layout_find(row->owner, row->name);
        TEST_ASSERT_EQUAL_INT64_MESSAGE((int64_t)expected->offset, row->offset, row->name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(expected->size, row->size, row->name);
        compared++;
    }
    TEST_ASSERT_EQUAL_UINT64(LAYOUT_ROWS, compared); /* none is left undescribed */
}

enum { MEMBERS = 256 };

/* A struct as libffi sees it. An array counts as that many elements. */
typedef struct ffi_struct {
    ffi_type type;
    ffi_type *element[MEMBERS + 1];
    const stn_row *row[MEMBERS]; /* of the first element of a member, else NULL */
    size_t count;
} ffi_struct;

static void ffi_struct_add(ffi_struct *s, const stn_row *row)
{
    char item[TYPE_SIZE * 2];
    snprintf(item, sizeof item, "%s", row->type);
    char *bracket = strchr(item, '[');
    const size_t repeat = bracket ? (size_t)strtoul(bracket + 1, NULL, 10) : 1;
    if (bracket) *bracket = '\0';
    ffi_type *type = signature_type(item);
    TEST_ASSERT_NOT_NULL_MESSAGE(type, row->type);
    for (size_t i = 0; i < repeat; i++) {
        TEST_ASSERT_TRUE(s->count < MEMBERS);
        s->row[s->count] = i == 0 ? row : NULL;
        s->element[s->count++] = type;
    }
}

static void ffi_struct_build(ffi_struct *s, const char *owner)
{
    *s = (ffi_struct){.type = {.type = FFI_TYPE_STRUCT}};
    s->type.elements = s->element;
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (strcmp(row->owner, owner) == 0) ffi_struct_add(s, row);
    }
}

static void test_libffi_lays_every_struct_out_the_same_way(void)
{
    static ffi_struct s;
    size_t offset[MEMBERS];
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (!row_is(row, "struct", "")) continue;
        ffi_struct_build(&s, row->name);
        const ffi_status laid_out = ffi_get_struct_offsets(FFI_DEFAULT_ABI, &s.type, offset);
        TEST_ASSERT_EQUAL_INT_MESSAGE(FFI_OK, laid_out, row->name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(row->size, s.type.size, row->name);
        for (size_t i = 0; i < s.count; i++) {
            if (!s.row[i]) continue;
            TEST_ASSERT_EQUAL_UINT64_MESSAGE((uint64_t)s.row[i]->offset, offset[i], s.row[i]->name);
        }
    }
}

static void test_members_cover_their_struct_without_holes(void)
{
    for (const stn_row *s = rows_begin(); s < rows_end(); s++) {
        if (!row_is(s, "struct", "")) continue;
        uint64_t end = 0;
        for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
            if (strcmp(row->owner, s->name) != 0) continue;
            TEST_ASSERT_EQUAL_UINT64_MESSAGE(end, (uint64_t)row->offset, row->name);
            end += row->size;
        }
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(s->size, end, s->name);
    }
}

static void test_every_struct_begins_with_its_size(void)
{
    for (const stn_row *s = rows_begin(); s < rows_end(); s++) {
        if (!row_is(s, "struct", "") || strcmp(s->name, "stn_row") == 0) continue;
        const stn_row *size = rows_find("field", s->name, "struct_size");
        TEST_ASSERT_EQUAL_INT64(0, size->offset);
        TEST_ASSERT_EQUAL_STRING("uint32_t", size->type);
    }
}

static void test_tables_have_their_size_and_version(void)
{
    TEST_ASSERT_EQUAL_UINT32(sizeof(stn_api), rows_api()->struct_size);
    TEST_ASSERT_EQUAL_UINT32(STN_ABI_VERSION, rows_api()->version);
    TEST_ASSERT_EQUAL_UINT32(sizeof(stn_ext_shot), rows_shots()->struct_size);
    TEST_ASSERT_EQUAL_UINT32(1, rows_shots()->version);
    const stn_manifest *manifest = rows_api()->describe();
    TEST_ASSERT_EQUAL_UINT32(sizeof(stn_manifest), manifest->struct_size);
    TEST_ASSERT_EQUAL_UINT32(STN_ABI_VERSION, manifest->version);
}

static void test_other_versions_are_not_there(void)
{
    TEST_ASSERT_NULL(stn_get_api(0));
    TEST_ASSERT_NULL(stn_get_api(STN_ABI_VERSION + 1));
    TEST_ASSERT_NULL(stn_get_api(UINT32_MAX));
    TEST_ASSERT_NULL(rows_api()->get_extension("stiction.shot/2"));
    TEST_ASSERT_NULL(rows_api()->get_extension(""));
}

/* ---- calls ---- */

static bool is_unsupported_yet(const char *name)
{
    return strcmp(name, "rigid_create") == 0;
}

/* The entry with valid arguments on a fresh scene; the answer is right, as far as types tell. */
static void call_entry(const stn_row *entry)
{
    small_scene small;
    small_create(&small, NULL);
    signature_value arguments[SIGNATURE_ARGUMENTS];
    const uint32_t count = small_arguments(&small, entry, arguments);
    const signature_value result = row_call(entry, arguments, count);
    if (strncmp(entry->type, "stn_status", 10) == 0) {
        const stn_status expected =
            is_unsupported_yet(entry->name) ? STN_ERROR_UNSUPPORTED : STN_OK;
        TEST_ASSERT_EQUAL_INT_MESSAGE(expected, result.i32, entry->name);
    } else if (entry->type[strcspn(entry->type, "*(")] == '*') {
        TEST_ASSERT_NOT_NULL_MESSAGE(result.pointer, entry->name);
    } else {
        TEST_ASSERT_TRUE_MESSAGE(result.u64 > 0 && result.u64 < 1000, entry->name);
    }
    if (strcmp(entry->name, "scene_create") == 0) {
        rows_api()->scene_destroy(*(stn_scene **)(uintptr_t)arguments[1].pointer);
    }
    if (strcmp(entry->name, "scene_destroy") == 0) small.scene = NULL;
    small_destroy(&small);
}

static void test_every_entry_answers_a_call_made_from_its_signature(void)
{
    size_t called = 0;
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (!row_is(row, "entry", "stn_api")) continue;
        call_entry(row);
        called++;
    }
    const size_t head = offsetof(stn_api, describe);
    TEST_ASSERT_EQUAL_UINT64((sizeof(stn_api) - head) / sizeof(void (*)(void)), called);
}

#define ENTRY(name, ...)                                                                           \
    row_call(rows_find("entry", "stn_api", name), (const signature_value[]){__VA_ARGS__},          \
             sizeof(signature_value[]){__VA_ARGS__} / sizeof(signature_value))

/* Every argument has reached the place it was meant for: the outcome is that of plain calls. */
static void test_a_session_through_libffi_is_the_session_in_c(void)
{
    const double friction = 0.25, dt = 0.0078125;
    small_scene plain, called;
    small_create(&plain, NULL);
    small_create(&called, NULL);
    CHECK_OK(plain.scene,
             rows_api()->parameter_set(plain.scene, plain.floor, "friction", &friction, 1));
    for (int i = 0; i < 64; i++) CHECK_OK(plain.scene, rows_api()->step(plain.scene, dt));
    ENTRY("parameter_set", {.pointer = called.scene}, {.u64 = called.floor},
          {.pointer = "friction"}, {.pointer = &friction}, {.u64 = 1});
    for (int i = 0; i < 64; i++) ENTRY("step", {.pointer = called.scene}, {.f64 = dt});
    stn_time time = {.struct_size = sizeof time};
    ENTRY("time_get", {.pointer = called.scene}, {.pointer = &time});
    TEST_ASSERT_EQUAL_UINT64(64, time.steps);
    TEST_ASSERT_TRUE(time.seconds == 64 * dt);
    uint64_t hash = 0;
    ENTRY("state_hash", {.pointer = called.scene}, {.pointer = &hash});
    TEST_ASSERT_EQUAL_HEX64(check_hash(plain.scene), hash);
    small_destroy(&plain);
    small_destroy(&called);
}

static void test_every_signature_and_callback_can_be_prepared(void)
{
    size_t callbacks = 0;
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        const bool is_callback = row_is(row, "callback", "");
        const bool is_pointer = strcmp(row->kind, "field") == 0 && strstr(row->type, "(*)");
        if (strcmp(row->kind, "entry") != 0 && !is_callback && !is_pointer) continue;
        signature s;
        error err = {0};
        TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, signature_parse(row->type, &s, &err), err.text);
        callbacks += is_callback;
    }
    TEST_ASSERT_EQUAL_UINT64(2, callbacks); /* stn_task, stn_field */
}

void setUp(void) {}
void tearDown(void) {}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_described_member_lies_where_the_header_has_it);
    RUN_TEST(test_libffi_lays_every_struct_out_the_same_way);
    RUN_TEST(test_members_cover_their_struct_without_holes);
    RUN_TEST(test_every_struct_begins_with_its_size);
    RUN_TEST(test_tables_have_their_size_and_version);
    RUN_TEST(test_other_versions_are_not_there);
    RUN_TEST(test_every_entry_answers_a_call_made_from_its_signature);
    RUN_TEST(test_a_session_through_libffi_is_the_session_in_c);
    RUN_TEST(test_every_signature_and_callback_can_be_prepared);
    return UNITY_END();
}
