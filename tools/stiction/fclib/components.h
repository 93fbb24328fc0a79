/* SPDX-License-Identifier: Apache-2.0
 *
 * The connected components of a square matrix's graph: unknowns that entries couple, directly or
 * through others. Brought together they make the matrix block diagonal.
 */
#ifndef STICTION_FCLIB_COMPONENTS_H
#define STICTION_FCLIB_COMPONENTS_H

#include "sparse.h"

typedef struct components {
    uint32_t *place; /* of each unknown: where it goes; unknowns of a component keep their order */
    uint32_t *end;   /* of each place: where its component ends */
} components;

/* False: out of memory, and nothing to free. */
bool components_find(components *out, const sparse *a);
void components_free(components *c);

#endif
