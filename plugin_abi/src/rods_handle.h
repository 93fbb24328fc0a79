/* SPDX-License-Identifier: Apache-2.0
 *
 * Rods as the caller holds them: a group, its state now and next, and what a step needs.
 */
#ifndef ABI_RODS_HANDLE_H
#define ABI_RODS_HANDLE_H

#include "base/pool.h"
#include "rods/rod.h"

#include <stiction/ext_rods.h>

struct stn_rods {
    body_group *group;
    pool *threads;
    bool free_root;
    double *length;   /* [count] m */
    double *state[2]; /* [0] is now */
    double *work;     /* [count * work_count] */
    double *v;        /* [count * unknowns] */
    pose *roots;      /* [count] of a step */
    body_load *loads; /* [load_capacity] of a step */
    size_t load_capacity;
};

status rods_handle_create(const stn_rods_desc *desc, stn_rods **out, error *err);
void rods_handle_destroy(stn_rods *h);

/* Checks and converts what acts in a step of h seconds; the result lives in the handle until the
 * next call. */
status rods_read_input(stn_rods *h, const stn_rods_input *given, double seconds, body_input *out,
                       error *err);

/* Takes the step, or changes nothing. */
status rods_take_step(stn_rods *h, const body_input *in, error *err);

#endif
