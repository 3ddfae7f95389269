/* fold_values.c - constants that are calculated: arithmetic, comparisons, and the operators that make numbers. */
#include <math.h>
#include <string.h>

#include "infer/graph/prepare.h"
#include "infer/graph/shapes.h"
#include "infer/onnx/wire.h"

static enum err_code too_many(const struct node *n, struct err *err)
{
    return node_refuse(n, err, "onnx-size", "it calculates more than %d constant elements",
                       MATH_ELEMENTS);
}

/* Two inputs, broadcast: for element i of the result the places in a and b. */
struct pairs {
    struct value a, b;
    uint32_t rank;
    int64_t dims[TENSOR_RANK], step_a[TENSOR_RANK], step_b[TENSOR_RANK];
    int64_t index[TENSOR_RANK], at_a, at_b, count;
};

static void steps_of(const struct value *v, uint32_t rank, int64_t *steps)
{
    int64_t s = 1;
    for (uint32_t i = rank; i-- > 0;) {
        uint32_t lead = rank - v->rank;
        int64_t d = i < lead ? 1 : v->dims[i - lead];
        steps[i] = d == 1 ? 0 : s;
        s *= d;
    }
}

static enum err_code pair(struct graph_work *w, struct node *n, uint32_t a, uint32_t b,
                          struct pairs *p, struct err *err)
{
    *p = (struct pairs){.a = *node_input(w->g, n, a), .b = *node_input(w->g, n, b), .count = 1};
    if (!shape_broadcast(p->a.rank, p->a.dims, p->b.rank, p->b.dims, &p->rank, p->dims)) {
        return node_refuse(n, err, "onnx-shape", "%s and %s do not fit together", shape_show(&p->a).s,
                           shape_show(&p->b).s);
    }
    for (uint32_t i = 0; i < p->rank; i++) {
        if (__builtin_mul_overflow(p->count, p->dims[i], &p->count) || p->count > MATH_ELEMENTS) {
            return too_many(n, err);
        }
    }
    steps_of(&p->a, p->rank, p->step_a);
    steps_of(&p->b, p->rank, p->step_b);
    return OK;
}

static void pair_next(struct pairs *p)
{
    for (uint32_t i = p->rank; i-- > 0;) {
        p->at_a += p->step_a[i];
        p->at_b += p->step_b[i];
        if (++p->index[i] < p->dims[i]) {
            return;
        }
        p->at_a -= p->index[i] * p->step_a[i];
        p->at_b -= p->index[i] * p->step_b[i];
        p->index[i] = 0;
    }
}

/* As the machine wraps around; false for a quotient that does not exist. */
static bool whole_result(enum binary op, int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b, r = 1;
    switch (op) {
    case BIN_ADD:
        r = x + y;
        break;
    case BIN_SUB:
        r = x - y;
        break;
    case BIN_MUL:
        r = x * y;
        break;
    case BIN_DIV:
        if (b == 0 || (a == INT64_MIN && b == -1)) {
            return false;
        }
        r = (uint64_t)(a / b);
        break;
    case BIN_MIN:
        r = a < b ? x : y;
        break;
    case BIN_MAX:
        r = a > b ? x : y;
        break;
    case BIN_POW:
        if (b < 0 || b > 64) {
            return false;
        }
        for (int64_t i = 0; i < b; i++) {
            r *= x;
        }
        break;
    case BIN_PRELU:
        return false;
    }
    *out = (int64_t)r;
    return true;
}

static double number_result(enum binary op, double a, double b)
{
    switch (op) {
    case BIN_ADD:
        return a + b;
    case BIN_SUB:
        return a - b;
    case BIN_MUL:
        return a * b;
    case BIN_DIV:
        return a / b;
    case BIN_MIN:
        return a < b || a != a ? a : b;
    case BIN_MAX:
        return a > b || a != a ? a : b;
    case BIN_POW:
        return pow(a, b);
    case BIN_PRELU:
        return a < 0 ? a * b : a;
    }
    return 0;
}

enum err_code fold_binary(struct graph_work *w, struct node *n, struct err *err)
{
    struct pairs p;
    void *data = NULL;
    enum err_code rc = pair(w, n, 0, 1, &p, err);
    rc = rc == OK ? fold_result(w, n, 0, p.a.type, p.rank, p.dims, &data, err) : rc;
    bool whole = fold_is_whole(p.a.type);
    for (int64_t i = 0; i < p.count && rc == OK; i++, pair_next(&p)) {
        int64_t r = 0;
        double d = 0;
        if (!whole) {
            d = number_result(n->u.binary, value_number(&p.a, p.at_a), value_number(&p.b, p.at_b));
        } else if (!whole_result(n->u.binary, value_integer(&p.a, p.at_a),
                                 value_integer(&p.b, p.at_b), &r)) {
            return node_refuse(n, err, "onnx-form",
                               "its constants have no result in whole numbers");
        }
        fold_put(data, p.a.type, i, r, d);
    }
    return rc;
}

