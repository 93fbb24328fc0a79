/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of contacts, sorted by key, and what is remembered of them from step to step.
 *
 * A contact starts from the force that it had in the last step: it is kept in space, so that a
 * frame may turn, and as a force, so that the next step may be shorter.
 */
#include "math/scalar.h"
#include "scene/hair_work.h"

static int compare(hair_key a, hair_key b)
{
    if (a.first != b.first) return a.first < b.first ? -1 : 1;
    return (a.second > b.second) - (a.second < b.second);
}

static bool is_missed(const hair_contact *c, double share)
{
    return c->gap[1] < -share * c->measure;
}

status hair_contacts_add(hair_work *w, const hair_contacts *found, double share,
                         hair_contacts *known, uint32_t *added, error *err)
{
    const size_t most = (size_t)found->count + known->count;
    hair_contact *at = arena_push(&w->k->s->scratch, most * sizeof *at);
    if (!at) return error_out_of_memory(err, "contacts of hair");
    uint32_t count = 0, i = 0;
    for (uint32_t j = 0; j < found->count; j++) {
        const hair_contact *c = &found->at[j];
        if (!is_missed(c, share)) continue;
        while (i < known->count && compare(known->at[i].key, c->key) < 0)
            at[count++] = known->at[i++];
        if (i == known->count || compare(known->at[i].key, c->key) != 0) at[count++] = *c;
    }
    while (i < known->count) at[count++] = known->at[i++];
    *added = count - known->count;
    *known = (hair_contacts){at, count};
    return STATUS_OK;
}

double hair_contacts_depth(const hair_contacts *list, double *depth)
{
    double share = 0.0;
    *depth = 0.0;
    for (uint32_t i = 0; i < list->count; i++) {
        const hair_contact *c = &list->at[i];
        if (!(c->gap[1] < 0.0)) continue;
        *depth = scalar_max(*depth, -c->gap[1]);
        share = scalar_max(share, -c->gap[1] / c->measure);
    }
    return share;
}

/* ---- memory ---- */

void hair_contacts_recall(const hair_work *w, hair_contacts *list)
{
    const array *memory = &w->k->s->forces[0];
    const hair_force *force = memory->data;
    const double dt = w->k->plan->dt;
    size_t j = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        hair_contact *c = &list->at[i];
        while (j < memory->count && compare(force[j].key, c->key) < 0) j++;
        if (j == memory->count) return;
        if (compare(force[j].key, c->key) != 0) continue;
        c->r = m3_mul_v3(&c->F, v3_scale(dt, v3_load(force[j].f)));
        c->r.x = scalar_max(c->r.x, 0.0);
    }
}

status hair_contacts_remember(hair_work *w, error *err)
{
    const hair_contacts *list = &w->contacts;
    array *memory = &w->k->s->forces[1];
    memory->count = 0;
    if (!array_reserve(memory, list->count)) return error_out_of_memory(err, "forces of hair");
    hair_force *force = memory->data;
    const double per_dt = 1.0 / w->k->plan->dt;
    for (uint32_t i = 0; i < list->count; i++) {
        const hair_contact *c = &list->at[i];
        if (!(c->r.x > 0.0)) continue;
        hair_force *kept = &force[memory->count++];
        kept->key = c->key;
        v3_store(kept->f, v3_scale(per_dt, m3_tmul_v3(&c->F, c->r)));
    }
    return STATUS_OK;
}
