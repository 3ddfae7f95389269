/* probe.c - one convolution, to see whether this process may do model work at all. */
#include "infer/engine/probe.h"

#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "infer/plan/dnn.h"

enum { CHANNELS = 16, SIDE = 8, KERNEL = 3, ARGS = 3 };

struct probe {
    dnnl_primitive_desc_t pd;
    dnnl_primitive_t primitive;
    dnnl_stream_t stream;
    dnnl_memory_t memory[ARGS];
    float *data[ARGS];
};

static bool describe(struct probe *p)
{
    static const int64_t image[] = {1, CHANNELS, SIDE, SIDE};
    static const int64_t weights[] = {CHANNELS, CHANNELS, KERNEL, KERNEL};
    static const int64_t out[] = {1, CHANNELS, SIDE - KERNEL + 1, SIDE - KERNEL + 1};
    static const dnnl_dims_t one = {1, 1}, none = {0, 0};
    dnnl_memory_desc_t from = dnn_any(4, image), by = dnn_any(4, weights), to = dnn_any(4, out);
    dnnl_convolution_desc_t d;
    return dnnl_convolution_forward_desc_init(&d, dnnl_forward_inference, dnnl_convolution_direct,
                                              &from, &by, NULL, &to, one, none, none) ==
               dnnl_success &&
           dnnl_primitive_desc_create(&p->pd, &d, NULL, dnn_engine(), NULL) == dnnl_success;
}

/* Everything is 1, so that the order of the numbers in memory does not matter. */
static bool fill(struct probe *p, const int args[ARGS])
{
    for (int i = 0; i < ARGS; i++) {
        const dnnl_memory_desc_t *d = dnn_wants(p->pd, args[i]);
        size_t n = dnnl_memory_desc_get_size(d) / sizeof(float);
        p->data[i] = xcalloc(n + 16, sizeof(float));
        for (size_t j = 0; j < n; j++) {
            p->data[i][j] = 1;
        }
        if (dnnl_memory_create(&p->memory[i], d, dnn_engine(), p->data[i]) != dnnl_success) {
            return false;
        }
    }
    return true;
}

static bool run(struct probe *p)
{
    static const int args[ARGS] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
    dnnl_exec_arg_t given[ARGS];
    if (!fill(p, args)) {
        return false;
    }
    for (int i = 0; i < ARGS; i++) {
        given[i] = (dnnl_exec_arg_t){args[i], p->memory[i]};
    }
    return dnnl_stream_create(&p->stream, dnn_engine(), dnnl_stream_default_flags) == dnnl_success &&
           dnnl_primitive_execute(p->primitive, p->stream, ARGS, given) == dnnl_success &&
           dnnl_stream_wait(p->stream) == dnnl_success &&
           p->data[2][0] == (float)(CHANNELS * KERNEL * KERNEL);
}

static void release(struct probe *p)
{
    for (int i = 0; i < ARGS; i++) {
        dnnl_memory_destroy(p->memory[i]);
        free(p->data[i]);
    }
    dnnl_stream_destroy(p->stream);
    dnnl_primitive_destroy(p->primitive);
    dnnl_primitive_desc_destroy(p->pd);
}

enum err_code probe_convolution(struct err *err)
{
    struct probe p = {0};
    enum err_code rc = OK;
    if (dnn_check_processor(err) != OK) {
        return ERR_IO;
    }
    dnn_use_one_thread();
    if (!describe(&p)) {
        rc = err_set(err, ERR_IO, "oneDNN has no convolution for this processor");
    } else if (dnnl_primitive_create(&p.primitive, p.pd) != dnnl_success) {
        rc = err_rule(err, ERR_IO, "code-generation", "oneDNN is not allowed to generate code while it runs");
    } else if (!run(&p)) {
        rc = err_set(err, ERR_IO, "a convolution by oneDNN gives a wrong result");
    }
    release(&p);
    return rc;
}

const char *probe_library(void)
{
    static char text[32];
    const dnnl_version_t *v = dnnl_version();
    snprintf(text, sizeof text, "%d.%d.%d", v->major, v->minor, v->patch);
    return text;
}
