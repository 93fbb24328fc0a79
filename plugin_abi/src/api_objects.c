/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects: created from descriptors, listed, destroyed.
 */
#include "entries.h"
#include "guard.h"
#include "sampled_field.h"
#include "structs.h"

#include <inttypes.h>
#include <string.h>

/* ---- objects ---- */

static status unsupported(const char *what, error *err)
{
    return error_set(err, STATUS_UNSUPPORTED, "this version does not have %s yet", what);
}

static status make_cloth(scene *s, const stn_cloth_desc *given, uint64_t *id, error *err)
{
    stn_cloth_desc desc;
    status st = struct_take(given, &desc, sizeof desc, "desc", err);
    if (st < 0) return st;
    if (desc.flags) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "stn_cloth_desc.flags is %" PRIu32 "; there are no flags yet", desc.flags);
    }
    if (desc.uvs) return unsupported("rest shapes from UVs; leave stn_cloth_desc.uvs NULL", err);
    if (desc.seams) return unsupported("seams; leave stn_cloth_desc.seams NULL", err);
    cloth_source source = {.name = desc.name};
    st = struct_take_view(desc.positions, "positions", &source.positions, err);
    if (st >= 0) st = struct_take_view(desc.triangles, "triangles", &source.triangles, err);
    if (st >= 0) st = struct_take_view(desc.velocities, "velocities", &source.velocities, err);
    if (st >= 0) st = struct_take_view(desc.masses, "masses", &source.masses, err);
    if (st >= 0) {
        st = struct_take_view(desc.rest_positions, "rest_positions", &source.rest_positions, err);
    }
    return st < 0 ? st : scene_add_cloth(s, &source, id, err);
}

static status make_collider(scene *s, const stn_collider_desc *given, uint64_t *id, error *err)
{
    stn_collider_desc desc;
    status st = struct_take(given, &desc, sizeof desc, "desc", err);
    if (st < 0) return st;
    collider_source source = {.name = desc.name, .shape = desc.shape};
    memcpy(source.size, desc.size, sizeof source.size);
    st = api_read_pose(desc.pose, &source.at, err);
    if (st >= 0) st = struct_take_view(desc.positions, "positions", &source.positions, err);
    if (st >= 0) st = struct_take_view(desc.triangles, "triangles", &source.triangles, err);
    return st < 0 ? st : scene_add_collider(s, &source, id, err);
}

stn_status api_cloth_create(stn_scene *s, const stn_cloth_desc *desc, stn_id *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(out, "out", &s->err);
    if (st < 0) return guard_leave(s, st);
    *out = 0;
    return guard_leave(s, make_cloth(s->core, desc, out, &s->err));
}

stn_status api_collider_create(stn_scene *s, const stn_collider_desc *desc, stn_id *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(out, "out", &s->err);
    if (st < 0) return guard_leave(s, st);
    *out = 0;
    return guard_leave(s, make_collider(s->core, desc, out, &s->err));
}

static status make_hair(scene *s, const stn_hair_desc *given, uint64_t *id, error *err)
{
    stn_hair_desc desc;
    status st = struct_take(given, &desc, sizeof desc, "desc", err);
    if (st < 0) return st;
    if (desc.model) return unsupported("models to choose; leave stn_hair_desc.model 0", err);
    hair_source source = {.name = desc.name, .surface = desc.surface};
    const struct {
        const stn_view *from;
        const char *what;
        view *to;
    } views[] = {
        {desc.points, "points", &source.points},
        {desc.strand_sizes, "strand_sizes", &source.strand_sizes},
        {desc.rest_points, "rest_points", &source.rest_points},
        {desc.root_rotations, "root_rotations", &source.root_rotations},
        {desc.root_triangles, "root_triangles", &source.root_triangles},
        {desc.root_barycentrics, "root_barycentrics", &source.root_barycentrics},
        {desc.guides, "guides", &source.guides},
    };
    for (size_t i = 0; i < sizeof views / sizeof *views && st >= 0; i++) {
        st = struct_take_view(views[i].from, views[i].what, views[i].to, err);
    }
    return st < 0 ? st : scene_add_hair(s, &source, id, err);
}

stn_status api_hair_create(stn_scene *s, const stn_hair_desc *desc, stn_id *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(out, "out", &s->err);
    if (st < 0) return guard_leave(s, st);
    *out = 0;
    return guard_leave(s, make_hair(s->core, desc, out, &s->err));
}

