/* shape_test.c - reshape, expand, transpose, slice, split, channel shuffle and depth to space on
 * values that lie in every way, against their definitions. */
#include "infer/one_op.h"

#include <string.h>

TESTS_DRAW(8)

/* The one input of an operator that only moves values: output element `index` is input element
 * `from(index)`. */
typedef void from_fn(const struct one_op *o, const int64_t *index, int64_t *from);

static void check(struct one_op *o, int x, from_fn *from)
{
    one_op_run(o);
    for (uint32_t k = 0; k < o->node->n_outputs; k++) {
        int y = o->node->outputs[k];
        for (int64_t i = 0; i < one_op_size(o, y); i++) {
            int64_t index[TENSOR_RANK], source[TENSOR_RANK];
            one_op_index(o, y, i, index);
            index[TENSOR_RANK - 1] = k; /* which output, where no axis is */
            from(o, index, source);
            one_op_near(o, (int)k, i, (double)o->values[x][one_op_at(o, x, source)], 0);
        }
    }
    one_op_free(o);
}

TEST(reshape)
{
    static const int64_t forms[][2][7] = {
        {{2, 6, 4, 5, -1}, {2, 120, -1}},
        {{2, 6, 4, 5, -1}, {2, 2, 3, 4, 5, -1}},
        {{2, 6, 1, 1, -1}, {2, 6, -1}},
        {{2, 6, 4, 5, -1}, {2, 6, 20, -1}},
        {{2, 6, 4, 5, -1}, {12, 4, 5, 1, -1}},
        {{2, 6, 4, 5, -1}, {1, 240, -1}},
        {{2, 6, 4, 5, -1}, {4, 3, 20, 1, -1}},
        {{6, 4, -1}, {1, 6, 1, 4, -1}},
        {{1, 1, -1}, {1, -1}},
        {{3, 4, 5, -1}, {3, 2, 2, 5, -1}},
        {{2, 3, 4, 5, -1}, {2, 3, 2, 2, 5, -1}},
        {{1, 5, 3, 1, -1}, {5, 3, -1}},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (int lies = 0; lies < LIES_WAYS; lies++) {
            struct one_op o;
            one_op_init(&o, OP_RESHAPE, &rng);
            int x = one_op_given(&o, (enum lies)lies, forms[f][0]),
                y = one_op_output(&o, forms[f][1]);
            one_op_run(&o);
            for (int64_t i = 0; i < one_op_size(&o, y); i++) {
                one_op_near(&o, 0, i, (double)o.values[x][i], 0);
            }
            one_op_free(&o);
        }
    }
}

static void from_transposed(const struct one_op *o, const int64_t *index, int64_t *from)
{
    for (uint32_t i = 0; i < o->graph.values[o->node->inputs[0]].rank; i++) {
        from[o->node->at[i]] = index[i];
    }
}

TEST(transpose)
{
    static const int64_t orders[][4] = {
        {0, 2, 3, 1}, {0, 3, 1, 2}, {3, 2, 1, 0}, {1, 0, 2, 3}, {0, 1, 3, 2}};
    for (int i = 0; i < 5 * LIES_WAYS; i++) {
        static const int64_t dims[] = {2, 17, 5, 3};
        const int64_t *order = orders[i / LIES_WAYS];
        struct one_op o;
        one_op_init(&o, OP_TRANSPOSE, &rng);
        memcpy(o.node->at, order, sizeof orders[0]);
        int x = one_op_given(&o, (enum lies)(i % LIES_WAYS), DIMS(2, 17, 5, 3));
        one_op_output(&o, DIMS(dims[order[0]], dims[order[1]], dims[order[2]], dims[order[3]]));
        check(&o, x, from_transposed);
    }
}

static void from_broadcast(const struct one_op *o, const int64_t *index, int64_t *from)
{
    const struct value *x = &o->graph.values[o->node->inputs[0]],
                       *y = &o->graph.values[o->node->outputs[0]];
    for (uint32_t i = 0; i < x->rank; i++) {
        from[i] = x->dims[i] == 1 ? 0 : index[i + y->rank - x->rank];
    }
}

TEST(expand)
{
    static const int64_t forms[][2][6] = {{{1, 6, 1, 5, -1}, {2, 6, 4, 5, -1}},
                                          {{1, 1, 7, -1}, {3, 1, 7, -1}},
                                          {{7, -1}, {2, 3, 7, -1}},
                                          {{2, 3, -1}, {2, 3, -1}}};
    for (int i = 0; i < 4 * LIES_WAYS; i++) {
        struct one_op o;
        one_op_init(&o, OP_EXPAND, &rng);
        int x = one_op_given(&o, (enum lies)(i % LIES_WAYS), forms[i / LIES_WAYS][0]);
        one_op_output(&o, forms[i / LIES_WAYS][1]);
        check(&o, x, from_broadcast);
    }
}

