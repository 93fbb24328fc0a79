/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/fit.h"

#include "math/scalar.h"
#include "math/trig.h"

#include <inttypes.h>

static const double LONGEST = 1e9; /* m */

/* ---- the curve through the points ---- */

/* A cubic through the points, its slopes from parabolas through three neighbours, over the summed
 * distances of the points. */
typedef struct curve {
    size_t count;
    double *storage; /* [8 count] the following */
    v3 *x, *slope;
    double *chord;  /* from the first point */
    double *length; /* the same, of the curve */
} curve;

static size_t curve_bytes(size_t count) { return memory_size(count, 8 * sizeof(double)); }

static status curve_reserve(curve *c, size_t count, const allocator *from, error *err)
{
    if (count < 2) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "has %zu points, expected at least 2",
                         count);
    }
    *c = (curve){.storage = memory_alloc(from, curve_bytes(count))};
    if (!c->storage) return error_out_of_memory(err, "a strand");
    c->x = (void *)c->storage;
    c->slope = c->x + count;
    c->chord = c->storage + 6 * count;
    c->length = c->chord + count;
    return STATUS_OK;
}

/* Takes the points that differ from the one before. */
static status curve_take_points(curve *c, const double *points, size_t count, error *err)
{
    for (size_t i = 0; i < count; i++) {
        const v3 x = v3_load(points + 3 * i);
        if (!v3_is_finite(x)) {
            return error_set(err, STATUS_INVALID_ARGUMENT, "point %zu is not finite", i);
        }
        const double step = i ? v3_norm(v3_sub(x, c->x[c->count - 1])) : 0.0;
        const double so_far = i ? c->chord[c->count - 1] : 0.0;
        if (i && !(step > 1e-12 * so_far)) continue;
        c->x[c->count] = x;
        c->chord[c->count++] = so_far + step;
    }
    if (c->count < 2) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "has %zu points, %zu of them different, expected at least 2", count,
                         c->count);
    }
    const double whole = c->chord[c->count - 1];
    if (!(whole <= LONGEST)) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "is %g m long, expected at most %g", whole,
                         LONGEST);
    }
    return STATUS_OK;
}

/* The slope at point i of the parabola through points j - 1, j, j + 1. */
static v3 parabola_slope(const curve *c, size_t j, size_t i)
{
    const double h0 = c->chord[j] - c->chord[j - 1], h1 = c->chord[j + 1] - c->chord[j];
    const v3 s0 = v3_scale(1.0 / h0, v3_sub(c->x[j], c->x[j - 1]));
    const v3 s1 = v3_scale(1.0 / h1, v3_sub(c->x[j + 1], c->x[j]));
    const v3 bend = v3_scale(1.0 / (h0 + h1), v3_sub(s1, s0));
    const double at = 2.0 * c->chord[i] - c->chord[j - 1] - c->chord[j];
    return v3_add_scaled(s0, at, bend);
}

static void curve_find_slopes(curve *c)
{
    const size_t last = c->count - 1;
    if (last == 1) {
        c->slope[0] = c->slope[1] = v3_scale(1.0 / c->chord[1], v3_sub(c->x[1], c->x[0]));
        return;
    }
    for (size_t i = 0; i <= last; i++) {
        c->slope[i] = parabola_slope(c, i == 0 ? 1 : i == last ? last - 1 : i, i);
    }
}

/* Place and slope at the share t of piece i. */
static v3 curve_at(const curve *c, size_t i, double t, v3 *slope)
{
    const double h = c->chord[i + 1] - c->chord[i], u = 1.0 - t;
    const v3 d = v3_sub(c->x[i + 1], c->x[i]);
    const v3 a = v3_sub(v3_scale(h, c->slope[i]), d), b = v3_sub(d, v3_scale(h, c->slope[i + 1]));
    *slope = v3_add(d, v3_add(v3_scale(u * (1.0 - 3.0 * t), a), v3_scale(t * (2.0 - 3.0 * t), b)));
    return v3_add(v3_add_scaled(c->x[i], t, d),
                  v3_add(v3_scale(t * u * u, a), v3_scale(t * t * u, b)));
}

/* Gauss's rule of three points on [t0, t0 + w] of piece i. */
static double curve_piece_length(const curve *c, size_t i, double t0, double w)
{
    static const double at[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        v3 slope;
        (void)curve_at(c, i, t0 + at[k] * w, &slope);
        sum += weight[k] * w * v3_norm(slope);
    }
    return sum;
}

enum { PARTS = 4 }; /* of a piece: lengths and searches go by these */

