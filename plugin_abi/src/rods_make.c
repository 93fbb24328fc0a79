/* SPDX-License-Identifier: Apache-2.0 */
#include "rods_make.h"

#include "base/text.h"
#include "rigid/rigid.h"
#include "rods/helix_tree_group.h"
#include "rods/rod.h"
#include "structs.h"

#include <inttypes.h>

/* The handle as it is, or none. */
static status finish(stn_rods *h, status st, stn_rods **out)
{
    if (st < 0) {
        rods_handle_destroy(h);
        return st;
    }
    *out = h;
    return STATUS_OK;
}

static rod_material convert_material(const stn_rod_material *m)
{
    return (rod_material){.density = m->density,
                          .bend = {m->bend[0], m->bend[1]},
                          .twist = m->twist,
                          .stretch = m->stretch,
                          .radius = m->radius,
                          .damping = m->damping,
                          .drag = m->drag};
}

/* The length of a rod is the sum of those of its elements. */
static void sum_lengths(stn_rods *h, const double *lengths, size_t elements)
{
    for (size_t rod = 0; rod < h->group->count; rod++) {
        h->length[rod] = 0.0;
        for (size_t e = 0; e < elements; e++) h->length[rod] += lengths[rod * elements + e];
    }
}

/* ---- strands ---- */

static status choose_model(const char *name, const rod_model **out, error *err)
{
    *out = name ? rod_model_find(name) : &rod_models[0];
    if (*out) return STATUS_OK;
    text_suggestion near = {0};
    for (size_t i = 0; i < rod_model_count; i++) {
        text_suggestion_offer(&near, name, rod_models[i].name);
    }
    return error_set(err, STATUS_UNKNOWN_NAME, "there is no rod model '%s'%s%s%s", name,
                     near.best ? "; did you mean '" : "", near.best ? near.best : "",
                     near.best ? "'?" : "");
}

/* Every rod has the one material. */
static status make_strands(const stn_rods_desc *desc, const rod_model *model, const allocator *from,
                           body_group **out, error *err)
{
    stn_rod_material given;
    status st = struct_take(desc->material, &given, sizeof given, "material", err);
    if (st < 0) return st;
    const size_t bytes = memory_size(desc->rods, sizeof(rod_material));
    rod_material *material = memory_alloc(from, bytes);
    if (!material) return error_out_of_memory(err, "rods");
    for (uint32_t k = 0; k < desc->rods; k++) material[k] = convert_material(&given);
    const rods_source source = {.name = "rods",
                                .rods = desc->rods,
                                .elements = desc->elements,
                                .free_root = desc->free_root != 0,
                                .lengths = desc->lengths,
                                .natural = desc->natural,
                                .material = material};
    st = model->create(&source, from, out, err);
    memory_free(from, material, bytes);
    return st;
}

status rods_make_strands(const stn_rods_desc *desc, const allocator *from, stn_rods **out,
                         error *err)
{
    const rod_model *model = NULL;
    body_group *group = NULL;
    stn_rods *h = NULL;
    status st = struct_require(desc->lengths, "lengths", err);
    if (st >= 0) st = struct_require(desc->material, "material", err);
    if (st >= 0 && desc->rods == 0) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "there are 0 rods, expected at least one");
    }
    if (st >= 0) st = choose_model(desc->model, &model, err);
    if (st >= 0) st = make_strands(desc, model, from, &group, err);
    if (st >= 0) st = rods_handle_create(group, desc->threads, from, &h, err);
    if (st < 0) return st;
    const size_t per_rod = 3 * (size_t)desc->elements;
    h->free_root = desc->free_root != 0;
    sum_lengths(h, desc->lengths, desc->elements);
    st = rods_check_numbers(desc->curvatures, desc->rods * per_rod, per_rod, "its curvature", err);
    if (st >= 0) st = rods_read_roots(h, desc->roots, err);
    if (st >= 0) model->place(h->group, h->roots, desc->curvatures, h->state[0]);
    return finish(h, st, out);
}

/* ---- trees ---- */

/* What the elements of trees are made of, as the core has it. */
typedef struct tree_parts {
    uint32_t *parent;
    rod_material *material;
} tree_parts;

