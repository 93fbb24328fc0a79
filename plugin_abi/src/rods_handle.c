/* SPDX-License-Identifier: Apache-2.0 */
#include "rods_handle.h"

#include "base/text.h"
#include "structs.h"

#include <inttypes.h>
#include <string.h>

enum { POSE = 7 };

static const allocator *const memory = &allocator_system;

/* ---- reading ---- */

static status read_pose(const double *from, uint32_t rod, pose *out, error *err)
{
    const pose p = {v3_load(from), {from[3], from[4], from[5], from[6]}};
    const double norm2 = quat_dot(p.rotation, p.rotation);
    if (!v3_is_finite(p.position) || !isfinite(norm2)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "rod %" PRIu32 ": its root has a number that is not finite", rod);
    }
    if (!(fabs(norm2 - 1.0) <= 1e-6)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "rod %" PRIu32
                         ": its root's quaternion has the length %g, expected 1 (a rotation)",
                         rod, sqrt(norm2));
    }
    *out = (pose){p.position, quat_normalize(p.rotation)};
    return STATUS_OK;
}

static status read_roots(stn_rods *h, const double *given, error *err)
{
    for (uint32_t rod = 0; rod < h->group->count; rod++) {
        h->roots[rod] = pose_identity();
        if (!given) continue;
        const status st = read_pose(given + POSE * (size_t)rod, rod, &h->roots[rod], err);
        if (st < 0) return st;
    }
    return STATUS_OK;
}

static status check_numbers(const double *x, size_t count, size_t per_rod, const char *what,
                            error *err)
{
    for (size_t k = 0; x && k < count; k++) {
        if (isfinite(x[k])) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "rod %zu: %s has a number that is not finite", k / per_rod, what);
    }
    return STATUS_OK;
}

static status check_load(const stn_rods *h, const stn_rod_load *load, uint32_t last, size_t index,
                         error *err)
{
    if (load->rod >= h->group->count) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "load %zu is on rod %" PRIu32 ", but there are %" PRIu32, index, load->rod,
                         h->group->count);
    }
    if (load->rod < last) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "load %zu is on rod %" PRIu32 " after one on rod %" PRIu32
                         "; expected loads sorted by rod",
                         index, load->rod, last);
    }
    const bool finite = isfinite(load->s) && v3_is_finite(v3_load(load->force)) &&
                        v3_is_finite(v3_load(load->moment));
    if (finite && load->s >= 0.0) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "load %zu on rod %" PRIu32 ": expected finite numbers and s of 0 or more",
                     index, load->rod);
}

static status reserve_loads(stn_rods *h, uint64_t count, error *err)
{
    if (count <= h->load_capacity) return STATUS_OK;
    body_load *loads = memory_alloc(memory, memory_size(count, sizeof *loads));
    if (!loads) return error_out_of_memory(err, "loads");
    memory_free(memory, h->loads, h->load_capacity * sizeof *h->loads);
    h->loads = loads;
    h->load_capacity = count;
    return STATUS_OK;
}

static status read_loads(stn_rods *h, const stn_rods_input *in, error *err)
{
    status st = in->load_count ? struct_require(in->loads, "loads", err) : STATUS_OK;
    if (st >= 0) st = reserve_loads(h, in->load_count, err);
    uint32_t last = 0;
    for (size_t k = 0; st >= 0 && k < in->load_count; k++) {
        stn_rod_load load;
        st = struct_take(&in->loads[k], &load, sizeof load, "load", err);
        if (st >= 0) st = check_load(h, &load, last, k, err);
        if (st < 0) break;
        last = load.rod;
        h->loads[k] = (body_load){.body = load.rod,
                                  .at = {load.s, 0.0, 0.0},
                                  .force = v3_load(load.force),
                                  .moment = v3_load(load.moment)};
    }
    return st;
}

status rods_read_input(stn_rods *h, const stn_rods_input *given, double seconds, body_input *out,
                       error *err)
{
    const size_t per_rod = 3 * (size_t)h->group->stations, all = per_rod * h->group->count;
    stn_rods_input in;
    status st = struct_take(given, &in, sizeof in, "input", err);
    if (st >= 0) st = struct_check_reserved(in.reserved, "input", err);
    if (st >= 0 && !(seconds > 0.0 && isfinite(seconds))) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "dt is %g s, expected a positive number",
                       seconds);
    }
    if (st >= 0 && !v3_is_finite(v3_load(in.gravity))) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "gravity has a number that is not finite");
    }
    if (st >= 0) st = check_numbers(in.air, all, per_rod, "the air", err);
    if (st >= 0) st = check_numbers(in.field, all, per_rod, "the field", err);
    if (st >= 0 && in.roots) st = read_roots(h, in.roots, err);
    if (st >= 0) st = read_loads(h, &in, err);
    if (st < 0) return st;
    *out = (body_input){.h = seconds,
                        .gravity = v3_load(in.gravity),
                        .root = in.roots ? h->roots : NULL,
                        .air = in.air,
                        .field = in.field,
                        .loads = h->loads,
                        .load_count = in.load_count};
    return STATUS_OK;
}

/* ---- creation ---- */

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
static rod_material *copy_material(const stn_rod_material *given, uint32_t rods, error *err)
{
    stn_rod_material full;
    if (struct_take(given, &full, sizeof full, "material", err) < 0) return NULL;
    rod_material *all = memory_alloc(memory, memory_size(rods, sizeof *all));
    if (!all) {
        (void)error_out_of_memory(err, "rods");
        return NULL;
    }
    for (uint32_t k = 0; k < rods; k++) {
        all[k] = (rod_material){.density = full.density,
                                .bend = {full.bend[0], full.bend[1]},
                                .twist = full.twist,
                                .stretch = full.stretch,
                                .radius = full.radius,
                                .damping = full.damping,
                                .drag = full.drag};
    }
    return all;
}

