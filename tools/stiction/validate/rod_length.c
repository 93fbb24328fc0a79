/* SPDX-License-Identifier: Apache-2.0
 *
 * The length of a rod whose clamp is shaken, over all steps and not after the last one alone.
 *
 * Models that cannot stretch keep their length to rounding. For the others energy sets the limit.
 * Let U be the velocity of the joints as the clamp carries them, unbent, and x_U where that leads.
 * One implicit step of h under gravity g finds an energy of at most
 *
 *     elastic before + 1/2 |v - U|^2_M + sum m g . (x - x_U)
 *
 * and 1/2 |v - U|^2_M <= (sqrt(K) + sqrt(K_U))^2 with the kinetic energies of v and of U. Edges that
 * have grown by d hold 1/2 E A sum d^2/l of it, so that by Cauchy and Schwarz the rod, of length 1,
 * has grown by
 *
 *     |sum d| <= sqrt(2 energy/(E A)).
 */
#include "cases.h"
#include "rod_draw.h"
#include "rod_lab.h"

enum { ELEMENTS = 5, JOINTS = ELEMENTS + 1, SHAKES = 10000, SAMPLES = 10, CHORDS = 400 };
static const double STEP = 5e-3, SHAKE = 0.05, GRAVITY = 100.0;

/* ---- shaking --------------------------------------------------------------------------------- */

typedef struct clamp {
    vec position;
    turn rotation;
} clamp;

typedef struct jolt {
    clamp from, to;
    vec gravity;
} jolt;

static jolt next_jolt(const clamp *from, uint64_t *seed)
{
    jolt j = {.from = *from, .gravity = vec_scale(GRAVITY, draw_vec(seed))};
    const vec axis = draw_vec(seed);
    j.to.position = vec_scale(SHAKE, draw_vec(seed));
    j.to.rotation = turn_about(vec_scale(1.0 / vec_norm(axis), axis), draw(seed));
    return j;
}

static void take_jolt(const rod *a, const jolt *j)
{
    stn_rods_input input = rod_gravity(j->gravity);
    double root[7];
    fill_root(j->to.position, j->to.rotation, root);
    input.roots = root;
    rod_step(a, &input, STEP);
}

/* ---- models that stretch --------------------------------------------------------------------- */

/* The sum of edges, which are straight, less the 1 it should be. */
static double measure_growth(const vec *x)
{
    double sum = -1.0;
    for (int i = 0; i < ELEMENTS; i++) sum += vec_distance(x[i], x[i + 1]);
    return sum;
}

static void find_joints(const rod *a, vec *x)
{
    for (int i = 0; i < JOINTS; i++) x[i] = rod_point(a, (double)i / ELEMENTS);
}

static double mass_of(int joint) { return (joint % ELEMENTS ? 1.0 : 0.5) / ELEMENTS; }

static void carry_joints(const jolt *j, const vec *x, vec *carried)
{
    const turn r = j->from.rotation, back = {r.w, -r.x, -r.y, -r.z};
    const turn by = turn_mul(j->to.rotation, back);
    for (int i = 0; i < JOINTS; i++) {
        const vec arm = turn_apply(by, vec_sub(x[i], j->from.position));
        carried[i] = vec_add(j->to.position, arm);
    }
}

/* K_U. Edges turn by less than half a turn a step, with the inertia of a round section. */
static double carried_kinetic(const vec *x, const vec *carried, double radius)
{
    const double spin = 0.5 * SPACE_TURN / STEP;
    double sum = 0.25 * radius * radius * spin * spin;
    for (int i = 0; i < JOINTS; i++) {
        const double speed = vec_distance(x[i], carried[i]) / STEP;
        sum += 0.5 * mass_of(i) * speed * speed;
    }
    return sum;
}

typedef struct growth {
    double most, limit; /* largest growth of the run, either way, and the limit of its step */
    double share;       /* largest share of a step's limit */
} growth;

static void note_growth(growth *g, double grown, double limit)
{
    if (!(grown <= g->most)) g->most = grown, g->limit = limit;
    g->share = lab_worst(g->share, grown / limit);
}

