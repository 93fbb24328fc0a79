/* SPDX-License-Identifier: Apache-2.0
 *
 * What a Gauss-Seidel visit to a contact costs in the form of bodies, against the number of
 * contacts: work and memory must grow linearly.
 *
 * The problems are bundles of curled fibres that hang side by side on a square grid, with 16 hinges
 * each: hinge k turns everything below it about one axis. A fibre touches its neighbours at 13
 * places of its own choice (26 with theirs), 3 * 13 / 16 = 2.4 equations per unknown. Sweeps skip
 * nothing; the first ones are not timed, and of the others the fastest and the median are printed.
 */
#include "base/clock.h"
#include "contact/bodies_gs.h"
#include "math/frame.h"
#include "math/trig.h"

#include <stdio.h>
#include <stdlib.h>

enum { UNKNOWNS = 16, PER_FIBRE = 13, POINTS = 32, WARM_UP = 10, TIMED = 25 };

static const double length = 0.2, curl = 0.004, turns = 40.0; /* m, m, rad */

typedef struct bundle {
    uint32_t fibres, contacts;
    bodies_body *body;
    bodies_contact *contact;
    double *factors, *v, *H;
} bundle;

/* Uniform in [low, high), the same on every machine (a linear congruence of 64 bits). */
static double uniform(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

/* A point of the fibre, s in [0, 1]. */
static v3 fibre_point(double s)
{
    const trig_pair turn = trig_sincos(turns * s);
    return (v3){curl * turn.cos, curl * turn.sin, -length * s};
}

/* How fast the point at s moves when hinge k turns. */
static v3 hinge_velocity(double s, int k)
{
    const double at = (double)k / UNKNOWNS;
    if (s <= at) return (v3){0.0, 0.0, 0.0};
    const v3 axis = {k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0, k % 3 == 2 ? 1.0 : 0.0};
    return v3_cross(axis, v3_sub(fibre_point(s), fibre_point(at)));
}

/* Mass and an elastic part on the diagonal; false if it is not positive definite. */
static bool make_inertia(double *A)
{
    const ldl_shape shape = ldl_dense(UNKNOWNS);
    for (int p = 0; p < POINTS; p++) {
        const double s = (p + 0.5) / POINTS;
        for (int i = 0; i < UNKNOWNS; i++) {
            for (int j = 0; j < UNKNOWNS; j++) {
                A[UNKNOWNS * i + j] +=
                    1e-5 / POINTS * v3_dot(hinge_velocity(s, i), hinge_velocity(s, j));
            }
        }
    }
    for (int i = 0; i < UNKNOWNS; i++) A[(UNKNOWNS + 1) * i] += 1e-10;
    return ldl_factor(&shape, A, NULL);
}

static void fill_side(double *H, const m3 *frame, double s, double sign)
{
    for (int k = 0; k < UNKNOWNS; k++) {
        const v3 u = m3_mul_v3(frame, hinge_velocity(s, k));
        H[k] = sign * u.x;
        H[UNKNOWNS + k] = sign * u.y;
        H[2 * UNKNOWNS + k] = sign * u.z;
    }
}

static uint32_t neighbour(uint64_t *random, uint32_t fibre, uint32_t fibres, uint32_t row)
{
    const uint32_t steps[4] = {1, row, row + 1, row - 1};
    return (fibre + steps[(int)uniform(random, 0.0, 4.0)]) % fibres;
}

static void fill_contact(const bundle *b, uint64_t *random, uint32_t i, uint32_t row)
{
    const uint32_t fibre = i / PER_FIBRE;
    const trig_pair across = trig_sincos(uniform(random, -3.14, 3.14));
    const v3 N = {across.cos, across.sin, uniform(random, -0.3, 0.3)};
    const m3 frame = frame_from_normal(v3_normalize(N));
    double *H = b->H + 6 * UNKNOWNS * (size_t)i;
    fill_side(H, &frame, uniform(random, 0.1, 1.0), 1.0);
    fill_side(H + 3 * UNKNOWNS, &frame, uniform(random, 0.1, 1.0), -1.0);
    b->contact[i] = (bodies_contact){
        .side = {{fibre, H}, {neighbour(random, fibre, b->fibres, row), H + 3 * UNKNOWNS}},
        .u_0 = {uniform(random, 0.0, 0.01), 0.0, 0.0},
        .mu = 0.3};
}

static bool bundle_make(bundle *b, uint32_t contacts)
{
    uint64_t random = contacts;
    const uint32_t fibres = (contacts + PER_FIBRE - 1) / PER_FIBRE;
    uint32_t row = 2;
    while ((row + 1) * (row + 1) <= fibres) row++;
    *b = (bundle){.fibres = fibres, .contacts = contacts};
    b->body = calloc(fibres, sizeof *b->body);
    b->contact = calloc(contacts, sizeof *b->contact);
    b->factors = calloc(UNKNOWNS * UNKNOWNS, sizeof *b->factors);
    b->v = calloc(UNKNOWNS * (size_t)fibres, sizeof *b->v);
    b->H = calloc(6 * UNKNOWNS * (size_t)contacts, sizeof *b->H);
    if (!b->body || !b->contact || !b->factors || !b->v || !b->H) return false;
    if (!make_inertia(b->factors)) return false;
    for (size_t k = 0; k < UNKNOWNS * (size_t)fibres; k++) {
        b->v[k] = uniform(&random, -1.0, 1.0);
    }
    for (uint32_t f = 0; f < fibres; f++) {
        b->body[f] = (bodies_body){ldl_dense(UNKNOWNS), b->factors, b->v + UNKNOWNS * (size_t)f};
    }
    for (uint32_t i = 0; i < contacts; i++) fill_contact(b, &random, i, row);
    return true;
}

static void bundle_free(bundle *b)
{
    free(b->body), free(b->contact), free(b->factors), free(b->v), free(b->H);
}

/* The system's memory, counted. */
static void *count_alloc(void *user, uint64_t size, uint64_t alignment)
{
    *(uint64_t *)user += size;
    return allocator_system.alloc(allocator_system.user, size, alignment);
}

static void count_release(void *user, void *memory, uint64_t size)
{
    *(uint64_t *)user -= size;
    allocator_system.release(allocator_system.user, memory, size);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static pool *threads;
static void measure(const bodies_problem *p, bodies_gs *gs, double *r, uint64_t bytes)
{
    double seconds[TIMED], met = 0.0;
    for (int k = 0; k < WARM_UP + TIMED; k++) {
        const double start = clock_now();
        met = bodies_gs_sweep(gs, threads, &local_table[0], 1.0, -1.0, r).worst;
        if (k >= WARM_UP) seconds[k - WARM_UP] = clock_now() - start;
    }
    qsort(seconds, TIMED, sizeof *seconds, compare);
    uint32_t pressed = 0;
    for (size_t i = 0; i < p->contacts; i++) pressed += r[3 * i] > 0.0;
    printf("%3u chunks %3u stages ", p->plan.chunks, p->plan.stages);
    printf("%8u %8u %9.1f %9.1f %9.0f %8.0f%% %10.2e\n", p->contacts, p->bodies,
           1e9 * seconds[0] / p->contacts, 1e9 * seconds[TIMED / 2] / p->contacts,
           (double)bytes / p->contacts, 100.0 * pressed / p->contacts, met / p->scale);
}

static bool run(uint32_t contacts)
{
    bundle b;
    error err = {.text = "out of memory"};
    uint64_t bytes = 0;
    const allocator counted = {&bytes, count_alloc, count_release};
    bool done = false;
    if (bundle_make(&b, contacts)) {
        const bodies_source source = {b.fibres, b.contacts, b.body, b.contact};
        bodies_problem p;
        bodies_gs gs;
        double *r = calloc(3 * (size_t)contacts, sizeof *r);
        if (r && bodies_problem_create(&p, &counted, &source, &err) == STATUS_OK) {
            if (bodies_gs_create(&gs, &p, &err) == STATUS_OK) {
                measure(&p, &gs, r, bytes);
                bodies_gs_destroy(&gs);
                done = true;
            }
            bodies_problem_destroy(&p);
        }
        free(r);
    }
    bundle_free(&b);
    if (!done) fprintf(stderr, "%u contacts: %s\n", contacts, err.text);
    return done;
}

int main(int argc, char **argv)
{
    threads = pool_create(&allocator_system, argc > 1 ? (uint32_t)atoi(argv[1]) : 1, NULL);
    static const uint32_t sizes[] = {1000, 5000, 10000, 25000, 100000, 200000};
    printf("%8s %8s %9s %9s %9s %9s %10s\n", "contacts", "fibres", "best ns", "median ns", "bytes",
           "pressed", "residual");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (!run(sizes[k])) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
