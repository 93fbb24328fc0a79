/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/force_fields.h"

#include "scene/scene.h"
#include "support/random.h"

#include <unity.h>

static random_source rng;

void setUp(void) { rng.state = 7; }
void tearDown(void) {}

static force_field some_field(uint32_t type, uint32_t falloff)
{
    const v3 axis = random_direction(&rng);
    return (force_field){.type = type,
                         .at = {random_v3(&rng), quat_from_axis_angle(axis, 1.3)},
                         .strength = 3.0,
                         .reach = 0.7,
                         .falloff = falloff};
}

static v3 axis_of(const force_field *f) { return quat_rotate(f->at.rotation, (v3){0, 0, 1}); }

/* w(r) */
static double fade(const force_field *f, double r)
{
    const double base = 1.0 + r * r / (f->reach * f->reach);
    return pow(base, -0.5 * f->falloff);
}

static void test_wind_blows_along_its_axis_and_fades(void)
{
    for (uint32_t falloff = 0; falloff <= 8; falloff++) {
        const force_field f = some_field(FORCE_WIND, falloff);
        const v3 d = v3_scale(2.0, random_v3(&rng));
        const v3 u = force_field_at(&f, v3_add(f.at.position, d)), z = axis_of(&f);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 3.0 * fade(&f, v3_norm(d)), v3_dot(u, z));
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, v3_norm(v3_cross(u, z)));
    }
}

static void test_a_vortex_is_tangential_and_solid_inside_and_free_outside(void)
{
    for (int i = 0; i < 100; i++) {
        const force_field f = some_field(FORCE_VORTEX, 1);
        const v3 d = v3_scale(random_between(&rng, 0.0, 5.0), random_v3(&rng)), z = axis_of(&f);
        const v3 across = v3_add_scaled(d, -v3_dot(d, z), z);
        const v3 u = force_field_at(&f, v3_add(f.at.position, d));
        const double r = v3_norm(across), r2 = r * r + f.reach * f.reach;
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, v3_dot(u, d));
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, v3_dot(u, z));
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 3.0 * f.reach * r / r2, v3_norm(u));
        TEST_ASSERT_TRUE(v3_dot(v3_cross(across, u), z) >= 0.0); /* it turns to the left of z */
    }
    const force_field f = some_field(FORCE_VORTEX, 1);
    const v3 middle = v3_add_scaled(f.at.position, 2.0, axis_of(&f));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, v3_norm(force_field_at(&f, middle)));
}

static void test_a_point_pushes_away_and_not_in_its_middle(void)
{
    for (uint32_t falloff = 0; falloff <= 4; falloff++) {
        const force_field f = some_field(FORCE_POINT, falloff);
        const v3 d = random_v3(&rng), a = force_field_at(&f, v3_add(f.at.position, d));
        const double r = v3_norm(d), soft = r / sqrt(r * r + f.reach * f.reach);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 3.0 * fade(&f, r) * soft, v3_dot(a, d) / r);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, v3_norm(v3_cross(a, d)));
        TEST_ASSERT_TRUE(v3_norm(force_field_at(&f, f.at.position)) == 0.0);
    }
}

/* ---- noise ---- */

static const noise_source source = {.size = 0.5, .speed = 2.0, .flow = 0.0, .seed = 3};

/* The most that a derivative of the given order of any component can be. */
static double derivative_bound(const noise *n, int order)
{
    double bound = 0.0;
    for (int i = 0; i < NOISE_SIZE; i++) {
        bound += v3_norm(n->wave[i].a) * pow(v3_norm(n->wave[i].k), order);
    }
    return bound;
}

