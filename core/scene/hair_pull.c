/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host pulls strands with becomes loads of the rods: a force at the root, a force and a
 * moment at the tip. Only strands that are simulated feel it; those that follow go with their
 * guides.
 */
#include "scene/hair_work.h"

static bool is_zero(v3 a) { return a.x == 0.0 && a.y == 0.0 && a.z == 0.0; }

static double strand_length(const hair_rods *r, size_t i)
{
    double length = 0.0;
    for (size_t e = i * r->elements; e < (i + 1) * r->elements; e++) length += r->lengths[e];
    return length;
}

/* The load at one end of a strand; false if there is none. */
static bool load_of_end(const hair_group *g, double *input, size_t i, bool tip, body_load *out)
{
    const size_t at = 3 * (size_t)g->h->number[i];
    const int force = tip ? PULL_TIP_FORCE : PULL_ROOT_FORCE;
    *out =
        (body_load){.body = (uint32_t)i, .force = v3_load(hair_pull_in(g->o, input, force) + at)};
    if (tip) {
        out->moment = v3_load(hair_pull_in(g->o, input, PULL_TIP_MOMENT) + at);
        out->at.x = strand_length(&g->h->rods, i);
    }
    return !is_zero(out->force) || !is_zero(out->moment);
}

bool hair_pull(hair_group *g, scene *s)
{
    double *input = s->state.input;
    body_load load;
    size_t count = 0;
    for (size_t i = 0; i < 2 * (size_t)g->h->strands; i++) {
        count += load_of_end(g, input, i / 2, i % 2 == 1, &load);
    }
    if (count == 0) return true;
    body_load *loads = arena_push(&s->scratch, count * sizeof *loads);
    if (!loads) return false;
    g->in.loads = loads;
    for (size_t i = 0; i < 2 * (size_t)g->h->strands; i++) {
        if (load_of_end(g, input, i / 2, i % 2 == 1, &load)) loads[g->in.load_count++] = load;
    }
    return true;
}
