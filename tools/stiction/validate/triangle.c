/* SPDX-License-Identifier: Apache-2.0
 *
 * The triangle loading of paper 002, section 8.2. A mass on a floor that does not spin is pulled
 * with 1.05 mu m g, five seconds each along 60, 180 and 300 degrees.
 *
 * By Coulomb's law it obeys, once it slides, an ordinary differential equation,
 *     v' = F/m - mu g v/|v|,
 * and never stops: where the force turns by 120 degrees the speed falls to 29 percent while the
 * velocity turns, |v| = C tan(a/2)^(1/1.05)/sin(a) at the angle a to the force, and grows again. So
 * implicit Euler's error is a series in h, and what extrapolation leaves of it is below 1e-6 m. The
 * solvers' tolerance of 1e-12 of |b| < 1 m/s in 3,840 steps of 15 s adds at most 6e-8 m.
 *
 * By the law with k facets it is drawn to the middle between two facet vectors: from rest it slides
 * along the normal n of the edge that is nearest to the force. The whole path is compared with one
 * made by projections onto the polygon.
 */
#include "cases.h"
#include "dragged.h"

enum { LEGS = 3, SAMPLES = 240, FINE = 40, FACET_SUBSTEPS = 8 };
static const double LEG = 5.0, MASS = 1.0, MU = 0.3, SHARE = 1.05;
static const double FIRST_ANGLE = 60.0; /* degrees */

static double degrees(double radians) { return radians * 360.0 / SPACE_TURN; }

static vec pull(const void *user, double t, double middle, size_t node)
{
    (void)user, (void)t, (void)node;
    const double leg = fmod(floor(middle / LEG), LEGS),
                 angle = SPACE_TURN * (1.0 + 2.0 * leg) / 6.0;
    const double force = SHARE * MU * MASS * LAB_GRAVITY;
    return (vec){force * cos(angle), force * sin(angle), 0.0};
}

/* How far the first leg's direction is off, and how far the law with facets says it must be. */
static void check_direction(lab *l, int facets, const drag_path *path)
{
    const vec end = path->x[SAMPLES / LEGS];
    const double facet = 360.0 / facets;
    const double normal = facet * (floor(FIRST_ANGLE / facet) + 0.5);
    const double off = fabs(degrees(atan2(end.y, end.x)) - FIRST_ANGLE);
    const double expected = fabs(normal - FIRST_ANGLE);
    lab_add(l, off, expected, fabs(off - expected), DRAGGED_FACET_BOUND,
            "mass/facets-%d/first-leg-degrees-off", facets);
}

static void triangle_run(lab *l)
{
    const drag d = {.nodes = 1, .mass = MASS, .mu = MU, .duration = LEGS * LEG, .pull = pull};
    drag_path reference = {.samples = SAMPLES}, exact[CONTACT_LAB_SOLVERS];
    dragged_paths paths = {.exact.samples = SAMPLES};
    contact_lab c;
    if (!contact_lab_open(&c, l, DRAGGED_TOLERANCE)) return;
    dragged_reference(l, &d, "mass", FINE, &reference);
    dragged_check_exact(&c, &d, "mass", &reference, exact);
    dragged_check_facets(&c, &d, "mass", FACET_SUBSTEPS, &paths);
    for (size_t i = 0; i < DRAGGED_FACETS; i++) {
        check_direction(l, DRAGGED_FACET_COUNTS[i], &paths.faceted[i]);
    }
    dragged_draw(l, "A mass pulled along a triangle, 1.05 mu m g", &paths);
}

const lab_case validate_triangle = {
    "contact/triangle", "a mass pulled along a triangle: exact solvers and facets against an ODE",
    triangle_run};
