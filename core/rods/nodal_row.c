/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges and strain rows, for the models to build theirs from.
 */
#include "math/frame.h"
#include "rods/nodal_rod.h"

void nodal_direct_edge(const nodal_view *at, size_t edge, nodal_edge *out)
{
    const v3 e = v3_sub(nodal_position(at, edge + 1), nodal_position(at, edge));
    const double length = v3_norm(e), smallest = 1e-6 * nodal_chord(at, edge);
    const bool lost = !(length > smallest);
    out->length = lost ? smallest : length;
    out->t =
        lost ? quat_rotate(nodal_frame(at, edge), (v3){1.0, 0.0, 0.0}) : v3_scale(1.0 / length, e);
}

void nodal_set_frame(nodal_edge *edge, quat frame)
{
    const m3 R = quat_to_m3(frame), axes = m3_transpose(&R);
    edge->frame = frame;
    for (int k = 0; k < 3; k++) edge->n[k] = axes.row[k];
}

nodal_row nodal_begin_row(const nodal_view *at, size_t first, size_t count, double strain,
                          double stiffness)
{
    return (nodal_row){.first = first,
                       .count = count,
                       .strain = strain,
                       .stiffness = stiffness,
                       .viscosity = nodal_material(at)->damping * stiffness};
}

size_t nodal_twist_and_bends(const nodal_view *at, size_t edge, const nodal_edge *a,
                             const nodal_edge *b, nodal_strain out[NODAL_ROWS])
{
    const rod_material *m = nodal_material(at);
    const double stiffness[3] = {m->twist, m->bend[0], m->bend[1]};
    const double *rest = nodal_rest(at, edge), l = nodal_weight(at, edge);
    double strain[NODAL_ROWS];
    at->g->model->measure_joint(at, edge, a, b, strain);
    for (int k = 0; k < 3; k++) {
        out[k] = (nodal_strain){strain[k] - rest[k], stiffness[k] / l};
    }
    return 3;
}

static void add(double *slope, v3 g)
{
    slope[0] += g.x;
    slope[1] += g.y;
    slope[2] += g.z;
}

void nodal_pull_edge(const nodal_view *at, nodal_row *row, size_t edge, v3 g)
{
    double *slope = row->slope + (edge * at->g->stride - row->first);
    add(slope, v3_neg(g));
    add(slope + at->g->stride, g);
}

void nodal_pull_turns(const nodal_view *at, nodal_row *row, size_t edge, const nodal_edge *now,
                      v3 g)
{
    double *slope = row->slope + (edge * at->g->stride + 3 - row->first);
    for (size_t k = 0; k < at->g->model->turns; k++) slope[k] += v3_dot(now->by_turn[k], g);
}

void nodal_pull_spin(const nodal_view *at, nodal_row *row, size_t edge, const nodal_edge *now, v3 g)
{
    nodal_pull_edge(at, row, edge, m3_tmul_v3(&now->by_edge, g));
    nodal_pull_turns(at, row, edge, now, g);
}

/* Without a rest length the energy is quadratic in w, and every direction is as good as another. */
size_t nodal_norm_rows(const nodal_view *at, v3 w, double rest, double c, double pull,
                       nodal_row like, nodal_row rows[3], v3 along[3])
{
    const double norm = v3_norm(w);
    const m3 axes =
        norm > 0.0 && rest > 0.0 ? frame_from_normal(v3_scale(1.0 / norm, w)) : m3_identity();
    const double sideways = pull > 0.0 && norm > 0.0 ? pull / norm : 0.0;
    const size_t count = rest > 0.0 && sideways <= 0.0 ? 1 : 3;
    for (size_t k = 0; k < count; k++) {
        const bool strained = k == 0 || rest <= 0.0;
        rows[k] = like;
        along[k] = axes.row[k];
        rows[k].strain = !strained ? 0.0 : rest > 0.0 ? norm - rest : v3_dot(along[k], w);
        rows[k].stiffness = strained ? c : sideways;
        rows[k].viscosity = strained ? nodal_material(at)->damping * c : 0.0;
    }
    return count;
}
