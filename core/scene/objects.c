/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects come and go: creation from checked sources, names, ids.
 *
 * An object is built whole beside the scene and joins it last, so a failure on the way leaves
 * nothing.
 */
#include "scene/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

object *scene_require(const scene *s, uint64_t id, uint32_t kinds, const char *what, error *err)
{
    object *o = handles_get(&s->ids, id);
    if (!o) {
        error_set(err, STATUS_STALE_ID, "no object has the id %" PRIu64 " (any more)", id);
        return NULL;
    }
    if (!(o->kind & kinds)) {
        error_set(err, STATUS_WRONG_KIND, "object '%s' has no %s", o->name, what);
        return NULL;
    }
    return o;
}

static object *find_by_name(const scene *s, const char *name)
{
    for (size_t i = 0; i < s->objects.count; i++) {
        if (strcmp(scene_object(s, i)->name, name) == 0) return scene_object(s, i);
    }
    return NULL;
}

status object_set_name(const scene *s, object *o, const char *kind, const char *name, error *err)
{
    if (!name || !name[0]) {
        for (uint64_t i = 1;; i++) {
            snprintf(o->name, sizeof o->name, "%s%" PRIu64, kind, i);
            if (!find_by_name(s, o->name)) return STATUS_OK;
        }
    }
    if (strlen(name) >= sizeof o->name) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "the name '%.40s...' is longer than %zu bytes", name, sizeof o->name - 1);
    }
    if (find_by_name(s, name)) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "the scene has an object named '%s' already",
                         name);
    }
    memcpy(o->name, name, strlen(name) + 1);
    return STATUS_OK;
}

object *object_new(const scene *s, uint32_t kind, error *err)
{
    object *o = memory_alloc(&s->config.memory, sizeof *o);
    if (!o) {
        error_out_of_memory(err, "an object");
        return NULL;
    }
    o->kind = kind;
    parameter_values_init(&o->parameters);
    return o;
}

void object_free(const scene *s, object *o)
{
    elastic_free(s, o);
    cloth_destroy(&o->cloth, &s->config.memory);
    collide_mesh_destroy(&o->mesh);
    hair_free(s, o);
    if (o->custom.drop) o->custom.drop(o->custom.user);
    memory_free(&s->config.memory, o, sizeof *o);
}

status object_join(scene *s, object *o, error *err)
{
    if (!array_reserve(&s->objects, s->objects.count + 1) || !(o->id = handles_add(&s->ids, o))) {
        return error_out_of_memory(err, "the list of objects");
    }
    const status laid_out = state_relayout(s, o, NULL, err);
    if (laid_out < 0) {
        handles_remove(&s->ids, o->id);
        return laid_out;
    }
    *(object **)array_push(&s->objects) = o;
    return STATUS_OK;
}

/* ---- cloth ---- */

static status cloth_check_masses(const object *o, error *err)
{
    const cloth *c = &o->cloth;
    const size_t i = cloth_find_bad_mass(c);
    if (i == c->nodes) return STATUS_OK;
    if (c->mass_is_given || c->area[i] > 0.0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "cloth '%s': node %zu has the mass %g kg, expected a finite number more "
                         "than 0",
                         o->name, i, c->mass[i]);
    }
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "cloth '%s': node %zu has no mass because it belongs to no triangle with an "
                     "area; give masses or remove it",
                     o->name, i);
}

static status cloth_read_model(object *o, const cloth_source *source, const double *positions,
                               double *rest, error *err)
{
    cloth *c = &o->cloth;
    char what[2 * NAME_SIZE];
    status st = STATUS_OK;
    if (c->triangles) {
        snprintf(what, sizeof what, "cloth '%s': triangles", o->name);
        st = view_read_indices(&source->triangles, what, c->triangles, 3, c->nodes, c->triangle,
                               err);
        if (st < 0) return st;
    }
    if (source->rest_positions.data) {
        snprintf(what, sizeof what, "cloth '%s': rest positions", o->name);
        st = view_read_reals(&source->rest_positions, what, c->nodes, 3, rest, err);
        if (st < 0) return st;
        positions = rest;
    }
    cloth_set_rest_shape(c, positions);
    if (source->masses.data) {
        snprintf(what, sizeof what, "cloth '%s': masses", o->name);
        st = view_read_reals(&source->masses, what, c->nodes, 1, c->mass, err);
        if (st < 0) return st;
        c->mass_is_given = true;
    }
    cloth_set_density(c, o->parameters.value[P_DENSITY][0]);
    return cloth_check_masses(o, err);
}

static status cloth_check_sizes(const cloth_source *source, const char *name, error *err)
{
    if (!source->positions.data || source->positions.count == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "cloth '%s': no positions; expected at least one node", name);
    }
    if (source->positions.count > UINT32_MAX / 4 || source->triangles.count > UINT32_MAX / 4) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "cloth '%s': %zu nodes and %zu triangles are more than %u", name,
                         source->positions.count, source->triangles.count, UINT32_MAX / 4);
    }
    return STATUS_OK;
}

