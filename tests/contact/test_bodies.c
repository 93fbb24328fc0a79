/* SPDX-License-Identifier: Apache-2.0
 *
 * Problems of bodies against the same problems with their operator, which other tests vouch for.
 */
#include "contact/bodies_gs.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { BODIES = 12, CONTACTS = 40, MOST = 32 };

static counting_allocator memory;
static random_source source;
static error err;

/* A random problem as a caller would hold it. */
static bodies_body body[BODIES];
static bodies_contact contact[CONTACTS];
static double factors[BODIES][MOST * MOST], v_free[BODIES][MOST], H[CONTACTS][2][3 * MOST];
static bodies_source given;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){17};
}

void tearDown(void) { counting_check(&memory); }

/* A = B B^T + n I has a condition number below 100 or so. */
static void make_body(uint32_t b, size_t n)
{
    double B[MOST * MOST];
    for (size_t k = 0; k < n * n; k++) B[k] = random_between(&source, -1.0, 1.0);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = i == j ? (double)n : 0.0;
            for (size_t k = 0; k < n; k++) sum += B[i * n + k] * B[j * n + k];
            factors[b][i * n + j] = sum;
        }
        v_free[b][i] = random_between(&source, -1.0, 1.0);
    }
    body[b] = (bodies_body){ldl_dense(n), factors[b], v_free[b]};
    TEST_ASSERT_TRUE(ldl_factor(&body[b].shape, factors[b], NULL));
}

static void make_contact(uint32_t i)
{
    const uint32_t a = random_below(&source, BODIES);
    const uint32_t b = i % 5 == 0 ? BODIES_NONE : random_below(&source, BODIES);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3 * MOST; k++) H[i][side][k] = random_between(&source, -1.0, 1.0);
    }
    contact[i] = (bodies_contact){.side = {{a, H[i][0]}, {b, H[i][1]}},
                                  .u_0 = {random_between(&source, 0.0, 0.5), 0.0, 0.0},
                                  .mu = random_between(&source, 0.0, 1.0)};
}

/* Bodies of 6 to 32 unknowns; contacts of one and of two sides, and some of a body with itself. */
static void make_random(void)
{
    for (uint32_t b = 0; b < BODIES; b++) make_body(b, 6 + random_below(&source, MOST - 5));
    for (uint32_t i = 0; i < CONTACTS; i++) make_contact(i);
    contact[1].side[1].body = contact[1].side[0].body;
    given = (bodies_source){BODIES, CONTACTS, body, contact, NULL};
}

static bodies_problem create(void)
{
    bodies_problem p;
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, bodies_problem_create(&p, &memory.from, &given, &err),
                              err.text);
    return p;
}

static solver_options options_with(double tolerance)
{
    return (solver_options){
        .tolerance = tolerance, .max_iterations = 20000, .local = &local_table[0]};
}

/* u = H v + u_0 with v = v_free + A^-1 H^T r, straight from what was given. */
static void velocities_of_given(const double *r, double *u)
{
    double v[BODIES][MOST] = {{0}};
    for (uint32_t i = 0; i < given.contacts; i++) {
        for (int s = 0; s < 2 && contact[i].side[s].body != BODIES_NONE; s++) {
            const bodies_side *side = &contact[i].side[s];
            const size_t n = body[side->body].shape.n;
            for (size_t k = 0; k < 3 * n; k++)
                v[side->body][k % n] += side->H[k] * r[3 * i + k / n];
        }
    }
    for (uint32_t b = 0; b < given.bodies; b++) {
        ldl_solve(&body[b].shape, body[b].factors, v[b]);
        for (size_t k = 0; k < body[b].shape.n; k++) v[b][k] += body[b].v_free[k];
    }
    for (uint32_t i = 0; i < given.contacts; i++) {
        v3_store(&u[3 * i], contact[i].u_0);
        for (int s = 0; s < 2 && contact[i].side[s].body != BODIES_NONE; s++) {
            const bodies_side *side = &contact[i].side[s];
            const size_t n = body[side->body].shape.n;
            for (size_t k = 0; k < 3 * n; k++)
                u[3 * i + k / n] += side->H[k] * v[side->body][k % n];
        }
    }
}

