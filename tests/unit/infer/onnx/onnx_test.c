/* onnx_test.c - the reader: what a good file says, and what is answered to bad ones. */
#include "infer/made.h"

#include <string.h>

static enum err_code read_bytes(struct sv file, struct onnx_file **f, struct err *err)
{
    /* A copy of exactly this size lets the address sanitizer see a read past the end. */
    static char *held;
    free(held);
    held = malloc(file.n ? file.n : 1);
    assert_non_null(held);
    memcpy(held, file.p ? file.p : "", file.n);
    err_clear(err);
    return onnx_read(held, file.n, f, err);
}

static void refused(struct sv file, const char *rule, const char *text)
{
    struct onnx_file *f;
    struct err err = {0};
    enum err_code rc = read_bytes(file, &f, &err);
    if (rc == OK || strcmp(err.rule, rule) != 0 || !strstr(err.msg, text)) {
        fail_msg("wanted %s \"%s\", got %d %s \"%s\"", rule, text, rc, err.rule, err.msg);
    }
    assert_null(f);
}

static void small_model(struct made *m)
{
    made_begin(m);
    made_floats(m, "w", DIMS(4, 3, 1, 1), NULL);
    made_floats(m, "b", DIMS(4), NULL);
    made_input(m, "x", DIMS(0, 3, 8, 8));
    made_node(m, "Conv", "x w b", "c", "pads=0,0,0,0 group=1");
    made_node(m, "Elu", "c", "y", "alpha:0.5 word'text'");
    made_output(m, "y");
}

TEST(says_what_is_there)
{
    struct made m;
    struct onnx_file *f;
    struct err err = {0};
    small_model(&m);
    assert_int_equal(onnx_read(made_file(&m).p, made_file(&m).n, &f, &err), OK);
    const struct onnx_model *o = onnx_model(f);
    assert_int_equal(o->opset, 13);
    assert_true(sv_is(o->producer, "made"));
    assert_int_equal(o->n_nodes, 2);
    assert_int_equal(o->n_initializers, 2);
    assert_int_equal(o->n_inputs, 1);
    assert_int_equal(o->n_outputs, 1);
    const struct onnx_node *conv = &o->nodes[0];
    assert_true(sv_is(conv->op, "Conv") && sv_is(conv->inputs[2], "b") &&
                sv_is(conv->outputs[0], "c"));
    assert_int_equal(conv->n_inputs, 3);
    const struct onnx_attribute *pads = onnx_attribute(conv, "pads");
    assert_true(pads && pads->kind == ATTR_INTS && pads->n == 4 && pads->ints[3] == 0);
    assert_int_equal(onnx_int(conv, "group", 7), 1);
    assert_int_equal(onnx_int(conv, "pads", 7), 7);
    assert_null(onnx_attribute(conv, "strides"));
    assert_true(onnx_float(&o->nodes[1], "alpha", 1) == 0.5F);
    assert_true(onnx_float(&o->nodes[1], "beta", 1) == 1);
    assert_true(sv_is(onnx_attribute(&o->nodes[1], "word")->s, "text"));
    const struct onnx_tensor *w = &o->initializers[0];
    assert_true(sv_is(w->name, "w") && w->type == TYPE_F32 && w->rank == 4 && w->bytes == 48);
    assert_true(((const float *)w->data)[11] == 1.5F);
    assert_int_equal(o->inputs[0].dims[0], -1);
    assert_int_equal(o->inputs[0].dims[3], 8);
    assert_int_equal((uintptr_t)w->data % 4, 0);
    onnx_close(f);
    made_end(&m);
}

TEST(every_truncation_is_refused)
{
    struct made m;
    small_model(&m);
    struct sv file = made_file(&m);
    for (size_t n = 0; n < file.n; n++) {
        struct onnx_file *f;
        struct err err = {0};
        assert_int_equal(read_bytes(sv_make(file.p, n), &f, &err), ERR_INPUT);
        assert_true(strncmp(err.rule, "onnx-", 5) == 0);
        assert_true(strlen(err.msg) > 20);
    }
    made_end(&m);
}

