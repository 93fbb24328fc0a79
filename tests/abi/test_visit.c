/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene's contact problems as a visitor sees them: whole, solved, and without a trace in the
 * scene.
 */
#include "check.h"
#include "drape.h"
#include "rows.h"

#include <math.h>
#include <stdlib.h>

static const stn_api *api;
static const stn_ext_contact *contact;

/* What a visitor has seen. */
typedef struct witness {
    drape d;
    uint64_t visits, contacts, last_step;
    double frame;
    uint64_t stop_at; /* visits; 0: never */
    stn_status refused;
} witness;

void setUp(void)
{
    api = stn_get_api(STN_ABI_VERSION);
    contact = rows_contact();
}

void tearDown(void) {}

static stn_status visit_with(stn_scene *scene, const stn_problem_visitor *visitor)
{
    const signature_value arguments[] = {{.pointer = scene}, {.pointer = (void *)visitor}};
    return row_call(rows_find("entry", "stn_ext_contact", "visit_problems"), arguments, 2).i32;
}

static void watch(witness *w, int32_t (*visit)(void *, const stn_step_problem *))
{
    const stn_problem_visitor visitor = {.struct_size = sizeof visitor, .user = w, .visit = visit};
    CHECK_OK(w->d.scene, visit_with(w->d.scene, &visitor));
}

static int32_t take_note(witness *w, const stn_step_problem *s)
{
    w->visits++;
    w->contacts = s->problem->contacts;
    w->last_step = s->step;
    w->frame = s->frame;
    return w->visits == w->stop_at;
}

static int32_t note(void *user, const stn_step_problem *s) { return take_note(user, s); }

/* u_i - b_i - sum_j W_ij r_j, its largest number. */
static double dynamics_error(const stn_step_problem *s, uint32_t i)
{
    const stn_contact_problem *p = s->problem;
    double worst = 0.0;
    for (uint32_t row = 0; row < 3; row++) {
        double u = p->b[3 * i + row];
        for (uint32_t slot = p->row_start[i]; slot < p->row_start[i + 1]; slot++) {
            const double *W = &p->blocks[9 * slot + 3 * row], *r = &s->r[3 * p->col[slot]];
            u += W[0] * r[0] + W[1] * r[1] + W[2] * r[2];
        }
        worst = fmax(worst, fabs(u - s->u[3 * i + row]));
    }
    return worst;
}

static double largest_free_velocity(const stn_contact_problem *p)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const double *b = &p->b[3 * i];
        worst = fmax(worst, sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
    }
    return worst;
}

/* A contact alone at its node has one answer. W_ii = w I, so that errors of u are those of w r. */
static void check_lone_contact(const stn_step_problem *s, uint32_t i, const double *r,
                               const double *u, double allowed)
{
    const double w = s->problem->blocks[9 * s->problem->row_start[i]];
    for (uint32_t k = 3 * i; k < 3 * i + 3; k++) {
        TEST_ASSERT_DOUBLE_WITHIN(allowed, s->u[k], u[k]);
        TEST_ASSERT_DOUBLE_WITHIN(allowed / w, s->r[k], r[k]);
    }
}

/* The problem, handed to `auto`, has the answer of the step. In this scene every contact is alone
 * at its node. */
static int32_t solve_again(void *user, const stn_step_problem *s)
{
    witness *w = user;
    const stn_contact_problem *p = s->problem;
    const double scale = largest_free_velocity(p);
    double *r = calloc(6 * (size_t)p->contacts, sizeof *r), *u = r + 3 * p->contacts;
    const stn_contact_options options = {.struct_size = sizeof options, .tolerance = 1e-10};
    stn_contact_result result = {.struct_size = sizeof result};
    TEST_ASSERT_EQUAL_MESSAGE(STN_OK, contact->solve(p, &options, r, u, &result),
                              contact->last_error());
    TEST_ASSERT_TRUE(result.residual <= 1e-10 * scale);
    TEST_ASSERT_TRUE(s->residual <= s->tolerance);
    for (uint32_t i = 0; i < p->contacts; i++) {
        TEST_ASSERT_TRUE(dynamics_error(s, i) <= 1e-13 * scale);
        TEST_ASSERT_EQUAL_UINT32(1, p->row_start[i + 1] - p->row_start[i]);
        check_lone_contact(s, i, r, u, 1e-9 * scale + s->residual);
    }
    free(r);
    return take_note(w, s);
}

