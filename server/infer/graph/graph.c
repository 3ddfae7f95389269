/* graph.c - from the file's nodes to a graph: names become numbers, in the order of the file.
 *
 * A node is prepared (operators.c), folded when its inputs are constant (fold.c) or put behind the
 * others; then fuse.c makes the whole smaller. */
#include "infer/graph/graph.h"

#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "infer/graph/work.h"
#include "infer/onnx/parts.h"

#define NOT_MADE (MAP_NONE - 1)

struct build {
    struct graph_work w;
    const struct onnx_model *m;
    struct map_sv names; /* of values, to their index; NOT_MADE: see name_not_made */
};

static const struct operator* operator_of(const struct onnx_node *n)
{
    return n->domain.n == 0 || sv_is(n->domain, "ai.onnx") ? operator_find(n->op) : NULL;
}

/* The name of a value is new: "" has no entry. */
static enum err_code name_value(struct build *b, struct sv name, int index, const char *what,
                                struct err *err)
{
    if (map_sv_get(&b->names, name) != MAP_NONE) {
        return err_rule(err, ERR_INPUT, "onnx-name",
                        "the name %.*s of %s is already taken in the model", SHOWN(name), what);
    }
    map_sv_put(&b->names, name, (uint32_t)index);
    return OK;
}

static enum err_code add_initializers(struct build *b, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < b->m->n_initializers && rc == OK; i++) {
        const struct onnx_tensor *t = &b->m->initializers[i];
        int index = -1;
        rc = graph_tensor(&b->w, t, t->name, &index, err);
        rc = rc == OK ? name_value(b, t->name, index, "a tensor", err) : rc;
    }
    return rc;
}

static enum err_code add_inputs(struct build *b, struct err *err)
{
    struct graph *g = b->w.g;
    enum err_code rc = onnx_take(b->w.a, b->m->n_inputs, sizeof *g->inputs, &g->inputs, err);
    for (size_t i = 0; i < b->m->n_inputs && rc == OK; i++) {
        const struct onnx_port *p = &b->m->inputs[i];
        if ((p->type != TYPE_F32 && p->type != TYPE_F16) || !p->shaped) {
            return err_rule(err, ERR_INPUT, "onnx-type",
                            "the model's input %.*s is not a tensor of floats with a shape; only "
                            "such models run",
                            SHOWN(p->name));
        }
        struct value v = {.name = p->name, .type = TYPE_F32, .rank = p->rank, .producer = -1};
        memcpy(v.dims, p->dims, sizeof v.dims);
        rc = graph_add_value(&b->w, &v, &g->inputs[g->n_inputs], err);
        rc = rc == OK ? name_value(b, p->name, g->inputs[g->n_inputs], "an input", err) : rc;
        g->n_inputs++;
    }
    return rc;
}

/* The first node that gives a value, and as which of its outputs; NULL when none does. */
static const struct onnx_node *giver(const struct onnx_model *m, struct sv name, size_t *output)
{
    for (size_t i = 0; i < m->n_nodes; i++) {
        for (*output = 0; *output < m->nodes[i].n_outputs; ++*output) {
            if (sv_eq(m->nodes[i].outputs[*output], name)) {
                return &m->nodes[i];
            }
        }
    }
    return NULL;
}

/* The engine does not make the output `name` of some node. `wanted`: by whom it is needed. */
static enum err_code not_made(const struct build *b, struct sv name, const char *wanted,
                              struct sv by, struct err *err)
{
    size_t output = 0;
    const struct node n = {.onnx = giver(b->m, name, &output)};
    BUG_IF(!n.onnx);
    return node_refuse(&n, err, "onnx-operator",
                       "the engine does not compute its output %zu, %.*s, which %s%.*s", output + 1,
                       SHOWN(name), wanted, SHOWN(by));
}

/* Why an input has no value: it comes later (a cycle, or a wrong order), or nobody makes it. */
static enum err_code undefined(const struct build *b, const struct node *n, struct sv name,
                               struct err *err)
{
    size_t output;
    if (!giver(b->m, name, &output)) {
        return node_refuse(n, err, "onnx-name", "it needs %.*s, which nothing in the model produces",
                           SHOWN(name));
    }
    return node_refuse(n, err, "onnx-cycle",
                       "it needs %.*s, which this node or a later one produces: the graph is cyclic or not "
                       "in the order that ONNX requires",
                       SHOWN(name));
}