TEST(other_files_are_told)
{
    refused(SV(""), "onnx-magic", "not an ONNX file");
    refused(SV("\xff\xd8\xff\xe0\0\x10JFIF"), "onnx-magic", "not an ONNX file");
    refused(SV("PK\3\4 a zip file of PyTorch"), "onnx-magic", "not an ONNX file");
    refused(SV("{\"model\": 1}"), "onnx-magic", "not an ONNX file");
    refused(SV("\x08\x07"), "onnx-magic", "not an ONNX file");
    refused(SV("\x08\x07\x3a\x7f"), "onnx-truncated", "ends in the middle");
    refused(SV("\x08\x07\x07"), "onnx-form", "not a field");
}

/* A model of one tensor, whose fields are these. */
static struct sv one_tensor(struct made *m, struct str *tensor)
{
    made_begin(m);
    proto_bytes(&m->graph, 5, tensor->p, tensor->n);
    str_release(tensor);
    return made_file(m);
}

TEST(tensors_claim_no_more_than_there_is)
{
    static const float three[3] = {1, 2, 3};
    static const struct {
        int64_t dims[12];
        int type;
        size_t bytes;
        const char *says;
    } bad[] = {
        {{1LL << 20, 1LL << 20, -1},
         1,
         12,
         "tensor layer1.weight claims 1099511627776 elements but has 12 bytes"},
        {{3, -1}, 1, 8, "claims 3 elements but has 8 bytes"},
        {{2, -1}, 1, 12, "claims 2 elements but has 12 bytes"},
        {{3, -1}, 7, 12, "claims 3 elements but has 12 bytes"},
        {{1LL << 32, 1LL << 31, -1}, 1, 12, "more elements than memory"},
        {{0, 1LL << 62, 1LL << 62, -1}, 1, 0, "more elements than memory"},
        {{1, 1, 1, 1, 1, 1, 1, 1, 3, -1}, 1, 12, "more than 8 dimensions"},
        {{3, -1}, 8, 12, "type string"},
        {{3, -1}, 16, 12, "type bfloat16"},
        {{3, -1}, 99, 12, "type unknown"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct made m;
        struct str t;
        str_init(&t, MADE_BYTES);
        proto_text(&t, 8, "layer1.weight");
        proto_tensor(&t, "layer1.weight", bad[i].type, bad[i].dims, three, bad[i].bytes);
        refused(one_tensor(&m, &t), "onnx-tensor", bad[i].says);
        made_end(&m);
    }
    struct made m;
    struct str t;
    str_init(&t, MADE_BYTES);
    proto_number(&t, 1, UINT64_MAX);
    refused(one_tensor(&m, &t), "onnx-tensor", "negative");
    made_end(&m);
}

/* Numbers in fields of their own, one by one and packed. */
TEST(typed_numbers_are_gathered)
{
    static const struct {
        int type;
        unsigned field;
        enum tensor_type is;
    } kinds[] = {{1, 4, TYPE_F32}, {2, 5, TYPE_U8},   {3, 5, TYPE_I8},   {6, 5, TYPE_I32},
                 {7, 7, TYPE_I64}, {9, 5, TYPE_BOOL}, {10, 5, TYPE_F16}, {11, 10, TYPE_F64}};
    static const float floats[] = {1, 2};
    static const double doubles[] = {1, 2};
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        bool packed = i & 1;
        int type = kinds[i / 2].type;
        unsigned field = kinds[i / 2].field;
        struct str t;
        struct arena a;
        struct onnx_tensor out;
        struct err err = {0};
        str_init(&t, MADE_BYTES);
        arena_init(&a, 1 << 16);
        proto_number(&t, 1, 2);
        proto_number(&t, 2, (uint64_t)type);
        if (field == 4 && !packed) {
            proto_float(&t, 4, 1);
            proto_float(&t, 4, 2);
        } else if (field == 4) {
            proto_bytes(&t, 4, floats, sizeof floats);
        } else if (field == 10) {
            proto_bytes(&t, 10, doubles, sizeof doubles);
        } else if (packed) {
            proto_bytes(&t, field, "\1\2", 2);
        } else {
            proto_number(&t, field, 1);
            proto_number(&t, field, 2);
        }
        assert_int_equal(onnx_read_tensor(t.p, t.n, &a, &out, &err), OK);
        assert_int_equal(out.type, kinds[i / 2].is);
        assert_int_equal(out.bytes, 2 * tensor_type_size(out.type));
        const unsigned char *b = out.data;
        size_t width = tensor_type_size(out.type);
        assert_true(out.type == TYPE_F32 ? memcmp(out.data, floats, sizeof floats) == 0
                    : out.type == TYPE_F64
                        ? memcmp(out.data, doubles, sizeof doubles) == 0
                        : b[0] == 1 && b[width] == 2 && (width == 1 || b[width + 1] == 0));
        arena_release(&a);
        str_release(&t);
    }
}

