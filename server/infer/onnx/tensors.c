/* tensors.c - TensorProto: what it claims is compared with the bytes that are there, then believed. */
#include <stdlib.h>
#include <string.h>

#include "infer/onnx/parts.h"

/* Field ids of TensorProto, and its data types. */
enum {
    F_DIMS = 1,
    F_TYPE = 2,
    F_SEGMENT = 3,
    F_FLOATS = 4,
    F_INT32S = 5,
    F_STRINGS = 6,
    F_INT64S = 7,
    F_NAME = 8,
    F_RAW = 9,
    F_DOUBLES = 10,
    F_UINT64S = 11,
    F_EXTERNAL = 13,
    F_LOCATION = 14
};

static const struct {
    const char *name;
    enum tensor_type type;
    uint32_t typed; /* the field that holds its numbers when they are not raw */
} types[] = {
    {"undefined", TYPE_NONE, 0},   {"float", TYPE_F32, F_FLOATS},   {"uint8", TYPE_U8, F_INT32S},
    {"int8", TYPE_I8, F_INT32S},   {"uint16", TYPE_NONE, 0},        {"int16", TYPE_NONE, 0},
    {"int32", TYPE_I32, F_INT32S}, {"int64", TYPE_I64, F_INT64S},   {"string", TYPE_NONE, 0},
    {"bool", TYPE_BOOL, F_INT32S}, {"float16", TYPE_F16, F_INT32S}, {"double", TYPE_F64, F_DOUBLES},
    {"uint32", TYPE_NONE, 0},      {"uint64", TYPE_NONE, 0},        {"complex64", TYPE_NONE, 0},
    {"complex128", TYPE_NONE, 0},  {"bfloat16", TYPE_NONE, 0},
};
enum { N_TYPES = sizeof types / sizeof *types };

size_t tensor_type_size(enum tensor_type type)
{
    switch (type) {
    case TYPE_NONE:
        return 0;
    case TYPE_BOOL:
    case TYPE_U8:
    case TYPE_I8:
        return 1;
    case TYPE_F16:
        return 2;
    case TYPE_F32:
    case TYPE_I32:
        return 4;
    case TYPE_I64:
    case TYPE_F64:
        return 8;
    }
    return 0;
}

enum tensor_type onnx_type_of(uint64_t number)
{
    return number < N_TYPES ? types[number].type : TYPE_NONE;
}

bool onnx_is_aligned(const void *p, enum tensor_type type)
{
    return (uintptr_t)p % tensor_type_size(type) == 0;
}

enum err_code onnx_copy(struct arena *a, const void *from, size_t n, const void **out,
                        struct err *err)
{
    enum err_code rc = onnx_room(a, n, 1, err);
    if (rc == OK) {
        void *p = arena_alloc(a, n);
        memcpy(p, from, n);
        *out = p;
    }
    return rc;
}

/* What the first walk over a tensor finds. */
struct claim {
    struct onnx_tensor *t;
    uint64_t type; /* the file's number of it */
    struct wire raw;
    bool has_raw, outside;
    size_t typed[F_UINT64S + 1]; /* numbers in each field for them */
    struct onnx_place place;
};

static enum wire_type wire_of_typed(uint32_t id)
{
    return id == F_FLOATS ? WIRE_FIXED32 : id == F_DOUBLES ? WIRE_FIXED64 : WIRE_VARINT;
}

static enum err_code read_dims(const struct field *f, struct onnx_tensor *t, struct err *err)
{
    size_t n;
    enum err_code rc = wire_count(f, WIRE_VARINT, &n, err);
    struct wire w = f->bytes;
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint64_t d = f->type == WIRE_BYTES ? wire_varint(&w) : f->number;
        if (t->rank == TENSOR_RANK) {
            return err_rule(err, ERR_INPUT, "onnx-tensor",
                            "tensor %.*s has more than %d dimensions", SHOWN(t->name), TENSOR_RANK);
        }
        if (d > INT64_MAX) {
            return err_rule(err, ERR_INPUT, "onnx-tensor", "tensor %.*s has a negative dimension",
                            SHOWN(t->name));
        }
        t->dims[t->rank++] = (int64_t)d;
    }
    return rc;
}

