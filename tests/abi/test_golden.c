/* SPDX-License-Identifier: Apache-2.0
 *
 * The same bits for every number of threads, compiler and level of optimisation.
 *
 * GOLDEN is the hash of the watched scene's state (drape.c). A change of the method may change it;
 * then run this test, convince yourself that the new motion is right (`stiction validate` must
 * pass), and put the hash that it prints here, in the same commit and with a line in
 * CHANGELOG.md. A hash that differs between configurations of ./test is never an update: it is
 * a bug.
 */
#include "check.h"
#include "drape.h"

#include <inttypes.h>
#include <stdio.h>

static const uint64_t GOLDEN = 0x0e05ada881163c13;

static uint64_t run_with_threads(uint32_t threads)
{
    drape d;
    CHECK_OK(NULL, drape_create(&d, NULL, threads));
    CHECK_OK(d.scene, drape_run(&d, 1, DRAPE_FRAMES));
    const uint64_t hash = drape_hash(&d);
    drape_destroy(&d);
    return hash;
}

static void test_the_state_is_the_golden_one(void)
{
    const uint64_t hash = run_with_threads(1);
    char text[64];
    snprintf(text, sizeof text, "the hash is 0x%016" PRIx64, hash);
    TEST_ASSERT_EQUAL_HEX64_MESSAGE(GOLDEN, hash, text);
}

static void test_two_and_four_threads_give_the_same_bits(void)
{
    TEST_ASSERT_EQUAL_HEX64(GOLDEN, run_with_threads(2));
    TEST_ASSERT_EQUAL_HEX64(GOLDEN, run_with_threads(4));
}

/* Otherwise the hash would watch nothing. */
static void test_the_scene_has_contacts_of_every_state(void)
{
    const stn_api *api = stn_get_api(STN_ABI_VERSION);
    drape d;
    CHECK_OK(NULL, drape_create(&d, NULL, 0));
    uint64_t stick = 0, slide = 0, takeoff = 0;
    for (uint32_t frame = 1; frame <= DRAPE_FRAMES; frame++) {
        CHECK_OK(d.scene, drape_run(&d, frame, frame));
        stn_statistics now = {.struct_size = sizeof now};
        CHECK_OK(d.scene, api->statistics_get(d.scene, &now));
        stick += now.stick;
        slide += now.slide;
        takeoff += now.takeoff;
    }
    TEST_ASSERT_TRUE(stick > 0 && slide > 0 && takeoff > 0);
    drape_destroy(&d);
}

void setUp(void) {}
void tearDown(void) {}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_state_is_the_golden_one);
    RUN_TEST(test_two_and_four_threads_give_the_same_bits);
    RUN_TEST(test_the_scene_has_contacts_of_every_state);
    return UNITY_END();
}
