/* SPDX-License-Identifier: Apache-2.0
 *
 * The dictionary T holds the basic variables in terms of the others: x_B = x - T x_N, with n rows
 * and n + 1 columns. It begins as w = q - (-M) z - (-1) z_0. Variables are numbered: w_i is i, z_i
 * is n + i, z_0 is 2 n.
 *
 * The inverse of the basis, which the lexicographic rule and the refinement need, is not kept
 * apart: its column j is the column of w_j in T if w_j is not basic, a unit vector if it is.
 */
#include "contact/lemke.h"

#include "math/scalar.h"

#include <stdbool.h>

/* Where contacts are redundant, smaller pivots than this are rounding and spoil what follows. */
static const double PIVOT_LEAST = 1e-7; /* of the largest number in the column */
static const double TIE = 1e-10;        /* of the largest number compared */

typedef struct dictionary {
    const lcp *p;
    uint32_t n;
    double *memory;  /* all arrays below */
    double *T;       /* [n][n + 1] */
    double *x;       /* [n] values of the basic variables */
    double *next;    /* [n] of the refinement */
    double size;     /* largest |q| */
    uint32_t *basic; /* [n] which variable a row belongs to */
    uint32_t *place; /* [2 n + 1] a variable's row if it is basic, its column if not */
    uint32_t *tied;  /* [n] rows that may still leave */
} dictionary;

static uint32_t artificial(const dictionary *t) { return 2 * t->n; }

static double *row_of(const dictionary *t, uint32_t i) { return t->T + i * ((size_t)t->n + 1); }

static bool is_basic(const dictionary *t, uint32_t variable)
{
    const uint32_t at = t->place[variable];
    return at < t->n && t->basic[at] == variable;
}

/* ---- memory ---- */

static size_t doubles(uint32_t n) { return (size_t)n * (n + (size_t)3); }

static size_t numbers(uint32_t n) { return 4 * (size_t)n + 1; }

static size_t dictionary_size(uint32_t n)
{
    return doubles(n) * sizeof(double) + numbers(n) * sizeof(uint32_t);
}

static bool dictionary_create(dictionary *t, const allocator *from, const lcp *p)
{
    const uint32_t n = p->n;
    *t = (dictionary){.p = p, .n = n, .memory = memory_alloc(from, dictionary_size(n))};
    if (!t->memory) return false;
    t->T = t->memory;
    t->x = t->T + n * ((size_t)n + 1);
    t->next = t->x + n;
    t->basic = (uint32_t *)(t->next + n);
    t->place = t->basic + n;
    t->tied = t->place + 2 * (size_t)n + 1;
    for (uint32_t i = 0; i < n; i++) {
        double *row = row_of(t, i);
        for (uint32_t j = 0; j < n; j++) row[j] = -p->M[i * (size_t)n + j];
        row[n] = -1.0;
        t->x[i] = p->q[i];
        t->size = scalar_max(t->size, fabs(p->q[i]));
        t->basic[i] = t->place[i] = i;
        t->place[n + i] = i;
    }
    t->place[2 * n] = n;
    return true;
}

/* ---- one pivot ---- */

/* The variable of column s enters, that of row r leaves; s then belongs to the latter. */
static void exchange(dictionary *t, uint32_t r, uint32_t s, uint32_t entering)
{
    const uint32_t n = t->n;
    double *pivot_row = row_of(t, r);
    const double inverse = 1.0 / pivot_row[s];
    for (uint32_t j = 0; j <= n; j++) pivot_row[j] *= inverse;
    pivot_row[s] = inverse;
    t->x[r] *= inverse;
    for (uint32_t i = 0; i < n; i++) {
        double *row = row_of(t, i);
        const double f = row[s];
        if (i == r || f == 0.0) continue;
        row[s] = 0.0;
        for (uint32_t j = 0; j <= n; j++) row[j] -= f * pivot_row[j];
        t->x[i] -= f * t->x[r];
    }
    t->place[t->basic[r]] = s;
    t->place[entering] = r;
    t->basic[r] = entering;
}

/* Entry (i, j) of the inverse of the basis. */
static double inverse_at(const dictionary *t, uint32_t i, uint32_t j)
{
    if (is_basic(t, j)) return t->place[j] == i ? 1.0 : 0.0;
    return row_of(t, i)[t->place[j]];
}

/* What rows are compared by: first the value, then the columns of the inverse. */
static double level_at(const dictionary *t, uint32_t i, uint32_t level)
{
    return level == 0 ? t->x[i] : inverse_at(t, i, level - 1);
}

