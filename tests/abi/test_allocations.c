/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory runs out at every possible moment of a whole session. Each time the call that needed it
 * says so and has changed nothing, the same call succeeds when there is memory again, the session
 * ends with the same bits as one without trouble, and every byte is given back.
 */
#include "check.h"
#include "drape.h"
#include "small.h"

#include <stdlib.h>

/* ---- a host's memory, with a book of what is out ---- */

enum { BLOCKS = 4096 };

typedef struct ledger {
    uint64_t calls;   /* of alloc */
    uint64_t fail_at; /* this call fails, counted from 1; 0: none */
    bool fail_on;     /* and all that follow */
    uint64_t failed;
    uint64_t wrong; /* releases of what was not given, or with another size; bad alignments */
    uint64_t live;
    struct {
        void *memory;
        uint64_t size;
    } block[BLOCKS];
} ledger;

static void *ledger_alloc(void *user, uint64_t size, uint64_t alignment)
{
    ledger *l = user;
    l->calls++;
    const bool fails =
        l->fail_at && (l->calls == l->fail_at || (l->fail_on && l->calls > l->fail_at));
    l->failed += fails;
    if (fails || l->live == BLOCKS) return NULL;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    l->wrong += size == 0 || alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0;
    if (!memory) return NULL;
    memset(memory, 0xa5, size);
    l->block[l->live].memory = memory;
    l->block[l->live++].size = size;
    return memory;
}

static void ledger_release(void *user, void *memory, uint64_t size)
{
    ledger *l = user;
    for (uint64_t i = 0; i < l->live; i++) {
        if (l->block[i].memory != memory) continue;
        l->wrong += l->block[i].size != size;
        l->block[i] = l->block[--l->live];
        free(memory);
        return;
    }
    l->wrong++;
}

static stn_host ledger_host(ledger *l)
{
    return (stn_host){.struct_size = sizeof(stn_host),
                      .user = l,
                      .alloc = ledger_alloc,
                      .release = ledger_release};
}

/* ---- a session, call by call ---- */

typedef struct session {
    stn_host host;
    stn_scene *scene;
    stn_id sheet, shawl, floor, ball;
    small_sheet shape;
    unsigned char state[16384];
    uint64_t state_size;
} session;

static const stn_api *api;

static stn_status create_scene(session *s)
{
    const stn_scene_desc desc = {.struct_size = sizeof desc, .threads = 2, .host = &s->host};
    return api->scene_create(&desc, &s->scene);
}

static stn_status create_cloth(session *s, const char *name, stn_id *id)
{
    const stn_cloth_desc desc = {.struct_size = sizeof desc,
                                 .name = name,
                                 .positions = &s->shape.positions,
                                 .triangles = &s->shape.triangles,
                                 .velocities = &s->shape.positions,
                                 .rest_positions = &s->shape.positions};
    return api->cloth_create(s->scene, &desc, id);
}

static stn_status create_sheet(session *s) { return create_cloth(s, "sheet", &s->sheet); }
static stn_status create_shawl(session *s) { return create_cloth(s, "shawl", &s->shawl); }

static stn_status create_floor(session *s)
{
    const stn_collider_desc desc = {.struct_size = sizeof desc, .shape = STN_SHAPE_PLANE};
    return api->collider_create(s->scene, &desc, &s->floor);
}

static stn_status create_ball(session *s)
{
    const stn_collider_desc desc = {
        .struct_size = sizeof desc, .shape = STN_SHAPE_SPHERE, .size = {0.25}};
    return api->collider_create(s->scene, &desc, &s->ball);
}

static stn_status set_velocities(session *s)
{
    return api->array_set(s->scene, s->sheet, "velocity", &s->shape.positions);
}

static stn_status pin_some(session *s)
{
    const uint32_t index[3] = {0, 3, 12};
    const double one = 1.0;
    const stn_view indices = INDICES(index, 3, 1), value = REALS(&one, 1, 1);
    return api->array_set_at(s->scene, s->sheet, "pin", &indices, &value);
}

static stn_status set_friction(session *s)
{
    const double friction = 0.75;
    return api->parameter_set(s->scene, s->floor, "friction", &friction, 1);
}

static stn_status move_ball(session *s)
{
    const stn_pose pose = {.struct_size = sizeof pose, .position = {0.125, 0.0, 0.0}};
    return api->pose_set(s->scene, s->ball, &pose, 0);
}

