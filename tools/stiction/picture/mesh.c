/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

static const float TURN = 6.28318531f;

static bool mesh_init(mesh *out, size_t vertices, size_t triangles)
{
    *out = (mesh){.vertex_count = vertices,
                  .triangle_count = triangles,
                  .vertices = calloc(vertices + 1, sizeof *out->vertices),
                  .triangles = calloc(triangles + 1, sizeof *out->triangles)};
    if (out->vertices && out->triangles) return true;
    mesh_free(out);
    return false;
}

void mesh_free(mesh *m)
{
    free(m->vertices);
    free(m->triangles);
    *m = (mesh){0};
}

/* A grid of rows x columns quads over (rows + 1) x (columns + 1) vertices that exist already. */
static void connect_grid(mesh *m, size_t rows, size_t columns)
{
    size_t t = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            const uint32_t a = (uint32_t)(i * (columns + 1) + j), b = a + 1;
            const uint32_t c = a + (uint32_t)columns + 1, d = c + 1;
            const uint32_t pair[2][3] = {{a, c, b}, {b, c, d}};
            memcpy(&m->triangles[t], pair, sizeof pair);
            t += 2;
        }
    }
}

/* 1, 2 or 5 times a power of ten, near `size`. */
static float round_size(float size)
{
    const float power = powf(10.0f, floorf(log10f(size)));
    const float digit = size / power;
    return power * (digit < 1.5f ? 1.0f : digit < 3.5f ? 2.0f : digit < 7.5f ? 5.0f : 10.0f);
}

/* ---- hair ------------------------------------------------------------------------------------ */

/* The two sides of the ribbon at a point whose neighbours are a and b. Normals turn outward at its
 * edges, so that it looks round. */
static void ribbon_at(mesh_vertex side[2], float *x, float *a, float *b, camera *view, float width)
{
    vec3 along, to_eye, across, normal;
    glm_vec3_sub(b, a, along);
    glm_vec3_sub(view->eye, x, to_eye);
    glm_vec3_crossn(along, to_eye, across);
    glm_vec3_crossn(across, along, normal);
    for (int k = 0; k < 2; k++) {
        glm_vec3_copy(x, side[k].position);
        glm_vec3_muladds(across, k ? width : -width, side[k].position);
        glm_vec3_copy(normal, side[k].normal);
        glm_vec3_muladds(across, k ? 1.0f : -1.0f, side[k].normal);
        glm_vec3_normalize(side[k].normal);
    }
}

/* Strands are a little lighter or darker than one another, to be told apart. */
static float strand_shade(uint64_t strand)
{
    const uint32_t mixed = (uint32_t)strand * 2654435761u;
    return 0.7f + 0.6f * (float)(mixed >> 16) / 65536.0f;
}

bool mesh_from_hair(mesh *out, const snapshot_body *body, camera *view, const vec3 color)
{
    const size_t segments = body->node_count - body->strand_count;
    if (!mesh_init(out, 2 * body->node_count, 2 * segments)) return false;
    const float width = fmaxf(0.0012f * view->radius, (float)body->thickness);
    uint32_t node = 0;
    size_t t = 0;
    for (uint64_t i = 0; i < body->strand_count; i++) {
        const uint32_t last = node + body->strands[i] - 1;
        const float shade = strand_shade(i);
        for (uint32_t first = node; node <= last; node++) {
            float *x = &body->nodes[3 * (size_t)node];
            mesh_vertex *side = &out->vertices[2 * (size_t)node];
            ribbon_at(side, x, node > first ? x - 3 : x, node < last ? x + 3 : x, view, width);
            for (int k = 0; k < 2; k++) glm_vec3_scale((float *)color, shade, side[k].color);
            if (node == last) continue;
            const uint32_t a = 2 * node, pair[2][3] = {{a, a + 1, a + 2}, {a + 1, a + 3, a + 2}};
            memcpy(&out->triangles[t], pair, sizeof pair);
            t += 2;
        }
    }
    out->cell = 1.0f;
    out->casts_shadow = true;
    return true;
}

