/* SPDX-License-Identifier: Apache-2.0
 *
 * Local problems into a file: W in compressed columns, long arrays compressed.
 */
#include "blocks.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 14, DEFLATE_LEVEL = 6, MEMORY_STEP = 1 << 20 };

/* Once something failed nothing else is tried. */
typedef struct writer {
    hid_t file;
    bool failed;
} writer;

static void make_group(writer *w, const char *path)
{
    if (w->failed) return;
    const hid_t group = H5Gcreate2(w->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    w->failed = group < 0 || H5Gclose(group) < 0;
}

static hid_t make_layout(hsize_t length)
{
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = CHUNK;
    if (length > chunk) {
        H5Pset_chunk(layout, 1, &chunk);
        H5Pset_shuffle(layout);
        H5Pset_deflate(layout, DEFLATE_LEVEL);
    }
    return layout;
}

static void put(writer *w, const char *path, hid_t file_type, hid_t memory_type, hid_t space,
                hid_t layout, const void *data)
{
    if (w->failed) return;
    const hid_t set = H5Dcreate2(w->file, path, file_type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    w->failed = set < 0 || H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0;
    if (set >= 0 && H5Dclose(set) < 0) w->failed = true;
}

static void put_array(writer *w, const char *path, hid_t file_type, hid_t memory_type,
                      size_t length, const void *data)
{
    const hsize_t extent = length;
    const hid_t space = H5Screate_simple(1, &extent, NULL), layout = make_layout(extent);
    put(w, path, file_type, memory_type, space, layout, data);
    H5Pclose(layout);
    H5Sclose(space);
}

static void put_reals(writer *w, const char *path, size_t length, const double *data)
{
    put_array(w, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, length, data);
}

static void put_integer(writer *w, const char *path, int64_t value)
{
    put_array(w, path, H5T_STD_I32LE, H5T_NATIVE_INT64, 1, &value);
}

static void put_text(writer *w, const char *path, const char *text)
{
    const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    put(w, path, type, type, space, H5P_DEFAULT, text);
    H5Tclose(type);
    H5Sclose(space);
}

static void put_matrix(writer *w, const sparse *W)
{
    const size_t count = W->start[W->cols];
    make_group(w, "/fclib_local/W");
    put_integer(w, "/fclib_local/W/m", W->rows);
    put_integer(w, "/fclib_local/W/n", W->cols);
    put_integer(w, "/fclib_local/W/nzmax", (int64_t)count);
    put_integer(w, "/fclib_local/W/nz", -1);
    put_array(w, "/fclib_local/W/p", H5T_STD_I32LE, H5T_NATIVE_ULONG, (size_t)W->cols + 1,
              W->start);
    put_array(w, "/fclib_local/W/i", H5T_STD_I32LE, H5T_NATIVE_UINT32, count, W->row);
    put_reals(w, "/fclib_local/W/x", count, W->value);
}

static void put_problem(writer *w, const stn_contact_problem *problem, const sparse *W,
                        const char *title)
{
    make_group(w, "/fclib_local");
    put_integer(w, "/fclib_local/spacedim", 3);
    put_matrix(w, W);
    make_group(w, "/fclib_local/vectors");
    put_reals(w, "/fclib_local/vectors/q", W->cols, problem->b);
    put_reals(w, "/fclib_local/vectors/mu", problem->contacts, problem->mu);
    make_group(w, "/fclib_local/info");
    put_text(w, "/fclib_local/info/title", title);
    put_text(w, "/fclib_local/info/description", "one-step frictional contact problem");
}

/* ---- the file -------------------------------------------------------------------------------- */

/* HDF5 does not survive a disk that refuses a write: it keeps the file open and crashes at exit. So
 * the file is made in memory, and its bytes are written by us. */
static hid_t create_in_memory(void)
{
    const hid_t access_list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access_list, MEMORY_STEP, false);
    const hid_t file = H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access_list);
    H5Pclose(access_list);
    return file;
}

/* The bytes of a file in memory; to be freed. NULL: HDF5 refused. */
static void *copy_image(hid_t file, size_t *size)
{
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) return NULL;
    const ssize_t found = H5Fget_file_image(file, NULL, 0);
    void *image = found > 0 ? malloc((size_t)found) : NULL;
    *size = (size_t)found;
    if (image && H5Fget_file_image(file, image, *size) == found) return image;
    free(image);
    return NULL;
}

static void *make_image(const stn_contact_problem *problem, const sparse *W, const char *title,
                        size_t *size)
{
    writer w = {.file = create_in_memory()};
    if (w.file < 0) return NULL;
    put_problem(&w, problem, W, title);
    void *image = w.failed ? NULL : copy_image(w.file, size);
    H5Fclose(w.file);
    return image;
}

static bool write_bytes(const char *path, const void *bytes, size_t size, fclib_error *error)
{
    FILE *out = fopen(path, "wb");
    bool good = out && fwrite(bytes, 1, size, out) == size;
    int reason = errno;
    if (out && fclose(out) != 0 && good) {
        good = false;
        reason = errno;
    }
    return good || fclib_fail(error, FCLIB_UNREADABLE, "cannot be written: %s", strerror(reason));
}

static bool write_file(const char *path, const stn_contact_problem *problem, const sparse *W,
                       const char *title, fclib_error *error)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    size_t size;
    void *image = make_image(problem, W, title, &size);
    if (!image) return fclib_fail_memory(error);
    const bool good = write_bytes(path, image, size, error);
    free(image);
    return good;
}

static bool fail_room(fclib_error *error, const char *what, size_t count, int32_t most)
{
    return fclib_fail(error, FCLIB_WRONG, "%zu %s, the format has room for %d", count, what, most);
}

bool fclib_write(const char *path, const stn_contact_problem *problem, const char *title,
                 fclib_error *error)
{
    const int32_t most = INT32_MAX / 3;
    if (problem->contacts > (uint32_t)most) {
        return fail_room(error, "contacts", problem->contacts, most);
    }
    sparse W;
    if (!blocks_to_sparse(&W, problem)) return fclib_fail_memory(error);
    const size_t count = W.start[W.cols];
    const bool good = count <= INT32_MAX ? write_file(path, problem, &W, title, error)
                                         : fail_room(error, "entries of W", count, INT32_MAX);
    sparse_free(&W);
    return good;
}
