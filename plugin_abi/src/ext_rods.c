/* SPDX-License-Identifier: Apache-2.0
 *
 * The rods extension: groups of rods and questions to them.
 */
#include "ext_rods.h"

#include "guard.h"
#include "rods/equilibrium.h"
#include "rods/fit.h"
#include "rods/presets.h"
#include "rods_make.h"
#include "structs.h"

#include <inttypes.h>
#include <string.h>

static uint64_t ext_model_count(void) { return rod_model_count; }

static uint64_t ext_preset_count(void) { return rod_preset_count; }

static status check_index(uint64_t index, uint64_t count, const char *what)
{
    if (index < count) return STATUS_OK;
    return error_set(guard_thread_error(), STATUS_INVALID_ARGUMENT,
                     "%s %" PRIu64 " of %" PRIu64 "; expected a smaller index", what, index, count);
}

static stn_status ext_model_info(uint64_t index, stn_rod_model_info *out)
{
    const status st = check_index(index, rod_model_count, "rod model");
    if (st < 0) return st;
    const stn_rod_model_info full = {.name = rod_models[index].name, .doc = rod_models[index].doc};
    return STRUCT_GIVE(out, &full, guard_thread_error());
}

static stn_status ext_preset_info(uint64_t index, stn_rod_preset *out, stn_rod_material *material)
{
    status st = check_index(index, rod_preset_count, "rod preset");
    if (st < 0) return st;
    const rod_preset *p = &rod_presets[index];
    const rod_material m = rod_material_make(&p->substance);
    const stn_rod_preset full = {.name = p->name, .doc = p->doc};
    const stn_rod_material made = {.density = m.density,
                                   .bend = {m.bend[0], m.bend[1]},
                                   .twist = m.twist,
                                   .stretch = m.stretch,
                                   .radius = m.radius,
                                   .damping = m.damping,
                                   .drag = m.drag};
    st = struct_check_out(material, "material", guard_thread_error());
    if (st >= 0) st = STRUCT_GIVE(out, &full, guard_thread_error());
    return st < 0 ? st : STRUCT_GIVE(material, &made, guard_thread_error());
}

/* A desc, with *out NULL until there is something. */
static status begin_create(const void *given, void *desc, size_t size, stn_rods **out)
{
    const status st = struct_require(out, "out", guard_thread_error());
    if (st < 0) return st;
    *out = NULL;
    return struct_take(given, desc, size, "desc", guard_thread_error());
}

static stn_status ext_create(const stn_rods_desc *given, stn_rods **out)
{
    error *err = guard_thread_error();
    stn_rods_desc desc;
    status st = begin_create(given, &desc, sizeof desc, out);
    if (st >= 0) st = struct_check_reserved(desc.reserved, "desc", err);
    return st < 0 ? st : rods_make_strands(&desc, &allocator_system, out, err);
}

static stn_status ext_tree_create(const stn_rod_trees_desc *given, stn_rods **out)
{
    error *err = guard_thread_error();
    stn_rod_trees_desc desc;
    status st = begin_create(given, &desc, sizeof desc, out);
    if (st >= 0) st = struct_check_reserved(desc.reserved, "desc", err);
    return st < 0 ? st : rods_make_trees(&desc, &allocator_system, out, err);
}

static stn_status ext_rigid_create(const stn_rods_rigid_desc *given, stn_rods **out)
{
    error *err = guard_thread_error();
    stn_rods_rigid_desc desc;
    status st = begin_create(given, &desc, sizeof desc, out);
    if (st >= 0) st = struct_check_reserved(desc.reserved, "desc", err);
    return st < 0 ? st : rods_make_rigid(&desc, &allocator_system, out, err);
}

static stn_status ext_destroy(stn_rods *h)
{
    if (h) rods_handle_destroy(h);
    return STATUS_OK;
}

static stn_status ext_unknowns(stn_rods *h, uint64_t *out)
{
    status st = struct_require(h, "rods", guard_thread_error());
    if (st >= 0) st = struct_require(out, "out", guard_thread_error());
    if (st >= 0) *out = h->group->unknowns;
    return st;
}

static stn_status ext_step(stn_rods *h, const stn_rods_input *given, double dt)
{
    error *err = guard_thread_error();
    body_input in;
    status st = struct_require(h, "rods", err);
    if (st >= 0) st = rods_read_input(h, given, dt, &in, err);
    return st < 0 ? st : rods_take_step(h, &in, err);
}