static void from_sliced(const struct one_op *o, const int64_t *index, int64_t *from)
{
    for (uint32_t i = 0; i < 4; i++) {
        from[i] = o->node->at[i] + index[i] * o->node->by[i];
    }
}

TEST(slice)
{
    for (int i = 0; i < LIES_WAYS; i++) {
        struct one_op o;
        one_op_init(&o, OP_SLICE, &rng);
        memcpy(o.node->at, (const int64_t[]){0, 4, 8, 1}, 4 * sizeof(int64_t));
        memcpy(o.node->by, (const int64_t[]){1, 2, -3, 1}, 4 * sizeof(int64_t));
        int x = one_op_given(&o, (enum lies)i, DIMS(2, 17, 9, 6));
        one_op_output(&o, DIMS(2, 6, 3, 4));
        check(&o, x, from_sliced);
    }
}

static void from_split(const struct one_op *o, const int64_t *index, int64_t *from)
{
    memcpy(from, index, 4 * sizeof *from);
    for (int64_t k = 0; k < index[TENSOR_RANK - 1]; k++) {
        from[o->node->axis] += one_op_dims(o, o->node->outputs[k])[o->node->axis];
    }
}

TEST(split)
{
    for (int i = 0; i < 2 * LIES_WAYS; i++) {
        struct one_op o;
        one_op_init(&o, OP_SPLIT, &rng);
        int x = one_op_given(&o, (enum lies)(i % LIES_WAYS), DIMS(2, 12, 5, 7));
        o.node->axis = i < LIES_WAYS ? 1 : 3;
        for (int64_t part = 2; part <= 4; part++) {
            int64_t size = o.node->axis == 3 && part == 4 ? 2
                           : o.node->axis == 1            ? 2 * part - 2
                                                          : part;
            one_op_output(&o, o.node->axis == 1 ? DIMS(2, size, 5, 7) : DIMS(2, 12, 5, size));
        }
        check(&o, x, from_split);
    }
}

static void from_shuffled(const struct one_op *o, const int64_t *index, int64_t *from)
{
    int64_t groups = o->node->window.group, each = one_op_dims(o, o->node->inputs[0])[1] / groups;
    memcpy(from, index, 4 * sizeof *from);
    from[1] = index[1] % groups * each + index[1] / groups;
}

TEST(shuffle)
{
    for (int i = 0; i < 2 * LIES_WAYS; i++) {
        struct one_op o;
        one_op_init(&o, OP_CHANNEL_SHUFFLE, &rng);
        o.node->window.group = i < LIES_WAYS ? 2 : 3;
        int x = one_op_given(&o, (enum lies)(i % LIES_WAYS), DIMS(2, 42, 4, 5));
        one_op_output(&o, DIMS(2, 42, 4, 5));
        check(&o, x, from_shuffled);
    }
}

static const int64_t BLOCK = 2;
static bool crd;

static void from_depth(const struct one_op *o, const int64_t *index, int64_t *from)
{
    int64_t rest = one_op_dims(o, o->node->outputs[0])[1], a = index[2] % BLOCK,
            b = index[3] % BLOCK;
    from[0] = index[0];
    from[1] = crd ? (index[1] * BLOCK + a) * BLOCK + b : (a * BLOCK + b) * rest + index[1];
    from[2] = index[2] / BLOCK;
    from[3] = index[3] / BLOCK;
}

TEST(depth_to_space)
{
    const struct onnx_attribute attributes[] = {
        {.name = SV("blocksize"), .kind = ATTR_INT, .i = 2},
        {.name = SV("mode"), .kind = ATTR_STRING, .s = SV("CRD")}};
    for (int i = 0; i < 2 * LIES_WAYS; i++) {
        crd = i < LIES_WAYS;
        const struct onnx_node node = {
            .op = SV("DepthToSpace"), .attributes = attributes, .n_attributes = crd ? 2 : 1};
        struct one_op o;
        one_op_init(&o, OP_DEPTH_TO_SPACE, &rng);
        o.node->onnx = &node;
        int x = one_op_given(&o, (enum lies)(i % LIES_WAYS), DIMS(2, 20, 3, 4));
        one_op_output(&o, DIMS(2, 5, 6, 8));
        check(&o, x, from_depth);
    }
}
