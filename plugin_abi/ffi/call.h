/* SPDX-License-Identifier: Apache-2.0
 *
 * Calling functions that are known by a text: the signature that describe() gives for entries and
 * callbacks, "stn_status (stn_scene *, double)", becomes a prepared call (libffi's cif).
 *
 * Known are the integers of fixed width, float, double, pointers to anything, and the names that
 * stiction.h gives to such types. There are no structs by value, no varargs and no plain int or
 * long.
 */
#ifndef FFI_CALL_H
#define FFI_CALL_H

#include "base/status.h"

#include <ffi.h>
#include <stddef.h>
#include <stdint.h>

enum { SIGNATURE_ARGUMENTS = 16 }; /* at most */

typedef struct signature {
    ffi_cif cif;
    ffi_type *result;
    ffi_type *argument[SIGNATURE_ARGUMENTS];
    uint32_t count;
} signature;

/* An argument or a result; the signature says which member counts. */
typedef union signature_value {
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
    const void *pointer;
    ffi_arg word; /* libffi widens small results to this */
} signature_value;

typedef void (*signature_function)(void);

/* Reads "R (A, B)" or "R (*)(A, B)". It must stay in its place: the cif points into it. */
status signature_parse(const char *text, signature *out, error *err);

/* Calls with s->count arguments. */
signature_value signature_call(signature *s, signature_function function,
                               const signature_value *arguments);

/* The type of a member or argument, "const stn_view *" or "double"; function pointers count as
 * pointers. NULL if it is not known. */
ffi_type *signature_type(const char *text);

#endif
