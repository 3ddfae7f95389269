/* fuzz_onnx.c - any bytes as an ONNX file: read, built into a graph, given dimensions.
 *
 * Graphs that only resize are planned too: what their steps read is calculated from the file's numbers.
 *
 * Bytes changed blindly break the lengths that protobuf puts before everything, so the mutator
 * below takes the file apart, changes one field and puts it together again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "infer/graph/graph.h"
#include "infer/onnx/wire.h"
#include "infer/plan/private.h"

enum { FUZZ_BYTES = 64 << 10, FUZZ_BATCH = 2, FUZZ_SIDE = 8 };
static const size_t FUZZ_MEMORY = 48 << 20;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);
/* Of libFuzzer; not there when the corpus is replayed. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);

/* Constants can be read to their last byte. */
static void touch(const struct value *v)
{
    if (v->data) {
        size_t n = (size_t)value_elements(v) * tensor_type_size(v->type);
        volatile unsigned char seen = 0;
        for (size_t i = 0; i < n; i += i + 64 < n ? 64 : 1) {
            seen = (unsigned char)(seen ^ ((const unsigned char *)v->data)[i]);
        }
    }
}

static bool is_given(const struct graph *g, int value)
{
    for (size_t i = 0; i < g->n_inputs; i++) {
        if (g->inputs[i] == value) {
            return true;
        }
    }
    return g->values[value].data != NULL;
}

static void check_use(const struct graph *g, int value, size_t at)
{
    BUG_IF(value < -1 || (value >= 0 && (size_t)value >= g->n_values));
    if (value >= 0) {
        const struct value *v = &g->values[value];
        BUG_IF(!is_given(g, value) && (v->producer < 0 || (size_t)v->producer >= at));
        touch(v);
    }
}

/* Nodes stand in an order in which they can run, and what they read is there. */
static void check(const struct graph *g, bool shaped)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        BUG_IF(n->op == OP_NONE || n->n_outputs < 1);
        BUG_IF(shaped && (n->op == OP_SHAPE || n->op == OP_CAST || n->op == OP_FOLD_ONLY));
        for (uint32_t k = 0; k < n->n_inputs; k++) {
            check_use(g, n->inputs[k], i);
        }
        check_use(g, n->residual, i);
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            const struct value *v = n->outputs[o] >= 0 ? &g->values[n->outputs[o]] : NULL;
            BUG_IF(v && (v->data || v->producer != (int)i));
            BUG_IF(v && shaped && value_elements(v) < 1);
        }
    }
    for (size_t i = 0; i < g->n_outputs; i++) {
        BUG_IF(g->outputs[i] < 0 || !g->values[g->outputs[i]].output);
    }
}

static void plan(const struct graph *g)
{
    struct err err = {OK, "", ""};
    struct plan *p;
    for (size_t i = 0; i < g->n_nodes; i++) {
        if (g->nodes[i].op != OP_RESIZE || g->n_inputs != 1) {
            return;
        }
    }
    struct plan_part part = {0, g->n_nodes, g->inputs[0], g->outputs, g->n_outputs};
    struct weights *w = weights_new(g, NULL);
    enum err_code rc = plan_new(g, w, &part, &p, &err);
    BUG_IF(rc != err.code || (rc != OK && !err.msg[0]) || rc == ERR_BUG);
    plan_free(p);
    weights_free(w);
}

static void build(const struct onnx_model *m)
{
    struct arena a, b;
    struct graph *g, *sized;
    struct err err = {OK, "", ""};
    arena_init(&a, FUZZ_MEMORY);
    arena_init(&b, FUZZ_MEMORY);
    enum err_code rc = graph_build(m, NULL, 0, 1 << 24, &a, &g, &err);
    BUG_IF(rc != err.code || (rc != OK && !err.msg[0]) || rc == ERR_BUG);
    if (rc == OK) {
        check(g, false);
        const struct value *first = g->n_inputs ? &g->values[g->inputs[0]] : NULL;
        int64_t batch = first && first->rank && first->dims[0] > 0 ? first->dims[0] : FUZZ_BATCH;
        rc = graph_shapes(g, batch, FUZZ_SIDE, &b, &sized, &err);
        BUG_IF(rc != err.code || (rc != OK && !err.msg[0]) || rc == ERR_BUG);
        if (rc == OK) {
            check(sized, true);
            plan(sized);
        }
    }
    arena_release(&b);
    arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct onnx_file *f;
    struct err err = {OK, "", ""};
    if (n > FUZZ_BYTES) {
        return -1;
    }
    enum err_code rc = onnx_read(data, n, &f, &err);
    BUG_IF(rc != err.code || (rc != OK && !err.msg[0]) || rc == ERR_BUG);
    if (rc == OK) {
        build(onnx_model(f));
        onnx_close(f);
    }
    return 0;
}

