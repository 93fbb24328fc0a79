/* SPDX-License-Identifier: Apache-2.0 */
#include "strands.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const cli *c;
    const char *path;
    size_t line;
    strands *out;
    strands vertices; /* of an OBJ file; no strands of their own */
} reader;

static int fail_memory(const reader *r)
{
    return cli_fail(r->c, CLI_SIMULATION, "%s: not enough memory", r->path);
}

static int fail_line(const reader *r, const char *expected)
{
    return cli_fail(r->c, CLI_INPUT, "%s:%zu: expected %s", r->path, r->line, expected);
}

/* Room for one more; false without memory. */
static bool grow(void **items, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity) return true;
    const size_t more = *capacity ? 2 * *capacity : 256;
    void *larger = realloc(*items, more * item_size);
    if (!larger) return false;
    *items = larger;
    *capacity = more;
    return true;
}

static int push_point(const reader *r, strands *s, const double x[3])
{
    if (!grow((void **)&s->points, s->total, &s->capacity, 3 * sizeof *x)) return fail_memory(r);
    memcpy(s->points + 3 * s->total++, x, 3 * sizeof *x);
    return CLI_GO_ON;
}

/* The points since the last strand are one, if there are any. */
static int end_strand(const reader *r)
{
    strands *s = r->out;
    if (s->total == strands_begin(s, s->count)) return CLI_GO_ON;
    if (!grow((void **)&s->end, s->count, &s->end_capacity, sizeof *s->end)) return fail_memory(r);
    s->end[s->count++] = s->total;
    return CLI_GO_ON;
}

/* Three numbers; what may follow them is the caller's. */
static bool scan_point(const char *text, double x[3], const char **rest)
{
    for (int k = 0; k < 3; k++) {
        char *end;
        x[k] = strtod(text, &end);
        if (end == text) return false;
        text = end;
    }
    *rest = text;
    return true;
}

static int read_vertex(reader *r, const char *text)
{
    double x[3];
    const char *rest;
    if (!scan_point(text, x, &rest)) return fail_line(r, "v and three numbers");
    return push_point(r, &r->vertices, x);
}

static int read_polyline(reader *r, const char *text)
{
    for (;;) {
        char *end;
        const long long number = strtoll(text, &end, 10);
        if (end == text) break;
        const long long count = (long long)r->vertices.total;
        const long long index = number < 0 ? count + number : number - 1;
        if (index < 0 || index >= count)
            return fail_line(r, "numbers of vertices that came before");
        const int code = push_point(r, r->out, r->vertices.points + 3 * index);
        if (code != CLI_GO_ON) return code;
        text = end + strcspn(end, " \t\r\n"); /* over the texture's number in 3/3 */
    }
    if (text[strspn(text, " \t\r\n")]) return fail_line(r, "l and the numbers of vertices");
    return end_strand(r);
}

static int read_line(reader *r, const char *line)
{
    line += strspn(line, " \t\r\n");
    if (line[0] == '\0') return end_strand(r);
    if (line[0] == '#') return CLI_GO_ON;
    const bool has_blank = line[1] == ' ' || line[1] == '\t';
    if (line[0] == 'v' && has_blank) return read_vertex(r, line + 1);
    if (line[0] == 'l' && has_blank) return read_polyline(r, line + 1);
    double x[3];
    const char *rest;
    if (!scan_point(line, x, &rest)) {
        const bool is_word = isalpha((unsigned char)line[0]); /* another statement of an OBJ file */
        return is_word ? CLI_GO_ON : fail_line(r, "three numbers, or an OBJ polyline");
    }
    if (rest[strspn(rest, " \t\r\n")]) return fail_line(r, "three numbers and no more");
    return push_point(r, r->out, x);
}

static int read_lines(reader *r, FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    int code = CLI_GO_ON;
    while (code == CLI_GO_ON && getline(&line, &size, file) >= 0) {
        r->line++;
        code = read_line(r, line);
    }
    free(line);
    if (code == CLI_GO_ON && ferror(file)) {
        return cli_fail(r->c, CLI_FILES, "%s: %s", r->path, strerror(errno));
    }
    return code == CLI_GO_ON ? end_strand(r) : code;
}

int strands_read(const cli *c, const char *path, strands *out)
{
    *out = (strands){0};
    FILE *file = fopen(path, "r");
    if (!file) return cli_fail(c, CLI_FILES, "%s: %s", path, strerror(errno));
    reader r = {.c = c, .path = path, .out = out};
    int code = read_lines(&r, file);
    fclose(file);
    strands_free(&r.vertices);
    if (code == CLI_GO_ON && out->count == 0) {
        code = cli_fail(c, CLI_INPUT, "%s: there are no strands in it", path);
    }
    if (code != CLI_GO_ON) strands_free(out);
    return code;
}

void strands_free(strands *s)
{
    free(s->points);
    free(s->end);
    *s = (strands){0};
}
