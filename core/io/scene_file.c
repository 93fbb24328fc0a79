/* SPDX-License-Identifier: Apache-2.0 */
#include "io/scene_file.h"

#include "io/object_caches.h"
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

enum { FORMAT_VERSION = 1, FARTHEST_FRAME = 1000000, MOST_THREADS = 1024 };
enum { MOST_OBJECTS = 10000, MOST_NAMES = 64 };

/* ---- shared by the readers ---- */

const json_range scene_range_place = {-1e6, 1e6, "m"};
const json_range scene_range_size = {1e-6, 1e6, "m"};

void *scene_reader_push(scene_reader *r, size_t count, size_t item_size)
{
    const size_t size = memory_size(count, item_size);
    void *memory = size || !count ? arena_push(&r->file->store, size) : NULL;
    if (!memory) {
        error_out_of_memory(r->err, r->json.path);
        return NULL;
    }
    return memset(memory, 0, size);
}

const char *scene_reader_copy_text(scene_reader *r, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = scene_reader_push(r, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* "cloth or collider" */
static void print_kinds(uint32_t kinds, char *text, size_t size)
{
    static const struct {
        uint32_t kind;
        const char *word;
    } words[] = {
        {KIND_SCENE, "the scene itself"}, {KIND_CLOTH, "cloth"},  {KIND_HAIR, "hair"},
        {KIND_COLLIDER, "colliders"},     {KIND_FORCE, "forces"}, {KIND_RIGID, "rigid bodies"}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words && used < size; i++) {
        if (!(kinds & words[i].kind)) continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", used ? " and " : "", words[i].word);
    }
}

/* A parameter in the wrong place is no unknown key: say where it belongs. */
static status check_parameters_fit(const scene_reader *r, const json_node *object, uint32_t kind)
{
    JSON_FOR_EACH(child, object)
    {
        const int row = parameter_find(child->key);
        if (row < 0 || parameter_table[row].kinds & kind) continue;
        char kinds[128];
        print_kinds(parameter_table[row].kinds, kinds, sizeof kinds);
        return json_refuse(&r->json, child, r->err, "none here: it is a parameter of %s", kinds);
    }
    return STATUS_OK;
}

status scene_reader_check_keys(const scene_reader *r, const json_node *object,
                               const char *const *fixed, uint32_t kind)
{
    const char *names[MOST_NAMES + PARAMETER_ROWS];
    size_t count = 0;
    for (; *fixed && count < MOST_NAMES; fixed++) names[count++] = *fixed;
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        if (parameter_table[row].kinds & kind) names[count++] = parameter_table[row].name;
    }
    const status result = check_parameters_fit(r, object, kind);
    return result < 0 ? result : json_check_keys(&r->json, object, names, count, r->err);
}

static status read_parameter(const scene_reader *r, const json_node *node, const parameter_row *row,
                             double *value)
{
    const json_range range = {row->minimum, row->maximum, row->unit};
    int64_t whole = 0;
    status result = STATUS_OK;
    switch (row->type) {
    case PARAMETER_INTEGER:
        result = json_read_integer(&r->json, node, (int64_t)row->minimum, (int64_t)row->maximum,
                                   &whole, r->err);
        value[0] = (double)whole;
        return result;
    case PARAMETER_VECTOR:
        return json_read_reals(&r->json, node, &range, row->components, value, r->err);
    default: return json_read_real(&r->json, node, &range, value, r->err);
    }
}

status scene_reader_read_settings(const scene_reader *r, const json_node *object, uint32_t kind,
                                  scene_settings *out)
{
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        if (!(parameter_table[row].kinds & kind)) continue;
        const json_node *node = json_get(object, parameter_table[row].name);
        if (!node) continue;
        const status result =
            read_parameter(r, node, &parameter_table[row], out->value[out->count]);
        if (result < 0) return result;
        out->row[out->count++] = row;
    }
    return STATUS_OK;
}

status scene_reader_read_v3(const scene_reader *r, const json_node *node, const json_range *range,
                            v3 *out)
{
    double value[3];
    const status result = json_read_reals(&r->json, node, range, 3, value, r->err);
    if (result >= 0) *out = v3_load(value);
    return result;
}