/* Which fields of a message are messages, and of what kind. */
enum kind {
    MODEL,
    OPSET,
    GRAPH,
    NODE,
    ATTRIBUTE,
    TENSOR,
    ENTRY,
    PORT,
    TYPE,
    TENSOR_TYPE,
    SHAPE,
    DIM,
    LEAF
};
static enum kind kind_within(enum kind k, uint32_t field)
{
    static const struct {
        enum kind in;
        uint32_t field;
        enum kind is;
    } parts[] = {{MODEL, 7, GRAPH},    {MODEL, 8, OPSET},      {GRAPH, 1, NODE},
                 {GRAPH, 5, TENSOR},   {GRAPH, 11, PORT},      {GRAPH, 12, PORT},
                 {NODE, 5, ATTRIBUTE}, {ATTRIBUTE, 5, TENSOR}, {TENSOR, 13, ENTRY},
                 {PORT, 2, TYPE},      {TYPE, 1, TENSOR_TYPE}, {TENSOR_TYPE, 2, SHAPE},
                 {SHAPE, 1, DIM}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].in == k && parts[i].field == field) {
            return parts[i].is;
        }
    }
    return LEAF;
}

struct change {
    size_t target, seen; /* the field that is changed, and how many came before */
    unsigned how;        /* drawn bits */
    struct sv lent;      /* a name from elsewhere in the file */
};

static void put_varint(struct str *s, uint64_t v)
{
    for (; v >= 0x80; v >>= 7) {
        str_addc(s, (char)(0x80 | (v & 0x7f)));
    }
    str_addc(s, (char)v);
}

static void put_bytes(struct str *s, uint32_t id, const void *p, size_t n)
{
    put_varint(s, (uint64_t)id << 3 | WIRE_BYTES);
    put_varint(s, n);
    str_add(s, p, n);
}

static void put_same(struct str *s, const struct field *f)
{
    if (f->type == WIRE_BYTES) {
        put_bytes(s, f->id, f->bytes.p, wire_left(&f->bytes));
        return;
    }
    put_varint(s, (uint64_t)f->id << 3 | f->type);
    if (f->type == WIRE_VARINT) {
        put_varint(s, f->number);
    } else {
        str_add(s, &f->number, f->type == WIRE_FIXED32 ? 4 : 8);
    }
}

static void put_changed(struct str *s, const struct field *f, struct change *c)
{
    static const uint64_t numbers[] = {0,       1,        2,          3,         7,         12,
                                       1 << 10, 1U << 31, 1ULL << 40, INT64_MAX, UINT64_MAX};
    static uint8_t room[FUZZ_BYTES];
    unsigned how = c->how & 7;
    if (how == 0) {
        return; /* the field is gone */
    }
    if (how == 1) {
        put_same(s, f);
        put_same(s, f);
    } else if (f->type != WIRE_BYTES) {
        struct field changed = *f;
        size_t k = c->how >> 3;
        changed.number =
            how < 5 ? numbers[k % (sizeof numbers / sizeof *numbers)] : f->number + k % 9 - 4;
        put_same(s, &changed);
    } else if (how == 2 && c->lent.n) {
        put_bytes(s, f->id, c->lent.p, c->lent.n);
    } else {
        size_t n = wire_left(&f->bytes);
        n = n > sizeof room / 2 ? sizeof room / 2 : n;
        memcpy(room, f->bytes.p, n);
        put_bytes(s, f->id, room,
                  LLVMFuzzerMutate ? LLVMFuzzerMutate(room, n, sizeof room / 2) : n);
    }
}

static void rewrite(struct wire w, enum kind kind, struct change *c, struct str *out)
{
    enum err_code rc = OK;
    struct field f;
    while (wire_next(&w, &f, "", &rc, NULL)) {
        enum kind inner = f.type == WIRE_BYTES ? kind_within(kind, f.id) : LEAF;
        /* Messages are taken apart more often than they are changed as a whole. */
        bool here = c->seen++ == c->target;
        if (f.type == WIRE_BYTES && inner == LEAF && wire_left(&f.bytes) < 32 &&
            (c->seen ^ c->how) % 5 == 0) {
            c->lent = sv_make((const char *)f.bytes.p, wire_left(&f.bytes));
        }
        if (here) {
            put_changed(out, &f, c);
        } else if (inner == LEAF) {
            put_same(out, &f);
        } else {
            struct str part;
            str_init(&part, FUZZ_BYTES);
            rewrite(f.bytes, inner, c, &part);
            put_bytes(out, f.id, part.p ? part.p : "", part.n);
            str_release(&part);
        }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
    struct change count = {.target = SIZE_MAX};
    struct str out;
    str_init(&out, FUZZ_BYTES);
    rewrite(wire_of(data, n), MODEL, &count, &out);
    struct change c = {.target = count.seen ? seed % count.seen : 0,
                       .how = seed * 2654435761U >> 7,
                       .lent = count.lent};
    str_clear(&out);
    rewrite(wire_of(data, n), MODEL, &c, &out);
    size_t made = out.over || out.n > max ? 0 : out.n;
    if (made) {
        memcpy(data, out.p, made);
    }
    str_release(&out);
    return made ? made : LLVMFuzzerMutate(data, n, max);
}