TEST(one_number_too_few)
{
    struct made m;
    struct str t;
    str_init(&t, MADE_BYTES);
    proto_text(&t, 8, "w");
    proto_number(&t, 1, 3);
    proto_number(&t, 2, 1);
    proto_float(&t, 4, 1);
    proto_float(&t, 4, 2);
    refused(one_tensor(&m, &t), "onnx-tensor", "claims 3 elements but has 2 numbers");
    made_end(&m);
    str_init(&t, MADE_BYTES);
    proto_number(&t, 1, 1);
    proto_number(&t, 2, 1);
    proto_bytes(&t, 4, "\0\0\0", 3);
    refused(one_tensor(&m, &t), "onnx-truncated", "cut off");
    made_end(&m);
}

TEST(forms_that_are_refused)
{
    struct made m;
    small_model(&m);
    m.opset = 5;
    refused(made_file(&m), "onnx-opset", "operator set 5; only 6 to 18");
    m.opset = 19;
    refused(made_file(&m), "onnx-opset", "operator set 19; only 6 to 18");
    m.opset = 0;
    refused(made_file(&m), "onnx-opset", "names no operator set");
    m.opset = 13;
    made_file(&m);
    proto_bytes(&m.file, 7, "", 0);
    refused(str_sv(&m.file), "onnx-form", "more than one graph");
    made_file(&m);
    proto_number(&m.graph, 1, 5);
    refused(made_file(&m), "onnx-form", "a part of the graph");
    made_end(&m);
    small_model(&m);
    proto_bytes(&m.graph, 15, "", 0);
    refused(made_file(&m), "onnx-form", "sparse");
    made_end(&m);
}

TEST(names_are_plain_text)
{
    struct made m;
    char name[1026];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    made_begin(&m);
    made_node(&m, "Relu", "x\x1b[31m", "y", "");
    refused(made_file(&m), "onnx-form", "control characters");
    made_end(&m);
    made_begin(&m);
    made_node(&m, "Relu", "\xff\xfe", "y", "");
    refused(made_file(&m), "onnx-form", "not UTF-8");
    made_end(&m);
    made_begin(&m);
    made_node(&m, "Relu", name, "y", "");
    refused(made_file(&m), "onnx-form", "1025 bytes; at most 1024");
    made_end(&m);
}

TEST(many_attributes_are_too_many)
{
    struct made m;
    char text[2 * (ONNX_ATTRIBUTES + 1) * 4];
    size_t n = 0;
    struct onnx_file *f;
    struct err err = {0};
    for (int i = 0; i <= ONNX_ATTRIBUTES; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%sa=1", i ? " " : "");
    }
    made_begin(&m);
    made_node(&m, "Relu", "x", "y", text);
    assert_int_equal(read_bytes(made_file(&m), &f, &err), ERR_LIMIT);
    assert_string_equal(err.rule, "onnx-size");
    made_end(&m);
}

/* A node of empty attributes takes fifty times its bytes; a file of them is not given that. */
TEST(memory_is_a_small_multiple_of_the_file)
{
    enum { NODES = 40000 };
    struct made m;
    struct str node;
    struct onnx_file *f;
    struct err err = {0};
    made_begin(&m);
    str_init(&node, MADE_BYTES);
    for (int i = 0; i < ONNX_ATTRIBUTES; i++) {
        proto_bytes(&node, 5, "", 0);
    }
    for (int i = 0; i < NODES; i++) {
        proto_bytes(&m.graph, 1, node.p, node.n);
    }
    str_release(&node);
    struct sv file = made_file(&m);
    assert_true(file.n < 6 << 20);
    assert_int_equal(onnx_read(file.p, file.n, &f, &err), ERR_LIMIT);
    assert_string_equal(err.rule, "onnx-size");
    made_end(&m);
}

