/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of scene files: names, kinds, places and motion, the shapes of colliders.
 */
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

static const json_range RANGE_DEGREES = {-3.6e6, 3.6e6, ""};
static const json_range RANGE_AXIS = {-1e6, 1e6, ""};
static const json_range RANGE_FRAME = {-1e6, 1e6, ""};

static const double HALF_TURN = 3.14159265358979323846;

/* ---- names ---- */

/* Names become file names, so nothing that a file system reads in its own way. */
static bool name_is_plain(const char *name)
{
    const size_t size = strlen(name);
    if (size == 0 || size > LONGEST_NAME || name[0] == '.') return false;
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f || strchr("/\\:*?\"<>|", *c)) return false;
    }
    return true;
}

static status check_name_is_new(const scene_reader *r, const json_node *node, const char *name)
{
    for (size_t i = 0; i < r->file->object_count; i++) {
        const scene_file_object *o = &r->file->objects[i];
        if (strcmp(o->name, name) != 0) continue;
        return json_refuse(&r->json, node, r->err, "another name than the object of line %u has",
                           o->line);
    }
    return STATUS_OK;
}

static status read_name(scene_reader *r, const json_node *object, const char **name)
{
    const json_node *node = json_get(object, "name");
    if (!node) {
        return json_refuse_missing(&r->json, object, "name", "a name of its own for the object",
                                   r->err);
    }
    status result = json_read_string(&r->json, node, name, r->err);
    if (result < 0) return result;
    if (!name_is_plain(*name)) {
        return json_refuse(&r->json, node, r->err,
                           "1 to %d bytes without / \\ : * ? \" < > | and no point at the start",
                           LONGEST_NAME);
    }
    result = check_name_is_new(r, node, *name);
    if (result < 0) return result;
    *name = scene_reader_copy_text(r, *name);
    return *name ? STATUS_OK : r->err->code;
}

/* ---- places and motion ---- */

static status read_rotation(const scene_reader *r, const json_node *node, motion_key *key)
{
    static const char *const keys[] = {"axis", "degrees", NULL};
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, keys, 0);
    if (result < 0) return result;
    const json_node *axis = json_get(node, "axis"), *degrees = json_get(node, "degrees");
    if (!axis) return json_refuse_missing(&r->json, node, "axis", "a list of 3 numbers", r->err);
    if (!degrees) return json_refuse_missing(&r->json, node, "degrees", "a number", r->err);
    result = scene_reader_read_v3(r, axis, &RANGE_AXIS, &key->axis);
    if (result < 0) return result;
    if (v3_norm(key->axis) < 1e-6) {
        return json_refuse(&r->json, axis, r->err, "a direction with a length of at least 1e-6");
    }
    result = json_read_real(&r->json, degrees, &RANGE_DEGREES, &key->angle, r->err);
    key->angle *= HALF_TURN / 180.0;
    return result;
}

/* What is not there keeps the value that the key has. */
static status read_place(const scene_reader *r, const json_node *node, motion_key *key)
{
    const json_node *position = json_get(node, "position"), *rotation = json_get(node, "rotation");
    status result = STATUS_OK;
    if (position) result = scene_reader_read_v3(r, position, &scene_range_place, &key->position);
    return rotation && result >= 0 ? read_rotation(r, rotation, key) : result;
}

static status read_key(const scene_reader *r, const json_node *node, motion_key *key)
{
    static const char *const keys[] = {"frame", "position", "rotation", NULL};
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, keys, 0);
    if (result < 0) return result;
    const json_node *frame = json_get(node, "frame");
    if (!frame) return json_refuse_missing(&r->json, node, "frame", "a frame number", r->err);
    result = json_read_real(&r->json, frame, &RANGE_FRAME, &key->frame, r->err);
    return result < 0 ? result : read_place(r, node, key);
}

/* An object that turned half around or more from frame to frame would seem to turn the other
 * way. */
static status check_turns(const scene_reader *r, const json_node *list, const motion *m)
{
    const double turn = motion_fastest_turn(m);
    if (turn < HALF_TURN) return STATUS_OK;
    return json_refuse(&r->json, list, r->err,
                       "less than 180 degrees in the time of a frame; this makes %g",
                       turn * 180.0 / HALF_TURN);
}

static status read_keys(scene_reader *r, const json_node *list, motion_key place, motion *out)
{
    const status filled = json_check_list(&r->json, list, "keyframes", r->err);
    if (filled < 0) return filled;
    motion_key *keys = scene_reader_push(r, json_count(list), sizeof *keys);
    if (!keys) return r->err->code;
    size_t count = 0;
    JSON_FOR_EACH(node, list)
    {
        keys[count] = place;
        const status result = read_key(r, node, &keys[count]);
        if (result < 0) return result;
        if (count > 0 && !(keys[count].frame > keys[count - 1].frame)) {
            return json_refuse(&r->json, json_get(node, "frame"), r->err,
                               "a frame after the one before, %g", keys[count - 1].frame);
        }
        count++;
    }
    *out = motion_from_keys(keys, count);
    return check_turns(r, list, out);
}

static status read_motion(scene_reader *r, const json_node *object, motion *out)
{
    motion_key *place = scene_reader_push(r, 1, sizeof *place);
    if (!place) return r->err->code;
    place->axis = (v3){0.0, 0.0, 1.0};
    const status result = read_place(r, object, place);
    if (result < 0) return result;
    const json_node *list = json_get(object, "motion");
    if (list) return read_keys(r, list, *place, out);
    *out = motion_from_keys(place, 1);
    return STATUS_OK;
}

/* ---- colliders ---- */

static const json_range RANGE_HALF_LENGTH = {0.0, 1e6, "m"};

