/* SPDX-License-Identifier: Apache-2.0 */
#include "rod_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- models ---------------------------------------------------------------------------------- */

static double largest(const double *x, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++) most = lab_worst(most, fabs(x[i]));
    return most;
}

/* Is there an unknown that turns the rod about y, where J was taken, but does not move it? */
static bool turns_on_the_spot(const double *J, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        const double moves = fabs(J[j]) + fabs(J[n + j]) + fabs(J[2 * n + j]);
        if (fabs(J[4 * n + j]) > 1e-6 && moves < 1e-12) return true;
    }
    return false;
}

/* Can the tip of a straight rod move along x, can it turn about x, can its last element turn apart
 * from its ends? */
static void probe_model(rod_lab *r, rod_model *model)
{
    const stn_rod_material material = rod_lab_material();
    rod a = rod_open(r, model, 2, &material);
    double *J = calloc(6 * a.n + 1, sizeof *J);
    if (J && rod_usable(&a)) {
        rod_jacobian(&a, 1.0, J);
        model->stretches = largest(J, a.n) > 1e-6;
        model->twists = largest(J + 3 * a.n, a.n) > 1e-6;
        rod_jacobian(&a, 0.75, J);
        model->shears = turns_on_the_spot(J, a.n);
    }
    free(J);
    rod_close(&a);
}

bool rod_lab_open(rod_lab *r, lab *l, double tolerance)
{
    *r = (rod_lab){.l = l, .rods = l->api->get_extension(STN_EXT_RODS)};
    l->tolerance = tolerance;
    if (!r->rods) {
        snprintf(l->error, sizeof l->error, "the library lacks " STN_EXT_RODS);
        return false;
    }
    for (uint64_t i = 0; i < r->rods->model_count() && r->model_count < ROD_LAB_MODELS; i++) {
        stn_rod_model_info info = {.struct_size = sizeof info};
        if (r->rods->model_info(i, &info) < 0) continue;
        rod_model *model = &r->models[r->model_count++];
        model->name = info.name;
        probe_model(r, model);
    }
    return !l->error[0];
}

stn_rod_material rod_lab_material(void)
{
    return (stn_rod_material){.struct_size = sizeof(stn_rod_material),
                              .density = 1.0,
                              .bend = {1.0, 1.0},
                              .twist = 1.0,
                              .stretch = 1e8,
                              .radius = 1e-3};
}

/* ---- one rod --------------------------------------------------------------------------------- */

bool rod_usable(const rod *a) { return a->rods && !a->lab->l->error[0]; }

void rod_check(const rod *a, stn_status status)
{
    lab *l = a->lab->l;
    if (status >= 0 || l->error[0]) return;
    snprintf(l->error, sizeof l->error, "%s", a->lab->rods->last_error());
}

rod rod_open_bent(rod_lab *r, const rod_model *model, uint32_t elements,
                  const stn_rod_material *material, const double *lengths, const double *natural,
                  const double *curvatures)
{
    rod a = {.lab = r, .model = model, .elements = elements};
    if (r->l->error[0]) return a;
    const stn_rods_desc desc = {.struct_size = sizeof desc,
                                .rods = 1,
                                .elements = elements,
                                .model = model->name,
                                .material = material,
                                .lengths = lengths,
                                .natural = natural,
                                .curvatures = curvatures,
                                .threads = 1};
    uint64_t unknowns = 0;
    rod_check(&a, r->rods->create(&desc, &a.rods));
    if (rod_usable(&a)) rod_check(&a, r->rods->unknowns(a.rods, &unknowns));
    a.n = (size_t)unknowns;
    return a;
}

rod rod_open(rod_lab *r, const rod_model *model, uint32_t elements,
             const stn_rod_material *material)
{
    double lengths[ROD_MOST_ELEMENTS];
    for (uint32_t e = 0; e < elements; e++) lengths[e] = 1.0 / elements;
    return rod_open_bent(r, model, elements, material, lengths, NULL, NULL);
}

void rod_close(rod *a)
{
    a->lab->rods->destroy(a->rods);
    a->rods = NULL;
}

/* Steps so long that inertia is nothing: each solves for the equilibrium of the linearised rod, in
 * a time that grows with the elements alone. */
static double relax(const rod *a, const stn_rods_input *input)
{
    enum { MOST = 500 };
    static const double LONG = 100.0; /* s */
    double moved = INFINITY, *still = calloc(a->n + 1, sizeof *still);
    if (!still) return NAN;
    for (int i = 0; i < MOST && !(moved <= 1e-11) && rod_usable(a); i++) {
        const vec before = rod_point(a, 1.0);
        rod_set_state(a, NULL, still);
        rod_step(a, input, LONG);
        moved = vec_distance(before, rod_point(a, 1.0));
    }
    rod_set_state(a, NULL, still);
    free(still);
    return moved;
}

static stn_rod_equilibrium find_equilibrium(const rod *a, const stn_rods_input *input)
{
    stn_rod_equilibrium result = {.struct_size = sizeof result, .step = NAN, .lowest = NAN};
    if (rod_usable(a)) rod_check(a, a->lab->rods->equilibrium(a->rods, input, 0, &result));
    return result;
}

/* Rods that stretch have many and badly scaled unknowns, but steps converge; those that do not have
 * few, and steps that leave out what loads add to their stiffness. */
void rod_settle(const rod *a, const stn_rods_input *input)
{
    const double moved = a->model->stretches ? relax(a, input) : find_equilibrium(a, input).step;
    a->lab->l->residual = lab_worst(a->lab->l->residual, moved);
}

double rod_lowest(const rod *a, const stn_rods_input *input)
{
    return find_equilibrium(a, input).lowest;
}

void rod_step(const rod *a, const stn_rods_input *input, double dt)
{
    if (rod_usable(a)) rod_check(a, a->lab->rods->step(a->rods, input, dt));
}

void rod_place(const rod *a, double s, vec *position, turn *rotation)
{
    double p[7] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (rod_usable(a)) rod_check(a, a->lab->rods->places(a->rods, 0, 1, &s, p));
    if (position) *position = (vec){p[0], p[1], p[2]};
    if (rotation) *rotation = (turn){p[3], p[4], p[5], p[6]};
}

vec rod_point(const rod *a, double s)
{
    vec p;
    rod_place(a, s, &p, NULL);
    return p;
}

void rod_get_state(const rod *a, double *q, double *v)
{
    if (rod_usable(a)) rod_check(a, a->lab->rods->get_state(a->rods, 0, q, v));
}

void rod_set_state(const rod *a, const double *q, const double *v)
{
    if (rod_usable(a)) rod_check(a, a->lab->rods->set_state(a->rods, 0, q, v));
}

void rod_gradient(const rod *a, const stn_rods_input *input, double *out)
{
    if (rod_usable(a)) rod_check(a, a->lab->rods->gradient(a->rods, input, 0, out));
}

void rod_jacobian(const rod *a, double s, double *out)
{
    if (!rod_usable(a)) return;
    rod_check(a, a->lab->rods->jacobian(a->rods, 0, s, out, out + 3 * a->n));
}

stn_rod_energy rod_energies(const rod *a)
{
    const stn_rods_input nothing = rod_no_input();
    stn_rod_energy e = {.struct_size = sizeof e, .kinetic = NAN};
    if (rod_usable(a)) rod_check(a, a->lab->rods->energy(a->rods, &nothing, 0, &e));
    return e;
}

double rod_energy(const rod *a)
{
    const stn_rod_energy e = rod_energies(a);
    return e.kinetic + e.elastic;
}
