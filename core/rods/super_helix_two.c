/* SPDX-License-Identifier: Apache-2.0
 *
 * Two rods side by side: what every processor of the baseline does in one register.
 */
#define REAL_LANES 2
#include "rods/super_helix_lanes.h"

void super_helix_predict_two(const super_helix *g, const body_input *in, const double *state,
                             double *work, size_t body)
{
    helix_predict_lanes(g, in, state, work, body);
}
