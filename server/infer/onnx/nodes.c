/* nodes.c - NodeProto, AttributeProto and ValueInfoProto.
 */
#include <string.h>

#include "infer/onnx/parts.h"

/* Field ids of AttributeProto; the types that have a meaning here (`type`, field 20). */
enum {
    F_NAME = 1,
    F_FLOAT = 2,
    F_INT = 3,
    F_TEXT = 4,
    F_TENSOR = 5,
    F_GRAPH = 6,
    F_FLOATS = 7,
    F_INTS = 8,
    F_STRINGS = 9,
    F_TYPE = 20
};
enum { N_INPUT = 1, N_OUTPUT = 2, N_NAME = 3, N_OP = 4, N_ATTRIBUTE = 5, N_DOMAIN = 7 };

/* A list of numbers is gathered from all its fields: first counted, then filled. */
static enum err_code count_list(struct wire w, uint32_t id, enum wire_type each, size_t *n,
                                struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    *n = 0;
    while (rc == OK && wire_next(&w, &f, "an attribute", &rc, err)) {
        size_t more = 0;
        if (f.id == id) {
            rc = wire_count(&f, each, &more, err);
        }
        *n += more;
    }
    return rc;
}

static float float_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

static enum err_code read_ints(struct arena *a, struct wire w, struct onnx_attribute *out,
                               struct err *err)
{
    int64_t *list;
    enum err_code rc = count_list(w, F_INTS, WIRE_VARINT, &out->n, err);
    rc = rc == OK ? onnx_take(a, out->n, sizeof *list, &list, err) : rc;
    struct field f;
    size_t n = 0;
    while (rc == OK && wire_next(&w, &f, "an attribute", &rc, err)) {
        if (f.id == F_INTS && f.type == WIRE_VARINT) {
            list[n++] = (int64_t)f.number;
        } else if (f.id == F_INTS) {
            for (struct wire in = f.bytes; in.p < in.end;) {
                list[n++] = (int64_t)wire_varint(&in);
            }
        }
    }
    out->ints = rc == OK ? list : NULL;
    return rc;
}

static enum err_code read_floats(struct arena *a, struct wire w, struct onnx_attribute *out,
                                 struct err *err)
{
    float *list;
    enum err_code rc = count_list(w, F_FLOATS, WIRE_FIXED32, &out->n, err);
    rc = rc == OK ? onnx_take(a, out->n, sizeof *list, &list, err) : rc;
    struct field f;
    size_t n = 0;
    while (rc == OK && wire_next(&w, &f, "an attribute", &rc, err)) {
        if (f.id == F_FLOATS && f.type == WIRE_FIXED32) {
            list[n++] = float_of(f.number);
        } else if (f.id == F_FLOATS) {
            size_t bytes = wire_left(&f.bytes);
            memcpy(list + n, f.bytes.p, bytes);
            n += bytes / sizeof *list;
        }
    }
    out->floats = rc == OK ? list : NULL;
    return rc;
}

/* What the type's number says, or when an old file has none, the fields that are there. */
static enum onnx_attribute_kind kind_of(uint64_t type, uint32_t seen)
{
    static const enum onnx_attribute_kind kinds[] = {ATTR_OTHER,  ATTR_FLOAT,  ATTR_INT,
                                                     ATTR_STRING, ATTR_TENSOR, ATTR_OTHER,
                                                     ATTR_FLOATS, ATTR_INTS};
    if (type != 0) {
        return type < sizeof kinds / sizeof *kinds ? kinds[type] : ATTR_OTHER;
    }
    static const struct {
        uint32_t id;
        enum onnx_attribute_kind kind;
    } fields[] = {{F_GRAPH, ATTR_OTHER},   {F_STRINGS, ATTR_OTHER}, {F_TENSOR, ATTR_TENSOR},
                  {F_TEXT, ATTR_STRING},   {F_INT, ATTR_INT},       {F_FLOAT, ATTR_FLOAT},
                  {F_FLOATS, ATTR_FLOATS}, {F_INTS, ATTR_INTS}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (seen & 1U << fields[i].id) {
            return fields[i].kind;
        }
    }
    return ATTR_INTS; /* an empty list leaves no trace; read as one of either kind it is empty */
}

