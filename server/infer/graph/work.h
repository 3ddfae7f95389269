/* work.h - a graph while it is made: what build, fold, shapes and fuse share. Private to this
 * room. */
#ifndef INFER_GRAPH_WORK_H
#define INFER_GRAPH_WORK_H

#include "infer/graph/graph.h"

enum {
    FOLD_ELEMENTS = 1 << 28,   /* of one constant that is made here */
    MATH_ELEMENTS = 1 << 24,   /* of one that is calculated and not only moved */
    LIST_MAX = 2 * TENSOR_RANK, /* numbers in a list that says something about axes */
    WINDOW_MAX = 4096 /* of a kernel, stride, dilation or padding: oneDNN's time grows with them, while an
                         estimate counts what is calculated */
};

struct graph_work {
    struct arena *a;
    struct graph *g;
    size_t cap_values, cap_nodes;
    uint64_t made; /* elements of constants that were made, or read to make some */
    bool sized;  /* dimensions are being found: those of values before the present node are known */
    bool shaped; /* every value has its dimensions */
};
/* A short list of whole numbers: axes, pads, a shape. */
struct list {
    uint32_t n;
    int64_t at[LIST_MAX];
    bool there;
};

/* THE operator table: operators.c, sorted by name. */
struct operator
{
    const char *name;
    enum op op;
    unsigned least, most; /* inputs */
    unsigned makes;       /* outputs that the engine gives: what a node has beyond them may be named
                             in the file but not be used, see graph.c */
    int kind;             /* the enum function, binary, reduce ... of its row */
    /* Brings a node of any operator set into the form that graph.h describes, as far as that needs
     * no dimensions; NULL: it has that form. May put nodes before it. */
    enum err_code (*prepare)(struct graph_work * w, const struct operator* row, struct node *n,
                             struct err *err);
    /* Of OP_FOLD_ONLY: the outputs from constant inputs. */
    enum err_code (*fold)(struct graph_work * w, struct node * n, struct err * err);
};
const struct operator* operator_find(struct sv name);
/* Its result is another name of its first input: Identity, Dropout. */
bool operator_is_alias(const struct operator* op);

/* What a node is called in messages: its name, or that of its first output. */
struct sv node_name(const struct onnx_node *n);
/* "node NAME (Op): ..." as ERR_INPUT. */
enum err_code node_refuse(const struct node *n, struct err *err, const char *rule, const char *fmt,
                          ...) __attribute__((format(printf, 4, 5)));

enum err_code graph_add_value(struct graph_work *w, const struct value *v, int *index,
                              struct err *err);
/* A new constant; its data is the caller's. */
enum err_code graph_add_constant(struct graph_work *w, struct sv name, enum tensor_type type,
                                 uint32_t rank, const int64_t *dims, const void *data, int *index,
                                 struct err *err);
/* The file's tensor as a constant; half precision becomes floats. */
enum err_code graph_tensor(struct graph_work *w, const struct onnx_tensor *t, struct sv name,
                           int *index, struct err *err);
/* Puts a node after the last one, or its results into its outputs when all it needs is constant.
 */
enum err_code graph_append(struct graph_work *w, struct node *n, struct err *err);
/* A node like n with its own list of inputs and one new, unnamed output. */
enum err_code graph_derive(struct graph_work *w, const struct node *n, uint32_t n_inputs,
                           struct node *out, struct err *err);

/* The value of input i, NULL when it is left out. */
struct value *node_input(const struct graph *g, const struct node *n, uint32_t i);
struct value *node_output(const struct graph *g, const struct node *n, uint32_t o);
/* Input i exists and is constant. */
bool node_constant(const struct graph *g, const struct node *n, uint32_t i);
/* Floats of constant input i when it has that many; NULL otherwise. */
const float *node_floats(const struct graph *g, const struct node *n, uint32_t i, int64_t elements);
/* One number: constant input i or, when `attribute` is there, that; false when it is neither. */
bool node_number(const struct graph *g, const struct node *n, const char *attribute, uint32_t i,
                 float *out);
/* Whole numbers of the attribute, or of constant input i (-1: only the attribute). ERR_INPUT when
 * the input is there but not such a list; not constant is rule "onnx-shape". */
enum err_code node_list(const struct graph *g, const struct node *n, const char *attribute, int i,
                        struct list *out, struct err *err);
/* A word of a string attribute. */
bool node_word_is(const struct node *n, const char *attribute, const char *word);
/* Axis -rank..rank-1 as 0..rank-1. */
enum err_code node_axis(const struct node *n, int64_t axis, uint32_t rank, int64_t *out,
                        struct err *err);

/* A constant's bytes at an address that fits its type; those of every constant but weights. */
enum err_code value_align(struct graph_work *w, int value, struct err *err);
enum err_code graph_align(struct graph_work *w, struct err *err);

/* Counts uses and producers again, takes out nodes whose results nobody needs. */
void graph_sweep(struct graph *g);

/* fold.c: sets the outputs when every input is constant and there is a rule; *done says so. */
enum err_code fold_node(struct graph_work *w, struct node *n, bool *done, struct err *err);
/* Before so many elements are written or read to make a constant. ERR_LIMIT (rule "model-memory") when they
 * come to more than the graph's made_most. */
enum err_code fold_charge(struct graph_work *w, const struct node *n, uint64_t elements,
                          struct err *err);
/* A constant result for output o: sets its value, *data is room for its elements. */
enum err_code fold_result(struct graph_work *w, struct node *n, uint32_t o, enum tensor_type type,
                          uint32_t rank, const int64_t *dims, void *data, struct err *err);
int64_t value_integer(const struct value *v, int64_t i);
double value_number(const struct value *v, int64_t i);

/* shapes.c: dimensions of the outputs from those of the inputs, and the node's resolved fields. */
enum err_code shape_node(struct graph_work *w, struct node *n, struct err *err);

/* fuse.c: all rewrites that are possible now. */
enum err_code fuse_graph(struct graph_work *w, struct err *err);

#endif
