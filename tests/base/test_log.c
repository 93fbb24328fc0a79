/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <string.h>
#include <unity.h>

typedef struct listener {
    int lines;
    int32_t level;
    char text[4096];
} listener;

static listener heard;

static void listen(void *user, int32_t level, const char *text)
{
    listener *l = user;
    l->lines++;
    l->level = level;
    strncpy(l->text, text, sizeof l->text - 1);
}

void setUp(void) { heard = (listener){0}; }
void tearDown(void) {}

static void test_a_line_reaches_the_listener_with_its_level(void)
{
    const log_sink sink = {&heard, listen};
    log_write(&sink, LOG_WARNING, "%d of %s", 3, "nodes");
    TEST_ASSERT_EQUAL_INT(1, heard.lines);
    TEST_ASSERT_EQUAL_INT32(LOG_WARNING, heard.level);
    TEST_ASSERT_EQUAL_STRING("3 of nodes", heard.text);
}

static void test_without_a_listener_a_line_is_dropped(void)
{
    const log_sink sink = {&heard, NULL};
    log_write(&sink, LOG_ERROR, "nobody hears %s", "this");
    TEST_ASSERT_EQUAL_INT(0, heard.lines);
}

static void test_a_line_that_is_too_long_is_cut_and_ends(void)
{
    char word[3000];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    const log_sink sink = {&heard, listen};
    log_write(&sink, LOG_INFO, "%s", word);
    TEST_ASSERT_EQUAL_INT(1, heard.lines);
    TEST_ASSERT_EQUAL_INT(0, strncmp(heard.text, word, strlen(heard.text)));
    TEST_ASSERT_TRUE(strlen(heard.text) < sizeof word - 1);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_line_reaches_the_listener_with_its_level);
    RUN_TEST(test_without_a_listener_a_line_is_dropped);
    RUN_TEST(test_a_line_that_is_too_long_is_cut_and_ends);
    return UNITY_END();
}
