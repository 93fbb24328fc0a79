/* SPDX-License-Identifier: Apache-2.0
 *
 * Single rods of the rods extension as things to be checked, whatever their model: what the
 * unknowns of a model mean is never used, only places, Jacobians, slopes and equilibria.
 *
 * A rod begins at the origin along x and has the length 1; its figures are those of theory, without
 * units. After a failure all calls do nothing until the case is over.
 */
#ifndef STICTION_VALIDATE_ROD_LAB_H
#define STICTION_VALIDATE_ROD_LAB_H

#include <stiction/ext_rods.h>

#include "lab.h"

enum { ROD_LAB_MODELS = 16, ROD_MOST_ELEMENTS = 256 };

/* What a model can do is asked of its Jacobian near the tip of a straight rod. */
typedef struct rod_model {
    const char *name;
    bool twists, stretches, shears;
} rod_model;

typedef struct rod_lab {
    lab *l;
    const stn_ext_rods *rods;
    rod_model models[ROD_LAB_MODELS];
    size_t model_count;
} rod_lab;

/* `tolerance` of equilibria, over the rod's length. False, with the error in the lab, if there are
 * no rods. */
bool rod_lab_open(rod_lab *r, lab *l, double tolerance);

/* Density and bending stiffness 1, round, twist 1; `stretch` so large that it adds less than 1e-6
 * to lengths under loads of 1. */
stn_rod_material rod_lab_material(void);

typedef struct rod {
    rod_lab *lab;
    const rod_model *model;
    stn_rods *rods;
    uint32_t elements;
    size_t n; /* unknowns */
} rod;

/* Straight elements of equal length. */
rod rod_open(rod_lab *r, const rod_model *model, uint32_t elements,
             const stn_rod_material *material);
/* Elements of any lengths that begin with `curvatures` [elements][3]; `natural` are those at rest,
 * NULL: straight. */
rod rod_open_bent(rod_lab *r, const rod_model *model, uint32_t elements,
                  const stn_rod_material *material, const double *lengths, const double *natural,
                  const double *curvatures);
void rod_close(rod *a);

/* True until a call of the case has failed. */
bool rod_usable(const rod *a);
/* Keeps the text of the first call that failed. */
void rod_check(const rod *a, stn_status status);

/* To rest under the input, or at least to where no further step moves the tip; how far the last one
 * did counts as the case's residual. */
void rod_settle(const rod *a, const stn_rods_input *input);

/* The smallest eigenvalue of the energy's Hessian at an equilibrium near by. */
double rod_lowest(const rod *a, const stn_rods_input *input);
void rod_step(const rod *a, const stn_rods_input *input, double dt);
void rod_place(const rod *a, double s, vec *position, turn *rotation);
vec rod_point(const rod *a, double s);
void rod_get_state(const rod *a, double *q, double *v);
void rod_set_state(const rod *a, const double *q, const double *v);
void rod_gradient(const rod *a, const stn_rods_input *input, double *out);
/* The first three rows move the rod at s, the other three turn it: [6][n]. */
void rod_jacobian(const rod *a, double s, double *out);
stn_rod_energy rod_energies(const rod *a);
/* Kinetic and elastic. */
double rod_energy(const rod *a);

/* Nothing acts. */
static inline stn_rods_input rod_no_input(void)
{
    return (stn_rods_input){.struct_size = sizeof(stn_rods_input)};
}

static inline stn_rods_input rod_gravity(vec g)
{
    return (stn_rods_input){.struct_size = sizeof(stn_rods_input), .gravity = {g.x, g.y, g.z}};
}

/* For the end of a rod; the caller points at it from an input. */
static inline stn_rod_load rod_tip_load(vec force, vec moment)
{
    return (stn_rod_load){.struct_size = sizeof(stn_rod_load),
                          .s = 1.0,
                          .force = {force.x, force.y, force.z},
                          .moment = {moment.x, moment.y, moment.z}};
}

#endif
