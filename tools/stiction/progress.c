/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "term.h"
#include "text.h"

static const double BAR_INTERVAL = 0.1; /* seconds */
static const double LINE_INTERVAL = 5.0;

double progress_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, bool shown, const char *verb, const char *noun, uint64_t done,
                    uint64_t total)
{
    const bool terminal = term_is_terminal(stderr);
    const double now = progress_now();
    *p = (progress){.verb = verb,
                    .noun = noun,
                    .total = total,
                    .first = done,
                    .done = done,
                    .shown = shown && total > 0,
                    .terminal = terminal,
                    .began = now,
                    .last_shown = terminal ? 0.0 : now};
    progress_update(p, done, 0.0);
}

static void show_bar(double fraction, int width)
{
    const bool utf8 = term_has_utf8();
    const int filled = (int)(fraction * width);
    fputs(term_on(stderr, TERM_BLUE), stderr);
    for (int i = 0; i < width; i++) {
        if (i == filled) fprintf(stderr, "%s%s", term_off(stderr), term_on(stderr, TERM_DIM));
        fputs(utf8 ? (i < filled ? "━" : "─") : (i < filled ? "#" : "-"), stderr);
    }
    fputs(term_off(stderr), stderr);
}

/* The bar takes what the texts around it leave of the line. */
static void show_terminal_line(const progress *p, double fraction, const char *tail)
{
    char head[64];
    const int head_length = snprintf(head, sizeof head, "%s ", p->verb);
    char middle[128];
    const int middle_length =
        snprintf(middle, sizeof middle, " %3.0f%%  %s %s/%s%s", 100.0 * fraction, p->noun,
                 text_count(p->done).s, text_count(p->total).s, tail);
    int width = term_width(stderr) - head_length - middle_length - 1;
    if (width > 40) width = 40;
    fprintf(stderr, "\r%s", head);
    if (width >= 5) show_bar(fraction, width);
    fprintf(stderr, "%s\033[K", middle);
    fflush(stderr);
}

static void show(const progress *p, double part, double elapsed)
{
    const double fraction = ((double)p->done + part) / (double)p->total;
    const double new_ones = (double)(p->done - p->first) + part;
    char tail[96] = "";
    if (new_ones > 0.0 && elapsed > 0.0) {
        const double rate = new_ones / elapsed;
        const double left = ((double)(p->total - p->done) - part) / rate;
        const int length = snprintf(tail, sizeof tail, "  %.3g %ss/s", rate, p->noun);
        if (left > 0.0) {
            snprintf(tail + length, sizeof tail - (size_t)length, "  %s left",
                     text_duration(ceil(left)).s);
        }
    }
    if (p->terminal) {
        show_terminal_line(p, fraction, tail);
    } else {
        fprintf(stderr, "%s: %s %s of %s (%.0f%%)%s\n", p->verb, p->noun, text_count(p->done).s,
                text_count(p->total).s, 100.0 * fraction, tail);
    }
}

void progress_update(progress *p, uint64_t done, double part)
{
    if (!p->shown) return;
    const double now = progress_now();
    const bool last = done == p->total && done != p->done;
    p->done = done;
    if (now - p->last_shown < (p->terminal ? BAR_INTERVAL : LINE_INTERVAL) &&
        !(last && p->terminal)) {
        return;
    }
    p->last_shown = now;
    show(p, done < p->total ? part : 0.0, now - p->began);
}

void progress_end(progress *p)
{
    if (p->shown && p->terminal) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    p->shown = false;
}
