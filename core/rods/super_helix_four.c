/* SPDX-License-Identifier: Apache-2.0
 *
 * Four rods side by side, for processors with AVX; this file alone is compiled for them.
 */
#define REAL_LANES 4
#include "rods/super_helix_lanes.h"

void super_helix_predict_four(const super_helix *g, const body_input *in, const double *state,
                              double *work, size_t body)
{
    helix_predict_lanes(g, in, state, work, body);
}
