/* SPDX-License-Identifier: Apache-2.0 */
#include "base/view.h"

#include <math.h>
#include <string.h>
#include <unity.h>

static error err;

void setUp(void)
{
    error_clear(&err);
}

void tearDown(void) {}

static void test_floats_become_doubles_whatever_the_stride(void)
{
    /* position and colour of two vertices, interleaved as a host may have them */
    const float host[2][5] = {{1.5f, 2.5f, 3.5f, 9.0f, 9.0f}, {4.5f, 5.5f, 6.5f, 9.0f, 9.0f}};
    const view v = {host, 2, 3, FORMAT_F32, sizeof host[0]};
    double out[6];
    TEST_ASSERT_EQUAL(STATUS_OK, view_read_reals(&v, "positions", 2, 3, out, &err));
    for (int i = 0; i < 6; i++) TEST_ASSERT_TRUE(out[i] == 1.5 + i);
}

static void test_negative_strides_read_backwards(void)
{
    const double host[3] = {1.0, 2.0, 3.0};
    const view v = {&host[2], 3, 1, FORMAT_F64, -(ptrdiff_t)sizeof(double)};
    double out[3];
    TEST_ASSERT_EQUAL(STATUS_OK, view_read_reals(&v, "masses", 3, 1, out, &err));
    TEST_ASSERT_TRUE(out[0] == 3.0 && out[2] == 1.0);
}

static void test_unaligned_elements_are_read(void)
{
    char bytes[1 + 2 * sizeof(double)];
    const double values[2] = {7.0, 8.0};
    memcpy(bytes + 1, values, sizeof values);
    const view v = {bytes + 1, 2, 1, FORMAT_F64, 0};
    double out[2];
    TEST_ASSERT_EQUAL(STATUS_OK, view_read_reals(&v, "masses", 2, 1, out, &err));
    TEST_ASSERT_TRUE(out[0] == 7.0 && out[1] == 8.0);
}

static void assert_refused(const view *v, size_t count, uint32_t components, const char *why)
{
    double out[8];
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      view_read_reals(v, "cloth 'a': positions", count, components, out, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "cloth 'a': positions"), err.text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, why), err.text);
}

static void test_what_is_wrong_is_said(void)
{
    const double good[6] = {0}, bad[6] = {0.0, 0.0, 0.0, 0.0, NAN, 0.0};
    const double endless[3] = {0.0, -INFINITY, 0.0};
    const view absent = {NULL, 2, 3, FORMAT_F64, 0}, formless = {good, 2, 3, 9, 0};
    const view flat = {good, 3, 2, FORMAT_F64, 0}, whole = {good, 2, 3, FORMAT_U32, 0};
    const view long_one = view_of_f64(good, 2, 3), nan = view_of_f64(bad, 2, 3);
    const view infinite = view_of_f64(endless, 1, 3);
    assert_refused(&absent, 2, 3, "no data");
    assert_refused(&formless, 2, 3, "format 9");
    assert_refused(&flat, 3, 3, "2 numbers per element, expected 3");
    assert_refused(&long_one, 1, 3, "2 elements, expected 1");
    assert_refused(&whole, 2, 3, "integers");
    assert_refused(&nan, 2, 3, "element 1, component 1");
    assert_refused(&infinite, 1, 3, "element 0, component 1");
}

static void test_indices_are_checked_against_their_limit(void)
{
    const uint32_t good[3] = {0, 4, 2}, high[3] = {0, 5, 2};
    const int32_t negative[3] = {0, -1, 2};
    const float reals[3] = {0.0f};
    uint32_t out[3];
    view v = view_of_u32(good, 1, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, view_read_indices(&v, "triangles", 1, 3, 5, out, &err));
    TEST_ASSERT_EQUAL_UINT32(4, out[1]);
    v = view_of_u32(high, 1, 3);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      view_read_indices(&v, "triangles", 1, 3, 5, out, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "index 5, expected 0 to 4"), err.text);
    v = (view){negative, 1, 3, FORMAT_I32, 0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      view_read_indices(&v, "triangles", 1, 3, 5, out, &err));
    v = (view){reals, 1, 3, FORMAT_F32, 0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      view_read_indices(&v, "triangles", 1, 3, 5, out, &err));
}

static void test_results_go_out_in_the_format_asked_for(void)
{
    const double from[4] = {1.0, 2.0, 2.9999999, 4.0};
    float f[4];
    int32_t i[4];
    uint32_t u[4];
    const mut_view as_f = {f, 4, 1, FORMAT_F32, 0}, as_i = {i, 4, 1, FORMAT_I32, 0};
    const mut_view as_u = {u, 4, 1, FORMAT_U32, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, view_write_reals(&as_f, "state", 4, 1, from, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, view_write_reals(&as_i, "state", 4, 1, from, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, view_write_reals(&as_u, "state", 4, 1, from, &err));
    TEST_ASSERT_TRUE(f[1] == 2.0f);
    TEST_ASSERT_EQUAL_INT32(3, i[2]);
    TEST_ASSERT_EQUAL_UINT32(4, u[3]);
}

static void test_indices_go_out_as_integers_only(void)
{
    const uint32_t from[3] = {1, 2, 3};
    uint32_t u[3];
    double d[3];
    const mut_view as_u = {u, 1, 3, FORMAT_U32, 0}, as_d = {d, 1, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, view_write_indices(&as_u, "triangles", 1, 3, from, &err));
    TEST_ASSERT_EQUAL_UINT32(3, u[2]);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      view_write_indices(&as_d, "triangles", 1, 3, from, &err));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_floats_become_doubles_whatever_the_stride);
    RUN_TEST(test_negative_strides_read_backwards);
    RUN_TEST(test_unaligned_elements_are_read);
    RUN_TEST(test_what_is_wrong_is_said);
    RUN_TEST(test_indices_are_checked_against_their_limit);
    RUN_TEST(test_results_go_out_in_the_format_asked_for);
    RUN_TEST(test_indices_go_out_as_integers_only);
    return UNITY_END();
}
