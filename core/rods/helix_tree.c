/* SPDX-License-Identifier: Apache-2.0 */
#define REAL_LANES 1
#include "rods/helix_tree.h"

#include "rods/helix_tree_parts.h"
#include "rods/reduced_rod.h"
#include "rods/super_helix_point.h"

#include <inttypes.h>
#include <string.h>

static status check_parents(const helix_tree_source *source, error *err)
{
    for (uint32_t e = 0; e < source->elements; e++) {
        const uint32_t parent = source->parent[e];
        if (parent == HELIX_TREE_ROOT || parent < e) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s', element %" PRIu32 ": its parent is element %" PRIu32
                         ", expected one before it, or the root",
                         source->name, e, parent);
    }
    return STATUS_OK;
}

static status check_offsets(const helix_tree_source *source, error *err)
{
    for (uint32_t e = 0; source->offset && e < source->elements; e++) {
        const double size = quat_dot(source->offset[e], source->offset[e]);
        if (fabs(size - 1.0) <= 1e-6) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s', element %" PRIu32
                         ": its offset is a quaternion of squared length %g, expected 1",
                         source->name, e, size);
    }
    return STATUS_OK;
}

static status check_source(const helix_tree_source *source, error *err)
{
    const rods_source elements = {.name = source->name,
                                  .rods = source->elements,
                                  .elements = 1,
                                  .lengths = source->lengths,
                                  .natural = source->natural,
                                  .material = source->material};
    if (source->elements == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s' has no elements, expected at least one", source->name);
    }
    status st = rods_check_each(&elements, "element", err);
    if (st >= 0) st = check_parents(source, err);
    if (st >= 0) st = check_offsets(source, err);
    return st;
}

static void copy_source(helix_tree *t, const helix_tree_source *source)
{
    const size_t n = source->elements;
    t->material = (rod_material *)(t + 1);
    t->offset = (quat *)(t->material + n);
    t->lengths = (double *)(t->offset + n);
    t->natural = t->lengths + n;
    t->start = t->natural + 3 * n;
    t->begin = (uint32_t *)(t->start + n + 1);
    memcpy(t->material, source->material, n * sizeof *t->material);
    memcpy(t->lengths, source->lengths, n * sizeof(double));
    if (source->natural) memcpy(t->natural, source->natural, 3 * n * sizeof(double));
    for (size_t e = 0; e < n; e++) {
        t->offset[e] = source->offset ? quat_normalize(source->offset[e]) : quat_identity();
        t->begin[e] = source->parent[e] == HELIX_TREE_ROOT ? 0 : source->parent[e] + 1;
        t->start[e + 1] = t->start[e] + t->lengths[e];
    }
}

status helix_tree_create(const helix_tree_source *source, const allocator *from, helix_tree **out,
                         error *err)
{
    const status st = check_source(source, err);
    if (st < 0) return st;
    const size_t item = sizeof(rod_material) + sizeof(quat) + 5 * sizeof(double) + sizeof(uint32_t);
    const size_t size = sizeof(helix_tree) + sizeof(double) + source->elements * item;
    helix_tree *t = memory_alloc(from, size);
    if (!t) return error_out_of_memory(err, "tree of rods");
    t->from = from;
    t->size = size;
    t->elements = source->elements;
    t->first = source->free_root ? 6 : 0;
    copy_source(t, source);
    *out = t;
    return STATUS_OK;
}

void helix_tree_destroy(helix_tree *t)
{
    if (t) memory_free(t->from, t, t->size);
}

size_t helix_tree_unknowns(const helix_tree *t) { return t->first + 3 * t->elements; }

size_t helix_tree_state_count(const helix_tree *t)
{
    return reduced_rod_state_count(t->elements, t->first);
}

size_t helix_tree_work_count(const helix_tree *t)
{
    const size_t stations = (t->elements + 1) * sizeof(helix_station);
    return helix_tree_unknowns(t) +
           (stations + t->elements * sizeof(helix_branch)) / sizeof(double);
}

void helix_tree_rest(const helix_tree *t, const pose *root, const double *kappa, double *state)
{
    reduced_rod_rest(state, t->elements, t->first, root, kappa ? kappa : t->natural);
}

reduced_rod_root helix_tree_move_root(const helix_tree *t, const body_input *in, const pose *from)
{
    return reduced_rod_move_root(from, t->first ? NULL : in->root, in->h);
}

void helix_tree_advance(const helix_tree *t, const body_input *in, const double *state,
                        const double *v, double *next)
{
    const reduced_rod_state now = helix_tree_view(t, state), then = helix_tree_view(t, next);
    const reduced_rod_root root = helix_tree_move_root(t, in, now.root);
    double motion[6];
    v3_store(motion, root.velocity);
    v3_store(motion + 3, root.spin);
    const reduced_rod_move by = {in->h, v, in->root, motion};
    reduced_rod_advance(&now, &then, t->elements, t->first, &by);
}

