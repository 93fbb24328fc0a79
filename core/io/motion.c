/* SPDX-License-Identifier: Apache-2.0 */
#include "io/motion.h"

/* The same direction up to rounding. */
static bool axes_agree(v3 a, v3 b)
{
    const v3 sine = v3_cross(v3_normalize(a), v3_normalize(b));
    return v3_dot(a, b) > 0.0 && v3_norm(sine) <= 1e-12;
}

motion motion_from_keys(const motion_key *keys, size_t count)
{
    motion m = {.keys = keys, .count = count, .one_axis = true, .axis = {0.0, 0.0, 1.0}};
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (keys[i].angle == 0.0) continue;
        if (!found) m.axis = keys[i].axis;
        m.one_axis = m.one_axis && axes_agree(m.axis, keys[i].axis);
        found = true;
    }
    return m;
}

/* The key at or before the frame, and how far the frame lies on the way to the next one. */
typedef struct place {
    const motion_key *a, *b;
    double t;
} place;

static place motion_find(const motion *m, double frame)
{
    const motion_key *first = m->keys, *last = m->keys + m->count - 1;
    if (frame <= first->frame) return (place){first, first, 0.0};
    if (frame >= last->frame) return (place){last, last, 0.0};
    size_t low = 0, high = m->count - 1; /* keys[low].frame <= frame < keys[high].frame */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (m->keys[middle].frame <= frame) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const motion_key *a = &m->keys[low], *b = &m->keys[high];
    return (place){a, b, (frame - a->frame) / (b->frame - a->frame)};
}

static double angle_at(const place *p)
{
    return (1.0 - p->t) * p->a->angle + p->t * p->b->angle;
}

static quat key_rotation(const motion_key *key)
{
    return quat_from_axis_angle(key->axis, key->angle);
}

pose motion_at(const motion *m, double frame)
{
    const place p = motion_find(m, frame);
    const v3 position = v3_lerp(p.a->position, p.b->position, p.t);
    if (m->one_axis) return (pose){position, quat_from_axis_angle(m->axis, angle_at(&p))};
    return (pose){position, quat_slerp(key_rotation(p.a), key_rotation(p.b), p.t)};
}

static double turn_between(const motion *m, double begin, double end)
{
    const place a = motion_find(m, begin), b = motion_find(m, end);
    return fabs(angle_at(&b) - angle_at(&a));
}

/* The angle is piecewise linear, so a window of one frame that slides along the motion sees the
 * largest turn when it begins or ends at a key. */
double motion_fastest_turn(const motion *m)
{
    double fastest = 0.0;
    for (size_t i = 0; m->one_axis && i < m->count; i++) {
        const double frame = m->keys[i].frame;
        fastest = fmax(fastest, turn_between(m, frame, frame + 1.0));
        fastest = fmax(fastest, turn_between(m, frame - 1.0, frame));
    }
    return fastest;
}
