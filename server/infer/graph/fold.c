/* fold.c - results of nodes whose inputs are all constant: shape arithmetic, weights that are
 * turned before use.
 *
 * Numbers that are only moved keep their bits; whole numbers are calculated in 64 bits, others in
 * doubles and then rounded, which for one operation on floats is the float result. */
#include <math.h>
#include <string.h>

#include "infer/graph/prepare.h"
#include "infer/onnx/wire.h"

int64_t value_integer(const struct value *v, int64_t i)
{
    switch (v->type) {
    case TYPE_I64:
        return ((const int64_t *)v->data)[i];
    case TYPE_I32:
        return ((const int32_t *)v->data)[i];
    case TYPE_BOOL:
        return ((const uint8_t *)v->data)[i] != 0;
    case TYPE_U8:
        return ((const uint8_t *)v->data)[i];
    case TYPE_I8:
        return ((const int8_t *)v->data)[i];
    case TYPE_NONE:
    case TYPE_F16:
    case TYPE_F32:
    case TYPE_F64:
        break;
    }
    /* What a whole number cannot say becomes the nearest that it can. */
    double d = value_number(v, i);
    return d != d ? 0 : d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? INT64_MIN : (int64_t)d;
}

double value_number(const struct value *v, int64_t i)
{
    return v->type == TYPE_F32                           ? (double)((const float *)v->data)[i]
           : v->type == TYPE_F64                         ? ((const double *)v->data)[i]
           : v->type == TYPE_F16 || v->type == TYPE_NONE ? 0
                                                         : (double)value_integer(v, i);
}

bool fold_is_whole(enum tensor_type type)
{
    return type != TYPE_F32 && type != TYPE_F64;
}

void fold_put(void *data, enum tensor_type type, int64_t i, int64_t whole, double number)
{
    switch (type) {
    case TYPE_F32:
        ((float *)data)[i] = (float)number;
        break;
    case TYPE_F64:
        ((double *)data)[i] = number;
        break;
    case TYPE_I64:
        ((int64_t *)data)[i] = whole;
        break;
    case TYPE_I32:
        ((int32_t *)data)[i] = (int32_t)whole;
        break;
    case TYPE_BOOL:
        ((uint8_t *)data)[i] = whole != 0;
        break;
    case TYPE_U8:
        ((uint8_t *)data)[i] = (uint8_t)whole;
        break;
    case TYPE_I8:
        ((int8_t *)data)[i] = (int8_t)whole;
        break;
    case TYPE_NONE:
    case TYPE_F16:
        BUG_IF(true);
    }
}

enum err_code fold_charge(struct graph_work *w, const struct node *n, uint64_t elements,
                          struct err *err)
{
    uint64_t most = w->g->made_most;
    if (w->made > most || elements > most - w->made) {
        struct err why = {0};
        node_refuse(n, &why, "model-memory",
                    "its %llu elements bring the constants that the model computes above the %.1f MiB "
                    "allowed",
                    (unsigned long long)elements, (double)most * sizeof(float) / 1048576.0);
        return err_rule(err, ERR_LIMIT, "model-memory", "%s", why.msg);
    }
    w->made += elements;
    return OK;
}

enum err_code fold_result(struct graph_work *w, struct node *n, uint32_t o, enum tensor_type type,
                          uint32_t rank, const int64_t *dims, void *data, struct err *err)
{
    struct value *v = node_output(w->g, n, o);
    struct value made = {.rank = rank};
    memcpy(made.dims, dims, rank * sizeof *dims);
    uint64_t elements = 1;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0 ||
            __builtin_mul_overflow(elements, (uint64_t)(dims[i] ? dims[i] : 1), &elements) ||
            elements > FOLD_ELEMENTS) {
            return node_refuse(n, err, "onnx-size", "its constant result has more than %d elements",
                               FOLD_ELEMENTS);
        }
    }
    void *room;
    enum err_code rc = fold_charge(w, n, elements, err);
    rc = rc == OK
             ? onnx_take(w->a, (size_t)value_elements(&made), tensor_type_size(type), &room, err)
             : rc;
    if (rc == OK) {
        memcpy(v->dims, made.dims, sizeof v->dims);
        v->rank = rank;
        v->type = type;
        v->data = room;
        v->producer = -1;
        memcpy(data, &room, sizeof room);
    }
    return rc;
}

