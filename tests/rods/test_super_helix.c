/* SPDX-License-Identifier: Apache-2.0
 *
 * The super-helix at one moment: places, Jacobians, integrals, input. How it moves is in
 * test_super_helix_motion.c.
 */
#include "rods/super_helix.h"

#include "math/so3.h"
#include "rods/super_helix_group.h"
#include "support/counting_allocator.h"
#include "support/rod_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { UNKNOWNS = 6 + 3 * 8 };

static random_source rng;
static rod_rig rig;

void setUp(void)
{
    rng = (random_source){44};
    rig = (rod_rig){.in = {.h = 1e-3}};
}

void tearDown(void) { rod_rig_free(&rig); }

static double rod_length(uint32_t body)
{
    double sum = 0.0;
    const uint32_t elements = rig.source.elements;
    for (uint32_t e = 0; e < elements; e++) sum += rig.lengths[body * elements + e];
    return sum;
}

static void assert_v3_within(double delta, v3 expected, v3 actual)
{
    TEST_ASSERT_DOUBLE_WITHIN(delta, 0.0, v3_norm(v3_sub(expected, actual)));
}

static void test_places_solve_the_equations_of_the_frame(void)
{
    rod_rig_fill(&rig, &rng, 1, 5, 2.0);
    rod_rig_build(&rig, "super-helix");
    const double length = rod_length(0), d = 1e-5;
    for (int i = 0; i < 100; i++) {
        const double s = random_between(&rng, 0.01, length - 0.01);
        const body_place at = body_find_place(rig.g, rig.state, 0, (v3){s, 0.0, 0.0});
        const body_place ahead = body_find_place(rig.g, rig.state, 0, (v3){s + d, 0.0, 0.0});
        const body_place behind = body_find_place(rig.g, rig.state, 0, (v3){s - d, 0.0, 0.0});
        const v3 slope = v3_scale(0.5 / d, v3_sub(ahead.position, behind.position));
        /* a joint between the two adds a jump of curvature (up to 50/m) times d */
        assert_v3_within(50.0 * d, quat_rotate(at.rotation, (v3){1.0, 0.0, 0.0}), slope);
    }
}

static void test_a_helix_has_the_radius_and_pitch_of_its_curvature_and_torsion(void)
{
    rod_rig_fill(&rig, &rng, 1, 4, 0.0);
    for (int e = 0; e < 4; e++) rig.natural[3 * e] = 6.0, rig.natural[3 * e + 2] = 8.0;
    rig.root[0] = pose_identity();
    rod_rig_build(&rig, "super-helix");
    /* it turns about k = (6, 0, 8), radius 8/100, and climbs by 6/10 of its length along k */
    const v3 axis = {0.6, 0.0, 0.8};
    const double length = rod_length(0);
    const v3 tip = body_find_place(rig.g, rig.state, 0, (v3){length, 0.0, 0.0}).position;
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.6 * length, v3_dot(tip, axis));
    const v3 across = v3_add_scaled(tip, -v3_dot(tip, axis), axis);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.0 * 0.08 * fabs(sin(5.0 * length)), v3_norm(across));
}

/* Moves unknown i of body 0 by d. */
static void perturb(double *state, uint32_t i, double d)
{
    reduced_rod_state s = super_helix_view((const super_helix *)rig.g, state, 0);
    const uint32_t first = rig.source.free_root ? 6 : 0;
    double move[6] = {0};
    if (i >= first) {
        s.q[i] += d;
        return;
    }
    move[i] = d;
    s.root->position = v3_add(s.root->position, v3_load(move));
    s.root->rotation = quat_mul(so3_exp(v3_load(move + 3)), s.root->rotation);
}

static body_place perturbed_place(uint32_t i, double d, v3 X)
{
    double *state = malloc(rig.g->state_count * sizeof(double));
    memcpy(state, rig.state, rig.g->state_count * sizeof(double));
    perturb(state, i, d);
    const body_place place = body_find_place(rig.g, state, 0, X);
    free(state);
    return place;
}

