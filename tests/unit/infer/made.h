/* made.h - ONNX models written by hand in tests: a line for each node.
 *
 *   struct made m;
 *   made_begin(&m);
 *   made_input(&m, "x", DIMS(1, 3, 8, 8));            a dimension of 0: open
 *   made_floats(&m, "w", DIMS(4, 3, 3, 3), NULL);     NULL: 1, 2, 3 ... over 8
 *   made_node(&m, "Conv", "x w", "y", "pads=1,1,1,1 group=1");
 *   made_output(&m, "y");
 *
 * Attributes: NAME=INT or NAME=INT,INT (a list ends with a comma when it has one), NAME:FLOAT,
 * NAME'WORD'. A name "-" is an input that is left out. */
#ifndef MADE_H
#define MADE_H

#include "unit.h"

#include "base/str.h"
#include "infer/graph/graph.h"

enum { MADE_BYTES = 8 << 20, MADE_MOST = 1 << 24 /* elements of constants made from others */ };

struct made {
    struct str graph, file;
    int64_t opset;
    struct onnx_file *onnx;
    struct arena build, shapes;
    struct err err;
};

void made_begin(struct made *m); /* opset 13 */
void made_end(struct made *m);

void made_input(struct made *m, const char *name, const int64_t *dims);
void made_typed_input(struct made *m, const char *name, int type, const int64_t *dims);
void made_output(struct made *m, const char *name);
void made_floats(struct made *m, const char *name, const int64_t *dims, const float *data);
void made_ints(struct made *m, const char *name, const int64_t *dims, const int64_t *data);
void made_node(struct made *m, const char *op, const char *inputs, const char *outputs,
               const char *attributes);
/* A node whose attribute `name` is this TensorProto. */
void made_tensor_node(struct made *m, const char *op, const char *inputs, const char *outputs,
                      const char *name, const struct str *tensor);

/* The file's bytes. */
struct sv made_file(struct made *m);
/* Reads, builds and gives dimensions; `err` of m says why not. */
enum err_code made_build(struct made *m, struct graph **g);
enum err_code made_shapes(struct made *m, int64_t batch, int64_t side, struct graph **g);
/* The same, and it must succeed: batch 2. */
struct graph *made_graph(struct made *m);
/* made_shapes must fail with this rule, and the message hold that text. */
void made_refused(struct made *m, const char *rule, const char *text);

/* Protobuf: a number, bytes, a float in a field. */
void proto_number(struct str *s, unsigned field, uint64_t v);
void proto_bytes(struct str *s, unsigned field, const void *p, size_t n);
void proto_text(struct str *s, unsigned field, const char *text);
void proto_float(struct str *s, unsigned field, float v);
void proto_varint(struct str *s, uint64_t v);
/* A TensorProto with raw data. */
void proto_tensor(struct str *s, const char *name, int type, const int64_t *dims, const void *raw,
                  size_t bytes);

/* Nodes of a graph: how many of that operator, the only one of it, the value of a name. */
size_t graph_count(const struct graph *g, enum op op);
const struct node *graph_only(const struct graph *g, enum op op);
const struct value *graph_value(const struct graph *g, const char *name);
void assert_dims(const struct value *v, const int64_t *dims);

#ifndef DIMS
#define DIMS(...) ((const int64_t[]){__VA_ARGS__, -1})
#endif
#define NO_DIMS ((const int64_t[]){-1})

#endif