static enum err_code attribute_field(const struct field *f, struct onnx_attribute *out,
                                     uint64_t *type, struct wire *tensor, struct err *err)
{
    switch (f->id) {
    case F_NAME:
        return wire_text(f, "an attribute's name", &out->name, err);
    case F_FLOAT:
        out->f = float_of(f->number);
        return wire_expect(f, WIRE_FIXED32, "an attribute's number", err);
    case F_INT:
        out->i = (int64_t)f->number;
        return wire_expect(f, WIRE_VARINT, "an attribute's number", err);
    case F_TEXT: /* bytes of any kind: only compared with words that are known */
        out->s = sv_make((const char *)f->bytes.p, wire_left(&f->bytes));
        return wire_expect(f, WIRE_BYTES, "an attribute's text", err);
    case F_TENSOR:
        *tensor = f->bytes;
        return wire_expect(f, WIRE_BYTES, "an attribute's tensor", err);
    case F_TYPE:
        *type = f->number;
        return wire_expect(f, WIRE_VARINT, "an attribute's type", err);
    default:
        return OK;
    }
}

static enum err_code read_attribute(struct onnx_reader *r, struct wire w,
                                    struct onnx_attribute *out, struct err *err)
{
    *out = (struct onnx_attribute){.name = {"", 0}, .s = {"", 0}};
    enum err_code rc = OK;
    uint64_t type = 0;
    uint32_t seen = 0;
    struct wire tensor = {0};
    struct field f;
    for (struct wire walk = w; rc == OK && wire_next(&walk, &f, "an attribute", &rc, err);) {
        seen |= f.id < 32 ? 1U << f.id : 0;
        rc = attribute_field(&f, out, &type, &tensor, err);
    }
    out->kind = kind_of(type, seen);
    if (rc != OK) {
        return rc;
    }
    if (out->kind == ATTR_INTS) {
        return read_ints(r->a, w, out, err);
    }
    if (out->kind == ATTR_FLOATS) {
        return read_floats(r->a, w, out, err);
    }
    if (out->kind == ATTR_TENSOR) {
        struct onnx_tensor *t;
        rc = onnx_take(r->a, 1, sizeof *t, &t, err);
        rc = rc == OK ? onnx_tensor_read(r, tensor, t, err) : rc;
        out->t = t;
    }
    return rc;
}

/* How many of each: the lists are made in one piece each. */
static enum err_code count_node(struct wire w, struct onnx_node *n, struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    while (rc == OK && wire_next(&w, &f, "a node", &rc, err)) {
        n->n_inputs += f.id == N_INPUT;
        n->n_outputs += f.id == N_OUTPUT;
        n->n_attributes += f.id == N_ATTRIBUTE;
    }
    if (rc == OK && (n->n_inputs > ONNX_INPUTS || n->n_outputs > ONNX_INPUTS ||
                     n->n_attributes > ONNX_ATTRIBUTES)) {
        return err_rule(
            err, ERR_LIMIT, "onnx-size",
            "a node of the ONNX file has more than %d inputs or outputs or %d attributes",
            ONNX_INPUTS, ONNX_ATTRIBUTES);
    }
    return rc;
}

struct node_lists {
    struct sv *inputs, *outputs;
    struct onnx_attribute *attributes;
    size_t n_inputs, n_outputs, n_attributes;
};

