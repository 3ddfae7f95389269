/* wire.h - protobuf fields out of bytes that cannot be trusted.
 *
 * A wire is a window on the mapped file: it never reads beyond its end and copies nothing. Messages
 * within messages are wires of their own; the walk over them is written out for each kind
 * (nodes.c ...), so nesting is as deep as the code and no deeper. Private to infer/. */
#ifndef INFER_ONNX_WIRE_H
#define INFER_ONNX_WIRE_H

#include <stdint.h>

#include "infer/onnx/onnx.h"

struct wire {
    const unsigned char *p, *end;
};
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };
/* One field: `number` of a varint or fixed one, `bytes` of the others. */
struct field {
    uint32_t id;
    enum wire_type type;
    uint64_t number;
    struct wire bytes;
};

static inline struct wire wire_of(const void *p, size_t n)
{
    const unsigned char *b = p;
    return (struct wire){b, b ? b + n : b};
}
static inline size_t wire_left(const struct wire *w)
{
    return (size_t)(w->end - w->p);
}
/* The next field; false at the end and when the bytes are no field: then *rc and err say so, else
 * *rc is left alone. `in` names the message that is read. */
bool wire_next(struct wire *w, struct field *f, const char *in, enum err_code *rc, struct err *err);
/* A varint of a packed list. The list was seen to be whole by wire_count. */
uint64_t wire_varint(struct wire *w);
/* Numbers in a field that may be packed (bytes) or single; ERR_INPUT when packed ones are cut off.
 */
enum err_code wire_count(const struct field *f, enum wire_type each, size_t *n, struct err *err);

/* The field's wire type is the one that the format says; else ERR_INPUT "onnx-form". */
enum err_code wire_expect(const struct field *f, enum wire_type type, const char *what,
                          struct err *err);
/* Text of a field: UTF-8 without control characters, at most WIRE_NAME bytes. */
enum { WIRE_NAME = 1024 };
enum err_code wire_text(const struct field *f, const char *what, struct sv *out, struct err *err);

/* How a name is shown in a message: not all of a long one, cut between characters. */
struct sv onnx_cut(struct sv name, size_t most);
#define SHOWN(name) (int)onnx_cut((name), 80).n, (name).p

/* ERR_LIMIT when count * size more bytes would pass the arena's maximum, which is the reader's
 * budget. */
enum err_code onnx_room(const struct arena *a, size_t count, size_t size, struct err *err);
/* The same, and *out becomes the zeroed bytes. */
enum err_code onnx_take(struct arena *a, size_t count, size_t size, void *out, struct err *err);

#endif
