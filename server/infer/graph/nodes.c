/* nodes.c - what everything that makes or changes a graph needs: adding values and nodes,
 * reading a node's constant inputs and attributes, taking out what nobody uses. Called within this
 * room (work.h). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "infer/graph/work.h"
#include "infer/onnx/parts.h"

int64_t value_elements(const struct value *v)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < v->rank; i++) {
        n *= v->dims[i];
    }
    return n;
}

struct gemm node_gemm(const struct node *n)
{
    return (struct gemm){.trans_a = onnx_int(n->onnx, "transA", 0) != 0,
                         .trans_b = onnx_int(n->onnx, "transB", 0) != 0,
                         .alpha = onnx_float(n->onnx, "alpha", 1),
                         .beta = onnx_float(n->onnx, "beta", 1)};
}

struct sv node_name(const struct onnx_node *n)
{
    return n->name.n || n->n_outputs == 0 ? n->name : n->outputs[0];
}

enum err_code node_refuse(const struct node *n, struct err *err, const char *rule, const char *fmt,
                          ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_rule(err, ERR_INPUT, rule, "node %.*s (%.*s): %s", SHOWN(node_name(n->onnx)),
                    SHOWN(n->onnx->op), text);
}

/* Room for one more in an array of the arena. What it leaves behind is at most as much again. */
static enum err_code grow(struct arena *a, void *items, size_t n, size_t *cap, size_t size,
                          struct err *err)
{
    if (n < *cap) {
        return OK;
    }
    size_t more = *cap ? *cap * 2 : 64;
    void *old, *new;
    memcpy(&old, items, sizeof old);
    enum err_code rc = n < INT32_MAX / 2
                           ? onnx_take(a, more, size, &new, err)
                           : err_rule(err, ERR_LIMIT, "onnx-size", "the model has too many values");
    if (rc == OK) {
        if (n) {
            memcpy(new, old, n * size);
        }
        memcpy(items, &new, sizeof new);
        *cap = more;
    }
    return rc;
}

enum err_code graph_add_value(struct graph_work *w, const struct value *v, int *index,
                              struct err *err)
{
    struct graph *g = w->g;
    enum err_code rc = grow(w->a, &g->values, g->n_values, &w->cap_values, sizeof *g->values, err);
    if (rc == OK) {
        *index = (int)g->n_values;
        g->values[g->n_values++] = *v;
    }
    return rc;
}

enum err_code graph_add_constant(struct graph_work *w, struct sv name, enum tensor_type type,
                                 uint32_t rank, const int64_t *dims, const void *data, int *index,
                                 struct err *err)
{
    static const int64_t nothing = 0; /* what an empty constant points to */
    struct value v = {
        .name = name, .type = type, .rank = rank, .data = data ? data : &nothing, .producer = -1};
    if (rank) {
        memcpy(v.dims, dims, rank * sizeof *dims);
    }
    return graph_add_value(w, &v, index, err);
}

/* Most results are of their first input's type; what only constants have is known when it is
 * calculated. */
static void set_types(struct graph *g, const struct node *n)
{
    for (uint32_t o = 0; o < n->n_outputs && n->op != OP_CAST && n->op != OP_SHAPE; o++) {
        const struct value *first = node_input(g, n, 0);
        if (n->outputs[o] >= 0) {
            g->values[n->outputs[o]].type =
                n->op == OP_FOLD_ONLY || !first ? TYPE_NONE : first->type;
        }
    }
}

enum err_code graph_append(struct graph_work *w, struct node *n, struct err *err)
{
    struct graph *g = w->g;
    bool done = false;
    enum err_code rc = fold_node(w, n, &done, err);
    if (rc != OK || done) {
        return rc;
    }
    set_types(g, n);
    rc = grow(w->a, &g->nodes, g->n_nodes, &w->cap_nodes, sizeof *g->nodes, err);
    if (rc == OK) {
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            if (n->outputs[o] >= 0) {
                g->values[n->outputs[o]].producer = (int)g->n_nodes;
            }
        }
        g->nodes[g->n_nodes++] = *n;
    }
    return rc;
}