/* ---- one rod ---- */

static status check_rod(const stn_rods *h, uint64_t rod)
{
    const status st = struct_require(h, "rods", guard_thread_error());
    return st < 0 ? st : check_index(rod, h->group->count, "rod");
}

static stn_status ext_get_state(stn_rods *h, uint64_t rod, double *q, double *v)
{
    const status st = check_rod(h, rod);
    if (st < 0) return st;
    const size_t bytes = h->group->unknowns * sizeof *q;
    if (q) memcpy(q, body_q(h->group, h->state[0], rod), bytes);
    if (v) memcpy(v, body_v(h->group, h->state[0], rod), bytes);
    return STATUS_OK;
}

static status check_finite(const double *x, size_t count, const char *what)
{
    for (size_t k = 0; x && k < count; k++) {
        if (isfinite(x[k])) continue;
        return error_set(guard_thread_error(), STATUS_INVALID_ARGUMENT, "%s %zu is not finite",
                         what, k);
    }
    return STATUS_OK;
}

static stn_status ext_set_state(stn_rods *h, uint64_t rod, const double *q, const double *v)
{
    status st = check_rod(h, rod);
    if (st >= 0) st = check_finite(q, h->group->unknowns, "coordinate");
    if (st >= 0) st = check_finite(v, h->group->unknowns, "velocity");
    if (st < 0) return st;
    const size_t bytes = h->group->unknowns * sizeof *q;
    if (q) memcpy(body_q(h->group, h->state[0], rod), q, bytes);
    if (v) memcpy(body_v(h->group, h->state[0], rod), v, bytes);
    body_settle(h->group, h->state[0], (uint32_t)rod);
    return STATUS_OK;
}

static stn_status ext_places(stn_rods *h, uint64_t rod, uint64_t count, const double *s,
                             double *out)
{
    error *err = guard_thread_error();
    status st = check_rod(h, rod);
    if (st >= 0 && count) st = struct_require(s, "s", err);
    if (st >= 0 && count) st = struct_require(out, "out", err);
    if (st >= 0) st = check_finite(s, count, "arc length");
    for (uint64_t k = 0; st >= 0 && k < count; k++) {
        const body_place p =
            body_find_place(h->group, h->state[0], (uint32_t)rod, (v3){s[k], 0.0, 0.0});
        const double row[7] = {p.position.x, p.position.y, p.position.z, p.rotation.w,
                               p.rotation.x, p.rotation.y, p.rotation.z};
        memcpy(out + 7 * k, row, sizeof row);
    }
    return st;
}

static stn_status ext_jacobian(stn_rods *h, uint64_t rod, double s, double *linear, double *angular)
{
    status st = check_rod(h, rod);
    if (st >= 0) st = struct_require(linear, "linear", guard_thread_error());
    if (st >= 0) st = check_finite(&s, 1, "arc length");
    if (st < 0) return st;
    const body_input still = {.h = 1.0};
    v3 v_0, omega_0;
    body_predict(h->group, &still, h->state[0], h->work, rod, rod + 1);
    body_jacobian(h->group, h->work, (uint32_t)rod, (v3){s, 0.0, 0.0}, linear, angular, &v_0,
                  &omega_0);
    return STATUS_OK;
}

static status read_rod_input(stn_rods *h, const stn_rods_input *given, uint64_t rod,
                             const void *out, body_input *in)
{
    status st = check_rod(h, rod);
    if (st >= 0) st = struct_require(out, "out", guard_thread_error());
    return st < 0 ? st : rods_read_input(h, given, 1.0, in, guard_thread_error());
}

static stn_status ext_energy(stn_rods *h, const stn_rods_input *given, uint64_t rod,
                             stn_rod_energy *out)
{
    body_input in;
    const status st = read_rod_input(h, given, rod, out, &in);
    if (st < 0) return st;
    const body_energy e = body_get_energy(h->group, &in, h->state[0], (uint32_t)rod);
    const stn_rod_energy full = {.kinetic = e.kinetic, .elastic = e.elastic, .gravity = e.gravity};
    return STRUCT_GIVE(out, &full, guard_thread_error());
}

static stn_status ext_gradient(stn_rods *h, const stn_rods_input *given, uint64_t rod, double *out)
{
    body_input in;
    const status st = read_rod_input(h, given, rod, out, &in);
    if (st >= 0) body_gradient(h->group, &in, h->state[0], (uint32_t)rod, out);
    return st;
}

