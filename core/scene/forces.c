/* SPDX-License-Identifier: Apache-2.0
 *
 * Forces of a scene: objects that make the air move or accelerate things, and what cloth and hair
 * feel of them in a step.
 *
 * Every force is sampled where nodes and the stations of rods are at the beginning of the step, at
 * that time and at the pose that it has then. What acts as air goes through drag, which is
 * implicit: with the drag c of a node of mass m, (m + h c) v_free = m v + h (m a + c air). So the
 * stiffest drag in the strongest storm takes a node as fast as the air and no faster. Rods have the
 * same in their own equations (mechanics/body_group.h).
 */
#include "scene/elastic.h"
#include "scene/force_fields.h"
#include "scene/hair_work.h"

#include <inttypes.h>
#include <string.h>

/* ---- creation ---- */

static status check_custom(const force_source *source, const char *name, error *err)
{
    if (!source->field) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "force '%s': a custom force needs a field to call", name);
    }
    if (source->per == FIELD_PER_MASS || source->per == FIELD_PER_DRAG) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "force '%s': its forces are per %" PRIu32 ", expected 0 (mass) or 1 (drag)",
                     name, source->per);
}

static status check_source(const force_source *source, const char *name, error *err)
{
    if (source->type == FORCE_CUSTOM) return check_custom(source, name, err);
    if (source->type < FORCE_WIND || source->type > FORCE_CUSTOM) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "force '%s': the type is %" PRIu32
                         ", expected 1 (wind), 2 (turbulence), 3 (vortex), 4 (point) or 5 (custom)",
                         name, source->type);
    }
    if (!source->field && source->per == FIELD_PER_MASS) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "force '%s': only a custom force has a field of its own", name);
}

status scene_add_force(scene *s, const force_source *source, uint64_t *id, error *err)
{
    object *o = object_new(s, KIND_FORCE, err);
    if (!o) return err->code;
    pose at;
    o->public_shape = source->type;
    status st = object_set_name(s, o, "force", source->name, err);
    if (st >= 0) st = check_source(source, o->name, err);
    if (st >= 0) st = pose_check(&source->at, o->name, &at, err);
    if (st >= 0) st = object_join(s, o, err);
    if (st < 0) {
        object_free(s, o);
        return st;
    }
    pose_store(s->state.motion[0] + o->motion, &at);
    pose_store(s->state.input + o->input, &at);
    o->custom = (force_custom){source->field, source->field_user, source->drop, source->per};
    *id = o->id;
    return STATUS_OK;
}

/* ---- import ---- */

typedef struct force_now {
    const object *o;
    bool is_custom, is_air; /* air, else an acceleration */
    force_field field;      /* of what is not custom */
} force_now;

static void prepare(const work *k, const object *o, force_now *f)
{
    const double(*p)[3] = o->parameters.value;
    const uint32_t type = o->public_shape;
    f->o = o;
    f->is_custom = type == FORCE_CUSTOM;
    f->is_air = f->is_custom ? o->custom.per == FIELD_PER_DRAG : type != FORCE_POINT;
    f->field.type = type;
    f->field.at = pose_load(k->now + o->motion);
    f->field.strength = p[P_STRENGTH][0];
    f->field.reach = p[P_REACH][0];
    f->field.falloff = (uint32_t)p[P_FALLOFF][0];
    if (type != FORCE_TURBULENCE) return;
    const noise_source source = {.size = p[P_TURBULENCE_SIZE][0],
                                 .speed = p[P_TURBULENCE_SPEED][0],
                                 .flow = p[P_TURBULENCE_FLOW][0],
                                 .seed = (uint32_t)p[P_TURBULENCE_SEED][0]};
    noise_init(&f->field.noise, &source, k->now[CLOCK_SECONDS]);
}

static void move(const work *k, const object *o)
{
    const pose begin = pose_load(k->now + o->motion);
    const pose target = pose_load(k->s->state.input + o->input);
    const pose end = pose_interpolate(&begin, &target, k->plan->fraction);
    pose_store(k->next + o->motion, &end);
}

