/* SPDX-License-Identifier: Apache-2.0 */
#include "support/contact_cases.h"

#include <stdlib.h>
#include <unity.h>

enum { BODY = 6 };

/* A contact's rows of H for one of its two bodies: 3 x 6, velocity and spin at an arm. */
typedef struct side {
    uint32_t body;
    double h[3][BODY];
} side;

static void side_make(side *s, uint32_t body, const m3 *F, v3 arm, double sign)
{
    s->body = body;
    for (int row = 0; row < 3; row++) {
        const v3 t = v3_scale(sign, F->row[row]), turn = v3_cross(arm, t);
        const double values[BODY] = {t.x, t.y, t.z, turn.x, turn.y, turn.z};
        for (int k = 0; k < BODY; k++) s->h[row][k] = values[k];
    }
}

static m3 random_frame(random_source *random)
{
    const v3 N = random_direction(random);
    const v3 T = v3_normalize(v3_cross(N, random_direction(random)));
    return (m3){{N, T, v3_cross(N, T)}};
}

/* Body 0 is the world: it does not move. */
static side *make_sides(const contact_case *c, random_source *random)
{
    side *sides = calloc(2 * (size_t)c->contacts, sizeof *sides);
    for (uint32_t i = 0; i < c->contacts; i++) {
        const uint32_t a = 1 + random_below(random, c->bodies);
        uint32_t b = random_below(random, c->bodies + 1);
        if (b == a) b = 0;
        const m3 F = random_frame(random);
        side_make(&sides[2 * i], a, &F, random_v3(random), 1.0);
        side_make(&sides[2 * i + 1], b, &F, random_v3(random), -1.0);
    }
    return sides;
}

static bool add_product(const side *a, const side *b, double *block)
{
    if (a->body != b->body || a->body == 0) return false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < BODY; k++) block[3 * i + j] += a->h[i][k] * b->h[j][k];
        }
    }
    return true;
}

static void make_free_velocities(const contact_case *c, const side *sides, random_source *random,
                                 double *b)
{
    double *v = calloc(BODY * ((size_t)c->bodies + 1), sizeof *v);
    for (size_t k = BODY; k < BODY * ((size_t)c->bodies + 1); k++) {
        v[k] = random_between(random, -1.0, 1.0);
    }
    for (uint32_t i = 0; i < c->contacts; i++) {
        for (int row = 0; row < 3; row++) {
            double sum = row == 0 ? random_between(random, 0.0, c->pushed) : 0.0;
            for (int s = 0; s < 2; s++) {
                const side *at = &sides[2 * i + (uint32_t)s];
                for (int k = 0; k < BODY; k++)
                    sum += at->h[row][k] * v[BODY * at->body + (uint32_t)k];
            }
            b[3 * i + (uint32_t)row] = sum;
        }
    }
    free(v);
}

void contact_case_make(const contact_case *c, random_source *random, const allocator *from,
                       contact_problem *p)
{
    const size_t n = c->contacts;
    side *sides = make_sides(c, random);
    uint32_t *row_start = calloc(n + 1, sizeof *row_start), *col = calloc(n * n, sizeof *col);
    double *blocks = calloc(9 * n * n, sizeof *blocks);
    double *b = calloc(3 * n, sizeof *b), *mu = calloc(n, sizeof *mu);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            bool any = false;
            for (int s = 0; s < 4; s++) {
                any |= add_product(&sides[2 * i + (uint32_t)(s / 2)],
                                   &sides[2 * j + (uint32_t)(s % 2)], blocks + 9 * (size_t)at);
            }
            if (any) col[at++] = j;
        }
        row_start[i + 1] = at;
        mu[i] = random_between(random, 0.0, c->mu);
    }
    make_free_velocities(c, sides, random, b);
    const contact_source source = {c->contacts, row_start, col, blocks, b, mu};
    error err;
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, contact_problem_create(p, from, &source, &err), err.text);
    free(sides), free(row_start), free(col), free(blocks), free(b), free(mu);
}
