/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <string.h>
#include <unity.h>

void setUp(void) {}

void tearDown(void) {}

static void test_distance_counts_edits(void)
{
    TEST_ASSERT_EQUAL(0, text_distance("friction", "friction"));
    TEST_ASSERT_EQUAL(1, text_distance("fricton", "friction"));  /* left out */
    TEST_ASSERT_EQUAL(1, text_distance("frictiion", "friction")); /* put in */
    TEST_ASSERT_EQUAL(1, text_distance("fraction", "friction")); /* replaced */
    TEST_ASSERT_EQUAL(1, text_distance("frcition", "friction")); /* swapped */
    TEST_ASSERT_EQUAL(8, text_distance("", "friction"));
    TEST_ASSERT_EQUAL(3, text_distance("kitten", "sitting"));
}

static void test_long_names_are_compared_without_overrun(void)
{
    char a[200], b[300];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    a[sizeof a - 1] = b[sizeof b - 1] = '\0';
    TEST_ASSERT_EQUAL((199 - 63) + (299 - 63), text_distance(a, b));
}

static const char *suggest(const char *name)
{
    static const char *const candidates[] = {"friction", "thickness", "density"};
    text_suggestion s = {0};
    for (int i = 0; i < 3; i++) text_suggestion_offer(&s, name, candidates[i]);
    return s.best;
}

static void test_the_nearest_name_is_suggested_and_nothing_far(void)
{
    TEST_ASSERT_EQUAL_STRING("friction", suggest("fricton"));
    TEST_ASSERT_EQUAL_STRING("thickness", suggest("tickness"));
    TEST_ASSERT_NULL(suggest("colour"));
    TEST_ASSERT_NULL(suggest(""));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_distance_counts_edits);
    RUN_TEST(test_long_names_are_compared_without_overrun);
    RUN_TEST(test_the_nearest_name_is_suggested_and_nothing_far);
    return UNITY_END();
}
