/* SPDX-License-Identifier: Apache-2.0
 *
 * The scene as the host holds it: the core's scene, its last error, and a gate that lets one call
 * in at a time. Whoever comes while the gate is shut gets STN_ERROR_BUSY and touches nothing.
 */
#ifndef ABI_GUARD_H
#define ABI_GUARD_H

#include "scene/scene.h"

#include <stdatomic.h>
#include <stiction/ext_contact.h>
#include <stiction/stiction.h>

struct stn_scene {
    scene *core;
    allocator memory;
    error err;
    atomic_bool busy;
    stn_problem_visitor problems; /* the host's, see ext_contact_visit.c */
};

/* This thread's last error of a call that had no scene, or could not enter it. */
error *guard_thread_error(void);
const char *guard_last_error(const stn_scene *s);

/* Every [scene] entry is `guard_enter(s)`, work, `guard_leave(s, status)`. */
status guard_enter(stn_scene *s);
stn_status guard_leave(stn_scene *s, status st);

/* api_library.c: used by scene_create and by shots. */
status api_read_host(const stn_host *given, scene_config *config, error *err);
status api_make_scene(const stn_scene_desc *desc, stn_scene **out, error *err);
void api_free_scene(stn_scene *s);

#endif