static enum err_code resolve_inputs(const struct build *b, struct node *n, struct err *err)
{
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        struct sv name = n->onnx->inputs[i];
        uint32_t index = name.n ? map_sv_get(&b->names, name) : MAP_NONE;
        if (index == NOT_MADE) {
            return not_made(b, name, "is needed by node ", node_name(n->onnx), err);
        }
        if (name.n && index == MAP_NONE) {
            return undefined(b, n, name, err);
        }
        n->inputs[i] = name.n ? (int)index : -1;
    }
    return OK;
}

/* A further output that the engine does not make is a name without a value. It may be a name that
 * is taken: an old BatchNormalization hands its inputs on in place. */
static void name_not_made(struct build *b, const struct onnx_node *n, size_t made)
{
    for (size_t o = made; o < n->n_outputs; o++) {
        if (n->outputs[o].n && map_sv_get(&b->names, n->outputs[o]) == MAP_NONE) {
            map_sv_put(&b->names, n->outputs[o], NOT_MADE);
        }
    }
}

static enum err_code add_outputs(struct build *b, struct node *n, struct err *err)
{
    enum err_code rc = OK;
    for (uint32_t o = 0; o < n->n_outputs && rc == OK; o++) {
        struct sv name = n->onnx->outputs[o];
        n->outputs[o] = -1;
        if (name.n) {
            struct value v = {.name = name, .type = TYPE_F32, .producer = -1};
            rc = graph_add_value(&b->w, &v, &n->outputs[o], err);
            rc = rc == OK ? name_value(b, name, n->outputs[o], "a node's output", err) : rc;
        }
    }
    return rc;
}

/* One message about all operators that are not known, each with the first node that wants it. */
static enum err_code check_operators(const struct onnx_model *m, struct err *err)
{
    struct map_sv seen;
    struct str list;
    map_sv_init(&seen);
    str_init(&list, 320);
    for (size_t i = 0; i < m->n_nodes; i++) {
        const struct onnx_node *n = &m->nodes[i];
        if (!operator_of(n) && map_sv_get(&seen, n->op) == MAP_NONE) {
            map_sv_put(&seen, n->op, 1);
            struct sv name = onnx_cut(node_name(n), 40);
            if (list.n < 200) {
                str_printf(&list, "%s%.*s%s%.*s (node %.*s)", list.n ? ", " : "",
                           (int)onnx_cut(n->domain, 20).n, n->domain.p, n->domain.n ? "." : "",
                           (int)onnx_cut(n->op, 30).n, n->op.p, SV_ARG(name));
            }
        }
    }
    enum err_code rc = OK;
    if (seen.n) {
        rc = err_rule(err, ERR_INPUT, "onnx-operator",
                      "the model uses %zu operator%s that the engine does not have: %s", seen.n,
                      seen.n == 1 ? "" : "s", list.p);
    }
    str_release(&list);
    map_sv_release(&seen);
    return rc;
}

static bool is_same_cast(const struct build *b, const struct node *n)
{
    int64_t to = onnx_int(n->onnx, "to", 0);
    enum tensor_type type = to < 0 ? TYPE_NONE : onnx_type_of((uint64_t)to);
    return n->op == OP_CAST &&
           (type == TYPE_F16 ? TYPE_F32 : type) == b->w.g->values[n->inputs[0]].type;
}

static enum err_code check_arity(const struct operator* op, const struct node *n, struct err *err)
{
    const struct onnx_node *from = n->onnx;
    bool fits = n->n_inputs >= op->least && n->n_inputs <= op->most && from->n_outputs >= 1 &&
                from->outputs[0].n;
    for (uint32_t i = 0; i < op->least && fits; i++) {
        fits = n->inputs[i] >= 0;
    }
    return fits ? OK
                : node_refuse(n, err, "onnx-form",
                              "its %zu inputs and %zu outputs do not match the operator",
                              from->n_inputs, from->n_outputs);
}

static enum err_code add_node(struct build *b, const struct onnx_node *from, struct err *err)
{
    const struct operator* op = operator_of(from);
    size_t made = from->n_outputs < op->makes ? from->n_outputs : op->makes;
    struct node n = {.op = op->op,
                     .onnx = from,
                     .residual = -1,
                     .n_inputs = (uint32_t)from->n_inputs,
                     .n_outputs = (uint32_t)made};
    enum err_code rc = onnx_take(b->w.a, from->n_inputs, sizeof *n.inputs, &n.inputs, err);
    rc = rc == OK ? onnx_take(b->w.a, made, sizeof *n.outputs, &n.outputs, err) : rc;
    rc = rc == OK ? resolve_inputs(b, &n, err) : rc;
    rc = rc == OK ? check_arity(op, &n, err) : rc;
    if (rc != OK) {
        return rc;
    }
    name_not_made(b, from, made);
    if (operator_is_alias(op) || is_same_cast(b, &n)) {
        rc = operator_is_alias(op) && op->prepare ? op->prepare(&b->w, op, &n, err) : OK;
        return rc == OK ? name_value(b, from->outputs[0], n.inputs[0], "a node's output", err) : rc;
    }
    rc = add_outputs(b, &n, err);
    rc = rc == OK && op->prepare ? op->prepare(&b->w, op, &n, err) : rc;
    return rc == OK ? graph_append(&b->w, &n, err) : rc;
}

