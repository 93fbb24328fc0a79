/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/parameters.h"

#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

#define EVERY_FRAME .flags = PARAMETER_KEYFRAMABLE
#define REAL .type = PARAMETER_REAL, .components = 1
#define INTEGER .type = PARAMETER_INTEGER, .components = 1
#define VECTOR .type = PARAMETER_VECTOR, .components = 3
#define NAMES(id, text, of) .name = id, .label = text, .unit = of
#define LIMITS(low, high) .minimum = low, .maximum = high
#define SLIDER(low, high) .soft_minimum = low, .soft_maximum = high

/* clang-format off */
const parameter_row parameter_table[PARAMETER_ROWS] = {
    [P_GRAVITY] = {
        NAMES("gravity", "Gravity", "m/s^2"), .kinds = KIND_SCENE, VECTOR, EVERY_FRAME,
        .initial = {0.0, 0.0, -9.81}, LIMITS(-1e4, 1e4), SLIDER(-20.0, 20.0),
        .doc = "Acceleration that pulls on everything; the default points along -z.",
    },
    [P_FRAME_RATE] = {
        NAMES("frame_rate", "Frame rate", "1/s"), .kinds = KIND_SCENE, REAL,
        .initial = {24.0}, LIMITS(1e-3, 1e5), SLIDER(12.0, 120.0),
        .doc = "Frames per second of the animation.",
    },
    [P_SUBSTEPS] = {
        NAMES("substeps", "Substeps", ""), .kinds = KIND_SCENE, INTEGER, EVERY_FRAME,
        .initial = {4.0}, LIMITS(1.0, 1e4), SLIDER(1.0, 20.0),
        .doc = "Steps per frame. More follow fast motion better; friction holds at any number.",
    },
    [P_TOLERANCE] = {
        NAMES("tolerance", "Tolerance", "m/s"), .kinds = KIND_SCENE, REAL, EVERY_FRAME,
        .initial = {1e-10}, LIMITS(1e-14, 1.0), SLIDER(1e-12, 1e-4),
        .doc = "Largest error allowed at any contact, as a velocity.",
    },
    [P_MAX_ITERATIONS] = {
        NAMES("max_iterations", "Most iterations", ""), .kinds = KIND_SCENE, INTEGER, EVERY_FRAME,
        .initial = {10000.0}, LIMITS(1.0, 1e9), SLIDER(100.0, 100000.0),
        .doc = "The solver gives up and says so after this many sweeps.",
    },
    [P_DENSITY] = {
        NAMES("density", "Density", "kg/m^2"), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {0.2}, LIMITS(1e-6, 1e6), SLIDER(0.02, 2.0),
        .doc = "Mass of one square metre of cloth; not used where masses are given.",
    },
    [P_THICKNESS] = {
        NAMES("thickness", "Thickness", "m"), .kinds = KIND_CLOTH | KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {0.001}, LIMITS(0.0, 10.0), SLIDER(0.0, 0.02),
        .doc = "Distance that cloth's nodes and strands keep from surfaces. Two strands keep the "
               "sum of theirs, whatever the diameter: it is the radius of the lock that a strand "
               "stands for.",
    },
    [P_FRICTION] = {
        NAMES("friction", "Friction", ""), .kinds = KIND_CLOTH | KIND_HAIR | KIND_COLLIDER,
        REAL, EVERY_FRAME, .initial = {0.5}, LIMITS(0.0, 100.0), SLIDER(0.0, 2.0),
        .doc = "Coulomb's coefficient mu. Two surfaces that touch have sqrt(mu_a mu_b); 0 is ice.",
    },
    [P_ELEMENTS] = {
        NAMES("elements", "Elements", ""), .kinds = KIND_HAIR, INTEGER,
        .initial = {8.0}, LIMITS(1.0, 64.0), SLIDER(4.0, 16.0),
        .doc = "Helices that a strand is made of. More bend more finely and cost more. Changing it "
               "lets the strands start anew in the shape they were made with.",
    },
    [P_ATTACHED] = {
        NAMES("attached", "Attached", ""), .kinds = KIND_HAIR, INTEGER,
        .initial = {1.0}, LIMITS(0.0, 1.0), SLIDER(0.0, 1.0),
        .doc = "1: the roots are held, 0: the strands are free, like cut hair or spaghetti. "
               "Changing it lets them start anew in the shape they were made with.",
    },
    [P_DIAMETER] = {
        NAMES("diameter", "Diameter", "m"), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {7e-5}, LIMITS(1e-6, 1.0), SLIDER(3e-5, 2e-3),
        .doc = "Of one fibre: with the moduli and the density it gives stiffness and weight.",
    },
    [P_MASS_DENSITY] = {
        NAMES("mass_density", "Mass density", "kg/m^3"), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {1320.0}, LIMITS(1e-3, 1e6), SLIDER(500.0, 3000.0),
        .doc = "Of the fibre's material; keratin has 1320.",
    },
    [P_YOUNG] = {
        NAMES("young", "Stiffness", "Pa"), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {3.9e9}, LIMITS(1.0, 1e15), SLIDER(1e6, 1e11),
        .doc = "Young's modulus: how hard the fibre is to bend. Dry hair has 3.9e9, wet 1.7e9.",
    },
    [P_SHEAR_RATIO] = {
        NAMES("shear_ratio", "Twist stiffness", ""), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {0.23}, LIMITS(1e-3, 10.0), SLIDER(0.1, 0.5),
        .doc = "Shear modulus over Young's modulus: how hard the fibre is to twist.",
    },
    [P_DAMPING] = {
        NAMES("damping", "Damping", "s"), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {5e-3}, LIMITS(0.0, 1e3), SLIDER(0.0, 0.1),
        .doc = "Inner friction: a fibre that bends at some rate resists like one bent by rate "
               "times this time.",
    },
    [P_DRAG] = {
        NAMES("drag", "Air drag", "kg/(m s)"), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {2e-5}, LIMITS(0.0, 1e3), SLIDER(0.0, 2e-4),
        .doc = "The air's force on one metre of strand per m/s. One hair alone in still air has "
               "about 1.5e-4; among others the air goes along with it.",
    },
    [P_HAIR_TOLERANCE] = {
        NAMES("hair_tolerance", "Hair tolerance", "m/s"), .kinds = KIND_SCENE, REAL, EVERY_FRAME,
        .initial = {1e-3}, LIMITS(1e-14, 1.0), SLIDER(1e-6, 1e-3),
        .doc = "Largest error allowed at any contact of hair, as a velocity.",
    },
    [P_HAIR_ITERATIONS] = {
        NAMES("hair_iterations", "Most hair iterations", ""), .kinds = KIND_SCENE, INTEGER,
        EVERY_FRAME, .initial = {2000.0}, LIMITS(1.0, 1e9), SLIDER(50.0, 10000.0),
        .doc = "The solver of hair contacts gives up and says so after this many iterations; one is "
               "as many visits as there are contacts.",
    },
    [P_CLOTH_DRAG] = {
        NAMES("cloth_drag", "Air drag", "kg/(m^2 s)"), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {0.0}, LIMITS(0.0, 1e6), SLIDER(0.0, 5.0),
        .doc = "The air's force on one square metre of cloth per m/s, along the wind and not "
               "sideways. 0 is no air; broad cloth in a breeze has about 1. Nodes without "
               "triangles have no area.",
    },
    [P_STRENGTH] = {
        NAMES("strength", "Strength", "m/s or m/s^2"), .kinds = KIND_FORCE, REAL, EVERY_FRAME,
        .initial = {1.0}, LIMITS(-1e4, 1e4), SLIDER(-20.0, 20.0),
        .doc = "Speed of a wind's, a vortex' or turbulence's air; acceleration away from a point, "
               "less than 0 towards it; of a custom field a factor. The wind blows along the "
               "force's own z, the vortex turns about it.",
    },
    [P_REACH] = {
        NAMES("reach", "Reach", "m"), .kinds = KIND_FORCE, REAL, EVERY_FRAME,
        .initial = {1.0}, LIMITS(1e-6, 1e9), SLIDER(0.01, 10.0),
        .doc = "Where a force begins to fall off. Inside it vortices turn like something solid, "
               "and the pull of points goes down to none in the middle.",
    },
    [P_FALLOFF] = {
        NAMES("falloff", "Falloff", ""), .kinds = KIND_FORCE, INTEGER, EVERY_FRAME,
        .initial = {0.0}, LIMITS(0.0, 8.0), SLIDER(0.0, 4.0),
        .doc = "0: a force does not fall off; n: at r metres it is (1 + (r/reach)^2)^(-n/2) of "
               "itself. Distances are from its place, of a vortex from its axis. Custom fields do "
               "not have it.",
    },
    [P_TURBULENCE_SIZE] = {
        NAMES("turbulence_size", "Eddy size", "m"), .kinds = KIND_FORCE, REAL,
        .initial = {0.5}, LIMITS(1e-3, 1e6), SLIDER(0.05, 5.0),
        .doc = "Of the largest eddies of turbulence; there are smaller ones down to a quarter.",
    },
    [P_TURBULENCE_SPEED] = {
        NAMES("turbulence_speed", "Eddy rate", "1/s"), .kinds = KIND_FORCE, REAL,
        .initial = {1.0}, LIMITS(0.0, 1e4), SLIDER(0.0, 10.0),
        .doc = "How often the largest eddies of turbulence come and go.",
    },
    [P_TURBULENCE_FLOW] = {
        NAMES("turbulence_flow", "Eddy drift", "m/s"), .kinds = KIND_FORCE, REAL,
        .initial = {0.0}, LIMITS(-1e4, 1e4), SLIDER(-20.0, 20.0),
        .doc = "Eddies float along the force's own z this fast. Give it the strength of the wind "
               "that carries them.",
    },
    [P_TURBULENCE_SEED] = {
        NAMES("turbulence_seed", "Seed", ""), .kinds = KIND_FORCE, INTEGER,
        .initial = {0.0}, LIMITS(0.0, 4294967295.0), SLIDER(0.0, 100.0),
        .doc = "Another number makes other eddies of the same sort.",
    },
    [P_TELEPORT] = {
        NAMES("teleport", "Teleport", "m"), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {2.0}, LIMITS(0.0, 1e9), SLIDER(0.1, 10.0),
        .doc = "A root that would go farther than this in one step or advance call is put there at "
               "once: its strand keeps its shape, at rest, and the log names it.",
    },
    [P_WATCHDOG] = {
        NAMES("watchdog", "Watchdog", "m/s"), .kinds = KIND_HAIR, REAL, EVERY_FRAME,
        .initial = {300.0}, LIMITS(0.0, 1e9), SLIDER(10.0, 1000.0),
        .doc = "The log names the fastest strand of a step in which one is faster than this.",
    },
    [P_FABRIC] = {
        NAMES("fabric", "Fabric", ""), .kinds = KIND_CLOTH, INTEGER,
        .initial = {0.0}, LIMITS(0.0, 112.0), SLIDER(0.0, 7.0),
        .doc = "What the cloth is made of: 1 cotton, 2 silk, 3 wool, 4 denim, 5 jersey, 6 leather, "
               "7 paper, from 101 on fabrics that were measured one by one. 0: its nodes do not "
               "hold together. Its weight is `density`.",
    },
    [P_STRETCH] = {
        NAMES("stretch", "Stretch", ""), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {1.0}, LIMITS(1e-6, 1e6), SLIDER(0.1, 10.0),
        .doc = "Factor on the fabric's resistance to stretching.",
    },
    [P_SHEAR] = {
        NAMES("shear", "Shear", ""), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {1.0}, LIMITS(1e-6, 1e6), SLIDER(0.1, 10.0),
        .doc = "Factor on the fabric's resistance to shear between warp and weft.",
    },
    [P_BEND] = {
        NAMES("bend", "Bend", ""), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {1.0}, LIMITS(1e-6, 1e6), SLIDER(0.1, 100.0),
        .doc = "Factor on the fabric's resistance to bending.",
    },
    [P_CLOTH_DAMPING] = {
        NAMES("cloth_damping", "Damping", ""), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {1.0}, LIMITS(0.0, 1e4), SLIDER(0.0, 10.0),
        .doc = "Factor on the fabric's inner friction, which slows changes of shape down and no "
               "motion of the whole.",
    },
};
/* clang-format on */

void parameter_values_init(parameter_values *values)
{
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        memcpy(values->value[row], parameter_table[row].initial, sizeof values->value[row]);
    }
}

int parameter_find(const char *name)
{
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        if (strcmp(parameter_table[row].name, name) == 0) return row;
    }
    return -1;
}

const char *parameter_suggest(const char *name, uint32_t kinds)
{
    text_suggestion nearest = {0};
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        if (!(parameter_table[row].kinds & kinds)) continue;
        text_suggestion_offer(&nearest, name, parameter_table[row].name);
    }
    return nearest.best;
}
