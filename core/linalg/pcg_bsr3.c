/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg/pcg_bsr3.h"

/* Column by column; the result is symmetric because only one triangle is kept. */
static bool sym3_invert(const sym3 *A, sym3 *inverse)
{
    v3 c0, c1, c2;
    if (!sym3_solve(A, (v3){1.0, 0.0, 0.0}, &c0)) return false;
    if (!sym3_solve(A, (v3){0.0, 1.0, 0.0}, &c1)) return false;
    if (!sym3_solve(A, (v3){0.0, 0.0, 1.0}, &c2)) return false;
    *inverse = (sym3){c0.x, c0.y, c0.z, c1.y, c1.z, c2.z};
    return v3_is_finite(c0) && v3_is_finite(c1) && v3_is_finite(c2);
}

bool pcg_bsr3_invert_diagonal(const bsr3 *A, sym3 *inverse, uint32_t *bad_row)
{
    for (uint32_t i = 0; i < A->rows; i++) {
        const m3 *block = bsr3_diagonal(A, i);
        const v3 *r = block ? block->row : NULL;
        const sym3 upper =
            r ? (sym3){r[0].x, r[0].y, r[0].z, r[1].y, r[1].z, r[2].z} : sym3_diagonal(0.0);
        if (sym3_invert(&upper, &inverse[i])) continue;
        if (bad_row) *bad_row = i;
        return false;
    }
    return true;
}

static void apply_matrix(void *user, const double *x, double *y)
{
    const pcg_bsr3 *pair = user;
    bsr3_mul(pair->A, pair->threads, x, y);
}

typedef struct jacobi_job {
    const sym3 *inverse;
    const double *r;
    double *z;
} jacobi_job;

static void jacobi_rows(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const jacobi_job *job = user;
    for (size_t i = begin; i < end; i++) {
        v3_store(job->z + 3 * i, sym3_mul_v3(&job->inverse[i], v3_load(job->r + 3 * i)));
    }
}

static void apply_jacobi(void *user, const double *r, double *z)
{
    const pcg_bsr3 *pair = user;
    jacobi_job job = {pair->inverse, r, z};
    pool_for(pair->threads, pair->A->rows, jacobi_rows, &job);
}

pcg_system pcg_bsr3_system(pcg_bsr3 *pair)
{
    pcg_system system = {.n = 3 * (size_t)pair->A->rows, .A = {apply_matrix, pair}};
    if (pair->inverse) system.M = (pcg_operator){apply_jacobi, pair};
    system.threads = pair->threads;
    return system;
}
