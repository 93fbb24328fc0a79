/* SPDX-License-Identifier: Apache-2.0
 *
 * Rigid bodies: free tops, drag, loads, Jacobians, bad input.
 */
#include "rigid/rigid.h"

#include "math/so3.h"
#include "support/counting_allocator.h"
#include "support/random.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { MOST = 4, STATE = 19, WORK = 46 };

static const double PI = 3.14159265358979323846;

static random_source rng;
static rigid_body body[MOST];
static rigid_source source;
static body_group *g;
static double state[MOST * STATE], work[MOST * WORK];
static body_input in;

void setUp(void)
{
    rng = (random_source){45};
    source = (rigid_source){.name = "props", .bodies = 1, .body = body};
    in = (body_input){.h = 1e-2};
    g = NULL;
}

void tearDown(void) { body_group_destroy(g); }

static rigid_body plain_body(double mass, v3 inertia)
{
    return (rigid_body){.mass = mass,
                        .inertia = {.xx = inertia.x, .yy = inertia.y, .zz = inertia.z}};
}

/* The bodies at `at`, moving with v. */
static void build(const pose *at, const double *v)
{
    error err = {0};
    body_group_destroy(g);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, rigid_create(&source, &allocator_system, &g, &err),
                              err.text);
    TEST_ASSERT_EQUAL(STATE, g->state_count);
    TEST_ASSERT_EQUAL(WORK, g->work_count);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, rigid_place(g, "props", at, v, state, &err), err.text);
}

/* One body at the origin that turns. */
static void spin(rigid_body what, v3 omega)
{
    const pose origin = pose_identity();
    const double v[6] = {0.0, 0.0, 0.0, omega.x, omega.y, omega.z};
    body[0] = what;
    build(&origin, v);
}

static void step(void)
{
    double v[6 * MOST];
    body_predict(g, &in, state, work, 0, g->count);
    for (size_t k = 0; k < g->count; k++) {
        memcpy(v + 6 * k, body_v_free(g, work, k), 6 * sizeof(double));
    }
    body_correct(g, &in, state, work, v, state, 0, g->count);
}

static v3 velocity(size_t k) { return v3_load(body_v(g, state, k)); }
static v3 omega_of(size_t k) { return v3_load(body_v(g, state, k) + 3); }
static double kinetic(void) { return body_get_energy(g, &in, state, 0).kinetic; }

/* J omega in the middle of the last step, where omega belongs. */
static v3 angular_momentum(void)
{
    const v3 omega = omega_of(0);
    const quat back = so3_exp(v3_scale(-0.5 * in.h, omega));
    const m3 R = quat_to_m3(quat_mul(back, rigid_pose(g, state, 0).rotation));
    const sym3 J = sym3_rotate(&body[0].inertia, &R);
    return sym3_mul_v3(&J, omega);
}

static v3 omega_in_body(void)
{
    return quat_rotate(quat_conjugate(rigid_pose(g, state, 0).rotation), omega_of(0));
}

static pose random_pose(void)
{
    return (pose){random_v3(&rng), so3_exp(v3_scale(3.0, random_v3(&rng)))};
}

/* Of a cloud of a few points, which is an inertia that can be. */
static sym3 random_inertia(void)
{
    sym3 J = {0};
    for (int i = 0; i < 5; i++) {
        const v3 x = random_v3(&rng);
        J.xx += x.y * x.y + x.z * x.z, J.yy += x.z * x.z + x.x * x.x, J.zz += x.x * x.x + x.y * x.y;
        J.xy -= x.x * x.y, J.xz -= x.x * x.z, J.yz -= x.y * x.z;
    }
    return J;
}

static rigid_body random_body(void)
{
    return (rigid_body){.mass = random_between(&rng, 0.1, 2.0), .inertia = random_inertia()};
}

static void assert_v3_within(double delta, v3 expected, v3 actual)
{
    TEST_ASSERT_DOUBLE_WITHIN(delta, 0.0, v3_norm(v3_sub(expected, actual)));
}

/* ---- free tops ---- */

static const v3 DZHANIBEKOV = {1.0, 2.0, 3.0}; /* turns about y flip over */

/* How far the angular momentum has turned after `seconds` in steps of h. */
static double momentum_error(double h, double seconds)
{
    in.h = h;
    spin(plain_body(1.0, DZHANIBEKOV), (v3){0.3, 2.0, 0.2});
    const v3 L = angular_momentum();
    for (int i = 0; i < (int)(seconds / h + 0.5); i++) step();
    return v3_norm(v3_sub(angular_momentum(), L)) / v3_norm(L);
}

