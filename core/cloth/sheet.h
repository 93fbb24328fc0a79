/* SPDX-License-Identifier: Apache-2.0
 *
 * An elastic cloth: neighbours, rest shape and material put together. Nothing in it changes while
 * the cloth moves; positions, velocities and masses are the caller's.
 */
#ifndef CLOTH_SHEET_H
#define CLOTH_SHEET_H

#include "cloth/materials.h"

typedef struct cloth_sheet_source {
    size_t nodes, triangles;
    const uint32_t *corner; /* [triangles][3] */
    cloth_rest_source rest;
    cloth_material material;
    const double *stretch, *shear, *bend; /* [nodes] factors of the material, or NULL: 1 */
} cloth_sheet_source;

typedef struct cloth_face_factor {
    double stretch, shear;
} cloth_face_factor;

typedef struct cloth_sheet {
    const allocator *from;
    cloth_topology topology;
    cloth_rest rest;
    cloth_material material;
    cloth_face_factor *factor;  /* [triangles] */
    double *bend;               /* [triangles] */
    cloth_stiffness *stiffness; /* [hinges] */
} cloth_sheet;

/* Errors: those of cloth_topology_create and cloth_rest_create, a material without positive energy,
 * factors that are negative or not finite. After one there is nothing to destroy. Triangles without
 * area are no error; rest.flat_triangles counts them. */
status cloth_sheet_create(cloth_sheet *s, const allocator *from, const cloth_sheet_source *source,
                          error *err);
void cloth_sheet_destroy(cloth_sheet *s);

/* Allocates nothing; on an error the sheet keeps what it had. */
status cloth_sheet_set_material(cloth_sheet *s, const cloth_material *m, error *err);

/* area[i]: a third of the rest areas of the triangles around node i; times density it is a mass. */
void cloth_sheet_find_areas(const cloth_sheet *s, double *area);

/* A triangle's deformation and Green's strain (membrane.h). */
typedef struct cloth_deformation {
    v3 F[2];
    double e[3];
} cloth_deformation;

static inline v3 cloth_chart_apply(const cloth_chart *c, int i, v3 p, v3 q)
{
    return v3_add(v3_scale(c->d[0][i], p), v3_scale(c->d[1][i], q));
}

/* Sides x_1 - x_0 and x_2 - x_0 of a triangle, of positions or of velocities. */
static inline void cloth_face_sides(const uint32_t *corner, const double *x, v3 *p, v3 *q)
{
    const v3 origin = v3_load(x + 3 * (size_t)corner[0]);
    *p = v3_sub(v3_load(x + 3 * (size_t)corner[1]), origin);
    *q = v3_sub(v3_load(x + 3 * (size_t)corner[2]), origin);
}

cloth_deformation cloth_sheet_deform(const cloth_sheet *s, uint32_t face, const double *x);

/* theta - theta_0 the short way round. */
double cloth_angle_from_rest(double angle, double rest);

/* What elasticity stores at x, J, and where; `bent` is scratch for as many doubles as hinges. */
typedef struct cloth_energy {
    double stretch, bend;
} cloth_energy;

cloth_energy cloth_sheet_energy(const cloth_sheet *s, const double *x, double *bent);

/* force = -d energy / dx, N, [nodes][3]. */
void cloth_sheet_force(const cloth_sheet *s, const double *x, double *bent, double *force);

#endif
