/* SPDX-License-Identifier: Apache-2.0
 *
 * Local and global problems out of a file.
 */
#include "blocks.h"
#include "condense.h"
#include "matrix.h"
#include "system.h"

#include <inttypes.h>
#include <stdlib.h>

static bool check_dimension(const h5_reader *r, const char *group)
{
    int64_t dimension;
    if (!h5_reader_integer(r, group, "spacedim", &dimension)) return false;
    if (dimension == 3) return true;
    if (dimension == 2) {
        return fclib_fail(r->error, FCLIB_WRONG,
                          "%s/spacedim is 2: 2-D problems are not supported, expected 3", group);
    }
    return fclib_fail(r->error, FCLIB_WRONG, "%s/spacedim is %" PRId64 ", expected 3", group,
                      dimension);
}

/* Joints between bodies, which FCLIB has room for. */
static bool check_no_joints(const h5_reader *r, const char *path)
{
    if (!h5_reader_has(r, path)) return true;
    return fclib_fail(r->error, FCLIB_WRONG,
                      "%s: problems with bilateral constraints are not supported", path);
}

/* Of a matrix whose columns are contacts'. */
static bool check_columns(const h5_reader *r, const char *group, const sparse *a)
{
    if (a->cols % 3 == 0) return true;
    return fclib_fail(r->error, FCLIB_WRONG, "%s/n is %u, expected a multiple of 3", group,
                      a->cols);
}

static bool check_rows(const h5_reader *r, const char *group, const sparse *a, uint32_t rows)
{
    if (a->rows == rows) return true;
    return fclib_fail(r->error, FCLIB_WRONG, "%s/m is %u, expected %u", group, a->rows, rows);
}

static bool read_mu(const h5_reader *r, const char *group, uint32_t contacts, double **mu)
{
    if (!h5_reader_vector(r, group, "mu", contacts, mu)) return false;
    for (uint32_t i = 0; i < contacts; i++) {
        if ((*mu)[i] >= 0.0) continue;
        return fclib_fail(r->error, FCLIB_WRONG, "%s/mu: element %u is %g, expected 0 or more",
                          group, i, (*mu)[i]);
    }
    return true;
}

/* ---- local ----------------------------------------------------------------------------------- */

static bool finish_local(const h5_reader *r, const sparse *W, fclib_problem *out)
{
    return check_columns(r, "/fclib_local/W", W) && check_rows(r, "/fclib_local/W", W, W->cols) &&
           h5_reader_vector(r, "/fclib_local/vectors", "q", W->cols, &out->b) &&
           read_mu(r, "/fclib_local/vectors", W->cols / 3, &out->mu) &&
           blocks_from_sparse(out, W, r->error);
}

static bool read_local(const h5_reader *r, fclib_problem *out)
{
    sparse W = {0};
    const bool good = check_dimension(r, "/fclib_local") && check_no_joints(r, "/fclib_local/V") &&
                      check_no_joints(r, "/fclib_local/R") &&
                      matrix_read(r, "/fclib_local/W", &W) && finish_local(r, &W, out);
    sparse_free(&W);
    return good;
}

/* ---- global ---------------------------------------------------------------------------------- */

typedef struct global {
    sparse M, H;
    double *f;
} global;

static bool read_matrices(const h5_reader *r, global *g)
{
    return matrix_read(r, "/fclib_global/M", &g->M) &&
           check_rows(r, "/fclib_global/M", &g->M, g->M.cols) &&
           matrix_read(r, "/fclib_global/H", &g->H) &&
           check_rows(r, "/fclib_global/H", &g->H, g->M.cols) &&
           check_columns(r, "/fclib_global/H", &g->H);
}

/* w and mu belong to what becomes of it. */
static bool read_parts(const h5_reader *r, global *g, double **w, double **mu)
{
    return check_dimension(r, "/fclib_global") && check_no_joints(r, "/fclib_global/G") &&
           read_matrices(r, g) &&
           h5_reader_vector(r, "/fclib_global/vectors", "f", g->M.cols, &g->f) &&
           h5_reader_vector(r, "/fclib_global/vectors", "w", g->H.cols, w) &&
           read_mu(r, "/fclib_global/vectors", g->H.cols / 3, mu);
}

static void global_free(global *g)
{
    sparse_free(&g->M);
    sparse_free(&g->H);
    free(g->f);
}

static bool read_global(const h5_reader *r, fclib_problem *out)
{
    global g = {0};
    sparse W = {0};
    const bool good = read_parts(r, &g, &out->b, &out->mu) &&
                      condense_problem(&W, out->b, &g.M, &g.H, g.f, "/fclib_global/M", r->error) &&
                      blocks_from_sparse(out, &W, r->error);
    sparse_free(&W);
    global_free(&g);
    return good;
}

static bool read_system(const h5_reader *r, fclib_system *out)
{
    if (!h5_reader_has(r, "/fclib_global")) {
        return fclib_fail(r->error, FCLIB_WRONG,
                          "the file does not hold a problem in global form, which solvers without "
                          "W need; expected the group /fclib_global");
    }
    global g = {0};
    const bool good = read_parts(r, &g, &out->velocity, &out->mu) &&
                      system_from_global(out, &g.M, &g.H, g.f, "/fclib_global/M", r->error);
    global_free(&g);
    return good;
}

/* ---- either ---------------------------------------------------------------------------------- */

static bool read_any(const h5_reader *r, fclib_problem *out)
{
    if (h5_reader_has(r, "/fclib_local")) return read_local(r, out);
    if (h5_reader_has(r, "/fclib_global")) return read_global(r, out);
    return fclib_fail(r->error, FCLIB_WRONG,
                      "the HDF5 file holds no contact problem, expected the group /fclib_local or "
                      "/fclib_global");
}

bool fclib_read(const char *path, fclib_problem *out, fclib_error *error)
{
    *out = (fclib_problem){0};
    h5_reader r;
    if (!h5_reader_open(&r, path, error)) return false;
    const bool good = read_any(&r, out);
    h5_reader_close(&r);
    if (!good) fclib_free(out);
    return good;
}

bool fclib_read_system(const char *path, fclib_system *out, fclib_error *error)
{
    *out = (fclib_system){0};
    h5_reader r;
    if (!h5_reader_open(&r, path, error)) return false;
    const bool good = read_system(&r, out);
    h5_reader_close(&r);
    if (!good) fclib_free_system(out);
    return good;
}
