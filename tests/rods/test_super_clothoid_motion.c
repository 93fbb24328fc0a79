/* SPDX-License-Identifier: Apache-2.0
 *
 * Super-clothoids at rest and in motion: how fast equilibria converge, what must be kept, and what
 * must be lost.
 */
#include "math/so3.h"
#include "rods/equilibrium.h"
#include "support/rod_case.h"
#include "support/rod_rig.h"

#include <stdio.h>
#include <string.h>
#include <unity.h>

static random_source rng;
static rod_rig rig;

void setUp(void)
{
    rng = (random_source){48};
    rig = (rod_rig){.in = {.h = 1e-3}};
}

void tearDown(void) { rod_rig_free(&rig); }

/* A planar cantilever of length 1 and stiffness 1 that leaves its clamp along x, under the weight w
 * and the tip load P: kappa' = -(P + w (1 - s)) cos theta, kappa(1) = 0, theta(0) = 0. */
typedef struct elastica {
    double w, P;
} elastica;

enum { THETA, KAPPA, X, Z, COUNT };

static void elastica_slope(const elastica *e, double s, const double *y, double *d)
{
    d[THETA] = y[KAPPA];
    d[KAPPA] = -(e->P + e->w * (1.0 - s)) * cos(y[THETA]);
    d[X] = cos(y[THETA]);
    d[Z] = -sin(y[THETA]);
}

static void step_to(const double *y, double h, const double *d, double *out)
{
    for (int i = 0; i < COUNT; i++) out[i] = y[i] + h * d[i];
}

/* From the curvature at the clamp, by the classical rule of Runge and Kutta: 2000 steps leave about
 * 1e-13. */
static void elastica_shoot(const elastica *e, double kappa, double *y)
{
    enum { STEPS = 2000 };
    const double h = 1.0 / STEPS;
    double k[4][COUNT], at[COUNT];
    memset(y, 0, COUNT * sizeof *y);
    y[KAPPA] = kappa;
    for (int n = 0; n < STEPS; n++) {
        elastica_slope(e, n * h, y, k[0]);
        step_to(y, 0.5 * h, k[0], at);
        elastica_slope(e, (n + 0.5) * h, at, k[1]);
        step_to(y, 0.5 * h, k[1], at);
        elastica_slope(e, (n + 0.5) * h, at, k[2]);
        step_to(y, h, k[2], at);
        elastica_slope(e, (n + 1) * h, at, k[3]);
        for (int i = 0; i < COUNT; i++) {
            y[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
        }
    }
}

static v3 elastica_tip(const elastica *e)
{
    double low = 0.0, high = e->P + e->w, y[COUNT];
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        elastica_shoot(e, middle, y);
        if (y[KAPPA] > 0.0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return (v3){y[X], 0.0, y[Z]};
}

/* Height over width of the tip under a weight, as published. */
static void test_the_reference_has_the_known_height_over_width(void)
{
    static const double known[][2] = {{1.0, 0.124562}, {5.0, 0.585721}, {10.0, 1.066802}};
    for (int i = 0; i < 3; i++) {
        const v3 tip = elastica_tip(&(elastica){.w = known[i][0]});
        TEST_ASSERT_DOUBLE_WITHIN(6e-7, known[i][1], -tip.z / tip.x);
    }
}

static const rod_material unit_rod = {
    .density = 1.0, .bend = {1.0, 1.0}, .twist = 1.0, .stretch = 1e6, .radius = 1e-2};

static void settle(rod_case *c, const body_input *in)
{
    const equilibrium_options options = {.unit = 1.0, .tolerance = 1e-10, .iterations = 60};
    equilibrium_result result;
    error err;
    TEST_ASSERT_EQUAL(STATUS_OK, equilibrium_find(c->g, in, &options, &allocator_system, c->state,
                                                  0, &result, &err));
}

static v3 tip_of(const rod_case *c)
{
    return body_find_place(c->g, c->state, 0, (v3){1.0, 0.0, 0.0}).position;
}

/* How far the tip of a cantilever is off. */
static double cantilever_error(const char *model, uint32_t elements, const elastica *e)
{
    const rod_setup setup = {1, elements, 1.0, false, {0.0, 0.0, 0.0}, unit_rod};
    const body_load load = {.at = {1.0, 0.0, 0.0}, .force = {0.0, 0.0, -e->P}};
    const body_input in = {.h = 1.0, .gravity = {0.0, 0.0, -e->w}, .loads = &load, .load_count = 1};
    rod_case c = rod_case_make(rod_model_find(model), &setup);
    settle(&c, &in);
    const double off = v3_norm(v3_sub(elastica_tip(e), tip_of(&c)));
    rod_case_end(&c);
    return off;
}

/* Errors against unknowns, equal for both models. Linear curvatures have an error of h^2, and tips,
 * as all that is read from a minimum of energy by a weight, have its square. */
static void check_convergence(const char *name, elastica e)
{
    double last = 0.0;
    for (uint32_t elements = 3; elements <= 15; elements = 2 * elements + 1) {
        const double clothoid = cantilever_error("super-clothoid", elements, &e);
        const double helix = cantilever_error("super-helix", elements + 1, &e);
        const double ratio = (double)elements / (0.5 * (elements - 1));
        const double order = last > 0.0 ? log(last / clothoid) / log(ratio) : 0.0;
        printf("%s: %2u unknowns, super-helix %.2e, super-clothoid %.2e, order %.2f\n", name,
               3 * elements + 3, helix, clothoid, order);
        TEST_ASSERT_TRUE(clothoid < 0.2 * helix);
        if (elements == 15) TEST_ASSERT_TRUE(order > 3.5);
        last = clothoid;
    }
}

static void test_cantilevers_converge_faster_than_those_of_helices(void)
{
    check_convergence("weight 1", (elastica){.w = 1.0});
    check_convergence("weight 10", (elastica){.w = 10.0});
    check_convergence("tip load 1", (elastica){.P = 1.0});
    check_convergence("tip load 5", (elastica){.P = 5.0});
}

static void test_an_end_moment_closes_a_circle(void)
{
    const double tau = 6.28318530717958648;
    rod_setup setup = {1, 5, 1.0, false, {0.0, 0.0, 0.0}, unit_rod};
    setup.material.bend[0] = setup.material.twist = 50.0; /* or it would leave the plane */
    const body_load load = {.at = {1.0, 0.0, 0.0}, .moment = {0.0, 0.0, tau}};
    const body_input in = {.h = 1.0, .loads = &load, .load_count = 1};
    rod_case c = rod_case_make(rod_model_find("super-clothoid"), &setup);
    settle(&c, &in);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, v3_norm(tip_of(&c)));
    for (int i = 0; i < 18; i++) {
        const double expected = i % 3 == 2 ? tau : 0.0;
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, expected, body_q(c.g, c.state, 0)[i]);
    }
    rod_case_end(&c);
}

