/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/assemble.h"

#include "cloth/parts.h"

#include <string.h>

static cloth_part_weights implicit_weights(const cloth_forcing *f)
{
    const double ht = f->h * f->theta;
    return (cloth_part_weights){.force = ht,
                                .material_rate = ht * ht,
                                .tension_rate = ht * ht,
                                .bound_rate = ht * (ht + f->damping),
                                .moment_rate = ht * f->damping,
                                .material = ht * (ht + f->damping),
                                .tension = ht * ht};
}

/* h (1 - theta) (f(x_t) - beta K_0 v_t): what the old end of the step gives. */
static cloth_part_weights explicit_weights(const cloth_forcing *f)
{
    const double rest = f->h * (1.0 - f->theta);
    cloth_part_weights w = implicit_weights(f);
    w.force = rest;
    w.material_rate = -rest * f->damping;
    w.moment_rate = rest * f->damping;
    w.tension_rate = w.bound_rate = 0.0;
    return w;
}

/* ---- rows ---- */

static v3 gather_push(const cloth_system *k, size_t i)
{
    v3 b = {0.0, 0.0, 0.0};
    for (uint32_t p = k->face_start[i]; p < k->face_start[i + 1]; p++) {
        const cloth_face_place *at = &k->face_place[p];
        b = v3_add(b, k->face[at->face].push[at->corner]);
    }
    for (uint32_t p = k->hinge_start[i]; p < k->hinge_start[i + 1]; p++) {
        const cloth_hinge_place *at = &k->hinge_place[p];
        const cloth_hinge_part *h = &k->hinge[at->hinge];
        b = v3_add_scaled(b, h->push, h->slope[at->corner]);
    }
    return b;
}

/* Triangles' blocks; their rows add up to zero. */
static void gather_faces(cloth_system *k, size_t i, m3 *diagonal)
{
    for (uint32_t p = k->face_start[i]; p < k->face_start[i + 1]; p++) {
        const cloth_face_place *at = &k->face_place[p];
        const cloth_face_part *part = &k->face[at->face];
        const m3 *ahead = &part->block[at->corner];
        const m3 behind = m3_transpose(&part->block[(at->corner + 2) % 3]);
        bsr3_add_to_slot(&k->A, at->slot[0], ahead);
        bsr3_add_to_slot(&k->A, at->slot[1], &behind);
        for (int r = 0; r < 3; r++) {
            diagonal->row[r] = v3_sub(diagonal->row[r], v3_add(ahead->row[r], behind.row[r]));
        }
    }
}

static void gather_hinges(cloth_system *k, size_t i)
{
    for (uint32_t p = k->hinge_start[i]; p < k->hinge_start[i + 1]; p++) {
        const cloth_hinge_place *at = &k->hinge_place[p];
        const v3 *slope = k->hinge[at->hinge].slope;
        for (int c = 0; c < 4; c++) {
            const m3 block = cloth_outer(slope[at->corner], slope[c]);
            bsr3_add_to_slot(&k->A, at->slot[c], &block);
        }
    }
}

static v3 gather_air(const cloth_system *k, size_t i, m3 *diagonal)
{
    const cloth_forcing *f = &k->forcing;
    m3 sum = m3_diagonal(0.0);
    for (uint32_t p = k->face_start[i]; p < k->face_start[i + 1]; p++) {
        const m3 air = sym3_to_m3(&k->face[k->face_place[p].face].air);
        sum = m3_add(&sum, &air);
    }
    *diagonal = m3_add(diagonal, &sum);
    return f->air.velocity ? m3_mul_v3(&sum, v3_load(f->air.velocity + 3 * i))
                           : (v3){0.0, 0.0, 0.0};
}

/* A spring between the node and its anchor: h theta s (anchor - x^k) + h^2 theta^2 s v^k. */
static v3 gather_anchor(const cloth_system *k, size_t i, const double *v, m3 *diagonal)
{
    const cloth_forcing *f = &k->forcing;
    const double ht = f->h * f->theta, s = f->anchor_stiffness[i];
    const m3 stiff = m3_diagonal(ht * ht * s);
    const v3 way = v3_sub(v3_load(f->anchor + 3 * i), v3_load(k->trial + 3 * i));
    const v3 back = v ? v3_load(v + 3 * i) : (v3){0.0, 0.0, 0.0};
    *diagonal = m3_add(diagonal, &stiff);
    return v3_add(v3_scale(ht * s, way), v3_scale(ht * ht * s, back));
}

static m3 symmetric_part(const m3 *A)
{
    const m3 T = m3_transpose(A);
    const m3 sum = m3_add(A, &T);
    return (m3){{v3_scale(0.5, sum.row[0]), v3_scale(0.5, sum.row[1]), v3_scale(0.5, sum.row[2])}};
}

