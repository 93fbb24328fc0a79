/* SPDX-License-Identifier: Apache-2.0
 *
 * Hair in scene files: strands from a file (strands.h), strands that "grow" on a sphere, or that are
 * "made" by another plan (strand_shapes.h).
 */
#include "io/scene_reader.h"
#include "io/strands.h"

#include <string.h>
#include <xxhash.h>

enum { MOST_STRANDS = 100000, MOST_POINTS = 1000 };

static const json_range RANGE_CURL = {1e-4, 1e3, "m"};
static const json_range RANGE_HANG = {0.0, 1e3, "m"};
static const json_range RANGE_PULL = {-1e6, 1e6, "N or N m"};
static const json_range RANGE_DIRECTION = {-1e6, 1e6, ""};

/* ---- parts of a plan ---- */

static status read_real(scene_reader *r, const json_node *plan, const char *key,
                        const json_range *range, double *out)
{
    const json_node *node = json_get(plan, key);
    if (!node) return json_refuse_missing(&r->json, plan, key, "a number in m", r->err);
    return json_read_real(&r->json, node, range, out, r->err);
}

/* An object of two lengths, if it is there. */
static status read_two(scene_reader *r, const json_node *plan, const char *key,
                       const char *const *names, double *first, double *second)
{
    const json_node *node = json_get(plan, key);
    if (!node) return STATUS_OK;
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, names, 0);
    if (result >= 0) result = read_real(r, node, names[0], &RANGE_CURL, first);
    return result < 0 ? result : read_real(r, node, names[1], &RANGE_CURL, second);
}

static status read_count(scene_reader *r, const json_node *plan, const char *key, int64_t least,
                         int64_t most, uint32_t *out)
{
    const json_node *node = json_get(plan, key);
    if (!node) return json_refuse_missing(&r->json, plan, key, "a whole number", r->err);
    int64_t value = 0;
    const status result = json_read_integer(&r->json, node, least, most, &value, r->err);
    *out = (uint32_t)value;
    return result;
}

/* What all plans have. */
static status read_common(scene_reader *r, const json_node *node, strand_plan *p)
{
    static const char *const curl[] = {"radius", "pitch", NULL};
    static const char *const wave[] = {"height", "length", NULL};
    status result = read_count(r, node, "points", 2, MOST_POINTS, &p->points);
    if (result >= 0 && json_get(node, "seed")) {
        result = read_count(r, node, "seed", 0, UINT32_MAX, &p->seed);
    }
    if (result >= 0) result = read_two(r, node, "curl", curl, &p->curl_radius, &p->curl_pitch);
    return result < 0 ? result : read_two(r, node, "wave", wave, &p->wave_height, &p->wave_length);
}

/* ---- grow ---- */

/* The collider must come before the hair in the file. */
static status find_collider(scene_reader *r, const json_node *holder, bool sphere, size_t *out)
{
    const char *expected = sphere ? "the name of a sphere that comes before in the file"
                                  : "the name of a collider that comes before in the file";
    const json_node *node = json_get(holder, "on");
    if (!node) return json_refuse_missing(&r->json, holder, "on", expected, r->err);
    const char *name = NULL;
    const status result = json_read_string(&r->json, node, &name, r->err);
    if (result < 0) return result;
    for (size_t i = 0; i < r->file->object_count; i++) {
        const scene_file_object *o = &r->file->objects[i];
        if (strcmp(o->name, name) != 0 || o->kind != KIND_COLLIDER) continue;
        if (sphere && o->shape != SHAPE_SPHERE) continue;
        *out = i;
        return STATUS_OK;
    }
    return json_refuse(&r->json, node, r->err, "%s", expected);
}

static status read_grow(scene_reader *r, const json_node *node, scene_file_object *o)
{
    static const char *const keys[] = {"on",   "count", "length", "points",
                                       "curl", "wave",  "seed",   NULL};
    strand_plan *p = &o->strands;
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, keys, 0);
    if (result >= 0) result = find_collider(r, node, true, &o->surface);
    if (result >= 0) result = read_count(r, node, "count", 1, MOST_STRANDS, &p->strands);
    if (result >= 0) result = read_real(r, node, "length", &scene_range_size, &p->length);
    if (result >= 0) result = read_common(r, node, p);
    if (result >= 0) p->radius = r->file->objects[o->surface].size[0];
    return result;
}

/* ---- make ---- */

typedef struct made_shape {
    const char *name;
    strand_shape shape;
    const char *const *keys; /* beside the common ones */
} made_shape;

static const char *const bundle_keys[] = {"shape", "on",   "position", "direction", "points",
                                          "seed",  "rest", "count",    "length",    "radius",
                                          "curl",  "wave", NULL};
