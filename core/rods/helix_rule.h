/* SPDX-License-Identifier: Apache-2.0
 *
 * Where to sample a helix so that the integrals of its point, its slope and their products are
 * exact to 1e-12: a Gauss rule that grows with the turn |k| l, in several panels for a curl of more
 * than 10 radians. Curls beyond 640 radians get no more panels, and lose accuracy.
 */
#ifndef RODS_HELIX_RULE_H
#define RODS_HELIX_RULE_H

#include <stddef.h>

typedef struct helix_rule {
    size_t points, panels;
    const double *at, *weight; /* [points] in [0, 1], and adding up to 1 */
} helix_rule;

helix_rule helix_rule_for(double turn);

static inline size_t helix_rule_count(const helix_rule *rule)
{
    return rule->points * rule->panels;
}

/* Sample i as a fraction of the length. */
static inline double helix_rule_at(const helix_rule *rule, size_t i)
{
    return ((double)(i / rule->points) + rule->at[i % rule->points]) / (double)rule->panels;
}

static inline double helix_rule_weight(const helix_rule *rule, size_t i)
{
    return rule->weight[i % rule->points] / (double)rule->panels;
}

#endif
