/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers out of an HDF5 file, each array checked as far as that goes without knowing what it
 * means: it is there, it holds numbers, it has one dimension, all its bytes are in the file. HDF5
 * itself stays silent; its own words become part of our errors.
 */
#ifndef STICTION_FCLIB_H5_READER_H
#define STICTION_FCLIB_H5_READER_H

#include "fclib.h"

#include <hdf5.h>
#include <stddef.h>

typedef struct h5_reader {
    hid_t file;
    fclib_error *error; /* every function that is false has filled it in */
} h5_reader;

bool h5_reader_open(h5_reader *r, const char *path, fclib_error *error);
void h5_reader_close(h5_reader *r);

bool h5_reader_has(const h5_reader *r, const char *path);

/* `name` in `group`, an absolute path. Single numbers are arrays of length 1 or scalars. */
bool h5_reader_integer(const h5_reader *r, const char *group, const char *name, int64_t *out);

/* Arrays of any length; to be freed. Reals are finite. */
bool h5_reader_integers(const h5_reader *r, const char *group, const char *name, int64_t **out,
                        size_t *length);
bool h5_reader_reals(const h5_reader *r, const char *group, const char *name, double **out,
                     size_t *length);

/* Reals of a known number. */
bool h5_reader_vector(const h5_reader *r, const char *group, const char *name, size_t length,
                      double **out);

#endif
