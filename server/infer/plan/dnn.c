/* dnn.c - oneDNN as steps of a plan. */
#include "infer/plan/dnn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "infer/plan/private.h"

enum { DNN_USES = 8 };
struct dnn_step {
    struct dnn_step *next;
    dnnl_primitive_t primitive;
    dnnl_stream_t stream;
    struct dnn_use uses[DNN_USES + 1]; /* and the scratchpad */
    dnnl_memory_desc_t layouts[DNN_USES + 1];
    dnnl_exec_arg_t args[DNN_USES + 1];
    int n;
    uint32_t inputs; /* bit i: argument i is the plan's input, which lies elsewhere in every run */
};

/* Of OpenMP, which oneDNN brings along; its header and its compiler switch are not needed for this.
 * The number of threads is a setting of each thread. */
void omp_set_num_threads(int n);

void dnn_use_one_thread(void)
{
    static _Thread_local bool said;
    if (!said) {
        omp_set_num_threads(1);
        said = true;
    }
}

static dnnl_engine_t the_engine;

static void make_engine(void)
{
    BUG_IF(dnnl_engine_create(&the_engine, dnnl_cpu, 0) != dnnl_success);
}

dnnl_engine_t dnn_engine(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_engine);
    return the_engine;
}

/* dnnl_cpu_isa_all, 0, is said of other than x86 processors. */
enum err_code dnn_check_processor(struct err *err)
{
    int isa = (int)dnnl_get_effective_cpu_isa();
    return isa == 0 || (isa & dnnl_cpu_isa_avx2) == dnnl_cpu_isa_avx2
               ? OK
               : err_rule(err, ERR_IO, "processor", "Models need a processor with AVX2, which most x86-64 processors "
                          "since 2015 have. Import predictions made elsewhere instead.");
}

/* Its AVX2 kernel takes six; with AVX-512 the order of a sum does not depend on the row. */
int64_t dnn_rows_at_once(void)
{
    int isa = (int)dnnl_get_effective_cpu_isa();
    return (isa & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core ? 1 : 6;
}

bool dnn_ok(dnnl_status_t status)
{
    BUG_IF(status == dnnl_runtime_error || status == dnnl_not_required);
    return status == dnnl_success;
}

/* ------------------------------------------------------------------ descriptions */

/* oneDNN reads DNNL_MAX_NDIMS dimensions whatever the rank says. */
static void widen(uint32_t rank, const int64_t *from, dnnl_dims_t to)
{
    memset(to, 0, sizeof(dnnl_dims_t));
    memcpy(to, from, rank * sizeof *from);
}

dnnl_memory_desc_t dnn_any(uint32_t rank, const int64_t *dims)
{
    dnnl_memory_desc_t md;
    dnnl_dims_t wide;
    widen(rank, dims, wide);
    BUG_IF(dnnl_memory_desc_init_by_tag(&md, (int)rank, wide, dnnl_f32, dnnl_format_tag_any) !=
           dnnl_success);
    return md;
}

static dnnl_memory_desc_t strided(uint32_t rank, const int64_t *dims, const int64_t *strides)
{
    dnnl_memory_desc_t md;
    dnnl_dims_t wide, steps;
    widen(rank, dims, wide);
    widen(rank, strides, steps);
    BUG_IF(dnnl_memory_desc_init_by_strides(&md, (int)rank, wide, dnnl_f32, steps) != dnnl_success);
    return md;
}

dnnl_memory_desc_t dnn_tensor(const struct tensor *t)
{
    struct tensor plain = *t;
    if (t->block) {
        dnnl_memory_desc_t md;
        dnnl_dims_t dims;
        widen(t->rank, t->dims, dims);
        BUG_IF(dnnl_memory_desc_init_by_tag(&md, (int)t->rank, dims, dnnl_f32, dnnl_nChw16c) !=
               dnnl_success);
        return md;
    }
    /* Steps of dimensions of 1 say nothing, but oneDNN compares them with what it expects. */
    if (tensor_is(t, LAYOUT_CHANNELS_LAST)) {
        tensor_set_strides(&plain, LAYOUT_CHANNELS_LAST);
    } else if (tensor_is(t, LAYOUT_ROWS)) {
        tensor_set_strides(&plain, LAYOUT_ROWS);
    }
    return strided(plain.rank, plain.dims, plain.strides);
}

dnnl_memory_desc_t dnn_rows(uint32_t rank, const int64_t *dims)
{
    struct tensor t = {.rank = rank};
    memcpy(t.dims, dims, rank * sizeof *dims);
    tensor_set_strides(&t, LAYOUT_ROWS);
    return strided(rank, t.dims, t.strides);
}

/* ------------------------------------------------------------------ attributes */

dnnl_primitive_attr_t dnn_attributes(dnnl_post_ops_t ops)
{
    dnnl_primitive_attr_t attr;
    BUG_IF(dnnl_primitive_attr_create(&attr) != dnnl_success);
    BUG_IF(dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user) !=
           dnnl_success);
    BUG_IF(ops && dnnl_primitive_attr_set_post_ops(attr, ops) != dnnl_success);
    return attr;
}