status forces_import(work *k, error *err)
{
    const scene *s = k->s;
    size_t count = 0;
    for (size_t i = 0; i < s->objects.count; i++) count += scene_object(s, i)->kind == KIND_FORCE;
    if (count == 0) return STATUS_OK;
    k->forces = arena_push(&k->s->scratch, count * sizeof *k->forces);
    if (!k->forces) return error_out_of_memory(err, "forces");
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        if (o->kind != KIND_FORCE) continue;
        prepare(k, o, &k->forces[k->force_count++]);
        move(k, o);
    }
    return STATUS_OK;
}

/* ---- sampling ---- */

/* Places of one object, and what all forces together do there. */
typedef struct samples {
    const object *on;
    size_t count;
    const double *x, *v; /* [count][3]; without a custom force v may be NULL */
    double *air, *field; /* [count][3]; NULL: none acts in this way */
    double *one;         /* [count][3] of one force */
} samples;

typedef struct sampling {
    const force_now *f;
    const samples *q;
} sampling;

static void sample_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const sampling *job = user;
    for (size_t i = begin; i < end; i++) {
        const v3 x = v3_load(&job->q->x[3 * i]);
        v3_store(&job->q->one[3 * i], force_field_at(&job->f->field, x));
    }
}

static status not_finite(const samples *q, const force_now *f, size_t i, error *err)
{
    const double *a = &q->one[3 * i], *x = &q->x[3 * i];
    return error_set(err, STATUS_DIVERGED,
                     "force '%s' is (%g, %g, %g) at (%g, %g, %g), a place of '%s'; expected finite "
                     "numbers; the step was not taken",
                     f->o->name, a[0], a[1], a[2], x[0], x[1], x[2], q->on->name);
}

static status add_force(const work *k, const force_now *f, const samples *q, error *err)
{
    double scale = 1.0;
    if (f->is_custom) {
        const force_custom *custom = &f->o->custom;
        memset(q->one, 0, 3 * q->count * sizeof *q->one);
        custom->field(custom->user, k->now[CLOCK_SECONDS], q->count, q->x, q->v, q->one);
        scale = f->field.strength;
    } else {
        sampling job = {f, q};
        pool_for(k->s->threads, q->count, sample_range, &job);
    }
    double *sum = f->is_air ? q->air : q->field;
    for (size_t i = 0; i < q->count; i++) {
        const v3 a = v3_scale(scale, v3_load(&q->one[3 * i]));
        if (!v3_is_finite(a)) return not_finite(q, f, i, err);
        v3_store(&sum[3 * i], v3_add(v3_load(&sum[3 * i]), a));
    }
    return STATUS_OK;
}

static bool any_custom(const work *k)
{
    for (size_t i = 0; i < k->force_count; i++) {
        if (k->forces[i].is_custom) return true;
    }
    return false;
}

static bool samples_make_room(work *k, samples *q)
{
    const size_t size = 3 * q->count * sizeof(double);
    bool air = false, field = false;
    for (size_t i = 0; i < k->force_count; i++) {
        air = air || k->forces[i].is_air;
        field = field || !k->forces[i].is_air;
    }
    q->one = arena_push(&k->s->scratch, size);
    if (air && (q->air = arena_push(&k->s->scratch, size))) memset(q->air, 0, size);
    if (field && (q->field = arena_push(&k->s->scratch, size))) memset(q->field, 0, size);
    return q->one && (!air || q->air) && (!field || q->field);
}

static status samples_fill(work *k, samples *q, error *err)
{
    if (!samples_make_room(k, q)) return error_out_of_memory(err, "forces");
    status st = STATUS_OK;
    for (size_t i = 0; i < k->force_count && st >= 0; i++) st = add_force(k, &k->forces[i], q, err);
    return st;
}

/* ---- cloth ---- */

typedef struct cloth_stage {
    work *k;
    const samples *q;
    double drag;
} cloth_stage;

