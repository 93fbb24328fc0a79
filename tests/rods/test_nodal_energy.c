/* SPDX-License-Identifier: Apache-2.0
 *
 * Rods of nodes in violent motion: the energy of one that is left alone never rises, whatever the
 * kick and the step, clamped or free, damped or not; a free one keeps its momentum; a clamp that
 * jumps does not tear its rod.
 */
#include "rods/nodal_rod.h"
#include "support/random.h"
#include "support/rod_case.h"

#include <unity.h>

enum { MODELS = 3, STEPS = 300 };
static const char *const names[MODELS] = {"discrete-elastic-rod", "mass-spring", "corde"};
static const double kicks[] = {1.0, 10.0, 100.0}, steps[] = {1e-4, 1e-3, 1e-2, 1e-1};
enum { KICKS = sizeof kicks / sizeof *kicks, SIZES = sizeof steps / sizeof *steps };

void setUp(void) {}
void tearDown(void) {}

static rod_setup make_setup(bool free_root, double damping, double stretch)
{
    return (rod_setup){.rods = 1,
                       .elements = 6,
                       .length = 1.0,
                       .free_root = free_root,
                       .material = {.density = 1.0,
                                    .bend = {1.0, 1.0},
                                    .twist = 1.0,
                                    .stretch = stretch,
                                    .radius = 1e-3,
                                    .damping = damping}};
}

static rod_case make_case(int m, const rod_setup *setup)
{
    const rod_model *model = rod_model_find(names[m]);
    TEST_ASSERT_NOT_NULL(model);
    return rod_case_make(model, setup);
}

static void kick_rod(rod_case *c, double size)
{
    random_source random = {7};
    double *v = body_v(c->g, c->state, 0);
    for (size_t i = 0; i < c->g->unknowns; i++) v[i] = random_between(&random, -size, size);
}

static double energy_of(const rod_case *c, const body_input *in)
{
    const body_energy e = body_get_energy(c->g, in, c->state, 0);
    return e.kinetic + e.elastic;
}

/* To rounding: free rods fly up to kilometres here, where places are rounded to 5e-13 m, and their
 * edges do that much times their tension of work. */
static void check_fall(int m, const rod_setup *setup, double kick, double h)
{
    rod_case c = make_case(m, setup);
    const body_input in = {.h = h};
    kick_rod(&c, kick);
    const double first = energy_of(&c, &in);
    double last = first;
    for (int k = 0; k < STEPS; k++) {
        rod_case_step(&c, &in);
        const double now = energy_of(&c, &in);
        TEST_ASSERT_TRUE(now <= last + 1e-12 * first);
        last = now;
    }
    TEST_ASSERT_TRUE(last < first);
    rod_case_end(&c);
}

static void check_falls(const rod_setup *setup)
{
    for (int i = 0; i < MODELS * KICKS * SIZES; i++) {
        check_fall(i % MODELS, setup, kicks[i / MODELS % KICKS], steps[i / (MODELS * KICKS)]);
    }
}

static void test_energy_of_a_clamped_rod_never_rises(void)
{
    const rod_setup stiff = make_setup(false, 0.0, 1e8), soft = make_setup(false, 0.0, 100.0);
    check_falls(&stiff);
    check_falls(&soft);
}

static void test_energy_of_a_free_rod_never_rises(void)
{
    const rod_setup stiff = make_setup(true, 0.0, 1e8), soft = make_setup(true, 0.0, 100.0);
    check_falls(&stiff);
    check_falls(&soft);
}

static void test_energy_of_a_damped_rod_never_rises(void)
{
    const rod_setup clamped = make_setup(false, 0.05, 1e8), loose = make_setup(true, 0.05, 1e8);
    check_falls(&clamped);
    check_falls(&loose);
}

/* Nodes at the ends have half the mass of the others. */
static void add_row_energy(void *sum, const nodal_row *row)
{
    *(double *)sum += 0.5 * row->stiffness * row->strain * row->strain;
}

/* A step compares the one with the other: a rod at rest must not seem to move. */
static void test_energy_is_that_of_the_rows_to_the_last_bit(void)
{
    for (int m = 0; m < MODELS; m++) {
        for (int curled = 0; curled < 2; curled++) {
            rod_setup setup = make_setup(false, 0.0, 1e5);
            setup.natural = (v3){0.5 * curled, 2.0 * curled, 1.0 * curled};
            rod_case c = make_case(m, &setup);
            kick_rod(&c, 0.1);
            double *q = body_q(c.g, c.state, 0), *v = body_v(c.g, c.state, 0), sum = 0.0;
            for (size_t i = 0; i < c.g->unknowns; i++) q[i] += v[i];
            const nodal_view at = nodal_view_at((const nodal_rods *)c.g, 0, c.state);
            nodal_visit_rows(&at, add_row_energy, &sum);
            TEST_ASSERT_TRUE(sum > 1.0);
            TEST_ASSERT_TRUE(sum == nodal_elastic_energy(&at));
            rod_case_end(&c);
        }
    }
}

