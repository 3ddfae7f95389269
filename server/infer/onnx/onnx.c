/* onnx.c - ModelProto and GraphProto: the walk's upper two levels, and the files behind them.
 *
 * Every list is counted first and made in one piece; what is gathered may be a small multiple of
 * the file and no more (the arena's maximum). Knows no operator. */
#include "infer/onnx/onnx.h"

#include <stdlib.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "infer/onnx/parts.h"

/* Numbers written as varints take a byte each in the file and eight in memory; small unaligned
 * weights are copied. Lists of many empty entries are the rest. */
enum { GATHER_TIMES = 10 };
static const size_t GATHER_MORE = (size_t)64 << 20;

enum { OPSET_LEAST = 6, OPSET_MOST = 18 };

/* Fields of ModelProto and of GraphProto. */
enum { M_IR = 1, M_PRODUCER = 2, M_GRAPH = 7, M_OPSET = 8 };
enum { G_NODE = 1, G_NAME = 2, G_INITIALIZER = 5, G_INPUT = 11, G_OUTPUT = 12, G_SPARSE = 15 };

struct onnx_file {
    struct arena a;
    struct fs_map map;
    struct onnx_external *external;
    const unsigned char *bytes;
    size_t n;
    struct onnx_model m;
};

const struct onnx_model *onnx_model(const struct onnx_file *f)
{
    return &f->m;
}

size_t onnx_parts(const struct onnx_file *f, const char *const **paths)
{
    *paths = NULL;
    return f->external ? onnx_external_paths(f->external, paths) : 0;
}

void onnx_close(struct onnx_file *f)
{
    if (f) {
        if (f->external) {
            onnx_external_close(f->external);
        }
        fs_unmap(&f->map);
        arena_release(&f->a);
        free(f);
    }
}

/* Only bytes of a map come back when they are dropped; copies in the arena and bytes of the caller
 * do not. */
void onnx_forget_pages(const struct onnx_file *f, const void *p, size_t n)
{
    const unsigned char *b = p;
    bool of_file = f->map.data && b >= f->map.data && b < f->map.data + f->map.n;
    if (of_file || (f->external && onnx_external_holds(f->external, p))) {
        onnx_drop_pages(p, n);
    }
}

/* An ONNX file has no magic number, but its first field is one of ModelProto's in the right form.
 */
static bool begins_like_a_model(const struct field *f)
{
    switch (f->id) {
    case 1:
    case 5:
        return f->type == WIRE_VARINT;
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 14:
    case 20:
    case 25:
        return f->type == WIRE_BYTES;
    default:
        return false;
    }
}

static enum err_code not_onnx(struct err *err)
{
    return err_rule(err, ERR_INPUT, "onnx-magic",
                    "this is not an ONNX file: it does not begin like one and holds no graph");
}

/* OperatorSetIdProto: which version of the operators is meant. Other domains' operators are refused
 * by name. */
static enum err_code read_opset(struct wire w, struct onnx_model *m, struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    struct sv domain = {"", 0};
    uint64_t version = 0;
    while (rc == OK && wire_next(&w, &f, "an operator set", &rc, err)) {
        if (f.id == 1) {
            rc = wire_text(&f, "an operator set's domain", &domain, err);
        } else if (f.id == 2) {
            rc = wire_expect(&f, WIRE_VARINT, "an operator set's version", err);
            version = f.number;
        }
    }
    if (rc == OK && (domain.n == 0 || sv_is(domain, "ai.onnx"))) {
        m->opset = version > INT32_MAX ? INT32_MAX : (int64_t)version;
    }
    return rc;
}

static enum err_code check_opset(const struct onnx_model *m, struct err *err)
{
    if (m->opset == 0) {
        return err_rule(
            err, ERR_INPUT, "onnx-opset",
            "the ONNX file names no operator set: it is cut off, or not written by an exporter");
    }
    if (m->opset < OPSET_LEAST || m->opset > OPSET_MOST) {
        return err_rule(
            err, ERR_INPUT, "onnx-opset",
            "the model uses ONNX operator set %lld; only %d to %d can be read. Export it again with "
            "opset_version=17",
            (long long)m->opset, OPSET_LEAST, OPSET_MOST);
    }
    return OK;
}

