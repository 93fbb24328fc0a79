/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed values out of a JSON source, and the errors that say what stands there instead.
 */
#include "base/text.h"
#include "io/json_source.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 160, VALUE_SIZE = 64, EXPECTATION_SIZE = 256 };

void json_set_scope(json_source *s, const json_node *node, const char *name)
{
    s->scope = node;
    snprintf(s->scope_name, sizeof s->scope_name, "%s%s", name ? name : "", name ? ": " : "");
}

/* ---- error texts ---- */

static size_t index_in_parent(const json_node *node)
{
    size_t i = 0;
    JSON_FOR_EACH(sibling, node - node->parent) {
        if (sibling == node) break;
        i++;
    }
    return i;
}

/* "motion[2].position", from the scope down; returns its length, cut at PATH_SIZE. */
static size_t path_print(const json_source *s, const json_node *node, char *text)
{
    text[0] = '\0';
    if (node == s->scope || node->parent == 0) return 0;
    const size_t used = path_print(s, node - node->parent, text);
    const size_t room = PATH_SIZE - used;
    const int more = node->key ? snprintf(text + used, room, "%s%s", used ? "." : "", node->key)
                               : snprintf(text + used, room, "[%zu]", index_in_parent(node));
    return used + ((size_t)more < room ? (size_t)more : room - 1);
}

/* The value as it stands in the file if it is short, else what it is. */
static void value_print(const json_source *s, const json_node *node, char text[VALUE_SIZE])
{
    if (json_is_object(node->value)) {
        snprintf(text, VALUE_SIZE, "an object");
    } else if (json_is_array(node->value)) {
        const size_t count = json_count(node);
        snprintf(text, VALUE_SIZE, "a list of %zu item%s", count, count == 1 ? "" : "s");
    } else if (node->size < VALUE_SIZE) {
        memcpy(text, s->text.data + node->start, node->size);
        text[node->size] = '\0';
    } else {
        snprintf(text, VALUE_SIZE, "a text of %u bytes", node->size);
    }
}

/* "FILE:LINE: SCOPE: key 'PATH'"; without a path the scope itself is meant. */
typedef struct place_text {
    char text[ERROR_TEXT_SIZE];
} place_text;

static place_text place_print(const json_source *s, const json_node *node, const char *below)
{
    char path[PATH_SIZE + 64];
    const size_t used = path_print(s, node, path);
    if (below) snprintf(path + used, sizeof path - used, "%s%.60s", used ? "." : "", below);
    place_text place;
    const char *what = path[0] ? "key" : "the value";
    snprintf(place.text, sizeof place.text, "%s:%u: %s%s%s%s%s", s->path, node->line, s->scope_name,
             what, path[0] ? " '" : "", path, path[0] ? "'" : "");
    return place;
}

status json_refuse_as(const json_source *s, const json_node *node, error *err, status code,
                      const char *remark)
{
    const place_text place = place_print(s, node, NULL);
    char value[VALUE_SIZE];
    value_print(s, node, value);
    return error_set(err, code, "%s is %s, %s", place.text, value, remark);
}

status json_refuse(const json_source *s, const json_node *node, error *err, const char *format, ...)
{
    char remark[EXPECTATION_SIZE] = "expected ";
    const size_t used = strlen(remark);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(remark + used, sizeof remark - used, format, arguments);
    va_end(arguments);
    return json_refuse_as(s, node, err, STATUS_PARSE, remark);
}

status json_refuse_missing(const json_source *s, const json_node *object, const char *key,
                           const char *what, error *err)
{
    const place_text place = place_print(s, object, key);
    return error_set(err, STATUS_PARSE, "%s is missing, expected %s", place.text, what);
}

status json_refuse_nested(const json_source *s, const json_node *node, error *err)
{
    const place_text place = place_print(s, node, NULL);
    const error inner = *err;
    return error_set(err, inner.code, "%s: %s", place.text, inner.text);
}

/* ---- typed values ---- */

