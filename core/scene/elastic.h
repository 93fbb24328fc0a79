/* SPDX-License-Identifier: Apache-2.0
 *
 * Cloth with a fabric: its nodes hold together. A step of it is the linear system of
 * cloth/assemble.h (backward Euler, linearised at the beginning of the step) with the drag of the
 * air on its diagonal, and the contacts of its nodes with surfaces are solved together with it
 * (contact/nodes.h). Cloth without a fabric has none of this.
 */
#ifndef SCENE_ELASTIC_H
#define SCENE_ELASTIC_H

#include "cloth/assemble.h"

/* Numbers of the parameter `fabric`: 0 is none, kinds of cloth begin at 1, and fabrics that were
 * measured one by one at FABRIC_MEASURED. */
enum { FABRIC_NONE = 0, FABRIC_KIND = 1, FABRIC_MEASURED = 101 };

typedef struct elastic {
    cloth_sheet sheet;
    cloth_system system;
    double damping; /* beta, s */
    /* of the step under way, scratch; NULL: there is none */
    const double *air, *field; /* [nodes][3] velocity of the air, and acceleration */
    double reach;              /* m: how far its fastest node would go without contacts */
} elastic;

/* NULL if no fabric has the number. */
const cloth_preset *elastic_find_fabric(double number);

#endif
