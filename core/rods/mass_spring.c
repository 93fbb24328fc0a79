/* SPDX-License-Identifier: Apache-2.0
 *
 * The spring of a joint: with the curvature k = 2 t_a x t_b / (1 + t_a . t_b), the arc length l of
 * the joint and its rest angle,
 *     energy = bend / (2 l) (|k| - rest)^2.
 */
#include "rods/mass_spring.h"

#include "rods/transported_frame.h"

static void find_edge(const nodal_view *at, size_t edge, nodal_edge *out)
{
    transported_find_edge(at, edge, 0.0, out);
}

static void measure_joint(const nodal_view *at, size_t edge, const nodal_edge *a,
                          const nodal_edge *b, double strain[NODAL_ROWS])
{
    (void)at, (void)edge;
    strain[0] = v3_norm(transported_curvature(a, b).b);
    strain[1] = strain[2] = 0.0;
}

/* An angle of the size of rounding is none: a rod that is straight but for it is as stiff sideways
 * as a straight one. */
static double rest_of(const nodal_view *at, size_t edge)
{
    const double rest = nodal_rest(at, edge)[0];
    return rest > 1e-9 ? rest : 0.0;
}

static double stiffness_of(const nodal_view *at, size_t edge)
{
    const rod_material *m = nodal_material(at);
    return 0.5 * (m->bend[0] + m->bend[1]) / nodal_weight(at, edge);
}

static size_t joint_strains(const nodal_view *at, size_t edge, const nodal_edge *a,
                            const nodal_edge *b, nodal_strain out[NODAL_ROWS])
{
    const v3 k = transported_curvature(a, b).b;
    const double rest = rest_of(at, edge), c = stiffness_of(at, edge);
    out[0] = (nodal_strain){rest > 0.0 ? v3_norm(k) - rest : k.x, c};
    out[1] = (nodal_strain){k.y, c};
    out[2] = (nodal_strain){k.z, c};
    return rest > 0.0 ? 1 : 3;
}

static size_t joint_rows(const nodal_view *at, size_t edge, const nodal_edge *a,
                         const nodal_edge *b, nodal_row *rows)
{
    const curvature_binormal k = transported_curvature(a, b);
    const nodal_row like =
        nodal_begin_row(at, (edge - 1) * at->g->stride, 2 * at->g->stride + 3, 0.0, 0.0);
    const double rest = rest_of(at, edge), c = stiffness_of(at, edge);
    v3 along[3];
    const size_t n =
        nodal_norm_rows(at, k.b, rest, c, c * (v3_norm(k.b) - rest), like, rows, along);
    for (size_t j = 0; j < n; j++) {
        transported_pull_curvature(at, &rows[j], edge, a, b, &k, along[j]);
    }
    return n;
}

static const nodal_model model = {
    .ops = {.name = "mass-spring",
            .doc = "nodes alone: bends alike in every direction, stretches, has no twist",
            NODAL_ROD_OPS},
    .turns = 0,
    .width = 8,
    .find_edge = find_edge,
    .measure_joint = measure_joint,
    .joint_strains = joint_strains,
    .joint_rows = joint_rows,
};

status mass_spring_create(const rods_source *source, const allocator *from, body_group **out,
                          error *err)
{
    return nodal_rod_create(&model, source, from, out, err);
}
