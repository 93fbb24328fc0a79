/* SPDX-License-Identifier: Apache-2.0
 *
 * What rods made of nodes have in common: everything but the measure of their strain.
 *
 * Nodes x_i sit at the joints, straight edges e_i = x_{i+1} - x_i lie between them, and an edge may
 * have turns of its own (none, an angle, a rotation). The coordinates of a rod are
 *     x_0, turns_0, x_1, turns_1, ..., x_E        stride = 3 + turns apart.
 * Energies are sums over rows, 1/2 stiffness strain^2, each over neighbouring coordinates only:
 * with the slopes s of the strains over q
 *     force = -sum s stiffness strain,    K = sum stiffness s s^T + tension,
 * so that A = M + h (damping) + h^2 K is banded and always positive definite. M is lumped.
 *
 * A clamped rod is a free one with one edge more in front of its root, whose coordinates and whose
 * root node are given (`fixed`). The first joint then lies between the root frame and the first
 * edge, over half an element: clamps are as accurate as the rest, of second order.
 *
 * The tension that stiffens an edge sideways is the one of the last solution of the equations, not
 * the one that its elongation shows: edges that turn by an angle a in a step grow by a^2 / 2, which
 * is small, but times E A is many times the weight of a hair.
 *
 * Material frames of edges are unit quaternions in the state, from the last step. Turns in q start
 * from these frames and from zero in every step, so that q adds up. The natural state is the
 * source's piecewise helix sampled at the joints: edges are its chords, the frame of an edge is the
 * helix's in the middle of the element turned the short way onto the chord, and rest strains are
 * those of this state; lengths that weigh strains, masses and drag are arc lengths.
 */
#ifndef RODS_NODAL_ROD_H
#define RODS_NODAL_ROD_H

#include "rods/rod.h"

enum {
    NODAL_STENCIL = 11, /* coordinates that one strain may depend on */
    NODAL_ROWS = 3      /* strains of a joint or an edge */
};

typedef struct nodal_rods nodal_rods;

/* One rod: where its coordinates are, and the frames that its turns start from. */
typedef struct nodal_view {
    const nodal_rods *g;
    size_t rod;
    const double *q, *fixed;
    const double *frames;  /* [edges][4] */
    const double *twists;  /* [edges] of the joint before the edge, for its whole turns */
    const double *tension; /* [edges] N, of the last step */
} nodal_view;

/* An edge now. Its material turns by
 *     omega = by_edge (x'_{i+1} - x'_i) + sum by_turn[k] turns'_k. */
typedef struct nodal_edge {
    v3 t; /* unit */
    double length;
    quat frame;
    v3 n[3]; /* its axes; n[0] is t unless the model keeps them apart */
    m3 by_edge;
    v3 by_turn[3];
} nodal_edge;

/* A strain with its slope over the coordinates [first, first + count). */
typedef struct nodal_row {
    size_t first, count;
    double strain;    /* above rest */
    double stiffness; /* of the strain and of its geometric part */
    double viscosity; /* damping * stiffness for twist and curvature, 0 for others */
    double slope[NODAL_STENCIL];
} nodal_row;

/* A strain of a joint or an edge above its rest, with its stiffness: 1/2 stiffness strain^2. */
typedef struct nodal_strain {
    double strain, stiffness;
} nodal_strain;

