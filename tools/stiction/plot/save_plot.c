/* SPDX-License-Identifier: Apache-2.0 */
#include "save_plot.h"

#include <errno.h>
#include <string.h>

#include "../save.h"

static const char *write_svg(const char *path, void *user)
{
    const plot *const *p = user;
    FILE *out = fopen(path, "w");
    if (!out) return strerror(errno);
    const bool good = plot_write(out, *p);
    return fclose(out) == 0 && good ? NULL : "cannot be written";
}

int plot_save(const cli *c, const char *path, const plot *p)
{
    return save_file(c, path, write_svg, &p);
}
