/* weights.c - constants in the engine's order. */
#include "infer/plan/weights.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "infer/plan/dnn.h"
#include "infer/plan/room.h"

struct weight {
    struct weight *next;
    const void *source; /* at any byte of the file */
    uint64_t source_bytes;
    dnnl_memory_desc_t from, to; /* of reordered ones */
    float scale;
    weight_fn *make; /* NULL: reordered */
    int64_t a, b;
    size_t bytes;
    float *data; /* NULL: not filled yet */
    bool shared; /* the constant lives as long as the model */
};
struct weights {
    pthread_mutex_t lock;
    const struct graph *constants;
    const struct onnx_file *file;
    struct weight *first;
};

struct weights *weights_new(const struct graph *constants, const struct onnx_file *file)
{
    struct weights *w = xcalloc(1, sizeof *w);
    pthread_mutex_init(&w->lock, NULL);
    w->constants = constants;
    w->file = file;
    return w;
}

void weights_free(struct weights *w)
{
    if (w) {
        while (w->first) {
            struct weight *next = w->first->next;
            free(w->first->data);
            free(w->first);
            w->first = next;
        }
        pthread_mutex_destroy(&w->lock);
        free(w);
    }
}

/* Constants that graph_shapes made for one batch are gone with it: another may lie at the same
 * address later, so only those of the model itself are looked up again. */
static bool is_lasting(const struct weights *w, const struct graph *g, int v)
{
    return (size_t)v < w->constants->n_values && w->constants->values[v].data == g->values[v].data;
}

static bool is_same(const struct weight *a, const struct weight *b)
{
    return a->source == b->source && a->make == b->make && a->bytes == b->bytes && a->a == b->a &&
           a->b == b->b && memcmp(&a->scale, &b->scale, sizeof a->scale) == 0 &&
           (a->make ||
            (dnnl_memory_desc_equal(&a->from, &b->from) && dnnl_memory_desc_equal(&a->to, &b->to)));
}

static const struct weight *find_or_add(struct weights *w, const struct weight *wanted)
{
    pthread_mutex_lock(&w->lock);
    struct weight *found = wanted->shared ? w->first : NULL;
    while (found && !(found->shared && is_same(found, wanted))) {
        found = found->next;
    }
    if (!found) {
        found = xmalloc(sizeof *found);
        *found = *wanted;
        found->next = w->first;
        w->first = found;
    }
    pthread_mutex_unlock(&w->lock);
    return found;
}

const struct weight *weights_reordered(struct weights *w, const struct graph *g, int v,
                                       const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to,
                                       float scale)
{
    const struct weight wanted = {.source = g->values[v].data,
                                  .source_bytes =
                                      (uint64_t)value_elements(&g->values[v]) * sizeof(float),
                                  .from = *from,
                                  .to = *to,
                                  .scale = scale,
                                  .bytes = dnnl_memory_desc_get_size(to),
                                  .shared = is_lasting(w, g, v)};
    return find_or_add(w, &wanted);
}

const struct weight *weights_made(struct weights *w, const struct graph *g, int v, weight_fn *make,
                                  int64_t a, int64_t b, int64_t floats)
{
    const struct weight wanted = {.source = g->values[v].data,
                                  .source_bytes =
                                      (uint64_t)value_elements(&g->values[v]) * sizeof(float),
                                  .make = make,
                                  .a = a,
                                  .b = b,
                                  .bytes = (size_t)floats * sizeof(float),
                                  .shared = is_lasting(w, g, v)};
    return find_or_add(w, &wanted);
}

static void forget_source(const struct weights *w, const struct weight *weight)
{
    if (weight->shared && w->file) {
        onnx_forget_pages(w->file, weight->source, weight->source_bytes);
    }
}

/* Where the file has the constant at an odd address, it is read from a copy that lives as long as
 * this. */
static enum err_code fill(struct weights *w, struct weight *weight, struct err *err)
{
    void *data = NULL, *copy = NULL;
    const void *from = weight->source;
    enum err_code rc = room_make(weight->bytes, "the model's weights", &data, err);
    if (rc == OK && (uintptr_t)from % sizeof(float) != 0) {
        rc = room_make(weight->source_bytes, "the model's weights", &copy, err);
        if (rc == OK) {
            memcpy(copy, from, weight->source_bytes);
            forget_source(w, weight);
            from = copy;
        }
    }
    if (rc == OK && weight->make) {
        weight->make(from, weight->a, weight->b, data);
    } else if (rc == OK) {
        dnn_reorder(&weight->from, from, &weight->to, data, weight->scale);
    }
    free(copy);
    if (rc != OK) {
        free(data);
        return rc;
    }
    forget_source(w, weight);
    weight->data = data;
    return OK;
}

enum err_code weights_fill(struct weights *w, const struct weight *weight, struct err *err)
{
    enum err_code rc = OK;
    pthread_mutex_lock(&w->lock);
    for (struct weight *mine = w->first; rc == OK && mine; mine = mine->next) {
        if (mine == weight && !mine->data) {
            rc = fill(w, mine, err);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return rc;
}

float *weight_data(const struct weight *weight)
{
    return weight->data;
}

uint64_t weights_planned(struct weights *w)
{
    uint64_t bytes = 0;
    pthread_mutex_lock(&w->lock);
    for (const struct weight *weight = w->first; weight; weight = weight->next) {
        bytes += weight->bytes;
    }
    pthread_mutex_unlock(&w->lock);
    return bytes;
}
