/* SPDX-License-Identifier: Apache-2.0
 *
 * Hair in scene files: strands from a file, or strands that grow on a sphere.
 *
 * Roots are spread evenly over the upper half of the sphere, along a spiral that turns by the
 * golden angle from root to root, shaken a little. A strand leaves its root along the normal, straight or
 * as a curl about it that begins on the normal.
 */
#include "io/scene_reader.h"
#include "io/strands.h"
#include "math/frame.h"
#include "math/trig.h"

#include <string.h>
#include <xxhash.h>

enum { MOST_STRANDS = 100000, MOST_POINTS = 1000 };

static const json_range RANGE_CURL = {1e-4, 1e3, "m"};

static const double GOLDEN_ANGLE = 2.399963229728653, TURN = 6.283185307179586;

/* ---- reading ---- */

static status read_curl(scene_reader *r, const json_node *node, hair_growth *g)
{
    static const char *const keys[] = {"radius", "pitch", NULL};
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, keys, 0);
    if (result < 0) return result;
    const json_node *radius = json_get(node, "radius"), *pitch = json_get(node, "pitch");
    if (!radius) return json_refuse_missing(&r->json, node, "radius", "a number in m", r->err);
    if (!pitch) return json_refuse_missing(&r->json, node, "pitch", "a number in m", r->err);
    result = json_read_real(&r->json, radius, &RANGE_CURL, &g->curl_radius, r->err);
    return result < 0 ? result
                      : json_read_real(&r->json, pitch, &RANGE_CURL, &g->curl_pitch, r->err);
}

/* The collider must come before the hair in the file; `shape` 0 is any. */
static status find_surface(scene_reader *r, const json_node *node, uint32_t shape, hair_growth *g)
{
    const char *name = NULL;
    const status result = json_read_string(&r->json, node, &name, r->err);
    if (result < 0) return result;
    for (size_t i = 0; i < r->file->object_count; i++) {
        const scene_file_object *o = &r->file->objects[i];
        if (strcmp(o->name, name) != 0 || o->kind != KIND_COLLIDER) continue;
        if (shape && o->shape != shape) continue;
        g->surface = i;
        return STATUS_OK;
    }
    return json_refuse(&r->json, node, r->err, "the name of a %s that comes before in the file",
                       shape ? "sphere" : "collider");
}

static status find_sphere(scene_reader *r, const json_node *grow, hair_growth *g)
{
    const json_node *node = json_get(grow, "on");
    if (node) return find_surface(r, node, SHAPE_SPHERE, g);
    return json_refuse_missing(&r->json, grow, "on",
                               "the name of a sphere that comes before in the file", r->err);
}

static status read_count(scene_reader *r, const json_node *grow, const char *key, int64_t least,
                         int64_t most, uint32_t *out)
{
    const json_node *node = json_get(grow, key);
    if (!node) return json_refuse_missing(&r->json, grow, key, "a whole number", r->err);
    int64_t value = 0;
    const status result = json_read_integer(&r->json, node, least, most, &value, r->err);
    *out = (uint32_t)value;
    return result;
}

static status read_length(scene_reader *r, const json_node *grow, hair_growth *g)
{
    const json_node *node = json_get(grow, "length");
    if (!node) return json_refuse_missing(&r->json, grow, "length", "a number in m", r->err);
    return json_read_real(&r->json, node, &scene_range_size, &g->length, r->err);
}

static status read_grow(scene_reader *r, const json_node *node, hair_growth *g)
{
    static const char *const keys[] = {"on", "count", "length", "points", "curl", "seed", NULL};
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, keys, 0);
    if (result >= 0) result = find_sphere(r, node, g);
    if (result >= 0) result = read_count(r, node, "count", 1, MOST_STRANDS, &g->strands);
    if (result >= 0) result = read_count(r, node, "points", 2, MOST_POINTS, &g->points);
    if (result >= 0) result = read_length(r, node, g);
    if (result >= 0 && json_get(node, "seed")) {
        result = read_count(r, node, "seed", 0, UINT32_MAX, &g->seed);
    }
    const json_node *curl = json_get(node, "curl");
    return result < 0 || !curl ? result : read_curl(r, curl, g);
}

static status copy_strands(scene_reader *r, const json_node *node, const strand_set *set,
                           scene_file_object *o)
{
    if (set->sizes.count > MOST_STRANDS) {
        return json_refuse(&r->json, node, r->err, "a file of at most %d strands", MOST_STRANDS);
    }
    const status result = scene_reader_set_size(r, node, o, set->points.count, 0);
    if (result < 0) return result;
    o->growth.strands = (uint32_t)set->sizes.count;
    o->positions = scene_reader_push(r, set->points.count, set->points.item_size);
    o->strand_sizes = scene_reader_push(r, set->sizes.count, set->sizes.item_size);
    if (!o->positions || !o->strand_sizes) return r->err->code;
    memcpy(o->positions, set->points.data, set->points.count * set->points.item_size);
    memcpy(o->strand_sizes, set->sizes.data, set->sizes.count * set->sizes.item_size);
    r->file->hash = XXH3_64bits_withSeed(&set->hash, sizeof set->hash, r->file->hash);
    return STATUS_OK;
}