static status read_parents(const stn_rod_trees_desc *desc, uint32_t *out, error *err)
{
    const size_t items = (size_t)desc->trees * desc->elements;
    for (size_t k = 0; k < items; k++) {
        const int32_t parent = desc->parents[k];
        if (parent < -1) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "tree %zu, element %zu: its parent is %" PRId32
                             ", expected an element before it, or -1 for the root",
                             k / desc->elements, k % desc->elements, parent);
        }
        out[k] = parent < 0 ? HELIX_TREE_ROOT : (uint32_t)parent;
    }
    return STATUS_OK;
}

static status read_materials(const stn_rod_trees_desc *desc, rod_material *out, error *err)
{
    const uint64_t items = (uint64_t)desc->trees * desc->elements, count = desc->material_count;
    if (count != 1 && count != desc->elements && count != items) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "material_count is %" PRIu64 ", expected 1, %" PRIu32 " (elements) or "
                         "%" PRIu64 " (elements of all trees)",
                         count, desc->elements, items);
    }
    for (uint64_t k = 0; k < items; k++) {
        stn_rod_material m;
        const status st =
            struct_take_item(desc->materials, k % count, &m, sizeof m, "material", err);
        if (st < 0) return st;
        out[k] = convert_material(&m);
    }
    return STATUS_OK;
}

static status make_trees(const stn_rod_trees_desc *desc, const allocator *from,
                         const tree_parts *parts, body_group **out, error *err)
{
    status st = read_parents(desc, parts->parent, err);
    if (st >= 0) st = read_materials(desc, parts->material, err);
    if (st < 0) return st;
    const helix_trees_source source = {
        .trees = desc->trees,
        .each = {.name = "tree",
                 .elements = desc->elements,
                 .free_root = desc->free_root != 0,
                 .parent = parts->parent,
                 .offset = (const quat *)desc->offsets,
                 .lengths = desc->lengths,
                 .natural = desc->natural,
                 .material = parts->material},
    };
    return helix_trees_create(&source, from, out, err);
}

static status convert_trees(const stn_rod_trees_desc *desc, const allocator *from, body_group **out,
                            error *err)
{
    const size_t items = memory_size(desc->trees, desc->elements);
    const size_t parent_bytes = memory_size(items, sizeof(uint32_t));
    const size_t material_bytes = memory_size(items, sizeof(rod_material));
    const tree_parts parts = {memory_alloc(from, parent_bytes), memory_alloc(from, material_bytes)};
    const status st = parts.parent && parts.material ? make_trees(desc, from, &parts, out, err)
                                                     : error_out_of_memory(err, "trees of rods");
    memory_free(from, parts.parent, parent_bytes);
    memory_free(from, parts.material, material_bytes);
    return st;
}

static status check_trees(const stn_rod_trees_desc *desc, error *err)
{
    status st = struct_require(desc->parents, "parents", err);
    if (st >= 0) st = struct_require(desc->lengths, "lengths", err);
    if (st >= 0) st = struct_require(desc->materials, "materials", err);
    if (st < 0 || (desc->trees > 0 && desc->elements > 0)) return st;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "there are %" PRIu32 " trees of %" PRIu32
                     " elements, expected at least one of each",
                     desc->trees, desc->elements);
}

status rods_make_trees(const stn_rod_trees_desc *desc, const allocator *from, stn_rods **out,
                       error *err)
{
    body_group *group = NULL;
    stn_rods *h = NULL;
    status st = check_trees(desc, err);
    if (st >= 0) st = convert_trees(desc, from, &group, err);
    if (st >= 0) st = rods_handle_create(group, desc->threads, from, &h, err);
    if (st < 0) return st;
    const size_t per_tree = 3 * (size_t)desc->elements;
    h->free_root = desc->free_root != 0;
    sum_lengths(h, desc->lengths, desc->elements);
    st = rods_check_numbers(desc->curvatures, desc->trees * per_tree, per_tree, "its curvature",
                            err);
    if (st >= 0) st = rods_read_roots(h, desc->roots, err);
    if (st >= 0) helix_trees_place(h->group, h->roots, desc->curvatures, h->state[0]);
    return finish(h, st, out);
}

/* ---- rigid bodies ---- */

static const char RIGID[] = "rigid";

static status refuse_body(uint32_t body, const char *text, error *err)
{
    return error_set(err, STATUS_INVALID_ARGUMENT, "'%s', body %" PRIu32 ": %s", RIGID, body, text);
}

