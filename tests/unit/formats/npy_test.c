/* npy_test.c - formats/npy.h: what NumPy writes, and what is refused with a word about the remedy. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "formats/npy.h"

/* A file of that version and header, with `n` bytes of data behind it. */
static struct sv make(unsigned char *to, int version, const char *header, const void *data, size_t n)
{
    size_t length = strlen(header), at = version == 1 ? 10 : 12;
    const unsigned char begin[] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0,
                                   (unsigned char)length, (unsigned char)(length >> 8), 0, 0};
    memcpy(to, begin, at);
    memcpy(to + at, header, length);
    memcpy(to + at + length, data, n);
    return sv_make((char *)to, at + length + n);
}

TEST(integers)
{
    static const unsigned char data[] = {1, 0, 0, 0, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const struct {
        const char *type;
        int64_t first, last;
        size_t rows;
    } rows[] = {
        {"|u1", 1, 255, 16},     {"|i1", 1, -1, 16},      {"<u2", 1, 65535, 8},
        {">u2", 256, 65535, 8},  {"<i2", 1, -1, 8},       {"<u4", 1, 4294967295, 4},
        {">u4", 0x01000000, 4294967295, 4}, {"<i4", 1, -1, 4},
        {"<i8", 0x0200000000000001, -1, 2}, {">i8", 0x0100000000000002, -1, 2},
        {"<u8", 0x0200000000000001, INT64_MAX, 2}, {"=i4", 1, -1, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char file[256];
        char header[128];
        struct npy a;
        struct err err = {0};
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }  \n",
                 rows[i].type, rows[i].rows);
        for (int version = 1; version <= 3; version++) {
            assert_int_equal(npy_open(&a, "t.npy", make(file, version, header, data, sizeof data), &err), OK);
            assert_int_equal(a.rows, rows[i].rows);
            assert_int_equal(a.columns, 1);
            assert_int_equal(npy_at(&a, 0, 0), rows[i].first);
            assert_int_equal(npy_at(&a, a.rows - 1, 0), rows[i].last);
        }
    }
}

TEST(rows_and_columns)
{
    unsigned char file[256];
    static const unsigned char data[] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0};
    struct npy a;
    struct err err = {0};
    /* Another order of keys, double quotes, a long number of Python 2. */
    struct sv f = make(file, 1, "{\"shape\": (2L, 3L), \"descr\": \"<u2\", \"fortran_order\": False}\n", data,
                       sizeof data);
    assert_true(npy_is(f));
    assert_int_equal(npy_open(&a, "t.npy", f, &err), OK);
    assert_true(a.rows == 2 && a.columns == 3);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(npy_at(&a, i / 3, i % 3), i + 1);
    }
    /* One column in Fortran order is the same bytes. */
    f = make(file, 1, "{'descr': '<u2', 'fortran_order': True, 'shape': (6, 1), }\n", data, sizeof data);
    assert_int_equal(npy_open(&a, "t.npy", f, &err), OK);
    assert_int_equal(npy_at(&a, 5, 0), 6);
    f = make(file, 1, "{'descr': '<u2', 'fortran_order': False, 'shape': (0, 5), }\n", data, 0);
    assert_int_equal(npy_open(&a, "t.npy", f, &err), OK);
    assert_int_equal(a.rows, 0);
}

static void refused(struct sv file, const char *want)
{
    struct npy a;
    struct err err = {0};
    assert_int_not_equal(npy_open(&a, "t.npy", file, &err), OK);
    if (!strstr(err.msg, want)) {
        fail_msg("\"%s\" does not say \"%s\"", err.msg, want);
    }
}

static void refused_header(const char *header, const char *want)
{
    unsigned char file[1024];
    static const unsigned char data[12] = {0};
    refused(make(file, 1, header, data, sizeof data), want);
}

TEST(refused)
{
    unsigned char file[256];
    static const unsigned char data[12] = {0};
    refused_header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1), }", "numpy.argsort");
    refused_header("{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }", "ascontiguousarray");
    refused_header("{'descr': '<U5', 'fortran_order': False, 'shape': (2, 3), }", "its type is <U5");
    refused_header("{'descr': '<u3', 'fortran_order': False, 'shape': (2, 2), }", "its type is <u3");
    refused_header("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 3), }", "3 dimensions");
    refused_header("{'descr': '<u2', 'fortran_order': False, 'shape': (), }", "0 dimensions");
    refused_header("{'descr': '<u2', 'fortran_order': False, 'shape': (3, 3), }", "cut off");
    refused_header("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 3), }", "too long");
    refused_header("{'descr': '<u2', 'fortran_order': False, 'shape': (999999999, 5), }", "at most");
    refused_header("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 0), }", "at most");
    refused_header("{'descr': '<u2', 'fortran_order': False, 'shape': (99999999999999999999, 5), }", "damaged");
    refused_header("{'descr': '<u2', 'fortran_order': False}", "damaged");
    refused_header("{'descr': '<u2", "damaged");
    refused_header("", "damaged");
    refused(SV("\x93NUMPX\1\0\0\0"), "not a NumPy file");
    refused(SV("\x93NUMPY\4\0\0\0"), "version 4.0");
    refused(SV("\x93NUMPY\2\0\1\0"), "damaged");
    refused(SV("image,p1\n"), "not a NumPy file");
    /* Every file that is cut off is refused, wherever. */
    struct sv whole = make(file, 1, "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }\n", data, 12);
    for (size_t n = 0; n < whole.n; n++) {
        struct npy a;
        struct err err = {0};
        char *copy = malloc(n + 1);
        assert_non_null(copy);
        memcpy(copy, whole.p, n);
        assert_int_not_equal(npy_open(&a, "t.npy", sv_make(copy, n), &err), OK);
        free(copy);
    }
}

