/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a spinning ball goes through two loops for several frictions, and how many iterations
 * its contacts take a step (paper 000, Figure 9).
 *
 *     bench_ball_in_loop [SOLVER [H [TOLERANCE]]]
 */
#include "ball_ride.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const double mu[] = {0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0};
    ball_setup setup = {
        .h = 1e-3, .seconds = 3.0, .tolerance = 1e-9, .solver = solver_find("newton-ac")};
    if (argc > 1) setup.solver = solver_find(argv[1]);
    if (argc > 2) setup.h = atof(argv[2]);
    if (argc > 3) setup.tolerance = atof(argv[3]);
    if (!setup.solver || !(setup.h > 0.0)) {
        fprintf(stderr, "no solver '%s', or a step of %g s\n", argv[1], setup.h);
        return 1;
    }
    printf("%s, steps of %g s, tolerance %g m/s\n", setup.solver->name, setup.h, setup.tolerance);
    ball_run run;
    error err = {0};
    printf("  mu  furthest m  of m  fastest m/s  deepest mm  gain J  residual m/s  steps  missed  "
           "iterations: "
           "mean  most  5 and more\n");
    for (size_t i = 0; i < sizeof mu / sizeof *mu; i++) {
        setup.mu = mu[i];
        if (ball_ride_run(&setup, &run, &err) < 0) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        printf("%4.2f  %10.3f  %4.2f  %11.2f  %10.4f  %6.0e  %12.0e  %5u  %6u  %17.2f  %4u  %10u\n",
               mu[i], run.furthest, run.end, run.fastest, 1e3 * run.deepest, run.energy_gain,
               run.residual, run.solved, run.missed, run.iterations / (double)run.solved, run.most,
               run.above);
    }
    return 0;
}
