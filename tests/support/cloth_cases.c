/* SPDX-License-Identifier: Apache-2.0 */
#include "support/cloth_cases.h"

#include "math/frame.h"
#include "math/m3.h"

#include <stdlib.h>
#include <unity.h>

/* Everything that is being written down; the const pointers of the system point here. */
typedef struct maker {
    contact_system s; /* first: what cloth_case_make hands out */
    cloth_case c;
    random_source *random;
    uint32_t *row_start, *col, *term_start, *target, *unknowns;
    double *blocks, *force, *mu, *velocity, *H, *inertia, *v_free;
    uint32_t block_count;
    size_t H_count;
} maker;

static void *grow(void *old, size_t count, size_t size)
{
    void *memory = realloc(old, count * size);
    TEST_ASSERT_NOT_NULL(memory);
    return memory;
}

/* ---- sheets ---- */

static uint32_t node_at(const maker *k, uint32_t sheet, uint32_t row, uint32_t column)
{
    return (sheet * k->c.side + row) * k->c.side + column;
}

/* h^2 k (n n^T + 0.05 (1 - n n^T)): a spring that is stretched a little. */
static m3 spring_block(const maker *k, v3 n)
{
    const double s = k->c.step * k->c.step * k->c.stiffness;
    m3 B = m3_diagonal(0.05 * s);
    const double along[3] = {n.x, n.y, n.z};
    for (int row = 0; row < 3; row++) {
        B.row[row] = v3_add_scaled(B.row[row], 0.95 * s * along[row], n);
    }
    return B;
}

static void add_block(maker *k, uint32_t col, const m3 *B, double sign)
{
    k->col = grow(k->col, k->block_count + 1, sizeof *k->col);
    k->blocks = grow(k->blocks, 9 * ((size_t)k->block_count + 1), sizeof *k->blocks);
    for (int row = 0; row < 3; row++) {
        v3_store(&k->blocks[9 * (size_t)k->block_count + 3 * (size_t)row],
                 v3_scale(sign, B->row[row]));
    }
    k->col[k->block_count++] = col;
}

/* Springs to the eight neighbours; each block twice, which adds up on the diagonal. */
static void add_row(maker *k, uint32_t sheet, uint32_t row, uint32_t column)
{
    const m3 mass = m3_diagonal(k->c.mass);
    const uint32_t i = node_at(k, sheet, row, column);
    add_block(k, i, &mass, 1.0);
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            const uint32_t r = row + (uint32_t)dr, c = column + (uint32_t)dc;
            if ((dr == 0 && dc == 0) || r >= k->c.side || c >= k->c.side) continue;
            const m3 B = spring_block(k, v3_scale(1.0 / sqrt((double)(dr * dr + dc * dc)),
                                                  (v3){(double)dr, (double)dc, 0.0}));
            add_block(k, i, &B, 1.0);
            add_block(k, node_at(k, sheet, r, c), &B, -1.0);
        }
    }
    k->row_start[i + 1] = k->block_count;
}

/* f = M v for a sheet that falls, drifts and is uneven. */
static void make_sheets(maker *k)
{
    const uint32_t nodes = k->c.sheets * k->c.side * k->c.side;
    k->s.nodes = nodes;
    k->row_start = grow(NULL, (size_t)nodes + 1, sizeof *k->row_start);
    k->force = grow(NULL, 3 * (size_t)nodes + 1, sizeof *k->force);
    k->row_start[0] = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t in_sheet = i % (k->c.side * k->c.side);
        add_row(k, i / (k->c.side * k->c.side), in_sheet / k->c.side, in_sheet % k->c.side);
        const v3 v = v3_add_scaled((v3){0.3, 0.1, -0.5}, 0.2, random_v3(k->random));
        v3_store(&k->force[3 * (size_t)i], v3_scale(k->c.mass, v));
    }
}

/* ---- rods ---- */

/* As heavy as a row of nodes: A = m (B B^T / n + 1). */
static void make_rods(maker *k)
{
    const size_t n = k->c.rod_unknowns, rods = k->c.rods;
    double *B = grow(NULL, n * n + 1, sizeof *B);
    k->s.bodies = k->c.rods;
    k->unknowns = grow(NULL, rods + 1, sizeof *k->unknowns);
    k->inertia = grow(NULL, rods * n * n + 1, sizeof *k->inertia);
    k->v_free = grow(NULL, rods * n + 1, sizeof *k->v_free);
    for (size_t b = 0; b < rods; b++) {
        k->unknowns[b] = k->c.rod_unknowns;
        for (size_t l = 0; l < n * n; l++) B[l] = random_between(k->random, -1.0, 1.0);
        for (size_t l = 0; l < n * n; l++) {
            double sum = l / n == l % n ? 1.0 : 0.0;
            for (size_t m = 0; m < n; m++) sum += B[l / n * n + m] * B[l % n * n + m] / (double)n;
            k->inertia[b * n * n + l] = k->c.mass * k->c.side * sum;
        }
        for (size_t l = 0; l < n; l++) k->v_free[b * n + l] = random_between(k->random, -1.0, 1.0);
    }
    free(B);
}

/* ---- contacts ---- */

/* Leaning at most some 50 degrees, so that upwards is away for all. */
static m3 random_frame(maker *k)
{
    const v3 up = v3_add_scaled((v3){0.0, 0.0, 1.5}, 1.0, random_v3(k->random));
    return frame_from_normal(v3_scale(1.0 / v3_norm(up), up));
}

