/* SPDX-License-Identifier: Apache-2.0 */
#include "guard.h"

static _Thread_local error thread_error;
static _Thread_local const stn_scene
    *thread_refused_by; /* the last call could not enter this scene */

error *guard_thread_error(void) { return &thread_error; }

const char *guard_last_error(const stn_scene *s)
{
    return s && s != thread_refused_by ? s->err.text : thread_error.text;
}

status guard_enter(stn_scene *s)
{
    if (!s) return error_set(&thread_error, STATUS_INVALID_ARGUMENT, "'scene' is NULL");
    if (atomic_exchange(&s->busy, true)) {
        thread_refused_by = s;
        return error_set(&thread_error, STATUS_BUSY,
                         "another call on this scene is running; one call at a time");
    }
    thread_refused_by = NULL;
    return STATUS_OK;
}

stn_status guard_leave(stn_scene *s, status st)
{
    thread_refused_by = NULL; /* a callback may have tried; the scene has its own text now */
    atomic_store(&s->busy, false);
    return st;
}
