/* SPDX-License-Identifier: Apache-2.0
 *
 * "preset" of hair in scene files: the parameters of a round fibre as thick as the preset's section
 * is on the whole, with the geometric mean of its two bending stiffnesses and its twisting
 * stiffness. With r the radius of that fibre,
 *     diameter = 2 r,  E = E A / (pi r^2),  G = 2 G J / (pi r^4),  density = (kg/m) / (pi r^2).
 * Drag is left out: among others a strand feels less of it than alone.
 */
#include "base/text.h"
#include "io/scene_reader.h"
#include "rods/presets.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

static const rod_preset *find_preset(const char *name, text_suggestion *near)
{
    for (size_t i = 0; i < rod_preset_count; i++) {
        if (strcmp(rod_presets[i].name, name) == 0) return &rod_presets[i];
        text_suggestion_offer(near, name, rod_presets[i].name);
    }
    return NULL;
}

/* What the object says itself is read later and not touched here. */
static void set_parameters(const json_node *object, const rod_preset *preset, scene_settings *out)
{
    const rod_material m = rod_material_make(&preset->substance);
    const double r2 = m.radius * m.radius, young = m.stretch / (PI * r2);
    const struct {
        int row;
        double value;
    } values[] = {
        {P_DIAMETER, 2.0 * m.radius},
        {P_MASS_DENSITY, m.density / (PI * r2)},
        {P_YOUNG, young},
        {P_SHEAR_RATIO, 2.0 * m.twist / (PI * r2 * r2) / young},
        {P_DAMPING, m.damping},
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        if (json_get(object, parameter_table[values[k].row].name)) continue;
        out->row[out->count] = values[k].row;
        out->value[out->count++][0] = values[k].value;
    }
}

status scene_reader_read_preset(const scene_reader *r, const json_node *object, scene_settings *out)
{
    const json_node *node = json_get(object, "preset");
    const char *name = NULL;
    if (!node) return STATUS_OK;
    const status result = json_read_string(&r->json, node, &name, r->err);
    if (result < 0) return result;
    text_suggestion near = {0};
    const rod_preset *preset = find_preset(name, &near);
    if (!preset) {
        return json_refuse(&r->json, node, r->err, "a preset of 'stiction params --presets'%s%s%s",
                           near.best ? "; did you mean \"" : "", near.best ? near.best : "",
                           near.best ? "\"?" : "");
    }
    set_parameters(object, preset, out);
    return STATUS_OK;
}
