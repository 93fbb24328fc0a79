/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include "../text.h"
#include "axis.h"

#include <math.h>
#include <string.h>

/* In pixels: the frame, and the legend right of it. */
enum {
    LEFT = 76,
    TOP = 56,
    FRAME_WIDTH = 620,
    FRAME_HEIGHT = 380,
    BOTTOM = 64,
    LEGEND_GAP = 24,
    LEGEND_WIDTH = 220,
    LEGEND_ROW = 22,
    LEGEND_LETTERS = 24,
    WIDTH = LEFT + FRAME_WIDTH + LEGEND_GAP + LEGEND_WIDTH
};

typedef struct chart {
    FILE *out;
    const plot *p;
    axis x, y;
} chart;

/* A residual of exactly zero has no logarithm, and nobody needs to see how tiny another one is. */
static double lowest_shown(const plot *p) { return p->floor > 0.0 ? p->floor : 1e-4 * p->target; }

/* ---- parts ----------------------------------------------------------------------------------- */

/* Eight colours that stay apart for colour-blind eyes, then the same dashed. */
static const char *colour_of(size_t series)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#56b4e9", "#e69f00", "#444444", "#8c6bb1"};
    return colours[series % 8];
}

static const char *dashes_of(size_t series)
{
    static const char *const dashes[] = {"none", "7 3", "2 3"};
    return dashes[series / 8 % 3];
}

/* At most `letters` of the text, without what XML or UTF-8 would not take. */
static void put_text(FILE *out, const char *string, size_t letters)
{
    const bool cut = strlen(string) > letters;
    for (size_t i = 0; string[i] && i < letters - cut; i++) {
        switch (string[i]) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: putc(string[i] >= ' ' && string[i] <= '~' ? string[i] : '?', out);
        }
    }
    if (cut) fputs("&#8230;", out);
}

static void put_label(FILE *out, const char *attributes, const char *string)
{
    fprintf(out, "<text %s>", attributes);
    put_text(out, string, 200);
    fputs("</text>\n", out);
}

static void put_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class,
            x1, y1, x2, y2);
}

