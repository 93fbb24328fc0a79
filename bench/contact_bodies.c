/* SPDX-License-Identifier: Apache-2.0
 *
 * What Gauss-Seidel costs in the form of bodies, against the number of contacts (bench/fibres.h):
 * work and memory must grow linearly, and two threads must pay.
 *
 *     bench_contact_bodies [--json]
 *
 * A visit is one contact in one sweep that skips nothing. A few sweeps on one thread and a few on
 * two take turns, so that both meet the same noise; the first of each few are not timed, of the
 * others the fastest and the median count. Then from
 * a cold start to a relative residual of 1e-3 and 1e-4, with the settings of the product. The two
 * answers are compared bit by bit.
 */
#include "fibres.h"

#include "base/clock.h"
#include "contact/bodies_gs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, WARM_UP = 3, TIMED = 6 };

typedef struct row {
    uint32_t contacts, bodies;
    double ns[2], median_ns[2]; /* per visit, on one thread and on two */
    double bytes, pressed;
    uint32_t sweeps[2];    /* to 1e-3 and to 1e-4 */
    double seconds[2][2];  /* [tolerance][threads - 1] */
    bool equal, converged; /* for one thread and two; to both tolerances */
} row;

/* ---- the problem as the solver takes it ---- */

typedef struct source {
    bodies_body *body;
    bodies_contact *contact;
    bodies_source given;
} source;

static bool source_make(source *s, const fibres *f)
{
    *s = (source){calloc(f->bodies, sizeof *s->body),
                  calloc(f->contacts, sizeof *s->contact),
                  {f->bodies, f->contacts, NULL, NULL}};
    if (!s->body || !s->contact) return false;
    double *A = f->body_inertia, *v = f->body_velocity;
    for (uint32_t b = 0; b < f->bodies; b++) {
        const ldl_shape shape = ldl_dense(f->body_unknowns[b]);
        if (!ldl_factor(&shape, A, NULL)) return false;
        s->body[b] = (bodies_body){shape, A, v};
        A += shape.n * shape.n;
        v += shape.n;
    }
    const double *H = f->term_H;
    for (uint32_t i = 0; i < f->contacts; i++) {
        bodies_contact *c = &s->contact[i];
        *c = (bodies_contact){.side = {{BODIES_NONE, NULL}, {BODIES_NONE, NULL}},
                              .u_0 = v3_load(f->velocity + 3 * (size_t)i),
                              .mu = f->mu[i]};
        for (uint32_t t = f->term_start[i]; t < f->term_start[i + 1]; t++) {
            c->side[t - f->term_start[i]] = (bodies_side){f->term_target[t], H};
            H += 3 * (size_t)f->body_unknowns[f->term_target[t]];
        }
    }
    s->given.body = s->body;
    s->given.contact = s->contact;
    return true;
}

static void source_free(source *s) { free(s->body), free(s->contact); }

/* The system's memory, counted. */
static void *count_alloc(void *user, uint64_t size, uint64_t alignment)
{
    *(uint64_t *)user += size;
    return allocator_system.alloc(allocator_system.user, size, alignment);
}

static void count_release(void *user, void *memory, uint64_t size)
{
    *(uint64_t *)user -= size;
    allocator_system.release(allocator_system.user, memory, size);
}

/* ---- measurements ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_visits(bodies_gs *gs, pool *const threads[2], double *r, row *out)
{
    double ns[2][ROUNDS * TIMED];
    const uint32_t n = gs->p->contacts;
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < 2 * (WARM_UP + TIMED); k++) {
            const int t = k / (WARM_UP + TIMED), sample = k % (WARM_UP + TIMED) - WARM_UP;
            const double start = clock_now();
            bodies_gs_sweep(gs, threads[t], &local_table[0], 1.0, -1.0, r);
            if (sample < 0) continue;
            ns[t][round * TIMED + sample] = 1e9 * (clock_now() - start) / n;
        }
    }
    for (int t = 0; t < 2; t++) {
        qsort(ns[t], ROUNDS * TIMED, sizeof *ns[t], compare);
        out->ns[t] = ns[t][0];
        out->median_ns[t] = ns[t][ROUNDS * TIMED / 2];
    }
    for (size_t i = 0; i < n; i++) out->pressed += r[3 * i] > 0.0 ? 1.0 / n : 0.0;
}

/* From a cold start. */
static bool solve(bodies_gs *gs, pool *threads, double tolerance, double *r, row *out, int at)
{
    const int which = threads ? (int)pool_threads(threads) - 1 : 0;
    const solver_options options = {.tolerance = tolerance,
                                    .max_iterations = 20000,
                                    .local = &local_table[0],
                                    .threads = threads};
    solver_report report = {0};
    error err;
    memset(r, 0, 3 * (size_t)gs->p->contacts * sizeof *r);
    const double start = clock_now();
    if (bodies_gs_solve(gs, &options, &bodies_gs_default, r, &report, &err) < 0) return false;
    out->seconds[at][which] = clock_now() - start;
    out->sweeps[at] = report.iterations;
    return report.converged;
}