static void curve_find_lengths(curve *c)
{
    c->length[0] = 0.0;
    for (size_t i = 0; i + 1 < c->count; i++) {
        double sum = 0.0;
        for (int k = 0; k < PARTS; k++) {
            sum += curve_piece_length(c, i, (double)k / PARTS, 1.0 / PARTS);
        }
        c->length[i + 1] = c->length[i] + sum;
    }
}

/* Place and unit tangent at arc length s, which does not fall from call to call; *piece starts at
 * 0. */
static v3 curve_at_length(const curve *c, double s, size_t *piece, v3 *tangent)
{
    while (*piece + 2 < c->count && c->length[*piece + 1] < s) (*piece)++;
    double left = s - c->length[*piece], t = 0.0;
    for (int k = 0; k < PARTS; k++, t = (double)k / PARTS) {
        const double part = curve_piece_length(c, *piece, t, 1.0 / PARTS);
        if (left <= part || k == PARTS - 1) {
            t += scalar_min(left / (part * PARTS), 1.0 / PARTS);
            break;
        }
        left -= part;
    }
    v3 slope;
    const v3 x = curve_at(c, *piece, t, &slope);
    *tangent = v3_normalize(slope);
    return x;
}

/* ---- floating tangents ---- */

typedef struct joints {
    uint32_t elements;
    double *storage; /* [9 (elements + 1)] the following */
    v3 *x, *t;       /* [elements + 1] */
    double
        *diagonal;  /* [elements] of A A^T, then of its factors; condition i is between i, i + 1 */
    double *beside; /* [elements] its place (i, i - 1) */
    double *lambda; /* [elements] */
} joints;

static size_t joints_bytes(uint32_t elements)
{
    return memory_size((size_t)elements + 1, 9 * sizeof(double));
}

static status joints_reserve(joints *j, uint32_t elements, const allocator *from, error *err)
{
    *j = (joints){.elements = elements, .storage = memory_alloc(from, joints_bytes(elements))};
    if (!j->storage) return error_out_of_memory(err, "a strand");
    const size_t n = (size_t)elements + 1;
    j->x = (void *)j->storage;
    j->t = j->x + n;
    j->diagonal = j->storage + 6 * n;
    j->beside = j->diagonal + n;
    j->lambda = j->beside + n;
    return STATUS_OK;
}

static v3 tangent_step(const joints *j, size_t i) { return v3_sub(j->t[i + 1], j->t[i]); }

/* x <- the nearest places that meet the conditions: x - A^T lambda, A A^T lambda = A x, x_0 kept. A
 * condition without a tangent step says nothing; its row becomes the identity. */
static void joints_float(joints *j)
{
    for (size_t i = 0; i < j->elements; i++) {
        const v3 w = tangent_step(j, i);
        const double ww = v3_dot(w, w);
        j->diagonal[i] = i ? 2.0 * ww : ww;
        j->beside[i] = i ? -v3_dot(w, tangent_step(j, i - 1)) : 0.0;
        j->lambda[i] = v3_dot(w, v3_sub(j->x[i + 1], j->x[i]));
        if (ww < 1e-18) j->diagonal[i] = 1.0, j->beside[i] = 0.0, j->lambda[i] = 0.0;
    }
    for (size_t i = 1; i < j->elements; i++) {
        const double factor = j->beside[i] / j->diagonal[i - 1];
        j->diagonal[i] -= factor * j->beside[i];
        j->lambda[i] -= factor * j->lambda[i - 1];
    }
    for (size_t i = j->elements; i-- > 0;) {
        const bool last = i + 1 == j->elements;
        const double from_next = last ? 0.0 : j->beside[i + 1] * j->lambda[i + 1];
        j->lambda[i] = (j->lambda[i] - from_next) / j->diagonal[i];
    }
    for (size_t i = 0; i < j->elements; i++) {
        const v3 w = tangent_step(j, i);
        j->x[i + 1] = v3_add_scaled(j->x[i + 1], -j->lambda[i], w);
        if (i) j->x[i] = v3_add_scaled(j->x[i], j->lambda[i], w);
    }
}

static void joints_place(joints *j, const curve *c)
{
    size_t piece = 0;
    const double whole = c->length[c->count - 1];
    for (uint32_t i = 0; i <= j->elements; i++) {
        const double s = whole * (double)i / (double)j->elements;
        j->x[i] = curve_at_length(c, s, &piece, &j->t[i]);
    }
}

/* ---- the material ---- */

/* The least turn that brings the x axis of `wanted` to the unit vector t. */
static quat root_frame(const quat *wanted, v3 t)
{
    const quat q = wanted ? *wanted : quat_identity();
    const v3 x = quat_rotate(q, (v3){1.0, 0.0, 0.0}), axis = v3_cross(x, t);
    const double sine = v3_norm(axis), cosine = v3_dot(x, t);
    if (sine > 1e-12) return quat_mul(quat_from_axis_angle(axis, trig_atan2(sine, cosine)), q);
    if (cosine > 0.0) return q;
    const v3 y = quat_rotate(q, (v3){0.0, 1.0, 0.0});
    return quat_mul(quat_from_axis_angle(y, trig_atan2(0.0, -1.0)), q);
}