/* The lists of a graph while they are filled. */
struct graph_lists {
    struct onnx_port *inputs, *outputs;
    size_t n_inputs, n_outputs, n_nodes, n_initializers;
};

static enum err_code count_graph(struct wire w, struct onnx_model *m, struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    while (rc == OK && wire_next(&w, &f, "the graph", &rc, err)) {
        m->n_nodes += f.id == G_NODE;
        m->n_initializers += f.id == G_INITIALIZER;
        m->n_inputs += f.id == G_INPUT;
        m->n_outputs += f.id == G_OUTPUT;
        if (f.id == G_SPARSE) {
            return err_rule(err, ERR_INPUT, "onnx-form",
                            "the model has sparse weights, which cannot be read");
        }
    }
    if (rc == OK && (m->n_nodes > ONNX_NODES || m->n_initializers > ONNX_NODES ||
                     m->n_inputs > ONNX_NODES || m->n_outputs > ONNX_INPUTS)) {
        return err_rule(err, ERR_LIMIT, "onnx-size",
                        "the model has more than %d nodes or tensors, or %d outputs", ONNX_NODES,
                        ONNX_INPUTS);
    }
    return rc;
}

static enum err_code graph_field(struct onnx_reader *r, const struct field *f, struct onnx_model *m,
                                 struct graph_lists *l, struct err *err)
{
    if (f->id == G_NAME) {
        return wire_text(f, "the graph's name", &m->graph, err);
    }
    if (f->id != G_NODE && f->id != G_INITIALIZER && f->id != G_INPUT && f->id != G_OUTPUT) {
        return OK;
    }
    enum err_code rc = wire_expect(f, WIRE_BYTES, "a part of the graph", err);
    if (rc != OK) {
        return rc;
    }
    switch (f->id) {
    case G_NODE:
        return onnx_node_read(r, f->bytes, &m->nodes[l->n_nodes++], err);
    case G_INITIALIZER:
        return onnx_tensor_read(r, f->bytes, &m->initializers[l->n_initializers++], err);
    case G_INPUT:
        return onnx_port_read(f->bytes, &l->inputs[l->n_inputs++], err);
    default:
        return onnx_port_read(f->bytes, &l->outputs[l->n_outputs++], err);
    }
}

/* Files of IR version 3 and before list every initializer among the inputs as well. */
static void leave_out_initializers(struct onnx_model *m)
{
    struct map_sv known;
    map_sv_init(&known);
    for (size_t i = 0; i < m->n_initializers; i++) {
        map_sv_put(&known, m->initializers[i].name, 1);
    }
    size_t kept = 0;
    for (size_t i = 0; i < m->n_inputs; i++) {
        if (map_sv_get(&known, m->inputs[i].name) == MAP_NONE) {
            m->inputs[kept++] = m->inputs[i];
        }
    }
    m->n_inputs = kept;
    map_sv_release(&known);
}

static enum err_code read_graph(struct onnx_reader *r, struct wire w, struct onnx_model *m,
                                struct err *err)
{
    struct graph_lists l = {0};
    enum err_code rc = count_graph(w, m, err);
    rc = rc == OK ? onnx_take(r->a, m->n_nodes, sizeof *m->nodes, &m->nodes, err) : rc;
    rc = rc == OK
             ? onnx_take(r->a, m->n_initializers, sizeof *m->initializers, &m->initializers, err)
             : rc;
    rc = rc == OK ? onnx_take(r->a, m->n_inputs, sizeof *l.inputs, &l.inputs, err) : rc;
    rc = rc == OK ? onnx_take(r->a, m->n_outputs, sizeof *l.outputs, &l.outputs, err) : rc;
    struct field f;
    while (rc == OK && wire_next(&w, &f, "the graph", &rc, err)) {
        rc = graph_field(r, &f, m, &l, err);
    }
    m->inputs = l.inputs;
    m->outputs = l.outputs;
    if (rc == OK) {
        leave_out_initializers(m);
    }
    return rc;
}