/* What the step may leave, by the energies before it and where the joints came to. */
static double energy_limit(const stn_rod_energy *before, double kinetic, const jolt *j,
                           const vec *x, const vec *carried)
{
    const double speed = sqrt(before->kinetic) + sqrt(kinetic);
    double energy = before->elastic + speed * speed;
    for (int i = 0; i < JOINTS; i++) {
        energy += mass_of(i) * vec_dot(j->gravity, vec_sub(x[i], carried[i]));
    }
    return energy;
}

static growth shake_and_watch(const rod *a, const stn_rod_material *material)
{
    growth g = {0.0, 0.0, 0.0};
    uint64_t seed = 1;
    clamp at = {.rotation = turn_none()};
    vec x[JOINTS], carried[JOINTS];
    find_joints(a, x);
    for (int i = 0; i < SHAKES && rod_usable(a); i++) {
        const jolt j = next_jolt(&at, &seed);
        const stn_rod_energy before = rod_energies(a);
        carry_joints(&j, x, carried);
        const double given = carried_kinetic(x, carried, material->radius);
        take_jolt(a, &j);
        find_joints(a, x);
        const double energy = energy_limit(&before, given, &j, x, carried);
        note_growth(&g, fabs(measure_growth(x)), sqrt(2.0 * energy / material->stretch));
        at = j.to;
    }
    return g;
}

static void check_growth(rod_lab *r, const rod_model *model)
{
    const stn_rod_material material = rod_lab_material();
    rod a = rod_open(r, model, ELEMENTS, &material);
    const growth g = shake_and_watch(&a, &material);
    lab_add(r->l, g.most, 0.0, g.most, g.limit, "%s/%d-steps/largest-stretch", model->name, SHAKES);
    lab_add(r->l, g.share, 0.0, g.share, 1.0, "%s/%d-steps/share-of-the-limit", model->name,
            SHAKES);
    rod_close(&a);
}

/* ---- models that do not ---------------------------------------------------------------------- */

static double chords(const rod *a, double begin, double length, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += vec_distance(rod_point(a, begin + length * i / count),
                            rod_point(a, begin + length * (i + 1) / count));
    }
    return sum;
}

/* Chords are too short by an error of even orders; three polygons take away two of them. */
static double measure_length(const rod *a)
{
    double sum = 0.0;
    for (uint32_t e = 0; e < a->elements; e++) {
        const double l = 1.0 / a->elements, begin = l * e;
        const double c[3] = {chords(a, begin, l, CHORDS), chords(a, begin, l, 2 * CHORDS),
                             chords(a, begin, l, 4 * CHORDS)};
        const double second[2] = {c[1] + (c[1] - c[0]) / 3.0, c[2] + (c[2] - c[1]) / 3.0};
        sum += second[1] + (second[1] - second[0]) / 15.0;
    }
    return sum;
}

/* A length takes as long to measure as hundreds of steps, so a few are taken on the way. */
static void check_length(rod_lab *r, const rod_model *model)
{
    const stn_rod_material material = rod_lab_material();
    rod a = rod_open(r, model, ELEMENTS, &material);
    uint64_t seed = 1;
    clamp at = {.rotation = turn_none()};
    double worst = 0.0;
    for (int i = 1; i <= SHAKES; i++) {
        const jolt j = next_jolt(&at, &seed);
        take_jolt(&a, &j);
        at = j.to;
        if (i % (SHAKES / SAMPLES) == 0) worst = lab_worst(worst, fabs(measure_length(&a) - 1.0));
    }
    lab_add(r->l, 1.0 + worst, 1.0, worst, 1e-10, "%s/%d-steps/length", model->name, SHAKES);
    rod_close(&a);
}

static void length_run(lab *l)
{
    rod_lab r;
    if (!rod_lab_open(&r, l, 1e-10)) return;
    for (size_t m = 0; m < r.model_count; m++) {
        const rod_model *model = &r.models[m];
        (model->stretches ? check_growth : check_length)(&r, model);
    }
}

const lab_case validate_rod_length = {
    "rods/length", "the length of a rod in 10,000 violent steps of its clamp", length_run};
