/* SPDX-License-Identifier: Apache-2.0
 *
 * What strands hang on, and how they come to hang there.
 *
 * On a mesh, the hold of a strand is the frame of one of its triangles: z along the normal, x along
 * the first side, at the place in it where the root sits. It moves with the triangle however that
 * turns and stretches; of a triangle that has lost its area the place alone moves. A root that is
 * off the surface keeps its distance in that frame.
 *
 * A jump puts strands somewhere else at once, in the shape they have, and gives them no speed.
 */
#include "collide/mesh.h"
#include "rods/super_helix.h"
#include "scene/hair_work.h"

#include <string.h>

/* ---- where holds are ---- */

hair_ground hair_ground_now(const scene *s, const object *on)
{
    return (hair_ground){.surface = on,
                         .at = pose_load(s->state.motion[0] + on->motion),
                         .x = mesh_positions_in(on, s->state.motion[0])};
}

/* Of the two quaternions of a rotation the one on the side of `before`. */
static quat on_the_side_of(quat before, quat q)
{
    return quat_dot(before, q) < 0.0 ? (quat){-q.w, -q.x, -q.y, -q.z} : q;
}

static quat triangle_rotation(const triangle *t)
{
    const v3 x = v3_normalize(v3_sub(t->corner[1], t->corner[0]));
    const v3 z = v3_normalize(triangle_area_vector(t)), y = v3_cross(z, x);
    const m3 columns = {{x, y, z}}, R = m3_transpose(&columns);
    return quat_normalize(quat_from_m3(&R));
}

static pose hold_on_triangle(const hair_host *host, const hair_ground *ground, size_t number,
                             const pose *before)
{
    const triangle t =
        collide_mesh_triangle(&ground->surface->mesh, ground->x, host->triangle[number]);
    const v3 place = pose_apply(&ground->at, triangle_point(&t, host->share + 3 * number));
    if (!triangle_has_area(&t)) return (pose){place, before->rotation};
    const quat q = quat_normalize(quat_mul(ground->at.rotation, triangle_rotation(&t)));
    return (pose){place, on_the_side_of(before->rotation, q)};
}

pose hair_hold_on(const hair *h, const hair_ground *ground, size_t number, const pose *before)
{
    if (!ground->surface->mesh.vertices) return ground->at;
    return hold_on_triangle(&h->host, ground, number, before);
}

pose hair_next_hold(const work *k, const object *o, uint32_t own_surface, size_t number,
                    const pose *now)
{
    const hair *h = o->hair;
    if (!h->rods.attached) return *now;
    if (own_surface == UINT32_MAX) {
        const pose target = hair_hold_target(o, k->s->state.input, number);
        return pose_interpolate(now, &target, k->plan->fraction);
    }
    const surface *f = &k->surfaces[own_surface];
    if (!f->mesh) return f->end;
    const object *on = handles_get(&k->s->ids, h->surface);
    const hair_ground ground = {on, f->end, f->mesh->end};
    return hair_hold_on(h, &ground, number, now);
}

status hair_find_triangles(const hair *h, const hair_ground *ground, const double *points,
                           error *err)
{
    const object *on = ground->surface;
    for (size_t i = 0; i < h->host.strands; i++) {
        const v3 root = v3_load(&points[3 * (size_t)h->host.first[i]]);
        mesh_nearest near;
        if (!collide_mesh_find_nearest(&on->mesh, ground->x, pose_unapply(&ground->at, root),
                                       INFINITY, &near)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "hair on '%s': no triangle of it has an area for strand %zu to sit on",
                             on->name, i);
        }
        h->host.triangle[i] = near.triangle;
        memcpy(h->host.share + 3 * i, near.at.share, sizeof near.at.share);
    }
    return STATUS_OK;
}

/* ---- creation ---- */

status hair_take_room(hair_room *room, scene *s, const object *o, error *err)
{
    const hair *h = o->hair;
    const uint32_t elements = (uint32_t)o->parameters.value[P_ELEMENTS][0];
    const size_t strands = h->strands, followers = h->followers.strands;
    arena *scratch = &s->scratch;
    const size_t moves = strands * hair_station_count(h, elements);
    room->hold = arena_push(scratch, strands * POSE_SIZE * sizeof *room->hold);
    room->roots = arena_push(scratch, strands * sizeof *room->roots);
    room->follower_hold = arena_push(scratch, followers * POSE_SIZE * sizeof *room->hold);
    room->moves = arena_push(scratch, moves * sizeof *room->moves);
    if (room->hold && room->roots && room->follower_hold && room->moves) return STATUS_OK;
    return error_out_of_memory(err, "hair");
}

/* Where a strand is held at its creation: on its surface, or at its own root, turned as the host
 * says. */
static pose first_hold(const hair *h, const hair_ground *ground, size_t number, const double *root,
                       const double *wanted)
{
    const quat turned =
        wanted ? (quat){wanted[0], wanted[1], wanted[2], wanted[3]} : quat_identity();
    if (!ground->surface) return (pose){v3_load(root), turned};
    return hair_hold_on(h, ground, number, &ground->at);
}

