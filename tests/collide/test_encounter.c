/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/encounter.h"

#include "collide/segment.h"
#include "collide/triangle.h"
#include "math/scalar.h"
#include "support/random.h"

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

typedef struct way {
    v3 x0[4], x1[4];
    uint32_t split;
} way;

/* The distance at a time by the tested functions of points at rest. */
static double distance_at(const way *w, double t)
{
    v3 x[4];
    for (int k = 0; k < 4; k++) x[k] = v3_lerp(w->x0[k], w->x1[k], t);
    if (w->split == 2) return sqrt(segment_find_nearest(x[0], x[1], x[2], x[3]).distance2);
    const triangle face = {{x[1], x[2], x[3]}};
    return sqrt(triangle_find_nearest(&face, x[0]).distance2);
}

static encounter find(const way *w, double d, double tolerance)
{
    const encounter_pair p = encounter_make_pair(w->x0, w->x1, w->split);
    return encounter_find(&p, d, tolerance, 0.0);
}

static way random_way(random_source *rng)
{
    way w = {.split = 1 + random_below(rng, 2)};
    const double speed = random_below(rng, 2) ? 2.0 : 0.1;
    for (int k = 0; k < 4; k++) {
        w.x0[k] = random_v3(rng);
        w.x1[k] = v3_add_scaled(w.x0[k], speed, random_v3(rng));
    }
    return w;
}

/* The first of many times when they are nearer than d for certain; infinite if there is none. */
static double first_sample(const way *w, double d)
{
    enum { SAMPLES = 500 };
    for (int i = 0; i <= SAMPLES; i++) {
        const double t = (double)i / SAMPLES;
        if (distance_at(w, t) < d - 1e-12) return t;
    }
    return INFINITY;
}

static void check_against_samples(const way *w, double d, double tolerance)
{
    const encounter e = find(w, d, tolerance);
    const double latest = first_sample(w, d);
    TEST_ASSERT_FALSE(e.unresolved);
    if (latest <= 1.0) TEST_ASSERT_TRUE(e.found);
    if (!e.found) return;
    TEST_ASSERT_TRUE(e.at.t <= latest);
    TEST_ASSERT_TRUE(distance_at(w, e.at.t) <= d + tolerance + 1e-13);
}

static void test_random_ways_meet_no_later_than_samples_say(void)
{
    random_source rng = {1};
    int found = 0;
    for (int i = 0; i < 20000; i++) {
        const way w = random_way(&rng);
        const double d = random_between(&rng, 0.0, random_below(&rng, 2) ? 0.1 : 0.01);
        check_against_samples(&w, d, 1e-4);
        found += find(&w, d, 1e-4).found;
    }
    TEST_ASSERT_GREATER_THAN(1000, found);
}

/* Ways through one common point at the time `hit`: whatever else they do, they meet. */
static way way_that_hits(random_source *rng, double *hit)
{
    way w = {.split = 1 + random_below(rng, 2)};
    *hit = random_below(rng, 8) ? random_between(rng, 0.0, 1.0) : (double)random_below(rng, 2);
    const double size = random_below(rng, 3) ? 1.0 : 1e-4;
    const double spin = random_below(rng, 3) ? 1.0 : 1e-6;
    const bool flat = random_below(rng, 3) == 0;   /* all stay in one plane */
    const bool needle = random_below(rng, 4) == 0; /* a feature without area */
    const bool rim = random_below(rng, 4) == 0;    /* touches at a corner */
    v3 x[4], u[4];
    for (int k = 0; k < 4; k++) {
        x[k] = v3_scale(size, random_v3(rng));
        u[k] = v3_scale(spin, random_v3(rng));
        if (flat) x[k].z = u[k].z = 0.0;
    }
    if (needle) x[3] = random_below(rng, 2) ? x[2] : v3_lerp(x[1], x[2], 0.5);
    double a = random_between(rng, 0.0, 1.0), b = random_between(rng, 0.0, 1.0 - a);
    double s = random_between(rng, 0.0, 1.0);
    if (rim) a = b = 0.0, s = 1.0;
    const v3 first = w.split == 1 ? x[0] : v3_lerp(x[0], x[1], s);
    const v3 second = w.split == 2 ? v3_lerp(x[2], x[3], a)
                                   : v3_add(v3_scale(1.0 - a - b, x[1]),
                                            v3_add(v3_scale(a, x[2]), v3_scale(b, x[3])));
    const v3 shift = v3_sub(second, first),
             place = v3_scale(random_below(rng, 2) ? 30.0 : 0.0, random_v3(rng));
    for (uint32_t k = 0; k < 4; k++) {
        const v3 at = v3_add(place, k < w.split ? v3_add(x[k], shift) : x[k]);
        w.x0[k] = v3_add_scaled(at, -*hit, u[k]);
        w.x1[k] = v3_add_scaled(at, 1.0 - *hit, u[k]);
    }
    return w;
}

/* The points are rounded where they are made, 30 m from the origin: 1e-14 m is what that moves.
 * With a distance near that the walk may give up, at a time that is not too late; with a larger one
 * it seldom does. */
