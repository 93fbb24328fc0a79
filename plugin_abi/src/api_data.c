/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, arrays and poses.
 */
#include "entries.h"
#include "guard.h"
#include "math/f32_bridge.h"
#include "scene/arrays.h"
#include "scene/parameters.h"
#include "structs.h"

#include <inttypes.h>
#include <string.h>

/* ---- parameters ---- */

uint64_t api_parameter_count(void) { return PARAMETER_ROWS; }

stn_status api_parameter_info(uint64_t index, stn_parameter_info *out)
{
    error *err = guard_thread_error();
    if (index >= PARAMETER_ROWS) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "parameter %" PRIu64 " of %d; expected a smaller index", index,
                         PARAMETER_ROWS);
    }
    const parameter_row *row = &parameter_table[index];
    stn_parameter_info full = {.type = row->type,
                               .name = row->name,
                               .label = row->label,
                               .unit = row->unit,
                               .doc = row->doc,
                               .kinds = row->kinds,
                               .flags = row->flags,
                               .components = row->components,
                               .minimum = row->minimum,
                               .maximum = row->maximum,
                               .soft_minimum = row->soft_minimum,
                               .soft_maximum = row->soft_maximum};
    memcpy(full.default_value, row->initial, sizeof full.default_value);
    return STRUCT_GIVE(out, &full, err);
}

stn_status api_parameter_set(stn_scene *s, stn_id object, const char *name, const double *values,
                             uint64_t count)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(name, "name", &s->err);
    if (st >= 0) st = struct_require(values, "values", &s->err);
    if (st >= 0) st = scene_set_parameter(s->core, object, name, values, (size_t)count, &s->err);
    return guard_leave(s, st);
}

stn_status api_parameter_get(stn_scene *s, stn_id object, const char *name, double *values,
                             uint64_t count)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(name, "name", &s->err);
    if (st >= 0) st = struct_require(values, "values", &s->err);
    if (st >= 0) st = scene_get_parameter(s->core, object, name, values, (size_t)count, &s->err);
    return guard_leave(s, st);
}

/* ---- arrays ---- */

uint64_t api_array_count(void) { return ARRAY_ROWS; }

stn_status api_array_info(uint64_t index, stn_array_info *out)
{
    error *err = guard_thread_error();
    if (index >= ARRAY_ROWS) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "array %" PRIu64 " of %d; expected a smaller index", index, ARRAY_ROWS);
    }
    const array_row *row = &array_table[index];
    const stn_array_info full = {.kinds = row->kinds,
                                 .name = row->name,
                                 .unit = row->unit,
                                 .doc = row->doc,
                                 .components = row->components,
                                 .flags = row->flags,
                                 .element = row->element};
    return STRUCT_GIVE(out, &full, err);
}

stn_status api_array_set(stn_scene *s, stn_id object, const char *name, const stn_view *values)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    view v;
    st = struct_require(name, "name", &s->err);
    if (st >= 0) st = struct_require(values, "values", &s->err);
    if (st >= 0) st = struct_take_view(values, "values", &v, &s->err);
    if (st >= 0) st = scene_set_array(s->core, object, name, &v, &s->err);
    return guard_leave(s, st);
}

stn_status api_array_set_at(stn_scene *s, stn_id object, const char *name, const stn_view *indices,
                            const stn_view *values)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    view at, v;
    st = struct_require(name, "name", &s->err);
    if (st >= 0) st = struct_require(indices, "indices", &s->err);
    if (st >= 0) st = struct_require(values, "values", &s->err);
    if (st >= 0) st = struct_take_view(indices, "indices", &at, &s->err);
    if (st >= 0) st = struct_take_view(values, "values", &v, &s->err);
    if (st >= 0) st = scene_set_array_at(s->core, object, name, &at, &v, &s->err);
    return guard_leave(s, st);
}

stn_status api_array_get(stn_scene *s, stn_id object, const char *name, const stn_mut_view *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    mut_view v;
    st = struct_require(name, "name", &s->err);
    if (st >= 0) st = struct_take_mut_view(out, "out", &v, &s->err);
    if (st >= 0) st = scene_get_array(s->core, object, name, &v, &s->err);
    return guard_leave(s, st);
}

/* ---- poses ---- */

status api_read_pose(const stn_pose *given, pose *out, error *err)
{
    *out = pose_identity();
    if (!given) return STATUS_OK;
    stn_pose p;
    status st = struct_take(given, &p, sizeof p, "pose", err);
    if (st >= 0) st = struct_check_reserved(p.reserved, "pose", err);
    if (st < 0) return st;
    const double *q = p.rotation;
    out->position = v3_load(p.position);
    const bool none = q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0;
    if (!none) out->rotation = (quat){q[0], q[1], q[2], q[3]};
    return STATUS_OK;
}

static stn_pose public_pose(const pose *p)
{
    stn_pose full = {.struct_size = sizeof full,
                     .rotation = {p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z}};
    v3_store(full.position, p->position);
    return full;
}

stn_status api_pose_set(stn_scene *s, stn_id object, const stn_pose *given, uint32_t flags)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    pose p;
    st = struct_require(given, "pose", &s->err);
    if (st >= 0 && (flags & ~STN_POSE_JUMP)) {
        st = error_set(&s->err, STATUS_INVALID_ARGUMENT, "pose_set: unknown flags %" PRIu32, flags);
    }
    if (st >= 0) st = api_read_pose(given, &p, &s->err);
    if (st >= 0) st = scene_set_pose(s->core, object, &p, flags & STN_POSE_JUMP, &s->err);
    return guard_leave(s, st);
}

stn_status api_pose_get(stn_scene *s, stn_id object, stn_pose *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    pose p;
    st = scene_get_pose(s->core, object, &p, &s->err);
    if (st < 0) return guard_leave(s, st);
    const stn_pose full = public_pose(&p);
    return guard_leave(s, STRUCT_GIVE(out, &full, &s->err));
}

stn_status api_pose_from_matrix(const float *matrix, stn_pose *out)
{
    error *err = guard_thread_error();
    const status st = struct_require(matrix, "matrix", err);
    if (st < 0) return st;
    pose p;
    const char *why = "";
    if (!f32_pose_from_matrix(matrix, &p, &why)) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "the matrix is not a rigid pose: %s", why);
    }
    const stn_pose full = public_pose(&p);
    return STRUCT_GIVE(out, &full, err);
}
