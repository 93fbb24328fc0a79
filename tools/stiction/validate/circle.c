/* SPDX-License-Identifier: Apache-2.0
 *
 * Dragged in a circle, after paper 004, Figure 8: by a force that turns with w.
 *
 * A mass that slides for ever with the speed V needs the force mu m g along its way and m w V
 * across it, so F^2 = (mu m g)^2 + (m w V)^2 and its path has the radius
 *     R = V/w = mu g sqrt(s^2 - 1)/w^2,    s = F/(mu m g).
 * A sheet of 3 x 3 nodes, tied by springs and pulled at one corner, has no such formula, but the
 * same symmetry: its middle too goes in a circle. Where it settles is found with the differential
 * equation. With facets neither goes in a circle.
 */
#include "cases.h"
#include "dragged.h"

enum { SIDE = 3, NODES = SIDE * SIDE, FINE = 16, SETTLING_TURNS = 12 };
enum { SAMPLES = 96 /* of a turn */, FACET_TURNS = 2 };
static const double MASS = 0.01, MU = 0.3, SHARE = 1.5, OMEGA = 2.0, SPRING = 2.0; /* N/m */

static vec pull(const void *user, double t, double middle, size_t node)
{
    (void)middle;
    const size_t nodes = *(const size_t *)user; /* the first one is pulled for all */
    if (node > 0) return (vec){0};
    const double force = SHARE * MU * MASS * LAB_GRAVITY * (double)nodes;
    return (vec){force * cos(OMEGA * t), force * sin(OMEGA * t), 0.0};
}

static double radius_of_mass(void)
{
    return MU * LAB_GRAVITY * sqrt(SHARE * SHARE - 1.0) / (OMEGA * OMEGA);
}

static void tie(drag *d, size_t a, size_t b)
{
    d->K[a][a] += SPRING;
    d->K[b][b] += SPRING;
    d->K[a][b] -= SPRING;
    d->K[b][a] -= SPRING;
}

/* Along the edges; x counts from each node's place in the sheet at rest. */
static void tie_sheet(drag *d)
{
    for (size_t i = 0; i < SIDE; i++) {
        for (size_t j = 0; j + 1 < SIDE; j++) {
            tie(d, i * SIDE + j, i * SIDE + j + 1);
            tie(d, j * SIDE + i, (j + 1) * SIDE + i);
        }
    }
}

/* The friction is behind the velocity, the force leads it by the angle whose cosine is 1/s. */
static void start_circling(drag *d)
{
    const double lead = acos(1.0 / SHARE), R = radius_of_mass();
    for (size_t i = 0; i < d->nodes; i++) {
        d->v[i] = (vec){R * OMEGA * cos(lead), -R * OMEGA * sin(lead), 0.0};
        d->x[i] = (vec){-R * sin(lead), -R * cos(lead), 0.0};
    }
}

/* Onto the circle where it ends, its centre moved to the origin. A circle has x = c - J v/w, with J
 * the quarter turn. */
static void settle(drag *d, size_t turns)
{
    drag_path path = {.samples = SAMPLES};
    for (size_t k = 0; k < turns; k++) drag_integrate(d, FINE, &path);
    vec center = {0};
    for (size_t i = 0; i < d->nodes; i++) {
        const vec turned = {-d->v[i].y / OMEGA, d->v[i].x / OMEGA, 0.0};
        center = vec_add(center, vec_scale(1.0 / (double)d->nodes, vec_add(d->x[i], turned)));
    }
    for (size_t i = 0; i < d->nodes; i++) d->x[i] = vec_sub(d->x[i], center);
}

static double mean_radius(const drag_path *path)
{
    double sum = 0.0;
    for (size_t i = 0; i < path->samples; i++) sum += vec_norm(path->x[i]);
    return sum / (double)path->samples;
}

/* Largest minus smallest distance from the middle of the path's last turn. */
static double unroundness(const drag_path *path, size_t count)
{
    const vec *x = path->x + path->samples - count;
    vec middle = {0};
    double least = INFINITY, most = 0.0;
    for (size_t i = 0; i < count; i++)
        middle = vec_add(middle, vec_scale(1.0 / (double)count, x[i]));
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, vec_distance(x[i], middle));
        most = lab_worst(most, vec_distance(x[i], middle));
    }
    return most - least;
}

/* Exact: a circle of that radius. */
static void check_round(lab *l, const char *what, const char *solver, double radius,
                        const drag_path *path)
{
    const double mean = mean_radius(path), off = unroundness(path, path->samples);
    lab_add(l, mean, radius, fabs(mean - radius), DRAGGED_BOUND, "%s/%s/radius", what, solver);
    lab_add(l, off, 0.0, off, 2.0 * DRAGGED_BOUND, "%s/%s/out-of-round", what, solver);
}

static void check_exact(const contact_lab *c, const drag *d, const char *what, double radius)
{
    drag_path reference = {.samples = SAMPLES}, paths[CONTACT_LAB_SOLVERS];
    dragged_reference(c->l, d, what, FINE, &reference);
    dragged_check_exact(c, d, what, &reference, paths);
    const double settled = radius > 0.0 ? radius : mean_radius(&reference);
    for (size_t i = 0; i < c->exact_count; i++) {
        check_round(c->l, what, c->exact[i], settled, &paths[i]);
    }
}

/* The first turn is for getting used to facets. */
static void check_facets(const contact_lab *c, const drag *d, const char *what)
{
    drag longer = *d;
    dragged_paths paths = {.exact.samples = FACET_TURNS * SAMPLES};
    longer.duration *= FACET_TURNS;
    dragged_check_facets(c, &longer, what, 1, &paths);
    for (size_t i = 0; i < DRAGGED_FACETS; i++) {
        const double off = unroundness(&paths.faceted[i], SAMPLES);
        const double known = unroundness(&paths.projected[i], SAMPLES);
        lab_add(c->l, off, known, fabs(off - known), 2.0 * DRAGGED_FACET_BOUND,
                "%s/facets-%d/out-of-round", what, DRAGGED_FACET_COUNTS[i]);
    }
    dragged_draw(c->l, "A sheet dragged in a circle by a corner, two turns", &paths);
}

static void circle_run(lab *l)
{
    contact_lab c;
    if (!contact_lab_open(&c, l, DRAGGED_TOLERANCE)) return;
    drag mass = {.nodes = 1, .mass = MASS, .mu = MU, .duration = SPACE_TURN / OMEGA, .pull = pull};
    mass.user = &mass.nodes;
    start_circling(&mass);
    check_exact(&c, &mass, "mass", radius_of_mass());
    drag sheet = mass;
    sheet.nodes = NODES;
    sheet.user = &sheet.nodes;
    tie_sheet(&sheet);
    start_circling(&sheet);
    settle(&sheet, SETTLING_TURNS);
    check_exact(&c, &sheet, "sheet", 0.0);
    check_facets(&c, &sheet, "sheet");
}

const lab_case validate_circle = {
    "contact/circle", "a mass and a sheet dragged in a circle go in one, but not with facets",
    circle_run};
