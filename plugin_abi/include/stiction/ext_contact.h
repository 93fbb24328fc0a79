/* SPDX-License-Identifier: Apache-2.0
 *
 * Extension "stiction.contact/1": one-step frictional contact problems, solved on their own.
 *
 *     const stn_ext_contact *contact = api->get_extension(STN_EXT_CONTACT);
 *
 * For benchmarks, for people who compare solvers, and for studios with problems of their own: find
 * r with u = W r + b and Coulomb's law with mu_i at every contact. Not part of the frozen table: it
 * may still change, under a new name.
 */
#ifndef STICTION_EXT_CONTACT_H
#define STICTION_EXT_CONTACT_H

#include <stiction/stiction.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STN_EXT_CONTACT "stiction.contact/1"

/* 3 numbers per contact, the normal one first. W in compressed rows of 3x3 blocks: contact i has
 * the blocks row_start[i] .. row_start[i + 1] in the columns col, 9 numbers each, row by row. */
typedef struct stn_contact_problem {
    uint32_t struct_size;
    uint32_t contacts;
    const uint32_t *row_start; /* contacts + 1 */
    const uint32_t *col;
    const double *blocks;
    const double *b;
    const double *mu;
} stn_contact_problem;

typedef struct stn_contact_options {
    uint32_t struct_size;
    uint32_t threads;        /* 0: one per core. Results do not depend on it. */
    const char *solver;      /* NULL: "auto" */
    const char *local;       /* one-contact solver; NULL: the default */
    double tolerance;        /* relative to the largest |b_i|; 0: 1e-6 */
    uint32_t max_iterations; /* 0: the solver's choice */
    uint32_t reserved;
    void *user;
    /* After every iteration, with the relative residual; not 0 stops. May be NULL. */
    int32_t (*trace)(void *user, uint32_t iteration, double residual);
} stn_contact_options;

typedef struct stn_contact_result {
    uint32_t struct_size;
    uint32_t converged;
    uint64_t iterations;
    double residual;            /* m/s, worst contact */
    double residual_relative;   /* over the largest |b_i| */
    double fischer_burmeister;  /* m/s, worst contact */
    double alart_curnier;       /* m/s, worst contact */
    double cone_violation;      /* largest |r_T| - mu r_N; 0 if none */
    double min_normal_velocity; /* m/s */
    uint64_t stick;
    uint64_t slide;
    uint64_t takeoff;
    uint64_t local_failures;
    uint64_t islands; /* groups of contacts that do not act on one another; 0: not counted */
    double seconds;   /* of the solver; its parts follow, as far as it tells them apart */
    uint64_t local_fallbacks; /* one-contact problems that the first method missed */
    double seconds_setup;     /* before the solver: the problem is checked and copied */
    double seconds_sweeps;
    double seconds_newton; /* without its linear algebra */
    double seconds_linear;
    double seconds_measure; /* after the solver: the figures of this struct */
    uint64_t local_calls;   /* one-contact problems in sweeps */
    uint64_t local_iterations; /* sum over them, in the method's own unit */
} stn_contact_result;

/* What the contacts of one step of a scene asked for, and what the step answered. All of it, the
 * arrays too, is the library's and gone when the visitor returns. */
typedef struct stn_step_problem {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t step; /* how many the scene has taken, this one included */
    double frame;  /* at the end of the step */
    double seconds;
    const stn_contact_problem *problem;
    const double *r;  /* impulses, N s */
    const double *u;  /* velocities, m/s */
    double residual;  /* m/s, worst contact */
    double tolerance; /* m/s, what the scene asks for */
} stn_step_problem;

typedef struct stn_problem_visitor {
    uint32_t struct_size;
    uint32_t reserved;
    void *user;
    /* On the stepping thread, after every whole step that has a contact. Not 0: the running
     * advance_to_frame ends with STN_CANCELLED before its next step, if there is one. The scene is
     * busy: calls on it are refused. NULL: nobody, as at the beginning. */
    int32_t (*visit)(void *user, const stn_step_problem *step);
} stn_problem_visitor;

