/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs in the top folder of the project: the broken scenes are in tests/io/broken, and the messages
 * that they must give in messages.txt beside them, one a line, each beginning with the file's name.
 */
#include "io/scene_file.h"

#include "io/grid.h"
#include "support/counting_allocator.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unity.h>

#define BROKEN "tests/io/broken/"

static counting_allocator memory;
static scene_file *file;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    error_clear(&err);
    file = NULL;
    temporary_make();
}

static void drop_file(void)
{
    scene_file_destroy(file);
    file = NULL;
}

void tearDown(void)
{
    drop_file();
    temporary_remove();
    counting_check(&memory);
}

static status read_path(const char *path)
{
    drop_file();
    return scene_file_read(&memory.from, path, &file, &err);
}

static status read_text(const char *text)
{
    temporary_write_text("a.json", text);
    return read_path(temporary_path("a.json"));
}

/* ---- broken scenes ---- */

static size_t count_broken_files(void)
{
    DIR *folder = opendir(BROKEN);
    TEST_ASSERT_NOT_NULL_MESSAGE(folder, "run this test in the top folder of the project");
    size_t count = 0;
    for (struct dirent *item; (item = readdir(folder));) {
        const char *suffix = strrchr(item->d_name, '.');
        count += suffix && strcmp(suffix, ".json") == 0;
    }
    closedir(folder);
    return count;
}

static void test_every_broken_scene_gets_its_message(void)
{
    FILE *messages = fopen(BROKEN "messages.txt", "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(messages, "run this test in the top folder of the project");
    char line[1024];
    size_t count = 0;
    for (; fgets(line, sizeof line, messages); count++) {
        line[strcspn(line, "\n")] = '\0';
        char path[256], expected[1200];
        snprintf(path, sizeof path, BROKEN "%.*s", (int)strcspn(line, ":"), line);
        snprintf(expected, sizeof expected, BROKEN "%s", line);
        TEST_ASSERT_TRUE_MESSAGE(read_path(path) < 0, path);
        TEST_ASSERT_EQUAL_STRING(expected, err.text);
        TEST_ASSERT_NULL(file);
        counting_check(&memory);
    }
    fclose(messages);
    TEST_ASSERT_EQUAL_size_t(count_broken_files(), count);
}

static void test_what_is_to_come_says_so(void)
{
    TEST_ASSERT_EQUAL_INT(STATUS_UNSUPPORTED, read_path(BROKEN "kind_rigid.json"));
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, read_path(BROKEN "kind_unknown.json"));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, read_path(BROKEN "mesh_missing_file.json"));
    TEST_ASSERT_EQUAL_INT(STATUS_IO, read_path(BROKEN "no_such_file.json"));
}

static void test_every_shape_has_its_sizes(void)
{
    temporary_write_text("tri.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const char *text =
        "{\"stiction\": 1, \"frames\": [1, 2], \"objects\": ["
        "{\"name\": \"a\", \"kind\": \"collider\", \"shape\": \"capsule\", \"radius\": 0.1,"
        " \"half_length\": 0.4},"
        "{\"name\": \"b\", \"kind\": \"collider\", \"shape\": \"box\","
        " \"half_extents\": [1, 2, 3]},"
        "{\"name\": \"c\", \"kind\": \"collider\", \"shape\": \"mesh\", \"mesh\": \"tri.obj\"}]}";
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, read_text(text), err.text);
    const scene_file_object *o = file->objects;
    TEST_ASSERT_EQUAL_UINT32(SHAPE_CAPSULE, o[0].shape);
    TEST_ASSERT_TRUE(o[0].size[0] == 0.1 && o[0].size[1] == 0.4);
    TEST_ASSERT_EQUAL_UINT32(SHAPE_BOX, o[1].shape);
    TEST_ASSERT_TRUE(o[1].size[0] == 1.0 && o[1].size[1] == 2.0 && o[1].size[2] == 3.0);
    TEST_ASSERT_EQUAL_UINT32(SHAPE_MESH, o[2].shape);
    TEST_ASSERT_EQUAL_size_t(3, o[2].nodes);
    TEST_ASSERT_EQUAL_size_t(1, o[2].triangle_count);
}

