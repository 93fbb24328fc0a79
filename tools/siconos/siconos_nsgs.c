/* SPDX-License-Identifier: Apache-2.0
 *
 * Side by side with Siconos: its nonsmooth Gauss-Seidel (NSGS, default local solver) and our default
 * solver on the same problems, on one thread, from r = 0 to the same worst-contact residual.
 *
 * Siconos stops by a norm over all contacts. Its tolerance is therefore halved until the answer is
 * good by our residual, then refined, and only runs with the tolerance that was found are timed. The
 * runs of both alternate, so that a busy machine slows both.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>

#include "../stiction/fclib/fclib.h"

enum { CONTACTS_LEAST = 200, ROUNDS = 5, FIRST_SWEEPS = 16000, REFINEMENTS = 3 };
static const double TARGET = 1e-5;         /* relative to the largest |b_i| */
static const double SECONDS_ENOUGH = 20.0; /* a run of Siconos that takes longer is given up */
static const double TOLERANCE_LEAST = 1e-16;

typedef struct contest {
    const stn_ext_contact *contact;
    stn_contact_problem problem;
    FrictionContactProblem *siconos;
    double *r, *u;
    double tolerance; /* of Siconos */
    int sweeps_most;
    int sweeps; /* of its last run */
    double seconds_last;
} contest;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *must_have(void *memory)
{
    if (memory) return memory;
    fprintf(stderr, "siconos_nsgs: error: out of memory\n");
    exit(EXIT_FAILURE);
}

/* ---- the problem as Siconos wants it --------------------------------------------------------- */

/* Blocks column by column; block sizes are summed up. */
static SparseBlockStructuredMatrix *make_blocks(const stn_contact_problem *p)
{
    const unsigned n = p->contacts, count = p->row_start[n];
    SparseBlockStructuredMatrix *s = must_have(SBM_new());
    s->nbblocks = count;
    s->blocknumber0 = s->blocknumber1 = n;
    s->blocksize0 = must_have(malloc(n * sizeof *s->blocksize0));
    s->blocksize1 = must_have(malloc(n * sizeof *s->blocksize1));
    for (unsigned i = 0; i < n; i++) s->blocksize0[i] = s->blocksize1[i] = 3 * (i + 1);
    s->filled1 = (size_t)n + 1;
    s->filled2 = count;
    s->index1_data = must_have(malloc(s->filled1 * sizeof *s->index1_data));
    s->index2_data = must_have(malloc(s->filled2 * sizeof *s->index2_data));
    s->block = must_have(malloc(count * sizeof *s->block));
    for (unsigned i = 0; i <= n; i++) s->index1_data[i] = p->row_start[i];
    for (unsigned k = 0; k < count; k++) {
        s->index2_data[k] = p->col[k];
        s->block[k] = must_have(malloc(9 * sizeof(double)));
        for (size_t e = 0; e < 9; e++)
            s->block[k][e] = p->blocks[9 * (size_t)k + e % 3 * 3 + e / 3];
    }
    return s;
}

