/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of sweeps over packed fibres, for people and for scripts.
 */
#include <math.h>
#include <stdio.h>

#include "../term.h"
#include "../text.h"
#include "fibres.h"
#include "fibres_problem.h"

/* ---- for people ------------------------------------------------------------------------------ */

static void print_header(void)
{
    printf("%s%8s  %19s  %19s  %23s  %8s %6s\n", term_on(stdout, TERM_BOLD), "", "ns/contact, best",
           "median", "to the tolerance", "", "bytes/");
    printf("%8s  %6s %6s %5s  %6s %6s %5s  %5s %8s %8s  %8s %6s  %s%s\n", "contacts", "1", "2",
           "ratio", "1", "2", "ratio", "swps", "1", "2", "set-up", "cont.", "bits",
           term_off(stdout));
}

static void print_pair(double one, double two)
{
    printf("  %6.1f %6.1f %s%5.2f%s", 1e9 * one, 1e9 * two, term_on(stdout, TERM_BLUE), one / two,
           term_off(stdout));
}

static void print_row(const fibres_row *row)
{
    const fibres_cell *one = &row->cells[0], *two = &row->cells[1];
    printf("%8s", text_count(row->contacts).s);
    print_pair(one->sweep_best, two->sweep_best);
    print_pair(one->sweep_median, two->sweep_median);
    printf("  %5s %8s %8s  %8s", row->reached ? text_count(row->sweeps).s : "miss",
           text_duration(one->solve).s, text_duration(two->solve).s, text_duration(one->setup).s);
    printf(" %6s", isnan(row->bytes) ? "-" : text_count((uint64_t)row->bytes).s);
    printf("  %s%s%s\n", term_on(stdout, row->equal ? TERM_BLUE : TERM_RED),
           row->equal ? "equal" : "DIFFERENT", term_off(stdout));
}

void fibres_print(const fibres_bench *b)
{
    print_header();
    for (size_t k = 0; k < b->row_count; k++) print_row(&b->rows[k]);
    printf(
        "\nPacked fibres of %d unknowns, on 1 thread and on 2 in turns.\n"
        "ns/contact: nanoseconds per contact and sweep, over %d sweeps, of %d runs\n"
        "to the tolerance: sweeps to %g of the largest free velocity and their time, best of %d\n"
        "set-up: the rest of such a solve on 1 thread; bytes: the library's while it sweeps\n",
        FIBRE_UNKNOWNS, FIBRES_SWEEPS, FIBRES_RUNS, FIBRES_TOLERANCE, FIBRES_SOLVES);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* One thread, two threads. */
static json_t *pair_json(double scale, double one, double two)
{
    return json_pack("[o, o]", cli_json_real(scale * one), cli_json_real(scale * two));
}

static json_t *row_json(const fibres_row *row)
{
    const fibres_cell *one = &row->cells[0], *two = &row->cells[1];
    json_t *json = json_pack(
        "{s:I, s:I, s:I, s:o, s:I, s:b, s:b, s:o, s:o}", "contacts", (json_int_t)row->contacts,
        "bodies", (json_int_t)row->bodies, "repetitions", (json_int_t)FIBRES_RUNS, "tolerance",
        cli_json_real(FIBRES_TOLERANCE), "sweeps", (json_int_t)row->sweeps, "reached", row->reached,
        "equal_bits", row->equal, "pressed", cli_json_real(row->pressed), "bytes_per_contact",
        cli_json_real(row->bytes));
    json_object_set_new(json, "nanoseconds_per_contact_and_sweep",
                        pair_json(1e9, one->sweep_best, two->sweep_best));
    json_object_set_new(json, "nanoseconds_per_contact_and_sweep_median",
                        pair_json(1e9, one->sweep_median, two->sweep_median));
    json_object_set_new(json, "milliseconds", pair_json(1e3, one->solve, two->solve));
    json_object_set_new(json, "milliseconds_setup", pair_json(1e3, one->setup, two->setup));
    return json;
}

json_t *fibres_json(const fibres_bench *b)
{
    json_t *list = json_array();
    for (size_t k = 0; k < b->row_count; k++) json_array_append_new(list, row_json(&b->rows[k]));
    return list;
}
