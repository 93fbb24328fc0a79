/* SPDX-License-Identifier: Apache-2.0
 *
 * Status codes and error texts. Every function that can fail returns a status; the text goes into
 * an `error` that the caller owns. The values are those of stiction.h (checked where the ABI is
 * built).
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

typedef enum status {
    STATUS_OK = 0,
    STATUS_NOT_CONVERGED = 1,
    STATUS_CANCELLED = 2,
    STATUS_INVALID_ARGUMENT = -1,
    STATUS_OUT_OF_MEMORY = -2,
    STATUS_STALE_ID = -3,
    STATUS_WRONG_KIND = -4,
    STATUS_UNKNOWN_NAME = -5,
    STATUS_UNSUPPORTED = -6,
    STATUS_STRUCT_SIZE = -7,
    STATUS_BUFFER_TOO_SMALL = -8,
    STATUS_STATE_MISMATCH = -9,
    STATUS_BUSY = -10,
    STATUS_IO = -11,
    STATUS_PARSE = -12,
    STATUS_DIVERGED = -13
} status;

enum { ERROR_TEXT_SIZE = 1024 };

typedef struct error {
    status code;
    char text[ERROR_TEXT_SIZE];
} error;

/* "invalid argument", ...; never NULL. */
const char *status_name(int code);

/* Formats the text and returns `code`, so that callers write `return error_set(...)`. The old text
 * may be one of the arguments: error_set(err, err->code, "%s: %s", file, err->text). Control bytes,
 * which names in files may have, become \x1b and so on: a text cannot drive a terminal. */
status error_set(error *err, status code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

void error_clear(error *err);

/* The usual text for a failed allocation. */
status error_out_of_memory(error *err, const char *what);

#endif