bool helix_tree_step(const helix_tree *t, const body_input *in, const double *state, double *work,
                     double *next)
{
    if (!helix_tree_predict(t, in, state, work)) return false;
    helix_tree_advance(t, in, state, helix_tree_split_work(t, work).v_free, next);
    return true;
}

uint32_t helix_tree_find_element(const helix_tree *t, double *s)
{
    const double rounding = 1e-12 * t->start[t->elements];
    size_t low = 0, high = t->elements - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (*s > t->start[middle + 1] + rounding) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *s = helix_clamp(*s - t->start[low], t->lengths[low]);
    return (uint32_t)low;
}

/* p, which is given in the frame `in`, in the frame that `in` is given in. */
static pose pose_within(const pose *in, const pose *p)
{
    return (pose){pose_apply(in, p->position), quat_mul(in->rotation, p->rotation)};
}

/* Arc length s of element e in the frame where its parent ends. */
static pose place_within(const helix_tree *t, const double *kappa, size_t e, double s)
{
    const helix at = helix_at(real3_gather(kappa + 3 * e, 1), s);
    const real3 x = helix_point(&at);
    const pose own = {{x.x, x.y, x.z}, so3_exp(v3_scale(s, v3_load(kappa + 3 * e)))};
    const pose offset = {{0.0, 0.0, 0.0}, t->offset[e]};
    return pose_within(&offset, &own);
}

body_place helix_tree_find_place(const helix_tree *t, const double *state, uint32_t element, v3 X)
{
    const reduced_rod_state s = helix_tree_view(t, state);
    const double *kappa = s.q + t->first;
    pose p = place_within(t, kappa, element, helix_clamp(X.x, t->lengths[element]));
    p.position = pose_apply(&p, (v3){0.0, X.y, X.z});
    for (size_t station = t->begin[element]; station > 0; station = t->begin[station - 1]) {
        const pose before = place_within(t, kappa, station - 1, t->lengths[station - 1]);
        p = pose_within(&before, &p);
    }
    p = pose_within(s.root, &p);
    p.rotation = quat_normalize(p.rotation);
    return p;
}

void helix_tree_find_stations(const helix_tree *t, const double *state, pose *out)
{
    const reduced_rod_state s = helix_tree_view(t, state);
    out[0] = *s.root;
    for (size_t e = 0; e < t->elements; e++) {
        const pose own = place_within(t, s.q + t->first, e, t->lengths[e]);
        out[e + 1] = pose_within(&out[t->begin[e]], &own);
        out[e + 1].rotation = quat_normalize(out[e + 1].rotation);
    }
}

static v3 to_v3(real3 a) { return (v3){a.x, a.y, a.z}; }

/* The columns of an element: its curvature c turns with turn[c] what then moves with move[c]. */
static void set_columns(const helix_tree *t, size_t e, const real33 *turn, const real33 *move,
                        double *linear, double *angular)
{
    const size_t n = helix_tree_unknowns(t);
    for (size_t c = 0; c < 3; c++) {
        const size_t column = t->first + 3 * e + c;
        reduced_rod_set_column(linear, n, column, to_v3(move->column[c]));
        reduced_rod_set_column(angular, n, column, to_v3(turn->column[c]));
    }
}

/* The own element moves the point by its slopes and by the turn of the section, those on the way to
 * the root as a part of all beyond them, the others not at all. */
void helix_tree_jacobian(const helix_tree *t, const double *work, uint32_t element, v3 X,
                         double *linear, double *angular, v3 *v_0, v3 *omega_0)
{
    const helix_tree_work w = helix_tree_split_work(t, (double *)work);
    const size_t n = helix_tree_unknowns(t);
    memset(linear, 0, 3 * n * sizeof(double));
    if (angular) memset(angular, 0, 3 * n * sizeof(double));
    const double s = helix_clamp(X.x, t->lengths[element]);
    const helix_material p = helix_find_material(&w.branches[element].joint, s, X);
    real33 move;
    for (size_t c = 0; c < 3; c++) {
        move.column[c] = real3_add(p.slope.column[c], real3_cross(p.turn.column[c], p.offset));
    }
    set_columns(t, element, &p.turn, &move, linear, angular);
    const real3 r = real3_add(w.stations[t->begin[element]].r, p.r); /* from the root */
    for (size_t station = t->begin[element]; station > 0; station = t->begin[station - 1]) {
        const helix_joint *joint = &w.branches[station - 1].joint;
        const real3 arm = real3_sub(r, w.stations[t->begin[station - 1]].r);
        for (size_t c = 0; c < 3; c++)
            move.column[c] = twist_move(helix_motion_of(joint, c), arm).lift;
        set_columns(t, station - 1, &joint->turn, &move, linear, angular);
    }
    if (t->first) reduced_rod_set_root_columns(linear, angular, n, to_v3(r));
    const twist root = t->first ? (twist){0} : twist_move(w.stations[0].motion, r);
    *v_0 = to_v3(root.lift);
    *omega_0 = to_v3(root.turn);
}
