/* SPDX-License-Identifier: Apache-2.0
 *
 * Every struct and member of the public headers as the compiler lays it out, to compare with what
 * describe() says. New members are added here by hand; test_conformance.c notices if one is
 * missing.
 */
#ifndef TESTS_ABI_LAYOUT_H
#define TESTS_ABI_LAYOUT_H

#include <stddef.h>
#include <stiction/ext_contact.h>
#include <stiction/ext_shot.h>

typedef struct layout_row {
    const char *owner, *name; /* name "": the struct itself */
    size_t offset, size;
} layout_row;

#define S(s) {#s, "", 0, sizeof(s)}
#define M(s, m) {#s, #m, offsetof(s, m), sizeof(((s *)0)->m)}

static const layout_row layout[] = {
    S(stn_view),
    M(stn_view, struct_size), M(stn_view, format), M(stn_view, data), M(stn_view, count),
    M(stn_view, components), M(stn_view, reserved), M(stn_view, stride),
    S(stn_mut_view),
    M(stn_mut_view, struct_size), M(stn_mut_view, format), M(stn_mut_view, data),
    M(stn_mut_view, count), M(stn_mut_view, components), M(stn_mut_view, reserved),
    M(stn_mut_view, stride),
    S(stn_host),
    M(stn_host, struct_size), M(stn_host, reserved), M(stn_host, user), M(stn_host, alloc),
    M(stn_host, release), M(stn_host, log), M(stn_host, progress), M(stn_host, parallel_for),
    S(stn_scene_desc),
    M(stn_scene_desc, struct_size), M(stn_scene_desc, threads), M(stn_scene_desc, host),
    M(stn_scene_desc, start_frame),
    S(stn_pose),
    M(stn_pose, struct_size), M(stn_pose, reserved), M(stn_pose, position), M(stn_pose, rotation),
    S(stn_cloth_desc),
    M(stn_cloth_desc, struct_size), M(stn_cloth_desc, flags), M(stn_cloth_desc, name),
    M(stn_cloth_desc, positions), M(stn_cloth_desc, triangles), M(stn_cloth_desc, velocities),
    M(stn_cloth_desc, masses), M(stn_cloth_desc, rest_positions), M(stn_cloth_desc, uvs),
    M(stn_cloth_desc, seams),
    S(stn_hair_desc),
    M(stn_hair_desc, struct_size), M(stn_hair_desc, model), M(stn_hair_desc, name),
    M(stn_hair_desc, points), M(stn_hair_desc, strand_sizes), M(stn_hair_desc, rest_points),
    M(stn_hair_desc, root_rotations), M(stn_hair_desc, surface), M(stn_hair_desc, root_triangles),
    M(stn_hair_desc, root_barycentrics), M(stn_hair_desc, guides),
    S(stn_collider_desc),
    M(stn_collider_desc, struct_size), M(stn_collider_desc, shape), M(stn_collider_desc, name),
    M(stn_collider_desc, pose), M(stn_collider_desc, size), M(stn_collider_desc, positions),
    M(stn_collider_desc, triangles),
    S(stn_force_desc),
    M(stn_force_desc, struct_size), M(stn_force_desc, type), M(stn_force_desc, name),
    M(stn_force_desc, pose), M(stn_force_desc, field), M(stn_force_desc, field_user),
    M(stn_force_desc, signature), M(stn_force_desc, function),
    S(stn_rigid_desc),
    M(stn_rigid_desc, struct_size), M(stn_rigid_desc, shape), M(stn_rigid_desc, name),
    M(stn_rigid_desc, pose), M(stn_rigid_desc, size), M(stn_rigid_desc, mass),
    M(stn_rigid_desc, velocity), M(stn_rigid_desc, angular_velocity),
    S(stn_object_info),
    M(stn_object_info, struct_size), M(stn_object_info, kind), M(stn_object_info, id),
    M(stn_object_info, name), M(stn_object_info, nodes), M(stn_object_info, triangles),
    M(stn_object_info, strands), M(stn_object_info, shape), M(stn_object_info, reserved),
    M(stn_object_info, size),
    S(stn_parameter_info),
    M(stn_parameter_info, struct_size), M(stn_parameter_info, type), M(stn_parameter_info, name),
    M(stn_parameter_info, label), M(stn_parameter_info, unit), M(stn_parameter_info, doc),
    M(stn_parameter_info, kinds), M(stn_parameter_info, flags), M(stn_parameter_info, components),
    M(stn_parameter_info, reserved), M(stn_parameter_info, default_value),
    M(stn_parameter_info, minimum), M(stn_parameter_info, maximum),
    M(stn_parameter_info, soft_minimum), M(stn_parameter_info, soft_maximum),
    S(stn_array_info),
    M(stn_array_info, struct_size), M(stn_array_info, kinds), M(stn_array_info, name),
    M(stn_array_info, unit), M(stn_array_info, doc), M(stn_array_info, components),
    M(stn_array_info, flags), M(stn_array_info, element), M(stn_array_info, reserved),
    S(stn_time),
    M(stn_time, struct_size), M(stn_time, reserved), M(stn_time, frame), M(stn_time, seconds),
    M(stn_time, steps),
    S(stn_statistics),
    M(stn_statistics, struct_size), M(stn_statistics, reserved), M(stn_statistics, steps),
    M(stn_statistics, steps_not_converged), M(stn_statistics, nodes), M(stn_statistics, contacts),
    M(stn_statistics, stick), M(stn_statistics, slide), M(stn_statistics, takeoff),
    M(stn_statistics, local_failures), M(stn_statistics, iterations), M(stn_statistics, residual),
    M(stn_statistics, fischer_burmeister), M(stn_statistics, alart_curnier),
    M(stn_statistics, penetration), M(stn_statistics, seconds_import),
    M(stn_statistics, seconds_predict), M(stn_statistics, seconds_collide),
    M(stn_statistics, seconds_assemble), M(stn_statistics, seconds_solve),
    M(stn_statistics, seconds_correct), M(stn_statistics, seconds_total),
    S(stn_row),
    M(stn_row, kind), M(stn_row, owner), M(stn_row, name), M(stn_row, type), M(stn_row, offset),
    M(stn_row, size),
    S(stn_manifest),
    M(stn_manifest, struct_size), M(stn_manifest, version), M(stn_manifest, rows),
    M(stn_manifest, count),
    S(stn_api),
    M(stn_api, struct_size), M(stn_api, version), M(stn_api, describe), M(stn_api, library_version),
    M(stn_api, status_name), M(stn_api, get_extension), M(stn_api, last_error),
    M(stn_api, scene_create), M(stn_api, scene_destroy), M(stn_api, cloth_create),
    M(stn_api, hair_create), M(stn_api, collider_create), M(stn_api, force_create),
    M(stn_api, rigid_create), M(stn_api, object_destroy), M(stn_api, object_list),
    M(stn_api, object_find), M(stn_api, object_info), M(stn_api, parameter_count),
    M(stn_api, parameter_info), M(stn_api, parameter_set), M(stn_api, parameter_get),
    M(stn_api, array_count), M(stn_api, array_info), M(stn_api, array_set),
    M(stn_api, array_set_at), M(stn_api, array_get), M(stn_api, pose_set), M(stn_api, pose_get),
    M(stn_api, pose_from_matrix), M(stn_api, step), M(stn_api, advance_to_frame),
    M(stn_api, time_get), M(stn_api, cancel), M(stn_api, statistics_get), M(stn_api, state_size),
    M(stn_api, state_save), M(stn_api, state_load), M(stn_api, state_hash),
    S(stn_shot_desc),
    M(stn_shot_desc, struct_size), M(stn_shot_desc, threads), M(stn_shot_desc, scene_path),
    M(stn_shot_desc, output_folder), M(stn_shot_desc, host), M(stn_shot_desc, flags),
    M(stn_shot_desc, reserved),
    S(stn_shot_info),
    M(stn_shot_info, struct_size), M(stn_shot_info, reserved), M(stn_shot_info, title),
    M(stn_shot_info, scene_path), M(stn_shot_info, output_folder), M(stn_shot_info, first_frame),
    M(stn_shot_info, last_frame), M(stn_shot_info, frame), M(stn_shot_info, frame_rate),
    M(stn_shot_info, substeps), M(stn_shot_info, files),
    S(stn_ext_shot),
    M(stn_ext_shot, struct_size), M(stn_ext_shot, version), M(stn_ext_shot, open),
    M(stn_ext_shot, close), M(stn_ext_shot, last_error), M(stn_ext_shot, scene),
    M(stn_ext_shot, info), M(stn_ext_shot, file_path), M(stn_ext_shot, begin),
    M(stn_ext_shot, next_frame), M(stn_ext_shot, checkpoint), M(stn_ext_shot, file_info),
    S(stn_contact_problem),
    M(stn_contact_problem, struct_size), M(stn_contact_problem, contacts),
    M(stn_contact_problem, row_start), M(stn_contact_problem, col), M(stn_contact_problem, blocks),
    M(stn_contact_problem, b), M(stn_contact_problem, mu),
    S(stn_contact_options),
    M(stn_contact_options, struct_size), M(stn_contact_options, threads),
    M(stn_contact_options, solver), M(stn_contact_options, local),
    M(stn_contact_options, tolerance), M(stn_contact_options, max_iterations),
    M(stn_contact_options, reserved), M(stn_contact_options, user), M(stn_contact_options, trace),
    S(stn_contact_result),
    M(stn_contact_result, struct_size), M(stn_contact_result, converged),
    M(stn_contact_result, iterations), M(stn_contact_result, residual),
    M(stn_contact_result, residual_relative), M(stn_contact_result, fischer_burmeister),
    M(stn_contact_result, alart_curnier), M(stn_contact_result, cone_violation),
    M(stn_contact_result, min_normal_velocity), M(stn_contact_result, stick),
    M(stn_contact_result, slide), M(stn_contact_result, takeoff),
    M(stn_contact_result, local_failures), M(stn_contact_result, islands),
    M(stn_contact_result, seconds),
    S(stn_solver_info),
    M(stn_solver_info, struct_size), M(stn_solver_info, reserved), M(stn_solver_info, name),
    M(stn_solver_info, doc),
    S(stn_ext_contact),
    M(stn_ext_contact, struct_size), M(stn_ext_contact, version), M(stn_ext_contact, solver_count),
    M(stn_ext_contact, solver_info), M(stn_ext_contact, local_count),
    M(stn_ext_contact, local_info), M(stn_ext_contact, solve), M(stn_ext_contact, last_error),
};

#undef S
#undef M

enum { LAYOUT_ROWS = sizeof layout / sizeof layout[0] };

#endif
