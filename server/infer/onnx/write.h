/* write.h - makes an ONNX file: nodes, weights, ports, one after the other. What it makes is plain ONNX (IR 8, operator
 * set 13, float weights as raw bytes) for any runtime. Knows nothing of what an operator means. */
#ifndef INFER_ONNX_WRITE_H
#define INFER_ONNX_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct onnx_writer {
    struct str graph; /* the fields of GraphProto, in the order they were said */
};

/* One of i, f or ints, by kind. */
struct onnx_write_attribute {
    const char *name;
    enum { WRITE_INT, WRITE_FLOAT, WRITE_INTS } kind;
    int64_t i;
    float f;
    const int64_t *ints;
    size_t n;
};

/* `max`: bytes of the whole file, at which onnx_write_file fails with ERR_LIMIT. */
void onnx_write_begin(struct onnx_writer *w, const char *graph, size_t max);
void onnx_write_release(struct onnx_writer *w);

/* Float tensors. A dimension of -1 is open and called "N". */
void onnx_write_input(struct onnx_writer *w, const char *name, const int64_t *dims, size_t rank);
void onnx_write_output(struct onnx_writer *w, const char *name, const int64_t *dims, size_t rank);
void onnx_write_weights(struct onnx_writer *w, const char *name, const int64_t *dims, size_t rank,
                        const float *data);
/* In an order in which they can run. `inputs` ends with NULL; the node is named after its output. */
void onnx_write_node(struct onnx_writer *w, const char *op, const char *const *inputs,
                     const char *output, const struct onnx_write_attribute *attributes, size_t n);

/* The file's bytes; `out` is empty and has its maximum. */
enum err_code onnx_write_bytes(const struct onnx_writer *w, struct str *out, struct err *err);
/* Writes the file, flushed, whole or not at all. */
enum err_code onnx_write_file(const struct onnx_writer *w, const char *path, struct err *err);

#endif
