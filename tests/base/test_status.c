/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static void test_every_status_has_a_name_of_its_own(void)
{
    for (int a = STATUS_DIVERGED; a <= STATUS_CANCELLED; a++) {
        TEST_ASSERT_NOT_EQUAL(0, strcmp("unknown status", status_name(a)));
        for (int b = STATUS_DIVERGED; b < a; b++) {
            TEST_ASSERT_NOT_EQUAL(0, strcmp(status_name(a), status_name(b)));
        }
    }
}

static void test_numbers_that_are_no_status_are_called_so(void)
{
    TEST_ASSERT_EQUAL_STRING("unknown status", status_name(STATUS_DIVERGED - 1));
    TEST_ASSERT_EQUAL_STRING("unknown status", status_name(STATUS_CANCELLED + 1));
}

static void test_setting_an_error_keeps_code_and_text_and_returns_the_code(void)
{
    error err;
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, error_set(&err, STATUS_PARSE, "line %d: '%s'", 7, "mu"));
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, err.code);
    TEST_ASSERT_EQUAL_STRING("line 7: 'mu'", err.text);
}

static void test_a_text_that_is_too_long_is_cut_and_ends(void)
{
    char word[3 * ERROR_TEXT_SIZE];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    error err;
    error_set(&err, STATUS_IO, "%s", word);
    TEST_ASSERT_EQUAL_size_t(ERROR_TEXT_SIZE - 1, strlen(err.text));
}

static void test_control_bytes_are_spelt_out(void)
{
    error err;
    error_set(&err, STATUS_PARSE, "key '%s'", "\x1b[31m\tred\x7f\n");
    TEST_ASSERT_EQUAL_STRING("key '\\x1b[31m\\x09red\\x7f\\x0a'", err.text);
    char bells[2 * ERROR_TEXT_SIZE];
    memset(bells, '\a', sizeof bells - 1);
    bells[sizeof bells - 1] = '\0';
    error_set(&err, STATUS_IO, "%s", bells);
    TEST_ASSERT_EQUAL_size_t((ERROR_TEXT_SIZE - 1) / 4 * 4, strlen(err.text));
    TEST_ASSERT_EQUAL_STRING("\\x07", err.text + strlen(err.text) - 4);
}

static void test_an_error_can_be_wrapped_in_more_text(void)
{
    error err;
    error_set(&err, STATUS_PARSE, "expected a number");
    error_set(&err, err.code, "%s: %s", "scene.json", err.text);
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, err.code);
    TEST_ASSERT_EQUAL_STRING("scene.json: expected a number", err.text);
}

static void test_a_cleared_error_is_ok_and_empty(void)
{
    error err;
    error_set(&err, STATUS_BUSY, "busy");
    error_clear(&err);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, err.code);
    TEST_ASSERT_EQUAL_STRING("", err.text);
}

static void test_the_text_of_a_failed_allocation_names_what_it_was_for(void)
{
    error err;
    TEST_ASSERT_EQUAL_INT(STATUS_OUT_OF_MEMORY, error_out_of_memory(&err, "the contacts"));
    TEST_ASSERT_EQUAL_INT(STATUS_OUT_OF_MEMORY, err.code);
    TEST_ASSERT_NOT_NULL(strstr(err.text, "the contacts"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_status_has_a_name_of_its_own);
    RUN_TEST(test_numbers_that_are_no_status_are_called_so);
    RUN_TEST(test_setting_an_error_keeps_code_and_text_and_returns_the_code);
    RUN_TEST(test_a_text_that_is_too_long_is_cut_and_ends);
    RUN_TEST(test_control_bytes_are_spelt_out);
    RUN_TEST(test_an_error_can_be_wrapped_in_more_text);
    RUN_TEST(test_a_cleared_error_is_ok_and_empty);
    RUN_TEST(test_the_text_of_a_failed_allocation_names_what_it_was_for);
    return UNITY_END();
}
