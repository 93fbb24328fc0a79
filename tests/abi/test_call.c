/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures from texts: what they mean, what is refused, and calls made from them.
 */
#include "call.h"

#include <string.h>
#include <unity.h>

static void parse(const char *text, signature *s)
{
    error err = {0};
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, signature_parse(text, s, &err), err.text);
}

static void refuse(const char *text, const char *because)
{
    signature s;
    error err = {0};
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_INVALID_ARGUMENT, signature_parse(text, &s, &err), text);
    TEST_ASSERT_TRUE_MESSAGE(strstr(err.text, because) != NULL, err.text);
}

static void test_types_of_every_kind_are_told_apart(void)
{
    signature s;
    parse("stn_status (stn_scene *, stn_id, const char *, double, float, uint8_t, stn_task)", &s);
    ffi_type *expected[] = {&ffi_type_pointer, &ffi_type_uint64, &ffi_type_pointer,
                            &ffi_type_double,  &ffi_type_float,  &ffi_type_uint8,
                            &ffi_type_pointer};
    TEST_ASSERT_EQUAL_PTR(&ffi_type_sint32, s.result);
    TEST_ASSERT_EQUAL_UINT32(7, s.count);
    TEST_ASSERT_EQUAL_PTR_ARRAY(expected, s.argument, 7);
}

static void test_no_arguments_can_be_written_in_two_ways(void)
{
    signature s;
    parse("void (void)", &s);
    TEST_ASSERT_EQUAL_UINT32(0, s.count);
    parse("uint64_t ()", &s);
    TEST_ASSERT_EQUAL_UINT32(0, s.count);
}

static void test_function_pointers_read_like_functions(void)
{
    signature s;
    parse("void *(*)(void *, uint64_t, uint64_t)", &s);
    TEST_ASSERT_EQUAL_PTR(&ffi_type_pointer, s.result);
    TEST_ASSERT_EQUAL_UINT32(3, s.count);
    TEST_ASSERT_EQUAL_PTR(&ffi_type_pointer, signature_type("void (*)(void *, uint32_t)"));
}

static void test_pointers_may_be_const_anywhere(void)
{
    TEST_ASSERT_EQUAL_PTR(&ffi_type_pointer, signature_type("const stn_view *"));
    TEST_ASSERT_EQUAL_PTR(&ffi_type_pointer, signature_type("stn_scene **"));
    TEST_ASSERT_EQUAL_PTR(&ffi_type_pointer, signature_type("const char *const *"));
    TEST_ASSERT_NULL(signature_type("* double"));
    TEST_ASSERT_NULL(signature_type("double * wide"));
    TEST_ASSERT_NULL(signature_type(""));
}

static void test_unknown_types_are_named(void)
{
    refuse("void (long)", "'long'");
    refuse("int (double)", "'int'");
    refuse("void (double, stn_view)", "'stn_view'");
    refuse("void (const char *, ...)", "'...'");
    refuse("void (double x)", "'double x'");
    refuse("void (double, void)", "'void'");
    refuse("void (double,)", "''");
    refuse("(double)", "''");
}

static void test_what_is_not_a_signature_is_refused(void)
{
    refuse("", "not a signature");
    refuse("double", "not a signature");
    refuse("void (double", "not a signature");
    refuse("void double)", "not a signature");
    refuse("void (*)", "'*'");
    refuse("void (*) double)", "not a signature");
    refuse("void (void (*)(double), double)", "not a signature");
    refuse("void (double,double,double,double,double,double,double,double,double,double,double,"
           "double,double,double,double,double,double)",
           "more than 16");
}

static double weighted(int8_t a, uint16_t b, float c, double d, int64_t e, const double *f)
{
    return a + 10.0 * b + 100.0 * (double)c + 1000.0 * d + 10000.0 * (double)e + f[1];
}

static int8_t negated(int8_t a) { return (int8_t)-a; }
static uint16_t next_of(uint16_t a) { return (uint16_t)(a + 1); }
static float halved(float a) { return a / 2; }
static void store(double *where, double what) { *where = what; }

static void test_arguments_and_results_arrive(void)
{
    signature s;
    const double pair[2] = {0.0, 0.5};
    parse("double (int8_t, uint16_t, float, double, int64_t, const double *)", &s);
    const signature_value in[] = {{.i8 = -1},   {.u16 = 2},  {.f32 = 3.0f},
                                  {.f64 = 4.0}, {.i64 = -5}, {.pointer = pair}};
    TEST_ASSERT_TRUE(signature_call(&s, (signature_function)weighted, in).f64 ==
                     -1.0 + 20.0 + 300.0 + 4000.0 - 50000.0 + 0.5);
}

static void test_small_results_are_not_widened(void)
{
    signature s;
    parse("int8_t (int8_t)", &s);
    const signature_value minus = {.i8 = 7};
    TEST_ASSERT_EQUAL_INT8(-7, signature_call(&s, (signature_function)negated, &minus).i8);
    parse("uint16_t (uint16_t)", &s);
    const signature_value last = {.u16 = UINT16_MAX};
    TEST_ASSERT_EQUAL_UINT16(0, signature_call(&s, (signature_function)next_of, &last).u16);
    parse("float (float)", &s);
    const signature_value three = {.f32 = 3.0f};
    TEST_ASSERT_TRUE(signature_call(&s, (signature_function)halved, &three).f32 == 1.5f);
}

static void test_functions_without_a_result_are_called(void)
{
    signature s;
    double place = 0.0;
    parse("void (double *, double)", &s);
    signature_call(&s, (signature_function)store,
                   (signature_value[]){{.pointer = &place}, {.f64 = 2.5}});
    TEST_ASSERT_TRUE(place == 2.5);
}

void setUp(void) {}
void tearDown(void) {}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_types_of_every_kind_are_told_apart);
    RUN_TEST(test_no_arguments_can_be_written_in_two_ways);
    RUN_TEST(test_function_pointers_read_like_functions);
    RUN_TEST(test_pointers_may_be_const_anywhere);
    RUN_TEST(test_unknown_types_are_named);
    RUN_TEST(test_what_is_not_a_signature_is_refused);
    RUN_TEST(test_arguments_and_results_arrive);
    RUN_TEST(test_small_results_are_not_widened);
    RUN_TEST(test_functions_without_a_result_are_called);
    return UNITY_END();
}
