/* private.h - what an engine keeps, for the files of this room. */
#ifndef INFER_ENGINE_PRIVATE_H
#define INFER_ENGINE_PRIVATE_H

#include "infer/engine/engine.h"
#include "infer/plan/private.h"

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
/* cut.c: a batch of `images`, filled up so that all of its images get the same bits (dnn_rows_at_once). */
int64_t engine_whole_rows(int64_t images);
/* cut.c: finds cut_at, cut and block in a graph for one image. */
void engine_find_cut(struct engine *e, const struct graph *g);
/* session.c: plans what a session of engine_best_batch does and makes nothing of it: fills in what the facts say
 * of memory, refuses what the engine cannot do. */
enum err_code engine_measure(struct engine *e, struct err *err);

#endif