static void test_a_natural_curl_of_its_space_is_without_stress_and_stays(void)
{
    const rod_setup setup = {1, 4, 1.0, false, {7.0, -3.0, 20.0}, unit_rod};
    const body_input in = {.h = 1e-2};
    rod_case c = rod_case_make(rod_model_find("super-clothoid"), &setup);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, rod_case_slope(&c, &in));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, body_get_energy(c.g, &in, c.state, 0).elastic);
    for (int i = 0; i < 10; i++) rod_case_step(&c, &in);
    for (uint32_t i = 0; i < c.g->unknowns; i++) {
        TEST_ASSERT_EQUAL_DOUBLE((&setup.natural.x)[i % 3], body_q(c.g, c.state, 0)[i]);
    }
    rod_case_end(&c);
}

static v3 place(double s)
{
    return body_find_place(rig.g, rig.state, 0, (v3){s, 0.0, 0.0}).position;
}

static double chords(double begin, double length, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        const v3 a = place(begin + length * i / count), b = place(begin + length * (i + 1) / count);
        sum += v3_norm(v3_sub(b, a));
    }
    return sum;
}

/* Element by element along chords of at most a twentieth of a radian; they are too short by an
 * error of second order, of which a second and a third polygon take away the first two terms. */
static void check_length(void)
{
    double begin = 0.0;
    for (uint32_t e = 0; e < rig.source.elements; e++) {
        const double l = rig.lengths[e], *kappa = body_q(rig.g, rig.state, 0) + 3 * e;
        const int n = 50 + 20 * (int)(l * (v3_norm(v3_load(kappa)) + v3_norm(v3_load(kappa + 3))));
        const double c[3] = {chords(begin, l, n), chords(begin, l, 2 * n), chords(begin, l, 4 * n)};
        const double second[2] = {c[1] + (c[1] - c[0]) / 3.0, c[2] + (c[2] - c[1]) / 3.0};
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, l, second[1] + (second[1] - second[0]) / 15.0);
        begin += l;
    }
}

static void test_length_is_exact_after_violent_steps(void)
{
    rod_rig_fill(&rig, &rng, 1, 4, 0.5);
    rod_rig_build(&rig, "super-clothoid");
    pose root = rig.root[0];
    rig.in = (body_input){.h = 5e-3, .root = &root};
    for (int i = 0; i < 5000; i++) {
        rig.in.gravity = v3_scale(100.0, random_v3(&rng));
        root.position = v3_add(rig.root[0].position, v3_scale(0.1, random_v3(&rng)));
        root.rotation = quat_mul(so3_exp(random_v3(&rng)), rig.root[0].rotation);
        rod_rig_step(&rig);
    }
    for (uint32_t i = 0; i < rig.g->unknowns; i++) {
        TEST_ASSERT_TRUE(isfinite(body_q(rig.g, rig.state, 0)[i]));
    }
    check_length();
}

