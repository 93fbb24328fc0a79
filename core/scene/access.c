/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, arrays and poses: the host's way into objects, checked against the tables.
 */
#include "scene/arrays.h"
#include "scene/hair_maps.h"
#include "scene/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- parameters ---- */

typedef struct parameter_place {
    object *o; /* NULL: the scene itself */
    double *value;
    const parameter_row *row;
} parameter_place;

static status parameter_locate(const scene *s, uint64_t id, const char *name, parameter_place *out,
                               error *err)
{
    object *o = NULL;
    if (id && !(o = scene_require(s, id, UINT32_MAX, name, err))) return err->code;
    const uint32_t kind = o ? o->kind : KIND_SCENE;
    const char *owner = o ? o->name : "scene";
    const int row = parameter_find(name);
    if (row < 0) {
        const char *near = parameter_suggest(name, kind);
        return error_set(err, STATUS_UNKNOWN_NAME, "'%s': unknown parameter '%s'%s%s%s", owner,
                         name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (!(parameter_table[row].kinds & kind)) {
        return error_set(err, STATUS_WRONG_KIND, "'%s' has no parameter '%s'", owner, name);
    }
    parameter_values *values = o ? &o->parameters : (parameter_values *)&s->parameters;
    *out = (parameter_place){o, values->value[row], &parameter_table[row]};
    return STATUS_OK;
}

static status parameter_check(const parameter_place *at, const double *values, size_t count,
                              error *err)
{
    const parameter_row *row = at->row;
    const char *owner = at->o ? at->o->name : "scene";
    if (count != row->components) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s': parameter '%s' has %" PRIu32 " components, not %zu", owner,
                         row->name, row->components, count);
    }
    for (size_t i = 0; i < count; i++) {
        const bool fits = values[i] >= row->minimum && values[i] <= row->maximum;
        const bool whole = row->type != PARAMETER_INTEGER || values[i] == floor(values[i]);
        if (fits && whole) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s': parameter '%s' is %g, expected a %s from %g to %g%s%s", owner,
                         row->name, values[i],
                         row->type == PARAMETER_INTEGER ? "whole number" : "number", row->minimum,
                         row->maximum, row->unit[0] ? " " : "", row->unit);
    }
    return STATUS_OK;
}

status scene_set_parameter(scene *s, uint64_t id, const char *name, const double *values,
                           size_t count, error *err)
{
    parameter_place at = {0};
    status st = parameter_locate(s, id, name, &at, err);
    if (st >= 0) st = parameter_check(&at, values, count, err);
    if (st < 0) return st;
    double before[3];
    memcpy(before, at.value, sizeof before);
    memcpy(at.value, values, count * sizeof *values);
    if (at.row == &parameter_table[P_DENSITY]) cloth_set_density(&at.o->cloth, values[0]);
    const bool same = memcmp(before, at.value, count * sizeof *values) == 0;
    if (!at.o || same) return STATUS_OK;
    if (at.o->kind == KIND_HAIR) {
        st = hair_change_parameter(s, at.o, (int)(at.row - parameter_table), err);
    } else if (at.o->kind == KIND_CLOTH) {
        st = elastic_change_parameters(s, at.o, err);
    }
    if (st < 0) memcpy(at.value, before, sizeof before);
    return st;
}

status scene_get_parameter(const scene *s, uint64_t id, const char *name, double *values,
                           size_t count, error *err)
{
    parameter_place at = {0};
    const status st = parameter_locate(s, id, name, &at, err);
    if (st < 0) return st;
    if (count != at.row->components) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "parameter '%s' has %" PRIu32 " components, not %zu", name,
                         at.row->components, count);
    }
    memcpy(values, at.value, count * sizeof *values);
    return STATUS_OK;
}

/* ---- arrays ---- */

typedef struct array_place {
    object *o;
    int row;
    size_t count;
    double *data;   /* NULL for what is made of indices */
    char what[160]; /* "cloth 'shawl': position" */
} array_place;

static double *mesh_data(const scene *s, const object *o, int row)
{
    switch (row) {
    case A_POSITION: return mesh_positions_in(o, s->state.motion[0]);
    case A_TARGET: return mesh_targets_in(o, s->state.input);
    default: return NULL;
    }
}

