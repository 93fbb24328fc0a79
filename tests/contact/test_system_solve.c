/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems solved by name: what a caller may rely on, and when `auto` changes over to the explicit
 * form.
 */
#include "contact/system_solve.h"

#include "math/frame.h"
#include "support/cloth_cases.h"
#include "support/counting_allocator.h"
#include "support/tower.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static counting_allocator memory;
static random_source source;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){5};
}

void tearDown(void) { counting_check(&memory); }

/* A system with its start and its answer. */
typedef struct task {
    const contact_system *s;
    const char *name;
    solver_options options;
    double *r, *u, *v;
    system_answer answer;
} task;

static size_t impulse_count(const task *t) { return 3 * (size_t)t->s->contacts; }

static task begin(const contact_system *s, const char *name, double tolerance)
{
    task t = {.s = s, .name = name};
    t.options =
        (solver_options){.tolerance = tolerance, .max_iterations = 20000, .local = &local_table[0]};
    t.r = calloc(impulse_count(&t), sizeof *t.r);
    t.u = calloc(impulse_count(&t), sizeof *t.u);
    t.v = calloc(contact_system_velocity_count(s), sizeof *t.v);
    TEST_ASSERT_TRUE(t.r && t.u && t.v);
    return t;
}

static void end(const task *t)
{
    free(t->r);
    free(t->u);
    free(t->v);
}

static status run(task *t)
{
    system_solver chosen;
    TEST_ASSERT_TRUE(system_solver_find(t->name, &chosen));
    return system_solve(t->s, &memory.from, &chosen, &t->options, t->r, t->u, t->v, &t->answer,
                        &err);
}

static void run_well(task *t)
{
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, run(t), err.text);
    TEST_ASSERT_TRUE_MESSAGE(t->answer.report.converged, t->name);
    TEST_ASSERT_TRUE(t->answer.report.residual <= t->options.tolerance * t->answer.scale);
    TEST_ASSERT_TRUE(t->answer.measure.worst.natural <= t->answer.report.residual);
}

/* ---- cloth ---- */

static const cloth_case CLOTH[] = {
    {.sheets = 1, .side = 12, .mu = 0.3, .touching = 0.5},
    {.sheets = 1, .side = 12, .mu = 1.0, .touching = 0.8, .several = 0.3},
    {.sheets = 3, .side = 8, .mu = 0.6, .touching = 0.5, .several = 0.2},
    {.sheets = 2, .side = 8, .rods = 6, .rod_unknowns = 12, .mu = 0.6, .touching = 0.3},
    {.rods = 12, .rod_unknowns = 16, .side = 4, .mu = 0.8},
};
enum { CLOTHS = sizeof CLOTH / sizeof *CLOTH };

static void test_cloth_reaches_1e_8(void)
{
    for (size_t i = 0; i < CLOTHS; i++) {
        contact_system *s = cloth_case_make(&CLOTH[i], &source);
        task k = begin(s, "auto", 1e-8);
        run_well(&k);
        end(&k);
        cloth_case_free(s);
    }
}

static void test_threads_do_not_change_a_bit(void)
{
    for (size_t i = 0; i < CLOTHS; i++) {
        contact_system *s = cloth_case_make(&CLOTH[i], &source);
        task one = begin(s, "auto", 1e-8);
        run_well(&one);
        for (uint32_t threads = 1; threads <= 4; threads *= 2) {
            task more = begin(s, "auto", 1e-8);
            more.options.threads = pool_create(&memory.from, threads, NULL);
            TEST_ASSERT_NOT_NULL(more.options.threads);
            run_well(&more);
            pool_destroy(more.options.threads);
            TEST_ASSERT_EQUAL_MEMORY(one.r, more.r, impulse_count(&one) * sizeof *one.r);
            TEST_ASSERT_EQUAL_MEMORY(one.u, more.u, impulse_count(&one) * sizeof *one.u);
            TEST_ASSERT_EQUAL_MEMORY(one.v, more.v,
                                     contact_system_velocity_count(s) * sizeof *one.v);
            end(&more);
        }
        end(&one);
        cloth_case_free(s);
    }
}

