/* SPDX-License-Identifier: Apache-2.0
 *
 * The super-clothoid at one moment: kinematics, Jacobians, integrals, input. Equilibria and motions
 * are in test_super_clothoid_motion.c.
 */
#include "rods/super_clothoid.h"

#include "math/so3.h"
#include "rods/clothoid.h"
#include "support/counting_allocator.h"
#include "support/rod_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { ELEMENTS = 4, UNKNOWNS = 6 + 3 * (ELEMENTS + 1) };

static random_source rng;
static rod_rig rig;

void setUp(void)
{
    rng = (random_source){47};
    rig = (rod_rig){.in = {.h = 1e-3}};
}

void tearDown(void) { rod_rig_free(&rig); }

static double rod_length(void)
{
    double sum = 0.0;
    for (uint32_t e = 0; e < rig.source.elements; e++) sum += rig.lengths[e];
    return sum;
}

static void assert_v3_within(double delta, v3 expected, v3 actual)
{
    TEST_ASSERT_DOUBLE_WITHIN(delta, 0.0, v3_norm(v3_sub(expected, actual)));
}

/* Rows of R and x along a clothoid. */
typedef struct track {
    long double at[12];
} track;

static track track_slope(const clothoid *c, const track *y, long double s)
{
    const long double t = s / c->length;
    const long double k[3] = {c->kappa[0].x + t * (c->kappa[1].x - c->kappa[0].x),
                              c->kappa[0].y + t * (c->kappa[1].y - c->kappa[0].y),
                              c->kappa[0].z + t * (c->kappa[1].z - c->kappa[0].z)};
    track d;
    for (int i = 0; i < 3; i++) {
        const long double *u = y->at + 3 * i;
        for (int j = 0; j < 3; j++) {
            d.at[3 * i + j] = u[(j + 1) % 3] * k[(j + 2) % 3] - u[(j + 2) % 3] * k[(j + 1) % 3];
        }
        d.at[9 + i] = u[0];
    }
    return d;
}

static track track_add(const track *a, long double s, const track *b)
{
    track sum;
    for (int i = 0; i < 12; i++) sum.at[i] = a->at[i] + s * b->at[i];
    return sum;
}

/* The classical rule of Runge and Kutta in long double: for steps of 5e-4 radians and 50 in all its
 * error is 50 (5e-4)^4 / 120 = 3e-14. */
static track integrate(const clothoid *c, int steps)
{
    track y = {{1.0L, 0.0L, 0.0L, 0.0L, 1.0L, 0.0L, 0.0L, 0.0L, 1.0L}};
    const long double h = (long double)c->length / steps;
    for (int n = 0; n < steps; n++) {
        const track k1 = track_slope(c, &y, n * h), y2 = track_add(&y, 0.5L * h, &k1);
        const track k2 = track_slope(c, &y2, (n + 0.5L) * h), y3 = track_add(&y, 0.5L * h, &k2);
        const track k3 = track_slope(c, &y3, (n + 0.5L) * h), y4 = track_add(&y, h, &k3);
        const track k4 = track_slope(c, &y4, (n + 1) * h);
        y = track_add(&y, h / 6.0L, &k1);
        y = track_add(&y, h / 3.0L, &k2);
        y = track_add(&y, h / 3.0L, &k3);
        y = track_add(&y, h / 6.0L, &k4);
    }
    return y;
}

/* `turn` radians, half of them by the slope of the curvatures. */
static void check_kinematics(double turn)
{
    const double length = random_between(&rng, 0.5, 1.0);
    const v3 a = v3_scale(turn / length, random_direction(&rng));
    const v3 b = v3_scale(turn / length, random_direction(&rng));
    const clothoid c = {{a, b}, length};
    const clothoid_point end = clothoid_at(&c, length);
    const track y = integrate(&c, 1000 + (int)(2000.0 * turn));
    for (int i = 0; i < 3; i++) {
        const v3 row = {(double)y.at[3 * i], (double)y.at[3 * i + 1], (double)y.at[3 * i + 2]};
        assert_v3_within(1e-12, row, end.R.row[i]);
    }
    assert_v3_within(1e-12, (v3){(double)y.at[9], (double)y.at[10], (double)y.at[11]}, end.x);
}

static void test_series_agree_with_a_fine_integrator(void)
{
    static const double turns[] = {0.0, 1e-9, 1e-3, 0.1, 1.0, 3.0, 7.0, 12.0, 50.0};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        for (int round = 0; round < 3; round++) check_kinematics(turns[i]);
    }
}

