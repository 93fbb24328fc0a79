/* SPDX-License-Identifier: Apache-2.0 */
#include "image.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool image_init(image *out, size_t width, size_t height)
{
    *out = (image){width, height, calloc(width * height, 3)};
    return out->pixels != NULL;
}

void image_free(image *picture)
{
    free(picture->pixels);
    picture->pixels = NULL;
}

/* ---- text: five columns of seven dots; bit 0 of a column is the top -------------------------- */

enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7 };

typedef struct glyph {
    char letter;
    uint8_t columns[GLYPH_WIDTH];
} glyph;

static const glyph glyphs[] = {
    {'0', {0x3e, 0x51, 0x49, 0x45, 0x3e}}, {'1', {0x00, 0x42, 0x7f, 0x40, 0x00}},
    {'2', {0x62, 0x51, 0x49, 0x49, 0x46}}, {'3', {0x22, 0x41, 0x49, 0x49, 0x36}},
    {'4', {0x18, 0x14, 0x12, 0x7f, 0x10}}, {'5', {0x2f, 0x49, 0x49, 0x49, 0x31}},
    {'6', {0x3e, 0x49, 0x49, 0x49, 0x32}}, {'7', {0x01, 0x71, 0x09, 0x05, 0x03}},
    {'8', {0x36, 0x49, 0x49, 0x49, 0x36}}, {'9', {0x26, 0x49, 0x49, 0x49, 0x3e}},
    {'.', {0x00, 0x60, 0x60, 0x00, 0x00}}, {'-', {0x08, 0x08, 0x08, 0x08, 0x08}},
    {'a', {0x20, 0x54, 0x54, 0x54, 0x78}}, {'c', {0x38, 0x44, 0x44, 0x44, 0x28}},
    {'d', {0x38, 0x44, 0x44, 0x44, 0x7f}}, {'e', {0x38, 0x54, 0x54, 0x54, 0x18}},
    {'f', {0x08, 0x7e, 0x09, 0x09, 0x02}}, {'g', {0x08, 0x54, 0x54, 0x54, 0x3c}},
    {'i', {0x00, 0x44, 0x7d, 0x40, 0x00}}, {'k', {0x7f, 0x10, 0x28, 0x44, 0x00}},
    {'l', {0x00, 0x41, 0x7f, 0x40, 0x00}}, {'m', {0x7c, 0x04, 0x78, 0x04, 0x78}},
    {'n', {0x7c, 0x08, 0x04, 0x04, 0x78}}, {'r', {0x7c, 0x08, 0x04, 0x04, 0x08}},
    {'s', {0x48, 0x54, 0x54, 0x54, 0x24}}, {'t', {0x04, 0x3f, 0x44, 0x44, 0x20}},
};

static const uint8_t *glyph_columns(char letter)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++) {
        if (glyphs[i].letter == letter) return glyphs[i].columns;
    }
    return NULL;
}

static void fill(image *picture, size_t x, size_t y, size_t size, const uint8_t color[3])
{
    for (size_t row = y; row < y + size && row < picture->height; row++) {
        for (size_t column = x; column < x + size && column < picture->width; column++) {
            memcpy(picture->pixels + 3 * (row * picture->width + column), color, 3);
        }
    }
}

void image_draw_text(image *picture, size_t x, size_t y, size_t scale, const uint8_t color[3],
                     const char *string)
{
    for (; *string; string++, x += scale * (GLYPH_WIDTH + 1)) {
        const uint8_t *columns = glyph_columns(*string);
        for (size_t i = 0; columns && i < GLYPH_WIDTH; i++) {
            for (size_t j = 0; j < GLYPH_HEIGHT; j++) {
                if (columns[i] >> j & 1) fill(picture, x + i * scale, y + j * scale, scale, color);
            }
        }
    }
}

size_t image_text_height(size_t scale) { return scale * GLYPH_HEIGHT; }

/* ---- PNG ------------------------------------------------------------------------------------- */

static const char *write_stream(const image *picture, FILE *stream)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)picture->width,
                     .height = (png_uint_32)picture->height,
                     .format = PNG_FORMAT_RGB};
    if (!png_image_write_to_stdio(&png, stream, 0, picture->pixels, 0, NULL)) {
        return errno ? strerror(errno) : "libpng could not write it";
    }
    if (fflush(stream) != 0 || fsync(fileno(stream)) != 0) return strerror(errno);
    return NULL;
}

const char *image_write_png(const image *picture, const char *path)
{
    static const char suffix[] = ".tmp";
    char *temporary = malloc(strlen(path) + sizeof suffix);
    if (!temporary) return "out of memory";
    strcpy(temporary, path);
    strcat(temporary, suffix);
    errno = 0;
    FILE *stream = fopen(temporary, "wb");
    const char *problem = stream ? write_stream(picture, stream) : strerror(errno);
    if (stream && fclose(stream) != 0 && !problem) problem = strerror(errno);
    if (!problem && rename(temporary, path) != 0) problem = strerror(errno);
    if (problem && stream) remove(temporary);
    free(temporary);
    return problem;
}
