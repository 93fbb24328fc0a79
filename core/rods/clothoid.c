/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/clothoid.h"

#include "math/scalar.h"

enum { BLOCK = 16 };

static const double M = 10.0;              /* of (2.15): 2 s (|kappa| + s |slope|) in a series */
static const double FINEST = 1.0 / 2000.0; /* of a length, that a piece may be */
static const double NEGLIGIBLE = 1e-18;

/* Hats and slopes make polynomials of higher degree than helices have: rules are chosen as for more
 * turn than there is. */
static const double FOR_NONE = 0.7, FOR_A_RADIAN = 1.3;

static double largest(v3 a) { return scalar_max(fabs(a.x), scalar_max(fabs(a.y), fabs(a.z))); }

static v3 slope_of(const clothoid *c)
{
    return v3_scale(1.0 / c->length, v3_sub(c->kappa[1], c->kappa[0]));
}

/* How long a piece that begins at s may be, (2.15) written for any slope; what would need too many
 * pieces is one, and no number. */
static double reach(const clothoid *c, double s)
{
    const double rest = c->length - s;
    const double k = largest(v3_lerp(c->kappa[0], c->kappa[1], s / c->length));
    const double far = M / (k + sqrt(k * k + 2.0 * M * largest(slope_of(c))));
    return far >= FINEST * c->length && far < rest ? far : rest;
}

/* R_n and G_n, row by row, of a piece and a length of 1. */
typedef struct pair {
    v3 R[3], G[3];
} pair;

/* Term n from the two before it, for kappa = a + g t. */
static pair recur(const pair *last, v3 a, const pair *second, v3 g, size_t n)
{
    static const v3 e_x = {1.0, 0.0, 0.0};
    const double inverse = 1.0 / (double)n;
    pair next;
    for (size_t i = 0; i < 3; i++) {
        const v3 R = v3_add(v3_cross(last->R[i], a), v3_cross(second->R[i], g));
        const v3 G = v3_add(v3_cross(last->G[i], a), v3_cross(second->G[i], g));
        next.R[i] = v3_scale(inverse, R);
        next.G[i] = v3_scale(inverse, v3_add(G, v3_cross(last->R[i], e_x)));
    }
    return next;
}

/* Term n of R and G becomes the terms of all that is summed. */
static void store(const pair *p, size_t n, double term[CLOTHOID_SERIES])
{
    const double once = 1.0 / (double)(n + 1), twice = 1.0 / (double)(n + 2);
    for (size_t i = 0; i < 3; i++) {
        v3_store(term + 3 * i, p->R[i]);
        v3_store(term + 9 + 3 * i, v3_scale(once, p->R[i]));
        v3_store(term + 18 + 3 * i, v3_scale(once, p->G[i]));
        v3_store(term + 27 + 3 * i, v3_scale(twice, p->R[i]));
        v3_store(term + 36 + 3 * i, v3_scale(twice, p->G[i]));
    }
    v3_store(term + 45, (v3){0.0, 0.0, 0.0});
}

static double size_of(const pair *p)
{
    double most = 0.0;
    for (size_t i = 0; i < 3; i++) {
        most = scalar_max(most, scalar_max(largest(p->R[i]), largest(p->G[i])));
    }
    return most;
}

/* All terms until two in a row are negligible; NaN beyond the reach of a series. */
static void expand(clothoid_piece *p, v3 a, v3 g)
{
    const double one = 2.0 * (largest(a) + largest(g)) <= 1.001 * M ? 1.0 : NAN;
    pair second = {0}, last = {.R = {{one, 0.0, 0.0}, {0.0, one, 0.0}, {0.0, 0.0, one}}};
    p->size[0] = 1.0;
    store(&last, 0, p->term[0]);
    for (p->terms = 1; p->terms < CLOTHOID_TERMS; p->terms++) {
        const size_t n = p->terms;
        const pair next = recur(&last, a, &second, g, n);
        p->size[n] = size_of(&next);
        if (p->size[n - 1] <= NEGLIGIBLE && p->size[n] <= NEGLIGIBLE) break;
        store(&next, n, p->term[n]);
        second = last;
        last = next;
    }
}

/* How many terms matter at t: again two in a row end them. */
static size_t count_terms(const clothoid_piece *p, double t)
{
    double power = t, last = 1.0;
    size_t n = 1;
    for (; n < p->terms; n++, power *= t) {
        const double now = p->size[n] * power;
        if (last <= NEGLIGIBLE && now <= NEGLIGIBLE) break;
        last = now;
    }
    return n;
}

/* The piece [begin, begin + length], where the section `from` is. */
static void open_piece(clothoid_piece *p, const clothoid *c, const clothoid_point *from,
                       double begin, double length)
{
    const double at = begin / c->length, part = length / c->length;
    p->from = *from;
    p->length = length;
    p->hat[0][0] = 1.0 - at;
    p->hat[0][1] = -part;
    p->hat[1][0] = at;
    p->hat[1][1] = part;
    expand(p, v3_scale(length, v3_lerp(c->kappa[0], c->kappa[1], at)),
           v3_scale(length * part, v3_sub(c->kappa[1], c->kappa[0])));
}

