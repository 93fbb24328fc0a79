/* SPDX-License-Identifier: Apache-2.0
 *
 * The one exported symbol and the table behind it.
 */
#include "describe.h"
#include "entries.h"
#include "scene/arrays.h"
#include "scene/parameters.h"
#include "scene/scene.h"

/* The public numbers are the core's. */
#define SAME(a, b) _Static_assert((int)(a) == (int)(b), #a " and " #b " differ")
SAME(STN_NOT_CONVERGED, STATUS_NOT_CONVERGED);
SAME(STN_CANCELLED, STATUS_CANCELLED);
SAME(STN_ERROR_INVALID_ARGUMENT, STATUS_INVALID_ARGUMENT);
SAME(STN_ERROR_OUT_OF_MEMORY, STATUS_OUT_OF_MEMORY);
SAME(STN_ERROR_STALE_ID, STATUS_STALE_ID);
SAME(STN_ERROR_WRONG_KIND, STATUS_WRONG_KIND);
SAME(STN_ERROR_UNKNOWN_NAME, STATUS_UNKNOWN_NAME);
SAME(STN_ERROR_UNSUPPORTED, STATUS_UNSUPPORTED);
SAME(STN_ERROR_STRUCT_SIZE, STATUS_STRUCT_SIZE);
SAME(STN_ERROR_BUFFER_TOO_SMALL, STATUS_BUFFER_TOO_SMALL);
SAME(STN_ERROR_STATE_MISMATCH, STATUS_STATE_MISMATCH);
SAME(STN_ERROR_BUSY, STATUS_BUSY);
SAME(STN_ERROR_IO, STATUS_IO);
SAME(STN_ERROR_PARSE, STATUS_PARSE);
SAME(STN_ERROR_DIVERGED, STATUS_DIVERGED);
SAME(STN_KIND_SCENE, KIND_SCENE);
SAME(STN_KIND_CLOTH, KIND_CLOTH);
SAME(STN_KIND_HAIR, KIND_HAIR);
SAME(STN_KIND_COLLIDER, KIND_COLLIDER);
SAME(STN_KIND_FORCE, KIND_FORCE);
SAME(STN_KIND_RIGID, KIND_RIGID);
SAME(STN_FORMAT_F32, FORMAT_F32);
SAME(STN_FORMAT_F64, FORMAT_F64);
SAME(STN_FORMAT_U32, FORMAT_U32);
SAME(STN_FORMAT_I32, FORMAT_I32);
SAME(STN_SHAPE_PLANE, SHAPE_PLANE);
SAME(STN_SHAPE_SPHERE, SHAPE_SPHERE);
SAME(STN_SHAPE_CAPSULE, SHAPE_CAPSULE);
SAME(STN_SHAPE_BOX, SHAPE_BOX);
SAME(STN_SHAPE_MESH, SHAPE_MESH);
SAME(STN_LOG_ERROR, LOG_ERROR);
SAME(STN_LOG_WARNING, LOG_WARNING);
SAME(STN_LOG_INFO, LOG_INFO);
SAME(STN_LOG_DEBUG, LOG_DEBUG);
SAME(STN_PARAMETER_REAL, PARAMETER_REAL);
SAME(STN_PARAMETER_INTEGER, PARAMETER_INTEGER);
SAME(STN_PARAMETER_VECTOR, PARAMETER_VECTOR);
SAME(STN_PARAMETER_KEYFRAMABLE, PARAMETER_KEYFRAMABLE);
SAME(STN_ARRAY_READ, ARRAY_READ);
SAME(STN_ARRAY_WRITE, ARRAY_WRITE);
SAME(STN_ARRAY_INTEGER, ARRAY_INTEGER);
SAME(STN_ELEMENT_NODE, ELEMENT_NODE);
SAME(STN_ELEMENT_TRIANGLE, ELEMENT_TRIANGLE);
SAME(STN_ELEMENT_STRAND, ELEMENT_STRAND);

static const stn_api table = {
    .struct_size = sizeof(stn_api),
    .version = STN_ABI_VERSION,
    .describe = describe_manifest,
    .library_version = api_library_version,
    .status_name = api_status_name,
    .get_extension = api_get_extension,
    .last_error = api_last_error,
    .scene_create = api_scene_create,
    .scene_destroy = api_scene_destroy,
    .cloth_create = api_cloth_create,
    .hair_create = api_hair_create,
    .collider_create = api_collider_create,
    .force_create = api_force_create,
    .rigid_create = api_rigid_create,
    .object_destroy = api_object_destroy,
    .object_list = api_object_list,
    .object_find = api_object_find,
    .object_info = api_object_info,
    .parameter_count = api_parameter_count,
    .parameter_info = api_parameter_info,
    .parameter_set = api_parameter_set,
    .parameter_get = api_parameter_get,
    .array_count = api_array_count,
    .array_info = api_array_info,
    .array_set = api_array_set,
    .array_set_at = api_array_set_at,
    .array_get = api_array_get,
    .pose_set = api_pose_set,
    .pose_get = api_pose_get,
    .pose_from_matrix = api_pose_from_matrix,
    .step = api_step,
    .advance_to_frame = api_advance_to_frame,
    .time_get = api_time_get,
    .cancel = api_cancel,
    .statistics_get = api_statistics_get,
    .state_size = api_state_size,
    .state_save = api_state_save,
    .state_load = api_state_load,
    .state_hash = api_state_hash,
};

const stn_api *stn_get_api(uint32_t version) { return version == STN_ABI_VERSION ? &table : NULL; }
