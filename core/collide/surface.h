/* SPDX-License-Identifier: Apache-2.0
 *
 * A surface that deforms: triangles, edges and vertices that move over a step, each vertex straight
 * from x0 to x1. Cloth is one, so is an animated mesh; strands are a surface of loose edges that
 * has no faces.
 *
 * Elements are what the tree of boxes holds: faces, then edges without a face, then vertices
 * without either. Every vertex and every edge is owned by one element that has it, so that a search
 * through pairs of elements meets each pair of features once. Any triangles will do: borders, three
 * faces at an edge, faces without area, a face that has a vertex twice.
 *
 * Boxes hold an element's whole way, blown up by its radius (half of the thickness) and the margin:
 * two features that come as near as the sum of their radii and margins have boxes that meet.
 */
#ifndef COLLIDE_SURFACE_H
#define COLLIDE_SURFACE_H

#include "collide/bvh.h"
#include "collide/triangle.h"

enum { SURFACE_NONE = -1, SURFACE_MOST_ITEMS = 1 << 30 };

typedef struct surface_source {
    size_t vertices, faces, loose_edges;
    const uint32_t *corner; /* [3 faces] */
    const uint32_t *loose;  /* [2 loose_edges]; those that a face has too are counted once */
} surface_source;

/* Lists of numbers: those of i are item[first[i] .. first[i + 1]). */
typedef struct surface_lists {
    uint32_t *first, *item;
} surface_lists;

typedef struct surface {
    const allocator *from;
    uint32_t vertices, faces, edges, elements;
    uint32_t *corner; /* [3 faces] */
    uint32_t *end;    /* [2 edges] the lower vertex first */
    int32_t *side;    /* [3 faces] the edge from corner k to k + 1; SURFACE_NONE: no length */
    surface_lists faces_of_vertex, edges_of_vertex, faces_of_edge;
    uint32_t *lone; /* [elements - faces] number of a loose edge, then of a lone vertex */
    uint32_t loose_edges;
    uint8_t *owns; /* [elements] bits 0-2: vertices, 3-5: edges */
    bvh tree;      /* of elements */
    bvh_box *box;  /* [elements], and of the smaller features: */
    bvh_box *vertex_box, *edge_box;
    uint32_t *leaf; /* [leaves] the leaves of the tree */
    uint32_t leaves;

    const double *x0, *x1; /* of the step, 3 per vertex; others own them */
    double margin;

    /* The rest is the caller's to set at any time; arrays are his. */
    double radius;            /* half the thickness, ... */
    const double *radius_map; /* ... or [vertices]; NULL: radius everywhere */
    const double *rest;       /* [3 vertices] or NULL: the rest shape, see proximity.h */
    double exempt;            /* pairs of one surface nearer than this at rest do not meet */
    const uint8_t *held;      /* [vertices] or NULL: not 0 moves as given; two such do not meet */
    const uint32_t *exclude;  /* [vertices] or NULL: features with a common bit do not meet */
    uint32_t layers, meets;   /* a and b meet if each is in a layer that the other meets */
    bool solid;               /* closed, and its back is inside */
    uint32_t first_vertex;    /* number of its first vertex among those of all surfaces */
} surface;

/* Checks and copies the source. After a failure nothing is left. All layers, no radius. */
status surface_init(surface *s, const allocator *from, const surface_source *source, error *err);
void surface_destroy(surface *s);

/* Builds the tree at these positions, which must be finite: the rest shape is best. Once. */
status surface_build(surface *s, const double *positions, error *err);

/* Begins a step; the positions must be finite and stay until the next one begins. */
void surface_move(surface *s, const double *x0, const double *x1, double margin, pool *threads);

/* ---- features: vertices, edges, faces ---- */

typedef enum surface_kind { SURFACE_VERTEX, SURFACE_EDGE, SURFACE_FACE } surface_kind;

typedef struct surface_feature {
    surface_kind kind;
    uint32_t number;
} surface_feature;

static inline uint32_t surface_feature_key(surface_feature f)
{
    return (uint32_t)f.kind << 30 | f.number;
}

/* Writes the vertices of a feature and returns how many there are. */
static inline uint32_t surface_list_vertices(const surface *s, surface_feature f, uint32_t v[3])
{
    const uint32_t *from = f.kind == SURFACE_VERTEX ? &f.number
                           : f.kind == SURFACE_EDGE ? s->end + 2 * (size_t)f.number
                                                    : s->corner + 3 * (size_t)f.number;
    for (uint32_t k = 0; k <= (uint32_t)f.kind; k++) v[k] = from[k];
    return (uint32_t)f.kind + 1;
}

/* The largest radius at its vertices. */
double surface_feature_radius(const surface *s, surface_feature f);

/* Its way, blown up. */
static inline const bvh_box *surface_feature_box(const surface *s, surface_feature f)
{
    return (f.kind == SURFACE_VERTEX ? s->vertex_box
            : f.kind == SURFACE_EDGE ? s->edge_box
                                     : s->box) +
           f.number;
}

/* Vertex v at the time t of the step, from 0 to 1. */
static inline v3 surface_vertex_at(const surface *s, uint32_t v, double t)
{
    const v3 x0 = v3_load(s->x0 + 3 * (size_t)v);
    return v3_add_scaled(x0, t, v3_sub(v3_load(s->x1 + 3 * (size_t)v), x0));
}

static inline triangle surface_face_at(const surface *s, uint32_t face, double t)
{
    const uint32_t *c = s->corner + 3 * (size_t)face;
    return (triangle){{surface_vertex_at(s, c[0], t), surface_vertex_at(s, c[1], t),
                       surface_vertex_at(s, c[2], t)}};
}

/* The features of one kind that an element owns (its face: always); returns how many. */
uint32_t surface_list_owned(const surface *s, uint32_t element, surface_kind kind,
                            surface_feature out[3]);

#endif
