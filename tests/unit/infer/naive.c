/* naive.c - what a graph means. */
#include "naive.h"

#include <math.h>
#include <string.h>

struct work {
    const struct graph *g;
    double **values;
};

static double activated(const struct activation *act, double x)
{
    double a = (double)act->a, b = (double)act->b;
    switch ((int)act->fn) {
    case FN_NONE:
        return x;
    case FN_RELU:
        return x > 0 ? x : 0;
    case FN_CLIP:
        return fmin(fmax(x, a), b);
    case FN_SIGMOID:
        return 1 / (1 + exp(-x));
    case FN_SWISH:
        return x / (1 + exp(-x));
    case FN_TANH:
        return tanh(x);
    case FN_LEAKY_RELU:
        return x > 0 ? x : a * x;
    case FN_GELU:
        return x / 2 * (1 + erf(x / sqrt(2)));
    default:
        fail_msg("naive.c does not know function %d", (int)act->fn);
    }
    return NAN;
}

static const struct value *value(const struct work *w, int v)
{
    return &w->g->values[v];
}

static void finish(struct work *w, const struct node *n)
{
    double *y = w->values[n->outputs[0]];
    for (int64_t i = 0; i < value_elements(value(w, n->outputs[0])); i++) {
        y[i] = activated(&n->act, n->residual >= 0 ? y[i] + w->values[n->residual][i] : y[i]);
    }
}

/* Up to three spatial axes, as three. */
static void spatial(const struct value *v, int64_t out[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = i + 2 < v->rank ? v->dims[i + 2] : 1;
    }
}

/* Calls for every place of the window of output place `at` that lies in the picture. */
typedef void place_fn(void *arg, int64_t kernel_at, int64_t picture_at);
static int64_t window(const struct node *n, uint32_t axes, const int64_t at[3],
                      const int64_t size[3], place_fn *fn, void *arg)
{
    int64_t k[3] = {1, 1, 1}, i[3], inside = 0, where = 0;
    memcpy(k, n->window.kernel, axes * sizeof *k);
    for (i[0] = 0; i[0] < k[0]; i[0]++) {
        for (i[1] = 0; i[1] < k[1]; i[1]++) {
            for (i[2] = 0; i[2] < k[2]; i[2]++, where++) {
                int64_t picture = 0;
                bool in = true;
                for (uint32_t d = 0; d < 3; d++) {
                    int64_t x = d < axes ? at[d] * n->window.stride[d] +
                                               i[d] * n->window.dilation[d] - n->window.before[d]
                                         : 0;
                    in = in && x >= 0 && x < size[d];
                    picture = picture * size[d] + x;
                }
                if (in) {
                    fn(arg, where, picture);
                    inside++;
                }
            }
        }
    }
    return inside;
}

struct sum {
    const double *x, *w;
    int64_t picture, kernel, channels;
    double sum, most;
};

static void add_product(void *arg, int64_t kernel_at, int64_t picture_at)
{
    struct sum *s = arg;
    for (int64_t c = 0; c < s->channels; c++) {
        s->sum += s->x[c * s->picture + picture_at] * s->w[c * s->kernel + kernel_at];
    }
}

static void add_place(void *arg, int64_t kernel_at, int64_t picture_at)
{
    struct sum *s = arg;
    (void)kernel_at;
    s->sum += s->x[picture_at];
    s->most = fmax(s->most, s->x[picture_at]);
}

static void conv(struct work *w, const struct node *n)
{
    const struct value *x = value(w, n->inputs[0]), *k = value(w, n->inputs[1]),
                       *y = value(w, n->outputs[0]);
    int64_t in[3], out[3], kernel[3], at[3], groups = n->window.group, made = y->dims[1];
    spatial(x, in);
    spatial(y, out);
    spatial(k, kernel);
    struct sum s = {.picture = in[0] * in[1] * in[2],
                    .kernel = kernel[0] * kernel[1] * kernel[2],
                    .channels = k->dims[1]};
    double *to = w->values[n->outputs[0]];
    for (int64_t i = 0; i < y->dims[0] * made; i++) {
        int64_t o = i % made;
        s.x = w->values[n->inputs[0]] +
              (i / made * x->dims[1] + o / (made / groups) * s.channels) * s.picture;
        s.w = w->values[n->inputs[1]] + o * s.channels * s.kernel;
        for (int64_t p = 0; p < out[0] * out[1] * out[2]; p++) {
            at[2] = p % out[2];
            at[1] = p / out[2] % out[1];
            at[0] = p / out[2] / out[1];
            s.sum = n->n_inputs > 2 && n->inputs[2] >= 0 ? w->values[n->inputs[2]][o] : 0;
            window(n, x->rank - 2, at, in, add_product, &s);
            *to++ = s.sum;
        }
    }
}