static void check_jacobian(v3 X)
{
    double linear[3 * UNKNOWNS], angular[3 * UNKNOWNS];
    v3 v_0, omega_0;
    const uint32_t n = rig.g->unknowns;
    const double d = 1e-5;
    body_jacobian(rig.g, rig.work, 0, X, linear, angular, &v_0, &omega_0);
    for (uint32_t i = 0; i < n; i++) {
        const body_place ahead = perturbed_place(i, d, X), behind = perturbed_place(i, -d, X);
        const v3 slope = v3_scale(0.5 / d, v3_sub(ahead.position, behind.position));
        const v3 turn =
            v3_scale(0.5 / d, so3_log(quat_mul(ahead.rotation, quat_conjugate(behind.rotation))));
        assert_v3_within(5e-10, slope, (v3){linear[i], linear[n + i], linear[2 * n + i]});
        assert_v3_within(5e-10, turn, (v3){angular[i], angular[n + i], angular[2 * n + i]});
    }
}

static void test_jacobians_are_the_slopes_of_places_and_frames(void)
{
    for (int i = 0; i < 20; i++) {
        rod_rig_fill(&rig, &rng, 1, 4, i % 2 ? 0.5 : 5.0);
        rig.source.free_root = i % 4 < 2;
        rod_rig_build(&rig, "super-helix");
        body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
        check_jacobian((v3){random_between(&rng, 0.0, rod_length(0)), 0.01, -0.02});
        check_jacobian((v3){rod_length(0), 0.0, 0.0});
        rod_rig_free(&rig);
    }
}

static void test_points_beyond_the_ends_are_taken_there(void)
{
    rod_rig_fill(&rig, &rng, 1, 3, 1.0);
    rod_rig_build(&rig, "super-helix");
    const v3 root = body_find_place(rig.g, rig.state, 0, (v3){-1.0, 0.0, 0.0}).position;
    TEST_ASSERT_TRUE(v3_is_equal(rig.root[0].position, root));
    const v3 tip = body_find_place(rig.g, rig.state, 0, (v3){rod_length(0), 0.0, 0.0}).position;
    const v3 beyond = body_find_place(rig.g, rig.state, 0, (v3){99.0, 0.0, 0.0}).position;
    assert_v3_within(1e-15, tip, beyond);
}

static void fill_stations(double *field, double size)
{
    for (uint32_t i = 0; i < 3 * rig.g->stations; i++) field[i] = random_between(&rng, -size, size);
}

/* The potential energy with dead loads. */
static double potential(const double *state)
{
    const body_energy energy = body_get_energy(rig.g, &rig.in, state, 0);
    double sum = energy.elastic + energy.gravity;
    for (size_t k = 0; k < rig.in.load_count; k++) {
        const v3 at = body_find_place(rig.g, state, 0, rig.in.loads[k].at).position;
        sum -= v3_dot(rig.in.loads[k].force, at);
    }
    return sum;
}

static void test_the_gradient_is_the_slope_of_the_potential_energy(void)
{
    double field[3 * 9], gradient[UNKNOWNS];
    for (int round = 0; round < 8; round++) {
        rod_rig_fill(&rig, &rng, 1, 4, 3.0);
        rig.source.free_root = round % 2;
        rod_rig_build(&rig, "super-helix");
        fill_stations(field, 5.0);
        const body_load loads[] = {{.at = {0.13, 0.01, 0.02}, .force = {0.2, -0.1, 0.3}},
                                   {.at = {0.3, 0.0, 0.0}, .force = {0.1, 0.4, 0.0}}};
        rig.in = (body_input){.h = 1e-3, .gravity = {1.0, 2.0, -9.0}, .field = field};
        rig.in.loads = loads;
        rig.in.load_count = 2;
        for (uint32_t i = 0; i < rig.g->unknowns; i++) perturb(rig.state, i, 0.3);
        body_gradient(rig.g, &rig.in, rig.state, 0, gradient);
        for (uint32_t i = 0; i < rig.g->unknowns; i++) {
            const double d = 1e-5;
            perturb(rig.state, i, d);
            const double ahead = potential(rig.state);
            perturb(rig.state, i, -2.0 * d);
            const double behind = potential(rig.state);
            perturb(rig.state, i, d);
            TEST_ASSERT_DOUBLE_WITHIN(2e-10, (ahead - behind) / (2.0 * d), gradient[i]);
        }
        rod_rig_free(&rig);
    }
}

/* A refined rule: 3 Gauss points in each of many panels of every element of body 0. */
enum { PANELS = 400, SAMPLES = 8 * PANELS * 3 };

typedef struct sample {
    double s, weight, fraction;
    uint32_t element;
} sample;