struct outside {
    char *folder, *elsewhere;
    float data[4];
};

/* Writes model.onnx whose tensor w lies at `location`, and opens it. */
static enum err_code open_external(const struct outside *o, const char *location,
                                   const char *offset, const char *length, struct onnx_file **f,
                                   struct err *err)
{
    const char *const entries[][2] = {
        {"location", location}, {"offset", offset}, {"length", length}};
    struct made m;
    struct str t, e;
    made_begin(&m);
    str_init(&t, MADE_BYTES);
    proto_number(&t, 1, 4);
    proto_number(&t, 2, 1);
    proto_text(&t, 8, "w");
    for (size_t i = 0; i < 3; i++) {
        if (entries[i][1]) {
            str_init(&e, MADE_BYTES);
            proto_text(&e, 1, entries[i][0]);
            proto_text(&e, 2, entries[i][1]);
            proto_bytes(&t, 13, e.p, e.n);
            str_release(&e);
        }
    }
    proto_number(&t, 14, 1);
    proto_bytes(&m.graph, 5, t.p, t.n);
    str_release(&t);
    struct sv file = made_file(&m);
    unit_write(o->folder, "model.onnx", file.p, file.n);
    char *path = NULL;
    assert_true(asprintf(&path, "%s/model.onnx", o->folder) > 0);
    err_clear(err);
    enum err_code rc = onnx_open(path, f, err);
    free(path);
    made_end(&m);
    return rc;
}

TEST(external_data_is_read)
{
    struct outside o = {unit_folder(), unit_folder(), {1, 2, 3, 4}};
    struct onnx_file *f;
    struct err err = {0};
    const char *const *paths;
    unit_write(o.folder, "weights.bin", o.data, sizeof o.data);
    assert_int_equal(open_external(&o, "weights.bin", NULL, NULL, &f, &err), OK);
    const struct onnx_tensor *t = &onnx_model(f)->initializers[0];
    assert_memory_equal(t->data, o.data, sizeof o.data);
    assert_int_equal(onnx_parts(f, &paths), 2);
    assert_true(strstr(paths[0], "/model.onnx") && strstr(paths[1], "/weights.bin"));
    onnx_forget_pages(f, t->data, t->bytes);
    assert_memory_equal(t->data, o.data, sizeof o.data);
    onnx_close(f);
    assert_int_equal(open_external(&o, "weights.bin", "0", "16", &f, &err), OK);
    onnx_close(f);
    unit_remove(o.folder);
    unit_remove(o.elsewhere);
}