static bool append(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float a, float b)
{
    return dnn_ok(dnnl_post_ops_append_eltwise(ops, 1, kind, a, b));
}

bool dnn_activation(dnnl_post_ops_t ops, const struct activation *act)
{
    return act->fn == FN_NONE         ? true
           : act->fn == FN_RELU       ? append(ops, dnnl_eltwise_relu, 0, 0)
           : act->fn == FN_LEAKY_RELU ? append(ops, dnnl_eltwise_relu, act->a, 0)
           : act->fn == FN_GELU       ? append(ops, dnnl_eltwise_gelu_erf, 0, 0)
           : act->fn == FN_CLIP       ? append(ops, dnnl_eltwise_clip_v2, act->a, act->b)
                                      : false;
}

/* ------------------------------------------------------------------ primitives */

const dnnl_memory_desc_t *dnn_wants(dnnl_primitive_desc_t pd, int arg)
{
    return dnnl_primitive_desc_query_md(pd, dnnl_query_exec_arg_md, arg);
}

const char *dnn_implementation(dnnl_primitive_desc_t pd)
{
    const char *name = "";
    dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &name);
    return name;
}

void dnn_reorder(const dnnl_memory_desc_t *from, const float *source, const dnnl_memory_desc_t *to,
                 float *out, float scale)
{
    dnnl_primitive_desc_t pd;
    dnnl_primitive_t primitive;
    dnnl_stream_t stream;
    dnnl_memory_t in_memory, out_memory;
    dnnl_primitive_attr_t attr;
    dnn_use_one_thread();
    bool ok =
        dnnl_primitive_attr_create(&attr) == dnnl_success &&
        dnnl_primitive_attr_set_output_scales(attr, 1, 0, &scale) == dnnl_success &&
        dnnl_reorder_primitive_desc_create(&pd, from, dnn_engine(), to, dnn_engine(), attr) ==
            dnnl_success &&
        dnnl_primitive_create(&primitive, pd) == dnnl_success &&
        dnnl_stream_create(&stream, dnn_engine(), dnnl_stream_default_flags) == dnnl_success &&
        dnnl_memory_create(&in_memory, from, dnn_engine(), (void *)(uintptr_t)source) ==
            dnnl_success &&
        dnnl_memory_create(&out_memory, to, dnn_engine(), out) == dnnl_success;
    BUG_IF(!ok);
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, in_memory}, {DNNL_ARG_TO, out_memory}};
    BUG_IF(dnnl_primitive_execute(primitive, stream, 2, args) != dnnl_success);
    dnnl_memory_destroy(in_memory);
    dnnl_memory_destroy(out_memory);
    dnnl_stream_destroy(stream);
    dnnl_primitive_destroy(primitive);
    dnnl_primitive_desc_destroy(pd);
    dnnl_primitive_attr_destroy(attr);
}

