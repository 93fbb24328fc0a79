/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls from several threads: one at a time for a scene, cancelling from anywhere, scenes that do
 * not know of one another, and a host's own parallel loop. Meant to run under the thread sanitizer
 * too.
 */
#include "check.h"
#include "drape.h"
#include "small.h"

#include <pthread.h>
#include <stdatomic.h>

static const stn_api *api;

static void start(pthread_t *thread, void *(*function)(void *), void *user)
{
    TEST_ASSERT_EQUAL_INT(0, pthread_create(thread, NULL, function, user));
}

static void join(pthread_t thread) { TEST_ASSERT_EQUAL_INT(0, pthread_join(thread, NULL)); }

/* ---- something happens at the k-th progress call ---- */

typedef struct interruption {
    uint32_t calls, at; /* progress calls so far; the one at which it happens, from 1 */
    bool in_thread;     /* on a thread of its own, while the step waits for it */
    void *(*happens)(void *user);
    void *user;
    int32_t answer; /* of that progress call */
    double fraction;
} interruption;

static int32_t interrupt(void *user, double fraction, const char *stage)
{
    interruption *it = user;
    it->fraction = fraction;
    if (!stage || fraction < 0.0 || fraction > 1.0) it->fraction = -1.0;
    if (++it->calls != it->at) return 0;
    pthread_t thread;
    if (it->happens && !it->in_thread) it->happens(it->user);
    if (it->happens && it->in_thread && !pthread_create(&thread, NULL, it->happens, it->user)) {
        pthread_join(thread, NULL);
    }
    return it->answer;
}

static stn_host interrupted_host(interruption *it)
{
    return (stn_host){.struct_size = sizeof(stn_host), .user = it, .progress = interrupt};
}

/* ---- one call at a time ---- */

/* Every entry that works on a scene, with valid arguments, and what each of them answered. */
typedef struct roll_call {
    small_scene small;
    struct {
        const stn_row *entry;
        signature_value arguments[SIGNATURE_ARGUMENTS];
        uint32_t count;
        stn_status got;
    } call[64];
    size_t count;
    const char *text;
} roll_call;

static void roll_call_prepare(roll_call *r)
{
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        const bool on_scene = strncmp(row->type, "stn_status (stn_scene *", 23) == 0;
        if (!row_is(row, "entry", "stn_api") || !on_scene) continue;
        if (strncmp(row->type, "stn_status (stn_scene **", 24) == 0) continue;
        if (strcmp(row->name, "cancel") == 0) continue;
        TEST_ASSERT_TRUE(r->count < sizeof r->call / sizeof r->call[0]);
        r->call[r->count].entry = row;
        r->call[r->count].count = small_arguments(&r->small, row, r->call[r->count].arguments);
        r->count++;
    }
}

static void *call_every_entry(void *user)
{
    roll_call *r = user;
    for (size_t i = 0; i < r->count; i++) {
        r->call[i].got = row_call(r->call[i].entry, r->call[i].arguments, r->call[i].count).i32;
    }
    r->text = strstr(api->last_error(r->small.scene), "another call") ? "busy" : "";
    return NULL;
}

static void refuse_every_entry(bool in_thread)
{
    static roll_call r;
    r = (roll_call){0};
    interruption it = {.at = 3, .in_thread = in_thread, .happens = call_every_entry, .user = &r};
    const stn_host host = interrupted_host(&it);
    small_create(&r.small, &host);
    roll_call_prepare(&r);
    CHECK_OK(r.small.scene, api->step(r.small.scene, 0.01));
    TEST_ASSERT_TRUE(r.count > 20 && it.calls >= it.at && it.fraction >= 0.0);
    for (size_t i = 0; i < r.count; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(STN_ERROR_BUSY, r.call[i].got, r.call[i].entry->name);
    }
    TEST_ASSERT_EQUAL_STRING("busy", r.text);
    small_scene alone;
    small_create(&alone, NULL);
    CHECK_OK(alone.scene, api->step(alone.scene, 0.01));
    TEST_ASSERT_EQUAL_HEX64(check_hash(alone.scene), check_hash(r.small.scene));
    small_destroy(&alone);
    small_destroy(&r.small);
}

static void test_calls_from_a_second_thread_during_a_step_are_refused(void)
{
    refuse_every_entry(true);
}

static void test_calls_from_inside_a_callback_are_refused(void) { refuse_every_entry(false); }

typedef struct hammer {
    stn_scene *scene;
    atomic_bool stop;
    uint64_t done, busy, wrong;
} hammer;

static void *hammer_run(void *user)
{
    hammer *h = user;
    while (!atomic_load(&h->stop)) {
        stn_time time = {.struct_size = sizeof time};
        uint64_t hash;
        const stn_status got[] = {api->time_get(h->scene, &time), api->state_hash(h->scene, &hash)};
        for (int i = 0; i < 2; i++) {
            h->done += got[i] == STN_OK;
            h->busy += got[i] == STN_ERROR_BUSY;
            h->wrong += got[i] != STN_OK && got[i] != STN_ERROR_BUSY;
        }
    }
    return NULL;
}