static void assert_close(double within, const double *expected, const double *actual, size_t count)
{
    for (size_t k = 0; k < count; k++) TEST_ASSERT_DOUBLE_WITHIN(within, expected[k], actual[k]);
}

/* Sums of some hundred products of numbers near 1, twice. */
static const double rounding = 1000.0 * 64.0 * DBL_EPSILON;

static void test_velocities_follow_from_what_was_given(void)
{
    for (int trial = 0; trial < 20; trial++) {
        double r[3 * CONTACTS], u[3 * CONTACTS], expected[3 * CONTACTS];
        make_random();
        bodies_problem p = create();
        double *w = malloc(bodies_state_count(&p) * sizeof *w);
        for (size_t k = 0; k < 3 * CONTACTS; k++) r[k] = random_between(&source, -1.0, 1.0);
        velocities_of_given(r, expected);
        bodies_state(&p, r, w);
        bodies_velocity(&p, w, u);
        assert_close(rounding, expected, u, 3 * CONTACTS);
        free(w);
        bodies_problem_destroy(&p);
    }
}

/* H v + u_0 with the v that is handed back is the u of the contacts. */
static void test_body_velocities_give_the_contact_velocities(void)
{
    double r[3 * CONTACTS], u[3 * CONTACTS];
    make_random();
    bodies_problem p = create();
    double *w = malloc(bodies_state_count(&p) * sizeof *w);
    for (size_t k = 0; k < 3 * CONTACTS; k++) r[k] = random_between(&source, -1.0, 1.0);
    bodies_state(&p, r, w);
    bodies_velocity(&p, w, u);
    for (uint32_t i = 0; i < CONTACTS; i++) {
        double sum = contact[i].u_0.x;
        for (int s = 0; s < 2 && contact[i].side[s].body != BODIES_NONE; s++) {
            const uint32_t b = contact[i].side[s].body;
            double v[MOST];
            bodies_body_velocity(&p, &body[b], b, w, v);
            for (size_t k = 0; k < body[b].shape.n; k++) sum += H[i][s][k] * v[k];
        }
        TEST_ASSERT_DOUBLE_WITHIN(rounding, sum, u[3 * i]);
    }
    free(w);
    bodies_problem_destroy(&p);
}

static void test_the_explicit_form_is_the_same_problem(void)
{
    for (int trial = 0; trial < 20; trial++) {
        double r[3 * CONTACTS], u[3 * CONTACTS], expected[3 * CONTACTS];
        make_random();
        bodies_problem p = create();
        contact_problem q;
        TEST_ASSERT_EQUAL(STATUS_OK, bodies_make_explicit(&p, &memory.from, &q, &err));
        for (size_t k = 0; k < 3 * CONTACTS; k++) r[k] = random_between(&source, -1.0, 1.0);
        double *w = malloc(bodies_state_count(&p) * sizeof *w);
        bodies_state(&p, r, w);
        bodies_velocity(&p, w, u);
        contact_problem_velocity(&q, NULL, r, expected);
        assert_close(rounding, expected, u, 3 * CONTACTS);
        TEST_ASSERT_DOUBLE_WITHIN(rounding, contact_problem_residual(&q, r, expected),
                                  bodies_residual(&p, r, w));
        TEST_ASSERT_DOUBLE_WITHIN(rounding, q.scale, p.scale);
        for (uint32_t i = 0; i < CONTACTS; i++) {
            TEST_ASSERT_DOUBLE_WITHIN(rounding, q.d[i], bodies_record_of(&p, i)->d);
        }
        free(w);
        contact_problem_destroy(&q, &memory.from);
        bodies_problem_destroy(&p);
    }
}

/* The answer of one form put to the other: r is unique where W is regular, as it is here (120 rows
 * for over 200 unknowns); its condition is some thousand. */
