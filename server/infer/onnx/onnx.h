/* onnx.h - what an ONNX file says, read by a bounded walk over the mapped file.
 *
 * Weights are not copied: tensors point into the map (or into the map of an external data file) when their
 * bytes stand there as little-endian numbers; only typed fields (float_data, int64_data ...) are gathered
 * into the arena. Everything is checked against the bytes that are there before it is believed: lengths, counts,
 * element counts against byte counts, nesting, UTF-8 of names. Knows nothing of what an operator means. */
#ifndef INFER_ONNX_ONNX_H
#define INFER_ONNX_ONNX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"

enum { TENSOR_RANK = 8, ONNX_NODES = 200000, ONNX_ATTRIBUTES = 64, ONNX_INPUTS = 4096, ONNX_COPY = 64 << 10 };

enum tensor_type { TYPE_NONE, TYPE_F32, TYPE_I64, TYPE_I32, TYPE_F64, TYPE_BOOL, TYPE_U8, TYPE_I8, TYPE_F16 };
size_t tensor_type_size(enum tensor_type type); /* bytes of one element */

/* A constant. `data` is NULL when it has no elements. Up to ONNX_COPY bytes it is aligned for its type; larger ones
 * of a file may begin at any byte of the map: memcpy reads them. */
struct onnx_tensor {
    struct sv name;
    enum tensor_type type;
    uint32_t rank;
    int64_t dims[TENSOR_RANK]; /* >= 0; their product times the element size is `bytes`, which is there */
    uint64_t bytes;
    const void *data;
};
enum onnx_attribute_kind { ATTR_INT, ATTR_FLOAT, ATTR_STRING, ATTR_TENSOR, ATTR_INTS, ATTR_FLOATS, ATTR_OTHER };
struct onnx_attribute {
    struct sv name;
    enum onnx_attribute_kind kind; /* ATTR_OTHER: graphs, string lists: kept by name so that they can be refused */
    int64_t i;
    float f;
    struct sv s;
    const struct onnx_tensor *t;
    const int64_t *ints;
    const float *floats;
    size_t n; /* of ints or floats */
};
struct onnx_node {
    struct sv op, name, domain; /* "Conv", "/layer1/conv1", "" or "ai.onnx" */
    const struct sv *inputs, *outputs; /* an empty name: left out */
    const struct onnx_attribute *attributes;
    size_t n_inputs, n_outputs, n_attributes;
};
/* A declared input or output. Dimension -1: symbolic (batch). */
struct onnx_port {
    struct sv name;
    enum tensor_type type;
    uint32_t rank;
    bool shaped; /* the file says a shape */
    int64_t dims[TENSOR_RANK];
};
struct onnx_model {
    int64_t opset; /* of the default domain */
    struct sv producer, graph;
    struct onnx_node *nodes;   /* in file order, which ONNX demands to be topological */
    struct onnx_tensor *initializers;
    struct onnx_port *inputs, *outputs; /* inputs without those that are initializers */
    size_t n_nodes, n_initializers, n_inputs, n_outputs;
};

struct onnx_file; /* the maps behind it */
/* Opens and reads `path`. External data is looked for in the folder of `path` only: an absolute location,
 * one with "..", a symbolic link that leaves the folder or a range outside the file is ERR_INPUT (rule
 * "onnx-external"). ERR_INPUT rules: "onnx-magic" (not an ONNX file), "onnx-truncated", "onnx-opset" (not
 * 6 to 18), "onnx-tensor" (claims more than is there), "onnx-form". The message names the place. */
enum err_code onnx_open(const char *path, struct onnx_file **out, struct err *err);
/* The same over bytes in memory, without external data (for tests and fuzzing); they must outlive it. */
enum err_code onnx_read(const void *bytes, size_t n, struct onnx_file **out, struct err *err);
const struct onnx_model *onnx_model(const struct onnx_file *f);
/* The file and its external data files, in the order first named: all that makes the model what it is. */
size_t onnx_parts(const struct onnx_file *f, const char *const **paths);
/* Gives weight pages back to the system after they were copied into the engine's layout; reading them again
 * is still right. */
void onnx_forget_pages(const struct onnx_file *f, const void *p, size_t n);
void onnx_close(struct onnx_file *f);
/* A lone TensorProto, as in *_output_0.pb of the ONNX test data, aligned. The arena holds what is gathered. */
enum err_code onnx_read_tensor(const void *bytes, size_t n, struct arena *a, struct onnx_tensor *out, struct err *err);

const struct onnx_attribute *onnx_attribute(const struct onnx_node *n, const char *name); /* NULL: not there */
int64_t onnx_int(const struct onnx_node *n, const char *name, int64_t otherwise);
float onnx_float(const struct onnx_node *n, const char *name, float otherwise);

#endif
