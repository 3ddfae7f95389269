/* wire.c - the six lines of protobuf that everything else of the reader stands on. */
#include "infer/onnx/wire.h"

#include <string.h>

enum { VARINT_BYTES = 10 };

static bool take_varint(struct wire *w, uint64_t *out)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < VARINT_BYTES && w->p < w->end; i++) {
        unsigned char b = *w->p++;
        v |= (uint64_t)(b & 0x7f) << (7 * i);
        if (b < 0x80) {
            *out = v;
            return true;
        }
    }
    return false;
}

uint64_t wire_varint(struct wire *w)
{
    uint64_t v = 0;
    BUG_IF(!take_varint(w, &v));
    return v;
}

static bool take_fixed(struct wire *w, size_t n, uint64_t *out)
{
    if (wire_left(w) < n) {
        return false;
    }
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        v |= (uint64_t)w->p[i] << (8 * i);
    }
    w->p += n;
    *out = v;
    return true;
}

static bool take_bytes(struct wire *w, struct wire *out)
{
    uint64_t n;
    if (!take_varint(w, &n) || n > wire_left(w)) {
        return false;
    }
    *out = wire_of(w->p, (size_t)n);
    w->p += n;
    return true;
}

static bool take_value(struct wire *w, struct field *f)
{
    switch (f->type) {
    case WIRE_VARINT:
        return take_varint(w, &f->number);
    case WIRE_FIXED64:
        return take_fixed(w, 8, &f->number);
    case WIRE_FIXED32:
        return take_fixed(w, 4, &f->number);
    case WIRE_BYTES:
        return take_bytes(w, &f->bytes);
    }
    return false;
}

bool wire_next(struct wire *w, struct field *f, const char *in, enum err_code *rc, struct err *err)
{
    if (w->p == w->end) {
        return false;
    }
    uint64_t tag;
    bool whole = take_varint(w, &tag);
    if (whole && (tag >> 3 == 0 || tag >> 3 > 0x1fffffff ||
                  ((tag & 7) > WIRE_BYTES && (tag & 7) != WIRE_FIXED32))) {
        *rc = err_rule(
            err, ERR_INPUT, "onnx-form",
            "the ONNX file holds bytes that are not a field in %s: it is damaged or in another format",
            in);
        return false;
    }
    if (whole) {
        *f = (struct field){.id = (uint32_t)(tag >> 3), .type = (enum wire_type)(tag & 7)};
        whole = take_value(w, f);
    }
    if (!whole) {
        *rc = err_rule(
            err, ERR_INPUT, "onnx-truncated",
            "the ONNX file ends in the middle of %s: it is cut off or damaged; copy it again", in);
    }
    return whole;
}

enum err_code wire_count(const struct field *f, enum wire_type each, size_t *n, struct err *err)
{
    *n = 1;
    if (f->type != WIRE_BYTES) {
        return wire_expect(f, each, "a number of a list", err);
    }
    struct wire w = f->bytes;
    size_t width = each == WIRE_FIXED32 ? 4 : 8;
    bool whole = true;
    if (each == WIRE_VARINT) {
        uint64_t v;
        for (*n = 0; w.p < w.end && whole; ++*n) {
            whole = take_varint(&w, &v);
        }
    } else {
        *n = wire_left(&w) / width;
        whole = wire_left(&w) % width == 0;
    }
    if (!whole) {
        return err_rule(err, ERR_INPUT, "onnx-truncated",
                        "a list of numbers in the ONNX file is cut off");
    }
    return OK;
}

enum err_code wire_expect(const struct field *f, enum wire_type type, const char *what,
                          struct err *err)
{
    if (f->type == type) {
        return OK;
    }
    return err_rule(err, ERR_INPUT, "onnx-form",
                    "the ONNX file gives %s in a form that the format does not allow", what);
}

enum err_code wire_text(const struct field *f, const char *what, struct sv *out, struct err *err)
{
    enum err_code rc = wire_expect(f, WIRE_BYTES, what, err);
    if (rc != OK) {
        return rc;
    }
    struct sv s = sv_make((const char *)f->bytes.p, wire_left(&f->bytes));
    if (s.n > WIRE_NAME) {
        return err_rule(err, ERR_INPUT, "onnx-form",
                        "%s in the ONNX file has %zu bytes; at most %d can be read", what, s.n,
                        WIRE_NAME);
    }
    bool plain = sv_utf8(s);
    for (size_t i = 0; i < s.n && plain; i++) {
        plain = (unsigned char)s.p[i] >= ' ' && s.p[i] != 0x7f;
    }
    if (!plain) {
        return err_rule(err, ERR_INPUT, "onnx-form",
                        "%s in the ONNX file is not UTF-8 text without control characters", what);
    }
    *out = s;
    return OK;
}

struct sv onnx_cut(struct sv name, size_t most)
{
    struct sv rest = name;
    while (rest.n) {
        size_t step = sv_utf8_first(rest);
        size_t shown = name.n - rest.n;
        if (step == 0 || shown + step > most) {
            return sv_make(name.p, shown);
        }
        rest = sv_make(rest.p + step, rest.n - step);
    }
    return name;
}

enum err_code onnx_room(const struct arena *a, size_t count, size_t size, struct err *err)
{
    /* What the arena adds for alignment is small beside the 64 bytes. */
    size_t room = a->max - a->used;
    if (room < 64 || (count && size > (room - 64) / count)) {
        return err_rule(err, ERR_LIMIT, "onnx-size",
                        "the model asks for more memory than its size explains");
    }
    return OK;
}

enum err_code onnx_take(struct arena *a, size_t count, size_t size, void *out, struct err *err)
{
    count = count ? count : 1;
    enum err_code rc = onnx_room(a, count, size, err);
    if (rc == OK) {
        void *p = arena_calloc(a, count, size);
        memcpy(out, &p, sizeof p);
    }
    return rc;
}
