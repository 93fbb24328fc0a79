/* SPDX-License-Identifier: Apache-2.0
 *
 * Contact problems for tests, written dataset by dataset straight through HDF5, so that each can be
 * left out, replaced or spoilt. All of them are in one file, MAKER_FILE, of the temporary folder.
 */
#ifndef TESTS_PROBLEM_MAKER_H
#define TESTS_PROBLEM_MAKER_H

#include <stdbool.h>
#include <stddef.h>

#define MAKER_FILE "problem.hdf5"

typedef enum maker_layout { MAKER_COLUMNS = -1, MAKER_ROWS = -2, MAKER_TRIPLETS = 0 } maker_layout;

void maker_begin(void);

/* An absolute path; what was there is replaced. */
void maker_integers(const char *path, const int *data, size_t length);
void maker_integer(const char *path, int value);
void maker_reals(const char *path, const double *data, size_t length);
void maker_text(const char *path, const char *text);

/* Two dimensions, length x 1. */
void maker_column(const char *path, const double *data, size_t length);

/* A length without data. */
void maker_unwritten(const char *path, size_t length);

void maker_remove(const char *path);

/* A matrix given row by row, with its zeros left out; `group` is its path. */
void maker_matrix(const char *group, const double *dense, int rows, int cols, maker_layout layout);

#endif
