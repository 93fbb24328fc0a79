/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction fit FILE: how well strands of points become rods, as they do when hair is made of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "fit/fitted.h"
#include "fit/strands.h"
#include "save.h"
#include "text.h"

typedef struct fit_job {
    const cli *c;
    const char *path;
    const stn_ext_rods *rods;
    strands strands;
    fitted *fitted; /* [strands.count] */
    uint32_t elements;
    double accuracy;
} fit_job;

static uint64_t point_count(const fit_job *job, size_t strand)
{
    return job->strands.end[strand] - strands_begin(&job->strands, strand);
}

static int fit_all(fit_job *job)
{
    for (size_t k = 0; k < job->strands.count; k++) {
        const double *points = job->strands.points + 3 * strands_begin(&job->strands, k);
        const stn_status status = fitted_find(job->rods, points, point_count(job, k), job->elements,
                                              job->accuracy, &job->fitted[k]);
        if (status < 0) {
            return cli_fail(job->c, cli_exit_code(status), "%s, strand %zu: %s", job->path, k + 1,
                            job->rods->last_error());
        }
    }
    return CLI_GO_ON;
}

/* ---- what was found ---- */

typedef struct fit_total {
    uint64_t elements, merged, unmatched, missed; /* missed: strands off by more than was wanted */
    double length, mean, worst;
    size_t worst_strand;
} fit_total;

static fit_total sum_up(const fit_job *job)
{
    fit_total sum = {0};
    for (size_t k = 0; k < job->strands.count; k++) {
        const fitted *f = &job->fitted[k];
        sum.elements += f->elements;
        sum.merged += f->fit.merged;
        sum.unmatched += f->fit.unmatched;
        sum.missed += job->accuracy > 0.0 && f->fit.error > job->accuracy;
        sum.length += f->fit.length;
        sum.mean += f->fit.error / (double)job->strands.count;
        if (f->fit.error < sum.worst) continue;
        sum.worst = f->fit.error;
        sum.worst_strand = k;
    }
    return sum;
}

static int print_json(const fit_job *job, const fit_total *sum)
{
    json_t *rows = json_array();
    for (size_t k = 0; k < job->strands.count; k++) {
        const fitted *f = &job->fitted[k];
        json_array_append_new(rows, json_pack("{s:I, s:i, s:f, s:f, s:i, s:i}", "points",
                                              (json_int_t)point_count(job, k), "elements",
                                              (int)f->elements, "length", f->fit.length, "error",
                                              f->fit.error, "merged", (int)f->fit.merged,
                                              "unmatched", (int)f->fit.unmatched));
    }
    return cli_print_json(
        job->c, json_pack("{s:o, s:I, s:f, s:f, s:f, s:I, s:I, s:I}", "strands", rows, "elements",
                          (json_int_t)sum->elements, "length", sum->length, "mean_error", sum->mean,
                          "worst_error", sum->worst, "merged", (json_int_t)sum->merged, "unmatched",
                          (json_int_t)sum->unmatched, "missed", (json_int_t)sum->missed));
}

static void print_text(const fit_job *job, const fit_total *sum)
{
    printf("strand   points elements   length (m)    error (m)\n");
    for (size_t k = 0; k < job->strands.count; k++) {
        const fitted *f = &job->fitted[k];
        printf("%6zu %8llu %8u %12s %12s\n", k + 1, (unsigned long long)point_count(job, k),
               f->elements, text_real(f->fit.length).s, text_real(f->fit.error).s);
    }
    printf("%s, %s, %s m in all\n", text_plural(job->strands.count, "strand").s,
           text_plural(sum->elements, "element").s, text_real(sum->length).s);
    printf("error: %s m in the mean, at most %s m (strand %zu)\n", text_real(sum->mean).s,
           text_real(sum->worst).s, sum->worst_strand + 1);
    if (sum->merged) printf("%s on the one before left out\n", text_plural(sum->merged, "point").s);
    if (sum->unmatched) {
        printf("%s that no helix fits left straight\n", text_plural(sum->unmatched, "element").s);
    }
}

/* ---- fitted points ---- */

