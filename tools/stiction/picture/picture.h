/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of a run: moments side by side on one sheet, each with its frame.
 */
#ifndef STICTION_PICTURE_PICTURE_H
#define STICTION_PICTURE_PICTURE_H

#include <stdbool.h>

#include "snapshot.h"

enum { PICTURE_MOST_MOMENTS = 24 };

typedef struct picture_style {
    uint32_t width, height; /* of one moment, in pixels */
    uint32_t columns;
    bool tinted; /* cloth shows where it sticks and slides */
} picture_style;

/* Writes the PNG file; NULL, or what went wrong. */
const char *picture_write(const char *path, const snapshot *moments, uint64_t count,
                          const picture_style *style);

#endif
