/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction params [KIND]: the tables of parameters and arrays, as the library has them. With
 * --markdown they become docs/parameters.md.
 */
#include <math.h>
#include <stdio.h>
#include <stiction/ext_rods.h>
#include <string.h>

#include "commands.h"
#include "term.h"
#include "text.h"

typedef struct kind {
    const char *name;
    uint32_t bit;
} kind;

static const kind kinds[] = {{"scene", STN_KIND_SCENE}, {"cloth", STN_KIND_CLOTH},
                             {"hair", STN_KIND_HAIR},   {"collider", STN_KIND_COLLIDER},
                             {"force", STN_KIND_FORCE}, {"rigid", STN_KIND_RIGID}};
enum { KINDS = sizeof kinds / sizeof kinds[0], ALL_KINDS = 0xff };

static int find_kind(const cli *c, const char *name, uint32_t *bits)
{
    text_guess guess = text_guess_for(name);
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *bits = kinds[i].bit;
            return CLI_GO_ON;
        }
        text_consider(&guess, kinds[i].name);
    }
    if (guess.name) {
        return cli_fail_usage(c, "there is no kind of object \"%s\"; did you mean \"%s\"?", name,
                              guess.name);
    }
    return cli_fail_usage(c,
                          "there is no kind of object \"%s\"; there are scene, cloth, hair, "
                          "collider, force and rigid",
                          name);
}

/* "cloth, collider" */
static text kind_names(uint32_t bits)
{
    text out = {""};
    for (size_t i = 0; i < KINDS; i++) {
        if (!(bits & kinds[i].bit)) continue;
        const size_t length = strlen(out.s);
        snprintf(out.s + length, sizeof out.s - length, "%s%s", length ? ", " : "", kinds[i].name);
    }
    return out;
}

static json_t *kind_list(uint32_t bits)
{
    json_t *list = json_array();
    for (size_t i = 0; i < KINDS; i++) {
        if (bits & kinds[i].bit) json_array_append_new(list, json_string(kinds[i].name));
    }
    return list;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool parameter_at(const cli *c, uint64_t i, uint32_t bits, stn_parameter_info *out)
{
    *out = (stn_parameter_info){.struct_size = sizeof *out};
    return c->api->parameter_info(i, out) == STN_OK && (out->kinds & bits);
}

static bool array_at(const cli *c, uint64_t i, uint32_t bits, stn_array_info *out)
{
    *out = (stn_array_info){.struct_size = sizeof *out};
    return c->api->array_info(i, out) == STN_OK && (out->kinds & bits);
}

static const char *type_name(const stn_parameter_info *row)
{
    switch (row->type) {
    case STN_PARAMETER_INTEGER: return "integer";
    case STN_PARAMETER_VECTOR: return "vector";
    default: return "real";
    }
}

static text default_text(const stn_parameter_info *row)
{
    text out = {""};
    for (uint32_t i = 0; i < row->components && i < 3; i++) {
        const size_t length = strlen(out.s);
        snprintf(out.s + length, sizeof out.s - length, "%s%.15s", i ? ", " : "",
                 text_exact(row->default_value[i]).s);
    }
    return out;
}

/* A bound at the end of the numbers is no bound that anyone needs to read. */
static text bound_text(double bound)
{
    if (fabs(bound) >= 1e300) return (text){"any"};
    return text_exact(bound);
}

static text range_text(const stn_parameter_info *row)
{
    text out;
    snprintf(out.s, sizeof out.s, "%.20s to %.20s", bound_text(row->minimum).s,
             bound_text(row->maximum).s);
    return out;
}

static const char *access_text(const stn_array_info *row)
{
    const bool read = row->flags & STN_ARRAY_READ, write = row->flags & STN_ARRAY_WRITE;
    return read && write ? "read, write" : write ? "write" : "read";
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *parameter_json(const stn_parameter_info *row)
{
    json_t *initial = json_array();
    for (uint32_t i = 0; i < row->components && i < 3; i++) {
        json_array_append_new(initial, cli_json_real(row->default_value[i]));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o}", "name",
                     row->name, "label", row->label, "type", type_name(row), "unit", row->unit,
                     "doc", row->doc, "kinds", kind_list(row->kinds), "keyframable",
                     (row->flags & STN_PARAMETER_KEYFRAMABLE) != 0, "default", initial, "minimum",
                     cli_json_real(row->minimum), "maximum", cli_json_real(row->maximum),
                     "soft_minimum", cli_json_real(row->soft_minimum), "soft_maximum",
                     cli_json_real(row->soft_maximum));
}

static json_t *array_json(const stn_array_info *row)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:b, s:b}", "name", row->name, "unit", row->unit,
                     "doc", row->doc, "kinds", kind_list(row->kinds), "components",
                     (int)row->components, "readable", (row->flags & STN_ARRAY_READ) != 0,
                     "writable", (row->flags & STN_ARRAY_WRITE) != 0);
}