static enum err_code node_field(struct onnx_reader *r, const struct field *f, struct onnx_node *out,
                                struct node_lists *l, struct err *err)
{
    enum err_code rc;
    switch (f->id) {
    case N_INPUT:
        return wire_text(f, "the name of a node's input", &l->inputs[l->n_inputs++], err);
    case N_OUTPUT:
        return wire_text(f, "the name of a node's output", &l->outputs[l->n_outputs++], err);
    case N_NAME:
        return wire_text(f, "a node's name", &out->name, err);
    case N_OP:
        return wire_text(f, "an operator's name", &out->op, err);
    case N_DOMAIN:
        return wire_text(f, "an operator's domain", &out->domain, err);
    case N_ATTRIBUTE:
        rc = wire_expect(f, WIRE_BYTES, "an attribute", err);
        return rc == OK ? read_attribute(r, f->bytes, &l->attributes[l->n_attributes++], err) : rc;
    default:
        return OK;
    }
}

enum err_code onnx_node_read(struct onnx_reader *r, struct wire w, struct onnx_node *out,
                             struct err *err)
{
    *out = (struct onnx_node){.op = {"", 0}, .name = {"", 0}, .domain = {"", 0}};
    struct node_lists l = {0};
    enum err_code rc = count_node(w, out, err);
    rc = rc == OK ? onnx_take(r->a, out->n_inputs, sizeof *l.inputs, &l.inputs, err) : rc;
    rc = rc == OK ? onnx_take(r->a, out->n_outputs, sizeof *l.outputs, &l.outputs, err) : rc;
    rc = rc == OK ? onnx_take(r->a, out->n_attributes, sizeof *l.attributes, &l.attributes, err)
                  : rc;
    struct field f;
    while (rc == OK && wire_next(&w, &f, "a node", &rc, err)) {
        rc = node_field(r, &f, out, &l, err);
    }
    out->inputs = l.inputs;
    out->outputs = l.outputs;
    out->attributes = l.attributes;
    return rc;
}

/* TensorShapeProto.Dimension: a number, or a name or nothing for an open one. */
static enum err_code read_dim(struct wire w, struct onnx_port *out, struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    int64_t dim = -1;
    while (rc == OK && wire_next(&w, &f, "a dimension", &rc, err)) {
        if (f.id == 1) {
            rc = wire_expect(&f, WIRE_VARINT, "a dimension", err);
            /* Some exporters write 0 or -1 for "open". */
            dim = f.number == 0 || f.number > INT64_MAX ? -1 : (int64_t)f.number;
        }
    }
    if (rc == OK && out->rank == TENSOR_RANK) {
        return err_rule(err, ERR_INPUT, "onnx-form",
                        "input or output %.*s has more than %d dimensions", SHOWN(out->name),
                        TENSOR_RANK);
    }
    if (rc == OK) {
        out->dims[out->rank++] = dim;
    }
    return rc;
}

/* Calls itself for TypeProto > tensor_type > shape > dim: three levels, as the format has. */
static enum err_code read_type(struct wire w, int level, struct onnx_port *out, struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    while (rc == OK && wire_next(&w, &f, "a type", &rc, err)) {
        bool inner = f.id == (level == 1 ? 2 : 1);
        if (level == 1 && f.id == 1) {
            out->type = onnx_type_of(f.number);
            rc = wire_expect(&f, WIRE_VARINT, "a type", err);
        } else if (inner) {
            rc = wire_expect(&f, WIRE_BYTES, "a type", err);
            out->shaped = out->shaped || level == 1;
            if (rc == OK) {
                rc = level == 2 ? read_dim(f.bytes, out, err)
                                : read_type(f.bytes, level + 1, out, err);
            }
        }
    }
    return rc;
}

enum err_code onnx_port_read(struct wire w, struct onnx_port *out, struct err *err)
{
    *out = (struct onnx_port){.name = {"", 0}};
    enum err_code rc = OK;
    struct field f;
    while (rc == OK && wire_next(&w, &f, "an input or output", &rc, err)) {
        if (f.id == 1) {
            rc = wire_text(&f, "the name of an input or output", &out->name, err);
        } else if (f.id == 2) {
            rc = wire_expect(&f, WIRE_BYTES, "a type", err);
            rc = rc == OK ? read_type(f.bytes, 0, out, err) : rc;
        }
    }
    return rc;
}