/* Central differences of noise in a turned and moved force. */
static m3 slopes(const force_field *f, v3 x, double h)
{
    const v3 step[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
    m3 J;
    for (int j = 0; j < 3; j++) {
        const v3 a = force_field_at(f, v3_sub(x, step[j])),
                 b = force_field_at(f, v3_add(x, step[j]));
        J.row[j] = v3_scale(0.5 / h, v3_sub(b, a));
    }
    return J;
}

static void test_turbulence_has_no_divergence(void)
{
    const double h = 1e-4;
    force_field f = some_field(FORCE_TURBULENCE, 0);
    noise_init(&f.noise, &source, 0.4);
    const double fastest = derivative_bound(&f.noise, 0), third = derivative_bound(&f.noise, 3);
    /* The formula misses h^2/6 of the third derivative, rounding adds its share. */
    const double bound = 3.0 * f.strength * (h * h / 6.0 * third + 64.0 * 0x1p-52 * fastest / h);
    double largest_slope = 0.0;
    for (int i = 0; i < 200; i++) {
        const m3 J = slopes(&f, random_v3(&rng), h);
        TEST_ASSERT_DOUBLE_WITHIN(bound, 0.0, J.row[0].x + J.row[1].y + J.row[2].z);
        largest_slope = fmax(largest_slope, fabs(J.row[0].x));
    }
    TEST_ASSERT_TRUE(largest_slope > 100.0 * bound);
}

/* Means over places far apart; 4,000 of them leave an error of about 1/sqrt(4000) of a scatter
 * near 1. */
static void test_turbulence_is_as_strong_as_it_says_in_all_directions(void)
{
    noise n;
    noise_init(&n, &source, 0.0);
    v3 mean = {0, 0, 0};
    double square = 0.0;
    const int count = 4000;
    for (int i = 0; i < count; i++) {
        const v3 u = noise_at(&n, v3_scale(1000.0, random_v3(&rng)));
        mean = v3_add_scaled(mean, 1.0 / count, u);
        square += v3_dot(u, u) / count;
    }
    TEST_ASSERT_DOUBLE_WITHIN(4.0 / sqrt(count), 1.0, square);
    TEST_ASSERT_DOUBLE_WITHIN(4.0 / sqrt(count), 0.0, v3_norm(mean));
}

static void test_turbulence_changes_smoothly_in_time(void)
{
    const double dt = 1e-3, rate = source.speed * 1.5874010519681994 * 1.5874010519681994;
    noise a, b;
    noise_init(&a, &source, 5.0);
    noise_init(&b, &source, 5.0 + dt);
    const double bound = dt * 6.283185307179586 * rate * derivative_bound(&a, 0);
    double most = 0.0;
    for (int i = 0; i < 100; i++) {
        const v3 x = random_v3(&rng);
        most = fmax(most, v3_norm(v3_sub(noise_at(&a, x), noise_at(&b, x))));
    }
    TEST_ASSERT_TRUE(most > 0.0 && most <= bound);
}

static void test_turbulence_floats_with_its_flow(void)
{
    noise_source frozen = source;
    frozen.speed = 0.0;
    noise at_start, later;
    noise_init(&at_start, &frozen, 0.0);
    frozen.flow = 3.0;
    noise_init(&later, &frozen, 2.0);
    for (int i = 0; i < 100; i++) {
        const v3 x = random_v3(&rng), u = noise_at(&later, v3_add(x, (v3){0, 0, 6}));
        TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.0, v3_norm(v3_sub(u, noise_at(&at_start, x))));
    }
}

static void test_seeds_make_other_eddies_and_the_same_seed_the_same(void)
{
    noise a, b, c;
    noise_source other = source;
    other.seed++;
    noise_init(&a, &source, 1.0);
    noise_init(&b, &source, 1.0);
    noise_init(&c, &other, 1.0);
    const v3 x = {0.3, -0.2, 0.1};
    TEST_ASSERT_TRUE(v3_is_equal(noise_at(&a, x), noise_at(&b, x)));
    TEST_ASSERT_FALSE(v3_is_equal(noise_at(&a, x), noise_at(&c, x)));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_wind_blows_along_its_axis_and_fades);
    RUN_TEST(test_a_vortex_is_tangential_and_solid_inside_and_free_outside);
    RUN_TEST(test_a_point_pushes_away_and_not_in_its_middle);
    RUN_TEST(test_turbulence_has_no_divergence);
    RUN_TEST(test_turbulence_is_as_strong_as_it_says_in_all_directions);
    RUN_TEST(test_turbulence_changes_smoothly_in_time);
    RUN_TEST(test_turbulence_floats_with_its_flow);
    RUN_TEST(test_seeds_make_other_eddies_and_the_same_seed_the_same);
    return UNITY_END();
}
