/* SPDX-License-Identifier: Apache-2.0
 *
 * USD in ASCII (.usda): one Mesh or BasisCurves with time samples of points, velocities and extent.
 *
 * All numbers stand in columns, so every sample has a place that can be computed: frames are
 * written one by one although the samples of one attribute follow one another, a file can be taken
 * up again, and reading needs no parser. In bytes:
 *
 *     head | a line of points for each frame | middle | a line of velocities for each frame |
 *     middle | a line of the extent for each frame | tail
 *
 * The first line of an unfinished file is "#part 1.0". A frame counts when its line of the extent
 * is there, which is written last.
 */
#ifndef IO_CACHE_USD_H
#define IO_CACHE_USD_H

#include "io/cache_format.h"

enum { USD_MOST_NAME = 255 };

/* Where everything is. */
typedef struct usd_layout {
    uint64_t head;               /* bytes */
    uint64_t vector_line;        /* bytes of a line of points or velocities */
    uint64_t extent_line;        /* bytes of a line of the extent */
    uint64_t points, velocities; /* where the first line begins */
    uint64_t extents, tail, end;
} usd_layout;

usd_layout usd_find_layout(const cache_shape *s);

/* The text up to the first line; `out` has room for `head` bytes. */
void usd_print_head(const cache_shape *s, bool finished, char *out);
/* The texts between, and the end; `which` is 0, 1, 2. Returns the length. */
size_t usd_print_between(const cache_shape *s, int which, char out[64]);

/* Lines are handled in pieces of so many points. */
enum { USD_PIECE = 1024, USD_POINT = 53, USD_PIECE_SIZE = USD_PIECE * USD_POINT + 64 };

/* Prints points [from, to) of a line of n, with its beginning and its end if they belong to it.
 * Returns the length. The "C" language must have been entered. */
size_t usd_print_piece(char *out, double time, const float *x, size_t n, size_t from, size_t to);
/* Where that piece begins and ends in its line. */
uint64_t usd_piece_offset(size_t from);
uint64_t usd_piece_end(size_t n, size_t to);
/* The numbers of a piece, whatever is around them. */
void usd_parse_piece(const char *text, float *x, size_t from, size_t to);

void usd_find_extent(const float *x, size_t points, float extent[6]);

/* Fills in the shape from the first bytes of a file, zero-terminated; the indices are only counted. */
status usd_read_claims(cache_reader *r, const char *text, error *err);
/* The indices, from the whole head. */
void usd_read_indices(const cache_shape *s, const char *head, uint32_t *indices);

#endif
