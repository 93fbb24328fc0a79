/* SPDX-License-Identifier: Apache-2.0
 *
 * Which nodes meet which surfaces in this step, and the contacts that come of it.
 *
 * A contact of node x with a surface point that moves from p0 to p1, and whose normal is N at the
 * end of the step, asks for (x + dt v - p1) . N >= 0. With s = (p1 - p0) / dt and z = (x - p0) . N
 * that is
 *     (v - s) . N + z / dt >= 0.
 * On a sphere that turns, the point that a node touches goes one way if it holds the node, and the
 * node another if it does not; only a node that is held ends at the turned point, with its normal.
 * A node that slips keeps the normal of the sphere that moved without turning, and p1 - p0 gets the
 * tangential part of the turning alone. Which it is, the contact says by itself, before any other.
 * A capsule has the same turns that do not show, about its axis.
 *
 * Where z < 0 already (input that starts inside), the velocity is asked for z = 0 and the node is
 * moved out by -z without gaining speed.
 */
#include "math/frame.h"
#include "math/scalar.h"
#include "scene/elastic.h"
#include "scene/work.h"

/* ---- import: where surfaces are at the end of the step ---- */

/* Each vertex goes its share of the way to its target. */
static void import_mesh(const work *k, object *o)
{
    const double *begin = mesh_positions_in(o, k->now);
    const double *target = mesh_targets_in(o, k->s->state.input);
    double *end = mesh_positions_in(o, k->next);
    for (size_t i = 0; i < o->mesh.vertices; i++) {
        const v3 a = v3_load(begin + 3 * i), b = v3_load(target + 3 * i);
        v3_store(end + 3 * i, v3_lerp(a, b, k->plan->fraction));
    }
    collide_mesh_move(&o->mesh, begin, end);
}

void detect_import_surfaces(work *k)
{
    k->surface_count = 0;
    for (size_t i = 0; i < k->s->objects.count; i++) {
        object *o = scene_object(k->s, i);
        if (o->kind != KIND_COLLIDER) continue;
        const pose begin = pose_load(k->now + o->motion);
        const pose target = pose_load(k->s->state.input + o->input);
        const pose end = pose_interpolate(&begin, &target, k->plan->fraction);
        pose_store(k->next + o->motion, &end);
        const bool is_mesh = o->shape.kind == COLLIDE_MESH;
        if (is_mesh) import_mesh(k, o);
        k->surfaces[k->surface_count++] =
            (surface){.shape = o->shape,
                      .end = end,
                      .mesh = is_mesh ? &o->mesh : NULL,
                      .motion = collide_motion_make(&begin, &end, o->shape.kind),
                      .friction = o->parameters.value[P_FRICTION][0]};
    }
}

/* ---- collide: how many contacts has each node? ---- */

node_way detect_make_way(const work *k, const object *o, v3 x, v3 v)
{
    node_way way = {.x0 = x,
                    .thickness = o->parameters.value[P_THICKNESS][0],
                    .friction = o->parameters.value[P_FRICTION][0]};
    const v3 step = v3_scale(k->plan->dt, v);
    way.x1 = v3_add(way.x0, step);
    double push = 0.0;
    for (size_t j = 0; j < k->surface_count; j++) {
        const surface *f = &k->surfaces[j];
        const double change = f->mesh ? f->mesh->reach : 0.0;
        push = scalar_max(push, collide_motion_length(&f->motion, way.x0) + change);
    }
    way.margin = v3_norm(step) + push;
    return way;
}

static node_way node_way_make(const work *k, const double *x, size_t i)
{
    const v3 v = v3_load(&k->v[3 * (k->o->node + i)]);
    node_way way = detect_make_way(k, k->o, v3_load(&x[3 * i]), v);
    if (k->o->elastic) way.margin += k->o->elastic->reach; /* contacts of others push it, too */
    return way;
}

void detect_meet_surface(const node_way *way, const surface *f, mesh_contacts *out)
{
    const v3 y0 = collide_world_to_begin(&f->motion, way->x0);
    const v3 y1 = collide_world_to_shown(&f->motion, way->x1);
    if (f->mesh) {
        collide_mesh_way(f->mesh, y0, y1, way->thickness, way->margin, out);
    } else {
        out->count = collide_way(&f->shape, y0, y1, way->thickness, way->margin, out->at);
    }
}

double detect_depth(const surface *f, v3 x, double thickness)
{
    const v3 y = collide_world_to_end(&f->motion, x);
    return f->mesh ? collide_mesh_depth(f->mesh, y, thickness)
                   : -collide_distance(&f->shape, y, thickness);
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
            mesh_contacts found;
            detect_meet_surface(&way, &k->surfaces[j], &found);
            count[i] += (uint32_t)found.count;
        }
    }
}

/* ---- assemble: frames, gaps, friction ---- */

/* The surface point p0 goes to p1, where the normal is N. */
static nodal_contact contact_make(const work *k, const node_way *way, size_t j, v3 p0, v3 p1, v3 N)
{
    const double per_dt = 1.0 / k->plan->dt;
    const double z = v3_dot(v3_sub(way->x0, p0), N);
    return (nodal_contact){.F = frame_from_normal(N),
                           .s = v3_scale(per_dt, v3_sub(p1, p0)),
                           .g = per_dt * scalar_max(z, 0.0),
                           .mu = sqrt(way->friction * k->surfaces[j].friction),
                           .depth = scalar_max(-z, 0.0),
                           .surface = (uint32_t)j};
}

/* Would the contact alone hold a node that comes with the velocity v? */
static bool contact_holds(const nodal_contact *c, v3 v)
{
    const v3 b = m3_mul_v3(&c->F, v3_sub(v, c->s));
    return coulomb_tangent_norm(b) <= c->mu * -(b.x + c->g);
}

nodal_contact detect_make_contact(const work *k, const node_way *way, size_t j, v3 v,
                                  const collide_contact *found)
{
    const surface *f = &k->surfaces[j];
    const collide_motion *m = &f->motion;
    const v3 p0 = collide_begin_to_world(m, found->point);
    const v3 p1 = collide_end_to_world(m, found->moved);
    const nodal_contact held = contact_make(k, way, j, p0, p1, m3_mul_v3(&m->R1, found->normal));
    if (!collide_is_round(f->shape.kind) || !m->moves) return held;
    const v3 N = m3_mul_v3(&m->Rs, found->normal);
    const v3 shown = v3_sub(m3_mul_v3(&m->Rs, found->point), m3_mul_v3(&m->R0, found->point));
    const v3 turned = v3_sub(v3_sub(v3_sub(p1, p0), v3_sub(m->p1, m->p0)), shown);
    const v3 beside = v3_add_scaled(p1, -v3_dot(turned, N), N); /* p1 on the tangent plane */
    const nodal_contact slipping = contact_make(k, way, j, p0, beside, N);
    return contact_holds(&held, v) || contact_holds(&slipping, v) ? held : slipping;
}

static void assemble_node(const work *k, const node_way *way, size_t node, chunk_report *report)
{
    nodal_contact *c = &k->problem.contacts[k->first[node]];
    const v3 v = v3_load(&k->v[3 * node]);
    for (size_t j = 0; j < k->surface_count; j++) {
        mesh_contacts found;
        detect_meet_surface(way, &k->surfaces[j], &found);
        for (size_t i = 0; i < found.count; i++, c++) {
            *c = detect_make_contact(k, way, j, v, &found.at[i]);
            report->start_inside += c->depth > DEPTH_REPORTED;
            report->start_depth = scalar_max(report->start_depth, c->depth);
        }
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
