/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes' matrix A, sorted into a symmetric pattern.
 */
#include "contact/nodes_make.h"
#include "linalg/pcg_bsr3.h"

#include <inttypes.h>
#include <string.h>

static status make_pattern(nodes_problem *p, const contact_system *s, error *err)
{
    const size_t given = p->nodes ? s->row_start[p->nodes] : 0, count = 2 * given + p->nodes;
    bsr3_place *places = memory_alloc(p->from, memory_size(count, sizeof *places));
    if (!places && count) return nodes_out_of_memory(err);
    for (uint32_t i = 0; i < p->nodes; i++) {
        for (uint32_t k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
            places[2 * (size_t)k] = (bsr3_place){i, s->col[k]};
            places[2 * (size_t)k + 1] = (bsr3_place){s->col[k], i};
        }
        places[2 * given + i] = (bsr3_place){i, i};
    }
    const status st = bsr3_create(&p->A, p->from, p->nodes, p->nodes, places, count);
    memory_free(p->from, places, count * sizeof *places);
    return st < 0 ? nodes_out_of_memory(err) : STATUS_OK;
}

static status check_symmetry(const nodes_problem *p, error *err)
{
    for (uint32_t i = 0; i < p->nodes; i++) {
        for (uint32_t k = p->A.row_start[i]; k < p->A.row_start[i + 1]; k++) {
            const uint32_t j = p->A.col[k];
            m3 difference = m3_transpose(&p->A.block[bsr3_find_slot(&p->A, j, i)]);
            for (int row = 0; row < 3; row++) {
                difference.row[row] = v3_sub(difference.row[row], p->A.block[k].row[row]);
            }
            /* 1e-8 of the geometric mean of the two diagonals */
            const double ratio =
                nodes_norm_squared(&difference) * p->compliance[i] * p->compliance[j];
            if (ratio <= 1e-16) continue;
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "A: the blocks (%" PRIu32 ", %" PRIu32 ") and (%" PRIu32 ", %" PRIu32
                             ") are not each other's transposed, expected a symmetric matrix",
                             i, j, j, i);
        }
    }
    return STATUS_OK;
}

static status fill_matrix(nodes_problem *p, const contact_system *s, error *err)
{
    for (uint32_t i = 0; i < p->nodes; i++) {
        for (uint32_t k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
            const m3 block = nodes_load_block(&s->blocks[9 * (size_t)k]);
            bsr3_add_block(&p->A, i, s->col[k], &block);
        }
    }
    uint32_t bad;
    if (!pcg_bsr3_invert_diagonal(&p->A, p->inverse, &bad)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "A: the diagonal block of node %" PRIu32 " is not positive definite", bad);
    }
    for (uint32_t i = 0; i < p->nodes; i++) {
        const v3 *D = bsr3_diagonal(&p->A, i)->row;
        p->compliance[i] = 3.0 / (D[0].x + D[1].y + D[2].z);
    }
    memcpy(p->f, s->force, 3 * (size_t)p->nodes * sizeof *p->f);
    return check_symmetry(p, err);
}

status nodes_make_matrix(nodes_problem *p, const contact_system *s, error *err)
{
    const status st = make_pattern(p, s, err);
    if (st < 0 || p->nodes == 0) return st;
    p->inverse = memory_alloc(p->from, memory_size(p->nodes, sizeof *p->inverse));
    p->f = memory_alloc(p->from, memory_size(p->nodes, 4 * sizeof *p->f));
    if (!p->inverse || !p->f) return nodes_out_of_memory(err);
    p->compliance = p->f + 3 * (size_t)p->nodes;
    return fill_matrix(p, s, err);
}