static double *array_data(const scene *s, const object *o, int row)
{
    if (o->kind == KIND_COLLIDER) return mesh_data(s, o, row);
    if (o->kind == KIND_HAIR) return hair_array_data(s, o, row);
    const cloth_state state = cloth_state_in(o, s->state.motion[0]);
    const cloth_input input = cloth_input_in(o, s->state.input);
    switch (row) {
    case A_POSITION: return state.x;
    case A_VELOCITY: return state.v;
    case A_MASS: return o->cloth.mass;
    case A_PIN: return input.pin;
    case A_TARGET: return input.target;
    case A_CONTACT_FORCE: return state.force;
    case A_CONTACT_STATE: return state.contact;
    default: return NULL;
    }
}

static size_t array_count(const object *o, uint32_t element)
{
    if (element == ELEMENT_TRIANGLE) return o->cloth.triangles + o->mesh.triangles;
    if (element == ELEMENT_STRAND) return hair_strand_count(o);
    return o->kind == KIND_HAIR ? hair_point_count(o) : o->cloth.nodes + o->mesh.vertices;
}

static status array_locate(const scene *s, uint64_t id, const char *name, uint32_t access,
                           array_place *out, error *err)
{
    const int row = array_find_row(name);
    if (row < 0) {
        const char *near = array_suggest_row(name);
        return error_set(err, STATUS_UNKNOWN_NAME, "unknown array '%s'%s%s%s", name,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    char what[80];
    snprintf(what, sizeof what, "array '%s'", name);
    object *o = scene_require(s, id, array_table[row].kinds, what, err);
    if (!o) return err->code;
    if (!(array_table[row].flags & access)) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "'%s': array '%s' can only be read", o->name,
                         name);
    }
    const bool is_mesh = o->kind == KIND_COLLIDER;
    if (is_mesh && !o->mesh.vertices) {
        return error_set(err, STATUS_WRONG_KIND,
                         "collider '%s' has no %s: of colliders only meshes do", o->name, what);
    }
    *out = (array_place){.o = o,
                         .row = row,
                         .count = array_count(o, array_table[row].element),
                         .data = array_data(s, o, row)};
    snprintf(out->what, sizeof out->what, "%s '%s': %s",
             o->kind == KIND_HAIR ? "hair"
             : is_mesh            ? "collider"
                                  : "cloth",
             o->name, name);
    if (o->kind != KIND_HAIR) return STATUS_OK;
    return hair_check_array(s, o, row, access == ARRAY_WRITE, err);
}

static status array_check_values(const array_place *at, double *values, error *err)
{
    if (at->row == A_ROOT_POSITION) {
        return collider_check_positions(at->what, values, at->count, err);
    }
    if (at->row == A_ROOT_ROTATION) return hair_check_rotations(values, at->count, at->what, err);
    for (size_t i = 0; i < at->count; i++) {
        if (at->row == A_MASS && !(values[i] > 0.0)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "%s: node %zu has %g kg, expected more than 0", at->what, i,
                             values[i]);
        }
        if (at->row == A_PIN && values[i] != 0.0 && values[i] != 1.0) {
            return error_set(err, STATUS_UNSUPPORTED,
                             "%s: node %zu has the weight %g; this version has 0 (free) and 1 "
                             "(pinned)",
                             at->what, i, values[i]);
        }
    }
    return STATUS_OK;
}

/* A node that is newly pinned stays where it is until it gets a target. */
static void pin_newly(const scene *s, const object *o, const double *pin)
{
    const cloth_input input = cloth_input_in(o, s->state.input);
    const double *x = cloth_state_in(o, s->state.motion[0]).x;
    for (size_t i = 0; i < o->cloth.nodes; i++) {
        if (pin[i] == 0.0 || input.pin[i] != 0.0) continue;
        memcpy(&input.target[3 * i], &x[3 * i], 3 * sizeof *x);
    }
}

static status array_commit(scene *s, const array_place *at, double *values, error *err)
{
    const bool is_mesh = at->o->kind == KIND_COLLIDER;
    const status st = is_mesh ? collider_check_positions(at->what, values, at->count, err)
                              : array_check_values(at, values, err);
    if (st < 0) return st;
    const size_t numbers = at->count * array_table[at->row].components;
    if (hair_map_of_array(at->row) >= 0) {
        return hair_set_map(s, at->o, at->row, values, at->count, at->what, err);
    }
    if (is_mesh && at->row == A_POSITION) {
        const status jumped = hair_jump_with(s, at->o, NULL, values, err);
        if (jumped < 0) return jumped;
    }
    if (is_mesh) { /* a vertex that is put somewhere stays there until it gets a target */
        memcpy(mesh_targets_in(at->o, s->state.input), values, 3 * at->count * sizeof *values);
    }
    if (at->row == A_PIN) pin_newly(s, at->o, values);
    if (at->row == A_MASS) at->o->cloth.mass_is_given = true;
    memcpy(at->data, values, numbers * sizeof *values);
    return STATUS_OK;
}