static void test_no_hit_is_missed(void)
{
    random_source rng = {2};
    int unresolved = 0;
    for (int i = 0; i < 200000; i++) {
        double hit;
        const way w = way_that_hits(&rng, &hit);
        const double d = random_below(&rng, 2) ? 1e-13 : random_between(&rng, 0.0, 1e-3);
        const encounter e = find(&w, d, 1e-3 * d);
        TEST_ASSERT_TRUE(e.found);
        TEST_ASSERT_TRUE(e.at.t <= hit + 1e-9);
        unresolved += e.unresolved && d > 1e-6;
        TEST_ASSERT_TRUE(e.at.distance <= d + 1e-4); /* also where the walk gave up */
        const double rounding = scalar_max(1e-3 * d, e.at.rounding);
        if (!e.unresolved) TEST_ASSERT_TRUE(e.at.distance <= d + rounding);
        TEST_ASSERT_TRUE(e.at.rounding <= 1e-7 * 30.0);
    }
    TEST_ASSERT_LESS_THAN(200, unresolved);
}

/* Past a triangle just above it, beside its rim, past a parallel edge: no distance is lost. */
static void test_grazing_ways_are_told_apart(void)
{
    const double d = 0.01;
    for (int miss = 0; miss < 2; miss++) {
        const double h = miss ? d + 2e-7 : d - 2e-7, far = 5.0;
        const way over = {{{-far, 0.2, h}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                          {{far, 0.2, h}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                          1};
        const way beside = {{{-far, -h, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                            {{far, -h, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                            1};
        const way along = {{{-far, 0, 0}, {1 - far, 0, 0}, {0, h, 0}, {1, h, 0}},
                           {{far, 0, 0}, {1 + far, 0, 0}, {0, h, 0}, {1, h, 0}},
                           2};
        const way across = {{{-1, 0, 1}, {1, 0, 1}, {0, -1, h - 1}, {0, 1, h - 1}},
                            {{-1, 0, 0}, {1, 0, 0}, {0, -1, -h}, {0, 1, -h}},
                            2};
        const way *const all[] = {&over, &beside, &along, &across};
        for (int i = 0; i < 4; i++) {
            const encounter e = find(all[i], d, 1e-7);
            TEST_ASSERT_FALSE(e.unresolved);
            TEST_ASSERT_EQUAL(!miss, e.found);
        }
    }
}

/* A triangle that turns about the foot of a point just above it: planes alone take 1e5 steps. */
static void test_a_turning_triangle_is_passed_in_few_rounds(void)
{
    const way w = {{{0, 0, 1.1e-5}, {-1, -1, 0}, {1, -1, 0}, {0, 2, 0}},
                   {{0, 0, 1.1e-5}, {-1, -1, -0.5}, {1, -1, -0.5}, {0, 2, 1.0}},
                   1};
    TEST_ASSERT_FALSE(find(&w, 1e-6, 1e-9).found);
    const way through = {{{0, 0, 1e-5}, {-1, -1, 0}, {1, -1, 0}, {0, 2, 0}},
                         {{0, 0, -1e-5}, {-1, -1, -0.5}, {1, -1, -0.5}, {0, 2, 1.0}},
                         1};
    const encounter e = find(&through, 1e-6, 1e-9);
    TEST_ASSERT_TRUE(e.found);
    TEST_ASSERT_FALSE(e.unresolved);
}

/* The normal parts the two: along it, every corner of the first is in front of the second. */
static void test_the_normal_parts_the_two_features(void)
{
    random_source rng = {3};
    for (int i = 0; i < 5000; i++) {
        const way w = random_way(&rng);
        const encounter_pair p = encounter_make_pair(w.x0, w.x1, w.split);
        const encounter_look at = encounter_look_at(&p, 0.0);
        for (uint32_t a = 0; a < w.split; a++) {
            for (uint32_t b = w.split; b < 4; b++) {
                const double apart = v3_dot(at.normal, v3_sub(w.x0[a], w.x0[b]));
                TEST_ASSERT_TRUE(apart >= at.distance - 1e-12);
            }
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, v3_norm(at.normal));
    }
}

static void test_things_at_rest_have_answers(void)
{
    const way w = {{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
                   {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
                   1};
    const encounter e = find(&w, 0.0, 0.0);
    TEST_ASSERT_TRUE(e.found);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, e.at.t);
    TEST_ASSERT_TRUE(v3_is_finite(e.at.normal));
    const way apart = {{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                       {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                       1};
    TEST_ASSERT_FALSE(find(&apart, 0.5, 0.0).found);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_random_ways_meet_no_later_than_samples_say);
    RUN_TEST(test_no_hit_is_missed);
    RUN_TEST(test_grazing_ways_are_told_apart);
    RUN_TEST(test_a_turning_triangle_is_passed_in_few_rounds);
    RUN_TEST(test_the_normal_parts_the_two_features);
    RUN_TEST(test_things_at_rest_have_answers);
    return UNITY_END();
}
