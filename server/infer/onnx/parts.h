/* parts.h - the messages within an ONNX file, one function each. Private to the reader
 * (onnx.c). */
#ifndef INFER_ONNX_PARTS_H
#define INFER_ONNX_PARTS_H

#include "infer/onnx/wire.h"

struct onnx_external; /* external.c: data files beside the model */

struct onnx_reader {
    struct arena *a;
    struct onnx_external *external; /* NULL: there is no folder to look into */
    bool all_aligned;               /* large tensors too */
};

/* Where a tensor says that its bytes are. */
struct onnx_place {
    struct sv location;
    uint64_t offset, length;
    bool has_length;
};

bool onnx_is_aligned(const void *p, enum tensor_type type);
enum err_code onnx_copy(struct arena *a, const void *from, size_t n, const void **out,
                        struct err *err);
enum tensor_type
onnx_type_of(uint64_t number); /* of the file's number; TYPE_NONE: cannot be read */
enum err_code onnx_tensor_read(struct onnx_reader *r, struct wire w, struct onnx_tensor *out,
                               struct err *err);
enum err_code onnx_node_read(struct onnx_reader *r, struct wire w, struct onnx_node *out,
                             struct err *err);
enum err_code onnx_port_read(struct wire w, struct onnx_port *out, struct err *err);

struct onnx_external *onnx_external_new(struct arena *a, const char *model_path);
/* The `need` bytes of tensor `name` at that place; they live as long as the external. */
enum err_code onnx_external_bytes(struct onnx_external *x, const struct onnx_place *at,
                                  struct sv name, uint64_t need, struct wire *out, struct err *err);
/* The model's path and those of the data files that were opened. */
size_t onnx_external_paths(const struct onnx_external *x, const char *const **paths);
bool onnx_external_holds(const struct onnx_external *x,
                         const void *p); /* p lies in one of their maps */
void onnx_external_close(struct onnx_external *x);

/* Gives the whole pages within a part of a read-only map of a file back; they come again when they
 * are read. */
void onnx_drop_pages(const void *p, size_t n);

#endif