static void test_forces_have_types_places_and_parameters(void)
{
    const char *text =
        "{\"stiction\": 1, \"frames\": [1, 2], \"objects\": ["
        "{\"name\": \"a\", \"kind\": \"force\", \"type\": \"wind\", \"strength\": 3,"
        " \"motion\": [{\"frame\": 1}, {\"frame\": 2, \"position\": [1, 2, 3]}]},"
        "{\"name\": \"b\", \"kind\": \"force\", \"type\": \"point\", \"position\": [4, 5, 6]}]}";
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, read_text(text), err.text);
    const scene_file_object *o = file->objects;
    TEST_ASSERT_EQUAL_UINT32(FORCE_WIND, o[0].force_type);
    TEST_ASSERT_EQUAL_size_t(2, o[0].motion.count);
    TEST_ASSERT_EQUAL_size_t(1, o[0].settings.count);
    TEST_ASSERT_EQUAL_INT(P_STRENGTH, o[0].settings.row[0]);
    TEST_ASSERT_EQUAL_UINT32(FORCE_POINT, o[1].force_type);
    TEST_ASSERT_TRUE(v3_is_equal(motion_at(&o[1].motion, 1.0).position, (v3){4, 5, 6}));
}

/* Four grids of 3.9 million nodes would be allowed, the fifth is too much: nobody gets memory. */
static void test_many_large_grids_are_refused_before_they_take_memory(void)
{
    char text[4096] = "{\"stiction\": 1, \"frames\": [1, 2], \"objects\": [";
    for (int i = 0; i < 5; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "%s{\"name\": \"g%d\", \"kind\": \"cloth\",\n"
                 " \"grid\": {\"size\": [1, 1], \"cells\": [100000, 38]}}",
                 i ? "," : "", i);
    }
    strcat(text, "]}");
    TEST_ASSERT_EQUAL_INT(STATUS_PARSE, read_text(text));
    TEST_ASSERT_NOT_NULL(strstr(err.text, ":6: object 'g4': key 'grid.cells'"));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "16000000 in all; this makes 3900039"));
    TEST_ASSERT_LESS_THAN_UINT64(1 << 20, memory.most_bytes);
}

/* ---- good scenes ---- */

static void test_the_example_scenes_are_read(void)
{
    static const char *const scenes[] = {"scenes/default.json", "scenes/turning_sphere.json",
                                         "scenes/drop.json", "scenes/slope.json"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, read_path(scenes[i]), err.text);
        TEST_ASSERT_TRUE(file->object_count >= 3);
        TEST_ASSERT_NOT_NULL(file->output_folder);
    }
}

static const char full_scene[] =
    "{\"//\": \"all keys\", \"stiction\": 1, \"title\": \"Everything\", \"frames\": [-3, 20],\n"
    " \"threads\": 2, \"gravity\": [0, 0, -1.5], \"substeps\": 7,\n"
    " \"output\": {\"//\": 1, \"folder\": \"there\", \"pc2\": false, \"obj\": true},\n"
    " \"objects\": [\n"
    "  {\"name\": \"grid\", \"kind\": \"cloth\", \"grid\": {\"size\": [2, 1], \"cells\": [2, 1]},\n"
    "   \"position\": [1, 2, 3], \"rotation\": {\"axis\": [0, 0, 2], \"degrees\": 90},\n"
    "   \"velocity\": [1, 0, 0], \"density\": 0.5, \"friction\": 0.25, \"pins\": [5, 0],\n"
    "   \"motion\": [{\"frame\": 0}, {\"frame\": 10, \"position\": [1, 2, 4]}]},\n"
    "  {\"name\": \"mesh\", \"kind\": \"cloth\", \"mesh\": \"meshes/tri.obj\", \"mass\": [1, 2, "
    "3],\n"
    "   \"pins\": \"all\"},\n"
    "  {\"name\": \"points\", \"kind\": \"cloth\", \"points\": [[0, 0, 1], [0, 1, 1]], \"mass\": "
    "0.5},\n"
    "  {\"name\": \"ball\", \"kind\": \"collider\", \"shape\": \"sphere\", \"radius\": 0.75,\n"
    "   \"position\": [0, 0, -1], \"friction\": 0}]}";