/* "from 0 to 10 m", "of at least 0", ... with a space before it; "" for everything finite. */
static void range_print(const json_range *range, char *text, size_t size)
{
    const bool low = isfinite(range->minimum), high = isfinite(range->maximum);
    int used = 0;
    text[0] = '\0';
    if (low && high) {
        used = snprintf(text, size, " from %.15g to %.15g", range->minimum, range->maximum);
    } else if (low || high) {
        used = snprintf(text, size, " of at %s %.15g", low ? "least" : "most",
                        low ? range->minimum : range->maximum);
    }
    if (!range->unit[0]) return;
    snprintf(text + used, size - (size_t)used, "%s%s", used ? " " : " in ", range->unit);
}

static bool read_in_range(const json_node *node, const json_range *range, double *out)
{
    if (!json_is_number(node->value)) return false;
    *out = json_number_value(node->value);
    return *out >= range->minimum && *out <= range->maximum;
}

status json_read_real(const json_source *s, const json_node *node, const json_range *range,
                      double *out, error *err)
{
    if (read_in_range(node, range, out)) return STATUS_OK;
    char text[96];
    range_print(range, text, sizeof text);
    return json_refuse(s, node, err, "a number%s", text);
}

status json_read_integer(const json_source *s, const json_node *node, int64_t minimum,
                         int64_t maximum, int64_t *out, error *err)
{
    *out = json_integer_value(node->value);
    if (json_is_integer(node->value) && *out >= minimum && *out <= maximum) return STATUS_OK;
    return json_refuse(s, node, err, "a whole number from %lld to %lld", (long long)minimum,
                       (long long)maximum);
}

status json_read_reals(const json_source *s, const json_node *node, const json_range *range,
                       size_t count, double *out, error *err)
{
    if (!json_is_array(node->value) || json_count(node) != count) {
        char text[96];
        range_print(range, text, sizeof text);
        return json_refuse(s, node, err, "a list of %zu numbers%s", count, text);
    }
    JSON_FOR_EACH(child, node) {
        const status result = json_read_real(s, child, range, out++, err);
        if (result < 0) return result;
    }
    return STATUS_OK;
}

status json_read_bool(const json_source *s, const json_node *node, bool *out, error *err)
{
    *out = json_is_true(node->value);
    return json_is_boolean(node->value) ? STATUS_OK : json_refuse(s, node, err, "true or false");
}

status json_read_string(const json_source *s, const json_node *node, const char **out, error *err)
{
    *out = json_string_value(node->value);
    return *out ? STATUS_OK : json_refuse(s, node, err, "a text");
}

status json_check_object(const json_source *s, const json_node *node, error *err)
{
    return json_is_object(node->value) ? STATUS_OK : json_refuse(s, node, err, "an object {...}");
}

status json_check_list(const json_source *s, const json_node *node, const char *what, error *err)
{
    const bool filled = json_is_array(node->value) && json_count(node) > 0;
    return filled ? STATUS_OK : json_refuse(s, node, err, "a list of %s", what);
}

static bool is_one_of(const char *key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(key, names[i]) == 0) return true;
    }
    return false;
}

static status refuse_key(const json_source *s, const json_node *node, const char *const *names,
                         size_t count, error *err)
{
    text_suggestion nearest = {NULL, 0};
    for (size_t i = 0; i < count; i++) text_suggestion_offer(&nearest, node->key, names[i]);
    char path[PATH_SIZE];
    path_print(s, node, path);
    return error_set(err, STATUS_PARSE, "%s:%u: %sunknown key '%s'%s%s%s", s->path, node->line,
                     s->scope_name, path, nearest.best ? "; did you mean '" : "",
                     nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

status json_check_keys(const json_source *s, const json_node *object, const char *const *names,
                       size_t count, error *err)
{
    JSON_FOR_EACH(child, object) {
        if (is_one_of(child->key, names, count)) continue;
        return refuse_key(s, child, names, count, err);
    }
    return STATUS_OK;
}