static void act_on_nodes(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const cloth_stage *stage = user;
    const samples *q = stage->q;
    const double h = stage->k->plan->dt;
    for (size_t i = begin; i < end; i++) {
        double *v_free = &stage->k->v[3 * (q->on->node + i)], *w = &stage->k->w[q->on->node + i];
        if (!(*w > 0.0)) continue; /* pinned */
        const double m = q->on->cloth.mass[i], hc = h * stage->drag * q->on->cloth.area[i];
        v3 v = v3_load(v_free);
        if (q->field) v = v3_add_scaled(v, h, v3_load(&q->field[3 * i]));
        if (hc > 0.0) {
            const v3 air = q->air ? v3_load(&q->air[3 * i]) : (v3){0.0, 0.0, 0.0};
            v = v3_add_scaled(v, hc / (m + hc), v3_sub(air, v)); /* (m v + h c air) / (m + h c) */
            *w = 1.0 / (m + hc);
        }
        v3_store(v_free, v);
    }
}

status forces_act_on_cloth(work *k, error *err)
{
    for (size_t i = 0; i < k->s->objects.count; i++) {
        const object *o = scene_object(k->s, i);
        if (o->kind != KIND_CLOTH) continue;
        const double drag = o->parameters.value[P_CLOTH_DRAG][0];
        if (o->elastic) o->elastic->air = o->elastic->field = NULL;
        if (k->force_count == 0 && drag == 0.0) continue;
        const cloth_state now = cloth_state_in(o, k->now);
        samples q = {.on = o, .count = o->cloth.nodes, .x = now.x, .v = now.v};
        const status st = samples_fill(k, &q, err);
        if (st < 0) return st;
        if (o->elastic) { /* has them in its equations */
            o->elastic->air = q.air;
            o->elastic->field = q.field;
            continue;
        }
        cloth_stage stage = {k, &q, drag};
        pool_for(k->s->threads, q.count, act_on_nodes, &stage);
    }
    return STATUS_OK;
}

/* ---- hair ---- */

typedef struct station_stage {
    const hair_group *g;
    double *x, *v; /* [strands][stations][3]; v may be NULL */
} station_stage;

/* Between the points on both sides of the arc length s. */
static v3 strand_velocity(const hair_group *g, size_t strand, double s)
{
    const double *at = g->h->rods.point_s;
    size_t p = g->h->first[strand];
    while (p + 2 < g->h->first[strand + 1] && at[p + 1] < s) p++;
    const double gap = at[p + 1] - at[p], t = gap > 0.0 ? (s - at[p]) / gap : 0.0;
    const double share = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return v3_lerp(v3_load(&g->now.v[3 * p]), v3_load(&g->now.v[3 * p + 3]), share);
}

static void find_stations(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const station_stage *stage = user;
    const hair_rods *rods = &stage->g->h->rods;
    for (size_t i = begin; i < end; i++) {
        const size_t strand = i / rods->group->stations, station = i % rods->group->stations;
        double s = 0.0;
        for (size_t e = 0; e < station; e++) s += rods->lengths[strand * rods->elements + e];
        const body_place at =
            body_find_place(rods->group, stage->g->now.rods, (uint32_t)strand, (v3){s, 0.0, 0.0});
        v3_store(&stage->x[3 * i], at.position);
        if (stage->v) v3_store(&stage->v[3 * i], strand_velocity(stage->g, strand, s));
    }
}

status forces_act_on_hair(work *k, struct hair_group *g, error *err)
{
    if (k->force_count == 0) return STATUS_OK;
    samples q = {.on = g->o, .count = (size_t)g->h->strands * g->h->rods.group->stations};
    const size_t size = 3 * q.count * sizeof(double);
    const bool moving = any_custom(k);
    station_stage stage = {g, arena_push(&k->s->scratch, size), NULL};
    if (moving) stage.v = arena_push(&k->s->scratch, size);
    if (!stage.x || (moving && !stage.v)) return error_out_of_memory(err, "forces");
    pool_for(k->s->threads, q.count, find_stations, &stage);
    q.x = stage.x;
    q.v = stage.v;
    const status st = samples_fill(k, &q, err);
    g->in.air = q.air;
    g->in.field = q.field;
    return st;
}