/* ---- the top of the file ---- */

static const char *const top_keys[] = {"stiction", "title",   "frames", "threads",
                                       "output",   "objects", NULL};
static const char *const output_keys[] = {"folder", "pc2", "obj", "statistics", "formats", NULL};

static status read_version(scene_reader *r, const json_node *root)
{
    static const char expected[] = "1, the version of the scene format";
    const json_node *node = json_get(root, "stiction");
    if (!node) return json_refuse_missing(&r->json, root, "stiction", expected, r->err);
    if (json_is_integer(node->value) && json_integer_value(node->value) == FORMAT_VERSION) {
        return STATUS_OK;
    }
    return json_refuse(&r->json, node, r->err, "%s", expected);
}

static const char *title_from_path(scene_reader *r)
{
    const char *stem = NULL;
    const size_t size = file_find_stem(r->file->path, &stem);
    char *title = scene_reader_push(r, size + 1, 1);
    return title ? memcpy(title, stem, size) : NULL;
}

static status read_title(scene_reader *r, const json_node *root)
{
    const json_node *node = json_get(root, "title");
    if (!node) {
        r->file->title = title_from_path(r);
    } else {
        const char *title = NULL;
        const status result = json_read_string(&r->json, node, &title, r->err);
        if (result < 0) return result;
        r->file->title = scene_reader_copy_text(r, title);
    }
    return r->file->title ? STATUS_OK : r->err->code;
}

static status read_frames(scene_reader *r, const json_node *root)
{
    static const char expected[] = "the first and the last frame, like [1, 120]";
    const json_node *node = json_get(root, "frames");
    if (!node) return json_refuse_missing(&r->json, root, "frames", expected, r->err);
    if (!json_is_array(node->value) || json_count(node) != 2) {
        return json_refuse(&r->json, node, r->err, "%s", expected);
    }
    int64_t first = 0, last = 0;
    status result =
        json_read_integer(&r->json, node + 1, -FARTHEST_FRAME, FARTHEST_FRAME, &first, r->err);
    if (result < 0) return result;
    result = json_read_integer(&r->json, node + 2, first, FARTHEST_FRAME, &last, r->err);
    r->file->first_frame = (double)first;
    r->file->last_frame = (double)last;
    return result;
}

static status read_threads(scene_reader *r, const json_node *root)
{
    const json_node *node = json_get(root, "threads");
    if (!node) return STATUS_OK;
    int64_t threads = 0;
    const status result = json_read_integer(&r->json, node, 0, MOST_THREADS, &threads, r->err);
    r->file->threads = (uint32_t)threads;
    return result;
}

static status read_folder(scene_reader *r, const json_node *node)
{
    const char *folder = NULL;
    const status result = json_read_string(&r->json, node, &folder, r->err);
    if (result < 0) return result;
    if (!folder[0]) return json_refuse(&r->json, node, r->err, "the name of a folder");
    r->file->output_folder = scene_reader_copy_text(r, folder);
    return r->file->output_folder ? STATUS_OK : r->err->code;
}

static status read_formats(scene_reader *r, const json_node *list)
{
    static const char expected[] = "a list of cache formats";
    if (!json_is_array(list->value)) return json_refuse(&r->json, list, r->err, expected);
    r->file->formats = 0;
    JSON_FOR_EACH(node, list)
    {
        const char *name = NULL;
        uint32_t format = 0;
        const status result = json_read_string(&r->json, node, &name, r->err);
        if (result < 0) return result;
        error inner = {0}; /* stays empty for a name with a comma */
        if (strchr(name, ',') || object_caches_parse_formats(name, &format, &inner) < 0) {
            const char *known = strstr(inner.text, "expected ");
            return json_refuse(&r->json, node, r->err, "%s", known ? known + 9 : expected);
        }
        r->file->formats |= format;
    }
    return STATUS_OK;
}

