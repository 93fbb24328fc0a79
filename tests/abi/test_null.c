/* SPDX-License-Identifier: Apache-2.0
 *
 * NULL for every pointer of every entry in turn, found in describe() and called through libffi.
 */
#include "check.h"
#include "small.h"

/* Where the header says that NULL is fine. */
static bool may_be_null(const char *name, uint32_t argument)
{
    return (strcmp(name, "scene_destroy") == 0 && argument == 0) ||
           (strcmp(name, "object_list") == 0 && argument == 1);
}

static uint64_t object_count(stn_scene *scene)
{
    uint64_t count = 0;
    CHECK_OK(scene, rows_api()->object_list(scene, NULL, 0, &count));
    return count;
}

static void call_with_null(small_scene *small, const stn_row *entry, uint32_t argument)
{
    signature_value arguments[SIGNATURE_ARGUMENTS];
    const uint32_t count = small_arguments(small, entry, arguments);
    const uint64_t hash = check_hash(small->scene), objects = object_count(small->scene);
    const bool has_scene = argument > 0 && arguments[0].pointer == small->scene;
    arguments[argument].pointer = NULL;
    const signature_value result = row_call(entry, arguments, count);
    if (strncmp(entry->type, "stn_status", 10) == 0) {
        const bool fine = may_be_null(entry->name, argument);
        TEST_ASSERT_EQUAL_INT_MESSAGE(fine ? STN_OK : STN_ERROR_INVALID_ARGUMENT, result.i32,
                                      entry->name);
        if (!fine) CHECK_TEXT(has_scene ? small->scene : NULL, "NULL");
    }
    TEST_ASSERT_EQUAL_HEX64_MESSAGE(hash, check_hash(small->scene), entry->name);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(objects, object_count(small->scene), entry->name);
}

static void test_every_pointer_of_every_entry_may_be_null_without_harm(void)
{
    small_scene small;
    small_create(&small, NULL);
    uint32_t tried = 0;
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (!row_is(row, "entry", "stn_api")) continue;
        char types[SIGNATURE_ARGUMENTS][TYPE_SIZE];
        const uint32_t count = row_argument_types(row, types);
        for (uint32_t i = 0; i < count; i++) {
            if (!strchr(types[i], '*')) continue;
            call_with_null(&small, row, i);
            tried++;
        }
    }
    TEST_ASSERT_TRUE(tried > 60);
    small_destroy(&small);
}

static void test_entries_that_return_texts_take_null(void)
{
    const stn_api *api = rows_api();
    TEST_ASSERT_NULL(api->get_extension(NULL));
    TEST_ASSERT_NOT_NULL(api->last_error(NULL));
}

static void test_cloth_without_positions_is_refused(void)
{
    small_scene small;
    small_create(&small, NULL);
    const stn_cloth_desc desc = {.struct_size = sizeof desc, .name = "nothing"};
    stn_id id = 1;
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 rows_api()->cloth_create(small.scene, &desc, &id));
    TEST_ASSERT_EQUAL_UINT64(0, id);
    CHECK_TEXT(small.scene, "nothing");
    CHECK_TEXT(small.scene, "positions");
    small_destroy(&small);
}

static void test_views_of_nothing_are_refused(void)
{
    small_scene small;
    small_create(&small, NULL);
    const uint64_t hash = check_hash(small.scene);
    const stn_view nothing = REALS(NULL, SMALL_NODES, 3);
    const stn_mut_view nowhere = REALS_OUT(NULL, SMALL_NODES, 3);
    const stn_api *api = rows_api();
    const stn_status set = api->array_set(small.scene, small.sheet, "position", &nothing);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene, set);
    const stn_status get = api->array_get(small.scene, small.sheet, "position", &nowhere);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene, get);
    const stn_cloth_desc desc = {.struct_size = sizeof desc, .positions = &nothing};
    stn_id id = 1;
    const stn_status create = api->cloth_create(small.scene, &desc, &id);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene, create);
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
    small_destroy(&small);
}

static void *some_alloc(void *user, uint64_t size, uint64_t alignment)
{
    (void)user, (void)size, (void)alignment;
    return NULL;
}

static void some_release(void *user, void *memory, uint64_t size)
{
    (void)user, (void)memory, (void)size;
}

static void test_half_an_allocator_is_refused(void)
{
    const stn_host halves[] = {{.struct_size = sizeof(stn_host), .alloc = some_alloc},
                               {.struct_size = sizeof(stn_host), .release = some_release}};
    for (int i = 0; i < 2; i++) {
        const stn_scene_desc desc = {.struct_size = sizeof desc, .host = &halves[i]};
        stn_scene *scene = NULL;
        CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, NULL, rows_api()->scene_create(&desc, &scene));
        TEST_ASSERT_NULL(scene);
        CHECK_TEXT(NULL, "alloc");
    }
}

void setUp(void) {}
void tearDown(void) {}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_pointer_of_every_entry_may_be_null_without_harm);
    RUN_TEST(test_entries_that_return_texts_take_null);
    RUN_TEST(test_cloth_without_positions_is_refused);
    RUN_TEST(test_views_of_nothing_are_refused);
    RUN_TEST(test_half_an_allocator_is_refused);
    return UNITY_END();
}
