/* SPDX-License-Identifier: Apache-2.0
 *
 * One step (docs/architecture.md): import, predict, collide, assemble, solve, correct.
 */
#ifndef SCENE_STEP_H
#define SCENE_STEP_H

#include "scene/scene.h"

typedef struct step_plan {
    double dt;
    double fraction; /* of the remaining way to poses and targets that this step goes */
    double frame;    /* at the end of the step */
    double plan_frame, plan_left; /* of the advance call after this step; plan_left 0: it is done */
    double plan_dt;               /* of its steps */
    double done, whole;           /* steps of the call, for progress, */
    double part;                  /* and how much of a step this is: less than 1 for a piece */
    bool unfinished;              /* a piece that is not the last of its step */
} step_plan;

/* Takes the step, or changes nothing: STATUS_CANCELLED, _OUT_OF_MEMORY, _DIVERGED. A step that is
 * too violent for its length is taken in pieces. */
status step_take(scene *s, const step_plan *plan, error *err);

#endif
