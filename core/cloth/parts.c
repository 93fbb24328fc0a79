/* SPDX-License-Identifier: Apache-2.0
 *
 * A triangle's part. With R_a = (d_a1 0; 0 d_a2; d_a2 d_a1) the strain e = (E_11, E_22, 2 E_12) has
 * the gradient R_a (F_1 F_2)^T over x_a, so that with the tangent T and the tension S+ >= 0
 *     K_ab = area (sum_ij (R_a^T T R_b)_ij F_i F_j^T + d_a . S+ d_b 1),
 * and rows of K add up to zero. A hinge's part is bound grad_a grad_b^T.
 */
#include "cloth/parts.h"

#include "cloth/hinge.h"

/* ---- triangles ---- */

/* e' = R F' */
static void strain_rate(const cloth_deformation *d, const v3 rate[2], double e[3])
{
    e[0] = v3_dot(d->F[0], rate[0]);
    e[1] = v3_dot(d->F[1], rate[1]);
    e[2] = v3_dot(d->F[0], rate[1]) + v3_dot(d->F[1], rate[0]);
}

static void multiply_tangent(const double T[6], const double e[3], double out[3])
{
    out[0] = T[0] * e[0] + T[1] * e[1] + T[2] * e[2];
    out[1] = T[1] * e[0] + T[3] * e[1] + T[4] * e[2];
    out[2] = T[2] * e[0] + T[4] * e[1] + T[5] * e[2];
}

/* K_ab with T and S+ already weighted. */
static m3 face_block(const v3 F[2], const double T[6], const double tension[3], const double a[2],
                     const double b[2])
{
    /* R_a^T T, two rows of three */
    const double u[3] = {a[0] * T[0] + a[1] * T[2], a[0] * T[1] + a[1] * T[4],
                         a[0] * T[2] + a[1] * T[5]};
    const double w[3] = {a[1] * T[1] + a[0] * T[2], a[1] * T[3] + a[0] * T[4],
                         a[1] * T[4] + a[0] * T[5]};
    const v3 to_F0 = v3_add(v3_scale(u[0] * b[0] + u[2] * b[1], F[0]),
                            v3_scale(u[1] * b[1] + u[2] * b[0], F[1]));
    const v3 to_F1 = v3_add(v3_scale(w[0] * b[0] + w[2] * b[1], F[0]),
                            v3_scale(w[1] * b[1] + w[2] * b[0], F[1]));
    const double g = a[0] * (tension[0] * b[0] + tension[2] * b[1]) +
                     a[1] * (tension[2] * b[0] + tension[1] * b[1]);
    const m3 first = cloth_outer(F[0], to_F0), second = cloth_outer(F[1], to_F1),
             third = m3_diagonal(g);
    const m3 sum = m3_add(&first, &second);
    return m3_add(&sum, &third);
}

/* area (force S F - rates), the impulse along each chart direction. */
static void face_impulse(const cloth_part_job *job, const cloth_deformation *d,
                         const cloth_response *r, const double tension[3], const v3 rate[2],
                         v3 out[2])
{
    const cloth_part_weights *w = &job->weight;
    double e[3], T_e[3], s[3], t[3];
    strain_rate(d, rate, e);
    multiply_tangent(r->T, e, T_e);
    for (int i = 0; i < 3; i++) {
        s[i] = w->force * r->S[i] - w->material_rate * T_e[i];
        t[i] = w->tension_rate * tension[i];
    }
    out[0] = v3_add(v3_scale(s[0], d->F[0]), v3_scale(s[2], d->F[1]));
    out[1] = v3_add(v3_scale(s[2], d->F[0]), v3_scale(s[1], d->F[1]));
    out[0] = v3_sub(out[0], v3_add(v3_scale(t[0], rate[0]), v3_scale(t[2], rate[1])));
    out[1] = v3_sub(out[1], v3_add(v3_scale(t[2], rate[0]), v3_scale(t[1], rate[1])));
}

static void face_velocity(const cloth_part_job *job, uint32_t f, v3 rate[2])
{
    const cloth_sheet *s = job->k->sheet;
    rate[0] = rate[1] = (v3){0.0, 0.0, 0.0};
    if (!job->v) return;
    v3 p, q;
    cloth_face_sides(s->topology.corner + 3 * (size_t)f, job->v, &p, &q);
    for (int i = 0; i < 2; i++) rate[i] = cloth_chart_apply(&s->rest.chart[f], i, p, q);
}

