/* SPDX-License-Identifier: Apache-2.0
 *
 * Cusick's drape test of the fabrics by kind, whose bending was fitted to the ranges published for
 * the kind: it watches that they stay there.
 */
#include "drape.h"

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

typedef struct published {
    const char *name;
    double least, most;
} published;

static const published ranges[] = {{"silk", 0.20, 0.40},
                                   {"cotton", 0.60, 0.76},
                                   {"wool", 0.40, 0.70},
                                   {"leather", 0.47, 0.70},
                                   {"denim", 0.70, 0.90}};

static void test_fabrics_drape_as_published(void)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const cloth_preset *p = cloth_preset_find(ranges[i].name);
        drape_result r;
        error err = {.text = ""};
        TEST_ASSERT_NOT_NULL(p);
        TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, drape_run(&p->material, 10, &r, &err), err.text);
        TEST_ASSERT_TRUE_MESSAGE(r.speed < 1e-3, p->name);
        TEST_ASSERT_TRUE_MESSAGE(r.strain < 0.03, p->name);
        TEST_ASSERT_TRUE_MESSAGE(r.coefficient >= ranges[i].least, p->name);
        TEST_ASSERT_TRUE_MESSAGE(r.coefficient <= ranges[i].most, p->name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_fabrics_drape_as_published);
    return UNITY_END();
}
