/* SPDX-License-Identifier: Apache-2.0
 *
 * Strands become rods: fitted to the points, with the material that the parameters name.
 *
 * A rod has the length of its natural shape. Where the points as given are another shape, their
 * curvatures are stretched to that length, which keeps the angles.
 */
#include "rods/fit.h"
#include "rods/presets.h"
#include "rods/super_helix.h"
#include "scene/hair.h"

#include <inttypes.h>
#include <string.h>

/* A segment between collision vertices turns by less than this, so that it follows curls. */
#define SEGMENT_TURN 0.5
enum { SEGMENTS_LEAST = 2, SEGMENTS_MOST = 8 }; /* of an element */

/* ---- material ---- */

static rod_material material_from(const parameter_values *parameters)
{
    const double(*value)[3] = parameters->value;
    const double radius = 0.5 * value[P_DIAMETER][0];
    const rod_substance substance = {.young = value[P_YOUNG][0],
                                     .shear = value[P_YOUNG][0] * value[P_SHEAR_RATIO][0],
                                     .density = value[P_MASS_DENSITY][0],
                                     .half_axis = {radius, radius},
                                     .damping = value[P_DAMPING][0],
                                     .drag = value[P_DRAG][0]};
    return rod_material_make(&substance);
}

/* What the maps make of the rods. */
typedef struct mapped {
    rod_material *material; /* [strands] */
    double *scale;          /* [strands][elements] */
    double *natural;        /* [strands][elements][3] */
} mapped;

static void map_strand(const hair_rods *r, const hair *h, const rod_material *plain, size_t i,
                       const mapped *to)
{
    double *const *map = h->maps.value;
    const uint32_t number = h->number[i], point = h->host.first[number];
    const double *s = r->point_s + h->first[i];
    const size_t count = h->host.size[number];
    to->material[i] = *plain;
    to->material[i].density *= map[MAP_MASS][number];
    to->material[i].drag *= map[MAP_DRAG][number];
    double begin = 0.0;
    for (size_t e = i * r->elements; e < (i + 1) * r->elements; e++) {
        const double end = begin + r->lengths[e];
        const double curl = map[MAP_CURL][number] *
                            hair_map_average(s, map[MAP_CURL_PROFILE] + point, count, begin, end);
        to->scale[e] = map[MAP_STIFFNESS][number] *
                       hair_map_average(s, map[MAP_STIFFNESS_PROFILE] + point, count, begin, end);
        for (size_t k = 3 * e; k < 3 * e + 3; k++) to->natural[k] = curl * r->natural[k];
        begin = end;
    }
}

static status make_group(const hair_rods *r, const hair *h, const parameter_values *parameters,
                         const char *name, const allocator *from, body_group **out, error *err)
{
    const size_t elements = (size_t)h->strands * r->elements;
    const size_t size = h->strands * sizeof(rod_material) + 4 * elements * sizeof(double);
    rod_material *room = memory_alloc(from, size);
    if (!room) return error_out_of_memory(err, "hair");
    const mapped maps = {room, (double *)(room + h->strands),
                         (double *)(room + h->strands) + elements};
    const rod_material plain = material_from(parameters);
    for (size_t i = 0; i < h->strands; i++) map_strand(r, h, &plain, i, &maps);
    const rods_source source = {.name = name,
                                .rods = h->strands,
                                .elements = r->elements,
                                .free_root = !r->attached,
                                .lengths = r->lengths,
                                .natural = maps.natural,
                                .scale = maps.scale,
                                .material = maps.material};
    const status st = super_helix_create(&source, from, out, err);
    memory_free(from, room, size);
    return st;
}

status hair_rods_set_material(hair_rods *r, const hair *h, const parameter_values *parameters,
                              const char *name, const allocator *from, error *err)
{
    body_group *fresh = NULL;
    const status st = make_group(r, h, parameters, name, from, &fresh, err);
    if (st < 0) return st;
    body_group_destroy(r->group);
    r->group = fresh;
    return STATUS_OK;
}

/* ---- fit ---- */

/* Points sit on the rod at their share of the way through the strand. */
static void share_length(const double *points, size_t count, double length, double *s)
{
    s[0] = 0.0;
    for (size_t i = 1; i < count; i++) {
        const v3 step = v3_sub(v3_load(&points[3 * i]), v3_load(&points[3 * i - 3]));
        s[i] = s[i - 1] + v3_norm(step);
    }
    const double scale = length / s[count - 1];
    for (size_t i = 1; i < count; i++) s[i] *= scale;
}

static status fit_error(const char *name, size_t strand, error *err)
{
    const error inner = *err;
    if (inner.code == STATUS_OUT_OF_MEMORY) return inner.code;
    return error_set(err, inner.code, "hair '%s', strand %zu: %s", name, strand, inner.text);
}

/* The strand as given becomes a shape of the natural rod's lengths. `own` are its own. */
static void stretch_to(const double *lengths, const double *own, size_t elements, double *kappa)
{
    for (size_t e = 0; e < elements; e++) {
        for (size_t k = 0; k < 3; k++) kappa[3 * e + k] *= own[e] / lengths[e];
    }
}

