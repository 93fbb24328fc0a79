/* SPDX-License-Identifier: Apache-2.0
 *
 * What a collider is made of: sizes within reason, meshes with valid triangles.
 *
 * A mesh that is not as it should be is taken for what it is where that has a meaning, and the log
 * says so: triangles without area are skipped, a mesh that is not closed has two sides, a closed
 * one that is inside out is solid around a hollow.
 */
#include "scene/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- convex shapes ---- */

static status check_size(const object *o, double size, const char *what, bool may_be_zero,
                         error *err)
{
    if (size <= SCENE_FARTHEST && (may_be_zero ? size >= 0.0 : size > 0.0)) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "collider '%s': the %s is %g m, expected %s and at most 1e9", o->name, what,
                     size, may_be_zero ? "at least 0" : "more than 0");
}

static status read_sphere(object *o, const double size[3], error *err)
{
    o->shape = (collide_shape){.kind = COLLIDE_SPHERE, .radius = size[0]};
    o->size[0] = size[0];
    return check_size(o, size[0], "radius", false, err);
}

static status read_capsule(object *o, const double size[3], error *err)
{
    o->shape =
        (collide_shape){.kind = COLLIDE_CAPSULE, .radius = size[0], .half = {0.0, 0.0, size[1]}};
    memcpy(o->size, size, 2 * sizeof *size);
    const status st = check_size(o, size[0], "radius", false, err);
    return st < 0 ? st : check_size(o, size[1], "half length", true, err);
}

static status read_box(object *o, const double size[3], error *err)
{
    o->shape = (collide_shape){.kind = COLLIDE_BOX, .half = v3_load(size)};
    memcpy(o->size, size, 3 * sizeof *size);
    status st = STATUS_OK;
    for (int k = 0; k < 3 && st >= 0; k++) st = check_size(o, size[k], "half extent", false, err);
    return st;
}

/* ---- meshes ---- */

static status check_counts(const object *o, const collider_source *source, error *err)
{
    const size_t vertices = source->positions.data ? source->positions.count : 0;
    const size_t triangles = source->triangles.data ? source->triangles.count : 0;
    if (vertices == 0 || triangles == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "collider '%s': a mesh with %zu vertices and %zu triangles, expected at "
                         "least one triangle",
                         o->name, vertices, triangles);
    }
    if (vertices > UINT32_MAX / 4 || triangles > UINT32_MAX / 4) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "collider '%s': %zu vertices and %zu triangles are more than %u", o->name,
                         vertices, triangles, UINT32_MAX / 4);
    }
    return STATUS_OK;
}

status collider_check_positions(const char *what, const double *x, size_t vertices, error *err)
{
    for (size_t i = 0; i < vertices; i++) {
        const v3 at = v3_load(x + 3 * i);
        if (v3_norm(at) <= SCENE_FARTHEST) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: vertex %zu is at (%g, %g, %g), expected at most 1e9 m", what, i, at.x,
                         at.y, at.z);
    }
    return STATUS_OK;
}

static void log_what_is_odd(const scene *s, const object *o, const double *positions)
{
    const log_sink *log = &s->config.log;
    size_t first = 0;
    const size_t flat = collide_mesh_count_degenerate(&o->mesh, positions, &first);
    if (flat > 0) {
        log_write(log, LOG_WARNING,
                  "collider '%s': %zu of %" PRIu32 " triangles have no area and are skipped, the "
                  "first is triangle %zu",
                  o->name, flat, o->mesh.triangles, first);
    }
    if (!o->mesh.closed) {
        log_write(log, LOG_INFO,
                  "collider '%s': the mesh is not closed, so both of its sides hold things off",
                  o->name);
    } else if (collide_mesh_volume(&o->mesh, positions) < 0.0) {
        log_write(
            log, LOG_WARNING,
            "collider '%s': the mesh is inside out: solid around a hollow; turn the triangles "
            "over if it should be a body",
            o->name);
    }
}

static status read_mesh(scene *s, object *o, const collider_source *source, double **positions,
                        error *err)
{
    char what[2 * NAME_SIZE];
    status st = check_counts(o, source, err);
    if (st < 0) return st;
    const size_t vertices = source->positions.count, triangles = source->triangles.count;
    double *x = arena_push(&s->scratch, 3 * vertices * sizeof *x);
    if (!x) return error_out_of_memory(err, "a mesh");
    snprintf(what, sizeof what, "collider '%s': positions", o->name);
    st = view_read_reals(&source->positions, what, vertices, 3, x, err);
    if (st >= 0) st = collider_check_positions(what, x, vertices, err);
    if (st >= 0) st = collide_mesh_init(&o->mesh, &s->config.memory, vertices, triangles, err);
    if (st < 0) return st;
    snprintf(what, sizeof what, "collider '%s': triangles", o->name);
    st = view_read_indices(&source->triangles, what, triangles, 3, vertices, o->mesh.corner, err);
    if (st >= 0) st = collide_mesh_connect(&o->mesh, x, err);
    if (st < 0) return st;
    o->shape = (collide_shape){.kind = COLLIDE_MESH};
    *positions = x;
    log_what_is_odd(s, o, x);
    return STATUS_OK;
}

/* ---- any ---- */

status collider_read_shape(scene *s, object *o, const collider_source *source, double **positions,
                           error *err)
{
    o->public_shape = source->shape;
    if (source->shape != SHAPE_MESH && (source->positions.data || source->triangles.data)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "collider '%s': positions and triangles are for meshes alone", o->name);
    }
    switch (source->shape) {
    case SHAPE_PLANE: o->shape = (collide_shape){.kind = COLLIDE_PLANE}; return STATUS_OK;
    case SHAPE_SPHERE: return read_sphere(o, source->size, err);
    case SHAPE_CAPSULE: return read_capsule(o, source->size, err);
    case SHAPE_BOX: return read_box(o, source->size, err);
    case SHAPE_MESH: return read_mesh(s, o, source, positions, err);
    default:
        return error_set(err, STATUS_INVALID_ARGUMENT, "collider '%s': there is no shape %" PRIu32,
                         o->name, source->shape);
    }
}
