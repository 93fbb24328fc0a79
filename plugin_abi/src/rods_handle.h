/* SPDX-License-Identifier: Apache-2.0
 *
 * Rods as the caller holds them: a group, its state now and next, and what a step needs.
 */
#ifndef ABI_RODS_HANDLE_H
#define ABI_RODS_HANDLE_H

#include "base/pool.h"
#include "mechanics/body_group.h"

#include <stiction/ext_rods.h>

struct stn_rods {
    const allocator *from;
    body_group *group;
    pool *threads;
    bool free_root;
    double *length;   /* [count] m: the unit of an equilibrium */
    double *state[2]; /* [0] is now */
    double *work;     /* [count * work_count] */
    double *v;        /* [count * unknowns] */
    pose *roots;      /* [count] of a step */
    body_load *loads; /* [load_capacity] of a step */
    size_t load_capacity;
};

/* A handle around a group, which is its own from now on, on failure too. The state is zero, the
 * lengths are 1. */
status rods_handle_create(body_group *group, uint32_t threads, const allocator *from,
                          stn_rods **out, error *err);
void rods_handle_destroy(stn_rods *h);

/* Poses [count][7] into the handle's roots; NULL: the identity. */
status rods_read_roots(stn_rods *h, const double *given, error *err);

/* That `count` numbers are finite, `per_rod` of each rod; `what` says what they are. */
status rods_check_numbers(const double *x, size_t count, size_t per_rod, const char *what,
                          error *err);

/* Checks and converts what acts in a step of h seconds; the result lives in the handle until the
 * next call. */
status rods_read_input(stn_rods *h, const stn_rods_input *given, double seconds, body_input *out,
                       error *err);

/* Takes the step, or changes nothing. */
status rods_take_step(stn_rods *h, const body_input *in, error *err);

#endif