static void test_a_free_top_keeps_its_energy_and_momentum_for_10000_steps(void)
{
    const double rounding = 10000 * 8.0 * DBL_EPSILON; /* a few operations a step, all one way */
    for (int i = 0; i < 4; i++) {
        spin(random_body(), v3_scale(5.0, random_direction(&rng)));
        const v3 L = angular_momentum();
        const double E = kinetic();
        double off = 0.0;
        for (int k = 0; k < 10000; k++) {
            step();
            off = fmax(off, v3_norm(v3_sub(angular_momentum(), L)));
        }
        TEST_ASSERT_DOUBLE_WITHIN(rounding * E, E, kinetic());
        TEST_ASSERT_DOUBLE_WITHIN(rounding * v3_norm(L), v3_norm(L), v3_norm(angular_momentum()));
        /* (h |omega|)^2 = 1/400 is the error of a second order */
        TEST_ASSERT_DOUBLE_WITHIN(v3_norm(L) / 400.0, 0.0, off);
    }
}

static void test_the_direction_of_momentum_has_an_error_of_second_order(void)
{
    const double coarse = momentum_error(0.02, 20.0), fine = momentum_error(0.01, 20.0);
    TEST_ASSERT_DOUBLE_WITHIN(0.2, 4.0, coarse / fine);
}

/* Half the period of sn(rate t, k) by the arithmetic-geometric mean: K = pi / 2 agm(1, k'). */
static double flip_time(v3 J, v3 omega)
{
    const v3 L = {J.x * omega.x, J.y * omega.y, J.z * omega.z};
    const double E2 = v3_dot(L, omega), L2 = v3_dot(L, L);
    const double a = (J.z - J.y) * (L2 - E2 * J.x), b = (J.y - J.x) * (E2 * J.z - L2);
    const double low = fmin(a, b), high = fmax(a, b);
    double mean = 1.0, root = sqrt(1.0 - low / high);
    for (int i = 0; i < 8; i++) {
        const double next = 0.5 * (mean + root);
        root = sqrt(mean * root);
        mean = next;
    }
    return PI / mean / sqrt(high / (J.x * J.y * J.z));
}

/* The mean time between two flips, over eight. */
static double measured_flip_time(double h, v3 omega)
{
    double first = 0.0, last = 0.0;
    in.h = h;
    spin(plain_body(1.0, DZHANIBEKOV), omega);
    double y = omega_in_body().y;
    for (int k = 1, flips = 0; flips < 9; k++) {
        step();
        const double now = omega_in_body().y;
        if (y * now <= 0.0) {
            last = h * (k - now / (now - y));
            if (flips++ == 0) first = last;
        }
        y = now;
        TEST_ASSERT_LESS_THAN(1000000, k);
    }
    return (last - first) / 8.0;
}

static void test_a_turn_about_the_middle_axis_flips_in_the_time_of_the_elliptic_integral(void)
{
    const v3 omega = {1e-3, 2.0, 0.0};
    const double exact = flip_time(DZHANIBEKOV, omega);
    const double coarse = measured_flip_time(0.02, omega) - exact;
    const double fine = measured_flip_time(0.01, omega) - exact;
    /* rate^2 h^2 / 12 of the time, as that of tanh's integral; the crossing costs less */
    TEST_ASSERT_DOUBLE_WITHIN(exact * 4.0 * 1e-4 / 12.0, 0.0, fine);
    TEST_ASSERT_DOUBLE_WITHIN(0.2, 4.0, coarse / fine);
}

static void test_turns_about_the_other_axes_are_stable(void)
{
    const v3 axes[2] = {{2.0, 0.0, 0.0}, {0.0, 0.0, 2.0}};
    for (int i = 0; i < 2; i++) {
        const v3 start = v3_add(axes[i], (v3){0.0, 1e-3, 0.0});
        spin(plain_body(1.0, DZHANIBEKOV), start);
        for (int k = 0; k < 10000; k++) {
            step();
            /* the invariant ellipse about the axis is at most sqrt(3) longer than wide */
            assert_v3_within(4e-3, axes[i], omega_in_body());
        }
    }
}

static void test_energy_never_rises_however_fast_the_turn(void)
{
    for (int i = 0; i < 200; i++) {
        rigid_body b = random_body();
        b.drag = i % 2 ? 0.3 : 0.0;
        if (i % 2) b.turn_drag = random_inertia();
        spin(b, v3_scale(pow(10.0, i % 5), random_direction(&rng))); /* up to 100 rad a step */
        for (int k = 0; k < 50; k++) {
            const double E = kinetic();
            step();
            /* rounding of the rotation, times how uneven the inertia is */
            TEST_ASSERT_TRUE(kinetic() <= E * (1.0 + 500.0 * DBL_EPSILON));
        }
    }
}