static status fit_strand(const hair_rods *r, const hair *h, size_t i, const allocator *scratch,
                         double *own, error *err)
{
    const size_t n = r->elements, at = h->first[i], count = h->first[i + 1] - at;
    const double *w = h->wanted ? &h->wanted[4 * i] : NULL;
    const quat frame = w ? (quat){w[0], w[1], w[2], w[3]} : quat_identity();
    const quat *wanted = w ? &frame : NULL;
    double *lengths = r->lengths + i * n, *natural = r->natural + 3 * i * n;
    double *start = r->start + 3 * i * n;
    rod_fit fit, shape;
    status st = rod_fit_points(h->given + 3 * at, count, r->elements, wanted, scratch, lengths,
                               start, &fit, err);
    if (st < 0) return st;
    memcpy(natural, start, 3 * n * sizeof *natural);
    double length = fit.length;
    if (h->rest) {
        memcpy(own, lengths, n * sizeof *own);
        st = rod_fit_points(h->rest + 3 * at, count, r->elements, wanted, scratch, lengths, natural,
                            &shape, err);
        if (st < 0) return st;
        stretch_to(lengths, own, n, start);
        length = shape.length;
    }
    share_length((h->rest ? h->rest : h->given) + 3 * at, count, length, r->point_s + at);
    pose_store(r->root + POSE_SIZE * i, &fit.root);
    return STATUS_OK;
}

static status fit_all(const hair_rods *r, const hair *h, const char *name, arena *scratch,
                      error *err)
{
    const allocator from = arena_allocator(scratch);
    status st = STATUS_OK;
    for (size_t i = 0; i < h->strands && st >= 0; i++) {
        const arena_mark mark = arena_get_mark(scratch);
        double *own = arena_push(scratch, r->elements * sizeof *own);
        st = own ? fit_strand(r, h, i, &from, own, err) : error_out_of_memory(err, "hair");
        arena_release(scratch, mark);
        if (st < 0) return fit_error(name, h->number[i], err);
    }
    return st;
}

/* ---- collision vertices ---- */

/* How many segments an element needs to follow the strongest curl. */
static uint32_t count_segments(const hair_rods *r, const hair *h)
{
    double turn = 0.0;
    for (size_t e = 0; e < (size_t)h->strands * r->elements; e++) {
        const double natural = v3_norm(v3_load(&r->natural[3 * e]));
        const double start = v3_norm(v3_load(&r->start[3 * e]));
        const double kappa = natural > start ? natural : start;
        if (kappa * r->lengths[e] > turn) turn = kappa * r->lengths[e];
    }
    const double segments = ceil(turn / SEGMENT_TURN);
    if (segments < SEGMENTS_LEAST) return SEGMENTS_LEAST;
    return segments > SEGMENTS_MOST ? SEGMENTS_MOST : (uint32_t)segments;
}

static void place_vertices(const hair_rods *r, size_t strand)
{
    const uint32_t per_element = (r->vertices - 1) / r->elements;
    double *s = r->vertex_s + strand * r->vertices;
    double begin = 0.0;
    for (size_t e = 0; e < r->elements; e++) {
        const double length = r->lengths[strand * r->elements + e];
        for (uint32_t k = 0; k < per_element; k++) *s++ = begin + length * k / per_element;
        begin += length;
    }
    *s = begin;
}

/* ---- the whole ---- */

static status make_room(hair_rods *r, const hair *h, const allocator *from, error *err)
{
    const size_t elements = (size_t)h->strands * r->elements;
    const size_t most = (size_t)h->strands * (r->elements * SEGMENTS_MOST + 1);
    r->stations = hair_station_count(h, r->elements);
    const size_t poses = (size_t)h->strands * (1 + r->stations);
    r->count = 7 * elements + h->points + most + POSE_SIZE * poses;
    r->memory = memory_alloc(from, memory_size(r->count, sizeof *r->memory));
    if (!r->memory) return error_out_of_memory(err, "hair");
    r->lengths = r->memory;
    r->natural = r->lengths + elements;
    r->start = r->natural + 3 * elements;
    r->point_s = r->start + 3 * elements;
    r->root = r->point_s + h->points;
    r->reference = (pose *)r->root + h->strands;
    r->vertex_s = r->root + POSE_SIZE * poses;
    return STATUS_OK;
}

status hair_rods_create(hair_rods *out, const hair *h, const parameter_values *parameters,
                        const char *name, scene *s, error *err)
{
    const allocator *from = &s->config.memory;
    hair_rods r = {.elements = (uint32_t)parameters->value[P_ELEMENTS][0],
                   .attached = parameters->value[P_ATTACHED][0] != 0.0};
    *out = (hair_rods){0};
    status st = make_room(&r, h, from, err);
    if (st >= 0) st = fit_all(&r, h, name, &s->scratch, err);
    if (st >= 0) st = make_group(&r, h, parameters, name, from, &r.group, err);
    if (st >= 0) {
        r.vertices = count_segments(&r, h) * r.elements + 1;
        for (size_t i = 0; i < h->strands; i++) place_vertices(&r, i);
        st = r.stations ? hair_find_reference(s, h, &r, err) : STATUS_OK;
    }
    if (st < 0) {
        hair_rods_destroy(&r, from);
        return st;
    }
    *out = r;
    return STATUS_OK;
}

void hair_rods_destroy(hair_rods *r, const allocator *from)
{
    body_group_destroy(r->group);
    memory_free(from, r->memory, r->count * sizeof *r->memory);
    *r = (hair_rods){0};
}

void hair_find_points(const hair *h, const hair_state *state, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const size_t at = h->first[i], count = h->first[i + 1] - at;
        body_find_line(h->rods.group, state->rods, (uint32_t)i, h->rods.point_s + at, count,
                       state->x + 3 * at);
    }
}

void hair_find_vertices(const hair *h, const hair_state *state, size_t begin, size_t end)
{
    const hair_rods *r = &h->rods;
    for (size_t i = begin; i < end; i++) {
        const size_t at = i * r->vertices;
        body_find_line(r->group, state->rods, (uint32_t)i, r->vertex_s + at, r->vertices,
                       state->vertex + 3 * at);
    }
}
