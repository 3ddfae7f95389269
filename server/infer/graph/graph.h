/* graph.h - an ONNX model as operators on numbered values, made small before it is planned.
 *
 * graph_build resolves names, refuses what the engine cannot do (by operator and node), evaluates everything
 * that depends on constants alone (fold.c) and rewrites groups of nodes into one (fuse_*.c): convolution +
 * batch norm + bias + activation + residual sum, x * sigmoid(x), the decomposed forms of gelu, hard swish and
 * layer norm. graph_shapes then gives every value its dimensions for a concrete batch and folds the
 * shape arithmetic that exporters leave behind. Knows nothing of oneDNN or layouts: dimensions here
 * are ONNX's (N, C, H, W). Immutable after graph_shapes. */
#ifndef INFER_GRAPH_GRAPH_H
#define INFER_GRAPH_GRAPH_H

#include "infer/onnx/onnx.h"

/* Names follow ONNX. The operator table (operators.c) says which ONNX names map to which. What a node's
 * inputs and fields hold after graph_shapes, whatever form the file used:
 *
 *   CONV              x, w, bias or -1; window; residual; act. Rank 3 to 5: 1 to 3 spatial axes
 *   GEMM              a, b, c or -1; attributes alpha, beta, transA, transB of `onnx` (see node_gemm); residual; act
 *   MATMUL            a, b, bias (a constant vector over the last axis) or absent; residual; act
 *   MAX_POOL, AVERAGE_POOL  x; window
 *   GLOBAL_*_POOL     x; over all spatial axes; the result is (N, C, 1, 1) or (N, C)
 *   BATCH_NORM        x, scale, shift: constant vectors over axis 1, y = x * scale + shift; act
 *   LRN               x; attributes size, alpha, beta, bias of `onnx`
 *   LAYER_NORM        x, scale or -1, bias or -1 (constant, over the normalised axes); axis: the first of them; epsilon
 *   SOFTMAX, LOG_SOFTMAX  x; axes: those normalised together
 *   UNARY             x; u.fn, act (the same function with its parameters)
 *   BINARY            a, b, broadcast as ONNX does; u.binary; act
 *   CONCAT            any number; axis.   SPLIT: x; axis (sizes: the outputs' dimensions)
 *   SLICE             x; at: first index, by: step (may be negative) of every axis
 *   PAD               x; at: before, by: after of every axis (negative: cut off); u.pad, act.a: the constant
 *   RESHAPE, EXPAND   x; the output's dimensions say it (also Flatten, Squeeze, Unsqueeze, Identity of an input)
 *   TRANSPOSE         x; at: the source axis of every axis
 *   REDUCE            x; axes; u.reduce (kept axes or not: the output's dimensions; same elements)
 *   GATHER            x, indices (a constant of TYPE_I64, none negative); axis
 *   DEPTH_TO_SPACE    x; attributes blocksize, mode of `onnx`
 *   CHANNEL_SHUFFLE   x; window.group: channel i * (C / group) + j goes to j * group + i
 *   RESIZE            x; resize
 * SHAPE, CAST and FOLD_ONLY are gone then: a model in which they depend on the picture is refused. */
enum op {
    OP_NONE, OP_CONV, OP_GEMM, OP_MATMUL, OP_MAX_POOL, OP_AVERAGE_POOL, OP_GLOBAL_AVERAGE_POOL,
    OP_GLOBAL_MAX_POOL, OP_BATCH_NORM, OP_LRN, OP_LAYER_NORM, OP_SOFTMAX, OP_LOG_SOFTMAX, OP_UNARY, OP_BINARY,
    OP_CONCAT, OP_SPLIT, OP_SLICE, OP_PAD, OP_RESHAPE, OP_TRANSPOSE, OP_REDUCE, OP_EXPAND, OP_GATHER,
    OP_DEPTH_TO_SPACE, OP_SHAPE, OP_CAST, OP_CHANNEL_SHUFFLE, OP_RESIZE, OP_FOLD_ONLY /* exists on constants only */
};
/* Of OP_UNARY, and of the activation that a conv, gemm, matmul, binary or batch norm applies to its result. */
enum function {
    FN_NONE, FN_RELU, FN_CLIP /* [a, b] */, FN_SIGMOID, FN_TANH, FN_SWISH, FN_HARD_SIGMOID /* a x + b */, FN_HARD_SWISH,
    FN_GELU /* by erf */, FN_ELU /* a */, FN_LEAKY_RELU /* a */, FN_SELU, FN_SOFTPLUS, FN_SOFTSIGN,
    FN_EXP, FN_LOG, FN_SQRT, FN_ABS, FN_NEG, FN_ERF, FN_RECIPROCAL, FN_FLOOR, FN_CEIL, FN_POW /* a, constant exponent */
};
enum binary { BIN_ADD, BIN_SUB, BIN_MUL, BIN_DIV, BIN_MIN, BIN_MAX, BIN_POW, BIN_PRELU };
enum reduce { REDUCE_MEAN, REDUCE_SUM, REDUCE_MAX, REDUCE_MIN };
enum pad { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE };
enum resize_mode { RESIZE_NEAREST, RESIZE_LINEAR, RESIZE_CUBIC };
/* ONNX's coordinate_transformation_mode and nearest_mode. */
enum resize_place {
    PLACE_HALF_PIXEL, PLACE_HALF_PIXEL_SYMMETRIC, PLACE_PYTORCH_HALF_PIXEL, PLACE_TF_HALF_PIXEL_FOR_NN,
    PLACE_ALIGN_CORNERS, PLACE_ASYMMETRIC, PLACE_TF_CROP_AND_RESIZE
};
enum resize_round {
    ROUND_PREFER_FLOOR, ROUND_PREFER_CEIL, ROUND_FLOOR, ROUND_CEIL,
    ROUND_OLD /* before operator set 11: down where an axis grows, up where it shrinks */
};
enum { RESIZE_SIDE = 1 << 16 }; /* most of an axis that is resized, before and after */

