/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction preview SCENE: simulates to a frame, draws it, and writes no output of the scene.
 */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "interrupt.h"
#include "picture/moments.h"
#include "progress.h"

typedef struct preview {
    cli *c;
    const char *scene, *output;
    double frame; /* NaN: the last one */
    bool contacts;
    uint32_t count;
    cli_size size;
    stn_shot *shot;
    moments moments;
} preview;

static int fail_shot(const preview *p, stn_status status)
{
    return cli_fail_status(p->c, status, p->c->shots->last_error(p->shot));
}

/* Simulates from the first frame to p->frame and keeps the moments. */
static stn_status collect(preview *p, const stn_shot_info *info)
{
    progress bar;
    const uint64_t total = (uint64_t)(p->frame - info->first_frame + 0.5);
    progress_begin(&bar, !p->c->quiet && !p->c->json, "simulating", "frame", 0, total);
    stn_status status = p->c->shots->begin(p->shot);
    double frame = info->first_frame;
    for (uint64_t done = 0; status >= 0; done++) {
        status = moments_offer(&p->moments, p->c->api, p->c->shots->scene(p->shot), frame);
        if (status < 0 || frame >= p->frame || interrupt_count() > 0) break;
        status = p->c->shots->next_frame(p->shot);
        if (status == STN_CANCELLED) break;
        frame += 1.0;
        progress_update(&bar, done + 1, 0.0);
    }
    progress_end(&bar);
    return status;
}

static int draw(const preview *p)
{
    const picture_style style = {.width = p->size.width,
                                 .height = p->size.height,
                                 .columns = p->count > 4 ? 3 : 2,
                                 .tinted = p->contacts};
    const char *problem = picture_write(p->output, p->moments.shots, p->moments.taken, &style);
    if (problem) return cli_fail(p->c, CLI_FILES, "%s: %s", p->output, problem);
    if (p->c->json) {
        return cli_print_json(
            p->c, json_pack("{s:o, s:o, s:I}", "picture", cli_json_text(p->output), "frame",
                            cli_json_real(p->frame), "moments", (json_int_t)p->moments.taken));
    }
    if (!p->c->quiet) printf("%s: frame %g\n", p->output, p->frame);
    return CLI_DONE;
}

static int simulate_and_draw(preview *p)
{
    stn_shot_info info = {.struct_size = sizeof info};
    p->c->shots->info(p->shot, &info);
    if (isnan(p->frame)) p->frame = info.last_frame;
    if (p->frame < info.first_frame || p->frame > info.last_frame) {
        return cli_fail_usage(p->c, "--frame %g: %s has the frames %g to %g", p->frame, p->scene,
                              info.first_frame, info.last_frame);
    }
    moments_init(&p->moments, info.first_frame, p->frame, p->count);
    interrupt_watch(p->c->shots->scene(p->shot));
    const stn_status status = collect(p, &info);
    interrupt_watch(NULL);
    int code = status < 0 ? fail_shot(p, status) : CLI_DONE;
    if (code == CLI_DONE && interrupt_count() > 0) {
        code = cli_fail(p->c, CLI_INTERRUPTED, "interrupted, nothing was drawn");
    }
    if (code == CLI_DONE) code = draw(p);
    moments_free(&p->moments);
    return code;
}

static int open_and_draw(preview *p)
{
    const stn_shot_desc desc = {
        .struct_size = sizeof desc, .scene_path = p->scene, .flags = STN_SHOT_NO_OUTPUT};
    const stn_status status = p->c->shots->open(&desc, &p->shot);
    if (status < 0) return fail_shot(p, status);
    const int code = simulate_and_draw(p);
    p->c->shots->close(p->shot);
    return code;
}

static int check_options(const preview *p)
{
    enum { LARGEST = 8192 };
    if (p->size.width > LARGEST || p->size.height > LARGEST) {
        return cli_fail_usage(p->c, "--size %ux%u: expected at most %dx%d", p->size.width,
                              p->size.height, LARGEST, LARGEST);
    }
    if (p->count < 1 || p->count > PICTURE_MOST_MOMENTS) {
        return cli_fail_usage(p->c, "--moments %u: expected 1 to %d", p->count,
                              PICTURE_MOST_MOMENTS);
    }
    return CLI_GO_ON;
}

static int preview_run(cli *c, int argc, char **argv)
{
    preview p = {.c = c, .output = "preview.png", .frame = NAN, .count = 1, .size = {960, 720}};
    const cli_option options[] = {
        {"frame", 'f', CLI_REAL, &p.frame, "N", "which frame; by default the last one"},
        {"output", 'o', CLI_TEXT, &p.output, "FILE", "the PNG file; by default preview.png"},
        {"size", 0, CLI_SIZE, &p.size, "WxH", "of one moment in pixels; by default 960x720"},
        {"moments", 0, CLI_COUNT, &p.count, "K", "K moments up to the frame on one sheet"},
        {"contacts", 0, CLI_FLAG, &p.contacts, NULL,
         "blue where the cloth sticks, orange where it slides"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], &p.scene, 1, 1};
    int code = cli_parse(c, &syntax, argc, argv);
    if (code == CLI_GO_ON) code = check_options(&p);
    if (code != CLI_GO_ON) return code;
    interrupt_begin(c->api, NULL);
    code = open_and_draw(&p);
    interrupt_end();
    return code;
}

const cli_command cmd_preview = {
    .name = "preview",
    .arguments = "SCENE",
    .summary = "draw a frame of a scene without writing its output",
    .help = "Simulates SCENE up to a frame and draws it into a PNG file. Nothing else is written.",
    .examples = "preview scenes/default.json\n"
                "preview scenes/slope.json --frame 30 --contacts -o drop.png\n"
                "preview scenes/default.json --moments 6 --size 480x360",
    .run = preview_run,
};
