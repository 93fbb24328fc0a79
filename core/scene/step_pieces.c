/* SPDX-License-Identifier: Apache-2.0
 *
 * A step as a whole. One that is too violent for its length is not taken; two of half the length
 * are, and halves of these, as far as need be. It counts as one, and happens as a whole or not at
 * all. The next step begins one level above the deepest that this one came to.
 */
#include "scene/work.h"

#include "math/scalar.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_LEVELS = 5 };

/* A step under way, which may come to be taken in pieces. */
typedef struct step_pieces {
    scene *s;
    double *motion;     /* at the beginning, */
    hair_force *forces; /* and with them */
    size_t force_count;
    uint32_t least, deepest; /* levels: where to begin, and where it led */
    uint32_t count;          /* of pieces */
    bool missed;
    double penetration;
} step_pieces;

/* What an attempt cost counts; what it found does not. */
static void forget_attempt(scene_statistics *t, const scene_statistics *before)
{
    const scene_statistics tried = *t;
    *t = *before;
    t->seconds_import = tried.seconds_import;
    t->seconds_predict = tried.seconds_predict;
    t->seconds_collide = tried.seconds_collide;
    t->seconds_assemble = tried.seconds_assemble;
    t->seconds_solve = tried.seconds_solve;
    t->seconds_correct = tried.seconds_correct;
    t->seconds_total = tried.seconds_total;
}

/* *taken is false if it was too violent and the level may still rise. */
static status take_piece(step_pieces *p, const step_plan *plan, uint32_t level, bool *taken,
                         error *err)
{
    scene *s = p->s;
    const arena_mark mark = arena_get_mark(&s->scratch);
    const scene_statistics before = s->statistics;
    work k;
    status st = work_init(&k, s, plan, err);
    if (st >= 0) st = work_run(&k, err);
    *taken = st == STATUS_OK && (!k.violent || level == MOST_LEVELS);
    if (*taken) {
        work_take(&k);
        if (!plan->unfinished) problem_show(&k);
        p->count++;
        p->missed |= k.missed;
        p->penetration = scalar_max(p->penetration, k.penetration);
        p->deepest = level > p->deepest ? level : p->deepest;
    } else if (st == STATUS_OK) {
        forget_attempt(&s->statistics, &before);
    }
    arena_release(&s->scratch, mark);
    return st;
}

/* The first or the second half of a plan. `frame` is where it begins. */
static step_plan half_of(const step_plan *plan, double frame, bool second)
{
    step_plan half = *plan;
    const double way = 0.5 * plan->fraction;
    half.dt = 0.5 * plan->dt;
    half.part = 0.5 * plan->part;
    half.fraction = second ? way / (1.0 - way) : way;
    if (second) {
        half.done += half.part;
    } else {
        half.frame = 0.5 * (frame + plan->frame);
        half.unfinished = true;
    }
    return half;
}

/* The step is to be taken back as a whole if it fails after its first piece. */
static status keep_beginning(step_pieces *p, error *err)
{
    scene *s = p->s;
    if (p->motion) return STATUS_OK;
    const size_t size = s->state.motion_size * sizeof(double);
    p->force_count = s->forces[0].count;
    p->motion = arena_push(&s->scratch, size);
    p->forces = arena_push(&s->scratch, p->force_count * sizeof *p->forces);
    if (!p->motion || !p->forces) return error_out_of_memory(err, "a step");
    memcpy(p->motion, s->state.motion[0], size);
    if (p->force_count) {
        memcpy(p->forces, s->forces[0].data, p->force_count * sizeof *p->forces);
    }
    return STATUS_OK;
}

/* The forces of the beginning came from one of the two arrays, so that there is room in it. */
static void return_to_beginning(step_pieces *p)
{
    scene *s = p->s;
    if (!p->count) return;
    memcpy(s->state.motion[0], p->motion, s->state.motion_size * sizeof(double));
    if (s->forces[0].capacity < p->force_count) {
        const array forces = s->forces[0];
        s->forces[0] = s->forces[1];
        s->forces[1] = forces;
    }
    s->forces[0].count = p->force_count;
    if (p->force_count) {
        memcpy(s->forces[0].data, p->forces, p->force_count * sizeof *p->forces);
    }
}

static status take_pieces(step_pieces *p, const step_plan *plan, uint32_t level, error *err)
{
    bool taken = false;
    status st = STATUS_OK;
    if (level >= p->least) st = take_piece(p, plan, level, &taken, err);
    if (st != STATUS_OK || taken) return st;
    const double frame = p->s->state.motion[0][CLOCK_FRAME];
    const step_plan first = half_of(plan, frame, false), second = half_of(plan, frame, true);
    st = keep_beginning(p, err);
    if (st == STATUS_OK) st = take_pieces(p, &first, level + 1, err);
    if (st == STATUS_OK) st = take_pieces(p, &second, level + 1, err);
    return st;
}

static void report_step(const step_pieces *p)
{
    const scene *s = p->s;
    const uint64_t step = scene_get_time(s).steps;
    if (p->count > 1) {
        log_write(&s->config.log, LOG_INFO, "step %" PRIu64 ": taken in %" PRIu32 " pieces", step,
                  p->count);
    }
    if (p->missed) {
        log_write(&s->config.log, LOG_WARNING,
                  "step %" PRIu64 ": a contact missed the tolerance; the worst is off by %g m/s",
                  step, s->statistics.residual);
    }
    if (p->penetration > DEPTH_REPORTED) {
        log_write(&s->config.log, LOG_WARNING,
                  "step %" PRIu64 ": a node ended inside a surface, by %g m", step, p->penetration);
    }
}

status step_take(scene *s, const step_plan *plan, error *err)
{
    const arena_mark mark = arena_get_mark(&s->scratch);
    const scene_statistics before = s->statistics;
    double *motion = NULL; /* before roots teleported */
    status st = plan->done == 0.0 ? hair_teleport(s, &motion, err) : STATUS_OK;
    const double level = s->state.motion[0][CLOCK_LEVEL];
    step_pieces p = {.s = s, .least = level > 1.0 ? (uint32_t)level - 1 : 0};
    if (st >= 0) st = take_pieces(&p, plan, 0, err);
    if (st == STATUS_OK) {
        s->state.motion[0][CLOCK_LEVEL] = p.deepest;
        s->statistics.steps++;
        s->statistics.steps_not_converged += p.missed;
        s->statistics.pieces += p.count;
        report_step(&p);
    } else {
        return_to_beginning(&p);
        s->statistics = before;
        if (motion) memcpy(s->state.motion[0], motion, s->state.motion_size * sizeof *motion);
    }
    arena_release(&s->scratch, mark);
    return st;
}
