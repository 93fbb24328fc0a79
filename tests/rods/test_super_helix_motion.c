/* SPDX-License-Identifier: Apache-2.0
 *
 * How super-helices move: what must be kept, and what must be lost.
 */
#include "math/so3.h"
#include "support/rod_rig.h"

#include <string.h>
#include <unity.h>

enum { UNKNOWNS = 6 + 3 * 8 };

static random_source rng;
static rod_rig rig;

void setUp(void)
{
    rng = (random_source){45};
    rig = (rod_rig){.in = {.h = 1e-3}};
}

void tearDown(void) { rod_rig_free(&rig); }

static double rod_length(void)
{
    double sum = 0.0;
    for (uint32_t e = 0; e < rig.source.elements; e++) sum += rig.lengths[e];
    return sum;
}

static v3 place(double s)
{
    return body_find_place(rig.g, rig.state, 0, (v3){s, 0.0, 0.0}).position;
}

/* Length along chords of at most a twentieth of a radian; they are too short by an error of second
 * order, of which a second and a third polygon take away the first two terms. */
static double chords(double begin, double length, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        const v3 a = place(begin + length * i / count), b = place(begin + length * (i + 1) / count);
        sum += v3_norm(v3_sub(b, a));
    }
    return sum;
}

static double measured_length(void)
{
    double begin = 0.0, sum = 0.0;
    for (uint32_t e = 0; e < rig.source.elements; e++) {
        const double l = rig.lengths[e];
        const int n = 50 + 20 * (int)(l * v3_norm(v3_load(body_q(rig.g, rig.state, 0) + 3 * e)));
        const double c[3] = {chords(begin, l, n), chords(begin, l, 2 * n), chords(begin, l, 4 * n)};
        const double second[2] = {c[1] + (c[1] - c[0]) / 3.0, c[2] + (c[2] - c[1]) / 3.0};
        sum += second[1] + (second[1] - second[0]) / 15.0;
        begin += l;
    }
    return sum;
}

static void test_length_is_exact_after_ten_thousand_violent_steps(void)
{
    rod_rig_fill(&rig, &rng, 1, 5, 0.5);
    rod_rig_build(&rig, "super-helix");
    pose root = rig.root[0];
    rig.in = (body_input){.h = 5e-3, .root = &root};
    for (int i = 0; i < 10000; i++) {
        rig.in.gravity = v3_scale(100.0, random_v3(&rng));
        root.position = v3_add(rig.root[0].position, v3_scale(0.1, random_v3(&rng)));
        root.rotation = quat_mul(so3_exp(random_v3(&rng)), rig.root[0].rotation);
        rod_rig_step(&rig);
    }
    for (uint32_t i = 0; i < rig.g->unknowns; i++) {
        TEST_ASSERT_TRUE(isfinite(body_q(rig.g, rig.state, 0)[i]));
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, rod_length(), measured_length());
}

static double energy(void)
{
    const body_energy e = body_get_energy(rig.g, &rig.in, rig.state, 0);
    return e.kinetic + e.elastic;
}

static void check_energy(bool free_root, double h)
{
    rod_rig_fill(&rig, &rng, 1, 6, 1.0);
    rig.source.free_root = free_root;
    rod_rig_build(&rig, "super-helix");
    rig.in.h = h;
    for (uint32_t i = 0; i < rig.g->unknowns; i++) {
        body_v(rig.g, rig.state, 0)[i] = random_between(&rng, -50.0, 50.0);
    }
    double last = energy();
    const double first = last;
    for (int i = 0; i < 1000; i++) {
        rod_rig_step(&rig);
        const double now = energy();
        TEST_ASSERT_TRUE(now <= last + 1e-11 * first);
        last = now;
    }
    TEST_ASSERT_TRUE(last < first);
    rod_rig_free(&rig);
}

static void test_energy_never_rises_without_forcing(void)
{
    static const double steps[] = {1e-4, 1e-3, 1e-2, 0.1};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        check_energy(false, steps[i]);
        check_energy(true, steps[i]);
    }
}

/* A v has the momentum of a free root's rod in its first three rows. */
static v3 momentum(void)
{
    double Av[UNKNOWNS];
    rod_rig_multiply(&rig, 0, body_v_free(rig.g, rig.work, 0), Av);
    return v3_load(Av);
}

static void test_a_free_rod_falls_with_the_momentum_of_its_weight(void)
{
    rod_rig_fill(&rig, &rng, 1, 5, 1.5);
    rig.source.free_root = true;
    rod_rig_build(&rig, "super-helix");
    rig.in.gravity = (v3){0.0, 1.0, -9.81};
    for (uint32_t i = 6; i < rig.g->unknowns; i++) { /* it is let go bent: it shakes and tumbles */
        body_q(rig.g, rig.state, 0)[i] += random_between(&rng, -5.0, 5.0);
    }
    const double weight = rig.material[0].density * rod_length() * rig.in.h;
    for (int i = 1; i <= 500; i++) {
        rod_rig_step(&rig);
        const v3 off = v3_sub(v3_scale(i * weight, rig.in.gravity), momentum());
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(off));
    }
}

