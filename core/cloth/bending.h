/* SPDX-License-Identifier: Apache-2.0
 *
 * How cloth resists bending: an orthotropic plate whose curvature comes from the angles of hinges.
 *
 * A hinge that is bent by t = theta - theta_0 curves its two triangles, of areas A_0 and A_1,
 * across its edge of length l. With the unit normal n of the edge in a triangle's chart, a triangle
 * has the curvature and the energy
 *     kappa = sum over its hinges of t l / (A_0 + A_1) n n^T,
 *     area / 2 (D_11 k_11^2 + 2 D_12 k_11 k_22 + D_22 k_22^2 + 4 D_66 k_12^2).
 * The diagonal of this quadratic form in t is the usual hinge energy, B/2 l^2 / (A_0 + A_1) t^2.
 * The terms between the hinges of a triangle take away what that has of the mesh: on a grid whose
 * squares are cut along one diagonal, hinges alone are three times as stiff against folds across
 * the diagonal as along it; with the mixed terms every uniform curvature has its exact energy
 * there.
 *
 * The moment of a hinge is M_e = sum_f Q_ef t_f over itself and at most four neighbours. For the
 * matrix of a step the form is replaced by a diagonal one that is nowhere softer,
 *     w_e = sum_f |Q_ef|:
 * it couples the four nodes of a hinge and no others, stays positive, and leaves forces, and so
 * whatever several Newton iterations converge to, as they are.
 */
#ifndef CLOTH_BENDING_H
#define CLOTH_BENDING_H

#include "cloth/rest.h"

typedef struct cloth_plate {
    double warp, weft; /* D_11, D_22: against curvature along warp and weft, N m */
    double coupling;   /* D_12 */
    double twist;      /* D_66 */
} cloth_plate;

/* From the bending stiffness of strips cut along the warp, the weft and at 45 degrees. What these
 * leave open, the coupling, is `poisson` times the geometric mean of warp and weft. A bias too soft
 * for a positive energy is raised to the softest that has one. */
cloth_plate cloth_plate_of_strips(double warp, double bias, double weft, double poisson);

/* D = E h^3 / (12 (1 - poisson^2)). */
cloth_plate cloth_plate_isotropic(double D, double poisson);

bool cloth_plate_is_valid(const cloth_plate *p);

enum { CLOTH_HINGE_NEIGHBOURS = 4 };

/* A hinge's row of Q: itself, and the other hinges of its two triangles. */
typedef struct cloth_stiffness {
    double self, bound;                     /* Q_ee and w_e, N m */
    double mixed[CLOTH_HINGE_NEIGHBOURS];   /* Q_ef; 0 where there is no neighbour */
    uint32_t other[CLOTH_HINGE_NEIGHBOURS]; /* f; itself where there is none */
} cloth_stiffness;

/* One row for each hinge. `scale` has a factor for each triangle, or is NULL. */
void cloth_bending_make(const cloth_plate *p, const cloth_topology *t, const cloth_rest *rest,
                        const double *scale, cloth_stiffness *rows);

/* sum_f Q_ef t_f */
static inline double cloth_bending_moment(const cloth_stiffness *row, uint32_t e, const double *t)
{
    double sum = row->self * t[e];
    for (int k = 0; k < CLOTH_HINGE_NEIGHBOURS; k++) sum += row->mixed[k] * t[row->other[k]];
    return sum;
}

#endif
