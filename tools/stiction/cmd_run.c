/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction run SCENE: simulates a scene file and writes what it asks for, frame by frame, with a
 * picture of the run at the end. Whatever stops it, the files that exist are whole and --resume
 * goes on.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "interrupt.h"
#include "paste.h"
#include "picture/moments.h"
#include "progress.h"
#include "run/dump.h"
#include "term.h"
#include "text.h"

typedef struct run_options {
    const char *scene;
    const char *output;
    const char *formats;
    uint32_t threads;
    bool resume, no_picture, strict;
    dump_options dump;
} run_options;

static const double VISIBLE_DEPTH = 1e-5; /* m; what hair may sink in is less */

/* What the run comes to, over all its frames. */
typedef struct run_totals {
    uint64_t frames, steps, steps_not_converged;
    uint64_t nodes, most_contacts;
    double residual, penetration;
    double seconds;
} run_totals;

typedef struct run {
    cli *c;
    run_options options;
    stn_shot *shot;
    stn_shot_info info;
    progress bar;
    moments moments;
    run_totals totals;
    dump dump;
    char *picture; /* path, NULL if none was written */
    double began;
} run;

/* ---- frames ---------------------------------------------------------------------------------- */

static void refresh_info(run *r)
{
    r->info.struct_size = sizeof r->info;
    r->c->shots->info(r->shot, &r->info);
}

static void add_frame(run *r)
{
    stn_statistics s = {.struct_size = sizeof s};
    r->c->api->statistics_get(r->c->shots->scene(r->shot), &s);
    run_totals *t = &r->totals;
    t->frames++;
    t->steps += s.steps;
    t->steps_not_converged += s.steps_not_converged;
    t->nodes = s.nodes;
    t->most_contacts = s.contacts > t->most_contacts ? s.contacts : t->most_contacts;
    t->residual = fmax(t->residual, s.residual);
    t->penetration = fmax(t->penetration, s.penetration);
}

static void offer_moment(run *r)
{
    if (r->options.no_picture) return;
    const stn_status status =
        moments_offer(&r->moments, r->c->api, r->c->shots->scene(r->shot), r->info.frame);
    if (status >= 0) return;
    cli_warn(r->c, "no picture: %s", r->c->api->status_name(status));
    r->options.no_picture = true;
}

static uint64_t frames_done(const run *r)
{
    return (uint64_t)(r->info.frame - r->info.first_frame + 0.5);
}

static int32_t show_part(void *user, double fraction, const char *stage)
{
    run *r = user;
    (void)stage;
    progress_update(&r->bar, r->bar.done, fraction);
    return 0;
}

/* Until the last frame, a signal or an error. */
static stn_status run_frames(run *r)
{
    stn_status status = STN_OK;
    while (r->info.frame < r->info.last_frame && interrupt_count() == 0 && !r->dump.error[0]) {
        status = r->c->shots->next_frame(r->shot);
        if (status < 0 || status == STN_CANCELLED) break;
        refresh_info(r);
        add_frame(r);
        offer_moment(r);
        progress_update(&r->bar, frames_done(r), 0.0);
    }
    return status;
}

/* ---- after the frames ------------------------------------------------------------------------ */

static void write_picture(run *r)
{
    if (r->options.no_picture || r->moments.taken == 0) return;
    const picture_style style = {.width = 480, .height = 360, .columns = 3};
    r->picture = cli_join_path(r->info.output_folder, "picture.png");
    const char *problem =
        r->picture ? picture_write(r->picture, r->moments.shots, r->moments.taken, &style)
                   : "out of memory";
    if (!problem) return;
    cli_warn(r->c, "%s: %s", r->picture ? r->picture : "picture", problem);
    free(r->picture);
    r->picture = NULL;
}

static void print_label(const char *label)
{
    printf("%s%-9s%s ", term_on(stdout, TERM_BOLD), label, term_off(stdout));
}

static void print_figures(const run *r)
{
    const run_totals *t = &r->totals;
    print_label("Figures");
    if (t->steps == 0) {
        printf("nothing was simulated, %s\n", text_duration(t->seconds).s);
        return;
    }
    printf("%s of %s, at most %s, worst residual %s m/s, %s", text_plural(t->frames, "frame").s,
           text_plural(t->nodes, "node").s, text_plural(t->most_contacts, "contact").s,
           text_real(t->residual).s, text_duration(t->seconds).s);
    if (t->steps_not_converged) {
        printf(", %s%s missed the tolerance%s", term_on(stdout, TERM_YELLOW),
               text_plural(t->steps_not_converged, "step").s, term_off(stdout));
    }
    putchar('\n');
}

static void print_problems(const run *r)
{
    if (!r->options.dump.folder) return;
    print_label("Problems");
    fputs(term_on(stdout, TERM_BLUE), stdout);
    paste_path(r->options.dump.folder);
    printf("%s: %s\n", term_off(stdout), text_plural(r->dump.written, "file").s);
}

