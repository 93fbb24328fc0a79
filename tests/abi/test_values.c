/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that make no sense, in every parameter and every array of every object, found in the
 * tables. A refused call leaves everything as it was; an accepted one never leads to a state that
 * is not finite.
 */
#include "check.h"
#include "small.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static small_scene small;
static const stn_api *api;

static uint32_t kind_of(stn_id object)
{
    stn_object_info info = {.struct_size = sizeof info};
    if (object == STN_SCENE_ID) return STN_KIND_SCENE;
    CHECK_OK(small.scene, api->object_info(small.scene, object, &info));
    return info.kind;
}

static void check_finite(void)
{
    const char *const names[] = {"position", "velocity", "contact_force"};
    for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
        double values[SMALL_NODES][3];
        const stn_mut_view out = REALS_OUT(values, SMALL_NODES, 3);
        CHECK_OK(small.scene, api->array_get(small.scene, small.sheet, names[a], &out));
        for (int i = 0; i < 3 * SMALL_NODES; i++) {
            TEST_ASSERT_TRUE_MESSAGE(isfinite(values[i / 3][i % 3]), names[a]);
        }
    }
}

/* Steps, and whatever comes of it is a number or a refusal. */
static void step_safely(void)
{
    for (int i = 0; i < 20; i++) {
        const uint64_t hash = check_hash(small.scene);
        const stn_status stepped = api->step(small.scene, 0.0078125);
        TEST_ASSERT_TRUE_MESSAGE(stepped >= 0 || stepped == STN_ERROR_DIVERGED,
                                 api->last_error(small.scene));
        if (stepped < 0) TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
        check_finite();
    }
}

/* ---- parameters ---- */

static void refuse_parameter(stn_id object, const stn_parameter_info *row, uint32_t c, double bad)
{
    double before[3], values[3], after[3];
    CHECK_OK(small.scene,
             api->parameter_get(small.scene, object, row->name, before, row->components));
    memcpy(values, before, sizeof values);
    values[c] = bad;
    const uint64_t hash = check_hash(small.scene);
    const stn_status set =
        api->parameter_set(small.scene, object, row->name, values, row->components);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene, set);
    CHECK_TEXT(small.scene, row->name);
    CHECK_OK(small.scene,
             api->parameter_get(small.scene, object, row->name, after, row->components));
    TEST_ASSERT_EQUAL_MEMORY(before, after, row->components * sizeof before[0]);
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
}

static void refuse_bad_values(stn_id object, const stn_parameter_info *row)
{
    const double bad[] = {(double)NAN,
                          (double)INFINITY,
                          -(double)INFINITY,
                          DBL_MAX,
                          -DBL_MAX,
                          nextafter(row->minimum, -DBL_MAX),
                          nextafter(row->maximum, DBL_MAX)};
    for (uint32_t c = 0; c < row->components; c++) {
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            refuse_parameter(object, row, c, bad[i]);
        }
        if (row->type == STN_PARAMETER_INTEGER) {
            refuse_parameter(object, row, c, row->minimum + 0.5);
        }
    }
    double values[4] = {0};
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 api->parameter_set(small.scene, object, row->name, values, row->components + 1));
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 api->parameter_get(small.scene, object, row->name, values, 0));
}

static void accept_the_ends_of_the_range(stn_id object, const stn_parameter_info *row)
{
    const double ends[] = {row->minimum, row->maximum};
    for (int e = 0; e < 2; e++) {
        const double values[3] = {ends[e], ends[e], ends[e]};
        CHECK_OK(small.scene,
                 api->parameter_set(small.scene, object, row->name, values, row->components));
        step_safely();
    }
    CHECK_OK(small.scene, api->parameter_set(small.scene, object, row->name, row->default_value,
                                             row->components));
}

