/* SPDX-License-Identifier: Apache-2.0
 *
 * Each argument is a type and a name; the name's role says which types it may have and where its
 * value comes from. Without the names, what is left is a signature that call.h prepares.
 */
#include "sampled_field.h"

#include "call.h"

#include <stdbool.h>
#include <string.h>

/* What is known at a sample: place, velocity, time; and what it is asked for. */
enum { PLACE = 0, VELOCITY = 3, TIME = 6, FORCE = 7, NUMBERS = 10 };

typedef enum argument_form { SCALAR, VECTOR_IN, VECTOR_OUT, USER } argument_form;

typedef struct argument_role {
    const char *name;
    argument_form form;
    uint32_t number; /* first of its numbers */
} argument_role;

static const argument_role roles[] = {
    {"x", SCALAR, PLACE},
    {"y", SCALAR, PLACE + 1},
    {"z", SCALAR, PLACE + 2},
    {"vx", SCALAR, VELOCITY},
    {"vy", SCALAR, VELOCITY + 1},
    {"vz", SCALAR, VELOCITY + 2},
    {"t", SCALAR, TIME},
    {"position", VECTOR_IN, PLACE},
    {"velocity", VECTOR_IN, VELOCITY},
    {"force", VECTOR_OUT, FORCE},
    {"user", USER, 0},
};

/* Types without their spaces. */
static const struct {
    argument_form form;
    const char *type;
    bool is_float;
} types[] = {
    {SCALAR, "double", false},
    {SCALAR, "float", true},
    {VECTOR_IN, "constdouble*", false},
    {VECTOR_IN, "constfloat*", true},
    {VECTOR_OUT, "double*", false},
    {VECTOR_OUT, "float*", true},
    {USER, "void*", false},
};

static const char *const expected_types[] = {
    [SCALAR] = "double or float",
    [VECTOR_IN] = "const double * or const float *",
    [VECTOR_OUT] = "double * or float *",
    [USER] = "void *",
};

typedef struct argument {
    const argument_role *role;
    bool is_float;
} argument;

struct sampled_field {
    allocator memory;
    signature call;
    signature_function function;
    void *user;
    argument arguments[SIGNATURE_ARGUMENTS];
};

enum { LONGEST = 400 };

/* ---- reading ---- */

typedef struct reader {
    const char *text;
    char plain[LONGEST + 16]; /* the signature without names */
    size_t used;
    sampled_field *field;
    uint32_t count;
    error *err;
} reader;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static status refuse(const reader *r, const char *piece, int size, const char *what)
{
    return error_set(r->err, STATUS_INVALID_ARGUMENT, "signature '%.200s': '%.*s' %s", r->text,
                     size < 80 ? size : 80, piece, what);
}

static const argument_role *find_role(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (strlen(roles[i].name) == size && memcmp(roles[i].name, name, size) == 0) {
            return &roles[i];
        }
    }
    return NULL;
}

/* The type in `type` must be one of those that the role has. */
static bool find_type(const char *type, size_t size, argument *a)
{
    char packed[16];
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        if (type[i] == ' ') continue;
        if (used == sizeof packed - 1) return false;
        packed[used++] = type[i];
    }
    packed[used] = '\0';
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].form != a->role->form || strcmp(types[i].type, packed) != 0) continue;
        a->is_float = types[i].is_float;
        return true;
    }
    return false;
}

/* One "type name". */
static status read_argument(reader *r, const char *begin, const char *end)
{
    while (begin < end && *begin == ' ') begin++;
    while (begin < end && end[-1] == ' ') end--;
    const char *name = end;
    while (name > begin && is_word(name[-1])) name--;
    argument a = {.role = find_role(name, (size_t)(end - name))};
    if (!a.role) {
        return refuse(r, begin, (int)(end - begin),
                      "has no known name; expected x, y, z, vx, vy, vz, t, position, velocity, "
                      "force or user after the type");
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->field->arguments[i].role == a.role) {
            return refuse(r, name, (int)(end - name), "is there twice");
        }
    }
    if (!find_type(begin, (size_t)(name - begin), &a)) {
        return error_set(r->err, STATUS_INVALID_ARGUMENT,
                         "signature '%.200s': '%s' has the type '%.*s', expected %s", r->text,
                         a.role->name, (int)(name - begin), begin, expected_types[a.role->form]);
    }
    if (r->count > 0) r->plain[r->used++] = ',';
    memcpy(r->plain + r->used, begin, (size_t)(name - begin));
    r->used += (size_t)(name - begin);
    r->field->arguments[r->count++] = a;
    return STATUS_OK;
}