static void measure_solves(bodies_gs *gs, pool *const threads[2], double *r, double *again,
                           row *out)
{
    static const double tolerances[2] = {1e-3, 1e-4};
    out->equal = out->converged = true;
    for (int k = 0; k < 2; k++) {
        out->converged &= solve(gs, threads[0], tolerances[k], r, out, k);
        out->converged &= solve(gs, threads[1], tolerances[k], again, out, k);
        out->equal &= memcmp(r, again, 3 * (size_t)gs->p->contacts * sizeof *r) == 0;
    }
}

static bool measure(const fibres *f, pool *const threads[2], row *out)
{
    uint64_t bytes = 0;
    const allocator counted = {&bytes, count_alloc, count_release};
    source s;
    bodies_problem p;
    bodies_gs gs;
    error err;
    *out = (row){.contacts = f->contacts, .bodies = f->bodies};
    double *r = calloc(3 * (size_t)f->contacts, sizeof *r);
    double *again = calloc(3 * (size_t)f->contacts, sizeof *again);
    const bool made = r && again && source_make(&s, f) &&
                      bodies_problem_create(&p, &counted, &s.given, &err) == STATUS_OK;
    const bool ready = made && bodies_gs_create(&gs, &p, &err) == STATUS_OK;
    if (ready) {
        out->bytes = (double)bytes / f->contacts;
        measure_visits(&gs, threads, r, out);
        measure_solves(&gs, threads, r, again, out);
        bodies_gs_destroy(&gs);
    }
    if (made) bodies_problem_destroy(&p);
    if (r && again) source_free(&s);
    free(r), free(again);
    return ready;
}

/* ---- output ---- */

static void print_text(const row *x)
{
    printf(
        "%8u %7u  %5.1f %5.1f %5.2f  %5.1f %5.1f %5.2f  %6.0f %6.0f%%  %5u %7.4f %7.4f  %5u %7.4f "
        "%7.4f  %s%s\n",
        x->contacts, x->bodies, x->ns[0], x->ns[1], x->ns[0] / x->ns[1], x->median_ns[0],
        x->median_ns[1], x->median_ns[0] / x->median_ns[1], x->bytes, 100.0 * x->pressed,
        x->sweeps[0], x->seconds[0][0], x->seconds[0][1], x->sweeps[1], x->seconds[1][0],
        x->seconds[1][1], x->equal ? "equal" : "DIFFERENT", x->converged ? "" : ", NOT REACHED");
}

static void print_json(const row *x, bool first)
{
    printf("%s\n  {\"contacts\": %u, \"bodies\": %u, \"ns_per_visit\": [%.1f, %.1f], "
           "\"ns_per_visit_median\": [%.1f, %.1f], \"ratio\": %.2f, \"bytes_per_contact\": %.0f, "
           "\"pressed\": %.2f, \"sweeps_to_1e-3\": %u, \"seconds_to_1e-3\": [%.4f, %.4f], "
           "\"sweeps_to_1e-4\": %u, \"seconds_to_1e-4\": [%.4f, %.4f], \"equal_bits\": %s, "
           "\"converged\": %s}",
           first ? "[" : ",", x->contacts, x->bodies, x->ns[0], x->ns[1], x->median_ns[0],
           x->median_ns[1], x->ns[0] / x->ns[1], x->bytes, x->pressed, x->sweeps[0],
           x->seconds[0][0], x->seconds[0][1], x->sweeps[1], x->seconds[1][0], x->seconds[1][1],
           x->equal ? "true" : "false", x->converged ? "true" : "false");
}

static bool run(uint32_t contacts, pool *const threads[2], row *out)
{
    fibres f;
    const bool done = fibres_make(&f, contacts) && measure(&f, threads, out);
    fibres_free(&f);
    if (!done) fprintf(stderr, "%u contacts: out of memory\n", contacts);
    return done;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1000, 5000, 25000, 100000, 200000};
    const bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    pool *const threads[2] = {pool_create(&allocator_system, 1, NULL),
                              pool_create(&allocator_system, 2, NULL)};
    bool done = threads[0] && threads[1];
    if (!json) {
        printf("%8s %7s  %17s  %17s  %6s %7s  %21s  %21s\n", "", "", "best ns per visit", "median",
               "bytes/", "", "to 1e-3", "to 1e-4");
        printf("%8s %7s  %5s %5s %5s  %5s %5s %5s  %6s %7s  %5s %7s %7s  %5s %7s %7s\n", "contacts",
               "fibres", "1 thr", "2 thr", "ratio", "1 thr", "2 thr", "ratio", "cont.", "pressed",
               "swps", "1 thr s", "2 thr s", "swps", "1 thr s", "2 thr s");
    }
    for (size_t k = 0; done && k < sizeof sizes / sizeof *sizes; k++) {
        row x;
        done = run(sizes[k], threads, &x);
        if (done && json) print_json(&x, k == 0);
        if (done && !json) print_text(&x);
    }
    if (json) printf("\n]\n");
    for (int t = 0; t < 2; t++) pool_destroy(threads[t]);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