/* Copies a box of elements: out is dense, in has these strides (in elements, from `first`). */
struct box {
    uint32_t rank;
    const int64_t *dims;
    int64_t strides[TENSOR_RANK], first;
    size_t width;
};

static void copy_box(const struct box *b, const unsigned char *in, unsigned char *out)
{
    int64_t index[TENSOR_RANK] = {0}, from = b->first, count = 1;
    for (uint32_t i = 0; i < b->rank; i++) {
        count *= b->dims[i];
    }
    for (int64_t k = 0; k < count; k++) {
        memcpy(out + (size_t)k * b->width, in + (size_t)from * b->width, b->width);
        for (uint32_t i = b->rank; i-- > 0;) {
            from += b->strides[i];
            if (++index[i] < b->dims[i]) {
                break;
            }
            from -= index[i] * b->strides[i];
            index[i] = 0;
        }
    }
}

static void dense_strides(const struct value *v, int64_t *strides)
{
    int64_t s = 1;
    for (uint32_t i = v->rank; i-- > 0;) {
        strides[i] = s;
        s *= v->dims[i];
    }
}

/* Where in x the elements of the result lie. */
static void place_box(const struct node *n, const struct value *x, const struct value *out,
                      struct box *b)
{
    int64_t dense[TENSOR_RANK];
    dense_strides(x, dense);
    for (uint32_t i = 0; i < out->rank; i++) {
        uint32_t lead = out->rank - x->rank;
        if (n->op == OP_TRANSPOSE) {
            b->strides[i] = dense[n->at[i]];
        } else if (n->op == OP_SLICE) {
            b->strides[i] = dense[i] * n->by[i];
            b->first += dense[i] * n->at[i];
        } else {
            b->strides[i] = i < lead || x->dims[i - lead] == 1 ? 0 : dense[i - lead];
        }
    }
}

/* A new result with the dimensions that shape_node found. */
static enum err_code new_result(struct graph_work *w, struct node *n, enum tensor_type type,
                                void *data, struct err *err)
{
    struct value v = *node_output(w->g, n, 0);
    return fold_result(w, n, 0, type, v.rank, v.dims, data, err);
}

static enum err_code fold_move(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value x = *node_input(w->g, n, 0);
    void *data;
    enum err_code rc = new_result(w, n, x.type, &data, err);
    const struct value *out = node_output(w->g, n, 0);
    if (rc == OK && value_elements(out)) {
        struct box b = {.rank = out->rank, .dims = out->dims, .width = tensor_type_size(x.type)};
        place_box(n, &x, out, &b);
        copy_box(&b, x.data, data);
    }
    return rc;
}

static enum err_code fold_reshape(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct value *out = node_output(w->g, n, 0);
    (void)err;
    out->data = x->data;
    out->type = x->type;
    out->producer = -1;
    return OK;
}

/* Rows of `inner` bytes of each input, one input after the other, `outer` times. */
static enum err_code fold_concat(struct graph_work *w, struct node *n, struct err *err)
{
    void *data;
    enum tensor_type type = node_input(w->g, n, 0)->type;
    for (uint32_t i = 1; i < n->n_inputs; i++) {
        if (node_input(w->g, n, i)->type != type) {
            return node_refuse(n, err, "onnx-type", "its inputs are of different types");
        }
    }
    enum err_code rc = new_result(w, n, type, &data, err);
    int64_t outer = 1, rows = value_elements(node_output(w->g, n, 0));
    for (int64_t i = 0; i < n->axis; i++) {
        outer *= node_output(w->g, n, 0)->dims[i];
    }
    /* Inputs of no elements take their turn too. */
    rc = rc == OK && rows ? fold_charge(w, n, (uint64_t)outer * n->n_inputs, err) : rc;
    unsigned char *out = data;
    for (int64_t k = 0; k < outer && rows && rc == OK; k++) {
        for (uint32_t i = 0; i < n->n_inputs; i++) {
            const struct value *v = node_input(w->g, n, i);
            size_t bytes = (size_t)(value_elements(v) / outer) * tensor_type_size(type);
            memcpy(out, (const unsigned char *)v->data + (size_t)k * bytes, bytes);
            out += bytes;
        }
    }
    return rc;
}