static v3 momentum_of(const rod_case *c, const rod_setup *setup)
{
    const size_t stride = (c->g->unknowns - 3) / setup->elements;
    const double *v = body_v(c->g, c->state, 0);
    v3 sum = {0.0, 0.0, 0.0};
    for (size_t node = 0; node <= setup->elements; node++) {
        const double share = node == 0 || node == setup->elements ? 0.5 : 1.0;
        sum = v3_add_scaled(sum, share / setup->elements, v3_load(v + node * stride));
    }
    return sum;
}

/* The equations have h^2 E A l^-1 = 6e6 beside masses of 0.1: without its balance the sum would be
 * lost to 1e-9. */
static void test_a_free_rod_keeps_its_momentum_to_rounding(void)
{
    for (int i = 0; i < 2 * MODELS; i++) {
        const rod_setup setup = make_setup(true, i < MODELS ? 0.0 : 0.05, 1e8);
        rod_case c = make_case(i % MODELS, &setup);
        const body_input in = {.h = 0.1};
        kick_rod(&c, 10.0);
        const v3 before = momentum_of(&c, &setup);
        for (int k = 0; k < STEPS; k++) rod_case_step(&c, &in);
        const v3 after = momentum_of(&c, &setup);
        TEST_ASSERT_DOUBLE_WITHIN(STEPS * 1e-15 * 10.0, 0.0, v3_norm(v3_sub(after, before)));
        rod_case_end(&c);
    }
}

/* A rod as its natural curl that flies and does not turn has nothing to damp. */
static void test_damping_leaves_the_flight_of_a_free_rod_alone(void)
{
    rod_setup setup = make_setup(true, 1.0, 1e4);
    setup.natural = (v3){2.0, 3.0, -1.0};
    const body_input in = {.h = 0.01, .gravity = {0.0, 0.0, -10.0}};
    for (int m = 0; m < MODELS; m++) {
        rod_case c = make_case(m, &setup);
        for (int k = 0; k < STEPS; k++) rod_case_step(&c, &in);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, -10.0 * 0.01 * STEPS, momentum_of(&c, &setup).z);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, body_get_energy(c.g, &in, c.state, 0).elastic);
        rod_case_end(&c);
    }
}

static double stretch_of(const rod_case *c, const rod_setup *setup)
{
    double length = 0.0;
    v3 near = body_find_place(c->g, c->state, 0, (v3){0.0, 0.0, 0.0}).position;
    for (uint32_t e = 1; e <= setup->elements; e++) {
        const v3 X = {setup->length * e / setup->elements, 0.0, 0.0};
        const v3 far = body_find_place(c->g, c->state, 0, X).position;
        length += v3_norm(v3_sub(far, near));
        near = far;
    }
    return fabs(length / setup->length - 1.0);
}

/* The clamp jumps by up to 9 cm and turns by up to two radians in every 5 ms. Linear rounds alone
 * stretch these rods by a quarter of their length and more. */
static void test_a_clamp_that_jumps_does_not_tear_its_rod(void)
{
    const rod_setup setup = make_setup(false, 0.0, 1e8);
    for (int m = 0; m < MODELS; m++) {
        rod_case c = make_case(m, &setup);
        random_source random = {1};
        for (int k = 0; k < 2000; k++) {
            double x[6];
            for (int i = 0; i < 6; i++) x[i] = random_between(&random, -1.0, 1.0);
            const pose root = {v3_scale(0.05, v3_load(x)),
                               quat_from_axis_angle(v3_load(x + 3), x[0])};
            const body_input in = {.h = 5e-3, .root = &root};
            rod_case_step(&c, &in);
            TEST_ASSERT_TRUE(stretch_of(&c, &setup) < 0.05);
        }
        rod_case_end(&c);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_energy_of_a_clamped_rod_never_rises);
    RUN_TEST(test_energy_of_a_free_rod_never_rises);
    RUN_TEST(test_energy_of_a_damped_rod_never_rises);
    RUN_TEST(test_energy_is_that_of_the_rows_to_the_last_bit);
    RUN_TEST(test_a_free_rod_keeps_its_momentum_to_rounding);
    RUN_TEST(test_damping_leaves_the_flight_of_a_free_rod_alone);
    RUN_TEST(test_a_clamp_that_jumps_does_not_tear_its_rod);
    return UNITY_END();
}
