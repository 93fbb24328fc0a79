/* SPDX-License-Identifier: Apache-2.0 */
#include "problem_maker.h"

#include "support/temporary_folder.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

enum { MOST = 1024 };

void maker_begin(void)
{
    const hid_t file =
        H5Fcreate(temporary_path(MAKER_FILE), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    TEST_ASSERT_TRUE(file >= 0);
    H5Fclose(file);
}

static hid_t open_file(void)
{
    const hid_t file = H5Fopen(temporary_path(MAKER_FILE), H5F_ACC_RDWR, H5P_DEFAULT);
    TEST_ASSERT_TRUE(file >= 0);
    return file;
}

/* Every component of the path is a link of its own, and must be there before the next is asked
 * for. */
static bool exists(hid_t file, const char *path)
{
    char part[MOST];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file, path, H5P_DEFAULT) > 0;
}

/* Takes over `type` and `space`. */
static void put(const char *path, hid_t type, hid_t space, const void *data)
{
    const hid_t file = open_file(), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (exists(file, path)) H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    TEST_ASSERT_TRUE_MESSAGE(set >= 0, path);
    if (data) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
}

static hid_t line(size_t length)
{
    const hsize_t extent = length;
    return H5Screate_simple(1, &extent, NULL);
}

void maker_integers(const char *path, const int *data, size_t length)
{
    put(path, H5Tcopy(H5T_NATIVE_INT), line(length), data);
}

void maker_integer(const char *path, int value) { maker_integers(path, &value, 1); }

void maker_reals(const char *path, const double *data, size_t length)
{
    put(path, H5Tcopy(H5T_NATIVE_DOUBLE), line(length), data);
}

void maker_text(const char *path, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    put(path, type, H5Screate(H5S_SCALAR), text);
}

void maker_column(const char *path, const double *data, size_t length)
{
    const hsize_t extents[2] = {length, 1};
    put(path, H5Tcopy(H5T_NATIVE_DOUBLE), H5Screate_simple(2, extents, NULL), data);
}

void maker_unwritten(const char *path, size_t length)
{
    put(path, H5Tcopy(H5T_NATIVE_DOUBLE), line(length), NULL);
}

void maker_remove(const char *path)
{
    const hid_t file = open_file();
    TEST_ASSERT_TRUE_MESSAGE(H5Ldelete(file, path, H5P_DEFAULT) >= 0, path);
    H5Fclose(file);
}

/* ---- matrices -------------------------------------------------------------------------------- */

static const char *in(const char *group, const char *name)
{
    static char path[MOST];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return path;
}

void maker_matrix(const char *group, const double *dense, int rows, int cols, maker_layout layout)
{
    int starts[MOST] = {0}, inner[MOST], outer[MOST], count = 0;
    double values[MOST];
    const bool by_rows = layout == MAKER_ROWS;
    const int lines = by_rows ? rows : cols, across = by_rows ? cols : rows;
    for (int a = 0; a < lines; a++) {
        for (int b = 0; b < across; b++) {
            const double value = by_rows ? dense[a * cols + b] : dense[b * cols + a];
            if (value == 0.0) continue;
            outer[count] = a;
            inner[count] = b;
            values[count++] = value;
        }
        starts[a + 1] = count;
    }
    const size_t length = (size_t)count;
    maker_integer(in(group, "m"), rows);
    maker_integer(in(group, "n"), cols);
    maker_integer(in(group, "nzmax"), count);
    maker_integer(in(group, "nz"), layout == MAKER_TRIPLETS ? count : (int)layout);
    if (layout == MAKER_TRIPLETS) {
        maker_integers(in(group, "p"), outer, length);
    } else {
        maker_integers(in(group, "p"), starts, (size_t)lines + 1);
    }
    maker_integers(in(group, "i"), inner, length);
    maker_reals(in(group, "x"), values, length);
}
