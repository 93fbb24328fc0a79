/* SPDX-License-Identifier: Apache-2.0
 *
 * The contacts of a problem of nodes: what each touches, and its local operator.
 */
#include "contact/nodes_make.h"

#include <inttypes.h>
#include <string.h>

/* A contact's place among the nodes: the last one it touches. */
static uint32_t last_node(const contact_system *s, uint32_t i)
{
    uint32_t last = 0;
    bool any = false;
    for (uint32_t k = s->term_start[i]; k < s->term_start[i + 1]; k++) {
        if (s->term_target[k] < s->bodies) continue;
        const uint32_t node = s->term_target[k] - s->bodies;
        last = any && last > node ? last : node;
        any = true;
    }
    return any ? last : s->nodes;
}

/* Sorted by counting: first[node + 1] counts, then first[node] is where the next one goes. */
static void sort_contacts(nodes_problem *p, const contact_system *s)
{
    uint32_t *start = p->record_start;
    for (uint32_t i = 0; i < p->contacts; i++) start[last_node(s, i) + 1]++;
    for (uint32_t k = 0; k <= p->nodes; k++) start[k + 1] += start[k];
    for (uint32_t i = p->contacts; i-- > 0;) {
        p->record[--start[last_node(s, i) + 1]].contact = i;
    }
    /* start[k + 1] has come down to where k begins */
    memmove(start, start + 1, ((size_t)p->nodes + 1) * sizeof *start);
    start[p->nodes + 1] = p->contacts;
}

static nodes_term *find_term(const nodes_problem *p, const nodes_record *c, uint32_t node)
{
    for (uint32_t k = c->term; k < c->term + c->terms; k++) {
        if (p->term[k].node == node) return &p->term[k];
    }
    return NULL;
}

static status add_term(nodes_problem *p, nodes_record *c, uint32_t node, const double *H,
                       error *err)
{
    nodes_term *term = find_term(p, c, node);
    if (!term && c->terms == NODES_MOST_TERMS) {
        return error_set(err, STATUS_UNSUPPORTED,
                         "contact %" PRIu32 ": it touches more than %d nodes", c->contact,
                         NODES_MOST_TERMS);
    }
    if (!term) {
        term = &p->term[c->term + c->terms++];
        term->node = node;
    }
    const m3 block = nodes_load_block(H);
    term->H = m3_add(&term->H, &block);
    return STATUS_OK;
}

/* Z += H^T, not whitened yet, and b += H v_free. *Z_end is where the next one begins. */
static void add_pull(nodes_problem *p, nodes_record *c, uint32_t body, const double *H,
                     size_t *Z_end)
{
    const size_t at = p->body_at[body], n = p->body_at[body + 1] - at;
    uint32_t k = c->pull;
    while (k < c->pull + c->pulls && p->pull[k].at != at) k++;
    if (k == c->pull + c->pulls) {
        p->pull[k] = (nodes_pull){at, n, *Z_end};
        *Z_end += 3 * n;
        c->pulls++;
    }
    double change[3] = {0};
    for (size_t row = 0; row < 3; row++) {
        for (size_t l = 0; l < n; l++) {
            p->Z[p->pull[k].Z + row * n + l] += H[row * n + l];
            change[row] += H[row * n + l] * p->v_free[at + l];
        }
    }
    c->b = v3_add(c->b, v3_load(change));
}

static void add_block(sym3 *W, const m3 *B)
{
    const v3 *r = B->row;
    W->xx += r[0].x;
    W->xy += 0.5 * (r[0].y + r[1].x);
    W->xz += 0.5 * (r[0].z + r[2].x);
    W->yy += r[1].y;
    W->yz += 0.5 * (r[1].z + r[2].y);
    W->zz += r[2].z;
}

