/* made.c - see made.h. Fields are ONNX's, by number. */
#include "made.h"

#include <string.h>

#include "base/sv.h"

void proto_varint(struct str *s, uint64_t v)
{
    for (; v >= 0x80; v >>= 7) {
        str_addc(s, (char)(0x80 | (v & 0x7f)));
    }
    str_addc(s, (char)v);
}

void proto_number(struct str *s, unsigned field, uint64_t v)
{
    proto_varint(s, (uint64_t)field << 3);
    proto_varint(s, v);
}

void proto_bytes(struct str *s, unsigned field, const void *p, size_t n)
{
    proto_varint(s, (uint64_t)field << 3 | 2);
    proto_varint(s, n);
    str_add(s, p, n);
}

void proto_text(struct str *s, unsigned field, const char *text)
{
    proto_bytes(s, field, text, strlen(text));
}

void proto_float(struct str *s, unsigned field, float v)
{
    proto_varint(s, (uint64_t)field << 3 | 5);
    str_add(s, &v, sizeof v);
}

void proto_tensor(struct str *s, const char *name, int type, const int64_t *dims, const void *raw,
                  size_t bytes)
{
    for (; *dims >= 0; dims++) {
        proto_number(s, 1, (uint64_t)*dims);
    }
    proto_number(s, 2, (uint64_t)type);
    proto_text(s, 8, name);
    proto_bytes(s, 9, raw, bytes);
}

void made_begin(struct made *m)
{
    *m = (struct made){.opset = 13};
    str_init(&m->graph, MADE_BYTES);
    str_init(&m->file, MADE_BYTES);
    arena_init(&m->build, 64 << 20);
    arena_init(&m->shapes, 64 << 20);
}

void made_end(struct made *m)
{
    onnx_close(m->onnx);
    str_release(&m->graph);
    str_release(&m->file);
    arena_release(&m->build);
    arena_release(&m->shapes);
}

static void add_part(struct made *m, unsigned field, struct str *part)
{
    proto_bytes(&m->graph, field, part->n ? part->p : "", part->n);
    str_release(part);
}

static void new_part(struct str *s)
{
    str_init(s, MADE_BYTES);
}

/* ValueInfoProto: name, type { tensor_type { elem_type, shape { dim { dim_value } } } } */
static void add_port(struct made *m, unsigned field, const char *name, int type,
                     const int64_t *dims)
{
    struct str port, outer, tensor, shape, dim;
    new_part(&port);
    new_part(&outer);
    new_part(&tensor);
    new_part(&shape);
    for (; dims && *dims >= 0; dims++) {
        new_part(&dim);
        if (*dims > 0) {
            proto_number(&dim, 1, (uint64_t)*dims);
        } else {
            proto_text(&dim, 2, "open");
        }
        proto_bytes(&shape, 1, dim.p, dim.n);
        str_release(&dim);
    }
    proto_number(&tensor, 1, (uint64_t)type);
    if (dims) {
        proto_bytes(&tensor, 2, shape.n ? shape.p : "", shape.n);
    }
    proto_bytes(&outer, 1, tensor.p, tensor.n);
    proto_text(&port, 1, name);
    proto_bytes(&port, 2, outer.p, outer.n);
    str_release(&shape);
    str_release(&tensor);
    str_release(&outer);
    add_part(m, field, &port);
}

void made_typed_input(struct made *m, const char *name, int type, const int64_t *dims)
{
    add_port(m, 11, name, type, dims);
}

void made_input(struct made *m, const char *name, const int64_t *dims)
{
    add_port(m, 11, name, 1, dims);
}

void made_output(struct made *m, const char *name)
{
    add_port(m, 12, name, 1, NULL);
}

static size_t count_of(const int64_t *dims)
{
    size_t n = 1;
    for (; *dims >= 0; dims++) {
        n *= (size_t)*dims;
    }
    return n;
}

void made_floats(struct made *m, const char *name, const int64_t *dims, const float *data)
{
    struct str part;
    size_t n = count_of(dims);
    float *own = calloc(n + 1, sizeof *own);
    assert_non_null(own);
    for (size_t i = 0; i < n; i++) {
        own[i] = data ? data[i] : (float)(i + 1) / 8;
    }
    new_part(&part);
    proto_tensor(&part, name, 1, dims, own, n * sizeof *own);
    add_part(m, 5, &part);
    free(own);
}

void made_ints(struct made *m, const char *name, const int64_t *dims, const int64_t *data)
{
    struct str part;
    new_part(&part);
    proto_tensor(&part, name, 7, dims, data, count_of(dims) * sizeof *data);
    add_part(m, 5, &part);
}

static void add_names(struct str *node, unsigned field, const char *names)
{
    for (struct sv rest = sv_of(names), name; rest.n;) {
        name = sv_cut(&rest, ' ');
        proto_bytes(node, field, name.p, sv_is(name, "-") ? 0 : name.n);
    }
}

