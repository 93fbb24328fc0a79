/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a shot in its output folder: NAME.obj, the mesh of each cloth at the first frame;
 * NAME.pc2 and the like, the motion of each cloth and hair; frames.jsonl, one line of statistics for each frame.
 *
 * Every frame has a fixed place in every file, so a frame whose writing failed can be written
 * again, and a resumed run cuts the files back to the frame it starts from.
 */
#ifndef IO_SHOT_OUTPUT_H
#define IO_SHOT_OUTPUT_H

#include "io/file.h"
#include "io/object_caches.h"
#include "io/scene_file.h"

typedef struct output_object {
    const char *obj_path; /* NULL: not wanted */
    object_caches caches;
} output_object;

typedef struct shot_output {
    scene_file *file; /* its store holds the paths */
    const char *folder, *checkpoint_path, *lock_path;
    file lock; /* held from output_lock on */
    const char **paths; /* of all files */
    size_t path_count;
    output_object *objects;      /* one for each object, whatever its kind */
    const char *statistics_path; /* NULL: not wanted */
    file statistics;
    uint64_t statistics_size; /* of the lines that are whole */
    cache_room room;
} shot_output;

/* Names everything and writes nothing. There is nothing to undo but output_close. */
status output_plan(shot_output *o, scene_file *f, const char *folder, error *err);

/* Keeps other runs out of the folder, which must be there, until output_close. */
status output_lock(shot_output *o, error *err);

/* The folder with its lock, the meshes, and files without frames; what a run before left under
 * these names goes. */
status output_create(shot_output *o, const scene *s, const uint64_t *ids, error *err);

/* After output_lock: opens files that hold at least `frames` frames, and changes nothing yet;
 * output_cut drops the rest. */
status output_open(shot_output *o, const scene *s, size_t frames, error *err);
status output_cut(shot_output *o, size_t frames, error *err);

/* Writes frame number `index`, counted from 0; may be called again after a failure. */
status output_write_frame(shot_output *o, const scene *s, const uint64_t *ids, size_t index,
                          error *err);

/* Everything that was written reaches the disk. */
status output_sync(const shot_output *o, error *err);
void output_close(shot_output *o);

#endif
