/* SPDX-License-Identifier: Apache-2.0 */
#include "io/strands.h"

#include "io/file.h"
#include "io/number.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

enum { TEXT_LIMIT = 1 << 30, SHOWN = 40 };

typedef struct reader {
    strand_set *set;
    const char *path, *at, *end; /* [at, end): what is left of the line, without the comment */
    unsigned line;
    uint32_t open; /* points of the strand that is being read */
    error *err;
} reader;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The next word of the line; its length, 0 at the end. */
static size_t next_word(reader *r, const char **word)
{
    while (r->at < r->end && is_space(*r->at)) r->at++;
    *word = r->at;
    while (r->at < r->end && !is_space(*r->at)) r->at++;
    return (size_t)(r->at - *word);
}

static status refuse(const reader *r, const char *what, const char *word, size_t size,
                     const char *expected)
{
    return error_set(r->err, STATUS_PARSE, "%s:%u: %s is '%.*s', expected %s", r->path, r->line,
                     what, (int)(size < SHOWN ? size : SHOWN), word, expected);
}

static status read_point(reader *r)
{
    static const char *const names[3] = {"x", "y", "z"};
    const char *word;
    double *x = array_push(&r->set->points);
    if (!x) return error_out_of_memory(r->err, r->path);
    for (int k = 0; k < 3; k++) {
        const size_t size = next_word(r, &word);
        if (!number_parse(word, size, &x[k])) {
            return refuse(r, names[k], word, size, "a finite number of metres");
        }
    }
    const size_t more = next_word(r, &word);
    if (more) return refuse(r, "a fourth word", word, more, "a point: x y z");
    r->open++;
    return STATUS_OK;
}

static status end_strand(reader *r)
{
    if (r->open == 0) return STATUS_OK;
    if (r->open < 2) {
        return error_set(r->err, STATUS_PARSE,
                         "%s:%u: strand %zu ends after one point, expected at least 2", r->path,
                         r->line, r->set->sizes.count);
    }
    uint32_t *size = array_push(&r->set->sizes);
    if (!size) return error_out_of_memory(r->err, r->path);
    *size = r->open;
    r->open = 0;
    return STATUS_OK;
}

/* [start, stop) is the whole line. */
static status read_line(reader *r, const char *start, const char *stop)
{
    const char *comment = memchr(start, '#', (size_t)(stop - start)), *word;
    r->line++;
    r->at = start;
    r->end = comment ? comment : stop;
    const bool blank = next_word(r, &word) == 0;
    r->at = start;
    if (!blank) return read_point(r);
    return comment ? STATUS_OK : end_strand(r);
}

static status read_text(reader *r, const file_bytes *text)
{
    const char *const end = text->data + text->size;
    status st = STATUS_OK;
    for (const char *start = text->data; start < end && st >= 0;) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        const char *stop = newline ? newline : end;
        st = read_line(r, start, stop);
        start = stop + 1;
    }
    if (st >= 0) st = end_strand(r);
    if (st < 0 || r->set->sizes.count > 0) return st;
    return error_set(r->err, STATUS_PARSE,
                     "%s: has no strands, expected lines x y z with an empty line between strands",
                     r->path);
}

status strands_read(strand_set *out, const allocator *from, const char *path, error *err)
{
    file_bytes text;
    status st = file_read(from, path, TEXT_LIMIT, &text, err);
    if (st < 0) return st;
    array_init(&out->points, from, 3 * sizeof(double));
    array_init(&out->sizes, from, sizeof(uint32_t));
    out->hash = XXH3_64bits(text.data, text.size);
    reader r = {.set = out, .path = path, .err = err};
    st = read_text(&r, &text);
    file_bytes_destroy(&text);
    if (st < 0) strand_set_destroy(out);
    return st;
}

void strand_set_destroy(strand_set *set)
{
    array_destroy(&set->points);
    array_destroy(&set->sizes);
}