/* Siconos frees what it is given. */
static double *copy_of(const double *numbers, size_t count)
{
    double *copy = must_have(malloc(count * sizeof *copy));
    memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

static FrictionContactProblem *make_siconos(const stn_contact_problem *p)
{
    const int n = (int)p->contacts;
    NumericsMatrix *M = must_have(NM_create(NM_SPARSE_BLOCK, 3 * n, 3 * n));
    M->matrix1 = make_blocks(p);
    return must_have(frictionContactProblem_new_with_data(
        3, n, M, copy_of(p->b, 3 * (size_t)p->contacts), copy_of(p->mu, p->contacts)));
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void start_cold(contest *c)
{
    const size_t size = 3 * (size_t)c->problem.contacts * sizeof(double);
    memset(c->r, 0, size);
    memset(c->u, 0, size);
}

static double time_siconos(contest *c)
{
    SolverOptions *options = must_have(solver_options_create(SICONOS_FRICTION_3D_NSGS));
    options->dparam[SICONOS_DPARAM_TOL] = c->tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = c->sweeps_most;
    int info = 1; /* "not solved yet"; with 0 it returns at once */
    start_cold(c);
    const double start = now();
    fc3d_nsgs(c->siconos, c->r, c->u, &info, options);
    const double seconds = now() - start;
    c->sweeps = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    return seconds;
}

/* With everything that the public call does besides, as copying the problem. */
static double time_auto(contest *c, stn_contact_result *result)
{
    const stn_contact_options options = {
        .struct_size = sizeof options, .threads = 1, .solver = "auto", .tolerance = TARGET};
    *result = (stn_contact_result){.struct_size = sizeof *result};
    start_cold(c);
    const double start = now();
    c->contact->solve(&c->problem, &options, c->r, c->u, result);
    return now() - start;
}

/* Gauss-Seidel looks at the residual before its first sweep: a start that is good enough stays as
 * it is. */
static bool is_good(const contest *c)
{
    const stn_contact_options options = {.struct_size = sizeof options,
                                         .threads = 1,
                                         .solver = "gauss-seidel",
                                         .tolerance = TARGET,
                                         .max_iterations = 1};
    stn_contact_result result = {.struct_size = sizeof result};
    const stn_status status = c->contact->solve(&c->problem, &options, c->r, c->u, &result);
    return status == STN_OK && result.iterations == 0;
}

static bool reaches(contest *c, double tolerance)
{
    c->tolerance = tolerance;
    c->seconds_last = time_siconos(c);
    return is_good(c);
}

/* Not much smaller than the largest tolerance whose answer is good, so that Siconos does no work
 * beyond what is asked; false: given up. */
static bool find_tolerance(contest *c)
{
    c->sweeps_most = FIRST_SWEEPS;
    double good = 1e-3;
    while (!reaches(c, good)) {
        const bool cut_short = c->sweeps >= c->sweeps_most;
        if (good < TOLERANCE_LEAST || (cut_short && c->seconds_last > SECONDS_ENOUGH)) return false;
        if (cut_short) c->sweeps_most *= 4;
        if (!cut_short) good *= 0.5;
    }
    double bad = 2.0 * good;
    for (int i = 0; i < REFINEMENTS; i++) {
        const double middle = sqrt(good * bad);
        *(reaches(c, middle) ? &good : &bad) = middle;
    }
    c->tolerance = good;
    return true;
}

/* ---- report ---------------------------------------------------------------------------------- */

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds)
{
    qsort(seconds, ROUNDS, sizeof *seconds, compare_reals);
    return seconds[ROUNDS / 2];
}

/* Where Siconos does not get there, the time that it took in vain bounds the ratio. */
static void compete(contest *c, const char *name)
{
    double theirs[ROUNDS], ours[ROUNDS];
    stn_contact_result result;
    const bool found = find_tolerance(c);
    for (int i = 0; i < ROUNDS; i++) {
        theirs[i] = found ? time_siconos(c) : c->seconds_last;
        ours[i] = time_auto(c, &result);
    }
    const double a = median(theirs), b = median(ours);
    const char *more = found ? " " : ">";
    printf("%-24s %9u %9d %s%11.3f %9llu %11.3f ", name, c->problem.contacts, c->sweeps, more,
           1e3 * a, (unsigned long long)result.iterations, 1e3 * b);
    if (result.converged) printf("%s%7.1f\n", more, a / b);
    if (!result.converged) puts("auto MISSED");
    fflush(stdout);
}

static bool compete_on(const stn_ext_contact *contact, const char *path)
{
    fclib_problem problem;
    fclib_error error;
    if (!fclib_read(path, &problem, &error)) {
        fprintf(stderr, "siconos_nsgs: error: %s: %s\n", path, error.text);
        return false;
    }
    if (problem.contacts > CONTACTS_LEAST) {
        const size_t numbers = 3 * (size_t)problem.contacts;
        contest c = {.contact = contact, .problem = fclib_view(&problem)};
        c.siconos = make_siconos(&c.problem);
        c.r = must_have(calloc(numbers, sizeof *c.r));
        c.u = must_have(calloc(numbers, sizeof *c.u));
        const char *slash = strrchr(path, '/');
        compete(&c, slash ? slash + 1 : path);
        frictionContactProblem_free(c.siconos);
        free(c.r);
        free(c.u);
    }
    fclib_free(&problem);
    return true;
}

int main(int argc, char **argv)
{
    const stn_api *api = stn_get_api(STN_ABI_VERSION);
    const stn_ext_contact *contact = api ? api->get_extension(STN_EXT_CONTACT) : NULL;
    if (argc < 2 || !contact) {
        fprintf(stderr,
                "usage: siconos_nsgs FILE...\n"
                "Compares on those problems that have more than %d contacts. Set\n"
                "OPENBLAS_NUM_THREADS=1, so that Siconos has one thread as well.\n",
                CONTACTS_LEAST);
        return 2;
    }
    printf("%-24s %9s %9s %12s %9s %11s %8s\n", "problem", "contacts", "sweeps", "Siconos ms",
           "iter.", "auto ms", "ratio");
    bool good = true;
    for (int i = 1; i < argc; i++) good = compete_on(contact, argv[i]) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