static void pool(struct work *w, const struct node *n)
{
    const struct value *x = value(w, n->inputs[0]), *y = value(w, n->outputs[0]);
    int64_t in[3], out[3], at[3], kernel = 1;
    spatial(x, in);
    spatial(y, out);
    for (uint32_t i = 0; i + 2 < x->rank; i++) {
        kernel *= n->window.kernel[i];
    }
    /* A window may hang over only where there is no padding: what it counts is then what is there.
     */
    bool count = false;
    for (uint32_t i = 0; i + 2 < x->rank; i++) {
        count = count ||
                (n->window.count_padding && (n->window.before[i] > 0 || n->window.after[i] > 0));
    }
    double *to = w->values[n->outputs[0]];
    for (int64_t i = 0; i < y->dims[0] * y->dims[1]; i++) {
        for (int64_t p = 0; p < out[0] * out[1] * out[2]; p++) {
            struct sum s = {.x = w->values[n->inputs[0]] + i * in[0] * in[1] * in[2],
                            .most = -INFINITY};
            at[2] = p % out[2];
            at[1] = p / out[2] % out[1];
            at[0] = p / out[2] / out[1];
            int64_t inside = window(n, x->rank - 2, at, in, add_place, &s);
            *to++ = n->op == OP_MAX_POOL ? s.most : s.sum / (double)(count ? kernel : inside);
        }
    }
}

static void global_pool(struct work *w, const struct node *n)
{
    const struct value *x = value(w, n->inputs[0]);
    int64_t places = x->dims[0] * x->dims[1], size = value_elements(x) / places;
    const double *from = w->values[n->inputs[0]];
    for (int64_t i = 0; i < places; i++) {
        double sum = 0, most = -INFINITY;
        for (int64_t k = 0; k < size; k++, from++) {
            sum += *from;
            most = fmax(most, *from);
        }
        w->values[n->outputs[0]][i] = n->op == OP_GLOBAL_MAX_POOL ? most : sum / (double)size;
    }
}

static void batch_norm(struct work *w, const struct node *n)
{
    const struct value *x = value(w, n->inputs[0]);
    int64_t inner = value_elements(x) / x->dims[0] / x->dims[1];
    for (int64_t i = 0; i < value_elements(x); i++) {
        int64_t c = i / inner % x->dims[1];
        w->values[n->outputs[0]][i] =
            w->values[n->inputs[0]][i] * w->values[n->inputs[1]][c] + w->values[n->inputs[2]][c];
    }
}

int64_t naive_met(const struct value *from, const struct value *to, int64_t at)
{
    int64_t place = 0, step = 1;
    for (uint32_t i = to->rank; i-- > 0;) {
        int64_t index = at % to->dims[i];
        at /= to->dims[i];
        if (i + from->rank >= to->rank) {
            int64_t dim = from->dims[i + from->rank - to->rank];
            place += dim > 1 ? index * step : 0;
            step *= dim;
        }
    }
    return place;
}

static double met(const struct work *w, int v, const struct value *y, int64_t at)
{
    return w->values[v][naive_met(value(w, v), y, at)];
}

double naive_binary(enum binary op, double a, double b)
{
    switch (op) {
    case BIN_ADD: return a + b;
    case BIN_SUB: return a - b;
    case BIN_MUL: return a * b;
    case BIN_DIV: return a / b;
    case BIN_MIN: return fmin(a, b);
    case BIN_MAX: return fmax(a, b);
    case BIN_POW: return pow(a, b);
    case BIN_PRELU: return a < 0 ? a * b : a;
    }
    return NAN;
}

static void binary(struct work *w, const struct node *n)
{
    const struct value *y = value(w, n->outputs[0]);
    for (int64_t i = 0; i < value_elements(y); i++) {
        double a = met(w, n->inputs[0], y, i), b = met(w, n->inputs[1], y, i);
        w->values[n->outputs[0]][i] = naive_binary(n->u.binary, a, b);
    }
}