/* Which body's unknowns begin at `at`: found by halving. */
static uint32_t body_of(const nodes_problem *p, size_t at)
{
    uint32_t low = 0, high = p->bodies;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->body_at[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void whiten_pull(nodes_problem *p, const nodes_pull *q)
{
    const uint32_t b = body_of(p, q->at);
    const ldl_shape shape = nodes_body_shape(p, b);
    const double *LD = p->factors + p->factor_at[b];
    for (size_t row = 0; row < 3; row++) {
        double *x = p->Z + q->Z + row * q->n;
        ldl_forward(&shape, LD, x);
        for (size_t l = 0; l < q->n; l++) x[l] /= sqrt(LD[ldl_index(&shape, l, l)]);
    }
}

m3 nodes_multiply_pulls(const double *a, const double *b, size_t n)
{
    double product[9];
    for (size_t k = 0; k < 9; k++) {
        product[k] = 0.0;
        for (size_t l = 0; l < n; l++) product[k] += a[k / 3 * n + l] * b[k % 3 * n + l];
    }
    return nodes_load_block(product);
}

static void finish_pulls(nodes_problem *p, nodes_record *c)
{
    for (uint32_t k = c->pull; k < c->pull + c->pulls; k++) {
        const nodes_pull *q = &p->pull[k];
        whiten_pull(p, q);
        const m3 W = nodes_multiply_pulls(p->Z + q->Z, p->Z + q->Z, q->n);
        add_block(&c->W, &W);
    }
    c->d = sym3_trace(&c->W) / 3.0;
}

/* A_TT, dense, in the order of the contact's terms. */
static void gather_touched(const nodes_problem *p, const nodes_record *c, double *A)
{
    const size_t n = 3 * (size_t)c->terms;
    for (size_t a = 0; a < c->terms; a++) {
        for (size_t b = 0; b < c->terms; b++) {
            const uint32_t slot =
                bsr3_find_slot(&p->A, p->term[c->term + a].node, p->term[c->term + b].node);
            const m3 block = slot == BSR3_NO_SLOT ? m3_diagonal(0.0) : p->A.block[slot];
            for (size_t row = 0; row < 3; row++) {
                v3_store(&A[(3 * a + row) * n + 3 * b], block.row[row]);
            }
        }
    }
}

/* Row `row` of Y^T = H_T A_TT^-1. */
static void solve_row(nodes_problem *p, const nodes_record *c, const ldl_shape *shape,
                      const double *LD, int row, double *x)
{
    for (size_t k = 0; k < c->terms; k++) v3_store(x + 3 * k, p->term[c->term + k].H.row[row]);
    ldl_solve(shape, LD, x);
    for (size_t k = 0; k < c->terms; k++) p->term[c->term + k].Yt.row[row] = v3_load(x + 3 * k);
}

static status finish_terms(nodes_problem *p, nodes_record *c, double *scratch, error *err)
{
    const ldl_shape shape = ldl_dense(3 * (size_t)c->terms);
    gather_touched(p, c, scratch);
    if (!ldl_factor(&shape, scratch, NULL)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "A is not positive definite, as the nodes of contact %" PRIu32 " show",
                         c->contact);
    }
    for (int row = 0; row < 3; row++) {
        solve_row(p, c, &shape, scratch, row, scratch + ldl_count(&shape));
    }
    for (uint32_t k = c->term; k < c->term + c->terms; k++) {
        const m3 Y = m3_transpose(&p->term[k].Yt), W = m3_mul(&p->term[k].H, &Y);
        add_block(&c->W, &W);
        c->d += nodes_norm_squared(&p->term[k].H) * p->compliance[p->term[k].node] / 3.0;
    }
    return STATUS_OK;
}

static status gather_terms(nodes_problem *p, const contact_system *s, nodes_record *c,
                           const double *H, size_t *Z_end, error *err)
{
    status st = STATUS_OK;
    for (uint32_t k = s->term_start[c->contact]; k < s->term_start[c->contact + 1]; k++) {
        const uint32_t target = s->term_target[k];
        if (target < s->bodies) {
            add_pull(p, c, target, H, Z_end);
        } else {
            st = add_term(p, c, target - s->bodies, H, err);
        }
        if (st < 0) return st;
        H += 3 * contact_system_unknowns(s, target);
    }
    return st;
}

static status finish_contact(nodes_problem *p, nodes_record *c, double *scratch, error *err)
{
    finish_pulls(p, c);
    const status st = c->terms ? finish_terms(p, c, scratch, err) : STATUS_OK;
    if (st < 0) return st;
    if (c->d > 0.0 && isfinite(c->d) && isfinite(sym3_trace(&c->W)) && v3_is_finite(c->b)) {
        return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "contact %" PRIu32 ": its local compliance is %g and its velocity without "
                     "impulses is of size %g, expected positive and finite numbers",
                     c->contact, c->d, v3_norm(c->b));
}

/* H_at[i]: where H of contact i begins. */
static status fill_contacts(nodes_problem *p, const contact_system *s, const size_t *H_at,
                            double *scratch, error *err)
{
    status st = STATUS_OK;
    uint32_t term = 0, pull = 0;
    size_t Z_end = 0;
    for (uint32_t k = 0; k < p->contacts && st >= 0; k++) {
        nodes_record *c = &p->record[k];
        c->term = term;
        c->pull = pull;
        c->b = v3_load(&s->velocity[3 * (size_t)c->contact]);
        c->mu = s->mu[c->contact];
        st = gather_terms(p, s, c, s->term_H + H_at[c->contact], &Z_end, err);
        if (st >= 0) st = finish_contact(p, c, scratch, err);
        term += c->terms;
        pull += c->pulls;
    }
    return st;
}

/* Rooms for the terms of all contacts, before those at one target are added up. */
static void count_terms(nodes_problem *p, const contact_system *s, size_t *H_at)
{
    size_t H = 0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        H_at[i] = H;
        for (uint32_t k = s->term_start[i]; k < s->term_start[i + 1]; k++) {
            const size_t n = contact_system_unknowns(s, s->term_target[k]);
            const bool body = s->term_target[k] < s->bodies;
            p->pull_room += body;
            p->term_room += !body;
            p->Z_count += body ? 3 * n : 0;
            H += 3 * n;
        }
    }
}

