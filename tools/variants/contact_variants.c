/* SPDX-License-Identifier: Apache-2.0
 *
 * How robust the default solver is: published problems, each changed in many ways, and the share of
 * them that is solved.
 *
 * A variant keeps the pattern of its problem, and its W positive semidefinite. Friction, velocities
 * and masses are changed; contacts are left out. Random numbers come from the seed alone, so that
 * the same variants are tried everywhere. Where contacts are redundant, a random b may leave no
 * velocity at which all of them separate: then there is no solution, and no solver finds one.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../stiction/fclib/fclib.h"

enum { ITERATIONS_MOST = 100000, SEEDS_DEFAULT = 3 };
static const double TOLERANCE[] = {1e-6, 1e-8};
enum { TOLERANCES = sizeof TOLERANCE / sizeof *TOLERANCE };

static void *must_have(void *memory)
{
    if (memory) return memory;
    fprintf(stderr, "contact_variants: error: out of memory\n");
    exit(EXIT_FAILURE);
}

/* ---- random numbers (splitmix64) ------------------------------------------------------------- */

static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(next_bits(state) >> 11) * 0x1p-53;
}

/* ---- kinds of variants ----------------------------------------------------------------------- */

typedef struct variant {
    fclib_problem p;
    double *r; /* the start */
    uint64_t random;
} variant;

static void keep_all(variant *v) { (void)v; }

static void scale_b(variant *v)
{
    for (uint32_t i = 0; i < v->p.contacts; i++) {
        const double by = uniform(&v->random, 0.5, 1.5);
        for (size_t k = 0; k < 3; k++) v->p.b[3 * (size_t)i + k] *= by;
    }
}

/* Every component as large as b is on average. */
static void randomise_b(variant *v)
{
    const size_t n = 3 * (size_t)v->p.contacts;
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += v->p.b[k] * v->p.b[k];
    const double size = sqrt(3.0 * sum / (double)n);
    for (size_t k = 0; k < n; k++) v->p.b[k] = uniform(&v->random, -size, size);
}

/* The tangential part alone at random: what separated still does. */
static void randomise_tangent(variant *v)
{
    double size = 0.0;
    for (size_t k = 0; k < 3 * (size_t)v->p.contacts; k++) size = fmax(size, fabs(v->p.b[k]));
    for (size_t k = 0; k < 3 * (size_t)v->p.contacts; k++) {
        if (k % 3 != 0) v->p.b[k] = uniform(&v->random, -size, size);
    }
}

static void flip_tangent(variant *v)
{
    for (size_t k = 0; k < 3 * (size_t)v->p.contacts; k++) {
        if (k % 3 != 0) v->p.b[k] = -v->p.b[k];
    }
}

static void scale_mu(variant *v, double by)
{
    for (uint32_t i = 0; i < v->p.contacts; i++) v->p.mu[i] *= by;
}

static void lessen_mu(variant *v) { scale_mu(v, 0.3); }

static void raise_mu(variant *v) { scale_mu(v, 3.0); }

static void set_mu(variant *v, double low, double high)
{
    for (uint32_t i = 0; i < v->p.contacts; i++) v->p.mu[i] = uniform(&v->random, low, high);
}

static void randomise_mu(variant *v) { set_mu(v, 0.0, 1.0); }

static void remove_mu(variant *v) { set_mu(v, 0.0, 0.0); }

static void make_mu_large(variant *v) { set_mu(v, 5.0, 5.0); }

/* W <- S W S with a number per contact in S. */
static void scale_masses(variant *v)
{
    double *s = must_have(malloc(v->p.contacts * sizeof *s));
    for (uint32_t i = 0; i < v->p.contacts; i++) s[i] = uniform(&v->random, 0.5, 2.0);
    for (uint32_t i = 0; i < v->p.contacts; i++) {
        for (uint32_t k = v->p.row_start[i]; k < v->p.row_start[i + 1]; k++) {
            for (size_t e = 0; e < 9; e++) v->p.blocks[9 * (size_t)k + e] *= s[i] * s[v->p.col[k]];
        }
    }
    free(s);
}

/* W_ii += share W_ii's largest entry. */
static void add_to_diagonal(variant *v, double share)
{
    for (uint32_t i = 0; i < v->p.contacts; i++) {
        for (uint32_t k = v->p.row_start[i]; k < v->p.row_start[i + 1]; k++) {
            if (v->p.col[k] != i) continue;
            double *block = v->p.blocks + 9 * (size_t)k, most = 0.0;
            for (size_t e = 0; e < 9; e++) most = fmax(most, fabs(block[e]));
            for (size_t e = 0; e < 9; e += 4) block[e] += share * most;
        }
    }
}