/* Only functions that shape arithmetic and prepared weights use. */
static bool function_result(const struct activation *f, double x, double *out)
{
    switch (f->fn) {
    case FN_RELU:
        *out = x > 0 ? x : 0;
        return true;
    case FN_CLIP:
        *out = x < (double)f->a ? (double)f->a : x > (double)f->b ? (double)f->b : x;
        return true;
    case FN_EXP:
        *out = exp(x);
        return true;
    case FN_LOG:
        *out = log(x);
        return true;
    case FN_SQRT:
        *out = sqrt(x);
        return true;
    case FN_ABS:
        *out = fabs(x);
        return true;
    case FN_NEG:
        *out = -x;
        return true;
    case FN_ERF:
        *out = erf(x);
        return true;
    case FN_RECIPROCAL:
        *out = 1 / x;
        return true;
    case FN_FLOOR:
        *out = floor(x);
        return true;
    case FN_CEIL:
        *out = ceil(x);
        return true;
    case FN_POW:
        *out = pow(x, (double)f->a);
        return true;
    case FN_TANH:
        *out = tanh(x);
        return true;
    case FN_SIGMOID:
        *out = 1 / (1 + exp(-x));
        return true;
    case FN_NONE:
    case FN_SWISH:
    case FN_HARD_SIGMOID:
    case FN_HARD_SWISH:
    case FN_GELU:
    case FN_ELU:
    case FN_LEAKY_RELU:
    case FN_SELU:
    case FN_SOFTPLUS:
    case FN_SOFTSIGN:
        return false;
    }
    return false;
}

bool fold_knows(const struct node *n)
{
    double unused;
    return n->op != OP_UNARY || function_result(&n->act, 0.5, &unused);
}

enum err_code fold_unary(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value x = *node_input(w->g, n, 0);
    int64_t count = value_elements(&x);
    if (count > MATH_ELEMENTS) {
        return too_many(n, err);
    }
    void *data;
    enum err_code rc = fold_result(w, n, 0, x.type, x.rank, x.dims, &data, err);
    for (int64_t i = 0; i < count && rc == OK; i++) {
        double d = 0;
        (void)function_result(&n->act, value_number(&x, i), &d);
        /* Of whole numbers these are exact where shapes need them: below 2^53. */
        fold_put(data, x.type, i, fabs(d) < 0x1p62 ? (int64_t)d : 0, d);
    }
    return rc;
}

static void reduce_into(enum reduce how, bool first, double number, int64_t whole, double *d,
                        int64_t *i)
{
    bool sum = how == REDUCE_SUM || how == REDUCE_MEAN;
    bool better = how == REDUCE_MAX ? number > *d : number < *d;
    if (sum) {
        *d += number;
        *i = (int64_t)((uint64_t)*i + (uint64_t)whole);
    } else if (first || better) {
        *d = number;
        *i = whole;
    }
}

/* Sums of doubles, so that a mean of floats is right to its last bit but one. */
enum err_code fold_reduce(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value x = *node_input(w->g, n, 0), out = *node_output(w->g, n, 0);
    int64_t count = value_elements(&x), results = value_elements(&out),
            each = results ? count / results : 0;
    double *sums;
    int64_t *wholes;
    uint8_t *seen;
    if (count > MATH_ELEMENTS || results > MATH_ELEMENTS) {
        return too_many(n, err);
    }
    if (each == 0) {
        return node_refuse(n, err, "onnx-shape", "it reduces a constant without elements");
    }
    enum err_code rc = fold_charge(w, n, (uint64_t)count, err);
    rc = rc == OK ? onnx_take(w->a, (size_t)results, sizeof *sums, &sums, err) : rc;
    rc = rc == OK ? onnx_take(w->a, (size_t)results, sizeof *wholes, &wholes, err) : rc;
    rc = rc == OK ? onnx_take(w->a, (size_t)results, 1, &seen, err) : rc;
    for (int64_t i = 0; i < count && rc == OK; i++) {
        int64_t left = i, at = 0, step = 1;
        for (uint32_t k = x.rank; k-- > 0; left /= x.dims[k]) {
            if (!(n->axes >> k & 1)) {
                at += left % x.dims[k] * step;
                step *= x.dims[k];
            }
        }
        reduce_into(n->u.reduce, !seen[at], value_number(&x, i), value_integer(&x, i), &sums[at],
                    &wholes[at]);
        seen[at] = 1;
    }
    void *data;
    rc = rc == OK ? fold_result(w, n, 0, x.type, out.rank, out.dims, &data, err) : rc;
    for (int64_t i = 0; i < results && rc == OK; i++) {
        int64_t by = n->u.reduce == REDUCE_MEAN ? each : 1;
        fold_put(data, x.type, i, wholes[i] / by, sums[i] / (double)by);
    }
    return rc;
}

