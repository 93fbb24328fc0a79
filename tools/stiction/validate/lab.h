/* SPDX-License-Identifier: Apache-2.0
 *
 * Where checks are made: small scenes built through the ABI, and a list of figures that come out.
 *
 * A figure compares a measured value with its closed form; it passes if the error is within the
 * bound.
 * Bounds come from mathematics: of the integrator where it has an error, of rounding where it has
 * none. Every step of every scene is watched for its residual, and a call that fails becomes a
 * failed figure.
 */
#ifndef STICTION_VALIDATE_LAB_H
#define STICTION_VALIDATE_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stiction/stiction.h>

#include "../plot/paths.h"
#include "../plot/plot.h"
#include "space.h"

/* ---- figures --------------------------------------------------------------------------------- */

typedef struct figure {
    char name[96];
    double value, expected, error, bound;
    bool pass;
} figure;

enum { LAB_CHART_SERIES = 16, LAB_CHART_POINTS = 8 };

/* Errors over elements. */
typedef struct lab_chart {
    plot_series series[LAB_CHART_SERIES];
    double x[LAB_CHART_SERIES][LAB_CHART_POINTS], y[LAB_CHART_SERIES][LAB_CHART_POINTS];
    size_t count;
} lab_chart;

typedef struct lab {
    const stn_api *api;
    const char *area_case; /* "cloth/incline": what all names begin with */
    figure *figures;
    size_t count, capacity;
    bool out_of_memory;
    /* over all steps of the running case */
    double residual, tolerance;
    char error[256]; /* of the first call that failed */
    paths_picture *picture;  /* where a case leaves what --plot draws; NULL: not asked for */
    lab_chart *chart;        /* the same for errors */
} lab;

/* One family of checks. */
typedef struct lab_case {
    const char *name; /* "cloth/incline" */
    const char *summary;
    void (*run)(lab *l);
} lab_case;

/* Runs the case and adds its figures, the worst residual among them. */
void lab_run(lab *l, const lab_case *c);
void lab_free(lab *l);

/* The rest of the name is formatted: lab_add(l, v, e, |v - e|, b, "mu=%g/stick", mu). */
void lab_add(lab *l, double value, double expected, double error, double bound, const char *format,
             ...) __attribute__((format(printf, 6, 7)));

/* Half a unit in the last place of 1: the relative error of one rounding. */
static const double LAB_ROUNDOFF = 1.1102230246251565e-16;

/* Error of one step in a number of size `scale`: a step rounds fewer than 64 times on the way to a
 * position or a velocity (frames, local solve, back, update), each time by at most LAB_ROUNDOFF. */
static inline double lab_rounding(double scale) { return 64.0 * LAB_ROUNDOFF * scale; }

/* The larger; what is not a number is worst of all. */
static inline double lab_worst(double a, double b) { return b > a || isnan(b) ? b : a; }

static const double LAB_GRAVITY = 9.81; /* m/s^2 */

/* ---- scenes ---------------------------------------------------------------------------------- */

typedef struct world {
    lab *l;
    stn_scene *scene;
    double penetration; /* worst so far, m */
} world;

/* After a failure all calls do nothing until the case is over. */
void world_open(world *w, lab *l, vec gravity);
void world_close(world *w);

stn_id world_add_plane(world *w, vec point, turn rotation, double mu);
stn_id world_add_sphere(world *w, vec center, double radius, double mu);

/* At most LAB_MOST_NODES, of 10 g each; triangles are not needed. */
typedef struct world_nodes {
    size_t count;
    vec *x, *v; /* v may be NULL: at rest */
    double thickness;
    double mu;
} world_nodes;

stn_id world_add_nodes(world *w, const world_nodes *nodes);

void world_move(world *w, stn_id collider, vec position, turn rotation);
void world_step(world *w, double dt);
void world_set_velocity(world *w, stn_id cloth, const vec *v, size_t count);
void world_set_parameter(world *w, stn_id object, const char *name, double value);
void world_get_positions(world *w, stn_id cloth, vec *out, size_t count);
void world_get_velocities(world *w, stn_id cloth, vec *out, size_t count);

/* How many nodes are in this contact state. */
size_t world_count_states(world *w, stn_id cloth, size_t count, uint32_t state);

/* ---- sheets ---------------------------------------------------------------------------------- */

enum { LAB_MOST_NODES = 1024 };

/* n x n nodes of a square with sides along unit vectors a and b around `center`; returns n * n. */
size_t lab_fill_sheet(vec *out, size_t n, double side, vec center, vec a, vec b);

void lab_fill_vectors(vec *out, size_t count, vec value);

#endif