static sample samples[SAMPLES];
static v3 velocities[SAMPLES];

static size_t fill_samples(void)
{
    static const double at[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    size_t count = 0;
    double begin = 0.0;
    for (uint32_t e = 0; e < rig.source.elements; e++) {
        for (int i = 0; i < 3 * PANELS; i++) {
            const double fraction = (i / 3 + at[i % 3]) / PANELS;
            samples[count++] = (sample){begin + fraction * rig.lengths[e],
                                        weight[i % 3] * rig.lengths[e] / PANELS, fraction, e};
        }
        begin += rig.lengths[e];
    }
    return count;
}

static v3 interpolate(const double *stations, const sample *p)
{
    return v3_lerp(v3_load(stations + 3 * p->element), v3_load(stations + 3 * p->element + 3),
                   p->fraction);
}

typedef struct dense {
    double A[UNKNOWNS][UNKNOWNS], rhs[UNKNOWNS];
} dense;

/* A and right hand side of a step by their definition, from the Jacobians of its work and from the
 * velocities of the samples in the last step; those of this step, by v_free, take their place. */
static void refer(dense *out, size_t count)
{
    const uint32_t n = rig.g->unknowns, first = rig.source.free_root ? 6 : 0;
    const rod_material *m = &rig.material[0];
    const double h = rig.in.h, *v = body_v_free(rig.g, rig.work, 0);
    const double stiffness[3] = {m->twist, m->bend[0], m->bend[1]};
    double J[3 * UNKNOWNS];
    *out = (dense){0};
    for (size_t k = 0; k < count; k++) {
        const sample *p = &samples[k];
        v3 v_0, V = {0.0, 0.0, 0.0};
        body_jacobian(rig.g, rig.work, 0, (v3){p->s, 0.0, 0.0}, J, NULL, &v_0, NULL);
        const v3 force =
            v3_add(v3_scale(m->drag, v3_sub(interpolate(rig.in.air, p), v_0)),
                   v3_scale(m->density, v3_add(rig.in.gravity, interpolate(rig.in.field, p))));
        const v3 F = v3_add_scaled(v3_scale(m->density, v3_sub(velocities[k], v_0)), h, force);
        for (uint32_t i = 0; i < n; i++) {
            const v3 Ji = {J[i], J[n + i], J[2 * n + i]};
            out->rhs[i] += p->weight * v3_dot(Ji, F);
            V = v3_add_scaled(V, v[i], Ji);
            for (uint32_t j = 0; j <= i; j++) {
                const v3 Jj = {J[j], J[n + j], J[2 * n + j]};
                out->A[i][j] += p->weight * (m->density + h * m->drag) * v3_dot(Ji, Jj);
            }
        }
        velocities[k] = v3_add(V, v_0);
    }
    for (uint32_t i = 3; i < first; i++) {
        const double section = 0.5 * m->density * m->radius * m->radius * rod_length(0);
        out->A[i][i] += section;
        out->rhs[i] += section * body_v(rig.g, rig.state, 0)[i];
    }
    for (uint32_t i = first; i < n; i++) {
        const double l = rig.lengths[(i - first) / 3], K = l * stiffness[(i - first) % 3];
        const double section = m->density * m->radius * m->radius * l * l * l *
                               ((i - first) % 3 == 0 ? 1.0 / 6.0 : 1.0 / 12.0);
        const double stretch = body_q(rig.g, rig.state, 0)[i] - rig.natural[i - first];
        out->A[i][i] += (h * m->damping + h * h) * K + section;
        out->rhs[i] += section * body_v(rig.g, rig.state, 0)[i] - h * K * stretch;
    }
}

static void check_system(const dense *expected)
{
    const uint32_t n = rig.g->unknowns;
    double x[UNKNOWNS] = {0}, Ax[UNKNOWNS];
    double size = 0.0;
    for (uint32_t j = 0; j < n; j++) {
        x[j] = 1.0;
        rod_rig_multiply(&rig, 0, x, Ax);
        x[j] = 0.0;
        for (uint32_t i = j; i < n; i++) {
            const double scale = sqrt(expected->A[i][i] * expected->A[j][j]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-10 * scale, expected->A[i][j], Ax[i]);
        }
        size = fmax(size, fabs(expected->rhs[j]) / sqrt(expected->A[j][j]));
    }
    rod_rig_multiply(&rig, 0, body_v_free(rig.g, rig.work, 0), Ax);
    for (uint32_t i = 0; i < n; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-10 * size * sqrt(expected->A[i][i]), expected->rhs[i], Ax[i]);
    }
}

