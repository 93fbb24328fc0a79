/* SPDX-License-Identifier: Apache-2.0
 *
 * A groom comes in: what the host gives is read whole and checked under the host's own numbers,
 * then split into strands that are simulated and strands that follow them.
 */
#include "scene/hair.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 1 << 26, MOST_STRANDS = 1 << 22 };

/* What the host gave; scratch. */
typedef struct groom {
    const char *name;
    const hair_source *source;
    double *points, *rest, *rotation;
    bool *is_guide; /* [strands] */
} groom;

static status check_counts(const hair_source *source, const char *name, error *err)
{
    if (!source->points.data || !source->strand_sizes.data || source->strand_sizes.count == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': no points or no strand sizes; expected at least one strand",
                         name);
    }
    if (source->points.count > MOST_POINTS || source->strand_sizes.count > MOST_STRANDS) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': %zu points in %zu strands are more than %d in %d", name,
                         source->points.count, source->strand_sizes.count, MOST_POINTS,
                         MOST_STRANDS);
    }
    const bool triangles = source->root_triangles.data, shares = source->root_barycentrics.data;
    if (triangles != shares || (triangles && !source->surface)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': root triangles, root barycentrics and a surface belong "
                         "together; expected all of them or no triangles",
                         name);
    }
    return STATUS_OK;
}

static void *alloc(const scene *s, size_t count, size_t item_size)
{
    return memory_alloc(&s->config.memory, memory_size(count, item_size));
}

/* ---- reading ---- */

/* Sizes become first points. */
static status read_sizes(const hair_host *host, const groom *g, error *err)
{
    char what[2 * NAME_SIZE];
    snprintf(what, sizeof what, "hair '%s': strand sizes", g->name);
    status st = view_read_indices(&g->source->strand_sizes, what, host->strands, 1, MOST_POINTS,
                                  host->size, err);
    if (st < 0) return st;
    uint64_t sum = 0;
    for (size_t i = 0; i < host->strands; i++) {
        const uint32_t size = host->size[i];
        if (size < 2) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "hair '%s', strand %zu: it has %" PRIu32
                             " points, expected at least 2",
                             g->name, i, size);
        }
        sum += size;
        host->first[i + 1] = (uint32_t)(sum > host->points ? host->points : sum);
    }
    if (sum == host->points) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "hair '%s': the strand sizes add up to %" PRIu64 ", but there are %zu points",
                     g->name, sum, host->points);
}

static status read_points(const hair_host *host, const groom *g, error *err)
{
    char what[2 * NAME_SIZE];
    snprintf(what, sizeof what, "hair '%s': points", g->name);
    status st = view_read_reals(&g->source->points, what, host->points, 3, g->points, err);
    if (st >= 0) st = collider_check_positions(what, g->points, host->points, err);
    if (st >= 0 && g->rest) {
        snprintf(what, sizeof what, "hair '%s': rest points", g->name);
        st = view_read_reals(&g->source->rest_points, what, host->points, 3, g->rest, err);
        if (st >= 0) st = collider_check_positions(what, g->rest, host->points, err);
    }
    if (st < 0 || !g->rotation) return st;
    snprintf(what, sizeof what, "hair '%s': root rotations", g->name);
    st = view_read_reals(&g->source->root_rotations, what, host->strands, 4, g->rotation, err);
    return st < 0 ? st : hair_check_rotations(g->rotation, host->strands, what, err);
}

/* Without guides every strand is one. */
static status read_guides(scene *s, const hair_host *host, const groom *g, error *err)
{
    const view *guides = &g->source->guides;
    for (size_t i = 0; i < host->strands; i++) g->is_guide[i] = !guides->data;
    if (!guides->data) return STATUS_OK;
    if (guides->count == 0 || guides->count > host->strands) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': %zu guides of %" PRIu32
                         " strands, expected at least one and no more than there are",
                         g->name, guides->count, host->strands);
    }
    char what[2 * NAME_SIZE];
    snprintf(what, sizeof what, "hair '%s': guides", g->name);
    uint32_t *index = arena_push(&s->scratch, guides->count * sizeof *index);
    if (!index) return error_out_of_memory(err, "hair");
    const status st = view_read_indices(guides, what, guides->count, 1, host->strands, index, err);
    for (size_t i = 0; i < guides->count && st >= 0; i++) {
        if (g->is_guide[index[i]]) {
            return error_set(err, STATUS_INVALID_ARGUMENT, "%s: strand %" PRIu32 " is named twice",
                             what, index[i]);
        }
        g->is_guide[index[i]] = true;
    }
    return st;
}

