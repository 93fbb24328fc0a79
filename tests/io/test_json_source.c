/* SPDX-License-Identifier: Apache-2.0 */
#include "io/json_source.h"

#include "support/counting_allocator.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

static counting_allocator memory;
static json_source source;
static bool is_open;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    error_clear(&err);
    is_open = false;
    temporary_make();
}

static void close_source(void)
{
    if (is_open) json_source_close(&source);
    is_open = false;
}

void tearDown(void)
{
    close_source();
    temporary_remove();
    counting_check(&memory);
}

static status open_path(const char *path)
{
    close_source();
    const status result = json_source_open(&source, &memory.from, path, &err);
    is_open = result >= 0;
    return result;
}

static status open_text(const char *text)
{
    temporary_write_text("a.json", text);
    return open_path(temporary_path("a.json"));
}

static const json_node *get(const char *key)
{
    const json_node *node = json_get(json_root(&source), key);
    TEST_ASSERT_NOT_NULL_MESSAGE(node, key);
    return node;
}

/* The error text must be the path of the file and then this. */
static void expect_error(const char *behind_path)
{
    char expected[ERROR_TEXT_SIZE];
    snprintf(expected, sizeof expected, "%s%s", source.path, behind_path);
    TEST_ASSERT_EQUAL_STRING(expected, err.text);
}

/* ---- places ---- */

static void test_every_key_and_list_item_knows_its_line(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\n"
                                               "  \"a\": 1, \"b\": [\n"
                                               "    10,\n"
                                               "    {\"c\":\n"
                                               "      \"x\\\"\\\\\"}\n"
                                               "  ],\n"
                                               "\n"
                                               "  \"d\": true\n"
                                               "}\n"));
    TEST_ASSERT_EQUAL_UINT(1, json_root(&source)->line);
    TEST_ASSERT_EQUAL_UINT(2, get("a")->line);
    const json_node *list = get("b");
    TEST_ASSERT_EQUAL_UINT(2, list->line);
    TEST_ASSERT_EQUAL_size_t(2, json_count(list));
    const json_node *number = list + 1, *object = number + number->span;
    TEST_ASSERT_EQUAL_UINT(3, number->line);
    TEST_ASSERT_EQUAL_UINT(4, object->line);
    TEST_ASSERT_EQUAL_UINT(4, json_get(object, "c")->line);
    TEST_ASSERT_EQUAL_UINT(8, get("d")->line);
    const char *text = NULL;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, json_read_string(&source, json_get(object, "c"), &text, &err));
    TEST_ASSERT_EQUAL_STRING("x\"\\", text);
}

static void test_comments_are_skipped_at_every_level_and_may_repeat(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\"//\": \"one\", \"//\": [1, {\"x\": [\"}]\"]}],\n"
                                               " \"a\": {\"//\": null, \"b\": 7, \"//\": 5}}"));
    TEST_ASSERT_EQUAL_size_t(1, json_count(json_root(&source)));
    TEST_ASSERT_EQUAL_size_t(1, json_count(get("a")));
    int64_t value = 0;
    TEST_ASSERT_EQUAL_INT(STATUS_OK,
                          json_read_integer(&source, json_get(get("a"), "b"), 0, 9, &value, &err));
    TEST_ASSERT_EQUAL_INT64(7, value);
}

static void test_a_byte_order_mark_is_no_error(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("\xEF\xBB\xBF{\n\"a\": 1}"));
    TEST_ASSERT_EQUAL_UINT(2, get("a")->line);
}

static void test_the_hash_tells_files_apart(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\"a\": 1}"));
    const uint64_t first = source.hash;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\"a\": 2}"));
    TEST_ASSERT_TRUE(first != source.hash);
}

/* ---- errors ---- */

static void test_the_scope_names_the_object_and_starts_the_path(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\"objects\": [\n"
                                               "  {\"keys\": [{\"at\": 1}, {\"at\": \"two\"}]}\n"
                                               "]}"));
    const json_node *object = get("objects") + 1, *keys = json_get(object, "keys");
    const json_node *second = keys + 1 + keys[1].span;
    const json_range range = {0.0, 10.0, "m"};
    double value = 0.0;
    const json_node *node = json_get(second, "at");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_real(&source, node, &range, &value, &err));
    expect_error(":2: key 'objects[0].keys[1].at' is \"two\", expected a number from 0 to 10 m");
    json_set_scope(&source, object, "object 'shawl'");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_real(&source, node, &range, &value, &err));
    expect_error(
        ":2: object 'shawl': key 'keys[1].at' is \"two\", expected a number from 0 to 10 m");
}

