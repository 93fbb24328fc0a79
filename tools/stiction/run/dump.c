/* SPDX-License-Identifier: Apache-2.0 */
#include "dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fclib/fclib.h"
#include "../save.h"

/* ---- options --------------------------------------------------------------------------------- */

int dump_init(dump *d, const cli *c, const dump_options *options)
{
    *d = (dump){.options = *options};
    if (!d->options.every) d->options.every = 1;
    if (!d->options.steps.first) d->options.steps = (cli_range){1, UINT32_MAX};
    if (options->folder || !(options->every || options->steps.first)) return CLI_GO_ON;
    return cli_fail_usage(c, "--dump-%s needs --dump-problems", options->every ? "every" : "steps");
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct page {
    const stn_contact_problem *problem;
    char title[160];
    fclib_error error;
} page;

static const char *write_page(const char *path, void *user)
{
    page *p = user;
    return fclib_write(path, p->problem, p->title, &p->error) ? NULL : p->error.text;
}

static const char *save_step(const dump *d, const char *path, const stn_step_problem *step, page *p)
{
    p->problem = step->problem;
    snprintf(p->title, sizeof p->title, "%.100s, step %" PRIu64 ", frame %g", d->title, step->step,
             step->frame);
    return save_whole(path, write_page, p);
}

static bool is_wanted(const dump *d, uint64_t step)
{
    const cli_range *steps = &d->options.steps;
    return step >= steps->first && step <= steps->last &&
           (step - steps->first) % d->options.every == 0;
}

static int32_t visit(void *user, const stn_step_problem *step)
{
    dump *d = user;
    if (d->error[0]) return 1;
    if (!is_wanted(d, step->step)) return 0;
    char name[40];
    page p;
    snprintf(name, sizeof name, "step_%06" PRIu64 ".hdf5", step->step);
    char *path = cli_join_path(d->options.folder, name);
    const char *why = path ? save_step(d, path, step, &p) : "out of memory";
    if (why) {
        snprintf(d->error, sizeof d->error, "%s: %s", path ? path : name, why);
    } else {
        d->written++;
    }
    free(path);
    return why != NULL;
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* The folder and those it lies in; NULL, or why not. */
static const char *make_folder(const char *path)
{
    char *part = strdup(path);
    if (!part) return "out of memory";
    for (size_t i = 1; part[i - 1]; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        part[i] = '\0';
        mkdir(part, 0777); /* what matters is whether the whole is there in the end */
        part[i] = path[i];
    }
    free(part);
    struct stat found;
    if (stat(path, &found) != 0) return strerror(errno);
    if (!S_ISDIR(found.st_mode)) return strerror(ENOTDIR);
    return access(path, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

int dump_begin(dump *d, const cli *c, stn_scene *scene, const char *title)
{
    if (!d->options.folder) return CLI_GO_ON;
    d->title = title;
    const char *why = make_folder(d->options.folder);
    if (why) return cli_fail(c, CLI_FILES, "--dump-problems %s: %s", d->options.folder, why);
    const stn_ext_contact *contact = c->api->get_extension(STN_EXT_CONTACT);
    if (!contact) return cli_fail(c, CLI_SIMULATION, "the library lacks " STN_EXT_CONTACT);
    const stn_problem_visitor visitor = {.struct_size = sizeof visitor, .user = d, .visit = visit};
    const stn_status status = contact->visit_problems(scene, &visitor);
    return status < 0 ? cli_fail_status(c, status, c->api->last_error(scene)) : CLI_GO_ON;
}