static void solve_both(const gs_settings *settings, const char *name)
{
    double r[3 * CONTACTS] = {0}, expected[3 * CONTACTS] = {0}, u[3 * CONTACTS];
    const solver_options options = options_with(1e-12);
    solver_report report = {0}, report_explicit = {0};
    bodies_problem p = create();
    contact_problem q;
    bodies_gs gs;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_make_explicit(&p, &memory.from, &q, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_solve(&gs, &options, settings, r, &report, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, solver_find(name)->solve(&q, &memory.from, &options, expected,
                                                          &report_explicit, &err));
    TEST_ASSERT_TRUE(report.converged && report_explicit.converged);
    assert_close(1e-8, expected, r, 3 * CONTACTS);
    contact_problem_velocity(&q, NULL, r, u);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13 * p.scale, contact_problem_residual(&q, r, u), report.residual);
    TEST_ASSERT_TRUE(contact_problem_residual(&q, r, u) <= 1.1e-12 * q.scale);
    bodies_velocity(&p, gs.w, expected);
    assert_close(rounding, expected, u, 3 * CONTACTS);
    bodies_gs_destroy(&gs);
    contact_problem_destroy(&q, &memory.from);
    bodies_problem_destroy(&p);
}

static void test_answers_are_those_of_the_explicit_solvers(void)
{
    const gs_settings plain = {.over_relaxation = 1.0}, relaxed = {1.3, 0.0, 0.1};
    for (int trial = 0; trial < 10; trial++) {
        make_random();
        solve_both(&bodies_gs_default, "momentum");
        solve_both(&bodies_gs_default, "auto");
        solve_both(&plain, "momentum");
        solve_both(&relaxed, "momentum");
    }
}

/* Point masses: m1 = 2 hits m2 = 3 head-on with speed 5 and sticks; the common velocity is 2. A
 * third contact, with the floor, slides: the impulse 3 * 1 on its normal takes 0.3 * 1 of speed. */
static void make_known(void)
{
    static const double plus[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        minus[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1};
    static const double masses[3][9] = {
        {2, 0, 0, 0, 2, 0, 0, 0, 2}, {3, 0, 0, 0, 3, 0, 0, 0, 3}, {3, 0, 0, 0, 3, 0, 0, 0, 3}};
    static const double velocities[3][3] = {{-5, 0, 0}, {0, 0, 0}, {-1, 4, 0}};
    for (uint32_t b = 0; b < 3; b++) {
        body[b] = (bodies_body){ldl_dense(3), masses[b], velocities[b]};
    }
    contact[0] = (bodies_contact){.side = {{0, plus}, {1, minus}}, .mu = 0.5};
    contact[1] = (bodies_contact){.side = {{2, plus}, {BODIES_NONE, NULL}}, .mu = 0.3};
    given = (bodies_source){3, 2, body, contact, NULL};
}

static void test_an_impact_and_a_slide_end_as_momentum_says(void)
{
    make_known();
    double r[6] = {0}, v[3][3];
    const solver_options options = options_with(1e-14);
    solver_report report = {0};
    bodies_problem p = create();
    bodies_gs gs;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    TEST_ASSERT_EQUAL(STATUS_OK,
                      bodies_gs_solve(&gs, &options, &bodies_gs_default, r, &report, &err));
    TEST_ASSERT_TRUE(report.converged);
    for (uint32_t b = 0; b < 3; b++) bodies_body_velocity(&p, &body[b], b, gs.w, v[b]);
    const double expected_r[6] = {6.0, 0.0, 0.0, 3.0, -0.9, 0.0};
    const double expected_v[9] = {-2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 3.7, 0.0};
    assert_close(1e-13, expected_r, r, 6);
    assert_close(1e-13, expected_v, v[0], 9);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 5.0, p.scale);
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
}