static void print_dump_options(const dump_options *o)
{
    if (!o->folder) return;
    fputs(" --dump-problems ", stdout);
    paste_word(o->folder);
    if (o->every) printf(" --dump-every %" PRIu32, o->every);
    if (o->steps.first) printf(" --dump-steps %" PRIu32 "-%" PRIu32, o->steps.first, o->steps.last);
}

static void print_resume(const run *r)
{
    paste_word(r->c->program);
    fputs(" run ", stdout);
    paste_word(r->options.scene);
    if (r->options.output) {
        fputs(" --output ", stdout);
        paste_word(r->options.output);
    }
    if (r->options.formats) {
        fputs(" --format ", stdout);
        paste_word(r->options.formats);
    }
    print_dump_options(&r->options.dump);
    puts(" --resume");
}

static void print_finished(const run *r)
{
    const uint64_t files = r->info.files;
    print_label("Results");
    fputs(term_on(stdout, TERM_BLUE), stdout);
    paste_path(r->info.output_folder);
    printf("%s: %s%s\n", term_off(stdout), text_plural(files, "file").s,
           r->picture ? " and picture.png" : "");
    print_figures(r);
    print_problems(r);
    print_label("Next");
    const char *first = files ? r->c->shots->file_path(r->shot, 0) : NULL;
    if (r->picture) {
        fputs("look at ", stdout);
        paste_path(r->picture);
        fputs("; ", stdout);
    }
    paste_word(r->c->program);
    fputs(" info ", stdout);
    paste_path(first ? first : r->options.scene);
    putchar('\n');
}

static void print_interrupted(const run *r)
{
    print_label("Stopped");
    printf("after frame %g of %g; ", r->info.frame, r->info.last_frame);
    paste_path(r->info.output_folder);
    puts(" is whole up to there");
    print_figures(r);
    print_problems(r);
    print_label("Go on");
    print_resume(r);
}

static int print_run_json(const run *r, bool complete)
{
    json_t *files = json_array();
    for (uint64_t i = 0; i < r->info.files; i++) {
        json_array_append_new(files, cli_json_text(r->c->shots->file_path(r->shot, i)));
    }
    const run_totals *t = &r->totals;
    json_t *document = json_pack(
        "{s:o, s:o, s:b, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:I}",
        "scene", cli_json_text(r->info.scene_path), "output", cli_json_text(r->info.output_folder),
        "complete", complete, "first_frame", cli_json_real(r->info.first_frame), "last_frame",
        cli_json_real(r->info.last_frame), "frame", cli_json_real(r->info.frame), "frames",
        (json_int_t)t->frames, "steps", (json_int_t)t->steps, "steps_not_converged",
        (json_int_t)t->steps_not_converged, "nodes", (json_int_t)t->nodes, "contacts",
        (json_int_t)t->most_contacts, "residual", cli_json_real(t->residual), "penetration",
        cli_json_real(t->penetration), "seconds", cli_json_real(t->seconds), "files", files,
        "picture", cli_json_text(r->picture), "problems", (json_int_t)r->dump.written);
    return cli_print_json(r->c, document);
}