status scene_set_array(scene *s, uint64_t id, const char *name, const view *values, error *err)
{
    array_place at = {0};
    status st = array_locate(s, id, name, ARRAY_WRITE, &at, err);
    if (st < 0) return st;
    const uint32_t components = array_table[at.row].components;
    const arena_mark mark = arena_get_mark(&s->scratch);
    double *work = arena_push(&s->scratch, at.count * components * sizeof *work);
    st = work ? view_read_reals(values, at.what, at.count, components, work, err)
              : error_out_of_memory(err, "an array");
    if (st >= 0) st = array_commit(s, &at, work, err);
    arena_release(&s->scratch, mark);
    return st;
}

/* Overwrites the named elements of `work`, a copy of the whole array. */
static status array_merge(arena *scratch, const array_place *at, const view *indices,
                          const view *values, double *work, error *err)
{
    const uint32_t components = array_table[at->row].components;
    const size_t count = indices->count;
    const size_t given = values->count == 1 ? 1 : count;
    uint32_t *index = arena_push(scratch, memory_size(count, sizeof *index));
    double *value = arena_push(scratch, memory_size(given, components * sizeof *value));
    if (!index || !value) return error_out_of_memory(err, "an array");
    status st = view_read_indices(indices, at->what, count, 1, at->count, index, err);
    if (st >= 0) st = view_read_reals(values, at->what, given, components, value, err);
    if (st < 0) return st;
    for (size_t i = 0; i < count; i++) {
        const double *from = given == 1 ? value : value + i * components;
        memcpy(work + index[i] * components, from, components * sizeof *work);
    }
    return STATUS_OK;
}

status scene_set_array_at(scene *s, uint64_t id, const char *name, const view *indices,
                          const view *values, error *err)
{
    array_place at = {0};
    status st = array_locate(s, id, name, ARRAY_WRITE, &at, err);
    if (st < 0) return st;
    const size_t size = at.count * array_table[at.row].components * sizeof(double);
    const arena_mark mark = arena_get_mark(&s->scratch);
    double *work = arena_push(&s->scratch, size);
    if (work) {
        memcpy(work, at.data, size);
        st = array_merge(&s->scratch, &at, indices, values, work, err);
    } else {
        st = error_out_of_memory(err, "an array");
    }
    if (st >= 0) st = array_commit(s, &at, work, err);
    arena_release(&s->scratch, mark);
    return st;
}

status scene_get_array(const scene *s, uint64_t id, const char *name, const mut_view *out,
                       error *err)
{
    array_place at = {0};
    const status st = array_locate(s, id, name, ARRAY_READ, &at, err);
    if (st < 0) return st;
    const uint32_t components = array_table[at.row].components;
    if (at.row == A_TRIANGLE) {
        const uint32_t *corner =
            at.o->kind == KIND_COLLIDER ? at.o->mesh.corner : at.o->cloth.triangle;
        return view_write_indices(out, at.what, at.count, components, corner, err);
    }
    if (at.row == A_STRAND_SIZE) {
        return view_write_indices(out, at.what, at.count, 1, hair_strand_sizes(at.o), err);
    }
    return view_write_reals(out, at.what, at.count, components, at.data, err);
}

/* ---- poses ---- */

#define KINDS_WITH_POSE (KIND_COLLIDER | KIND_FORCE)

status scene_set_pose(scene *s, uint64_t id, const pose *p, bool jump, error *err)
{
    const object *o = scene_require(s, id, KINDS_WITH_POSE, "pose", err);
    if (!o) return err->code;
    pose checked;
    const status st = pose_check(p, o->name, &checked, err);
    if (st < 0) return st;
    if (jump) {
        const status jumped = hair_jump_with(s, o, &checked, NULL, err);
        if (jumped < 0) return jumped;
        pose_store(s->state.motion[0] + o->motion, &checked);
    }
    pose_store(s->state.input + o->input, &checked);
    return STATUS_OK;
}

status scene_get_pose(const scene *s, uint64_t id, pose *out, error *err)
{
    const object *o = scene_require(s, id, KINDS_WITH_POSE, "pose", err);
    if (!o) return err->code;
    *out = pose_load(s->state.motion[0] + o->motion);
    return STATUS_OK;
}