static void test_pieces_join_to_the_whole_and_points_beyond_the_ends_are_taken_there(void)
{
    rod_rig_fill(&rig, &rng, 1, ELEMENTS, 9.0);
    rod_rig_build(&rig, "super-clothoid");
    const double length = rod_length(), d = 1e-5;
    for (int i = 0; i < 100; i++) {
        const double s = random_between(&rng, 0.01, length - 0.01);
        const body_place at = body_find_place(rig.g, rig.state, 0, (v3){s, 0.0, 0.0});
        const body_place ahead = body_find_place(rig.g, rig.state, 0, (v3){s + d, 0.0, 0.0});
        const body_place behind = body_find_place(rig.g, rig.state, 0, (v3){s - d, 0.0, 0.0});
        const v3 slope = v3_scale(0.5 / d, v3_sub(ahead.position, behind.position));
        /* curvatures of up to 110/m, and their slopes of up to 2800/m^2, times d^2/6 */
        assert_v3_within(5e-7, quat_rotate(at.rotation, (v3){1.0, 0.0, 0.0}), slope);
    }
    const v3 root = body_find_place(rig.g, rig.state, 0, (v3){-1.0, 0.0, 0.0}).position;
    TEST_ASSERT_TRUE(v3_is_equal(rig.root[0].position, root));
    const v3 tip = body_find_place(rig.g, rig.state, 0, (v3){length, 0.0, 0.0}).position;
    assert_v3_within(1e-15, tip, body_find_place(rig.g, rig.state, 0, (v3){99., 0., 0.}).position);
}

static void test_a_curl_that_is_the_same_all_along_is_that_of_the_super_helix(void)
{
    rod_rig_fill(&rig, &rng, 1, ELEMENTS, 0.0);
    for (int e = 0; e < ELEMENTS; e++) v3_store(rig.natural + 3 * e, (v3){20.0, -30.0, 50.0});
    v3 expected[21];
    for (int model = 0; model < 2; model++) {
        rod_rig next = rig;
        rod_rig_build(&next, model ? "super-clothoid" : "super-helix");
        for (int i = 0; i <= 20; i++) {
            const v3 X = {i * rod_length() / 20, 0.0, 0.0};
            const v3 at = body_find_place(next.g, next.state, 0, X).position;
            if (model == 0) expected[i] = at;
            assert_v3_within(1e-13, expected[i], at);
        }
        rod_rig_free(&next);
    }
}

/* The state after unknown i of body 0 has gone by d; a free root turns about its position. */
static void perturb(const double *state, uint32_t i, double d, double *out)
{
    static double v[UNKNOWNS];
    memset(v, 0, sizeof v);
    v[i] = d / rig.in.h;
    body_correct(rig.g, &rig.in, state, rig.work, v, out, 0, 1);
}

static body_place perturbed_place(uint32_t i, double d, v3 X)
{
    double *state = calloc(rig.g->state_count, sizeof(double));
    perturb(rig.state, i, d, state);
    const body_place place = body_find_place(rig.g, state, 0, X);
    free(state);
    return place;
}

static void check_jacobian(v3 X)
{
    double linear[3 * UNKNOWNS], angular[3 * UNKNOWNS];
    v3 v_0, omega_0;
    const uint32_t n = rig.g->unknowns;
    const double d = 3e-5;
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
        rod_rig_fill(&rig, &rng, 1, ELEMENTS, i % 2 ? 0.5 : 9.0);
        rig.source.free_root = i % 4 < 2;
        rod_rig_build(&rig, "super-clothoid");
        body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
        check_jacobian((v3){random_between(&rng, 0.0, rod_length()), 0.01, -0.02});
        check_jacobian((v3){rod_length(), 0.0, 0.0});
        rod_rig_free(&rig);
    }
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

static void check_gradient(void)
{
    double gradient[UNKNOWNS], *state = calloc(rig.g->state_count, sizeof(double));
    const double d = 1e-5;
    body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
    for (uint32_t i = 0; i < rig.g->unknowns; i++) perturb(rig.state, i, 0.3, rig.state);
    body_gradient(rig.g, &rig.in, rig.state, 0, gradient);
    for (uint32_t i = 0; i < rig.g->unknowns; i++) {
        perturb(rig.state, i, d, state);
        const double ahead = potential(state);
        perturb(rig.state, i, -d, state);
        const double behind = potential(state);
        TEST_ASSERT_DOUBLE_WITHIN(2e-10, (ahead - behind) / (2.0 * d), gradient[i]);
    }
    free(state);
}

