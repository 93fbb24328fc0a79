/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the text and finding the place of every value in it.
 *
 * jansson has accepted the text before the second pass starts, so the pass only follows brackets,
 * quotes and commas. It goes by the text, not by jansson's tree: of two equal keys the tree has
 * only the last. Keys are closed with a zero byte in place, which makes them strings without a
 * copy.
 */
#include "io/json_source.h"

#include <string.h>
#include <xxhash.h>

enum { TEXT_LIMIT = 16 << 20, DEEPEST = 16, MOST_KEYS = 256 };

typedef struct scanner {
    json_source *s;
    char *at;
    const char *counted; /* lines are counted up to here */
    uint32_t line;
    error *err;
} scanner;

static json_node *node_at(const json_source *s, size_t i)
{
    return array_at(&s->nodes, i);
}

/* Places must be asked for in the order of the text. */
static uint32_t line_of(scanner *c, const char *place)
{
    for (; c->counted < place; c->counted++) c->line += *c->counted == '\n';
    return c->line;
}

static void skip_space(scanner *c)
{
    c->at += strspn(c->at, " \t\r\n");
}

/* From an opening quote to the closing one. */
static char *string_end(char *quote)
{
    char *c = quote + 1;
    while (*c != '"') c += *c == '\\' ? 2 : 1;
    return c;
}

static void skip_scalar(scanner *c)
{
    if (*c->at == '"') {
        c->at = string_end(c->at) + 1;
    } else {
        c->at += strcspn(c->at, " \t\r\n,]}");
    }
}

/* Over any value, however deep. */
static void skip_value(scanner *c)
{
    int depth = 0;
    do {
        skip_space(c);
        if (*c->at == '{' || *c->at == '[') {
            depth++;
            c->at++;
        } else if (*c->at == '}' || *c->at == ']') {
            depth--;
            c->at++;
        } else if (*c->at == ',' || *c->at == ':') {
            c->at++;
        } else {
            skip_scalar(c);
        }
    } while (depth > 0);
}

static status scan_error(scanner *c, const char *place, const char *key, const char *text)
{
    return error_set(c->err, STATUS_PARSE, "%s:%u: key '%s' %s", c->s->path, line_of(c, place), key,
                     text);
}

/* Closes the key with a zero byte and goes on to its value. */
static status scan_key(scanner *c, size_t parent, char **key)
{
    char *end = string_end(c->at);
    *key = c->at + 1;
    *end = '\0';
    c->at = end + 1;
    skip_space(c);
    c->at++; /* the colon */
    skip_space(c);
    if (strchr(*key, '\\')) return scan_error(c, *key, *key, "has a \\, expected plain text");
    size_t keys = 0;
    const json_node *object = node_at(c->s, parent);
    const json_node *end_node = node_at(c->s, c->s->nodes.count);
    for (const json_node *n = object + 1; n < end_node; n += n->span) {
        if (strcmp(n->key, *key) == 0) return scan_error(c, *key, *key, "stands here twice");
        if (++keys == MOST_KEYS) return scan_error(c, *key, *key, "is one too many in its object");
    }
    return STATUS_OK;
}

static status scan_value(scanner *c, const json_t *value, const char *key, size_t parent,
                         int depth);

static status scan_object(scanner *c, const json_t *object, size_t parent, int depth)
{
    for (skip_space(c); *c->at != '}'; skip_space(c)) {
        char *key = NULL;
        status result = scan_key(c, parent, &key);
        if (result < 0) return result;
        if (strcmp(key, "//") == 0) {
            skip_value(c);
        } else {
            result = scan_value(c, json_object_get(object, key), key, parent, depth);
        }
        if (result < 0) return result;
        skip_space(c);
        if (*c->at == ',') c->at++;
    }
    c->at++;
    return STATUS_OK;
}

static status scan_list(scanner *c, const json_t *list, size_t parent, int depth)
{
    size_t i = 0;
    for (skip_space(c); *c->at != ']'; skip_space(c)) {
        const status result = scan_value(c, json_array_get(list, i++), NULL, parent, depth);
        if (result < 0) return result;
        skip_space(c);
        if (*c->at == ',') c->at++;
        skip_space(c);
    }
    c->at++;
    return STATUS_OK;
}

