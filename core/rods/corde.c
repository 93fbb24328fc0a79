/* SPDX-License-Identifier: Apache-2.0
 *
 * The unit quaternion p of an edge is the last step's turned by a vector phi of q:
 *     p = (1, phi / 2) / |(1, phi / 2)| p_last,
 *     omega = (phi' + phi x phi' / 2) / (1 + |phi|^2 / 4).
 * A joint between the edges a and b with the arc length l has the strains
 *     u = 2 vec(p_a* p_b),     energy sum stiffness / (2 l) (u - rest)^2:
 * the twist and the two curvatures times l, as the sine of half the angle. It is weakest, and lets
 * go, where two edges are turned by half a turn to one another. An edge has the strain t - n0 with
 * the energy E A l / 2 |t - n0|^2: a shear spring as stiff as the material stretches, which leaves
 * an error of the order of (thickness / length)^2.
 */
#include "rods/corde.h"

static v3 vector_of(quat q) { return (v3){q.x, q.y, q.z}; }

static v3 unit(int k) { return (v3){k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

static void find_edge(const nodal_view *at, size_t edge, nodal_edge *out)
{
    nodal_direct_edge(at, edge, out);
    const v3 half = v3_scale(0.5, v3_load(nodal_turns(at, edge)));
    const quat turn = quat_normalize((quat){1.0, half.x, half.y, half.z});
    nodal_set_frame(out, quat_normalize(quat_mul(turn, nodal_frame(at, edge))));
    out->by_edge = m3_diagonal(0.0);
    for (int k = 0; k < 3; k++) {
        const v3 w = v3_add(unit(k), v3_cross(half, unit(k)));
        out->by_turn[k] = v3_scale(turn.w * turn.w, w);
    }
}

static quat turn_between(const nodal_edge *a, const nodal_edge *b)
{
    return quat_mul(quat_conjugate(a->frame), b->frame);
}

static void measure_joint(const nodal_view *at, size_t edge, const nodal_edge *a,
                          const nodal_edge *b, double strain[NODAL_ROWS])
{
    (void)at, (void)edge;
    v3_store(strain, v3_scale(2.0, vector_of(turn_between(a, b))));
}

/* With z = p_a* p_b and w = omega_b - omega_a in a's frame: u' = z.w w + w x vec(z) */
static size_t joint_rows(const nodal_view *at, size_t edge, const nodal_edge *a,
                         const nodal_edge *b, nodal_row *rows)
{
    const quat z = turn_between(a, b);
    nodal_strain s[NODAL_ROWS];
    nodal_twist_and_bends(at, edge, a, b, s);
    for (int k = 0; k < 3; k++) {
        const v3 g = v3_add_scaled(v3_cross(vector_of(z), unit(k)), z.w, unit(k));
        const v3 in_space = quat_rotate(a->frame, g);
        rows[k] = nodal_begin_row(at, (edge - 1) * at->g->stride + 3, at->g->stride + 3,
                                  s[k].strain, s[k].stiffness);
        nodal_pull_turns(at, &rows[k], edge - 1, a, v3_neg(in_space));
        nodal_pull_turns(at, &rows[k], edge, b, in_space);
    }
    return 3;
}

static size_t edge_strains(const nodal_view *at, size_t edge, const nodal_edge *now,
                           nodal_strain out[NODAL_ROWS])
{
    const v3 off = v3_sub(now->t, now->n[0]);
    const double stiffness = nodal_material(at)->stretch * nodal_chord(at, edge);
    out[0] = (nodal_strain){off.x, stiffness};
    out[1] = (nodal_strain){off.y, stiffness};
    out[2] = (nodal_strain){off.z, stiffness};
    return 3;
}

static size_t edge_rows(const nodal_view *at, size_t edge, const nodal_edge *now, nodal_row *rows)
{
    nodal_strain s[NODAL_ROWS];
    edge_strains(at, edge, now, s);
    for (int k = 0; k < 3; k++) {
        const v3 t = now->t, e = unit(k);
        const v3 across = v3_add_scaled(e, -v3_dot(e, t), t);
        rows[k] = nodal_begin_row(at, edge * at->g->stride, at->g->stride + 3, s[k].strain,
                                  s[k].stiffness);
        rows[k].viscosity = 0.0; /* it is a constraint, not a material */
        nodal_pull_edge(at, &rows[k], edge, v3_scale(1.0 / now->length, across));
        nodal_pull_turns(at, &rows[k], edge, now, v3_cross(e, now->n[0]));
    }
    return 3;
}

/* A frame that is further away than 174 degrees is led on by 174. */
static void turns_to(const nodal_view *at, size_t edge, quat frame, double *turns)
{
    quat turn = quat_mul(frame, quat_conjugate(nodal_frame(at, edge)));
    if (turn.w < 0.0) turn = (quat){-turn.w, -turn.x, -turn.y, -turn.z};
    const double smallest = 0.05;
    v3_store(turns, v3_scale(2.0 / (turn.w > smallest ? turn.w : smallest), vector_of(turn)));
}

static const nodal_model model = {
    .ops = {.name = "corde",
            .doc = "nodes and a quaternion per edge: bends, twists, stretches, shears a little",
            NODAL_ROD_OPS},
    .turns = 3,
    .width = 8,
    .find_edge = find_edge,
    .measure_joint = measure_joint,
    .joint_strains = nodal_twist_and_bends,
    .joint_rows = joint_rows,
    .edge_strains = edge_strains,
    .edge_rows = edge_rows,
    .turns_to = turns_to,
};

status corde_create(const rods_source *source, const allocator *from, body_group **out, error *err)
{
    return nodal_rod_create(&model, source, from, out, err);
}
