/* SPDX-License-Identifier: Apache-2.0
 *
 * Strands that end too near are moved apart, without becoming faster.
 *
 * The velocities keep the gaps open as far as a gap is linear in them; the rods' shapes are not,
 * and some strands start too near. So the true gaps at the end are measured, and where one is too
 * deep, a displacement of all strands near by is found,
 *     gap + dt H dv >= 0,   minimal in the norm of the inertia:
 * the same problem as that of the velocities, with gaps that are to be opened and without friction.
 * The rods go on with v + dv, and keep v. The shapes are not linear in dv either: again, until it
 * is good.
 *
 * What began the step too deep comes out by PUSH_OUT at most in this step. If all that is not
 * enough for a pair that came a long way, the step is too long (step.c).
 */
#include "contact/bodies_gs.h"
#include "math/scalar.h"
#include "scene/hair_work.h"

#include <string.h>

#define PUSH_OUT 0.2 /* m/s */
#define SLACK 0.05   /* thicknesses: gaps this small may be closed by what opens others */
#define AIM 0.25     /* of the allowed depth: what a round leaves at most, as far as it can tell */
#define VIOLENT 0.1  /* thicknesses that a contact may close by in a step and still fail */

enum { MOST_ROUNDS = 6, MOST_SWEEPS = 200 };

/* How deep a contact may end, for where it began: a negative gap. A pair that has turned was
 * farther apart at its beginning than it looks along the normal of its end. */
static double floor_of(const hair_work *w, const hair_contact *c)
{
    return scalar_min(c->began + PUSH_OUT * w->k->plan->dt, 0.0);
}

/* Gaps become what they are above their floor; returns the deepest, in thicknesses. *violent: one
 * that is too deep came a long way, so that a shorter step would help. */
static double lower_floors(const hair_work *w, hair_contacts *list, bool *violent)
{
    double worst = 0.0;
    *violent = false;
    for (uint32_t i = 0; i < list->count; i++) {
        hair_contact *c = &list->at[i];
        const double came = c->began - c->gap[1];
        c->gap[1] -= floor_of(w, c);
        worst = scalar_max(worst, -c->gap[1] / c->measure);
        *violent |= c->gap[1] < -HAIR_DEPTH_ALLOWED * c->measure && came > VIOLENT * c->measure;
    }
    return worst;
}

static double thinnest(const hair_work *w)
{
    double thickness = INFINITY;
    for (uint32_t i = 0; i < w->strands; i++) {
        thickness = scalar_min(thickness, w->strand[i].thickness);
    }
    return scalar_max(thickness, HAIR_LEAST_THICKNESS);
}

static size_t most_unknowns(const hair_work *w)
{
    size_t most = 0;
    for (size_t i = 0; i < w->groups; i++) {
        const size_t own = w->group[i].h->rods.group->unknowns;
        most = own > most ? own : most;
    }
    return most;
}

/* way += G^-T state, for the strands that it moves. `change` is room for the unknowns of one. */
static void add_displacement(hair_work *w, const bodies_problem *p, const double *state,
                             double *change)
{
    for (uint32_t i = 0; i < w->strands; i++) {
        const hair_strand *s = &w->strand[i];
        const hair_group *g = s->group;
        const body_group *rods = g->h->rods.group;
        const double *own = state + BODIES_GROUP * (size_t)p->start[i];
        double *way = g->way + s->local * (size_t)rods->unknowns;
        w->moved[i] = false;
        for (size_t k = 0; k < rods->unknowns; k++) w->moved[i] |= own[k] != 0.0;
        if (!w->moved[i]) continue;
        const bodies_body body = {rods->shape, body_factors(rods, g->work, s->local), way};
        bodies_body_velocity(p, &body, i, state, change);
        memcpy(way, change, rods->unknowns * sizeof *way);
    }
}

static status push_apart(hair_work *w, const hair_contacts *list, error *err)
{
    scene *s = w->k->s;
    bodies_problem p;
    bodies_gs gs;
    const size_t impulses = 3 * (size_t)list->count;
    double *r = arena_push(&s->scratch, impulses * sizeof *r);
    double *change = arena_push(&s->scratch, most_unknowns(w) * sizeof *change);
    if (!r || !change) return error_out_of_memory(err, "contacts of hair");
    memset(r, 0, impulses * sizeof *r);
    status st = hair_make_problem(w, list, true, &p, err);
    if (st >= 0) st = bodies_gs_create(&gs, &p, err);
    if (st < 0) return st;
    const double target = AIM * HAIR_DEPTH_ALLOWED * thinnest(w) / w->k->plan->dt;
    const solver_options options = {.tolerance = p.scale > 0.0 ? target / p.scale : 1.0,
                                    .max_iterations = MOST_SWEEPS,
                                    .local = &local_table[0],
                                    .threads = s->threads,
                                    .trace = hair_watch_solve,
                                    .trace_user = w};
    solver_report report = {0};
    st = bodies_gs_solve(&gs, &options, &bodies_gs_default, r, &report, err);
    if (st == STATUS_OK) add_displacement(w, &p, gs.w, change);
    return st;
}

status hair_place_apart(hair_work *w, error *err)
{
    for (int round = 0;; round++) {
        hair_contacts list;
        status st = hair_detect(w, &(hair_look){SLACK, true}, &list, err);
        if (st < 0) return st;
        w->share = hair_contacts_depth(&list, &w->depth);
        const double worst = lower_floors(w, &list, &w->k->violent);
        if (worst <= 0.5 * HAIR_DEPTH_ALLOWED || round == MOST_ROUNDS) return STATUS_OK;
        st = push_apart(w, &list, err);
        if (st == STATUS_OK) st = hair_move_rods(w, err);
        if (st != STATUS_OK) return st;
    }
}
