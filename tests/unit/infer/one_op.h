/* one_op.h - plans and runs one operator of the engine on random values and hands back what came
 * out, for tests beside naive loops. Inputs may lie in memory in any way that they do in networks:
 * row-major, channels last, or channels last as a part of a wider picture. */
#ifndef ONE_OP_H
#define ONE_OP_H

#include "unit.h"

#include "base/rng.h"
#include "infer/plan/private.h"

enum lies { LIES_ROWS, LIES_CHANNELS_LAST, LIES_IN_WIDER, LIES_WAYS };
enum { ONE_VALUES = 48, ONE_NODES = 48, ONE_INPUTS = 8, ONE_OUTPUTS = 4 };

struct one_op {
    struct arena arena;
    struct graph graph;
    struct node *node;         /* the operator: the test fills in its fields */
    float *values[ONE_VALUES]; /* row-major, of what was given */
    float *made[ONE_OUTPUTS];  /* row-major results of one_op_run */
    int given[ONE_VALUES];     /* values that are cut out of the graph's one input */
    enum lies lies[ONE_VALUES];
    int n_given;
    struct rng *rng;
    float low, high;
};

void one_op_init(struct one_op *o, enum op op, struct rng *rng);
/* An input of those dimensions (ends with -1), computed or (`constant`) a constant; its number in
 * `values`. */
int one_op_given(struct one_op *o, enum lies lies, const int64_t *dims);
int one_op_constant(struct one_op *o, const int64_t *dims);
int one_op_indices(struct one_op *o, const int64_t *dims, const int64_t *at);
int one_op_left_out(struct one_op *o);
int one_op_output(struct one_op *o, const int64_t *dims);
/* Asks for success; results are in `made`. */
void one_op_run(struct one_op *o);
/* What planning says. */
enum err_code one_op_refused(struct one_op *o, struct err *err);
void one_op_free(struct one_op *o);

/* The generator of a program's tests, and what it begins with. */
#define TESTS_DRAW(seed)                                                                                               \
    static struct rng rng;                                                                                             \
    static int seed_rng(void **state)                                                                                  \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        rng_seed(&rng, seed);                                                                                          \
        return 0;                                                                                                      \
    }                                                                                                                  \
    TESTS_SHARE(seed_rng, NULL)

#define DIMS(...) ((const int64_t[]){__VA_ARGS__, -1})
int64_t one_op_size(const struct one_op *o, int value);
const int64_t *one_op_dims(const struct one_op *o, int value);
/* The index along each axis of element `at` (row-major) of a value, and back. */
void one_op_index(const struct one_op *o, int value, int64_t at, int64_t *index);
int64_t one_op_at(const struct one_op *o, int value, const int64_t *index);
/* Fails, naming the place, unless |got - want| <= tolerance * max(1, |want|). */
void one_op_near(const struct one_op *o, int output, int64_t at, double want, double tolerance);

#endif