static bool allocate_contacts(nodes_problem *p)
{
    p->record = memory_alloc(p->from, memory_size(p->contacts, sizeof *p->record));
    p->record_start =
        memory_alloc(p->from, memory_size((size_t)p->nodes + 2, sizeof *p->record_start));
    p->term = memory_alloc(p->from, memory_size(p->term_room, sizeof *p->term));
    p->pull = memory_alloc(p->from, memory_size(p->pull_room, sizeof *p->pull));
    p->Z = memory_alloc(p->from, memory_size(p->Z_count, sizeof *p->Z));
    return (p->record || !p->contacts) && p->record_start && (p->term || !p->term_room) &&
           (p->pull || !p->pull_room) && (p->Z || !p->Z_count);
}

status nodes_make_contacts(nodes_problem *p, const contact_system *s, error *err)
{
    enum { MOST = 3 * NODES_MOST_TERMS };
    const size_t scratch_size = MOST * (MOST + 1) * sizeof(double);
    const size_t H_size = memory_size(p->contacts, sizeof(size_t));
    double *scratch = memory_alloc(p->from, scratch_size);
    size_t *H_at = memory_alloc(p->from, H_size);
    status st = STATUS_OK;
    if (H_at) count_terms(p, s, H_at);
    if ((!H_at && p->contacts) || !scratch || !allocate_contacts(p)) st = nodes_out_of_memory(err);
    if (st >= 0) sort_contacts(p, s);
    if (st >= 0) st = fill_contacts(p, s, H_at, scratch, err);
    memory_free(p->from, H_at, H_size);
    memory_free(p->from, scratch, scratch_size);
    return st;
}