static enum err_code read_model(struct onnx_reader *r, struct wire w, struct onnx_model *m,
                                struct err *err)
{
    enum err_code rc = OK;
    struct field f;
    struct wire graph = {0};
    bool first = true;
    while (rc == OK && wire_next(&w, &f, "the model", &rc, err)) {
        if (first && !begins_like_a_model(&f)) {
            return not_onnx(err);
        }
        first = false;
        if (f.id == M_PRODUCER) {
            rc = wire_text(&f, "the producer's name", &m->producer, err);
        } else if (f.id == M_OPSET) {
            rc = wire_expect(&f, WIRE_BYTES, "an operator set", err);
            rc = rc == OK ? read_opset(f.bytes, m, err) : rc;
        } else if (f.id == M_GRAPH && graph.p) {
            rc = err_rule(err, ERR_INPUT, "onnx-form", "the ONNX file holds more than one graph");
        } else if (f.id == M_GRAPH) {
            rc = wire_expect(&f, WIRE_BYTES, "the graph", err);
            graph = f.bytes;
        }
    }
    if (rc == OK && !graph.p) {
        return not_onnx(err);
    }
    rc = rc == OK ? check_opset(m, err) : rc;
    return rc == OK ? read_graph(r, graph, m, err) : rc;
}

static enum err_code read_all(struct onnx_file *f, struct err *err)
{
    size_t budget = f->n > (SIZE_MAX - GATHER_MORE) / GATHER_TIMES
                        ? SIZE_MAX
                        : f->n * GATHER_TIMES + GATHER_MORE;
    f->a.max = budget;
    f->m = (struct onnx_model){.producer = {"", 0}, .graph = {"", 0}};
    struct onnx_reader r = {.a = &f->a, .external = f->external};
    struct wire w = wire_of(f->bytes, f->n);
    /* The first byte decides between "not ONNX" and "damaged": a picture or a text fails here. */
    struct wire look = w;
    struct field first;
    enum err_code ignored = OK;
    if (f->n == 0 ||
        (!wire_next(&look, &first, "the model", &ignored, NULL) && f->bytes[0] != (M_IR << 3))) {
        return not_onnx(err);
    }
    return read_model(&r, w, &f->m, err);
}

enum err_code onnx_read(const void *bytes, size_t n, struct onnx_file **out, struct err *err)
{
    struct onnx_file *f = xcalloc(1, sizeof *f);
    f->bytes = bytes;
    f->n = n;
    enum err_code rc = read_all(f, err);
    if (rc != OK) {
        onnx_close(f);
        f = NULL;
    }
    *out = f;
    return rc;
}

enum err_code onnx_open(const char *path, struct onnx_file **out, struct err *err)
{
    struct onnx_file *f = xcalloc(1, sizeof *f);
    enum err_code rc = fs_map(path, &f->map, err);
    if (rc == OK) {
        f->bytes = f->map.data;
        f->n = f->map.n;
        f->a.max = SIZE_MAX;
        f->external = onnx_external_new(&f->a, path);
        rc = read_all(f, err);
    }
    if (rc != OK) {
        onnx_close(f);
        f = NULL;
    }
    *out = f;
    return rc;
}

const struct onnx_attribute *onnx_attribute(const struct onnx_node *n, const char *name)
{
    for (size_t i = 0; i < n->n_attributes; i++) {
        if (sv_is(n->attributes[i].name, name)) {
            return &n->attributes[i];
        }
    }
    return NULL;
}

int64_t onnx_int(const struct onnx_node *n, const char *name, int64_t otherwise)
{
    const struct onnx_attribute *a = onnx_attribute(n, name);
    return a && a->kind == ATTR_INT ? a->i : otherwise;
}

float onnx_float(const struct onnx_node *n, const char *name, float otherwise)
{
    const struct onnx_attribute *a = onnx_attribute(n, name);
    return a && a->kind == ATTR_FLOAT ? a->f : otherwise;
}