static void test_a_solution_is_left_as_it_is(void)
{
    double r[3 * CONTACTS] = {0}, again[3 * CONTACTS];
    const solver_options options = options_with(1e-9);
    solver_report first = {0}, second = {0};
    make_random();
    bodies_problem p = create();
    bodies_gs gs;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    bodies_gs_solve(&gs, &options, &bodies_gs_default, r, &first, &err);
    memcpy(again, r, sizeof r);
    bodies_gs_solve(&gs, &options, &bodies_gs_default, again, &second, &err);
    TEST_ASSERT_TRUE(first.iterations > 0 && first.converged && second.converged);
    TEST_ASSERT_EQUAL_UINT32(0, second.iterations);
    TEST_ASSERT_EQUAL_MEMORY(r, again, sizeof r);
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
}

static void test_too_few_sweeps_are_reported(void)
{
    double r[3 * CONTACTS] = {0}, u[3 * CONTACTS];
    solver_options options = options_with(1e-12);
    options.max_iterations = 3;
    solver_report report = {0};
    make_random();
    bodies_problem p = create();
    bodies_gs gs;
    contact_problem q;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_make_explicit(&p, &memory.from, &q, &err));
    bodies_gs_solve(&gs, &options, &bodies_gs_default, r, &report, &err);
    contact_problem_velocity(&q, NULL, r, u);
    TEST_ASSERT_FALSE(report.converged);
    TEST_ASSERT_EQUAL_UINT32(3, report.iterations);
    TEST_ASSERT_DOUBLE_WITHIN(rounding, contact_problem_residual(&q, r, u), report.residual);
    contact_problem_destroy(&q, &memory.from);
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
}

static int stop_at_third(void *user, uint32_t iteration, double residual)
{
    (void)residual;
    uint32_t *asked = user;
    (*asked)++;
    return iteration >= 3;
}

static void test_trace_can_stop_it(void)
{
    double r[3 * CONTACTS] = {0};
    uint32_t asked = 0;
    solver_options options = options_with(1e-14);
    options.trace = stop_at_third;
    options.trace_user = &asked;
    solver_report report = {0};
    make_random();
    bodies_problem p = create();
    bodies_gs gs;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    TEST_ASSERT_EQUAL(STATUS_CANCELLED,
                      bodies_gs_solve(&gs, &options, &bodies_gs_default, r, &report, &err));
    TEST_ASSERT_TRUE(asked > 0 && report.iterations >= 3);
    TEST_ASSERT_TRUE(report.iterations < options.max_iterations && !report.converged);
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
}

/* ---- bad input ---- */

static void assert_refused(const char *text)
{
    bodies_problem p;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      bodies_problem_create(&p, &memory.from, &given, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
}

static void assert_number_refused(double *number, double bad, const char *text)
{
    const double good = *number;
    *number = bad;
    assert_refused(text);
    *number = good;
}

static void test_bad_numbers_are_named(void)
{
    make_random();
    const size_t n = body[3].shape.n;
    assert_number_refused(&v_free[3][2], NAN, "body 3: its velocity");
    assert_number_refused(&factors[3][2 * n + 2], 0.0, "body 3: pivot 2");
    assert_number_refused(&factors[3][2 * n + 2], INFINITY, "body 3: pivot 2");
    assert_number_refused(&factors[3][4 * n + 1], NAN, "body 3: row 4");
    assert_number_refused(&H[7][1][4], INFINITY, "contact 7: H of side 1");
    assert_number_refused(&H[7][0][4], 1e200, "contact 7: the diagonal block");
    assert_number_refused(&contact[7].u_0.y, NAN, "contact 7: u_0");
    assert_number_refused(&contact[7].u_0.y, 1e200, "contact 7: its free velocity");
    assert_number_refused(&contact[7].mu, -0.1, "contact 7: mu is -0.1");
    assert_number_refused(&contact[7].mu, INFINITY, "contact 7: mu");
}

static void test_bad_indices_and_sizes_are_named(void)
{
    make_random();
    contact[4].side[0].body = BODIES;
    assert_refused("contact 4: side 0 is body 12, expected less than 12");
    contact[4].side[0].body = BODIES_NONE;
    assert_refused("contact 4: side 0");
    contact[4].side[0].body = 0;
    contact[4].side[1].body = BODIES + 1;
    assert_refused("contact 4: side 1");
    contact[4].side[1].body = 1;
    given.contacts = 0;
    assert_refused("no contacts");
    given.contacts = CONTACTS;
    memset(H[5], 0, sizeof H[5]);
    assert_refused("contact 5: the diagonal block of W has the trace 0");
    body[6].shape.n = 0;
    assert_refused("body 6: it has no unknowns");
}

static void test_a_start_that_is_not_finite_is_refused(void)
{
    make_random();
    double r[3 * CONTACTS] = {[10] = NAN};
    const solver_options options = options_with(1e-9);
    solver_report report = {0};
    bodies_problem p = create();
    bodies_gs gs;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      bodies_gs_solve(&gs, &options, &bodies_gs_default, r, &report, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "contact 3"), err.text);
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
}