static void test_momentum_stays_up_to_two_radians_a_step_even_of_a_needle(void)
{
    const rigid_shape needle = {.kind = RIGID_CAPSULE, .radius = 0.001, .half_length = 0.1};
    for (int i = 0; i < 100; i++) {
        const rigid_body b = i % 2 ? rigid_body_from_mass(&needle, 1.0, 0.0) : random_body();
        spin(b, v3_scale(200.0, random_direction(&rng)));
        const double L = v3_norm(angular_momentum());
        for (int k = 0; k < 50; k++) step();
        TEST_ASSERT_DOUBLE_WITHIN(1e-12 * L, L, v3_norm(angular_momentum()));
    }
}

static void test_a_ball_turns_evenly(void)
{
    const rigid_shape ball = {.kind = RIGID_SPHERE, .radius = 0.1};
    const v3 omega = {3.0, -4.0, 12.0};
    spin(rigid_body_from_density(&ball, 1000.0, 0.0), omega);
    for (int k = 0; k < 100; k++) step();
    assert_v3_within(1e-12, omega, omega_of(0));
    const quat turned = rigid_pose(g, state, 0).rotation;
    const quat expected = so3_exp(omega); /* 100 steps of 0.01 s */
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, fabs(quat_dot(turned, expected)));
}

/* ---- forces ---- */

static void test_a_falling_ball_reaches_the_velocity_at_which_drag_carries_it(void)
{
    const rigid_shape ball = {.kind = RIGID_SPHERE, .radius = 0.05};
    const double air[3] = {1.0, 0.0, 0.0}, area = 4.0 * PI * 0.0025;
    body[0] = rigid_body_from_mass(&ball, 0.2, 3.0);
    in = (body_input){.h = 0.1, .gravity = {0.0, 0.0, -9.81}, .air = air};
    spin(body[0], (v3){0.0, 0.0, 5.0});
    const double J = 0.4 * 0.2 * 0.0025, C = 2.0 / 3.0 * 3.0 * area * 0.0025;
    for (int k = 1; k <= 800; k++) {
        step();
        const double left = 5.0 * pow(1.0 + in.h * C / J, -k);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, left, omega_of(0).z);
    }
    assert_v3_within(1e-12, (v3){1.0, 0.0, -0.2 * 9.81 / (3.0 * area)}, velocity(0));
}

static void test_loads_and_fields_change_momentum_by_their_impulse(void)
{
    const double field[6] = {0.0, 0.0, 0.0, 1.0, -2.0, 0.5};
    const body_load loads[] = {
        {.body = 1, .at = {0.1, 0.2, -0.3}, .force = {1.0, 2.0, 3.0}},
        {.body = 1, .at = {-0.4, 0.0, 0.2}, .force = {-2.0, 1.0, 1.0}, .moment = {0.1, 0.2, 0.3}},
    };
    const pose at[2] = {random_pose(), random_pose()};
    source.bodies = 2;
    body[0] = random_body();
    body[1] = random_body();
    in.loads = loads, in.load_count = 2, in.field = field;
    build(at, NULL);
    step();
    v3 force = v3_scale(body[1].mass, v3_load(field + 3)), moment = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        const v3 arm = quat_rotate(at[1].rotation, loads[i].at);
        force = v3_add(force, loads[i].force);
        moment = v3_add(moment, v3_add(v3_cross(arm, loads[i].force), loads[i].moment));
    }
    const m3 R = quat_to_m3(at[1].rotation);
    const sym3 J = sym3_rotate(&body[1].inertia, &R);
    assert_v3_within(1e-16, (v3){0.0, 0.0, 0.0}, velocity(0));
    assert_v3_within(1e-16, (v3){0.0, 0.0, 0.0}, omega_of(0));
    assert_v3_within(1e-15, v3_scale(in.h, force), v3_scale(body[1].mass, velocity(1)));
    assert_v3_within(1e-15, v3_scale(in.h, moment), sym3_mul_v3(&J, omega_of(1)));
}

/* ---- places ---- */

static body_place moved_place(uint32_t unknown, double d, v3 X)
{
    double v[6] = {0.0}, next[STATE];
    v[unknown] = d;
    const body_input unit = {.h = 1.0};
    body_correct(g, &unit, state, work, v, next, 0, 1);
    return body_find_place(g, next, 0, X);
}