static void add_numbers(struct str *attribute, struct sv text)
{
    bool list = memchr(text.p, ',', text.n) != NULL;
    for (struct sv rest = text, one; rest.n;) {
        int64_t v = 0;
        one = sv_cut(&rest, ',');
        assert_true(sv_i64(one, &v));
        proto_number(attribute, list ? 8 : 3, (uint64_t)v);
    }
    proto_number(attribute, 20, list ? 7 : 2);
}

static void add_attribute(struct str *node, struct sv text)
{
    struct str a;
    size_t at = 0;
    while (at < text.n && !strchr("=:'", text.p[at])) {
        at++;
    }
    assert_true(at < text.n);
    struct sv value = sv_make(text.p + at + 1, text.n - at - 1);
    new_part(&a);
    proto_bytes(&a, 1, text.p, at);
    if (text.p[at] == '=') {
        add_numbers(&a, value);
    } else if (text.p[at] == ':') {
        double d = 0;
        assert_true(sv_f64(value, &d));
        proto_float(&a, 2, (float)d);
        proto_number(&a, 20, 1);
    } else {
        proto_bytes(&a, 4, value.p, value.n - 1);
        proto_number(&a, 20, 3);
    }
    proto_bytes(node, 5, a.p, a.n);
    str_release(&a);
}

static void begin_node(struct str *node, const char *op, const char *inputs, const char *outputs)
{
    new_part(node);
    add_names(node, 1, inputs);
    add_names(node, 2, outputs);
    proto_text(node, 4, op);
}

void made_node(struct made *m, const char *op, const char *inputs, const char *outputs,
               const char *attributes)
{
    struct str node;
    begin_node(&node, op, inputs, outputs);
    for (struct sv rest = sv_of(attributes), one; rest.n;) {
        one = sv_cut(&rest, ' ');
        add_attribute(&node, one);
    }
    add_part(m, 1, &node);
}

void made_tensor_node(struct made *m, const char *op, const char *inputs, const char *outputs,
                      const char *name, const struct str *tensor)
{
    struct str node, a;
    begin_node(&node, op, inputs, outputs);
    new_part(&a);
    proto_text(&a, 1, name);
    proto_bytes(&a, 5, tensor->p, tensor->n);
    proto_number(&a, 20, 4);
    proto_bytes(&node, 5, a.p, a.n);
    str_release(&a);
    add_part(m, 1, &node);
}

struct sv made_file(struct made *m)
{
    struct str opset;
    new_part(&opset);
    proto_text(&opset, 1, "");
    proto_number(&opset, 2, (uint64_t)m->opset);
    str_clear(&m->file);
    proto_number(&m->file, 1, 7);
    proto_text(&m->file, 2, "made");
    proto_bytes(&m->file, 7, m->graph.n ? m->graph.p : "", m->graph.n);
    proto_bytes(&m->file, 8, opset.p, opset.n);
    str_release(&opset);
    return str_sv(&m->file);
}

enum err_code made_build(struct made *m, struct graph **g)
{
    struct sv file = made_file(m);
    onnx_close(m->onnx);
    m->onnx = NULL;
    err_clear(&m->err);
    enum err_code rc = onnx_read(file.p, file.n, &m->onnx, &m->err);
    return rc == OK ? graph_build(onnx_model(m->onnx), NULL, 0, MADE_MOST, &m->build, g, &m->err) : rc;
}

enum err_code made_shapes(struct made *m, int64_t batch, int64_t side, struct graph **g)
{
    struct graph *built;
    enum err_code rc = made_build(m, &built);
    return rc == OK ? graph_shapes(built, batch, side, &m->shapes, g, &m->err) : rc;
}

struct graph *made_graph(struct made *m)
{
    struct graph *g = NULL;
    if (made_shapes(m, 2, 0, &g) != OK) {
        fail_msg("%s: %s", m->err.rule, m->err.msg);
    }
    return g;
}

void made_refused(struct made *m, const char *rule, const char *text)
{
    struct graph *g;
    enum err_code rc = made_shapes(m, 2, 0, &g);
    if (rc == OK || strcmp(m->err.rule, rule) != 0 || !strstr(m->err.msg, text)) {
        fail_msg("wanted %s \"%s\", got %d %s \"%s\"", rule, text, rc, m->err.rule, m->err.msg);
    }
}

size_t graph_count(const struct graph *g, enum op op)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        n += g->nodes[i].op == op;
    }
    return n;
}

const struct node *graph_only(const struct graph *g, enum op op)
{
    assert_int_equal(graph_count(g, op), 1);
    for (size_t i = 0; i < g->n_nodes; i++) {
        if (g->nodes[i].op == op) {
            return &g->nodes[i];
        }
    }
    return NULL;
}

const struct value *graph_value(const struct graph *g, const char *name)
{
    for (size_t i = g->n_values; i-- > 0;) {
        if (sv_is(g->values[i].name, name)) {
            return &g->values[i];
        }
    }
    fail_msg("no value %s", name);
    return NULL;
}

void assert_dims(const struct value *v, const int64_t *dims)
{
    uint32_t rank = 0;
    for (; dims[rank] >= 0; rank++) {
        assert_true(rank < v->rank);
        assert_int_equal(v->dims[rank], dims[rank]);
    }
    assert_int_equal(v->rank, rank);
}
