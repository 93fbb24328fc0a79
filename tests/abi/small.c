/* SPDX-License-Identifier: Apache-2.0 */
#include "small.h"

#include "check.h"

#include <stdlib.h>

/* One valid value for every type of argument. */
typedef struct small_work {
    small_sheet sheet;
    double real[SMALL_NODES][3];
    uint32_t index[1];
    float matrix[16];
    unsigned char bytes[16384];
    uint64_t bytes_used, number;
    stn_id id, ids[8];
    stn_scene *made;
    stn_view values, indices;
    stn_mut_view out;
    stn_scene_desc scene;
    stn_cloth_desc cloth;
    uint32_t strand_size;
    stn_view strand_points, strand_sizes;
    stn_hair_desc hair;
    stn_collider_desc collider;
    stn_force_desc force;
    stn_rigid_desc rigid;
    stn_pose pose;
    stn_object_info object_info;
    stn_parameter_info parameter_info;
    stn_array_info array_info;
    stn_time time;
    stn_statistics statistics;
} small_work;

void small_sheet_fill(small_sheet *sheet, double z)
{
    const double spacing = 1.0 / (SMALL_SIDE - 1);
    for (uint32_t i = 0; i < SMALL_NODES; i++) {
        sheet->position[i][0] = (i % SMALL_SIDE) * spacing - 0.5;
        sheet->position[i][1] = (i / SMALL_SIDE) * spacing - 0.5;
        sheet->position[i][2] = z;
    }
    uint32_t(*t)[3] = sheet->triangle;
    for (uint32_t i = 0; i < SMALL_NODES; i++) {
        if (i % SMALL_SIDE == SMALL_SIDE - 1 || i / SMALL_SIDE == SMALL_SIDE - 1) continue;
        memcpy(t++, (uint32_t[3]){i, i + 1, i + SMALL_SIDE + 1}, sizeof *t);
        memcpy(t++, (uint32_t[3]){i, i + SMALL_SIDE + 1, i + SMALL_SIDE}, sizeof *t);
    }
    sheet->positions = REALS(sheet->position, SMALL_NODES, 3);
    sheet->triangles = INDICES(sheet->triangle, SMALL_TRIANGLES, 3);
}

static void work_fill(small_work *w)
{
    small_sheet_fill(&w->sheet, 0.25);
    for (uint32_t i = 0; i < 16; i++) w->matrix[i] = i % 5 == 0;
    w->values = REALS(w->sheet.position, SMALL_NODES, 3);
    w->indices = INDICES(w->index, 1, 1);
    w->out = REALS_OUT(w->real, SMALL_NODES, 3);
    w->scene = (stn_scene_desc){.struct_size = sizeof w->scene, .threads = 1};
    w->cloth = (stn_cloth_desc){.struct_size = sizeof w->cloth,
                                .positions = &w->sheet.positions,
                                .triangles = &w->sheet.triangles};
    w->strand_size = SMALL_SIDE; /* the first row of the sheet is a strand */
    w->strand_points = REALS(w->sheet.position, SMALL_SIDE, 3);
    w->strand_sizes = INDICES(&w->strand_size, 1, 1);
    w->hair = (stn_hair_desc){.struct_size = sizeof w->hair,
                              .points = &w->strand_points,
                              .strand_sizes = &w->strand_sizes};
    w->collider = (stn_collider_desc){.struct_size = sizeof w->collider, .shape = STN_SHAPE_PLANE};
    w->force = (stn_force_desc){.struct_size = sizeof w->force, .type = STN_FORCE_WIND};
    w->rigid = (stn_rigid_desc){.struct_size = sizeof w->rigid, .shape = STN_SHAPE_SPHERE};
    w->pose = (stn_pose){.struct_size = sizeof w->pose, .position = {0.0, 0.0, -0.125}};
    w->object_info.struct_size = sizeof w->object_info;
    w->parameter_info.struct_size = sizeof w->parameter_info;
    w->array_info.struct_size = sizeof w->array_info;
    w->time.struct_size = sizeof w->time;
    w->statistics.struct_size = sizeof w->statistics;
}

static void save_into_work(small_scene *small)
{
    small_work *w = small->work;
    CHECK_OK(small->scene,
             rows_api()->state_save(small->scene, w->bytes, sizeof w->bytes, &w->bytes_used));
}