/* Known neighbours go to the right; a known node keeps nothing but itself. */
static v3 apply_known(cloth_system *k, size_t i, v3 b)
{
    const cloth_forcing *f = &k->forcing;
    for (uint32_t slot = k->A.row_start[i]; slot < k->A.row_start[i + 1]; slot++) {
        const size_t j = k->A.col[slot];
        if (!f->is_known[i] && !f->is_known[j]) continue;
        if (!f->is_known[i])
            b = v3_sub(b, m3_mul_v3(&k->A.block[slot], v3_load(f->v_known + 3 * j)));
        k->A.block[slot] = m3_diagonal(i == j ? f->mass[i] : 0.0);
    }
    return f->is_known[i] ? v3_scale(f->mass[i], v3_load(f->v_known + 3 * i)) : b;
}

static void gather_row(const cloth_part_job *job, size_t i)
{
    cloth_system *k = job->k;
    const cloth_forcing *f = &k->forcing;
    m3 diagonal = m3_diagonal(f->mass[i] * (1.0 + f->h * f->theta * f->mass_damping));
    v3 b = v3_add(v3_load(k->base + 3 * i), gather_push(k, i));
    memset(&k->A.block[k->A.row_start[i]], 0,
           (k->A.row_start[i + 1] - k->A.row_start[i]) * sizeof *k->A.block);
    gather_faces(k, i, &diagonal);
    gather_hinges(k, i);
    if (cloth_has_air(f)) b = v3_add(b, gather_air(k, i, &diagonal));
    if (f->anchor_stiffness) b = v3_add(b, gather_anchor(k, i, job->v, &diagonal));
    m3 *ii = &k->A.block[k->A.diagonal[i]];
    *ii = m3_add(ii, &diagonal);
    *ii = symmetric_part(ii);
    if (f->is_known) b = apply_known(k, i, b);
    v3_store(k->b + 3 * i, b);
}

static void gather_rows(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    for (size_t i = begin; i < end; i++) gather_row(user, i);
}

/* ---- the step ---- */

/* M v_t + h (weight + loads), and of the old end what is no element's. */
static v3 outer_impulse(const cloth_forcing *f, size_t i)
{
    const v3 v = v3_load(f->v + 3 * i);
    const double rest = f->h * (1.0 - f->theta);
    v3 b = v3_scale(f->mass[i], v3_add_scaled(v, f->h, f->gravity));
    b = v3_add_scaled(b, -rest * f->mass_damping * f->mass[i], v);
    if (f->load) b = v3_add_scaled(b, f->h, v3_load(f->load + 3 * i));
    if (f->anchor_stiffness && rest > 0.0) {
        const v3 way = v3_sub(v3_load(f->anchor + 3 * i), v3_load(f->x + 3 * i));
        b = v3_add_scaled(b, rest * f->anchor_stiffness[i], way);
    }
    return b;
}

static void begin_rows(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const cloth_system *k = user;
    for (size_t i = begin; i < end; i++) {
        v3 b = outer_impulse(&k->forcing, i);
        if (k->forcing.theta < 1.0) b = v3_add(b, gather_push(k, i));
        v3_store(k->base + 3 * i, b);
    }
}

void cloth_system_begin(cloth_system *k, const cloth_forcing *forcing, pool *threads)
{
    k->forcing = *forcing;
    if (forcing->theta < 1.0) {
        cloth_part_job job = {k, forcing->x, forcing->v, explicit_weights(forcing)};
        cloth_parts_make(&job, threads);
    }
    pool_for(threads, k->sheet->topology.nodes, begin_rows, k);
}

void cloth_system_move(const cloth_system *k, const double *v, double *x_next)
{
    const cloth_forcing *f = &k->forcing;
    for (size_t i = 0; i < k->sheet->topology.nodes; i++) {
        const double theta = f->is_known && f->is_known[i] ? 1.0 : f->theta;
        for (size_t c = 3 * i; c < 3 * i + 3; c++) {
            const double now = v ? v[c] : 0.0;
            x_next[c] = f->x[c] + f->h * (theta * now + (1.0 - theta) * f->v[c]);
        }
    }
}

void cloth_system_assemble(cloth_system *k, const double *v_trial, pool *threads)
{
    cloth_part_job job = {k, k->trial, v_trial, implicit_weights(&k->forcing)};
    cloth_system_move(k, v_trial, k->trial);
    cloth_parts_make(&job, threads);
    pool_for(threads, k->sheet->topology.nodes, gather_rows, &job);
}
