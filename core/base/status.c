/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

const char *status_name(int code)
{
    switch (code) {
    case STATUS_OK: return "ok";
    case STATUS_NOT_CONVERGED: return "not converged";
    case STATUS_CANCELLED: return "cancelled";
    case STATUS_INVALID_ARGUMENT: return "invalid argument";
    case STATUS_OUT_OF_MEMORY: return "out of memory";
    case STATUS_STALE_ID: return "stale id";
    case STATUS_WRONG_KIND: return "wrong kind";
    case STATUS_UNKNOWN_NAME: return "unknown name";
    case STATUS_UNSUPPORTED: return "unsupported";
    case STATUS_STRUCT_SIZE: return "struct size";
    case STATUS_BUFFER_TOO_SMALL: return "buffer too small";
    case STATUS_STATE_MISMATCH: return "state mismatch";
    case STATUS_BUSY: return "busy";
    case STATUS_IO: return "input or output error";
    case STATUS_PARSE: return "parse error";
    case STATUS_DIVERGED: return "diverged";
    default: return "unknown status";
    }
}

/* Cuts what does not fit. */
static void copy_printable(char *to, size_t room, const char *from)
{
    for (; *from; from++) {
        const unsigned char byte = (unsigned char)*from;
        const bool control = byte < 0x20 || byte == 0x7f;
        const int size = snprintf(to, room, control ? "\\x%02x" : "%c", byte);
        if ((size_t)size >= room) break;
        to += size;
        room -= (size_t)size;
    }
    *to = '\0';
}

status error_set(error *err, status code, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE]; /* apart, because the old text may be among the arguments */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    err->code = code;
    copy_printable(err->text, sizeof err->text, text);
    return code;
}

void error_clear(error *err)
{
    err->code = STATUS_OK;
    err->text[0] = '\0';
}

status error_out_of_memory(error *err, const char *what)
{
    return error_set(err, STATUS_OUT_OF_MEMORY, "out of memory while making room for %s", what);
}
