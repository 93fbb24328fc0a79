/* SPDX-License-Identifier: Apache-2.0
 *
 * Contact i has the unknowns (r_N, beta_0 .. beta_{k-1}, lambda) from i (k + 2) on. With the basis
 * G = (N, d_0, ..., d_{k-1}), in which r = G (r_N, beta), the matrix of contacts i and j is
 *
 *     M_ij = | G^T W_ij G   e |      e = (0, 1, ..., 1) and the last row only where i = j.
 *            | (mu, -1, ...) 0 |
 *
 * All impulses are multiplied by the mean compliance of the island and all velocities divided by
 * the largest free one, so that the numbers Lemke's method sees are of size 1.
 */
#include "contact/facets.h"

#include "contact/by_islands.h"
#include "contact/lemke.h"
#include "math/scalar.h"
#include "math/trig.h"

#include <inttypes.h>
#include <string.h>

typedef struct pyramid {
    const contact_problem *p;
    const allocator *from;
    const solver_options *options;
    uint32_t k, n;     /* facets, unknowns of all contacts */
    double compliance; /* mean of d */
    double speed;      /* largest |b| */
    double *memory;    /* the vectors below */
    v3 *basis;         /* [k + 1] N and the d_j */
    double *M, *q, *z; /* the LCP */
    double *r, *u;     /* of the point being looked at */
} pyramid;

/* Most problems take one or two pivots per unknown. Where contacts are very redundant, rounding can
 * break the rule that keeps the path from coming back. */
enum { PIVOTS_PER_UNKNOWN = 20 };

static uint32_t unknowns_per_contact(uint32_t k) { return k + 2; }

/* ---- memory ---- */

static size_t pyramid_size(const pyramid *f)
{
    const size_t n = f->n, contacts = f->p->contacts;
    return (3 * ((size_t)f->k + 1) + n * n + 2 * n + 6 * contacts) * sizeof(double);
}

static bool pyramid_create(pyramid *f)
{
    const size_t n = f->n;
    f->memory = memory_alloc(f->from, pyramid_size(f));
    if (!f->memory) return false;
    f->basis = (v3 *)f->memory;
    f->M = f->memory + 3 * ((size_t)f->k + 1);
    f->q = f->M + n * n;
    f->z = f->q + n;
    f->r = f->z + n;
    f->u = f->r + 3 * (size_t)f->p->contacts;
    return true;
}

/* ---- the LCP ---- */

static void set_basis(pyramid *f)
{
    static const double TURN = 6.283185307179586;
    f->basis[0] = (v3){1.0, 0.0, 0.0};
    for (uint32_t j = 0; j < f->k; j++) {
        const trig_pair d = trig_sincos(TURN * (double)j / (double)f->k);
        f->basis[1 + j] = (v3){0.0, d.cos, d.sin};
    }
}

static void set_scales(pyramid *f)
{
    const contact_problem *p = f->p;
    double sum = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        sum += p->d[i];
        f->speed = scalar_max(f->speed, v3_norm(v3_load(p->b + 3 * i)));
    }
    f->compliance = sum / (double)p->contacts;
}

/* G^T W_ij G into the place of contacts i and j. */
static void put_block(pyramid *f, uint32_t i, uint32_t j, const m3 *W)
{
    const uint32_t each = unknowns_per_contact(f->k);
    double *at = f->M + (size_t)i * each * f->n + (size_t)j * each;
    for (uint32_t column = 0; column <= f->k; column++) {
        const v3 u = m3_mul_v3(W, f->basis[column]);
        for (uint32_t row = 0; row <= f->k; row++) {
            at[(size_t)row * f->n + column] = v3_dot(f->basis[row], u) / f->compliance;
        }
    }
}

static void put_friction(pyramid *f, uint32_t i)
{
    const uint32_t each = unknowns_per_contact(f->k), lambda = each - 1;
    double *at = f->M + (size_t)i * each * f->n + (size_t)i * each;
    double *last = at + (size_t)lambda * f->n;
    last[0] = f->p->mu[i];
    for (uint32_t j = 1; j <= f->k; j++) {
        at[(size_t)j * f->n + lambda] = 1.0;
        last[j] = -1.0;
    }
}

static void set_lcp(pyramid *f)
{
    const contact_problem *p = f->p;
    set_basis(f);
    set_scales(f);
    for (uint32_t i = 0; i < p->contacts; i++) {
        for (uint32_t slot = p->W.row_start[i]; slot < p->W.row_start[i + 1]; slot++) {
            put_block(f, i, p->W.col[slot], &p->W.block[slot]);
        }
        put_friction(f, i);
        double *q = f->q + (size_t)i * unknowns_per_contact(f->k);
        const v3 b = v3_load(p->b + 3 * (size_t)i);
        for (uint32_t row = 0; row <= f->k; row++) q[row] = v3_dot(f->basis[row], b) / f->speed;
    }
}

