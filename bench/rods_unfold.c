/* SPDX-License-Identifier: Apache-2.0
 *
 * The experiment of paper 003, Figure 2.6: a naturally curly rod, clamped, unfolds and falls under
 * gravity. For every model and resolution: how far the equilibrium is from that of a fine
 * super-clothoid, and how long the fall takes to compute.
 *
 *     bench_rods_unfold [results.json]
 *
 * The rod is 1 m long with three turns of natural curl, its weight w L^3 / B is 100, and it falls
 * for 4 s in steps of 4 ms, with drag. That is what is timed, and the fastest of three falls is
 * printed; the last one goes on untimed until it rests.
 */
#include "base/clock.h"
#include "rods/rod.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, POINTS = 64, FALL = 1000, FALLS = 3, REST_MOST = 20000, REFERENCE = 96 };

static const double STEP = 4e-3, RESTING = 1e-9; /* s; m/s or 1/(m s) */

static const struct {
    const char *model;
    uint32_t elements[6];
} series[] = {
    {"super-clothoid", {2, 4, 8, 16, 32}},
    {"super-helix", {4, 8, 16, 32, 64}},
    {"discrete-elastic-rod", {8, 16, 32, 64, 128, 256}},
};

typedef struct fall {
    body_group *g;
    double *state, *work, *v;
    body_input in;
} fall;

typedef struct row {
    const char *model;
    uint32_t elements, unknowns;
    double error, milliseconds;
    bool rests;
} row;

static bool hang(fall *f, const char *model, uint32_t elements)
{
    static double lengths[MOST], natural[3 * MOST];
    const rod_model *m = rod_model_find(model);
    const pose root = pose_identity();
    const rod_material material = {.density = 0.01,
                                   .bend = {1e-3, 1e-3},
                                   .twist = 1e-3,
                                   .stretch = 1e5,
                                   .radius = 1e-3,
                                   .damping = 0.02,
                                   .drag = 0.05};
    for (uint32_t e = 0; e < elements; e++) {
        lengths[e] = 1.0 / elements;
        v3_store(natural + 3 * e, (v3){6.0, 0.0, 18.0}); /* |k| = 19 = 3 turns */
    }
    const rods_source source = {.name = "curl",
                                .rods = 1,
                                .elements = elements,
                                .lengths = lengths,
                                .natural = natural,
                                .material = &material};
    error err;
    *f = (fall){.in = {.h = STEP, .gravity = {0.0, -10.0, 0.0}}};
    if (!m || m->create(&source, &allocator_system, &f->g, &err) < 0) return false;
    f->state = calloc(f->g->state_count, sizeof(double));
    f->work = calloc(f->g->work_count, sizeof(double));
    f->v = calloc(f->g->unknowns, sizeof(double));
    if (!f->state || !f->work || !f->v) return false;
    m->place(f->g, &root, NULL, f->state);
    return true;
}

static void let_go(fall *f)
{
    body_group_destroy(f->g);
    free(f->state);
    free(f->work);
    free(f->v);
}

static void step(fall *f)
{
    body_predict(f->g, &f->in, f->state, f->work, 0, 1);
    memcpy(f->v, body_v_free(f->g, f->work, 0), f->g->unknowns * sizeof *f->v);
    body_correct(f->g, &f->in, f->state, f->work, f->v, f->state, 0, 1);
}

static bool is_resting(const fall *f)
{
    for (uint32_t i = 0; i < f->g->unknowns; i++) {
        if (!(fabs(f->v[i]) <= RESTING)) return false;
    }
    return true;
}

static v3 point(const fall *f, int i)
{
    return body_find_place(f->g, f->state, 0, (v3){(i + 1.0) / POINTS, 0.0, 0.0}).position;
}

static double time_fall(fall *f)
{
    const double start = clock_now();
    for (int i = 0; i < FALL; i++) step(f);
    return 1e3 * (clock_now() - start);
}

/* The fastest of several falls; the last one goes on until it rests. */
static bool run(const char *model, uint32_t elements, row *out, v3 places[POINTS])
{
    fall f;
    *out = (row){.model = model, .elements = elements, .milliseconds = INFINITY};
    for (int k = 0; k < FALLS; k++) {
        if (k > 0) let_go(&f);
        if (!hang(&f, model, elements)) return false;
        out->milliseconds = fmin(out->milliseconds, time_fall(&f));
    }
    out->unknowns = f.g->unknowns;
    for (int i = 0; i < REST_MOST && !out->rests; i++) {
        step(&f);
        out->rests = is_resting(&f);
    }
    for (int i = 0; i < POINTS; i++) places[i] = point(&f, i);
    let_go(&f);
    return true;
}

static double farthest(const v3 *a, const v3 *b)
{
    double most = 0.0;
    for (int i = 0; i < POINTS; i++) most = fmax(most, v3_norm(v3_sub(a[i], b[i])));
    return most;
}

static void write_row(FILE *json, const row *r, bool first)
{
    if (!json) return;
    fprintf(json,
            "%s\n    {\"model\": \"%s\", \"elements\": %u, \"unknowns\": %u, \"error\": %.3e, "
            "\"milliseconds\": %.3f, \"rests\": %s}",
            first ? "" : ",", r->model, r->elements, r->unknowns, r->error, r->milliseconds,
            r->rests ? "true" : "false");
}

static bool compare(FILE *json, const v3 reference[POINTS])
{
    v3 places[POINTS];
    row r;
    for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
        for (size_t i = 0; i < 6 && series[k].elements[i]; i++) {
            if (!run(series[k].model, series[k].elements[i], &r, places)) return false;
            r.error = farthest(places, reference);
            printf("%-22s %9u %9u %12.3e %12.2f%s\n", r.model, r.elements, r.unknowns, r.error,
                   r.milliseconds, r.rests ? "" : "  not at rest");
            write_row(json, &r, k == 0 && i == 0);
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    v3 reference[POINTS];
    row fine;
    FILE *json = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !json) {
        fprintf(stderr, "%s cannot be written\n", argv[1]);
        return 1;
    }
    printf("%-22s %9s %9s %12s %12s\n", "model", "elements", "unknowns", "error (m)", "fall (ms)");
    if (json) fprintf(json, "{\n  \"rows\": [");
    bool done = run("super-clothoid", REFERENCE, &fine, reference) && compare(json, reference);
    if (json) {
        fprintf(json, "\n  ]\n}\n");
        done = fclose(json) == 0 && done;
    }
    return done ? 0 : 1;
}
