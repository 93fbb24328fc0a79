/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of rod models; the first is the default.
 */
#include "rods/rod.h"
#include "rods/super_helix.h"

const rod_model rod_models[] = {
    {"super-helix", "piecewise helices: no stretch by construction (paper 003, 2.3.1)",
     super_helix_create, super_helix_place},
};

const size_t rod_model_count = sizeof rod_models / sizeof *rod_models;