static void run_primitive(const struct run *r, const void *arg)
{
    const struct dnn_step *s = arg;
    for (int i = 0; s->inputs >> i; i++) {
        if (s->inputs >> i & 1) {
            dnnl_memory_set_data_handle(s->args[i].memory, tensor_at(r, s->uses[i].tensor));
        }
    }
    BUG_IF(dnnl_primitive_execute(s->primitive, s->stream, s->n, s->args) != dnnl_success);
}

static void add_scratchpad(struct plan *p, struct dnn_step *s, dnnl_primitive_desc_t pd)
{
    const dnnl_memory_desc_t *md = dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
    size_t bytes = md ? dnnl_memory_desc_get_size(md) : 0;
    if (bytes > 0) {
        s->layouts[s->n] = *md;
        s->uses[s->n++] = (struct dnn_use){DNNL_ARG_SCRATCHPAD, true,
                                           plan_scratch(p, (int64_t)(bytes + 3) / 4), NULL};
    }
}

enum err_code dnn_add(struct plan *p, const char *what, dnnl_primitive_desc_t pd,
                      const struct dnn_use *uses, size_t n, struct err *err)
{
    const struct tensor *reads[DNN_USES + 1], *writes[DNN_USES + 2];
    size_t n_reads = 0, n_writes = 0;
    struct dnn_step *s = arena_calloc(&p->arena, 1, sizeof *s);
    BUG_IF(n > DNN_USES);
    for (size_t i = 0; i < n; i++) {
        s->uses[i] = uses[i];
        s->layouts[i] = *dnn_wants(pd, uses[i].arg);
        if (uses[i].tensor) {
            s->inputs |= (uint32_t)(uses[i].tensor->buffer == BUFFER_INPUT) << i;
            if (uses[i].written) {
                writes[n_writes++] = uses[i].tensor;
            } else {
                reads[n_reads++] = uses[i].tensor;
            }
        }
    }
    s->n = (int)n;
    reads[n_reads] = writes[n_writes] = NULL;
    add_scratchpad(p, s, pd);
    dnnl_status_t status = dnnl_primitive_create(&s->primitive, pd);
    dnnl_primitive_desc_destroy(pd);
    if (status != dnnl_success) {
        return err_rule(err, ERR_BUSY, "model-memory",
                        "oneDNN could not make code for a layer (status %d).", (int)status);
    }
    s->next = p->dnn;
    p->dnn = s;
    plan_step(p, what, run_primitive, s, reads, writes);
    return OK;
}

static enum err_code bind_step(struct plan *p, struct dnn_step *s, struct err *err)
{
    const struct run run = {p->places};
    for (int i = 0; i < s->n; i++) {
        const struct dnn_use *use = &s->uses[i];
        if (use->weight) {
            enum err_code rc = weights_fill(p->weights, use->weight, err);
            if (rc != OK) {
                return rc;
            }
        }
        void *data = use->weight                           ? weight_data(use->weight)
                     : use->tensor->buffer == BUFFER_INPUT ? DNNL_MEMORY_NONE
                                                           : tensor_at(&run, use->tensor);
        s->args[i].arg = use->arg;
        BUG_IF(dnnl_memory_create(&s->args[i].memory, &s->layouts[i], dnn_engine(), data) !=
               dnnl_success);
    }
    s->stream = p->stream;
    return OK;
}

enum err_code dnn_bind(struct plan *p, struct err *err)
{
    enum err_code rc = OK;
    dnnl_stream_t stream;
    dnn_use_one_thread();
    BUG_IF(dnnl_stream_create(&stream, dnn_engine(), dnnl_stream_default_flags) != dnnl_success);
    p->stream = stream;
    for (struct dnn_step *s = p->dnn; rc == OK && s; s = s->next) {
        rc = bind_step(p, s, err);
    }
    return rc;
}

void dnn_free(struct plan *p)
{
    for (struct dnn_step *s = p->dnn; s; s = s->next) {
        for (int i = 0; i < s->n; i++) {
            dnnl_memory_destroy(s->args[i].memory);
        }
        dnnl_primitive_destroy(s->primitive);
    }
    if (p->stream) {
        dnnl_stream_destroy(p->stream);
    }
}
