/* SPDX-License-Identifier: Apache-2.0
 *
 * Points against a mesh of triangles whose vertices move over a step, each straight from where it
 * is at the beginning to where it is at the end.
 *
 * A closed mesh (every edge has two triangles that go along it in opposite directions) is solid:
 * outside is where its triangles turn counterclockwise. Any other mesh, with borders, with three
 * triangles at an edge or with triangles turned over, is a sheet with two sides, and a point stays
 * on the side where it is. The sign of a distance to a closed mesh comes from the angle-weighted
 * normal of the part that is nearest (face, edge or vertex): no corner is too sharp for it.
 *
 * A triangle is convex, so that its contact is that of any convex shape (see collide/shape.h): a
 * tangent plane of the triangle blown up by the thickness, where the point's way first enters it,
 * or one that the way stays in front of. A point has a contact for every part of the mesh that is
 * nearest to it among its neighbours: one on a face or at a convex edge, two in a fold. Blown up,
 * edges and vertices are round, so that normals turn smoothly around them.
 *
 * Answers depend on the vertices alone, never on the state of the tree.
 */
#ifndef COLLIDE_MESH_H
#define COLLIDE_MESH_H

#include "collide/bvh.h"
#include "collide/shape.h"
#include "collide/triangle.h"

/* A point this near to a surface is on it: its direction from there says nothing any more. */
#define MESH_TOUCH 1e-7
/* Points keep at least this far from a sheet, so that they know their side. */
#define MESH_SHEET_THICKNESS 5e-7

enum { MESH_MOST_CONTACTS = 8 }; /* of one point */

typedef struct collide_mesh {
    const allocator *from;
    uint32_t vertices, triangles; /* how many; no vertices: there is no mesh */
    uint32_t *corner;             /* [3 triangles] */
    uint32_t *first, *around;     /* triangles around[first[v] .. first[v + 1]) have the vertex v */
    bool closed;
    bvh tree;
    bvh_box *box;              /* [triangles] over the whole step */
    const double *begin, *end; /* positions of the step; others own them */
    double reach;              /* the longest way of a vertex in the step */
} collide_mesh;

/* Room for the corners, which the caller fills in with valid indices before it calls connect. After
 * a failure nothing is left. */
status collide_mesh_init(collide_mesh *m, const allocator *from, size_t vertices, size_t triangles,
                         error *err);
void collide_mesh_destroy(collide_mesh *m);

/* Finds neighbours, and builds the tree at these positions. */
status collide_mesh_connect(collide_mesh *m, const double *positions, error *err);

/* How many triangles have no area, and the number of the first; steps skip them. */
size_t collide_mesh_count_degenerate(const collide_mesh *m, const double *positions, size_t *first);

/* The volume inside, negative if a closed mesh is inside out. */
double collide_mesh_volume(const collide_mesh *m, const double *positions);

/* Begins a step; the positions must stay until the next one begins. */
void collide_mesh_move(collide_mesh *m, const double *begin, const double *end);

/* Triangle number i with these positions. */
triangle collide_mesh_triangle(const collide_mesh *m, const double *positions, uint32_t i);

typedef struct mesh_nearest {
    uint32_t triangle; /* of several at the same distance the first */
    triangle_nearest at;
    double distance; /* negative inside a closed mesh */
} mesh_nearest;

/* The nearest point at one end of the step, which `positions` is; false if the mesh is farther than
 * `bound`. */
bool collide_mesh_find_nearest(const collide_mesh *m, const double *positions, v3 y, double bound,
                               mesh_nearest *out);

/* Unit normal of a part of a triangle: angle-weighted over all triangles that share it. */
v3 collide_mesh_normal(const collide_mesh *m, const double *positions, uint32_t triangle,
                       uint32_t part);

/* How deep y is in the mesh blown up by `thickness`, at the end of the step; 0 if outside. */
double collide_mesh_depth(const collide_mesh *m, v3 y, double thickness);

typedef struct mesh_contacts {
    collide_contact at[MESH_MOST_CONTACTS];
    size_t count;
} mesh_contacts;

/* The contacts of a point that would go from y0 to y1 and ends no farther than `margin` from there.
 */
void collide_mesh_way(const collide_mesh *m, v3 y0, v3 y1, double thickness, double margin,
                      mesh_contacts *out);

#endif