static void test_jacobians_are_the_slopes_of_places(void)
{
    const double d = 1e-5;
    for (int i = 0; i < 20; i++) {
        const pose at = random_pose();
        const v3 X = random_v3(&rng);
        double linear[18], angular[18];
        v3 v_0, omega_0;
        body[0] = random_body();
        build(&at, NULL);
        body_predict(g, &in, state, work, 0, 1);
        body_jacobian(g, work, 0, X, linear, angular, &v_0, &omega_0);
        TEST_ASSERT_TRUE(v3_norm(v_0) == 0.0 && v3_norm(omega_0) == 0.0);
        for (uint32_t k = 0; k < 6; k++) {
            const body_place ahead = moved_place(k, d, X), behind = moved_place(k, -d, X);
            const v3 slope = v3_scale(0.5 / d, v3_sub(ahead.position, behind.position));
            const quat turn = quat_mul(ahead.rotation, quat_conjugate(behind.rotation));
            assert_v3_within(1e-9, slope, (v3){linear[k], linear[6 + k], linear[12 + k]});
            assert_v3_within(1e-9, v3_scale(0.5 / d, so3_log(turn)),
                             (v3){angular[k], angular[6 + k], angular[12 + k]});
        }
    }
}

static void test_the_gradient_is_the_slope_of_weight_and_dead_loads(void)
{
    const body_load load = {.at = {0.3, -0.2, 0.5}, .force = {1.0, -2.0, 0.7}};
    const pose at = random_pose();
    const double d = 1e-5;
    double slope[6];
    body[0] = random_body();
    in.gravity = (v3){1.0, 2.0, -9.0}, in.loads = &load, in.load_count = 1;
    build(&at, NULL);
    body_gradient(g, &in, state, 0, slope);
    for (uint32_t k = 0; k < 6; k++) {
        double potential[2];
        for (int side = 0; side < 2; side++) {
            const double move = side ? d : -d;
            const v3 centre = moved_place(k, move, (v3){0.0, 0.0, 0.0}).position;
            const v3 point = moved_place(k, move, load.at).position;
            potential[side] =
                -body[0].mass * v3_dot(in.gravity, centre) - v3_dot(load.force, point);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, (potential[1] - potential[0]) / (2.0 * d), slope[k]);
    }
    const double gravity = body_get_energy(g, &in, state, 0).gravity;
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -body[0].mass * v3_dot(in.gravity, at.position), gravity);
}

static void test_an_impulse_moves_a_body_as_its_inertia_says(void)
{
    const pose at = random_pose();
    const v3 impulse = random_v3(&rng), X = random_v3(&rng);
    double linear[18], v[6];
    v3 unused;
    body[0] = random_body();
    build(&at, NULL);
    body_predict(g, &in, state, work, 0, 1);
    body_jacobian(g, work, 0, X, linear, NULL, &unused, &unused);
    for (int k = 0; k < 6; k++) {
        v[k] = linear[k] * impulse.x + linear[6 + k] * impulse.y + linear[12 + k] * impulse.z;
    }
    ldl_solve(&g->shape, body_factors(g, work, 0), v);
    const m3 R = quat_to_m3(at.rotation);
    const sym3 J = sym3_rotate(&body[0].inertia, &R);
    assert_v3_within(1e-15, impulse, v3_scale(body[0].mass, v3_load(v)));
    assert_v3_within(1e-14, v3_cross(quat_rotate(at.rotation, X), impulse),
                     sym3_mul_v3(&J, v3_load(v + 3)));
}

/* ---- input ---- */

static void check_refused(const char *text)
{
    error err = {0};
    body_group *none = NULL;
    const status st = rigid_create(&source, &allocator_system, &none, &err);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, st);
    TEST_ASSERT_NULL(none);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
    body[1] = plain_body(1.0, (v3){1.0, 1.0, 1.0});
}

static void test_bad_bodies_are_refused_by_number(void)
{
    source.bodies = 2;
    body[0] = body[1] = plain_body(1.0, (v3){1.0, 1.0, 1.0});
    body[1].mass = 0.0;
    check_refused("'props', body 1: its mass is 0, expected a positive number");
    body[1].mass = NAN;
    check_refused("its mass is nan");
    body[1].inertia.xy = NAN;
    check_refused("body 1: its inertia");
    body[1].inertia.xx = 0.0;
    check_refused("is not positive definite");
    body[1].inertia.xy = 2.0;
    check_refused("is not positive definite");
    body[1].inertia.zz = 2.1;
    check_refused("has a principal moment larger than the sum of the other two");
    body[1].drag = -1.0;
    check_refused("its drag is -1, expected 0 or more");
    body[1].turn_drag.yy = -1e-3;
    check_refused("its drag of turns");
    body[1].turn_drag.yz = INFINITY;
    check_refused("its drag of turns");
    source.bodies = 0;
    check_refused("'props' has no bodies");
}

