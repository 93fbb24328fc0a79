/* SPDX-License-Identifier: Apache-2.0
 *
 * One moment as a picture: meshes of all bodies, a key light with shadows, light from sky and
 * ground, and two by two samples for each pixel.
 */
#ifndef STICTION_PICTURE_RENDER_H
#define STICTION_PICTURE_RENDER_H

#include "camera.h"
#include "image.h"

/* Draws into the rectangle of `out` at (x, y). `rest` is the moment that patterns stick to.
 * False: out of memory. */
bool render_moment(const snapshot *moment, const snapshot *rest, camera *view, bool tinted,
                   image *out, size_t x, size_t y, size_t width, size_t height);

#endif