static status read_strands(scene_reader *r, const json_node *node, scene_file_object *o)
{
    const char *name = NULL;
    status result = json_read_string(&r->json, node, &name, r->err);
    if (result < 0) return result;
    const char *path = scene_file_resolve(r->file, name);
    if (!path) return error_out_of_memory(r->err, name);
    strand_set set;
    result = strands_read(&set, &r->file->memory, path, r->err);
    if (result == STATUS_OUT_OF_MEMORY) return result;
    if (result < 0) return json_refuse_nested(&r->json, node, r->err);
    result = copy_strands(r, node, &set, o);
    strand_set_destroy(&set);
    return result;
}

/* Exactly one of `grow` and `strands`; `on` of strands is beside them. */
static status read_form(scene_reader *r, const json_node *object, scene_file_object *o)
{
    const json_node *grow = json_get(object, "grow"), *strands = json_get(object, "strands");
    const json_node *on = json_get(object, "on");
    o->growth.surface = SIZE_MAX;
    if (!grow && !strands) {
        return json_refuse_missing(&r->json, object, "grow",
                                   "an object: on, count, length, points; or 'strands', a file",
                                   r->err);
    }
    if (grow && strands)
        return json_refuse(&r->json, grow, r->err, "only one of 'grow', 'strands'");
    if (grow && on) return json_refuse(&r->json, on, r->err, "'on' inside 'grow'");
    status result = on ? find_surface(r, on, 0, &o->growth) : STATUS_OK;
    if (result < 0) return result;
    if (strands) return read_strands(r, strands, o);
    result = read_grow(r, grow, &o->growth);
    if (result < 0) return result;
    return scene_reader_set_size(r, grow, o, (size_t)o->growth.strands * o->growth.points, 0);
}

status scene_reader_read_hair(scene_reader *r, const json_node *object, scene_file_object *o)
{
    static const char *const keys[] = {"name", "kind", "grow", "strands", "on", "guides", NULL};
    status result = scene_reader_check_keys(r, object, keys, KIND_HAIR);
    if (result >= 0) result = read_form(r, object, o);
    if (result < 0 || !json_get(object, "guides")) return result;
    return read_count(r, object, "guides", 1, o->growth.strands, &o->growth.guides);
}

/* ---- growing ---- */

/* From 0 to 1: a few rounds of a multiply-and-shift generator. */
static double shake(uint32_t seed, uint32_t strand, uint32_t which)
{
    uint64_t x = ((uint64_t)seed << 32 | strand) * 4 + which;
    for (int i = 0; i < 3; i++) {
        x ^= x >> 31;
        x = x * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    }
    return (double)(x >> 11) * 0x1p-53;
}

static v3 root_direction(const hair_growth *g, uint32_t i)
{
    const double z = 1.0 - (i + 0.2 + 0.6 * shake(g->seed, i, 0)) / g->strands;
    const trig_pair at = trig_sincos(GOLDEN_ANGLE * i);
    const double r = sqrt(1.0 - z * z);
    return (v3){r * at.cos, r * at.sin, z};
}

static void grow_strand(const hair_growth *g, double radius, uint32_t i, double *points)
{
    const v3 N = root_direction(g, i);
    const m3 F = frame_from_normal(N);
    const double start = TURN * shake(g->seed, i, 1);
    const trig_pair first = trig_sincos(start);
    for (uint32_t k = 0; k < g->points; k++) {
        const double h = g->length * k / (g->points - 1.0);
        v3 x = v3_scale(radius + h, N);
        if (g->curl_radius > 0.0) {
            const trig_pair at = trig_sincos(start + TURN * h / g->curl_pitch);
            x = v3_add_scaled(x, g->curl_radius * (at.cos - first.cos), F.row[1]);
            x = v3_add_scaled(x, g->curl_radius * (at.sin - first.sin), F.row[2]);
        }
        v3_store(points + 3 * k, x);
    }
}

status scene_reader_grow_hair(scene_reader *r, scene_file_object *o)
{
    if (o->kind != KIND_HAIR || o->positions) return STATUS_OK;
    const hair_growth *g = &o->growth;
    o->positions = scene_reader_push(r, o->nodes, 3 * sizeof *o->positions);
    o->strand_sizes = scene_reader_push(r, g->strands, sizeof *o->strand_sizes);
    if (!o->positions || !o->strand_sizes) return r->err->code;
    const double radius = r->file->objects[g->surface].size[0];
    for (uint32_t i = 0; i < g->strands; i++) {
        o->strand_sizes[i] = g->points;
        grow_strand(g, radius, i, o->positions + 3 * (size_t)i * g->points);
    }
    return STATUS_OK;
}
