/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/arrays.h"

#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

#define IN_AND_OUT (ARRAY_READ | ARRAY_WRITE)
#define KINDS_OF_MESH (KIND_CLOTH | KIND_COLLIDER)

const array_row array_table[ARRAY_ROWS] = {
    [A_POSITION] = {"position", "m",
                    "Where each node is. Of a mesh collider: where each vertex is in its own "
                    "coordinates; writing it makes it be there at once, without a velocity. Points "
                    "of hair can only be read.",
                    KINDS_OF_MESH | KIND_HAIR, 3, IN_AND_OUT, ELEMENT_NODE},
    [A_VELOCITY] = {"velocity", "m/s",
                    "How fast each node moves. Of points of hair the mean of the last step, which "
                    "can only be read.",
                    KIND_CLOTH | KIND_HAIR, 3, IN_AND_OUT, ELEMENT_NODE},
    [A_MASS] = {"mass", "kg", "Mass of each node; writing it replaces density * area.", KIND_CLOTH,
                1, IN_AND_OUT, ELEMENT_NODE},
    [A_PIN] = {"pin", "",
               "1: the node follows its target, 0: it is free. A node that is newly pinned stays "
               "where it is.",
               KIND_CLOTH, 1, IN_AND_OUT, ELEMENT_NODE},
    [A_TARGET] = {"target", "m",
                  "Where a pinned node, or a vertex of a mesh collider, will be at the end of the "
                  "next step or advance call.",
                  KINDS_OF_MESH, 3, IN_AND_OUT, ELEMENT_NODE},
    [A_CONTACT_FORCE] = {"contact_force", "N",
                         "Sum of the contact forces on each node in the last step.", KIND_CLOTH, 3,
                         ARRAY_READ, ELEMENT_NODE},
    [A_CONTACT_STATE] = {"contact_state", "",
                         "0: no contact, 1: taking off, 2: sticking, 3: sliding.", KIND_CLOTH, 1,
                         ARRAY_READ | ARRAY_INTEGER, ELEMENT_NODE},
    [A_TRIANGLE] = {"triangle", "", "The three nodes of each triangle.", KINDS_OF_MESH, 3,
                    ARRAY_READ | ARRAY_INTEGER, ELEMENT_TRIANGLE},
    [A_ROOT_POSITION] = {"root_position", "m",
                         "Where each strand's root will be at the end of the next step or advance "
                         "call; for hair without a surface.",
                         KIND_HAIR, 3, IN_AND_OUT, ELEMENT_STRAND},
    [A_ROOT_ROTATION] =
        {"root_rotation", "",
         "How each strand's root will be turned then: a unit quaternion w, x, y, z, "
         "which started as the root rotation given at creation, or as none.",
         KIND_HAIR, 4, IN_AND_OUT, ELEMENT_STRAND},
    [A_STRAND_SIZE] = {"strand_size", "", "How many points each strand has.", KIND_HAIR, 1,
                       ARRAY_READ | ARRAY_INTEGER, ELEMENT_STRAND},
    [A_STIFFNESS_MAP] = {"stiffness_map", "",
                         "Factor on each strand's stiffness against bending and twist; 1 at first.",
                         KIND_HAIR, 1, IN_AND_OUT, ELEMENT_STRAND},
    [A_CURL_MAP] = {"curl_map", "",
                    "Factor on the curvatures of each strand's natural shape: 0 is straight, 1, as "
                    "at first, as given.",
                    KIND_HAIR, 1, IN_AND_OUT, ELEMENT_STRAND},
    [A_MASS_MAP] = {"mass_map", "", "Factor on each strand's mass; 1 at first.", KIND_HAIR, 1,
                    IN_AND_OUT, ELEMENT_STRAND},
    [A_DRAG_MAP] = {"drag_map", "", "Factor on each strand's drag; 1 at first.", KIND_HAIR, 1,
                    IN_AND_OUT, ELEMENT_STRAND},
    [A_THICKNESS_MAP] = {"thickness_map", "", "Factor on each strand's thickness; 1 at first.",
                         KIND_HAIR, 1, IN_AND_OUT, ELEMENT_STRAND},
    [A_FRICTION_MAP] = {"friction_map", "", "Factor on each strand's friction; 1 at first.",
                        KIND_HAIR, 1, IN_AND_OUT, ELEMENT_STRAND},
    [A_STIFFNESS_PROFILE] = {"stiffness_profile", "",
                             "Factor on the stiffness at each point, beside the strand's; averaged "
                             "over elements; 1 at first.",
                             KIND_HAIR, 1, IN_AND_OUT, ELEMENT_NODE},
    [A_CURL_PROFILE] = {"curl_profile", "",
                        "Factor on the natural curvatures at each point, beside the strand's; "
                        "averaged over elements; 1 at first.",
                        KIND_HAIR, 1, IN_AND_OUT, ELEMENT_NODE},
    [A_FREEZE] = {"freeze", "",
                  "1: the strand keeps the shape that it has and goes with its root, 0, as at "
                  "first: it is free.",
                  KIND_HAIR, 1, IN_AND_OUT, ELEMENT_STRAND},
    [A_ROOT_FORCE] = {"root_force", "N",
                      "What pulls at each strand's root, in space, until it is set again; 0 at "
                      "first. A root that is held does not feel it.",
                      KIND_HAIR, 3, IN_AND_OUT, ELEMENT_STRAND},
    [A_TIP_FORCE] =
        {"tip_force", "N",
         "What pulls at each strand's tip, in space, until it is set again; 0 at first.", KIND_HAIR,
         3, IN_AND_OUT, ELEMENT_STRAND},
    [A_TIP_MOMENT] = {"tip_moment", "N m",
                      "What turns each strand's tip, in space, until it is set again; 0 at first.",
                      KIND_HAIR, 3, IN_AND_OUT, ELEMENT_STRAND},
};

int array_find_row(const char *name)
{
    for (int row = 0; row < ARRAY_ROWS; row++) {
        if (strcmp(array_table[row].name, name) == 0) return row;
    }
    return -1;
}

const char *array_suggest_row(const char *name)
{
    text_suggestion nearest = {0};
    for (int row = 0; row < ARRAY_ROWS; row++) {
        text_suggestion_offer(&nearest, name, array_table[row].name);
    }
    return nearest.best;
}
