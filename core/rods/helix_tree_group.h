/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of helices (helix_tree.h) as a body_group (mechanics/body_group.h): a body is a whole tree,
 * a station is the root or the end of an element, and s of a material point runs through the
 * elements in their order (helix_tree_find_element).
 *
 * Two things are not as in other groups. There are no factors (their shape is empty): a step is
 * solved by recursion, and contacts cannot ask. And energy and gradient have the frames of the tree
 * in a scratch of the group, so they want one thread at a time.
 */
#ifndef RODS_HELIX_TREE_GROUP_H
#define RODS_HELIX_TREE_GROUP_H

#include "rods/helix_tree.h"

/* `trees` trees of as many elements each; the arrays of `each` are those of all, tree by tree. */
typedef struct helix_trees_source {
    uint32_t trees;
    helix_tree_source each;
} helix_trees_source;

/* Errors are those of helix_tree_create, with the tree's number after the name. */
status helix_trees_create(const helix_trees_source *source, const allocator *from, body_group **out,
                          error *err);

/* At rest with the curvatures `kappa` [trees][elements][3], or the natural ones if it is NULL. */
void helix_trees_place(const body_group *g, const pose *root, const double *kappa, double *state);

#endif
