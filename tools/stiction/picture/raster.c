/* SPDX-License-Identifier: Apache-2.0 */
#include "raster.h"

#include <float.h>
#include <stdlib.h>

bool raster_init(raster *out, size_t width, size_t height)
{
    *out = (raster){width, height, malloc(width * height * sizeof *out->depth)};
    if (!out->depth) return false;
    for (size_t i = 0; i < width * height; i++) out->depth[i] = FLT_MAX;
    return true;
}

void raster_free(raster *r)
{
    free(r->depth);
    r->depth = NULL;
}

/* A vertex on the screen: x, y in samples, depth, 1/w. */
typedef struct corner {
    float x, y, z, inverse_w;
} corner;

static bool project(const raster *r, mat4 matrix, mesh_vertex *v, corner *out)
{
    vec4 p, clip;
    glm_vec4(v->position, 1.0f, p);
    glm_mat4_mulv(matrix, p, clip);
    if (!(clip[3] > 0.0f) || clip[2] < -clip[3]) return false;
    out->inverse_w = 1.0f / clip[3];
    out->x = (0.5f + 0.5f * clip[0] * out->inverse_w) * (float)r->width;
    out->y = (0.5f - 0.5f * clip[1] * out->inverse_w) * (float)r->height;
    out->z = clip[2] * out->inverse_w;
    return true;
}

static float edge(const corner *a, const corner *b, float x, float y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static void interpolate(const mesh *m, const uint32_t *triangle, const float weight[3],
                        mesh_vertex *out)
{
    *out = (mesh_vertex){0};
    for (int k = 0; k < 3; k++) {
        mesh_vertex *v = &m->vertices[triangle[k]];
        glm_vec3_muladds(v->position, weight[k], out->position);
        glm_vec3_muladds(v->normal, weight[k], out->normal);
        glm_vec3_muladds(v->local, weight[k], out->local);
        glm_vec3_muladds(v->color, weight[k], out->color);
    }
}

typedef struct scan {
    raster *target;
    const mesh *m;
    raster_shader *shade;
    void *user;
} scan;

/* b: barycentric on the screen, where depth is linear; weights / w are linear too. */
static void take_sample(const scan *s, const uint32_t *triangle, const corner c[3],
                        const float b[3], size_t index)
{
    const float z = b[0] * c[0].z + b[1] * c[1].z + b[2] * c[2].z;
    if (z > s->target->depth[index]) return;
    s->target->depth[index] = z;
    if (!s->shade) return;
    const float sum = b[0] * c[0].inverse_w + b[1] * c[1].inverse_w + b[2] * c[2].inverse_w;
    float weight[3];
    for (int k = 0; k < 3; k++) weight[k] = b[k] * c[k].inverse_w / sum;
    mesh_vertex at;
    interpolate(s->m, triangle, weight, &at);
    s->shade(s->user, index, s->m, &at);
}

static size_t clamp_index(float value, size_t limit)
{
    return value <= 0.0f ? 0 : value >= (float)limit ? limit : (size_t)value;
}

/* Samples lie at the middle of their squares; one on an edge goes to the triangle left of or
 * above it, so that surfaces that fade do not take it twice. */
static bool covers(const corner *a, const corner *b, float value)
{
    if (value != 0.0f) return value > 0.0f;
    return a->y > b->y || (a->y == b->y && a->x < b->x);
}

static void draw_triangle(const scan *s, const uint32_t *triangle, corner c[3])
{
    float area = edge(&c[0], &c[1], c[2].x, c[2].y);
    const uint32_t order[3] = {triangle[0], area < 0.0f ? triangle[2] : triangle[1],
                               area < 0.0f ? triangle[1] : triangle[2]};
    if (area < 0.0f) {
        const corner swap = c[1];
        c[1] = c[2];
        c[2] = swap;
        area = -area;
    }
    if (!(area > 0.0f)) return;
    const raster *r = s->target;
    const size_t x0 = clamp_index(fminf(fminf(c[0].x, c[1].x), c[2].x), r->width);
    const size_t x1 = clamp_index(fmaxf(fmaxf(c[0].x, c[1].x), c[2].x) + 1.0f, r->width);
    const size_t y0 = clamp_index(fminf(fminf(c[0].y, c[1].y), c[2].y), r->height);
    const size_t y1 = clamp_index(fmaxf(fmaxf(c[0].y, c[1].y), c[2].y) + 1.0f, r->height);
    for (size_t y = y0; y < y1; y++) {
        for (size_t x = x0; x < x1; x++) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            const float e[3] = {edge(&c[1], &c[2], px, py), edge(&c[2], &c[0], px, py),
                                edge(&c[0], &c[1], px, py)};
            if (!covers(&c[1], &c[2], e[0]) || !covers(&c[2], &c[0], e[1]) ||
                !covers(&c[0], &c[1], e[2])) {
                continue;
            }
            const float b[3] = {e[0] / area, e[1] / area, e[2] / area};
            take_sample(s, order, c, b, y * r->width + x);
        }
    }
}

void raster_draw(raster *r, const mesh *m, mat4 matrix, raster_shader *shade, void *user)
{
    const scan s = {r, m, shade, user};
    for (size_t t = 0; t < m->triangle_count; t++) {
        corner c[3];
        bool visible = true;
        for (int k = 0; k < 3 && visible; k++) {
            visible = project(r, matrix, &m->vertices[m->triangles[t][k]], &c[k]);
        }
        if (visible) draw_triangle(&s, m->triangles[t], c);
    }
}
