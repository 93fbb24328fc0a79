/* SPDX-License-Identifier: Apache-2.0 */
#include "io/obj.h"

#include "io/file.h"
#include "io/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { TEXT_LIMIT = 1 << 30, MOST_VERTICES = 1 << 28, SHOWN = 40 };

/* ---- reading ---- */

typedef struct token {
    const char *text;
    size_t size; /* 0: the line is over */
} token;

typedef struct reader {
    obj_mesh *mesh;
    const char *path, *at, *end; /* [at, end): what is left of the line */
    unsigned line;
    error *err;
} reader;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static token next_token(reader *r)
{
    while (r->at < r->end && is_space(*r->at)) r->at++;
    const char *const start = r->at;
    while (r->at < r->end && !is_space(*r->at)) r->at++;
    return (token){start, (size_t)(r->at - start)};
}

static status refuse(const reader *r, const char *what, token found, const char *expected)
{
    if (found.size == 0) {
        return error_set(r->err, STATUS_PARSE, "%s:%u: %s is missing, expected %s", r->path,
                         r->line, what, expected);
    }
    return error_set(r->err, STATUS_PARSE, "%s:%u: %s is '%.*s', expected %s", r->path, r->line,
                     what, (int)(found.size < SHOWN ? found.size : SHOWN), found.text, expected);
}

static status read_vertex(reader *r)
{
    static const char *const names[3] = {"x", "y", "z"};
    double *position = array_push(&r->mesh->positions);
    if (!position) return error_out_of_memory(r->err, r->path);
    for (int i = 0; i < 3; i++) {
        const token t = next_token(r);
        if (!number_parse(t.text, t.size, &position[i])) {
            return refuse(r, names[i], t, "a finite number");
        }
    }
    return STATUS_OK;
}

/* The index before the first slash, as a number; false if it is none. */
static bool parse_index(token t, int64_t *index)
{
    const bool negative = t.size > 0 && t.text[0] == '-';
    size_t i = negative ? 1 : 0;
    const size_t first = i;
    int64_t value = 0;
    for (; i < t.size && t.text[i] >= '0' && t.text[i] <= '9'; i++) {
        if (value > MOST_VERTICES) return false;
        value = 10 * value + (t.text[i] - '0');
    }
    *index = negative ? -value : value;
    return i > first && (i == t.size || t.text[i] == '/');
}

/* Indices count from 1; negative ones back from the vertex that was read last. */
static status read_corner(reader *r, token t, uint32_t *vertex)
{
    const int64_t count = (int64_t)r->mesh->positions.count;
    int64_t index = 0;
    if (!parse_index(t, &index)) return refuse(r, "a corner", t, "an index like 7 or 7/1/3");
    if (index < 0) index += count + 1;
    if (index < 1 || index > count) {
        char expected[96];
        snprintf(expected, sizeof expected,
                 "an index of one of the %" PRId64 " vertices before this line", count);
        return refuse(r, "a corner", t, expected);
    }
    *vertex = (uint32_t)(index - 1);
    return STATUS_OK;
}

static status read_face(reader *r)
{
    uint32_t first = 0, last = 0, vertex = 0;
    size_t corners = 0;
    for (token t = next_token(r); t.size > 0 || corners < 3; t = next_token(r), corners++) {
        if (t.size == 0) return refuse(r, "a corner", t, "at least 3 in a face");
        const status result = read_corner(r, t, &vertex);
        if (result < 0) return result;
        if (corners == 0) first = vertex;
        if (corners >= 2) {
            uint32_t *triangle = array_push(&r->mesh->triangles);
            if (!triangle) return error_out_of_memory(r->err, r->path);
            triangle[0] = first;
            triangle[1] = last;
            triangle[2] = vertex;
        }
        last = vertex;
    }
    return STATUS_OK;
}

static status read_line(reader *r)
{
    const token keyword = next_token(r);
    if (keyword.size != 1) return STATUS_OK;
    if (keyword.text[0] == 'v') return read_vertex(r);
    if (keyword.text[0] == 'f') return read_face(r);
    return STATUS_OK;
}

static status read_text(reader *r, const file_bytes *text)
{
    const char *const end = text->data + text->size;
    for (const char *start = text->data; start < end; start = r->end + 1) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        r->at = start;
        r->end = newline ? newline : end;
        r->line++;
        const status result = read_line(r);
        if (result < 0) return result;
    }
    if (r->mesh->positions.count > 0) return STATUS_OK;
    return error_set(r->err, STATUS_PARSE, "%s: has no vertices, expected a Wavefront OBJ mesh",
                     r->path);
}

status obj_read(obj_mesh *m, const allocator *from, const char *path, error *err)
{
    file_bytes text;
    status result = file_read(from, path, TEXT_LIMIT, &text, err);
    if (result < 0) return result;
    array_init(&m->positions, from, 3 * sizeof(double));
    array_init(&m->triangles, from, 3 * sizeof(uint32_t));
    m->hash = XXH3_64bits(text.data, text.size);
    reader r = {.mesh = m, .path = path, .err = err};
    result = read_text(&r, &text);
    file_bytes_destroy(&text);
    if (result < 0) obj_mesh_destroy(m);
    return result;
}

void obj_mesh_destroy(obj_mesh *m)
{
    array_destroy(&m->positions);
    array_destroy(&m->triangles);
}

/* ---- writing ---- */

static void write_vertex(file_draft *d, const double *position)
{
    char line[4 * NUMBER_TEXT_SIZE];
    size_t size = 0;
    line[size++] = 'v';
    for (int i = 0; i < 3; i++) {
        line[size++] = ' ';
        size += number_print(line + size, position[i]);
    }
    line[size++] = '\n';
    file_draft_write(d, line, size);
}

static void write_text(file_draft *d, const char *text)
{
    file_draft_write(d, text, strlen(text));
}

status obj_write(const obj_source *source, const allocator *from, const char *path, error *err)
{
    file_draft d;
    const status result = file_draft_open(&d, from, path, err);
    if (result < 0) return result;
    write_text(&d, "o ");
    write_text(&d, source->name);
    write_text(&d, "\n");
    for (size_t i = 0; i < source->vertices; i++) write_vertex(&d, source->positions + 3 * i);
    for (size_t i = 0; i < source->triangle_count; i++) {
        const uint32_t *t = source->triangles + 3 * i;
        char line[64];
        const int size = snprintf(line, sizeof line, "f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                                  t[0] + UINT64_C(1), t[1] + UINT64_C(1), t[2] + UINT64_C(1));
        file_draft_write(&d, line, (size_t)size);
    }
    return file_draft_commit(&d, err);
}
