/* SPDX-License-Identifier: Apache-2.0
 *
 * Forces in scene files: a type; the rest are parameters, place and motion.
 */
#include "io/scene_reader.h"

#include <string.h>

static const char *const words[] = {[FORCE_WIND] = "wind",
                                    [FORCE_TURBULENCE] = "turbulence",
                                    [FORCE_VORTEX] = "vortex",
                                    [FORCE_POINT] = "point"};

const char *scene_force_word(uint32_t type) { return words[type]; }

status scene_reader_read_force(scene_reader *r, const json_node *object, scene_file_object *o)
{
    static const char *const keys[] = {"name",     "kind",   "type", "position",
                                       "rotation", "motion", NULL};
    static const char expected[] = "\"wind\", \"turbulence\", \"vortex\" or \"point\"";
    const status result = scene_reader_check_keys(r, object, keys, KIND_FORCE);
    if (result < 0) return result;
    const json_node *node = json_get(object, "type");
    if (!node) return json_refuse_missing(&r->json, object, "type", expected, r->err);
    const char *word = json_string_value(node->value);
    for (uint32_t type = FORCE_WIND; word && type <= FORCE_POINT; type++) {
        if (strcmp(word, words[type]) != 0) continue;
        o->force_type = type;
        return STATUS_OK;
    }
    if (word && strcmp(word, "custom") == 0) {
        return json_refuse(&r->json, node, r->err,
                           "%s; custom fields are compiled and come through the ABI", expected);
    }
    return json_refuse(&r->json, node, r->err, "%s", expected);
}
