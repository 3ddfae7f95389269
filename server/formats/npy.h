/* npy.h - NumPy arrays with a row per image: of whole numbers, as files of predictions are, whose data are borrowed from the
 * file's text, and of float32 numbers, as files of features are, of which only the header is read. Knows nothing of what
 * the numbers mean. */
#ifndef FORMATS_NPY_H
#define FORMATS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

enum { NPY_HEADER_MOST = 1 << 16, NPY_ROWS_MOST = 100000000, NPY_COLUMNS_MOST = 1 << 20 };
/* So many bytes at the beginning of a file hold all of a header that is read. */
enum { NPY_BEGIN_MOST = NPY_HEADER_MOST + 12 };

struct npy {
    const unsigned char *data;
    size_t rows, columns; /* columns 1 for one dimension */
    size_t item;          /* bytes of a number */
    bool is_signed, big_endian;
};

/* True for what begins as such a file does. */
bool npy_is(struct sv file);
/* Versions 1 to 3; integers of 1, 2, 4 and 8 bytes in C order. ERR_INPUT "NAME: ..." says what else it is, and
 * how to convert it. The file must end with the last number. */
enum err_code npy_open(struct npy *out, const char *name, struct sv file, struct err *err);
/* Where the rows of a file of float32 numbers lie. */
struct npy_floats {
    size_t rows, columns;
    size_t begin; /* bytes before the first number; row after row follows, little-endian */
};
/* Of a file of `bytes` bytes that begins with `begin`, which holds NPY_BEGIN_MOST bytes or all of them. Two dimensions,
 * '<f4', C order; the file must end with the last number. ERR_INPUT (rules "npy-header", "npy-type", "npy-shape") or
 * ERR_LIMIT (rule "npy-shape") "NAME: ..." says what it is else, and how to convert it. */
enum err_code npy_floats(struct npy_floats *out, const char *name, struct sv begin, uint64_t bytes, struct err *err);
/* A u8 number above INT64_MAX is given as INT64_MAX. */
int64_t npy_at(const struct npy *a, size_t row, size_t column);

#endif
