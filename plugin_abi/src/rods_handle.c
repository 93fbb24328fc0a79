/* SPDX-License-Identifier: Apache-2.0 */
#include "rods_handle.h"

#include "structs.h"

#include <inttypes.h>
#include <string.h>

enum { POSE = 7 };

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

status rods_read_roots(stn_rods *h, const double *given, error *err)
{
    for (uint32_t rod = 0; rod < h->group->count; rod++) {
        h->roots[rod] = pose_identity();
        if (!given) continue;
        const status st = read_pose(given + POSE * (size_t)rod, rod, &h->roots[rod], err);
        if (st < 0) return st;
    }
    return STATUS_OK;
}

status rods_check_numbers(const double *x, size_t count, size_t per_rod, const char *what,
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
    body_load *loads = memory_alloc(h->from, memory_size(count, sizeof *loads));
    if (!loads) return error_out_of_memory(err, "loads");
    memory_free(h->from, h->loads, h->load_capacity * sizeof *h->loads);
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
        st = struct_take_item(in->loads, k, &load, sizeof load, "load", err);
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
    if (st >= 0) st = rods_check_numbers(in.air, all, per_rod, "the air", err);
    if (st >= 0) st = rods_check_numbers(in.field, all, per_rod, "the field", err);
    if (st >= 0 && in.roots) st = rods_read_roots(h, in.roots, err);
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
    const allocator *from = h->from;
    memory_free(from, h->state[0], state_bytes(h));
    memory_free(from, h->state[1], state_bytes(h));
    memory_free(from, h->work, work_bytes(h));
    memory_free(from, h->v, velocity_bytes(h));
    memory_free(from, h->roots, h->group->count * sizeof *h->roots);
    memory_free(from, h->length, h->group->count * sizeof *h->length);
    memory_free(from, h->loads, h->load_capacity * sizeof *h->loads);
    pool_destroy(h->threads);
    body_group_destroy(h->group);
    memory_free(from, h, sizeof *h);
}

static bool reserve(stn_rods *h, uint32_t threads)
{
    const allocator *from = h->from;
    h->length = memory_alloc(from, memory_size(h->group->count, sizeof *h->length));
    h->threads = pool_create(from, threads, NULL);
    h->state[0] = memory_alloc(from, state_bytes(h));
    h->state[1] = memory_alloc(from, state_bytes(h));
    h->work = memory_alloc(from, work_bytes(h));
    h->v = memory_alloc(from, velocity_bytes(h));
    h->roots = memory_alloc(from, memory_size(h->group->count, sizeof *h->roots));
    return h->threads && h->state[0] && h->state[1] && h->work && h->v && h->roots && h->length;
}

status rods_handle_create(body_group *group, uint32_t threads, const allocator *from,
                          stn_rods **out, error *err)
{
    stn_rods *h = memory_alloc(from, sizeof *h);
    if (!h) {
        body_group_destroy(group);
        return error_out_of_memory(err, "rods");
    }
    *h = (stn_rods){.from = from, .group = group};
    if (!reserve(h, threads)) {
        rods_handle_destroy(h);
        return error_out_of_memory(err, "rods");
    }
    for (uint32_t k = 0; k < group->count; k++) h->length[k] = 1.0;
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
