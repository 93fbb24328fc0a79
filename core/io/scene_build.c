/* SPDX-License-Identifier: Apache-2.0
 *
 * From a scene file to a scene: built once, animated frame by frame.
 */
#include "io/scene_file.h"
#include "scene/arrays.h"

static status object_error(const scene_file *f, const scene_file_object *o, error *err)
{
    const error inner = *err;
    if (inner.code == STATUS_OUT_OF_MEMORY) return inner.code;
    return error_set(err, inner.code, "%s:%u: %s", f->path, o->line, inner.text);
}

static status apply_settings(const scene_settings *settings, scene *s, uint64_t id, error *err)
{
    status result = STATUS_OK;
    for (size_t i = 0; i < settings->count && result >= 0; i++) {
        const parameter_row *row = &parameter_table[settings->row[i]];
        result = scene_set_parameter(s, id, row->name, settings->value[i], row->components, err);
    }
    return result;
}

/* ---- cloth ---- */

static status add_placed_cloth(const scene_file_object *o, const pose *at, double *positions,
                               double *velocities, scene *s, uint64_t *id, error *err)
{
    for (size_t i = 0; i < o->nodes; i++) {
        v3_store(positions + 3 * i, pose_apply(at, v3_load(o->positions + 3 * i)));
        v3_store(velocities + 3 * i, o->velocity);
    }
    cloth_source source = {.name = o->name,
                           .positions = view_of_f64(positions, o->nodes, 3),
                           .velocities = view_of_f64(velocities, o->nodes, 3),
                           .rest_positions = view_of_f64(o->positions, o->nodes, 3)};
    if (o->triangle_count) source.triangles = view_of_u32(o->triangles, o->triangle_count, 3);
    if (o->masses) source.masses = view_of_f64(o->masses, o->nodes, 1);
    return scene_add_cloth(s, &source, id, err);
}

static status add_cloth(const scene_file *f, const scene_file_object *o, scene *s, uint64_t *id,
                        error *err)
{
    const size_t size = memory_size(o->nodes, 6 * sizeof(double));
    double *room = memory_alloc(&f->memory, size);
    if (!room) return error_out_of_memory(err, o->name);
    const pose at = motion_at(&o->motion, f->first_frame);
    status result = add_placed_cloth(o, &at, room, room + 3 * o->nodes, s, id, err);
    memory_free(&f->memory, room, size);
    if (result < 0 || !o->pin_count) return result;
    const double pinned = 1.0;
    const view indices = view_of_u32(o->pins, o->pin_count, 1), value = view_of_f64(&pinned, 1, 1);
    return scene_set_array_at(s, *id, array_table[A_PIN].name, &indices, &value, err);
}

/* Pinned nodes go where the motion takes them. */
static status animate_pins(const scene_file *f, const scene_file_object *o, const pose *at,
                           scene *s, uint64_t id, error *err)
{
    const size_t size = memory_size(o->pin_count, 3 * sizeof(double));
    double *targets = memory_alloc(&f->memory, size);
    if (!targets) return error_out_of_memory(err, o->name);
    for (size_t i = 0; i < o->pin_count; i++) {
        v3_store(targets + 3 * i, pose_apply(at, v3_load(o->positions + 3 * o->pins[i])));
    }
    const view indices = view_of_u32(o->pins, o->pin_count, 1);
    const view values = view_of_f64(targets, o->pin_count, 3);
    const status result =
        scene_set_array_at(s, id, array_table[A_TARGET].name, &indices, &values, err);
    memory_free(&f->memory, targets, size);
    return result;
}

/* ---- hair ---- */

/* Guides are spread evenly over the numbers of the strands. */
static status add_placed_hair(const scene_file_object *o, const pose *at, double *points,
                              double *rest, uint32_t *guides, hair_source *source, scene *s,
                              uint64_t *id, error *err)
{
    const uint32_t strands = o->strands.strands;
    for (size_t i = 0; i < o->nodes; i++) {
        v3_store(points + 3 * i, pose_apply(at, v3_load(o->positions + 3 * i)));
        if (o->rest) v3_store(rest + 3 * i, pose_apply(at, v3_load(o->rest + 3 * i)));
    }
    for (uint64_t i = 0; i < o->guides; i++) guides[i] = (uint32_t)(i * strands / o->guides);
    source->name = o->name;
    source->points = view_of_f64(points, o->nodes, 3);
    source->strand_sizes = view_of_u32(o->strand_sizes, strands, 1);
    if (o->guides) source->guides = view_of_u32(guides, o->guides, 1);
    if (o->rest) source->rest_points = view_of_f64(rest, o->nodes, 3);
    return scene_add_hair(s, source, id, err);
}

