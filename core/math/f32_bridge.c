/* SPDX-License-Identifier: Apache-2.0
 *
 * cglm's types are aligned as the compiler's vector options say, so what comes from outside is
 * copied into local variables before cglm sees it.
 */
#include "math/f32_bridge.h"

#include <cglm/cglm.h>
#include <string.h>

static const float TOLERANCE = 1e-4f; /* a thousand roundings of float */

static bool is_near(float a, float b) { return fabsf(a - b) <= TOLERANCE; }

static bool is_affine(mat4 M)
{
    return is_near(M[0][3], 0.0f) && is_near(M[1][3], 0.0f) && is_near(M[2][3], 0.0f) &&
           is_near(M[3][3], 1.0f);
}

static bool has_unit_columns(mat4 M)
{
    vec3 scale;
    glm_decompose_scalev(M, scale);
    return is_near(scale[0], 1.0f) && is_near(scale[1], 1.0f) && is_near(scale[2], 1.0f);
}

static bool has_orthogonal_columns(mat4 M)
{
    return is_near(glm_vec3_dot(M[0], M[1]), 0.0f) && is_near(glm_vec3_dot(M[1], M[2]), 0.0f) &&
           is_near(glm_vec3_dot(M[2], M[0]), 0.0f);
}

static bool is_mirrored(mat4 M)
{
    mat3 rotation;
    glm_mat4_pick3(M, rotation);
    return glm_mat3_det(rotation) < 0.0f;
}

/* NULL, or what is wrong. */
static const char *find_fault(mat4 M)
{
    for (int i = 0; i < 4; i++) {
        if (!glm_vec4_isvalid(M[i])) return "the matrix has entries that are not finite";
    }
    if (!is_affine(M)) return "the last row of the matrix is not 0 0 0 1";
    if (!has_unit_columns(M)) return "the matrix scales: its columns must have length 1";
    if (!has_orthogonal_columns(M)) return "the matrix shears: its columns must be orthogonal";
    if (is_mirrored(M)) return "the matrix mirrors: its determinant must be positive";
    return NULL;
}

/* cglm keeps w last. */
static quat quat_from_versor(const versor q)
{
    return quat_normalize((quat){(double)q[3], (double)q[0], (double)q[1], (double)q[2]});
}

bool f32_pose_from_matrix(const float m[16], pose *out, const char **why)
{
    mat4 M;
    memcpy(M, m, sizeof M);
    *why = find_fault(M);
    if (*why) return false;
    versor q;
    glm_mat4_quat(M, q);
    out->position = (v3){(double)M[3][0], (double)M[3][1], (double)M[3][2]};
    out->rotation = quat_from_versor(q);
    return true;
}

void f32_pose_to_matrix(const pose *p, float m[16])
{
    versor q;
    mat4 M;
    glm_quat_init(q, (float)p->rotation.x, (float)p->rotation.y, (float)p->rotation.z,
                  (float)p->rotation.w);
    glm_quat_mat4(q, M);
    M[3][0] = (float)p->position.x;
    M[3][1] = (float)p->position.y;
    M[3][2] = (float)p->position.z;
    memcpy(m, M, sizeof M);
}

quat f32_quat_to_f64(const float wxyz[4])
{
    versor q;
    glm_quat_init(q, wxyz[1], wxyz[2], wxyz[3], wxyz[0]);
    return quat_from_versor(q);
}
