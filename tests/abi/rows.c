/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <string.h>
#include <unity.h>

const stn_api *rows_api(void)
{
    const stn_api *api = stn_get_api(STN_ABI_VERSION);
    TEST_ASSERT_NOT_NULL(api);
    return api;
}

const stn_ext_shot *rows_shots(void)
{
    const stn_ext_shot *shots = rows_api()->get_extension(STN_EXT_SHOT);
    TEST_ASSERT_NOT_NULL(shots);
    return shots;
}

const stn_ext_contact *rows_contact(void)
{
    const stn_ext_contact *contact = rows_api()->get_extension(STN_EXT_CONTACT);
    TEST_ASSERT_NOT_NULL(contact);
    return contact;
}

const stn_ext_rods *rows_rods(void)
{
    const stn_ext_rods *rods = rows_api()->get_extension(STN_EXT_RODS);
    TEST_ASSERT_NOT_NULL(rods);
    return rods;
}

const stn_row *rows_begin(void) { return rows_api()->describe()->rows; }

const stn_row *rows_end(void) { return rows_begin() + rows_api()->describe()->count; }

bool row_is(const stn_row *row, const char *kind, const char *owner)
{
    return strcmp(row->kind, kind) == 0 && strcmp(row->owner, owner) == 0;
}

const stn_row *rows_find(const char *kind, const char *owner, const char *name)
{
    for (const stn_row *row = rows_begin(); row < rows_end(); row++) {
        if (row_is(row, kind, owner) && strcmp(row->name, name) == 0) return row;
    }
    TEST_FAIL_MESSAGE(name);
    return NULL;
}

uint32_t row_argument_types(const stn_row *entry, char types[SIGNATURE_ARGUMENTS][TYPE_SIZE])
{
    const char *at = strrchr(entry->type, '(') + 1;
    if (strcmp(at, "void)") == 0 || strcmp(at, ")") == 0) return 0;
    uint32_t count = 0;
    while (*at) {
        while (*at == ' ') at++;
        const size_t size = strcspn(at, ",)");
        TEST_ASSERT_TRUE(size < TYPE_SIZE && count < SIGNATURE_ARGUMENTS);
        memcpy(types[count], at, size);
        types[count++][size] = '\0';
        at += size + 1;
    }
    return count;
}

static const char *table_of(const char *owner)
{
    if (strcmp(owner, "stn_api") == 0) return (const char *)rows_api();
    if (strcmp(owner, "stn_ext_contact") == 0) return (const char *)rows_contact();
    if (strcmp(owner, "stn_ext_rods") == 0) return (const char *)rows_rods();
    return (const char *)rows_shots();
}

static signature_function row_function(const stn_row *entry)
{
    const char *table = table_of(entry->owner);
    signature_function function;
    memcpy(&function, table + entry->offset, sizeof function);
    TEST_ASSERT_TRUE_MESSAGE(function != NULL, entry->name);
    return function;
}

signature_value row_call(const stn_row *entry, const signature_value *arguments, size_t count)
{
    signature s;
    error err = {0};
    const status parsed = signature_parse(entry->type, &s, &err);
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, parsed, err.text);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(s.count, count, entry->type);
    return signature_call(&s, row_function(entry), arguments);
}
