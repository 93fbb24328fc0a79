/* SPDX-License-Identifier: Apache-2.0
 *
 * Strand files: curves as plain text, a point x y z in m to a line, root first, and an empty line
 * between two strands. A # begins a comment; a line that has only that is not empty.
 */
#ifndef IO_STRANDS_H
#define IO_STRANDS_H

#include "base/array.h"
#include "base/status.h"

typedef struct strand_set {
    array points;  /* double[3] */
    array sizes;   /* uint32_t: points of each strand */
    uint64_t hash; /* of the file's bytes */
} strand_set;

/* On failure there is nothing to destroy. */
status strands_read(strand_set *out, const allocator *from, const char *path, error *err);
void strand_set_destroy(strand_set *set);

#endif
