/* SPDX-License-Identifier: Apache-2.0 */
#include "drape.h"

#include <stddef.h>

enum { SHEET_SIDE = 33, RIBBON_WIDTH = 5, RIBBON_LENGTH = 25, GRAINS = 64 };

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stn_status status_ = (call);                                                         \
        if (status_ < 0) return status_;                                                           \
    } while (0)

static const stn_api *table(void) { return stn_get_api(STN_ABI_VERSION); }

static stn_view view_of(uint32_t format, const void *data, uint64_t count, uint32_t components)
{
    return (stn_view){.struct_size = sizeof(stn_view),
                      .format = format,
                      .data = data,
                      .count = count,
                      .components = components};
}

/* Two triangles in each cell of a grid of `width` nodes a row. */
static uint64_t grid_triangles(uint32_t width, uint32_t length, uint32_t (*t)[3])
{
    uint64_t count = 0;
    for (uint32_t j = 0; j + 1 < length; j++) {
        for (uint32_t i = 0; i + 1 < width; i++) {
            const uint32_t a = j * width + i, b = a + width;
            const uint32_t cell[2][3] = {{a, a + 1, b + 1}, {a, b + 1, b}};
            for (uint32_t k = 0; k < 6; k++) t[count + k / 3][k % 3] = cell[k / 3][k % 3];
            count += 2;
        }
    }
    return count;
}

static stn_status set_number(const drape *d, stn_id object, const char *name, double value)
{
    return table()->parameter_set(d->scene, object, name, &value, 1);
}

static stn_status add_sheet(drape *d)
{
    static double x[SHEET_SIDE * SHEET_SIDE][3], v[SHEET_SIDE * SHEET_SIDE][3];
    static uint32_t t[2 * (SHEET_SIDE - 1) * (SHEET_SIDE - 1)][3];
    for (uint32_t n = 0; n < SHEET_SIDE * SHEET_SIDE; n++) {
        const uint32_t i = n % SHEET_SIDE, j = n / SHEET_SIDE;
        x[n][0] = i / 32.0 - 0.5;
        x[n][1] = j / 32.0 - 0.5;
        x[n][2] = 0.7 + 0.01 * (i * j % 5);
        v[n][0] = 0.1 * (i % 7) - 0.3;
        v[n][1] = 0.05 * (j % 5);
        v[n][2] = -0.5;
    }
    const stn_view positions = view_of(STN_FORMAT_F64, x, SHEET_SIDE * SHEET_SIDE, 3);
    const stn_view velocities = view_of(STN_FORMAT_F64, v, SHEET_SIDE * SHEET_SIDE, 3);
    const stn_view triangles =
        view_of(STN_FORMAT_U32, t, grid_triangles(SHEET_SIDE, SHEET_SIDE, t), 3);
    const stn_cloth_desc desc = {.struct_size = sizeof desc,
                                 .name = "sheet",
                                 .positions = &positions,
                                 .triangles = &triangles,
                                 .velocities = &velocities};
    TRY(table()->cloth_create(d->scene, &desc, &d->sheet));
    return set_number(d, d->sheet, "friction", 0.3);
}

/* Floats with padding between them, the first row pinned. */
static stn_status add_ribbon(drape *d)
{
    static float x[RIBBON_WIDTH * RIBBON_LENGTH][4];
    static uint32_t t[2 * (RIBBON_WIDTH - 1) * (RIBBON_LENGTH - 1)][3];
    for (uint32_t n = 0; n < RIBBON_WIDTH * RIBBON_LENGTH; n++) {
        x[n][0] = (float)(n % RIBBON_WIDTH) * 0.0625f + 0.75f;
        x[n][1] = (float)(n / RIBBON_WIDTH) * 0.0625f - 0.75f;
        x[n][2] = 0.25f;
    }
    stn_view positions = view_of(STN_FORMAT_F32, x, RIBBON_WIDTH * RIBBON_LENGTH, 3);
    positions.stride = sizeof x[0];
    const stn_view triangles =
        view_of(STN_FORMAT_U32, t, grid_triangles(RIBBON_WIDTH, RIBBON_LENGTH, t), 3);
    const stn_cloth_desc desc = {.struct_size = sizeof desc,
                                 .name = "ribbon",
                                 .positions = &positions,
                                 .triangles = &triangles};
    TRY(table()->cloth_create(d->scene, &desc, &d->ribbon));
    const int32_t pinned[RIBBON_WIDTH] = {0, 1, 2, 3, 4};
    const double one = 1.0;
    const stn_view indices = view_of(STN_FORMAT_I32, pinned, RIBBON_WIDTH, 1);
    const stn_view values = view_of(STN_FORMAT_F64, &one, 1, 1);
    return table()->array_set_at(d->scene, d->ribbon, "pin", &indices, &values);
}