static void check_integrals(uint32_t elements, double turn, bool free_root)
{
    static dense expected;
    double air[3 * 9], field[3 * 9];
    rod_rig_fill(&rig, &rng, 1, elements, turn);
    rig.material[0].drag = 0.3;
    rig.material[0].damping = 0.02;
    rig.source.free_root = free_root;
    rod_rig_build(&rig, "super-helix");
    fill_stations(air, 3.0);
    fill_stations(field, 3.0);
    rig.in = (body_input){.h = 2e-3, .gravity = {1.0, -2.0, -9.81}, .air = air, .field = field};
    const size_t count = fill_samples();
    for (size_t k = 0; k < count; k++) velocities[k] = (v3){0.0, 0.0, 0.0};
    for (int step = 0; step < 3; step++) {
        pose root = rig.root[0];
        root.position = v3_add(root.position, v3_scale(0.01 * step, random_v3(&rng)));
        root.rotation = quat_mul(so3_exp(v3_scale(0.1 * step, random_v3(&rng))), root.rotation);
        rig.in.root = &root;
        body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
        refer(&expected, count);
        check_system(&expected);
        memcpy(rig.v, body_v_free(rig.g, rig.work, 0), rig.g->unknowns * sizeof(double));
        body_correct(rig.g, &rig.in, rig.state, rig.work, rig.v, rig.state, 0, 1);
    }
    rod_rig_free(&rig);
}

static void test_inertia_and_forces_agree_with_refined_integrals(void)
{
    static const double turns[] = {0.0, 0.02, 0.2, 0.69, 1.39, 2.2, 3.9, 5.9, 10.0, 25.0};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        check_integrals(2, turns[i], i % 2 == 0);
    }
    check_integrals(8, 0.6, false);
    check_integrals(8, 10.0, true);
}

static void assert_same_bits(const double *a, const double *b, size_t count)
{
    TEST_ASSERT_EQUAL_MEMORY(a, b, count * sizeof(double));
}

/* What others read of a work: the lower triangle, v_free, the root, the joints. */
static void assert_same_work(const double *a, const double *b, uint32_t bodies)
{
    const size_t n = rig.g->unknowns;
    const size_t rest = n + SUPER_HELIX_ROOT + (size_t)rig.source.elements * SUPER_HELIX_JOINT;
    for (uint32_t i = 0; i < bodies; i++) {
        const double *p = a + i * rig.g->work_count, *q = b + i * rig.g->work_count;
        for (size_t row = 0; row < n; row++) assert_same_bits(p + row * n, q + row * n, row + 1);
        assert_same_bits(p + n * n, q + n * n, rest);
    }
}

static void check_lanes(bool free_root, double turn)
{
    static const body_load loads[] = {{.body = 1, .at = {0.1, 0.0, 0.0}, .force = {0.1, 0.0, 0.2}},
                                      {.body = 5, .at = {0.2, 0.0, 0.0}, .moment = {0.0, 0.1, 0.}}};
    rod_rig_fill(&rig, &rng, 11, 5, turn);
    for (int i = 0; i < 11; i++) { /* lanes with other numbers of samples */
        for (int k = 0; k < 15; k++) rig.natural[15 * i + k] *= random_between(&rng, 0.0, 1.0);
    }
    double scale[55], brake[11];
    for (int i = 0; i < 55; i++) scale[i] = random_between(&rng, 0.5, 2.0);
    for (int i = 0; i < 11; i++) brake[i] = random_between(&rng, 0.0, 2.0);
    rig.source.free_root = free_root;
    rig.source.scale = scale;
    rod_rig_build(&rig, "super-helix");
    rig.in = (body_input){.h = 1e-3, .gravity = {0.0, 0.0, -9.81}, .loads = loads, .brake = brake};
    rig.in.load_count = 2;
    for (int i = 0; i < 5; i++) rod_rig_step(&rig);
    const size_t size = 11 * rig.g->work_count * sizeof(double);
    double *other = calloc(1, size);
    const super_helix *g = (const super_helix *)rig.g;
    body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 11);
    for (size_t i = 0; i < 11; i++) super_helix_predict_one(g, &rig.in, rig.state, other, i);
    assert_same_work(rig.work, other, 11);
    memset(other, 0, size);
    for (size_t i = 0; i + 2 <= 11; i++) super_helix_predict_two(g, &rig.in, rig.state, other, i);
    assert_same_work(rig.work, other, 11);
    memset(other, 0, size);
    body_predict(rig.g, &rig.in, rig.state, other, 0, 3);
    body_predict(rig.g, &rig.in, rig.state, other, 3, 11);
    assert_same_work(rig.work, other, 11);
    free(other);
    rod_rig_free(&rig);
}

