/* SPDX-License-Identifier: Apache-2.0
 *
 * Cloth in scene files: a grid, a mesh file or points; masses, pins, velocity.
 */
#include "io/grid.h"
#include "io/obj.h"
#include "io/scene_reader.h"

#include <string.h>
#include <xxhash.h>

enum { MOST_NODES = 4000000, MOST_NODES_IN_ALL = 16000000, MOST_CELLS = 100000 };

static const json_range RANGE_VELOCITY = {-1e6, 1e6, "m/s"};
static const json_range RANGE_MASS = {1e-12, 1e9, "kg"};

/* ---- geometry ---- */

status scene_reader_set_size(scene_reader *r, const json_node *node, scene_file_object *o,
                             size_t nodes, size_t triangles)
{
    if (nodes > MOST_NODES || r->nodes + nodes > MOST_NODES_IN_ALL) {
        return json_refuse(&r->json, node, r->err,
                           "at most %d nodes in an object and %d in all; this makes %zu",
                           MOST_NODES, MOST_NODES_IN_ALL, nodes);
    }
    r->nodes += nodes;
    o->nodes = nodes;
    o->triangle_count = triangles;
    return STATUS_OK;
}

static status make_room(scene_reader *r, scene_file_object *o)
{
    o->positions = scene_reader_push(r, o->nodes, 3 * sizeof *o->positions);
    o->triangles = scene_reader_push(r, o->triangle_count, 3 * sizeof *o->triangles);
    return o->positions && o->triangles ? STATUS_OK : r->err->code;
}

/* Its nodes come last, when the whole file has been checked: a few bytes can ask for millions. */
static status read_grid(scene_reader *r, const json_node *node, scene_file_object *o)
{
    static const char *const keys[] = {"size", "cells", NULL};
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, keys, 0);
    if (result < 0) return result;
    const json_node *size = json_get(node, "size"), *cells = json_get(node, "cells");
    if (!size) return json_refuse_missing(&r->json, node, "size", "width and height in m", r->err);
    if (!cells) return json_refuse_missing(&r->json, node, "cells", "2 whole numbers", r->err);
    grid *g = &o->grid;
    result = json_read_reals(&r->json, size, &scene_range_size, 2, g->size, r->err);
    if (result < 0) return result;
    if (!json_is_array(cells->value) || json_count(cells) != 2) {
        return json_refuse(&r->json, cells, r->err, "a list of 2 whole numbers");
    }
    for (int i = 0; i < 2; i++) {
        int64_t count = 0;
        result = json_read_integer(&r->json, cells + 1 + i, 1, MOST_CELLS, &count, r->err);
        if (result < 0) return result;
        g->cells[i] = (uint32_t)count;
    }
    return scene_reader_set_size(r, cells, o, grid_count_nodes(g), grid_count_triangles(g));
}

status scene_reader_fill_grid(scene_reader *r, scene_file_object *o)
{
    if (o->grid.cells[0] == 0) return STATUS_OK;
    const status result = make_room(r, o);
    if (result < 0) return result;
    grid_fill_positions(&o->grid, o->positions);
    grid_fill_triangles(&o->grid, o->triangles);
    return STATUS_OK;
}

static status copy_mesh(scene_reader *r, const json_node *node, const obj_mesh *mesh,
                        scene_file_object *o)
{
    const size_t nodes = mesh->positions.count, triangles = mesh->triangles.count;
    status result = scene_reader_set_size(r, node, o, nodes, triangles);
    if (result >= 0) result = make_room(r, o);
    if (result < 0) return result;
    memcpy(o->positions, mesh->positions.data, nodes * mesh->positions.item_size);
    if (triangles) {
        memcpy(o->triangles, mesh->triangles.data, triangles * mesh->triangles.item_size);
    }
    r->file->hash = XXH3_64bits_withSeed(&mesh->hash, sizeof mesh->hash, r->file->hash);
    return STATUS_OK;
}

status scene_reader_read_mesh(scene_reader *r, const json_node *node, scene_file_object *o)
{
    const char *name = NULL;
    status result = json_read_string(&r->json, node, &name, r->err);
    if (result < 0) return result;
    o->mesh_path = scene_file_resolve(r->file, name);
    if (!o->mesh_path) return error_out_of_memory(r->err, name);
    obj_mesh mesh;
    result = obj_read(&mesh, &r->file->memory, o->mesh_path, r->err);
    if (result == STATUS_OUT_OF_MEMORY) return result;
    if (result < 0) return json_refuse_nested(&r->json, node, r->err);
    result = copy_mesh(r, node, &mesh, o);
    obj_mesh_destroy(&mesh);
    return result;
}

