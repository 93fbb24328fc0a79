/* SPDX-License-Identifier: Apache-2.0
 *
 * Asserting on statuses, with the library's own text when one is not the expected one.
 */
#ifndef TESTS_ABI_CHECK_H
#define TESTS_ABI_CHECK_H

#include <stiction/stiction.h>
#include <string.h>
#include <unity.h>

#define CHECK_STATUS(expected, scene, call)                                                        \
    do {                                                                                           \
        const stn_status got_ = (call);                                                            \
        const char *why_ = got_ ? stn_get_api(STN_ABI_VERSION)->last_error(scene) : "";            \
        TEST_ASSERT_EQUAL_INT_MESSAGE(expected, got_, why_);                                       \
    } while (0)

#define CHECK_OK(scene, call) CHECK_STATUS(STN_OK, scene, call)

/* An error text must say something that helps. */
#define CHECK_TEXT(scene, part)                                                                    \
    do {                                                                                           \
        const char *text_ = stn_get_api(STN_ABI_VERSION)->last_error(scene);                       \
        TEST_ASSERT_TRUE_MESSAGE(strstr(text_, (part)) != NULL, text_);                            \
    } while (0)

static inline uint64_t check_hash(stn_scene *scene)
{
    uint64_t hash = 0;
    CHECK_OK(scene, stn_get_api(STN_ABI_VERSION)->state_hash(scene, &hash));
    return hash;
}

#define VIEW(type, format_, data_, count_, components_)                                            \
    (type)                                                                                         \
    {                                                                                              \
        .struct_size = sizeof(type), .format = (format_), .data = (data_), .count = (count_),      \
        .components = (components_)                                                                \
    }
#define REALS(data, count, components) VIEW(stn_view, STN_FORMAT_F64, data, count, components)
#define INDICES(data, count, components) VIEW(stn_view, STN_FORMAT_U32, data, count, components)
#define REALS_OUT(data, count, components)                                                         \
    VIEW(stn_mut_view, STN_FORMAT_F64, data, count, components)

#endif