enum err_code graph_derive(struct graph_work *w, const struct node *n, uint32_t n_inputs,
                           struct node *out, struct err *err)
{
    *out = *n;
    out->n_inputs = n_inputs;
    out->n_outputs = 1;
    struct value v = {.name = {"", 0}, .type = TYPE_F32, .producer = -1};
    enum err_code rc = onnx_take(w->a, n_inputs, sizeof *out->inputs, &out->inputs, err);
    rc = rc == OK ? onnx_take(w->a, 1, sizeof *out->outputs, &out->outputs, err) : rc;
    return rc == OK ? graph_add_value(w, &v, &out->outputs[0], err) : rc;
}

static float half_to_float(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                                : (float)ldexp(exponent ? 1024 + fraction : fraction,
                                               (exponent ? exponent : 1) - 25);
    return half >> 15 ? -size : size;
}

/* Half precision is a way to store numbers; the engine calculates with floats. */
static enum err_code widen(struct graph_work *w, const struct onnx_tensor *t, const void **data,
                           struct err *err)
{
    *data = t->data;
    if (t->type != TYPE_F16 || t->bytes == 0) {
        return OK;
    }
    float *out;
    size_t n = t->bytes / 2;
    enum err_code rc = onnx_take(w->a, n, sizeof *out, &out, err);
    if (rc == OK) {
        const uint16_t *in = t->data;
        for (size_t i = 0; i < n; i++) {
            out[i] = half_to_float(in[i]);
        }
        *data = out;
    }
    return rc;
}

enum err_code graph_tensor(struct graph_work *w, const struct onnx_tensor *t, struct sv name,
                           int *index, struct err *err)
{
    const void *data;
    enum err_code rc = widen(w, t, &data, err);
    enum tensor_type type = t->type == TYPE_F16 ? TYPE_F32 : t->type;
    return rc == OK ? graph_add_constant(w, name, type, t->rank, t->dims, data, index, err) : rc;
}

enum err_code value_align(struct graph_work *w, int value, struct err *err)
{
    struct value *v = &w->g->values[value];
    if (!v->data || onnx_is_aligned(v->data, v->type)) {
        return OK;
    }
    return onnx_copy(w->a, v->data, (size_t)value_elements(v) * tensor_type_size(v->type), &v->data,
                     err);
}

static bool is_weight(const struct graph *g, const struct node *n, uint32_t i)
{
    return i == 1 && (n->op == OP_CONV ||
                      ((n->op == OP_GEMM || n->op == OP_MATMUL) && node_input(g, n, 1)->rank == 2));
}

enum err_code graph_align(struct graph_work *w, struct err *err)
{
    enum err_code rc = OK;
    for (size_t k = 0; k < w->g->n_nodes && rc == OK; k++) {
        const struct node *n = &w->g->nodes[k];
        for (uint32_t i = 0; i < n->n_inputs && rc == OK; i++) {
            if (n->inputs[i] >= 0 && !is_weight(w->g, n, i)) {
                rc = value_align(w, n->inputs[i], err);
            }
        }
    }
    return rc;
}

struct value *node_input(const struct graph *g, const struct node *n, uint32_t i)
{
    return i < n->n_inputs && n->inputs[i] >= 0 ? &g->values[n->inputs[i]] : NULL;
}

struct value *node_output(const struct graph *g, const struct node *n, uint32_t o)
{
    return o < n->n_outputs && n->outputs[o] >= 0 ? &g->values[n->outputs[o]] : NULL;
}

bool node_constant(const struct graph *g, const struct node *n, uint32_t i)
{
    const struct value *v = node_input(g, n, i);
    return v && v->data;
}

const float *node_floats(const struct graph *g, const struct node *n, uint32_t i, int64_t elements)
{
    const struct value *v = node_input(g, n, i);
    return v && v->data && v->type == TYPE_F32 && value_elements(v) == elements ? v->data : NULL;
}