void small_create(small_scene *small, const stn_host *host)
{
    const stn_api *api = rows_api();
    *small = (small_scene){.work = calloc(1, sizeof(small_work))};
    TEST_ASSERT_NOT_NULL(small->work);
    work_fill(small->work);
    stn_scene_desc desc = {.struct_size = sizeof desc, .threads = 1, .host = host};
    CHECK_OK(NULL, api->scene_create(&desc, &small->scene));
    stn_cloth_desc sheet = small->work->cloth;
    sheet.name = "sheet";
    CHECK_OK(small->scene, api->cloth_create(small->scene, &sheet, &small->sheet));
    stn_collider_desc shape = {
        .struct_size = sizeof shape, .shape = STN_SHAPE_PLANE, .name = "floor"};
    CHECK_OK(small->scene, api->collider_create(small->scene, &shape, &small->floor));
    const stn_pose below = {.struct_size = sizeof below, .position = {0.0, 0.0, -0.25}};
    shape = (stn_collider_desc){.struct_size = sizeof shape,
                                .shape = STN_SHAPE_SPHERE,
                                .name = "ball",
                                .pose = &below,
                                .size = {0.375}};
    CHECK_OK(small->scene, api->collider_create(small->scene, &shape, &small->ball));
    save_into_work(small);
}

void small_destroy(small_scene *small)
{
    const stn_status destroyed = rows_api()->scene_destroy(small->scene);
    free(small->work);
    *small = (small_scene){0};
    CHECK_OK(NULL, destroyed);
}

/* ---- arguments ---- */

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *name_for(const stn_row *entry)
{
    if (begins_with(entry->name, "parameter_")) return "friction";
    if (begins_with(entry->name, "array_")) return "position";
    return strcmp(entry->name, "get_extension") == 0 ? STN_EXT_SHOT : "sheet";
}

static uint64_t number_for(const small_work *w, const stn_row *entry)
{
    if (strcmp(entry->name, "object_list") == 0) return sizeof w->ids / sizeof w->ids[0];
    if (strcmp(entry->name, "state_save") == 0) return sizeof w->bytes;
    if (strcmp(entry->name, "state_load") == 0) return w->bytes_used;
    return begins_with(entry->name, "parameter_") && strstr(entry->type, "double") ? 1 : 0;
}

static const void *pointer_for(small_scene *small, const stn_row *entry, const char *type)
{
    small_work *w = small->work;
    /* set_at writes one value, so one element of it is looked at. */
    w->values.count = strcmp(entry->name, "array_set_at") == 0 ? 1 : SMALL_NODES;
    const struct {
        const char *type;
        const void *value;
    } valid[] = {
        {"stn_scene *", small->scene},
        {"const stn_scene *", small->scene},
        {"stn_scene **", &w->made},
        {"stn_id *", strcmp(entry->name, "object_list") == 0 ? w->ids : &w->id},
        {"uint64_t *", &w->number},
        {"const double *", w->real},
        {"double *", w->real},
        {"const float *", w->matrix},
        {"void *", w->bytes},
        {"const void *", w->bytes},
        {"const char *", name_for(entry)},
        {"const stn_view *", &w->values},
        {"const stn_mut_view *", &w->out},
        {"const stn_scene_desc *", &w->scene},
        {"const stn_cloth_desc *", &w->cloth},
        {"const stn_hair_desc *", &w->hair},
        {"const stn_collider_desc *", &w->collider},
        {"const stn_force_desc *", &w->force},
        {"const stn_rigid_desc *", &w->rigid},
        {"const stn_pose *", &w->pose},
        {"stn_pose *", &w->pose},
        {"stn_object_info *", &w->object_info},
        {"stn_parameter_info *", &w->parameter_info},
        {"stn_array_info *", &w->array_info},
        {"stn_time *", &w->time},
        {"stn_statistics *", &w->statistics},
    };
    for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++) {
        if (strcmp(valid[i].type, type) == 0) return valid[i].value;
    }
    TEST_FAIL_MESSAGE(type);
    return NULL;
}

static signature_value value_for(small_scene *small, const stn_row *entry, const char *type)
{
    if (strchr(type, '*')) return (signature_value){.pointer = pointer_for(small, entry, type)};
    if (strcmp(type, "stn_id") == 0) {
        const bool moves = begins_with(entry->name, "pose_");
        return (signature_value){.u64 = moves ? small->floor : small->sheet};
    }
    if (strcmp(type, "double") == 0) {
        const bool is_frame = strcmp(entry->name, "advance_to_frame") == 0;
        return (signature_value){.f64 = is_frame ? 2.0 : 0.0078125};
    }
    if (strcmp(type, "uint64_t") == 0) {
        return (signature_value){.u64 = number_for(small->work, entry)};
    }
    return (signature_value){.u64 = 0};
}

uint32_t small_arguments(small_scene *small, const stn_row *entry, signature_value *arguments)
{
    char types[SIGNATURE_ARGUMENTS][TYPE_SIZE];
    const uint32_t count = row_argument_types(entry, types);
    for (uint32_t i = 0; i < count; i++) arguments[i] = value_for(small, entry, types[i]);
    if (strcmp(entry->name, "array_set_at") == 0) arguments[3].pointer = &small->work->indices;
    return count;
}