/* Says what happened, for people or as JSON. */
static int report(const run *r, bool complete)
{
    int code = CLI_DONE;
    if (r->c->json) {
        code = print_run_json(r, complete);
    } else if (!r->c->quiet) {
        if (complete) {
            print_finished(r);
        } else {
            print_interrupted(r);
        }
    }
    if (!complete) return CLI_INTERRUPTED;
    if (r->totals.penetration > VISIBLE_DEPTH) {
        cli_warn(r->c,
                 "a node or a strand ended %g m too deep in something; see penetration in "
                 "frames.jsonl",
                 r->totals.penetration);
    }
    const uint64_t missed = r->totals.steps_not_converged;
    if (missed == 0) return code;
    if (r->options.strict) {
        fprintf(stderr, "stiction run: %s missed the tolerance\n", text_plural(missed, "step").s);
        return CLI_FAILED;
    }
    cli_warn(r->c, "%s of %s missed the tolerance; see steps_not_converged in frames.jsonl",
             text_plural(missed, "step").s, text_count(r->totals.steps).s);
    return code;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int finish(run *r, stn_status status)
{
    r->totals.seconds = progress_now() - r->began;
    progress_end(&r->bar);
    if (status < 0) {
        return cli_fail_status(r->c, status, r->c->shots->last_error(r->shot));
    }
    refresh_info(r);
    const bool complete = r->info.frame >= r->info.last_frame;
    if (complete) {
        write_picture(r);
    } else {
        const stn_status saved = r->c->shots->checkpoint(r->shot);
        if (saved < 0 && !r->dump.error[0]) {
            return cli_fail_status(r->c, saved, r->c->shots->last_error(r->shot));
        }
        if (saved < 0) cli_complain(r->c, "%s", r->c->shots->last_error(r->shot));
    }
    if (r->dump.error[0]) return cli_fail(r->c, CLI_FILES, "%s", r->dump.error);
    return report(r, complete);
}

static int simulate(run *r)
{
    refresh_info(r);
    const int dumping = dump_begin(&r->dump, r->c, r->c->shots->scene(r->shot), r->info.title);
    if (dumping != CLI_GO_ON) return dumping;
    stn_status status = r->c->shots->begin(r->shot);
    if (status < 0) {
        return cli_fail_status(r->c, status, r->c->shots->last_error(r->shot));
    }
    refresh_info(r);
    r->totals.frames = r->options.resume ? 0 : 1;
    moments_init(&r->moments, r->info.frame, r->info.last_frame, 6);
    offer_moment(r);
    progress_begin(&r->bar, !r->c->quiet && !r->c->json, "simulating", "frame", frames_done(r),
                   (uint64_t)(r->info.last_frame - r->info.first_frame + 0.5));
    interrupt_watch(r->c->shots->scene(r->shot));
    status = run_frames(r);
    interrupt_watch(NULL);
    return finish(r, status);
}

static int open_and_simulate(run *r)
{
    const stn_host host = {.struct_size = sizeof host, .user = r, .progress = show_part};
    const stn_shot_desc desc = {.struct_size = sizeof desc,
                                .threads = r->options.threads,
                                .scene_path = r->options.scene,
                                .output_folder = r->options.output,
                                .host = &host,
                                .flags = r->options.resume ? STN_SHOT_RESUME : 0,
                                .formats = r->options.formats};
    const stn_status status = r->c->shots->open(&desc, &r->shot);
    if (status < 0) return cli_fail_status(r->c, status, r->c->shots->last_error(NULL));
    const int code = simulate(r);
    moments_free(&r->moments);
    free(r->picture);
    r->c->shots->close(r->shot);
    return code;
}

static int run_run(cli *c, int argc, char **argv)
{
    run r = {.c = c, .began = progress_now()};
    run_options *o = &r.options;
    const cli_option options[] = {
        {"output", 'o', CLI_TEXT, &o->output, "DIR", "write there, not where the scene says"},
        {"format", 'f', CLI_TEXT, &o->formats, "LIST",
         "caches to write, not those of the scene: pc2,stn"},
        {"threads", 0, CLI_THREADS, &o->threads, "N",
         "0: one per core; results do not depend on it"},
        {"resume", 0, CLI_FLAG, &o->resume, NULL, "go on from the checkpoint in the output folder"},
        {"no-picture", 0, CLI_FLAG, &o->no_picture, NULL, "do not draw picture.png"},
        {"strict", 0, CLI_FLAG, &o->strict, NULL, "a step that missed its tolerance is a failure"},
        {"dump-problems", 0, CLI_TEXT, &o->dump.folder, "DIR",
         "write the contact problem of each step there"},
        {"dump-every", 0, CLI_COUNT, &o->dump.every, "N", "only of each N-th step"},
        {"dump-steps", 0, CLI_RANGE, &o->dump.steps, "A-B", "only of the steps A to B, from 1"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], &o->scene, 1, 1};
    int parsed = cli_parse(c, &syntax, argc, argv);
    if (parsed == CLI_GO_ON) parsed = dump_init(&r.dump, c, &o->dump);
    if (parsed != CLI_GO_ON) return parsed;
    const char *notice = "finishing the frame; once more stops at once";
    interrupt_begin(c->api, c->quiet || c->json ? NULL : notice);
    const int code = open_and_simulate(&r);
    interrupt_end();
    return code;
}

const cli_command cmd_run = {
    .name = "run",
    .arguments = "SCENE",
    .summary = "simulate a scene file and write its frames",
    .help =
        "Reads SCENE (JSON), checks all of it, simulates it frame by frame and writes the\n"
        "files that it asks for into its output folder, by default out/NAME beside the scene.\n"
        "At the end a picture with six moments of the run is drawn there.\n"
        "\n"
        "Ctrl-C (or SIGTERM) finishes the frame being written, leaves a checkpoint and says\n"
        "how to go on; a second one stops inside the step; a third one ends the program at\n"
        "once, without a checkpoint. The resumed run gives the same bits as one that was\n"
        "never interrupted.\n"
        "\n"
        "With --dump-problems every step that has a contact leaves its one-step problem in\n"
        "DIR/step_000123.hdf5 (FCLIB, local form), to be solved with `stiction solve`. A file\n"
        "of the same name is replaced; a file that cannot be written ends the run. --dump-every\n"
        "counts from the first step, or from A.",
    .examples = "run scenes/default.json\n"
                "run scenes/default.json --output /tmp/try --threads 1\n"
                "run scenes/default.json --format stn,usda\n"
                "# after Ctrl-C\n"
                "run scenes/default.json --resume\n"
                "# in a script: figures as JSON, fails unless every step met its tolerance\n"
                "run scenes/default.json --json --strict\n"
                "# every tenth step's contact problem, solved again\n"
                "run scenes/slope.json --dump-problems problems --dump-every 10\n"
                "solve problems/*.hdf5",
    .run = run_run,
};