/* ---- cloth ----------------------------------------------------------------------------------- */

static void smooth_normals(mesh *m)
{
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *corner = m->triangles[t];
        vec3 e1, e2, n;
        glm_vec3_sub(m->vertices[corner[1]].position, m->vertices[corner[0]].position, e1);
        glm_vec3_sub(m->vertices[corner[2]].position, m->vertices[corner[0]].position, e2);
        glm_vec3_cross(e1, e2, n);
        for (int k = 0; k < 3; k++) {
            glm_vec3_add(m->vertices[corner[k]].normal, n, m->vertices[corner[k]].normal);
        }
    }
    for (size_t i = 0; i < m->vertex_count; i++) glm_vec3_normalize(m->vertices[i].normal);
}

static void tint_color(vec3 color, uint32_t state)
{
    vec3 stick = {0.06f, 0.30f, 0.62f}, slide = {0.90f, 0.28f, 0.06f};
    if (state == STN_CONTACT_STICK) glm_vec3_lerp(color, stick, 0.75f, color);
    if (state == STN_CONTACT_SLIDE) glm_vec3_lerp(color, slide, 0.75f, color);
}

/* The pattern's squares begin at the rest shape's corner; in a direction without extent all
 * nodes lie in the middle of a square, where rounding cannot change the colour. */
static void place_pattern(mesh *m, const snapshot_body *rest)
{
    vec3 low, high;
    glm_vec3_copy(&rest->nodes[0], low);
    glm_vec3_copy(&rest->nodes[0], high);
    for (uint64_t i = 0; i < rest->node_count; i++) {
        glm_vec3_minv(low, &rest->nodes[3 * i], low);
        glm_vec3_maxv(high, &rest->nodes[3 * i], high);
    }
    vec3 extent;
    glm_vec3_sub(high, low, extent);
    m->cell = fmaxf(glm_vec3_max(extent) / 10.0f, 1e-6f);
    for (int k = 0; k < 3; k++) {
        const float shift = extent[k] < m->cell ? 0.5f * m->cell : 0.0f;
        for (uint64_t i = 0; i < rest->node_count; i++) {
            m->vertices[i].local[k] = rest->nodes[3 * i + (uint64_t)k] - low[k] + shift;
        }
    }
}

static bool mesh_from_points(mesh *out, const snapshot_body *body, const vec3 color, bool tinted);

bool mesh_from_cloth(mesh *out, const snapshot_body *body, const snapshot_body *rest,
                     const vec3 color, bool tinted)
{
    if (body->triangle_count == 0) return mesh_from_points(out, body, color, tinted);
    if (!mesh_init(out, body->node_count, body->triangle_count)) return false;
    for (uint64_t i = 0; i < body->node_count; i++) {
        glm_vec3_copy(&body->nodes[3 * i], out->vertices[i].position);
        memcpy(out->vertices[i].color, color, sizeof(vec3));
        if (tinted) tint_color(out->vertices[i].color, body->states[i]);
    }
    memcpy(out->triangles, body->triangles, body->triangle_count * sizeof out->triangles[0]);
    smooth_normals(out);
    place_pattern(out, rest);
    out->pattern = MESH_CHECKER;
    out->contrast = 0.25f;
    out->gloss = 0.05f;
    out->casts_shadow = true;
    return true;
}

/* ---- balls ----------------------------------------------------------------------------------- */

static void set_sphere(mesh *m, size_t rows, size_t columns, versor turn, const vec3 place,
                       float radius, const vec3 color)
{
    for (size_t i = 0; i <= rows; i++) {
        const float polar = 0.5f * TURN * (float)i / (float)rows;
        for (size_t j = 0; j <= columns; j++) {
            const float angle = TURN * (float)j / (float)columns;
            mesh_vertex *v = &m->vertices[i * (columns + 1) + j];
            v->local[0] = sinf(polar) * cosf(angle);
            v->local[1] = sinf(polar) * sinf(angle);
            v->local[2] = cosf(polar);
            glm_quat_rotatev(turn, v->local, v->normal);
            memcpy(v->position, place, sizeof(vec3));
            glm_vec3_muladds(v->normal, radius, v->position);
            memcpy(v->color, color, sizeof(vec3));
        }
    }
}