static status make_group(const stn_rods_desc *desc, const rod_model *model, body_group **out,
                         error *err)
{
    rod_material *material = copy_material(desc->material, desc->rods, err);
    if (!material) return err->code;
    const rods_source source = {.name = "rods",
                                .rods = desc->rods,
                                .elements = desc->elements,
                                .free_root = desc->free_root != 0,
                                .lengths = desc->lengths,
                                .natural = desc->natural,
                                .material = material};
    const status st = model->create(&source, memory, out, err);
    memory_free(memory, material, desc->rods * sizeof *material);
    return st;
}

static size_t state_bytes(const stn_rods *h)
{
    return memory_size(memory_size(h->group->count, h->group->state_count), sizeof(double));
}

static size_t work_bytes(const stn_rods *h)
{
    return memory_size(memory_size(h->group->count, h->group->work_count), sizeof(double));
}

static size_t velocity_bytes(const stn_rods *h)
{
    return memory_size(memory_size(h->group->count, h->group->unknowns), sizeof(double));
}

void rods_handle_destroy(stn_rods *h)
{
    if (h->group) {
        memory_free(memory, h->state[0], state_bytes(h));
        memory_free(memory, h->state[1], state_bytes(h));
        memory_free(memory, h->work, work_bytes(h));
        memory_free(memory, h->v, velocity_bytes(h));
        memory_free(memory, h->roots, h->group->count * sizeof *h->roots);
        memory_free(memory, h->length, h->group->count * sizeof *h->length);
    }
    memory_free(memory, h->loads, h->load_capacity * sizeof *h->loads);
    pool_destroy(h->threads);
    body_group_destroy(h->group);
    memory_free(memory, h, sizeof *h);
}

static void sum_lengths(stn_rods *h, const stn_rods_desc *desc)
{
    for (size_t k = 0; k < (size_t)desc->rods * desc->elements; k++) {
        h->length[k / desc->elements] += desc->lengths[k];
    }
}

static status fill_handle(stn_rods *h, const stn_rods_desc *desc, const rod_model *model,
                          error *err)
{
    status st = make_group(desc, model, &h->group, err);
    if (st < 0) return st;
    h->free_root = desc->free_root != 0;
    h->length = memory_alloc(memory, memory_size(h->group->count, sizeof *h->length));
    h->threads = pool_create(memory, desc->threads, NULL);
    h->state[0] = memory_alloc(memory, state_bytes(h));
    h->state[1] = memory_alloc(memory, state_bytes(h));
    h->work = memory_alloc(memory, work_bytes(h));
    h->v = memory_alloc(memory, velocity_bytes(h));
    h->roots = memory_alloc(memory, memory_size(h->group->count, sizeof *h->roots));
    if (!h->threads || !h->state[0] || !h->state[1] || !h->work || !h->v || !h->roots ||
        !h->length) {
        return error_out_of_memory(err, "rods");
    }
    sum_lengths(h, desc);
    st = check_numbers(desc->curvatures, 3 * (size_t)desc->rods * desc->elements,
                       3 * (size_t)desc->elements, "its curvature", err);
    if (st >= 0) st = read_roots(h, desc->roots, err);
    if (st >= 0) model->place(h->group, h->roots, desc->curvatures, h->state[0]);
    return st;
}

status rods_handle_create(const stn_rods_desc *desc, stn_rods **out, error *err)
{
    const rod_model *model = NULL;
    status st = struct_require(desc->lengths, "lengths", err);
    if (st >= 0) st = struct_require(desc->material, "material", err);
    if (st >= 0 && desc->rods == 0) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "there are 0 rods, expected at least one");
    }
    if (st >= 0) st = choose_model(desc->model, &model, err);
    if (st < 0) return st;
    stn_rods *h = memory_alloc(memory, sizeof *h);
    if (!h) return error_out_of_memory(err, "rods");
    *h = (stn_rods){0};
    st = fill_handle(h, desc, model, err);
    if (st < 0) {
        rods_handle_destroy(h);
        return st;
    }
    *out = h;
    return STATUS_OK;
}

/* ---- a step ---- */

enum { CHUNK = 16 }; /* rods: some ten microseconds of work */

typedef struct step {
    stn_rods *h;
    const body_input *in;
} step;

static size_t chunk_end(const stn_rods *h, uint32_t chunk)
{
    const size_t end = (size_t)CHUNK * (chunk + 1);
    return end < h->group->count ? end : h->group->count;
}

static void step_chunk(void *user, uint32_t chunk)
{
    const step *s = user;
    stn_rods *h = s->h;
    const body_group *g = h->group;
    const size_t begin = (size_t)CHUNK * chunk, end = chunk_end(h, chunk);
    body_predict(g, s->in, h->state[0], h->work, begin, end);
    for (size_t k = begin; k < end; k++) {
        memcpy(h->v + k * g->unknowns, body_v_free(g, h->work, k), g->unknowns * sizeof *h->v);
    }
    body_correct(g, s->in, h->state[0], h->work, h->v, h->state[1], begin, end);
}

status rods_take_step(stn_rods *h, const body_input *in, error *err)
{
    const body_group *g = h->group;
    step s = {h, in};
    pool_run(h->threads, (g->count + CHUNK - 1) / CHUNK, step_chunk, &s);
    for (size_t k = 0; k < g->count * g->state_count; k++) {
        if (isfinite(h->state[1][k])) continue;
        return error_set(err, STATUS_DIVERGED,
                         "rod %zu would leave the finite numbers; the step was not taken",
                         k / g->state_count);
    }
    double *now = h->state[0];
    h->state[0] = h->state[1];
    h->state[1] = now;
    return STATUS_OK;
}
