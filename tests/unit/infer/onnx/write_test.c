/* What is written is what the reader reads: ports, weights bit for bit, nodes with every kind of attribute;
 * and too much is refused instead of cut off. */
#include "unit.h"

#include <string.h>

#include "infer/onnx/onnx.h"
#include "infer/onnx/write.h"

static const float weights[] = {1, -2.5F, 3e-40F, 0, 1e30F, -0.0F};

static void write_sample(struct onnx_writer *w, size_t max)
{
    const int64_t image[] = {-1, 3, 200, 200}, out[] = {-1, 2}, dims[] = {2, 3}, bias[] = {2};
    const int64_t kernel[] = {200, 1, -7};
    const struct onnx_write_attribute all[] = {
        {.name = "axis", .kind = WRITE_INT, .i = -1},
        {.name = "alpha", .kind = WRITE_FLOAT, .f = 0.1F},
        {.name = "kernel", .kind = WRITE_INTS, .ints = kernel, .n = 3},
    };
    onnx_write_begin(w, "sample", max);
    onnx_write_input(w, "image", image, 4);
    onnx_write_weights(w, "w", dims, 2, weights);
    onnx_write_weights(w, "b", bias, 1, weights);
    onnx_write_node(w, "GlobalAveragePool", (const char *const[]){"image", NULL}, "pooled", NULL, 0);
    onnx_write_node(w, "Flatten", (const char *const[]){"pooled", NULL}, "flat", all, 3);
    onnx_write_node(w, "Gemm", (const char *const[]){"flat", "w", "b", NULL}, "scores", NULL, 0);
    onnx_write_output(w, "scores", out, 2);
}

static void check_ports(const struct onnx_model *m)
{
    assert_int_equal(m->n_inputs, 1);
    assert_int_equal(m->n_outputs, 1);
    assert_true(sv_is(m->inputs[0].name, "image") && sv_is(m->outputs[0].name, "scores"));
    assert_int_equal(m->inputs[0].type, TYPE_F32);
    assert_int_equal(m->inputs[0].rank, 4);
    assert_int_equal(m->inputs[0].dims[0], -1);
    assert_int_equal(m->inputs[0].dims[3], 200);
    assert_int_equal(m->outputs[0].dims[1], 2);
}

static void check_nodes(const struct onnx_model *m)
{
    const struct onnx_node *flat = &m->nodes[1], *gemm = &m->nodes[2];
    const struct onnx_attribute *kernel = onnx_attribute(flat, "kernel");
    assert_int_equal(m->n_nodes, 3);
    assert_true(sv_is(flat->op, "Flatten") && sv_is(flat->name, "flat"));
    assert_int_equal(onnx_int(flat, "axis", 5), -1);
    assert_true(onnx_float(flat, "alpha", 5) == 0.1F);
    assert_non_null(kernel);
    assert_int_equal(kernel->kind, ATTR_INTS);
    assert_int_equal(kernel->n, 3);
    assert_true(kernel->ints[0] == 200 && kernel->ints[1] == 1 && kernel->ints[2] == -7);
    assert_int_equal(gemm->n_inputs, 3);
    assert_true(sv_is(gemm->inputs[1], "w") && sv_is(gemm->outputs[0], "scores"));
}

TEST(the_reader_reads_what_was_written)
{
    struct onnx_writer w;
    struct str bytes;
    struct err err = {0};
    struct onnx_file *file = NULL;
    write_sample(&w, 1 << 20);
    str_init(&bytes, 1 << 20);
    assert_int_equal(onnx_write_bytes(&w, &bytes, &err), OK);
    onnx_write_release(&w);
    assert_memory_equal(bytes.p, "\x08\x08", 2); /* IR 8 */
    if (onnx_read(bytes.p, bytes.n, &file, &err) != OK) {
        fail_msg("%s", err.msg);
    }
    const struct onnx_model *m = onnx_model(file);
    assert_int_equal(m->opset, 13);
    assert_true(sv_is(m->producer, "holdout") && sv_is(m->graph, "sample"));
    check_ports(m);
    check_nodes(m);
    assert_int_equal(m->n_initializers, 2);
    assert_int_equal(m->initializers[0].bytes, sizeof weights);
    assert_memory_equal(m->initializers[0].data, weights, sizeof weights);
    assert_int_equal(m->initializers[1].bytes, 8);
    onnx_close(file);
    str_release(&bytes);
}

TEST(what_does_not_fit_is_refused)
{
    struct onnx_writer w;
    struct err err = {0};
    char *folder = unit_folder();
    struct arena a;
    arena_init(&a, 1 << 16);
    write_sample(&w, 100);
    assert_int_equal(onnx_write_file(&w, fs_join(&a, folder, "m.onnx"), &err), ERR_LIMIT);
    assert_false(fs_exists(fs_join(&a, folder, "m.onnx")));
    onnx_write_release(&w);
    arena_release(&a);
    unit_remove(folder);
}

TEST(a_file_is_the_same_bytes)
{
    struct onnx_writer w;
    struct str bytes, read;
    struct err err = {0};
    char *folder = unit_folder();
    struct arena a;
    arena_init(&a, 1 << 16);
    str_init(&bytes, 1 << 20);
    str_init(&read, 1 << 20);
    write_sample(&w, 1 << 20);
    assert_int_equal(onnx_write_bytes(&w, &bytes, &err), OK);
    assert_int_equal(onnx_write_file(&w, fs_join(&a, folder, "m.onnx"), &err), OK);
    assert_int_equal(fs_read(fs_join(&a, folder, "m.onnx"), &read, &err), OK);
    assert_int_equal(read.n, bytes.n);
    assert_memory_equal(read.p, bytes.p, bytes.n);
    onnx_write_release(&w);
    str_release(&bytes);
    str_release(&read);
    arena_release(&a);
    unit_remove(folder);
}