/* ---- memory ---- */

static bool make_all(const allocator *from)
{
    bodies_problem p;
    bodies_gs gs;
    contact_problem q;
    status st = bodies_problem_create(&p, from, &given, &err);
    if (st < 0) {
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        return false;
    }
    st = bodies_gs_create(&gs, &p, &err);
    if (st >= 0) {
        bodies_gs_destroy(&gs);
        st = bodies_make_explicit(&p, from, &q, &err);
        if (st >= 0) contact_problem_destroy(&q, from);
    }
    bodies_problem_destroy(&p);
    TEST_ASSERT_TRUE(st == STATUS_OK || st == STATUS_OUT_OF_MEMORY);
    return st == STATUS_OK;
}

static void test_every_failed_allocation_is_survived(void)
{
    make_random();
    for (uint64_t k = 1;; k++) {
        counting_allocator scarce;
        counting_init(&scarce, k);
        const bool done = make_all(&scarce.from);
        counting_check(&scarce);
        if (done) break;
        TEST_ASSERT_TRUE(k < 100);
    }
}

static void test_a_solve_allocates_nothing(void)
{
    double r[3 * CONTACTS] = {0};
    const solver_options options = options_with(1e-9);
    solver_report report = {0};
    make_random();
    bodies_problem p = create();
    bodies_gs gs;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    const uint64_t before = memory.allocations;
    bodies_gs_solve(&gs, &options, &bodies_gs_default, r, &report, &err);
    TEST_ASSERT_EQUAL_UINT64(before, memory.allocations);
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
}

/* All contacts between the same two bodies: the operator would be full. */
static uint64_t bytes_for(uint32_t contacts)
{
    bodies_contact *many = calloc(contacts, sizeof *many);
    make_body(0, 16), make_body(1, 16), make_contact(1);
    contact[1].side[0].body = 0, contact[1].side[1].body = 1;
    for (uint32_t i = 0; i < contacts; i++) many[i] = contact[1];
    given = (bodies_source){2, contacts, body, many, NULL};
    bodies_problem p = create();
    bodies_gs gs;
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    const uint64_t bytes = memory.live_bytes;
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
    free(many);
    return bytes;
}

static void test_memory_grows_with_the_contacts(void)
{
    const uint64_t one = bytes_for(1024), two = bytes_for(2048), four = bytes_for(4096);
    /* Z of two sides, the record, its bodies, r twice, what a look sees; order, turn and batch of
     * the plan, order and batch of the spots; and, for both, per chunk where it begins, what it
     * waits for, what it met, and whether it is done. */
    const uint64_t contact_bytes = 2 * 3 * 16 * 8 + sizeof(bodies_record) + 2 * 4 + 2 * 3 * 8 +
                                   sizeof(bodies_seen) + 3 * 4 + 2 * 4;
    const uint64_t chunk_bytes = 2 * (2 * 4 + sizeof(bodies_met) + 1);
    TEST_ASSERT_EQUAL_UINT64(1024 * contact_bytes + 1024 / VISIT_CHUNK * chunk_bytes, two - one);
    TEST_ASSERT_EQUAL_UINT64(2 * (two - one), four - two);
}

/* ---- threads and builds ---- */

enum { GRAINS = 1500, TOUCHES = 9000 };