/* Nodes without triangles, each with its own mass. */
static stn_status add_grains(drape *d)
{
    double x[GRAINS][3], mass[GRAINS];
    for (uint32_t n = 0; n < GRAINS; n++) {
        x[n][0] = 0.3 * (n % 8) - 1.0;
        x[n][1] = 0.3 * (n / 8) - 1.0;
        x[n][2] = 1.0 + n / 64.0;
        mass[n] = 0.001 * (1 + n);
    }
    const stn_view positions = view_of(STN_FORMAT_F64, x, GRAINS, 3);
    const stn_view masses = view_of(STN_FORMAT_F64, mass, GRAINS, 1);
    const stn_cloth_desc desc = {
        .struct_size = sizeof desc, .name = "grains", .positions = &positions, .masses = &masses};
    TRY(table()->cloth_create(d->scene, &desc, &d->grains));
    return set_number(d, d->grains, "thickness", 0.004);
}

/* A turn about an axis through (1 - t^2, 2t) / (1 + t^2), the rational points of the circle. */
static stn_pose pose_turned(double x, double y, double z, double t, uint32_t axis)
{
    stn_pose pose = {.struct_size = sizeof pose, .position = {x, y, z}};
    pose.rotation[0] = (1.0 - t * t) / (1.0 + t * t);
    pose.rotation[1 + axis] = 2.0 * t / (1.0 + t * t);
    return pose;
}

static stn_pose floor_pose(double frame)
{
    return pose_turned(0.0, 0.0, 0.002 * frame, 0.001 * frame, 0);
}

static stn_pose ball_pose(double frame)
{
    return pose_turned(0.01 * frame, 0.0, 0.375, 0.02 * frame, 1);
}

static stn_status add_colliders(drape *d)
{
    const stn_pose on_floor = floor_pose(0.0), at_ball = ball_pose(0.0);
    stn_collider_desc desc = {
        .struct_size = sizeof desc, .shape = STN_SHAPE_PLANE, .name = "floor", .pose = &on_floor};
    TRY(table()->collider_create(d->scene, &desc, &d->floor));
    desc = (stn_collider_desc){.struct_size = sizeof desc,
                               .shape = STN_SHAPE_SPHERE,
                               .name = "ball",
                               .pose = &at_ball,
                               .size = {0.25}};
    TRY(table()->collider_create(d->scene, &desc, &d->ball));
    TRY(set_number(d, d->floor, "friction", 0.6));
    return set_number(d, d->ball, "friction", 0.9);
}

static stn_status add_all(drape *d)
{
    TRY(add_sheet(d));
    TRY(add_ribbon(d));
    TRY(add_grains(d));
    return add_colliders(d);
}

stn_status drape_create(drape *d, const stn_host *host, uint32_t threads)
{
    const stn_scene_desc desc = {.struct_size = sizeof desc, .threads = threads, .host = host};
    *d = (drape){.scene = NULL};
    TRY(table()->scene_create(&desc, &d->scene));
    const stn_status added = add_all(d);
    if (added < 0) drape_destroy(d);
    return added;
}

void drape_destroy(drape *d)
{
    table()->scene_destroy(d->scene);
    *d = (drape){.scene = NULL};
}

stn_status drape_animate(const drape *d, uint32_t frame)
{
    const stn_pose on_floor = floor_pose(frame), at_ball = ball_pose(frame);
    TRY(table()->pose_set(d->scene, d->floor, &on_floor, 0));
    TRY(table()->pose_set(d->scene, d->ball, &at_ball, 0));
    double target[RIBBON_WIDTH][3];
    uint32_t pinned[RIBBON_WIDTH];
    for (uint32_t i = 0; i < RIBBON_WIDTH; i++) {
        pinned[i] = i;
        target[i][0] = i * 0.0625 + 0.75;
        target[i][1] = -0.75 - 0.01 * frame;
        target[i][2] = 0.25 + 0.02 * frame;
    }
    const stn_view indices = view_of(STN_FORMAT_U32, pinned, RIBBON_WIDTH, 1);
    const stn_view targets = view_of(STN_FORMAT_F64, target, RIBBON_WIDTH, 3);
    return table()->array_set_at(d->scene, d->ribbon, "target", &indices, &targets);
}

stn_status drape_run(const drape *d, uint32_t first, uint32_t last)
{
    for (uint32_t frame = first; frame <= last; frame++) {
        TRY(drape_animate(d, frame));
        const stn_status advanced = table()->advance_to_frame(d->scene, frame);
        if (advanced != STN_OK) return advanced;
    }
    return STN_OK;
}

uint64_t drape_hash(const drape *d)
{
    uint64_t hash = 0;
    table()->state_hash(d->scene, &hash);
    return hash;
}
