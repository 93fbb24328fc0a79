/* SPDX-License-Identifier: Apache-2.0 */
#include "render.h"

#include <float.h>
#include <stdlib.h>

#include "raster.h"

enum { SAMPLES = 2 /* per pixel and direction */, SHADOW_SIZE = 1024 };

typedef struct stage {
    camera *view;
    vec3 to_light;
    mat4 light_matrix;
    raster shadow;
    raster screen;
    vec3 *colors; /* per sample, linear */
    mesh *meshes;
    size_t mesh_count;
} stage;

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Linear light; they look like red, teal, amber, indigo, sage and plum. */
static const vec3 cloth_palette[] = {{0.52f, 0.055f, 0.05f}, {0.02f, 0.24f, 0.25f},
                                     {0.66f, 0.30f, 0.03f},  {0.09f, 0.12f, 0.42f},
                                     {0.19f, 0.34f, 0.12f},  {0.30f, 0.08f, 0.27f}};
static const vec3 ball_palette[] = {
    {0.62f, 0.64f, 0.66f}, {0.66f, 0.58f, 0.42f}, {0.46f, 0.56f, 0.66f}};
static const vec3 hair_color = {0.16f, 0.075f, 0.03f};
static const vec3 floor_color = {0.58f, 0.59f, 0.60f};

static bool add_body(stage *s, const snapshot_body *body, const snapshot_body *rest, bool tinted,
                     size_t index)
{
    const size_t cloths = sizeof cloth_palette / sizeof cloth_palette[0];
    const size_t balls = sizeof ball_palette / sizeof ball_palette[0];
    mesh *m = &s->meshes[s->mesh_count++];
    if (body->kind == STN_KIND_CLOTH && body->node_count > 0) {
        return mesh_from_cloth(m, body, rest, cloth_palette[index % cloths], tinted);
    }
    if (body->kind == STN_KIND_HAIR) return mesh_from_hair(m, body, s->view, hair_color);
    if (body->kind == STN_KIND_COLLIDER && body->shape == STN_SHAPE_SPHERE) {
        return mesh_from_sphere(m, body, ball_palette[index % balls]);
    }
    if (body->kind == STN_KIND_COLLIDER && body->shape == STN_SHAPE_CAPSULE) {
        return mesh_from_capsule(m, body, ball_palette[index % balls]);
    }
    if (body->kind == STN_KIND_COLLIDER && body->node_count > 0) {
        return mesh_from_solid(m, body, ball_palette[index % balls]);
    }
    if (body->kind == STN_KIND_COLLIDER && body->shape == STN_SHAPE_PLANE) {
        return mesh_from_plane(m, body, s->view, floor_color);
    }
    s->mesh_count--;
    return true;
}

/* Colours are counted per kind: the first cloth is always red. */
static bool add_bodies(stage *s, const snapshot *moment, const snapshot *rest, bool tinted)
{
    s->meshes = calloc(moment->body_count + 1, sizeof *s->meshes);
    if (!s->meshes) return false;
    size_t cloths = 0, others = 0;
    for (uint64_t i = 0; i < moment->body_count; i++) {
        const snapshot_body *body = &moment->bodies[i];
        const bool same = i < rest->body_count && rest->bodies[i].node_count == body->node_count;
        const size_t index = body->kind == STN_KIND_CLOTH     ? cloths++
                             : body->shape != STN_SHAPE_PLANE ? others++
                                                              : 0;
        if (!add_body(s, body, same ? &rest->bodies[i] : body, tinted, index)) return false;
    }
    return true;
}

/* ---- light ----------------------------------------------------------------------------------- */