static enum err_code fold_gather(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value x = *node_input(w->g, n, 0), at = *node_input(w->g, n, 1);
    void *data;
    enum err_code rc = new_result(w, n, x.type, &data, err);
    size_t inner = tensor_type_size(x.type);
    int64_t outer = 1, count = value_elements(&at), rows = x.dims[n->axis];
    for (uint32_t i = 0; i < x.rank; i++) {
        outer *= i < n->axis ? x.dims[i] : 1;
        inner *= i > n->axis ? (size_t)x.dims[i] : 1;
    }
    unsigned char *out = data;
    for (int64_t k = 0; k < outer && inner && rc == OK; k++) {
        for (int64_t i = 0; i < count; i++, out += inner) {
            memcpy(out,
                   (const unsigned char *)x.data +
                       (size_t)(k * rows + value_integer(&at, i)) * inner,
                   inner);
        }
    }
    return rc;
}

static enum err_code fold_cast(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value x = *node_input(w->g, n, 0);
    enum tensor_type type = node_output(w->g, n, 0)->type;
    void *data;
    enum err_code rc = fold_result(w, n, 0, type, x.rank, x.dims, &data, err);
    int64_t count = value_elements(&x);
    for (int64_t i = 0; i < count && rc == OK; i++) {
        double number = value_number(&x, i);
        fold_put(data, type, i, type == TYPE_BOOL ? number != 0 : value_integer(&x, i), number);
    }
    return rc;
}

static enum err_code fold_shape(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value x = *node_input(w->g, n, 0);
    int64_t rank = x.rank, from = onnx_int(n->onnx, "start", 0),
            to = onnx_int(n->onnx, "end", rank);
    from += from < 0 ? rank : 0;
    to += to < 0 ? rank : 0;
    from = from < 0 ? 0 : from > rank ? rank : from;
    to = to < from ? from : to > rank ? rank : to;
    int64_t count = to - from;
    void *data;
    enum err_code rc = fold_result(w, n, 0, TYPE_I64, 1, &count, &data, err);
    if (rc == OK && count) {
        memcpy(data, x.dims + from, (size_t)count * sizeof *x.dims);
    }
    return rc;
}

static const struct {
    enum op op;
    fold_fn *fold;
} folds[] = {
    {OP_RESHAPE, fold_reshape}, {OP_TRANSPOSE, fold_move}, {OP_SLICE, fold_move},
    {OP_EXPAND, fold_move},     {OP_CONCAT, fold_concat},  {OP_GATHER, fold_gather},
    {OP_UNARY, fold_unary},     {OP_BINARY, fold_binary},  {OP_REDUCE, fold_reduce},
};

static bool all_constant(const struct graph *g, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (n->inputs[i] >= 0 && !node_constant(g, n, i)) {
            return false;
        }
    }
    return n->residual < 0 && (n->n_inputs > 0 || n->op == OP_FOLD_ONLY);
}

/* All inputs are constant: the result, when there is a rule for it. */
static enum err_code fold_known(struct graph_work *w, struct node *n, bool *done, struct err *err)
{
    if (n->op == OP_CAST) {
        *done = true;
        return fold_cast(w, n, err);
    }
    if (n->op == OP_FOLD_ONLY) {
        *done = true;
        return operator_find(n->onnx->op)->fold(w, n, err);
    }
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        if (folds[i].op == n->op && fold_knows(n)) {
            *done = true;
            enum err_code rc = shape_node(w, n, err);
            return rc == OK ? folds[i].fold(w, n, err) : rc;
        }
    }
    return OK;
}

enum err_code fold_node(struct graph_work *w, struct node *n, bool *done, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    /* Dimensions of values that run are known when every node before this one has its own. */
    if (n->op == OP_SHAPE && x && (x->data || w->sized)) {
        *done = true;
        return fold_shape(w, n, err);
    }
    if (!all_constant(w->g, n) || (n->act.fn != FN_NONE && n->op != OP_UNARY)) {
        return OK;
    }
    enum err_code rc = OK;
    for (uint32_t i = 0; i < n->n_inputs && rc == OK && n->op != OP_RESHAPE; i++) {
        rc = n->inputs[i] >= 0 ? value_align(w, n->inputs[i], err) : OK;
    }
    return rc == OK ? fold_known(w, n, done, err) : rc;
}