static void write_full_scene(void)
{
    TEST_ASSERT_EQUAL_INT(0, mkdir(temporary_path("meshes"), 0700));
    temporary_write_text("meshes/tri.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    temporary_write_text("a.json", full_scene);
}

static void test_the_top_of_a_scene_is_read(void)
{
    write_full_scene();
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, read_path(temporary_path("a.json")), err.text);
    TEST_ASSERT_EQUAL_STRING("Everything", file->title);
    TEST_ASSERT_EQUAL_STRING("there", file->output_folder);
    TEST_ASSERT_TRUE(file->formats == 0 && file->write_obj && file->write_statistics);
    TEST_ASSERT_TRUE(file->first_frame == -3.0 && file->last_frame == 20.0);
    TEST_ASSERT_EQUAL_UINT32(2, file->threads);
    TEST_ASSERT_EQUAL_size_t(2, file->settings.count);
    TEST_ASSERT_EQUAL_INT(P_GRAVITY, file->settings.row[0]);
    TEST_ASSERT_TRUE(file->settings.value[0][2] == -1.5);
    TEST_ASSERT_EQUAL_INT(P_SUBSTEPS, file->settings.row[1]);
    TEST_ASSERT_TRUE(file->settings.value[1][0] == 7.0);
    TEST_ASSERT_EQUAL_size_t(4, file->object_count);
}

static void test_objects_are_read(void)
{
    write_full_scene();
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, read_path(temporary_path("a.json")), err.text);
    const scene_file_object *sheet = &file->objects[0], *mesh = &file->objects[1],
                            *points = &file->objects[2], *ball = &file->objects[3];
    TEST_ASSERT_EQUAL_STRING("grid", sheet->name);
    TEST_ASSERT_EQUAL_UINT(5, sheet->line);
    TEST_ASSERT_EQUAL_size_t(6, sheet->nodes);
    TEST_ASSERT_EQUAL_size_t(4, sheet->triangle_count);
    TEST_ASSERT_EQUAL_size_t(2, sheet->pin_count);
    TEST_ASSERT_EQUAL_UINT32(5, sheet->pins[0]);
    TEST_ASSERT_EQUAL_size_t(2, sheet->motion.count);
    TEST_ASSERT_TRUE(sheet->motion.keys[0].position.z == 3.0);
    TEST_ASSERT_TRUE(sheet->motion.keys[1].position.z == 4.0);
    TEST_ASSERT_TRUE(sheet->motion.keys[1].angle == sheet->motion.keys[0].angle);
    TEST_ASSERT_TRUE(sheet->velocity.x == 1.0);
    TEST_ASSERT_NULL(sheet->masses);
    TEST_ASSERT_EQUAL_size_t(3, mesh->nodes);
    TEST_ASSERT_TRUE(mesh->masses[2] == 3.0);
    TEST_ASSERT_EQUAL_size_t(3, mesh->pin_count);
    TEST_ASSERT_EQUAL_size_t(0, points->triangle_count);
    TEST_ASSERT_TRUE(points->masses[1] == 0.5 && points->positions[4] == 1.0);
    TEST_ASSERT_EQUAL_UINT32(KIND_COLLIDER, ball->kind);
    TEST_ASSERT_EQUAL_UINT32(SHAPE_SPHERE, ball->shape);
    TEST_ASSERT_TRUE(ball->size[0] == 0.75);
}

static void test_the_hash_covers_the_meshes_too(void)
{
    write_full_scene();
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_path(temporary_path("a.json")));
    const uint64_t first = file->hash;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_path(temporary_path("a.json")));
    TEST_ASSERT_TRUE(first == file->hash);
    temporary_write_text("meshes/tri.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_path(temporary_path("a.json")));
    TEST_ASSERT_TRUE(first != file->hash);
}

static void test_a_scene_without_title_has_the_name_of_its_file(void)
{
    temporary_write_text("my.scene.json", "{\"stiction\": 1, \"frames\": [1, 1], \"objects\": [\n"
                                          " {\"name\": \"f\", \"kind\": \"collider\",\n"
                                          "  \"shape\": \"plane\"}]}");
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_path(temporary_path("my.scene.json")));
    TEST_ASSERT_EQUAL_STRING("my.scene", file->title);
    TEST_ASSERT_NULL(file->output_folder);
}