static status scan_value(scanner *c, const json_t *value, const char *key, size_t parent, int depth)
{
    json_source *s = c->s;
    const size_t i = s->nodes.count;
    const char *const start = c->at;
    if (depth > DEEPEST) {
        return error_set(c->err, STATUS_PARSE, "%s:%u: nested %d levels deep, expected at most %d",
                         s->path, line_of(c, start), depth, DEEPEST);
    }
    if (!array_push(&s->nodes)) return error_out_of_memory(c->err, s->path);
    *node_at(s, i) = (json_node){.value = value,
                                 .key = key,
                                 .start = (uint32_t)(start - s->text.data),
                                 .line = line_of(c, key ? key : start),
                                 .parent = (uint32_t)(i - parent)};
    status result = STATUS_OK;
    const char first = *c->at;
    if (first == '{' || first == '[') {
        c->at++;
        result =
            first == '{' ? scan_object(c, value, i, depth + 1) : scan_list(c, value, i, depth + 1);
    } else {
        skip_scalar(c);
    }
    json_node *node = node_at(s, i);
    node->size = (uint32_t)(c->at - start);
    node->span = (uint32_t)(s->nodes.count - i);
    return result;
}

/* Editors on some systems begin a file with an invisible mark. */
static size_t byte_order_mark(const file_bytes *text)
{
    return text->size >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* jansson's words, but where they speak of its inside. */
static status refuse_json(const json_source *s, const json_error_t *found, error *err)
{
    static const char bad_token[] = "invalid token near ";
    const size_t length = sizeof bad_token - 1;
    const bool token = strncmp(found->text, bad_token, length) == 0;
    const bool null = json_error_code(found) == json_error_null_character;
    return error_set(err, STATUS_PARSE, "%s:%d: not valid JSON: %s%s", s->path, found->line,
                     token  ? found->text + length
                     : null ? "a text has \\u0000, which no name or path can have"
                            : found->text,
                     token ? " is not a value" : "");
}

static status source_parse(json_source *s, error *err)
{
    const size_t mark = byte_order_mark(&s->text);
    char *const begin = s->text.data + mark;
    if (strspn(begin, " \t\r\n") == s->text.size - mark) {
        return error_set(err, STATUS_PARSE, "%s: is empty, expected a JSON object", s->path);
    }
    scanner c = {.s = s, .at = begin, .counted = begin, .line = 1, .err = err};
    const char *const zero = memchr(begin, '\0', s->text.size - mark);
    if (zero) { /* jansson skips some of them, where the second pass would not end */
        return error_set(err, STATUS_PARSE, "%s:%u: has a zero byte, expected JSON as UTF-8 text",
                         s->path, line_of(&c, zero));
    }
    json_error_t found;
    s->tree = json_loadb(begin, s->text.size - mark, 0, &found);
    if (!s->tree && json_error_code(&found) == json_error_out_of_memory) {
        return error_out_of_memory(err, s->path);
    }
    if (!s->tree) return refuse_json(s, &found, err);
    skip_space(&c);
    return scan_value(&c, s->tree, NULL, 0, 0);
}

status json_source_open(json_source *s, const allocator *from, const char *path, error *err)
{
    *s = (json_source){.path = path};
    array_init(&s->nodes, from, sizeof(json_node));
    status result = file_read(from, path, TEXT_LIMIT, &s->text, err);
    if (result < 0) return result;
    s->hash = XXH3_64bits(s->text.data, s->text.size);
    result = source_parse(s, err);
    if (result >= 0) {
        json_set_scope(s, json_root(s), NULL);
        result = json_check_object(s, json_root(s), err);
    }
    if (result < 0) json_source_close(s);
    return result;
}

void json_source_close(json_source *s)
{
    json_decref(s->tree);
    s->tree = NULL;
    array_destroy(&s->nodes);
    file_bytes_destroy(&s->text);
}

const json_node *json_root(const json_source *s)
{
    return node_at(s, 0);
}

const json_node *json_get(const json_node *object, const char *key)
{
    if (!json_is_object(object->value)) return NULL;
    JSON_FOR_EACH(child, object) {
        if (strcmp(child->key, key) == 0) return child;
    }
    return NULL;
}

size_t json_count(const json_node *node)
{
    size_t count = 0;
    JSON_FOR_EACH(child, node) count++;
    return count;
}
