/* SPDX-License-Identifier: Apache-2.0 */
#include "h5_reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what HDF5 says -------------------------------------------------------------------------- */

static char reason[200];

/* Called for the innermost failure first. */
static herr_t keep_innermost(unsigned depth, const H5E_error2_t *e, void *unused)
{
    (void)unused;
    if (depth == 0 && e->desc) snprintf(reason, sizeof reason, " (HDF5 says: %s)", e->desc);
    return 0;
}

/* " (HDF5 says: ...)" about the last failed call, or "". */
static const char *hdf5_reason(void)
{
    reason[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, NULL);
    return reason;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool check_file(const char *path, fclib_error *error)
{
    struct stat found;
    if (stat(path, &found) != 0 || access(path, R_OK) != 0) {
        return fclib_fail(error, FCLIB_UNREADABLE, "%s", strerror(errno));
    }
    if (!S_ISREG(found.st_mode)) {
        return fclib_fail(error, FCLIB_UNREADABLE, "this is no file, expected an HDF5 file");
    }
    if (H5Fis_hdf5(path) <= 0) {
        return fclib_fail(error, FCLIB_WRONG, "this is not an HDF5 file");
    }
    return true;
}

/* Nobody writes to a problem: locks would only keep us from files on shares that have none. */
static hid_t access_without_lock(void)
{
    const hid_t access_list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access_list, false, true);
    return access_list;
}

bool h5_reader_open(h5_reader *r, const char *path, fclib_error *error)
{
    *r = (h5_reader){.file = H5I_INVALID_HID, .error = error};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (!check_file(path, error)) return false;
    const hid_t access_list = access_without_lock();
    r->file = H5Fopen(path, H5F_ACC_RDONLY, access_list);
    if (r->file < 0) {
        fclib_fail(error, FCLIB_WRONG, "the HDF5 file is damaged or truncated%s", hdf5_reason());
    }
    H5Pclose(access_list);
    return r->file >= 0;
}

void h5_reader_close(h5_reader *r)
{
    if (r->file >= 0) H5Fclose(r->file);
    r->file = H5I_INVALID_HID;
}

bool h5_reader_has(const h5_reader *r, const char *path)
{
    return H5Lexists(r->file, path, H5P_DEFAULT) > 0;
}

/* ---- datasets -------------------------------------------------------------------------------- */

typedef struct dataset {
    char path[96];
    hid_t id;
    size_t length;
} dataset;

static bool fail(const h5_reader *r, const dataset *d, const char *what)
{
    return fclib_fail(r->error, FCLIB_WRONG, "%s: %s%s", d->path, what, hdf5_reason());
}

static H5T_class_t class_of(const dataset *d)
{
    const hid_t type = H5Dget_type(d->id);
    const H5T_class_t class = H5Tget_class(type);
    H5Tclose(type);
    return class;
}

/* Dimensions, or -1; the length is how many numbers they make. */
static int measure(dataset *d)
{
    const hid_t space = H5Dget_space(d->id);
    const int rank = H5Sget_simple_extent_ndims(space);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    d->length = points < 0 ? 0 : (size_t)points;
    return points < 0 ? -1 : rank;
}

/* A length is only a claim. Deflate makes at most 1032 bytes of one: an array that claims more than
 * its bytes can hold was not written to its end, and must not fill our memory. */
static bool is_stored(const dataset *d)
{
    const hsize_t most = 1032 * H5Dget_storage_size(d->id);
    return d->length <= most;
}

static bool check_dataset(const h5_reader *r, dataset *d, bool integers)
{
    const H5T_class_t class = class_of(d);
    if (class != H5T_INTEGER && (integers || class != H5T_FLOAT)) {
        return fclib_fail(r->error, FCLIB_WRONG, "%s: the data type is wrong, expected %s", d->path,
                          integers ? "whole numbers" : "real numbers");
    }
    const int rank = measure(d);
    if (rank < 0) return fail(r, d, "the size cannot be read");
    if (rank > 1) {
        return fclib_fail(r->error, FCLIB_WRONG, "%s: %d dimensions, expected 1", d->path, rank);
    }
    if (!is_stored(d)) {
        return fclib_fail(r->error, FCLIB_WRONG,
                          "%s: %zu numbers, but their data is not in the file", d->path, d->length);
    }
    return true;
}

static bool open_dataset(const h5_reader *r, dataset *d, const char *group, const char *name,
                         bool integers)
{
    snprintf(d->path, sizeof d->path, "%s/%s", group, name);
    if (!h5_reader_has(r, group) || !h5_reader_has(r, d->path)) {
        return fclib_fail(r->error, FCLIB_WRONG, "%s is missing", d->path);
    }
    d->id = H5Dopen2(r->file, d->path, H5P_DEFAULT);
    if (d->id < 0) return fail(r, d, "this is not a readable dataset");
    if (check_dataset(r, d, integers)) return true;
    H5Dclose(d->id);
    return false;
}

/* All of it in the memory type, 8 bytes each. NULL: the error says why. */
static void *read_all(const h5_reader *r, const dataset *d, hid_t memory_type)
{
    void *data = calloc(d->length + 1, 8);
    if (!data) {
        fclib_fail_memory(r->error);
    } else if (H5Dread(d->id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        fail(r, d, "the data cannot be read");
        free(data);
        data = NULL;
    }
    return data;
}

static bool read_array(const h5_reader *r, dataset *d, const char *group, const char *name,
                       bool integers, void **out)
{
    if (!open_dataset(r, d, group, name, integers)) return false;
    *out = read_all(r, d, integers ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
    H5Dclose(d->id);
    return *out != NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool h5_reader_integers(const h5_reader *r, const char *group, const char *name, int64_t **out,
                        size_t *length)
{
    dataset d;
    void *data = NULL;
    const bool good = read_array(r, &d, group, name, true, &data);
    *out = data;
    *length = good ? d.length : 0;
    return good;
}

bool h5_reader_integer(const h5_reader *r, const char *group, const char *name, int64_t *out)
{
    int64_t *data;
    size_t length;
    if (!h5_reader_integers(r, group, name, &data, &length)) return false;
    *out = data[0];
    free(data);
    if (length == 1) return true;
    return fclib_fail(r->error, FCLIB_WRONG, "%s/%s: %zu numbers, expected 1", group, name, length);
}

bool h5_reader_reals(const h5_reader *r, const char *group, const char *name, double **out,
                     size_t *length)
{
    dataset d;
    void *data = NULL;
    *length = 0;
    *out = NULL;
    if (!read_array(r, &d, group, name, false, &data)) return false;
    const double *number = data;
    for (size_t k = 0; k < d.length; k++) {
        if (isfinite(number[k])) continue;
        fclib_fail(r->error, FCLIB_WRONG, "%s: element %zu is %g, expected a finite number", d.path,
                   k, number[k]);
        free(data);
        return false;
    }
    *out = data;
    *length = d.length;
    return true;
}

bool h5_reader_vector(const h5_reader *r, const char *group, const char *name, size_t length,
                      double **out)
{
    size_t found;
    if (!h5_reader_reals(r, group, name, out, &found)) return false;
    if (found == length) return true;
    free(*out);
    *out = NULL;
    return fclib_fail(r->error, FCLIB_WRONG, "%s/%s: %zu numbers, expected %zu", group, name, found,
                      length);
}