static void test_every_parameter_of_the_table_can_be_set(void)
{
    static const struct {
        uint32_t kind;
        const char *before, *after;
    } places[] = {
        {KIND_SCENE, "{\"stiction\": 1, \"frames\": [1, 2], ",
         ", \"objects\": [{\"name\": \"f\", \"kind\": \"collider\", \"shape\": \"plane\"}]}"},
        {KIND_CLOTH,
         "{\"stiction\": 1, \"frames\": [1, 2], \"objects\": [{\"name\": \"c\", \"kind\": "
         "\"cloth\","
         " \"grid\": {\"size\": [1, 1], \"cells\": [1, 1]}, ",
         "}]}"},
        {KIND_COLLIDER,
         "{\"stiction\": 1, \"frames\": [1, 2], \"objects\": [{\"name\": \"f\",\"kind\": "
         "\"collider\", \"shape\": \"plane\", ",
         "}]}"},
    };
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        const parameter_row *p = &parameter_table[row];
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            char text[1024];
            snprintf(text, sizeof text, "%s\"%s\": %s%.17g%s%s", places[i].before, p->name,
                     p->components == 3 ? "[0, 0, " : "", p->maximum, p->components == 3 ? "]" : "",
                     places[i].after);
            const bool fits = (p->kinds & places[i].kind) != 0;
            TEST_ASSERT_EQUAL_INT_MESSAGE(fits ? STATUS_OK : STATUS_PARSE, read_text(text),
                                          p->name);
            if (!fits) continue;
            const scene_settings *set =
                places[i].kind == KIND_SCENE ? &file->settings : &file->objects[0].settings;
            TEST_ASSERT_EQUAL_size_t(1, set->count);
            TEST_ASSERT_EQUAL_INT(row, set->row[0]);
            TEST_ASSERT_TRUE(set->value[0][p->components - 1] == p->maximum);
        }
    }
}

/* ---- grids ---- */

static void test_a_grid_is_a_sheet_of_consistent_triangles(void)
{
    const grid g = {{3.0, 2.0}, {3, 2}};
    double x[3 * 12];
    uint32_t t[3 * 12];
    TEST_ASSERT_EQUAL_size_t(12, grid_count_nodes(&g));
    TEST_ASSERT_EQUAL_size_t(12, grid_count_triangles(&g));
    grid_fill_positions(&g, x);
    grid_fill_triangles(&g, t);
    for (int i = 0; i < 12; i++) {
        TEST_ASSERT_TRUE(x[3 * i] == i % 4 - 1.5 && x[3 * i + 1] == i / 4 - 1.0 &&
                         x[3 * i + 2] == 0.0);
    }
    for (int i = 0; i < 12; i++) { /* all half a cell, all facing +z */
        const v3 a = v3_load(&x[3 * t[3 * i]]), b = v3_load(&x[3 * t[3 * i + 1]]),
                 c = v3_load(&x[3 * t[3 * i + 2]]);
        const v3 area = v3_scale(0.5, v3_cross(v3_sub(b, a), v3_sub(c, a)));
        TEST_ASSERT_TRUE(area.x == 0.0 && area.y == 0.0 && area.z == 0.5);
    }
}

/* ---- building ---- */

static void build_full_scene(scene **s, uint64_t *ids)
{
    write_full_scene();
    TEST_ASSERT_EQUAL_INT(STATUS_OK, read_path(temporary_path("a.json")));
    const scene_config config = {
        .memory = memory.from, .threads = 1, .start_frame = file->first_frame};
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_create(&config, s, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, scene_file_build(file, *s, ids, &err), err.text);
}

static void test_a_built_scene_has_what_the_file_says(void)
{
    scene *s = NULL;
    uint64_t ids[4];
    build_full_scene(&s, ids);
    double gravity[3], friction = 0.0, x[18], pins[6], masses[3];
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_parameter(s, 0, "gravity", gravity, 3, &err));
    TEST_ASSERT_TRUE(gravity[2] == -1.5);
    TEST_ASSERT_EQUAL_INT(STATUS_OK,
                          scene_get_parameter(s, ids[0], "friction", &friction, 1, &err));
    TEST_ASSERT_TRUE(friction == 0.25);
    const mut_view positions = {x, 6, 3, FORMAT_F64, 0}, pinned = {pins, 6, 1, FORMAT_F64, 0},
                   weights = {masses, 3, 1, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_array(s, ids[0], "position", &positions, &err));
    /* Node 0 is at (-1, -0.5, 0); a quarter turn makes that (0.5, -1, 0). */
    TEST_ASSERT_DOUBLE_WITHIN(4e-16, 1.5, x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(4e-16, 1.0, x[1]);
    TEST_ASSERT_DOUBLE_WITHIN(0.0, 3.0, x[2]);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_array(s, ids[0], "pin", &pinned, &err));
    for (int i = 0; i < 6; i++) TEST_ASSERT_TRUE(pins[i] == (i == 0 || i == 5));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_array(s, ids[1], "mass", &weights, &err));
    TEST_ASSERT_TRUE(masses[0] == 1.0 && masses[2] == 3.0);
    object_info ball;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_object_info(s, ids[3], &ball, &err));
    TEST_ASSERT_EQUAL_STRING("ball", ball.name);
    TEST_ASSERT_TRUE(ball.size[0] == 0.75);
    scene_destroy(s);
}

