/* SPDX-License-Identifier: Apache-2.0 */
#include "paths.h"

#include <math.h>
#include <stdlib.h>

/* In pixels. */
enum { LEFT = 60, TOP = 50, FRAME = 520, BOTTOM = 50, LEGEND = 150, ROW = 22 };

bool paths_add(paths_picture *p, const char *name, const double *points, size_t stride,
               size_t count)
{
    if (p->count == PATHS_MOST) return false;
    paths_curve *c = &p->curves[p->count];
    c->points = malloc(2 * count * sizeof *c->points);
    if (!c->points) return false;
    for (size_t i = 0; i < count; i++) {
        c->points[2 * i] = points[stride * i];
        c->points[2 * i + 1] = points[stride * i + 1];
    }
    snprintf(c->name, sizeof c->name, "%s", name);
    c->count = count;
    p->count++;
    return true;
}

void paths_free(paths_picture *p)
{
    for (size_t i = 0; i < p->count; i++) free(p->curves[i].points);
    p->count = 0;
}

/* ---- the scale ------------------------------------------------------------------------------- */

/* A square that holds all curves, with ticks every `step`. */
typedef struct window {
    double x, y, side, step; /* lower left corner */
} window;

static window window_of(const paths_picture *p)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < 2 * p->curves[i].count; k++) {
            low[k % 2] = fmin(low[k % 2], p->curves[i].points[k]);
            high[k % 2] = fmax(high[k % 2], p->curves[i].points[k]);
        }
    }
    const double side = 1.1 * fmax(high[0] - low[0], high[1] - low[1]);
    const double power = pow(10.0, floor(log10(side / 5.0))), lead = side / 5.0 / power;
    return (window){.x = 0.5 * (low[0] + high[0] - side),
                    .y = 0.5 * (low[1] + high[1] - side),
                    .side = side,
                    .step = power * (lead < 2.0   ? 2.0
                                     : lead < 5.0 ? 5.0
                                                  : 10.0)};
}

static double place_x(const window *w, double x) { return LEFT + FRAME * (x - w->x) / w->side; }

static double place_y(const window *w, double y)
{
    return TOP + FRAME * (1.0 - (y - w->y) / w->side);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static const char *colour_of(size_t curve)
{
    static const char *const colours[PATHS_MOST] = {"#222222", "#d55e00", "#0072b2",
                                                    "#009e73", "#cc79a7", "#e69f00"};
    return colours[curve];
}

static void put_grid(FILE *out, const window *w)
{
    for (double x = w->step * ceil(w->x / w->step); x <= w->x + w->side; x += w->step) {
        fprintf(out,
                "<path class=\"grid\" d=\"M%.1f %dv%d\"/><text class=\"tick\" x=\"%.1f\" "
                "y=\"%d\" text-anchor=\"middle\">%.3g</text>\n",
                place_x(w, x), TOP, FRAME, place_x(w, x), TOP + FRAME + 20,
                fabs(x) < 1e-9 * w->step ? 0.0 : x);
    }
    for (double y = w->step * ceil(w->y / w->step); y <= w->y + w->side; y += w->step) {
        fprintf(out,
                "<path class=\"grid\" d=\"M%d %.1fh%d\"/><text class=\"tick\" x=\"%d\" "
                "y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
                LEFT, place_y(w, y), FRAME, LEFT - 8, place_y(w, y) + 4.0,
                fabs(y) < 1e-9 * w->step ? 0.0 : y);
    }
    fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">metres</text>\n",
            LEFT + FRAME / 2, TOP + FRAME + 40);
}

static void put_curve(FILE *out, const window *w, const paths_picture *p, size_t i)
{
    const paths_curve *c = &p->curves[i];
    fprintf(out, "<path class=\"curve\" stroke=\"%s\" d=\"", colour_of(i));
    for (size_t k = 0; k < c->count; k++) {
        fprintf(out, "%c%.1f %.1f", k == 0 ? 'M' : 'L', place_x(w, c->points[2 * k]),
                place_y(w, c->points[2 * k + 1]));
    }
    const double y = TOP + 10.0 + ROW * (double)i;
    fprintf(out, "\"/>\n<path class=\"curve\" stroke=\"%s\" d=\"M%d %.1fh24\"/>", colour_of(i),
            LEFT + FRAME + 24, y);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT + FRAME + 56, y + 4.0, c->name);
}

bool paths_write(FILE *out, const paths_picture *p)
{
    const int width = LEFT + FRAME + LEGEND, height = TOP + FRAME + BOTTOM;
    const window w = window_of(p);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" "
            "fill=\"#222\">\n"
            "<style>.grid{stroke:#e4e4e4}.tick{font-size:12px;fill:#555}"
            ".curve{fill:none;stroke-width:1.6;stroke-linejoin:round}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"30\" font-size=\"16\" font-weight=\"600\">%s</text>\n",
            width, height, width, height, LEFT, p->title);
    put_grid(out, &w);
    for (size_t i = p->count; i-- > 0;) put_curve(out, &w, p, i);
    fputs("</svg>\n", out);
    return !ferror(out);
}
