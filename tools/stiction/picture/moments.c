/* SPDX-License-Identifier: Apache-2.0 */
#include "moments.h"

#include <math.h>

void moments_init(moments *m, double first, double last, uint64_t wanted)
{
    const double frames = floor(last - first) + 1.0;
    if ((double)wanted > frames) wanted = (uint64_t)frames;
    if (wanted > PICTURE_MOST_MOMENTS) wanted = PICTURE_MOST_MOMENTS;
    *m = (moments){.first = first, .last = last, .wanted = wanted};
}

static double moment_frame(const moments *m, uint64_t i)
{
    if (m->wanted < 2) return m->last;
    return m->first + round((m->last - m->first) * (double)i / (double)(m->wanted - 1));
}

stn_status moments_offer(moments *m, const stn_api *api, stn_scene *scene, double frame)
{
    if (m->taken == m->wanted || frame < moment_frame(m, m->taken)) return STN_OK;
    const stn_status status = snapshot_take(api, scene, &m->shots[m->taken]);
    if (status >= 0) m->taken++;
    return status;
}

void moments_free(moments *m)
{
    for (uint64_t i = 0; i < m->taken; i++) snapshot_free(&m->shots[i]);
    m->taken = 0;
}