/* Grains of three unknowns that touch grains with numbers close by, one of them in too many places
 * for its colours. */
typedef struct heap {
    bodies_body *body;
    bodies_contact *contact;
    double *v, *H;
    bodies_source given;
} heap;

static heap heap_make(void)
{
    static const double mass[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    heap h = {calloc(GRAINS, sizeof *h.body),
              calloc(TOUCHES, sizeof *h.contact),
              calloc(3 * GRAINS, sizeof(double)),
              calloc(18 * TOUCHES, sizeof(double)),
              {GRAINS, TOUCHES, NULL, NULL, NULL}};
    for (uint32_t k = 0; k < 3 * GRAINS; k++) h.v[k] = random_between(&source, -1.0, 1.0);
    for (uint32_t k = 0; k < 18 * TOUCHES; k++) h.H[k] = random_between(&source, -1.0, 1.0);
    for (uint32_t b = 0; b < GRAINS; b++) {
        h.body[b] = (bodies_body){ldl_dense(3), mass, h.v + 3 * (size_t)b};
    }
    for (uint32_t i = 0; i < TOUCHES; i++) {
        const uint32_t a = i % GRAINS, b = (a + random_below(&source, 20)) % GRAINS;
        const double *H_i = h.H + 18 * (size_t)i;
        h.contact[i] = (bodies_contact){
            .side = {{i % 40 == 0 ? 7 : a, H_i}, {i % 7 == 0 ? BODIES_NONE : b, H_i + 9}},
            .mu = random_between(&source, 0.0, 1.0)};
    }
    h.given.body = h.body;
    h.given.contact = h.contact;
    return h;
}

static void heap_free(heap *h) { free(h->body), free(h->contact), free(h->v), free(h->H); }

static const gs_settings *const all_settings[] = {&bodies_gs_default,
                                                  &(const gs_settings){.over_relaxation = 1.0},
                                                  &(const gs_settings){1.3, 0.0, 0.1}};
enum { ALL_SETTINGS = sizeof all_settings / sizeof *all_settings, SWEEPS = 45 };

/* Enough sweeps for momentum and for fresh states. */
static void solve_heap(const bodies_problem *p, const bodies_lanes *lanes, pool *threads, int which,
                       double *r)
{
    solver_options options = options_with(1e-14);
    options.max_iterations = SWEEPS;
    options.threads = threads;
    solver_report report = {0};
    bodies_gs gs;
    memset(r, 0, 3 * TOUCHES * sizeof *r);
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, p, &err));
    if (lanes) gs.lanes = lanes;
    TEST_ASSERT_EQUAL(STATUS_OK,
                      bodies_gs_solve(&gs, &options, all_settings[which], r, &report, &err));
    TEST_ASSERT_EQUAL_UINT32(SWEEPS, report.iterations);
    TEST_ASSERT_TRUE(report.residual < 0.1 * p->scale);
    bodies_gs_destroy(&gs);
}

/* A host that has its own threads, which go backwards. */
static void host_loop(void *user, uint32_t count, pool_task task, void *task_user)
{
    (void)user;
    while (count-- > 0) task(task_user, count);
}

static void test_threads_do_not_change_a_bit(void)
{
    const pool_host host = {NULL, host_loop};
    pool *const pools[] = {pool_create(&memory.from, 1, NULL), pool_create(&memory.from, 2, NULL),
                           pool_create(&memory.from, 4, NULL), pool_create(&memory.from, 4, &host)};
    heap h = heap_make();
    given = h.given;
    bodies_problem p = create();
    double *expected = calloc(3 * TOUCHES, sizeof *expected), *r = calloc(3 * TOUCHES, sizeof *r);
    TEST_ASSERT_TRUE(p.plan.chunks >= 2 * p.plan.stages); /* or threads would not be woken */
    for (int which = 0; which < ALL_SETTINGS; which++) {
        solve_heap(&p, NULL, NULL, which, expected);
        for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) {
            solve_heap(&p, NULL, pools[k], which, r);
            TEST_ASSERT_EQUAL_MEMORY(expected, r, 3 * TOUCHES * sizeof *r);
        }
    }
    for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) pool_destroy(pools[k]);
    free(expected), free(r), heap_free(&h);
    bodies_problem_destroy(&p);
}

