/* SPDX-License-Identifier: Apache-2.0
 *
 * Which segments may meet at all: boxes around the ways of all segments, the pairs of boxes that
 * overlap, and of these the pairs that come near enough.
 *
 * Two segments that are d apart at the beginning are at least d - m apart on their ways, with m the
 * farthest that one of their ends moves as seen from one of the other's. So a pair with
 * d > m + R, R what has to be between them, needs no other look.
 *
 * Boxes go along with the mean way, so that a head that moves fast as a whole does not make
 * everything meet everything. There is some room in all this: as long as the ends of later ways
 * are not farther than ROOM from those of the search, the pairs are still all there are, and
 * nothing is searched again.
 */
#include "collide/segment.h"
#include "math/scalar.h"
#include "scene/hair_work.h"

#include <string.h>

#define ROOM 1.0 /* thicknesses */

static void box_add(bvh_box *box, v3 x, double margin)
{
    double p[3];
    v3_store(p, x);
    for (int k = 0; k < 3; k++) {
        box->min[k] = scalar_min(box->min[k], p[k] - margin);
        box->max[k] = scalar_max(box->max[k], p[k] + margin);
    }
}

static bvh_box way_box(const hair_work *w, size_t i, double slack)
{
    const size_t at = 3 * (size_t)w->segment[i].vertex;
    const double margin = (1.0 + slack) * hair_thickness_of(w, w->segment[i].strand);
    bvh_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t k = at; k <= at + 3; k += 3) {
        box_add(&box, v3_load(&w->x[k]), margin);
        box_add(&box, v3_sub(v3_load(&w->end[k]), w->near.drift), margin);
    }
    return box;
}

typedef struct box_job {
    hair_work *w;
    double slack;
    atomic_bool outside;
} box_job;

static void make_boxes(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const box_job *job = user;
    for (size_t i = begin; i < end; i++) {
        job->w->near.box[i] = way_box(job->w, i, job->slack + ROOM);
    }
}

/* Have all ends stayed within their room? */
static void check_ends(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    box_job *job = user;
    const hair_work *w = job->w;
    for (size_t i = begin; i < end; i++) {
        const double room =
            (w->near.slack + ROOM - job->slack) * hair_thickness_of(w, w->segment[i].strand);
        const size_t first = 3 * (size_t)w->segment[i].vertex;
        for (size_t at = first; at <= first + 3; at += 3) {
            const v3 off = v3_sub(v3_load(&w->end[at]), v3_load(&w->near.end[at]));
            if (!(room >= 0.0 && v3_dot(off, off) <= room * room))
                atomic_store(&job->outside, true);
        }
    }
}

/* The square of the farthest that an end of one moves as seen from an end of the other. */
static double relative_way2(const hair_work *w, size_t a, size_t b)
{
    double most = 0.0;
    for (int k = 0; k < 4; k++) {
        const size_t i = a + (k & 1 ? 3 : 0), j = b + (k & 2 ? 3 : 0);
        const v3 p = v3_sub(v3_load(&w->end[i]), v3_load(&w->x[i]));
        const v3 q = v3_sub(v3_load(&w->end[j]), v3_load(&w->x[j]));
        const v3 way = v3_sub(p, q);
        most = scalar_max(most, v3_dot(way, way));
    }
    return most;
}

/* Neighbours on one strand share a vertex, or are too near to be anything but neighbours. */
static bool may_pair(const void *user, uint32_t a, uint32_t b)
{
    const hair_work *w = user;
    const hair_segment *p = &w->segment[a], *q = &w->segment[b];
    if (p->strand == q->strand && q->vertex - p->vertex <= 1) return false;
    const size_t i = 3 * (size_t)p->vertex, j = 3 * (size_t)q->vertex;
    const segment_nearest near = segment_find_nearest(v3_load(&w->x[i]), v3_load(&w->x[i + 3]),
                                                      v3_load(&w->x[j]), v3_load(&w->x[j + 3]));
    const double kept = (1.0 + w->near.slack + ROOM) *
                        (hair_thickness_of(w, p->strand) + hair_thickness_of(w, q->strand));
    const double reach = kept + sqrt(relative_way2(w, i, j));
    return near.distance2 <= reach * reach;
}

static v3 mean_way(const hair_work *w)
{
    v3 sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < 3 * (size_t)w->vertices; i += 3) {
        sum = v3_add(sum, v3_sub(v3_load(&w->end[i]), v3_load(&w->x[i])));
    }
    return v3_scale(1.0 / w->vertices, sum);
}

static status search(hair_work *w, double slack, error *err)
{
    scene *s = w->k->s;
    box_job job = {.w = w, .slack = slack};
    w->near.drift = mean_way(w);
    w->near.slack = slack;
    memcpy(w->near.end, w->end, 3 * (size_t)w->vertices * sizeof *w->end);
    pool_for(s->threads, w->segments, make_boxes, &job);
    bvh tree;
    bvh_init(&tree, &w->from);
    status st = bvh_build(&tree, w->near.box, w->segments, err);
    if (st >= 0) {
        st = bvh_find_pairs(&tree, w->near.box, may_pair, w, s->threads, &w->near.pairs, err);
    }
    bvh_destroy(&tree);
    return st;
}

status hair_near_find(hair_work *w, double slack, error *err)
{
    if (w->near.known) {
        box_job job = {.w = w, .slack = slack};
        pool_for(w->k->s->threads, w->segments, check_ends, &job);
        if (!atomic_load(&job.outside)) return STATUS_OK;
    }
    const status st = search(w, slack, err);
    w->near.known = st >= 0;
    return st;
}
