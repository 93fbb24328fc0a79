/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library says of itself, and the life of scenes.
 */
#include "describe.h"
#include "entries.h"
#include "ext_contact.h"
#include "ext_rods.h"
#include "ext_shot.h"
#include "guard.h"
#include "structs.h"
#include "version.h"

#include <string.h>

/* ---- library ---- */

const char *api_library_version(void) { return STICTION_VERSION; }

const char *api_status_name(stn_status code) { return status_name(code); }

const void *api_get_extension(const char *name)
{
    if (!name) return NULL;
    if (strcmp(name, STN_EXT_SHOT) == 0) return &ext_shot_table;
    if (strcmp(name, STN_EXT_CONTACT) == 0) return &ext_contact_table;
    if (strcmp(name, STN_EXT_RODS) == 0) return &ext_rods_table;
    return NULL;
}

const char *api_last_error(const stn_scene *s) { return guard_last_error(s); }

/* ---- scenes ---- */

status api_read_host(const stn_host *given, scene_config *config, error *err)
{
    config->memory = allocator_system;
    if (!given) return STATUS_OK;
    stn_host host;
    status st = STRUCT_TAKE(given, &host, err);
    if (st >= 0) st = struct_check_reserved(host.reserved, "host", err);
    if (st < 0) return st;
    if (!host.alloc != !host.release) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "the host has only one of alloc and release; expected both or neither");
    }
    if (host.alloc) config->memory = (allocator){host.user, host.alloc, host.release};
    config->log = (log_sink){host.user, host.log};
    config->parallel = (pool_host){host.user, host.parallel_for};
    config->progress_user = host.user;
    config->progress = host.progress;
    return STATUS_OK;
}

status api_make_scene(const stn_scene_desc *given, stn_scene **out, error *err)
{
    stn_scene_desc desc;
    scene_config config = {0};
    status st = STRUCT_TAKE(given, &desc, err);
    if (st >= 0) st = api_read_host(desc.host, &config, err);
    if (st < 0) return st;
    config.threads = desc.threads;
    config.start_frame = desc.start_frame;
    stn_scene *s = memory_alloc(&config.memory, sizeof *s);
    if (!s) return error_out_of_memory(err, "a scene");
    s->memory = config.memory;
    atomic_init(&s->busy, false);
    st = scene_create(&config, &s->core, err);
    if (st < 0) {
        memory_free(&config.memory, s, sizeof *s);
        return st;
    }
    *out = s;
    return STATUS_OK;
}

void api_free_scene(stn_scene *s)
{
    const allocator memory = s->memory;
    scene_destroy(s->core);
    memory_free(&memory, s, sizeof *s);
}

stn_status api_scene_create(const stn_scene_desc *desc, stn_scene **out)
{
    error *err = guard_thread_error();
    const status st = struct_require(out, "out", err);
    if (st < 0) return st;
    *out = NULL;
    return api_make_scene(desc, out, err);
}

stn_status api_scene_destroy(stn_scene *s)
{
    if (!s) return STATUS_OK;
    const status st = guard_enter(s);
    if (st < 0) return st;
    api_free_scene(s);
    return STATUS_OK;
}