/* Builds the cloth in `o` and reads its initial motion into x and v. */
static status cloth_build(scene *s, object *o, const cloth_source *source, double *x, double *v,
                          double *rest, error *err)
{
    char what[2 * NAME_SIZE];
    const size_t n = source->positions.count;
    snprintf(what, sizeof what, "cloth '%s': positions", o->name);
    status st = view_read_reals(&source->positions, what, n, 3, x, err);
    if (st < 0) return st;
    for (size_t i = 0; i < 3 * n; i++) v[i] = 0.0;
    if (source->velocities.data) {
        snprintf(what, sizeof what, "cloth '%s': velocities", o->name);
        st = view_read_reals(&source->velocities, what, n, 3, v, err);
        if (st < 0) return st;
    }
    st = cloth_init(&o->cloth, &s->config.memory, n, source->triangles.count, err);
    if (st < 0) return st;
    st = cloth_read_model(o, source, x, rest, err);
    return st < 0 ? st : object_join(s, o, err);
}

status scene_add_cloth(scene *s, const cloth_source *source, uint64_t *id, error *err)
{
    object *o = object_new(s, KIND_CLOTH, err);
    if (!o) return err->code;
    status st = object_set_name(s, o, "cloth", source->name, err);
    if (st >= 0) st = cloth_check_sizes(source, o->name, err);
    if (st < 0) {
        object_free(s, o);
        return st;
    }
    const size_t n = source->positions.count;
    const arena_mark mark = arena_get_mark(&s->scratch);
    double *x = arena_push(&s->scratch, 9 * n * sizeof *x);
    st = x ? cloth_build(s, o, source, x, x + 3 * n, x + 6 * n, err)
           : error_out_of_memory(err, "a cloth");
    if (st >= 0) {
        const cloth_state state = cloth_state_in(o, s->state.motion[0]);
        memcpy(state.x, x, 3 * n * sizeof *x);
        memcpy(state.v, x + 3 * n, 3 * n * sizeof *x);
        memcpy(cloth_input_in(o, s->state.input).target, x, 3 * n * sizeof *x);
        *id = o->id;
    } else {
        object_free(s, o);
    }
    arena_release(&s->scratch, mark);
    return st;
}

/* ---- colliders ---- */

status pose_check(const pose *p, const char *name, pose *checked, error *err)
{
    const quat q = p->rotation;
    if (!(v3_norm(p->position) <= SCENE_FARTHEST)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "object '%s': the position is (%g, %g, %g), expected at most 1e9 m", name,
                         p->position.x, p->position.y, p->position.z);
    }
    const double length = sqrt(quat_dot(q, q));
    if (!(fabs(length - 1.0) <= 1e-3)) {
        return error_set(
            err, STATUS_INVALID_ARGUMENT,
            "object '%s': the rotation (%g, %g, %g, %g) has length %g, expected a unit "
            "quaternion w, x, y, z",
            name, q.w, q.x, q.y, q.z, length);
    }
    *checked = (pose){p->position, quat_normalize(q)};
    return STATUS_OK;
}

status scene_add_collider(scene *s, const collider_source *source, uint64_t *id, error *err)
{
    object *o = object_new(s, KIND_COLLIDER, err);
    if (!o) return err->code;
    pose at;
    double *positions = NULL;
    const arena_mark mark = arena_get_mark(&s->scratch);
    status st = object_set_name(s, o, "collider", source->name, err);
    if (st >= 0) st = pose_check(&source->at, o->name, &at, err);
    if (st >= 0) st = collider_read_shape(s, o, source, &positions, err);
    if (st >= 0) st = object_join(s, o, err);
    if (st >= 0) {
        const size_t size = 3 * (size_t)o->mesh.vertices * sizeof *positions;
        pose_store(s->state.motion[0] + o->motion, &at);
        pose_store(s->state.input + o->input, &at);
        if (size) memcpy(mesh_positions_in(o, s->state.motion[0]), positions, size);
        if (size) memcpy(mesh_targets_in(o, s->state.input), positions, size);
        *id = o->id;
    } else {
        object_free(s, o);
    }
    arena_release(&s->scratch, mark);
    return st;
}

/* ---- going and looking ---- */

status scene_remove_object(scene *s, uint64_t id, error *err)
{
    object *o = scene_require(s, id, UINT32_MAX, "id", err);
    if (!o) return err->code;
    status st = hair_check_surface_is_free(s, o, err);
    if (st >= 0) st = state_relayout(s, NULL, o, err);
    if (st < 0) return st;
    size_t i = 0;
    while (scene_object(s, i) != o) i++;
    array_remove(&s->objects, i);
    handles_remove(&s->ids, id);
    object_free(s, o);
    return STATUS_OK;
}

void scene_remove_all(scene *s)
{
    for (size_t i = 0; i < s->objects.count; i++) object_free(s, scene_object(s, i));
    s->objects.count = 0;
}

size_t scene_object_count(const scene *s) { return s->objects.count; }

uint64_t scene_object_id(const scene *s, size_t i) { return scene_object(s, i)->id; }

status scene_find_object(const scene *s, const char *name, uint64_t *id, error *err)
{
    const object *o = find_by_name(s, name);
    if (!o) return error_set(err, STATUS_UNKNOWN_NAME, "no object is named '%s'", name);
    *id = o->id;
    return STATUS_OK;
}

status scene_get_object_info(const scene *s, uint64_t id, object_info *out, error *err)
{
    const object *o = scene_require(s, id, UINT32_MAX, "id", err);
    if (!o) return err->code;
    *out = (object_info){.id = id,
                         .kind = o->kind,
                         .name = o->name,
                         .nodes = o->hair ? hair_point_count(o) : o->cloth.nodes + o->mesh.vertices,
                         .triangles = o->cloth.triangles + o->mesh.triangles,
                         .strands = o->hair ? hair_strand_count(o) : 0,
                         .shape = o->public_shape};
    memcpy(out->size, o->size, sizeof out->size);
    return STATUS_OK;
}