static void make_face(const cloth_part_job *job, uint32_t f, cloth_face_part *part)
{
    const cloth_sheet *s = job->k->sheet;
    const cloth_chart *c = &s->rest.chart[f];
    const cloth_deformation d = cloth_sheet_deform(s, f, job->x);
    cloth_response r = cloth_membrane_respond(&s->material.membrane, s->factor[f].stretch,
                                              s->factor[f].shear, d.e);
    double tension[3], g[3][2];
    v3 rate[2], impulse[2];
    cloth_membrane_tension(r.S, tension);
    face_velocity(job, f, rate);
    face_impulse(job, &d, &r, tension, rate, impulse);
    for (int i = 0; i < 6; i++) r.T[i] *= c->area * job->weight.material;
    for (int i = 0; i < 3; i++) tension[i] *= c->area * job->weight.tension;
    for (int a = 0; a < 3; a++) cloth_chart_gradient(c, a, g[a]);
    for (int a = 0; a < 3; a++) {
        part->block[a] = face_block(d.F, r.T, tension, g[a], g[(a + 1) % 3]);
        part->push[a] = v3_scale(
            -c->area, v3_add(v3_scale(g[a][0], impulse[0]), v3_scale(g[a][1], impulse[1])));
    }
}

/* A third of the area times |u| (normal n n^T + tangential (1 - n n^T)), times h. */
static sym3 air_on_face(const cloth_forcing *f, const uint32_t *corner)
{
    v3 u = {0.0, 0.0, 0.0}, p, q;
    for (int a = 0; a < 3; a++) {
        const size_t at = 3 * (size_t)corner[a];
        const v3 v = v3_load(f->v + at);
        u = v3_add(u, f->air.velocity ? v3_sub(v3_load(f->air.velocity + at), v) : v3_neg(v));
    }
    cloth_face_sides(corner, f->x, &p, &q);
    const v3 n = v3_cross(p, q);
    const double n2 = v3_dot(n, n), push = f->h * sqrt(n2) / 6.0 * v3_norm(u) / 3.0;
    if (!(n2 > 0.0)) return sym3_diagonal(0.0);
    const double along = push * f->air.tangential;
    const double c = push * (f->air.normal - f->air.tangential) / n2;
    return (sym3){along + c * n.x * n.x, c * n.x * n.y, c * n.x * n.z,
                  along + c * n.y * n.y, c * n.y * n.z, along + c * n.z * n.z};
}

static void make_faces(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const cloth_part_job *job = user;
    const cloth_system *k = job->k;
    for (size_t f = begin; f < end; f++) {
        make_face(job, (uint32_t)f, &k->face[f]);
        if (cloth_has_air(&k->forcing)) {
            k->face[f].air = air_on_face(&k->forcing, k->sheet->topology.corner + 3 * f);
        }
    }
}

/* ---- hinges ---- */

static void measure_hinges(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const cloth_part_job *job = user;
    const cloth_system *k = job->k;
    for (size_t e = begin; e < end; e++) {
        const uint32_t *node = k->sheet->topology.hinge[e].node;
        const cloth_hinge_angle now = cloth_hinge_measure(node, job->x);
        const double t = cloth_angle_from_rest(now.angle, k->sheet->rest.angle[e]);
        k->bent[e] = now.is_defined ? t : 0.0;
        k->bending[e] = 0.0;
        for (int a = 0; a < 4; a++) {
            k->hinge[e].slope[a] = now.gradient[a];
            if (!job->v) continue;
            k->bending[e] += v3_dot(now.gradient[a], v3_load(job->v + 3 * (size_t)node[a]));
        }
    }
}

/* Needs the angles of neighbours. */
static void make_hinges(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const cloth_part_job *job = user;
    const cloth_system *k = job->k;
    const cloth_part_weights *w = &job->weight;
    for (size_t e = begin; e < end; e++) {
        const cloth_stiffness *row = &k->sheet->stiffness[e];
        const double scale = sqrt(w->material * row->bound);
        const double push = w->bound_rate * row->bound * k->bending[e] -
                            w->force * cloth_bending_moment(row, (uint32_t)e, k->bent) -
                            w->moment_rate * cloth_bending_moment(row, (uint32_t)e, k->bending);
        k->hinge[e].push = scale > 0.0 ? push / scale : 0.0;
        for (int a = 0; a < 4; a++) k->hinge[e].slope[a] = v3_scale(scale, k->hinge[e].slope[a]);
    }
}

void cloth_parts_make(cloth_part_job *job, pool *threads)
{
    const cloth_topology *t = &job->k->sheet->topology;
    pool_for(threads, t->triangles, make_faces, job);
    pool_for(threads, t->hinges, measure_hinges, job);
    pool_for(threads, t->hinges, make_hinges, job);
}
