/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts hand over and take back single precision: 4x4 matrices, column by column, and quaternions.
 * Inside there are only doubles; this file is the border, and the only one that knows cglm.
 */
#ifndef MATH_F32_BRIDGE_H
#define MATH_F32_BRIDGE_H

#include "math/quat.h"

/* False, and *why says what was expected, unless the matrix is a rotation and a translation to
 * 1e-4: a pose has no scale, shear, mirror or perspective to put the rest in. The rotation is
 * normalised in double. */
bool f32_pose_from_matrix(const float m[16], pose *out, const char **why);

/* The position must be within the range of float. */
void f32_pose_to_matrix(const pose *p, float m[16]);

/* w, x, y, z, normalised in double; NaN if all are zero or one is not finite. */
quat f32_quat_to_f64(const float wxyz[4]);

#endif