/* By Horner's rule, as many series at a time as registers hold. */
static void sum_series(const clothoid_piece *p, double t, double sum[CLOTHOID_SERIES])
{
    const size_t terms = count_terms(p, t);
    for (size_t i = 0; i < CLOTHOID_SERIES; i += BLOCK) {
        double at[BLOCK] = {0.0};
        for (size_t n = terms; n-- > 0;) {
            for (size_t k = 0; k < BLOCK; k++) at[k] = at[k] * t + p->term[n][i + k];
        }
        for (size_t k = 0; k < BLOCK; k++) sum[i + k] = at[k];
    }
    for (size_t i = 9; i < 45; i++) sum[i] *= i < 27 ? t : t * t;
}

/* Column c of u a + v b, of matrices that are written row by row. */
static v3 mix(double u, const double *a, double v, const double *b, size_t c)
{
    return (v3){u * a[c] + v * b[c], u * a[3 + c] + v * b[3 + c], u * a[6 + c] + v * b[6 + c]};
}

/* The section at the fraction t of a piece. */
static clothoid_point find_point(const clothoid_piece *p, double t)
{
    double sum[CLOTHOID_SERIES];
    sum_series(p, t, sum);
    const clothoid_point *from = &p->from;
    const double *R = sum, *once = sum + 9, *twice = sum + 27, l = p->length;
    const m3 turned = {{v3_load(R), v3_load(R + 3), v3_load(R + 6)}};
    const v3 x = {once[0], once[3], once[6]};
    clothoid_point at = {.R = m3_mul(&from->R, &turned)};
    at.x = v3_add_scaled(from->x, l, m3_mul_v3(&from->R, x));
    for (size_t i = 0; i < 6; i++) {
        const double u = l * p->hat[i / 3][0], v = l * p->hat[i / 3][1];
        const v3 turn = m3_mul_v3(&from->R, mix(u, once, v, twice, i % 3));
        const v3 lift = m3_mul_v3(&from->R, mix(l * u, once + 9, l * v, twice + 9, i % 3));
        at.turn[i] = v3_add(from->turn[i], turn);
        at.lift[i] = v3_add(v3_add(from->lift[i], lift), v3_cross(from->x, turn));
    }
    return at;
}

static const clothoid_point origin = {.R = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};

clothoid_point clothoid_at(const clothoid *c, double s)
{
    clothoid_piece piece;
    clothoid_point at = origin;
    for (double begin = 0.0; begin < s;) {
        const double length = reach(c, begin);
        open_piece(&piece, c, &at, begin, length);
        at = find_point(&piece, scalar_min((s - begin) / length, 1.0));
        begin += length;
    }
    return at;
}

void clothoid_samples_begin(clothoid_samples *it, const clothoid *now, const clothoid *then)
{
    it->curve[0] = now;
    it->curve[1] = then;
    it->begin = 0.0;
    it->next = 0;
    it->now = it->then = origin;
    it->rule = (helix_rule){0};
    it->piece[0].length = it->piece[1].length = 0.0;
}

/* The radians of a part of a clothoid, at most: |kappa| is largest at an end of it. */
static double turn_of(const clothoid *c, double begin, double length)
{
    const v3 a = v3_lerp(c->kappa[0], c->kappa[1], begin / c->length);
    const v3 b = v3_lerp(c->kappa[0], c->kappa[1], (begin + length) / c->length);
    return length * scalar_max(v3_norm(a), v3_norm(b));
}

/* Goes on to the next pieces, as long as the shorter reach of the curves; false at the end. */
static bool next_pieces(clothoid_samples *it)
{
    const clothoid *now = it->curve[0], *then = it->curve[1];
    clothoid_point *at[2] = {&it->now, &it->then};
    const size_t curves = then ? 2 : 1;
    if (!(it->begin + it->piece[0].length < now->length)) return false;
    const bool first = it->piece[0].length == 0.0;
    for (size_t k = 0; k < curves && !first; k++) *at[k] = find_point(&it->piece[k], 1.0);
    it->begin += it->piece[0].length;
    double length = reach(now, it->begin), turn;
    if (then) length = scalar_min(length, reach(then, it->begin));
    turn = turn_of(now, it->begin, length);
    if (then) turn = scalar_max(turn, turn_of(then, it->begin, length));
    it->rule = helix_rule_for(FOR_NONE + FOR_A_RADIAN * turn);
    it->next = 0;
    for (size_t k = 0; k < curves; k++) {
        open_piece(&it->piece[k], it->curve[k], at[k], it->begin, length);
    }
    return true;
}

bool clothoid_samples_next(clothoid_samples *it)
{
    if (it->next == helix_rule_count(&it->rule) && !next_pieces(it)) return false;
    const double t = helix_rule_at(&it->rule, it->next), length = it->piece[0].length;
    it->weight = length * helix_rule_weight(&it->rule, it->next);
    it->at = (it->begin + t * length) / it->curve[0]->length;
    it->now = find_point(&it->piece[0], t);
    if (it->curve[1]) it->then = find_point(&it->piece[1], t);
    it->next++;
    return true;
}
