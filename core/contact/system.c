/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/system.h"

#include "math/v3.h"

#include <inttypes.h>

/* Of two entries that should be the same, over the size of their diagonal. */
static const double MOST_ASYMMETRY = 1e-8;

static bool all_finite(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k])) return false;
    }
    return true;
}

/* ---- bodies ---- */

static status check_inertia(const double *A, size_t n, uint32_t b, error *err)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            const double size = sqrt(fabs(A[i * n + i] * A[j * n + j]));
            if (fabs(A[i * n + j] - A[j * n + i]) <= MOST_ASYMMETRY * size) continue;
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "body %" PRIu32 ": its inertia has %g at (%zu, %zu) and %g at "
                             "(%zu, %zu), expected a symmetric matrix of finite numbers",
                             b, A[i * n + j], i, j, A[j * n + i], j, i);
        }
    }
    return STATUS_OK;
}

static status check_bodies(const contact_system *s, error *err)
{
    const double *A = s->body_inertia, *v = s->body_velocity;
    for (uint32_t b = 0; b < s->bodies; b++) {
        const size_t n = s->body_unknowns[b];
        if (n == 0) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "body %" PRIu32 ": it has no unknowns, expected at least 1", b);
        }
        const status st = check_inertia(A, n, b, err);
        if (st < 0) return st;
        if (!all_finite(v, n)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "body %" PRIu32 ": its velocity has a number that is not finite", b);
        }
        A += n * n;
        v += n;
    }
    return STATUS_OK;
}

/* ---- nodes; whether A is symmetric is looked at where it is sorted (nodes.c) ---- */

static status check_rising(const uint32_t *start, uint32_t count, const char *name, error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (start[0] == 0 && start[i] <= start[i + 1]) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s must begin with 0 and rise; it does not at %" PRIu32, name, i);
    }
    return STATUS_OK;
}

static status check_row(const contact_system *s, uint32_t i, error *err)
{
    for (uint32_t k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
        if (s->col[k] >= s->nodes) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "A: row %" PRIu32 " has a block in column %" PRIu32
                             ", expected less than %" PRIu32,
                             i, s->col[k], s->nodes);
        }
        if (!all_finite(&s->blocks[9 * (size_t)k], 9)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "A: block (%" PRIu32 ", %" PRIu32 ") has a number that is not finite",
                             i, s->col[k]);
        }
    }
    return STATUS_OK;
}

static status check_nodes(const contact_system *s, error *err)
{
    status st = s->nodes ? check_rising(s->row_start, s->nodes, "A: row_start", err) : STATUS_OK;
    for (uint32_t i = 0; i < s->nodes && st >= 0; i++) {
        st = check_row(s, i, err);
        if (st < 0 || all_finite(&s->force[3 * (size_t)i], 3)) continue;
        st = error_set(err, STATUS_INVALID_ARGUMENT,
                       "node %" PRIu32 ": its force has a number that is not finite", i);
    }
    return st;
}

/* ---- contacts ---- */

/* *H moves on to the next contact. */
static status check_terms(const contact_system *s, uint32_t i, const double **H, error *err)
{
    if (s->term_start[i] == s->term_start[i + 1]) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": it has no terms, expected at least 1", i);
    }
    for (uint32_t k = s->term_start[i]; k < s->term_start[i + 1]; k++) {
        const uint32_t target = s->term_target[k];
        if (target >= s->bodies && target - s->bodies >= s->nodes) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %" PRIu32 ": term %" PRIu32 " has the target %" PRIu32
                             ", expected less than %" PRIu32 " bodies and %" PRIu32 " nodes",
                             i, k - s->term_start[i], target, s->bodies, s->nodes);
        }
        const size_t count = 3 * contact_system_unknowns(s, target);
        if (!all_finite(*H, count)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "contact %" PRIu32 ": H of term %" PRIu32
                             " has a number that is not finite",
                             i, k - s->term_start[i]);
        }
        *H += count;
    }
    return STATUS_OK;
}

static status check_law(const contact_system *s, uint32_t i, error *err)
{
    if (!all_finite(&s->velocity[3 * (size_t)i], 3)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": its velocity has a number that is not finite", i);
    }
    if (!(s->mu[i] >= 0.0 && isfinite(s->mu[i]))) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": mu is %g, expected 0 or more", i, s->mu[i]);
    }
    return STATUS_OK;
}

static status check_contacts(const contact_system *s, error *err)
{
    const double *H = s->term_H;
    status st = check_rising(s->term_start, s->contacts, "term_start", err);
    for (uint32_t i = 0; i < s->contacts && st >= 0; i++) {
        st = check_terms(s, i, &H, err);
        if (st >= 0) st = check_law(s, i, err);
    }
    return st;
}

status contact_system_check(const contact_system *s, error *err)
{
    if (s->contacts == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "the problem has no contacts");
    }
    if (s->nodes > UINT32_MAX - s->bodies) {
        return error_set(err, STATUS_UNSUPPORTED, "there are more than 2^32 bodies and nodes");
    }
    status st = check_bodies(s, err);
    if (st >= 0) st = check_nodes(s, err);
    if (st >= 0) st = check_contacts(s, err);
    return st;
}

size_t contact_system_body_count(const contact_system *s)
{
    size_t count = 0;
    for (uint32_t b = 0; b < s->bodies; b++) count += s->body_unknowns[b];
    return count;
}

size_t contact_system_velocity_count(const contact_system *s)
{
    return contact_system_body_count(s) + 3 * (size_t)s->nodes;
}