static void test_typed_values_say_what_they_expect(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\"a\": 1.5, \"b\": [1, 2], \"c\": {}}"));
    int64_t whole = 0;
    double real = 0.0, pair[3];
    bool flag = false;
    const char *text = NULL;
    const json_range above = {2.0, INFINITY, ""}, below = {-INFINITY, 1.0, "kg"},
                     any = {-INFINITY, INFINITY, "m"};
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_integer(&source, get("a"), 0, 9, &whole, &err));
    expect_error(":1: key 'a' is 1.5, expected a whole number from 0 to 9");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_real(&source, get("a"), &above, &real, &err));
    expect_error(":1: key 'a' is 1.5, expected a number of at least 2");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_real(&source, get("a"), &below, &real, &err));
    expect_error(":1: key 'a' is 1.5, expected a number of at most 1 kg");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_real(&source, get("c"), &any, &real, &err));
    expect_error(":1: key 'c' is an object, expected a number in m");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_reals(&source, get("b"), &any, 3, pair, &err));
    expect_error(":1: key 'b' is a list of 2 items, expected a list of 3 numbers in m");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_bool(&source, get("a"), &flag, &err));
    expect_error(":1: key 'a' is 1.5, expected true or false");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_read_string(&source, get("a"), &text, &err));
    expect_error(":1: key 'a' is 1.5, expected a text");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_check_object(&source, get("b"), &err));
    expect_error(":1: key 'b' is a list of 2 items, expected an object {...}");
}

static void test_values_within_range_are_read(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\"a\": [0, -2.5, 1e3], \"b\": false}"));
    const json_range range = {-2.5, 1000.0, ""};
    double value[3];
    bool flag = true;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, json_read_reals(&source, get("a"), &range, 3, value, &err));
    TEST_ASSERT_TRUE(value[0] == 0.0 && value[1] == -2.5 && value[2] == 1000.0);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, json_read_bool(&source, get("b"), &flag, &err));
    TEST_ASSERT_FALSE(flag);
}

static void test_an_unknown_key_gets_the_nearest_name(void)
{
    static const char *const names[] = {"density", "friction"};
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\n\"friction\": 1,\n\"fricton\": 2}"));
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE,
                          json_check_keys(&source, json_root(&source), names, 2, &err));
    expect_error(":3: unknown key 'fricton'; did you mean 'friction'?");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text("{\"colour\": 1}"));
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE,
                          json_check_keys(&source, json_root(&source), names, 2, &err));
    expect_error(":1: unknown key 'colour'");
}

static void test_an_object_with_hundreds_of_keys_is_refused(void)
{
    char text[8192] = "{";
    size_t used = 1;
    for (int i = 0; i < 300; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "\"k%d\": %d, ", i, i);
    }
    snprintf(text + used, sizeof text - used, "\"end\": 0}");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, open_text(text));
    expect_error(":1: key 'k256' is one too many in its object");
}

static void test_long_values_and_paths_are_cut_not_overrun(void)
{
    char text[4096];
    memset(text, 'x', sizeof text);
    memcpy(text, "{\"", 2);
    memcpy(text + 2000, "\": \"", 4);
    memcpy(text + sizeof text - 3, "\"}", 3);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text(text));
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, json_check_object(&source, json_root(&source) + 1, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "' is a text of 2091 bytes, expected an object {...}"));
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE,
                          json_check_keys(&source, json_root(&source), NULL, 0, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, ":1: unknown key 'xxx"));
}

/* ---- what is no file ---- */

static void test_what_cannot_be_read_is_named_with_the_reason(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_IO, open_path(temporary_path("missing.json")));
    expect_error(": cannot open the file: No such file or directory");
    TEST_ASSERT_EQUAL_INT(STATUS_IO, open_path(temporary_path("")));
    expect_error(": is a folder, expected a file");
    const char *pipe = temporary_path("pipe.json");
    TEST_ASSERT_EQUAL_INT(0, mkfifo(pipe, 0600));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, open_path(pipe));
    expect_error(": is a device or pipe, expected a file");
    TEST_ASSERT_EQUAL_INT(STATUS_IO, open_path("/dev/zero"));
    expect_error(": is a device or pipe, expected a file");
    TEST_ASSERT_EQUAL_INT(STATUS_IO, open_path(""));
}

static void test_a_file_beyond_the_limit_is_refused_before_it_is_read(void)
{
    temporary_write_text("big.json", "{}");
    TEST_ASSERT_EQUAL_INT(0, truncate(temporary_path("big.json"), (off_t)1 << 40));
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, open_path(temporary_path("big.json")));
    expect_error(": has 1099511627776 bytes, expected at most 16777216");
    TEST_ASSERT_EQUAL_UINT64(0, memory.allocations);
}