enum err_code fold_constant(struct graph_work *w, struct node *n, struct err *err)
{
    struct value *out = node_output(w->g, n, 0);
    const struct onnx_attribute *a = n->onnx->n_attributes == 1 ? &n->onnx->attributes[0] : NULL;
    if (a && a->kind == ATTR_TENSOR && sv_is(a->name, "value")) {
        int at;
        struct sv name = out->name;
        enum err_code rc = graph_tensor(w, a->t, name, &at, err);
        if (rc == OK) {
            *node_output(w->g, n, 0) = w->g->values[at];
        }
        return rc;
    }
    bool whole = a && (a->kind == ATTR_INT || a->kind == ATTR_INTS);
    bool list = a && (a->kind == ATTR_INTS || a->kind == ATTR_FLOATS);
    if (!a || (!whole && !list && a->kind != ATTR_FLOAT)) {
        return node_refuse(n, err, "onnx-type", "its value does not consist of numbers");
    }
    int64_t count = list ? (int64_t)a->n : 1;
    void *data;
    enum err_code rc = fold_result(w, n, 0, whole ? TYPE_I64 : TYPE_F32, list, &count, &data, err);
    for (int64_t i = 0; i < count && rc == OK; i++) {
        fold_put(data, whole ? TYPE_I64 : TYPE_F32, i,
                 !whole ? 0
                 : list ? a->ints[i]
                        : a->i,
                 whole ? 0 : (double)(list ? a->floats[i] : a->f));
    }
    return rc;
}

enum err_code fold_constant_of_shape(struct graph_work *w, struct node *n, struct err *err)
{
    const struct onnx_attribute *a = onnx_attribute(n->onnx, "value");
    struct value one = {.type = TYPE_F32, .data = NULL};
    struct list shape;
    int at = -1;
    enum err_code rc = node_list(w->g, n, "shape", 0, &shape, err);
    if (rc == OK && a) {
        if (a->kind != ATTR_TENSOR || !a->t->data || a->t->bytes != tensor_type_size(a->t->type)) {
            return node_refuse(n, err, "onnx-form", "its value is not a single number");
        }
        rc = graph_tensor(w, a->t, SV(""), &at, err);
        one = rc == OK ? w->g->values[at] : one;
    }
    if (rc == OK && shape.n > TENSOR_RANK) {
        return node_refuse(n, err, "onnx-shape", "its result has %u dimensions", shape.n);
    }
    unsigned char *data = NULL;
    rc = rc == OK ? fold_result(w, n, 0, one.type, shape.n, shape.at, &data, err) : rc;
    size_t width = tensor_type_size(one.type);
    static const unsigned char zeros[8];
    if (rc != OK || !one.data || memcmp(one.data, zeros, width) == 0) {
        return rc;
    }
    /* The first element, then twice as many each time. */
    size_t bytes = (size_t)value_elements(node_output(w->g, n, 0)) * width;
    for (size_t done = 0; done < bytes;) {
        size_t more = done ? (done < bytes - done ? done : bytes - done) : width;
        memcpy(data + done, done ? data : one.data, more);
        done += more;
    }
    return rc;
}

enum err_code fold_compare(struct graph_work *w, struct node *n, struct err *err)
{
    struct pairs p;
    void *data = NULL;
    struct sv op = n->onnx->op;
    bool equal = sv_is(op, "Equal") || sv_ends(op, "OrEqual"), less = sv_starts(op, "Less"),
         greater = sv_starts(op, "Greater");
    enum err_code rc = pair(w, n, 0, 1, &p, err);
    rc = rc == OK ? fold_result(w, n, 0, TYPE_BOOL, p.rank, p.dims, &data, err) : rc;
    bool whole = fold_is_whole(p.a.type);
    for (int64_t i = 0; i < p.count && rc == OK; i++, pair_next(&p)) {
        double a = value_number(&p.a, p.at_a), b = value_number(&p.b, p.at_b);
        int64_t x = whole ? value_integer(&p.a, p.at_a) : 0,
                y = whole ? value_integer(&p.b, p.at_b) : 0;
        bool is = whole ? (equal && x == y) || (less && x < y) || (greater && x > y)
                        : (equal && a == b) || (less && a < b) || (greater && a > b);
        fold_put(data, TYPE_BOOL, i, is, 0);
    }
    return rc;
}