static void test_a_solution_is_a_start_that_needs_no_iteration(void)
{
    for (size_t i = 0; i < CLOTHS; i++) {
        contact_system *s = cloth_case_make(&CLOTH[i], &source);
        task k = begin(s, "auto", 1e-8);
        run_well(&k);
        TEST_ASSERT_GREATER_THAN(0, k.answer.report.iterations);
        run_well(&k);
        TEST_ASSERT_EQUAL(0, k.answer.report.iterations);
        end(&k);
        cloth_case_free(s);
    }
}

/* ---- trace ---- */

typedef struct watcher {
    uint32_t calls, last, stages;
    uint32_t stop_at; /* 0: never */
} watcher;

/* Every stage begins to count anew. */
static int watch(void *user, uint32_t iteration, double residual)
{
    watcher *w = user;
    TEST_ASSERT_TRUE(residual >= 0.0);
    w->stages += iteration <= w->last || w->calls == 0;
    w->last = iteration;
    return ++w->calls == w->stop_at;
}

static void test_trace_can_cancel_and_the_best_is_handed_back(void)
{
    for (size_t i = 0; i < CLOTHS; i++) {
        contact_system *s = cloth_case_make(&CLOTH[i], &source);
        watcher w = {.stop_at = 1};
        task k = begin(s, "auto", 1e-12);
        k.options.max_iterations = 0;
        TEST_ASSERT_EQUAL(STATUS_OK, run(&k));
        const double start = k.answer.report.residual;
        k.options.max_iterations = 20000;
        k.options.trace = watch;
        k.options.trace_user = &w;
        TEST_ASSERT_EQUAL(STATUS_CANCELLED, run(&k));
        TEST_ASSERT_TRUE(k.answer.report.iterations > 0);
        TEST_ASSERT_TRUE(k.answer.report.iterations < k.options.max_iterations);
        TEST_ASSERT_FALSE(k.answer.report.converged);
        TEST_ASSERT_TRUE(k.answer.report.residual <= start);
        end(&k);
        cloth_case_free(s);
    }
}

/* ---- the explicit form ---- */

/* Sweeps are slow where a sheet is stiff, and where something heavy lies on top of a stack. */
static const cloth_case STIFF = {
    .sheets = 1, .side = 9, .mu = 0.8, .touching = 0.1, .stiffness = 2e5};

static const double HEAVY = 2e4;

static const contact_system *heavy_stack(void)
{
    static tower t;
    tower_build(&t, TOWER_BODIES, TOWER_LEVELS, (v3){-0.1, 0.0, 0.0}, (v3){-0.1, 0.0, 0.0}, HEAVY);
    return &t.s;
}

static void change(task *k)
{
    watcher w = {0};
    k->options.trace = watch;
    k->options.trace_user = &w;
    run_well(k);
    TEST_ASSERT_EQUAL(2, w.stages);
}

static void test_auto_leaves_slow_sweeps_over_a_stiff_sheet(void)
{
    contact_system *s = cloth_case_make(&STIFF, &source);
    task k = begin(s, "auto", 1e-12);
    change(&k);
    end(&k);
    cloth_case_free(s);
}

/* Velocities within 1e-11 m/s of the answer are impulses within HEAVY * 1e-11 per level. */
static void test_auto_leaves_slow_sweeps_under_a_heavy_body(void)
{
    task k = begin(heavy_stack(), "auto", 1e-10);
    change(&k);
    for (size_t i = 0; i < TOWER_LEVELS; i++) {
        const double above = HEAVY + TOWER_MASS * (double)(TOWER_LEVELS - 1 - i);
        TEST_ASSERT_DOUBLE_WITHIN(TOWER_LEVELS * HEAVY * 1e-11, 0.1 * above, k.r[3 * i]);
    }
    end(&k);
}

