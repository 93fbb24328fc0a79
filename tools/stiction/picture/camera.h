/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the picture is taken from: a perspective camera that looks at the action slightly from
 * above, as near as it can be with everything in view. "Up" is against gravity.
 */
#ifndef STICTION_PICTURE_CAMERA_H
#define STICTION_PICTURE_CAMERA_H

#include <cglm/cglm.h>
#include <stddef.h>

#include "snapshot.h"

typedef struct camera {
    mat4 view_projection;
    vec3 eye;
    vec3 right, up, forward; /* of the picture; unit and orthogonal */
    vec3 sky;                /* against gravity */
    vec3 center;             /* of the action, which fits into a ball around it */
    float radius;
} camera;

/* One camera for all moments, so that they can be compared. aspect = width / height. */
void camera_fit(camera *out, const snapshot *moments, size_t count, float aspect);

#endif