/* One entry of external_data: a key and a value, both text. */
static enum err_code read_place(struct wire w, struct onnx_place *place, struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    struct sv key = {"", 0}, value = {"", 0};
    while (rc == OK && wire_next(&w, &f, "external data", &rc, err)) {
        if (f.id == 1 || f.id == 2) {
            rc = wire_text(&f, "external data", f.id == 1 ? &key : &value, err);
        }
    }
    int64_t number = 0;
    bool is_number = sv_i64(value, &number) && number >= 0;
    if (sv_is(key, "location")) {
        place->location = value;
    } else if (sv_is(key, "offset")) {
        place->offset = (uint64_t)number;
    } else if (sv_is(key, "length")) {
        place->length = (uint64_t)number;
        place->has_length = true;
    } else {
        return rc;
    }
    if (rc == OK && !sv_is(key, "location") && !is_number) {
        return err_rule(err, ERR_INPUT, "onnx-external", "the external data's %.*s is not a number",
                        SHOWN(key));
    }
    return rc;
}

static enum err_code read_field(struct claim *c, const struct field *f, struct err *err)
{
    enum err_code rc = OK;
    size_t n = 0;
    switch (f->id) {
    case F_DIMS:
        return read_dims(f, c->t, err);
    case F_NAME:
        return wire_text(f, "a tensor's name", &c->t->name, err);
    case F_TYPE:
        c->type = f->number;
        return wire_expect(f, WIRE_VARINT, "a tensor's type", err);
    case F_FLOATS:
    case F_INT32S:
    case F_INT64S:
    case F_DOUBLES:
        rc = wire_count(f, wire_of_typed(f->id), &n, err);
        c->typed[f->id] += n;
        return rc;
    case F_RAW:
        c->raw = f->bytes;
        c->has_raw = true;
        return wire_expect(f, WIRE_BYTES, "a tensor's bytes", err);
    case F_EXTERNAL:
        rc = wire_expect(f, WIRE_BYTES, "external data", err);
        return rc == OK ? read_place(f->bytes, &c->place, err) : rc;
    case F_LOCATION:
        c->outside = f->number == 1;
        return wire_expect(f, WIRE_VARINT, "a tensor's location", err);
    case F_SEGMENT:
    case F_STRINGS:
    case F_UINT64S:
        return err_rule(
            err, ERR_INPUT, "onnx-tensor",
            "tensor %.*s is in parts, text or unsigned 64-bit numbers, which cannot be read",
            SHOWN(c->t->name));
    default:
        return OK;
    }
}

/* Fills in type, and elements and bytes from the dimensions. */
static enum err_code size_up(const struct claim *c, uint64_t *elements, struct err *err)
{
    struct onnx_tensor *t = c->t;
    t->type = onnx_type_of(c->type);
    if (t->type == TYPE_NONE) {
        return err_rule(err, ERR_INPUT, "onnx-tensor",
                        "tensor %.*s has numbers of type %s, which cannot be read", SHOWN(t->name),
                        c->type < N_TYPES ? types[c->type].name : "unknown");
    }
    uint64_t n = 1;
    bool empty = false, over = false;
    for (uint32_t i = 0; i < t->rank; i++) {
        empty = empty || t->dims[i] == 0;
        over = __builtin_mul_overflow(n, (uint64_t)(t->dims[i] ? t->dims[i] : 1), &n) || over;
    }
    over = __builtin_mul_overflow(n, tensor_type_size(t->type), &t->bytes) || over;
    if (over || n > INT64_MAX) {
        return err_rule(err, ERR_INPUT, "onnx-tensor",
                        "tensor %.*s claims more elements than memory has addresses",
                        SHOWN(t->name));
    }
    *elements = empty ? 0 : n;
    t->bytes = empty ? 0 : t->bytes;
    return OK;
}

static enum err_code too_few(const struct onnx_tensor *t, uint64_t elements, uint64_t there,
                             const char *unit, struct err *err)
{
    return err_rule(err, ERR_INPUT, "onnx-tensor",
                    "tensor %.*s claims %llu elements but has %llu %s", SHOWN(t->name),
                    (unsigned long long)elements, (unsigned long long)there, unit);
}

