/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of .usda files, in columns.
 */
#include "io/cache_usd.h"
#include "io/number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 15, INDEX = 10, TIME = 24 };      /* columns */
enum { LINE_BEGIN = 8 + TIME + 3, LINE_END = 3 }; /* "TIME: [" and "],\n" */
enum { SHORT_HEAD = 2048 };                       /* more than the head without indices takes */

/* ---- lines of samples ---- */

static uint64_t line_size(size_t n)
{
    return LINE_BEGIN + (uint64_t)n * USD_POINT - 2 + LINE_END; /* no comma after the last */
}

uint64_t usd_piece_offset(size_t from)
{
    return from ? LINE_BEGIN + (uint64_t)from * USD_POINT : 0;
}

uint64_t usd_piece_end(size_t n, size_t to)
{
    return to == n ? line_size(n) : usd_piece_offset(to);
}

static size_t print_begin(char *out, double time)
{
    char text[NUMBER_TEXT_SIZE];
    text[number_print(text, time)] = '\0';
    return (size_t)sprintf(out, "%8s%*s: [", "", TIME, text);
}

size_t usd_print_piece(char *out, double time, const float *x, size_t n, size_t from, size_t to)
{
    char *at = out;
    if (from == 0) at += print_begin(at, time);
    for (size_t i = from; i < to; i++) {
        at += sprintf(at, "(%15.8e, %15.8e, %15.8e)%s", (double)x[3 * i], (double)x[3 * i + 1],
                      (double)x[3 * i + 2], i + 1 < n ? ", " : "");
    }
    if (to == n) at += sprintf(at, "],\n");
    return (size_t)(at - out);
}

void usd_parse_piece(const char *text, float *x, size_t from, size_t to)
{
    const char *at = text + (from ? 0 : LINE_BEGIN);
    for (size_t i = from; i < to; i++, at += USD_POINT) {
        for (size_t k = 0; k < 3; k++) {
            char number[NUMBER + 1] = {0};
            memcpy(number, at + 1 + k * (NUMBER + 2), NUMBER);
            x[3 * i + k] = strtof(number, NULL);
        }
    }
}

void usd_find_extent(const float *x, size_t points, float extent[6])
{
    for (size_t k = 0; k < 3; k++) extent[k] = extent[3 + k] = x[k];
    for (size_t i = 3; i < 3 * points; i++) {
        float *low = &extent[i % 3], *high = &extent[3 + i % 3];
        if (x[i] < *low) *low = x[i];
        if (x[i] > *high) *high = x[i];
    }
}

/* ---- what is around them ---- */

static const char *identifier(const cache_shape *s, char out[USD_MOST_NAME + 2])
{
    size_t n = 0;
    if (!isalpha((unsigned char)s->name[0])) out[n++] = '_';
    for (const char *c = s->name; *c && n <= USD_MOST_NAME; c++) {
        out[n++] = (char)(*c > 0 && isalnum((unsigned char)*c) ? *c : '_');
    }
    out[n] = '\0';
    return out;
}

static const char *plain_name(const cache_shape *s, char out[USD_MOST_NAME + 1])
{
    size_t n = 0;
    for (const char *c = s->name; *c && n < USD_MOST_NAME; c++) {
        const unsigned char byte = (unsigned char)*c;
        out[n++] = (char)(byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7f ? '_' : *c);
    }
    out[n] = '\0';
    return out;
}

static size_t print_metadata(const cache_shape *s, bool finished, char *out)
{
    char name[USD_MOST_NAME + 1], prim[USD_MOST_NAME + 2];
    char first[NUMBER_TEXT_SIZE], last[NUMBER_TEXT_SIZE], rate[NUMBER_TEXT_SIZE];
    first[number_print(first, s->first_frame)] = '\0';
    last[number_print(last, s->first_frame + (double)(s->frames - 1))] = '\0';
    rate[number_print(rate, s->frame_rate)] = '\0';
    return (size_t)sprintf(
        out,
        "#%s 1.0\n(\n    customLayerData = {\n        string stiction = \"%u %u %zu %zu %zu %zu %s "
        "%s\"\n        string name = \"%s\"\n    }\n    defaultPrim = \"%s\"\n    endTimeCode = "
        "%s\n"
        "    metersPerUnit = 1\n    startTimeCode = %s\n    timeCodesPerSecond = %s\n"
        "    upAxis = \"Z\"\n)\n\ndef %s \"%s\"\n{\n",
        finished ? "usda" : "part", s->kind, s->parts, s->points, s->triangle_count, s->strands,
        s->frames, first, rate, plain_name(s, name), identifier(s, prim), last, first, rate,
        s->kind == CACHE_MESH ? "Mesh" : "BasisCurves", prim);
}

static const char mesh_text[] = "    uniform token subdivisionScheme = \"none\"\n"
                                "    int[] faceVertexCounts = [";
static const char corners_text[] = "]\n    int[] faceVertexIndices = [";
static const char curves_text[] =
    "    uniform token type = \"linear\"\n    uniform token wrap = \"nonperiodic\"\n"
    "    float[] widths = [0.0001] (\n        interpolation = \"constant\"\n    )\n"
    "    int[] curveVertexCounts = [";
