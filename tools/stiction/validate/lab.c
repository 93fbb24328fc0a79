/* SPDX-License-Identifier: Apache-2.0 */
#include "lab.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- figures --------------------------------------------------------------------------------- */

static figure *new_figure(lab *l)
{
    if (l->count == l->capacity) {
        const size_t capacity = l->capacity ? 2 * l->capacity : 64;
        figure *grown = realloc(l->figures, capacity * sizeof *grown);
        if (!grown) {
            l->out_of_memory = true;
            return NULL;
        }
        l->figures = grown;
        l->capacity = capacity;
    }
    return &l->figures[l->count++];
}

void lab_add(lab *l, double value, double expected, double error, double bound, const char *format,
             ...)
{
    figure *f = new_figure(l);
    if (!f) return;
    *f = (figure){.value = value, .expected = expected, .error = error, .bound = bound};
    f->pass = error <= bound;
    const int length = snprintf(f->name, sizeof f->name, "%s/", l->area_case);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->name + length, sizeof f->name - (size_t)length, format, arguments);
    va_end(arguments);
}

void lab_run(lab *l, const lab_case *c)
{
    l->area_case = c->name;
    l->residual = 0.0;
    l->tolerance = 0.0;
    l->error[0] = '\0';
    c->run(l);
    lab_add(l, l->residual, 0.0, l->residual, l->tolerance, "residual");
    if (!l->error[0]) return;
    fprintf(stderr, "%s: %s\n", c->name, l->error);
    lab_add(l, 1.0, 0.0, 1.0, 0.0, "error");
}