static void test_rods_side_by_side_have_the_bits_of_a_lone_rod(void)
{
    check_lanes(false, 0.5);
    check_lanes(true, 3.0);
    check_lanes(false, 30.0);
}

/* Powers of two leave the bits of the rest alone. */
static void test_a_scale_is_a_stiffer_material(void)
{
    double first[15], second[15], scale[5];
    for (int i = 0; i < 5; i++) scale[i] = 4.0;
    const random_source start = rng;
    for (int scaled = 0; scaled < 2; scaled++) {
        const double k = scaled ? 1.0 : 4.0;
        rng = start;
        rod_rig_fill(&rig, &rng, 1, 5, 0.5);
        rig.source.scale = scaled ? scale : NULL;
        rig.material[0].twist *= k;
        rig.material[0].bend[0] *= k;
        rig.material[0].bend[1] *= k;
        rod_rig_build(&rig, "super-helix");
        rig.in = (body_input){.h = 1e-2, .gravity = {0.0, 0.0, -9.81}};
        for (int i = 0; i < 10; i++) rod_rig_step(&rig);
        memcpy(scaled ? second : first, body_q(rig.g, rig.state, 0), sizeof first);
        rod_rig_free(&rig);
    }
    assert_same_bits(first, second, 15);
}

static void check_refused(const char *expected)
{
    body_group *g;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      super_helix_create(&rig.source, &allocator_system, &g, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, expected), err.text);
    rod_rig_fill(&rig, &rng, 3, 4, 1.0);
}

static void test_bad_input_is_refused_with_the_strand_named(void)
{
    rod_rig_fill(&rig, &rng, 3, 4, 1.0);
    rig.lengths[4] = 0.0;
    check_refused("'wig', strand 1: its element length is 0, expected a positive number");
    rig.lengths[11] = NAN;
    check_refused("'wig', strand 2: its element length is nan");
    rig.natural[13] = INFINITY;
    check_refused("'wig', strand 1: its natural curvature is inf, expected a finite number");
    rig.material[0].bend[1] = -1.0;
    check_refused("'wig', strand 0: its bending stiffness about n2 is -1");
    rig.material[2].density = 0.0;
    check_refused("'wig', strand 2: its mass per length is 0");
    rig.material[1].drag = -1e-9;
    check_refused("'wig', strand 1: its drag is -1e-09, expected 0 or more");
    rig.source.rods = 0;
    check_refused("'wig' has 0 strands");
    rig.source.elements = 70000;
    check_refused("'wig' has strands of 70000 elements, expected at most 65535");
}

static void test_every_failed_allocation_is_an_error(void)
{
    rod_rig_fill(&rig, &rng, 3, 4, 1.0);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        body_group *g = NULL;
        error err = {0};
        counting_init(&memory, k);
        const status st = super_helix_create(&rig.source, &memory.from, &g, &err);
        if (st == STATUS_OK) body_group_destroy(g);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_places_solve_the_equations_of_the_frame);
    RUN_TEST(test_a_helix_has_the_radius_and_pitch_of_its_curvature_and_torsion);
    RUN_TEST(test_jacobians_are_the_slopes_of_places_and_frames);
    RUN_TEST(test_points_beyond_the_ends_are_taken_there);
    RUN_TEST(test_the_gradient_is_the_slope_of_the_potential_energy);
    RUN_TEST(test_inertia_and_forces_agree_with_refined_integrals);
    RUN_TEST(test_rods_side_by_side_have_the_bits_of_a_lone_rod);
    RUN_TEST(test_a_scale_is_a_stiffer_material);
    RUN_TEST(test_bad_input_is_refused_with_the_strand_named);
    RUN_TEST(test_every_failed_allocation_is_an_error);
    return UNITY_END();
}