/* A function for one sample becomes a field for many. */
static status adapt_function(const stn_force_desc *desc, const allocator *from,
                             force_source *source, error *err)
{
    const char *name = desc->name && desc->name[0] ? desc->name : "of no name";
    if (!desc->signature || !desc->function || desc->field) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "force '%.63s': a custom force needs a field, or a signature and a "
                         "function, not both",
                         name);
    }
    sampled_field *field = NULL;
    const status st =
        sampled_field_create(from, desc->signature, desc->function, desc->field_user, &field, err);
    if (st < 0) {
        const error inner = *err;
        return error_set(err, st, "force '%.63s': %s", name, inner.text);
    }
    source->field = sampled_field_call;
    source->field_user = field;
    source->drop = sampled_field_destroy;
    return STATUS_OK;
}

static status make_force(stn_scene *s, const stn_force_desc *given, uint64_t *id, error *err)
{
    stn_force_desc desc;
    status st = struct_take(given, &desc, sizeof desc, "desc", err);
    if (st >= 0) st = struct_check_reserved(desc.reserved, "desc", err);
    if (st < 0) return st;
    force_source source = {.name = desc.name,
                           .type = desc.type,
                           .field = desc.field,
                           .field_user = desc.field_user,
                           .per = desc.per};
    st = api_read_pose(desc.pose, &source.at, err);
    if (st >= 0 && (desc.signature || desc.function)) {
        st = adapt_function(&desc, &s->memory, &source, err);
    }
    if (st < 0) return st;
    st = scene_add_force(s->core, &source, id, err);
    if (st < 0 && source.drop) source.drop(source.field_user);
    return st;
}

stn_status api_force_create(stn_scene *s, const stn_force_desc *desc, stn_id *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(out, "out", &s->err);
    if (st < 0) return guard_leave(s, st);
    *out = 0;
    return guard_leave(s, make_force(s, desc, out, &s->err));
}

/* Declared, not built: checks what can be checked and says so. */
static stn_status refuse_creation(stn_scene *s, const void *desc, stn_id *out, const char *what)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(desc, "desc", &s->err);
    if (st >= 0) st = struct_require(out, "out", &s->err);
    if (out) *out = 0;
    return guard_leave(s, st < 0 ? st : unsupported(what, &s->err));
}

stn_status api_rigid_create(stn_scene *s, const stn_rigid_desc *desc, stn_id *out)
{
    return refuse_creation(s, desc, out, "rigid bodies; colliders move as you pose them");
}

stn_status api_object_destroy(stn_scene *s, stn_id object)
{
    const status st = guard_enter(s);
    return st < 0 ? st : guard_leave(s, scene_remove_object(s->core, object, &s->err));
}

static status list_objects(const scene *s, stn_id *ids, uint64_t capacity, uint64_t *count,
                           error *err)
{
    const status st = struct_require(count, "count", err);
    if (st < 0) return st;
    *count = scene_object_count(s);
    if (!ids) return STATUS_OK;
    if (capacity < *count) {
        return error_set(err, STATUS_BUFFER_TOO_SMALL,
                         "the scene has %" PRIu64 " objects, the array holds %" PRIu64, *count,
                         capacity);
    }
    for (size_t i = 0; i < *count; i++) ids[i] = scene_object_id(s, i);
    return STATUS_OK;
}

stn_status api_object_list(stn_scene *s, stn_id *ids, uint64_t capacity, uint64_t *count)
{
    const status st = guard_enter(s);
    return st < 0 ? st : guard_leave(s, list_objects(s->core, ids, capacity, count, &s->err));
}

stn_status api_object_find(stn_scene *s, const char *name, stn_id *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(out, "out", &s->err);
    if (st >= 0) *out = 0;
    if (st >= 0) st = struct_require(name, "name", &s->err);
    if (st >= 0) st = scene_find_object(s->core, name, out, &s->err);
    return guard_leave(s, st);
}

stn_status api_object_info(stn_scene *s, stn_id object, stn_object_info *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    object_info info;
    st = scene_get_object_info(s->core, object, &info, &s->err);
    if (st < 0) return guard_leave(s, st);
    stn_object_info full = {.kind = info.kind,
                            .id = info.id,
                            .name = info.name,
                            .nodes = info.nodes,
                            .triangles = info.triangles,
                            .strands = info.strands,
                            .shape = info.shape};
    memcpy(full.size, info.size, sizeof full.size);
    return guard_leave(s, STRUCT_GIVE(out, &full, &s->err));
}