bool node_number(const struct graph *g, const struct node *n, const char *attribute, uint32_t i,
                 float *out)
{
    const struct onnx_attribute *a = attribute ? onnx_attribute(n->onnx, attribute) : NULL;
    const struct value *v = node_input(g, n, i);
    if (a && a->kind == ATTR_FLOAT) {
        *out = a->f;
        return true;
    }
    if (v && v->data && value_elements(v) == 1) {
        *out = (float)value_number(v, 0);
        return true;
    }
    return false;
}

static enum err_code list_of_value(const struct node *n, const struct value *v, const char *what,
                                   struct list *out, struct err *err)
{
    if (!v->data) {
        return node_refuse(n, err, "onnx-shape",
                           "its list of %s depends on the image; the engine needs a constant",
                           what);
    }
    int64_t elements = value_elements(v);
    if ((v->type != TYPE_I64 && v->type != TYPE_I32) || v->rank > 1 || elements > LIST_MAX) {
        return node_refuse(n, err, "onnx-form", "its %s are not a list of at most %d whole numbers",
                           what, LIST_MAX);
    }
    out->there = true;
    out->n = (uint32_t)elements;
    for (int64_t i = 0; i < elements; i++) {
        out->at[i] = value_integer(v, i);
    }
    return OK;
}

enum err_code node_list(const struct graph *g, const struct node *n, const char *attribute, int i,
                        struct list *out, struct err *err)
{
    *out = (struct list){0};
    const struct onnx_attribute *a = onnx_attribute(n->onnx, attribute);
    const struct value *v = i < 0 ? NULL : node_input(g, n, (uint32_t)i);
    if (v) {
        return list_of_value(n, v, attribute, out, err);
    }
    if (!a) {
        return OK;
    }
    if (a->kind != ATTR_INTS || a->n > LIST_MAX) {
        return node_refuse(n, err, "onnx-form",
                           "its attribute %s is not a list of at most %d whole numbers", attribute,
                           LIST_MAX);
    }
    out->there = true;
    out->n = (uint32_t)a->n;
    if (a->n) {
        memcpy(out->at, a->ints, a->n * sizeof *a->ints);
    }
    return OK;
}

bool node_word_is(const struct node *n, const char *attribute, const char *word)
{
    const struct onnx_attribute *a = onnx_attribute(n->onnx, attribute);
    return a && a->kind == ATTR_STRING && sv_is(a->s, word);
}

enum err_code node_axis(const struct node *n, int64_t axis, uint32_t rank, int64_t *out,
                        struct err *err)
{
    if (axis < -(int64_t)rank || axis >= (int64_t)rank) {
        return node_refuse(n, err, "onnx-shape", "axis %lld of a value of %u dimensions",
                           (long long)axis, rank);
    }
    *out = axis < 0 ? axis + (int64_t)rank : axis;
    return OK;
}

/* From the last node to the first: one whose results are neither wanted nor used is gone. */
static void drop_unused(struct graph *g)
{
    for (size_t i = 0; i < g->n_values; i++) {
        g->values[i].uses = g->values[i].output;
        g->values[i].producer = -1;
    }
    for (size_t i = g->n_nodes; i-- > 0;) {
        struct node *n = &g->nodes[i];
        bool used = false;
        for (uint32_t o = 0; o < n->n_outputs && n->op != OP_NONE; o++) {
            used = used || (n->outputs[o] >= 0 && g->values[n->outputs[o]].uses);
        }
        if (!used) {
            n->op = OP_NONE;
            continue;
        }
        for (uint32_t k = 0; k < n->n_inputs; k++) {
            if (n->inputs[k] >= 0) {
                g->values[n->inputs[k]].uses++;
            }
        }
        if (n->residual >= 0) {
            g->values[n->residual].uses++;
        }
    }
}

void graph_sweep(struct graph *g)
{
    drop_unused(g);
    size_t kept = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        struct node *n = &g->nodes[i];
        if (n->op == OP_NONE) {
            continue;
        }
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            if (n->outputs[o] >= 0) {
                g->values[n->outputs[o]].producer = (int)kept;
            }
        }
        g->nodes[kept++] = *n;
    }
    g->n_nodes = kept;
}
