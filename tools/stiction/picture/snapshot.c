/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"

#include <stdlib.h>

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

static stn_status read_body(const stn_api *api, stn_scene *scene, stn_id id, snapshot_body *body)
{
    stn_object_info info = {.struct_size = sizeof info};
    const stn_status status = api->object_info(scene, id, &info);
    if (status < 0) return status;
    body->kind = info.kind;
    body->shape = info.shape;
    for (int i = 0; i < 3; i++) body->size[i] = info.size[i];
    if (info.kind == STN_KIND_COLLIDER) {
        body->pose.struct_size = sizeof body->pose;
        return api->pose_get(scene, id, &body->pose);
    }
    if (info.kind != STN_KIND_CLOTH) return STN_OK;
    body->node_count = info.nodes;
    body->triangle_count = info.triangles;
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
    }
    free(s->bodies);
    *s = (snapshot){0};
}