static status check_shares(const groom *g, const hair_host *host, error *err)
{
    for (size_t i = 0; i < host->strands; i++) {
        double *share = host->share + 3 * i;
        const double sum = share[0] + share[1] + share[2];
        if (!(fabs(sum - 1.0) <= 1e-3)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "hair '%s', strand %zu: its root barycentrics (%g, %g, %g) add up to "
                             "%g, expected 1",
                             g->name, i, share[0], share[1], share[2], sum);
        }
        for (int k = 0; k < 3; k++) share[k] /= sum;
    }
    return STATUS_OK;
}

static status read_triangles(const hair_host *host, const groom *g, const object *surface,
                             error *err)
{
    if (!g->source->root_triangles.data) return STATUS_OK;
    if (!host->triangle) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': its surface '%s' is no mesh and has no triangles for roots",
                         g->name, surface->name);
    }
    char what[2 * NAME_SIZE];
    snprintf(what, sizeof what, "hair '%s': root triangles", g->name);
    status st = view_read_indices(&g->source->root_triangles, what, host->strands, 1,
                                  surface->mesh.triangles, host->triangle, err);
    if (st < 0) return st;
    snprintf(what, sizeof what, "hair '%s': root barycentrics", g->name);
    st = view_read_reals(&g->source->root_barycentrics, what, host->strands, 3, host->share, err);
    return st < 0 ? st : check_shares(g, host, err);
}

/* ---- splitting ---- */

static void copy_strand(double *to, const double *from, const hair_host *host, size_t number)
{
    const size_t first = 3 * (size_t)host->first[number];
    memcpy(to, from + first, 3 * (size_t)host->size[number] * sizeof *to);
}

static void copy_rotation(double *to, const groom *g, size_t number)
{
    memcpy(to, g->rotation + 4 * number, 4 * sizeof *to);
}

static void split(hair *h, const groom *g)
{
    hair_followers *f = &h->followers;
    uint32_t guide = 0, follower = 0;
    for (uint32_t i = 0; i < h->host.strands; i++) {
        if (g->is_guide[i]) {
            const uint32_t at = h->first[guide];
            h->number[guide] = i;
            h->first[guide + 1] = at + h->host.size[i];
            copy_strand(h->given + 3 * (size_t)at, g->points, &h->host, i);
            if (h->rest) copy_strand(h->rest + 3 * (size_t)at, g->rest, &h->host, i);
            if (h->wanted) copy_rotation(h->wanted + 4 * guide, g, i);
            guide++;
        } else {
            const uint32_t at = f->first[follower];
            f->number[follower] = i;
            f->first[follower + 1] = at + h->host.size[i];
            copy_strand(f->given + 3 * (size_t)at, g->points, &h->host, i);
            if (f->wanted) copy_rotation(f->wanted + 4 * follower, g, i);
            follower++;
        }
    }
}

static status make_simulated(const scene *s, hair *h, const groom *g, error *err)
{
    const size_t strands = h->strands;
    h->number = alloc(s, strands, sizeof *h->number);
    h->first = alloc(s, strands + 1, sizeof *h->first);
    h->given = alloc(s, 3 * h->points, sizeof *h->given);
    if (g->rest) h->rest = alloc(s, 3 * h->points, sizeof *h->rest);
    if (g->rotation) h->wanted = alloc(s, 4 * strands, sizeof *h->wanted);
    const bool all =
        h->number && h->first && h->given && (h->rest || !g->rest) && (h->wanted || !g->rotation);
    return all ? STATUS_OK : error_out_of_memory(err, "hair");
}