/* ---- float32 ---- */

#define FLOATS(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }\n"

/* What npy_floats makes of a header and so many bytes behind it, of which it is given none. */
static enum err_code floats(struct npy_floats *a, int version, const char *header, uint64_t behind, struct err *err)
{
    unsigned char file[1024];
    struct sv begin = make(file, version, header, "", 0);
    *err = (struct err){0};
    return npy_floats(a, "t.npy", begin, begin.n + behind, err);
}

TEST(floats_are_found)
{
    struct npy_floats a;
    struct err err;
    for (int version = 1; version <= 3; version++) {
        assert_int_equal(floats(&a, version, FLOATS("(3, 5)"), 60, &err), OK);
        assert_true(a.rows == 3 && a.columns == 5);
        assert_int_equal(a.begin, (version == 1 ? 10 : 12) + strlen(FLOATS("(3, 5)")));
    }
    assert_int_equal(floats(&a, 1, FLOATS("(0, 5)"), 0, &err), OK);
    assert_int_equal(a.rows, 0);
    assert_int_equal(floats(&a, 1, FLOATS("(100000000, 1048576)"), UINT64_C(419430400000000), &err), OK);
}

TEST(floats_refused)
{
    static const struct {
        const char *header;
        uint64_t behind;
        enum err_code code;
        const char *rule, *says;
    } rows[] = {
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (3, 5), }", 60, ERR_INPUT, "npy-shape", "ascontiguousarray"},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (3, 5), }", 60, ERR_INPUT, "npy-type", ">f4"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }", 120, ERR_INPUT, "npy-type", "astype('<f4')"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3, 5), }", 60, ERR_INPUT, "npy-type", "<i4"},
        {"{'descr': '<f4x', 'fortran_order': False, 'shape': (3, 5), }", 60, ERR_INPUT, "npy-type", "<f4x"},
        {FLOATS("(15,)"), 60, ERR_INPUT, "npy-shape", "1 dimensions"},
        {FLOATS("()"), 4, ERR_INPUT, "npy-shape", "0 dimensions"},
        {FLOATS("(1, 3, 5)"), 60, ERR_INPUT, "npy-shape", "3 dimensions"},
        {FLOATS("(3, 5)"), 59, ERR_INPUT, "npy-shape", "cut off"},
        {FLOATS("(3, 5)"), 0, ERR_INPUT, "npy-shape", "cut off"},
        {FLOATS("(3, 5)"), 61, ERR_INPUT, "npy-shape", "too long"},
        {FLOATS("(3, 0)"), 0, ERR_LIMIT, "npy-shape", "3 x 0"},
        {FLOATS("(100000001, 5)"), 60, ERR_LIMIT, "npy-shape", "at most"},
        {FLOATS("(3, 1048577)"), 60, ERR_LIMIT, "npy-shape", "at most"},
        /* 2^62 times 4 bytes, and 2^32 x 2^32 numbers, are 0 of 64 bits. */
        {FLOATS("(1, 4611686018427387904)"), 0, ERR_INPUT, "npy-header", "damaged"},
        {FLOATS("(4294967296, 4294967296)"), 0, ERR_LIMIT, "npy-shape", "at most"},
        {FLOATS("(-3, 5)"), 60, ERR_INPUT, "npy-header", "damaged"},
        {"{'descr': '<f4', 'fortran_order': False, ", 60, ERR_INPUT, "npy-header", "damaged"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct npy_floats a;
        struct err err;
        assert_int_equal(floats(&a, 1, rows[i].header, rows[i].behind, &err), rows[i].code);
        assert_string_equal(err.rule, rows[i].rule);
        if (!strstr(err.msg, rows[i].says)) {
            fail_msg("\"%s\" does not say \"%s\"", err.msg, rows[i].says);
        }
    }
}

TEST(float_headers_that_lie)
{
    unsigned char file[1024];
    struct npy_floats a;
    struct err err = {0};
    struct sv whole = make(file, 1, FLOATS("(3, 5)"), "", 0);
    for (size_t n = 0; n < whole.n - 1; n++) { /* the last is a line feed */
        char *copy = malloc(n + 1); /* so that a byte beyond it is found */
        assert_non_null(copy);
        memcpy(copy, whole.p, n);
        assert_int_not_equal(npy_floats(&a, "t.npy", sv_make(copy, n), n + 60, &err), OK);
        free(copy);
    }
    file[8] = 0xff; /* longer than the file, shorter than the dictionary, none at all */
    assert_int_not_equal(npy_floats(&a, "t.npy", whole, whole.n + 60, &err), OK);
    file[8] = 20;
    assert_int_not_equal(npy_floats(&a, "t.npy", whole, whole.n + 60, &err), OK);
    file[8] = 0;
    assert_int_not_equal(npy_floats(&a, "t.npy", whole, whole.n + 60, &err), OK);
    whole = make(file, 2, FLOATS("(3, 5)"), "", 0);
    file[11] = 0xff; /* four gigabytes */
    assert_int_not_equal(npy_floats(&a, "t.npy", whole, whole.n + 60, &err), OK);
    file[0] = 'N';
    assert_int_not_equal(npy_floats(&a, "t.npy", whole, whole.n + 60, &err), OK);
}
