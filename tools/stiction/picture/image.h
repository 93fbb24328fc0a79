/* SPDX-License-Identifier: Apache-2.0
 *
 * An 8-bit RGB picture: write text on it, put it into a PNG file.
 */
#ifndef STICTION_PICTURE_IMAGE_H
#define STICTION_PICTURE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct image {
    size_t width, height;
    uint8_t *pixels; /* 3 bytes each, rows from the top */
} image;

bool image_init(image *out, size_t width, size_t height); /* false: out of memory */
void image_free(image *picture);

/* Small letters, digits, '.' and ' '; others are left blank. (x, y) is the upper left corner. */
void image_draw_text(image *picture, size_t x, size_t y, size_t scale, const uint8_t color[3],
                     const char *string);
size_t image_text_height(size_t scale);

/* Under a temporary name first: whoever sees `path` sees it whole. NULL, or what went wrong. */
const char *image_write_png(const image *picture, const char *path);

#endif
