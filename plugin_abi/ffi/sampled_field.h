/* SPDX-License-Identifier: Apache-2.0
 *
 * A field that a studio has as a compiled function of one place, seen as one of many places: the
 * function is known by its address and a signature with named arguments,
 *
 *     "void (double x, double y, double z, double t, double *force)"
 *     "void (void *user, const float *position, float t, float *force)"
 *
 * from which a call is prepared once. The names say what an argument gets, in any order:
 *
 *     x y z, vx vy vz, t       double or float: place, velocity, seconds
 *     position, velocity       pointers to 3 double or float that may be read
 *     force                    a pointer to 3 double or float to write, zero before; needed
 *     user                     void *
 */
#ifndef FFI_SAMPLED_FIELD_H
#define FFI_SAMPLED_FIELD_H

#include "base/memory.h"
#include "base/status.h"

#include <stdint.h>

typedef struct sampled_field sampled_field;

status sampled_field_create(const allocator *from, const char *signature, void *function,
                            void *user, sampled_field **out, error *err);

/* Takes and calls a sampled_field: an stn_field, and the end of one. */
void sampled_field_call(void *field, double seconds, uint64_t count, const double *positions,
                        const double *velocities, double *forces);
void sampled_field_destroy(void *field);

#endif