/* A dot, or a cross for a series that did not arrive. */
static void put_marker(FILE *out, double x, double y, const char *colour, bool reached)
{
    if (reached) {
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", x, y, colour);
    } else {
        fprintf(out,
                "<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\" fill=\"none\" stroke=\"%s\" "
                "stroke-width=\"2\"/>\n",
                x - 4.0, y - 4.0, colour);
    }
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void put_tick_label(const chart *c, const axis *a, int i, double x, double y,
                           const char *anchor)
{
    const double tick = axis_tick(a, i);
    fprintf(c->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    if (a == &c->y && !a->log) {
        fprintf(c->out, "%.0f%%", tick);
    } else if (a == &c->y) {
        fprintf(c->out, "10<tspan dy=\"-5\" font-size=\"9\">%s%.0f</tspan>",
                tick < 0 ? "&#8722;" : "", fabs(tick));
    } else {
        fputs(text_count((uint64_t)llround(a->log ? pow(10.0, tick) : tick)).s, c->out);
    }
    fputs("</text>\n", c->out);
}

static void put_axes(const chart *c)
{
    const double right = LEFT + FRAME_WIDTH, bottom = TOP + FRAME_HEIGHT;
    for (int i = 0; i < axis_ticks(&c->y); i++) {
        const double y = axis_tick_place(&c->y, i);
        put_line(c->out, "grid", LEFT, y, right, y);
        put_tick_label(c, &c->y, i, LEFT - 10, y + 4, "end");
    }
    for (int i = 0; i < axis_ticks(&c->x); i++) {
        const double x = axis_tick_place(&c->x, i);
        put_line(c->out, "grid", x, TOP, x, bottom);
        put_tick_label(c, &c->x, i, x, bottom + 20, "middle");
    }
    put_line(c->out, "axis", LEFT, bottom, right, bottom);
    put_line(c->out, "axis", LEFT, TOP, LEFT, bottom);
    char attributes[160];
    snprintf(attributes, sizeof attributes, "x=\"%d\" y=\"%d\" text-anchor=\"middle\"",
             LEFT + FRAME_WIDTH / 2, TOP + FRAME_HEIGHT + 46);
    put_label(c->out, attributes, c->p->x_label);
    snprintf(attributes, sizeof attributes,
             "transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\"",
             TOP + FRAME_HEIGHT / 2);
    put_label(c->out, attributes, c->p->y_label);
}

static void put_target(const chart *c)
{
    const double y = axis_place(&c->y, c->p->target);
    put_line(c->out, "target", LEFT, y, LEFT + FRAME_WIDTH, y);
    char attributes[160];
    snprintf(attributes, sizeof attributes,
             "class=\"tick halo\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\"", LEFT + FRAME_WIDTH - 6,
             y - 6.0);
    put_label(c->out, attributes, c->p->target_label);
}

/* ---- series ---------------------------------------------------------------------------------- */

static double y_of(const chart *c, const plot_series *s, size_t k)
{
    return axis_place(&c->y, c->p->percent ? s->y[k] : fmax(s->y[k], lowest_shown(c->p)));
}

/* Of the points that fall on one column of pixels the first, the lowest, the highest and the last
 * are enough. */
typedef struct column {
    double x, y[4];
    bool any;
} column;

static void put_column(FILE *out, column *now, bool *begun)
{
    for (int k = 0; now->any && k < 4; k++) {
        if (k > 0 && now->y[k] == now->y[k - 1]) continue;
        fprintf(out, "%c%.1f %.1f", *begun ? 'L' : 'M', now->x, now->y[k]);
        *begun = true;
    }
    now->any = false;
}

static void put_path(const chart *c, const plot_series *s)
{
    column now = {0};
    bool begun = false;
    for (size_t k = 0; k < s->count; k++) {
        const double x = axis_place(&c->x, s->x[k]), y = y_of(c, s, k);
        if (now.any && x - now.x >= 1.0) put_column(c->out, &now, &begun);
        if (!now.any) now = (column){x, {y, y, y, y}, true};
        now.y[1] = fmin(now.y[1], y);
        now.y[2] = fmax(now.y[2], y);
        now.y[3] = y;
    }
    put_column(c->out, &now, &begun);
}

static void put_series(const chart *c, size_t i)
{
    const plot_series *s = &c->p->series[i];
    if (s->count == 0) return;
    fprintf(c->out, "<path class=\"series\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"",
            colour_of(i), dashes_of(i));
    put_path(c, s);
    fputs("\"><title>", c->out);
    put_text(c->out, s->name, 200);
    fputs("</title></path>\n", c->out);
    const size_t last = s->count - 1;
    put_marker(c->out, axis_place(&c->x, s->x[last]), y_of(c, s, last), colour_of(i), s->reached);
}

static void put_legend(const chart *c)
{
    const double x = LEFT + FRAME_WIDTH + LEGEND_GAP;
    for (size_t i = 0; i < c->p->count; i++) {
        const plot_series *s = &c->p->series[i];
        const double y = TOP + 10.0 + LEGEND_ROW * (double)i;
        fprintf(c->out,
                "<path class=\"series\" stroke=\"%s\" stroke-dasharray=\"%s\" "
                "d=\"M%.1f %.1fh24\"/>\n",
                colour_of(i), dashes_of(i), x, y);
        put_marker(c->out, x + 24.0, y, colour_of(i), s->reached);
        fprintf(c->out, "<text x=\"%.1f\" y=\"%.1f\">", x + 36.0, y + 4.0);
        put_text(c->out, s->name, LEGEND_LETTERS);
        fputs("</text>\n", c->out);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void make_axes(chart *c)
{
    double low = c->p->target, high = c->p->target, longest = 1.0;
    for (size_t i = 0; i < c->p->count; i++) {
        const plot_series *s = &c->p->series[i];
        for (size_t k = 0; k < s->count; k++) {
            longest = fmax(longest, s->x[k]);
            low = fmin(low, s->y[k]);
            high = fmax(high, s->y[k]);
        }
    }
    const double first = c->p->log_x ? 1.0 : c->p->first_x;
    c->x = axis_make(c->p->log_x, first, longest, LEFT, LEFT + FRAME_WIDTH, 7);
    if (c->p->percent) {
        c->y = axis_make(false, 0.0, 100.0, TOP + FRAME_HEIGHT, TOP, 10);
    } else {
        c->y = axis_make(true, fmax(low, lowest_shown(c->p)), high, TOP + FRAME_HEIGHT, TOP, 10);
        axis_round(&c->y);
    }
}

static void put_head(const chart *c, double height)
{
    fprintf(c->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" "
            "fill=\"#222\">\n"
            "<style>.grid{stroke:#e4e4e4}.axis{stroke:#444}.tick{font-size:12px;fill:#555}"
            ".target{stroke:#777;stroke-dasharray:5 4}"
            ".halo{stroke:#fff;stroke-width:4px;paint-order:stroke}"
            ".series{fill:none;stroke-width:1.8;stroke-linejoin:round}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, height, WIDTH, height);
    char attributes[80];
    snprintf(attributes, sizeof attributes,
             "x=\"%d\" y=\"32\" font-size=\"16\" font-weight=\"600\"", LEFT);
    put_label(c->out, attributes, c->p->title);
}

bool plot_write(FILE *out, const plot *p)
{
    chart c = {.out = out, .p = p};
    make_axes(&c);
    const double frame = TOP + FRAME_HEIGHT + BOTTOM;
    const double legend = TOP + 20.0 + LEGEND_ROW * (double)p->count;
    put_head(&c, fmax(frame, legend));
    put_axes(&c);
    for (size_t i = 0; i < p->count; i++) put_series(&c, i);
    if (!p->percent) put_target(&c);
    put_legend(&c);
    fputs("</svg>\n", out);
    return !ferror(out);
}