/* Exporters write weights wherever the field before them ends. Large ones stay there: whoever needs
 * them aligned has its own room for them sooner or later, and models would take twice their memory.
 */
static enum err_code take_raw(struct onnx_reader *r, struct onnx_tensor *t, struct wire raw,
                              struct err *err)
{
    t->data = raw.p;
    if (onnx_is_aligned(raw.p, t->type) || (t->bytes > ONNX_COPY && !r->all_aligned)) {
        return OK;
    }
    return onnx_copy(r->a, t->data, t->bytes, &t->data, err);
}

static void put_number(const struct onnx_tensor *t, void *out, size_t i, uint64_t v)
{
    size_t width = tensor_type_size(t->type);
    /* Little-endian, as the file: the lowest bytes of the number are the element. */
    memcpy((unsigned char *)out + i * width, &v, width);
}

static void gather_field(const struct onnx_tensor *t, const struct field *f, unsigned char *out,
                         size_t *at)
{
    if (f->type != WIRE_BYTES) {
        put_number(t, out, (*at)++, f->number);
        return;
    }
    struct wire w = f->bytes;
    enum wire_type each = wire_of_typed(f->id);
    if (each != WIRE_VARINT && wire_left(&w)) {
        memcpy(out + *at * tensor_type_size(t->type), w.p, wire_left(&w));
        *at += wire_left(&w) / tensor_type_size(t->type);
        return;
    }
    while (w.p < w.end) {
        put_number(t, out, (*at)++, wire_varint(&w));
    }
}

/* The typed numbers, in the order in which the fields come. */
static enum err_code gather(struct arena *a, struct onnx_tensor *t, struct wire w, uint32_t id,
                            struct err *err)
{
    void *out;
    enum err_code rc = onnx_take(a, t->bytes, 1, &out, err);
    size_t at = 0;
    struct field f;
    while (rc == OK && wire_next(&w, &f, "a tensor", &rc, err)) {
        if (f.id == id) {
            gather_field(t, &f, out, &at);
        }
    }
    t->data = out;
    return rc;
}

static enum err_code take_data(struct onnx_reader *r, struct claim *c, struct wire w,
                               struct err *err)
{
    struct onnx_tensor *t = c->t;
    uint64_t elements = 0;
    enum err_code rc = size_up(c, &elements, err);
    if (rc != OK) {
        return rc;
    }
    if (c->outside) {
        if (!r->external) {
            return err_rule(err, ERR_INPUT, "onnx-external",
                            "tensor %.*s lies in another file, but there is no folder to look into",
                            SHOWN(t->name));
        }
        rc = onnx_external_bytes(r->external, &c->place, t->name, t->bytes, &c->raw, err);
        c->has_raw = true;
    }
    uint32_t typed = types[c->type].typed;
    if (rc != OK || elements == 0) {
        return rc;
    }
    if (c->has_raw) {
        bool fits = wire_left(&c->raw) == t->bytes;
        return fits ? take_raw(r, t, c->raw, err)
                    : too_few(t, elements, wire_left(&c->raw), "bytes", err);
    }
    if (c->typed[typed] != elements) {
        return too_few(t, elements, c->typed[typed], "numbers", err);
    }
    return gather(r->a, t, w, typed, err);
}

enum err_code onnx_tensor_read(struct onnx_reader *r, struct wire w, struct onnx_tensor *out,
                               struct err *err)
{
    *out = (struct onnx_tensor){.name = {"", 0}};
    struct claim c = {.t = out, .place = {.location = {"", 0}}};
    enum err_code rc = OK;
    struct field f;
    for (struct wire walk = w; rc == OK && wire_next(&walk, &f, "a tensor", &rc, err);) {
        rc = read_field(&c, &f, err);
    }
    return rc == OK ? take_data(r, &c, w, err) : rc;
}

enum err_code onnx_read_tensor(const void *bytes, size_t n, struct arena *a,
                               struct onnx_tensor *out, struct err *err)
{
    struct onnx_reader r = {.a = a, .all_aligned = true};
    return onnx_tensor_read(&r, wire_of(bytes, n), out, err);
}
