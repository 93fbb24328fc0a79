/* SPDX-License-Identifier: Apache-2.0 */
#include "rigid/check.h"

static const double SLACK = 1e-6; /* single precision, and a few operations on it */

static bool sym3_is_finite(const sym3 *A)
{
    return v3_is_finite((v3){A->xx, A->xy, A->xz}) && v3_is_finite((v3){A->yy, A->yz, A->zz});
}

/* x^T A x > -shift |x|^2 for all x */
static bool is_above(const sym3 *A, double shift)
{
    sym3 B = *A;
    v3 unused;
    B.xx += shift, B.yy += shift, B.zz += shift;
    return sym3_solve(&B, (v3){0.0, 0.0, 0.0}, &unused);
}

/* int x x^T dm = tr(J) / 2 I - J, which is not negative for any mass: principal moments are at most
 * the sum of the other two. */
static bool is_of_a_mass(const sym3 *J)
{
    const double trace = sym3_trace(J), half = 0.5 * trace;
    const sym3 squares = {half - J->xx, -J->xy, -J->xz, half - J->yy, -J->yz, half - J->zz};
    return is_above(&squares, SLACK * trace);
}

static bool is_drag(const sym3 *C)
{
    if (!sym3_is_finite(C)) return false;
    const bool none = C->xx == 0.0 && C->yy == 0.0 && C->zz == 0.0 && C->xy == 0.0 &&
                      C->xz == 0.0 && C->yz == 0.0;
    return none || is_above(C, SLACK * sym3_trace(C));
}

static status refuse_number(const char *name, size_t body, const char *what, double value,
                            const char *expected, error *err)
{
    return error_set(err, STATUS_INVALID_ARGUMENT, "'%s', body %zu: its %s is %g, expected %s",
                     name, body, what, value, expected);
}

static status refuse_matrix(const char *name, size_t body, const char *what, const sym3 *A,
                            const char *expected, error *err)
{
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "'%s', body %zu: its %s (xx %g, yy %g, zz %g, xy %g, xz %g, yz %g) %s", name,
                     body, what, A->xx, A->yy, A->zz, A->xy, A->xz, A->yz, expected);
}

static status check_body(const char *name, size_t body, const rigid_body *b, error *err)
{
    if (!(b->mass > 0.0 && isfinite(b->mass))) {
        return refuse_number(name, body, "mass", b->mass, "a positive number", err);
    }
    if (!sym3_is_finite(&b->inertia) || !is_above(&b->inertia, 0.0)) {
        return refuse_matrix(name, body, "inertia", &b->inertia, "is not positive definite", err);
    }
    if (!is_of_a_mass(&b->inertia)) {
        return refuse_matrix(name, body, "inertia", &b->inertia,
                             "has a principal moment larger than the sum of the other two", err);
    }
    if (!(b->drag >= 0.0 && isfinite(b->drag))) {
        return refuse_number(name, body, "drag", b->drag, "0 or more", err);
    }
    if (!is_drag(&b->turn_drag)) {
        return refuse_matrix(name, body, "drag of turns", &b->turn_drag,
                             "is neither zero nor positive", err);
    }
    return STATUS_OK;
}

status rigid_check_source(const rigid_source *source, error *err)
{
    if (source->bodies == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "'%s' has no bodies, expected at least one",
                         source->name);
    }
    for (uint32_t body = 0; body < source->bodies; body++) {
        const status st = check_body(source->name, body, &source->body[body], err);
        if (st < 0) return st;
    }
    return STATUS_OK;
}

static status check_numbers(const char *name, size_t body, const char *what, const double *x,
                            size_t count, error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return refuse_number(name, body, what, x[i], "a finite number", err);
    }
    return STATUS_OK;
}

status rigid_check_pose(const char *name, size_t body, const pose *at, const double *v, error *err)
{
    double x[3];
    v3_store(x, at->position);
    status st = check_numbers(name, body, "position", x, 3, err);
    if (st >= 0 && v) st = check_numbers(name, body, "velocity", v, 6, err);
    if (st < 0) return st;
    const double length = sqrt(quat_dot(at->rotation, at->rotation));
    if (fabs(length - 1.0) <= SLACK) return STATUS_OK;
    return refuse_number(name, body, "rotation's length", length, "1", err);
}
