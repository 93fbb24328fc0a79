/* SPDX-License-Identifier: Apache-2.0
 *
 * The entries of the table; stiction.h says what they do.
 */
#ifndef ABI_ENTRIES_H
#define ABI_ENTRIES_H

#include "base/status.h"
#include "math/quat.h"

#include <stiction/stiction.h>

const char *api_library_version(void);
const char *api_status_name(stn_status code);
const void *api_get_extension(const char *name);
const char *api_last_error(const stn_scene *s);
stn_status api_scene_create(const stn_scene_desc *desc, stn_scene **out);
stn_status api_scene_destroy(stn_scene *s);
stn_status api_cloth_create(stn_scene *s, const stn_cloth_desc *desc, stn_id *out);
stn_status api_collider_create(stn_scene *s, const stn_collider_desc *desc, stn_id *out);
stn_status api_hair_create(stn_scene *s, const stn_hair_desc *desc, stn_id *out);
stn_status api_force_create(stn_scene *s, const stn_force_desc *desc, stn_id *out);
stn_status api_rigid_create(stn_scene *s, const stn_rigid_desc *desc, stn_id *out);
stn_status api_object_destroy(stn_scene *s, stn_id object);
stn_status api_object_list(stn_scene *s, stn_id *ids, uint64_t capacity, uint64_t *count);
stn_status api_object_find(stn_scene *s, const char *name, stn_id *out);
stn_status api_object_info(stn_scene *s, stn_id object, stn_object_info *out);
uint64_t api_parameter_count(void);
stn_status api_parameter_info(uint64_t index, stn_parameter_info *out);
stn_status api_parameter_set(stn_scene *s, stn_id object, const char *name, const double *values,
                             uint64_t count);
stn_status api_parameter_get(stn_scene *s, stn_id object, const char *name, double *values,
                             uint64_t count);
uint64_t api_array_count(void);
stn_status api_array_info(uint64_t index, stn_array_info *out);
stn_status api_array_set(stn_scene *s, stn_id object, const char *name, const stn_view *values);
stn_status api_array_set_at(stn_scene *s, stn_id object, const char *name, const stn_view *indices,
                            const stn_view *values);
stn_status api_array_get(stn_scene *s, stn_id object, const char *name, const stn_mut_view *out);
stn_status api_pose_set(stn_scene *s, stn_id object, const stn_pose *given, uint32_t flags);
stn_status api_pose_get(stn_scene *s, stn_id object, stn_pose *out);
stn_status api_pose_from_matrix(const float *matrix, stn_pose *out);
stn_status api_step(stn_scene *s, double dt);
stn_status api_advance_to_frame(stn_scene *s, double frame);
stn_status api_time_get(stn_scene *s, stn_time *out);
stn_status api_cancel(stn_scene *s);
stn_status api_statistics_get(stn_scene *s, stn_statistics *out);
stn_status api_state_size(stn_scene *s, uint64_t *bytes);
stn_status api_state_save(stn_scene *s, void *buffer, uint64_t capacity, uint64_t *written);
stn_status api_state_load(stn_scene *s, const void *buffer, uint64_t size);
stn_status api_state_hash(stn_scene *s, uint64_t *out);

/* A pose from its descriptor; NULL and a zero rotation are the identity. */
status api_read_pose(const stn_pose *given, pose *out, error *err);

#endif
