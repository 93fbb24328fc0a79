/* SPDX-License-Identifier: Apache-2.0
 *
 * Extension "stiction.shot/1": scene files run from start to end, with output files.
 *
 *     const stn_ext_shot *shots = api->get_extension(STN_EXT_SHOT);
 *
 * A shot is a scene file that was read: it owns a scene, animates it frame by frame and writes what
 * the file asks for. Not part of the frozen table: it may still change, under a new name.
 */
#ifndef STICTION_EXT_SHOT_H
#define STICTION_EXT_SHOT_H

#include <stiction/stiction.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STN_EXT_SHOT "stiction.shot/1"

typedef struct stn_shot stn_shot; /* opaque; owned by the caller from open to close */

#define STN_SHOT_RESUME 1u    /* begin goes on from the checkpoint in the output folder */
#define STN_SHOT_NO_OUTPUT 2u /* simulate only; nothing is written */

typedef struct stn_shot_desc {
    uint32_t struct_size;
    uint32_t threads; /* 0: as the file says, else one per core */
    const char *scene_path;
    const char *output_folder; /* NULL: as the file says, else "out/<scene name>" beside it */
    const stn_host *host;
    uint32_t flags;
    uint32_t reserved;
    const char *formats; /* of caches, "pc2,stn"; NULL: as the file says */
} stn_shot_desc;

typedef struct stn_shot_info {
    uint32_t struct_size;
    uint32_t reserved;
    const char *title; /* lives as long as the shot, like the next two */
    const char *scene_path;
    const char *output_folder;
    double first_frame;
    double last_frame;
    double frame;      /* the last one done */
    double frame_rate; /* frames per second */
    uint64_t substeps; /* per frame */
    uint64_t files;    /* written or being written */
} stn_shot_info;

typedef struct stn_ext_shot {
    uint32_t struct_size;
    uint32_t version;
    /* [any] Reads and checks the whole file and builds its scene; writes nothing. */
    stn_status (*open)(const stn_shot_desc *desc, stn_shot **out);
    /* [scene] NULL is fine. */
    stn_status (*close)(stn_shot *shot);
    /* [scene] As in stn_api; NULL: this thread's last failed open or file_info. */
    const char *(*last_error)(const stn_shot *shot);
    /* [scene] The shot's scene, to look at between frames; owned by the shot. */
    stn_scene *(*scene)(stn_shot *shot);
    stn_status (*info)(stn_shot *shot, stn_shot_info *out);
    /* [scene] Path of output file i, NULL beyond the last; lives as long as the shot. */
    const char *(*file_path)(stn_shot *shot, uint64_t index);
    /* [scene] Makes the folder and the files and writes the first frame, or resumes. */
    stn_status (*begin)(stn_shot *shot);
    /* [scene] Animates, advances and writes one frame. STN_NOT_CONVERGED: written all the same.
     * STN_CANCELLED: nothing of it was written; calling again finishes it. After the last frame:
     * STN_ERROR_INVALID_ARGUMENT. */
    stn_status (*next_frame)(stn_shot *shot);
    /* [scene] Writes the state into the output folder, so that a later run can resume. */
    stn_status (*checkpoint)(stn_shot *shot);
    /* [any] What a file is, as JSON text: scene files, checkpoints, caches and OBJ files. */
    stn_status (*file_info)(const char *path, char *json, uint64_t capacity);
    /* [any] The same after reading all of it, with "whole": false for a cache that was not
     * finished. Damage is an error. */
    stn_status (*file_verify)(const char *path, char *json, uint64_t capacity);
    /* [any] Writes the frames of one cache into another. format: NULL, by the name of the file.
     * mesh: an OBJ file with the triangles of a cache that has none, or NULL. */
    stn_status (*file_convert)(const char *from, const char *to, const char *format,
                               const char *mesh);
} stn_ext_shot;

#ifdef __cplusplus
}
#endif

#endif