/* The light comes over the left shoulder. Its map covers the ball of the action with some room. */
static bool cast_shadows(stage *s)
{
    camera *view = s->view;
    glm_vec3_scale(view->sky, 1.0f, s->to_light);
    glm_vec3_muladds(view->right, -0.55f, s->to_light);
    glm_vec3_muladds(view->forward, -0.35f, s->to_light);
    glm_vec3_normalize(s->to_light);
    vec3 from, side;
    const float reach = view->radius;
    glm_vec3_copy(view->center, from);
    glm_vec3_muladds(s->to_light, 3.0f * reach, from);
    glm_vec3_crossn(s->to_light, view->right, side);
    mat4 look, projection;
    glm_lookat(from, view->center, side, look);
    glm_ortho(-1.2f * reach, 1.2f * reach, -1.2f * reach, 1.2f * reach, 0.0f, 8.0f * reach,
              projection);
    glm_mat4_mul(projection, look, s->light_matrix);
    if (!raster_init(&s->shadow, SHADOW_SIZE, SHADOW_SIZE)) return false;
    for (size_t i = 0; i < s->mesh_count; i++) {
        if (s->meshes[i].casts_shadow) {
            raster_draw(&s->shadow, &s->meshes[i], s->light_matrix, NULL, NULL);
        }
    }
    return true;
}

static bool is_lit(const stage *s, float x, float y, float depth)
{
    if (!(x >= 0.0f && x < SHADOW_SIZE && y >= 0.0f && y < SHADOW_SIZE)) return true;
    return s->shadow.depth[(size_t)y * SHADOW_SIZE + (size_t)x] > depth - 1e-4f;
}

/* Share of the neighbourhood that the light reaches: soft edges. Where its corners agree, all
 * do. */
static float light_at(stage *s, vec3 position, vec3 normal)
{
    enum { REACH = 2, TAPS = (2 * REACH + 1) * (2 * REACH + 1) };
    const float spacing = 1.5f;
    vec4 p, clip;
    glm_vec4(position, 1.0f, p);
    /* Off the surface by a few cells of the map, so that it does not shade itself. */
    glm_vec3_muladds(normal, 6.0f * s->view->radius / SHADOW_SIZE, p);
    glm_mat4_mulv(s->light_matrix, p, clip);
    const float x = (0.5f + 0.5f * clip[0]) * SHADOW_SIZE,
                y = (0.5f - 0.5f * clip[1]) * SHADOW_SIZE;
    int lit = 0;
    for (int k = 0; k < 4; k++) {
        const float dx = k & 1 ? REACH : -REACH, dy = k & 2 ? REACH : -REACH;
        lit += is_lit(s, x + spacing * dx, y + spacing * dy, clip[2]);
    }
    if (lit == 0 || lit == 4) return lit ? 1.0f : 0.0f;
    lit = 0;
    for (int dy = -REACH; dy <= REACH; dy++) {
        for (int dx = -REACH; dx <= REACH; dx++) {
            lit += is_lit(s, x + spacing * (float)dx, y + spacing * (float)dy, clip[2]);
        }
    }
    return (float)lit / TAPS;
}

/* ---- surfaces -------------------------------------------------------------------------------- */

static bool second_tone(const mesh *m, const vec3 local)
{
    if (m->pattern == MESH_BALL) {
        const int slice = (int)floorf(atan2f(local[1], local[0]) * (4.0f / 3.14159265f));
        return (slice + (local[2] > 0.0f)) & 1;
    }
    int sum = 0;
    for (int k = 0; k < 3; k++) sum += (int)floorf(local[k] / m->cell);
    return sum & 1;
}

static float opacity(const mesh *m, const vec3 local)
{
    if (m->fade_radius == 0.0f) return 1.0f;
    const float x = local[0] - m->fade_center[0], y = local[1] - m->fade_center[1];
    const float t = glm_clamp(1.0f - sqrtf(x * x + y * y) / m->fade_radius, 0.0f, 1.0f);
    return glm_clamp(t * t * (3.0f - 2.0f * t) * 1.6f, 0.0f, 1.0f);
}