/* cglm keeps w last. */
static void pose_rotation(const stn_pose *pose, versor out)
{
    glm_quat_init(out, (float)pose->rotation[1], (float)pose->rotation[2], (float)pose->rotation[3],
                  (float)pose->rotation[0]);
    if (glm_quat_norm(out) < 0.5f) glm_quat_identity(out);
}

bool mesh_from_sphere(mesh *out, const snapshot_body *body, const vec3 color)
{
    enum { ROWS = 64, COLUMNS = 128 };
    if (!mesh_init(out, (ROWS + 1) * (COLUMNS + 1), 2 * ROWS * COLUMNS)) return false;
    versor turn;
    pose_rotation(&body->pose, turn);
    vec3 place;
    for (int k = 0; k < 3; k++) place[k] = (float)body->pose.position[k];
    set_sphere(out, ROWS, COLUMNS, turn, place, (float)body->size[0], color);
    connect_grid(out, ROWS, COLUMNS);
    out->pattern = MESH_BALL;
    out->contrast = 0.45f;
    out->gloss = 0.35f;
    out->casts_shadow = true;
    return true;
}

/* A ball whose halves are moved apart along local z. */
bool mesh_from_capsule(mesh *out, const snapshot_body *body, const vec3 color)
{
    if (!mesh_from_sphere(out, body, color)) return false;
    versor turn;
    vec3 axis;
    pose_rotation(&body->pose, turn);
    glm_quat_rotatev(turn, (vec3){0.0f, 0.0f, (float)body->size[1]}, axis);
    for (size_t i = 0; i < out->vertex_count; i++) {
        mesh_vertex *v = &out->vertices[i];
        glm_vec3_muladds(axis, v->local[2] >= 0.0f ? 1.0f : -1.0f, v->position);
    }
    return true;
}

/* Nodes without triangles: one small ball each, a hundredth of the cloud. */
static bool mesh_from_points(mesh *out, const snapshot_body *body, const vec3 color, bool tinted)
{
    enum {
        ROWS = 6,
        COLUMNS = 10,
        VERTICES = (ROWS + 1) * (COLUMNS + 1),
        TRIANGLES = 2 * ROWS * COLUMNS
    };
    const size_t count = body->node_count;
    if (!mesh_init(out, count * VERTICES, count * TRIANGLES)) return false;
    mesh one = {.vertex_count = VERTICES, .triangle_count = TRIANGLES};
    vec3 low, high;
    glm_vec3_copy(&body->nodes[0], low);
    glm_vec3_copy(&body->nodes[0], high);
    for (size_t i = 0; i < count; i++) {
        glm_vec3_minv(low, &body->nodes[3 * i], low);
        glm_vec3_maxv(high, &body->nodes[3 * i], high);
    }
    const float radius = fmaxf(0.01f * glm_vec3_distance(low, high), 0.005f);
    for (size_t i = 0; i < count; i++) {
        vec3 shade;
        memcpy(shade, color, sizeof shade);
        if (tinted) tint_color(shade, body->states[i]);
        one.vertices = out->vertices + i * VERTICES;
        one.triangles = out->triangles + i * TRIANGLES;
        set_sphere(&one, ROWS, COLUMNS, GLM_QUAT_IDENTITY, &body->nodes[3 * i], radius, shade);
        connect_grid(&one, ROWS, COLUMNS);
        for (size_t t = 0; t < TRIANGLES; t++) {
            for (int k = 0; k < 3; k++) one.triangles[t][k] += (uint32_t)(i * VERTICES);
        }
    }
    out->pattern = MESH_CHECKER;
    out->cell = 10.0f;
    out->casts_shadow = true;
    return true;
}