static void begin_contact(maker *k)
{
    const uint32_t i = k->s.contacts++;
    k->mu = grow(k->mu, k->s.contacts, sizeof *k->mu);
    k->velocity = grow(k->velocity, 3 * (size_t)k->s.contacts, sizeof *k->velocity);
    k->term_start = grow(k->term_start, (size_t)k->s.contacts + 1, sizeof *k->term_start);
    if (i == 0) k->term_start[0] = 0;
    k->term_start[i + 1] = k->term_start[i];
    k->mu[i] = random_between(k->random, 0.0, k->c.mu);
    const v3 gap = {random_between(k->random, 0.0, 0.2), 0.0, 0.0};
    v3_store(&k->velocity[3 * (size_t)i], gap);
}

static double *add_term(maker *k, uint32_t target, size_t unknowns)
{
    const uint32_t term = k->term_start[k->s.contacts]++;
    k->target = grow(k->target, (size_t)term + 1, sizeof *k->target);
    k->target[term] = target;
    k->H = grow(k->H, k->H_count + 3 * unknowns, sizeof *k->H);
    k->H_count += 3 * unknowns;
    return k->H + k->H_count - 3 * unknowns;
}

static void add_node_term(maker *k, uint32_t node, const m3 *F, double weight)
{
    double *H = add_term(k, k->s.bodies + node, 3);
    for (int row = 0; row < 3; row++) v3_store(H + 3 * row, v3_scale(weight, F->row[row]));
}

static void add_rod_term(maker *k, uint32_t rod)
{
    const size_t n = k->c.rod_unknowns;
    double *H = add_term(k, rod, n);
    for (size_t l = 0; l < 3 * n; l++) H[l] = random_between(k->random, -0.5, 0.5);
}

static void touch_floor(maker *k)
{
    for (uint32_t i = 0; i < k->c.side * k->c.side; i++) {
        if (random_between(k->random, 0.0, 1.0) >= k->c.touching) continue;
        const bool many = random_between(k->random, 0.0, 1.0) < k->c.several;
        for (uint32_t n = many ? 2 + random_below(k->random, 2) : 1; n > 0; n--) {
            const m3 F = random_frame(k);
            begin_contact(k);
            add_node_term(k, i, &F, 1.0);
        }
    }
}

/* A node of one sheet above a triangle of the sheet below. */
static void touch_sheet(maker *k, uint32_t sheet)
{
    const uint32_t side = k->c.side;
    for (uint32_t i = 0; i + 1 < side; i++) {
        for (uint32_t j = (i + sheet) % 2; j + 1 < side; j += 2) {
            const m3 F = random_frame(k);
            const double a = random_between(k->random, 0.0, 1.0),
                         b = random_between(k->random, 0.0, 1.0 - a);
            begin_contact(k);
            add_node_term(k, node_at(k, sheet, i, j), &F, 1.0);
            add_node_term(k, node_at(k, sheet - 1, i, j), &F, -a);
            add_node_term(k, node_at(k, sheet - 1, i + 1, j), &F, -b);
            add_node_term(k, node_at(k, sheet - 1, i, j + 1), &F, a + b - 1.0);
        }
    }
}

/* Each rod under three nodes, on the floor in one place, and against the next rod. */
static void touch_rod(maker *k, uint32_t rod)
{
    for (int n = 0; n < 3 && k->s.nodes; n++) {
        const m3 F = random_frame(k);
        begin_contact(k);
        add_rod_term(k, rod);
        add_node_term(k, random_below(k->random, k->c.side * k->c.side), &F, 1.0);
    }
    begin_contact(k);
    add_rod_term(k, rod);
    if (rod + 1 == k->c.rods) return;
    begin_contact(k);
    add_rod_term(k, rod);
    add_rod_term(k, rod + 1);
}

static void point_at_all(maker *k)
{
    contact_system *s = &k->s;
    s->body_unknowns = k->unknowns;
    s->body_inertia = k->inertia;
    s->body_velocity = k->v_free;
    s->row_start = k->row_start;
    s->col = k->col;
    s->blocks = k->blocks;
    s->force = k->force;
    s->mu = k->mu;
    s->velocity = k->velocity;
    s->term_start = k->term_start;
    s->term_target = k->target;
    s->term_H = k->H;
}

contact_system *cloth_case_make(const cloth_case *c, random_source *random)
{
    maker *k = calloc(1, sizeof *k);
    TEST_ASSERT_NOT_NULL(k);
    k->c = *c;
    k->random = random;
    if (!(k->c.step > 0.0)) k->c.step = 0.002;
    if (!(k->c.stiffness > 0.0)) k->c.stiffness = 200.0;
    if (!(k->c.mass > 0.0)) k->c.mass = 2e-5;
    make_sheets(k);
    make_rods(k);
    if (c->sheets) touch_floor(k);
    for (uint32_t sheet = 1; sheet < c->sheets; sheet++) touch_sheet(k, sheet);
    for (uint32_t rod = 0; rod < c->rods; rod++) touch_rod(k, rod);
    point_at_all(k);
    return &k->s;
}

void cloth_case_free(contact_system *s)
{
    maker *k = (maker *)(void *)s;
    void *const pieces[] = {k->row_start, k->col, k->term_start, k->target, k->unknowns, k->blocks,
                            k->force,     k->mu,  k->velocity,   k->H,      k->inertia,  k->v_free};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) free(pieces[i]);
    free(k);
}
