/* SPDX-License-Identifier: Apache-2.0
 *
 * A signature is cut at its parentheses and commas; each piece is one type. A type that contains a
 * star is a pointer, whatever it points to, and any other is one word looked up in a table.
 */
#include "call.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *name;
    ffi_type *type;
} scalars[] = {
    {"void", &ffi_type_void},         {"float", &ffi_type_float},
    {"double", &ffi_type_double},     {"int8_t", &ffi_type_sint8},
    {"uint8_t", &ffi_type_uint8},     {"int16_t", &ffi_type_sint16},
    {"uint16_t", &ffi_type_uint16},   {"int32_t", &ffi_type_sint32},
    {"uint32_t", &ffi_type_uint32},   {"int64_t", &ffi_type_sint64},
    {"uint64_t", &ffi_type_uint64},   {"stn_status", &ffi_type_sint32},
    {"stn_id", &ffi_type_uint64},     {"stn_task", &ffi_type_pointer},
    {"stn_field", &ffi_type_pointer},
};

/* A piece of somebody's text. */
typedef struct slice {
    const char *begin, *end;
} slice;

static slice slice_trim(slice s)
{
    while (s.begin < s.end && *s.begin == ' ') s.begin++;
    while (s.begin < s.end && s.end[-1] == ' ') s.end--;
    return s;
}

static bool slice_is(slice s, const char *word)
{
    const size_t size = (size_t)(s.end - s.begin);
    return size == strlen(word) && memcmp(s.begin, word, size) == 0;
}

static bool is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Something, then stars; "const" and spaces may stand anywhere. */
static bool slice_is_pointer(slice s)
{
    const char *star = memchr(s.begin, '*', (size_t)(s.end - s.begin));
    if (!star || !is_word_character(*s.begin)) return false;
    for (const char *c = s.begin; c < star; c++) {
        if (*c != ' ' && !is_word_character(*c)) return false;
    }
    for (const char *c = star; c < s.end; c++) {
        if (c + 5 <= s.end && memcmp(c, "const", 5) == 0)
            c += 4;
        else if (*c != ' ' && *c != '*')
            return false;
    }
    return true;
}

static ffi_type *slice_type(slice s)
{
    s = slice_trim(s);
    if (s.begin == s.end) return NULL;
    if (slice_is_pointer(s)) return &ffi_type_pointer;
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        if (slice_is(s, scalars[i].name)) return scalars[i].type;
    }
    return NULL;
}

static slice slice_of(const char *text) { return (slice){text, text + strlen(text)}; }

/* ---- signatures ---- */

/* Cuts "R (A, B)" and "R (*)(A, B)" into the result and what is between the last parentheses. */
static bool signature_cut(slice text, slice *result, slice *arguments)
{
    text = slice_trim(text);
    if (text.begin == text.end || text.end[-1] != ')') return false;
    const char *open = memchr(text.begin, '(', (size_t)(text.end - text.begin));
    if (!open) return false;
    *result = (slice){text.begin, open};
    if (text.end - open > 3 && memcmp(open, "(*)", 3) == 0) {
        open += 3;
        while (open < text.end && *open == ' ') open++;
        if (*open != '(') return false;
    }
    *arguments = slice_trim((slice){open + 1, text.end - 1});
    const size_t inside = (size_t)(arguments->end - arguments->begin);
    return !memchr(arguments->begin, '(', inside) && !memchr(arguments->begin, ')', inside);
}

static status unknown_type(slice type, const char *text, error *err)
{
    type = slice_trim(type);
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "signature '%.200s': the type '%.*s' is not known; expected void, float, "
                     "double, an integer such as int32_t or uint64_t, or a pointer",
                     text, (int)(type.end - type.begin < 80 ? type.end - type.begin : 80),
                     type.begin);
}

static status parse_arguments(slice list, const char *text, signature *out, error *err)
{
    if (list.begin == list.end || slice_is(list, "void")) return STATUS_OK;
    while (list.begin <= list.end) {
        const char *comma = memchr(list.begin, ',', (size_t)(list.end - list.begin));
        const slice item = {list.begin, comma ? comma : list.end};
        ffi_type *type = slice_type(item);
        if (!type || type == &ffi_type_void) return unknown_type(item, text, err);
        if (out->count == SIGNATURE_ARGUMENTS) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "signature '%.200s' has more than %d arguments", text,
                             SIGNATURE_ARGUMENTS);
        }
        out->argument[out->count++] = type;
        list.begin = item.end + 1;
    }
    return STATUS_OK;
}

status signature_parse(const char *text, signature *out, error *err)
{
    slice result, arguments;
    *out = (signature){0};
    if (!signature_cut(slice_of(text), &result, &arguments)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%.200s' is not a signature; expected \"result (argument, argument)\"",
                         text);
    }
    out->result = slice_type(result);
    if (!out->result) return unknown_type(result, text, err);
    const status parsed = parse_arguments(arguments, text, out, err);
    if (parsed < 0) return parsed;
    if (ffi_prep_cif(&out->cif, FFI_DEFAULT_ABI, out->count, out->result, out->argument) !=
        FFI_OK) {
        return error_set(err, STATUS_UNSUPPORTED,
                         "signature '%.200s': libffi cannot prepare this call", text);
    }
    return STATUS_OK;
}

/* Small results come as a whole word; this moves the number to where its member is. */
static signature_value narrowed(const ffi_type *type, signature_value v)
{
    switch (type->type) {
    case FFI_TYPE_SINT8: return (signature_value){.i8 = (int8_t)v.word};
    case FFI_TYPE_UINT8: return (signature_value){.u8 = (uint8_t)v.word};
    case FFI_TYPE_SINT16: return (signature_value){.i16 = (int16_t)v.word};
    case FFI_TYPE_UINT16: return (signature_value){.u16 = (uint16_t)v.word};
    case FFI_TYPE_SINT32: return (signature_value){.i32 = (int32_t)v.word};
    case FFI_TYPE_UINT32: return (signature_value){.u32 = (uint32_t)v.word};
    default: return v;
    }
}

signature_value signature_call(signature *s, signature_function function,
                               const signature_value *arguments)
{
    signature_value copies[SIGNATURE_ARGUMENTS], result = {.u64 = 0};
    void *addresses[SIGNATURE_ARGUMENTS];
    for (uint32_t i = 0; i < s->count; i++) {
        copies[i] = arguments[i];
        addresses[i] = &copies[i];
    }
    ffi_call(&s->cif, function, &result, addresses);
    return narrowed(s->result, result);
}

ffi_type *signature_type(const char *text)
{
    slice result, arguments;
    if (signature_cut(slice_of(text), &result, &arguments)) return &ffi_type_pointer;
    return slice_type(slice_of(text));
}