static void test_threads_that_call_all_the_time_do_not_change_the_motion(void)
{
    small_scene alone, shared;
    small_create(&alone, NULL);
    small_create(&shared, NULL);
    hammer h = {.scene = shared.scene};
    pthread_t thread;
    start(&thread, hammer_run, &h);
    for (int i = 0; i < 200; i++) {
        CHECK_OK(alone.scene, api->step(alone.scene, 0.0078125));
        stn_status got;
        while ((got = api->step(shared.scene, 0.0078125)) == STN_ERROR_BUSY) {
        }
        TEST_ASSERT_EQUAL_INT(STN_OK, got);
    }
    atomic_store(&h.stop, true);
    join(thread);
    TEST_ASSERT_EQUAL_UINT64(0, h.wrong);
    TEST_ASSERT_EQUAL_HEX64(check_hash(alone.scene), check_hash(shared.scene));
    small_destroy(&alone);
    small_destroy(&shared);
}

/* ---- cancel ---- */

static void *cancel_scene(void *user)
{
    api->cancel(((small_scene *)user)->scene);
    return NULL;
}

typedef enum way { BY_ANSWER, FROM_CALLBACK, FROM_THREAD } way;

static void prepare(interruption *it, small_scene *small, way how, uint32_t at)
{
    *it = (interruption){.at = at, .in_thread = how == FROM_THREAD, .user = small};
    if (how == BY_ANSWER)
        it->answer = 1;
    else
        it->happens = cancel_scene;
}

static void cancel_steps(way how)
{
    for (uint32_t k = 1;; k++) {
        small_scene small;
        interruption it;
        prepare(&it, &small, how, k);
        const stn_host host = interrupted_host(&it);
        small_create(&small, &host);
        const uint64_t before = check_hash(small.scene);
        const stn_status got = api->step(small.scene, 0.01);
        const uint64_t after = check_hash(small.scene);
        if (got != STN_OK) {
            CHECK_STATUS(STN_CANCELLED, small.scene, got);
            TEST_ASSERT_EQUAL_HEX64(before, after);
            CHECK_OK(small.scene, api->step(small.scene, 0.01));
        }
        TEST_ASSERT_TRUE(before != check_hash(small.scene));
        small_destroy(&small);
        if (it.calls < k) return;
    }
}

static void test_a_step_cancelled_anywhere_has_not_happened(void)
{
    cancel_steps(BY_ANSWER);
    cancel_steps(FROM_CALLBACK);
    cancel_steps(FROM_THREAD);
}

/* A scene in which poses and targets are on their way. */
static void set_out(small_scene *small)
{
    const uint32_t index[2] = {0, 5};
    const double one = 1.0, target[2][3] = {{-0.5, -0.5, 0.5}, {0.0, 0.0, 0.375}};
    const stn_view indices = INDICES(index, 2, 1);
    const stn_view pin = REALS(&one, 1, 1), targets = REALS(target, 2, 3);
    const stn_pose pose = {.struct_size = sizeof pose, .position = {0.125, 0.0, -0.25}};
    CHECK_OK(small->scene, api->step(small->scene, 0.0078125));
    CHECK_OK(small->scene, api->array_set_at(small->scene, small->sheet, "pin", &indices, &pin));
    CHECK_OK(small->scene,
             api->array_set_at(small->scene, small->sheet, "target", &indices, &targets));
    CHECK_OK(small->scene, api->pose_set(small->scene, small->ball, &pose, 0));
}

static uint64_t steps_taken(stn_scene *scene)
{
    stn_time time = {.struct_size = sizeof time};
    CHECK_OK(scene, api->time_get(scene, &time));
    return time.steps;
}

enum { STEPS = 64 };

/* All that were cancelled after the same number of steps stand at the same bits. */
static void compare_with_others(uint64_t *seen, stn_scene *scene)
{
    const uint64_t n = steps_taken(scene), hash = check_hash(scene);
    TEST_ASSERT_TRUE(n < STEPS);
    if (seen[n]) TEST_ASSERT_EQUAL_HEX64(seen[n], hash);
    seen[n] = hash;
}

static void cancel_advances(way how, uint64_t *seen, uint64_t expected)
{
    for (uint32_t k = 1;; k++) {
        small_scene small;
        interruption it;
        prepare(&it, &small, how, 0);
        const stn_host host = interrupted_host(&it);
        small_create(&small, &host);
        set_out(&small);
        it.calls = 0;
        it.at = k;
        const stn_status got = api->advance_to_frame(small.scene, 4.0);
        TEST_ASSERT_TRUE(got == STN_OK || got == STN_CANCELLED);
        compare_with_others(seen, small.scene);
        if (got == STN_CANCELLED) CHECK_OK(small.scene, api->advance_to_frame(small.scene, 4.0));
        TEST_ASSERT_EQUAL_HEX64(expected, check_hash(small.scene));
        small_destroy(&small);
        if (it.calls < k) return;
    }
}