static void try_parameter(stn_id object, const stn_parameter_info *row)
{
    double values[3];
    if (!(row->kinds & kind_of(object))) {
        CHECK_STATUS(STN_ERROR_WRONG_KIND, small.scene,
                     api->parameter_get(small.scene, object, row->name, values, row->components));
        return;
    }
    CHECK_OK(small.scene,
             api->parameter_get(small.scene, object, row->name, values, row->components));
    TEST_ASSERT_EQUAL_MEMORY(row->default_value, values, row->components * sizeof values[0]);
    refuse_bad_values(object, row);
    accept_the_ends_of_the_range(object, row);
}

static void test_every_parameter_of_every_object_keeps_its_range(void)
{
    const stn_id objects[] = {STN_SCENE_ID, small.sheet, small.floor};
    TEST_ASSERT_TRUE(api->parameter_count() > 0);
    for (uint64_t i = 0; i < api->parameter_count(); i++) {
        stn_parameter_info row = {.struct_size = sizeof row};
        CHECK_OK(NULL, api->parameter_info(i, &row));
        for (int o = 0; o < 3; o++) try_parameter(objects[o], &row);
    }
}

static void test_the_tables_end(void)
{
    stn_parameter_info parameter = {.struct_size = sizeof parameter};
    stn_array_info array = {.struct_size = sizeof array};
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, NULL,
                 api->parameter_info(api->parameter_count(), &parameter));
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, NULL, api->array_info(UINT64_MAX, &array));
}

/* ---- arrays ---- */

static stn_view view_for(const stn_array_info *row, double *values)
{
    return REALS(values, SMALL_NODES, row->components);
}

static void get_array(const stn_array_info *row, double *values)
{
    const stn_mut_view out = REALS_OUT(values, SMALL_NODES, row->components);
    CHECK_OK(small.scene, api->array_get(small.scene, small.sheet, row->name, &out));
}

static void refuse_array(const stn_array_info *row, const stn_view *view)
{
    const uint64_t hash = check_hash(small.scene);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 api->array_set(small.scene, small.sheet, row->name, view));
    CHECK_TEXT(small.scene, row->name);
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
}

static void refuse_bad_numbers(const stn_array_info *row, double *values)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const uint32_t places[] = {0, row->components * SMALL_NODES - 1};
    const stn_view view = view_for(row, values);
    for (int i = 0; i < 6; i++) {
        const double kept = values[places[i % 2]];
        values[places[i % 2]] = bad[i / 2];
        refuse_array(row, &view);
        CHECK_TEXT(small.scene, i % 2 ? "15" : "0"); /* which element it is */
        values[places[i % 2]] = kept;
    }
}

static void refuse_bad_views(const stn_array_info *row, double *values)
{
    stn_view bad[6];
    for (int i = 0; i < 6; i++) bad[i] = view_for(row, values);
    bad[0].count--;
    bad[1].count = 0;
    bad[2].components++;
    bad[3].format = 0;
    bad[4].format = 99;
    bad[5].format = STN_FORMAT_U32;
    for (int i = 0; i < 6; i++) refuse_array(row, &bad[i]);
}

static void try_array(const stn_array_info *row)
{
    double values[3 * SMALL_NODES];
    if (!(row->flags & STN_ARRAY_WRITE)) {
        const stn_view view = REALS(memset(values, 0, sizeof values), SMALL_NODES, row->components);
        refuse_array(row, &view);
        return;
    }
    get_array(row, values);
    refuse_bad_numbers(row, values);
    refuse_bad_views(row, values);
    double after[3 * SMALL_NODES];
    get_array(row, after);
    TEST_ASSERT_EQUAL_MEMORY(values, after, row->components * SMALL_NODES * sizeof values[0]);
}

static void test_every_array_refuses_what_is_not_finite_or_has_another_shape(void)
{
    TEST_ASSERT_TRUE(api->array_count() > 0);
    for (uint64_t i = 0; i < api->array_count(); i++) {
        stn_array_info row = {.struct_size = sizeof row};
        CHECK_OK(NULL, api->array_info(i, &row));
        if (row.kinds & STN_KIND_CLOTH) try_array(&row);
    }
}

