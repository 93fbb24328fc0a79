/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON files whose errors say where: jansson reads the text, a second pass over it remembers where
 * each value stands.
 *
 * The values lie in one array in the order of the text. A node's children follow it; `span` counts
 * a node and all below it, so the first child is node + 1 and the next sibling is node + span. Keys
 * "//" are comments: they and their values have no nodes. Any other key may stand only once in its
 * object.
 *
 * Errors read FILE:LINE: SCOPE: key 'PATH' is VALUE, expected EXPECTATION where the path starts at
 * the node that json_set_scope named last.
 */
#ifndef IO_JSON_SOURCE_H
#define IO_JSON_SOURCE_H

#include "base/array.h"
#include "io/file.h"

#include <jansson.h>

typedef struct json_node {
    const json_t *value;
    const char *key;      /* NULL at the root and in lists */
    uint32_t start, size; /* of the value's text */
    uint32_t line;        /* of the key, or of the value if it has none */
    uint32_t parent;      /* how many nodes before this one its parent stands; 0 at the root */
    uint32_t span;
} json_node;

typedef struct json_source {
    const char *path; /* the caller's; must outlive the source */
    file_bytes text;
    uint64_t hash; /* of the file's bytes */
    json_t *tree;
    array nodes;
    const json_node *scope;
    char scope_name[128];
} json_source;

/* On failure there is nothing to close. */
status json_source_open(json_source *s, const allocator *from, const char *path, error *err);
void json_source_close(json_source *s);
const json_node *json_root(const json_source *s);

/* Errors below `node` say `name` ("object 'shawl'"; NULL: nothing) and give paths from there. */
void json_set_scope(json_source *s, const json_node *node, const char *name);

/* ---- walking ---- */

/* The child with this key; NULL if there is none or if the node is not an object. */
const json_node *json_get(const json_node *object, const char *key);

/* Number of children; of objects without comments. */
size_t json_count(const json_node *node);

#define JSON_FOR_EACH(child, node) \
    for (const json_node *child = (node) + 1; child < (node) + (node)->span; child += child->span)

/* ---- errors; all return their status ---- */

#if defined(__GNUC__)
#define JSON_FORMAT __attribute__((format(printf, 4, 5)))
#else
#define JSON_FORMAT
#endif

/* "... key 'friction' is "high", expected <format>" */
status json_refuse(const json_source *s, const json_node *node, error *err, const char *format,
                   ...) JSON_FORMAT;

/* The same with another word than "expected": "... key 'kind' is "hair", <format>" */
status json_refuse_as(const json_source *s, const json_node *node, error *err, status code,
                      const char *remark);

/* "... key 'radius' is missing, expected <what>" */
status json_refuse_missing(const json_source *s, const json_node *object, const char *key,
                           const char *what, error *err);

/* Puts file, line, scope and key before the text that is in `err`. */
status json_refuse_nested(const json_source *s, const json_node *node, error *err);

/* ---- typed values ---- */

/* Ends of a range may be infinite; the unit is for the error text and may be "". */
typedef struct json_range {
    double minimum, maximum;
    const char *unit;
} json_range;

status json_read_real(const json_source *s, const json_node *node, const json_range *range,
                      double *out, error *err);
status json_read_integer(const json_source *s, const json_node *node, int64_t minimum,
                         int64_t maximum, int64_t *out, error *err);
/* A list of exactly `count` numbers. */
status json_read_reals(const json_source *s, const json_node *node, const json_range *range,
                       size_t count, double *out, error *err);
status json_read_bool(const json_source *s, const json_node *node, bool *out, error *err);
/* The text lives as long as the source. */
status json_read_string(const json_source *s, const json_node *node, const char **out, error *err);
/* Nothing but an object, or a list with at least one item. */
status json_check_object(const json_source *s, const json_node *node, error *err);
status json_check_list(const json_source *s, const json_node *node, const char *what, error *err);
/* Every key must be one of the names; the nearest one is suggested. */
status json_check_keys(const json_source *s, const json_node *object, const char *const *names,
                       size_t count, error *err);

#endif
