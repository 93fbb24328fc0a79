/* SPDX-License-Identifier: Apache-2.0
 *
 * Fabrics come, go and change: from parameters to sheets.
 */
#include "scene/elastic.h"
#include "scene/internal.h"

#include <inttypes.h>

const cloth_preset *elastic_find_fabric(double number)
{
    const size_t n = (size_t)number;
    if (n >= FABRIC_MEASURED && n - FABRIC_MEASURED < cloth_measured_count) {
        return &cloth_measured[n - FABRIC_MEASURED];
    }
    const bool is_kind = n >= FABRIC_KIND && n - FABRIC_KIND < cloth_preset_count;
    return is_kind ? &cloth_presets[n - FABRIC_KIND] : NULL;
}

/* The fabric with the object's factors. */
static cloth_material make_material(const object *o, const cloth_preset *fabric)
{
    const double stretch = o->parameters.value[P_STRETCH][0];
    const double bend = o->parameters.value[P_BEND][0];
    cloth_material m = fabric->material;
    m.membrane.warp *= stretch;
    m.membrane.weft *= stretch;
    m.membrane.coupling *= stretch;
    for (int i = 0; i < CLOTH_FIBRE_ANGLES; i++) m.membrane.fibre[i] *= stretch;
    m.membrane.shear *= o->parameters.value[P_SHEAR][0];
    m.plate.warp *= bend;
    m.plate.weft *= bend;
    m.plate.coupling *= bend;
    m.plate.twist *= bend;
    m.damping *= o->parameters.value[P_CLOTH_DAMPING][0];
    return m;
}

static void report_mesh(const scene *s, const object *o)
{
    const cloth_rest *rest = &o->elastic->sheet.rest;
    const cloth_topology *t = &o->elastic->sheet.topology;
    if (rest->flat_triangles) {
        log_write(&s->config.log, LOG_WARNING,
                  "cloth '%s': %" PRIu32 " triangles have no area at rest and no stress, the first "
                  "is %" PRIu32,
                  o->name, rest->flat_triangles, rest->first_flat);
    }
    if (t->crowded_edges) {
        log_write(&s->config.log, LOG_WARNING,
                  "cloth '%s': %" PRIu32 " edges have more than two triangles and do not bend",
                  o->name, t->crowded_edges);
    }
}

static status make_sheet(const scene *s, const object *o, const cloth_material *m, elastic *e,
                         error *err)
{
    const cloth_sheet_source source = {.nodes = o->cloth.nodes,
                                       .triangles = o->cloth.triangles,
                                       .corner = o->cloth.triangle,
                                       .rest.positions = o->cloth.rest,
                                       .material = *m};
    status st = cloth_sheet_create(&e->sheet, &s->config.memory, &source, err);
    if (st < 0) return st;
    st = cloth_system_create(&e->system, &s->config.memory, &e->sheet, err);
    if (st < 0) cloth_sheet_destroy(&e->sheet);
    return st;
}

static status elastic_create(const scene *s, object *o, const cloth_material *m, error *err)
{
    elastic *e = memory_alloc(&s->config.memory, sizeof *e);
    if (!e) return error_out_of_memory(err, "a fabric");
    const status st = make_sheet(s, o, m, e, err);
    if (st < 0) {
        memory_free(&s->config.memory, e, sizeof *e);
        return st;
    }
    o->elastic = e;
    report_mesh(s, o);
    return STATUS_OK;
}

void elastic_free(const scene *s, object *o)
{
    if (!o->elastic) return;
    cloth_system_destroy(&o->elastic->system);
    cloth_sheet_destroy(&o->elastic->sheet);
    memory_free(&s->config.memory, o->elastic, sizeof *o->elastic);
    o->elastic = NULL;
}

status elastic_change_parameters(const scene *s, object *o, error *err)
{
    const double number = o->parameters.value[P_FABRIC][0];
    if (number == FABRIC_NONE) {
        elastic_free(s, o);
        return STATUS_OK;
    }
    const cloth_preset *fabric = elastic_find_fabric(number);
    if (!fabric) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "cloth '%s': no fabric has the number %g, expected 0 (none), %d to %zu or "
                         "%d to %zu",
                         o->name, number, FABRIC_KIND, FABRIC_KIND + cloth_preset_count - 1,
                         FABRIC_MEASURED, FABRIC_MEASURED + cloth_measured_count - 1);
    }
    const cloth_material m = make_material(o, fabric);
    const status st = o->elastic ? cloth_sheet_set_material(&o->elastic->sheet, &m, err)
                                 : elastic_create(s, o, &m, err);
    if (st >= 0) o->elastic->damping = m.damping;
    return st;
}