enum { EQUILIBRIUM_ITERATIONS = 200 };

static stn_status ext_equilibrium(stn_rods *h, const stn_rods_input *given, uint64_t rod,
                                  stn_rod_equilibrium *result)
{
    error *err = guard_thread_error();
    body_input in;
    status st = check_rod(h, rod);
    if (st >= 0 && result) st = struct_check_out(result, "result", err);
    if (st >= 0) st = rods_read_input(h, given, 1.0, &in, err);
    if (st < 0) return st;
    if (h->free_root) {
        return error_set(err, STATUS_UNSUPPORTED,
                         "what nothing holds has no equilibrium to look for");
    }
    const equilibrium_options options = {
        .unit = 1.0 / h->length[rod], .tolerance = 1e-10, .iterations = EQUILIBRIUM_ITERATIONS};
    equilibrium_result found;
    st = equilibrium_find(h->group, &in, &options, &allocator_system, h->state[0], (uint32_t)rod,
                          &found, err);
    if (st < 0) return st;
    body_settle(h->group, h->state[0], (uint32_t)rod);
    const stn_rod_equilibrium full = {.converged = st == STATUS_OK,
                                      .iterations = found.iterations,
                                      .step = found.step,
                                      .residual = found.residual,
                                      .lowest = found.lowest};
    const status gave = result ? STRUCT_GIVE(result, &full, err) : STATUS_OK;
    return gave < 0 ? gave : st;
}

/* ---- fitting ---- */

static status read_rotation(const double *given, quat *out)
{
    const quat q = {given[0], given[1], given[2], given[3]};
    const double norm2 = quat_dot(q, q);
    if (!(fabs(norm2 - 1.0) <= 1e-6)) {
        return error_set(guard_thread_error(), STATUS_INVALID_ARGUMENT,
                         "root_rotation has the length %g, expected 1 (a rotation)", sqrt(norm2));
    }
    *out = quat_normalize(q);
    return STATUS_OK;
}

static stn_status ext_fit(const double *points, uint64_t count, uint32_t elements,
                          const double *root_rotation, double *lengths, double *curvatures,
                          stn_rod_fit *out)
{
    error *err = guard_thread_error();
    quat wanted;
    rod_fit made;
    status st = struct_require(points, "points", err);
    if (st >= 0) st = struct_require(lengths, "lengths", err);
    if (st >= 0) st = struct_require(curvatures, "curvatures", err);
    if (st >= 0) st = struct_check_out(out, "out", err);
    if (st >= 0 && elements == 0) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "elements is 0, expected at least 1");
    }
    if (st >= 0 && root_rotation) st = read_rotation(root_rotation, &wanted);
    if (st < 0) return st;
    st = rod_fit_points(points, count, elements, root_rotation ? &wanted : NULL, &allocator_system,
                        lengths, curvatures, &made, err);
    if (st < 0) return error_set(err, st, "the strand: %s", err->text);
    const v3 x = made.root.position;
    const quat q = made.root.rotation;
    const stn_rod_fit full = {.merged = made.merged,
                              .unmatched = made.unmatched,
                              .root = {x.x, x.y, x.z, q.w, q.x, q.y, q.z},
                              .length = made.length,
                              .error = made.error};
    return STRUCT_GIVE(out, &full, err);
}

static const char *ext_last_error(void) { return guard_thread_error()->text; }

const stn_ext_rods ext_rods_table = {.struct_size = sizeof(stn_ext_rods),
                                     .version = 1,
                                     .model_count = ext_model_count,
                                     .model_info = ext_model_info,
                                     .preset_count = ext_preset_count,
                                     .preset_info = ext_preset_info,
                                     .create = ext_create,
                                     .destroy = ext_destroy,
                                     .unknowns = ext_unknowns,
                                     .step = ext_step,
                                     .get_state = ext_get_state,
                                     .set_state = ext_set_state,
                                     .places = ext_places,
                                     .jacobian = ext_jacobian,
                                     .energy = ext_energy,
                                     .gradient = ext_gradient,
                                     .equilibrium = ext_equilibrium,
                                     .last_error = ext_last_error,
                                     .fit = ext_fit,
                                     .tree_create = ext_tree_create,
                                     .rigid_create = ext_rigid_create};