/* The same for every strand. */
static status pull_hair(const scene_file *f, const scene_file_object *o, scene *s, uint64_t id,
                        error *err)
{
    static const int rows[SCENE_FILE_PULLS] = {A_ROOT_FORCE, A_TIP_FORCE, A_TIP_MOMENT};
    const size_t strands = o->strands.strands, size = memory_size(strands, 3 * sizeof(double));
    double *room = memory_alloc(&f->memory, size);
    if (!room) return error_out_of_memory(err, o->name);
    status result = STATUS_OK;
    for (int i = 0; i < SCENE_FILE_PULLS && result >= 0; i++) {
        for (size_t k = 0; k < strands; k++) v3_store(room + 3 * k, o->pull[i]);
        const view values = view_of_f64(room, strands, 3);
        result = scene_set_array(s, id, array_table[rows[i]].name, &values, err);
    }
    memory_free(&f->memory, room, size);
    return result;
}

static status add_hair(const scene_file *f, const scene_file_object *o, scene *s,
                       const uint64_t *ids, uint64_t *id, error *err)
{
    const size_t size = memory_size(o->nodes, 6 * sizeof(double) + sizeof(uint32_t));
    double *points = memory_alloc(&f->memory, size);
    if (!points) return error_out_of_memory(err, o->name);
    const bool held = o->surface != SCENE_FILE_NO_SURFACE;
    hair_source source = {.surface = held ? ids[o->surface] : 0};
    const pose at =
        held ? motion_at(&f->objects[o->surface].motion, f->first_frame) : pose_identity();
    double *rest = points + 3 * o->nodes;
    uint32_t *guides = (uint32_t *)(rest + 3 * o->nodes); /* fewer than nodes */
    const status result = add_placed_hair(o, &at, points, rest, guides, &source, s, id, err);
    memory_free(&f->memory, points, size);
    return result < 0 ? result : pull_hair(f, o, s, *id, err);
}

/* ---- everything ---- */

static status add_collider(const scene_file *f, const scene_file_object *o, scene *s, uint64_t *id,
                           error *err)
{
    collider_source source = {.name = o->name,
                              .shape = o->shape,
                              .at = motion_at(&o->motion, f->first_frame),
                              .size = {o->size[0], o->size[1], o->size[2]}};
    if (o->shape == SHAPE_MESH) {
        source.positions = view_of_f64(o->positions, o->nodes, 3);
        source.triangles = view_of_u32(o->triangles, o->triangle_count, 3);
    }
    return scene_add_collider(s, &source, id, err);
}

static status add_force(const scene_file *f, const scene_file_object *o, scene *s, uint64_t *id,
                        error *err)
{
    const force_source source = {
        .name = o->name, .type = o->force_type, .at = motion_at(&o->motion, f->first_frame)};
    return scene_add_force(s, &source, id, err);
}

status scene_file_build(const scene_file *f, scene *s, uint64_t *ids, error *err)
{
    status result = apply_settings(&f->settings, s, 0, err);
    if (result < 0) return result;
    for (size_t i = 0; i < f->object_count; i++) {
        const scene_file_object *o = &f->objects[i];
        switch (o->kind) {
        case KIND_CLOTH: result = add_cloth(f, o, s, &ids[i], err); break;
        case KIND_HAIR: result = add_hair(f, o, s, ids, &ids[i], err); break;
        case KIND_FORCE: result = add_force(f, o, s, &ids[i], err); break;
        default: result = add_collider(f, o, s, &ids[i], err);
        }
        if (result >= 0) result = apply_settings(&o->settings, s, ids[i], err);
        if (result < 0) return object_error(f, o, err);
    }
    return STATUS_OK;
}

status scene_file_animate(const scene_file *f, scene *s, const uint64_t *ids, double frame,
                          error *err)
{
    for (size_t i = 0; i < f->object_count; i++) {
        const scene_file_object *o = &f->objects[i];
        if (o->motion.count < 2) continue;
        const pose at = motion_at(&o->motion, frame);
        const status result = o->kind == KIND_CLOTH ? animate_pins(f, o, &at, s, ids[i], err)
                                                    : scene_set_pose(s, ids[i], &at, false, err);
        if (result < 0) return object_error(f, o, err);
    }
    return STATUS_OK;
}
