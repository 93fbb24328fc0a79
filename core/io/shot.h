/* SPDX-License-Identifier: Apache-2.0
 *
 * A shot: a scene file run from its first frame to its last, with output files.
 *
 *     shot_open     reads and checks the file;           then the caller makes a scene with
 *                   shot_threads() threads that starts at shot_first_frame()
 *     shot_build    fills that scene;
 *     shot_begin    makes the files and writes the first frame, or resumes;
 *     shot_next_frame, shot_checkpoint, ...
 *     shot_close    before the scene is destroyed or after, as you like.
 *
 * A frame goes through three stages: what moves by itself is set, the scene advances, files are
 * written. A call that stopped in one of them (cancelled, or the disk was full) is taken up there
 * by the next one, so the files are the same as those of a run that was never stopped. The same
 * holds for a resumed run.
 *
 * shot_begin without SHOT_RESUME replaces the files of an earlier run in the folder and drops its
 * checkpoint; no other call touches what it did not write. From shot_begin to shot_close the folder
 * is locked: another shot cannot begin in it.
 */
#ifndef IO_SHOT_H
#define IO_SHOT_H

#include "base/memory.h"
#include "base/status.h"
#include "scene/scene.h"

enum { SHOT_RESUME = 1, SHOT_NO_OUTPUT = 2 };

typedef struct shot shot;

typedef struct shot_config {
    allocator memory;
    const char *scene_path;
    const char *output_folder; /* NULL or "": as the file says, else "out/NAME" beside it */
    const char *formats;       /* of caches, "pc2,stn"; NULL or "": as the file says */
    uint32_t flags;
} shot_config;

typedef struct shot_info {
    const char *title, *scene_path, *output_folder; /* live as long as the shot */
    double first_frame, last_frame;
    double frame; /* the last one done; the first one before shot_begin */
    double frame_rate;
    uint64_t substeps;
    size_t files;
} shot_info;

/* On failure there is nothing to close. */
status shot_open(const shot_config *config, shot **out, error *err);
void shot_close(shot *h);

uint32_t shot_threads(const shot *h); /* as the file says; 0: one per core */
double shot_first_frame(const shot *h);

/* Fills an empty scene, which must outlive every later call but shot_close. After an error the
 * scene is of no use. */
status shot_build(shot *h, scene *s, error *err);

/* After shot_build. */
status shot_get_info(const shot *h, shot_info *out, error *err);
/* NULL beyond the last; lives as long as the shot. */
const char *shot_file_path(const shot *h, size_t i);
status shot_begin(shot *h, error *err);
/* STATUS_NOT_CONVERGED: written all the same. STATUS_CANCELLED: nothing was written. */
status shot_next_frame(shot *h, error *err);
status shot_checkpoint(shot *h, error *err);

#endif
