/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies_lanes.h"

const bodies_lanes *bodies_lanes_wide(void)
{
#ifdef BODIES_LANES_AVX2
    if (__builtin_cpu_supports("avx2")) return &bodies_lanes_avx2;
#endif
    return NULL;
}
