/* SPDX-License-Identifier: Apache-2.0
 *
 * A joint between the edges a and b, with the arc length l that belongs to it, has the strains
 *     twist        m   = the angle from a's frame, carried the short way to t_b, to b's frame
 *     curvatures   k_j = (n_j^a + n_j^b) / 2 . 2 t_a x t_b / (1 + t_a . t_b),      j = 1, 2
 * and the energy sum stiffness / (2 l) (strain - rest)^2. Their rates, with the frames' omega:
 *     m'   = (omega_b - omega_a) . (t_a + t_b) / (1 + t_a . t_b)
 *     k_j' = curvature' . (n_j^a + n_j^b) / 2 + curvature . (omega_a x n_j^a + omega_b x n_j^b) / 2
 */
#include "rods/discrete_elastic_rod.h"

#include "math/trig.h"
#include "rods/transported_frame.h"

static const double TWO_PI = 6.28318530717958647692;

static void find_edge(const nodal_view *at, size_t edge, nodal_edge *out)
{
    transported_find_edge(at, edge, nodal_turns(at, edge)[0], out);
}

/* The angle about b's axis from a's frame to b's, in [-pi, pi]. */
static double angle_between(const nodal_edge *a, const nodal_edge *b)
{
    const v3 carried = quat_rotate(transported_short_way(a->t, b->t), a->n[1]);
    return trig_atan2(-v3_dot(carried, b->n[2]), v3_dot(carried, b->n[1]));
}

/* Whole turns are those that bring it nearest to the last step's twist and what was added since. */
static double measure_twist(const nodal_view *at, size_t edge, const nodal_edge *a,
                            const nodal_edge *b)
{
    const double angle = angle_between(a, b);
    const double added = nodal_turns(at, edge)[0] - nodal_turns(at, edge - 1)[0];
    const double guess = at->twists[edge] + added;
    return angle + TWO_PI * floor((guess - angle) / TWO_PI + 0.5);
}

static void measure_joint(const nodal_view *at, size_t edge, const nodal_edge *a,
                          const nodal_edge *b, double strain[NODAL_ROWS])
{
    const v3 curvature = transported_curvature(a, b).b;
    strain[0] = measure_twist(at, edge, a, b);
    for (int j = 1; j < 3; j++) strain[j] = 0.5 * v3_dot(v3_add(a->n[j], b->n[j]), curvature);
}

static void pull_twist(const nodal_view *at, nodal_row *row, size_t edge, const nodal_edge *a,
                       const nodal_edge *b, double chi)
{
    const v3 g = v3_scale(1.0 / chi, v3_add(a->t, b->t));
    nodal_pull_spin(at, row, edge - 1, a, v3_neg(g));
    nodal_pull_spin(at, row, edge, b, g);
}

static void pull_bend(const nodal_view *at, nodal_row *row, size_t edge, const nodal_edge *a,
                      const nodal_edge *b, const curvature_binormal *k, int j)
{
    const v3 half = v3_scale(0.5, k->b);
    transported_pull_curvature(at, row, edge, a, b, k, v3_scale(0.5, v3_add(a->n[j], b->n[j])));
    nodal_pull_spin(at, row, edge - 1, a, v3_cross(a->n[j], half));
    nodal_pull_spin(at, row, edge, b, v3_cross(b->n[j], half));
}

static size_t joint_rows(const nodal_view *at, size_t edge, const nodal_edge *a,
                         const nodal_edge *b, nodal_row *rows)
{
    const curvature_binormal k = transported_curvature(a, b);
    nodal_strain s[NODAL_ROWS];
    nodal_twist_and_bends(at, edge, a, b, s);
    for (int j = 0; j < 3; j++) {
        rows[j] = nodal_begin_row(at, (edge - 1) * at->g->stride, 2 * at->g->stride + 3,
                                  s[j].strain, s[j].stiffness);
    }
    pull_twist(at, &rows[0], edge, a, b, k.chi);
    for (int j = 1; j < 3; j++) pull_bend(at, &rows[j], edge, a, b, &k, j);
    return 3;
}

static void turns_to(const nodal_view *at, size_t edge, quat frame, double *turns)
{
    const v3 a = quat_rotate(nodal_frame(at, edge), (v3){1.0, 0.0, 0.0});
    const v3 t = quat_rotate(frame, (v3){1.0, 0.0, 0.0});
    const quat moved = quat_mul(transported_short_way(a, t), nodal_frame(at, edge));
    const quat left = quat_mul(quat_conjugate(moved), frame); /* about its own first axis */
    const double half = trig_atan2(left.x, left.w);
    const double pi = 0.5 * TWO_PI;
    turns[0] = 2.0 * (half > 0.5 * pi ? half - pi : half < -0.5 * pi ? half + pi : half);
}

static const nodal_model model = {
    .ops = {.name = "discrete-elastic-rod",
            .doc = "nodes and an angle per edge: bends, twists and stretches",
            NODAL_ROD_OPS},
    .turns = 1,
    .width = 10,
    .find_edge = find_edge,
    .measure_joint = measure_joint,
    .joint_strains = nodal_twist_and_bends,
    .joint_rows = joint_rows,
    .turns_to = turns_to,
};

status discrete_elastic_rod_create(const rods_source *source, const allocator *from,
                                   body_group **out, error *err)
{
    return nodal_rod_create(&model, source, from, out, err);
}
