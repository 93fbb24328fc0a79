/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tree_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

void tree_rig_fill(tree_rig *tree, const rod_rig *rod)
{
    const uint32_t n = rod->source.elements;
    for (uint32_t e = 0; e < n; e++) {
        tree->parent[e] = e ? e - 1 : HELIX_TREE_ROOT;
        tree->offset[e] = quat_identity();
        tree->material[e] = rod->material[0];
    }
    memcpy(tree->lengths, rod->lengths, n * sizeof(double));
    memcpy(tree->natural, rod->natural, 3 * n * sizeof(double));
    tree->source = (helix_tree_source){.name = "willow",
                                       .elements = n,
                                       .free_root = rod->source.free_root,
                                       .parent = tree->parent,
                                       .offset = tree->offset,
                                       .lengths = tree->lengths,
                                       .natural = tree->natural,
                                       .material = tree->material};
}

void tree_rig_build(tree_rig *tree, const pose *root)
{
    error err = {0};
    TEST_ASSERT_EQUAL_MESSAGE(
        STATUS_OK, helix_tree_create(&tree->source, &allocator_system, &tree->t, &err), err.text);
    tree->state = calloc(helix_tree_state_count(tree->t), sizeof(double));
    tree->work = calloc(helix_tree_work_count(tree->t), sizeof(double));
    TEST_ASSERT_TRUE(tree->state && tree->work);
    tree->v = tree->state + helix_tree_unknowns(tree->t);
    helix_tree_rest(tree->t, root, NULL, tree->state);
}

void tree_rig_free(tree_rig *tree)
{
    helix_tree_destroy(tree->t);
    free(tree->state);
    free(tree->work);
    *tree = (tree_rig){0};
}

void tree_rig_step(tree_rig *tree, const body_input *in)
{
    TEST_ASSERT_TRUE(helix_tree_step(tree->t, in, tree->state, tree->work, tree->state));
}

void assert_reals_near(double relative, const double *expected, const double *actual, size_t count)
{
    double size = 0.0;
    for (size_t i = 0; i < count; i++) size = fmax(size, fabs(expected[i]));
    for (size_t i = 0; i < count; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(relative * size, expected[i], actual[i]);
    }
}
