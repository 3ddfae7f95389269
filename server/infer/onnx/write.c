/* write.c - the protobuf that an ONNX file is. Numbers of fields and of types are those of
 * onnx.proto3. */
#include "infer/onnx/write.h"

#include <string.h>

#include "base/fs.h"

enum { IR_VERSION = 8, OPERATOR_SET = 13, HEADER_MOST = 256 };
enum { WIRE_VARINT = 0, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };
enum {
    MODEL_IR = 1,
    MODEL_PRODUCER = 2,
    MODEL_PRODUCER_VERSION = 3,
    MODEL_GRAPH = 7,
    MODEL_OPSET = 8
};
enum { OPSET_VERSION = 2 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_WEIGHTS = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP = 4, NODE_ATTRIBUTE = 5 };
enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_F = 2,
    ATTRIBUTE_I = 3,
    ATTRIBUTE_INTS = 8,
    ATTRIBUTE_TYPE = 20
};
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9 };
enum { PORT_NAME = 1, PORT_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2 };
enum { SHAPE_DIM = 1, DIM_VALUE = 1, DIM_NAME = 2, FLOAT_TENSOR = 1 };

static void add_varint(struct str *s, uint64_t v)
{
    for (; v >= 128; v >>= 7) {
        str_addc(s, (char)((v & 127) | 128));
    }
    str_addc(s, (char)v);
}

static void add_key(struct str *s, unsigned field, unsigned wire)
{
    add_varint(s, field << 3 | wire);
}

static void add_int(struct str *s, unsigned field, int64_t v)
{
    add_key(s, field, WIRE_VARINT);
    add_varint(s, (uint64_t)v);
}

static void add_bytes(struct str *s, unsigned field, const void *p, size_t n)
{
    add_key(s, field, WIRE_BYTES);
    add_varint(s, n);
    str_add(s, p, n);
}

static void add_text(struct str *s, unsigned field, const char *text)
{
    add_bytes(s, field, text, strlen(text));
}

/* A message within a message is made apart, since its length stands before it. Takes `part` over.
 */
static void add_part(struct str *s, unsigned field, struct str *part)
{
    add_bytes(s, field, part->p ? part->p : "", part->n);
    s->over |= part->over;
    str_release(part);
}

static struct str part_of(const struct str *whole)
{
    struct str s;
    str_init(&s, whole->max);
    return s;
}

/* ------------------------------------------------------------------ the graph */

void onnx_write_begin(struct onnx_writer *w, const char *graph, size_t max)
{
    str_init(&w->graph, max);
    add_text(&w->graph, GRAPH_NAME, graph);
}

void onnx_write_release(struct onnx_writer *w)
{
    str_release(&w->graph);
}

static void add_port(struct onnx_writer *w, unsigned field, const char *name, const int64_t *dims,
                     size_t rank)
{
    struct str port = part_of(&w->graph), type = port, tensor = port, shape = port;
    for (size_t i = 0; i < rank; i++) {
        struct str dim = part_of(&w->graph);
        if (dims[i] < 0) {
            add_text(&dim, DIM_NAME, "N");
        } else {
            add_int(&dim, DIM_VALUE, dims[i]);
        }
        add_part(&shape, SHAPE_DIM, &dim);
    }
    add_int(&tensor, TENSOR_ELEMENT, FLOAT_TENSOR);
    add_part(&tensor, TENSOR_SHAPE, &shape);
    add_part(&type, TYPE_TENSOR, &tensor);
    add_text(&port, PORT_NAME, name);
    add_part(&port, PORT_TYPE, &type);
    add_part(&w->graph, field, &port);
}

void onnx_write_input(struct onnx_writer *w, const char *name, const int64_t *dims, size_t rank)
{
    add_port(w, GRAPH_INPUT, name, dims, rank);
}

void onnx_write_output(struct onnx_writer *w, const char *name, const int64_t *dims, size_t rank)
{
    add_port(w, GRAPH_OUTPUT, name, dims, rank);
}

void onnx_write_weights(struct onnx_writer *w, const char *name, const int64_t *dims, size_t rank,
                        const float *data)
{
    struct str tensor = part_of(&w->graph);
    size_t n = 1;
    for (size_t i = 0; i < rank; i++) {
        add_int(&tensor, TENSOR_DIMS, dims[i]);
        n *= (size_t)dims[i];
    }
    add_int(&tensor, TENSOR_TYPE, FLOAT_TENSOR);
    add_text(&tensor, TENSOR_NAME, name);
    add_bytes(&tensor, TENSOR_RAW, data,
              n * sizeof *data); /* this machine is little-endian, as ONNX is */
    add_part(&w->graph, GRAPH_WEIGHTS, &tensor);
}

static void add_attribute(struct str *node, const struct onnx_write_attribute *a)
{
    static const int64_t types[] = {[WRITE_INT] = 2, [WRITE_FLOAT] = 1, [WRITE_INTS] = 7};
    struct str s = part_of(node);
    add_text(&s, ATTRIBUTE_NAME, a->name);
    if (a->kind == WRITE_INT) {
        add_int(&s, ATTRIBUTE_I, a->i);
    } else if (a->kind == WRITE_FLOAT) {
        add_key(&s, ATTRIBUTE_F, WIRE_FIXED32);
        str_add(&s, &a->f, sizeof a->f);
    }
    for (size_t i = 0; a->kind == WRITE_INTS && i < a->n; i++) {
        add_int(&s, ATTRIBUTE_INTS, a->ints[i]);
    }
    add_int(&s, ATTRIBUTE_TYPE, types[a->kind]);
    add_part(node, NODE_ATTRIBUTE, &s);
}

void onnx_write_node(struct onnx_writer *w, const char *op, const char *const *inputs,
                     const char *output, const struct onnx_write_attribute *attributes, size_t n)
{
    struct str node = part_of(&w->graph);
    for (; *inputs; inputs++) {
        add_text(&node, NODE_INPUT, *inputs);
    }
    add_text(&node, NODE_OUTPUT, output);
    add_text(&node, NODE_NAME, output);
    add_text(&node, NODE_OP, op);
    for (size_t i = 0; i < n; i++) {
        add_attribute(&node, &attributes[i]);
    }
    add_part(&w->graph, GRAPH_NODE, &node);
}

/* ------------------------------------------------------------------ the file */

enum err_code onnx_write_bytes(const struct onnx_writer *w, struct str *out, struct err *err)
{
    struct str opset;
    str_init(&opset, HEADER_MOST);
    add_int(&opset, OPSET_VERSION, OPERATOR_SET);
    add_int(out, MODEL_IR, IR_VERSION);
    add_text(out, MODEL_PRODUCER, "holdout");
    add_text(out, MODEL_PRODUCER_VERSION, HOLDOUT_VERSION);
    add_part(out, MODEL_OPSET, &opset);
    add_bytes(out, MODEL_GRAPH, w->graph.p, w->graph.n);
    out->over |= w->graph.over;
    return str_check(out, "the ONNX file", err);
}

enum err_code onnx_write_file(const struct onnx_writer *w, const char *path, struct err *err)
{
    struct str bytes;
    str_init(&bytes, w->graph.max);
    enum err_code rc = onnx_write_bytes(w, &bytes, err);
    rc = rc == OK ? fs_write_whole(path, bytes.p, bytes.n, true, err) : rc;
    str_release(&bytes);
    return rc;
}
