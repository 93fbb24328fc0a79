/* SPDX-License-Identifier: Apache-2.0
 *
 * Which segments may meet at all: boxes around the ways of all segments, and the pairs of boxes
 * that overlap.
 *
 * Boxes go along with the mean way, so that a head that moves fast as a whole does not make
 * everything meet everything. They are a little larger than they have to be: as long as later ways
 * stay inside, the pairs are still all there are, and nothing is searched again.
 */
#include "math/scalar.h"
#include "scene/hair_work.h"

#define ROOM 1.0 /* thicknesses by which boxes are larger than the ways */

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

static void check_boxes(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    box_job *job = user;
    bool inside = true;
    for (size_t i = begin; i < end; i++) {
        const bvh_box way = way_box(job->w, i, job->slack), *box = &job->w->near.box[i];
        for (int k = 0; k < 3; k++) {
            inside = inside && way.min[k] >= box->min[k] && way.max[k] <= box->max[k];
        }
    }
    if (!inside) atomic_store(&job->outside, true);
}

/* Neighbours on one strand share a vertex, or are too near to be anything but neighbours. */
static bool may_pair(const void *user, uint32_t a, uint32_t b)
{
    const hair_work *w = user;
    const hair_segment *p = &w->segment[a], *q = &w->segment[b];
    return p->strand != q->strand || q->vertex - p->vertex > 1;
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
        pool_for(w->k->s->threads, w->segments, check_boxes, &job);
        if (!atomic_load(&job.outside)) return STATUS_OK;
    }
    const status st = search(w, slack, err);
    w->near.known = st >= 0;
    return st;
}