static void test_wide_registers_do_not_change_a_bit(void)
{
    if (!bodies_lanes_wide()) TEST_IGNORE_MESSAGE("this processor has no wide registers");
    heap h = heap_make();
    given = h.given;
    bodies_problem p = create();
    double *expected = calloc(3 * TOUCHES, sizeof *expected), *r = calloc(3 * TOUCHES, sizeof *r);
    for (int which = 0; which < ALL_SETTINGS; which++) {
        solve_heap(&p, &bodies_lanes_baseline, NULL, which, expected);
        solve_heap(&p, bodies_lanes_wide(), NULL, which, r);
        TEST_ASSERT_EQUAL_MEMORY(expected, r, 3 * TOUCHES * sizeof *r);
    }
    free(expected), free(r), heap_free(&h);
    bodies_problem_destroy(&p);
}

/* The lanes with the ladder, and the ladder by its own name: one contact at a time. */
static local_answer same_ladder(const sym3 *W, v3 b, double mu, v3 guess)
{
    return local_find("ladder")->solve(W, b, mu, guess);
}

static void test_lanes_do_not_change_a_bit(void)
{
    const local_solver one_by_one = {.name = "one by one", .solve = same_ladder};
    heap h = heap_make();
    given = h.given;
    bodies_problem p = create();
    bodies_gs gs;
    double *r[2] = {calloc(3 * TOUCHES, sizeof(double)), calloc(3 * TOUCHES, sizeof(double))};
    bodies_met met[2];
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    for (int k = 0; k < 2; k++) {
        memset(gs.w, 0, bodies_state_count(&p) * sizeof *gs.w);
        for (int sweep = 0; sweep < 5; sweep++) {
            met[k] = bodies_gs_sweep(&gs, NULL, k ? &one_by_one : &local_table[0], 1.0, -1.0, r[k]);
        }
    }
    TEST_ASSERT_EQUAL_MEMORY(r[0], r[1], 3 * TOUCHES * sizeof(double));
    TEST_ASSERT_EQUAL_MEMORY(&met[0], &met[1], sizeof met[0]);
    TEST_ASSERT_TRUE(met[0].worst > 0.0 && met[0].move > 0.0);
    bodies_gs_destroy(&gs);
    free(r[0]), free(r[1]), heap_free(&h);
    bodies_problem_destroy(&p);
}

/* ---- work where it is left ---- */

/* Most contacts of the heap open by themselves, as in hair; then it falls into spots. */
static heap heap_make_loose(void)
{
    heap h = heap_make();
    for (uint32_t i = 0; i < TOUCHES; i++) {
        if (i % 8 != 0) h.contact[i].u_0.x = random_between(&source, 0.5, 5.0);
    }
    return h;
}

/* The residual over all contacts, also those that were never swept, and with any threads. */
static void test_contacts_left_alone_keep_the_law(void)
{
    pool *const pools[] = {NULL, pool_create(&memory.from, 2, NULL),
                           pool_create(&memory.from, 4, NULL)};
    heap h = heap_make_loose();
    given = h.given;
    bodies_problem p = create();
    bodies_gs gs;
    double *r[3];
    TEST_ASSERT_EQUAL(STATUS_OK, bodies_gs_create(&gs, &p, &err));
    double *w = malloc(bodies_state_count(&p) * sizeof *w);
    for (int k = 0; k < 3; k++) {
        solver_options options = options_with(1e-6);
        options.threads = pools[k];
        solver_report report = {0};
        r[k] = calloc(3 * TOUCHES, sizeof *r[k]);
        bodies_gs_solve(&gs, &options, &bodies_gs_default, r[k], &report, &err);
        bodies_state(&p, r[k], w);
        TEST_ASSERT_TRUE(report.converged);
        TEST_ASSERT_DOUBLE_WITHIN(rounding, report.residual, bodies_residual(&p, r[k], w));
        TEST_ASSERT_TRUE(bodies_residual(&p, r[k], w) <= 1e-6 * p.scale + rounding);
        TEST_ASSERT_EQUAL_MEMORY(r[0], r[k], 3 * TOUCHES * sizeof **r);
        pool_destroy(pools[k]);
    }
    for (int k = 0; k < 3; k++) free(r[k]);
    free(w);
    bodies_gs_destroy(&gs);
    bodies_problem_destroy(&p);
    heap_free(&h);
}