static double energy(void)
{
    const body_energy e = body_get_energy(rig.g, &rig.in, rig.state, 0);
    return e.kinetic + e.elastic;
}

static void check_energy(bool free_root, double h)
{
    rod_rig_fill(&rig, &rng, 1, 5, 1.0);
    rig.source.free_root = free_root;
    rod_rig_build(&rig, "super-clothoid");
    rig.in.h = h;
    for (uint32_t i = 0; i < rig.g->unknowns; i++) {
        body_v(rig.g, rig.state, 0)[i] = random_between(&rng, -50.0, 50.0);
    }
    double last = energy();
    const double first = last;
    for (int i = 0; i < 500; i++) {
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
    for (int i = 0; i < 8; i++) check_energy(i % 2, steps[i / 2]);
}

/* Steps with a root that is shaken, or with the gravity that the shaken root would feel. */
static void shake(bool moving, double q[18])
{
    rng = (random_source){49};
    rod_rig_fill(&rig, &rng, 1, 5, 0.5);
    rod_rig_build(&rig, "super-clothoid");
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
    memcpy(q, body_q(rig.g, rig.state, 0), 18 * sizeof(double));
    rod_rig_free(&rig);
}

static void test_a_shaken_clamp_is_the_same_as_gravity_in_its_frame(void)
{
    double moving[18], felt[18];
    shake(true, moving);
    shake(false, felt);
    for (int i = 0; i < 18; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, felt[i], moving[i]);
}

/* One straight element that twists alone, both ends at once: inertia rho r^2/2 l^3/3, stiffness
 * K l; implicit Euler. */
static void test_twist_decays_as_its_damping_says(void)
{
    rod_rig_fill(&rig, &rng, 1, 1, 0.0);
    rod_material *m = &rig.material[0];
    m->damping = 0.004;
    rod_rig_build(&rig, "super-clothoid");
    const double l = rig.lengths[0], h = rig.in.h, r2 = m->radius * m->radius;
    /* exact values of the two ends: their 2 x 2 system by Cramer's rule */
    const double J = 0.5 * m->density * r2 * l * l * l, K = l * m->twist;
    const double a = h * m->damping * K + h * h * K;
    const double A[3] = {a / 3.0 + J * 2.0 / 15.0, a / 6.0 + J * 3.0 / 40.0, a / 3.0 + J / 20.0};
    double q[2] = {1.0, 1.0}, v[2] = {0.0, 0.0};
    body_q(rig.g, rig.state, 0)[0] = body_q(rig.g, rig.state, 0)[3] = 1.0;
    for (int i = 0; i < 50; i++) {
        const double b[2] = {
            J * (v[0] * 2.0 / 15.0 + v[1] * 3.0 / 40.0) - h * K * (q[0] / 3.0 + q[1] / 6.0),
            J * (v[0] * 3.0 / 40.0 + v[1] / 20.0) - h * K * (q[0] / 6.0 + q[1] / 3.0)};
        const double det = A[0] * A[2] - A[1] * A[1];
        v[0] = (b[0] * A[2] - b[1] * A[1]) / det;
        v[1] = (b[1] * A[0] - b[0] * A[1]) / det;
        q[0] += h * v[0];
        q[1] += h * v[1];
        rod_rig_step(&rig);
        TEST_ASSERT_DOUBLE_WITHIN(1e-11, q[0], body_q(rig.g, rig.state, 0)[0]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-11, q[1], body_q(rig.g, rig.state, 0)[3]);
    }
}

static void test_absurd_stiffnesses_give_no_nan(void)
{
    static const double stiffnesses[] = {1e-30, 1e30};
    for (int k = 0; k < 4; k++) {
        rod_rig_fill(&rig, &rng, 1, 5, 0.3);
        rig.material[0].bend[0] = rig.material[0].bend[1] = stiffnesses[k % 2];
        rig.material[0].twist = stiffnesses[k / 2];
        rod_rig_build(&rig, "super-clothoid");
        rig.in.gravity = (v3){0.0, 0.0, -9.81};
        for (int i = 0; i < 200; i++) rod_rig_step(&rig);
        for (uint32_t i = 0; i < rig.g->unknowns; i++) {
            TEST_ASSERT_TRUE(isfinite(body_q(rig.g, rig.state, 0)[i]));
        }
        rod_rig_free(&rig);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_reference_has_the_known_height_over_width);
    RUN_TEST(test_cantilevers_converge_faster_than_those_of_helices);
    RUN_TEST(test_an_end_moment_closes_a_circle);
    RUN_TEST(test_a_natural_curl_of_its_space_is_without_stress_and_stays);
    RUN_TEST(test_length_is_exact_after_violent_steps);
    RUN_TEST(test_energy_never_rises_without_forcing);
    RUN_TEST(test_a_shaken_clamp_is_the_same_as_gravity_in_its_frame);
    RUN_TEST(test_twist_decays_as_its_damping_says);
    RUN_TEST(test_absurd_stiffnesses_give_no_nan);
    return UNITY_END();
}
