/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines for whoever listens. The library itself never prints: without a sink a line is dropped.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdint.h>

enum { LOG_ERROR = 1, LOG_WARNING = 2, LOG_INFO = 3, LOG_DEBUG = 4 };

typedef struct log_sink {
    void *user;
    void (*write)(void *user, int32_t level, const char *text);
} log_sink;

void log_write(const log_sink *sink, int32_t level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
