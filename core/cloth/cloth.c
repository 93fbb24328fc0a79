/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/cloth.h"

#include <string.h>

status cloth_init(cloth *c, const allocator *from, size_t nodes, size_t triangles, error *err)
{
    *c = (cloth){.nodes = nodes, .triangles = triangles};
    c->rest = memory_alloc(from, memory_size(nodes, 3 * sizeof *c->rest));
    c->area = memory_alloc(from, memory_size(nodes, sizeof *c->area));
    c->mass = memory_alloc(from, memory_size(nodes, sizeof *c->mass));
    if (triangles) c->triangle = memory_alloc(from, memory_size(triangles, 3 * sizeof(uint32_t)));
    if (c->rest && c->area && c->mass && (c->triangle || !triangles)) return STATUS_OK;
    cloth_destroy(c, from);
    return error_out_of_memory(err, "a cloth");
}

void cloth_destroy(cloth *c, const allocator *from)
{
    memory_free(from, c->rest, c->nodes * 3 * sizeof *c->rest);
    memory_free(from, c->area, c->nodes * sizeof *c->area);
    memory_free(from, c->mass, c->nodes * sizeof *c->mass);
    memory_free(from, c->triangle, c->triangles * 3 * sizeof *c->triangle);
    *c = (cloth){0};
}

void cloth_set_rest_shape(cloth *c, const double *rest)
{
    memcpy(c->rest, rest, c->nodes * 3 * sizeof *rest);
    memset(c->area, 0, c->nodes * sizeof *c->area);
    for (size_t t = 0; t < c->triangles; t++) {
        const uint32_t *node = &c->triangle[3 * t];
        const v3 a = v3_load(&rest[3 * node[0]]);
        const v3 ab = v3_sub(v3_load(&rest[3 * node[1]]), a);
        const v3 ac = v3_sub(v3_load(&rest[3 * node[2]]), a);
        const double third = v3_norm(v3_cross(ab, ac)) / 6.0;
        for (int k = 0; k < 3; k++) c->area[node[k]] += third;
    }
}

void cloth_set_density(cloth *c, double density)
{
    if (c->mass_is_given) return;
    for (size_t i = 0; i < c->nodes; i++) c->mass[i] = density * c->area[i];
}

size_t cloth_find_bad_mass(const cloth *c)
{
    size_t i = 0;
    while (i < c->nodes && c->mass[i] > 0.0 && isfinite(c->mass[i])) i++;
    return i;
}

void cloth_predict(const cloth *c, const cloth_motion *m, size_t begin, size_t end)
{
    const v3 kick = v3_scale(m->dt, m->gravity);
    const double rate = m->fraction / m->dt;
    for (size_t i = begin; i < end; i++) {
        const v3 v = v3_load(&m->v[3 * i]);
        v3 v_free = v3_add(v, kick);
        double w = 1.0 / c->mass[i];
        if (m->pin[i] > 0.0) {
            const v3 way = v3_sub(v3_load(&m->target[3 * i]), v3_load(&m->x[3 * i]));
            v_free = v3_scale(rate, way);
            w = 0.0;
        }
        v3_store(&m->v_free[3 * i], v_free);
        m->inverse_mass[i] = w;
    }
}
