/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is whose neighbour in a triangle mesh, found once.
 *
 * Edge k of a triangle lies opposite to its corner k. Where exactly two triangles meet in an edge
 * there is a hinge:
 *
 *              b                    a, b   the edge
 *            / | \                  c, d   the corners opposite to it, of face[0] and face[1]
 *           c  |  d
 *            \ | /                  face[0] runs from a to b.
 *              a
 *
 * A mesh may be anything: open, closed, torn, one-sided, with nodes of no triangle. An edge of
 * three triangles or more has no hinge, since no two of its triangles go on in one another; nor has
 * one whose two triangles have the same corners. Both are counted.
 */
#ifndef CLOTH_TOPOLOGY_H
#define CLOTH_TOPOLOGY_H

#include "base/memory.h"
#include "base/status.h"

#define CLOTH_NO_HINGE UINT32_MAX

typedef struct cloth_hinge {
    uint32_t node[4]; /* a, b, c, d */
    uint32_t face[2];
    uint8_t side[2];   /* which edge of the face it is */
    uint8_t is_turned; /* face[1] runs from a to b as well: the two have opposite fronts */
} cloth_hinge;

typedef struct cloth_topology {
    const allocator *from;
    uint32_t nodes, triangles, edges, hinges;
    uint32_t border_edges, crowded_edges, doubled_edges; /* of one, of three or more, of twins */
    uint32_t loose_nodes;                                /* in no triangle */
    uint32_t *corner;                                    /* [triangles][3] */
    uint32_t *edge;       /* [edges][2], the smaller node first, in rising order */
    cloth_hinge *hinge;   /* [hinges], in the order of their edges */
    uint32_t *face_hinge; /* [triangles][3] hinge at edge k, or CLOTH_NO_HINGE */
} cloth_topology;

/* Errors: a corner that is no node, a triangle with the same node twice, no nodes or too
 * many, no memory. After one there is nothing to destroy. */
status cloth_topology_create(cloth_topology *t, const allocator *from, size_t nodes,
                             size_t triangles, const uint32_t *corner, error *err);
void cloth_topology_destroy(cloth_topology *t);

#endif