/* Steps with a root that is shaken, or with the gravity that the shaken root would feel. */
static void shake(bool moving, double q[UNKNOWNS])
{
    rng = (random_source){46};
    rod_rig_fill(&rig, &rng, 1, 5, 0.5);
    rod_rig_build(&rig, "super-helix");
    pose root = rig.root[0];
    if (moving) rig.in.root = &root;
    v3 last = {0.0, 0.0, 0.0};
    for (int i = 0; i < 200; i++) {
        const v3 velocity = random_v3(&rng);
        root.position = v3_add_scaled(root.position, rig.in.h, velocity);
        const v3 felt = v3_scale(-1.0 / rig.in.h, v3_sub(velocity, last));
        rig.in.gravity = moving ? (v3){0.0, 0.0, -9.81} : v3_add(felt, (v3){0.0, 0.0, -9.81});
        last = velocity;
        rod_rig_step(&rig);
    }
    memcpy(q, body_q(rig.g, rig.state, 0), rig.g->unknowns * sizeof(double));
    rod_rig_free(&rig);
}

static void test_a_shaken_clamp_is_the_same_as_gravity_in_its_frame(void)
{
    double moving[UNKNOWNS], felt[UNKNOWNS];
    shake(true, moving);
    shake(false, felt);
    for (int i = 0; i < 15; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, felt[i], moving[i]);
}

/* A straight rod along z on a carousel, `arm` from its axis z: it leans outward by the centrifugal
 * force. For a stiff rod the tip goes out by w L^4 / (8 B), w = rho omega^2 arm. */
static void test_a_rod_on_a_carousel_leans_outward(void)
{
    const double omega = 3.0, arm = 2.0, length = 0.4;
    rod_rig_fill(&rig, &rng, 1, 8, 0.0);
    for (int e = 0; e < 8; e++) rig.lengths[e] = length / 8;
    rig.material[0].bend[0] = rig.material[0].bend[1] = 1.0;
    rig.material[0].damping = 0.05;
    const quat up = quat_from_axis_angle((v3){0.0, 1.0, 0.0}, -0.5 * 3.14159265358979323846);
    rig.root[0] = (pose){{arm, 0.0, 0.0}, up};
    rod_rig_build(&rig, "super-helix");
    pose root = rig.root[0];
    rig.in.root = &root;
    double angle = 0.0;
    for (int i = 0; i < 3000; i++) {
        angle += rig.in.h * omega;
        const quat turn = so3_exp((v3){0.0, 0.0, angle});
        root = (pose){quat_rotate(turn, (v3){arm, 0.0, 0.0}), quat_mul(turn, up)};
        rod_rig_step(&rig);
    }
    const v3 tip = pose_unapply(&root, place(length));
    const double expected =
        rig.material[0].density * omega * omega * arm * length * length * length * length / 8.0;
    /* outward is -z of the root frame; the discrete frame (0.3 %), the longer arm of the bent part
     * and the step (omega h) make a few thousandths */
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * expected, expected, -tip.z);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * expected, 0.0, tip.y);
}

static void test_absurd_stiffnesses_give_no_nan(void)
{
    static const double stiffnesses[] = {1e-30, 1e30};
    for (int k = 0; k < 4; k++) {
        rod_rig_fill(&rig, &rng, 1, 5, 0.3);
        rig.material[0].bend[0] = rig.material[0].bend[1] = stiffnesses[k % 2];
        rig.material[0].twist = stiffnesses[k / 2];
        rod_rig_build(&rig, "super-helix");
        rig.in.gravity = (v3){0.0, 0.0, -9.81};
        for (int i = 0; i < 200; i++) rod_rig_step(&rig);
        for (uint32_t i = 0; i < rig.g->unknowns; i++) {
            TEST_ASSERT_TRUE(isfinite(body_q(rig.g, rig.state, 0)[i]));
        }
        rod_rig_free(&rig);
    }
}

/* One straight element that twists alone: section inertia J, stiffness K l; implicit Euler. */
static void test_twist_decays_as_its_damping_says(void)
{
    rod_rig_fill(&rig, &rng, 1, 1, 0.0);
    rod_material *m = &rig.material[0];
    m->damping = 0.004;
    rod_rig_build(&rig, "super-helix");
    const double l = rig.lengths[0], h = rig.in.h, K = l * m->twist;
    const double J = m->density * m->radius * m->radius * l * l * l / 6.0;
    double q = 1.0, v = 0.0;
    body_q(rig.g, rig.state, 0)[0] = q;
    for (int i = 0; i < 50; i++) {
        v = (J * v - h * K * q) / (J + h * m->damping * K + h * h * K);
        q += h * v;
        rod_rig_step(&rig);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, q, body_q(rig.g, rig.state, 0)[0]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_length_is_exact_after_ten_thousand_violent_steps);
    RUN_TEST(test_energy_never_rises_without_forcing);
    RUN_TEST(test_a_free_rod_falls_with_the_momentum_of_its_weight);
    RUN_TEST(test_a_shaken_clamp_is_the_same_as_gravity_in_its_frame);
    RUN_TEST(test_a_rod_on_a_carousel_leans_outward);
    RUN_TEST(test_absurd_stiffnesses_give_no_nan);
    RUN_TEST(test_twist_decays_as_its_damping_says);
    return UNITY_END();
}
