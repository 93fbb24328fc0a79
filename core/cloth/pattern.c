/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the blocks of a cloth's matrix are: one for every two nodes of a triangle or of a hinge.
 * Each node also gets the list of its triangles and hinges with the slots of their blocks in its
 * row, in the order of their numbers.
 */
#include "cloth/assemble.h"

static void add_places(bsr3_place *places, size_t *count, const uint32_t *node, int nodes)
{
    for (int a = 0; a < nodes; a++) {
        for (int b = 0; b < nodes; b++) {
            if (a != b) places[(*count)++] = (bsr3_place){node[a], node[b]};
        }
    }
}

static status make_matrix(cloth_system *k, error *err)
{
    const cloth_topology *t = &k->sheet->topology;
    const size_t most = t->nodes + 6 * (size_t)t->triangles + 12 * (size_t)t->hinges;
    const size_t size = memory_size(most, sizeof(bsr3_place));
    bsr3_place *places = memory_alloc(k->from, size);
    if (!places) return error_out_of_memory(err, "the matrix of a cloth");
    size_t count = 0;
    for (uint32_t i = 0; i < t->nodes; i++) places[count++] = (bsr3_place){i, i};
    for (size_t f = 0; f < t->triangles; f++) add_places(places, &count, t->corner + 3 * f, 3);
    for (size_t e = 0; e < t->hinges; e++) add_places(places, &count, t->hinge[e].node, 4);
    const status st = bsr3_create(&k->A, k->from, t->nodes, t->nodes, places, count);
    memory_free(k->from, places, size);
    return st < 0 ? error_set(err, st, "the matrix of a cloth of %u nodes: %s", t->nodes,
                              status_name(st))
                  : STATUS_OK;
}

/* Turns counts of node i in start[i + 1] into begins; dealing out moves each begin to its end, and
 * restore_starts moves them back. */
static void sum_up(uint32_t *start, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++) start[i + 1] += start[i];
}

static void restore_starts(uint32_t *start, uint32_t nodes)
{
    for (uint32_t i = nodes; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

static void place_faces(cloth_system *k)
{
    const cloth_topology *t = &k->sheet->topology;
    for (size_t c = 0; c < 3 * (size_t)t->triangles; c++) k->face_start[t->corner[c] + 1]++;
    sum_up(k->face_start, t->nodes);
    for (uint32_t f = 0; f < t->triangles; f++) {
        const uint32_t *corner = t->corner + 3 * (size_t)f;
        for (uint32_t a = 0; a < 3; a++) {
            k->face_place[k->face_start[corner[a]]++] =
                (cloth_face_place){f,
                                   a,
                                   {bsr3_find_slot(&k->A, corner[a], corner[(a + 1) % 3]),
                                    bsr3_find_slot(&k->A, corner[a], corner[(a + 2) % 3])}};
        }
    }
    restore_starts(k->face_start, t->nodes);
}

static void place_hinges(cloth_system *k)
{
    const cloth_topology *t = &k->sheet->topology;
    for (uint32_t e = 0; e < t->hinges; e++) {
        for (int a = 0; a < 4; a++) k->hinge_start[t->hinge[e].node[a] + 1]++;
    }
    sum_up(k->hinge_start, t->nodes);
    for (uint32_t e = 0; e < t->hinges; e++) {
        const uint32_t *node = t->hinge[e].node;
        for (uint32_t a = 0; a < 4; a++) {
            cloth_hinge_place place = {.hinge = e, .corner = a};
            for (int c = 0; c < 4; c++) place.slot[c] = bsr3_find_slot(&k->A, node[a], node[c]);
            k->hinge_place[k->hinge_start[node[a]]++] = place;
        }
    }
    restore_starts(k->hinge_start, t->nodes);
}

/* The next piece of one block of memory; only counted while there is none. */
static void *carve(char *memory, size_t *at, size_t size)
{
    void *piece = memory ? memory + *at : NULL;
    *at += (size + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    return piece;
}

/* Gives every array its piece and returns the size of them all. */
static size_t carve_arrays(cloth_system *k, char *memory)
{
    const cloth_topology *t = &k->sheet->topology;
    const size_t n = t->nodes, faces = t->triangles, hinges = t->hinges;
    size_t at = 0;
    k->b = carve(memory, &at, 3 * n * sizeof *k->b);
    k->base = carve(memory, &at, 3 * n * sizeof *k->base);
    k->trial = carve(memory, &at, 3 * n * sizeof *k->trial);
    k->bent = carve(memory, &at, hinges * sizeof *k->bent);
    k->bending = carve(memory, &at, hinges * sizeof *k->bending);
    k->face_start = carve(memory, &at, (n + 1) * sizeof *k->face_start);
    k->hinge_start = carve(memory, &at, (n + 1) * sizeof *k->hinge_start);
    k->face_place = carve(memory, &at, 3 * faces * sizeof *k->face_place);
    k->hinge_place = carve(memory, &at, 4 * hinges * sizeof *k->hinge_place);
    k->face = carve(memory, &at, faces * sizeof *k->face);
    k->hinge = carve(memory, &at, hinges * sizeof *k->hinge);
    return at;
}

status cloth_system_create(cloth_system *k, const allocator *from, const cloth_sheet *sheet,
                           error *err)
{
    *k = (cloth_system){.from = from, .sheet = sheet};
    const status st = make_matrix(k, err);
    if (st < 0) return st;
    k->memory_size = carve_arrays(k, NULL);
    k->memory = memory_alloc(from, k->memory_size);
    if (!k->memory) {
        cloth_system_destroy(k);
        return error_out_of_memory(err, "the system of a cloth");
    }
    carve_arrays(k, k->memory);
    place_faces(k);
    place_hinges(k);
    return STATUS_OK;
}

void cloth_system_destroy(cloth_system *k)
{
    memory_free(k->from, k->memory, k->memory_size);
    if (k->A.from) bsr3_destroy(&k->A);
    *k = (cloth_system){.from = k->from};
}