/* Keeps the tied rows whose ratio to column s is smallest, as far as rounding lets us see. */
static uint32_t keep_smallest(dictionary *t, uint32_t count, uint32_t s, uint32_t level)
{
    double largest = level == 0 ? t->size : 0.0, least = INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        largest = scalar_max(largest, fabs(level_at(t, t->tied[k], level)));
    }
    const double slack = TIE * largest;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = t->tied[k];
        least = scalar_min(least, (level_at(t, i, level) + slack) / row_of(t, i)[s]);
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = t->tied[k];
        if (level_at(t, i, level) / row_of(t, i)[s] <= least) t->tied[kept++] = i;
    }
    return kept;
}

static bool artificial_is_tied(const dictionary *t, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        if (t->basic[t->tied[k]] == artificial(t)) return true;
    }
    return false;
}

/* The row that leaves when column s grows; n: none, a ray. z_0 goes first: that is the end. */
static uint32_t leaving_row(dictionary *t, uint32_t s)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < t->n; i++) largest = scalar_max(largest, fabs(row_of(t, i)[s]));
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (row_of(t, i)[s] > PIVOT_LEAST * largest) t->tied[count++] = i;
    }
    if (count == 0) return t->n;
    count = keep_smallest(t, count, s, 0);
    if (artificial_is_tied(t, count)) return t->place[artificial(t)];
    for (uint32_t level = 1; level <= t->n && count > 1; level++) {
        count = keep_smallest(t, count, s, level);
    }
    return t->tied[0];
}

/* ---- the path ---- */

/* The most negative row; the last of equals, because e^i falls with i. n: q >= 0. */
static uint32_t first_row(const dictionary *t)
{
    uint32_t r = t->n;
    double least = 0.0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->x[i] > least || t->x[i] >= 0.0) continue;
        least = t->x[i];
        r = i;
    }
    return r;
}

static void give(const dictionary *t, double *z)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const uint32_t variable = t->n + i;
        z[i] = is_basic(t, variable) ? scalar_max(t->x[t->place[variable]], 0.0) : 0.0;
    }
}

static bool watch_stops(const dictionary *t, const lemke_options *o, uint32_t pivots, double *z)
{
    if (!o->watch) return false;
    give(t, z);
    return o->watch(o->user, pivots, z) != 0;
}

static lemke_end follow(dictionary *t, const lemke_options *o, double *z, uint32_t *pivots)
{
    uint32_t r = first_row(t), entering = artificial(t);
    if (r == t->n) return LEMKE_SOLVED;
    while (*pivots < o->max_pivots) {
        const uint32_t leaving = t->basic[r];
        exchange(t, r, t->place[entering], entering);
        ++*pivots;
        if (watch_stops(t, o, *pivots, z)) return LEMKE_STOPPED;
        if (leaving == artificial(t)) return LEMKE_SOLVED;
        entering = leaving < t->n ? leaving + t->n : leaving - t->n;
        r = leaving_row(t, t->place[entering]);
        if (r == t->n) return LEMKE_RAY;
    }
    return LEMKE_LIMIT;
}

/* ---- rounding ---- */

/* q + M z + z_0 - w with the values at hand: what the pivots' rounding has left. */
static void residual_of(const dictionary *t, const double *z, double *out)
{
    const uint32_t n = t->n;
    const double z_0 = is_basic(t, 2 * n) ? t->x[t->place[2 * n]] : 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double sum = t->p->q[i] + z_0;
        for (uint32_t j = 0; j < n; j++) sum += t->p->M[i * (size_t)n + j] * z[j];
        out[i] = is_basic(t, i) ? sum - t->x[t->place[i]] : sum;
    }
}

/* One step of iterative refinement, x += B^-1 (q - B x), with the inverse that is in T. `z` is
 * where the basic values of z are spread out. */
static void refine(dictionary *t, double *z)
{
    for (uint32_t i = 0; i < t->n; i++) {
        z[i] = is_basic(t, t->n + i) ? t->x[t->place[t->n + i]] : 0.0;
    }
    residual_of(t, z, t->next);
    for (uint32_t i = 0; i < t->n; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < t->n; j++) sum += inverse_at(t, i, j) * t->next[j];
        t->x[i] += sum;
    }
}

status lemke_solve(const lcp *problem, const allocator *from, const lemke_options *options,
                   double *z, lemke_report *report)
{
    dictionary t;
    *report = (lemke_report){.end = LEMKE_SOLVED};
    if (problem->n == 0) return STATUS_OK;
    if (!dictionary_create(&t, from, problem)) return STATUS_OUT_OF_MEMORY;
    report->end = follow(&t, options, z, &report->pivots);
    refine(&t, z);
    give(&t, z);
    if (is_basic(&t, artificial(&t))) report->artificial = t.x[t.place[artificial(&t)]];
    memory_free(from, t.memory, dictionary_size(problem->n));
    return STATUS_OK;
}