static void soften(variant *v) { add_to_diagonal(v, 1e-2); }

static void soften_little(variant *v) { add_to_diagonal(v, 1e-6); }

/* About a third of the contacts is left out, in place: what is kept only moves forward. */
static void drop_contacts(variant *v)
{
    fclib_problem *p = &v->p;
    uint32_t *name = must_have(malloc(p->contacts * sizeof *name)), kept = 0, slot = 0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const bool drop = uniform(&v->random, 0.0, 1.0) < 1.0 / 3.0 && p->contacts > 1;
        name[i] = drop ? UINT32_MAX : kept++;
    }
    uint32_t begin = 0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const uint32_t end = p->row_start[i + 1];
        for (uint32_t k = begin; k < end && name[i] != UINT32_MAX; k++) {
            if (name[p->col[k]] == UINT32_MAX) continue;
            p->col[slot] = name[p->col[k]];
            memmove(p->blocks + 9 * (size_t)slot++, p->blocks + 9 * (size_t)k, 9 * sizeof(double));
        }
        begin = end;
        if (name[i] == UINT32_MAX) continue;
        p->row_start[name[i] + 1] = slot;
        p->mu[name[i]] = p->mu[i];
        memmove(p->b + 3 * (size_t)name[i], p->b + 3 * (size_t)i, 3 * sizeof(double));
    }
    p->contacts = kept;
    free(name);
}

/* A start that has nothing to do with the answer, of the size that b asks for. */
static void start_anywhere(variant *v)
{
    for (uint32_t i = 0; i < v->p.contacts; i++) {
        double compliance = 0.0, size = 0.0;
        for (uint32_t k = v->p.row_start[i]; k < v->p.row_start[i + 1]; k++) {
            if (v->p.col[k] == i) compliance = v->p.blocks[9 * (size_t)k];
        }
        for (size_t k = 0; k < 3; k++) size = fmax(size, fabs(v->p.b[3 * (size_t)i + k]));
        for (size_t k = 0; k < 3 && compliance > 0.0; k++) {
            v->r[3 * (size_t)i + k] = uniform(&v->random, -1.0, 1.0) * size / compliance;
        }
    }
}

static void change_everything(variant *v)
{
    scale_b(v);
    randomise_mu(v);
    scale_masses(v);
    drop_contacts(v);
    start_anywhere(v);
}

typedef struct kind {
    const char *name;
    void (*change)(variant *v);
    bool random; /* else one seed is as good as another */
} kind;