static status make_followers(const scene *s, hair *h, const groom *g, error *err)
{
    hair_followers *f = &h->followers;
    f->strands = h->host.strands - h->strands;
    f->points = h->host.points - h->points;
    if (f->strands == 0) return STATUS_OK;
    f->number = alloc(s, f->strands, sizeof *f->number);
    f->first = alloc(s, (size_t)f->strands + 1, sizeof *f->first);
    f->given = alloc(s, 3 * f->points, sizeof *f->given);
    if (g->rotation) f->wanted = alloc(s, 4 * (size_t)f->strands, sizeof *f->wanted);
    f->share = alloc(s, f->points, sizeof *f->share);
    f->link = alloc(s, (size_t)f->strands * HAIR_LINKS, sizeof *f->link);
    if (f->number && f->first && f->given && f->share && f->link && (f->wanted || !g->rotation)) {
        return STATUS_OK;
    }
    return error_out_of_memory(err, "hair");
}

/* ---- the whole ---- */

static status make_host(const scene *s, hair *h, const hair_source *source, const object *surface,
                        error *err)
{
    hair_host *host = &h->host;
    host->strands = (uint32_t)source->strand_sizes.count;
    host->points = source->points.count;
    host->size = alloc(s, host->strands, sizeof *host->size);
    host->first = alloc(s, (size_t)host->strands + 1, sizeof *host->first);
    const bool on_mesh = surface && surface->mesh.vertices;
    if (on_mesh) {
        host->triangle = alloc(s, host->strands, sizeof *host->triangle);
        host->share = alloc(s, 3 * (size_t)host->strands, sizeof *host->share);
    }
    if (!host->size || !host->first || (on_mesh && !(host->triangle && host->share))) {
        return error_out_of_memory(err, "hair");
    }
    return hair_maps_init(&h->maps, host->strands, host->points, &s->config.memory, err);
}

static status make_groom(scene *s, groom *g, const hair_host *host, error *err)
{
    const hair_source *source = g->source;
    arena *scratch = &s->scratch;
    g->points = arena_push(scratch, 3 * host->points * sizeof *g->points);
    g->is_guide = arena_push(scratch, host->strands * sizeof *g->is_guide);
    if (source->rest_points.data) {
        g->rest = arena_push(scratch, 3 * host->points * sizeof *g->rest);
    }
    if (source->root_rotations.data) {
        g->rotation = arena_push(scratch, 4 * (size_t)host->strands * sizeof *g->rotation);
    }
    const bool all = g->points && g->is_guide && (g->rest || !source->rest_points.data) &&
                     (g->rotation || !source->root_rotations.data);
    return all ? STATUS_OK : error_out_of_memory(err, "hair");
}

static void count_guides(hair *h, const groom *g)
{
    for (size_t i = 0; i < h->host.strands; i++) {
        h->strands += g->is_guide[i];
        h->points += g->is_guide[i] ? h->host.size[i] : 0;
    }
}

status hair_read_groom(scene *s, object *o, const hair_source *source, error *err)
{
    groom g = {.name = o->name, .source = source};
    status st = check_counts(source, o->name, err);
    if (st < 0) return st;
    object *surface = NULL;
    hair *h = o->hair = alloc(s, 1, sizeof *h);
    if (!h) return error_out_of_memory(err, "hair");
    h->surface = source->surface;
    if (source->surface && !(surface = scene_require(s, source->surface, KIND_COLLIDER,
                                                     "surface that roots can sit on", err))) {
        return err->code;
    }
    st = make_host(s, h, source, surface, err);
    if (st >= 0) st = make_groom(s, &g, &h->host, err);
    if (st >= 0) st = read_sizes(&h->host, &g, err);
    if (st >= 0) st = read_points(&h->host, &g, err);
    if (st >= 0) st = read_guides(s, &h->host, &g, err);
    if (st >= 0) st = read_triangles(&h->host, &g, surface, err);
    if (st < 0) return st;
    count_guides(h, &g);
    st = make_simulated(s, h, &g, err);
    if (st >= 0) st = make_followers(s, h, &g, err);
    if (st < 0) return st;
    split(h, &g);
    if (!surface || !surface->mesh.vertices || source->root_triangles.data) return STATUS_OK;
    const hair_ground ground = hair_ground_now(s, surface);
    collide_mesh_move(&surface->mesh, ground.x, ground.x);
    return hair_find_triangles(h, &ground, g.points, err);
}