static status read_points(scene_reader *r, const json_node *node, scene_file_object *o)
{
    status result = json_check_list(&r->json, node, "points [x, y, z] in m", r->err);
    if (result >= 0) result = scene_reader_set_size(r, node, o, json_count(node), 0);
    if (result >= 0) result = make_room(r, o);
    if (result < 0) return result;
    double *position = o->positions;
    JSON_FOR_EACH(point, node) {
        result = json_read_reals(&r->json, point, &scene_range_place, 3, position, r->err);
        if (result < 0) return result;
        position += 3;
    }
    return STATUS_OK;
}

static status read_geometry(scene_reader *r, const json_node *object, scene_file_object *o)
{
    static const struct {
        const char *key;
        status (*read)(scene_reader *, const json_node *, scene_file_object *);
    } forms[] = {{"grid", read_grid}, {"mesh", scene_reader_read_mesh}, {"points", read_points}};
    status result = STATUS_OK;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && result >= 0; i++) {
        const json_node *node = json_get(object, forms[i].key);
        if (!node) continue;
        if (o->nodes) {
            return json_refuse(&r->json, node, r->err, "only one of 'grid', 'mesh' and 'points'");
        }
        result = forms[i].read(r, node, o);
    }
    if (result < 0 || o->nodes) return result;
    return json_refuse_missing(&r->json, object, "grid", "one of 'grid', 'mesh' and 'points'",
                               r->err);
}

/* ---- masses, pins ---- */

/* One mass for every node, or a list of them. */
static status read_masses(scene_reader *r, const json_node *object, scene_file_object *o)
{
    const json_node *node = json_get(object, "mass");
    if (!node) {
        if (!json_get(object, "points")) return STATUS_OK;
        return json_refuse_missing(&r->json, object, "mass",
                                   "the mass of each of the points in kg: a number or a list",
                                   r->err);
    }
    o->masses = scene_reader_push(r, o->nodes, sizeof *o->masses);
    if (!o->masses) return r->err->code;
    if (json_is_array(node->value)) {
        return json_read_reals(&r->json, node, &RANGE_MASS, o->nodes, o->masses, r->err);
    }
    double mass = 0.0;
    const status result = json_read_real(&r->json, node, &RANGE_MASS, &mass, r->err);
    for (size_t i = 0; i < o->nodes; i++) o->masses[i] = mass;
    return result;
}

static status read_pin_list(scene_reader *r, const json_node *node, scene_file_object *o)
{
    const status filled = json_check_list(&r->json, node, "node indices, or \"all\"", r->err);
    if (filled < 0) return filled;
    o->pins = scene_reader_push(r, json_count(node), sizeof *o->pins);
    if (!o->pins) return r->err->code;
    JSON_FOR_EACH(item, node) {
        int64_t index = 0;
        const status result =
            json_read_integer(&r->json, item, 0, (int64_t)o->nodes - 1, &index, r->err);
        if (result < 0) return result;
        o->pins[o->pin_count++] = (uint32_t)index;
    }
    return STATUS_OK;
}

static status read_pins(scene_reader *r, const json_node *object, scene_file_object *o)
{
    const json_node *node = json_get(object, "pins");
    if (!node) {
        const json_node *moved = json_get(object, "motion");
        if (!moved) return STATUS_OK;
        return json_refuse(&r->json, moved, r->err, "'pins' too: a cloth's motion moves those");
    }
    const char *word = json_string_value(node->value);
    if (!word || strcmp(word, "all") != 0) return read_pin_list(r, node, o);
    o->pins = scene_reader_push(r, o->nodes, sizeof *o->pins);
    if (!o->pins) return r->err->code;
    o->pin_count = o->nodes;
    for (size_t i = 0; i < o->nodes; i++) o->pins[i] = (uint32_t)i;
    return STATUS_OK;
}

status scene_reader_read_cloth(scene_reader *r, const json_node *object, scene_file_object *o)
{
    static const char *const keys[] = {"name",     "kind", "grid",     "mesh", "points", "position",
                                       "rotation", "mass", "velocity", "pins", "motion", NULL};
    status result = scene_reader_check_keys(r, object, keys, KIND_CLOTH);
    if (result >= 0) result = read_geometry(r, object, o);
    if (result >= 0) result = read_masses(r, object, o);
    if (result >= 0) result = read_pins(r, object, o);
    const json_node *velocity = json_get(object, "velocity");
    if (!velocity || result < 0) return result;
    return scene_reader_read_v3(r, velocity, &RANGE_VELOCITY, &o->velocity);
}