static void concat(struct work *w, const struct node *n)
{
    const struct value *y = value(w, n->outputs[0]);
    int64_t inner = 1, at = 0;
    for (int64_t i = n->axis + 1; i < y->rank; i++) {
        inner *= y->dims[i];
    }
    for (uint32_t k = 0; k < n->n_inputs; k++) {
        int64_t run = value(w, n->inputs[k])->dims[n->axis] * inner,
                all = value_elements(value(w, n->inputs[k]));
        for (int64_t i = 0; i < all; i++) {
            w->values[n->outputs[0]][i / run * y->dims[n->axis] * inner + at + i % run] =
                w->values[n->inputs[k]][i];
        }
        at += run;
    }
}

/* Products whose left side is a matrix of as many columns as its last dimension. */
static void product(struct work *w, const struct node *n)
{
    const struct value *x = value(w, n->inputs[0]), *b = value(w, n->inputs[1]),
                       *y = value(w, n->outputs[0]);
    struct gemm how = {false, false, 1, 1};
    if (n->op == OP_GEMM) {
        how = node_gemm(n);
    }
    int64_t columns = y->dims[y->rank - 1], rows = value_elements(y) / columns,
            inner = how.trans_a ? x->dims[0] : x->dims[x->rank - 1];
    for (int64_t i = 0; i < rows * columns; i++) {
        int64_t r = i / columns, c = i % columns;
        double sum = 0;
        for (int64_t k = 0; k < inner; k++) {
            sum += w->values[n->inputs[0]][how.trans_a ? k * rows + r : r * inner + k] *
                   w->values[n->inputs[1]][how.trans_b ? c * inner + k : k * columns + c];
        }
        assert_int_equal(b->rank, 2);
        bool third = n->n_inputs > 2 && n->inputs[2] >= 0;
        w->values[n->outputs[0]][i] =
            (double)how.alpha * sum + (third ? (double)how.beta * met(w, n->inputs[2], y, i) : 0);
    }
}

static void copy(struct work *w, const struct node *n)
{
    memcpy(w->values[n->outputs[0]], w->values[n->inputs[0]],
           (size_t)value_elements(value(w, n->outputs[0])) * sizeof(double));
}

static void run_node(struct work *w, const struct node *n)
{
    switch ((int)n->op) {
    case OP_CONV:
        conv(w, n);
        break;
    case OP_MAX_POOL:
    case OP_AVERAGE_POOL:
        pool(w, n);
        break;
    case OP_GLOBAL_AVERAGE_POOL:
    case OP_GLOBAL_MAX_POOL:
        global_pool(w, n);
        break;
    case OP_BATCH_NORM:
        batch_norm(w, n);
        break;
    case OP_UNARY:
    case OP_RESHAPE:
        copy(w, n);
        break;
    case OP_BINARY:
        binary(w, n);
        break;
    case OP_CONCAT:
        concat(w, n);
        break;
    case OP_GEMM:
    case OP_MATMUL:
        product(w, n);
        break;
    default:
        fail_msg("naive.c does not know operator %d", (int)n->op);
    }
    finish(w, n);
}

double **naive_run(const struct graph *g, const float *in)
{
    struct work w = {g, calloc(g->n_values, sizeof(double *))};
    assert_non_null(w.values);
    for (size_t v = 0; v < g->n_values; v++) {
        const struct value *value = &g->values[v];
        if (value->type != TYPE_F32) {
            continue;
        }
        const char *from =
            (int)v == g->inputs[0] ? (const char *)in : value->data; /* may lie at any byte */
        int64_t n = value_elements(value);
        w.values[v] = calloc((size_t)n + 1, sizeof(double));
        assert_non_null(w.values[v]);
        for (int64_t i = 0; from && i < n; i++) {
            float one;
            memcpy(&one, from + (size_t)i * sizeof one, sizeof one);
            w.values[v][i] = (double)one;
        }
    }
    for (size_t i = 0; i < g->n_nodes; i++) {
        if (g->nodes[i].op != OP_NONE) {
            run_node(&w, &g->nodes[i]);
        }
    }
    return w.values;
}

void naive_free(const struct graph *g, double **values)
{
    for (size_t v = 0; v < g->n_values; v++) {
        free(values[v]);
    }
    free(values);
}
