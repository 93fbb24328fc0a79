/* SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include <stdio.h>
#include <string.h>

#include "render.h"

enum { GUTTER = 6 /* pixels between moments */ };

static void draw_label(image *sheet, const snapshot *moment, size_t x, size_t y, size_t height)
{
    static const uint8_t ink[3] = {70, 78, 88}, rim[3] = {232, 234, 236};
    char label[64];
    snprintf(label, sizeof label, "frame %g  %.2f s", moment->frame, moment->seconds);
    const size_t scale = height >= 600 ? 3 : height >= 240 ? 2 : 1;
    const size_t inset = 6 * scale;
    const size_t left = x + inset, top = y + height - inset - image_text_height(scale);
    for (size_t k = 0; k < 9; k++) { /* a light rim, to be read on any ground */
        image_draw_text(sheet, left + k % 3 - 1, top + k / 3 - 1, scale, rim, label);
    }
    image_draw_text(sheet, left, top, scale, ink, label);
}

static bool draw_sheet(image *sheet, const snapshot *moments, size_t count,
                       const picture_style *style)
{
    camera view;
    camera_fit(&view, moments, count, (float)style->width / (float)style->height);
    memset(sheet->pixels, 255, 3 * sheet->width * sheet->height);
    for (size_t i = 0; i < count; i++) {
        const size_t x = (i % style->columns) * (style->width + GUTTER);
        const size_t y = (i / style->columns) * (style->height + GUTTER);
        if (!render_moment(&moments[i], &moments[0], &view, style->tinted, sheet, x, y,
                           style->width, style->height)) {
            return false;
        }
        draw_label(sheet, &moments[i], x, y, style->height);
    }
    return true;
}

const char *picture_write(const char *path, const snapshot *moments, uint64_t count,
                          const picture_style *style)
{
    const size_t columns = count < style->columns ? count : style->columns;
    const size_t rows = (count + style->columns - 1) / style->columns;
    image sheet;
    if (!image_init(&sheet, columns * (style->width + GUTTER) - GUTTER,
                    rows * (style->height + GUTTER) - GUTTER)) {
        return "out of memory";
    }
    const char *problem =
        draw_sheet(&sheet, moments, count, style) ? image_write_png(&sheet, path) : "out of memory";
    image_free(&sheet);
    return problem;
}