/* Problems of one contact each. The last three arrays are filled in; NULL: not wanted. */
typedef struct stn_local_batch {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t count;
    const char *local;    /* one-contact solver; NULL: the default */
    const double *W;      /* 9 per problem, row by row; its symmetric part counts */
    const double *b;      /* 3 per problem */
    const double *mu;     /* 1 per problem */
    const double *guess;  /* 3 per problem, where methods that iterate start; NULL: 0 */
    double *r;            /* 3 per problem; a failed one gets the best point found */
    uint32_t *iterations; /* 1 per problem, in the method's own unit */
    uint32_t *verdict;    /* 1 per problem: 0, or a sum of STN_LOCAL_... */
} stn_local_batch;

#define STN_LOCAL_FAILED 1    /* off the law by more than 1e-10 |b| */
#define STN_LOCAL_FELL_BACK 2 /* the method missed and all solutions were enumerated */

typedef struct stn_local_result {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t failures;
    uint64_t fallbacks;
    uint64_t iterations; /* sum */
    double seconds;      /* all problems, without the checks before */
} stn_local_result;

/* Texts live for ever. */
typedef struct stn_solver_info {
    uint32_t struct_size;
    uint32_t reserved;
    const char *name;
    const char *doc;
} stn_solver_info;

/* A step before anything is condensed: bodies with a dense inertia each, nodes with one sparse
 * matrix A, both symmetric positive definite, and contacts that touch any of them:
 *     inertia (v - v_free) = H^T r,    A v = force + H^T r,    u = sum H v + velocity.
 * Pointers to what there is none of may be NULL. */
typedef struct stn_contact_system {
    uint32_t struct_size;
    uint32_t bodies;
    uint32_t nodes; /* 3 unknowns each */
    uint32_t contacts;
    const uint32_t *body_unknowns; /* bodies */
    const double *body_inertia;    /* unknowns^2 each, row by row, one body after another */
    const double *body_velocity;   /* v_free: unknowns each */
    const uint32_t *row_start;     /* nodes + 1: A in compressed rows of 3x3 blocks */
    const uint32_t *col;
    const double *blocks;
    const double *force;         /* 3 nodes, kg m/s */
    const double *mu;            /* contacts */
    const double *velocity;      /* 3 contacts, the normal first: what moves by itself */
    const uint32_t *term_start;  /* contacts + 1: where the terms of each begin */
    const uint32_t *term_target; /* a body, or bodies + a node */
    const double *term_H;        /* 3 x unknowns of the target, row by row, one after another */
} stn_contact_system;

typedef struct stn_ext_contact {
    uint32_t struct_size;
    uint32_t version;
    /* [any] The solvers and the one-contact solvers; the first of each is the default. */
    uint64_t (*solver_count)(void);
    stn_status (*solver_info)(uint64_t index, stn_solver_info *out);
    uint64_t (*local_count)(void);
    stn_status (*local_info)(uint64_t index, stn_solver_info *out);
    /* [any] r: 3 per contact, the start in and the answer out; u (may be NULL): the velocities.
     * STN_NOT_CONVERGED: r is the best found. STN_CANCELLED: trace stopped it. */
    stn_status (*solve)(const stn_contact_problem *problem, const stn_contact_options *options,
                        double *r, double *u, stn_contact_result *result);
    /* [any] This thread's last failed call. */
    const char *(*last_error)(void);
    /* [scene] Who sees the scene's problems from now on; errors as in stn_api. Steps do nothing for
     * it while nobody does. */
    stn_status (*visit_problems)(stn_scene *scene, const stn_problem_visitor *visitor);
    /* [any] A one-contact solver on each of many problems. A failed one is a result. result may be
     * NULL. */
    stn_status (*solve_locals)(const stn_local_batch *batch, stn_local_result *result);
    /* [any] The solvers of systems; the first is the default. */
    uint64_t (*system_solver_count)(void);
    stn_status (*system_solver_info)(uint64_t index, stn_solver_info *out);
    /* [any] As solve. v (may be NULL): velocities of all bodies, then of all nodes; those of nodes
     * are a start as well. The residual counts the dynamics too, and tolerances are relative to the
     * largest |u| without impulses. Errors leave r, u and v as they are. */
    stn_status (*solve_system)(const stn_contact_system *system, const stn_contact_options *options,
                               double *r, double *u, double *v, stn_contact_result *result);
} stn_ext_contact;

#ifdef __cplusplus
}
#endif

#endif