static const char points_text[] = "]\n    point3f[] points.timeSamples = {\n";

/* Where the list of indices begins, after the metadata. */
static size_t before_indices(const cache_shape *s)
{
    if (s->kind == CACHE_CURVES) return sizeof curves_text - 1;
    const size_t counts = s->triangle_count ? 3 * s->triangle_count - 2 : 0; /* "3, 3, 3" */
    return sizeof mesh_text - 1 + counts + sizeof corners_text - 1;
}

static size_t indices_size(const cache_shape *s)
{
    const size_t count = cache_index_count(s);
    return count ? count * (INDEX + 2) - 2 : 0;
}

static size_t print_counts(const cache_shape *s, char *out)
{
    char *at = out + sprintf(out, "%s", mesh_text);
    for (size_t i = 0; i < s->triangle_count; i++) at += sprintf(at, "%s3", i ? ", " : "");
    return (size_t)(at - out) + (size_t)sprintf(at, "%s", corners_text);
}

/* sprintf ends with a zero byte, which the room for the head has no place for: the last text is
 * copied. */
void usd_print_head(const cache_shape *s, bool finished, char *out)
{
    char *at = out + print_metadata(s, finished, out);
    at += s->kind == CACHE_MESH ? print_counts(s, at) : (size_t)sprintf(at, "%s", curves_text);
    const size_t count = cache_index_count(s);
    for (size_t i = 0; i < count; i++) {
        at += sprintf(at, "%s%*u", i ? ", " : "", INDEX, cache_indices(s)[i]);
    }
    memcpy(at, points_text, sizeof points_text - 1);
}

size_t usd_print_between(const cache_shape *s, int which, char out[64])
{
    static const char *const texts[] = {
        "    }\n    vector3f[] velocities.timeSamples = {\n",
        "    }\n    float3[] extent.timeSamples = {\n",
        "    }\n}\n",
    };
    if (which == 0 && !(s->parts & CACHE_VELOCITIES)) return 0;
    return (size_t)sprintf(out, "%s", texts[which]);
}

usd_layout usd_find_layout(const cache_shape *s)
{
    char text[SHORT_HEAD], between[64];
    usd_layout l = {.vector_line = line_size(s->points), .extent_line = line_size(2)};
    l.head = print_metadata(s, true, text) + before_indices(s) + indices_size(s) +
             sizeof points_text - 1;
    l.points = l.head;
    l.velocities = l.points + s->frames * l.vector_line + usd_print_between(s, 0, between);
    const uint64_t moving = s->parts & CACHE_VELOCITIES ? s->frames * l.vector_line : 0;
    l.extents = l.velocities + moving + usd_print_between(s, 1, between);
    l.tail = l.extents + s->frames * l.extent_line;
    l.end = l.tail + usd_print_between(s, 2, between);
    return l;
}

/* ---- reading ---- */

static const char *find_value(const char *text, const char *key, size_t *size)
{
    const char *at = strstr(text, key);
    if (!at) return NULL;
    at += strlen(key);
    *size = strcspn(at, "\"\n");
    return at[*size] == '"' ? at : NULL;
}

static bool take_word(const char **at, double *value)
{
    const size_t size = strcspn(*at, " \"");
    const bool good = number_parse(*at, size, value);
    *at += size + strspn(*at + size, " ");
    return good;
}

static bool is_count(double x) { return x >= 0.0 && x <= 0x1p40 && x == (double)(uint64_t)x; }

status usd_read_claims(cache_reader *r, const char *text, error *err)
{
    size_t value_size = 0, name_size = 0;
    const char *at = find_value(text, "string stiction = \"", &value_size);
    const char *name = find_value(text, "string name = \"", &name_size);
    double v[8];
    bool good = at && name && name_size <= USD_MOST_NAME;
    for (size_t i = 0; i < 8 && good; i++) good = take_word(&at, &v[i]);
    for (size_t i = 0; i < 6 && good; i++) good = is_count(v[i]);
    if (!good) {
        return cache_refuse(r, err,
                            "is a USD file that was not written by this program; only "
                            "those can be read");
    }
    r->info.shape = (cache_shape){.kind = (uint32_t)v[0],
                                  .parts = (uint32_t)v[1],
                                  .points = (size_t)v[2],
                                  .triangle_count = (size_t)v[3],
                                  .strands = (size_t)v[4],
                                  .frames = (size_t)v[5],
                                  .first_frame = v[6],
                                  .frame_rate = v[7]};
    return cache_reader_set_name(r, name, name_size, err);
}

void usd_read_indices(const cache_shape *s, const char *head, uint32_t *indices)
{
    char text[SHORT_HEAD];
    const char *at = head + print_metadata(s, true, text) + before_indices(s);
    const size_t count = cache_index_count(s);
    for (size_t i = 0; i < count; i++, at += INDEX + 2) {
        char number[INDEX + 1] = {0};
        memcpy(number, at, INDEX);
        indices[i] = (uint32_t)strtoul(number, NULL, 10);
    }
}