static void test_the_gradient_is_the_slope_of_the_potential_energy(void)
{
    static const body_load loads[] = {{.at = {0.13, 0.01, 0.02}, .force = {0.2, -0.1, 0.3}},
                                      {.at = {0.3, 0.0, 0.0}, .force = {0.1, 0.4, 0.0}}};
    double field[3 * (ELEMENTS + 1)];
    for (int round = 0; round < 8; round++) {
        rod_rig_fill(&rig, &rng, 1, ELEMENTS, 3.0);
        rig.source.free_root = round % 2;
        rod_rig_build(&rig, "super-clothoid");
        fill_stations(field, 5.0);
        rig.in = (body_input){.h = 1e-3, .gravity = {1.0, 2.0, -9.0}, .field = field};
        rig.in.loads = loads;
        rig.in.load_count = 2;
        check_gradient();
        rod_rig_free(&rig);
    }
}

/* A refined rule: 3 Gauss points in each of many panels of every element of body 0. */
enum { PANELS = 400, SAMPLES = ELEMENTS * PANELS * 3 };

typedef struct sample {
    double s, weight, fraction;
    uint32_t element;
} sample;

static sample samples[SAMPLES];
static v3 velocities[SAMPLES];

static void fill_samples(void)
{
    static const double at[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double begin = 0.0;
    sample *next = samples;
    for (uint32_t e = 0; e < ELEMENTS; e++) {
        const double l = rig.lengths[e];
        for (int i = 0; i < 3 * PANELS; i++) {
            const double fraction = (i / 3 + at[i % 3]) / PANELS;
            *next++ = (sample){begin + fraction * l, weight[i % 3] * l / PANELS, fraction, e};
        }
        begin += l;
    }
}

static v3 interpolate(const double *stations, const sample *p)
{
    return v3_lerp(v3_load(stations + 3 * p->element), v3_load(stations + 3 * p->element + 3),
                   p->fraction);
}

typedef struct dense {
    double A[UNKNOWNS][UNKNOWNS], rhs[UNKNOWNS];
} dense;

/* The inertia of the centreline and the forces on it, from the Jacobians of the work and from the
 * velocities of the samples in the last step; those of this step, by v_free, take their place. */
static void refer_centreline(dense *out)
{
    const uint32_t n = rig.g->unknowns;
    const rod_material *m = &rig.material[0];
    const double h = rig.in.h, *v = body_v_free(rig.g, rig.work, 0);
    double J[3 * UNKNOWNS];
    for (size_t k = 0; k < SAMPLES; k++) {
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
}

/* Natural curvature c of joint j, as the header says. */
static double natural_of(uint32_t j, uint32_t c)
{
    if (j == 0) return rig.natural[c];
    if (j == ELEMENTS) return rig.natural[3 * ELEMENTS - 3 + c];
    const double *l = rig.lengths + j - 1, *k = rig.natural + 3 * j - 3 + c;
    return (l[0] * k[0] + l[1] * k[3]) / (l[0] + l[1]);
}

/* Elasticity and the sections' inertia, from the hats and the angles that they add up to. */
static void refer_sections(dense *out)
{
    const rod_material *m = &rig.material[0];
    const double stiffness[3] = {m->twist, m->bend[0], m->bend[1]}, h = rig.in.h;
    const double thin = 0.25 * m->density * m->radius * m->radius;
    const uint32_t first = rig.source.free_root ? 6 : 0;
    const double *q = body_q(rig.g, rig.state, 0), *v = body_v(rig.g, rig.state, 0);
    for (uint32_t i = 3; i < first; i++) {
        out->A[i][i] += 2.0 * thin * rod_length();
        out->rhs[i] += 2.0 * thin * rod_length() * v[i];
    }
    for (uint32_t k = 0; k < 3 * SAMPLES; k++) {
        const sample *p = &samples[k / 3];
        const uint32_t c = k % 3, i = first + 3 * p->element + c;
        const double t = p->fraction, l = rig.lengths[p->element], hat[2] = {1.0 - t, t};
        const double angle[2] = {l * (t - 0.5 * t * t), 0.5 * l * t * t};
        const double K = p->weight * stiffness[c], S = p->weight * (c == 0 ? 2.0 : 1.0) * thin;
        const double strain = hat[0] * (q[i] - natural_of(p->element, c)) +
                              hat[1] * (q[i + 3] - natural_of(p->element + 1, c));
        const double rate = angle[0] * v[i] + angle[1] * v[i + 3];
        for (uint32_t a = 0; a < 2; a++) {
            out->rhs[i + 3 * a] += S * angle[a] * rate - h * K * hat[a] * strain;
            for (uint32_t b = 0; b <= a; b++) {
                out->A[i + 3 * a][i + 3 * b] +=
                    (h * m->damping + h * h) * K * hat[a] * hat[b] + S * angle[a] * angle[b];
            }
        }
    }
}

static void check_system(const dense *expected)
{
    const uint32_t n = rig.g->unknowns;
    double x[UNKNOWNS] = {0}, Ax[UNKNOWNS], size = 0.0;
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

static void check_integrals(double turn, bool free_root)
{
    static dense expected;
    double air[3 * (ELEMENTS + 1)], field[3 * (ELEMENTS + 1)];
    rod_rig_fill(&rig, &rng, 1, ELEMENTS, turn);
    rig.material[0].drag = 0.3;
    rig.material[0].damping = 0.02;
    rig.source.free_root = free_root;
    rod_rig_build(&rig, "super-clothoid");
    fill_stations(air, 3.0);
    fill_stations(field, 3.0);
    rig.in = (body_input){.h = 2e-3, .gravity = {1.0, -2.0, -9.81}, .air = air, .field = field};
    fill_samples();
    memset(velocities, 0, sizeof velocities);
    for (int step = 0; step < 3; step++) {
        pose root = rig.root[0];
        root.position = v3_add(root.position, v3_scale(0.01 * step, random_v3(&rng)));
        root.rotation = quat_mul(so3_exp(v3_scale(0.1 * step, random_v3(&rng))), root.rotation);
        rig.in.root = &root;
        body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
        expected = (dense){0};
        refer_centreline(&expected);
        refer_sections(&expected);
        check_system(&expected);
        memcpy(rig.v, body_v_free(rig.g, rig.work, 0), rig.g->unknowns * sizeof(double));
        body_correct(rig.g, &rig.in, rig.state, rig.work, rig.v, rig.state, 0, 1);
    }
    rod_rig_free(&rig);
}

static void test_inertia_and_forces_agree_with_refined_integrals(void)
{
    static const double turns[] = {0.0, 0.1, 0.3, 1.0, 5.0, 14.0};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        check_integrals(turns[i], false);
        check_integrals(turns[i], true);
    }
}

static void check_refused(const char *expected)
{
    body_group *g;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      super_clothoid_create(&rig.source, &allocator_system, &g, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, expected), err.text);
    rod_rig_fill(&rig, &rng, 3, 4, 1.0);
}

static void test_bad_input_is_refused_with_the_strand_named(void)
{
    rod_rig_fill(&rig, &rng, 3, 4, 1.0);
    rig.lengths[4] = 0.0;
    check_refused("'wig', strand 1: its element length is 0, expected a positive number");
    rig.natural[13] = INFINITY;
    check_refused("'wig', strand 1: its natural curvature is inf, expected a finite number");
    rig.material[2].density = NAN;
    check_refused("'wig', strand 2: its mass per length is nan");
    rig.source.rods = 0;
    check_refused("'wig' has 0 strands");
    rig.source.elements = 70000;
    check_refused("'wig' has strands of 70000 elements, expected at most 65535");
}

static void test_curls_beyond_all_measure_are_not_a_number_and_end(void)
{
    rod_rig_fill(&rig, &rng, 2, ELEMENTS, 0.5);
    for (int i = 0; i < 3 * ELEMENTS; i++) rig.natural[i] = 1e30;
    rod_rig_build(&rig, "super-clothoid");
    rod_rig_step(&rig);
    TEST_ASSERT_TRUE(isnan(body_v_free(rig.g, rig.work, 0)[0]));
    for (uint32_t i = 0; i < rig.g->unknowns; i++) {
        TEST_ASSERT_TRUE(isfinite(body_v_free(rig.g, rig.work, 1)[i]));
    }
}

static void test_every_failed_allocation_is_an_error(void)
{
    rod_rig_fill(&rig, &rng, 3, 4, 1.0);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        body_group *g = NULL;
        error err = {0};
        counting_init(&memory, k);
        const status st = super_clothoid_create(&rig.source, &memory.from, &g, &err);
        if (st == STATUS_OK) body_group_destroy(g);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_series_agree_with_a_fine_integrator);
    RUN_TEST(test_pieces_join_to_the_whole_and_points_beyond_the_ends_are_taken_there);
    RUN_TEST(test_a_curl_that_is_the_same_all_along_is_that_of_the_super_helix);
    RUN_TEST(test_jacobians_are_the_slopes_of_places_and_frames);
    RUN_TEST(test_the_gradient_is_the_slope_of_the_potential_energy);
    RUN_TEST(test_inertia_and_forces_agree_with_refined_integrals);
    RUN_TEST(test_bad_input_is_refused_with_the_strand_named);
    RUN_TEST(test_curls_beyond_all_measure_are_not_a_number_and_end);
    RUN_TEST(test_every_failed_allocation_is_an_error);
    return UNITY_END();
}