/* How an OP_RESIZE finds its results, whichever operator set it was written for. */
struct resize {
    enum resize_mode mode;
    enum resize_place place;
    enum resize_round round;     /* of nearest */
    bool antialias, exclude_outside;
    float coefficient;           /* cubic_coeff_a */
    float outside;               /* extrapolation_value, of PLACE_TF_CROP_AND_RESIZE */
    struct {
        float scale;             /* finite and above 0; 1: the axis stays, if its size does */
        float from, to;          /* of PLACE_TF_CROP_AND_RESIZE: the part that is resized, 0 to 1 the whole */
    } axes[TENSOR_RANK];
};

struct activation {
    enum function fn;
    float a, b;
};
struct value {
    struct sv name;
    enum tensor_type type;
    uint32_t rank;
    int64_t dims[TENSOR_RANK];  /* after graph_shapes: all known */
    const void *data;           /* constants: row-major, of `type`, not NULL when empty; NULL: computed while running.
                                 * Aligned, but for weights (input 1 of conv, and of gemm and matmul when of rank 2),
                                 * which may begin at any byte of the file */
    int producer;               /* node index, -1: input or constant */
    uint32_t uses;              /* by nodes that are left, and as a graph output */
    bool output;
};
struct node {
    enum op op;                 /* OP_NONE: folded or fused away */
    const struct onnx_node *onnx; /* for its attributes and its name in messages */
    int *inputs, *outputs;      /* value indices; -1: left out */
    uint32_t n_inputs, n_outputs;
    union {
        enum function fn;       /* OP_UNARY, with `act` holding its parameters */
        enum binary binary;
        enum reduce reduce;
        enum pad pad;
    } u;
    struct activation act;      /* applied to the result; for OP_UNARY the function itself */
    int residual;               /* value added before `act`; -1: none (conv, gemm, matmul) */
    /* Of windows (conv, pools): resolved by graph_shapes, auto_pad included. */
    struct {
        int64_t kernel[3], stride[3], dilation[3], before[3], after[3], group;
        int64_t extra[3];   /* of `after`: what ceil_mode added; it counts in no average */
        bool count_padding; /* averages divide by cells of the padding as well */
    } window;
    int64_t axis;               /* non-negative; concat, split, layer norm, gather */
    uint32_t axes;              /* bit i: axis i; reduce, softmax */
    int64_t at[TENSOR_RANK], by[TENSOR_RANK]; /* of transpose, slice, pad: one for every axis */
    float epsilon;
    const struct resize *resize; /* of OP_RESIZE */
};
struct graph {
    struct value *values;
    struct node *nodes;         /* in an order in which they can run */
    size_t n_values, n_nodes;
    int *inputs, *outputs;      /* value indices, in the file's order */
    size_t n_inputs, n_outputs;
    int64_t opset;
    uint64_t made_most;         /* elements of constants that may be made from others, each time again */
};

/* Reads all of `m`; what it makes lives in `a`, weights may stay in m's file. `keep` (n_keep) names the
 * values that are the outputs instead of the file's own, such as a feature layer; one that is not there is
 * ERR_NOT_FOUND. `made_most`: how many elements all constants together may have that are made from others, such
 * as ConstantOfShape's; a file of 300 bytes can ask for gigabytes. More: ERR_LIMIT (rule "model-memory"). ERR_INPUT rules: "onnx-operator" (unsupported: names every such operator with its first node),
 * "onnx-cycle", "onnx-name", "onnx-type", "onnx-size". */
enum err_code graph_build(const struct onnx_model *m, const char *const *keep, size_t n_keep, uint64_t made_most,
                          struct arena *a, struct graph **out, struct err *err);
/* A copy of g with all dimensions for that batch: the first dimension of every input becomes `batch` where the
 * file leaves it open; other open dimensions take `side` (0: ERR_INPUT "onnx-shape" names them). A model whose
 * file fixes the batch takes only that one. Cheap (no weights are copied), so every batch size has its own. */
enum err_code graph_shapes(const struct graph *g, int64_t batch, int64_t side, struct arena *a, struct graph **out,
                           struct err *err);
/* Of an OP_GEMM: y = alpha * a' b' + beta * c. */
struct gemm {
    bool trans_a, trans_b;
    float alpha, beta;
};
struct gemm node_gemm(const struct node *n);
/* The axis of `from` places comes out as it went in. */
bool resize_keeps(const struct resize *way, uint32_t axis, int64_t from, int64_t to);
/* Element count of a value whose dimensions are known. */
int64_t value_elements(const struct value *v);

#endif