/* As many points as the strand had. */
static const char *write_strand(const fit_job *job, size_t k, FILE *file)
{
    const uint64_t count = point_count(job, k);
    double *points = malloc(count * 3 * sizeof *points);
    if (!points) return "not enough memory";
    const stn_status status = fitted_sample(job->rods, &job->fitted[k], count, points);
    for (uint64_t i = 0; i < count && status >= 0; i++) {
        const double *x = points + 3 * i;
        fprintf(file, "v %s %s %s\n", text_exact(x[0]).s, text_exact(x[1]).s, text_exact(x[2]).s);
    }
    if (status >= 0) fputs("l", file);
    for (uint64_t i = 0; i < count && status >= 0; i++) {
        fprintf(file, " -%llu", (unsigned long long)(count - i));
    }
    fputs("\n", file);
    free(points);
    return status < 0 ? job->rods->last_error() : NULL;
}

static const char *write_obj(const char *path, void *user)
{
    const fit_job *job = user;
    FILE *file = fopen(path, "w");
    if (!file) return "it cannot be opened";
    const char *problem = NULL;
    for (size_t k = 0; k < job->strands.count && !problem; k++) {
        problem = write_strand(job, k, file);
    }
    const bool whole = !ferror(file);
    return fclose(file) == 0 && whole ? problem : "it cannot be written";
}

/* ---- the command ---- */

static int report(fit_job *job, const char *path)
{
    int code = fit_all(job);
    if (code == CLI_GO_ON && path) code = save_file(job->c, path, write_obj, job);
    if (code != CLI_GO_ON && code != CLI_DONE) return code;
    const fit_total sum = sum_up(job);
    if (sum.missed) {
        cli_warn(job->c, "%s not as near as %s m with %u elements",
                 text_plural(sum.missed, "strand").s, text_real(job->accuracy).s, job->elements);
    }
    if (job->c->json) return print_json(job, &sum);
    print_text(job, &sum);
    return CLI_DONE;
}

static int check_options(const cli *c, uint32_t *elements, double accuracy)
{
    if (!(accuracy >= 0.0)) return cli_fail_usage(c, "--accuracy wants a length of 0 or more");
    if (*elements == 0) *elements = accuracy > 0.0 ? 64 : 8;
    if (*elements <= FITTED_MOST) return CLI_GO_ON;
    return cli_fail_usage(c, "--elements wants 1 to %d", FITTED_MOST);
}

static int fit_run(cli *c, int argc, char **argv)
{
    const char *path = NULL, *out = NULL;
    fit_job job = {.c = c};
    const cli_option options[] = {
        {"elements", 'n', CLI_COUNT, &job.elements, "N",
         "helices in a strand (8; with --accuracy at most 64)"},
        {"accuracy", 'a', CLI_REAL, &job.accuracy, "METRES",
         "as few helices as keep every point as near"},
        {"out", 'o', CLI_TEXT, &out, "FILE", "write the fitted points there, as OBJ polylines"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], &path, 1, 1};
    int code = cli_parse(c, &syntax, argc, argv);
    if (code == CLI_GO_ON) code = check_options(c, &job.elements, job.accuracy);
    if (code != CLI_GO_ON) return code;
    job.rods = c->api->get_extension(STN_EXT_RODS);
    if (!job.rods) return cli_fail(c, CLI_SIMULATION, "the library lacks " STN_EXT_RODS);
    job.path = path;
    code = strands_read(c, path, &job.strands);
    if (code != CLI_GO_ON) return code;
    job.fitted = calloc(job.strands.count, sizeof *job.fitted);
    code = job.fitted ? report(&job, out) : cli_fail(c, CLI_SIMULATION, "not enough memory");
    free(job.fitted);
    strands_free(&job.strands);
    return code;
}

const cli_command cmd_fit = {
    .name = "fit",
    .arguments = "FILE",
    .summary = "how well strands of points become rods",
    .help = "Hair is made of piecewise helices. This reads strands from FILE (polylines of an OBJ\n"
            "file, or lines of three numbers with an empty line between strands, root first),\n"
            "fits helices to them as a scene does, and prints how far the points are off.\n"
            "Lengths are in metres.",
    .examples = "fit strands.obj\n"
                "# how many helices does a tenth of a millimetre need?\n"
                "fit strands.obj --accuracy 1e-4 --out fitted.obj",
    .run = fit_run,
};