static void test_a_flat_plate_is_a_body_in_any_axes(void)
{
    const sym3 plate = {.xx = 1.0, .yy = 2.0, .zz = 3.0};
    error err = {0};
    for (int i = 0; i < 20; i++) {
        const m3 R = so3_exp_m3(v3_scale(3.0, random_v3(&rng)));
        body[0] = (rigid_body){.mass = 1.0, .inertia = sym3_rotate(&plate, &R)};
        TEST_ASSERT_EQUAL(STATUS_OK, rigid_create(&source, &allocator_system, &g, &err));
        body_group_destroy(g);
        g = NULL;
    }
}

static void test_bad_poses_are_refused(void)
{
    const pose bad[] = {
        {{0.0, NAN, 0.0}, {1.0, 0.0, 0.0, 0.0}},
        {{0.0, 0.0, 0.0}, {0.9, 0.0, 0.0, 0.0}},
        {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}},
        {{0.0, 0.0, 0.0}, {NAN, 0.0, 0.0, 0.0}},
    };
    const char *text[] = {"'rock', body 0: its position is nan", "its rotation's length is 0.9",
                          "its rotation's length is 0, expected 1", "its rotation's length is nan"};
    const double v[6] = {0.0, 0.0, 0.0, 0.0, INFINITY, 0.0};
    const pose origin = pose_identity();
    error err = {0};
    body[0] = random_body();
    build(&origin, NULL);
    double before[STATE];
    memcpy(before, state, sizeof before);
    for (int i = 0; i < 4; i++) {
        TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                          rigid_place(g, "rock", &bad[i], NULL, state, &err));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text[i]), err.text);
    }
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, rigid_place(g, "rock", &origin, v, state, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "its velocity is inf"), err.text);
    TEST_ASSERT_EQUAL_MEMORY(before, state, sizeof before);
}

static void test_a_body_beyond_the_range_of_double_is_not_a_number_alone(void)
{
    const pose at[2] = {pose_identity(), pose_identity()};
    const double v[12] = {1.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 1e300, 1e300, -1e300};
    source.bodies = 2;
    body[0] = body[1] = plain_body(1.0, DZHANIBEKOV);
    build(at, v);
    body_predict(g, &in, state, work, 0, 2);
    TEST_ASSERT_TRUE(isfinite(body_v_free(g, work, 0)[4]));
    TEST_ASSERT_TRUE(isnan(body_v_free(g, work, 1)[4]));
}

static void test_every_failed_allocation_is_an_error(void)
{
    body[0] = random_body();
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        body_group *made = NULL;
        error err = {0};
        counting_init(&memory, k);
        const status st = rigid_create(&source, &memory.from, &made, &err);
        if (st == STATUS_OK) body_group_destroy(made);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_free_top_keeps_its_energy_and_momentum_for_10000_steps);
    RUN_TEST(test_the_direction_of_momentum_has_an_error_of_second_order);
    RUN_TEST(test_a_turn_about_the_middle_axis_flips_in_the_time_of_the_elliptic_integral);
    RUN_TEST(test_turns_about_the_other_axes_are_stable);
    RUN_TEST(test_energy_never_rises_however_fast_the_turn);
    RUN_TEST(test_momentum_stays_up_to_two_radians_a_step_even_of_a_needle);
    RUN_TEST(test_a_ball_turns_evenly);
    RUN_TEST(test_a_falling_ball_reaches_the_velocity_at_which_drag_carries_it);
    RUN_TEST(test_loads_and_fields_change_momentum_by_their_impulse);
    RUN_TEST(test_jacobians_are_the_slopes_of_places);
    RUN_TEST(test_the_gradient_is_the_slope_of_weight_and_dead_loads);
    RUN_TEST(test_an_impulse_moves_a_body_as_its_inertia_says);
    RUN_TEST(test_bad_bodies_are_refused_by_number);
    RUN_TEST(test_a_flat_plate_is_a_body_in_any_axes);
    RUN_TEST(test_bad_poses_are_refused);
    RUN_TEST(test_a_body_beyond_the_range_of_double_is_not_a_number_alone);
    RUN_TEST(test_every_failed_allocation_is_an_error);
    return UNITY_END();
}
