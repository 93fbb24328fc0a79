/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

/* A whole array in new memory, NULL if it is empty or something failed. */
static void *read_array(const stn_api *api, stn_scene *scene, stn_id id, const char *name,
                        const stn_mut_view *shape, stn_status *status)
{
    if (*status < 0 || shape->count == 0) return NULL;
    stn_mut_view view = *shape;
    view.struct_size = sizeof view;
    view.data = calloc(view.count * view.components, sizeof(uint32_t)); /* all formats: 4 bytes */
    *status = view.data ? api->array_get(scene, id, name, &view) : STN_ERROR_OUT_OF_MEMORY;
    return view.data;
}

static stn_status read_cloth(const stn_api *api, stn_scene *scene, stn_id id, snapshot_body *body)
{
    const stn_mut_view nodes = {
        .format = STN_FORMAT_F32, .count = body->node_count, .components = 3};
    const stn_mut_view states = {
        .format = STN_FORMAT_U32, .count = body->node_count, .components = 1};
    const stn_mut_view triangles = {
        .format = STN_FORMAT_U32, .count = body->triangle_count, .components = 3};
    stn_status status = STN_OK;
    body->nodes = read_array(api, scene, id, "position", &nodes, &status);
    body->states = read_array(api, scene, id, "contact_state", &states, &status);
    body->triangles = read_array(api, scene, id, "triangle", &triangles, &status);
    return status;
}

/* v + 2 w (q x v) + 2 q x (q x v), then to the pose's place. */
static void place_point(const stn_pose *pose, float *point)
{
    const double *q = pose->rotation + 1, w = pose->rotation[0];
    const double v[3] = {point[0], point[1], point[2]};
    double t[3];
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        t[k] = 2.0 * (q[a] * v[b] - q[b] * v[a]);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        point[k] = (float)(v[k] + w * t[k] + q[a] * t[b] - q[b] * t[a] + pose->position[k]);
    }
}

/* A box is eight nodes and twelve triangles. */
static stn_status make_box(snapshot_body *body)
{
    static const uint32_t corner[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    body->nodes = calloc(24, sizeof *body->nodes);
    body->triangles = calloc(36, sizeof *body->triangles);
    if (!body->nodes || !body->triangles) return STN_ERROR_OUT_OF_MEMORY;
    body->node_count = 8;
    body->triangle_count = 12;
    for (size_t i = 0; i < 24; i++) {
        body->nodes[i] = (float)(i / 3 >> i % 3 & 1 ? body->size[i % 3] : -body->size[i % 3]);
    }
    memcpy(body->triangles, corner, sizeof corner);
    return STN_OK;
}

static stn_status read_collider(const stn_api *api, stn_scene *scene, stn_id id,
                                const stn_object_info *info, snapshot_body *body)
{
    body->pose.struct_size = sizeof body->pose;
    stn_status status = api->pose_get(scene, id, &body->pose);
    if (status < 0) return status;
    if (info->shape == STN_SHAPE_BOX) status = make_box(body);
    if (info->shape == STN_SHAPE_MESH) {
        body->node_count = info->nodes;
        body->triangle_count = info->triangles;
        const stn_mut_view nodes = {
            .format = STN_FORMAT_F32, .count = info->nodes, .components = 3};
        const stn_mut_view triangles = {
            .format = STN_FORMAT_U32, .count = info->triangles, .components = 3};
        body->nodes = read_array(api, scene, id, "position", &nodes, &status);
        body->triangles = read_array(api, scene, id, "triangle", &triangles, &status);
    }
    for (uint64_t i = 0; i < body->node_count && status >= 0; i++) {
        place_point(&body->pose, body->nodes + 3 * i);
    }
    return status;
}

static stn_status read_hair(const stn_api *api, stn_scene *scene, stn_id id, snapshot_body *body)
{
    const stn_mut_view nodes = {
        .format = STN_FORMAT_F32, .count = body->node_count, .components = 3};
    const stn_mut_view strands = {
        .format = STN_FORMAT_U32, .count = body->strand_count, .components = 1};
    stn_status status = STN_OK;
    body->nodes = read_array(api, scene, id, "position", &nodes, &status);
    body->strands = read_array(api, scene, id, "strand_size", &strands, &status);
    if (status < 0) return status;
    return api->parameter_get(scene, id, "thickness", &body->thickness, 1);
}

static stn_status read_body(const stn_api *api, stn_scene *scene, stn_id id, snapshot_body *body)
{
    stn_object_info info = {.struct_size = sizeof info};
    const stn_status status = api->object_info(scene, id, &info);
    if (status < 0) return status;
    body->kind = info.kind;
    body->shape = info.shape;
    for (int i = 0; i < 3; i++) body->size[i] = info.size[i];
    if (info.kind == STN_KIND_COLLIDER) return read_collider(api, scene, id, &info, body);
    if (info.kind != STN_KIND_CLOTH && info.kind != STN_KIND_HAIR) return STN_OK;
    body->node_count = info.nodes;
    body->triangle_count = info.triangles;
    body->strand_count = info.strands;
    if (info.kind == STN_KIND_HAIR) return read_hair(api, scene, id, body);
    return read_cloth(api, scene, id, body);
}

static stn_status read_bodies(const stn_api *api, stn_scene *scene, snapshot *out)
{
    uint64_t count = 0;
    stn_status status = api->object_list(scene, NULL, 0, &count);
    if (status < 0 || count == 0) return status;
    stn_id *ids = calloc(count, sizeof *ids);
    out->bodies = calloc(count, sizeof *out->bodies);
    status =
        ids && out->bodies ? api->object_list(scene, ids, count, &count) : STN_ERROR_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < count && status >= 0; i++) {
        out->body_count = i + 1;
        status = read_body(api, scene, ids[i], &out->bodies[i]);
    }
    free(ids);
    return status;
}

stn_status snapshot_take(const stn_api *api, stn_scene *scene, snapshot *out)
{
    *out = (snapshot){0};
    stn_time time = {.struct_size = sizeof time};
    stn_status status = api->time_get(scene, &time);
    if (status >= 0) {
        status = api->parameter_get(scene, STN_SCENE_ID, "gravity", out->gravity, 3);
    }
    if (status >= 0) status = read_bodies(api, scene, out);
    out->frame = time.frame;
    out->seconds = time.seconds;
    if (status < 0) snapshot_free(out);
    return status;
}

void snapshot_free(snapshot *s)
{
    for (uint64_t i = 0; i < s->body_count; i++) {
        free(s->bodies[i].nodes);
        free(s->bodies[i].triangles);
        free(s->bodies[i].states);
        free(s->bodies[i].strands);
    }
    free(s->bodies);
    *s = (snapshot){0};
}