static status not_a_signature(const reader *r)
{
    return error_set(r->err, STATUS_INVALID_ARGUMENT,
                     "'%.200s' is no signature of a field; expected one like \"void (double x, "
                     "double y, double z, double t, double *force)\", at most %d bytes",
                     r->text, LONGEST);
}

static bool has_force(const reader *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->field->arguments[i].role->form == VECTOR_OUT) return true;
    }
    return false;
}

static status read_signature(reader *r)
{
    static const char head[] = "void (";
    const char *open = strchr(r->text, '(');
    const size_t size = strlen(r->text);
    if (!open || size > LONGEST || r->text[size - 1] != ')') return not_a_signature(r);
    size_t result = (size_t)(open - r->text);
    while (result > 0 && r->text[result - 1] == ' ') result--;
    if (result != 4 || memcmp(r->text, head, 4) != 0) return not_a_signature(r);
    memcpy(r->plain, head, sizeof head - 1);
    r->used = sizeof head - 1;
    const char *end = r->text + size - 1;
    for (const char *at = open + 1, *next; at <= end; at = next + 1) {
        next = memchr(at, ',', (size_t)(end - at));
        if (!next) next = end;
        const status st = read_argument(r, at, next);
        if (st < 0) return st;
    }
    if (!has_force(r)) {
        return error_set(r->err, STATUS_INVALID_ARGUMENT,
                         "signature '%.200s' has no 'double *force' to write to", r->text);
    }
    memcpy(r->plain + r->used, ")", 2);
    return signature_parse(r->plain, &r->field->call, r->err);
}

status sampled_field_create(const allocator *from, const char *text, void *function, void *user,
                            sampled_field **out, error *err)
{
    sampled_field *field = memory_alloc(from, sizeof *field);
    if (!field) return error_out_of_memory(err, "a field");
    field->memory = *from;
    field->user = user;
    memcpy(&field->function, &function, sizeof function);
    reader r = {.text = text, .field = field, .err = err};
    const status st = read_signature(&r);
    if (st < 0) {
        sampled_field_destroy(field);
        return st;
    }
    *out = field;
    return STATUS_OK;
}

void sampled_field_destroy(void *user)
{
    sampled_field *field = user;
    const allocator memory = field->memory;
    memory_free(&memory, field, sizeof *field);
}

/* ---- calling ---- */

typedef struct sample {
    double f64[NUMBERS];
    float f32[NUMBERS];
} sample;

static signature_value value_of(const sampled_field *field, const argument *a, sample *s)
{
    const uint32_t at = a->role->number;
    switch (a->role->form) {
    case SCALAR:
        return a->is_float ? (signature_value){.f32 = s->f32[at]}
                           : (signature_value){.f64 = s->f64[at]};
    case USER: return (signature_value){.pointer = field->user};
    default: return (signature_value){.pointer = a->is_float ? (void *)&s->f32[at] : &s->f64[at]};
    }
}

static void call_at(sampled_field *field, sample *s, double *force)
{
    signature_value values[SIGNATURE_ARGUMENTS];
    bool is_float = false;
    for (uint32_t i = 0; i < FORCE; i++) s->f32[i] = (float)s->f64[i];
    for (uint32_t i = FORCE; i < NUMBERS; i++) s->f64[i] = s->f32[i] = 0.0F;
    for (uint32_t i = 0; i < field->call.count; i++) {
        const argument *a = &field->arguments[i];
        values[i] = value_of(field, a, s);
        if (a->role->form == VECTOR_OUT) is_float = a->is_float;
    }
    signature_call(&field->call, field->function, values);
    for (uint32_t i = 0; i < 3; i++) force[i] = is_float ? s->f32[FORCE + i] : s->f64[FORCE + i];
}

void sampled_field_call(void *user, double seconds, uint64_t count, const double *positions,
                        const double *velocities, double *forces)
{
    sample s = {.f64[TIME] = seconds};
    for (uint64_t i = 0; i < count; i++) {
        memcpy(s.f64 + PLACE, positions + 3 * i, 3 * sizeof *s.f64);
        memcpy(s.f64 + VELOCITY, velocities + 3 * i, 3 * sizeof *s.f64);
        call_at(user, &s, forces + 3 * i);
    }
}
