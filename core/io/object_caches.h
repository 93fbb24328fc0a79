/* SPDX-License-Identifier: Apache-2.0
 *
 * The caches of one object of a shot: one file in each format that was asked for.
 */
#ifndef IO_OBJECT_CACHES_H
#define IO_OBJECT_CACHES_H

#include "io/cache.h"
#include "io/scene_file.h"

typedef struct object_cache {
    const cache_format *format;
    const char *path;
    cache_writer *writer; /* NULL: not open */
} object_cache;

typedef struct object_caches {
    size_t count;
    object_cache one[CACHE_MOST_FORMATS];
} object_caches;

/* Room for one frame of the largest object. */
typedef struct cache_room {
    float *positions, *velocities;
    uint32_t *numbers;
    uint8_t *states;
} cache_room;

/* From the store of the scene file. */
status cache_room_init(cache_room *room, scene_file *f, error *err);

/* "pc2,stn": bit i is cache_format_at(i). */
status object_caches_parse_formats(const char *list, uint32_t *formats, error *err);

status object_caches_create(object_caches *c, const scene_file *f, const scene_file_object *o,
                            const scene *s, error *err);
/* As cache_reopen, for files with at least `frames` frames. */
status object_caches_reopen(object_caches *c, const scene_file *f, const scene_file_object *o,
                            const scene *s, size_t frames, error *err);
status object_caches_cut(object_caches *c, size_t frames, error *err);
status object_caches_sync(const object_caches *c, error *err);
void object_caches_close(object_caches *c);

/* One frame of the object into all of them; the last one finishes them. `statistics` is JSON. */
status object_caches_write(object_caches *c, const scene_file_object *o, const scene *s,
                           uint64_t id, size_t index, bool last, const char *statistics,
                           const cache_room *room, error *err);

#endif