static void points_onto(const pose *hold, double *x, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++) {
        v3_store(&x[3 * k], pose_unapply(hold, v3_load(&x[3 * k])));
    }
}

static void move_strand(const hair *h, const hair_ground *ground, size_t i, double *hold)
{
    double *w = h->wanted ? &h->wanted[4 * i] : NULL;
    const double *root = &h->given[3 * (size_t)h->first[i]];
    const pose at = first_hold(h, ground, h->number[i], root, w);
    pose_store(hold + POSE_SIZE * i, &at);
    points_onto(&at, h->given, h->first[i], h->first[i + 1]);
    if (h->rest) points_onto(&at, h->rest, h->first[i], h->first[i + 1]);
    if (!w) return;
    const quat q = quat_mul(quat_conjugate(at.rotation), (quat){w[0], w[1], w[2], w[3]});
    w[0] = q.w, w[1] = q.x, w[2] = q.y, w[3] = q.z;
}

static void move_follower(const hair *h, const hair_ground *ground, size_t i, double *hold)
{
    const hair_followers *f = &h->followers;
    const double *root = &f->given[3 * (size_t)f->first[i]];
    const pose at = first_hold(h, ground, f->number[i], root, f->wanted ? &f->wanted[4 * i] : NULL);
    pose_store(hold + POSE_SIZE * i, &at);
    points_onto(&at, f->given, f->first[i], f->first[i + 1]);
}

void hair_move_onto_holds(const hair *h, const hair_ground *ground, const hair_room *room)
{
    for (size_t i = 0; i < h->strands; i++) move_strand(h, ground, i, room->hold);
    for (size_t i = 0; i < h->followers.strands; i++) {
        move_follower(h, ground, i, room->follower_hold);
    }
}

void hair_start_on_holds(scene *s, const object *o, const hair_room *room)
{
    const hair *h = o->hair;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    memcpy(state.hold, room->hold, h->strands * POSE_SIZE * sizeof *state.hold);
    memset(state.v, 0, 3 * h->points * sizeof *state.v);
    for (size_t i = 0; i < h->strands; i++) {
        const pose hold = pose_load(state.hold + POSE_SIZE * i);
        const pose root = pose_load(h->rods.root + POSE_SIZE * i);
        room->roots[i] = hair_pose_on(&hold, &root);
    }
    super_helix_place(h->rods.group, room->roots, h->rods.start, state.rods);
    hair_find_points(h, &state, 0, h->strands);
    hair_find_vertices(h, &state, 0, h->strands);
    if (h->followers.strands == 0) return;
    memset(state.all_v, 0, 3 * h->host.points * sizeof *state.all_v);
    memcpy(state.follower_hold, room->follower_hold,
           h->followers.strands * POSE_SIZE * sizeof *state.follower_hold);
    hair_place_followers(s, h, &state, room->moves);
}

/* ---- jumps ---- */

static bool goes_with(const object *o, const object *on)
{
    return o->kind == KIND_HAIR && o->hair->surface == on->id && o->hair->rods.attached;
}

void hair_carry_strand(const hair *h, const hair_state *state, size_t i, const pose *hold)
{
    const pose on_hold = pose_load(h->rods.root + POSE_SIZE * i),
               root = hair_pose_on(hold, &on_hold);
    pose_store(state->hold + POSE_SIZE * i, hold);
    super_helix_carry(h->rods.group, &root, state->rods, (uint32_t)i);
    hair_find_points(h, state, i, i + 1);
    hair_find_vertices(h, state, i, i + 1);
}

static void jump(scene *s, const object *o, const hair_ground *to, const hair_room *room)
{
    const hair *h = o->hair;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    for (size_t i = 0; i < h->strands; i++) {
        const pose before = pose_load(state.hold + POSE_SIZE * i);
        const pose hold = hair_hold_on(h, to, h->number[i], &before);
        hair_carry_strand(h, &state, i, &hold);
    }
    for (size_t i = 0; i < h->followers.strands; i++) {
        const pose before = pose_load(state.follower_hold + POSE_SIZE * i);
        const pose hold = hair_hold_on(h, to, h->followers.number[i], &before);
        pose_store(state.follower_hold + POSE_SIZE * i, &hold);
    }
    hair_place_followers(s, h, &state, room->moves);
}

status hair_jump_with(scene *s, const object *on, const pose *at, const double *x, error *err)
{
    hair_ground to = hair_ground_now(s, on);
    if (at) to.at = *at;
    if (x) to.x = x;
    for (int pass = 0; pass < 2; pass++) { /* first whether there is room for all */
        for (size_t i = 0; i < s->objects.count; i++) {
            const object *o = scene_object(s, i);
            if (!goes_with(o, on)) continue;
            const arena_mark mark = arena_get_mark(&s->scratch);
            hair_room room;
            const status st = hair_take_room(&room, s, o, err);
            if (st >= 0 && pass == 1) jump(s, o, &to, &room);
            arena_release(&s->scratch, mark);
            if (st < 0) return st;
        }
    }
    return STATUS_OK;
}