/* ---- damage ---- */

static const char sample[] =
    "{\"stiction\": 1, \"//\": [\"a\", {\"b\": 1}], \"x\": [1.5, -2e3, true,\n"
    " {\"name\": \"sh\\u00e4wl\\n\", \"p\": [[], {}, null]}], \"y\": \"\"}";

static void test_every_truncation_is_refused(void)
{
    for (size_t size = 0; size < sizeof sample - 1; size++) {
        temporary_write("a.json", sample, size);
        TEST_ASSERT_EQUAL_INT(STATUS_PARSE, open_path(temporary_path("a.json")));
    }
    TEST_ASSERT_EQUAL_INT(STATUS_OK, open_text(sample));
}

static void test_a_zero_byte_is_refused_wherever_it_stands(void)
{
    for (size_t i = 0; i < sizeof sample - 1; i++) {
        char text[sizeof sample];
        memcpy(text, sample, i);
        text[i] = '\0';
        memcpy(text + i + 1, sample + i, sizeof sample - 1 - i);
        temporary_write("a.json", text, sizeof text);
        TEST_ASSERT_EQUAL_INT(STATUS_PARSE, open_path(temporary_path("a.json")));
        expect_error(i <= (size_t)(strchr(sample, '\n') - sample)
                         ? ":1: has a zero byte, expected JSON as UTF-8 text"
                         : ":2: has a zero byte, expected JSON as UTF-8 text");
    }
}

/* Walks everything, so that a wrong span or place would be seen by the sanitizers. */
static size_t visit(const json_node *node)
{
    size_t seen = 1;
    TEST_ASSERT_TRUE(node->start + node->size <= source.text.size);
    JSON_FOR_EACH(child, node) {
        TEST_ASSERT_TRUE(child - child->parent == node);
        TEST_ASSERT_NOT_NULL(child->value);
        json_refuse(&source, child, &err, "nothing");
        seen += visit(child);
    }
    TEST_ASSERT_EQUAL_size_t(node->span, seen);
    return seen;
}

static void test_random_damage_is_read_or_refused(void)
{
    random_source random = {1};
    size_t read = 0, refused = 0;
    for (int round = 0; round < 2000; round++) {
        char text[sizeof sample];
        memcpy(text, sample, sizeof sample);
        for (uint32_t n = 1 + random_below(&random, 3); n > 0; n--) {
            static const char spare[] = "{}[]\",:\\/ 0e-\n\xff";
            text[random_below(&random, sizeof sample - 1)] =
                spare[random_below(&random, sizeof spare)];
        }
        temporary_write("a.json", text, sizeof sample - 1);
        if (open_path(temporary_path("a.json")) == STATUS_OK) {
            visit(json_root(&source));
            read++;
        } else {
            TEST_ASSERT_EQUAL_INT(STATUS_PARSE, err.code);
            refused++;
        }
    }
    TEST_ASSERT_TRUE(read > 0 && refused > 0);
}

static void test_every_failed_allocation_is_survived(void)
{
    temporary_write_text("a.json", sample);
    status result = STATUS_OUT_OF_MEMORY;
    for (uint64_t k = 1; result != STATUS_OK; k++) {
        counting_init(&memory, k);
        result = open_path(temporary_path("a.json"));
        TEST_ASSERT_TRUE(result == STATUS_OK || result == STATUS_OUT_OF_MEMORY);
        if (result < 0) counting_check(&memory);
    }
    TEST_ASSERT_TRUE(memory.allocations > 1);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_key_and_list_item_knows_its_line);
    RUN_TEST(test_comments_are_skipped_at_every_level_and_may_repeat);
    RUN_TEST(test_a_byte_order_mark_is_no_error);
    RUN_TEST(test_the_hash_tells_files_apart);
    RUN_TEST(test_the_scope_names_the_object_and_starts_the_path);
    RUN_TEST(test_typed_values_say_what_they_expect);
    RUN_TEST(test_values_within_range_are_read);
    RUN_TEST(test_an_unknown_key_gets_the_nearest_name);
    RUN_TEST(test_an_object_with_hundreds_of_keys_is_refused);
    RUN_TEST(test_long_values_and_paths_are_cut_not_overrun);
    RUN_TEST(test_what_cannot_be_read_is_named_with_the_reason);
    RUN_TEST(test_a_file_beyond_the_limit_is_refused_before_it_is_read);
    RUN_TEST(test_every_truncation_is_refused);
    RUN_TEST(test_a_zero_byte_is_refused_wherever_it_stands);
    RUN_TEST(test_random_damage_is_read_or_refused);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