static void test_a_step_answers_its_own_problem(void)
{
    witness w = {0};
    CHECK_OK(NULL, drape_create(&w.d, NULL, 1));
    watch(&w, solve_again);
    CHECK_OK(w.d.scene, drape_run(&w.d, 1, DRAPE_FRAMES));
    TEST_ASSERT_GREATER_THAN_UINT64(DRAPE_FRAMES / 2, w.visits);
    stn_statistics statistics = {.struct_size = sizeof statistics};
    CHECK_OK(w.d.scene, api->statistics_get(w.d.scene, &statistics));
    TEST_ASSERT_EQUAL_UINT64(statistics.contacts, w.contacts);
    stn_time time = {.struct_size = sizeof time};
    CHECK_OK(w.d.scene, api->time_get(w.d.scene, &time));
    TEST_ASSERT_EQUAL_UINT64(time.steps, w.last_step);
    TEST_ASSERT_TRUE(w.frame == time.frame);
    drape_destroy(&w.d);
}

static void test_being_watched_does_not_change_the_scene(void)
{
    uint64_t hash[2];
    for (int watched = 0; watched < 2; watched++) {
        witness w = {0};
        CHECK_OK(NULL, drape_create(&w.d, NULL, 2));
        if (watched) watch(&w, note);
        CHECK_OK(w.d.scene, drape_run(&w.d, 1, DRAPE_FRAMES));
        hash[watched] = drape_hash(&w.d);
        drape_destroy(&w.d);
    }
    TEST_ASSERT_EQUAL_UINT64(hash[0], hash[1]);
}

/* A visitor that stops the journey in its middle, and the call that finishes it. */
static void test_a_visitor_can_stop_between_steps(void)
{
    witness w = {.stop_at = 1}, straight = {0};
    CHECK_OK(NULL, drape_create(&w.d, NULL, 1));
    CHECK_OK(NULL, drape_create(&straight.d, NULL, 1));
    watch(&w, note);
    const double last = DRAPE_FRAMES;
    CHECK_STATUS(STN_CANCELLED, w.d.scene, api->advance_to_frame(w.d.scene, last));
    TEST_ASSERT_EQUAL_UINT64(1, w.visits);
    stn_time time = {.struct_size = sizeof time};
    CHECK_OK(w.d.scene, api->time_get(w.d.scene, &time));
    TEST_ASSERT_EQUAL_UINT64(w.last_step, time.steps);
    CHECK_OK(w.d.scene, api->advance_to_frame(w.d.scene, last));
    CHECK_OK(straight.d.scene, api->advance_to_frame(straight.d.scene, last));
    TEST_ASSERT_EQUAL_UINT64(drape_hash(&straight.d), drape_hash(&w.d));
    drape_destroy(&w.d);
    drape_destroy(&straight.d);
}

static void test_a_visitor_can_be_sent_away(void)
{
    witness w = {0};
    CHECK_OK(NULL, drape_create(&w.d, NULL, 1));
    watch(&w, note);
    watch(&w, NULL);
    CHECK_OK(w.d.scene, drape_run(&w.d, 1, DRAPE_FRAMES));
    TEST_ASSERT_EQUAL_UINT64(0, w.visits);
    drape_destroy(&w.d);
}

static int32_t meddle(void *user, const stn_step_problem *s)
{
    witness *w = user;
    w->refused = api->step(w->d.scene, 0.01);
    return take_note(w, s);
}

static void test_the_scene_is_busy_during_a_visit(void)
{
    witness w = {0};
    CHECK_OK(NULL, drape_create(&w.d, NULL, 1));
    watch(&w, meddle);
    CHECK_OK(w.d.scene, drape_run(&w.d, 1, DRAPE_FRAMES));
    TEST_ASSERT_EQUAL(STN_ERROR_BUSY, w.refused);
    drape_destroy(&w.d);
}

static void test_wrong_visitors_are_refused_with_a_reason(void)
{
    witness w = {0};
    CHECK_OK(NULL, drape_create(&w.d, NULL, 1));
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, w.d.scene, visit_with(w.d.scene, NULL));
    CHECK_TEXT(w.d.scene, "'visitor' is NULL");
    const stn_problem_visitor spoilt = {.struct_size = sizeof spoilt, .reserved = 1, .visit = note};
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, w.d.scene, visit_with(w.d.scene, &spoilt));
    CHECK_TEXT(w.d.scene, "reserved");
    const stn_problem_visitor unsized = {.visit = note};
    CHECK_STATUS(STN_ERROR_STRUCT_SIZE, w.d.scene, visit_with(w.d.scene, &unsized));
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, visit_with(NULL, &spoilt));
    drape_destroy(&w.d);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_step_answers_its_own_problem);
    RUN_TEST(test_being_watched_does_not_change_the_scene);
    RUN_TEST(test_a_visitor_can_stop_between_steps);
    RUN_TEST(test_a_visitor_can_be_sent_away);
    RUN_TEST(test_the_scene_is_busy_during_a_visit);
    RUN_TEST(test_wrong_visitors_are_refused_with_a_reason);
    return UNITY_END();
}