static const char *const braid_keys[] = {"shape",  "on",     "position", "direction",
                                         "points", "seed",   "rest",     "count",
                                         "length", "radius", "pitch",    NULL};
static const char *const arch_keys[] = {"shape", "on",    "position", "direction", "points", "seed",
                                        "rest",  "count", "radius",   "hang",      "pitch",  NULL};
static const char *const knot_keys[] = {"shape", "on",   "position", "direction", "points",
                                        "seed",  "rest", "length",   "radius",    NULL};

static const made_shape made_shapes[] = {
    {"bundle", STRANDS_BUNDLE, bundle_keys},
    {"braid", STRANDS_BRAID, braid_keys},
    {"arch", STRANDS_ARCH, arch_keys},
    {"knot", STRANDS_KNOT, knot_keys},
};

static status find_shape(scene_reader *r, const json_node *plan, const made_shape **out)
{
    static const char expected[] = "\"bundle\", \"braid\", \"arch\" or \"knot\"";
    const json_node *node = json_get(plan, "shape");
    if (!node) return json_refuse_missing(&r->json, plan, "shape", expected, r->err);
    const char *name = NULL;
    const status result = json_read_string(&r->json, node, &name, r->err);
    if (result < 0) return result;
    for (size_t i = 0; i < sizeof made_shapes / sizeof *made_shapes; i++) {
        *out = &made_shapes[i];
        if (strcmp((*out)->name, name) == 0) return STATUS_OK;
    }
    return json_refuse(&r->json, node, r->err, "%s", expected);
}

static status read_direction(scene_reader *r, const json_node *plan, strand_plan *p)
{
    const json_node *at = json_get(plan, "position"), *along = json_get(plan, "direction");
    status result = STATUS_OK;
    p->direction = p->shape == STRANDS_ARCH ? (v3){0.0, 1.0, 0.0} : (v3){0.0, 0.0, -1.0};
    if (at) result = scene_reader_read_v3(r, at, &scene_range_place, &p->position);
    if (result < 0 || !along) return result;
    result = scene_reader_read_v3(r, along, &RANGE_DIRECTION, &p->direction);
    if (result < 0) return result;
    if (v3_norm(p->direction) < 1e-6) {
        return json_refuse(&r->json, along, r->err, "a direction with a length of at least 1e-6");
    }
    p->direction = v3_normalize(p->direction);
    return STATUS_OK;
}

static status read_rest(scene_reader *r, const json_node *plan, bool *straight)
{
    const json_node *node = json_get(plan, "rest");
    if (!node) return STATUS_OK;
    const char *word = NULL;
    const status result = json_read_string(&r->json, node, &word, r->err);
    if (result < 0) return result;
    *straight = strcmp(word, "straight") == 0;
    if (*straight || strcmp(word, "given") == 0) return STATUS_OK;
    return json_refuse(&r->json, node, r->err, "\"given\" or \"straight\"");
}

static status read_hang(scene_reader *r, const json_node *plan, strand_plan *p)
{
    const json_node *node = json_get(plan, "hang");
    if (!node) return json_refuse_missing(&r->json, plan, "hang", "a list of 2 numbers", r->err);
    return json_read_reals(&r->json, node, &RANGE_HANG, 2, p->hang, r->err);
}

/* The loops of a knot take 31.9 / 3 of its radius. */
static status check_knot(scene_reader *r, const json_node *plan, const strand_plan *p)
{
    if (p->shape != STRANDS_KNOT || p->length >= 12.0 * p->radius) return STATUS_OK;
    return json_refuse(&r->json, json_get(plan, "length"), r->err,
                       "at least 12 times the radius, %g, which the loops need", 12.0 * p->radius);
}

static status read_sizes(scene_reader *r, const json_node *node, strand_plan *p)
{
    const bool arch = p->shape == STRANDS_ARCH, one = p->shape == STRANDS_KNOT;
    status result = read_real(r, node, "radius", &scene_range_size, &p->radius);
    p->strands = 1;
    if (result >= 0 && !one && (!arch || json_get(node, "count"))) {
        result = read_count(r, node, "count", 1, MOST_STRANDS, &p->strands);
    }
    if (result >= 0 && (p->shape == STRANDS_BRAID || (arch && p->strands > 1))) {
        result = read_real(r, node, "pitch", &RANGE_CURL, &p->pitch);
    }
    if (result >= 0 && arch) return read_hang(r, node, p);
    if (result >= 0) result = read_real(r, node, "length", &scene_range_size, &p->length);
    return result < 0 ? result : check_knot(r, node, p);
}