/* PC2 is written if "pc2" says so, or if nothing is said of formats at all. */
static status read_output(scene_reader *r, const json_node *root)
{
    scene_file *f = r->file;
    bool pc2 = true;
    bool *const switches[] = {&pc2, &f->write_obj, &f->write_statistics};
    f->write_obj = f->write_statistics = true;
    f->formats = 1;
    const json_node *node = json_get(root, "output");
    if (!node) return STATUS_OK;
    status result = json_check_object(&r->json, node, r->err);
    if (result >= 0) result = scene_reader_check_keys(r, node, output_keys, 0);
    for (size_t i = 0; i < 3 && result >= 0; i++) {
        const json_node *chosen = json_get(node, output_keys[1 + i]);
        if (chosen) result = json_read_bool(&r->json, chosen, switches[i], r->err);
    }
    const json_node *formats = json_get(node, "formats");
    if (formats && result >= 0) result = read_formats(r, formats);
    if (!formats || json_get(node, "pc2")) f->formats = (f->formats & ~1u) | (pc2 ? 1 : 0);
    const json_node *folder = json_get(node, "folder");
    return folder && result >= 0 ? read_folder(r, folder) : result;
}

static status read_objects(scene_reader *r, const json_node *root)
{
    const json_node *list = json_get(root, "objects");
    if (!list) return json_refuse_missing(&r->json, root, "objects", "a list of objects", r->err);
    const size_t count = json_is_array(list->value) ? json_count(list) : 0;
    if (count == 0 || count > MOST_OBJECTS) {
        return json_refuse(&r->json, list, r->err, "a list of 1 to %d objects", MOST_OBJECTS);
    }
    scene_file *f = r->file;
    f->objects = scene_reader_push(r, count, sizeof *f->objects);
    if (!f->objects) return r->err->code;
    JSON_FOR_EACH(node, list)
    {
        json_set_scope(&r->json, root, NULL);
        const status result = scene_reader_read_object(r, node, &f->objects[f->object_count]);
        if (result < 0) return result;
        f->object_count++;
    }
    return STATUS_OK;
}

static status fill_grids(scene_reader *r)
{
    status result = STATUS_OK;
    for (size_t i = 0; i < r->file->object_count && result >= 0; i++) {
        result = scene_reader_fill_grid(r, &r->file->objects[i]);
        if (result >= 0) result = scene_reader_make_hair(r, &r->file->objects[i]);
    }
    return result;
}

static status read_scene(scene_reader *r)
{
    const json_node *root = json_root(&r->json);
    r->file->hash = r->json.hash;
    status result = read_version(r, root);
    if (result >= 0) result = scene_reader_check_keys(r, root, top_keys, KIND_SCENE);
    if (result >= 0) result = read_title(r, root);
    if (result >= 0) result = read_frames(r, root);
    if (result >= 0) result = read_threads(r, root);
    if (result >= 0) result = read_output(r, root);
    if (result >= 0) {
        result = scene_reader_read_settings(r, root, KIND_SCENE, &r->file->settings);
    }
    if (result >= 0) result = read_objects(r, root);
    return result < 0 ? result : fill_grids(r);
}

status scene_file_read(const allocator *memory, const char *path, scene_file **out, error *err)
{
    *out = NULL;
    scene_file *f = memory_alloc(memory, sizeof *f);
    if (!f) return error_out_of_memory(err, path);
    f->memory = *memory;
    arena_init(&f->store, &f->memory);
    scene_reader r = {.file = f, .err = err};
    status result = json_source_open(&r.json, memory, path, err);
    if (result >= 0) {
        f->path = scene_reader_copy_text(&r, path);
        result = f->path ? read_scene(&r) : err->code;
        json_source_close(&r.json);
    }
    if (result < 0) {
        scene_file_destroy(f);
        return result;
    }
    *out = f;
    return STATUS_OK;
}

void scene_file_destroy(scene_file *f)
{
    if (!f) return;
    const allocator memory = f->memory;
    arena_destroy(&f->store);
    memory_free(&memory, f, sizeof *f);
}

const char *scene_file_resolve(scene_file *f, const char *name)
{
    const size_t folder = name[0] == '/' ? 0 : file_folder_length(f->path);
    const size_t size = strlen(name) + 1;
    char *path = arena_push(&f->store, folder + size);
    if (!path) return NULL;
    memcpy(path, f->path, folder);
    memcpy(path + folder, name, size);
    return path;
}