/* ---- the answer ---- */

static void read_impulses(const pyramid *f, const double *z, double *r)
{
    const double scale = f->speed / f->compliance;
    for (size_t i = 0; i < f->p->contacts; i++) {
        const double *unknown = z + i * unknowns_per_contact(f->k);
        v3 sum = {0.0, 0.0, 0.0};
        for (uint32_t j = 0; j <= f->k; j++) {
            sum = v3_add(sum, v3_scale(unknown[j], f->basis[j]));
        }
        v3_store(r + 3 * i, v3_scale(scale, sum));
    }
}

static double measure(pyramid *f, const double *r)
{
    contact_problem_velocity(f->p, f->options->threads, r, f->u);
    return contact_problem_residual(f->p, r, f->u);
}

static int watch(void *user, uint32_t pivots, const double *z)
{
    pyramid *f = user;
    read_impulses(f, z, f->r);
    return f->options->trace(f->options->trace_user, pivots, measure(f, f->r) / f->p->scale);
}

static uint32_t most_pivots(const pyramid *f)
{
    const uint32_t enough = PIVOTS_PER_UNKNOWN * f->n;
    return f->options->max_iterations < enough ? f->options->max_iterations : enough;
}

static status pyramid_solve(pyramid *f, double *r, solver_report *report)
{
    const lcp problem = {.n = f->n, .M = f->M, .q = f->q};
    const lemke_options options = {
        .max_pivots = most_pivots(f), .watch = f->options->trace ? watch : NULL, .user = f};
    lemke_report end;
    set_lcp(f);
    const status st = lemke_solve(&problem, f->from, &options, f->z, &end);
    if (st < 0) return st;
    read_impulses(f, f->z, r);
    report->residual = measure(f, r);
    report->converged = report->residual <= f->options->tolerance * f->p->scale;
    report->iterations = end.pivots;
    report->local.failures += end.end == LEMKE_RAY || end.end == LEMKE_LIMIT;
    return end.end == LEMKE_STOPPED ? STATUS_CANCELLED : STATUS_OK;
}

static status solve_island(const contact_problem *p, const allocator *from,
                           const solver_options *options, double *r, solver_report *report,
                           error *err)
{
    pyramid f = {.p = p, .from = from, .options = options, .k = options->facets};
    const uint64_t unknowns = p->contacts * ((uint64_t)f.k + 2);
    if (unknowns > FACETS_MOST_UNKNOWNS) {
        return error_set(err, STATUS_UNSUPPORTED,
                         "%" PRIu32 " contacts that act on one another have %" PRIu64
                         " unknowns with %" PRIu32 " facets, expected at most %d: Lemke's method "
                         "works on a dense matrix",
                         p->contacts, unknowns, f.k, FACETS_MOST_UNKNOWNS);
    }
    f.n = (uint32_t)unknowns;
    status st = STATUS_OUT_OF_MEMORY;
    if (pyramid_create(&f)) {
        st = pyramid_solve(&f, r, report);
        memory_free(from, f.memory, pyramid_size(&f));
    }
    return st == STATUS_OUT_OF_MEMORY ? error_out_of_memory(err, "Lemke's method") : st;
}

status facets_solve(const contact_problem *p, const allocator *from, const solver_options *options,
                    uint32_t facets, double *r, solver_report *report, error *err)
{
    if (facets < FACETS_LEAST) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a cone with %" PRIu32 " facets, expected at least %d", facets,
                         FACETS_LEAST);
    }
    solver_options own = *options;
    own.facets = facets;
    memset(r, 0, 3 * (size_t)p->contacts * sizeof *r);
    return by_islands_solve(p, from, &own, solve_island, r, report, err);
}

status facets_solve_4(const contact_problem *p, const allocator *from,
                      const solver_options *options, double *r, solver_report *report, error *err)
{
    return facets_solve(p, from, options, 4, r, report, err);
}

status facets_solve_8(const contact_problem *p, const allocator *from,
                      const solver_options *options, double *r, solver_report *report, error *err)
{
    return facets_solve(p, from, options, 8, r, report, err);
}

status facets_solve_16(const contact_problem *p, const allocator *from,
                       const solver_options *options, double *r, solver_report *report, error *err)
{
    return facets_solve(p, from, options, 16, r, report, err);
}