static status read_shape(const stn_rods_rigid_body *b, uint32_t body, rigid_shape *out, error *err)
{
    const double *size = b->size;
    switch (b->shape) {
    case STN_SHAPE_SPHERE: *out = (rigid_shape){.kind = RIGID_SPHERE, .radius = size[0]}; break;
    case STN_SHAPE_BOX: *out = (rigid_shape){.kind = RIGID_BOX, .half = v3_load(size)}; break;
    case STN_SHAPE_CAPSULE:
        *out = (rigid_shape){.kind = RIGID_CAPSULE, .radius = size[0], .half_length = size[1]};
        break;
    default: return refuse_body(body, "its shape is not a sphere, a capsule, a box or 0", err);
    }
    return rigid_check_shape(out, RIGID, body, err);
}

/* A capsule lies along x in the core and along z here. */
static void turn_to_z(rigid_body *b)
{
    sym3 *turned[] = {&b->inertia, &b->turn_drag};
    for (int k = 0; k < 2; k++) {
        const double along = turned[k]->xx;
        turned[k]->xx = turned[k]->zz;
        turned[k]->zz = along;
    }
}

static status read_solid(const stn_rods_rigid_body *b, uint32_t body, rigid_body *out, error *err)
{
    rigid_shape shape;
    const status st = read_shape(b, body, &shape, err);
    if (st < 0) return st;
    if ((b->density == 0.0) == (b->mass == 0.0)) {
        return refuse_body(body, "expected a density or a mass, and the other 0", err);
    }
    *out = b->mass != 0.0 ? rigid_body_from_mass(&shape, b->mass, b->skin_drag)
                          : rigid_body_from_density(&shape, b->density, b->skin_drag);
    if (shape.kind == RIGID_CAPSULE) turn_to_z(out);
    return STATUS_OK;
}

static status read_body(const stn_rods_rigid_body *b, uint32_t body, rigid_body *out, error *err)
{
    if (b->shape) return read_solid(b, body, out, err);
    if (b->density != 0.0 || b->skin_drag != 0.0) {
        return refuse_body(body, "without a shape it has no density and no skin_drag", err);
    }
    const double *I = b->inertia;
    *out = (rigid_body){
        .mass = b->mass,
        .inertia = {.xx = I[0], .yy = I[1], .zz = I[2], .xy = I[3], .xz = I[4], .yz = I[5]}};
    return STATUS_OK;
}

static status make_rigid(const stn_rods_rigid_desc *desc, const allocator *from, rigid_body *body,
                         body_group **out, error *err)
{
    for (uint32_t k = 0; k < desc->bodies; k++) {
        stn_rods_rigid_body given;
        status st = struct_take_item(desc->body, k, &given, sizeof given, "body", err);
        if (st >= 0) st = read_body(&given, k, &body[k], err);
        if (st < 0) return st;
    }
    const rigid_source source = {RIGID, desc->bodies, body};
    return rigid_create(&source, from, out, err);
}

status rods_make_rigid(const stn_rods_rigid_desc *desc, const allocator *from, stn_rods **out,
                       error *err)
{
    body_group *group = NULL;
    stn_rods *h = NULL;
    status st = struct_require(desc->body, "body", err);
    if (st >= 0 && desc->bodies == 0) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "there are 0 bodies, expected at least one");
    }
    if (st < 0) return st;
    const size_t bytes = memory_size(desc->bodies, sizeof(rigid_body));
    rigid_body *body = memory_alloc(from, bytes);
    if (!body) return error_out_of_memory(err, "rigid bodies");
    st = make_rigid(desc, from, body, &group, err);
    memory_free(from, body, bytes);
    if (st >= 0) st = rods_handle_create(group, desc->threads, from, &h, err);
    if (st < 0) return st;
    h->free_root = true;
    for (size_t k = 0; k < desc->bodies; k++) {
        const double *p = desc->poses ? desc->poses + 7 * k : NULL;
        h->roots[k] = p ? (pose){v3_load(p), {p[3], p[4], p[5], p[6]}} : pose_identity();
    }
    st = rigid_place(h->group, RIGID, h->roots, desc->velocities, h->state[0], err);
    return finish(h, st, out);
}
