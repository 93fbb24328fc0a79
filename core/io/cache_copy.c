/* SPDX-License-Identifier: Apache-2.0
 *
 * From one cache to another, frame by frame, and reading one to its end to see whether it is whole.
 */
#include "io/cache.h"
#include "io/file.h"
#include "io/obj.h"

static const double usual_frame_rate = 24.0; /* for files that do not know theirs */

status cache_verify(const allocator *memory, const char *path, cache_reader **out, error *err)
{
    cache_frame frame;
    status result = cache_open(out, memory, path, err);
    for (size_t i = 0; result >= 0 && i < cache_get_info(*out)->frames; i++) {
        result = cache_read(*out, i, &frame, err);
    }
    if (result >= 0) return result;
    cache_reader_close(*out);
    *out = NULL;
    return result;
}

static status copy_frames(cache_reader *r, cache_writer *w, error *err)
{
    const size_t frames = cache_get_info(r)->frames;
    cache_frame frame;
    status result = STATUS_OK;
    for (size_t i = 0; i < frames && result >= 0; i++) {
        result = cache_read(r, i, &frame, err);
        if (result >= 0) result = cache_write(w, i, &frame, err);
    }
    return result < 0 ? result : cache_finish(w, err);
}

/* Gives a set of points the triangles of a mesh. */
static status add_mesh(cache_shape *s, const obj_mesh *mesh, const char *path, error *err)
{
    if (s->kind != CACHE_POINTS || mesh->positions.count != s->points) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: has %zu vertices, the cache has %zu points%s", path,
                         mesh->positions.count, s->points,
                         s->kind == CACHE_POINTS ? "" : " and knows its own shape");
    }
    s->kind = CACHE_MESH;
    s->triangles = mesh->triangles.data;
    s->triangle_count = mesh->triangles.count;
    return STATUS_OK;
}

static status check_paths(const char *from, const char *to, const cache_info *info, error *err)
{
    if (file_is_same(from, to)) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "%s: cannot be converted into itself", from);
    }
    if (info->frames > 0) return STATUS_OK;
    return error_set(err, STATUS_PARSE, "%s: has no whole frame", from);
}

static status convert(const allocator *memory, cache_reader *r, const char *to,
                      const cache_format *format, cache_shape shape, error *err)
{
    cache_writer *w = NULL;
    if (!(shape.frame_rate > 0.0)) shape.frame_rate = usual_frame_rate;
    shape.frames = cache_get_info(r)->frames;
    status result = cache_create(&w, format, memory, to, &shape, err);
    if (result < 0) return result;
    result = copy_frames(r, w, err);
    cache_close(w);
    return result;
}

status cache_convert(const allocator *memory, const char *from, const char *to,
                     const cache_format *format, const char *mesh, error *err)
{
    cache_reader *r = NULL;
    obj_mesh triangles = {0};
    status result = cache_open(&r, memory, from, err);
    if (result < 0) return result;
    cache_shape shape = cache_get_info(r)->shape;
    result = check_paths(from, to, cache_get_info(r), err);
    if (result >= 0 && mesh) result = obj_read(&triangles, memory, mesh, err);
    const bool has_mesh = mesh && result >= 0;
    if (has_mesh) result = add_mesh(&shape, &triangles, mesh, err);
    if (result >= 0) result = convert(memory, r, to, format, shape, err);
    if (has_mesh) obj_mesh_destroy(&triangles);
    cache_reader_close(r);
    return result;
}