typedef struct nodal_model {
    body_group_ops ops;
    uint32_t turns; /* of an edge */
    uint32_t width; /* half bandwidth of A */
    void (*find_edge)(const nodal_view *at, size_t edge, nodal_edge *out);
    /* The strains of the joint between edge - 1 and edge, as they are compared with their rest. */
    void (*measure_joint)(const nodal_view *at, size_t edge, const nodal_edge *a,
                          const nodal_edge *b, double strain[NODAL_ROWS]);
    /* The energies of this joint; returns how many there are. */
    size_t (*joint_strains)(const nodal_view *at, size_t edge, const nodal_edge *a,
                            const nodal_edge *b, nodal_strain out[NODAL_ROWS]);
    /* Fills the rows of this joint, of the same strains first, and returns how many there are. */
    size_t (*joint_rows)(const nodal_view *at, size_t edge, const nodal_edge *a,
                         const nodal_edge *b, nodal_row *rows);
    /* The same of an edge beside its stretch; NULL: none. */
    size_t (*edge_strains)(const nodal_view *at, size_t edge, const nodal_edge *now,
                           nodal_strain out[NODAL_ROWS]);
    size_t (*edge_rows)(const nodal_view *at, size_t edge, const nodal_edge *now, nodal_row *rows);
    /* Turns that bring an edge, when it lies along the axis of `frame`, to that frame; NULL: none. */
    void (*turns_to)(const nodal_view *at, size_t edge, quat frame, double *turns);
} nodal_model;

/* A model's row of functions; the rest of body_group_ops is its own. */
#define NODAL_ROD_OPS                                                                              \
    .predict = nodal_rod_predict, .correct = nodal_rod_correct, .place = nodal_rod_find_place,     \
    .jacobian = nodal_rod_jacobian, .energy = nodal_rod_energy, .gradient = nodal_rod_gradient,    \
    .relax = nodal_rod_relax, .destroy = nodal_rod_destroy

struct nodal_rods {
    body_group base; /* first: a body_group * is a nodal_rods * */
    const nodal_model *model;
    allocator from;
    uint32_t elements, edges;
    uint32_t given;         /* edges in front of the root: 1 if it is clamped, else 0 */
    size_t stride, fixed;   /* coordinates of a node and its edge; given ones at the front */
    rod_material *material; /* [rods] */
    double *numbers;        /* all that follow, [rods] each */
    double *lengths;        /* [elements] arc lengths */
    double *natural;        /* [elements][3] */
    double *chord;          /* [edges] rest lengths */
    double *weight;         /* [edges] arc length that belongs to the joint before the edge */
    double *rest;           /* [edges][3] strains of the joint before the edge */
    double *mass;           /* [edges * stride + 3] of every coordinate */
    double *share;          /* [edges + 1] arc length that belongs to a node */
};

status nodal_rod_create(const nodal_model *model, const rods_source *source, const allocator *from,
                        body_group **out, error *err);
/* rod_model.place of every nodal model. */
void nodal_rod_place(const body_group *g, const pose *root, const double *kappa, double *state);
void nodal_rod_destroy(body_group *g);

void nodal_rod_predict(const body_group *g, const body_input *in, const double *state, double *work,
                       size_t begin, size_t end);
void nodal_rod_correct(const body_group *g, const body_input *in, const double *state,
                       const double *work, const double *v, double *next, size_t begin, size_t end);
void nodal_rod_relax(const body_group *g, const body_input *in, double *state, uint32_t body,
                     double *work);
body_place nodal_rod_find_place(const body_group *g, const double *state, uint32_t body, v3 X);
void nodal_rod_jacobian(const body_group *g, const double *work, uint32_t body, v3 X,
                        double *linear, double *angular, v3 *v_0, v3 *omega_0);
body_energy nodal_rod_energy(const body_group *g, const body_input *in, const double *state,
                             uint32_t body);
void nodal_rod_gradient(const body_group *g, const body_input *in, const double *state,
                        uint32_t body, double *out);

/* For the models. */

static inline const double *nodal_coordinate(const nodal_view *at, size_t i)
{
    return i < at->g->fixed ? at->fixed + i : at->q + (i - at->g->fixed);
}

static inline v3 nodal_position(const nodal_view *at, size_t node)
{
    return v3_load(nodal_coordinate(at, node * at->g->stride));
}

static inline const double *nodal_turns(const nodal_view *at, size_t edge)
{
    return nodal_coordinate(at, edge * at->g->stride + 3);
}