static void test_pins_get_targets_along_their_motion(void)
{
    scene *s = NULL;
    uint64_t ids[4];
    build_full_scene(&s, ids);
    double x[18];
    const mut_view targets = {x, 6, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_file_animate(file, s, ids, 5.0, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_get_array(s, ids[0], "target", &targets, &err));
    TEST_ASSERT_DOUBLE_WITHIN(4e-16, 1.5, x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.0, 3.5, x[2]);
    TEST_ASSERT_DOUBLE_WITHIN(0.0, 3.5, x[17]);
    scene_destroy(s);
}

static void test_what_the_scene_refuses_is_reported_with_its_line(void)
{
    temporary_write_text("lonely.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n");
    TEST_ASSERT_EQUAL_INT(STATUS_OK,
                          read_text("{\"stiction\": 1, \"frames\": [1, 2], \"objects\": [\n"
                                    "{\"name\": \"c\", \"kind\": \"cloth\",\n"
                                    "\"mesh\": \"lonely.obj\"}]}"));
    const scene_config config = {.memory = memory.from, .threads = 1};
    scene *s = NULL;
    uint64_t id = 0;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, scene_create(&config, &s, &err));
    TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT, scene_file_build(file, s, &id, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "a.json:2: cloth 'c': node 3 has no mass"));
    scene_destroy(s);
}

/* ---- damage ---- */

static void test_every_truncation_is_refused(void)
{
    write_full_scene();
    for (size_t size = 0; size < sizeof full_scene - 1; size++) {
        temporary_write("b.json", full_scene, size);
        TEST_ASSERT_EQUAL_INT(STATUS_PARSE, read_path(temporary_path("b.json")));
    }
}

static void test_random_damage_is_read_or_refused(void)
{
    write_full_scene();
    random_source random = {5};
    size_t read = 0, refused = 0;
    for (int round = 0; round < 3000; round++) {
        char text[sizeof full_scene];
        memcpy(text, full_scene, sizeof full_scene);
        for (uint32_t n = 1 + random_below(&random, 2); n > 0; n--) {
            static const char spare[] = "{}[]\",:/ 0123456789e-.x";
            text[random_below(&random, sizeof full_scene - 1)] =
                spare[random_below(&random, sizeof spare - 1)];
        }
        temporary_write("b.json", text, sizeof full_scene - 1);
        const status result = read_path(temporary_path("b.json"));
        read += result == STATUS_OK;
        refused += result < 0;
        TEST_ASSERT_TRUE(result == STATUS_OK || err.text[0]);
        TEST_ASSERT_TRUE(result != STATUS_OUT_OF_MEMORY);
    }
    TEST_ASSERT_TRUE(read > 0 && refused > 0);
}

static void test_every_failed_allocation_is_survived(void)
{
    write_full_scene();
    status result = STATUS_OUT_OF_MEMORY;
    for (uint64_t k = 1; result != STATUS_OK; k++) {
        counting_init(&memory, k);
        result = read_path(temporary_path("a.json"));
        TEST_ASSERT_TRUE(result == STATUS_OK || result == STATUS_OUT_OF_MEMORY);
        if (result < 0) counting_check(&memory);
    }
    TEST_ASSERT_TRUE(memory.allocations > 5);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_broken_scene_gets_its_message);
    RUN_TEST(test_what_is_to_come_says_so);
    RUN_TEST(test_every_shape_has_its_sizes);
    RUN_TEST(test_forces_have_types_places_and_parameters);
    RUN_TEST(test_many_large_grids_are_refused_before_they_take_memory);
    RUN_TEST(test_the_example_scenes_are_read);
    RUN_TEST(test_the_top_of_a_scene_is_read);
    RUN_TEST(test_objects_are_read);
    RUN_TEST(test_the_hash_covers_the_meshes_too);
    RUN_TEST(test_a_scene_without_title_has_the_name_of_its_file);
    RUN_TEST(test_every_parameter_of_the_table_can_be_set);
    RUN_TEST(test_a_grid_is_a_sheet_of_consistent_triangles);
    RUN_TEST(test_a_built_scene_has_what_the_file_says);
    RUN_TEST(test_pins_get_targets_along_their_motion);
    RUN_TEST(test_what_the_scene_refuses_is_reported_with_its_line);
    RUN_TEST(test_every_truncation_is_refused);
    RUN_TEST(test_random_damage_is_read_or_refused);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}