void lab_free(lab *l)
{
    free(l->figures);
    l->figures = NULL;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static bool usable(const world *w) { return w->scene && !w->l->error[0]; }

static void check(world *w, stn_status status)
{
    if (status >= 0 || w->l->error[0]) return;
    const char *why = w->l->api->last_error(w->scene);
    snprintf(w->l->error, sizeof w->l->error, "%s: %s", w->l->api->status_name(status), why);
}

void world_open(world *w, lab *l, vec gravity)
{
    *w = (world){.l = l};
    const stn_scene_desc desc = {.struct_size = sizeof desc, .threads = 1};
    check(w, l->api->scene_create(&desc, &w->scene));
    if (!usable(w)) return;
    const double values[3] = {gravity.x, gravity.y, gravity.z};
    check(w, l->api->parameter_set(w->scene, STN_SCENE_ID, "gravity", values, 3));
    check(w, l->api->parameter_get(w->scene, STN_SCENE_ID, "tolerance", &l->tolerance, 1));
}

void world_close(world *w)
{
    w->l->api->scene_destroy(w->scene);
    w->scene = NULL;
}

static stn_pose make_pose(vec p, turn q)
{
    return (stn_pose){.struct_size = sizeof(stn_pose),
                      .position = {p.x, p.y, p.z},
                      .rotation = {q.w, q.x, q.y, q.z}};
}

static stn_id add_collider(world *w, uint32_t shape, vec place, turn rotation, double size,
                           double mu)
{
    stn_id id = 0;
    if (!usable(w)) return id;
    const stn_pose pose = make_pose(place, rotation);
    const stn_collider_desc desc = {
        .struct_size = sizeof desc, .shape = shape, .pose = &pose, .size = {size, 0.0, 0.0}};
    check(w, w->l->api->collider_create(w->scene, &desc, &id));
    world_set_parameter(w, id, "friction", mu);
    return id;
}

stn_id world_add_plane(world *w, vec point, turn rotation, double mu)
{
    return add_collider(w, STN_SHAPE_PLANE, point, rotation, 0.0, mu);
}

stn_id world_add_sphere(world *w, vec center, double radius, double mu)
{
    return add_collider(w, STN_SHAPE_SPHERE, center, turn_none(), radius, mu);
}

static stn_view view_of(const void *data, size_t count, uint32_t components)
{
    return (stn_view){.struct_size = sizeof(stn_view),
                      .format = STN_FORMAT_F64,
                      .data = data,
                      .count = count,
                      .components = components};
}

stn_id world_add_nodes(world *w, const world_nodes *nodes)
{
    stn_id id = 0;
    if (!usable(w)) return id;
    double masses[LAB_MOST_NODES];
    for (size_t i = 0; i < LAB_MOST_NODES; i++) masses[i] = 0.01;
    const stn_view m = view_of(masses, nodes->count, 1);
    const stn_view x = view_of(nodes->x, nodes->count, 3), v = view_of(nodes->v, nodes->count, 3);
    const stn_cloth_desc desc = {.struct_size = sizeof desc,
                                 .positions = &x,
                                 .velocities = nodes->v ? &v : NULL,
                                 .masses = &m};
    check(w, w->l->api->cloth_create(w->scene, &desc, &id));
    world_set_parameter(w, id, "thickness", nodes->thickness);
    world_set_parameter(w, id, "friction", nodes->mu);
    return id;
}

void world_move(world *w, stn_id collider, vec position, turn rotation)
{
    if (!usable(w)) return;
    const stn_pose pose = make_pose(position, rotation);
    check(w, w->l->api->pose_set(w->scene, collider, &pose, 0));
}

void world_step(world *w, double dt)
{
    if (!usable(w)) return;
    check(w, w->l->api->step(w->scene, dt));
    stn_statistics s = {.struct_size = sizeof s};
    check(w, w->l->api->statistics_get(w->scene, &s));
    w->l->residual = lab_worst(w->l->residual, s.residual);
    w->penetration = lab_worst(w->penetration, s.penetration);
}

void world_set_velocity(world *w, stn_id cloth, const vec *v, size_t count)
{
    if (!usable(w)) return;
    const stn_view view = view_of(v, count, 3);
    check(w, w->l->api->array_set(w->scene, cloth, "velocity", &view));
}

void world_set_parameter(world *w, stn_id object, const char *name, double value)
{
    if (!usable(w)) return;
    check(w, w->l->api->parameter_set(w->scene, object, name, &value, 1));
}

static void get_vectors(world *w, stn_id cloth, const char *name, vec *out, size_t count)
{
    lab_fill_vectors(out, count, (vec){NAN, NAN, NAN});
    if (!usable(w)) return;
    const stn_mut_view view = {.struct_size = sizeof view,
                               .format = STN_FORMAT_F64,
                               .data = out,
                               .count = count,
                               .components = 3};
    check(w, w->l->api->array_get(w->scene, cloth, name, &view));
}

void world_get_positions(world *w, stn_id cloth, vec *out, size_t count)
{
    get_vectors(w, cloth, "position", out, count);
}

void world_get_velocities(world *w, stn_id cloth, vec *out, size_t count)
{
    get_vectors(w, cloth, "velocity", out, count);
}

size_t world_count_states(world *w, stn_id cloth, size_t count, uint32_t state)
{
    uint32_t states[LAB_MOST_NODES] = {0};
    if (!usable(w) || count > LAB_MOST_NODES) return 0;
    const stn_mut_view view = {.struct_size = sizeof view,
                               .format = STN_FORMAT_U32,
                               .data = states,
                               .count = count,
                               .components = 1};
    check(w, w->l->api->array_get(w->scene, cloth, "contact_state", &view));
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += states[i] == state;
    return found;
}

/* ---- sheets ---------------------------------------------------------------------------------- */

size_t lab_fill_sheet(vec *out, size_t n, double side, vec center, vec a, vec b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double s = side * ((double)i / (double)(n - 1) - 0.5);
            const double t = side * ((double)j / (double)(n - 1) - 0.5);
            out[i * n + j] = vec_add(center, vec_add(vec_scale(s, a), vec_scale(t, b)));
        }
    }
    return n * n;
}

void lab_fill_vectors(vec *out, size_t count, vec value)
{
    for (size_t i = 0; i < count; i++) out[i] = value;
}
