/* npy.h - NumPy arrays of whole numbers with one or two dimensions, as files of predictions are: one row
 * per image, one column per label. The data are borrowed from the file's text. Knows nothing of what the
 * numbers mean. */
#ifndef FORMATS_NPY_H
#define FORMATS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

enum { NPY_HEADER_MOST = 1 << 16, NPY_ROWS_MOST = 100000000, NPY_COLUMNS_MOST = 1 << 20 };

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
/* A u8 number above INT64_MAX is given as INT64_MAX. */
int64_t npy_at(const struct npy *a, size_t row, size_t column);

#endif