static int print_json(const cli *c, uint32_t bits)
{
    json_t *parameters = json_array(), *arrays = json_array();
    stn_parameter_info parameter;
    for (uint64_t i = 0; i < c->api->parameter_count(); i++) {
        if (parameter_at(c, i, bits, &parameter)) {
            json_array_append_new(parameters, parameter_json(&parameter));
        }
    }
    stn_array_info array;
    for (uint64_t i = 0; i < c->api->array_count(); i++) {
        if (array_at(c, i, bits, &array)) json_array_append_new(arrays, array_json(&array));
    }
    return cli_print_json(c, json_pack("{s:o, s:o}", "parameters", parameters, "arrays", arrays));
}

/* ---- Markdown -------------------------------------------------------------------------------- */

static void print_markdown(const cli *c, uint32_t bits)
{
    puts("# Parameters and arrays\n\nThis page is printed by `stiction params --markdown`.\n\n"
         "## Parameters\n\nA scene file, the ABI (`parameter_set`) and the hosts use the same "
         "names. Units are SI.\nA keyframable parameter may change from frame to frame.\n\n"
         "| Name | Of | Type | Unit | Default | Range | Keyframable | What it does |\n"
         "|---|---|---|---|---|---|---|---|");
    stn_parameter_info parameter;
    for (uint64_t i = 0; i < c->api->parameter_count(); i++) {
        if (!parameter_at(c, i, bits, &parameter)) continue;
        printf("| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", parameter.name,
               kind_names(parameter.kinds).s, type_name(&parameter), parameter.unit,
               default_text(&parameter).s, range_text(&parameter).s,
               parameter.flags & STN_PARAMETER_KEYFRAMABLE ? "yes" : "no", parameter.doc);
    }
    puts("\n## Arrays\n\nOne element per node or triangle; read with `array_get`, written with "
         "`array_set` and `array_set_at`.\n\n| Name | Of | Numbers | Unit | Access | What it is |\n"
         "|---|---|---|---|---|---|");
    stn_array_info array;
    for (uint64_t i = 0; i < c->api->array_count(); i++) {
        if (!array_at(c, i, bits, &array)) continue;
        printf("| `%s` | %s | %u | %s | %s | %s |\n", array.name, kind_names(array.kinds).s,
               array.components, array.unit, access_text(&array), array.doc);
    }
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_heading(const char *heading)
{
    printf("%s%s%s\n", term_on(stdout, TERM_BOLD), heading, term_off(stdout));
}

static void print_name(const char *name, const char *unit)
{
    printf("  %s%-16s%s %-8s", term_on(stdout, TERM_BLUE), name, term_off(stdout), unit);
}

static void print_text(const cli *c, uint32_t bits)
{
    print_heading("Parameters");
    stn_parameter_info parameter;
    for (uint64_t i = 0; i < c->api->parameter_count(); i++) {
        if (!parameter_at(c, i, bits, &parameter)) continue;
        print_name(parameter.name, parameter.unit);
        printf(" default %s, from %s; of %s\n    %s\n", default_text(&parameter).s,
               range_text(&parameter).s, kind_names(parameter.kinds).s, parameter.doc);
    }
    putchar('\n');
    print_heading("Arrays");
    stn_array_info array;
    for (uint64_t i = 0; i < c->api->array_count(); i++) {
        if (!array_at(c, i, bits, &array)) continue;
        print_name(array.name, array.unit);
        printf(" %u per element, %s; of %s\n    %s\n", array.components, access_text(&array),
               kind_names(array.kinds).s, array.doc);
    }
}

/* ---- presets --------------------------------------------------------------------------------- */

static json_t *preset_json(const stn_rod_preset *preset, const stn_rod_material *m)
{
    return json_pack("{s:s, s:s, s:f, s:[f, f], s:f, s:f, s:f, s:f, s:f}", "name", preset->name,
                     "doc", preset->doc, "density", m->density, "bend", m->bend[0], m->bend[1],
                     "twist", m->twist, "stretch", m->stretch, "radius", m->radius, "damping",
                     m->damping, "drag", m->drag);
}

/* Materials by name, for "preset" of hair in scene files. */
static int print_presets(const cli *c)
{
    const stn_ext_rods *rods = c->api->get_extension(STN_EXT_RODS);
    if (!rods) return cli_fail(c, CLI_SIMULATION, "the library lacks " STN_EXT_RODS);
    json_t *list = json_array();
    if (!c->json) print_heading("Presets of hair");
    for (uint64_t i = 0; i < rods->preset_count(); i++) {
        stn_rod_preset preset = {.struct_size = sizeof preset};
        stn_rod_material material = {.struct_size = sizeof material};
        const stn_status status = rods->preset_info(i, &preset, &material);
        if (status < 0) {
            json_decref(list);
            return cli_fail_status(c, status, rods->last_error());
        }
        json_array_append_new(list, preset_json(&preset, &material));
        if (c->json) continue;
        printf("  %s%s%s\n    %s\n", term_on(stdout, TERM_BLUE), preset.name, term_off(stdout),
               preset.doc);
    }
    if (c->json) return cli_print_json(c, json_pack("{s:o}", "presets", list));
    json_decref(list);
    return CLI_DONE;
}

static int params_run(cli *c, int argc, char **argv)
{
    const char *kind_name = NULL;
    bool markdown = false, presets = false;
    const cli_option options[] = {
        {"markdown", 0, CLI_FLAG, &markdown, NULL, "the page docs/parameters.md"},
        {"presets", 0, CLI_FLAG, &presets, NULL,
         "instead, the materials that hair can have by name"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], &kind_name, 0, 1};
    int code = cli_parse(c, &syntax, argc, argv);
    if (code != CLI_GO_ON) return code;
    if (presets) return print_presets(c);
    uint32_t bits = ALL_KINDS;
    if (kind_name) code = find_kind(c, kind_name, &bits);
    if (code != CLI_GO_ON) return code;
    if (c->json) return print_json(c, bits);
    if (markdown) {
        print_markdown(c, bits);
    } else {
        print_text(c, bits);
    }
    return CLI_DONE;
}

const cli_command cmd_params = {
    .name = "params",
    .arguments = "[KIND]",
    .summary = "all parameters and arrays, with units, defaults and ranges",
    .help = "Lists what can be set on a scene and its objects (parameters) and what goes in and\n"
            "out per node (arrays). KIND is scene, cloth, hair, collider, force or rigid; without\n"
            "it, all. The table is the answer and comes with --quiet too.",
    .examples = "params\n"
                "params cloth\n"
                "params --presets\n"
                "params --markdown > docs/parameters.md",
    .run = params_run,
};
