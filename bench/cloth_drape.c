/* SPDX-License-Identifier: Apache-2.0
 *
 * Bending length and drape coefficient of every preset.
 *
 *     bench_cloth_drape [RINGS]
 */
#include "drape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const cloth_preset *p, uint32_t rings)
{
    drape_result r;
    error err;
    const double weight = 9.81 * p->material.density;
    const status st = drape_run(&p->material, rings, &r, &err);
    if (st < 0) {
        printf("%-20s %s\n", p->name, err.text);
        return;
    }
    printf("%-20s %8.0f %8.2f %8.2f %8.1f %8.1f %8u %10.1e\n", p->name, 1e3 * p->material.density,
           1e2 * cbrt(p->material.plate.warp / weight), 1e2 * cbrt(p->material.plate.weft / weight),
           100.0 * r.coefficient, 100.0 * r.strain, r.steps, r.speed);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const long rings = argc > 1 ? strtol(argv[1], NULL, 10) : 15;
    if (rings < 5 || rings > 200) {
        fprintf(stderr, "rings: %s, expected 5 to 200\n", argv[1]);
        return 2;
    }
    printf("%-20s %8s %8s %8s %8s %8s %8s %10s\n", "preset", "g/m^2", "warp cm", "weft cm",
           "drape %", "strain %", "steps", "end m/s");
    for (size_t i = 0; i < cloth_preset_count; i++) show(&cloth_presets[i], (uint32_t)rings);
    for (size_t i = 0; i < cloth_measured_count; i++) show(&cloth_measured[i], (uint32_t)rings);
    return 0;
}