enum err_code fold_logic(struct graph_work *w, struct node *n, struct err *err)
{
    struct pairs p;
    void *data = NULL;
    bool and = sv_is(n->onnx->op, "And");
    enum err_code rc = pair(w, n, 0, 1, &p, err);
    rc = rc == OK ? fold_result(w, n, 0, TYPE_BOOL, p.rank, p.dims, &data, err) : rc;
    for (int64_t i = 0; i < p.count && rc == OK; i++, pair_next(&p)) {
        bool a = value_integer(&p.a, p.at_a) != 0, b = value_integer(&p.b, p.at_b) != 0;
        fold_put(data, TYPE_BOOL, i, and? a && b : a || b, 0);
    }
    return rc;
}

enum err_code fold_not(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value x = *node_input(w->g, n, 0);
    void *data;
    enum err_code rc = fold_result(w, n, 0, TYPE_BOOL, x.rank, x.dims, &data, err);
    int64_t count = value_elements(&x);
    for (int64_t i = 0; i < count && rc == OK; i++) {
        fold_put(data, TYPE_BOOL, i, value_integer(&x, i) == 0, 0);
    }
    return rc;
}

/* The three inputs have one shape, or single numbers among them: what exporters write for shapes.
 */
enum err_code fold_where(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value c = *node_input(w->g, n, 0), a = *node_input(w->g, n, 1),
                       b = *node_input(w->g, n, 2);
    const struct value *in[] = {&c, &a, &b}, *shape = &c;
    for (size_t i = 0; i < 3; i++) {
        shape = value_elements(in[i]) != 1 || in[i]->rank > shape->rank ? in[i] : shape;
    }
    int64_t count = value_elements(shape);
    for (size_t i = 0; i < 3; i++) {
        bool same = in[i]->rank == shape->rank &&
                    memcmp(in[i]->dims, shape->dims, shape->rank * sizeof *shape->dims) == 0;
        if ((!same && value_elements(in[i]) != 1) || count > MATH_ELEMENTS || a.type != b.type) {
            return node_refuse(n, err, "onnx-operator",
                               "its constants do not all have the same shape and type");
        }
    }
    void *data;
    enum err_code rc = fold_result(w, n, 0, a.type, shape->rank, shape->dims, &data, err);
    for (int64_t i = 0; i < count && rc == OK; i++) {
        const struct value *from = value_integer(&c, value_elements(&c) == 1 ? 0 : i) ? &a : &b;
        int64_t at = value_elements(from) == 1 ? 0 : i;
        fold_put(data, a.type, i, value_integer(from, at), value_number(from, at));
    }
    return rc;
}

enum err_code fold_range(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value first = *node_input(w->g, n, 0), end = *node_input(w->g, n, 1),
                       step = *node_input(w->g, n, 2);
    if (value_elements(&first) != 1 || value_elements(&end) != 1 || value_elements(&step) != 1 ||
        value_number(&step, 0) == 0) {
        return node_refuse(n, err, "onnx-form", "its start, limit and step are not three numbers");
    }
    double span = ceil((value_number(&end, 0) - value_number(&first, 0)) / value_number(&step, 0));
    if (!(span <= MATH_ELEMENTS)) {
        return too_many(n, err);
    }
    int64_t count = span > 0 ? (int64_t)span : 0;
    void *data;
    enum err_code rc = fold_result(w, n, 0, first.type, 1, &count, &data, err);
    for (int64_t i = 0; i < count && rc == OK; i++) {
        uint64_t whole =
            (uint64_t)value_integer(&first, 0) + (uint64_t)i * (uint64_t)value_integer(&step, 0);
        fold_put(data, first.type, i, (int64_t)whole,
                 value_number(&first, 0) + (double)i * value_number(&step, 0));
    }
    return rc;
}

/* The remainder with the divisor's sign (fmod 0), as shape arithmetic uses it. */
enum err_code fold_mod(struct graph_work *w, struct node *n, struct err *err)
{
    struct pairs p;
    void *data = NULL;
    enum err_code rc = pair(w, n, 0, 1, &p, err);
    if (rc == OK && !fold_is_whole(p.a.type)) {
        return node_refuse(n, err, "onnx-operator", "it does not consist of whole numbers");
    }
    rc = rc == OK ? fold_result(w, n, 0, p.a.type, p.rank, p.dims, &data, err) : rc;
    for (int64_t i = 0; i < p.count && rc == OK; i++, pair_next(&p)) {
        int64_t a = value_integer(&p.a, p.at_a), b = value_integer(&p.b, p.at_b);
        if (b == 0 || b == -1) {
            fold_put(data, p.a.type, i, 0, 0);
            continue;
        }
        int64_t r = a % b;
        fold_put(data, p.a.type, i,
                 r != 0 && (r < 0) != (b < 0) && onnx_int(n->onnx, "fmod", 0) == 0 ? r + b : r, 0);
    }
    return rc;
}