TEST(external_data_stays_in_its_folder)
{
    struct outside o = {unit_folder(), unit_folder(), {1, 2, 3, 4}};
    char *link = NULL, *inner = NULL, *target = NULL, *up = NULL;
    struct err err = {0};
    struct onnx_file *f;
    unit_write(o.elsewhere, "secret.bin", o.data, sizeof o.data);
    unit_write(o.folder, "weights.bin", o.data, sizeof o.data);
    assert_true(asprintf(&link, "%s/link.bin", o.folder) > 0);
    assert_true(asprintf(&inner, "%s/inner.bin", o.folder) > 0);
    assert_true(asprintf(&target, "%s/secret.bin", o.elsewhere) > 0);
    assert_true(asprintf(&up, "../%s/secret.bin", strrchr(o.elsewhere, '/') + 1) > 0);
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(symlink("weights.bin", inner), 0);
    const char *const bad[][2] = {{up, "not a path within"},
                                  {target, "not a path within"},
                                  {"link.bin", "a link to another place"},
                                  {"", "not a path within"},
                                  {"a/../weights.bin", "not a path within"},
                                  {"missing.bin", "not there"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(open_external(&o, bad[i][0], NULL, NULL, &f, &err), ERR_INPUT);
        assert_string_equal(err.rule, "onnx-external");
        assert_non_null(strstr(err.msg, bad[i][1]));
    }
    assert_int_equal(open_external(&o, "inner.bin", NULL, NULL, &f, &err), OK);
    onnx_close(f);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(unlink(inner), 0);
    free(link);
    free(inner);
    free(target);
    free(up);
    unit_remove(o.folder);
    unit_remove(o.elsewhere);
}

TEST(external_ranges_are_checked)
{
    static const struct {
        const char *offset, *length, *says;
    } bad[] = {{"4", NULL, "needs 16 bytes from byte 4"},
               {"17", NULL, "but the file has 0"},
               {"18446744073709551615", NULL, "offset is not a number"},
               {"-4", NULL, "offset is not a number"},
               {"0", "12", "claims 12"},
               {"0", "x", "length is not a number"}};
    struct outside o = {unit_folder(), unit_folder(), {1, 2, 3, 4}};
    struct err err = {0};
    struct onnx_file *f;
    unit_write(o.folder, "weights.bin", o.data, sizeof o.data);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(open_external(&o, "weights.bin", bad[i].offset, bad[i].length, &f, &err),
                         ERR_INPUT);
        assert_string_equal(err.rule, "onnx-external");
        assert_non_null(strstr(err.msg, bad[i].says));
    }
    unit_remove(o.folder);
    unit_remove(o.elsewhere);
}

/* Of a file, large weights are used where they lie, small ones wherever they can be read as
 * numbers. */
TEST(large_weights_stay_in_the_map)
{
    enum { LARGE = ONNX_COPY / 4 + 1 };
    struct made m;
    struct onnx_file *f;
    struct err err = {0};
    char *folder = unit_folder(), *path = NULL;
    float *large = calloc(LARGE, sizeof *large);
    assert_non_null(large);
    large[LARGE - 1] = 7;
    for (size_t shift = 0; shift < 4; shift++) {
        const char *const names[] = {"w", "ww", "www", "wwww"};
        made_begin(&m);
        made_floats(&m, "small", DIMS(5), NULL);
        made_floats(&m, names[shift], DIMS(LARGE), large);
        struct sv file = made_file(&m);
        unit_write(folder, "model.onnx", file.p, file.n);
        assert_true(asprintf(&path, "%s/model.onnx", folder) > 0);
        assert_int_equal(onnx_open(path, &f, &err), OK);
        const struct onnx_tensor *t = onnx_model(f)->initializers;
        assert_int_equal((uintptr_t)t[0].data % sizeof(float), 0);
        assert_true(((const float *)t[0].data)[4] == 0.625F);
        assert_memory_equal(t[1].data, large, LARGE * sizeof *large);
        onnx_forget_pages(f, t[1].data, t[1].bytes);
        assert_memory_equal(t[1].data, large, LARGE * sizeof *large);
        onnx_close(f);
        free(path);
        made_end(&m);
    }
    free(large);
    unit_remove(folder);
}

TEST(golden_results_are_tensors)
{
    const char *golden = getenv("HOLDOUT_GOLDEN");
    if (!golden) {
        print_message("SKIPPED: HOLDOUT_GOLDEN is not set\n");
        skip();
    }
    struct arena a;
    struct str s;
    struct onnx_tensor t;
    struct err err = {0};
    arena_init(&a, 1 << 20);
    str_init(&s, 1 << 20);
    assert_int_equal(
        fs_read(arena_printf(&a, "%s/onnx/light_squeezenet_output_0.pb", golden), &s, &err), OK);
    assert_int_equal(onnx_read_tensor(s.p, s.n, &a, &t, &err), OK);
    assert_true(t.type == TYPE_F32 && t.rank == 4 && t.dims[1] == 1000 && t.bytes == 4000);
    for (size_t n = 0; n < s.n; n += n < 32 ? 1 : 97) {
        struct onnx_tensor cut;
        enum err_code rc = onnx_read_tensor(s.p, n, &a, &cut, &err);
        assert_int_equal(rc, ERR_INPUT);
        err_clear(&err);
    }
    str_release(&s);
    arena_release(&a);
}
