/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/bending.h"

#include "math/scalar.h"

/* The least share of the geometric mean of warp and weft that twist has. */
static const double LEAST_TWIST = 0.05;

cloth_plate cloth_plate_of_strips(double warp, double bias, double weft, double poisson)
{
    const double mean = sqrt(warp * weft);
    cloth_plate p = {.warp = warp, .weft = weft, .coupling = poisson * mean};
    /* bias = (warp + weft) / 4 + (coupling + 2 twist) / 2 */
    p.twist = bias - 0.25 * (warp + weft) - 0.5 * p.coupling;
    p.twist = scalar_max(p.twist, LEAST_TWIST * mean);
    return p;
}

cloth_plate cloth_plate_isotropic(double D, double poisson)
{
    return (cloth_plate){D, D, poisson * D, 0.5 * (1.0 - poisson) * D};
}

bool cloth_plate_is_valid(const cloth_plate *p)
{
    const double det = p->warp * p->weft - p->coupling * p->coupling;
    const bool is_none = p->warp == 0.0 && p->weft == 0.0 && p->coupling == 0.0 && p->twist == 0.0;
    const bool is_positive = p->warp > 0.0 && p->weft > 0.0 && det > 0.0 && p->twist > 0.0;
    return is_none || (is_positive && isfinite(p->warp + p->weft) && isfinite(p->twist));
}

/* Curvatures k_11, k_22, k_12 of a triangle per radian of the hinge at its edge k. */
typedef struct hinge_mode {
    double k[3];
} hinge_mode;

static double gradient_norm(const cloth_chart *c, int corner)
{
    double g[2];
    cloth_chart_gradient(c, corner, g);
    return sqrt(g[0] * g[0] + g[1] * g[1]);
}

/* l / (A_0 + A_1). The two charts of a seam may disagree on the length; the mean is taken. The
 * normal of the edge is the gradient of the corner opposite to it, and 2 area |gradient| its
 * length. */
static double curvature_per_angle(const cloth_hinge *h, const cloth_rest *rest)
{
    const cloth_chart *c0 = &rest->chart[h->face[0]], *c1 = &rest->chart[h->face[1]];
    const double length =
        c0->area * gradient_norm(c0, h->side[0]) + c1->area * gradient_norm(c1, h->side[1]);
    return c0->area > 0.0 && c1->area > 0.0 ? length / (c0->area + c1->area) : 0.0;
}

static hinge_mode find_mode(const cloth_topology *t, const cloth_rest *rest, uint32_t face,
                            int side)
{
    const uint32_t e = t->face_hinge[3 * (size_t)face + (size_t)side];
    if (e == CLOTH_NO_HINGE || rest->chart[face].area == 0.0) return (hinge_mode){{0.0}};
    const cloth_hinge *h = &t->hinge[e];
    double g[2];
    cloth_chart_gradient(&rest->chart[face], side, g);
    const bool is_second = h->face[1] == face && h->side[1] == side;
    const double sign = is_second && h->is_turned ? -1.0 : 1.0;
    const double c = sign * curvature_per_angle(h, rest) / (g[0] * g[0] + g[1] * g[1]);
    return (hinge_mode){{c * g[0] * g[0], c * g[1] * g[1], c * g[0] * g[1]}};
}

static double multiply(const cloth_plate *p, const hinge_mode *a, const hinge_mode *b)
{
    return p->warp * a->k[0] * b->k[0] + p->coupling * (a->k[0] * b->k[1] + a->k[1] * b->k[0]) +
           p->weft * a->k[1] * b->k[1] + 4.0 * p->twist * a->k[2] * b->k[2];
}

/* What a triangle adds to the row of the hinge at its edge `side`; its other two hinges are the
 * neighbours `first` and first + 1. */
static void add_triangle(const cloth_plate *p, const cloth_topology *t, const cloth_rest *rest,
                         double scale, uint32_t face, int side, int first, cloth_stiffness *row)
{
    const double area = scale * rest->chart[face].area;
    const hinge_mode mine = find_mode(t, rest, face, side);
    const double self = area * multiply(p, &mine, &mine);
    row->self += self;
    row->bound += self;
    for (int k = 0; k < 2; k++) {
        const int other_side = (side + 1 + k) % 3;
        const uint32_t other = t->face_hinge[3 * (size_t)face + (size_t)other_side];
        if (other == CLOTH_NO_HINGE) continue;
        const hinge_mode theirs = find_mode(t, rest, face, other_side);
        row->other[first + k] = other;
        row->mixed[first + k] = area * multiply(p, &mine, &theirs);
        row->bound += fabs(row->mixed[first + k]);
    }
}

void cloth_bending_make(const cloth_plate *p, const cloth_topology *t, const cloth_rest *rest,
                        const double *scale, cloth_stiffness *rows)
{
    for (uint32_t e = 0; e < t->hinges; e++) {
        rows[e] = (cloth_stiffness){.other = {e, e, e, e}};
        for (int k = 0; k < 2; k++) {
            const uint32_t face = t->hinge[e].face[k];
            const double factor = scale ? scale[face] : 1.0;
            add_triangle(p, t, rest, factor, face, t->hinge[e].side[k], 2 * k, &rows[e]);
        }
    }
}