static const struct {
    const char *word;
    uint32_t shape;
    const char *keys[4]; /* that it needs and others do not have */
} shapes[] = {{"plane", SHAPE_PLANE, {NULL}},
              {"sphere", SHAPE_SPHERE, {"radius", NULL}},
              {"capsule", SHAPE_CAPSULE, {"radius", "half_length", NULL}},
              {"box", SHAPE_BOX, {"half_extents", NULL}},
              {"mesh", SHAPE_MESH, {"mesh", NULL}}};

static status read_shape(scene_reader *r, const json_node *object, size_t *row)
{
    static const char expected[] = "\"plane\", \"sphere\", \"capsule\", \"box\" or \"mesh\"";
    const json_node *node = json_get(object, "shape");
    if (!node) return json_refuse_missing(&r->json, object, "shape", expected, r->err);
    const char *word = json_string_value(node->value);
    for (*row = 0; word && *row < sizeof shapes / sizeof *shapes; ++*row) {
        if (strcmp(word, shapes[*row].word) == 0) return STATUS_OK;
    }
    return json_refuse(&r->json, node, r->err, "%s", expected);
}

static bool shape_has_key(size_t row, const char *key)
{
    for (const char *const *k = shapes[row].keys; *k; k++) {
        if (strcmp(*k, key) == 0) return true;
    }
    return false;
}

/* All keys of its shape and none of the others. */
static status check_shape_keys(const scene_reader *r, const json_node *object, size_t row)
{
    static const struct {
        const char *key, *expected;
    } all[] = {{"radius", "a number in m"},
               {"half_length", "half the length of the axis in m"},
               {"half_extents", "half of each side in m"},
               {"mesh", "the path of an OBJ file"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const json_node *node = json_get(object, all[i].key);
        const bool needed = shape_has_key(row, all[i].key);
        if (node && !needed) {
            return json_refuse(&r->json, node, r->err, "no %s for a %s", all[i].key,
                               shapes[row].word);
        }
        if (!node && needed) {
            return json_refuse_missing(&r->json, object, all[i].key, all[i].expected, r->err);
        }
    }
    return STATUS_OK;
}

static status read_size(scene_reader *r, const json_node *object, scene_file_object *o)
{
    const json_node *radius = json_get(object, "radius");
    const json_node *length = json_get(object, "half_length");
    const json_node *extents = json_get(object, "half_extents");
    const json_node *mesh = json_get(object, "mesh");
    status result = STATUS_OK;
    if (radius) result = json_read_real(&r->json, radius, &scene_range_size, &o->size[0], r->err);
    if (length && result >= 0) {
        result = json_read_real(&r->json, length, &RANGE_HALF_LENGTH, &o->size[1], r->err);
    }
    if (extents) result = json_read_reals(&r->json, extents, &scene_range_size, 3, o->size, r->err);
    return mesh && result >= 0 ? scene_reader_read_mesh(r, mesh, o) : result;
}

static status read_collider(scene_reader *r, const json_node *object, scene_file_object *o)
{
    static const char *const keys[] = {"name",        "kind",         "shape", "radius",
                                       "half_length", "half_extents", "mesh",  "position",
                                       "rotation",    "motion",       NULL};
    size_t row = 0;
    status result = scene_reader_check_keys(r, object, keys, KIND_COLLIDER);
    if (result >= 0) result = read_shape(r, object, &row);
    if (result >= 0) result = check_shape_keys(r, object, row);
    if (result < 0) return result;
    o->shape = shapes[row].shape;
    return read_size(r, object, o);
}

/* ---- any object ---- */

typedef struct object_kind {
    const char *word;
    uint32_t kind;
    status (*read)(scene_reader *, const json_node *, scene_file_object *); /* NULL: not yet */
} object_kind;

static const object_kind object_kinds[] = {
    {"cloth", KIND_CLOTH, scene_reader_read_cloth},
    {"collider", KIND_COLLIDER, read_collider},
    {"hair", KIND_HAIR, scene_reader_read_hair},
    {"force", KIND_FORCE, scene_reader_read_force},
    {"rigid", KIND_RIGID, NULL},
};

#define KNOWN_KINDS "\"cloth\", \"hair\", \"collider\" or \"force\""

static status read_kind(scene_reader *r, const json_node *object, const object_kind **out)
{
    const json_node *node = json_get(object, "kind");
    if (!node) return json_refuse_missing(&r->json, object, "kind", KNOWN_KINDS, r->err);
    const char *word = json_string_value(node->value);
    for (size_t i = 0; word && i < sizeof object_kinds / sizeof *object_kinds; i++) {
        if (strcmp(word, object_kinds[i].word) != 0) continue;
        *out = &object_kinds[i];
        if (object_kinds[i].read) return STATUS_OK;
        return json_refuse_as(&r->json, node, r->err, STATUS_UNSUPPORTED,
                              "which is not supported yet; expected " KNOWN_KINDS);
    }
    return json_refuse(&r->json, node, r->err, KNOWN_KINDS);
}

status scene_reader_read_object(scene_reader *r, const json_node *node, scene_file_object *out)
{
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = read_name(r, node, &out->name);
    if (result < 0) return result;
    char scope[LONGEST_NAME + 16];
    snprintf(scope, sizeof scope, "object '%s'", out->name);
    json_set_scope(&r->json, node, scope);
    out->line = node->line;
    const object_kind *kind = NULL;
    result = read_kind(r, node, &kind);
    if (result < 0) return result;
    out->kind = kind->kind;
    result = kind->read(r, node, out);
    if (result >= 0) result = read_motion(r, node, &out->motion);
    return result < 0 ? result : scene_reader_read_settings(r, node, out->kind, &out->settings);
}
