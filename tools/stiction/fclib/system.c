/* SPDX-License-Identifier: Apache-2.0 */
#include "system.h"

#include "blocks.h"
#include "components.h"
#include "envelope.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BODY = 256 }; /* unknowns of a body, whose inertia is dense */

typedef struct given {
    const sparse *M;
    const double *f;
    const char *name;
} given;

/* Where each unknown of the file is in the system. */
typedef struct places {
    uint32_t *target, *local; /* [unknowns] a body or node, and which of its unknowns */
    size_t *start;            /* [bodies] where its inertia begins */
} places;

static bool places_create(places *p, uint32_t count)
{
    *p = (places){malloc(((size_t)count + 1) * sizeof *p->target),
                  malloc(((size_t)count + 1) * sizeof *p->local),
                  malloc(((size_t)count + 1) * sizeof *p->start)};
    return p->target && p->local && p->start;
}

static void places_free(places *p)
{
    free(p->target);
    free(p->local);
    free(p->start);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static uint32_t largest_component(const components *c, uint32_t count)
{
    uint32_t largest = 0;
    for (uint32_t begin = 0; begin < count; begin = c->end[begin]) {
        const uint32_t size = c->end[begin] - begin;
        if (size > largest) largest = size;
    }
    return largest;
}

/* The unknowns of a body are in successive places. Returns how many numbers all inertias have. */
static size_t list_bodies(fclib_system *out, places *p, const components *c, uint32_t count,
                          uint32_t *at_place)
{
    size_t numbers = 0;
    for (uint32_t i = 0; i < count; i++) at_place[c->place[i]] = i;
    for (uint32_t begin = 0; begin < count; begin = c->end[begin]) {
        const uint32_t body = out->bodies++, size = c->end[begin] - begin;
        for (uint32_t k = 0; k < size; k++) {
            p->target[at_place[begin + k]] = body;
            p->local[at_place[begin + k]] = k;
        }
        out->body_unknowns[body] = size;
        p->start[body] = numbers;
        numbers += (size_t)size * size;
    }
    return numbers;
}

static void fill_inertia(fclib_system *out, const places *p, const sparse *M)
{
    for (uint32_t j = 0; j < M->cols; j++) {
        const uint32_t body = p->target[j];
        double *A = out->body_inertia + p->start[body];
        for (size_t k = M->start[j]; k < M->start[j + 1]; k++) {
            A[(size_t)p->local[M->row[k]] * out->body_unknowns[body] + p->local[j]] = M->value[k];
        }
    }
}

/* M^-1 f, place by place, which is body by body. */
static bool fill_velocity(fclib_system *out, const given *g, const components *c,
                          fclib_error *error)
{
    envelope L;
    if (!envelope_factor(&L, g->M, c->place, g->name, error)) return false;
    for (uint32_t i = 0; i < g->M->cols; i++) out->body_velocity[c->place[i]] = g->f[i];
    envelope_forward(&L, 0, g->M->cols, out->body_velocity);
    envelope_backward(&L, out->body_velocity);
    envelope_free(&L);
    return true;
}

static bool make_bodies(fclib_system *out, places *p, const given *g, const components *c,
                        fclib_error *error)
{
    const size_t count = g->M->cols;
    uint32_t *at_place = malloc((count + 1) * sizeof *at_place);
    out->body_unknowns = malloc((count + 1) * sizeof *out->body_unknowns);
    out->body_velocity = malloc((count + 1) * sizeof *out->body_velocity);
    if (at_place && out->body_unknowns) {
        const size_t numbers = list_bodies(out, p, c, g->M->cols, at_place);
        out->body_inertia = calloc(numbers + 1, sizeof *out->body_inertia);
    }
    free(at_place);
    if (!out->body_inertia || !out->body_velocity) return fclib_fail_memory(error);
    fill_inertia(out, p, g->M);
    return fill_velocity(out, g, c, error);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool make_nodes(fclib_system *out, places *p, const given *g, fclib_error *error)
{
    const uint32_t count = g->M->cols;
    out->nodes = count / 3;
    for (uint32_t i = 0; i < count; i++) {
        p->target[i] = i / 3;
        p->local[i] = i % 3;
    }
    fclib_problem A = {0};
    const bool good = blocks_from_sparse(&A, g->M, error);
    out->row_start = A.row_start;
    out->col = A.col;
    out->blocks = A.blocks;
    if (!good) return false;
    out->force = malloc(((size_t)count + 1) * sizeof *out->force);
    if (!out->force) return fclib_fail_memory(error);
    memcpy(out->force, g->f, count * sizeof *out->force);
    return true;
}

static bool make_targets(fclib_system *out, places *p, const given *g, const components *c,
                         fclib_error *error)
{
    const uint32_t count = g->M->cols, largest = largest_component(c, count);
    const bool by_three = count % 3 == 0;
    if (largest <= MOST_BODY && (largest > 3 || !by_three)) {
        return make_bodies(out, p, g, c, error);
    }
    if (by_three) return make_nodes(out, p, g, error);
    return fclib_fail(
        error, FCLIB_WRONG,
        "%s couples %u unknowns and has %u rows, expected at most %d that are coupled "
        "or a multiple of 3 rows",
        g->name, largest, count, MOST_BODY);
}

/* ---- contacts -------------------------------------------------------------------------------- */

enum { NO_TERM = UINT32_MAX };

/* What is being written. */
typedef struct terms {
    fclib_system *out;
    const places *p;
    uint32_t *of_target; /* [targets] this contact's term there, or NO_TERM */
    size_t *H_start;     /* [terms] */
    size_t H_count;
} terms;

static uint32_t unknowns_of(const fclib_system *s, uint32_t target)
{
    return s->nodes ? 3 : s->body_unknowns[target];
}

/* The targets of contact c, each once: in terms of the file, rows of its three columns. */
static void find_terms(terms *t, const sparse *H, uint32_t c)
{
    uint32_t *end = &t->out->term_start[c + 1];
    *end = t->out->term_start[c];
    for (size_t k = H->start[3 * c]; k < H->start[3 * c + 3]; k++) {
        const uint32_t target = t->p->target[H->row[k]];
        if (t->of_target[target] != NO_TERM) continue;
        t->of_target[target] = *end;
        t->out->term_target[*end] = target;
        t->H_start[(*end)++] = t->H_count;
        t->H_count += 3 * (size_t)unknowns_of(t->out, target);
    }
    for (uint32_t k = t->out->term_start[c]; k < *end; k++) {
        t->of_target[t->out->term_target[k]] = NO_TERM;
    }
}

/* Row `row` of contact c is a column of the file's H. */
static void fill_terms(const terms *t, const sparse *H, uint32_t c)
{
    const fclib_system *s = t->out;
    for (uint32_t k = s->term_start[c]; k < s->term_start[c + 1]; k++) {
        const uint32_t target = s->term_target[k], n = unknowns_of(s, target);
        for (uint32_t row = 0; row < 3; row++) {
            double *at = s->term_H + t->H_start[k] + (size_t)row * n;
            for (size_t l = H->start[3 * c + row]; l < H->start[3 * c + row + 1]; l++) {
                if (t->p->target[H->row[l]] == target) at[t->p->local[H->row[l]]] = H->value[l];
            }
        }
    }
}

static bool allocate_terms(terms *t, const sparse *H)
{
    fclib_system *s = t->out;
    const size_t targets = (size_t)s->bodies + s->nodes, most = H->start[H->cols];
    s->term_start = calloc((size_t)s->contacts + 1, sizeof *s->term_start);
    s->term_target = malloc((most + 1) * sizeof *s->term_target);
    t->H_start = malloc((most + 1) * sizeof *t->H_start);
    t->of_target = malloc((targets + 1) * sizeof *t->of_target);
    if (!s->term_start || !s->term_target || !t->H_start || !t->of_target) return false;
    for (size_t k = 0; k < targets; k++) t->of_target[k] = NO_TERM;
    return true;
}

static bool list_terms(terms *t, const sparse *H, fclib_error *error)
{
    fclib_system *s = t->out;
    if (H->start[H->cols] >= NO_TERM) {
        return fclib_fail(error, FCLIB_WRONG, "H has %zu entries, expected fewer than 2^32 - 1",
                          H->start[H->cols]);
    }
    if (!allocate_terms(t, H)) return fclib_fail_memory(error);
    for (uint32_t c = 0; c < s->contacts; c++) find_terms(t, H, c);
    s->term_H = calloc(t->H_count + 1, sizeof *s->term_H);
    if (!s->term_H) return fclib_fail_memory(error);
    for (uint32_t c = 0; c < s->contacts; c++) fill_terms(t, H, c);
    return true;
}

static bool make_contacts(fclib_system *out, const places *p, const sparse *H, fclib_error *error)
{
    terms t = {.out = out, .p = p};
    out->contacts = H->cols / 3;
    const bool good = list_terms(&t, H, error);
    free(t.of_target);
    free(t.H_start);
    return good;
}

bool system_from_global(fclib_system *out, const sparse *M, const sparse *H, const double *f,
                        const char *name, fclib_error *error)
{
    const given g = {M, f, name};
    components c;
    places p = {0};
    if (!components_find(&c, M)) return fclib_fail_memory(error);
    const bool good = places_create(&p, M->cols)
                          ? make_targets(out, &p, &g, &c, error) && make_contacts(out, &p, H, error)
                          : fclib_fail_memory(error);
    places_free(&p);
    components_free(&c);
    return good;
}