static inline quat nodal_frame(const nodal_view *at, size_t edge)
{
    const double *p = at->frames + 4 * edge;
    return (quat){p[0], p[1], p[2], p[3]};
}

static inline const rod_material *nodal_material(const nodal_view *at)
{
    return &at->g->material[at->rod];
}

static inline double nodal_chord(const nodal_view *at, size_t edge)
{
    return at->g->chord[at->rod * at->g->edges + edge];
}

static inline double nodal_weight(const nodal_view *at, size_t edge)
{
    return at->g->weight[at->rod * at->g->edges + edge];
}

static inline const double *nodal_rest(const nodal_view *at, size_t edge)
{
    return at->g->rest + 3 * (at->rod * at->g->edges + edge);
}

/* The state of one rod, from where it begins. */
typedef struct nodal_state {
    double *q, *v, *fixed, *v_fixed, *frames, *twists, *tension;
} nodal_state;

nodal_state nodal_state_at(const nodal_rods *g, double *begin);
nodal_view nodal_view_at(const nodal_rods *g, size_t rod, const double *begin);

/* The given first edge and the root node of a rod, if it is clamped. */
void nodal_place_root(const nodal_rods *g, size_t rod, const pose *root, const nodal_state *s);

void nodal_store_frame(const nodal_state *s, size_t edge, quat frame);

/* The unit direction and the length of an edge; where it has no direction left, the one of its
 * frame. */
void nodal_direct_edge(const nodal_view *at, size_t edge, nodal_edge *out);

void nodal_set_frame(nodal_edge *edge, quat frame);

/* A row of zero slopes over `count` coordinates. */
nodal_row nodal_begin_row(const nodal_view *at, size_t first, size_t count, double strain,
                          double stiffness);

/* nodal_model.joint_strains of models that measure a twist and two curvatures. */
size_t nodal_twist_and_bends(const nodal_view *at, size_t edge, const nodal_edge *a,
                             const nodal_edge *b, nodal_strain out[NODAL_ROWS]);

/* Adds to a row the slope of g . (x_{i+1} - x_i) of an edge i; of g . omega as far as it comes from
 * turns; or of all of it. */
void nodal_pull_edge(const nodal_view *at, nodal_row *row, size_t edge, v3 g);
void nodal_pull_turns(const nodal_view *at, nodal_row *row, size_t edge, const nodal_edge *now,
                      v3 g);
void nodal_pull_spin(const nodal_view *at, nodal_row *row, size_t edge, const nodal_edge *now,
                     v3 g);

/* The energy 1/2 c (|w| - rest)^2 as rows for the components of w along `along`: the strain itself,
 * then, if w pulls, what resists turning it. Returns how many. */
size_t nodal_norm_rows(const nodal_view *at, v3 w, double rest, double c, double pull,
                       nodal_row like, nodal_row rows[3], v3 along[3]);

/* For the step, which needs the same sums as energy and its slope. */

/* Calls visit for every strain of a rod, from root to tip. */
typedef void (*nodal_visit_row)(void *to, const nodal_row *row);
void nodal_visit_rows(const nodal_view *at, nodal_visit_row visit, void *to);

/* The energy of all strains, without their slopes: the sum over the rows to the last bit. */
double nodal_elastic_energy(const nodal_view *at);

typedef struct nodal_slope_target {
    const nodal_rods *g;
    double *out; /* [unknowns] */
} nodal_slope_target;

/* Adds factor * slope. */
void nodal_add_slope(const nodal_slope_target *to, const nodal_row *row, double factor);

/* Adds the loads on one rod, times `factor`, to what has its unknowns. */
void nodal_add_loads(const nodal_view *at, const body_input *in, double factor, double *out);

/* What gravity and the field do at a node. */
v3 nodal_acceleration(const nodal_rods *g, const body_input *in, size_t rod, size_t node);

/* Of every coordinate. */
const double *nodal_masses(const nodal_rods *g, size_t rod);

#endif