/* A second name for a value: what leaves the graph under it is a copy. */
static enum err_code add_copy(struct build *b, struct sv name, int of, int *out, struct err *err)
{
    static const struct onnx_node identity = {
        .op = {"Identity", 8}, .name = {"copy", 4}, .domain = {"", 0}};
    struct node n = {.op = OP_RESHAPE, .onnx = &identity, .residual = -1};
    struct node copy;
    enum err_code rc = graph_derive(&b->w, &n, 1, &copy, err);
    if (rc == OK) {
        *out = copy.outputs[0];
        copy.inputs[0] = of;
        b->w.g->values[*out].name = name;
        b->w.g->values[*out].output = true;
        rc = graph_append(&b->w, &copy, err);
    }
    return rc;
}

/* Marks a value as wanted. */
static enum err_code want(struct build *b, struct sv name, int *out, struct err *err)
{
    struct graph *g = b->w.g;
    uint32_t at = map_sv_get(&b->names, name);
    if (at == NOT_MADE) {
        return not_made(b, name, "is an output of the model", SV(""), err);
    }
    if (at == MAP_NONE) {
        return err_rule(err, ERR_NOT_FOUND, "onnx-name", "the model has no value named %.*s",
                        SHOWN(name));
    }
    struct value *v = &g->values[at];
    if (v->data) {
        return err_rule(err, ERR_INPUT, "onnx-form",
                        "the model's output %.*s is the same for every image", SHOWN(name));
    }
    *out = (int)at;
    if (v->producer < 0 || (v->output && !sv_eq(v->name, name))) {
        return add_copy(b, name, (int)at, out, err);
    }
    v->name = name;
    v->output = true;
    return OK;
}

static enum err_code add_wanted(struct build *b, const char *const *keep, size_t n_keep,
                                struct err *err)
{
    struct graph *g = b->w.g;
    size_t of_file = n_keep > 0 ? 0 : b->m->n_outputs;
    enum err_code rc = onnx_take(b->w.a, of_file + n_keep, sizeof *g->outputs, &g->outputs, err);
    for (size_t i = 0; i < of_file && rc == OK; i++) {
        rc = want(b, b->m->outputs[i].name, &g->outputs[g->n_outputs++], err);
    }
    for (size_t i = 0; i < n_keep && rc == OK; i++) {
        rc = want(b, arena_sv(b->w.a, sv_of(keep[i])), &g->outputs[g->n_outputs++], err);
    }
    if (rc == OK && g->n_outputs == 0) {
        rc = err_rule(err, ERR_INPUT, "onnx-form", "the model has no output");
    }
    return rc;
}

static enum err_code build(struct build *b, const char *const *keep, size_t n_keep, uint64_t made_most,
                           struct err *err)
{
    enum err_code rc = check_operators(b->m, err);
    rc = rc == OK ? onnx_take(b->w.a, 1, sizeof *b->w.g, &b->w.g, err) : rc;
    if (rc == OK) {
        b->w.g->opset = b->m->opset;
        b->w.g->made_most = made_most;
        rc = add_initializers(b, err);
    }
    rc = rc == OK ? add_inputs(b, err) : rc;
    for (size_t i = 0; i < b->m->n_nodes && rc == OK; i++) {
        rc = add_node(b, &b->m->nodes[i], err);
    }
    rc = rc == OK ? add_wanted(b, keep, n_keep, err) : rc;
    rc = rc == OK ? fuse_graph(&b->w, err) : rc;
    return rc == OK ? graph_align(&b->w, err) : rc;
}

enum err_code graph_build(const struct onnx_model *m, const char *const *keep, size_t n_keep,
                          uint64_t made_most, struct arena *a, struct graph **out, struct err *err)
{
    struct build b = {.w = {.a = a}, .m = m};
    map_sv_init(&b.names);
    enum err_code rc = build(&b, keep, n_keep, made_most, err);
    map_sv_release(&b.names);
    *out = rc == OK ? b.w.g : NULL;
    return rc;
}
