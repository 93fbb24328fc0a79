/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that are driven by describe(): its rows, and calls of the entries they tell of through
 * libffi.
 */
#ifndef TESTS_ABI_ROWS_H
#define TESTS_ABI_ROWS_H

#include "call.h"

#include <stdbool.h>
#include <stiction/ext_contact.h>
#include <stiction/ext_rods.h>
#include <stiction/ext_shot.h>

const stn_api *rows_api(void);
const stn_ext_shot *rows_shots(void);
const stn_ext_contact *rows_contact(void);
const stn_ext_rods *rows_rods(void);

const stn_row *rows_begin(void);
const stn_row *rows_end(void);

bool row_is(const stn_row *row, const char *kind, const char *owner);
const stn_row *rows_find(const char *kind, const char *owner, const char *name);

enum { TYPE_SIZE = 64 };

/* The types of an entry's arguments; returns how many. */
uint32_t row_argument_types(const stn_row *entry, char types[SIGNATURE_ARGUMENTS][TYPE_SIZE]);

/* Calls the entry of the table it belongs to. Fails the test if its signature cannot be read. */
signature_value row_call(const stn_row *entry, const signature_value *arguments, size_t count);

#endif