/* ---- solid bodies ---------------------------------------------------------------------------- */

/* Triangles of their own for each corner, so that edges stay sharp. */
static bool mesh_split(mesh *out, const snapshot_body *body)
{
    if (!mesh_init(out, 3 * body->triangle_count, body->triangle_count)) return false;
    for (uint32_t i = 0; i < 3 * body->triangle_count; i++) {
        glm_vec3_copy(&body->nodes[3 * (size_t)body->triangles[i]], out->vertices[i].position);
        out->triangles[i / 3][i % 3] = i;
    }
    return true;
}

bool mesh_from_solid(mesh *out, const snapshot_body *body, const vec3 color)
{
    const bool sharp = body->shape == STN_SHAPE_BOX;
    if (sharp && !mesh_split(out, body)) return false;
    if (!sharp) {
        if (!mesh_init(out, body->node_count, body->triangle_count)) return false;
        for (uint64_t i = 0; i < body->node_count; i++) {
            glm_vec3_copy(&body->nodes[3 * i], out->vertices[i].position);
        }
        memcpy(out->triangles, body->triangles, body->triangle_count * sizeof out->triangles[0]);
    }
    for (size_t i = 0; i < out->vertex_count; i++) {
        memcpy(out->vertices[i].color, color, sizeof(vec3));
    }
    smooth_normals(out);
    out->pattern = MESH_CHECKER;
    out->cell = 1.0f;
    out->gloss = 0.2f;
    out->casts_shadow = true;
    return true;
}

/* ---- floors ---------------------------------------------------------------------------------- */

/* A disc of the plane around the action, fading out. Seen from the solid side it is left out. */
bool mesh_from_plane(mesh *out, const snapshot_body *body, camera *view, const vec3 color)
{
    enum { ROWS = 40, COLUMNS = 96 };
    versor turn;
    pose_rotation(&body->pose, turn);
    vec3 normal, place, to_eye, middle;
    glm_quat_rotatev(turn, (vec3){0.0f, 0.0f, 1.0f}, normal);
    for (int k = 0; k < 3; k++) place[k] = (float)body->pose.position[k];
    glm_vec3_sub(view->eye, place, to_eye);
    if (glm_vec3_dot(to_eye, normal) <= 0.0f) return mesh_init(out, 0, 0);
    if (!mesh_init(out, (ROWS + 1) * (COLUMNS + 1), 2 * ROWS * COLUMNS)) return false;

    versor back;
    glm_quat_conjugate(turn, back);
    glm_vec3_sub(view->center, place, middle);
    glm_quat_rotatev(back, middle, middle);
    middle[2] = 0.0f;
    const float reach = 3.2f * view->radius;
    for (size_t i = 0; i <= ROWS; i++) {
        const float distance = reach * (float)i / ROWS;
        for (size_t j = 0; j <= COLUMNS; j++) {
            const float angle = TURN * (float)j / COLUMNS;
            mesh_vertex *v = &out->vertices[i * (COLUMNS + 1) + j];
            glm_vec3_copy(middle, v->local);
            v->local[0] += distance * cosf(angle);
            v->local[1] += distance * sinf(angle);
            glm_quat_rotatev(turn, v->local, v->position);
            glm_vec3_add(v->position, place, v->position);
            glm_vec3_copy(normal, v->normal);
            memcpy(v->color, color, sizeof(vec3));
        }
    }
    connect_grid(out, ROWS, COLUMNS);
    out->pattern = MESH_CHECKER;
    out->cell = round_size(0.25f * view->radius);
    out->contrast = 0.12f;
    out->fade_radius = reach;
    glm_vec3_copy(middle, out->fade_center);
    /* All of the plane is half a cell away from the next square above and below. */
    for (size_t i = 0; i < out->vertex_count; i++) out->vertices[i].local[2] += 0.5f * out->cell;
    return true;
}
