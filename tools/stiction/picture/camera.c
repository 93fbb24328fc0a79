/* SPDX-License-Identifier: Apache-2.0 */
#include "camera.h"

#include <float.h>

static const float FIELD_OF_VIEW = 0.5f; /* radians, vertical */
static const float ELEVATION = 0.30f;    /* radians above the horizon */
static const float AZIMUTH = -1.0f;      /* radians from the first horizontal axis */
static const float MARGIN = 1.08f;

typedef void visit_ball(void *user, const float *center, float radius);

/* A sphere is one ball, a capsule two, at the ends of its axis, the rotation's third column. */
static void visit_balls(const snapshot_body *body, visit_ball *visit, void *user)
{
    if (body->shape != STN_SHAPE_SPHERE && body->shape != STN_SHAPE_CAPSULE) return;
    const double *q = body->pose.rotation;
    const double axis[3] = {2.0 * (q[1] * q[3] + q[0] * q[2]), 2.0 * (q[2] * q[3] - q[0] * q[1]),
                            1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
    const double half = body->shape == STN_SHAPE_CAPSULE ? body->size[1] : 0.0;
    for (int side = half > 0.0 ? -1 : 1; side <= 1; side += 2) {
        float place[3];
        for (int k = 0; k < 3; k++) {
            place[k] = (float)(body->pose.position[k] + side * half * axis[k]);
        }
        visit(user, place, (float)body->size[0]);
    }
}

/* Everything that must be in view, as balls: nodes are balls of radius 0. */
static void visit_action(const snapshot *moments, size_t count, visit_ball *visit, void *user)
{
    for (size_t m = 0; m < count; m++) {
        for (uint64_t b = 0; b < moments[m].body_count; b++) {
            const snapshot_body *body = &moments[m].bodies[b];
            for (uint64_t i = 0; i < body->node_count; i++) visit(user, &body->nodes[3 * i], 0.0f);
            if (body->kind == STN_KIND_COLLIDER) visit_balls(body, visit, user);
        }
    }
}

typedef struct box {
    vec3 low, high;
} box;

static void box_grow(void *user, const float *center, float radius)
{
    box *b = user;
    for (int k = 0; k < 3; k++) {
        b->low[k] = fminf(b->low[k], center[k] - radius);
        b->high[k] = fmaxf(b->high[k], center[k] + radius);
    }
}

static void find_center(camera *c, const snapshot *moments, size_t count)
{
    box b = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    visit_action(moments, count, box_grow, &b);
    if (!(b.low[0] <= b.high[0])) b = (box){{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    glm_vec3_center(b.low, b.high, c->center);
    c->radius = fmaxf(0.5f * glm_vec3_distance(b.low, b.high), 1e-6f);
}

static void find_axes(camera *c, const double gravity[3])
{
    vec3 first, second, to_eye;
    for (int k = 0; k < 3; k++) c->sky[k] = (float)-gravity[k];
    if (glm_vec3_norm(c->sky) < 1e-6f) glm_vec3_copy((vec3){0.0f, 0.0f, 1.0f}, c->sky);
    glm_vec3_normalize(c->sky);
    vec3 reference = {1.0f, 0.0f, 0.0f};
    if (fabsf(c->sky[0]) > 0.8f) glm_vec3_copy((vec3){0.0f, 1.0f, 0.0f}, reference);
    glm_vec3_crossn(c->sky, reference, second);
    glm_vec3_cross(second, c->sky, first);
    glm_vec3_scale(first, cosf(AZIMUTH) * cosf(ELEVATION), to_eye);
    glm_vec3_muladds(second, sinf(AZIMUTH) * cosf(ELEVATION), to_eye);
    glm_vec3_muladds(c->sky, sinf(ELEVATION), to_eye);
    glm_vec3_negate_to(to_eye, c->forward);
    glm_vec3_crossn(c->forward, c->sky, c->right);
    glm_vec3_cross(c->right, c->forward, c->up);
}

/* A camera on the way to its place. */
typedef struct framing {
    camera *c;
    vec3 target;           /* what it looks at */
    float tangents[2];     /* of half the angle of view, across and up */
    float distance;        /* of the eye from the target */
    float low[2], high[2]; /* of the action on the picture, as tangents */
} framing;

static void seen_from_target(const framing *f, const float *center, float out[3])
{
    vec3 offset;
    for (int k = 0; k < 3; k++) offset[k] = center[k] - f->target[k];
    out[0] = glm_vec3_dot(offset, f->c->right);
    out[1] = glm_vec3_dot(offset, f->c->up);
    out[2] = glm_vec3_dot(offset, f->c->forward);
}

/* A ball is in view if its centre lies radius / cos inside the slanted sides of the view. */
static void step_back(void *user, const float *center, float radius)
{
    framing *f = user;
    float at[3];
    seen_from_target(f, center, at);
    for (int k = 0; k < 2; k++) {
        const float t = f->tangents[k], room = radius * sqrtf(1.0f + t * t);
        f->distance = fmaxf(f->distance, (fabsf(at[k]) + room) / t - at[2]);
    }
}

static void measure_picture(void *user, const float *center, float radius)
{
    framing *f = user;
    float at[3];
    seen_from_target(f, center, at);
    for (int k = 0; k < 2; k++) {
        const float depth = f->distance + at[2];
        f->low[k] = fminf(f->low[k], (at[k] - radius) / depth);
        f->high[k] = fmaxf(f->high[k], (at[k] + radius) / depth);
    }
}

/* Steps back until all is in view, then aims at the middle of the picture, a few times over. */
static void frame_action(framing *f, const snapshot *moments, size_t count)
{
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 0) {
            f->low[0] = f->low[1] = FLT_MAX;
            f->high[0] = f->high[1] = -FLT_MAX;
            visit_action(moments, count, measure_picture, f);
            if (!(f->low[0] <= f->high[0])) return;
            const float half = 0.5f * f->distance;
            glm_vec3_muladds(f->c->right, half * (f->low[0] + f->high[0]), f->target);
            glm_vec3_muladds(f->c->up, half * (f->low[1] + f->high[1]), f->target);
        }
        f->distance = 0.1f * f->c->radius;
        visit_action(moments, count, step_back, f);
    }
}

void camera_fit(camera *out, const snapshot *moments, size_t count, float aspect)
{
    find_center(out, moments, count);
    find_axes(out, count > 0 ? moments[0].gravity : (const double[3]){0.0, 0.0, -1.0});
    const float tangent = tanf(0.5f * FIELD_OF_VIEW) / MARGIN;
    framing f = {.c = out, .tangents = {tangent * aspect, tangent}, .distance = 4.0f * out->radius};
    glm_vec3_copy(out->center, f.target);
    frame_action(&f, moments, count);
    glm_vec3_copy(f.target, out->eye);
    glm_vec3_muladds(out->forward, -f.distance, out->eye);

    mat4 view, projection;
    glm_look(out->eye, out->forward, out->up, view);
    const float near = fmaxf(0.02f * f.distance, f.distance - 3.0f * out->radius);
    glm_perspective(FIELD_OF_VIEW, aspect, near, f.distance + 12.0f * out->radius, projection);
    glm_mat4_mul(projection, view, out->view_projection);
}