/* Finite, but far out: refused, or survived. */
static void test_huge_and_tiny_numbers_do_not_lead_to_nan(void)
{
    const double extreme[] = {DBL_MAX, -DBL_MAX, 1e300, 1e160, DBL_MIN, 5e-324};
    for (uint64_t i = 0; i < api->array_count(); i++) {
        stn_array_info row = {.struct_size = sizeof row};
        CHECK_OK(NULL, api->array_info(i, &row));
        if (!(row.flags & STN_ARRAY_WRITE) || !(row.kinds & STN_KIND_CLOTH)) continue;
        for (size_t e = 0; e < sizeof extreme / sizeof extreme[0]; e++) {
            double values[3 * SMALL_NODES], kept[3 * SMALL_NODES];
            get_array(&row, kept);
            memcpy(values, kept, sizeof values);
            values[row.components * SMALL_NODES / 2] = extreme[e];
            const stn_view view = view_for(&row, values), back = view_for(&row, kept);
            if (api->array_set(small.scene, small.sheet, row.name, &view) < 0) continue;
            step_safely();
            CHECK_OK(small.scene, api->array_set(small.scene, small.sheet, row.name, &back));
        }
    }
}

static void test_masses_are_positive(void)
{
    const double bad[] = {0.0, -0.0, -1.0};
    for (int i = 0; i < 3; i++) {
        const uint32_t index = 3;
        const stn_view at = INDICES(&index, 1, 1), value = REALS(&bad[i], 1, 1);
        const uint64_t hash = check_hash(small.scene);
        CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                     api->array_set_at(small.scene, small.sheet, "mass", &at, &value));
        CHECK_TEXT(small.scene, "node 3");
        TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
    }
}

static void test_indices_stay_inside(void)
{
    const uint32_t beyond[] = {2, SMALL_NODES}, far = UINT32_MAX;
    const int32_t before = -1;
    const double one = 1.0;
    const stn_view value = REALS(&one, 1, 1);
    const stn_view bad[] = {
        INDICES(beyond, 2, 1), INDICES(&far, 1, 1),   VIEW(stn_view, STN_FORMAT_I32, &before, 1, 1),
        REALS(&one, 1, 1),     INDICES(beyond, 1, 2), INDICES(beyond, UINT64_MAX, 1)};
    const uint64_t hash = check_hash(small.scene);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                     api->array_set_at(small.scene, small.sheet, "pin", &bad[i], &value));
        TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
    }
}

static void test_a_number_of_values_that_is_neither_one_nor_all_is_refused(void)
{
    const uint32_t index[3] = {0, 1, 2};
    const double ones[2] = {1.0, 1.0};
    const stn_view three = INDICES(index, 3, 1), two = REALS(ones, 2, 1);
    const uint64_t hash = check_hash(small.scene);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 api->array_set_at(small.scene, small.sheet, "pin", &three, &two));
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
}

static void test_numbers_that_an_integer_view_cannot_hold_are_refused(void)
{
    uint32_t room[SMALL_NODES][3];
    memset(room, 0xa5, sizeof room);
    const stn_mut_view out = VIEW(stn_mut_view, STN_FORMAT_U32, room, SMALL_NODES, 3);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 api->array_get(small.scene, small.sheet, "position", &out)); /* -0.5 m */
    TEST_ASSERT_EACH_EQUAL_HEX8(0xa5, room, sizeof room);
}

void setUp(void)
{
    api = rows_api();
    small_create(&small, NULL);
}

void tearDown(void) { small_destroy(&small); }

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_parameter_of_every_object_keeps_its_range);
    RUN_TEST(test_the_tables_end);
    RUN_TEST(test_every_array_refuses_what_is_not_finite_or_has_another_shape);
    RUN_TEST(test_huge_and_tiny_numbers_do_not_lead_to_nan);
    RUN_TEST(test_masses_are_positive);
    RUN_TEST(test_indices_stay_inside);
    RUN_TEST(test_a_number_of_values_that_is_neither_one_nor_all_is_refused);
    RUN_TEST(test_numbers_that_an_integer_view_cannot_hold_are_refused);
    return UNITY_END();
}