/* How often each contact is in a spot; bodies belong to one spot at most. */
static void count_in_spots(const bodies_focus *f, uint8_t *times)
{
    uint32_t owner[GRAINS] = {0}, visits = 0;
    for (uint32_t s = 0; s < f->spots; s++) {
        const visit_plan *plan = &f->spot[s].plan;
        for (uint32_t k = 0; k < plan->contacts; k++, visits++) {
            const uint32_t i = plan->order[k];
            TEST_ASSERT_TRUE(k == 0 || i > plan->order[k - 1]);
            times[i]++;
            for (int side = 0; side < 2; side++) {
                const uint32_t b = f->p->touches[i][side];
                if (b == BODIES_NONE) continue;
                TEST_ASSERT_TRUE(owner[b] == 0 || owner[b] == s + 1);
                owner[b] = s + 1;
            }
        }
    }
    TEST_ASSERT_EQUAL_UINT32(f->visits, visits);
}

static void test_spots_are_what_is_left_and_share_no_body(void)
{
    heap h = heap_make();
    given = h.given;
    bodies_problem p = create();
    bodies_focus f;
    uint8_t *times = calloc(TOUCHES, 1), hot[GRAINS] = {0};
    TEST_ASSERT_TRUE(bodies_focus_create(&f, &p));
    for (uint32_t i = 0; i < TOUCHES; i++) {
        f.seen[i] = (bodies_seen){i % 300 == 0 ? 1.0 : 0.1, i % 3 ? 2.0 : -INFINITY};
        for (int k = 0; k < 2 && i % 300 == 0; k++) {
            if (p.touches[i][k] != BODIES_NONE) hot[p.touches[i][k]] = 1;
        }
    }
    bodies_focus_choose(&f, 0.5, 1.0);
    count_in_spots(&f, times);
    TEST_ASSERT_TRUE(f.spots > 1);
    for (uint32_t i = 0; i < TOUCHES; i++) {
        const uint32_t *t = p.touches[i];
        const bool near = hot[t[0]] || (t[1] != BODIES_NONE && hot[t[1]]);
        TEST_ASSERT_EQUAL_UINT8(near && i % 3 == 0, times[i]);
    }
    free(times);
    bodies_focus_destroy(&f);
    bodies_problem_destroy(&p);
    heap_free(&h);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_velocities_follow_from_what_was_given);
    RUN_TEST(test_body_velocities_give_the_contact_velocities);
    RUN_TEST(test_the_explicit_form_is_the_same_problem);
    RUN_TEST(test_answers_are_those_of_the_explicit_solvers);
    RUN_TEST(test_an_impact_and_a_slide_end_as_momentum_says);
    RUN_TEST(test_a_solution_is_left_as_it_is);
    RUN_TEST(test_too_few_sweeps_are_reported);
    RUN_TEST(test_trace_can_stop_it);
    RUN_TEST(test_bad_numbers_are_named);
    RUN_TEST(test_bad_indices_and_sizes_are_named);
    RUN_TEST(test_a_start_that_is_not_finite_is_refused);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_a_solve_allocates_nothing);
    RUN_TEST(test_memory_grows_with_the_contacts);
    RUN_TEST(test_threads_do_not_change_a_bit);
    RUN_TEST(test_wide_registers_do_not_change_a_bit);
    RUN_TEST(test_lanes_do_not_change_a_bit);
    RUN_TEST(test_contacts_left_alone_keep_the_law);
    RUN_TEST(test_spots_are_what_is_left_and_share_no_body);
    return UNITY_END();
}