static void test_an_advance_cancelled_anywhere_goes_on_with_the_same_bits(void)
{
    uint64_t seen[STEPS] = {0};
    small_scene small;
    small_create(&small, NULL);
    set_out(&small);
    CHECK_OK(small.scene, api->advance_to_frame(small.scene, 4.0));
    const uint64_t expected = check_hash(small.scene), steps = steps_taken(small.scene);
    small_destroy(&small);
    cancel_advances(BY_ANSWER, seen, expected);
    cancel_advances(FROM_CALLBACK, seen, expected);
    cancel_advances(FROM_THREAD, seen, expected);
    for (uint64_t n = 1; n <= steps; n++) TEST_ASSERT_TRUE(seen[n] != 0); /* each was stopped at */
}

static void test_cancelling_when_nothing_runs_does_nothing(void)
{
    small_scene small;
    small_create(&small, NULL);
    CHECK_OK(small.scene, api->cancel(small.scene));
    CHECK_OK(small.scene, api->step(small.scene, 0.01));
    small_destroy(&small);
}

/* ---- scenes side by side, and a host's threads ---- */

static uint64_t drape_reference(void)
{
    drape d;
    CHECK_OK(NULL, drape_create(&d, NULL, 1));
    CHECK_OK(d.scene, drape_run(&d, 1, DRAPE_FRAMES));
    const uint64_t hash = drape_hash(&d);
    drape_destroy(&d);
    return hash;
}

static void *run_drape(void *user)
{
    drape *d = user;
    drape_run(d, 1, DRAPE_FRAMES);
    return NULL;
}

static void test_two_scenes_run_side_by_side(void)
{
    drape d[2];
    pthread_t thread[2];
    const uint64_t expected = drape_reference();
    for (uint32_t i = 0; i < 2; i++) CHECK_OK(NULL, drape_create(&d[i], NULL, 1 + i));
    for (int i = 0; i < 2; i++) start(&thread[i], run_drape, &d[i]);
    for (int i = 0; i < 2; i++) join(thread[i]);
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_HEX64(expected, drape_hash(&d[i]));
        drape_destroy(&d[i]);
    }
}

enum { WORKERS = 3 };

typedef struct loop {
    uint32_t count;
    atomic_uint next;
    stn_task task;
    void *task_user;
} loop;

static void *loop_work(void *user)
{
    loop *l = user;
    for (uint32_t i; (i = atomic_fetch_add(&l->next, 1)) < l->count;) l->task(l->task_user, i);
    return NULL;
}

static void host_parallel_for(void *user, uint32_t count, stn_task task, void *task_user)
{
    loop l = {.count = count, .task = task, .task_user = task_user};
    pthread_t thread[WORKERS];
    int started = 0;
    while (started < WORKERS && !pthread_create(&thread[started], NULL, loop_work, &l)) started++;
    loop_work(&l);
    while (started > 0) pthread_join(thread[--started], NULL);
    if (count > 1) ++*(uint64_t *)user;
}

static void test_the_hosts_parallel_loop_is_used_and_gives_the_same_bits(void)
{
    uint64_t loops = 0;
    const stn_host host = {
        .struct_size = sizeof host, .user = &loops, .parallel_for = host_parallel_for};
    drape d;
    CHECK_OK(NULL, drape_create(&d, &host, 4));
    CHECK_OK(d.scene, drape_run(&d, 1, DRAPE_FRAMES));
    TEST_ASSERT_TRUE(loops > 0);
    TEST_ASSERT_EQUAL_HEX64(drape_reference(), drape_hash(&d));
    drape_destroy(&d);
}

void setUp(void) { api = rows_api(); }
void tearDown(void) {}

static void *step_the_scene(void *user)
{
    api->step(*(stn_scene **)user, 0.01);
    return NULL;
}

static void test_a_refused_call_in_a_callback_leaves_the_outer_calls_text(void)
{
    small_scene small;
    interruption it = {.at = 3, .happens = step_the_scene, .user = &small.scene, .answer = 1};
    const stn_host host = interrupted_host(&it);
    small_create(&small, &host);
    TEST_ASSERT_EQUAL_INT(STN_CANCELLED, api->step(small.scene, 0.01));
    TEST_ASSERT_NOT_NULL(strstr(api->last_error(small.scene), "cancelled"));
    small_destroy(&small);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_calls_from_a_second_thread_during_a_step_are_refused);
    RUN_TEST(test_calls_from_inside_a_callback_are_refused);
    RUN_TEST(test_threads_that_call_all_the_time_do_not_change_the_motion);
    RUN_TEST(test_a_step_cancelled_anywhere_has_not_happened);
    RUN_TEST(test_an_advance_cancelled_anywhere_goes_on_with_the_same_bits);
    RUN_TEST(test_cancelling_when_nothing_runs_does_nothing);
    RUN_TEST(test_two_scenes_run_side_by_side);
    RUN_TEST(test_the_hosts_parallel_loop_is_used_and_gives_the_same_bits);
    RUN_TEST(test_a_refused_call_in_a_callback_leaves_the_outer_calls_text);
    return UNITY_END();
}