/* More than 2000 contacts at one body are more than 4 million blocks. Each has a normal of its own;
 * a tolerance of 0 keeps the sweeps going. */
typedef struct burr {
    contact_system s;
    uint32_t term_start[2002], target[2001];
    double mu[2001], velocity[3 * 2001], H[9 * 2001];
} burr;

static void build_burr(burr *t)
{
    static const uint32_t unknowns[1] = {3};
    static const double inertia[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, fall[3] = {0.1, 0.2, -1.0};
    *t = (burr){.s = {.bodies = 1,
                      .contacts = 2001,
                      .body_unknowns = unknowns,
                      .body_inertia = inertia,
                      .body_velocity = fall,
                      .mu = t->mu,
                      .velocity = t->velocity,
                      .term_start = t->term_start,
                      .term_target = t->target,
                      .term_H = t->H}};
    for (uint32_t i = 0; i < t->s.contacts; i++) {
        const v3 up = v3_add((v3){0.0, 0.0, 2.0}, random_v3(&source));
        const m3 F = frame_from_normal(v3_scale(1.0 / v3_norm(up), up));
        for (size_t row = 0; row < 3; row++) v3_store(t->H + 9 * i + 3 * row, F.row[row]);
        t->term_start[i + 1] = i + 1;
        t->mu[i] = 0.3;
    }
}

static void test_an_operator_that_does_not_fit_is_said_and_auto_sweeps_on(void)
{
    static burr t;
    build_burr(&t);
    task k = begin(&t.s, "proximal-newton", 0.0);
    TEST_ASSERT_EQUAL(STATUS_UNSUPPORTED, run(&k));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "would have 4004001 blocks"), err.text);
    k.name = "auto";
    k.options.max_iterations = 510;
    TEST_ASSERT_EQUAL(STATUS_OK, run(&k));
    TEST_ASSERT_EQUAL(510, k.answer.report.iterations);
    TEST_ASSERT_EQUAL_STRING("", err.text);
    end(&k);
}

/* Whatever fails, what the caller gave stays as it is. */
static void check_allocations(const contact_system *s, const char *name)
{
    for (uint64_t k = 1;; k++) {
        task t = begin(s, name, 1e-10);
        t.r[0] = t.u[0] = 1e-3;
        counting_init(&memory, k);
        const status st = run(&t);
        counting_check(&memory);
        if (st != STATUS_OK) {
            TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
            TEST_ASSERT_TRUE(t.r[0] == 1e-3 && t.u[0] == 1e-3 && t.r[1] == 0.0);
        }
        end(&t);
        if (st == STATUS_OK) break;
    }
}

static void test_every_failed_allocation_is_survived(void)
{
    const cloth_case mixed = {
        .sheets = 1, .side = 4, .rods = 2, .rod_unknowns = 6, .mu = 0.3, .touching = 0.5};
    contact_system *stiff = cloth_case_make(&STIFF, &source);
    contact_system *both = cloth_case_make(&mixed, &source);
    check_allocations(stiff, "auto");
    check_allocations(both, "proximal-newton");
    check_allocations(heavy_stack(), "auto");
    check_allocations(heavy_stack(), "proximal-newton");
    cloth_case_free(stiff);
    cloth_case_free(both);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_cloth_reaches_1e_8);
    RUN_TEST(test_threads_do_not_change_a_bit);
    RUN_TEST(test_a_solution_is_a_start_that_needs_no_iteration);
    RUN_TEST(test_trace_can_cancel_and_the_best_is_handed_back);
    RUN_TEST(test_auto_leaves_slow_sweeps_over_a_stiff_sheet);
    RUN_TEST(test_auto_leaves_slow_sweeps_under_a_heavy_body);
    RUN_TEST(test_an_operator_that_does_not_fit_is_said_and_auto_sweeps_on);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
