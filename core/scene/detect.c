/* SPDX-License-Identifier: Apache-2.0
 *
 * Which nodes meet which surfaces in this step, and the contacts that come of it.
 *
 * A contact of node x with a surface point that moves from p0 to p1, and whose normal is N at the
 * end of the step, asks for (x + dt v - p1) . N >= 0. With s = (p1 - p0) / dt and z = (x - p0) . N
 * that is
 *     (v - s) . N + z / dt >= 0.
 * Where z < 0 already (input that starts inside), the velocity is asked for z = 0 and the node is
 * moved out by -z without gaining speed.
 */
#include "math/frame.h"
#include "math/scalar.h"
#include "scene/work.h"

static bool surface_bends_and_turns(const surface *f)
{
    return f->shape.kind == COLLIDE_SPHERE && f->motion.turns;
}

/* ---- import: where surfaces are at the end of the step ---- */

void detect_import_surfaces(work *k)
{
    k->surface_count = 0;
    k->sphere_turns = false;
    for (size_t i = 0; i < k->s->objects.count; i++) {
        const object *o = scene_object(k->s, i);
        if (o->kind != KIND_COLLIDER) continue;
        const pose begin = pose_load(k->now + o->motion);
        const pose target = pose_load(k->s->state.input + o->input);
        const pose end = pose_interpolate(&begin, &target, k->plan->fraction);
        pose_store(k->next + o->motion, &end);
        k->surfaces[k->surface_count] = (surface){.shape = o->shape,
                                                  .motion = collide_motion_make(&begin, &end),
                                                  .friction = o->parameters.value[P_FRICTION][0]};
        k->sphere_turns |= surface_bends_and_turns(&k->surfaces[k->surface_count++]);
    }
}

/* ---- collide: how many contacts has each node? ---- */

/* The node's free way, and how far any contact may push it off that way. */
typedef struct node_way {
    v3 x0, x1;
    double thickness, margin;
} node_way;

static node_way node_way_make(const work *k, const double *x, size_t i)
{
    node_way way = {.x0 = v3_load(&x[3 * i]), .thickness = k->o->parameters.value[P_THICKNESS][0]};
    const v3 step = v3_scale(k->plan->dt, v3_load(&k->v[3 * (k->o->node + i)]));
    way.x1 = v3_add(way.x0, step);
    double push = 0.0;
    for (size_t j = 0; j < k->surface_count; j++) {
        push = scalar_max(push, collide_motion_length(&k->surfaces[j].motion, way.x0));
    }
    way.margin = v3_norm(step) + push;
    return way;
}

static bool node_meets_surface(const node_way *way, const surface *f, collide_contact *contact)
{
    const v3 y0 = collide_world_to_begin(&f->motion, way->x0);
    const v3 y1 = collide_world_to_end(&f->motion, way->x1);
    return collide_way(&f->shape, y0, y1, way->thickness, way->margin, contact);
}

void detect_count_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const work *k = user;
    const double *x = cloth_state_in(k->o, k->now).x;
    uint32_t *count = k->first + k->o->node + 1;
    for (size_t i = begin; i < end; i++) {
        count[i] = 0;
        if (k->w[k->o->node + i] == 0.0) continue; /* pinned: nothing moves it */
        const node_way way = node_way_make(k, x, i);
        for (size_t j = 0; j < k->surface_count; j++) {
            collide_contact contact;
            count[i] += node_meets_surface(&way, &k->surfaces[j], &contact);
        }
    }
}

/* ---- assemble: frames, gaps, friction ---- */

static nodal_contact contact_make(const work *k, const node_way *way, size_t j,
                                  const collide_contact *found)
{
    const surface *f = &k->surfaces[j];
    const double per_dt = 1.0 / k->plan->dt;
    const v3 p0 = collide_begin_to_world(&f->motion, found->point);
    const v3 p1 = collide_end_to_world(&f->motion, found->point);
    const v3 N = m3_mul_v3(&f->motion.R1, found->normal);
    const double z = v3_dot(v3_sub(way->x0, p0), N);
    return (nodal_contact){.F = frame_from_normal(N),
                           .s = v3_scale(per_dt, v3_sub(p1, p0)),
                           .g = per_dt * scalar_max(z, 0.0),
                           .mu = sqrt(k->o->parameters.value[P_FRICTION][0] * f->friction),
                           .depth = scalar_max(-z, 0.0),
                           .surface = (uint32_t)j};
}

static void assemble_node(const work *k, const node_way *way, size_t node, chunk_report *report)
{
    nodal_contact *c = &k->problem.contacts[k->first[node]];
    for (size_t j = 0; j < k->surface_count; j++) {
        collide_contact found;
        if (!node_meets_surface(way, &k->surfaces[j], &found)) continue;
        *c = contact_make(k, way, j, &found);
        report->start_inside += c->depth > START_DEPTH_REPORTED;
        report->start_depth = scalar_max(report->start_depth, c->depth);
        c++;
    }
}

void detect_assemble_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const work *k = user;
    const double *x = cloth_state_in(k->o, k->now).x;
    chunk_report *report = &k->chunk[chunk];
    *report = (chunk_report){0};
    for (size_t i = begin; i < end; i++) {
        const size_t node = k->o->node + i;
        if (k->first[node] == k->first[node + 1]) continue;
        const node_way way = node_way_make(k, x, i);
        assemble_node(k, &way, node, report);
    }
}

/* ---- follow: a contact goes along with the surface, but a node that slides does not ---- */

/* The plane that a contact carries to the end of the step is right for a node that sticks. On a
 * turning sphere it would lift a node that slides by R (1 - cos(turn)): the plane must touch where
 * the node is. */
static bool follow_contact(const work *k, const node_way *way, v3 x_end, nodal_contact *c)
{
    const surface *f = &k->surfaces[c->surface];
    if (c->state != CONTACT_SLIDE || !surface_bends_and_turns(f)) return false;
    const v3 y = collide_world_to_end(&f->motion, x_end);
    const collide_contact found = collide_nearest(&f->shape, y, way->thickness);
    *c = contact_make(k, way, c->surface, &found);
    return true;
}

static bool follow_node(const work *k, const node_way *way, size_t node)
{
    bool moved = false;
    const v3 x_end = v3_add_scaled(way->x0, k->plan->dt, v3_load(&k->v[3 * node]));
    for (uint32_t j = k->first[node]; j < k->first[node + 1]; j++) {
        moved |= follow_contact(k, way, x_end, &k->problem.contacts[j]);
    }
    return moved;
}

static void restart_node(const work *k, size_t node)
{
    v3_store(&k->v[3 * node], v3_load(&k->v_free[3 * node]));
    for (uint32_t j = k->first[node]; j < k->first[node + 1]; j++) {
        k->problem.contacts[j].r = k->problem.contacts[j].dr = (v3){0.0, 0.0, 0.0};
    }
}

void detect_follow_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const work *k = user;
    const double *x = cloth_state_in(k->o, k->now).x;
    for (size_t i = begin; i < end; i++) {
        const size_t node = k->o->node + i;
        const node_way way = {.x0 = v3_load(&x[3 * i]),
                              .thickness = k->o->parameters.value[P_THICKNESS][0]};
        if (follow_node(k, &way, node)) restart_node(k, node);
    }
}