static quat turn(quat frame, v3 darboux, double length)
{
    const double angle = v3_norm(darboux) * length;
    if (angle == 0.0) return frame;
    return quat_normalize(quat_mul(quat_from_axis_angle(darboux, angle), frame));
}

static void joints_to_rod(const joints *j, const quat *wanted, double *lengths, double *kappa,
                          rod_fit *out)
{
    quat frame = root_frame(wanted, j->t[0]);
    out->root = (pose){j->x[0], frame};
    for (size_t i = 0; i < j->elements; i++) {
        v3 darboux;
        if (!rod_fit_helix(j->x[i], j->t[i], j->x[i + 1], j->t[i + 1], &darboux, &lengths[i])) {
            darboux = (v3){0.0, 0.0, 0.0};
            lengths[i] = v3_norm(v3_sub(j->x[i + 1], j->x[i]));
            out->unmatched++;
        }
        v3_store(kappa + 3 * i, quat_rotate(quat_conjugate(frame), darboux));
        frame = turn(frame, darboux, lengths[i]);
        out->length += lengths[i];
    }
}

/* ---- how good it is ---- */

/* Where the helix that starts at `at` with the Darboux vector w in space is after s: with W = |w|,
 * x + (w.t) w/W^2 (s - sin(W s)/W) + t sin(W s)/W + w x t (1 - cos W s)/W^2. */
static v3 helix_point(v3 x, v3 t, v3 w, double s)
{
    const double W = v3_norm(w), angle = W * s;
    if (angle < 1e-6) return v3_add_scaled(v3_add_scaled(x, s, t), 0.5 * s * s, v3_cross(w, t));
    const trig_pair c = trig_sincos(angle), half = trig_sincos(0.5 * angle);
    const v3 along = v3_scale(v3_dot(w, t) / (W * W) * (s - c.sin / W), w);
    return v3_add(v3_add(v3_add_scaled(x, c.sin / W, t), along),
                  v3_scale(2.0 * half.sin * half.sin / (W * W), v3_cross(w, t)));
}

static double fit_error(const curve *c, const rod_fit *fit, uint32_t elements,
                        const double *lengths, const double *kappa)
{
    double worst = 0.0, begin = 0.0;
    quat frame = fit->root.rotation;
    v3 x = fit->root.position;
    size_t point = 0;
    const double whole = c->length[c->count - 1];
    for (uint32_t i = 0; i < elements; i++) {
        const v3 w = quat_rotate(frame, v3_load(kappa + 3 * (size_t)i));
        const v3 t = quat_rotate(frame, (v3){1.0, 0.0, 0.0});
        const bool last = i + 1 == elements;
        for (; point < c->count; point++) {
            const double s = c->length[point] / whole * fit->length - begin;
            if (s > lengths[i] && !last) break;
            worst = scalar_max(worst, v3_norm(v3_sub(c->x[point], helix_point(x, t, w, s))));
        }
        x = helix_point(x, t, w, lengths[i]);
        frame = turn(frame, w, lengths[i]);
        begin += lengths[i];
    }
    return worst;
}

/* ---- the whole ---- */

static status fit_curve(const curve *c, uint32_t elements, const quat *wanted,
                        const allocator *from, double *lengths, double *kappa, rod_fit *out,
                        error *err)
{
    joints j;
    const status st = joints_reserve(&j, elements, from, err);
    if (st < 0) return st;
    joints_place(&j, c);
    joints_float(&j);
    joints_to_rod(&j, wanted, lengths, kappa, out);
    memory_free(from, j.storage, joints_bytes(elements));
    out->error = fit_error(c, out, elements, lengths, kappa);
    return STATUS_OK;
}

status rod_fit_points(const double *points, size_t count, uint32_t elements, const quat *wanted,
                      const allocator *from, double *lengths, double *kappa, rod_fit *out,
                      error *err)
{
    *out = (rod_fit){0};
    curve c;
    status st = curve_reserve(&c, count, from, err);
    if (st < 0) return st;
    st = curve_take_points(&c, points, count, err);
    if (st >= 0) {
        out->merged = (uint32_t)(count - c.count);
        curve_find_slopes(&c);
        curve_find_lengths(&c);
        st = fit_curve(&c, elements, wanted, from, lengths, kappa, out, err);
    }
    memory_free(from, c.storage, curve_bytes(count));
    return st;
}
