/* fuzz_npy.c - any bytes as a NumPy file, of labels or of features: what is accepted has all of its numbers within the file. */
#include <stdint.h>

#include "formats/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct npy a;
    struct npy_floats f;
    struct err err = {0};
    if (npy_floats(&f, "fuzz", sv_make((const char *)data, n), n, &err) == OK) {
        BUG_IF(f.begin > n || f.rows * f.columns * sizeof(float) != n - f.begin);
    }
    err = (struct err){0};
    enum err_code rc = npy_open(&a, "fuzz", sv_make((const char *)data, n), &err);
    BUG_IF(rc != err.code || (rc != OK && rc != ERR_INPUT && rc != ERR_LIMIT));
    if (rc != OK) {
        return 0;
    }
    BUG_IF(a.rows * a.columns * a.item > n);
    int64_t sum = 0;
    for (size_t row = 0; row < a.rows; row++) {
        for (size_t column = 0; column < a.columns; column++) {
            sum ^= npy_at(&a, row, column);
        }
    }
    volatile int64_t seen = sum; /* so that no byte is left unread */
    (void)seen;
    return 0;
}