static const kind KINDS[] = {
    {"as it is", keep_all, false},
    {"b scaled per contact", scale_b, true},
    {"b random", randomise_b, true},
    {"b random tangentially", randomise_tangent, true},
    {"b flipped tangentially", flip_tangent, false},
    {"mu times 0.3", lessen_mu, false},
    {"mu times 3", raise_mu, false},
    {"mu random in 0 .. 1", randomise_mu, true},
    {"mu = 0", remove_mu, false},
    {"mu = 5", make_mu_large, false},
    {"masses scaled", scale_masses, true},
    {"a third left out", drop_contacts, true},
    {"1% softer", soften, false},
    {"1e-6 softer", soften_little, false},
    {"another start", start_anywhere, true},
    {"everything at once", change_everything, true},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* ---- runs ------------------------------------------------------------------------------------ */

static void *copy_of(const void *data, size_t size)
{
    void *copy = must_have(malloc(size));
    memcpy(copy, data, size);
    return copy;
}

static variant variant_make(const fclib_problem *p, const kind *how, uint64_t seed)
{
    const size_t n = p->contacts, blocks = p->row_start[n];
    variant v = {.p = *p, .random = seed};
    v.p.row_start = copy_of(p->row_start, (n + 1) * sizeof *p->row_start);
    v.p.col = copy_of(p->col, blocks * sizeof *p->col);
    v.p.blocks = copy_of(p->blocks, 9 * blocks * sizeof *p->blocks);
    v.p.b = copy_of(p->b, 3 * n * sizeof *p->b);
    v.p.mu = copy_of(p->mu, n * sizeof *p->mu);
    v.r = must_have(calloc(3 * n, sizeof *v.r));
    how->change(&v);
    return v;
}

static void variant_free(variant *v)
{
    fclib_free(&v->p);
    free(v->r);
}

typedef struct tally {
    uint32_t tried, reached;
    uint64_t iterations;
    double seconds;
} tally;

typedef struct campaign {
    const stn_ext_contact *contact;
    const char *solver;
    const char *kind; /* part of the name of those to try; NULL: all */
    uint32_t seeds;
    bool verbose;
    tally by_kind[KIND_COUNT][TOLERANCES];
} campaign;

static void try_variant(campaign *c, const fclib_problem *p, const char *name, size_t k,
                        uint64_t seed)
{
    for (size_t t = 0; t < TOLERANCES; t++) {
        variant v = variant_make(p, &KINDS[k], seed);
        const stn_contact_problem problem = fclib_view(&v.p);
        const stn_contact_options options = {.struct_size = sizeof options,
                                             .threads = 1,
                                             .solver = c->solver,
                                             .tolerance = TOLERANCE[t],
                                             .max_iterations = ITERATIONS_MOST};
        stn_contact_result result = {.struct_size = sizeof result};
        c->contact->solve(&problem, &options, v.r, NULL, &result);
        tally *sum = &c->by_kind[k][t];
        sum->tried++;
        sum->reached += result.converged != 0;
        sum->iterations += result.iterations;
        sum->seconds += result.seconds;
        if (c->verbose || !result.converged) {
            printf("%-26s %-24s seed %llu tol %g: %s %.1e, %llu iterations, %.3f s\n", name,
                   KINDS[k].name, (unsigned long long)seed, TOLERANCE[t],
                   result.converged ? "reached" : "MISSED", result.residual_relative,
                   (unsigned long long)result.iterations, result.seconds);
        }
        fflush(stdout);
        variant_free(&v);
    }
}

static bool try_file(campaign *c, const char *path)
{
    fclib_problem p;
    fclib_error error;
    if (!fclib_read(path, &p, &error)) {
        fprintf(stderr, "contact_variants: error: %s: %s\n", path, error.text);
        return false;
    }
    const char *slash = strrchr(path, '/');
    for (size_t k = 0; k < KIND_COUNT; k++) {
        if (c->kind && !strstr(KINDS[k].name, c->kind)) continue;
        for (uint64_t seed = 1; seed <= (KINDS[k].random ? c->seeds : 1); seed++) {
            try_variant(c, &p, slash ? slash + 1 : path, k, seed);
        }
    }
    fclib_free(&p);
    return true;
}

static void print_summary(const campaign *c)
{
    printf("%-24s", "variants");
    for (size_t t = 0; t < TOLERANCES; t++)
        printf("   reached %-7g iterations  seconds", TOLERANCE[t]);
    for (size_t k = 0; k <= KIND_COUNT; k++) {
        printf("\n%-24s", k < KIND_COUNT ? KINDS[k].name : "all");
        for (size_t t = 0; t < TOLERANCES; t++) {
            tally sum = {0};
            for (size_t j = 0; j < KIND_COUNT; j++) {
                if (k < KIND_COUNT && j != k) continue;
                sum.tried += c->by_kind[j][t].tried;
                sum.reached += c->by_kind[j][t].reached;
                sum.iterations += c->by_kind[j][t].iterations;
                sum.seconds += c->by_kind[j][t].seconds;
            }
            printf("   %6u of %-6u %10llu %8.2f", sum.reached, sum.tried,
                   (unsigned long long)sum.iterations, sum.seconds);
        }
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    const stn_api *api = stn_get_api(STN_ABI_VERSION);
    campaign c = {.contact = api ? api->get_extension(STN_EXT_CONTACT) : NULL,
                  .solver = "auto",
                  .seeds = SEEDS_DEFAULT};
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strncmp(argv[first], "--solver=", 9) == 0) c.solver = argv[first] + 9;
        if (strncmp(argv[first], "--kind=", 7) == 0) c.kind = argv[first] + 7;
        if (strncmp(argv[first], "--seeds=", 8) == 0) {
            c.seeds = (uint32_t)strtoul(argv[first] + 8, NULL, 10);
        }
        if (strcmp(argv[first], "--verbose") == 0) c.verbose = true;
    }
    if (first >= argc || !c.contact) {
        fprintf(stderr, "usage: contact_variants [--solver=NAME] [--kind=NAME] [--seeds=N] "
                        "[--verbose] FILE...\n");
        return 2;
    }
    bool good = true;
    for (int i = first; i < argc; i++) good = try_file(&c, argv[i]) && good;
    print_summary(&c);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
