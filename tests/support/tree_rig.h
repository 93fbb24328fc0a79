/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of helices for tests: made from a rod rig, built, stepped.
 */
#ifndef SUPPORT_TREE_RIG_H
#define SUPPORT_TREE_RIG_H

#include "rods/helix_tree.h"
#include "support/rod_rig.h"

typedef struct tree_rig {
    /* what the next build takes */
    uint32_t parent[ROD_RIG_MOST];
    quat offset[ROD_RIG_MOST];
    double lengths[ROD_RIG_MOST], natural[3 * ROD_RIG_MOST];
    rod_material material[ROD_RIG_MOST];
    helix_tree_source source;
    /* what it made */
    helix_tree *t;
    double *state, *v; /* v is in the state */
    double *work;
} tree_rig;

/* The chain that is rod 0 of the rig. */
void tree_rig_fill(tree_rig *tree, const rod_rig *rod);

/* At rest in its natural shape. */
void tree_rig_build(tree_rig *tree, const pose *root);
void tree_rig_free(tree_rig *tree);

/* One step, which must succeed. */
void tree_rig_step(tree_rig *tree, const body_input *in);

/* Numbers that differ by at most `relative` of the largest of the expected ones. */
void assert_reals_near(double relative, const double *expected, const double *actual, size_t count);

#endif
