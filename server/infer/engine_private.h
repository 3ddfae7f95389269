/* engine_private.h - what an engine keeps, for engine*.c and session.c. */
#ifndef INFER_ENGINE_PRIVATE_H
#define INFER_ENGINE_PRIVATE_H

#include "infer/engine.h"
#include "infer/plan_private.h"

struct engine {
    struct onnx_file *file;
    struct arena arena;
    struct graph *graph;     /* without dimensions of the batch */
    struct weights *weights;
    struct engine_facts facts;
    int64_t side;            /* for open height and width */
    int64_t fixed;           /* batch that the file fixes; 0: free */
    int64_t unit;            /* images in a fixed batch; 1 when the results are not one per image */
    size_t input_size, output_size[ENGINE_OUTPUTS];
    /* Large fully connected layers run over the whole batch, all before them in blocks of few images: node where
     * they begin and the value that goes in. cut_at 0: none. */
    size_t cut_at;
    int cut;
    int64_t block;           /* images that go through the first part at a time */
};

enum err_code engine_shapes(const struct engine *e, int64_t batch, struct arena *a, struct graph **out,
                            struct err *err);
/* session.c: what a session of `batch` images takes at most. */
int64_t engine_round_batch(const struct engine *e, int64_t batch);
/* engine_cut.c: finds cut_at, cut and block in a graph for one image. */
void engine_find_cut(struct engine *e, const struct graph *g);
/* Multiply-adds of a graph's convolutions and products, counted as two. */
uint64_t engine_node_flops(const struct graph *g, const struct node *n);
uint64_t engine_count_flops(const struct graph *g);

#endif