static stn_status step(session *s) { return api->step(s->scene, 0.0078125); }

static stn_status advance(session *s)
{
    stn_time time = {.struct_size = sizeof time};
    CHECK_OK(s->scene, api->time_get(s->scene, &time));
    return api->advance_to_frame(s->scene, time.frame < 8.0 ? 8.0 : 16.0);
}

static stn_status save(session *s)
{
    return api->state_save(s->scene, s->state, sizeof s->state, &s->state_size);
}

static stn_status load(session *s) { return api->state_load(s->scene, s->state, s->state_size); }
static stn_status destroy_shawl(session *s) { return api->object_destroy(s->scene, s->shawl); }

static stn_status (*const calls[])(session *) = {
    create_scene, create_sheet, create_floor, step, set_velocities, pin_some,
    create_ball,  set_friction, step,         step, move_ball,      advance,
    create_shawl, save,         advance,      load, advance,        destroy_shawl,
    step,         create_shawl, create_floor, step,
};

/* Whole substeps of a failed advance call are kept, so its hash is not compared. */
static void call_until_done(session *s, ledger *l, stn_status (*call)(session *))
{
    const uint64_t hash = s->scene ? check_hash(s->scene) : 0;
    const uint64_t live = l->live;
    stn_status got = call(s);
    if (got == STN_ERROR_OUT_OF_MEMORY) {
        TEST_ASSERT_TRUE(l->failed > 0);
        if (s->scene && call != advance) TEST_ASSERT_EQUAL_HEX64(hash, check_hash(s->scene));
        if (!s->scene) TEST_ASSERT_EQUAL_UINT64(live, l->live);
        CHECK_TEXT(s->scene, "memory");
        l->fail_at = 0;
        got = call(s);
    }
    CHECK_OK(s->scene, got);
}

/* The hash at the end of a session in which memory runs out as the ledger says. */
static uint64_t run_session(ledger *l)
{
    static session s;
    s = (session){.host = ledger_host(l)};
    small_sheet_fill(&s.shape, 0.25);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) call_until_done(&s, l, calls[i]);
    const uint64_t hash = check_hash(s.scene);
    CHECK_OK(s.scene, api->scene_destroy(s.scene));
    TEST_ASSERT_EQUAL_UINT64(0, l->live);
    TEST_ASSERT_EQUAL_UINT64(0, l->wrong);
    return hash;
}

static void fail_everywhere(bool and_all_that_follow)
{
    static ledger l;
    l = (ledger){0};
    const uint64_t expected = run_session(&l), calls_without_trouble = l.calls;
    TEST_ASSERT_TRUE(calls_without_trouble > 20);
    for (uint64_t k = 1; k <= calls_without_trouble; k++) {
        l = (ledger){.fail_at = k, .fail_on = and_all_that_follow};
        TEST_ASSERT_EQUAL_HEX64(expected, run_session(&l));
        TEST_ASSERT_TRUE(l.failed > 0);
    }
}

static void test_any_one_allocation_may_fail(void) { fail_everywhere(false); }
static void test_memory_may_run_out_for_good_and_come_back(void) { fail_everywhere(true); }

/* ---- steps in the long run ---- */

static void test_steps_do_not_allocate_after_the_first_ones(void)
{
    static ledger l;
    l = (ledger){0};
    const stn_host host = ledger_host(&l);
    drape d;
    CHECK_OK(NULL, drape_create(&d, &host, 2));
    CHECK_OK(d.scene, drape_run(&d, 1, DRAPE_FRAMES));
    const uint64_t calls_before = l.calls;
    CHECK_OK(d.scene, drape_run(&d, DRAPE_FRAMES + 1, 2 * DRAPE_FRAMES));
    TEST_ASSERT_EQUAL_UINT64(calls_before, l.calls);
    drape_destroy(&d);
    TEST_ASSERT_EQUAL_UINT64(0, l.live);
    TEST_ASSERT_EQUAL_UINT64(0, l.wrong);
}

void setUp(void) { api = rows_api(); }
void tearDown(void) {}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_any_one_allocation_may_fail);
    RUN_TEST(test_memory_may_run_out_for_good_and_come_back);
    RUN_TEST(test_steps_do_not_allocate_after_the_first_ones);
    return UNITY_END();
}
