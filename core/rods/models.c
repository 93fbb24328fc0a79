/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of rod models; the first is the default.
 */
#include "rods/corde.h"
#include "rods/discrete_elastic_rod.h"
#include "rods/mass_spring.h"
#include "rods/rod.h"
#include "rods/super_clothoid.h"
#include "rods/super_helix.h"

#include <string.h>

const rod_model rod_models[] = {
    {"super-helix", "piecewise helices: no stretch by construction (paper 003, 2.3.1)",
     super_helix_create, super_helix_place},
    {"super-clothoid", "piecewise clothoids: smooth and more accurate, slower (paper 003, 2.3.2)",
     super_clothoid_create, super_clothoid_place},
    {"discrete-elastic-rod", "nodes and an angle per edge: bends, twists and stretches",
     discrete_elastic_rod_create, nodal_rod_place},
    {"mass-spring", "nodes alone: bends alike in every direction, stretches, has no twist",
     mass_spring_create, nodal_rod_place},
    {"corde", "nodes and a quaternion per edge: bends, twists, stretches, shears a little",
     corde_create, nodal_rod_place},
};

const size_t rod_model_count = sizeof rod_models / sizeof *rod_models;

const rod_model *rod_model_find(const char *name)
{
    for (size_t i = 0; i < rod_model_count; i++) {
        if (strcmp(rod_models[i].name, name) == 0) return &rod_models[i];
    }
    return NULL;
}
