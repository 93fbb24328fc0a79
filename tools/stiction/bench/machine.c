/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The build says which compiler; by hand the compiler does. */
#ifndef STICTION_COMPILER
#define STICTION_COMPILER __VERSION__
#endif

static void read_processor(char *out, size_t size)
{
    snprintf(out, size, "unknown processor");
    FILE *stream = fopen("/proc/cpuinfo", "r");
    if (!stream) return;
    char line[256];
    while (fgets(line, sizeof line, stream)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%.90s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    fclose(stream);
}

/* "AMD EPYC(TM) 7763 @ 2.4GHz" -> "amd-epyc-tm-7763-2.4ghz" */
static void make_slug(char *out, const char *name)
{
    size_t length = 0;
    for (; *name; name++) {
        const bool kept = isalnum((unsigned char)*name) || *name == '.';
        if (kept) out[length++] = (char)tolower((unsigned char)*name);
        if (!kept && length > 0 && out[length - 1] != '-') out[length++] = '-';
    }
    while (length > 0 && out[length - 1] == '-') length--;
    out[length] = '\0';
}

machine machine_read(void)
{
    machine m = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN), .compiler = STICTION_COMPILER};
    read_processor(m.processor, sizeof m.processor);
    make_slug(m.slug, m.processor);
    return m;
}