static void shade_surface(void *user, size_t index, const mesh *m, mesh_vertex *at)
{
    stage *s = user;
    vec3 color, normal, to_eye, half;
    const float tone = second_tone(m, at->local) ? 1.0f - m->contrast : 1.0f;
    glm_vec3_scale(at->color, tone, color);
    glm_vec3_normalize_to(at->normal, normal);
    glm_vec3_sub(s->view->eye, at->position, to_eye);
    glm_vec3_normalize(to_eye);
    if (glm_vec3_dot(normal, to_eye) < 0.0f) {
        glm_vec3_negate(normal); /* the back of cloth */
        glm_vec3_scale(color, 0.8f, color);
    }
    glm_vec3_add(to_eye, s->to_light, half);
    glm_vec3_normalize(half);

    const float lit = light_at(s, at->position, normal);
    const float key = 0.95f * lit * fmaxf(glm_vec3_dot(normal, s->to_light), 0.0f);
    const float sky = 0.30f + 0.14f * glm_vec3_dot(normal, s->view->sky);
    const float shine = m->gloss > 0.0f
                            ? m->gloss * lit * powf(fmaxf(glm_vec3_dot(normal, half), 0.0f), 40.0f)
                            : 0.0f;
    const vec3 sky_color = {0.94f, 1.0f, 1.10f}, key_color = {1.04f, 1.0f, 0.93f};
    const float a = opacity(m, at->local);
    for (int k = 0; k < 3; k++) {
        const float light = color[k] * (key * key_color[k] + sky * sky_color[k]) + shine;
        s->colors[index][k] = a * light + (1.0f - a) * s->colors[index][k];
    }
}

/* ---- the picture ----------------------------------------------------------------------------- */

static bool clear_screen(stage *s, size_t width, size_t height)
{
    s->colors = calloc(width * height, sizeof *s->colors);
    if (!s->colors || !raster_init(&s->screen, width, height)) return false;
    vec3 top = {0.60f, 0.67f, 0.74f}, bottom = {0.90f, 0.89f, 0.87f};
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            glm_vec3_lerp(top, bottom, (float)y / (float)height, s->colors[y * width + x]);
        }
    }
    return true;
}

static uint8_t encode(float linear)
{
    const float c = glm_clamp(linear, 0.0f, 1.0f);
    const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1.0f / 2.4f) - 0.055f;
    return (uint8_t)(255.0f * s + 0.5f);
}

static void resolve(const stage *s, image *out, size_t x0, size_t y0, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            vec3 sum = {0.0f, 0.0f, 0.0f};
            for (size_t k = 0; k < SAMPLES * SAMPLES; k++) {
                const size_t row = y * SAMPLES + k / SAMPLES, column = x * SAMPLES + k % SAMPLES;
                glm_vec3_add(sum, s->colors[row * s->screen.width + column], sum);
            }
            uint8_t *pixel = out->pixels + 3 * ((y0 + y) * out->width + x0 + x);
            for (int k = 0; k < 3; k++) pixel[k] = encode(sum[k] / (SAMPLES * SAMPLES));
        }
    }
}

static void draw_meshes(stage *s)
{
    raster_shader *const passes[] = {NULL, shade_surface};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->mesh_count; i++) {
            raster_draw(&s->screen, &s->meshes[i], s->view->view_projection, passes[pass], s);
        }
    }
}

bool render_moment(const snapshot *moment, const snapshot *rest, camera *view, bool tinted,
                   image *out, size_t x, size_t y, size_t width, size_t height)
{
    stage s = {.view = view};
    const bool ready = add_bodies(&s, moment, rest, tinted) && cast_shadows(&s) &&
                       clear_screen(&s, SAMPLES * width, SAMPLES * height);
    if (ready) {
        draw_meshes(&s);
        resolve(&s, out, x, y, width, height);
    }
    for (size_t i = 0; i < s.mesh_count; i++) mesh_free(&s.meshes[i]);
    free(s.meshes);
    free(s.colors);
    raster_free(&s.shadow);
    raster_free(&s.screen);
    return ready;
}