static status read_make(scene_reader *r, const json_node *node, scene_file_object *o)
{
    const made_shape *shape = NULL;
    strand_plan *p = &o->strands;
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = find_shape(r, node, &shape);
    if (result >= 0) result = scene_reader_check_keys(r, node, shape->keys, 0);
    if (result < 0) return result;
    p->shape = shape->shape;
    if (json_get(node, "on")) result = find_collider(r, node, false, &o->surface);
    if (result >= 0) result = read_direction(r, node, p);
    if (result >= 0) result = read_sizes(r, node, p);
    if (result >= 0) result = read_rest(r, node, &o->rest_straight);
    return result < 0 ? result : read_common(r, node, p);
}

/* ---- strands ---- */

static status copy_strands(scene_reader *r, const json_node *node, const strand_set *set,
                           scene_file_object *o)
{
    if (set->sizes.count > MOST_STRANDS) {
        return json_refuse(&r->json, node, r->err, "a file of at most %d strands", MOST_STRANDS);
    }
    const status result = scene_reader_set_size(r, node, o, set->points.count, 0);
    if (result < 0) return result;
    o->strands.strands = (uint32_t)set->sizes.count;
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

/* ---- pull ---- */

static status read_pull(scene_reader *r, const json_node *object, v3 *pull)
{
    static const char *const keys[] = {"root_force", "tip_force", "tip_moment", NULL};
    const json_node *node = json_get(object, "pull");
    if (!node) return STATUS_OK;
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, keys, 0);
    for (int i = 0; i < SCENE_FILE_PULLS && result >= 0; i++) {
        const json_node *part = json_get(node, keys[i]);
        if (part) result = scene_reader_read_v3(r, part, &RANGE_PULL, &pull[i]);
    }
    return result;
}

/* ---- all ---- */

/* Exactly one of the three; `on` of strands is beside them. */
static status read_form(scene_reader *r, const json_node *object, scene_file_object *o)
{
    const json_node *grow = json_get(object, "grow"), *make = json_get(object, "make");
    const json_node *strands = json_get(object, "strands"), *on = json_get(object, "on");
    if (!grow && !make && !strands) {
        return json_refuse_missing(&r->json, object, "grow",
                                   "an object: on, count, length, points; or make; or strands",
                                   r->err);
    }
    const json_node *second = make && grow ? make : strands && (grow || make) ? strands : NULL;
    if (second) return json_refuse(&r->json, second, r->err, "only one of grow, make, strands");
    if (on && !strands) return json_refuse(&r->json, on, r->err, "it inside grow or make");
    status result = on ? find_collider(r, object, false, &o->surface) : STATUS_OK;
    if (result < 0) return result;
    if (strands) return read_strands(r, strands, o);
    result = grow ? read_grow(r, grow, o) : read_make(r, make, o);
    if (result < 0) return result;
    return scene_reader_set_size(r, grow ? grow : make, o,
                                 (size_t)o->strands.strands * o->strands.points, 0);
}

status scene_reader_read_hair(scene_reader *r, const json_node *object, scene_file_object *o)
{
    static const char *const keys[] = {"name", "kind",   "grow",   "make", "strands",
                                       "on",   "guides", "preset", "pull", NULL};
    o->surface = SCENE_FILE_NO_SURFACE;
    status result = scene_reader_check_keys(r, object, keys, KIND_HAIR);
    if (result >= 0) result = read_form(r, object, o);
    if (result >= 0) result = scene_reader_read_preset(r, object, &o->settings);
    if (result >= 0) result = read_pull(r, object, o->pull);
    if (result < 0 || !json_get(object, "guides")) return result;
    return read_count(r, object, "guides", 1, o->strands.strands, &o->guides);
}

status scene_reader_make_hair(scene_reader *r, scene_file_object *o)
{
    if (o->kind != KIND_HAIR || o->positions) return STATUS_OK;
    const strand_plan *p = &o->strands;
    o->positions = scene_reader_push(r, o->nodes, 3 * sizeof *o->positions);
    o->strand_sizes = scene_reader_push(r, p->strands, sizeof *o->strand_sizes);
    if (o->rest_straight) o->rest = scene_reader_push(r, o->nodes, 3 * sizeof *o->rest);
    if (!o->positions || !o->strand_sizes || (o->rest_straight && !o->rest)) return r->err->code;
    for (uint32_t i = 0; i < p->strands; i++) {
        const size_t first = 3 * (size_t)i * p->points;
        o->strand_sizes[i] = p->points;
        strand_plan_make(p, i, o->positions + first);
        if (o->rest) strand_draw_straight(o->positions + first, p->points, o->rest + first);
    }
    return STATUS_OK;
}
