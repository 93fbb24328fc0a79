/* SPDX-License-Identifier: Apache-2.0
 *
 * Strands of points from text files: OBJ polylines ("v x y z", and "l 1 2 3" with the numbers of
 * vertices, negative ones from the last), or lines of three numbers with an empty line between
 * strands. What else an OBJ file has is skipped, and so are lines that begin with #.
 */
#ifndef STICTION_FIT_STRANDS_H
#define STICTION_FIT_STRANDS_H

#include "../cli.h"

typedef struct strands {
    double *points; /* [total][3] strand after strand, root first */
    size_t total, capacity;
    size_t *end; /* [count] where each strand ends among the points */
    size_t count, end_capacity;
} strands;

/* CLI_GO_ON, or the exit code with the error reported. */
int strands_read(const cli *c, const char *path, strands *out);
void strands_free(strands *s);

static inline size_t strands_begin(const strands *s, size_t strand)
{
    return strand ? s->end[strand - 1] : 0;
}

#endif
